"""Finds the photos of a batch run in folders, lists, archives and at addresses."""
