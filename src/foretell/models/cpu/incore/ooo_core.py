"""Simulates a call of the emitted function, instruction by instruction, on an out-of-order core.

So everything that the code does is timed: set-up of rows, remainders, loads that cross lines, store-to-load
dependences, overlapping chains, and mispredicted loop exits. A call that is too long is simulated in part, and
extrapolated at the pace of the outermost loop that iterated often enough.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import _core
from foretell.codegen.assembly.instruction_set import FOLLOWED
from foretell.models.cpu.incore.instruction_tables import tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.generate import Code
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.instruction_costs import Costs
    from foretell.models.cpu.incore.instruction_tables import Tables

    Floats = NDArray[np.float64]

CallResult = _core.CallResult
_STACK = 1 << 46
_APART = 1 << 33
#: arrays start at different page offsets, as in `foretell validate cpu`
_STAGGER, _PLACES = 448, 9
#: instructions to simulate, and calls: the first ones train the predictor
_MOST, _CALLS = 300_000, 6
#: short simulation: instructions, and iterations of the outermost loop. The first half trains; in the other half rows
#: whose alignment changes each time have had all eight alignments twice
_SHORT, _SHORT_ROUNDS, _SHORT_PASSES = 40_000, 32, 1024
#: minimum ratio of the longest to the shortest row for a fit of the cost per pass
_UNLIKE = 2.0
#: minimum iterations of a loop before its pace is extrapolated
_ROUNDS = 6
#: fields of a core (`FORETELL_CORE_NUMBERS`): parameter, and default: that of Skylake (Intel Optimization Reference
#: Manual, 2.6)
_CORE = {
    "width": ("cores.issue_width", 4.0),
    "fetch_line": ("cores.fetch_line", 0.0),  # no limit
    "reorder": ("cores.reorder_buffer", 224.0),
    "stores": ("cores.store_buffer", 56.0),
    "miss": ("pipeline.branch_miss.latency", 16.0),
    "override": ("pipeline.branch_override.latency", 0.0),  # no bubble
    "history": ("cores.branch_history", 100.0),
    "load": ("level.L1.latency", 5.0),
    "forward": ("pipeline.forward.latency", 5.0),
    "forward_vector": ("pipeline.forward_vector.latency", 0.0),  # by default as to general registers
    "blocked": ("pipeline.blocked.latency", 13.0),
    "alias": ("pipeline.alias.latency", 0.0),
    "commit_across": ("pipeline.store_across.gap", 2.0),
    "line": ("level.L1.line", 64.0),
    "scheduler": ("cores.scheduler", 97.0),
    "store_scheduler": ("cores.store_scheduler", 0.0),  # stores share the scheduler
    "loads": ("cores.load_buffer", 0.0),  # by default the size of the reorder buffer; so are vector registers
    "vectors": ("cores.vector_register_file", 0.0),
}


#: numbers that a core may do without: it then has no such penalty, or no such queue
_OPTIONAL = (
    "pipeline.alias.latency", "pipeline.blocked.latency", "pipeline.branch_override.latency",
    "pipeline.forward_vector.latency", "cores.fetch_line", "cores.store_scheduler", "level.L1.line",
)  # fmt: skip


def core_numbers(machine: Machine) -> dict[str, float]:
    """The numbers of a core, by field name of the simulator."""

    def number(path: str, default: float) -> float:
        if path not in machine:
            return default
        return machine.cycles(path) if path == "level.L1.latency" else machine.value(path)

    numbers = {field: number(path, default) for field, (path, default) in _CORE.items()}
    numbers["forward_vector"] = numbers["forward_vector"] or numbers["forward"]
    return numbers | {"renames": float(machine.traits.get("cores.memory_words") == "renamed")}


def assumed(machine: Machine) -> list[str]:
    """The numbers of a core that its machine lacks, with what is taken instead."""
    lacking = [(path, default) for path, default in _CORE.values() if path not in machine and path not in _OPTIONAL]
    return [f"{path} {default:g}" if default else f"{path} (no limit)" for path, default in lacking]


@dataclass(frozen=True)
class Pace:
    """Result of a simulation: cycles of a whole call, in which the main loop iterated `times` times; or, if it did not
    end, cycles per iteration of a loop of `code`, by its depth (0 is the main loop, 1 the one around it …), and for
    rows of unequal length also cycles per pass of the main loop. `accesses` is the fraction of the time in which the
    innermost cache is busy. `open` is the depth of the innermost loop whose end was not reached, and `seen` its
    iterations: a longer loop, or other loops around it, would not change the result."""

    accesses: float
    call: float | None
    loop: int = 0
    round: float = 0.0
    passing: float = 0.0
    times: float = 0.0
    open: int | None = None
    seen: int = 0


@dataclass(frozen=True)
class Walk:
    """A function on a machine; sizes are bound last."""

    code: Code
    machine: Machine
    costs: Costs

    @cached_property
    def possible(self) -> bool:
        """Whether the code can be simulated: its arguments and their registers are known."""
        return self.code.arguments is not None and self.machine.traits.get("target.isa") in FOLLOWED

    @cached_property
    def _tables(self) -> Tables:
        return tables(self.code.loops[0].function, self.costs, self.costs.instruction_set.fuses)

    @cached_property
    def _simulator(self) -> _Simulator:
        made = self._tables
        core = core_numbers(self.machine)
        given = _walker_inputs(made, made.operations, made.conditions, made.columns(), made.slots, core)
        return _Simulator(_digest(given), _core.OooCore(**given))

    def pace(
        self, sizes: Mapping[str, int], even: bool = True, short: bool = False, beside: tuple[int, float] = (0, 0.0)
    ) -> Pace | None:
        """Simulates a call; None where a size argument is unknown, or the code leaves what can be simulated. `even`:
        all rows have the same length. `short`: with a smaller budget. `beside`: other work takes so many slots of the
        reorder buffer per iteration of a loop, by its depth as in `Pace`; 0: none."""
        marks = [self._tables.starts[loop.head] for loop in (self.code.loops[0], *self.code.around)]
        start = self._start(sizes, marks, (marks[beside[0]], round(beside[1])))
        return None if start is None else _pace(self._simulator, start, even, short)

    def _start(self, sizes: Mapping[str, int], marks: list[int], beside: tuple[int, int] = (-1, 0)) -> _Start | None:
        given = self._arguments(sizes)
        if given is None:
            return None
        values, words = start_of_call(self._tables, given)
        return _Start(tuple(values), tuple(words), tuple(marks), beside)

    def _arguments(self, sizes: Mapping[str, int]) -> list[int] | None:
        given, arrays = [], 0
        for name in self.code.arguments or ():
            kind, _, which = name.partition(" ")
            if kind == "size" and which not in sizes:
                return None
            if kind == "size":
                given.append(sizes[which])
            else:  # arrays, result pointers, and scalars that no address depends on
                given.append((arrays + 1) * _APART + _STAGGER * (_PLACES - 1 - arrays % _PLACES))
                arrays += 1
        return given


def start_of_call(made: Tables, arguments: Sequence[int | None]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Registers and words of the stack at the start of a call with these integer arguments (None: unknown)."""
    isa = made.costs.instruction_set
    in_registers, on_stack = arguments[: len(isa.arguments)], arguments[len(isa.arguments) :]
    values = [(made.register(isa.stack), _STACK)]
    given = zip(isa.arguments, in_registers, strict=False)
    values += [(made.register(name), value) for name, value in given if value is not None]
    words = [(_STACK + isa.pushed + 8 * place, value) for place, value in enumerate(on_stack) if value is not None]
    return values, words


