"""What each tile is for: concealed tiles, melds, flowers, the winning tile, strays."""
