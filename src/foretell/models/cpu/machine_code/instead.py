"""A call of compiled code in place of loop nests whose sizes are not all known.

A folded condition or an inlined function may hold what a nest of the source lacks (`if (is_little_endian())`): the
compiled code has it, as it has instructions that are called by name. Sizes that the user knows are asked for; how
often loops go round that end otherwise is a rule of the followed call.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.core.facets.machine_code import MachineCode
from foretell.core.workload import CALL_INSTEAD
from foretell.errors import ForetellError, UnsupportedError
from foretell.models.base import Inputs
from foretell.models.cpu.machine_code.model import MachineCodeModel

if TYPE_CHECKING:
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
    code = MachineCode(
        info.name, text=text, source=info.file, parameters=info.arguments, macros=loops.macros, words=words
    )
    call = replace(workload, facets=(code,), assumptions=(*workload.assumptions, f"{why}{CALL_INSTEAD}"))
    try:
        MachineCodeModel()._times(call, Inputs(machine, {}), settings, call.parameters)
    except ForetellError as error:
        lacking = [one for one in info.arguments if one.kind == "integer" and one.name not in call.parameters]
        return call if lacking and unchecked and not isinstance(error, UnsupportedError) else None
    return call
