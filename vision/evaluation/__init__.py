"""Recognition measured on labelled photos."""
