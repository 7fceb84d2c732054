"""The tuner: variants in order, what survives a kill, and what is pruned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.core.answers.tuning import Tuning, Variant
from foretell.core.columns.space import Axis, Space
from foretell.errors import InputError
from foretell.report import csv, text
from foretell.report import json as documents
from foretell.report.plots import answers
from foretell.uses.journal import Journal
from foretell.uses.tuning.annotated import Job, tune
from foretell.uses.tuning.search import Dynamic, Ledger, carry_out, judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from foretell.api import Case

SMALL = Space((Axis("tile_i", (1.0, 2.0, 4.0, 64.0)), Axis("unroll_j", (1.0, 8.0))))


@pytest.fixture(scope="module")
def case() -> Case:
    return foretell.prepare("example:hotspot.c", "sw26010", parameters={"n": 200, "m": 256})


class Squares:
    """Predicts one second for everything; the judged time is the square of x."""

    def __init__(self, variants: list[Variant]) -> None:
        self.variants = variants

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        return [(number, replace(self.variants[number], predicted_s=1.0)) for number in numbers]

    def judge(self, number: int, variant: Variant) -> Variant:
        return judged(variant, float(variant.parameters["x"]) ** 2)


def test_variants_are_simulated_in_their_order_with_the_best_so_far() -> None:
    seen: list[object] = []
    variants = [Variant({"x": x}) for x in (4.0, 2.0, 3.0)]
    ledger = Ledger(list(variants))
    carry_out(Dynamic(3), Squares(variants), ledger, lambda done, _, best: seen.append(best.parameters["x"]))
    assert seen == [4, 4, 4, 4, 2, 2]
    assert [variant.judged_s for variant in ledger.variants] == [16, 4, 9]
    assert ledger.order == [0, 1, 2, 0, 1, 2]


def test_static_dynamic_and_hybrid_agree_here(case: Case) -> None:
    static = tune(case, SMALL)
    dynamic = tune(case, SMALL, Job("dynamic"))
    hybrid = tune(case, SMALL, Job("hybrid", budget=2))
    assert static.best.parameters == dynamic.best.parameters == hybrid.best.parameters
    assert static.loss is None
    assert 0 <= dynamic.loss < 0.03
    assert dynamic.speedup > 1
    assert sum(variant.judged_s is not None for variant in hybrid.variants) == 2
    assert static.speedup == pytest.approx(dynamic.speedup, rel=0.05)


def test_what_does_not_fit_is_pruned_with_its_reason(case: Case) -> None:
    found = tune(case, SMALL)
    pruned = [variant for variant in found.variants if variant.reason]
    assert {variant.parameters["tile_i"] for variant in pruned} == {64.0}
    assert all("SW-12" in variant.reason for variant in pruned)
    assert sum(found.pruned.values()) == 2
    with pytest.raises(InputError, match="none of 1 variants can run"):
        tune(case, Space((Axis("tile_i", (128.0,)),)))
    with pytest.raises(InputError, match="'tile_q' is not a parameter"):
        tune(case, Space((Axis("tile_q", (128.0,)),)))
    with pytest.raises(InputError, match="are more than"):
        tune(case, Space(tuple(Axis(name, tuple(map(float, range(2000)))) for name in ("tile_i", "unroll_j"))))


def test_the_proposed_space_has_tiles_up_to_each_loop_and_unroll_factors(case: Case) -> None:
    axes = {axis.name: axis.values for axis in case.model.search_space(case.workload, case.machine).axes}
    assert set(axes) == {"tile_i", "tile_j", "unroll_j"}
    assert (axes["tile_i"][0], axes["tile_i"][-1]) == (1, 128)
    assert axes["tile_j"][0] == 0  # no tile
    assert max(axes["tile_j"]) < 254
    plain = foretell.prepare("example:n-body", "sw26010")
    with pytest.raises(InputError, match="nothing to tune"):
        plain.model.search_space(plain.workload, plain.machine)


def test_a_journal_is_continued_and_nothing_is_judged_twice(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "tune.journal"
    first = tune(case, SMALL, Job("dynamic", journal=path))
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + 6  # a header, and six variants that fit; the code as it is is one of them
    path.write_text("\n".join(lines[:4]) + "\n" + lines[4][:20])  # torn in the middle of a line
    again = tune(case, SMALL, Job("dynamic", journal=path))
    assert again.resumed == 3
    assert [v.judged_s for v in again.variants] == [v.judged_s for v in first.variants]
    assert len(path.read_text().splitlines()) == len(lines)
    fresh = tune(case, SMALL, Job("dynamic", journal=path, fresh=True))
    assert fresh.resumed == 0


def opened(path: Path, key: str) -> Journal:
    return Journal(path, {"foretell-tune": 1, "key": key}, "search: a size")


def test_journals_of_other_searches_are_refused(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "tune.journal"
    with opened(path, "one") as journal:
        journal.add({"point": {"x": 1.0}, "judged_s": 2.0})
        with pytest.raises(InputError, match="another run"):
            opened(path, "one")
    with pytest.raises(InputError, match="another search"):
        opened(path, "two")
    other = tmp_path / "notes.txt"
    other.write_text("not a journal\n")
    with pytest.raises(InputError, match="not a journal"):
        opened(other, "one")
    torn = tmp_path / "torn"
    torn.write_text('01234567 {"forete')
    with opened(torn, "one"):
        pass
    assert "foretell-tune" in torn.read_text()


_KILLED = """
import foretell, time
from pathlib import Path
from foretell.uses.tuning import annotated as use
from foretell.core.columns.space import Axis, Space
case = foretell.prepare("example:hotspot.c", "sw26010", parameters={"n": 200, "m": 256})
journal = Path(__import__("sys").argv[1])
usual = type(case.model).simulate
def simulate(self, *args):
    if journal.read_text().count("\\n") >= 3:  # it waits there for its end, however busy the machine is
        time.sleep(600)
    return usual(self, *args)
type(case.model).simulate = simulate
space = Space((Axis("tile_i", (1.0, 2.0, 4.0, 64.0)), Axis("unroll_j", (1.0, 8.0))))
use.tune(case, space, use.Job("dynamic", journal=journal))
"""


def test_a_killed_search_keeps_what_it_judged(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "tune.journal"
    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(path)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.read_text().count("\n") >= 3):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = path.read_text().count("\n") - 1
    assert 2 <= kept < 7
    assert tune(case, SMALL, Job("dynamic", journal=path)).resumed == kept


def test_every_report_shows_the_variants(case: Case, tmp_path: Path) -> None:
    found = tune(case, SMALL, Job("dynamic"))
    shown = text.render(text.tuning(found), color=False)
    assert "2 pruned: the buffers need" in shown
    assert "times as fast" in shown
    document = json.loads(documents.dumps(documents.tuning(found)))
    assert len(document["variants"]) == 8
    assert len(csv.tuning(found)) == 8
    answers.tuning(found, tmp_path / "t.svg")
    answers.tuning(tune(case, SMALL), tmp_path / "static.svg")
    assert (tmp_path / "t.svg").exists()
    assert "as it is" in text.render(text.tuning(tune(case, SMALL)), color=False)


def test_a_default_that_cannot_run_has_no_speedup() -> None:
    best = Variant({"x": 1.0}, 2.0)
    found = Tuning("w", "m", "static", Variant({}, reason="too large"), best, (best,), 0.1, 0.0)
    assert found.speedup is None
    assert "too large" in text.render(text.tuning(found), color=False)
