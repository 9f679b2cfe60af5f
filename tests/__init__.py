"""Tests of Fanlens; the folders mirror the packages."""
