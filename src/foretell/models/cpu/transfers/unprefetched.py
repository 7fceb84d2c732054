"""Finds the arrays whose lines no prefetcher fetches ahead: an innermost loop that jumps to another page with every
iteration, over more pages than are followed. Their lines arrive as those of irregular accesses do.

Prefetchers stay within a page of 4 KiB, and the one in front of the last-level cache follows one stream in each of 32
pages (Intel 64 and IA-32 Optimization Reference Manual, section on data prefetching to the L2 and L3). Within tiles of
fewer rows, each row is such a stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.box_sizes import extreme
from foretell.characterize.layout.iteration_strides import by_iteration, bytes_apart
from foretell.characterize.simulate.addresses import label
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.models.cpu.transfers.bandwidths import scattered_seconds_per_byte, seconds_per_byte

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs

#: bytes of the pages that prefetchers do not leave, also where the system's pages are larger
_PAGE = 4096.0
#: pages in which the prefetcher follows a stream
_FOLLOWED = 32.0


def jumping(nest: LoopNest, values: Mapping[str, Value]) -> dict[str, Value]:
    """By array, 1 where each iteration of the innermost loop touches another page, of too many to follow; else 0."""
    variable, depth = nest.loops[-1].variable, len(nest.loops)
    every, outside = (real(iterations(nest.loops, deep).evaluate(values)) for deep in (depth, depth - 1))
    many = np.greater(every, _FOLLOWED * outside)
    found: dict[str, Value] = {}
    for array in by_iteration(nest):
        jumps = [bytes_apart(array, access, variable, values) for access in array.accesses]
        known = [jump for jump in jumps if jump is not None]
        if known and len(known) == len(jumps):
            far = np.logical_and(many, np.greater_equal(extreme(np.minimum, known), _PAGE))
            if np.any(far):
                found[label(array)] = np.where(far, 1.0, 0.0)
    return found


def more_per_byte(inputs: Inputs, prefix: str, threads: Value, allocate: bool) -> Value:
    """Seconds per byte by which such lines of a level take longer than lines in sequence."""
    ahead = seconds_per_byte(inputs, prefix, threads, 0.0, 0.0, allocate)
    return np.maximum(0.0, scattered_seconds_per_byte(inputs, prefix, threads) - ahead)
