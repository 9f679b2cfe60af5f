"""Benchmarks: print figures and ratios measured in one run, assert nothing about time."""
