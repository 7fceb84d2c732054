"""Loops that data end of which nothing is known: how often they go round by a rule, and how far that may be wrong."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from foretell.core.columns.tape import real
from foretell.core.nest.averages import is_average
from foretell.core.nest.loopnest import iterations
from foretell.core.nest.statements import Ref, Store
from foretell.core.symbolic.poly import ONE
from foretell.models.cpu.incore.calls.on_data.held_jumps import leaves_loop, stays_by_jumping
from foretell.models.cpu.incore.instruction_tables import ALWAYS, BETWEEN, NEVER

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.nest.statements import Statement
    from foretell.core.symbolic.poly import Poly
    from foretell.models.cpu.condition_shares import LoopTree, Rows
    from foretell.models.cpu.incore.instruction_tables import Tables

#: how often a loop goes on that data end: its branches are right so often where they are predicted to (the loop branch
#: heuristic; Wu and Larus, Static Branch Frequency and Program Profile Analysis, MICRO-27, 1994): 8.3 rounds
_GOES_ON = 0.88
#: a loop may have none (compilers test before they enter it), or so many times more rounds: that number squared
ROUNDS = 1 / (1 - _GOES_ON)
#: what remains of a round where a loop has none: its test
_TEST = 0.5
#: fewer iterations than this are taken as they are
_FEW = 2
#: numbers of rounds from here on are shown as whole ones
_SEVERAL = 10
#: rows between the test before a loop and its head
_AHEAD = 16


def uneven_lines(nests: Sequence[LoopNest]) -> frozenset[int]:
    """The lines of loops whose iterations differ from one entry to the next: only their mean is known."""
    loops = (loop for nest in nests for loop in nest.loops)
    return frozenset(loop.line for loop in loops if any(map(is_average, loop.trips.symbols())))


def ends_by_count(nest: LoopNest) -> bool:
    """Whether the source says how often each loop of a nest iterates, whatever the data are."""
    averages = any(is_average(name) for loop in nest.loops for name in loop.trips.symbols())
    return nest.status in ("exact", "assumed") and all(loop.counted for loop in nest.loops) and not averages


def is_counted(nest: LoopNest) -> bool:
    """Whether a nest is one loop that is known to iterate as often as its bounds say."""
    return nest.status in ("exact", "assumed") and len(nest.loops) == 1 and nest.loops[0].counted


def open_ends(made: Tables, open_jumps: Sequence[int], loop_at: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Jumps on unknown values that end a loop, of which no share is known."""
    jumps = (row for row in open_jumps if made.operations[row] in ("jump_if", "jump_on"))
    return [row for row in jumps if not made.rows[row]["chance"] and leaves_loop(made, row, loop_at, parents)]


class Rounds(NamedTuple):
    """How often a loop goes round in the mean, and at most. `told`: the source or the user says it of each entry, also
    of those without a round; otherwise of entries with one. `bounded`: a count ends the loop if no data do; `always`:
    so it does each time. `line`: of the loop in the source, 0 where it is not known."""

    mean: float
    most: float
    told: bool = True
    bounded: bool = False
    line: int = 0
    always: bool = False

    @property
    def is_given(self) -> bool:
        """Whether it is a mean that the source or the user gives, not the outcome of a rule."""
        return self.line > 0 and not self.bounded

    @property
    def goes_on(self) -> float:
        """How often its test holds."""
        return self.mean / (1 + self.mean) if self.told else 1 - 1 / self.mean


_BY_RULE = Rounds(ROUNDS, ROUNDS**2, told=False)
#: two values from memory: either may be greater, so every second test ends the loop (`balanced_jumps`)
_BALANCED = Rounds(2.0, ROUNDS**2, told=False)


def early_ends(nests: Sequence[LoopNest], sizes: Mapping[str, int], steady: bool = False) -> tuple[Rounds, ...]:
    """The rounds of each loop of the source, if data end it. A number that it cannot exceed is the most: between one
    and that, every order of magnitude is as likely as the others, as of a scale of which nothing is known (Jeffreys
    1946): (n - 1) / ln n in the mean; n / 2 where the loop makes room among elements in order for one that
    belongs anywhere. Iterations of loops that nothing else ends, and means of data, are means.
    `steady`: all data are the same, so that a test of them comes out as it did the round before: a count ends each."""
    found: dict[int, Rounds] = {}
    for nest in nests:
        for depth, loop in enumerate(nest.loops):
            inside, around = (iterations(nest.loops, number) for number in (depth + 1, depth))
            if not (inside.symbols() | around.symbols()) <= sizes.keys():
                continue
            entries = max(1.0, float(real(around.evaluate(sizes))))
            count = max(1.0, float(real(inside.evaluate(sizes))) / entries)
            in_order = any(map(_moves_on, nest.levels[depth] if depth < len(nest.levels) else ()))
            found.setdefault(loop.line, _of_source(loop, inside, count, steady, in_order))
    return tuple(rounds for _, rounds in sorted(found.items()))


