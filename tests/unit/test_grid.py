"""Which blocks stand for a grid."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.characterize.grid import weighted_blocks
from foretell.core.launch import Launch

sizes = st.integers(1, 40)


def test_one_axis() -> None:
    assert weighted_blocks(Launch(None, (1, 1, 1), (32, 1, 1)), 8) == {0: 1.0}
    assert weighted_blocks(Launch(None, (10, 1, 1), (32, 1, 1)), 1) == {0: 1.0, 5: 8.0, 9: 1.0}


def test_corners_edges_and_inside() -> None:
    found = weighted_blocks(Launch(None, (5, 4, 1), (32, 1, 1)), 1)
    assert sorted(found.values()) == [1, 1, 1, 1, 2, 2, 3, 3, 6]
    assert found[2 + 5 * 2] == 6


@given(sizes, sizes, sizes, st.integers(1, 70))
def test_the_weights_are_the_grid(x: int, y: int, z: int, inner: int) -> None:
    found = weighted_blocks(Launch(None, (x, y, z), (32, 1, 1)), inner)
    assert math.fsum(found.values()) == pytest.approx(x * y * z)
    assert all(0 <= block < x * y * z for block in found)
    assert len(found) <= 26 + inner


def test_a_triangle_is_summed() -> None:
    """Work that grows with the block number: the sum from samples is the true one within a few percent."""
    blocks = 1000
    weights = weighted_blocks(Launch(None, (blocks, 1, 1), (32, 1, 1)), 32)
    assert sum(weight * block for block, weight in weights.items()) == pytest.approx(blocks**2 / 2, rel=0.03)
