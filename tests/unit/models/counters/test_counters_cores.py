"""The counter model with many cores and threads: shared caches, memory, teams; the names that cross to the core."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.core.facets.counts import Counts
from foretell.core.machine.machine import Machine, Quantity, Source
from foretell.errors import InputError
from foretell.machines import load
from foretell.models.counters import CountersModel, equations, inputs
from tests.support.models.counters import SYNTHETIC, block, fresh, profile, three_levels

if TYPE_CHECKING:
    from collections.abc import Callable

BGQ = load("blue-gene-q")


def blocks(answer: foretell.Prediction) -> list[dict[str, Any]]:
    found: Any = answer.details["blocks"]
    return list(found)


def many_cores(**values: float) -> Machine:
    """16 cores whose clock falls by an eighth when all work, and a team of threads that takes a microsecond."""
    wanted = {"clock.all_cores": 1.4e9, "sync.launch": 1.6e3, **values}
    return load("blue-gene-q").with_values(wanted)


def test_more_cores_at_work_are_slower_ones() -> None:
    code = profile(
        block("block", **{**SYNTHETIC, "numAccess": 0, "hitsL1": 0, "hitsLLC": 0, "LD": 0, "ST": 0}), cores=1
    )
    base = load("blue-gene-q")

    def ratio(threads: float, **options: str) -> float:
        return (
            foretell.predict(code, many_cores(), parameters={"threads": threads}, options=options).time_s
            / foretell.predict(code, base, parameters={"threads": threads}, options=options).time_s
        )

    assert ratio(16) == pytest.approx(16 / 14)
    assert ratio(1) == pytest.approx(1)
    assert ratio(8.0) == pytest.approx(1 + 7 / 15 * (16 / 14 - 1))
    assert ratio(16, clock="constant") == pytest.approx(1)
    swept = foretell.sweep(foretell.prepare(code, many_cores()), {"threads": [1.0, 8.0, 16.0]})
    alone = [foretell.predict(code, many_cores(), parameters={"threads": n}).time_s for n in (1.0, 8.0, 16.0)]
    assert list(swept) == pytest.approx(alone)


def test_the_slowest_thread_shares_its_core() -> None:
    """Cores whose threads wait for each other all the time are half as fast with two; pointers hardly notice."""
    busy = {"time": 1e9, "instInt": 1e9, "instFP": 0, "numAccess": 0, "hitsL1": 0, "hitsLLC": 0, "LD": 0, "ST": 0}
    idle = {**busy, "instInt": 1e8, "numAccess": 1e7, "hitsL1": 0, "hitsLLC": 0}
    shared = load("blue-gene-q").with_values({"cores.hidden_smt": 2.0})

    def times(events: dict[str, float], machine: Machine) -> list[float]:
        code = profile(block("block", **events), cores=1)
        swept = foretell.sweep(foretell.prepare(code, machine), {"threads": [1.0, 16.0]})
        alone = [foretell.predict(code, machine, parameters={"threads": n}).time_s for n in (1.0, 16.0)]
        assert list(swept) == pytest.approx(alone, rel=1e-12)
        return alone

    assert times(busy, shared) == pytest.approx([t * k for t, k in zip(times(busy, BGQ), (1, 2), strict=True)])
    assert times(idle, shared)[1] / times(idle, BGQ)[1] == pytest.approx(1 + 0.1**2, rel=0.01)


# A code block that waits for lines from memory all the time, and what its core then draws.
LINES = {"time": 1e9, "instInt": 1e6, "instFP": 0, "numAccess": 1e7, "hitsL1": 0, "hitsLLC": 0, "LD": 1e7, "ST": 0}
DRAWN = 1e7 * 128 / (1e9 / 1.6e9)


def test_a_core_has_one_path_to_memory_for_all_its_threads() -> None:
    """A thread that draws all that a core can leaves nothing for a second one."""
    wide = load("blue-gene-q").with_values({"memory.core_bandwidth": DRAWN, "memory.bandwidth": 100 * DRAWN})
    code = profile(block("block", **LINES), machine=wide, cores=1)
    one = foretell.predict(code, wide, parameters={"threads": 1, "threads_per_core": 1}).time_s
    two = foretell.predict(code, wide, parameters={"threads": 2, "threads_per_core": 2}).time_s
    assert one / two == pytest.approx(1.0, rel=0.01)
    free = wide.with_values({"memory.core_bandwidth": 100 * DRAWN})
    two = foretell.predict(code, free, parameters={"threads": 2, "threads_per_core": 2}).time_s
    assert one / two > 1.4  # the square-root law makes more misses of half a cache


def test_nobody_waits_longer_at_memory_than_streams_do() -> None:
    """Sixteen cores ask for five percent more than they get: the streams of all take as much longer, and no more. Code
    that draws a quarter of a stream waits no longer for a line than a stream; memory that is slower makes all wait."""
    drawn = {"memory.core_bandwidth": DRAWN, "memory.bandwidth": 16 * DRAWN / 1.05}
    few = fresh(load("blue-gene-q").with_values(drawn))

    def longer(machine: Machine, threads: int, **events: float) -> float:
        code = profile(block("block", **{**LINES, **events}), machine=few, cores=1)
        options = {"caches": "square_root"}
        alone = foretell.predict(code, few, parameters={"threads": 1}, options=options).time_s
        found = foretell.predict(code, machine, parameters={"threads": threads}, options=options).time_s
        prepared = foretell.prepare(code, machine, options=options)
        swept = foretell.sweep(prepared, {"threads": [float(threads)]})
        assert list(swept) == pytest.approx([found], rel=1e-12)
        return found * threads / alone

    assert longer(few, 16) == pytest.approx(1.05, rel=1e-3)
    assert longer(few, 4) <= 1.05
    assert 1 < longer(few, 16, LD=LINES["LD"] / 4) <= 1 + 0.05 / 4
    half = few.with_values({"memory.bandwidth": 8 * DRAWN / 1.05})
    assert longer(half, 16) == pytest.approx(2.1, rel=1e-3)
    unknown = replace(few, quantities={k: v for k, v in few.quantities.items() if k != "memory.core_bandwidth"})
    assert longer(unknown, 16) > 1.2


def test_corunners_on_a_core_leave_its_path_to_memory_alone() -> None:
    """Sixteen threads that wait for lines all the time, two on the slowest one's core: twice as long if both are of
    the run, as long as before if the other is a stranger, and half of the way if it is one half of the time."""
    alone = load("blue-gene-q").with_values({"memory.core_bandwidth": DRAWN, "memory.bandwidth": 1e4 * DRAWN})

    def seconds(**shares: float) -> float:
        machine = alone.with_values({f"cores.{name}": value for name, value in shares.items()})
        code = profile(block("block", **LINES), machine=machine, cores=1)
        found = foretell.predict(code, machine, parameters={"threads": 16}, options={"caches": "square_root"})
        prepared = foretell.prepare(code, machine, options={"caches": "square_root"})
        assert list(foretell.sweep(prepared, {"threads": [16.0]})) == pytest.approx([found.time_s], rel=1e-12)
        return found.time_s

    times = [seconds(hidden_smt=2.0, corunners=corunners) for corunners in (0.0, 0.5, 1.0)]
    assert times[0] == pytest.approx(seconds(hidden_smt=2.0))
    assert times[0] / times[2] == pytest.approx(2, rel=0.05)
    assert times[1] == pytest.approx((times[0] + times[2]) / 2, rel=0.05)


def test_more_threads_than_cores_share_them() -> None:
    code = profile(block("block", **SYNTHETIC))
    assert foretell.predict(code, BGQ, parameters={"threads": 64}).details["threads_per_core"] == 4
    given = foretell.predict(code, BGQ, parameters={"threads": 64, "threads_per_core": 4})
    assert foretell.predict(code, BGQ, parameters={"threads": 64}).time_s == given.time_s


@pytest.mark.parametrize(
    "numbers",
    [
        {"level.LLC.size": 2.0**24, "level.LLC.available": 1 / 16, "level.LLC.available_all": 1 / 4},
        {"level.LLC.size": 2.0**20, "level.LLC.together_size": 2.0**22},  # an older file
    ],
)
def test_one_core_may_get_only_a_part_of_a_shared_cache(numbers: dict[str, float]) -> None:
    """1 MiB alone, 4 MiB for all: four cores keep their share, sixteen have a quarter of it each."""
    machine = load("blue-gene-q").with_values(numbers)
    code = profile(block("block", **SYNTHETIC), machine=machine, cores=1)
    rates = [
        blocks(foretell.predict(code, machine, parameters={"threads": n}))[0]["hits"]["memory"] for n in (1, 4, 16)
    ]
    assert rates == pytest.approx([0.01, 0.01, 0.02])
    swept = foretell.sweep(foretell.prepare(code, machine), {"threads": [1.0, 16.0]})
    assert swept[1] == pytest.approx(foretell.predict(code, machine, parameters={"threads": 16}).time_s)


def test_teams_of_threads_take_time_to_start() -> None:
    code = profile(block("block", **SYNTHETIC, parallelRegions=1000), cores=1)
    without = profile(block("block", **SYNTHETIC), cores=1)
    for threads, expected in ((1.0, 0.0), (4.0, 0.5e-3), (16.0, 1e-3)):  # a tree of four levels
        found = foretell.predict(code, many_cores(), parameters={"threads": threads})
        plain = foretell.predict(without, many_cores(), parameters={"threads": threads})
        assert found.time_s - plain.time_s == pytest.approx(expected, abs=1e-9)
        assert sum(part.time_s for part in found.parts) == pytest.approx(found.time_s)
    swept = foretell.sweep(foretell.prepare(code, many_cores()), {"threads": [1.0, 4.0]})
    alone = [foretell.predict(code, many_cores(), parameters={"threads": n}).time_s for n in (1.0, 4.0)]
    assert list(swept) == pytest.approx(alone)
    measured_with_teams = profile(block("block", **SYNTHETIC, parallelRegions=1000), machine=many_cores())
    assert foretell.predict(measured_with_teams, many_cores()).time_s == pytest.approx(1e9 * 16 / 14 / 1.6e9)


def test_starting_a_team_on_shared_cores_is_measured_there() -> None:
    """sync.launch comes from a probe with all threads: their sharing of cores is in it already."""
    code, without = (profile(block("b", **SYNTHETIC, **more), cores=1) for more in ({"parallelRegions": 1000}, {}))
    machine = many_cores(**{"cores.hidden_smt": 2.0})
    times = [foretell.predict(one, machine, parameters={"threads": 16.0}).time_s for one in (code, without)]
    assert times[0] - times[1] == pytest.approx(1e-3)


def test_roots_keep_the_divider_longer_than_divisions() -> None:
    shared = three_levels(cores_threads_per_core=2)
    gaps = {"pipeline.divide_f64.gap": 4.0, "pipeline.sqrt_f64.gap": 8.0}
    quantities = {path: Quantity(value, "cycle", Source("assumed", "test")) for path, value in gaps.items()}
    machine = replace(shared, quantities={**shared.quantities, **quantities})
    events = {**SYNTHETIC, "time": 1e9, "instInt": 1e8, "instFP": 1e8, "numAccess": 0, "hitsL1": 0, "hitsLLC": 0,
              "LD": 0, "ST": 0, "instDivide": 5e7}  # fmt: skip

    def use(roots: float, on: Machine) -> float:
        code = profile(block("b", **events, instRoot=roots), machine=on, cores=1)
        found = foretell.predict(code, on, parameters={"threads": 2.0, "threads_per_core": 2.0})
        longer = 2 * found.time_s * on.value("clock.frequency") / events["time"]
        # each of two threads finds the other there for (u + w) / longer of the time, less half a visit, if it waits w:
        # w = longer − 1 = u (u/2 + w) / longer, solved for u
        w = longer - 1
        return float(np.sqrt(w * w + 2 * w * longer) - w)

    assert use(0, machine) == pytest.approx(5e7 * 4 / 1e9)
    assert use(5e7, machine) == pytest.approx(5e7 * 8 / 1e9)
    assert use(1e7, machine) == pytest.approx((4e7 * 4 + 1e7 * 8) / 1e9)
    less = replace(machine, quantities={p: q for p, q in machine.quantities.items() if "sqrt" not in p})
    assert use(5e7, less) == pytest.approx(5e7 * 4 / 1e9)  # as a division, where nobody knows better
    with pytest.raises(InputError, match="instRoot is 6e\\+07, more than instDivide"):
        use(6e7, machine)


def test_what_is_the_same_at_all_points_of_a_sweep_changes_nothing() -> None:
    """One value for all of them, or as many equal ones with another in between."""
    case = foretell.prepare(profile(block("a", **SYNTHETIC), block("b", **SYNTHETIC)), "blue-gene-q")
    tpc, cores = np.array([1.0, 2.0, 4.0] * 30), np.array([8.0, 12.0, 16.0] * 30)
    for fixed in ({"level.L1.size": 8192.0}, {"clock.frequency": 2e9}, {"memory.bandwidth": 1e10}):
        for moving in (
            {},
            {"threads_per_core": tpc},
            {"cores.count": cores},
            {"threads_per_core": tpc, "cores.count": cores},
        ):
            columns = {**moving, **{path: np.full(90, value) for path, value in fixed.items()}}
            odd = {path: np.append(column, column[0] * 2) for path, column in columns.items()}
            assert np.array_equal(foretell.sweep(case, columns), foretell.sweep(case, odd)[:-1])


# ------------------------------------------------------------------------------------------ the border of the core


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda base: base.pop("llc_latency"), "not given: llc_latency"),
        (lambda base: base.update(llc_latancy=1.0), "unknown name: llc_latancy"),
    ],
)
def test_the_core_takes_all_names_and_no_others(changed: Callable[[dict[str, float]], object], message: str) -> None:
    settings, baseline = CountersModel().settings(), BGQ
    base = inputs.base(profile(block(**SYNTHETIC)).facet(Counts), baseline, settings)
    events = inputs.events(block(**SYNTHETIC), baseline, "none", base["frequency"])
    rules = equations.rules(settings, "none")
    shuffled = dict(reversed(base.items()))
    assert equations.analysis(events, shuffled, rules) == equations.analysis(events, base, rules)
    changed(base)
    with pytest.raises(ValueError, match=message):
        equations.analysis(events, base, rules)
