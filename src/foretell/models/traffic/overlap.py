"""Core and transfers together: between perfect overlap and none, by what the probe measured of each level.

A level with overlap 1 hides all of the shorter behind the longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.expression import Value


def exposed(work: Value, transfers: Mapping[str, Value], overlaps: Mapping[str, Value]) -> Value:
    """Seconds that transfers and core work add to the longer of the two.

    `work` is spread over the transfers, first over those that hide the least: so a transfer that becomes longer never
    makes the whole shorter.
    """
    left = np.asarray(work, dtype=np.float64)
    total: Value = 0.0
    for level in sorted(transfers, key=lambda name: float(np.min(overlaps[name]))):
        beside = np.minimum(left, transfers[level])
        total = total + (1.0 - overlaps[level]) * beside
        left = left - beside
    return total
