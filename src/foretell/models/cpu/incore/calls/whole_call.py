"""Follows a whole call of compiled code: executions and cycles of each instruction."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from foretell.models.cpu.incore.calls.library_calls import cycles_outside, library_doubt, mispredicted
from foretell.models.cpu.incore.calls.linked_code import (
    TABLE,
    callee_name,
    connect,
    leaves,
    loops_of,
    reached,
    through_pointer,
)
from foretell.models.cpu.incore.calls.narrowed_ports import costs_beside_wide_vectors
from foretell.models.cpu.incore.calls.on_data.balanced_jumps import balanced_rows, balanced_share
from foretell.models.cpu.incore.calls.on_data.held_jumps import (
    exit_note,
    expect_outcomes,
    hold_exits,
    hold_failures,
    hold_unlikely,
    leaves_loop,
    table_note,
)
from foretell.models.cpu.incore.calls.on_data.open_ends import (
    Ends,
    add_rounds,
    end_notes,
    expect_ends,
    lines_of,
    open_ends,
    shortened,
)
from foretell.models.cpu.incore.calls.on_data.steered_loads import OBJECT_BITS, data_lines, unknown_loads
from foretell.models.cpu.incore.calls.on_data.steered_share import steered_shares
from foretell.models.cpu.incore.fetch_windows import LoopCode, innermost, window_cycles
from foretell.models.cpu.incore.instruction_tables import Tables, tables_of
from foretell.models.cpu.incore.ooo_core import core_numbers, start_of_call, walker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.condition_shares import LoopTree
    from foretell.models.cpu.incore.calls.call_arguments import Series
    from foretell.models.cpu.incore.calls.on_data.open_ends import Rounds
    from foretell.models.cpu.incore.calls.on_data.steered_loads import Levels
    from foretell.models.cpu.incore.instruction_costs import Costs
    from foretell.models.cpu.incore.ooo_core import CallResult

    #: gives jumps on data the share in which they are taken, and returns those that leave loops with their rounds
    Chances = Callable[[Tables, Sequence[tuple[str, Instruction]], LoopTree], dict[int, float]]

#: instructions that are executed one by one, before iterations of outer loops are sampled
LIMIT = 2_000_000
#: the failure of a call that is not at its end then (cpp/incore/whole_call.cpp)
TOO_LONG = "long"
#: where chance decides how loops go on, they do not repeat: nothing is counted without executing it
_LIMIT_OF_CHANCE = 6_000_000
#: data of which nothing is known: half of the mispredictions of random data, at most as many too many as too few
_SURPRISES = 0.5
#: by the option `data`: the share of updates through an index that meet the one before. Of two places that take turns
#: by chance half do: each has a chain of half of all updates. Of any data, the mean of all at one place and none
_ANY = "any"
_MEETING = {"repeated": 0.0, "one_place": 1.0, "two_places": 0.5, _ANY: 0.5}
_MET = {
    0.0: "hardly meet the one before (all of them may)",
    0.5: "meet the one before in half of the cases (none or all may)",
    1.0: "all meet the one before, as was asked for",
}
#: iterations of a loop whose end every predictor foresees (the shortest histories of TAGE predictors are of about so
#: many branches), and the share of longer loops' ends that may be mispredicted: functions of the suite `styles` with
#: loops of 8 to 50 iterations (tuning half, L1) take up to so much longer; rows of the table that an instruction has
#: at most before the one that is timed
_COUNTED, _MISSED, _STEPS = 8, 0.25, 4
#: how often loops that data end are looked for once more
_FURTHER = 3
_LEVELS = 64  # machines with other caches for which waits are kept


@dataclass(frozen=True)
class Followed:
    """Executions and cycles of each instruction of a call; `rows` are the instructions with their functions."""

    result: CallResult
    rows: tuple[tuple[str, Instruction], ...]
    counts: tuple[float, ...]
    cycles: tuple[float, ...]
    assumptions: tuple[str, ...] = ()
    #: cycles that each instruction may take less, or more: mispredicted jumps on unknown values, library functions
    doubts: tuple[tuple[float, float], ...] = ()
    #: whether the end of some loop depends on unknown values: how often it iterates was a guess
    guessed: bool = False
    #: the loop of each instruction, and the loop around each loop (-1: none)
    loop_at: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    #: the step of each instruction that is timed, a row of the result
    mains: tuple[int, ...] = ()
    #: lines of loops that data end and that are entered once: how often they go round is a size of the data
    sizes: tuple[int, ...] = ()
    #: lines of loops of the source that data end before their counts do, and the share of these that runs
    shortened: tuple[tuple[int, float], ...] = ()
    #: how much data steer the loops around each instruction
    steered: tuple[float, ...] = ()
    #: further cycles of each instruction as loads that data steer wait for their lines; None: there are no such loads
    waits: Callable[[Levels], tuple[float, ...]] | None = None

    def by_line(self) -> dict[int, tuple[float, float]]:
        """Executed instructions and cycles of each source line."""
        per_line: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for (_, one), count, cycles in zip(self.rows, self.counts, self.cycles, strict=True):
            per_line[one.source_line][0] += count
            per_line[one.source_line][1] += cycles
        return {line: (count, cycles) for line, (count, cycles) in per_line.items()}


def follow_call(
    functions: Sequence[Function],
    root: str,
    machine: Machine,
    costs: Costs,
    arguments: Sequence[int | None],
    words: Sequence[tuple[int, int]] = (),
    series: Sequence[Series] = (),
    variables: Mapping[str, int] = MappingProxyType({}),
    strides: bool = False,
    chances: Chances | None = None,
    data: str = "repeated",
    uneven: frozenset[int] = frozenset(),
    by_rule: bool = False,
    ends_known: bool = False,
    early: Sequence[Rounds] = (),
    extents: Sequence[tuple[int, int]] = (),
) -> Followed:
    """Follows a call of `root` with these integer and pointer arguments (None: unknown). `words` are known words of
    memory, `series` known arrays, `variables` the values of global variables. `strides`: addresses of loads and stores
    are recorded. `chances` gives jumps on data the share in which they are taken. `data`: "any" may be the best or the
    worst, and the mean of both counts; otherwise jumps on data are those of the call before, and updates through an
    index meet other places ("repeated") or all the same ("one_place"). `uneven`: lines of loops whose iterations are a
    mean of data. `by_rule`: loops that data end, which nothing is known of, go round as often as a rule says;
    `ends_known`: it is given up at the first of them. `early`: what the source says of loops that data may end.
    `extents`: addresses and bytes of given arrays, in which loads from unknown places lie anywhere (else: in L1)."""
    code = _code(reached(functions, root), machine, costs, chances)
    start = _Start(arguments, words, series, variables)
    result = _walk(code, core_numbers(machine), start, strides, _SURPRISES, ends_known=ends_known)
    for _ in range(_FURTHER if by_rule else 0):  # what runs then may show further ends
        ends = open_ends(code.made, result.open_jumps, code.loop_at, code.parents)
        if not ends:
            break
        compared = balanced_rows(code.made, code.rows, (code.loop_at, code.parents), ends)
        loops = code.loop_at, code.heads, code.parents
        code.expected.add(expect_ends(code.made, code.rows, loops, ends, result.open_jumps, early, compared))
        result = _walk(code, core_numbers(machine), start, strides, _SURPRISES)
    quiet = result
    if sum(result.misses) > 0 and not result.failure:
        quiet = _walk(code, core_numbers(machine), start, False, 0.0, data != _ANY)
    followed = _followed(code, result, quiet, machine, costs, data, uneven)
    late = [*result.steered, *(unknown_loads(code.made, result) if extents else ())]
    if not late or result.failure:
        return followed
    waits = lru_cache(_LEVELS)(_Waits(code, start, result, quiet, machine, data, tuple(late), tuple(extents)))
    return replace(followed, waits=waits)


class _Start(NamedTuple):
    """What is known when a call begins: arguments, words and arrays of memory, global variables."""

    arguments: Sequence[int | None]
    words: Sequence[tuple[int, int]]
    series: Sequence[Series]
    variables: Mapping[str, int]


class _Code(NamedTuple):
    """The code of a call: its tables, instructions, and loops."""

    made: Tables
    rows: tuple[tuple[str, Instruction], ...]
    loop_at: list[int]
    heads: list[int]
    parents: list[int]
    #: exits of loops on data, which are not taken
    held: set[int]
    #: jumps on data whose other side ends in a call that does not return
    failing: set[int]
    #: jumps on data that end loops
    expected: Ends


def _code(order: Sequence[Function], machine: Machine, costs: Costs, chances: Chances | None) -> _Code:
    """Makes the tables of these functions, whose jumps have their targets and shares."""
    narrow = costs_beside_wide_vectors(order, machine, costs)
    made = tables_of(order, costs, costs.instruction_set.fuses, symbols=True, block_costs=narrow)
    rows = tuple(
        (function.name, instruction)
        for function in order
        for block in function.blocks
        for instruction in block.instructions
    )
    for (_, main, _), (_, instruction) in zip(made.spans, rows, strict=True):
        connect(made, main, instruction)
    loop_at, heads, parents = loops_of(order, made)
    ends = chances(made, rows, (loop_at, parents)) if chances is not None else {}
    failing = hold_failures(made, rows) | hold_unlikely(made, order)
    held = hold_exits(made, loop_at, parents)
    expect_outcomes(made, loop_at, parents)
    return _Code(made, rows, loop_at, heads, parents, held, failing, Ends(ends, {}, set()))


def _walk(
    code: _Code, numbers: dict[str, float], start: _Start, strides: bool, surprises: float, remembered: bool = False,
    levels: Levels | None = None, steered: _Late | None = None, ends_known: bool = False,
) -> CallResult:  # fmt: skip
    """Lets the core follow the code from these values on. `surprises`: share of the mispredictions of random data that
    take time. `remembered`: jumps on data are foreseen from what the call before did, which fetch's quick prediction
    from the last few jumps does not know. `levels`: where the lines of the loads of `steered` are, among so many."""
    made = code.made
    core = walker(made, made.operations, made.conditions, made.columns(), made.slots, numbers)
    values, stacked = start_of_call(made, start.arguments)
    stacked += [
        (place, start.variables[name]) for name, place in (made.symbols or {}).items() if name in start.variables
    ]
    return core.follow_call(
        values=values, words=[*stacked, *start.words, *made.table_words],
        series=[asdict(one) for one in start.series], loop_at=code.loop_at, heads=code.heads, parents=code.parents,
        instructions=_LIMIT_OF_CHANCE if code.expected.ruled else LIMIT, strides=strides, surprises=surprises,
        remembered=remembered, chooses=bool(code.expected.ruled), ends_known=ends_known,
        ends=list(code.expected.after.items()),
        caches=list(levels.caches) if levels else [], beyond=levels.beyond if levels else 0.0,
        **({} if steered is None else steered._asdict()),
    )  # fmt: skip


def _followed(
    code: _Code, result: CallResult, quiet: CallResult, machine: Machine, costs: Costs, data: str,
    uneven: frozenset[int],
) -> Followed:  # fmt: skip
    """Charges what was executed to the instructions, with what is in doubt. `quiet`: the same without mispredictions of
    jumps on unknown values."""
    made, rows, miss = code.made, code.rows, core_numbers(machine)["miss"]
    # where it is known how often a condition holds, a search ends as often
    guessed = bool(open_ends(made, result.open_jumps, code.loop_at, code.parents))
    mains = [main for _, main, _ in made.spans]
    inside = _mispredicted_inside(made, rows, result) | _uneven_ends(code, result, uneven)
    known = _learned(result, sum(inside.values()), machine)
    learned, meeting = 0.0 if data == _ANY else known, _MEETING[data]
    balanced = 0.0 if data == _ANY else balanced_share(made, rows, (code.loop_at, code.parents), result.misses)
    cycles, doubts = _charged(made, result, quiet, learned, balanced)
    _add_updates(cycles, doubts, made, result, meeting)
    _add_outside(cycles, doubts, made, rows, costs, result)
    _add_mispredicted(cycles, doubts, inside, miss, learned)
    _add_exits(doubts, mains, code.heads, result, miss)
    loops = [code.loop_at[main] for main in mains]
    _add_windows(cycles, doubts, made, rows, loops, code.parents, result, machine)
    ruled = {row: code.expected.ruled[row] for row in code.expected.ruled.keys() & {*result.open_jumps}}
    ended = {code.loop_at[row]: rounds for row, rounds in ruled.items()}
    add_rounds(cycles, doubts, loops, code.parents, ended)
    return Followed(
        result,
        rows,
        tuple(result.counts[main] for main in mains),
        tuple(cycles),
        (*costs.assumed, *dict.fromkeys(_jump_notes(code, result, meeting))),
        tuple(doubts),
        guessed,
        tuple(loops),
        tuple(code.parents),
        tuple(mains),
        _entered_once(code, result),
        shortened(ruled.values()),
        steered_shares(made, result, code.loop_at, code.parents),
    )


class _Late(NamedTuple):
    """Loads whose lines may lie beyond L1, among lines of all data, and of objects."""

    lines: int
    objects: Sequence[tuple[int, int]]
    steered: Sequence[int]
    #: instructions of the call with all data in L1, and whether iterations represented others
    total: float
    sampled: bool


@dataclass(frozen=True, eq=False)
class _Waits:
    """By how much longer the instructions of a call take as loads that data steer wait for their lines."""

    code: _Code
    start: _Start
    result: CallResult
    quiet: CallResult
    machine: Machine
    data: str
    #: the loads that wait
    late: tuple[int, ...]
    extents: tuple[tuple[int, int], ...]

    @property
    def shares(self) -> tuple[float, float]:
        """Of jumps on data, those that the predictor has learnt, and those that go either way equally often."""
        if self.data == _ANY:
            return 0.0, 0.0
        loops = self.code.loop_at, self.code.parents
        learned = _learned(self.result, 0.0, self.machine)
        return learned, balanced_share(self.code.made, self.code.rows, loops, self.result.misses)

    def __call__(self, levels: Levels) -> tuple[float, ...]:
        code, objects = self.code, [(at >> OBJECT_BITS, size // levels.line + 1) for at, size in self.extents if size]
        lines = max(data_lines(self.result, levels.line), sum(size for _, size in objects))
        if lines <= levels.innermost:
            return (0.0,) * len(code.rows)
        total = sum(self.result.counts)
        steered = _Late(lines, objects, self.late, total, self.result.sampled)
        walked = (code, core_numbers(self.machine), self.start, False)
        late = _walk(*walked, _SURPRISES, levels=levels, steered=steered)
        calm = late if sum(self.result.misses) <= 0 else _walk(*walked, 0.0, self.data != _ANY, levels, steered)
        if late.failure or calm.failure:
            return (0.0,) * len(code.rows)
        waiting, _ = _charged(code.made, late, calm, *self.shares)
        without, _ = _charged(code.made, self.result, self.quiet, *self.shares)
        return tuple(one - other for one, other in zip(waiting, without, strict=True))


def _entered_once(code: _Code, result: CallResult) -> tuple[int, ...]:
    """The lines of the ends of outermost loops that only a rule ends, and that are entered once."""
    lines = lines_of(code.made, code.rows)
    loops = {row: code.loop_at[row] for row in code.expected.ruled.keys() & {*result.open_jumps}}
    once = (row for row, loop in loops.items() if code.parents[loop] < 0 and result.exits[loop] < 2)
    return tuple(sorted({lines[row] for row in once}))


def _mispredicted_inside(made: Tables, rows: Sequence[tuple[str, Instruction]], result: CallResult) -> dict[int, float]:
    """By instruction: the jumps that a library function which it calls mispredicts with random arguments."""
    jumps = {
        place: mispredicted(callee_name(instruction), result.counts[main])
        for place, ((_, main, _), (_, instruction)) in enumerate(zip(made.spans, rows, strict=True))
        if result.counts[main] and leaves(made, main)
    }
    return {place: number for place, number in jumps.items() if number}


def _uneven_ends(code: _Code, result: CallResult, lines: frozenset[int]) -> dict[int, float]:
    """By instruction: the ends of loops whose iterations differ from one entry to the next, of which only the mean is
    known. One jump of each line counts: of a loop in several versions, the one that ends most often."""
    made, ends = code.made, dict[int, tuple[float, int]]()
    for place, ((_, main, _), (_, one)) in enumerate(zip(made.spans, code.rows, strict=True)):
        jumps = one.source_line in lines and result.counts[main] and made.operations[main] in ("jump_if", "jump_on")
        if jumps and leaves_loop(made, main, code.loop_at, code.parents):
            often = result.exits[code.loop_at[main]]
            ends[one.source_line] = max(ends.get(one.source_line, (0.0, place)), (often, place))
    return {place: often for often, place in ends.values() if often}


def _add_mispredicted(
    cycles: list[float], doubts: list[tuple[float, float]], inside: Mapping[int, float], miss: float, learned: float
) -> None:
    """Adds mispredicted jumps inside of library functions, as those of the code itself: none may be, or all."""
    for place, jumps in inside.items():
        half = _SURPRISES * miss * jumps
        cycles[place] += (1 - learned) * half
        less, more = doubts[place]
        doubts[place] = (less + (1 - learned) * half, more + (1 + learned) * half)


def _learned(result: CallResult, inside: float, machine: Machine) -> float:
    """The share of the jumps on data whose outcomes the predictor knows from the call before, with the same data. Jumps
    that go either way equally often are mispredicted half of the time: others take less of what it remembers. `inside`:
    jumps in library functions that random arguments mispredict."""
    path, outcomes = "cores.branch_memory", 2 * (sum(result.misses) + inside)
    kept = machine.value(path) if path in machine else 0.0
    return min(1.0, kept / outcomes) if outcomes > 0 else 0.0


def _charged(
    made: Tables, result: CallResult, quiet: CallResult, learned: float, balanced: float
) -> tuple[list[float], list[tuple[float, float]]]:
    """Cycles of each instruction, and what it may take less or more. Jumps on data may all be foreseen (`quiet`), or
    mispredicted as those of random data: twice as often as in `result`. What is not `learned` of `balanced` ones is."""
    cycles, doubts = [], []
    for first, _, end in made.spans:
        least = sum(quiet.cycles[first:end])
        half = sum(result.cycles[first:end]) - least
        mean = (1 - learned) * half * (1 + balanced)
        cycles.append(least + mean)
        doubts.append((mean, 2 * half - mean))
    return cycles, doubts


def _add_outside(
    cycles: list[float],
    doubts: list[tuple[float, float]],
    made: Tables,
    rows: Sequence[tuple[str, Instruction]],
    costs: Costs,
    result: CallResult,
) -> None:
    """Adds the cycles of functions outside of the code to the instructions that call them."""
    for place, ((_, main, _), (_, instruction)) in enumerate(zip(made.spans, rows, strict=True)):
        count = result.counts[main]
        if count and leaves(made, main):
            name = callee_name(instruction)
            if through_pointer(name):
                name = f"a call through a pointer in line {instruction.source_line} (a virtual function, a callback)"
            cycles[place] += cycles_outside(costs, name, count, result.arguments[main])
            doubts[place] = library_doubt(costs, name, count)


def _add_updates(
    cycles: list[float], doubts: list[tuple[float, float]], made: Tables, result: CallResult, meeting: float
) -> None:
    """Updates through an index that data hold (`count[key[i]]++`) wait for the update before if it was at the same
    place. Random keys of sixteen places and more hardly do (measured on an Emerald Rapids: 0.44 ns an update from 16 to
    4096 places, 1.3 ns with two, 2.5 ns with one): they count as different, and all the same ends the interval.
    `meeting`: the share that waits, where data may be any."""
    longer = max(sum(result.repeating) - sum(result.cycles), 0.0) if result.repeating else 0.0
    updates = _updates(made, result) if longer else []
    for place in updates:
        less, more = doubts[place]
        own = longer / len(updates)
        cycles[place] += meeting * own
        doubts[place] = less + meeting * own, more + (1 - meeting) * own


def _updates(made: Tables, result: CallResult) -> list[int]:
    """The instructions that update what is at an unknown place."""
    rows = {*result.updates}
    return [place for place, (first, _, end) in enumerate(made.spans) if rows & {*range(first, end)}]


def _jump_notes(code: _Code, result: CallResult, meeting: float) -> Iterator[str]:
    """What is assumed of exits that were held back, of checks, of jumps through tables, and of updates."""
    made = code.made
    instructions = [(main, one) for (_, main, _), (_, one) in zip(made.spans, code.rows, strict=True)]
    yield from (exit_note(one) for main, one in instructions if main in code.held & {*result.held_exits})
    yield from end_notes(dict(instructions), code.expected, {*result.open_jumps})
    checks = sorted({one.source_line for main, one in instructions if main in code.failing and result.counts[main]})
    if checks:
        lines = ", ".join(map(str, filter(None, checks))) or "not known"
        yield f"checks whose failure ends the program, or that the compiler takes as unlikely, hold: lines {lines}"
    for main, one in instructions:
        if made.operations[main] == TABLE and main in result.open_jumps:
            yield table_note(one, made.rows[main]["constant"])
    if result.repeating:
        changed = sorted({code.rows[place][1].source_line for place in _updates(made, result)} - {0})
        where = ", ".join(map(str, changed)) or "not known"
        yield f"updates through an index of data {_MET[meeting]}: lines {where}"


def _add_exits(
    doubts: list[tuple[float, float]], mains: Sequence[int], heads: Sequence[int], result: CallResult, miss: float
) -> None:
    """Ends of loops that may be mispredicted, though a predictor with the core's history foresees them: at the heads of
    loops that iterate more often than predictors of every kind count."""
    places = {main: place for place, main in enumerate(mains)}
    for head, iterations, exits in zip(heads, result.iterations, result.exits, strict=True):
        place = next((places[row] for row in range(head, head + _STEPS) if row in places), None)
        if place is not None and iterations > _COUNTED * exits:
            less, more = doubts[place]
            doubts[place] = less, more + _MISSED * exits * miss


def _add_windows(
    cycles: list[float],
    doubts: list[tuple[float, float]],
    made: Tables,
    rows: Sequence[tuple[str, Instruction]],
    loops: Sequence[int],
    parents: Sequence[int],
    result: CallResult,
    machine: Machine,
) -> None:
    """Adds what the place of short loops in windows of the micro-op cache costs, to their first instruction."""
    if "cores.fetch_window" not in machine or "cores.fetch_line" not in machine:
        return
    line, window = machine.value("cores.fetch_line"), int(machine.value("cores.fetch_window"))
    for number, places in innermost(loops, parents):
        uops = sum(made.rows[row]["fetched"] for place in places for row in range(*made.spans[place][::2]))
        taken = sum(cycles[place] for place in places)
        code = LoopCode(tuple(rows[place][1] for place in places), uops, result.iterations[number], taken)
        extra = window_cycles(code, line, window)
        if places:
            cycles[places[0]] += extra.mean
            less, more = doubts[places[0]]
            doubts[places[0]] = less + extra.mean, more + extra.most - extra.mean
