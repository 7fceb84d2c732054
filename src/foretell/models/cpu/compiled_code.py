"""The compiled code of a program's functions: a whole call of each is followed, and its time divided between nests.

A nest owns the source lines of its loops and statements; instructions of lines between two of them belong to the one
before (statements go over several lines). Lines of several nests are divided by their iterations, and what belongs to
no nest (entry and exit of the function, functions without a loop) is shared in proportion.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell import files
from foretell.codegen.assembly.identity import function_identity
from foretell.codegen.assembly.instruction_set import FOLLOWED
from foretell.codegen.assembly.listing import function_names, read_listing
from foretell.codegen.assembly.openmp import without_runtime
from foretell.codegen.compiled.database import note_on_commands
from foretell.codegen.compiled.fortran import is_fortran
from foretell.codegen.compiled.installed import NONE
from foretell.codegen.compiled.unit import Assembly, compile_unit
from foretell.codegen.compilers.flags import DEFAULT_FLAGS
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.core.outlined import is_outlined
from foretell.errors import InputError
from foretell.models.cpu.alternatives import running
from foretell.models.cpu.condition_shares import Condition, give_chances, known_conditions
from foretell.models.cpu.incore.calls.call_arguments import call_arguments
from foretell.models.cpu.incore.calls.chosen_compiler import chosen_compiler, flags_for
from foretell.models.cpu.incore.calls.core_key import CoreKey
from foretell.models.cpu.incore.calls.inlined_calls import per_call, running_in
from foretell.models.cpu.incore.calls.linked_code import region_not_followed
from foretell.models.cpu.incore.calls.load_chains import chained_loads
from foretell.models.cpu.incore.calls.nests_by_line import NestsByLine, accesses_memory, info_of
from foretell.models.cpu.incore.calls.nests_that_run import NestLines, lead_to_nests
from foretell.models.cpu.incore.calls.on_data.open_ends import early_ends, ends_by_count, is_counted, uneven_lines
from foretell.models.cpu.incore.calls.on_data.steered_loads import with_line_waits
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.instruction_tables import BETWEEN
from foretell.models.cpu.incore.ooo_core import core_numbers
from foretell.models.cpu.parallel import marked
from foretell.models.cpu.transfers.compiled_order import code_loops

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.loopnest import LoopNest, Loops
    from foretell.models.base import Settings
    from foretell.models.cpu.condition_shares import LoopTree
    from foretell.models.cpu.incore.calls.on_data.open_ends import Rounds
    from foretell.models.cpu.incore.instruction_tables import Tables
    from foretell.models.cpu.transfers.compiled_order import CodeLoop

    Rows = Sequence[tuple[str, Instruction]]

#: instead of the number of a nest: what all share
_SHARED = -1
#: iterations of the source that one instruction can do: 64 elements of a byte in a vector
_MOST_AT_ONCE = 64
#: an instruction is executed once in an iteration at most; so many times more often, the code is not that of the source
_FAR_MORE = 4
_TOO_LONG = "the call is too long to follow"


class NotFollowedError(Exception):
    """Why the compiled code of a nest cannot be followed."""


class OpenCodeError(NotFollowedError):
    """Which code of a nest runs, or how often, depends on what is not known."""


@dataclass(frozen=True)
class NestCycles:
    """Cycles of a nest in one call of its function, those in which L1 is busy, its instructions with their executions,
    the cycles that may be fewer or more than that (`doubt`), the cycles of each source line, the loads that wait for
    one another, the share of its iterations that run, as data end loops, and of its cycles that data steer."""

    cycles: float
    accesses: float
    instructions: tuple[tuple[Instruction, float], ...]
    assumptions: tuple[str, ...] = ()
    doubt: tuple[float, float] = (0.0, 0.0)
    lines: tuple[tuple[int, float], ...] = ()
    chained: float = 0.0
    runs: float = 1.0
    steered: float = 0.0


class CompiledCode:
    """Compiled code of a program, for one machine and the options of a prediction."""

    def __init__(self, loops: Loops, machine: Machine, settings: Settings) -> None:
        self._loops, self._machine, self._settings = loops, machine, settings
        #: a compiler or flags of the user's own: what they cannot compile is an error, not a reason to fall back
        self._asked = settings["cc"] != NONE and (bool(settings["cc"]) or settings["flags"] != DEFAULT_FLAGS)
        self._compiler = chosen_compiler(settings["cc"], machine)
        self._flags_given = {name: value for name, value in loops.given if isinstance(value, int)}
        self._texts = tuple((name, value) for name, value in loops.given if isinstance(value, str))
        #: those whose code is asked for
        self._functions = tuple(sorted({nest.function for nest in loops.nests if nest.language == "c"}))
        self._of_functions: dict[object, tuple[list[LoopNest], NestsByLine]] = {}

    @property
    def usable(self) -> bool:
        """Whether there is code to follow: the user's own, or a compiler for the machine."""
        isa = self._machine.traits.get("target.isa", "")
        own = bool(self._settings["asm"]) and not self._settings["loop"]
        return isa in FOLLOWED and (own or self._compiler is not None)

    def cycles(self, nest: LoopNest, machine: Machine, sizes: Mapping[str, int], shared: bool = False) -> NestCycles:
        """Follows a call of the nest's function at these sizes, and gives the nest its part. `shared`: threads share
        its work, which is in an outlined body then."""
        if not shared and not self.runs(nest, sizes):  # nor does another: those that do not run are left out before
            raise NotFollowedError("the call ends before its loops")
        followed, assembly, calls = self._follow(nest, machine, sizes, shared)
        followed = with_line_waits(followed, machine)
        part = per_call(self._part(nest, followed, sizes, assembly), calls)
        _check_rounds(nest, part, sizes)
        bodies = [name for name in dict.fromkeys(name for name, _ in followed.rows) if is_outlined(name)]
        said: tuple[str, ...] = ()
        if bodies:
            said = (f"parallel regions are followed in {', '.join(bodies)}; threads share their work",)
        if not self._settings["asm"]:
            said += note_on_commands(_unit(self._loops, nest), self._settings["flags"])
        return replace(part, assumptions=(*part.assumptions, *said))

    def runs(self, nest: LoopNest, sizes: Mapping[str, Value]) -> bool:
        """Whether some code of the nest is executed: not where a condition that the call decides chooses another
        alternative. What cannot be followed is taken to run."""
        if any(np.ndim(value) for value in sizes.values()):
            return True
        whole = {name: int(value) for name, value in sizes.items() if name != "threads"}
        try:
            followed, _, _ = self._follow(nest, self._machine, whole)
        except NotFollowedError:
            return True
        lines, place = self._lines(nest, whole)
        rows = zip(followed.rows, followed.counts, strict=True)
        counts = [count for (_, one), count in rows if lines.names(one, place)]
        return not counts or any(counts)

    def loops(self, nest: LoopNest, sizes: Mapping[str, Value]) -> tuple[CodeLoop, ...]:
        """The loops of machine code around the accesses of a nest, outermost first; none, where it is not followed."""
        if any(np.ptp(value) for value in sizes.values()):
            return ()
        whole = _whole(sizes)
        try:
            followed, _, calls = self._follow(nest, self._machine, whole)
        except NotFollowedError:
            return ()
        if calls != 1:
            return ()
        lines, position = self._lines(nest, whole)
        only = lines.nests == 1 and not any(one.source_line for _, one in followed.rows)
        mine = [lines.names(one, position) or (only and accesses_memory(one)) for _, one in followed.rows]
        return code_loops(followed, [row for row, count in enumerate(followed.counts) if count and mine[row]])

    def ended(self, nest: LoopNest, sizes: Mapping[str, Value]) -> dict[int, float]:
        """The lines of loops that data end before their counts do, and the share of these that runs in the mean."""
        if any(np.ptp(value) for value in sizes.values()):
            return {}
        try:
            followed, _, calls = self._follow(nest, self._machine, _whole(sizes))
        except NotFollowedError:
            return {}
        return dict(followed.shortened) if calls == 1 else {}

    def text(self, sizes: Mapping[str, int]) -> str:
        """The code of all functions with nests, without labels and lines; '' where some of it is not compiled."""
        known = {**self._flags_given, **sizes}
        nests = {nest.function: nest for nest in self._loops.nests if nest.status != "refused"}
        try:
            code = [self._code(nest, known) for nest in nests.values() if nest.language == "c"]
        except NotFollowedError:
            return ""
        texts = [function_identity(assembly.text, root) for assembly, root, _ in code]
        return "\n".join(texts) if len(texts) == len(nests) else ""

    def _follow(
        self, nest: LoopNest, machine: Machine, sizes: Mapping[str, int], shared: bool = False
    ) -> tuple[Followed, Assembly, float]:
        """A call as followed, its code, and how often the nest's function runs in it."""
        info, unit = info_of(self._loops, nest), _unit(self._loops, nest)
        if info is None or not (is_fortran(unit) or (nest.language == "c" and unit.suffix in (".c", ".h"))):
            raise NotFollowedError("only functions in C and Fortran are compiled")
        if is_fortran(unit) and not self._settings["asm"] and not (self._compiler and self._compiler.fortran):
            raise NotFollowedError("no gfortran is installed beside the C compiler")
        sizes = {**self._flags_given, **sizes}
        assembly, root, calls = self._code(nest, sizes, shared)
        outer = next((one for one in self._loops.functions if calls and one.name == root), None)
        if outer is not None:
            with suppress(NotFollowedError):
                return self._call(nest, assembly, root, outer, machine, sizes), assembly, calls
            assembly, root, _ = self._code(nest, sizes, shared, alone=True)
        return self._call(nest, assembly, root, info, machine, sizes), assembly, 1.0

    def _call(
        self, nest: LoopNest, assembly: Assembly, root: str, info: FunctionInfo, machine: Machine,
        sizes: Mapping[str, int],
    ) -> Followed:  # fmt: skip
        """The call of a function that is the nest's, or that the nest's runs in."""
        known = tuple(sorted(sizes.items()))
        alias = tuple(name.strip() for name in self._settings["alias"].split(",") if name.strip())
        nests = [one for one in self._loops.nests if one.function in (nest.function, info.name)]
        conditions, counted = known_conditions(nests, sizes), all(map(is_counted, nests))
        # of counted loops in a parallel region, an end that is not known is a value that was lost on the way there
        plain = any(marked(one) is not None for one in nests) and all(map(ends_by_count, nests))
        data = self._settings["data"]
        early = () if plain else early_ends(nests, sizes, data == "one_place")
        followed = _followed(
            assembly.text, assembly.made_by, root, CoreKey(machine), info, known, self._texts, alias, conditions,
            counted, data, uneven_lines(nests), _lines_alone(nests, sizes), early,
        )  # fmt: skip
        if isinstance(followed, str):
            raise (NotFollowedError if plain or followed == _TOO_LONG else OpenCodeError)(followed)
        return followed

    def _code(
        self, nest: LoopNest, sizes: Mapping[str, int], shared: bool = False, alone: bool = False
    ) -> tuple[Assembly, str, float]:
        """The assembly, the function in it, and how often the nest's runs in that, if it is another. A static function
        that was inlined everywhere, or of which there are only clones, runs in its caller; where that is not known, and
        `alone`, it is compiled once more with its address taken."""
        isa = self._machine.traits["target.isa"]
        assembly = self._assembly(nest, sizes, shared)
        own = bool(self._settings["asm"])
        names = _names(assembly.text, isa, assembly.made_by) if own else function_names(assembly.text)
        info = info_of(self._loops, nest)
        try:
            return assembly, _found(names, info.symbol if info is not None and info.symbol else nest.function), 0.0
        except NotFollowedError:
            caller = None if alone or shared else running_in(self._loops, nest.function, names, sizes)
            if caller is not None:
                return assembly, *caller
            if self._settings["asm"] or self._compiler is None or is_fortran(_unit(self._loops, nest)):
                raise
        assembly = self._assembly(nest, sizes, shared, keep=nest.function)
        return assembly, _found(_names(assembly.text, isa, assembly.made_by), nest.function), 0.0

    def _assembly(self, nest: LoopNest, sizes: Mapping[str, int], shared: bool, keep: str = "") -> Assembly:
        if name := self._settings["asm"]:
            return Assembly(files.read_text(Path(name)), name)
        assert self._compiler is not None
        unit = _unit(self._loops, nest)
        flags = flags_for(unit, self._compiler, self._machine, self._settings)
        if shared and not any(word.startswith(("-fopenmp", "-openmp")) for word in flags):
            flags = (*flags, "-fopenmp")
        try:
            words = self._with_macros(flags)
            return compile_unit(unit, self._compiler, words, sizes.items(), keep, self._functions)
        except InputError as error:
            if self._asked and not is_fortran(unit):  # Fortran's modules may not have been compiled yet
                raise
            raise NotFollowedError(str(error)) from None

    def _with_macros(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """Flags with the macros that the source was read with: sizes that are compiled in."""
        words = (f"-D{name}={text}" for name, text in self._loops.macros)
        return (*flags, *(word for word in words if word not in flags))

    def _part(self, nest: LoopNest, followed: Followed, sizes: Mapping[str, int], assembly: Assembly) -> NestCycles:
        lines, position = self._lines(nest, sizes)
        known = any(other.source_line for _, other in followed.rows)
        if not known and lines.nests > 1:
            raise NotFollowedError(f"{assembly.made_by} has no line information (-g)")
        mine: list[tuple[Instruction, float]] = []
        parts: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(4))  # cycles, less, more, steered
        by_line: dict[int, float] = defaultdict(float)
        chains, chained = chained_loads(followed, core_numbers(self._machine)["reorder"]), 0.0
        rows = zip(followed.rows, followed.counts, followed.cycles, followed.doubts, strict=True)
        for place, ((_, other), count, cycles, doubt) in enumerate(rows):
            owners = (lines.owners(other) if known else {0: 1.0}) if count else None
            if owners is None:
                continue
            times = np.array([cycles, *doubt, cycles * followed.steered[place]])
            for number, share in (owners or {_SHARED: 1.0}).items():
                parts[number] += share * times
            if position in owners:
                mine.append((other, count * owners[position]))
                by_line[other.source_line] += cycles * owners[position]
                chained += chains.get(place, 0.0) * owners[position]
        _check_entered(nest, mine, followed, sizes)
        shared = parts.pop(_SHARED, np.zeros(4))
        total = sum(part[0] for part in parts.values())
        share = parts[position][0] / total if total > 0 else 1 / lines.nests
        cycles, less, more, uncertain = (float(number) for number in parts[position] + share * shared)
        assumptions = (assembly.made_by, *followed.assumptions, *_removed(nest, mine, sizes))
        accesses = cycles * min(1.0, followed.result.accesses)
        doubt = (min(max(less, 0.0), cycles), max(more, 0.0))
        ended = dict(followed.shortened)
        runs = prod(ended.get(loop.line, 1.0) for loop in nest.loops)
        told = tuple(sorted((line, part) for line, part in by_line.items() if line))
        ends = runs, uncertain / cycles if cycles else 0.0
        return NestCycles(cycles, accesses, tuple(mine), assumptions, doubt, told, chained, *ends)

    def _lines(self, nest: LoopNest, sizes: Mapping[str, int]) -> tuple[NestsByLine, int]:
        """The lines of the nests of a function, and the number of this one."""
        key = (nest.function, nest.file, tuple(sizes.items()))
        if key not in self._of_functions:
            nests = [one for one in self._loops.nests if one.function == nest.function and one.status != "refused"]
            self._of_functions[key] = nests, NestsByLine(nest, nests, self._loops, sizes)
        nests, lines = self._of_functions[key]
        return lines, next(k for k, one in enumerate(nests) if one is nest or one.loops == nest.loops)


