"""Computes the time of page walks.

A TLB is a cache of translations, so the footprints of a nest in pages, compared with its number of entries, yield the
misses. Page walks of streams are part of the bandwidths, which are measured on the same pages. So only further misses
count: columns of a large matrix touch a new page with every line.
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


def page_walks(
    nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], split: Split, volumes: Volumes
) -> Value | None:
    """Seconds of one thread for page walks beyond those of streams; None without TLB parameters. For irregular accesses
    they are part of the bandwidth of random lines."""
    if not all(path in inputs.machine for path in PARAMETERS):
        return None
    page = float(inputs.machine.value("tlb.page_size"))
    shape = footprints(nest, values, page, split.depth, split.threads)
    met = shape.traffic(inputs.value("tlb.entries") * page)
    regular: Value = sum((met[array.name] for array in shape.arrays if array.scattered is None), 0.0)
    streamed = next(iter(volumes.bytes.values()), 0.0) / split.threads
    walks = np.maximum(0.0, regular - streamed) / page
    return walks * inputs.seconds("tlb.walk") * split.imbalance