def _moves_on(statement: Statement) -> bool:
    """Whether a statement copies an element of an array, as it is, to the place beside it."""
    if not (isinstance(statement, Store) and isinstance(statement.value, Ref)):
        return False
    to, of = statement.target, statement.value
    if to.array != of.array or to.type != of.type or len(to.subscripts) != len(of.subscripts):
        return False
    moved = [one - other for one, other in zip(to.subscripts, of.subscripts, strict=True) if one != other]
    return len(moved) == 1 and moved[0] in (ONE, -ONE)


def _of_source(loop: Loop, iterations: Poly, count: float, steady: bool, in_order: bool) -> Rounds:
    """The rounds of a loop of the source with so many at most. `in_order`: it makes room for a new element."""
    if loop.leaves:
        return Rounds((1 - loop.leaves) / loop.leaves, count, line=loop.line)
    is_mean = not loop.counted or any(map(is_average, iterations.symbols()))
    mean = count if is_mean or count < _FEW else count / 2 if in_order else (count - 1) / math.log(count)
    always = not is_mean and (steady or loop.leaves == 0)
    return Rounds(mean, count, bounded=not is_mean, line=loop.line, always=always)


def rounds_of(
    ends: Sequence[int], lines: Mapping[int, int], loop_at: Sequence[int], parents: Sequence[int],
    early: Sequence[Rounds], balanced: Container[int] = (),
) -> dict[int, Rounds]:  # fmt: skip
    """How often the loop of each of these jumps goes round: as the source says of a line of its jumps, or by the rule
    of branches. An outermost loop is not entered again: of it only a rule is known. `balanced`: jumps that compare two
    values from memory."""
    known = {one.line: one for one in early}
    of_loops = {
        loop_at[row]: known[line]
        for row, line in sorted(lines.items())
        if line in known and loop_at[row] >= 0 and parents[loop_at[row]] >= 0
    }
    return {row: of_loops.get(loop_at[row], _BALANCED if row in balanced else _BY_RULE) for row in ends}


def hold_bounded(
    made: Tables, rounds: Mapping[int, Rounds], loop_at: Sequence[int], parents: Sequence[int]
) -> set[int]:
    """Keeps loops going that a count always ends. Returns the rows of the jumps that would end them."""
    held = {row for row, one in rounds.items() if one.always}
    for row in held:
        made.rows[row]["chance"] = ALWAYS if stays_by_jumping(made, row, loop_at, parents) else NEVER
    return held


class Ends(NamedTuple):
    """Jumps that end loops: after how many rounds they do in the mean, by which rule, and those that never do."""

    after: dict[int, float]
    ruled: dict[int, Rounds]
    steady: set[int]

    def add(self, further: Ends) -> None:
        """Puts what is expected of further jumps beside it."""
        self.after.update(further.after)
        self.ruled.update(further.ruled)
        self.steady.update(further.steady)


def expect_ends(
    made: Tables, rows: Rows, loops: tuple[Sequence[int], Sequence[int], Sequence[int]], ends: Sequence[int],
    open_jumps: Sequence[int], early: Sequence[Rounds], balanced: Container[int],
) -> Ends:  # fmt: skip
    """Gives the jumps that end loops what is expected of them. `loops`: the innermost loop of each row, and the head of
    each loop and the loop around it."""
    loop_at, heads, parents = loops
    lines = lines_of(made, rows)
    rounds = rounds_of(ends, lines, loop_at, parents, early, balanced)
    steady = hold_bounded(made, rounds, loop_at, parents)
    ruled = {row: one for row, one in rounds.items() if row not in steady}
    tested = expect_entries(made, ruled, open_jumps, lines, loop_at, heads)
    return Ends(expect_rounds(made, ruled, loop_at, tested), ruled, steady)


def expect_rounds(
    made: Tables, rounds: Mapping[int, Rounds], loop_at: Sequence[int], tested: Container[int]
) -> dict[int, float]:
    """After how many rounds each of these jumps ends its loop: several of one loop share its ends. `tested`: loops that
    are entered only if they have a round."""
    exits = Counter(loop_at[row] for row in rounds)
    for row in rounds:
        made.rows[row]["chance"] = BETWEEN
    return {
        row: max(1.0, one.mean + (one.told and loop_at[row] in tested)) * exits[loop_at[row]]
        for row, one in rounds.items()
    }


