"""Polynomials against brute force: the same numbers as Python's integers, the same counts as running the loops."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretell.core.symbolic.poly import ONE, Poly, apply, maximum, minimum, number, symbol
from foretell.core.symbolic.sums import sum_over, trip_count
from foretell.core.symbolic.text import parse

NAMES = ("a", "b", "n")
Values = dict[str, int]

values = st.fixed_dictionaries({name: st.integers(-6, 9) for name in NAMES})


def grow(children: st.SearchStrategy[Poly]) -> st.SearchStrategy[Poly]:
    pair = st.tuples(children, children)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] - p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: minimum(*p)),
        pair.map(lambda p: maximum(*p)),
        st.tuples(children, st.integers(1, 5)).map(lambda p: apply("floor", (p[0], number(p[1])))),
        st.tuples(children, st.integers(1, 5)).map(lambda p: apply("mod", (p[0], number(p[1])))),
        st.tuples(children, st.integers(1, 5)).map(lambda p: apply("div", (p[0], number(p[1])))),
        children.map(lambda p: apply("ge", (p,))),
        children.map(lambda p: apply("eq", (p,))),
    )


leaves = st.one_of(st.sampled_from(NAMES).map(symbol), st.integers(-4, 4).map(number))
polys = st.recursive(leaves, grow, max_leaves=6)


@given(polys)
def test_text_is_read_back(poly: Poly) -> None:
    assert parse(str(poly)) == poly


@given(polys, polys, values)
def test_arithmetic_is_that_of_integers(left: Poly, right: Poly, at: Values) -> None:
    a, b = left.evaluate(at), right.evaluate(at)
    assert (left + right).evaluate(at) == a + b
    assert (left - right).evaluate(at) == a - b
    assert (left * right).evaluate(at) == a * b
    assert minimum(left, right).evaluate(at) == min(a, b)
    assert apply("floor", (left, number(3))).evaluate(at) == a // 3
    assert apply("mod", (left, number(4))).evaluate(at) == a % 4
    assert apply("div", (left, number(3))).evaluate(at) == int(a / 3)


@given(polys, polys, values)
def test_substitution_then_evaluation(poly: Poly, inner: Poly, at: Values) -> None:
    put_in = poly.substitute({"n": inner})
    assert put_in.evaluate(at) == poly.evaluate({**at, "n": inner.evaluate(at)})


@given(polys, st.integers(-5, 5), st.integers(0, 9), st.sampled_from([1, 2, 3, -1, -2]), values)
def test_sums_are_those_of_the_loop(body: Poly, lower: int, trips: int, step: int, at: Values) -> None:
    upper = lower + (trips - 1) * step
    if trips == 0:
        upper = lower - step
    total = sum_over(body, "n", number(lower), number(upper), number(step))
    points = range(lower, upper + (1 if step > 0 else -1), step)
    expected = sum(body.evaluate({**at, "n": point}) for point in points)
    # closed forms of conditions assume that the loop runs
    assert trips == 0 or total.evaluate(at) == expected


linear = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-3, 12))


@given(linear, linear, st.integers(1, 6), st.sampled_from([1, 2, 3]))
def test_nests_with_bounds_that_depend_on_outer_loops(
    low: tuple[int, int, int], high: tuple[int, int, int], size: int, step: int
) -> None:
    """Two loops, the inner bounds linear in the outer variable: enumeration agrees wherever trips are not negative."""
    i, n = symbol("i"), symbol("n")
    lower = low[0] * i + low[1] * n + low[2]
    upper = high[0] * i + high[1] * n + high[2]
    trips = trip_count(lower, upper, number(step))
    total = sum_over(trips, "i", number(0), n - 1)
    counts = []
    for outer in range(size):
        at = {"i": outer, "n": size}
        if trips.evaluate(at) < 0:
            return
        counts.append(len(range(lower.evaluate(at), upper.evaluate(at) + 1, step)))
    assert total.evaluate({"n": size}) == sum(counts)


@given(st.integers(1, 40), st.integers(1, 9))
def test_tiled_loops(size: int, tile: int) -> None:
    n, i = symbol("n"), symbol("i")
    inner = trip_count(i, minimum(i + tile - 1, n), ONE)
    assert sum_over(inner, "i", ONE, n, number(tile)).evaluate({"n": size}) == size
