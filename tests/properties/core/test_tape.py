"""Arithmetic that is written down first: whatever is done with columns gives what numpy gives, to the last bit."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.characterize.caches.lru_lifetime import PARTS, age
from foretell.characterize.caches.page_set_hits import staying
from foretell.core.columns.tape import Column, blended, columns, real
from foretell.core.symbolic.poly import named, symbol
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable

POINTS = 4096 + 77  # not a whole number of blocks
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 64.0, 1e300, 1e-300, np.inf, -np.inf, np.nan]

TWO: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: a // b,
    lambda a, b: a % b,
    lambda a, b: np.minimum(a, b),
    lambda a, b: np.maximum(a, b),
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: np.logical_and(a, b),
    lambda a, b: np.logical_or(a, b),
    lambda a, b: np.where(a > b, a, b),
    lambda a, b: np.where(np.isfinite(a) & (b != 0), b, 7.0),
    lambda a, b: np.clip(a, 0.0, 5.0) * b,
    lambda a, b: (a > 0) * b,
    lambda a, b: abs(a) - np.floor(b),
    lambda a, b: -a + np.trunc(b),
    lambda a, b: np.logical_not(a) | (b == 1),
    lambda a, b: (a > b).astype(np.int64) * a,
    lambda a, b: np.sqrt(np.abs(a)) + b,  # numpy's, on the values
    lambda a, b: a + np.arange(POINTS) * b,
]


@st.composite
def steps(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Operations on what was there before: three columns, two numbers and earlier results."""
    found: list[tuple[int, int, int]] = []
    for number in range(draw(st.integers(1, 25))):
        place = st.integers(0, 4 + number)
        found.append((draw(st.integers(0, len(TWO) - 1)), draw(place), draw(place)))
    return found


@given(steps(), st.integers(0, 2**32), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))
def test_what_is_written_down_is_what_numpy_does(
    work: list[tuple[int, int, int]], seed: int, one: float, other: float
) -> None:
    rng = np.random.default_rng(seed)
    given_columns = {
        "a": rng.integers(-50, 5000, POINTS).astype(np.float64),
        "b": rng.lognormal(0, 20, POINTS),
        "c": rng.choice(NUMBERS, POINTS),
    }
    whole: list[Any] = [*given_columns.values(), one, other]
    lazy: list[Any] = [*columns(given_columns).values(), one, other]
    with np.errstate(all="ignore"):
        for operation, left, right in work:
            arrays = [np.float64(x) if np.ndim(x) == 0 else real(x) for x in (whole[left], whole[right])]
            pair = [np.float64(x) if np.ndim(x) == 0 else real(x) for x in (lazy[left], lazy[right])]
            whole.append(TWO[operation](*arrays))
            lazy.append(TWO[operation](*pair))
        for expected, found in zip(whole, lazy, strict=True):
            assert np.ndim(found) == np.ndim(expected)
            assert np.array_equal(np.asarray(found), np.asarray(expected), equal_nan=True)


@pytest.mark.parametrize("divisor", [-5.0, 5.0])
def test_remainders_of_whole_numbers_have_the_sign_of_the_divisor(divisor: float) -> None:
    """Also where they are zero: what is divided by it is infinite, with that sign."""
    dividends = np.tile(np.arange(-10.0, 11.0), 200)
    (column,) = columns({"a": dividends}).values()
    found, expected = np.asarray(column % divisor), dividends % divisor
    assert np.array_equal(found, expected)
    assert np.array_equal(np.signbit(found), np.signbit(expected))


@given(st.lists(st.floats(-750, 720), min_size=1, max_size=50))
def test_exponentials(given_places: list[float]) -> None:
    places = np.resize([*given_places, -np.inf, np.inf, np.nan, 0.0, 1e-12, -1e-9], POINTS)
    (x,) = columns({"x": places}).values()
    with np.errstate(over="ignore", invalid="ignore"):
        for function in (np.exp, np.expm1):
            found, exact = np.asarray(function(x)), function(places)
            same = (found == exact) | (np.isnan(found) & np.isnan(exact))
            assert np.all(same | (np.abs(found - exact) <= np.maximum(1e-14 * np.abs(exact), 1e-300)))


def test_nothing_is_computed_twice() -> None:
    (n,) = columns({"n": np.arange(POINTS, dtype=np.float64)}).values()
    first, second = 3 * n + 1, 1 + n * 3
    assert isinstance(first, Column)
    assert first.node == second.node
    assert (n * 1.0).node == n.node == (n + 0.0).node


