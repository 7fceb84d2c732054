"""What a search does not predict, what it predicts quickly, and what it predicts again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell import api, machines
from foretell.core.answers.tuning import Tuning, Variant
from foretell.errors import InputError
from foretell.frontends.gpu import launch as launches
from foretell.frontends.gpu.workload import read_workload
from foretell.models.gpu import timing
from foretell.report import text
from foretell.report.sections import tunings
from foretell.uses.tuning import kernels
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.limit import LOOKED_AT, UNBOUNDED, Limit
from foretell.uses.tuning.search import Ledger, Static
from tests.unit.uses.tuning.test_tuning_search import LISTING, copy

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


@pytest.fixture(scope="module")
def h200() -> Machine:
    return machines.load("h200")


def test_what_a_lower_bound_excludes_is_not_predicted(h200: Machine) -> None:
    kernels._KNOWN.clear()
    space = copy()
    bench = KernelBench(space, space.configurations(), Target(h200), exclude=1e-9)
    found = dict(bench.predict(range(4)))
    assert [variant.excluded for variant in found.values()] == [False, True, True, True]  # the first has no rival
    full = dict(KernelBench(space, space.configurations(), Target(h200)).predict(range(4)))
    for number, variant in found.items():
        assert 0 < variant.time_s <= full[number].time_s
    told = Tuning("k", "h200", "static", full[0], full[2], tuple(found.values()), 1.0, 0.0, judge="measured")
    said = text.render(text.tuning(told), color=False)
    assert "3 excluded by bound: a lower bound of their time exceeds the best" in said
    assert said.count("at least 0.") + said.count("at least 1.") == 3
    assert [row["excluded"] for row in tunings.rows(told)] == [False, True, True, True]
    steered = copy(arguments=("f32[n]@random", "f32[n]", "n"))
    code = KernelBench(steered, steered.configurations(), Target(h200))._grouped([0], Target(h200))[0][0]
    limited = replace(code, limit=Limit(keep=1, best=[-1e-12]))
    assert kernels.bounded(limited)[1] == (0.0,)  # contents may steer blocks: no bound


def test_bounds_are_compared_with_the_last_of_the_best() -> None:
    limit = Limit(keep=3)
    for seconds in (5.0, 1.0, math.inf, 3.0):
        assert limit.seconds == math.inf
        assert kernels._excluded({}, 1e9, limit) is None
        limit.learn(seconds)
    assert limit.seconds == 5.0
    limit.learn(2.0)
    assert limit.seconds == 3.0
    limit.factor = 1.5
    assert limit.seconds == 1.5


def test_bounds_that_exclude_nothing_are_left_out_for_a_while() -> None:
    limit = Limit(keep=1, best=[-1.0])
    for _ in range(LOOKED_AT):
        assert limit.worth_a_bound()
        limit.look(excluded=False)
    assert [limit.worth_a_bound(2) for _ in range(UNBOUNDED // 2)] == [False] * (UNBOUNDED // 2)
    for _ in range(LOOKED_AT):
        assert limit.worth_a_bound()
        limit.look(excluded=True)
    assert limit.worth_a_bound()


def test_the_first_codes_are_spread_over_all() -> None:
    codes = list(range(100))
    order = kernels.scattered(codes)
    assert sorted(order) == codes
    assert {number // 25 for number in order[:8]} == {0, 1, 2, 3}
    assert not kernels.scattered(codes[:0])


def test_the_best_are_predicted_again_precisely() -> None:
    search = Static(5, refined=2)
    first = search.ask()
    assert first is not None
    assert not first.precise
    ledger = Ledger([Variant({"x": float(number)}) for number in range(5)])
    for number, seconds in enumerate((3.0, 1.0, 2.0, 4.0, 0.5)):
        reason = "does not fit" if number == 4 else ""
        ledger.learn(number, Variant({}, seconds, reason=reason))
        search.tell(number, ledger.variants[number])
    assert ledger.best == 1
    again = search.ask()
    assert again is not None
    assert (list(again.numbers), again.precise) == ([1, 2], True)
    ledger.learn(1, Variant({}, 2.5))  # slower than it seemed
    assert ledger.best == 2
    assert search.ask() is None


def test_predictions_of_many_are_within_2_percent_of_single_ones(h200: Machine) -> None:
    kernels._KNOWN.clear()
    space = copy()
    bench = KernelBench(space, space.configurations(), Target(h200))
    many, single = dict(bench.predict(range(4))), dict(bench.predict(range(4), precise=True))
    for number, variant in many.items():
        assert variant.time_s == pytest.approx(single[number].time_s, rel=0.02)
        alone = foretell.predict(LISTING, "h200", **space.reading(space.configurations()[number]))
        assert single[number].time_s == pytest.approx(alone.time_s, rel=1e-12)
    given = Target(h200, options={"precision": "full"})
    asked = dict(KernelBench(space, space.configurations(), given).predict(range(4)))
    assert [item.time_s for item in asked.values()] == [item.time_s for item in single.values()]


@pytest.mark.parametrize(
    "case", ["matmul_tiled_16", "conv2d_shared", "reduce_shuffle", "misaligned_copy", "scan_shared"]
)
def test_quick_predictions_are_within_2_percent(h200: Machine, case: str) -> None:
    folder = LISTING.parent
    launch = next(item for item in launches.read_launches(folder / "cases.toml") if item.name.startswith(case))
    prepared = api.prepare(read_workload(folder / f"{launch.kernel}.sass.xz", launch), h200)
    quick = prepared.model.for_many(prepared.settings)
    assert quick != prepared.settings
    times = [
        prepared.model.without_interval(prepared.workload, prepared.machine, settings).time_s
        for settings in (quick, prepared.settings)
    ]
    assert times[0] == pytest.approx(times[1], rel=0.02)


@pytest.mark.parametrize(
    "case", ["copy_f32/L2", "fma_f32", "fma_f64", "matmul_tiled_16", "conv2d_shared", "conv2d_global", "barriers"]
)
def test_bounds_do_not_exceed_predictions(h200: Machine, case: str) -> None:
    folder = LISTING.parent
    launch = next(item for item in launches.read_launches(folder / "cases.toml") if item.name.startswith(case))
    workload = read_workload(folder / f"{launch.kernel}.sass.xz", launch)
    prepared = api.prepare(workload, h200)
    least = prepared.model.least_time_s(prepared.workload, h200)
    assert 0 < least <= prepared.predict().time_s


@pytest.mark.parametrize(
    "case", ["copy_f32/L2", "fma_f64", "matmul_tiled_16", "conv2d_shared", "barriers", "misaligned_copy"]
)
def test_what_is_slower_than_the_limit_is_not_emulated(
    h200: Machine, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LISTING.parent
    launch = next(item for item in launches.read_launches(folder / "cases.toml") if item.name.startswith(case))
    given = api.prepare(read_workload(folder / f"{launch.kernel}.sass.xz", launch), h200).for_many()
    whole = given.model.within(given.workload, given.machine, given.settings, math.inf)
    assert whole == given.model.without_interval(given.workload, given.machine, given.settings)
    assert not isinstance(whole, float)
    same = given.model.within(given.workload, given.machine, given.settings, whole.time_s)
    assert same == whole  # a bound does not exceed what it bounds
    monkeypatch.setattr(timing.Core, "run", None)
    least = given.model.within(given.workload, given.machine, given.settings, 1e-9)
    assert isinstance(least, float)
    assert 1e-9 < least <= whole.time_s


def test_a_copy_is_bounded_by_memory(h200: Machine) -> None:
    """It issues next to nothing: the longest of what it takes is memory, as the prediction itself says."""
    folder = LISTING.parent
    launch = next(item for item in launches.read_launches(folder / "cases.toml") if item.name == "copy_f32/DRAM")
    given = api.prepare(read_workload(folder / "copy_f32.sass.xz", launch), h200)
    least = given.model.within(given.workload, given.machine, given.settings, 0.0)
    assert isinstance(least, float)
    longest = max(given.predict().bounds, key=lambda bound: bound.time_s)
    assert longest.resource == "memory"
    assert least == pytest.approx(0.97 * longest.time_s, rel=0.04)  # and the gap between launches
    assert least > 3 * given.model.least_time_s(given.workload, h200)


def test_what_fails_already_for_its_bound_is_not_tried_again(h200: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that never ends costs all of its budget: once is enough."""
    space = copy()
    bench = KernelBench(space, space.configurations(), Target(h200))
    code = replace(bench._grouped([0, 1, 4], Target(h200))[0][0], limit=Limit(keep=1))

    def endless(*_: object) -> float:
        raise InputError("a block executes more than 9 instructions", hint="a loop may never end")

    monkeypatch.setattr(type(api.prepare(LISTING, h200, **code.launches[0][2]).model), "least_time_s", endless)
    monkeypatch.setattr(kernels, "_tried", None)
    found = kernels.predicted(replace(code, least=kernels.bounded(code)[1]))[1]
    assert [variant.invalidity for variant in found] == ["timeout", "timeout", "runtime"]  # too many threads
    assert found[0].reason.startswith("a block executes more than 9 instructions")
    assert kernels._least_first([replace(code, least=(found[0],))], [""])  # the last of all


