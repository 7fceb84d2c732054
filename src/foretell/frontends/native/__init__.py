"""Reads compiled code of CPUs: assembly text, objects and executables; C++ is compiled for each machine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell.core.facets.machine_code import MachineCode
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.files import content_hash, read_bytes
from foretell.frontends.native.elf_machine import is_cpu_object

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ASSEMBLY_SUFFIXES = frozenset({".s", ".S", ".asm"})
CXX_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++"})
#: what is compiled for each machine; C only where its arguments are given in order
_COMPILED = CXX_SUFFIXES | {".c"}
_MAX_BYTES = 512 << 20
#: functions that a message names
_SHOWN = 20


def is_native(path: Path) -> bool:
    """Whether a file is assembly, a CPU's object or executable, or C++."""
    return path.suffix in ASSEMBLY_SUFFIXES | CXX_SUFFIXES or is_cpu_object(path)


def read_native(
    path: Path,
    kernel: str | None,
    arguments: Sequence[str],
    trips: Sequence[tuple[str, str]] = (),
    trip_from_run: str = "",
    cflags: str = "",
) -> Workload:
    """Reads a function of compiled code, with the arguments of the call. Loops that data end go round as `trips` say
    (line, mean iterations), or as in a run of the program of a source, by the command `trip_from_run`."""
    if not kernel:
        raise _needs_function(path)
    from foretell.frontends.native.arguments import parse_arguments
    from foretell.frontends.native.default_arguments import with_defaults
    from foretell.frontends.native.functions import find_function
    from foretell.frontends.native.objects import disassembled

    content = read_bytes(path, _MAX_BYTES)
    notes: tuple[str, ...] = ()
    if path.suffix in CXX_SUFFIXES:
        arguments, notes = with_defaults(content.decode(errors="replace"), kernel, arguments)
    given = parse_arguments(arguments)
    if path.suffix in _COMPILED:
        counted = _rounds(path, trip_from_run, cflags) if trip_from_run else {}
        said = ", ".join(f"{often:.6g} in line {line}" for line, often in counted.items())
        notes += (f"mean iterations of loops in the run of {trip_from_run}: {said}",) if counted else ()
        rounds = tuple((path.name, line, often) for line, often in {**counted, **_trips(trips)}.items())
        code = MachineCode(kernel, given, source=str(path), rounds=rounds)
    elif path.suffix in ASSEMBLY_SUFFIXES:
        text = content.decode(errors="replace")
        name, notes = find_function(text, kernel, path)
        code = MachineCode(name, given, text)
    else:
        text, isa, name, notes = disassembled(path, kernel)
        code = MachineCode(name, given, text, isa)
    return Workload(
        name=f"{path.name}:{kernel}",
        facets=(code,),
        parameters={},
        origin=str(path),
        input_hash=content_hash(content),
        assumptions=("one call with these arguments; arrays of different arguments do not overlap", *notes),
    )


def _trips(given: Sequence[tuple[str, str]]) -> dict[int, float]:
    """Mean iterations of loops by line, as the user gives them."""
    found: dict[int, float] = {}
    for line, text in given:
        try:
            found[int(line)] = float(text)
        except ValueError:
            raise InputError(f"--trip {line}={text}: give LINE=ITERATIONS") from None
        if not 1 <= found[int(line)] < math.inf:
            raise InputError(f"--trip {line}={text}: a loop that is entered goes round once or more often")
    return found


def _rounds(path: Path, command: str, cflags: str) -> dict[int, float]:
    """Mean iterations of the loops of a source in a run of its program, by line."""
    from foretell.frontends.source.counted_run import counted_run

    counts = counted_run(command, (path,), cflags)
    lines = sorted({line for name, line in counts.jumps if name == path.name})
    found = ((line, counts.trips(path.name, line)) for line in lines if counts.begins_loop(path.name, line))
    return {line: trips[0] for line, trips in found if trips is not None}


def _needs_function(path: Path) -> InputError:
    """Says how a function of the file is named, and which there are."""
    known: tuple[str, ...] = ()
    more = ""
    if path.suffix in _COMPILED:
        from foretell.frontends.native.cxx_functions import defined_functions

        functions = defined_functions(read_bytes(path, _MAX_BYTES).decode(errors="replace"))
        with_loops = [one for one in functions if one.loops] or functions
        known = tuple(f"{one.name}{'<…>' * one.template} (line {one.line})" for one in with_loops)
        more = f"; to see its loops: foretell describe {path} --trace"
    elif path.suffix in ASSEMBLY_SUFFIXES:
        from foretell.frontends.native.functions import function_names

        known = function_names(read_bytes(path, _MAX_BYTES).decode(errors="replace"))
        more = f"; with its source: foretell predict {path.stem}.c --asm {path}"
    else:
        from foretell.frontends.native.objects import symbol_names

        known = symbol_names(path)
        more = "" if known else "; it has no symbols: give the address of its first instruction, 0x…"
    listed = f"; functions: {', '.join(known[:_SHOWN])}" + (" and more" if len(known) > _SHOWN else "")
    hint = f"name it: {path}:FUNCTION or --kernel{more}{listed if known else ''}"
    return InputError("compiled code needs a function", file=path, hint=hint)