@dataclass(frozen=True, slots=True)
class _Simulator:
    """The simulator of a code on a core; those of the same instruction table and numbers are equal."""

    digest: bytes
    core: _core.OooCore = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Start:
    """Registers and words of the stack at the start of a call, rows of instructions whose times are recorded, and the
    slots that other work takes at one of them."""

    values: tuple[tuple[int, int], ...]
    words: tuple[tuple[int, int], ...]
    marks: tuple[int, ...]
    beside: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Followed:
    """End times of calls, issue times of marked instructions, and utilisation of the innermost cache."""

    ends: list[float]
    times: list[Floats]
    accesses: float


@lru_cache(maxsize=512)
def _pace(simulator: _Simulator, start: _Start, even: bool, short: bool) -> Pace | None:
    """Simulates some calls: once, however often a number of the machine is varied that this code does not depend on."""
    cycles = _followed(simulator.core, start, _CALLS, short)
    if cycles is None:
        return None
    if cycles.ends:
        return Pace(cycles.accesses, _last(cycles.ends), times=len(cycles.times[0]) / len(cycles.ends))
    return (_steady if even else _by_length)(cycles.times, cycles.accesses)


def _followed(core: _core.OooCore, start: _Start, calls: int, short: bool = False) -> _Followed | None:
    few_rounds = _SHORT_ROUNDS if len(start.marks) > 1 else _SHORT_PASSES
    most, rounds = (_SHORT, few_rounds) if short else (_MOST, 0)
    try:
        ends, times, accesses = core.follow(
            values=list(start.values),
            words=list(start.words),
            marks=list(start.marks),
            runs=calls,
            most=most,
            beside_at=start.beside[0],
            beside_slots=start.beside[1],
            rounds=rounds,
        )
    except RuntimeError:
        return None
    return _Followed(ends, times, accesses)


