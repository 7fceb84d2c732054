"""Random arrays, flattened by hand in three styles, come back exactly as they were."""

from __future__ import annotations

from functools import reduce
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from foretell.core.symbolic.poly import ONE, ZERO, Poly, number, symbol
from foretell.frontends.analysis.subscripts.delinearise import delinearise

LOOPS = ("l", "k", "j", "i")


def strides_of(extents: list[Poly], style: str) -> list[Poly]:
    """Element strides, slowest first: products of extents, or opaque stride variables."""
    rank = len(extents)
    if style == "opaque":
        return [symbol(f"stride{position}") if position < rank - 1 else ONE for position in range(rank)]
    return [reduce(lambda a, b: a * b, extents[position + 1 :], ONE) for position in range(rank)]


@st.composite
def arrays(draw: st.DrawFn) -> tuple[list[tuple[Poly, ...]], list[Poly], tuple[str, ...]]:
    rank = draw(st.integers(1, 4))
    style = draw(st.sampled_from(["symbolic", "opaque", "numeric"]))
    if style == "numeric":
        extents = [number(draw(st.integers(20, 200))) for _ in range(rank)]
    else:
        extents = [symbol(f"n{position}") + draw(st.integers(0, 4)) for position in range(rank)]
    variables = LOOPS[-rank:]
    ghost = symbol("ghosts") if style == "opaque" and draw(st.booleans()) else ZERO
    references = draw(st.lists(st.lists(st.integers(-2, 2), min_size=rank, max_size=rank), min_size=1, max_size=9))
    subscripts = [
        tuple(symbol(name) + offset + ghost for name, offset in zip(variables, one, strict=True)) for one in references
    ]
    return subscripts, strides_of(extents, style), variables


@given(arrays())
def test_exact_recovery(case: tuple[list[tuple[Poly, ...]], list[Poly], tuple[str, ...]]) -> None:
    subscripts, strides, variables = case
    flats = [sum((s * d for s, d in zip(one, strides, strict=True)), ZERO) for one in subscripts]
    found = delinearise(flats, variables)
    assert found is not None
    shape, recovered = found
    assert recovered == subscripts
    assert list(shape.strides) == strides


@given(arrays(), st.integers(2, 4))
def test_whatever_is_found_gives_the_flat_subscript_back(
    case: tuple[list[tuple[Poly, ...]], list[Poly], tuple[str, ...]], step: int
) -> None:
    """Steps and skews may end up in any dimension, but nothing gets lost."""
    subscripts, strides, variables = case
    skewed = [(*one[:-1], one[-1] * step + one[0]) for one in subscripts]
    flats = [sum((s * d for s, d in zip(one, strides, strict=True)), ZERO) for one in skewed]
    found = delinearise(flats, variables)
    assert found is not None
    shape, recovered = found
    divisors = (*shape.strides, ONE) if shape.components > 1 else shape.strides
    for flat, one in zip(flats, recovered, strict=True):
        assert sum((s * d for s, d in zip(one, divisors, strict=True)), ZERO) == flat


Numeric = tuple[list[Poly], dict[str, tuple[int, int]]]


@st.composite
def numeric(draw: st.DrawFn) -> Numeric:
    """References with any numeric strides, directions and offsets, rows or not, in loops with known bounds."""
    variables = LOOPS[-draw(st.integers(1, 3)) :]
    ends = {name: draw(st.tuples(st.integers(-2, 3), st.integers(0, 6))) for name in variables}
    bounds = {name: (low, low + more) for name, (low, more) in ends.items()}
    strides = [draw(st.sampled_from([1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 30, 35, 40, 49])) for _ in variables]
    flats = []
    for _ in range(draw(st.integers(1, 4))):
        signs = [draw(st.sampled_from([1, 1, 1, -1, 0])) for _ in variables]
        moving = (symbol(v) * (s * d) for v, s, d in zip(variables, strides, signs, strict=True))
        flats.append(sum(moving, number(draw(st.integers(-60, 60)))))
    return flats, bounds


@given(numeric())
def test_different_elements_have_different_subscripts(case: Numeric) -> None:
    """By enumeration: each iteration addresses its element, and no element has two sets of subscripts."""
    flats, bounds = case
    found = delinearise(flats, tuple(bounds), bounds.get)
    assert found is not None
    shape, recovered = found
    divisors = [int(str(one)) for one in ((*shape.strides, ONE) if shape.components > 1 else shape.strides)]
    seen: dict[int, set[tuple[object, ...]]] = {}
    for point in product(*(range(low, high + 1) for low, high in bounds.values())):
        at = dict(zip(bounds, point, strict=True))
        for flat, one in zip(flats, recovered, strict=True):
            subscripts = tuple(value.evaluate(at) for value in one)
            element = flat.evaluate(at)
            assert sum(int(s) * d for s, d in zip(subscripts, divisors, strict=True)) == element
            seen.setdefault(int(element), set()).add(subscripts)
    assert all(len(several) == 1 for several in seen.values())
