"""Advice that is read off the executed requests: accesses that ask for more sectors or wavefronts than they need.

Each estimate is a run of the timing in which the requests of one source line cost what they would at best; what else a
change of the code would do (copies through shared memory, other indices) is not in it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.memory import lane_bytes
from foretell.core.answers.answers import Advice
from foretell.core.gpu import opcodes
from foretell.models.gpu.costs.instruction_costs import scaled
from foretell.models.gpu.multiprocessor import L1, L2, MEMORY, NAMES, SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.characterize.gpu.functional import InstructionCounts
    from foretell.core.gpu.sass import SassInstruction
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Prepared

#: bytes of a sector, and of a wavefront of shared memory (32 banks of 4 bytes)
_SECTOR, _WAVEFRONT = 32, 128
#: requests that cost less than this many times their least are left alone
_WORTH = 1.2
#: lines of each kind that are tried
_MOST = 3
_COALESCE = (
    "let neighbouring threads access neighbouring elements (members of structures in arrays of their own), or "
    "transpose through shared memory"
)
_GROUP = (
    "data decide the addresses, which are taken to be apart for each thread: if they are, group the indices, so that "
    "neighbouring threads access neighbouring elements; if not, --arg tells what the arrays hold"
)


@dataclass(frozen=True, slots=True)
class _Line:
    """The requests of a source line to one memory: instructions, what they ask for and the least of it."""

    places: tuple[int, ...]
    asked: float
    least: float
    requests: int
    #: addresses that data decide, which are taken to be a sector for each lane
    by_data: bool = False


def of_requests(facet: Warps, prepared: Prepared, base: float) -> Iterator[Advice]:
    """Estimates for source lines whose requests are larger than they need be."""
    for line, item in costliest(_lines(facet, prepared, shared=False)):
        yield _uncoalesced(line, item, prepared, base)
    for line, item in costliest(_lines(facet, prepared, shared=True)):
        yield _conflicts(line, item, prepared, base)


def costliest(lines: dict[int, _Line]) -> list[tuple[int, _Line]]:
    """The lines that ask for most beyond their least; each costs a run of the timing."""
    wasteful = [(line, item) for line, item in lines.items() if item.asked >= _WORTH * item.least]
    return sorted(wasteful, key=lambda pair: pair[1].least - pair[1].asked)[:_MOST]


def _lines(facet: Warps, prepared: Prepared, shared: bool) -> dict[int, _Line]:
    counts = prepared.execution.instructions
    wanted = opcodes.SHARED if shared else opcodes.GLOBAL - opcodes.ATOMICS
    places: dict[int, list[int]] = defaultdict(list)
    for place, (item, count) in enumerate(zip(facet.kernel.instructions, counts, strict=True)):
        if item.opcode in wanted and count.requests and item.opcode not in ("LDSM", "STSM", "LDGSTS"):
            places[item.line].append(place)
    return {line: _line(facet, tuple(found), counts, shared) for line, found in places.items()}


def _line(facet: Warps, places: tuple[int, ...], counts: tuple[InstructionCounts, ...], shared: bool) -> _Line:
    asked = least = requests = 0.0
    for place in places:
        item, count = facet.kernel.instructions[place], counts[place]
        asked += count.wavefronts if shared else count.sectors
        least += count.requests * _least(item, count, _WAVEFRONT if shared else _SECTOR)
        requests += count.requests
    return _Line(places, asked, least, int(requests), any(counts[place].unknown_addresses for place in places))


def _least(item: SassInstruction, count: InstructionCounts, unit: int) -> float:
    """Units of memory that the active lanes of a request need at least."""
    lanes = count.active_lanes / max(1, count.executions)
    return max(1.0, math.ceil(lanes * lane_bytes(item) / unit))


def _estimated(prepared: Prepared, item: _Line, resources: tuple[str, ...]) -> float:
    """The time if the requests cost their least in these resources."""
    ops, places = prepared.ops, np.array(item.places, np.intp)
    for name in resources:
        ops = scaled(ops, places, NAMES.index(name), "gap", item.least / item.asked)
    return prepared.with_ops(ops).run().seconds


def _uncoalesced(line: int, item: _Line, prepared: Prepared, base: float) -> Advice:
    time = _estimated(prepared, item, (L1, L2, MEMORY))
    now, best = item.asked / item.requests, item.least / item.requests
    action = f"line {line}: {now:.3g} sectors a request, {best:.3g} would do: {_GROUP if item.by_data else _COALESCE}"
    return Advice("uncoalesced access", action, time, base - time, note="estimate: its requests at their least")


def _conflicts(line: int, item: _Line, prepared: Prepared, base: float) -> Advice:
    time = _estimated(prepared, item, (SHARED,))
    ways = item.asked / item.least
    action = f"line {line}: {ways:.3g} lanes on each bank: pad the rows by one element ([32][33] for [32][32])"
    return Advice("bank conflicts", action, time, base - time, note="estimate: its requests without conflicts")
