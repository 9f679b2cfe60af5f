"""Training of the tile detector and the tile reader. Needs the `[train]` extra; nothing at run time imports it."""
