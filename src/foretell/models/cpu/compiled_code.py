"""The compiled code of a program's functions: a whole call of each is followed, and its time divided between nests.

A nest owns the source lines of its loops and statements; instructions of lines between two of them belong to the one
before (statements go over several lines). Lines of several nests are divided by their iterations, and what belongs to
no nest (entry and exit of the function, functions without a loop) is shared in proportion.
"""

from __future__ import annotations

import bisect
import json
import os
import shlex
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.codegen.assembly.instruction_set import FOLLOWED
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.compiled.installed import NONE, Compiler, named_compiler, usual_compiler
from foretell.codegen.compiled.unit import Assembly, compile_unit, split_flags
from foretell.codegen.compilers.flags import DEFAULT_FLAGS
from foretell.codegen.compilers.host import host_cpu
from foretell.core.columns.tape import real
from foretell.errors import InputError
from foretell.models.cpu.incore.call_arguments import call_arguments
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.whole_call import Followed, follow_call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import FunctionInfo, LoopNest, Loops
    from foretell.models.base import Settings

#: set to `none`: no compiler is looked for unless one is named
_ENVIRONMENT = "FORETELL_CC"
_DATABASE = "compile_commands.json"


class NotFollowedError(Exception):
    """Why the compiled code of a nest cannot be followed."""


@dataclass(frozen=True)
class NestCycles:
    """Cycles of a nest in one call of its function, those in which L1 is busy, and its instructions with their
    executions."""

    cycles: float
    accesses: float
    instructions: tuple[tuple[Instruction, float], ...]
    assumptions: tuple[str, ...] = ()


class CompiledCode:
    """Compiled code of a program, for one machine and the options of a prediction."""

    def __init__(self, loops: Loops, machine: Machine, settings: Settings) -> None:
        self._loops, self._machine, self._settings = loops, machine, settings
        self._asked = bool(settings["cc"]) and settings["cc"] != NONE
        self._compiler = _compiler(settings["cc"], machine.traits.get("target.isa", ""))

    @property
    def usable(self) -> bool:
        """Whether there is code to follow: the user's own, or a compiler for the machine."""
        isa = self._machine.traits.get("target.isa", "")
        own = bool(self._settings["asm"]) and not self._settings["loop"]
        return isa in FOLLOWED and (own or self._compiler is not None)

    def cycles(self, nest: LoopNest, machine: Machine, sizes: Mapping[str, int]) -> NestCycles:
        """Follows a call of the nest's function at these sizes, and gives the nest its part."""
        info = next((one for one in self._loops.functions if one.name == nest.function), None)
        if info is None or nest.language != "c" or not nest.file.endswith((".c", ".h")):
            raise NotFollowedError("only functions in C are compiled")
        assembly, root = self._code(nest, sizes)
        followed = _followed(assembly.text, assembly.made_by, root, _Key(machine), info, tuple(sorted(sizes.items())))
        return self._part(nest, followed, sizes, assembly)

    def _code(self, nest: LoopNest, sizes: Mapping[str, int]) -> tuple[Assembly, str]:
        """The assembly, and the function in it. A static function that gcc inlined everywhere, or has made clones of,
        is compiled once more by itself."""
        isa = self._machine.traits["target.isa"]
        assembly = self._assembly(nest, sizes)
        try:
            return assembly, _found(_functions(assembly.text, isa, assembly.made_by), nest.function)
        except NotFollowedError:
            if self._settings["asm"] or self._compiler is None or not self._compiler.gcc:
                raise
        assembly = self._assembly(nest, sizes, "-fkeep-static-functions", "-fkeep-inline-functions")
        return assembly, _found(_functions(assembly.text, isa, assembly.made_by), nest.function)

    def _assembly(self, nest: LoopNest, sizes: Mapping[str, int], *more: str) -> Assembly:
        if name := self._settings["asm"]:
            return Assembly(files.read_text(Path(name)), name)
        assert self._compiler is not None
        flags = (*self._flags(Path(nest.file), self._compiler), *more)
        try:
            return compile_unit(Path(nest.file), self._compiler, flags, sizes.items())
        except InputError as error:
            if self._asked:
                raise
            raise NotFollowedError(str(error)) from None

    def _flags(self, file: Path, compiler: Compiler) -> tuple[str, ...]:
        """The user's flags: of the command line, of the environment, or of the compilation database beside the
        file."""
        given = self._settings["flags"]
        if given == DEFAULT_FLAGS:
            given = os.environ.get("CFLAGS", "") or _of_database(file) or given
        cpu = self._machine.traits.get("target.cpu", "")
        own = cpu == host_cpu() or (cpu == "" and compiler.gcc)
        target = "mcpu" if compiler.isa == "aarch64" else "march"  # for Arm, -march is an architecture
        return tuple(f"-{target}={cpu}" if word == "-march=native" and not own else word for word in split_flags(given))

    def _part(self, nest: LoopNest, followed: Followed, sizes: Mapping[str, int], assembly: Assembly) -> NestCycles:
        nests = [one for one in self._loops.nests if one.function == nest.function and one.status != "refused"]
        lines = _Lines(nest, nests, self._loops, sizes)
        mine: list[tuple[Instruction, float]] = []
        parts: dict[int, float] = defaultdict(float)
        shared = 0.0
        place = next(k for k, one in enumerate(nests) if one is nest or one.loops == nest.loops)
        known = any(one.source_line for _, one in followed.rows)
        if not known and len(nests) > 1:
            raise NotFollowedError(f"{assembly.made_by} has no line information (-g)")
        for (_, one), count, cycles in zip(followed.rows, followed.counts, followed.cycles, strict=True):
            if not count:
                continue
            owners = lines.owners(one) if known else {0: 1.0}
            if owners is None:
                continue
            if not owners:
                shared += cycles
            for number, share in owners.items():
                parts[number] += share * cycles
            if owners.get(place, 0.0) > 0:
                mine.append((one, count * owners[place]))
        total = sum(parts.values())
        if not parts.get(place) or total <= 0:
            raise NotFollowedError("no instruction of the compiled code comes from its lines")
        cycles = parts[place] * (1 + shared / total)
        return NestCycles(
            cycles, cycles * min(1.0, followed.result.accesses), tuple(mine), (assembly.made_by, *followed.assumptions)
        )


