"""Training of the tile detector and the tile reader (needs the `[train]` extra; never imported at run time)."""
