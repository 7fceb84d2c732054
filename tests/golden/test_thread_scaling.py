"""Ten recorded OpenMP blocks with 16 threads, from a profile of one: the paper's errors are 3 to 22 %."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from foretell import machines
from foretell.core.counts import Counts
from foretell.frontends.counters import read_profile

FOLDER = Path(__file__).parents[2] / "validation" / "thread-scaling"
RESULTS = FOLDER / "results"


@pytest.mark.parametrize("series", [("times-1.json", "times-2.json"), ("times-3.json",)])
def test_errors_with_all_threads(series: tuple[str, ...]) -> None:
    tool = runpy.run_path(str(FOLDER / "compare.py"))
    documents = [json.loads((RESULTS / name).read_text()) for name in series]
    machine, counts = (
        machines.load(RESULTS / "xeon-16.toml"),
        read_profile([RESULTS / "profile.json"]).facet(Counts),
    )
    rows = [
        row
        for block in counts.blocks
        for row in tool["compare"](block, counts, machine, tool["typical"](block.name, documents, machine))
    ]
    found = tool["summarized"](rows, 16)
    assert found["blocks"] == 10
    assert found["mean_error"] <= 0.15
    assert found["worst_error"] <= 0.22
