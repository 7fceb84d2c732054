"""Finds transfers whose addresses are themselves loaded: columns of rows by pointers (`double **`).

The probed overlap is that of streams, whose addresses the core knows long before. A load that waits for the pointer to
its row enters the window late and stays there for both latencies, so less of the core's work passes meanwhile. How much
is not probed: half of the shorter, the rule for every overlap that is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.models.cpu.notes import Note

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.models.cpu.transfers.volumes import Volumes


def columns_by_pointers(nest: LoopNest, innermost: str) -> tuple[str, ...]:
    """The arrays of a C nest of which each iteration of the loop `innermost` loads another row's pointer."""
    if nest.language != "c":
        return ()
    return tuple(dict.fromkeys(array.label for array in nest.arrays if _changes_rows(array, innermost)))


def _changes_rows(array: ArrayUse, innermost: str) -> bool:
    tables = [number for number, dim in enumerate(array.dims[:-1]) if dim.stride is None]
    return any(
        innermost in dict(access.subscripts[number].coefficients) for access in array.accesses for number in tables
    )


def loaded_share(volumes: Volumes, names: tuple[str, ...]) -> Value:
    """The share of these arrays in all bytes that come into the innermost cache."""
    total: Value = sum(volumes.by_array.values(), 0.0)
    part: Value = sum((volumes.by_array.get(name, 0.0) for name in names), 0.0)
    some = np.greater(total, 0.0)
    return np.where(some, part / np.where(some, total, 1.0), 0.0)


def said(nest: LoopNest, names: tuple[str, ...], share: Value) -> Note:
    """What is assumed of their overlap."""
    text = (
        f"{nest.function}, line {nest.line}: pointers to rows of {', '.join(names)} are loaded in the innermost loop: "
        "half of the shorter of core time and their transfers is hidden"
    )
    return Note(text, np.greater(share, 0.0))
