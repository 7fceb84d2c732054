"""Computes the time of address translations that miss the TLB.

A TLB is a cache of translations, so the footprints of a nest in pages, compared with its number of entries, yield the
misses. Those of streams are part of the bandwidths, which are measured on the same pages. So only further misses count:
columns of a large matrix touch a new page with every line. A miss of the first level that hits the last one costs
`tlb.first_miss`, one that misses both a page walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints
from foretell.models.cpu.transfers.other_nests import Other, with_others

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs
    from foretell.models.cpu.parallel import Split
    from foretell.models.cpu.transfers.volumes import Volumes

PARAMETERS = ("tlb.page_size", "tlb.entries", "tlb.walk")
FIRST_LEVEL = ("tlb.first_entries", "tlb.first_miss")
#: ways of the last level, into whose sets pages fall by a hash, so that some are full before all are: 16 in a Golden
#: Cove core (Intel 64 and IA-32 Optimization Reference Manual, 2.2). Columns of 2,000 to 3,200 pages at 2,048 entries
#: were measured on an Emerald Rapids: hits of 0.84 at 0.98 of the entries, 0.68 at 1.03, 0.41 at 1.17, 0.19 at 1.37,
#: 0.06 at 1.56; sets filled at random have 0.76, 0.70, 0.51, 0.27, 0.12
_WAYS = {"tlb.entries": 16}
#: pages of which at least half is used are streamed through: rows that end within a page miss the first level once more
#: each, which nobody sees
_JUMPS = 2.0


@dataclass(frozen=True, slots=True)
class Waited:
    """Seconds in which lines wait for their bank, or are waited for by stores to `columns`: translations go on
    meanwhile."""

    banks: Value = 0.0
    stores: Value = 0.0
    columns: Collection[str] = ()


NOTHING = Waited()


def translations(
    nest: LoopNest,
    inputs: Inputs,
    values: Mapping[str, Value],
    split: Split,
    volumes: Volumes,
    waited: Waited = NOTHING,
    others: Sequence[Other] = (),
) -> Value | None:
    """Seconds of one thread for TLB misses beyond those of streams; None without TLB parameters. For irregular accesses
    they are part of the bandwidth of random lines. While lines wait for their bank, translations of later loads are
    looked up in the last level, as the strided bandwidths were measured. Walks of stores go
    on while earlier stores wait for their turn to commit."""
    if not all(path in inputs.machine for path in PARAMETERS):
        return None
    page = float(inputs.machine.value("tlb.page_size"))
    shape = footprints(nest, values, page, split.depth, split.threads)
    shape = with_others(shape, nest, others, values, page, split)
    streamed = next(iter(volumes.bytes.values()), 0.0) / split.threads

    def visited(entries: str, of: Collection[str] = ()) -> Value:
        met = shape.traffic(inputs.value(entries) * page, ways=_WAYS.get(entries))
        regular = (array.name for array in shape.arrays if array.scattered is None)
        return sum((met[name] for name in regular if name in of or not of), 0.0)

    walks = np.maximum(0.0, visited("tlb.entries") - streamed) / page
    time = walks * inputs.seconds("tlb.walk")
    if waited.columns:
        of_stores = visited("tlb.entries", waited.columns) / np.maximum(visited("tlb.entries"), 1.0)
        time = time - np.minimum(time * of_stores, waited.stores)
    if all(path in inputs.machine for path in FIRST_LEVEL):
        regular = visited("tlb.first_entries")
        misses = np.where(regular > _JUMPS * streamed, (regular - streamed) / page, 0.0)
        lookups = np.maximum(0.0, misses - walks) * inputs.seconds("tlb.first_miss")
        time = time + np.maximum(0.0, lookups - waited.banks)
    return time * split.imbalance