@given(st.integers(0, 2**32), st.sampled_from([None, 4, 16]))
def test_shares_that_stay_and_blends(seed: int, ways: int | None) -> None:
    rng = np.random.default_rng(seed)
    given_columns = {name: rng.lognormal(0, 1, POINTS) for name in ("filled", "one", "other")}
    filled, one, other = columns(given_columns).values()
    share = staying(given_columns["filled"], ways)
    assert np.array_equal(np.asarray(staying(filled, ways)), np.broadcast_to(share, POINTS))
    mixed = given_columns["other"] + share * (given_columns["one"] - given_columns["other"])
    assert np.array_equal(np.asarray(blended(staying(filled, ways), one, other)), mixed)
    endless = np.where(share > 0, given_columns["one"], np.inf)
    ends = np.asarray(blended(staying(filled, ways), endless, other))
    assert np.isfinite(ends).all()


def test_polynomials_take_columns() -> None:
    sizes = {"n": np.arange(1.0, POINTS + 1), "m": np.arange(POINTS, 0.0, -1.0)}
    n, m = symbol("n"), symbol("m")
    for poly in (n * (n + 1) / 2, n * m - 3 * m + 7, n * n * m / 6 + m / 3):
        assert np.array_equal(np.asarray(poly.evaluate(columns(sizes))), poly.evaluate(sizes))


def test_whole_numbers_and_fractions_do_not_become_objects() -> None:
    n = symbol("n")
    sizes = np.array([3, 10, 3_000_000_000], dtype=np.int64)
    found = (n * (n + 1) / 2).evaluate({"n": sizes})
    assert found.dtype == np.float64
    assert found.tolist() == [6.0, 55.0, 4500000001500000000.0]
    half = named("h", symbol("m") / 2)  # a fraction at one size, times an array
    assert (half * n).evaluate({"m": 3, "n": sizes}).tolist() == [4.5, 15.0, 4.5e9]


def test_few_points_and_boxes_stay_arrays() -> None:
    few, side = np.arange(3.0), np.arange(10_000.0)
    assert columns({"n": few})["n"] is few
    assert columns({"n": side[:, None], "m": side[None, :]})["m"].shape == (1, 10_000)


@given(
    st.floats(0, 1e9),
    st.floats(1e3, 1e8),
    st.lists(st.tuples(st.floats(1, 1e10), st.floats(0, 1e12)), min_size=1, max_size=3),
)
def test_the_age_of_a_line(streamed: float, capacity: float, arrays: list[tuple[float, float]]) -> None:
    """The last part of the nest that does not fill the cache yet."""

    def filled(part: float) -> float:
        return streamed * part + sum(b * -np.expm1(-part * swept / b) for b, swept in arrays)

    found = age(streamed, capacity, arrays)
    assert found * PARTS == round(found * PARTS)
    assert found == 0 or filled(found) < capacity * (1 + 1e-12)
    assert found == 1 - 1 / PARTS or filled(found + 1 / PARTS) >= capacity * (1 - 1e-12)


@pytest.mark.parametrize("kernel", ["jacobi7", "transpose", "triangle", "gather"])
def test_a_sweep_is_the_same_in_small_pieces(kernel: str) -> None:
    """Pieces of few points are computed by numpy alone, as single points are."""
    rng = np.random.default_rng(3)
    case = foretell.prepare(KERNELS / f"{kernel}.c", "sapphire-rapids", parameters={"n": 100}).for_many()
    base = {path: case.machine.value(path) for path in ("level.L2.size", "memory.bandwidth", "clock.frequency")}
    points = {path: value * rng.uniform(0.5, 2, 5000) for path, value in base.items()}
    points["n"] = rng.integers(60, 3000, 5000).astype(np.float64)
    whole = foretell.sweep(case, points)
    for first in range(0, 5000, 1000):
        piece = {name: column[first : first + 1000] for name, column in points.items()}
        assert foretell.sweep(case, piece) == pytest.approx(whole[first : first + 1000], rel=1e-12)


def test_a_nest_that_travels_is_hashed_anew() -> None:
    """Hashes of texts differ from process to process; one that was computed must not travel along."""
    workload = foretell.prepare(KERNELS / "triad.c", "sapphire-rapids", parameters={"n": 100}).workload
    nest = next(iter(workload.facets)).nests[0]  # type: ignore[attr-defined]
    assert hash(nest) == hash(nest)
    assert pickle.loads(pickle.dumps(nest)).__dict__.keys().isdisjoint({"_hash", "trips"})
    assert pickle.loads(pickle.dumps(nest)) == nest
