"""Settings of the whole suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

# How long an example takes depends on what else the machine does; no wall-clock limit decides a test.
settings.register_profile("foretell", deadline=None)
settings.load_profile("foretell")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coverage does not follow damaged and mutated inputs: they go again where single tests have been, and Python takes
    two to three times as long where it is followed."""
    for item in items:
        if item.path.stem.endswith(("fuzz", "fuzz_sources", "mutations")):
            item.add_marker(pytest.mark.no_cover)