def expect_entries(
    made: Tables, rounds: Mapping[int, Rounds], open_jumps: Sequence[int], lines: Mapping[int, int],
    loop_at: Sequence[int], heads: Sequence[int],
) -> set[int]:  # fmt: skip
    """Compilers test a loop's condition once more before it: the loop is entered as often as it goes on. Such a jump
    has the line of the loop's end, and one of its sides leads to the loop's head. Returns the loops that have one."""
    loops = {(lines[row], loop_at[row]): one.goes_on for row, one in rounds.items() if lines.get(row)}
    tested: set[int] = set()
    for row in open_jumps:
        if made.operations[row] not in ("jump_if", "jump_on") or made.rows[row]["chance"]:
            continue
        for (line, loop), goes_on in loops.items():
            target, head = made.rows[row]["target"], heads[loop]
            if lines.get(row) != line or loop_at[row] == loop:
                continue
            goes_in = head - _AHEAD <= target <= head
            if goes_in or row < head < target:
                taken = goes_on if goes_in else 1 - goes_on
                made.rows[row]["chance"] = NEVER + round((ALWAYS - NEVER) * taken)
                tested.add(loop)
    return tested


def lines_of(made: Tables, rows: Rows) -> dict[int, int]:
    """The source line of each instruction, by the row that is executed."""
    return {main: one.source_line for (_, main, _), (_, one) in zip(made.spans, rows, strict=True)}


def counted_ends(
    made: Tables, rows: Rows, within: LoopTree, rounds: Mapping[tuple[str, int], float], source: str
) -> dict[int, float]:
    """After how many rounds jumps end their loops, by the lines of which a run gave the mean iterations. `source`: the
    name of the file whose instructions have no name of a file."""
    ends = {}
    for (_, main, _), (_, one) in zip(made.spans, rows, strict=True):
        counted = rounds.get((one.source_file.rpartition("/")[2] or source, one.source_line))
        if counted and made.operations[main] in ("jump_if", "jump_on") and leaves_loop(made, main, *within):
            made.rows[main]["chance"], ends[main] = BETWEEN, max(1.0, counted)
    return ends


def add_rounds(
    cycles: Sequence[float], doubts: list[tuple[float, float]], loops: Sequence[int], parents: Sequence[int],
    ended: Mapping[int, Rounds],
) -> None:  # fmt: skip
    """Widens what is in doubt by the loops that end so: each may have no round, or the most. Of means that the source
    or the user gives, what they are in doubt by is in the sizes."""
    for place, loop in enumerate(loops):
        around = [ended[one] for one in _outwards(loop, parents) if one in ended and not ended[one].is_given]
        if around and cycles[place]:
            fewer = math.prod(rounds.mean for rounds in around)
            further = math.prod(rounds.most / rounds.mean for rounds in around)
            less, more = doubts[place]
            doubts[place] = max(less, cycles[place] * (1 - _TEST / fewer)), more + (further - 1) * cycles[place]


def shortened(ended: Iterable[Rounds]) -> tuple[tuple[int, float], ...]:
    """The lines of loops of the source that data end before their count does, and the share of it that runs."""
    return tuple(sorted({(one.line, one.mean / one.most) for one in ended if one.bounded}))


def end_notes(rows: Mapping[int, Instruction], ends: Ends, open_jumps: Container[int]) -> Iterator[str]:
    """Says how often loops go round that data end, by the lines of their ends."""
    ruled = {row: one for row, one in sorted(ends.ruled.items()) if row in open_jumps and not one.is_given}
    found = {(rows[row].source_line, rows[row].text): one for row, one in ruled.items()}
    for (line, text), rounds in found.items():
        where, number = (f"line {line}", f"{line}") if line else (text, "LINE")
        option = f"--branch {number}=SHARE" if rounds.line else f"--trip {number}=N"
        often = f"{rounds.mean:.2g} times (0 to {_whole(rounds.most)})"
        yield (
            f"{where}: data end the loop: it is taken to go round {often}; "
            f"if it is known, {option} or --trip-from-run gives it"
        )
    for line in sorted({rows[row].source_line for row in ends.steady}):
        yield f"line {line}: data never end the loop before its count does, as was asked for"


def _whole(rounds: float) -> str:
    return f"{rounds:.0f}" if rounds >= _SEVERAL else f"{rounds:.2g}"


def _outwards(loop: int, parents: Sequence[int]) -> Iterator[int]:
    while loop >= 0:
        yield loop
        loop = parents[loop]
