"""Settings of the whole suite."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes depends on what else the machine does; no wall-clock limit decides a test.
settings.register_profile("foretell", deadline=None)
settings.load_profile("foretell")
