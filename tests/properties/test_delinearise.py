"""Random arrays, flattened by hand in three styles, come back exactly as they were."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from foretell.core.symbolic import ONE, ZERO, Poly, number, symbol
from foretell.frontends.analysis.delinearise import delinearise

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
    references = draw(
        st.lists(st.lists(st.integers(-2, 2), min_size=rank, max_size=rank), min_size=1, max_size=9)
    )
    subscripts = [
        tuple(symbol(name) + offset + ghost for name, offset in zip(variables, one, strict=True))
        for one in references
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
