"""Fronts of the compiled core against every pair compared."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foretell.uses import pareto

Columns = list[NDArray[np.float64]]


def brute_front(columns: Columns) -> list[int]:
    """Points that no other finite point dominates, and of equal ones the first."""
    rows = np.stack(columns, axis=1)
    finite = np.isfinite(rows).all(axis=1)
    kept = []
    for i, row in enumerate(rows):
        no_worse = finite & (rows <= row).all(axis=1)
        better = no_worse & (rows < row).any(axis=1)
        twin = no_worse & ~better & (np.arange(len(rows)) < i)
        if finite[i] and not better.any() and not twin.any():
            kept.append(i)
    return kept


@st.composite
def points(draw: st.DrawFn, most: int = 120) -> Columns:
    objectives = draw(st.integers(1, 4))
    count = draw(st.integers(0, most))
    value = draw(
        st.sampled_from(
            [st.integers(0, 3), st.integers(0, 30), st.floats(allow_nan=True, allow_infinity=True, width=32)]
        )
    )
    return [
        np.array(draw(st.lists(value, min_size=count, max_size=count)), dtype=np.float64) for _ in range(objectives)
    ]


@given(points())
def test_front_is_the_brute_force_front(columns: Columns) -> None:
    assert pareto.front(columns).tolist() == brute_front(columns)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1), st.integers(2, 400))
def test_many_points_with_ties_and_recursion(objectives: int, seed: int, values: int) -> None:
    """Large enough for the first pass over a sample and for divide and conquer."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, values, 6000).astype(np.float64) for _ in range(objectives)]
    found = pareto.front(columns)
    rows = np.stack(columns, axis=1)
    front = rows[found]
    assert len(np.unique(front, axis=0)) == len(front)
    for row in front:
        assert not ((rows <= row).all(axis=1) & (rows < row).any(axis=1)).any()
    for row in rows[rng.integers(0, len(rows), 200)]:
        assert (front <= row).all(axis=1).any()


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_a_simplex_is_its_own_front(objectives: int, seed: int) -> None:
    """No point of x + y + … = 1 dominates another: all are kept."""
    shares = np.random.default_rng(seed).dirichlet([1.0] * objectives, 5000).T
    assert pareto.front([np.ascontiguousarray(row) for row in shares[:-1]]).size <= 5000
    weights = np.floor(shares * 2**20)
    weights[-1] = 2**20 - weights[:-1].sum(axis=0)
    unique = np.unique(weights, axis=1)
    assert pareto.front(list(unique)).size == unique.shape[1]


@given(points(), st.data())
def test_survivors_are_those_that_no_rival_dominates(columns: Columns, data: st.DataObject) -> None:
    rows = np.stack(columns, axis=1)
    finite = [i for i, row in enumerate(rows) if np.isfinite(row).all()]
    rivals = data.draw(st.lists(st.sampled_from(finite), max_size=5)) if finite else []
    found = pareto.survivors(columns, [column[rivals] for column in columns])
    expected = [i for i in finite if not any((rows[r] <= rows[i]).all() and (rows[r] < rows[i]).any() for r in rivals)]
    assert found.tolist() == expected
