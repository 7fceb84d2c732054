"""How much of what a loop comes back to a cache still holds, where pages lie anywhere.

The sets of a cache that is larger than its ways times a page are chosen by the place of a page in memory, which is as
good as random: of what is as large as the cache, some sets get more lines than they have ways and others fewer. A set
that overflows loses its lines before they are wanted again (LRU); so the share that stays falls from all to nothing
around the size of the cache, and not at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.expression import Value

#: pages often lie one behind the other, and no cache is quite LRU: so much more than with pages by chance and LRU fills
#: it as much (validation/cpu/edges.c on a Cascade Lake core, 1 MiB of 16 ways: 1.17 and 1.25 in two series)
_ROOM = 1.2
#: the table of the share that stays: from so much of the cache to so much more, in steps
_FROM, _TO, _STEPS = 0.25, 4.0, 240


def staying(filled: Value, ways: int | None) -> Value:
    """The share of lines that are still there when they are wanted again, where what was touched between is `filled`
    times the cache. No ways: all or nothing."""
    if ways is None:
        return np.where(np.asarray(filled) <= 1.0, 1.0, 0.0)
    places, shares = _table(ways)
    share: Value = np.interp(filled, places, shares)
    return share


@lru_cache(maxsize=32)
def _table(ways: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A line stays where its set has fewer than `ways` others, and the number of these is Poisson-distributed."""
    places = np.linspace(_FROM, _TO, _STEPS)
    mean = places * ways / _ROOM
    term = np.exp(-mean)
    total = term
    for number in range(1, ways):
        term = term * mean / number
        total = total + term
    shares = np.where(places <= _FROM, 1.0, np.where(places >= _TO, 0.0, total))
    return places, np.minimum.accumulate(np.clip(shares, 0.0, 1.0))
