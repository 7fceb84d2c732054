"""Matches of lanes (__match_any_sync), against what an H200 did (validation/h200/launch-costs, costs.csv)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.core.gpu.launch import Element, Launch, Pointer
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu.costs.instruction_costs import MATCHED_NOTE, MATCHED_VALUES

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

ROOT = Path(__file__).parents[4]
LISTING = ROOT / "tests" / "data" / "sass" / "match_in_tiles.sass"


def _cycles(values: int) -> float:
    """Measured cycles of a round with one warp whose lanes have so many values."""
    text = (ROOT / "validation" / "h200" / "launch-costs" / "costs.csv").read_text(encoding="utf-8")
    lines = csv.DictReader(text.splitlines())
    found = (row for row in lines if (row["what"], row["a"], row["b"]) == ("match_any", str(values), "1"))
    return float(next(found)["least"])


def _predicted(tmp_path: Path, opcode: str) -> Prediction:
    path = tmp_path / f"{opcode}.sass"
    path.write_text(LISTING.read_text(encoding="utf-8").replace("MATCH.ANY", opcode), encoding="utf-8")
    arrays = Pointer(Element("i32"), 32), Pointer(Element("i32"), 64)
    return predict(read_workload(path, Launch(None, (1, 1, 1), (32, 1, 1), arrays)), "h200")


def test_each_value_takes_a_step(tmp_path: Path) -> None:
    """A match of any takes longer than one of all by the steps of the values that are assumed."""
    steps = MATCHED_VALUES - 1
    measured = (_cycles(32) - _cycles(1)) / 31 * steps / load("h200").value("clock.frequency")
    any_, all_ = _predicted(tmp_path, "MATCH.ANY"), _predicted(tmp_path, "MATCH.ALL")
    assert any_.time_s - all_.time_s == pytest.approx(measured, rel=0.1)
    assert MATCHED_NOTE in any_.assumptions
    assert MATCHED_NOTE not in all_.assumptions
    assert any_.interval_s is not None
    assert all_.interval_s is not None
    assert any_.interval_s[1] / any_.interval_s[0] > all_.interval_s[1] / all_.interval_s[0]
