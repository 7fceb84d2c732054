"""C functions without loops in this file, such as straight-line code or a call of a header's inline function: a call of
their compiled code is followed instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.facets.machine_code import MachineCode
from foretell.frontends.source.selection import reached

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.nest.loopnest import Loops


def compiled_function(loops: Loops, kernel: str, paths: Sequence[Path]) -> MachineCode | None:
    """The compiled code of a C function that has no loops; None where it or what it calls has some, it is not defined
    here, or is Fortran, whose arguments are passed in ways that its declaration does not say."""
    info = next((one for one in loops.functions if one.name == kernel and one.language == "c"), None)
    if info is None or any(nest.function in reached(loops, kernel) for nest in loops.nests):
        return None
    return MachineCode(
        kernel,
        source=next((str(path) for path in paths if str(path) == info.file), str(paths[0])),
        parameters=info.arguments,
        macros=loops.macros,
        words=tuple((name, value) for name, value in loops.given if isinstance(value, str)),
    )