def test_codes_that_may_be_fastest_come_first() -> None:
    codes = [
        kernels.Code(LISTING, Target(machines.load("h200")), (), least=least)
        for least in ((3.0, 2.0), (9.0,), (), (1.0, 8.0))
    ]
    order = kernels._least_first(codes, ["", "", "cannot be compiled", ""])
    assert [code.least for code, _ in order] == [(), (1.0, 8.0), (3.0, 2.0), (9.0,)]
    assert order[0][1] == "cannot be compiled"


def test_a_bound_knows_the_units_of_sub_cores(h200: Machine) -> None:
    """A kernel of FMAs in double precision issues few instructions, and takes as long as their unit."""
    folder = LISTING.parent
    launch = next(item for item in launches.read_launches(folder / "cases.toml") if item.kernel == "fma_f64")
    prepared = api.prepare(read_workload(folder / "fma_f64.sass.xz", launch), h200)
    slower = h200.with_values({"pipeline.fp64.gap": 3 * h200.value("pipeline.fp64.gap")})
    first = prepared.model.least_time_s(prepared.workload, h200)
    assert prepared.model.least_time_s(prepared.workload, slower) == pytest.approx(3 * first)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_wrong_number_of_arguments_ends_the_search(h200: Machine, workers: int) -> None:
    """It is wrong for every configuration: none is marked, and no further one is compiled."""
    space = copy(arguments=("f32[n]", "f32[n]"))
    bench = KernelBench(space, space.configurations(), Target(h200), workers)
    with pytest.raises(InputError, match=r"has 3 parameters, 2 arguments are given\n.*8, 8, 4"):
        list(bench.predict(range(4)))


def test_few_codes_are_compiled_at_first() -> None:
    codes = [kernels.Code(LISTING, Target(machines.load("h200")), ()) for _ in range(150)]
    parts = list(kernels._parts(codes))
    assert [len(part) for part in parts] == [4, 16, 48, 48, 34]
