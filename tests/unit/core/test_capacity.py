"""What others leave of a level: the same predictions as from a file whose size is that part."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.core.machine import capacity
from foretell.core.machine.machine import Machine, Quantity
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cost.cpu import _held
from foretell.models.cpu.transfers.bandwidths import share_of
from foretell.uses.measure import suite
from foretell.uses.profiling import host_caches
from foretell.uses.validate import KERNELS
from tests.support.models.counters import SYNTHETIC, block, profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.workload import Workload

RECORDED = Path(__file__).parents[3] / "validation/cpu"
TRACED = RECORDED.parents[1] / "src/foretell/uses/recorded/trace"
MiB = 2.0**20
PLAIN = load("neoverse-n1").with_values({"level.L3.size": 32 * MiB})


@cache
def older(name: str) -> Machine:
    """A probe whose sizes are what others left."""
    return load(RECORDED / name / "machine.toml")


def newer(machine: Machine) -> Machine:
    """The same numbers as a probe writes them now."""
    found = dict(machine.quantities)
    for level in machine.levels:
        path = f"level.{level}"
        size, whole = found[f"{path}.size"], found.pop(f"{path}.reported_size")
        found[f"{path}.size"] = whole
        if size.value < whole.value:
            del found[f"{path}.detected_size"]
            found[f"{path}.available"] = Quantity(size.value / whole.value, "", size.source)
        if all_ := found.pop(f"{path}.together_size", None):
            found[f"{path}.available_all"] = Quantity(all_.value / whole.value, "", all_.source)
    return replace(machine, quantities=found)


def same(code: Workload | Path, machine: Machine, parameters: Mapping[str, float]) -> None:
    """Every number of a prediction; what is left is among its assumptions."""
    first, second = (foretell.predict(code, one, parameters=parameters) for one in (machine, newer(machine)))
    for what in ("time_s", "interval_s", "parts", "bounds", "details"):
        assert getattr(first, what) == getattr(second, what), what
    assert any("is available to" in one and "level.L3.available," in one for one in second.assumptions)
    assert all("is available to" in one for one in set(second.assumptions) - set(first.assumptions))


RECORDINGS = ["cascade-lake-2026-11-16-gcc", "emerald-rapids-2026-11-16", "xeon-16-2026-11-15", "xeon-16-2026-11-16"]


@pytest.mark.parametrize("name", RECORDINGS)
@pytest.mark.parametrize("kernel", ["jacobi7.c", "transpose.c", "copy.c", "matmul_ikj.c"])
def test_loops_take_as_long_where_as_much_is_left(name: str, kernel: str) -> None:
    """In each level, about the size of the last one, and beyond it; rows of powers of two, whose sets overflow."""
    machine = older(name)
    last = float(capacity.alone(machine, "L3"))
    dimensions = {"jacobi7.c": 3, "copy.c": 1}.get(kernel, 2)
    for part, threads in ((0.5, 1.0), (0.97, 1.0), (0.97, 2.0), (3, 2.0)):
        size = int((part * last / 16) ** (1 / dimensions))
        same(KERNELS / kernel, machine, {"n": float(size), "threads": threads})
    if kernel == "transpose.c":
        same(KERNELS / kernel, machine, {"n": 1024.0, "threads": 1.0})


@pytest.mark.parametrize("name", RECORDINGS)
@pytest.mark.parametrize("trace", ["fft-20", "merge_sort-1000000"])
def test_traced_codes_take_as_long_where_as_much_is_left(name: str, trace: str) -> None:
    for threads in (1.0, older(name).value("cores.count")):
        same(TRACED / f"{trace}.trace.xz", older(name), {"threads": threads})


@pytest.mark.parametrize("name", RECORDINGS)
def test_profiles_take_as_long_where_as_much_is_left(name: str) -> None:
    """Also where the profile is of a machine of the other kind."""
    machine = older(name)
    for baseline in (machine, newer(machine)):
        code = profile(block("block", **SYNTHETIC), machine=baseline, cores=1)
        for threads in (1.0, 2.0):
            same(code, machine, {"threads": threads})


def test_no_part_is_said_of_a_level_that_is_whole() -> None:
    machine = older(RECORDINGS[0])
    whole = newer(machine).with_values({"level.L3.available": 1.0, "level.L3.available_all": 1.0})
    found = foretell.predict(KERNELS / "triad.c", whole, parameters={"n": 1e6})
    assert not [one for one in found.assumptions if "is available to" in one]
    found = foretell.predict(KERNELS / "triad.c", newer(machine), parameters={"n": 1e6})
    said = [one for one in found.assumptions if "is available to" in one]
    assert said == [
        f"{machine.name}: {part} % of L3 is available to {whom} "
        f"(level.L3.{path}, the load of other tenants during the probe)"
        for part, whom, path in (("40.3", "one core", "available"), ("62.1", "all cores together", "available_all"))
    ]


def test_two_threads_have_what_is_left_to_all() -> None:
    """Each as much as one alone, where others leave twice as much to both."""
    one = 0.25
    machine = newer(older(RECORDINGS[0])).with_values({"level.L3.available": one, "level.L3.available_all": 0.56})
    size = machine.value("level.L3.size")
    assert share_of(Inputs(machine, {}), "L3", 2.0) == pytest.approx(one * size, abs=1)
    scarce = machine.with_values({"level.L3.available_all": 1.5 * one})
    assert share_of(Inputs(scarce, {}), "L3", 2.0) == pytest.approx(0.75 * one * size, abs=1)


def test_a_level_of_twice_the_size_has_twice_as_much_left() -> None:
    machine = newer(older(RECORDINGS[0]))
    size = machine.value("level.L3.size")
    parts = {path: 2 * machine.value(path) for path in ("level.L3.available", "level.L3.available_all")}
    twice, more = machine.with_values({"level.L3.size": 2 * size}), machine.with_values(parts)
    for code, points in ((KERNELS / "jacobi7.c", {"n": 100.0}), (TRACED / "fft-20.trace.xz", {"threads": 2.0})):
        times = [foretell.predict(code, one, parameters=points).time_s for one in (machine, twice, more)]
        assert times[1] == times[2] < times[0]
        case = foretell.prepare(code, machine, parameters=points)
        assert case.depends_on("level.L3.size")
        assert case.depends_on("level.L3.available")
        columns = {"level.L3.size": size * np.array([1.0, 2.0])}
        assert list(foretell.sweep(case, columns)) == pytest.approx(times[:2], rel=1e-9)
        columns = {"level.L3.available": machine.value("level.L3.available") * np.array([1.0, 2.0])}
        assert foretell.sweep(case, columns)[0] == pytest.approx(times[0], rel=1e-9)


def test_sizes_of_measured_kernels_are_in_what_is_left_and_beyond_all() -> None:
    for name in RECORDINGS:
        machine = older(name)
        assert suite.targets(newer(machine)) == suite.targets(machine)
        assert suite.targets(machine)["memory"] == 2 * machine.value("level.L3.reported_size")
        assert host_caches.of_machine(newer(machine)) == host_caches.of_machine(machine)


@given(st.integers(1, 2**40), st.integers(1, 2**40))
def test_a_part_of_a_level_is_the_bytes_that_it_was_made_from(part: int, size: int) -> None:
    part = min(part, size)
    columns = {"level.L3.size": np.array([float(size)]), "level.L3.available": np.array([part / size])}
    assert capacity.alone(Inputs(PLAIN, columns), "L3") == part


def test_columns_and_numbers_of_a_level() -> None:
    plain = PLAIN
    assert capacity.alone(plain, "L3") == capacity.whole(plain, "L3") == 32 * MiB
    assert capacity.together(plain, "L3") is None
    parts = plain.with_values({"level.L3.available": 0.25, "level.L3.available_all": 0.5})
    assert capacity.alone(parts, "L3") == 8 * MiB
    assert capacity.together(parts, "L3") == 16 * MiB
    assert capacity.whole(parts, "L3") == 32 * MiB
    assert [_held(Inputs(parts, {}), "L3", cores) for cores in (1.0, 2.0, 3.0)] == [8 * MiB, 16 * MiB, 16 * MiB]
    swept = Inputs(parts, {"level.L3.size": np.array([4.0, 64.0]) * MiB})
    assert list(np.asarray(capacity.alone(swept, "L3")) / MiB) == [1, 16]
    assert list(np.asarray(capacity.together(swept, "L3")) / MiB) == [2, 32]
    swept = Inputs(plain, {"level.L3.available": np.array([0.5, 1.0])})
    assert list(np.asarray(capacity.alone(swept, "L3")) / MiB) == [16, 32]
    old = plain.with_values(
        {"level.L3.size": 8 * MiB, "level.L3.reported_size": 32 * MiB, "level.L3.together_size": 16 * MiB}
    )
    assert [capacity.alone(old, "L3"), capacity.together(old, "L3"), capacity.whole(old, "L3")] == [
        8 * MiB,
        16 * MiB,
        32 * MiB,
    ]
