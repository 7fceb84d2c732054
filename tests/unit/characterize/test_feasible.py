"""Systems of inequalities against trying every point of a box."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.characterize.loops import feasible as module
from foretell.characterize.loops.feasible import alternatives, feasible, inside
from foretell.core.nest.loopnest import Loop
from foretell.core.symbolic.poly import ONE, ZERO, Poly, maximum, number, symbol

X, Y, N = symbol("i"), symbol("j"), symbol("n")
_SMALL = st.integers(-3, 3)


@st.composite
def systems(draw: st.DrawFn) -> list[Poly]:
    rows = draw(st.lists(st.tuples(_SMALL, _SMALL, _SMALL, st.integers(-6, 6)), min_size=1, max_size=7))
    return [number(a) * X + number(b) * Y + number(c) * N + d for a, b, c, d in rows]


@given(systems())
def test_no_means_that_no_point_fits(system: list[Poly]) -> None:
    if not feasible(system):
        for i, j, n in product(range(-4, 5), repeat=3):
            assert any(one.evaluate({"i": i, "j": j, "n": n}) < 0 for one in system)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ([], True),
        ([number(-1)], False),
        ([Y - X - 1, X - Y], False),
        ([Y - X, X - Y], True),
        ([X - 1, N - X, Y - X - 1, N - Y], True),
        ([2 * X - 1, 1 - 2 * X], False),  # 2 i = 1 has no whole solution
        ([X * N - Y, Y - X * N - 1], False),  # a product is a symbol of its own
        ([X, N - 1 - X, Y, N - 1 - Y, X - Y - N, Y + N - X], False),  # i = j + n inside 0 … n - 1
    ],
)
def test_systems(system: list[Poly], expected: bool) -> None:
    assert feasible(system) is expected


def test_a_system_that_grows_too_large_is_taken_to_have_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    contradiction = [Y - X - 1, X - Y]
    monkeypatch.setattr(module, "MAX_CONSTRAINTS", 1)
    assert feasible(contradiction)


def test_bounds_of_loops() -> None:
    up = Loop("i", maximum(Y, N) + 1, N, ONE, 1, ONE)
    assert list(inside(up)) == [X - Y - 1, X - N - 1, N - X]
    down = Loop("i", N, ZERO, number(-2), 1, ONE)
    assert list(inside(down)) == [X, N - X]
    assert not list(inside(Loop("i", ZERO, N, ONE, 1, ONE, counted=False)))
    assert not list(inside(Loop("i", ZERO, N, symbol("s"), 1, ONE)))
    assert alternatives(N + 1, "max") == [N + 1]
