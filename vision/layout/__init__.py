"""What each tile is for: concealed tiles, melds, flowers, the winning tile, strays.

Modules import one way: `geometry` and `weights` (thresholds) ← `frames` ← `rows` and `table` ← `tidying`, `flowers` ←
`pieces` ← `lines` ← `partition` ← `arrange`.
"""
