"""Instructions that a rewritten kernel would not execute: of half-empty warps, of atomics on one address, of narrow
loads, of indices; and latencies that it would hide."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from foretell.characterize.gpu.memory import lane_bytes
from foretell.core.answers.answers import Advice
from foretell.core.gpu import opcodes
from foretell.models.gpu.costs.instruction_costs import scaled
from foretell.models.gpu.multiprocessor import L1, L2, MEMORY, NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from foretell.characterize.gpu.functional import InstructionCounts
    from foretell.core.gpu.sass import SassInstruction
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Prepared

_LANES = 32
#: share of all executed instructions below which a line is left alone
_SHARE = 0.03
#: lanes of a warp below which a line is called divergent
_FULL = 0.75 * _LANES
#: the widest access of a lane
_WIDEST = 16
_INDEXING = ("alu", "imad", "uniform", "constant")
_BARRIERS = ("BAR",)
_CACHES = (L1, L2, MEMORY)


def of_instructions(facet: Warps, prepared: Prepared, base: float) -> Iterator[Advice]:
    """All estimates of this kind."""
    counts = prepared.execution.instructions
    code = list(zip(facet.kernel.instructions, counts, strict=True))
    view = _View(prepared, base, code)
    yield from _divergent(view, facet)
    yield from _atomics(view)
    yield from _vectors(view)
    yield from _buffered(view)
    yield from _coarsened(view)


class Cheaper(NamedTuple):
    """Instructions whose gap or latency in some resources is a part of what it was."""

    places: Sequence[int]
    resources: Iterable[str]
    limit: str
    factor: float


class _View:
    """The executed instructions of a kernel, and the time if some of them cost less."""

    def __init__(
        self, prepared: Prepared, base: float, code: Sequence[tuple[SassInstruction, InstructionCounts]]
    ) -> None:
        self._prepared, self.base, self.code = prepared, base, code
        self.executed = sum(count.executions for _, count in code)

    def lines(self, places: Iterable[int]) -> dict[int, list[int]]:
        """Places by source line; those without a line are left out."""
        result: dict[int, list[int]] = defaultdict(list)
        for place in places:
            if self.code[place][0].line:
                result[self.code[place][0].line].append(place)
        return result

    def share(self, places: Iterable[int]) -> float:
        """The part of all executed instructions."""
        return sum(self.code[place][1].executions for place in places) / max(1, self.executed)

    def time(self, *changes: Cheaper) -> float:
        """The time if these instructions had a part of their gap or latency."""
        ops = self._prepared.ops
        for change in changes:
            for name in change.resources:
                where = np.array(change.places, np.intp)
                ops = scaled(ops, where, NAMES.index(name), change.limit, change.factor)
        return self._prepared.with_ops(ops).run().seconds

    def advice(self, title: str, action: str, time: float, note: str) -> Advice:
        return Advice(title, action, time, self.base - time, note=f"estimate: {note}")


def _lanes(view: _View, places: Sequence[int]) -> float:
    executions = sum(view.code[place][1].executions for place in places)
    return sum(view.code[place][1].active_lanes for place in places) / max(1, executions)


def _divergent(view: _View, facet: Warps) -> Iterator[Advice]:
    """Lines that few lanes of a warp execute, and the branch before the first of them."""
    if facet.launch.threads % _LANES:
        return
    lines = view.lines(place for place, (_, count) in enumerate(view.code) if count.executions)
    thin = {line: own for line, own in lines.items() if _lanes(view, own) < _FULL}
    needless = sum(view.share(own) * (1 - _lanes(view, own) / _LANES) for own in thin.values())
    if needless < _SHARE:
        return
    places = sorted(place for own in thin.values() for place in own)
    before = range(places[0], -1, -1)
    branch = next((view.code[at][0].line for at in before if view.code[at][0].opcode == "BRA"), 0)
    line = branch or view.code[places[0]][0].line
    action = f"line {line}: behind this branch {_lanes(view, places):.3g} of 32 lanes are active (lines "
    action += f"{', '.join(map(str, sorted(thin)[:4]))}): let whole warps take one side"
    yield view.advice("divergence", action, view.base * (1 - needless), "as many instructions fewer")


def _atomics(view: _View) -> Iterator[Advice]:
    """Atomics of several lanes of a warp: added up in the warp first."""
    atomic = [
        place for place, (item, count) in enumerate(view.code) if item.opcode in opcodes.ATOMICS and count.requests
    ]
    for line, places in view.lines(atomic).items():
        requests = sum(view.code[place][1].requests for place in places)
        lanes = sum(view.code[place][1].active_lanes for place in places) / requests
        serial = sum(view.code[place][1].serial for place in places) / requests
        if lanes <= 1:
            continue
        time = view.time(Cheaper(places, _CACHES, "gap", 1 / lanes))
        way = "in the warp (__reduce_add_sync, shuffles)" if serial > lanes / 2 else "in shared memory, per block"
        action = f"line {line}: {lanes:.3g} lanes update, {serial:.3g} of them one word: add up {way} first"
        yield view.advice("atomics", action, time, "one atomic of a warp")


def _vectors(view: _View) -> Iterator[Advice]:
    """Coalesced accesses of 4 or 8 bytes a lane: a quarter or half of the instructions with 16."""
    narrow = [
        place
        for place, (item, count) in enumerate(view.code)
        if item.opcode in ("LDG", "STG") and count.requests and lane_bytes(item) < _WIDEST and _is_dense(item, count)
    ]
    if view.share(narrow) < _SHARE:
        return
    width = max(lane_bytes(view.code[place][0]) for place in narrow)
    lines = ", ".join(map(str, sorted(view.lines(narrow))[:4]))
    part = width / _WIDEST
    time = view.time(Cheaper(narrow, ("lsu",), "gap", part), Cheaper(narrow, _CACHES, "latency", part))
    action = f"line{'s' if ',' in lines else ''} {lines}: {width} bytes a lane: load and store 16 (float4, double2)"
    yield view.advice("vector loads", action, time, "as many bytes in fewer requests, which wait together")


def _is_dense(item: SassInstruction, count: InstructionCounts) -> bool:
    """Whether the lanes of a request access neighbouring elements."""
    return count.sectors <= 1.1 * count.active_lanes * lane_bytes(item) / _LANES + count.requests


def _buffered(view: _View) -> Iterator[Advice]:
    """Loads in a loop that go to shared memory before a barrier: the next tile could be under way meanwhile."""
    names = [item.opcode for item, _ in view.code]
    if not any(name in _BARRIERS for name in names) or "LDGSTS" in names or "STS" not in names:
        return
    first_store = names.index("STS")
    most = max(count.executions for _, count in view.code)
    entered = max(1, view.code[0][1].executions)
    places = [
        at
        for at, (item, count) in enumerate(view.code[:first_store])
        if item.opcode == "LDG" and count.executions > entered
    ]
    if not places or most <= entered:
        return
    line = view.code[places[0]][0].line
    time = view.time(Cheaper(places, _CACHES, "latency", 0.0))
    action = f"line {line}: load the next tile while this one is computed with (two buffers, cp.async)"
    yield view.advice("double buffering", action, time, "these loads without their latency")


def _coarsened(view: _View) -> Iterator[Advice]:
    """Instructions of indices outside loops: two elements of a thread share them."""
    entered = max(1, view.code[0][1].executions)
    places = [
        at
        for at, (item, count) in enumerate(view.code)
        if 0 < count.executions <= entered and opcodes.unit(item.opcode) in _INDEXING
    ]
    if view.share(places) < 10 * _SHARE:
        return
    loads = [at for at, (item, count) in enumerate(view.code) if item.opcode == "LDG" and count.executions]
    time = view.time(Cheaper(places, _INDEXING, "gap", 0.5), Cheaper(loads, _CACHES, "latency", 0.5))
    action = f"{view.share(places):.0%} of the instructions compute indices once a thread: let a thread do two elements"
    yield view.advice("coarsening", action, time, "these instructions once for two elements, whose loads wait together")