def _whole(sizes: Mapping[str, Value]) -> dict[str, int]:
    """Sizes that are the same at all points."""
    return {name: int(np.max(value)) for name, value in sizes.items() if name != "threads"}


def _unit(loops: Loops, nest: LoopNest) -> Path:
    """The file that is compiled for a nest: the one that was read, where the nest's is included by it."""
    info = info_of(loops, nest)
    return Path(info.unit if info is not None and info.unit else nest.file)


def _check_entered(
    nest: LoopNest, mine: Sequence[tuple[Instruction, float]], followed: Followed, sizes: Mapping[str, int]
) -> None:
    """Refuses code in which a jump on unknown values went around the nest."""
    if not followed.result.open_jumps or not nest.trips.symbols() <= set(sizes):
        return
    executed = sum(count for _, count in mine)
    if executed * _MOST_AT_ONCE < float(real(nest.trips.evaluate(sizes))):
        raise OpenCodeError("whether its loop is entered depends on values that are not known")


def _check_rounds(nest: LoopNest, part: NestCycles, sizes: Mapping[str, int]) -> None:
    """Refuses code whose loops went round far more often than the source says: a queue that grows by a rule for data
    as long as it is not empty may never be."""
    most = iterations(nest.loops, len(nest.loops))
    if most.symbols() <= set(sizes):
        often = max((count for one, count in part.instructions if accesses_memory(one)), default=0.0)
        if often > _FAR_MORE * max(1.0, float(real(most.evaluate(sizes)))):
            raise OpenCodeError("by the rule for data its loops would go round far more often than the source says")


