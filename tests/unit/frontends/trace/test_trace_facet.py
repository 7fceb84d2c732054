"""The `Trace` facet, and a trace written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import frontends
from foretell.core.facets.trace import (
    Operations,
    Reuse,
    Schedule,
    StackDistances,
    Trace,
    TracedLoop,
    Width,
    sync_points,
)
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
[trace]
levels = [{ levels = 10, operations = 1000 }, { levels = 5, operations = 10 }]
vectorised = 8040
sync = 14
[trace.operations]
add = 6700
multiply = 3350
[[trace.distances]]
line = 128
cold = 10
reuses = [[5, 30], [0, 60]]
[[trace.distances]]
line = 64
cold = 20
"""


def loop(verdict: str, parent: int, entries: int, iterations: int) -> TracedLoop:
    return TracedLoop("f", "f.c", 1, parent, entries, iterations, 0, 0, verdict)  # type: ignore[arg-type]


def trace(*loops: TracedLoop) -> Trace:
    return Trace("f", Operations(), 0, Schedule(), 0, loops=loops)


def read(folder: Path, text: str) -> Trace:
    path = folder / "w.toml"
    path.write_text(text)
    return frontends.read(path).facet(Trace)


def test_the_mix_is_equation_1() -> None:
    assert Operations(add=3, multiply=4).mix == 0.875
    assert Operations(divide=5).mix == 1.0
    assert Operations(add=1, sqrt=2, compare=3).total == 6


def test_a_capacity_inside_a_range_of_distances_cuts_it_evenly() -> None:
    found = StackDistances(64, 10, 800, (Reuse(0, 40, 0), Reuse(100, 50, 199)))
    assert [found.misses(n) for n in (1, 100, 150, 175, 200)] == [60, 60, 35, 22.5, 10]
    assert found.hit_bytes(200) == pytest.approx(90 * 8)
    assert StackDistances(64, 0, 0).hit_bytes(1) == 0


def test_phases_are_the_outermost_parallel_loops_inside_sequential_ones() -> None:
    steps = loop("sequential", -1, 1, 10)
    found = trace(
        steps,
        loop("parallel", 0, 10, 100),
        loop("parallel", 1, 100, 900),  # inside a parallel loop already
        loop("reduction", 0, 10, 50),
        loop("parallel", -1, 1, 7),  # in no sequential loop
    )
    assert found.phases == (1, 3)
    assert (found.sync_by_trips, found.sync_by_steps) == (10, 9)
    assert [sync_points(n) for n in (0, 1, 20)] == [0, 0, 19]


def test_a_trace_by_hand(tmp_path: Path) -> None:
    found = read(tmp_path, TABLE)
    assert found.schedule == Schedule(15, (Width(10.0, 5), Width(1000.0, 10)))
    assert (found.operations.mix, found.vector_share) == (0.75, 0.8)
    assert [one.line for one in found.distances] == [64, 128]
    assert found.footprint == 20 * 64
    assert found.distances_at(128).reuses == (Reuse(0, 60, 0), Reuse(5, 30, 5))
    assert found.distances_at(128).bytes == 800
    assert (found.bytes, found.intensity) == (160, 10050 / 160)
    with pytest.raises(InputError, match=r"lines of 32 bytes were not traced \(there are: 64, 128\)"):
        found.distances_at(32)


def test_the_shipped_trace_is_a_matrix_product() -> None:
    found = frontends.read("example:blocked-matrix").facet(Trace)
    assert found.schedule.depth == 1025
    assert found.operations.total == 2 * 1024**3
    assert found.footprint == 3 * 8 * 1024**2
    assert found.distances_at(64).references == 2 * 1024**3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("add = 6700", "add = 6701", "hold 10050 operations, trace.operations 10051"),
        ("add = 6700", "add = -1", "trace.operations.add: must be a whole number"),
        ("add = 6700", "ad = 1", "trace.operations.ad: unknown key"),
        ("vectorised = 8040", "vectorised = 99999", "is more than all operations"),
        ("vectorised = 8040", "footprint = '3 s'", "must be a number of bytes"),
        ("vectorised = 8040", "footprint = 'x'", "trace.footprint"),
        ("line = 128", "line = 64", "the same line size"),
        ("line = 128", "line = 48", "a power of two"),
        ("line = 128", "", "trace.distances.line: is missing"),
        ("[[5, 30], [0, 60]]", "[[5]]", "must be a list of"),
        ("[[5, 30], [0, 60]]", "3", "must be a list"),
        ("levels = 10,", "levels = 0,", "a level without operations"),
        ("{ levels = 10, operations = 1000 }", "3", "must be a list of"),
        ("[[trace.distances]]\nline = 64\ncold = 20", "", ""),
    ],
)
def test_wrong_tables(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TABLE
    text = TABLE.replace(old, new)
    if not message:
        assert len(read(tmp_path, text).distances) == 1
        return
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text)
    assert caught.value.file is not None


def test_distances_that_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must be \[\[trace.distances\]\] tables"):
        read(tmp_path, "[trace]\ndistances = [1]\n")


def test_a_trace_without_memory(tmp_path: Path) -> None:
    found = read(tmp_path, "[trace]\nlevels = [{ operations = 3 }]\noperations = { sqrt = 3 }\n")
    assert (found.footprint, found.bytes, found.intensity, found.accesses) == (0, 0.0, None, 0)
    assert read(tmp_path, "[trace]\n").vector_share == 0.0
