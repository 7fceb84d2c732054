"""Loops that data end of which nothing is known: how often they go round by a rule, and how far that may be wrong."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from foretell.core.columns.tape import real
from foretell.core.nest.averages import is_average
from foretell.core.nest.loopnest import iterations
from foretell.models.cpu.incore.calls.held_jumps import leaves_loop
from foretell.models.cpu.incore.instruction_tables import ALWAYS, BETWEEN, NEVER

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.nest.loopnest import LoopNest
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
#: rows between the test before a loop and its head
_AHEAD = 16


def open_ends(made: Tables, open_jumps: Sequence[int], loop_at: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Jumps on unknown values that end a loop, of which no share is known."""
    jumps = (row for row in open_jumps if made.operations[row] in ("jump_if", "jump_on"))
    return [row for row in jumps if not made.rows[row]["chance"] and leaves_loop(made, row, loop_at, parents)]


class Rounds(NamedTuple):
    """How often a loop goes round in the mean, and at most. `told`: the source or the user says it of each entry, also
    of those without a round; otherwise of entries with one."""

    mean: float
    most: float
    told: bool = True

    @property
    def goes_on(self) -> float:
        """How often its test holds."""
        return self.mean / (1 + self.mean) if self.told else 1 - 1 / self.mean


class EarlyEnd(NamedTuple):
    """A loop of the source that data may end, by the line of its head."""

    line: int
    rounds: Rounds


_BY_RULE = Rounds(ROUNDS, ROUNDS**2, told=False)
#: two values from memory: either may be greater, so every second test ends the loop (`balanced_jumps`)
_BALANCED = Rounds(2.0, ROUNDS**2, told=False)


def early_ends(nests: Sequence[LoopNest], sizes: Mapping[str, int]) -> tuple[EarlyEnd, ...]:
    """The rounds of each loop of the source, if data end it. A number that it cannot exceed is the most: between one
    and that, every order of magnitude is as likely as the others, as of a scale of which nothing is known (Jeffreys
    1946): (n - 1) / ln n in the mean. Iterations of loops that nothing else ends, and means of data, are means."""
    found: dict[int, Rounds] = {}
    for nest in nests:
        for depth, loop in enumerate(nest.loops):
            inside, around = (iterations(nest.loops, number) for number in (depth + 1, depth))
            if not (inside.symbols() | around.symbols()) <= sizes.keys():
                continue
            entries = max(1.0, float(real(around.evaluate(sizes))))
            count = max(1.0, float(real(inside.evaluate(sizes))) / entries)
            is_mean = not loop.counted or any(map(is_average, inside.symbols()))
            mean = count if is_mean or count < _FEW else (count - 1) / math.log(count)
            found.setdefault(loop.line, Rounds(mean, count))
    return tuple(EarlyEnd(line, rounds) for line, rounds in sorted(found.items()))


def rounds_of(
    ends: Sequence[int], lines: Mapping[int, int], loop_at: Sequence[int], parents: Sequence[int],
    early: Sequence[EarlyEnd], balanced: Container[int] = (),
) -> dict[int, Rounds]:  # fmt: skip
    """How often the loop of each of these jumps goes round: as the source says of a line of its jumps, or by the rule
    of branches. An outermost loop is not entered again: of it only a rule is known. `balanced`: jumps that compare two
    values from memory."""
    known = {one.line: one.rounds for one in early}
    of_loops = {
        loop_at[row]: known[line]
        for row, line in sorted(lines.items())
        if line in known and loop_at[row] >= 0 and parents[loop_at[row]] >= 0
    }
    return {row: of_loops.get(loop_at[row], _BALANCED if row in balanced else _BY_RULE) for row in ends}


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
    """Widens what is in doubt by the loops that end so: each may have no round, or the most."""
    for place, loop in enumerate(loops):
        around = [ended[one] for one in _outwards(loop, parents) if one in ended]
        if around and cycles[place]:
            fewer = math.prod(rounds.mean for rounds in around)
            further = math.prod(rounds.most / rounds.mean for rounds in around)
            less, more = doubts[place]
            doubts[place] = max(less, cycles[place] * (1 - _TEST / fewer)), more + (further - 1) * cycles[place]


def end_notes(rows: Mapping[int, Instruction], ends: Mapping[int, Rounds]) -> Iterator[str]:
    """Says how often loops go round that data end, by the lines of their ends."""
    found = {(rows[row].source_line, rows[row].text): rounds for row, rounds in ends.items()}
    for (line, text), (mean, most, _) in found.items():
        where, loop = (f"line {line}", f"{line}") if line else (text, "LINE")
        yield (
            f"{where}: data end the loop: it is taken to go round {mean:.2g} times (0 to {most:.2g}); "
            f"if it is known, -D trips_L{loop}=N of C, --trip {loop}=N of C++, or --trip-from-run gives it"
        )


def _outwards(loop: int, parents: Sequence[int]) -> Iterator[int]:
    while loop >= 0:
        yield loop
        loop = parents[loop]
