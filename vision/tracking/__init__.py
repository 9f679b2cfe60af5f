"""Frames of a live camera: tiles are followed from frame to frame, and what the frames say is added up."""
