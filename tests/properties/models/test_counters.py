"""Properties of the counter model on random profiles and machines; the twin is the oracle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import foretell
from foretell import machines, models
from foretell.errors import InputError
from foretell.models.counters import CountersModel
from tests.support.models.counters import BGQ, DEFAULT, PAPER, PHI, Arch, block, fresh, machine_of, profile, twin

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

Events = dict[str, float]

counts = st.one_of(st.just(0.0), st.integers(1000, 10**11).map(float))


@st.composite
def events(draw: st.DrawFn) -> Events:
    accesses = draw(counts)
    l1, llc = draw(st.floats(0, 1)), draw(st.floats(0, 1))
    return {
        "time": draw(st.floats(1e6, 1e10)),
        "instInt": draw(counts),
        "instFP": draw(counts),
        "numAccess": accesses,
        "hitsL1": float(round(accesses * l1)),
        "hitsLLC": float(round((accesses - round(accesses * l1)) * llc)),
        "LD": draw(counts) / 100,
        "ST": draw(counts) / 100,
    }


@st.composite
def arches(draw: st.DrawFn) -> Arch:
    start = draw(st.sampled_from((BGQ, PHI)))
    factor = st.sampled_from((0.25, 0.5, 1.0, 2.0, 4.0))
    return replace(
        start,
        cores=float(draw(st.integers(1, 64))),
        tpc=float(draw(st.integers(1, 4))),
        freq=start.freq * draw(factor),
        size_l1=start.size_l1 * draw(factor),
        size_llc=start.size_llc * draw(factor),
        bw=start.bw * draw(factor),
        lat_ddr=start.lat_ddr * draw(factor) + 100,
    )


def machine(arch: Arch) -> Machine:
    return fresh(machine_of(arch).with_values({"memory.latency": arch.lat_ddr}))


def workload(found: Events, base: Arch) -> Workload:
    return profile(block(**found), machine=machine(base), cores=int(base.cores), tpc=int(base.tpc))


def pair(one: Events, two: Events, base: Arch) -> Workload:
    blocks = block("a", **one), block("b", **two)
    return profile(*blocks, machine=machine(base), cores=int(base.cores), tpc=int(base.tpc))


def predict(found: Events, base: Arch, target: Arch, mode: Any = "default", **options: str) -> foretell.Prediction:
    parameters = {"threads": target.cores * target.tpc, "threads_per_core": target.tpc}
    return of_model(workload(found, base).with_parameters(parameters), machine(target), mode, **options)


def of_model(code: Workload, target: Machine, mode: Any = "default", **options: str) -> foretell.Prediction:
    """The answer of the model itself: without estimates of what the machines lack."""
    model = models.get("counters")
    return model.predict(code, target, model.settings(mode, options))


def hits(answer: foretell.Prediction) -> dict[str, float]:
    blocks: Any = answer.details["blocks"]
    found: dict[str, float] = blocks[0]["hits"]
    return found


@given(events(), arches(), arches())
def test_default_mode_equals_the_twin(found: Events, base: Arch, target: Arch) -> None:
    answer = predict(found, base, target)
    expected = twin(found, base, target, DEFAULT)
    for name in ("timeInst", "timeLat", "timeBW", "timeMem", "timeOverlap"):
        assert answer.details[f"{name}_s"] == pytest.approx(
            expected[name] / target.freq, rel=1e-9, abs=1e-9 * answer.time_s
        ), name
    assert answer.time_s == pytest.approx(expected["time"] / target.freq, rel=1e-9)
    assert hits(answer)["L1"] == pytest.approx(expected["L1"], abs=1e-12)


@given(events(), arches(), arches(), st.sampled_from(("local", "global")))
def test_paper_mode_equals_the_twin(found: Events, base: Arch, target: Arch, rates: str) -> None:
    rules = {**PAPER, "local": rates == "local"}
    try:
        expected = twin(found, base, target, rules)["time"] / target.freq
        assume(expected >= 0)
        answer = predict(found, base, target, "paper", miss_rates=rates)
    except (AssertionError, ZeroDivisionError, InputError):
        assume(False)
    # parallelism of zero or less has no meaning in the literal equations, and no answer here
    assume(expected < 1e6 * found["time"])
    assert answer.time_s == pytest.approx(expected, rel=1e-6, abs=1e-9 * found["time"] / target.freq)


@given(events(), arches())
def test_identity(found: Events, arch: Arch) -> None:
    answer = predict(found, arch, arch)
    assert answer.time_s == pytest.approx(found["time"] / arch.freq, rel=1e-12)


#: once, a faster path of a core changed how many streams memory serves at once, and cost 2.6e-9 of this time
@example(
    {**dict.fromkeys(("instInt", "instFP", "numAccess", "hitsL1", "hitsLLC", "LD"), 0.0), "time": 1e6, "ST": 10.0},
    replace(BGQ, freq=800e6, cores=7.0, tpc=1.0, size_l1=4096.0, size_llc=4194304.0, bw=7e9, lat_ddr=153.25),
    0.1,
)
@given(events(), arches(), st.sampled_from((0.01, 0.1, 0.3, 1.0, 3.0)))
def test_identity_where_a_core_has_a_path(found: Events, arch: Arch, path: float) -> None:
    """Whatever part of the bandwidth of all cores one of them reaches."""
    known = fresh(machine(arch).with_values({"memory.core_bandwidth": path * arch.bw}))
    code = profile(block(**found), machine=known, cores=int(arch.cores), tpc=int(arch.tpc))
    parameters = {"threads": arch.cores * arch.tpc, "threads_per_core": arch.tpc}
    answer = foretell.predict(code, known, parameters=parameters)
    assert answer.time_s == pytest.approx(found["time"] / arch.freq, rel=1e-12)
    for axis in ("memory.bandwidth", "memory.core_bandwidth"):
        faster = known.with_values({axis: 1.5 * known.value(axis)})
        assert foretell.predict(code, faster, parameters=parameters).time_s <= answer.time_s * (1 + 1e-9)


@given(events(), events(), arches(), arches())
def test_blocks_add_up(one: Events, two: Events, base: Arch, target: Arch) -> None:
    both = pair(one, two, base)
    parameters = {"threads": target.cores * target.tpc, "threads_per_core": target.tpc}
    total = of_model(both.with_parameters(parameters), machine(target)).time_s
    assert total == pytest.approx(predict(one, base, target).time_s + predict(two, base, target).time_s, rel=1e-12)


@given(events(), arches(), st.integers(1, 64))
def test_unscaled_bandwidth_time_does_not_depend_on_the_cores(found: Events, base: Arch, cores: int) -> None:
    times = [
        predict(found, base, replace(base, cores=float(n)), traffic="unscaled").details["timeBW_s"] for n in (1, cores)
    ]
    assert times[0] == pytest.approx(times[1], rel=1e-12)


@given(events(), arches(), arches(), st.sampled_from(("size_l1", "size_llc")))
def test_a_larger_cache_never_lowers_a_hit_rate(found: Events, base: Arch, target: Arch, which: str) -> None:
    small = hits(predict(found, base, target))
    large = hits(predict(found, base, replace(target, **{which: 2 * getattr(target, which)})))
    assert large["L1"] >= small["L1"] - 1e-15
    assert large["memory"] <= small["memory"] + 1e-15


@given(events(), arches(), arches())
def test_never_below_instruction_or_memory_time(found: Events, base: Arch, target: Arch) -> None:
    answer = predict(found, base, target)
    largest = max(answer.details["timeInst_s"], answer.details["timeMem_s"])  # type: ignore[type-var]
    assert answer.time_s >= largest * (1 - 1e-12)  # type: ignore[operator]


FASTER = {
    "bw": 2.0, "size_l1": 2.0, "size_llc": 2.0, "lat_ddr": 0.9, "lat_llc": 0.9, "lat_l1": 0.9, "int_l": 0.9,
    "fp_l": 0.9, "spt": 2.0,
}  # fmt: skip


@given(events(), arches(), arches(), st.sampled_from(sorted(FASTER)))
def test_a_better_machine_is_never_slower(found: Events, base: Arch, target: Arch, which: str) -> None:
    better = replace(target, **{which: FASTER[which] * getattr(target, which)})
    assert predict(found, base, better).time_s <= predict(found, base, target).time_s * (1 + 1e-12)


#: two threads on a core in the profile and one on the target: once, a faster clock cost time here
FEWER_THREADS = Arch(
    freq=310e6, cores=1.0, tpc=2.0, spt=2, int_l=3, fp_l=4, size_l1=8192.0, lat_l1=3, size_llc=7995392.0,
    lat_llc=23, lat_ddr=287.5, bw=44.25e9, line=64,
)  # fmt: skip


@example(
    {
        **{"time": 1e6, "instInt": 785663.0, "instFP": 0.0, "numAccess": 3003.0},
        **dict.fromkeys(("hitsL1", "hitsLLC", "LD", "ST"), 0.0),
    },
    FEWER_THREADS,
    replace(FEWER_THREADS, tpc=1.0, lat_ddr=1600.0),
    2.0,
)
@given(events(), arches(), arches(), st.floats(1, 4))
def test_a_faster_clock_is_never_slower(found: Events, base: Arch, target: Arch, factor: float) -> None:
    work = workload(found, base)
    parameters = {"threads": target.cores * target.tpc, "threads_per_core": target.tpc}
    slow = machine(target)
    fast = slow.with_values({"clock.frequency": target.freq * factor})
    times = [foretell.predict(work, item, parameters=parameters).time_s for item in (slow, fast)]
    assert times[1] <= times[0] * (1 + 1e-12)


@settings(max_examples=30, deadline=None)
@given(events(), events(), arches(), st.integers(1, 400), st.randoms(use_true_random=False))
def test_sweep_equals_predictions(one: Events, two: Events, base: Arch, points: int, random: Any) -> None:
    """Every column a machine or workload parameter can be, over more than one chunk of the compiled loop."""
    work = pair(one, two, base)
    target = machines.completed(machine(PHI))
    ranges = {
        "clock.frequency": (1e9, 4e9), "level.L1.size": (1e4, 1e5), "level.LLC.size": (1e6, 1e8),
        "memory.bandwidth": (1e10, 1e12), "memory.latency": (1e2, 1e3), "level.LLC.latency": (10, 90),
        "alpha": (0.5, 2), "beta": (0.5, 2), "gamma": (0.5, 2),
    }  # fmt: skip
    chosen = random.sample(sorted(ranges), random.randint(0, len(ranges)))
    columns = {name: np.array([random.uniform(*ranges[name]) for _ in range(points)]) for name in chosen}
    columns["cores.count"] = np.array([float(random.randint(1, 99)) for _ in range(points)])
    columns["threads_per_core"] = np.array([float(random.randint(1, 4)) for _ in range(points)])
    case = foretell.prepare(work, target)
    times = foretell.sweep(case, columns)
    assert times.shape == (points,)
    for index in random.sample(range(points), min(points, 5)):
        values = {name: float(column[index]) for name, column in columns.items() if "." in name}
        sizes = {name: float(column[index]) for name, column in columns.items() if "." not in name}
        try:
            expected = foretell.predict(work, target.overridden(values), parameters=sizes).time_s
        except InputError:
            expected = np.inf
        assert times[index] == pytest.approx(expected, rel=1e-12)


def test_points_that_cannot_run_are_infinite() -> None:
    work = profile(block(**{**_plain(), "time": 1e9}))
    case = foretell.prepare(work, "blue-gene-q")
    times = foretell.sweep(case, {"threads": np.array([16.0, 17.0, 15.5, 0.0, -1.0, 8.0])})
    assert np.isfinite(times).tolist() == [True, False, False, False, False, True]
    assert np.isinf(foretell.sweep(case, {"threads_per_core": np.array([5.0])})).all()


def test_the_twin_can_fail() -> None:
    """A planted error of one percent in one latency is seen."""
    found = {**_plain(), "time": 1e9}
    good = twin(found, BGQ, PHI, DEFAULT)["time"]
    assert predict(found, BGQ, PHI).time_s * PHI.freq == pytest.approx(good, rel=1e-9)
    assert abs(twin(found, BGQ, replace(PHI, lat_llc=23.23), DEFAULT)["time"] / good - 1) > 1e-6


def _plain() -> Events:
    return {"instInt": 8e9, "instFP": 4e9, "numAccess": 5e9, "hitsL1": 4.7e9, "hitsLLC": 2.5e8, "LD": 3e7, "ST": 1e7}


def test_versions() -> None:
    assert CountersModel.version == 1


_SIDES = {
    "cores.count": (8.0, 16.0, 60.0),
    "clock.frequency": (1.6e9, 3e9),
    "level.L1.size": (8e3, 1.6e4, 5e4, 9e4),
    "level.LLC.size": (4e6, 3e7, 3.3e7, 5e7, 6e7),
    "memory.bandwidth": tuple(np.linspace(1e10, 2e11, 7)),
    "memory.latency": (100.0, 400.0),
    "threads_per_core": (1.0, 2.0, 4.0),
    "beta": (1.0, 1.3),
}


@given(st.permutations(sorted(_SIDES)), st.integers(1, 7), st.booleans())
def test_a_box_of_designs_is_its_points(order: list[str], count: int, reversed_: bool) -> None:
    """Rows that did not change are not computed again: whatever the order of the sides, every point is as by itself."""
    case = foretell.prepare("example:nekbone-like", "blue-gene-q")
    sides = {
        name: np.array(_SIDES[name][:: -1 if reversed_ else 1]).reshape([-1] + [1] * place)
        for place, name in enumerate(order[:count])
    }
    box = foretell.sweep(case, sides)
    flat = {name: np.broadcast_to(column, box.shape).ravel() for name, column in sides.items()}
    shuffled = np.random.default_rng(0).permutation(box.size)
    points = foretell.sweep(case, {name: column[shuffled] for name, column in flat.items()})
    assert np.allclose(box.ravel()[shuffled], points, rtol=1e-12, atol=0)
