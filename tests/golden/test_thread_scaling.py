"""Recorded OpenMP blocks with 16 threads, from a profile of one: the paper's errors are 3 to 22 %."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell import machines

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[2] / "validation" / "thread-scaling"
RESULTS = FOLDER / "results"


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[Any, Any]]:
    """`compare.py` and `series.py`, which find each other as scripts do."""
    names = ("compare", "series")
    sys.path.insert(0, str(FOLDER))
    yield tuple(importlib.import_module(name) for name in names)  # type: ignore[misc]
    sys.path.remove(str(FOLDER))
    for name in names:
        del sys.modules[name]


def errors(tools: tuple[Any, Any], run: str, profile: str, threads: int) -> Any:
    """Those with all threads, as `compare.py` sums them up; the machine file is that of the probe between the series."""
    compare, series = tools
    found = [series.read(RESULTS / run / f"series-{number}.txt") for number in (1, 2)]
    rows = compare.compared(RESULTS / profile, machines.load(RESULTS / run / "machine.toml"), found)
    return compare.summarized(rows, threads)
