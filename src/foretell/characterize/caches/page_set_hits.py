"""Hit ratio of re-references when physical pages are placed at random.

The sets of a cache that is larger than its ways times a page are chosen by the place of a page in memory, which is as
good as random: of what is as large as the cache, some sets get more lines than they have ways and others fewer. A set
that overflows loses its lines before they are wanted again (LRU); so the share that stays falls from all to nothing
around the size of the cache, and not at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.columns.tape import is_column, looked_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value

#: pages often lie one behind the other, and no cache is quite LRU: so much more than with pages by chance and LRU fills
#: it as much (validation/cpu/edges.c on a Cascade Lake core, 1 MiB of 16 ways: 1.17 and 1.25 in two series)
_ROOM = 1.2
#: the table of the share that stays: from so much of the cache to so much more, in steps; a smaller share that stays,
#: or is lost, is not told from nothing
_FROM, _TO, _STEPS, _NOTHING = 0.25, 4.0, 240, 5e-3


def staying(filled: Value, ways: int | None) -> Value:
    """The share of lines that are still there when they are wanted again, where what was touched between is `filled`
    times the cache. No ways: all or nothing."""
    if is_column(filled):  # lazy: evaluation must not be forced
        if ways is None:
            return np.where(np.less_equal(filled, 1.0), 1.0, 0.0)
        return looked_up(filled, _FROM, _STEPS / (_TO - _FROM), *_table(ways))
    all_ = np.asarray(filled)
    if ways is None:
        fits = np.where(all_ <= 1.0, 1.0, 0.0)
        return float(fits.min()) if fits.min() == fits.max() else fits  # models then compute what follows once
    least, most = float(all_.min()), float(all_.max())
    if most <= _FROM or least >= _TO:  # mostly so, in the inner loops of a sweep
        return 1.0 if most <= _FROM else 0.0
    shares, slopes = _table(ways)
    place = np.clip((all_ - _FROM) * (_STEPS / (_TO - _FROM)), 0.0, _STEPS)
    step = np.minimum(place.astype(np.intp), _STEPS - 1)
    share: Value = shares[step] + (place - step) * slopes[step]  # three times as fast as np.interp
    return share


@lru_cache(maxsize=32)
def _table(ways: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A line stays where its set has fewer than `ways` others, and the number of these is Poisson-distributed. Shares
    at even steps, and by how much they rise to the next."""
    places = np.linspace(_FROM, _TO, _STEPS + 1)
    mean = places * ways / _ROOM
    term = np.exp(-mean)
    total = term
    for number in range(1, ways):
        term = term * mean / number
        total = total + term
    shares = np.where(total > 1.0 - _NOTHING, 1.0, np.where(total < _NOTHING, 0.0, total))
    shares[0], shares[-1] = 1.0, 0.0
    shares = np.minimum.accumulate(shares)
    return shares, np.diff(shares)
