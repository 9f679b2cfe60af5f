"""Winning shapes, and how far a hand is from one."""
