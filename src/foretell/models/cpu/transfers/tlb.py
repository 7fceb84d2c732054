"""Computes the time of address translations that miss the TLB.

A TLB is a cache of translations, so the footprints of a nest in pages, compared with its number of entries, yield the
misses. Those of streams are part of the bandwidths, which are measured on the same pages. So only further misses count:
columns of a large matrix touch a new page with every line. A miss of the first level that hits the last one costs
`tlb.first_miss`, one that misses both a page walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.parallel import Split
    from foretell.models.cpu.transfers.volumes import Volumes

PARAMETERS = ("tlb.page_size", "tlb.entries", "tlb.walk")
FIRST_LEVEL = ("tlb.first_entries", "tlb.first_miss")


def translations(
    nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], split: Split, volumes: Volumes
) -> Value | None:
    """Seconds of one thread for TLB misses beyond those of streams; None without TLB parameters. For irregular accesses
    they are part of the bandwidth of random lines."""
    if not all(path in inputs.machine for path in PARAMETERS):
        return None
    page = float(inputs.machine.value("tlb.page_size"))
    shape = footprints(nest, values, page, split.depth, split.threads)
    streamed = next(iter(volumes.bytes.values()), 0.0) / split.threads

    def misses(entries: str) -> Value:
        met = shape.traffic(inputs.value(entries) * page)
        regular: Value = sum((met[array.name] for array in shape.arrays if array.scattered is None), 0.0)
        return np.maximum(0.0, regular - streamed) / page

    walks = misses("tlb.entries")
    time = walks * inputs.seconds("tlb.walk")
    if all(path in inputs.machine for path in FIRST_LEVEL):
        time = time + np.maximum(0.0, misses("tlb.first_entries") - walks) * inputs.seconds("tlb.first_miss")
    return time * split.imbalance
