"""Why, rank and validate, with numbers worked out by hand."""

from __future__ import annotations

import pytest

import foretell
from foretell import frontends
from foretell.core.answers.answers import ValidationPoint
from foretell.errors import InputError
from foretell.uses.compare import compare
from foretell.uses.error_statistics import set_of, spearman, summarise
from foretell.uses.rank import rank
from foretell.uses.validate import validate
from foretell.uses.why import why
from tests.support.models.sunway import kernel, machine


def test_elasticity_of_a_bandwidth_bound_kernel() -> None:
    found = {
        entry.parameter: entry
        for entry in why(
            foretell.prepare("example:vector-add", "sw26010", options={"overlap": "virtual_groups"})
        ).sensitivities
    }
    # T ~ 1/bandwidth: +10 % gives -9.09 %, -10 % gives +11.1 %; the mean of the slopes is -1.0101
    assert found["memory.bandwidth"].elasticity == pytest.approx(-(1 / 1.1 + 1 / 0.9) / 2, rel=1e-9)
    assert found["clock.frequency"].elasticity == pytest.approx(0, abs=1e-12)
    assert found["pipeline.floating.latency"].elasticity == 0


def test_counts_are_halved_and_doubled() -> None:
    case = foretell.prepare("example:vector-add", "sw26010-chip", options={"overlap": "virtual_groups"})
    entry = next(item for item in why(case).sensitivities if item.parameter == "cores.groups")
    assert entry.time_down_s == pytest.approx(case.predict().time_s * 2)
    assert entry.note == ""


def test_a_run_that_the_machine_does_not_allow_is_noted() -> None:
    entries = {item.parameter: item for item in why(foretell.prepare("example:n-body", "sw26010")).sensitivities}
    assert entries["cores.count"].time_down_s is None
    assert "32" in entries["cores.count"].note
    assert entries["cores.groups"].note == "cannot be less"


def test_elasticities_are_sorted_by_strength() -> None:
    strengths = [abs(item.elasticity or 0) for item in why(foretell.prepare("example:n-body", "sw26010")).sensitivities]
    assert strengths == sorted(strengths, reverse=True)


def test_no_time_has_no_elasticity() -> None:
    nothing = why(foretell.prepare(kernel(dma=[(0, 1)]), machine()))
    assert nothing.prediction.time_s == 0
    assert all(entry.elasticity is None for entry in nothing.sensitivities)


def test_rank_sorts_and_keeps_refusals() -> None:
    slow, fast = machine(memory__bandwidth=1e9), machine(memory__bandwidth=1e11)
    found = rank(kernel(dma=[(4096, 4)]), [slow, fast, "nowhere"])
    assert [p.machine_hash for p in found.predictions] == [fast.content_hash, slow.content_hash]
    assert [(entry.name, "no machine" in entry.reason) for entry in found.refused] == [("nowhere", True)]


def test_statistics_by_hand() -> None:
    pairs = [(1.1, 1.0), (0.7, 1.0), (2.0, 2.0), (3.3, 3.0)]
    points = [ValidationPoint(f"c{n}", "report", p, m) for n, (p, m) in enumerate(pairs)]
    found = summarise(points)
    assert found.n == 4
    assert found.mape == pytest.approx((0.1 + 0.3 + 0 + 0.1) / 4)
    assert found.median == pytest.approx(0.1)
    assert found.p90 == pytest.approx(0.1 + 0.7 * 0.2)
    assert found.within_20pct == 0.75
    assert found.geomean == pytest.approx((0.1 * 0.3 * 1e-4 * 0.1) ** 0.25)  # zero error counts as 1e-4 (SK-12)
    assert summarise(points[:1]).p90 == pytest.approx(0.1)


def test_spearman() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 2, 2, 4], [1, 3, 2, 4]) == pytest.approx(0.9486832980505138)  # ties by mean rank
    assert spearman([1, 2], [1, 2]) is None
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_the_set_of_a_case_is_fixed_by_its_name() -> None:
    assert len({set_of(f"case {n}") for n in range(20)}) == 2
    assert set_of("n-body") == "report"


def test_the_n_body_kernel_of_the_paper() -> None:
    """Within the 9.6 % that the paper gives as its largest error, from what its Fig. 8 prints."""
    found = validate("sunway-nbody")
    assert [point.measured_s for point in found.points] == pytest.approx([1142e-6, 1100e-6, 1142e-6, 1100e-6])
    assert all(abs(point.error) < 0.096 for point in found.points)


def test_every_model_that_can_answer_is_asked() -> None:
    code = frontends.read("example:stencil7.c").joined(frontends.read("example:nekbone-like"))
    found = compare(code, ["blue-gene-q", "h100"], points=[{"n": 64.0}])
    assert [(item.machine, item.model) for item in found.predictions] == [
        ("blue-gene-q", "counters"),
        ("blue-gene-q", "cpu"),
    ]
    # never merged: each number is what the model says alone
    alone = foretell.predict("example:stencil7.c", "blue-gene-q", parameters={"n": 64.0})
    assert found.predictions[1].time_s == alone.time_s
    assert [item.name for item in found.refused] == ["counters on h100", "cpu on h100"]


def test_two_views_of_one_kind_contradict_each_other() -> None:
    code = frontends.read("example:stencil7.c")
    with pytest.raises(InputError, match="both give Loops"):
        code.joined(frontends.read("example:stencil7.f90"))


def test_no_model_can_answer() -> None:
    with pytest.raises(InputError, match="no model can answer; counters on sw26010"):
        compare(frontends.read("example:nekbone-like"), ["sw26010"])