def _removed(nest: LoopNest, mine: Sequence[tuple[Instruction, float]], sizes: Mapping[str, int]) -> Iterator[str]:
    """Says where a loop of the source is not in the code."""
    if nest.trips.symbols() <= set(sizes):
        iterations = float(real(nest.trips.evaluate(sizes)))
        if sum(count for _, count in mine) * _MOST_AT_ONCE < iterations:
            where = f"{nest.function}, line {nest.line}"
            yield f"{where}: the compiler left no code that iterates: its results are not used, or computed otherwise"


@lru_cache(maxsize=32)
def functions_of(text: str, isa: str, name: str, root: str = "") -> tuple[Function, ...]:
    """The functions of an assembly text; with `root`, those that it may call."""
    return read_listing(without_runtime(text, isa), isa, name, root)


@lru_cache(maxsize=32)
def _names(text: str, isa: str, name: str) -> list[str]:
    """The names of all functions; of text without directives, those of its labels."""
    return function_names(text) or [function.name for function in functions_of(text, isa, name)]


@lru_cache(maxsize=256)
def _followed(
    text: str,
    name: str,
    root: str,
    key: CoreKey,
    info: FunctionInfo,
    sizes: tuple[tuple[str, int], ...],
    texts: tuple[tuple[str, str], ...] = (),
    alias: tuple[str, ...] = (),
    conditions: tuple[Condition, ...] = (),
    counted: bool = False,
    data: str = "repeated",
    uneven: frozenset[int] = frozenset(),
    alone: tuple[NestLines, ...] = (),
    early: tuple[Rounds, ...] = (),
) -> Followed | str:
    """The call as followed, or why it is not: both are asked for again, and take as long to find. `counted`: the loops
    of the source are single and end by their counts; so those of the code that end by data are states of a machine."""
    machine = key.machine
    try:
        functions = functions_of(text, machine.traits["target.isa"], name, root)
    except InputError as error:
        return f"its code is not read: {error.message}"
    values = dict(sizes)
    names = {argument.name for argument in info.arguments}
    for name in alias:
        if name not in names:
            raise InputError(f"--alias {name}: {info.name} has no such parameter")
    given = call_arguments(info.arguments, values, dict(texts), alias)
    if given is None:
        return "it has a parameter that is neither a number nor a pointer"
    ruled = bool(early) and not counted
    followed = follow_call(
        functions, root, machine, Costs(machine), given.values, given.words, given.series, values, strides=True,
        chances=lambda made, rows, within: _give_chances(made, rows, conditions, alone, within),
        data=data, uneven=uneven, by_rule=ruled, ends_known=not counted and not ruled, early=early,
    )  # fmt: skip
    if failure := followed.result.failure:
        return {"long": _TOO_LONG}.get(failure, failure)
    if region_not_followed(followed):
        return "the body of its parallel region is not found"
    if (followed.guessed or followed.sizes) and not counted:
        return "the end of a loop depends on values that are not known"
    return followed


