"""Computes the time of page faults: data that no one has touched before the call (`--start flushed`).

The operating system maps and clears a page at its first access. Each array of a function faults in the first of its
nests; nothing hides these times.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import footprints
from foretell.models.cpu.notes import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs
    from foretell.models.cpu.nest_time import NestTime

PARAMETER = "memory.page_fault"
#: seconds of a fault on a machine that does not say it, an estimate: an exception, a page table entry, and 4 KiB
#: cleared. The interval goes from half of it to ten times as much: 8.1 us were measured in a virtual machine
#: (Neoverse-N1, 2026-11-17, 64 MiB touched page by page, fastest of nine)
_ESTIMATE, _LESS, _MORE = 0.8e-6, 0.5, 9.0
_PAGE = 4096.0


def with_page_faults(nests: Sequence[NestTime], inputs: Inputs) -> list[NestTime]:
    """The times of nests whose data was never touched."""
    page = float(inputs.machine.value("tlb.page_size")) if "tlb.page_size" in inputs.machine else _PAGE
    known = PARAMETER in inputs.machine
    cost = inputs.seconds(PARAMETER) if known else _ESTIMATE
    touched: set[tuple[str, str]] = set()
    made = []
    for one in nests:
        shape = footprints(one.nest, one.run.values, page)
        fresh = [array for array in shape.arrays if (one.nest.function, array.name) not in touched]
        touched |= {(one.nest.function, array.name) for array in shape.arrays}
        pages = sum((array.bytes[0] for array in fresh), 0.0) / page
        made.append(_slower(one, pages * cost / np.maximum(one.count, 1.0), known))
    return made


def _slower(nest: NestTime, seconds: Value, known: bool) -> NestTime:
    """The nest with page faults that nothing hides."""
    total = nest.seconds + seconds
    slower = replace(nest, transfers={**nest.transfers, "faults": seconds})
    text = f"a page fault takes {_ESTIMATE * 1e6:g} us: estimated, in virtual machines up to ten times as much"
    slower = replace(slower, exposed=np.maximum(0.0, total - slower.fastest))
    if known:
        return slower
    return replace(slower, doubt=(seconds * _LESS, seconds * _MORE), notes=(*nest.notes, Note(text)))
