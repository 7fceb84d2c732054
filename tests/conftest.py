"""Settings of the whole suite."""

from __future__ import annotations

import pytest
from hypothesis import is_hypothesis_test, settings

# How long an example takes depends on what else the machine does; no wall-clock limit decides a test.
settings.register_profile("foretell", deadline=None)
settings.load_profile("foretell")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coverage does not follow generated inputs: they go again where single tests have been, and Python takes two to
    three times as long where it is followed."""
    for item in items:
        if item.nodeid.startswith("tests/properties/") or is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.no_cover)
