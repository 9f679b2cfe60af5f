"""Engines read the photos of a batch run: a pool of processes on this machine, or a Dask cluster."""
