"""Stores the rows of a batch run, and shows them as tables and as a page."""
