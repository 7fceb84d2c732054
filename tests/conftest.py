"""Settings of the whole suite."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Which compiler is installed decides no test: code is generated unless a test names a compiler.
os.environ.setdefault("FORETELL_CC", "none")

# Nor does what earlier tests were answered: each answer is computed.
os.environ.setdefault("FORETELL_ANSWERS", "off")

# How long an example takes depends on what else the machine does; no wall-clock limit decides a test.
settings.register_profile("foretell", deadline=None)
settings.load_profile("foretell")


#: Files of many examples, each of which goes through the same code as single tests elsewhere.
_MANY_EXAMPLES = (
    "cachesim",
    "counters",
    "fuzz",
    "fuzz_sources",
    "lru_engine",
    "mutations",
    "pareto",
    "predict_many",
    "sunway",
    "trace_random",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coverage does not follow damaged, mutated and random inputs: they go again where single tests have been, and
    Python takes two to three times as long where it is followed."""
    for item in items:
        if "properties" in item.path.parts and item.path.stem.endswith(_MANY_EXAMPLES):
            item.add_marker(pytest.mark.no_cover)
