"""Samples against known points of the Sobol sequence, and the rules of spaces."""

from __future__ import annotations

import numpy as np
import pytest

from foretell.core.columns import sampling
from foretell.core.columns.expression import Expression
from foretell.core.columns.space import Axis, Range, Sample, Space
from foretell.errors import InputError

#: points 0 to 4 of the first eight dimensions, as every implementation with Joe and Kuo's numbers gives them
FIRST = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    [0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75],
    [0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25],
    [0.375, 0.375, 0.625, 0.875, 0.375, 0.125, 0.375, 0.875],
]
#: 32-bit fractions of all sixteen dimensions far in the sequence (scipy.stats.qmc.Sobol without scrambling)
FAR = 200_999
AT_FAR = [
    765018112, 3691495424, 1626193920, 3944366080, 449495040, 4072882176, 2802565120, 1927954432, 542457856,
    1224196096, 2009120768, 3534667776, 530628608, 2560442368, 3054911488, 2677293056,
]  # fmt: skip


def test_first_points_of_the_sobol_sequence() -> None:
    for dimension in range(8):
        assert sampling.sobol(0, 5, dimension).tolist() == [row[dimension] for row in FIRST]


def test_a_far_point_in_all_dimensions() -> None:
    found = [sampling.sobol(FAR, FAR + 1, dimension)[0] * 2**32 for dimension in range(16)]
    assert found == AT_FAR


@pytest.mark.parametrize("dimension", range(16))
@pytest.mark.parametrize("shift", [0, 0x9E3779B9])
def test_every_interval_of_a_power_of_two_is_hit_once(dimension: int, shift: int) -> None:
    found = np.floor(sampling.sobol(0, 4096, dimension, shift) * 4096)
    assert sorted(found.tolist()) == list(range(4096))


def test_pairs_of_dimensions_fill_elementary_boxes() -> None:
    """The first two dimensions are a (0, 2)-net: each of the 4096 boxes of any shape holds one point."""
    x, y = sampling.sobol(0, 4096, 0), sampling.sobol(0, 4096, 1)
    for across in range(13):
        boxes = np.floor(x * 2**across) * 2 ** (12 - across) + np.floor(y * 2 ** (12 - across))
        assert len(np.unique(boxes)) == 4096


def test_random_numbers_are_even_and_independent() -> None:
    first, second = (sampling.uniform(0, 200_000, dimension, 5) for dimension in (0, 1))
    assert abs(first.mean() - 0.5) < 4 / np.sqrt(12 * 200_000)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.01
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.01
    other_seed = sampling.uniform(0, 200_000, 0, 6)
    assert abs(np.corrcoef(first, other_seed)[0, 1]) < 0.01
    counts, _ = np.histogram(first, 100, (0, 1))
    assert ((counts - 2000) ** 2 / 2000).sum() < 160  # chi-square with 99 degrees of freedom


def test_too_many_sobol_dimensions() -> None:
    with pytest.raises(InputError, match="at most 16"):
        sampling.sobol(0, 1, 16)


def test_a_range_needs_a_sample() -> None:
    with pytest.raises(InputError, match="can only be sampled"):
        Space((Range("x", 1, 2),))


def test_each_value_of_a_sampled_list_appears_equally_often() -> None:
    space = Space((Axis("a", (1.0, 2.0, 4.0, 8.0)),), (), Sample("sobol", 4096, ("a",)))
    _, counts = np.unique(space.block(0, 4096)["a"], return_counts=True)
    assert counts.tolist() == [1024] * 4


def test_each_point_of_the_grid_gets_all_samples() -> None:
    axes = (Axis("g", (1.0, 2.0)), Range("x", 0, 1))
    space = Space(axes, (), Sample("random", 100, ("x",), 9))
    block = space.block(0, 200)
    assert block["g"].tolist() == [1.0] * 100 + [2.0] * 100
    assert block["x"][:100].tolist() == block["x"][100:].tolist()


def test_a_huge_space_costs_nothing() -> None:
    space = Space(tuple(Axis(f"a{n}", tuple(map(float, range(1000)))) for n in range(5)))
    assert space.size == 10**15
    assert space.point(123_456_789_012_345) == {"a0": 123, "a1": 456, "a2": 789, "a3": 12, "a4": 345}


def test_columns_keep_the_constraints() -> None:
    axes = (Axis("a", (1.0, 2.0, 3.0)), Axis("b", (1.0, 2.0)))
    space = Space(axes, (Expression("a*b <= 3"),))
    listed = list(space.points())
    columns = space.columns()
    assert listed == [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert len(listed) == 4


def test_blocks_outside_the_space_are_a_bug() -> None:
    with pytest.raises(ValueError, match="no points"):
        Space((Axis("a", (1.0,)),)).block(0, 2)
    with pytest.raises(InputError, match="by block"):
        next(Space((Range("x", 1, 2),), (), Sample("random", 3, ("x",))).points())
