"""Tables as people lay them, kind by kind: where every tile lies, and what it is for.

Each kind makes one thing hard: melds in a column, a neighbor's open hand, discards, a winning tile far off. A table
can be seen without pixels (`seen`), a thousand times as fast as in a picture, to test what layout makes of it
(`outcome`); or it can be rendered (`models.rendering`). `python -m models.figures layout` prints a table by kind.

Modules import one way: `own_hand` and `litter` ← `kinds` ← `seen` ← `outcome`.
"""
