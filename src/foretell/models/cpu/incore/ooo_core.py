"""A call of the emitted function, followed instruction by instruction through an out-of-order core.

So everything that the code does has its time: set-up of rows, remainders, loads that cross lines, stores that loads
wait for, chains that overlap, and ends of loops that no predictor foresees. A call that is too long to follow is
followed for a while, and its outermost loop that came round often enough goes on at the pace it had.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from foretell import _core
from foretell.models.cpu.incore.instruction_tables import tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.generate import Code
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.instruction_costs import Costs
    from foretell.models.cpu.incore.instruction_tables import Tables

    Floats = NDArray[np.float64]

#: registers that whole numbers are handed over in (System V ABI for x86-64, Section 3.2.3)
_GIVEN = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
_STACK = 1 << 46
_APART = 1 << 33
#: arrays start in different places of a page, as `foretell validate cpu` puts them
_STAGGER, _PLACES = 448, 9
#: instructions to follow, and calls: the first ones teach the predictor
_MOST, _CALLS = 300_000, 6
#: in short: instructions, and rounds of the outermost loop. The first half of them teaches; rows that begin at another
#: place of a line each time have had all eight places twice in the other
_SHORT, _SHORT_ROUNDS, _SHORT_PASSES = 40_000, 32, 1024
#: how many times as long the longest row is as the shortest, where their lengths tell what a pass costs
_UNLIKE = 2.0
#: times that a loop must come round before its pace is taken for the rest
_ROUNDS = 6
#: fields of a core (`FORETELL_CORE_NUMBERS`): parameter, and value where the machine does not say: that of Skylake (Intel
#: Optimization Reference Manual, 2.6)
_CORE = {
    "width": ("cores.issue_width", 4.0),
    "reorder": ("cores.reorder_buffer", 224.0),
    "stores": ("cores.store_buffer", 56.0),
    "miss": ("pipeline.branch_miss.latency", 16.0),
    "history": ("cores.branch_history", 100.0),
    "load": ("level.L1.latency", 5.0),
    "forward": ("pipeline.forward.latency", 5.0),
    "blocked": ("pipeline.blocked.latency", 13.0),
    "alias": ("pipeline.alias.latency", 0.0),
    "commit_across": ("pipeline.store_across.gap", 2.0),
    "line": ("level.L1.line", 64.0),
    "scheduler": ("cores.scheduler", 97.0),
    "store_scheduler": ("cores.store_scheduler", 0.0),  # stores wait among the others
    "loads": ("cores.load_buffer", 0.0),  # as many as there is room for in the reorder buffer; so are vectors
    "vectors": ("cores.vector_register_file", 0.0),
}


def core_numbers(machine: Machine) -> dict[str, float]:
    """The numbers of a core, by the names of its fields in the compiled core."""

    def number(path: str, default: float) -> float:
        if path not in machine:
            return default
        return machine.cycles(path) if path == "level.L1.latency" else machine.value(path)

    return {field: number(path, default) for field, (path, default) in _CORE.items()}


@dataclass(frozen=True)
class Pace:
    """What was followed: cycles of a whole call, in which the main loop came round so many `times`; or, where it did
    not end, cycles for each time that a loop of `code` came round, by its place (0 is the main loop, 1 the one around
    it …), and of rows of unlike length also those for each pass of the main loop. `accesses` is the share of the time
    in which the innermost cache is busy. `open` is the innermost loop whose end was not seen, by its place, and `seen`
    how often it came round: how much longer it is, and what is around it, changed nothing."""

    accesses: float
    call: float | None
    loop: int = 0
    round: float = 0.0
    passing: float = 0.0
    times: float = 0.0
    open: int | None = None
    seen: int = 0


@dataclass(frozen=True, slots=True)
class _Followed:
    """When calls ended, when marked instructions were issued, and how busy the innermost cache was."""

    ends: list[float]
    times: list[Floats]
    accesses: float


@dataclass(frozen=True)
class Walk:
    """A function on a machine; sizes come last."""

    code: Code
    machine: Machine
    costs: Costs

    @cached_property
    def possible(self) -> bool:
        """Whether the code can be followed: it is known what it is called with, and in which registers."""
        return self.code.arguments is not None and self.machine.traits.get("target.isa") == "x86-64"

    @cached_property
    def _tables(self) -> Tables:
        return tables(self.code.loops[0].function, self.costs, fuses=True)

    @cached_property
    def _walker(self) -> _core.OooCore:
        made = self._tables
        core = core_numbers(self.machine)
        return walker(made, made.operations, made.conditions, made.columns(), made.slots, core)

    def pace(
        self, sizes: Mapping[str, int], even: bool = True, short: bool = False, beside: tuple[int, float] = (0, 0.0)
    ) -> Pace | None:
        """None where a size that the function takes is not known, or the code leaves what can be followed. `even`: the
        rows are all of one length. `short`: it is not followed as far. `beside`: other work takes so many slots of the
        reorder buffer each time that a loop comes round, by its place as in `Pace`; 0: none does."""
        loops = (self.code.loops[0], *self.code.around)
        marks = [self._tables.starts[loop.head] for loop in loops]
        found = self._follow(sizes, marks, _CALLS, short, (marks[beside[0]], round(beside[1])))
        if found is None:
            return None
        if found.ends:
            return Pace(found.accesses, _last(found.ends), times=len(found.times[0]) / len(found.ends))
        return (_steady if even else _by_length)(found.times, found.accesses)

    def _follow(
        self,
        sizes: Mapping[str, int],
        marks: list[int],
        calls: int,
        short: bool = False,
        beside: tuple[int, int] = (-1, 0),
    ) -> _Followed | None:
        """Some calls of the function; `marks` are rows of instructions to note the times of."""
        given, made = self._arguments(sizes), self._tables
        if given is None:
            return None
        values = [(made.register("rsp"), _STACK)]
        values += [(made.register(name), value) for name, value in zip(_GIVEN, given, strict=False)]
        words = [(_STACK + 8 * place + 8, value) for place, value in enumerate(given[len(_GIVEN) :])]
        most, rounds = (_SHORT, _SHORT_ROUNDS if len(marks) > 1 else _SHORT_PASSES) if short else (_MOST, 0)
        try:
            ends, times, accesses = self._walker.follow(
                values=values,
                words=words,
                marks=marks,
                runs=calls,
                most=most,
                beside_at=beside[0],
                beside_slots=beside[1],
                rounds=rounds,
            )
        except RuntimeError:
            return None
        return _Followed(ends, times, accesses)

    def _arguments(self, sizes: Mapping[str, int]) -> list[int] | None:
        given, arrays = [], 0
        for name in self.code.arguments or ():
            kind, _, which = name.partition(" ")
            if kind == "size" and which not in sizes:
                return None
            if kind == "size":
                given.append(sizes[which])
            else:  # arrays, where results go, and scalars that no address depends on
                given.append((arrays + 1) * _APART + _STAGGER * (_PLACES - 1 - arrays % _PLACES))
                arrays += 1
        return given


def walker(
    made: Tables,
    operations: list[str],
    conditions: list[str],
    table: dict[str, NDArray[np.int64]],
    slots: Sequence[float],
    core: dict[str, float],
) -> _core.OooCore:
    """A table of instructions, with the units and registers of `made`, on a core."""
    units = {name: np.array([unit[name] for unit in made.units]) for name in ("ports", "busy", "near", "far")}
    for name in _GIVEN:
        made.register(name)
    return _core.OooCore(
        operations=operations,
        conditions=conditions,
        table=table,
        slots=np.array(slots, dtype=np.float64),
        units=units,
        registers=np.array(made.registers, dtype=np.int64),
        core=core,
        stack=made.register("rsp"),
        flags=made.register("flags"),
        count=len(made.numbers),
    )


def passing_times(walked: _core.OooCore, marks: list[int], most: int) -> list[list[float]]:
    """When code that takes no arguments passes some of its instructions, in cycles; at most so many are followed."""
    return [times.tolist() for times in walked.follow(values=[], words=[], marks=marks, runs=1, most=most)[1]]


def _last(ends: list[float]) -> float:
    """Cycles of a call, when the predictor has learnt what it can: the mean of the last two."""
    since = [0.0, *ends][-3:]
    return (since[-1] - since[0]) / (len(since) - 1) if len(ends) > 2 else since[-1] - since[-2]


def _steady(times: list[Floats], accesses: float) -> Pace | None:
    """The pace of the outermost loop that came round often enough; its first rounds, which learn, do not count."""
    for place in reversed(range(len(times))):
        rounds = times[place]
        if len(rounds) >= _ROUNDS:
            first = len(rounds) // 2
            mean = float(rounds[-1] - rounds[first]) / (len(rounds) - 1 - first)
            unended = _unended(times)
            return Pace(accesses, None, place, mean, open=unended, seen=len(times[unended]))
    return None


def _unended(times: list[Floats]) -> int:
    """The innermost loop whose end was not seen: none around it came round again."""
    return max(place for place, rounds in enumerate(times) if len(rounds) > 1 or place == 0)


def _by_length(times: list[Floats], accesses: float) -> Pace | None:
    """Rows that differ in length, as in a triangle, of which the first ones were followed: what each costs by itself,
    and for each pass of the main loop."""
    if len(times) < 2 or len(times[1]) < _ROUNDS:
        return None
    starts = times[1][len(times[1]) // 4 :]
    ends = np.searchsorted(times[0], starts)
    passes, spans = np.diff(ends), np.diff(starts)
    if passes.size == 0 or passes.max() < 2:
        return None
    if passes.max() >= _UNLIKE * passes.min():
        slope, own = np.polyfit(passes, spans, 1)
    else:  # no line goes through rows of one length: what passes of a row take, and what is left
        first, last = times[0][ends[:-1]], times[0][ends[1:] - 1]
        slope = np.sum(last - first) / np.sum(passes - 1)
        own = np.mean(spans) - slope * np.mean(passes)
    if slope <= 0:
        return None
    unended, seen = _unended(times), len(times[_unended(times)])
    return Pace(accesses, None, 1, max(0.0, float(own)), float(slope), open=unended, seen=seen)
