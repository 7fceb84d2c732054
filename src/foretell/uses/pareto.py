"""Pareto fronts by the compiled core: two to four objectives, all minimised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def front(objectives: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Finds the non-dominated points, ascending.

    Of equal points the first is kept. A point with an objective that is not finite is never included.
    """
    return _core.pareto_front([np.ascontiguousarray(column, dtype=np.float64) for column in objectives])


def survivors(objectives: Sequence[NDArray[np.float64]], rivals: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Finds the points that none of a few rivals dominates, ascending: a cheap first pass."""
    return _core.pareto_survivors(
        [np.ascontiguousarray(column, dtype=np.float64) for column in objectives],
        [np.ascontiguousarray(column, dtype=np.float64) for column in rivals],
    )