def _give_chances(
    made: Tables, rows: Rows, conditions: Sequence[Condition], alone: Sequence[NestLines], within: LoopTree
) -> dict[int, float]:
    ends = give_chances(made, rows, conditions, within)
    lead_to_nests(made, rows, alone)
    return {row: rounds for row, rounds in ends.items() if made.rows[row]["chance"] == BETWEEN}


def _lines_alone(nests: Sequence[LoopNest], sizes: Mapping[str, int]) -> tuple[NestLines, ...]:
    """The lines that are of one nest alone, of each nest of a function of which is known whether it runs."""
    own = [{s.line for level in nest.levels for s in level} | {loop.line for loop in nest.loops} for nest in nests]
    often = Counter(line for lines in own for line in lines)
    found = zip(own, running(nests, sizes), strict=True)
    alone = ((frozenset(line for line in lines if often[line] == 1), runs) for lines, runs in found)
    return tuple(NestLines(lines, runs) for lines, runs in alone if lines and runs is not None)


def _found(names: Sequence[str], name: str) -> str:
    if name in names:
        return name
    clones = [other for other in names if other.startswith(f"{name}.")]
    if clones:
        raise NotFollowedError(f"the compiler made {clones[0]} of it, with other parameters")
    raise NotFollowedError("the compiler left no function of that name: it was inlined, or is never called")
