"""Attacks on a server of our own, bounded and on the loopback only: `make attack` runs them and prints their figures.

Each module attacks in one way and prints lines of figures. It ends with an error if a promise of `docs/reliability.md`
that does not depend on the speed of the computer is broken.
"""
