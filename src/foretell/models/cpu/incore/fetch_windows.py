"""Short loops that lie across two windows of the micro-op cache.

A line of the micro-op cache holds instructions of one aligned window of code. A loop of one line that lies across the
end of a window is fetched from two lines: it may take two cycles for each iteration, where one would do. Where a
compiler's function lies in a program is not known beyond the 16 bytes to which functions and heads of loops are
aligned, so the mean over the places counts, and the interval goes from none to all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.assembly.x86_lengths import code_bytes
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.codegen.assembly.instruction import Instruction

#: bytes to which compilers align functions and heads of loops (gcc and clang on x86-64: 16)
_ALIGNED = 16
#: cycles that an iteration takes longer on average where the loop lies across two windows: mean of 252 loops of 2 to 8
#: uops at all places of a window on a Golden Cove core (16-core virtual machine, 2026-11-18); single loops 0 to 1
_ACROSS = 0.37
#: cycles in which two lines are fetched
_TWO_LINES = 2.0


@record
class LoopCode:
    """An innermost loop: its instructions, their micro-operations, and iterations and cycles of all of them."""

    instructions: tuple[Instruction, ...]
    uops: float
    iterations: float
    cycles: float


@record
class WindowCycles:
    """Cycles that iterations of a loop take longer on average over all places of its code, and at the worst one."""

    mean: float
    most: float


def share_across(length: int, window: int) -> float:
    """The share of places, aligned, at which so many bytes lie across the end of a window."""
    places = window // _ALIGNED
    inside = sum(place * _ALIGNED + length <= window for place in range(places))
    return 1.0 - inside / places


def window_cycles(loop: LoopCode, line: float, window: int) -> WindowCycles:
    """What the place of a loop may add. Loops that are longer than a line, or slower than two lines, hide it."""
    if not loop.iterations or loop.uops > line:
        return WindowCycles(0.0, 0.0)
    idle = max(0.0, _TWO_LINES - loop.cycles / loop.iterations)
    share = share_across(sum(map(code_bytes, loop.instructions)), window)
    return WindowCycles(share * min(_ACROSS, idle) * loop.iterations, (idle if share else 0.0) * loop.iterations)


def innermost(loop_at: Sequence[int], parents: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The loops that have none inside, with their instructions."""
    outer = set(parents)
    for number in range(len(parents)):
        if number not in outer:
            yield number, [place for place, loop in enumerate(loop_at) if loop == number]
