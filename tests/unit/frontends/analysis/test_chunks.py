"""Loops that take a number in blocks: their rounds and places, against the loop executed in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.symbolic.poly import symbol
from foretell.models.cpu.program import program
from tests.support.caches.nests import of_c

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly

BODY = """long total(const long *x, int n) {{
  long s = 0;
  const long *e = x;
  {head}
    int m = {block};
    n -= m;
    for (int i = 0; i < m; i++) s += e[i];
    e += m;
  {tail}
  for (int i = n; i < 5; i++) s += e[i];
  return s;
}}
"""
FORMS = [
    ("while (n > 0) {", "n > 100 ? 100 : n", "}"),
    ("while (n) {", "n < 100 ? n : 100", "}"),
    ("for (; n != 0; ) {", "100 < n ? 100 : n", "}"),
    ("while (n >= 1) {", "n <= 100 ? n : 100", "}"),
]


def rounds(n: int) -> list[tuple[int, int]]:
    """Where each block begins and how long it is."""
    found, at = [], 0
    while n > 0:
        taken = min(n, 100)
        found.append((at, taken))
        at, n = at + taken, n - taken
    return found


def _place(nest: LoopNest) -> Poly:
    """The element of x that a nest reads."""
    (array,) = (one for one in nest.arrays if one.name == "x")
    subscript = array.accesses[0].subscripts[0]
    return sum((by * symbol(name) for name, by in subscript.coefficients), subscript.offset)


@pytest.mark.parametrize(("head", "block", "tail"), FORMS)
@pytest.mark.parametrize("n", [1, 99, 100, 101, 250, 1000])
def test_blocks_are_as_many_and_as_long_as_executed(head: str, block: str, tail: str, n: int) -> None:
    loops = of_c(BODY.format(head=head, block=block, tail=tail))
    inside, behind = sorted(loops.nests, key=lambda nest: nest.line)
    expected = rounds(n)
    outer, inner = inside.loops
    assert outer.trips.evaluate({"n": n}) == len(expected)
    assert inside.trips.evaluate({"n": n}) == n
    index = _place(inside)
    for number, (at, taken) in enumerate(expected):
        here = {"n": n, outer.variable: n - 100 * number}
        assert inner.trips.evaluate(here) == taken
        assert index.evaluate({**here, inner.variable: 0}) == at
    # nothing is left behind the loop, and the pointer is behind the last element
    place = _place(behind).evaluate({"n": n, behind.loops[0].variable: 0})
    assert (behind.trips.evaluate({"n": n}), place) == (5, n)


def test_what_may_go_below_zero_or_is_taken_otherwise_is_no_block() -> None:
    """Without the test that something is left, or with a block that changes, rounds are not known."""
    for head, block in (("while (s < 1000) {", "n > 100 ? 100 : n"), ("while (n > 0) {", "n > s ? s : n")):
        loops = of_c(BODY.format(head=head, block=block, tail="}"))
        first = min(loops.nests, key=lambda nest: nest.line)
        assert any(name.startswith("trips_L") for name in first.loops[0].trips.symbols())


def test_a_program_of_blocks_has_one_run_at_its_size() -> None:
    loops = of_c(BODY.format(head=FORMS[0][0], block=FORMS[0][1], tail="}"))
    runs = program(loops, {"n": 250.0, "threads": 1.0}).runs
    assert {run.nest.line for run in runs} == {7, 10}
