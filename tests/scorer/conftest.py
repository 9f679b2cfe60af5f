"""Hypothesis without clocks: a busy machine must not fail a test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("scorer", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("scorer")
