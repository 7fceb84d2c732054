"""Slowdown of the hottest path of a program with half the reorder window (SMT sibling), simulated on a machine's core.

The execution count of each instruction, and of each target of a jump, is in a callgrind.out made with --dump-instr=yes
and --collect-jumps=yes. The path starts at the instruction with the highest count; a jump takes each direction as often
as counted, interleaved as evenly as possible, so that a loop with a trip count of 24 has 24 iterations each time.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from foretell.api import knows_reorder_window, reorder_window_cycles
from foretell.codegen.assembly import x86
from foretell.core.facets.counts import Count
from foretell.errors import InputError, MachineError
from foretell.uses.profiling import disassembly

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine.machine import Machine
    from foretell.frontends.counters.readers.callgrind_instructions import Executed, Jumps
    from foretell.uses.profiling.limited_run import Limits

#: instructions of the path: many windows, and enough for nested loops
_LENGTH = 1 << 14
#: the fraction of a block's instructions that the path must cover
_LEAST = 0.5


@dataclass(frozen=True)
class Code:
    """The executed instructions of one file in one block: their counts, with the targets of jumps and calls; and each
    by its address, with the address after it."""

    counts: dict[int, int]
    ways: dict[int, dict[int, int]]
    listing: dict[int, tuple[Instruction, int]]
    #: for each jump, the expected less the actual executions of each direction
    _owed: dict[int, dict[int, int]] = field(default_factory=dict)

    def way(self, length: int) -> list[tuple[int, bool]]:
        """Addresses in execution order, each with whether it jumps. Where the path leaves the file, it restarts."""
        start = at = max(self.listing, key=lambda address: self.counts[address])
        steps: list[tuple[int, bool]] = []
        stack: list[int] = []
        while len(steps) < length:
            if at not in self.listing:
                at, stack = start, []
            to = self._next(at, stack)
            steps.append((at, to != self.listing[at][1]))
            at = to
        return steps

    def _next(self, at: int, stack: list[int]) -> int:
        instruction, behind = self.listing[at]
        if instruction.kind == "return":
            return stack.pop() if stack else self._caller(at)
        if instruction.kind == "call":
            callee = self._chosen(at, dict(self.ways.get(at, {})))
            if callee in self.listing:
                stack.append(behind)
            return callee if callee in self.listing else behind
        if instruction.kind != "jump":
            return behind
        ways = dict(self.ways.get(at, {}))
        ways[behind] = ways.get(behind, 0) + max(0, self.counts[at] - sum(ways.values()))
        return self._chosen(at, ways)

    def _chosen(self, at: int, ways: dict[int, int]) -> int:
        """The direction that is due."""
        owed = self._owed.setdefault(at, dict.fromkeys(ways, 0))
        for to, times in ways.items():
            owed[to] += times
        chosen = max(owed, key=lambda to: owed[to], default=-1)
        if ways:
            owed[chosen] -= sum(ways.values())
        return chosen

    @cached_property
    def _callers(self) -> dict[int, dict[int, int]]:
        """For every called function, by address: its return addresses, and how often each."""
        callers: dict[int, dict[int, int]] = {}
        for site, ways in self.ways.items():
            instruction, behind = self.listing.get(site, (None, -1))
            if instruction is not None and instruction.kind == "call":
                for callee, times in ways.items():
                    callers.setdefault(callee, {})[behind] = times
        return callers

    def _caller(self, at: int) -> int:
        """The return address of a function that was not entered on the path: that of its most frequent call."""
        entries = [entry for entry in self._callers if entry <= at]
        behind = self._callers[max(entries)] if entries else {}
        return max(behind, key=lambda address: behind[address], default=-1)


def windows(
    counts: Executed, ways: Jumps, marked: bool, machine: Machine, limits: Limits
) -> dict[tuple[str, str], Count]:
    """Simulates `cyclesWindow` and `cyclesHalfWindow` of each block whose path covers enough of it."""
    if not (knows_reorder_window(machine) and disassembly.possible()):
        return {}
    totals: dict[str, dict[str, int]] = {}
    for (region, file), table in counts.items():
        totals.setdefault(region, {})[file] = sum(table.values())
    hottest = {region: max(files, key=lambda file: files[file]) for region, files in totals.items()}
    listings = {file: _listing(file, counts, limits) for file in dict.fromkeys(hottest.values())}
    found: dict[tuple[str, str], Count] = {}
    for where in hottest.items():
        listing = {at: listings[where[1]][at] for at in counts[where] if at in listings[where[1]]}
        code = Code(counts[where], ways.get(where, {}), listing)
        name, total = where[0] if marked else "", sum(totals[where[0]].values())
        with suppress(MachineError):  # the machine file lacks its instructions
            found |= _cycles(name, code, total, machine)
    return found


def _cycles(region: str, code: Code, total: int, machine: Machine) -> dict[tuple[str, str], Count]:
    """Simulates the path of a block that executed `total` instructions."""
    way = code.way(_LENGTH) if code.listing else []
    indices = {at: number for number, at in enumerate(dict.fromkeys(at for at, _ in way))}
    share = sum(code.counts[at] for at in indices) / max(1, total)
    if share < _LEAST:
        return {}
    cycles_each = reorder_window_cycles(
        [code.listing[at][0] for at in indices], [indices[at] for at, _ in way], [jumped for _, jumped in way], machine
    )
    origin = f"{share:.0%} of the instructions, from the hottest on, followed through a core of {machine.name}"
    names = ("cyclesWindow", origin), ("cyclesHalfWindow", f"{origin} with half of its window")
    return {
        (region, event): Count(cycles * total, "simulated", text)
        for cycles, (event, text) in zip(cycles_each, names, strict=True)
    }


def _listing(
    file: str, counts: dict[tuple[str, str], dict[int, int]], limits: Limits
) -> dict[int, tuple[Instruction, int]]:
    """Disassembles the executed code of a file; unreadable files are left out."""
    ran = {at for (_, name), table in counts.items() if name == file for at in table}
    instructions: dict[int, tuple[Instruction, int]] = {}
    for (address, text), (behind, _) in pairwise(chain(disassembly.instructions(file, limits), [(-1, "")])):
        if address in ran:
            with suppress(InputError):
                instructions[address] = x86.parse(text, 0, "att"), behind
    return instructions
