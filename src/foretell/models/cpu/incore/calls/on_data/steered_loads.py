"""Loads whose addresses the outcomes of data decide: searches by halving, heaps, trees in arrays.

The followed core takes their addresses as they come, and all lines from L1. Where the data lie further out, each of
these lines takes the latency of the level that has it, found by simulating the levels; what the core does meanwhile,
and what a mispredicted jump that waits for the line costs, follows from the same clock. A line that was not met before
is anywhere among the data of the call, by chance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.machine import capacity
from foretell.models.base import Inputs
from foretell.models.cpu.transfers.bandwidths import innermost_line, known, latency_of
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.calls.whole_call import Followed
    from foretell.models.cpu.incore.instruction_tables import Tables
    from foretell.models.cpu.incore.ooo_core import CallResult

#: share of the waits for lines that is in doubt: data may lie so that they are near, or all from beyond
_DOUBTED = 0.5
#: objects are so far apart in the addresses of a followed call (allocations of the core); from here on lie tables of
#: pointers, structs and the stack (`call_arguments`), which are small
OBJECT_BITS, _TABLES = 32, 1 << 41


@record
class Levels:
    """Lines that each cache holds, from the innermost on, and cycles that a line from it takes beyond one from L1;
    cycles of a line from memory."""

    caches: tuple[tuple[int, float], ...]
    beyond: float
    line: int

    @property
    def innermost(self) -> int:
        """Lines in L1."""
        return self.caches[0][0]


def levels_of(machine: Machine) -> Levels | None:
    """The levels of a machine as one core has them, as far as it is known how long their lines take; None where that
    is not known of memory."""
    inputs = Inputs(machine, {})
    told = [level for level in machine.levels if _is_told(machine, f"level.{level}")]
    if not told or not _is_told(machine, "memory"):
        return None
    clock = inputs.value("clock.frequency")
    cycles = [float(latency_of(inputs, prefix) * clock) for prefix in (*(f"level.{one}" for one in told), "memory")]
    later = [max(0.0, one - cycles[0]) for one in cycles]
    line = int(innermost_line(inputs))
    lines = [max(1, int(capacity.alone(machine, level)) // line) for level in told]
    return Levels(tuple(zip(lines, later, strict=False)), later[-1], line)


def _is_told(machine: Machine, prefix: str) -> bool:
    return f"{prefix}.latency" in machine or known(machine, prefix)


def data_lines(result: CallResult, line: int) -> int:
    """Lines between the first and the last access to each object at places that are known."""
    ends: dict[int, tuple[int, int]] = {}
    for place, span in zip(result.places, result.spans, strict=True):
        if 0 <= place < _TABLES:
            least, most = ends.get(place >> OBJECT_BITS, (place, place))
            ends[place >> OBJECT_BITS] = min(least, place), max(most, place + span)
    return sum((most - least) // line + 1 for least, most in ends.values())


def unknown_loads(made: Tables, result: CallResult) -> list[int]:
    """The executed loads of a call whose place was never known."""
    places = enumerate(zip(made.rows, result.counts, result.places, strict=True))
    return [row for row, (one, count, place) in places if count and place < 0 and one["loads"]]


def with_line_waits(followed: Followed, machine: Machine) -> Followed:
    """The call on a machine where its data lie in these levels: each instruction takes longer by what it waits."""
    levels = levels_of(machine) if followed.waits is not None else None
    if followed.waits is None or levels is None:
        return followed
    waits = followed.waits(levels)
    if sum(waits) < 0:  # other work was timed behind the waits of a window, and not what goes on behind it
        waits = (0.0,) * len(waits)
    cycles = tuple(max(0.0, one + wait) for one, wait in zip(followed.cycles, waits, strict=True))
    part = _DOUBTED * max(0.0, sum(waits)) / max(sum(cycles), 1.0)
    doubts = tuple(
        (less + part * one, more + part * one) for (less, more), one in zip(followed.doubts, cycles, strict=True)
    )
    return replace(followed, cycles=cycles, doubts=doubts)
