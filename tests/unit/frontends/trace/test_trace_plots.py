"""Panels of a trace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.trace import Band, Operations, Reuse, Schedule, StackDistances, Trace, Width
from foretell.core.workload import Workload
from foretell.frontends.trace import stored
from foretell.machines import load
from foretell.report.plots import answers
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

SCHEDULE = Schedule(12, (Width(5, 12),), (Band(1, 4, 2, 9, 20), Band(5, 12, 0, 8, 40)))
TRACE = Trace(
    kernel="k",
    operations=Operations(add=60),
    vectorised=0,
    schedule=SCHEDULE,
    sync_points=0,
    distances=(StackDistances(64, 10, 800, (Reuse(3, 90, 5),)),),
    reassociated=replace(SCHEDULE, depth=4),
)


def test_curves_bands_and_caches(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "t.svg"
    answers.trace(TRACE, [load("h200"), load("i5-2400")], target)
    text = target.read_text()
    assert text.startswith("<?xml")
    empty = Trace(kernel="k", operations=Operations(), vectorised=0, schedule=Schedule(), sync_points=0)
    answers.trace(empty, [], tmp_path / "empty.png")


def test_describe_draws_a_stored_trace(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file, target = tmp_path / "k.trace", tmp_path / "k.png"
    stored.write(Workload("k", (TRACE,), origin="k.c", input_hash="", assumptions=()), file)
    assert run("describe", str(file), "--plot", str(target), "--on", "h200").code == 0
    assert target.stat().st_size > 10_000
    ranked = tmp_path / "r.svg"
    assert run("rank", str(file), "--on", "i5-2400", "--plot", str(ranked)).code == 0
    assert run("describe", "example:vector-add", "--plot", str(target)).code == 2
    assert run("describe", "example:kernels/lu.c", "--plot", str(target)).code == 0
