"""Hit ratio of re-references when physical pages are placed at random.

In a cache larger than ways × page size, the physical page number selects part of the set index, and it is effectively
random: for a working set as large as the cache, some sets get more lines than they have ways and others fewer. A set
that overflows evicts its lines before their reuse (LRU); so the hit ratio falls from 1 to 0 gradually around the
capacity, not as a step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.columns.tape import is_column, looked_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value

#: effective capacity relative to random pages and strict LRU: pages are often contiguous, and real replacement is not
#: quite LRU (validation/cpu/edges.c on a Cascade Lake core, 1 MiB of 16 ways: 1.17 and 1.25 in two series)
_ROOM = 1.2
#: range of the hit-ratio table, as fractions of the capacity, and its steps; hit or miss ratios below the last number
#: are rounded to 0
_FROM, _TO, _STEPS, _NOTHING = 0.25, 4.0, 240, 5e-3


def staying(filled: Value, ways: int | None) -> Value:
    """Hit ratio of re-references where the reuse distance is `filled` times the capacity. Without ways: 1 or 0."""
    if is_column(filled):  # lazy: evaluation must not be forced
        if ways is None:
            return np.where(np.less_equal(filled, 1.0), 1.0, 0.0)
        return looked_up(filled, _FROM, _STEPS / (_TO - _FROM), *_table(ways))
    all_ = np.asarray(filled)
    if ways is None:
        fits = np.where(all_ <= 1.0, 1.0, 0.0)
        return float(fits.min()) if fits.min() == fits.max() else fits  # lets callers compute what follows once
    least, most = float(all_.min()), float(all_.max())
    if most <= _FROM or least >= _TO:  # the usual case in the inner loops of a sweep
        return 1.0 if most <= _FROM else 0.0
    shares, slopes = _table(ways)
    position = np.clip((all_ - _FROM) * (_STEPS / (_TO - _FROM)), 0.0, _STEPS)
    step = np.minimum(position.astype(np.intp), _STEPS - 1)
    share: Value = shares[step] + (position - step) * slopes[step]  # three times as fast as np.interp
    return share


@lru_cache(maxsize=32)
def _table(ways: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Tabulates hit ratios at even steps, and the slopes between them. A line hits if fewer than `ways` others map to
    its set; their number is Poisson-distributed."""
    grid = np.linspace(_FROM, _TO, _STEPS + 1)
    mean = grid * ways / _ROOM
    term = np.exp(-mean)
    total = term
    for number in range(1, ways):
        term = term * mean / number
        total = total + term
    shares = np.where(total > 1.0 - _NOTHING, 1.0, np.where(total < _NOTHING, 0.0, total))
    shares[0], shares[-1] = 1.0, 0.0
    shares = np.minimum.accumulate(shares)
    return shares, np.diff(shares)
