"""Processes that read photos for another process: what a photo does to them, it does to nobody else."""
