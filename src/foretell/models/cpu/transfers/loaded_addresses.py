"""Finds transfers whose addresses are themselves loaded: columns of rows by pointers (`double **`), and values that an
array of indices picks.

The probed overlap is that of streams, whose addresses the core knows long before. A load that waits for the pointer to
its row enters the window late and stays there for both latencies, so less of the core's work passes meanwhile. How much
is not probed: half of the shorter, the rule for every overlap that is not known.

Floating-point values that indices pick are those of meshes, matrices and particles, whose numbering puts what belongs
together side by side; keys of tables and histograms, which are integers, may be any. Of data of which nothing is known
the middle counts: half of the lines of the former.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.symbolic.poly import Atom
from foretell.models.cpu.notes import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import ArrayUse, LoopNest, Subscript
    from foretell.models.cpu.transfers.volumes import Volumes


#: share of irregular lines that are not moved where neighbours are picked together
NEAR = 0.5


@lru_cache(maxsize=256)
def picked_values(nest: LoopNest) -> frozenset[str]:
    """Arrays of floating-point values that are read, or updated, at indices that lie in arrays as they are used."""
    return frozenset(array.label for array in nest.arrays if array.type.kind == "float" and _is_picked(array))


def _is_picked(array: ArrayUse) -> bool:
    found = [one for access in array.accesses for one in access.subscripts if one.index or one.opaque]
    return bool(found) and array.reads > 0 and all(_is_element(one) for one in found)


def _is_element(subscript: Subscript) -> bool:
    """Whether an irregular subscript is one element of an array of indices, but for constants."""
    atoms = [atom for atom in subscript.offset.atoms() if isinstance(atom, Atom)]
    return not subscript.opaque and [atom.op for atom in atoms] == [f"{subscript.index}[]"]


def said_of_picked(nest: LoopNest) -> Iterator[Note]:
    """What is assumed of these values."""
    for name in sorted(picked_values(nest)):
        yield Note(f"{name}: half of the values that indices pick are taken to lie beside others (none or all may)")


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