class _Lines:
    """Which nests of a function a source line belongs to."""

    def __init__(self, nest: LoopNest, nests: Sequence[LoopNest], loops: Loops, sizes: Mapping[str, int]) -> None:
        self._file = Path(nest.file).name
        self._owned: dict[int, dict[int, float]] = defaultdict(dict)
        for number, one in enumerate(nests):
            trips = max(1.0, float(real(one.trips.evaluate(sizes)))) if one.trips.symbols() <= set(sizes) else 1.0
            for line in {*(loop.line for loop in one.loops), *(s.line for level in one.levels for s in level)}:
                self._owned[line][number] = trips
        self._lines = sorted(self._owned)
        functions = sorted((info.line, info.name) for info in loops.functions if Path(info.file).name == self._file)
        self._starts = [line for line, _ in functions]
        self._names = [name for _, name in functions]
        self._function = nest.function
        self._separate = {site.callee for site in loops.calls if site.treatment == "separate"} - {nest.function}

    def owners(self, one: Instruction) -> dict[int, float] | None:
        """The share of each nest in an instruction; none: of all nests; None: of a function that is counted
        elsewhere."""
        line = one.source_line
        if one.source_file and Path(one.source_file).name != self._file:
            return {}
        if line in self._owned:
            return self._shares(line)
        place = bisect.bisect_right(self._starts, line) - 1
        name = self._names[place] if place >= 0 else ""
        if name != self._function:
            return None if name in self._separate else {}
        before = bisect.bisect_right(self._lines, line) - 1
        if before < 0 or self._lines[before] < self._starts[place]:
            return {}
        return self._shares(self._lines[before])

    def _shares(self, line: int) -> dict[int, float]:
        owners = self._owned[line]
        total = sum(owners.values())
        return {number: trips / total for number, trips in owners.items()}


@dataclass(frozen=True)
class _Key:
    """A machine as a cache key."""

    machine: Machine

    def __hash__(self) -> int:
        return hash(self.machine.content_hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.machine.content_hash == self.machine.content_hash


@lru_cache(maxsize=32)
def _functions(text: str, isa: str, name: str) -> tuple[Function, ...]:
    return read_listing(text, isa, name)


@lru_cache(maxsize=256)
def _followed(
    text: str, name: str, root: str, key: _Key, info: FunctionInfo, sizes: tuple[tuple[str, int], ...]
) -> Followed:
    machine = key.machine
    functions = _functions(text, machine.traits["target.isa"], name)
    values = dict(sizes)
    given = call_arguments(info.arguments, values)
    if given is None:
        raise NotFollowedError("it has a parameter that is neither a number nor a pointer")
    followed = follow_call(functions, root, machine, _costs(machine, functions), given.values, given.words, values)
    if failure := followed.result.failure:
        raise NotFollowedError({"long": "the call is too long to follow"}.get(failure, failure))
    if followed.guessed:
        raise NotFollowedError("the end of a loop depends on values that are not known")
    return followed


def _costs(machine: Machine, functions: Sequence[Function]) -> Costs:
    """Costs of the machine; with the widest vectors in use, some units do no vector work."""
    words = machine.traits.get("cores.ports_closed_by_wide_vectors", "").split()
    widest = machine.value("cores.simd_width") if "cores.simd_width" in machine else 0
    used = max((one.bytes for f in functions for block in f.blocks for one in block.instructions), default=0)
    return Costs(machine, frozenset(words) if words and used == widest else frozenset())


def _found(functions: Sequence[Function], name: str) -> str:
    names = [function.name for function in functions]
    if name in names:
        return name
    clones = [other for other in names if other.startswith(f"{name}.")]
    if clones:
        raise NotFollowedError(f"the compiler made {clones[0]} of it, with other parameters")
    raise NotFollowedError("the compiler left no function of that name: it was inlined, or is never called")


def _compiler(name: str, isa: str) -> Compiler | None:
    if name == NONE or (not name and os.environ.get(_ENVIRONMENT) == NONE):
        return None
    if not name:
        return usual_compiler(isa)
    found = named_compiler(name)
    if isa and found.isa != isa:
        raise InputError(f"--cc {name} compiles for {found.isa}, the machine is {isa}")
    return found


def _of_database(file: Path) -> str:
    """The flags of a file in the compilation database beside it."""
    for place in (file.parent / _DATABASE, file.parent / "build" / _DATABASE):
        if not place.is_file():
            continue
        try:
            entries = json.loads(files.read_text(place))
            for entry in entries:
                folder = place.parent / entry.get("directory", ".")
                if (folder / entry["file"]).resolve() == file.resolve():
                    words = entry.get("arguments") or shlex.split(entry["command"])
                    return shlex.join(word for word in words[1:] if not word.endswith(Path(entry["file"]).name))
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise InputError(f"is not a compilation database: {error}", file=place) from None
    return ""
