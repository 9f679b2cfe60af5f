"""Photo in, named tiles and a hand out: photo, detect, read, layout, decode, recognise."""
