"""The trained networks, the manifest that names them, and the training that made them."""