def _digest(given: Mapping[str, Any]) -> bytes:
    """What tells simulators apart: all that they are made of."""
    total = hashlib.sha256()
    for name, value in given.items():
        arrays = value if isinstance(value, dict) else {"": value}
        for part, content in arrays.items():
            total.update(f"{name} {part} ".encode())
            total.update(content.tobytes() if isinstance(content, np.ndarray) else repr(content).encode())
    return total.digest()


def walker(
    made: Tables,
    operations: list[str],
    conditions: list[str],
    table: dict[str, NDArray[np.int64]],
    slots: Sequence[float],
    core: dict[str, float],
) -> _core.OooCore:
    """Creates the simulator of an instruction table on a core, with the ports and registers of `made`."""
    return _core.OooCore(**_walker_inputs(made, operations, conditions, table, slots, core))


def _walker_inputs(
    made: Tables,
    operations: list[str],
    conditions: list[str],
    table: dict[str, NDArray[np.int64]],
    slots: Sequence[float],
    core: dict[str, float],
) -> dict[str, Any]:
    units = {name: np.array([unit[name] for unit in made.units]) for name in ("ports", "busy", "near", "far", "wait")}
    isa = made.costs.instruction_set
    for name in isa.arguments:
        made.register(name)
    return {
        "operations": operations,
        "conditions": conditions,
        "table": table,
        "slots": np.array(slots, dtype=np.float64),
        "units": units,
        "registers": np.array(made.registers, dtype=np.int64),
        "targets": made.targets,
        "core": core,
        "stack": made.register(isa.stack),
        "flags": made.register(isa.flags),
        "count": len(made.numbers),
        "pushed": isa.pushed,
    }


def passing_times(walked: _core.OooCore, marks: list[int], most: int) -> list[list[float]]:
    """Times in cycles at which code without arguments passes the marked instructions; simulates at most `most`."""
    return [times.tolist() for times in walked.follow(values=[], words=[], marks=marks, runs=1, most=most)[1]]


def _last(ends: list[float]) -> float:
    """Cycles of a call with a trained predictor: the mean of the last two."""
    since = [0.0, *ends][-3:]
    return (since[-1] - since[0]) / (len(since) - 1) if len(ends) > 2 else since[-1] - since[-2]


def _steady(times: list[Floats], accesses: float) -> Pace | None:
    """The pace of the outermost loop that iterated often enough, without its first iterations (training)."""
    for position in reversed(range(len(times))):
        rounds = times[position]
        if len(rounds) >= _ROUNDS:
            first = len(rounds) // 2
            mean = float(rounds[-1] - rounds[first]) / (len(rounds) - 1 - first)
            unended = _unended(times)
            return Pace(accesses, None, position, mean, open=unended, seen=len(times[unended]))
    return None


def _unended(times: list[Floats]) -> int:
    """The innermost loop whose end was not reached: none around it iterated again."""
    return max(place for place, rounds in enumerate(times) if len(rounds) > 1 or place == 0)


def _by_length(times: list[Floats], accesses: float) -> Pace | None:
    """The pace of rows of unequal length, as in a triangle, of which the first ones were simulated: cycles per row, and
    per pass of the main loop."""
    if len(times) < 2 or len(times[1]) < _ROUNDS:
        return None
    starts = times[1][len(times[1]) // 4 :]
    ends = np.searchsorted(times[0], starts)
    passes, spans = np.diff(ends), np.diff(starts)
    if passes.size == 0 or passes.max() < 2:
        return None
    if passes.max() >= _UNLIKE * passes.min():
        slope, own = np.polyfit(passes, spans, 1)
    else:  # no fit is possible with rows of one length: cycles per pass, and the remaining cycles
        first, last = times[0][ends[:-1]], times[0][ends[1:] - 1]
        slope = np.sum(last - first) / np.sum(passes - 1)
        own = np.mean(spans) - slope * np.mean(passes)
    if slope <= 0:
        return None
    unended, seen = _unended(times), len(times[_unended(times)])
    return Pace(accesses, None, 1, max(0.0, float(own)), float(slope), open=unended, seen=seen)
