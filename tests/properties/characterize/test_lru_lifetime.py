"""When a line leaves a cache: many points at once against a search by halves, point by point."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foretell.characterize.caches.lru_lifetime import PARTS, age

sizes = st.floats(64.0, 2.0**34) | st.integers(6, 34).map(lambda power: 2.0**power)
points = st.lists(
    st.tuples(st.just(0.0) | sizes, sizes, st.tuples(sizes, sizes), st.tuples(sizes, sizes)), min_size=1, max_size=70
)


def searched(streamed: float, capacity: float, arrays: list[tuple[float, float]]) -> float:
    """The last part of the nest in which the cache is not full."""

    def fits(number: int) -> bool:
        part = number / PARTS
        met = sum(size * -math.expm1(-(part * (swept / size))) for size, swept in arrays)
        return streamed * part + met < capacity

    low, high = 0, PARTS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low / PARTS


@given(points, st.integers(0, 2))
def test_ages_of_many_points(
    given_points: list[tuple[float, float, tuple[float, float], tuple[float, float]]], count: int
) -> None:
    streamed, capacity = (np.array([point[side] for point in given_points]) for side in (0, 1))
    arrays = [
        (np.array([p[2 + n][0] for p in given_points]), np.array([p[2 + n][1] for p in given_points]))
        for n in range(count)
    ]
    found = age(streamed, capacity, arrays)
    for place, point in enumerate(given_points):
        own = searched(point[0], point[1], list(point[2 : 2 + count]))
        # where the cache is full just there, the last digit of a sum decides
        assert abs(found[place] - own) * PARTS <= 1
        assert found[place] == own or _is_full(point, count, max(found[place], own))


def _is_full(point: tuple[float, float, tuple[float, float], tuple[float, float]], count: int, part: float) -> bool:
    total = point[0] * part - sum(size * math.expm1(-(part * (swept / size))) for size, swept in point[2 : 2 + count])
    return math.isclose(total, point[1], rel_tol=1e-14)
