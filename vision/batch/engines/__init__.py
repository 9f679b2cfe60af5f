"""What reads the photos of a batch run: a pool of processes, or a Dask cluster."""
