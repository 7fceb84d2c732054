"""What half of a core's window makes of a program: its hottest code, in the order in which it ran, on a machine's core.

How often each instruction ran, and each jump went where it went, is in a callgrind.out made with --dump-instr=yes and
--collect-jumps=yes. The way through the code starts at the instruction that ran most often; a jump goes each way as
often as it did, in turns as even as can be, so that a loop of 24 passes has 24 of them each time.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from foretell.codegen.assembly import x86
from foretell.core.counts import Count
from foretell.errors import InputError
from foretell.frontends.counters.instructions import executed, jumps
from foretell.models.incore.window import Path, known, sensitivity
from foretell.uses import disassembly

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine import Machine
    from foretell.frontends.counters.lines import Lines
    from foretell.uses.running import Limits

#: instructions to follow: many windows of them, and enough for loops around loops
_LENGTH = 1 << 14
#: the part of a block's instructions that must lie on the way
_LEAST = 0.5


@dataclass
class Code:
    """The executed instructions of one file in one block: how often each ran, and jumped where."""

    counts: dict[int, int]
    jumps: dict[int, dict[int, int]]
    #: address → the instruction and the address behind it
    listing: dict[int, tuple[Instruction, int]]
    #: of each jump, how much each way is behind: what it should have had of all visits, less what it had
    _behind: dict[int, dict[int, int]] = field(default_factory=dict)

    def way(self, length: int) -> list[tuple[int, bool]]:
        """Addresses in the order in which they run, each with whether it jumps. What leaves the file begins anew."""
        start = at = max(self.listing, key=lambda address: self.counts[address])
        found: list[tuple[int, bool]] = []
        stack: list[int] = []
        while len(found) < length:
            if at not in self.listing:
                at, stack = start, []
            to = self._next(at, stack)
            found.append((at, to != self.listing[at][1]))
            at = to
        return found

    def _next(self, at: int, stack: list[int]) -> int:
        one, behind = self.listing[at]
        if one.kind == "return":
            return stack.pop() if stack else -1
        if one.kind == "call":
            callee = _called(one)
            if callee not in self.listing:
                return behind
            stack.append(behind)
            return callee
        return self._jump(at, behind) if one.kind == "jump" else behind

    def _jump(self, at: int, behind: int) -> int:
        ways = dict(self.jumps.get(at, {}))
        ways[behind] = ways.get(behind, 0) + max(0, self.counts[at] - sum(ways.values()))
        owed = self._behind.setdefault(at, dict.fromkeys(ways, 0))
        for to, times in ways.items():
            owed[to] += times
        chosen = max(owed, key=lambda to: owed[to])
        owed[chosen] -= sum(ways.values())
        return chosen


def _called(one: Instruction) -> int:
    try:
        return int(one.text.split()[-1], 16)
    except ValueError:
        return -1  # through a register


def windows(lines: Lines, marked: bool, machine: Machine, limits: Limits) -> dict[tuple[str, str], Count]:
    """`cyclesWindow` and `cyclesHalfWindow` of each block of which enough could be followed."""
    if not (known(machine) and disassembly.possible()):
        return {}
    counts, ways = executed(lines), jumps(lines)
    listings = {file: _listing(file, counts, limits) for file in dict.fromkeys(file for _, file in counts)}
    found: dict[tuple[str, str], Count] = {}
    for region in dict.fromkeys(region for region, _ in counts):
        tables = {file: table for (name, file), table in counts.items() if name == region}
        file = max(tables, key=lambda file: sum(tables[file].values()))
        code = Code(tables[file], ways.get((region, file), {}), {})
        code.listing = {at: listings[file][at] for at in tables[file] if at in listings[file]}
        total = sum(sum(table.values()) for table in tables.values())
        found |= _cycles(region if marked else "", code, total, machine)
    return found


def _cycles(region: str, code: Code, total: int, machine: Machine) -> dict[tuple[str, str], Count]:
    """Of a block that executed `total` instructions."""
    if not code.listing:
        return {}
    way = code.way(_LENGTH)
    places = {at: number for number, at in enumerate(dict.fromkeys(at for at, _ in way))}
    share = sum(code.counts[at] for at in places) / total
    if share < _LEAST:
        return {}
    path = Path(
        tuple(code.listing[at][0] for at in places),
        tuple(places[at] for at, _ in way),
        tuple(jumped for _, jumped in way),
        machine,
    )
    origin = (
        f"{share:.0%} of the instructions, from the hottest on, followed through a core of {machine.name}"
    )
    names = ("cyclesWindow", origin), ("cyclesHalfWindow", f"{origin} with half of its window")
    return {
        (region, event): Count(cycles * total, "simulated", text)
        for cycles, (event, text) in zip(sensitivity(path), names, strict=True)
    }


def _listing(
    file: str, counts: dict[tuple[str, str], dict[int, int]], limits: Limits
) -> dict[int, tuple[Instruction, int]]:
    """What was executed of a file; what cannot be read is left out."""
    ran = {at for (_, name), table in counts.items() if name == file for at in table}
    found: dict[int, tuple[Instruction, int]] = {}
    for (address, text), (behind, _) in pairwise(chain(disassembly.instructions(file, limits), [(-1, "")])):
        if address in ran:
            with suppress(InputError):
                found[address] = x86.parse(text, 0, "att"), behind
    return found
