"""Loops one behind the other in one outer loop, against a simulated LRU cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.core.nest.loopnest import Loops
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.model import CpuModel
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.program import program
from foretell.models.cpu.transfers.loop_reuse import Inherited, inherited
from foretell.models.cpu.transfers.volumes import level_volumes
from tests.support.caches.lru import misses
from tests.support.caches.nests import of_c

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

N = 96
LINE = 64
#: a matrix times a vector, then its transpose times the result, in one pass over the rows
TWICE = """void f(long n, const double a[n][n], const double x[n], double y[n]) {
  for (long i = 0; i < n; i++) { double s = 0;
    for (long j = 0; j < n; j++) s += a[i][j] * x[j];
    for (long j = 0; j < n; j++) y[j] += a[i][j] * s; } }"""
#: rows that the second loop does not touch
OTHER_ROW = TWICE.replace("double y[n]", "double y[n + 1]").replace("y[j] += a[i][j]", "y[j] += a[n - 1 - i][j]")


def lines(second: Callable[[int], int]) -> Iterator[int]:
    """Lines of `a`, then of `x` and `y` behind it; `second` is the row that the second loop reads."""
    x, y = N * N // 8, N * N // 8 + N // 8
    for i in range(N):
        for j in range(N):
            yield from ((i * N + j) // 8, x + j // 8)
        for j in range(N):
            yield from ((second(i) * N + j) // 8, y + j // 8)


def incoming(text: str, capacity: float) -> tuple[float, float]:
    """Bytes read and written back at the border of a first level of this capacity, by the model."""
    machine = load("ivy-bridge").with_values({"level.L1.size": capacity})
    inputs, settings = Inputs(machine, {}), CpuModel().settings("default", {"caches": "cold"})
    runs = program(of_c(text), {"n": float(N)}).runs
    found = [level_volumes(run.nest, inputs, settings, run.values, Split(None, 1.0), run.ahead) for run in runs]
    return sum(float(one.reads["L2"]) for one in found), sum(float(one.writes["L2"]) for one in found)


@pytest.mark.parametrize("rows", [0.5, 5.0, 20.0])
def test_what_the_first_loop_has_brought_is_there_for_the_second(rows: float) -> None:
    """Half a row: both loops fetch the matrix. Five rows: it comes once, and the vectors stay."""
    capacity = rows * N * 8
    reads, _ = incoming(TWICE, capacity)
    assert reads == pytest.approx(misses(lines(lambda i: i), int(capacity // LINE)) * LINE, rel=0.1)


def test_rows_that_are_not_the_same_are_fetched() -> None:
    capacity = 5.0 * N * 8
    reads, _ = incoming(OTHER_ROW, capacity)
    assert reads == pytest.approx(misses(lines(lambda i: N - 1 - i), int(capacity // LINE)) * LINE, rel=0.1)


def test_what_both_loops_write_goes_back_once() -> None:
    text = """void f(long n, double a[n][n]) { for (long i = 0; i < n; i++) {
      for (long j = 0; j < n; j++) a[i][j] *= 2.0;
      for (long j = 0; j < n; j++) a[i][j] += 1.0; } }"""
    whole = N * N * 8
    assert incoming(text, 5.0 * N * 8) == pytest.approx((whole, whole), rel=0.02)
    assert incoming(text, 0.5 * N * 8) == pytest.approx((2 * whole, 2 * whole), rel=0.1)


def test_loops_in_different_outer_loops_leave_nothing() -> None:
    text = """void f(long n, double a[n][n]) {
      for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) a[i][j] *= 2.0;
      for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) a[i][j] += 1.0; }"""
    assert [run.ahead for run in program(of_c(text), {"n": float(N)}).runs] == [(), ()]
    nest = of_c(text).nests[1]
    assert inherited(nest, (), {"n": 8.0}, 64.0, Split(None, 1.0)) == Inherited()


def test_capacities_may_be_arrays() -> None:
    nests = of_c(TWICE).nests
    left = inherited(nests[1], nests[:1], {"n": float(N)}, 64.0, Split(None, 1.0))
    assert np.array_equal(left.there("a", np.array([100.0, 1e6])), [0.0, 1.0])
    assert left.there("y", 1e6) == 0.0
    assert isinstance(of_c(TWICE), Loops)


def test_a_loop_outside_the_one_that_threads_divide_is_not_divided() -> None:
    """The first nest has two loops, the second is divided at its third: what the first brings is there as a whole."""
    text = """void f(long n, double a[n][n], double x[n]) {
      for (long t = 0; t < n; t++) {
        for (long i = 0; i < n; i++) x[i] = 0;
        for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) a[i][j] += x[i]; } }"""
    first, second = of_c(text).nests
    assert (len(first.loops), len(second.loops)) == (2, 3)
    alone = inherited(second, (first,), {"n": float(N)}, LINE, Split(None, 1.0))
    divided = inherited(second, (first,), {"n": float(N)}, LINE, Split(2, 4.0))
    assert float(divided.shares["x"]) == float(alone.shares["x"]) == 1
    assert float(divided.together) < float(alone.together)
