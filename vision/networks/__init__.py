"""The two networks: the detector finds tiles, the reader names them."""
