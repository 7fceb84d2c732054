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
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.calls.whole_call import Followed
    from foretell.models.cpu.incore.ooo_core import CallResult

_LINE = 64
#: share of the waits for lines that is in doubt: data may lie so that they are near, or all from beyond
_DOUBTED = 0.5
#: objects are so far apart in the addresses of a followed call (`call_arguments`)
_OBJECT_BITS = 33


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
    """The levels of a machine as one core has them; None where a latency is not known."""
    prefixes = [f"level.{level}" for level in machine.levels]
    paths = [f"{prefix}.latency" for prefix in (*prefixes, "memory")]
    if any(path not in machine for path in paths):
        return None
    line = int(machine.value(f"{prefixes[0]}.line")) if f"{prefixes[0]}.line" in machine else _LINE
    cycles = [float(machine.cycles(path)) for path in paths]
    later = [max(0.0, one - cycles[0]) for one in cycles]
    lines = [max(1, int(capacity.alone(machine, level)) // line) for level in machine.levels]
    return Levels(tuple(zip(lines, later, strict=False)), later[-1], line)


def data_lines(result: CallResult, line: int) -> int:
    """Lines between the first and the last access to each object at places that are known."""
    ends: dict[int, tuple[int, int]] = {}
    for place, span in zip(result.places, result.spans, strict=True):
        if place >= 0:
            least, most = ends.get(place >> _OBJECT_BITS, (place, place))
            ends[place >> _OBJECT_BITS] = min(least, place), max(most, place + span)
    return sum((most - least) // line + 1 for least, most in ends.values())


def with_line_waits(followed: Followed, machine: Machine) -> Followed:
    """The call on a machine where its data lie in these levels: each instruction takes longer by what it waits."""
    levels = levels_of(machine) if followed.waits is not None else None
    if followed.waits is None or levels is None:
        return followed
    waits = followed.waits(levels)
    cycles = tuple(one + wait for one, wait in zip(followed.cycles, waits, strict=True))
    doubts = tuple(
        (less + _DOUBTED * wait, more + _DOUBTED * wait)
        for (less, more), wait in zip(followed.doubts, waits, strict=True)
    )
    return replace(followed, cycles=cycles, doubts=doubts)
