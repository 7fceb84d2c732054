"""Loops that data end of which nothing is known: how often they go round by a rule, and how far that may be wrong."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from foretell.models.cpu.incore.calls.held_jumps import leaves_loop
from foretell.models.cpu.incore.instruction_tables import BETWEEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.models.cpu.condition_shares import LoopTree, Rows
    from foretell.models.cpu.incore.instruction_tables import Tables

#: how often a loop goes on that data end: its branches are right so often where they are predicted to (the loop branch
#: heuristic; Wu and Larus, Static Branch Frequency and Program Profile Analysis, MICRO-27, 1994): 8.3 rounds
_GOES_ON = 0.88
#: a loop may have none (compilers test before they enter it), or so many times more rounds: that number squared
ROUNDS = 1 / (1 - _GOES_ON)
#: what remains of a round where a loop has none: its test
_TEST = 0.5


def open_ends(made: Tables, open_jumps: Sequence[int], loop_at: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Jumps on unknown values that end a loop, of which no share is known."""
    jumps = (row for row in open_jumps if made.operations[row] in ("jump_if", "jump_on"))
    return [row for row in jumps if not made.rows[row]["chance"] and leaves_loop(made, row, loop_at, parents)]


def expect_rounds(made: Tables, ends: Sequence[int], loop_at: Sequence[int]) -> dict[int, float]:
    """After how many rounds each of these jumps ends its loop, by the rule: several of one loop share its ends."""
    exits = Counter(loop_at[row] for row in ends)
    for row in ends:
        made.rows[row]["chance"] = BETWEEN
    return {row: ROUNDS * exits[loop_at[row]] for row in ends}


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
    ended: frozenset[int],
) -> None:  # fmt: skip
    """Widens what is in doubt by the loops that end so: each may have no round, or as many times more."""
    for place, loop in enumerate(loops):
        depth = sum(1 for around in _outwards(loop, parents) if around in ended)
        if depth and cycles[place]:
            factor = ROUNDS**depth
            less, more = doubts[place]
            doubts[place] = max(less, cycles[place] * (1 - _TEST / factor)), more + (factor - 1) * cycles[place]


def end_notes(rows: Mapping[int, Instruction], ends: Sequence[int]) -> Iterator[str]:
    """Says how often loops go round that data end, by the lines of their ends."""
    for line, text in dict.fromkeys((rows[row].source_line, rows[row].text) for row in ends):
        where, loop = (f"line {line}", f"{line}") if line else (text, "LINE")
        yield (
            f"{where}: data end the loop: it is taken to go round {ROUNDS:.2g} times (0 to {ROUNDS**2:.2g}); "
            f"if it is known, -D trips_L{loop}=N of C, --trip {loop}=N of C++, or --trip-from-run gives it"
        )


def _outwards(loop: int, parents: Sequence[int]) -> Iterator[int]:
    while loop >= 0:
        yield loop
        loop = parents[loop]
