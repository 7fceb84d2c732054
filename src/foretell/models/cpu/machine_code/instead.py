"""A call of compiled code in place of loop nests whose sizes are not all known.

A folded condition or an inlined function may hold what a nest of the source lacks (`if (is_little_endian())`): the
compiled code has it, as it has instructions that are called by name. Sizes that the user knows are asked for; how
often loops go round that end otherwise is a rule of the followed call.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.characterize.layout.array_lengths import assumed_lengths
from foretell.core.columns.tape import real
from foretell.core.facets.machine_code import MachineCode
from foretell.core.workload import CALL_INSTEAD
from foretell.errors import ForetellError, UnsupportedError
from foretell.models.base import Inputs
from foretell.models.cpu.machine_code.model import MachineCodeModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import Loops
    from foretell.core.workload import Workload
    from foretell.models.base import Settings


def call_of(
    loops: Loops, workload: Workload, machine: Machine, settings: Settings, why: str, unchecked: bool = False
) -> Workload | None:
    """The workload as a call of its function, and `why`; None where there is none, or it cannot be followed.
    `unchecked`: one that lacks numbers is not followed yet."""
    info = next((one for one in loops.functions if one.name == workload.name and one.language == "c"), None)
    if info is None:
        return None
    words = tuple((name, value) for name, value in loops.given if isinstance(value, str))
    text = files.read_text(Path(settings["asm"])) if settings["asm"] else ""
    lengths, assumed = _lengths(loops, info.name, workload.parameters)
    code = MachineCode(
        info.name, text=text, source=info.unit or info.file, parameters=info.arguments, macros=loops.macros,
        words=words, lengths=tuple(lengths.items()),
    )  # fmt: skip
    said = (*workload.assumptions, f"{why}{CALL_INSTEAD}", *assumed)
    decided = {name: float(value) for name, value in loops.given if not isinstance(value, str)}
    call = replace(workload, facets=(code,), assumptions=said, parameters={**decided, **workload.parameters})
    try:
        MachineCodeModel()._times(call, Inputs(machine, {}), settings, call.parameters)
    except ForetellError as error:
        lacking = [one for one in info.arguments if one.kind == "integer" and one.name not in call.parameters]
        return call if lacking and unchecked and not isinstance(error, UnsupportedError) else None
    return call


def _lengths(loops: Loops, function: str, values: Mapping[str, float]) -> tuple[dict[str, int], list[str]]:
    """Bytes of the arrays at unknown places of which a nest loads, by parameter, and what is assumed of them."""
    lengths: dict[str, int] = {}
    said = []
    own = [one for one in loops.averaged.nests if one.function == function]
    nests = [one for one in own if one.trips.symbols() <= values.keys()]
    for nest in nests:
        found, notes = assumed_lengths(nest, values, nests)
        said += [f"{function}, line {nest.line}: {note}" for note in notes]
        known = {**values, **found}
        for array in nest.arrays:
            inner = [dim.extent for dim in array.dims[1:]]
            if f"{array.name}_length" not in known or any(one is None or one.symbols() - known.keys() for one in inner):
                continue
            elements = prod((float(real(one.evaluate(known))) for one in inner if one is not None), start=1.0)
            size = array.member.size if array.member is not None else array.type.size
            length = int(float(known[f"{array.name}_length"]) * elements * size)
            lengths[array.name] = max(length, lengths.get(array.name, 0))
    return lengths, said
