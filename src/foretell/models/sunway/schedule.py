"""Schedules a loop iteration on the two pipelines of a core.

Pipeline 0 executes floating point, pipeline 1 loads, stores and branches, fixed point either (Section II-A of the
paper). Each pipeline issues one instruction a cycle, in the order that the compiler chose; between pipelines,
instructions may overtake. The compiler is modelled as a list scheduler: longest path to the end first.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.models.sunway.loop_code import CALL_INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.models.sunway.loop_code import Iteration, Operation

#: passes that are run to measure the steady state, after as many for warm-up
_PASSES = 4
KINDS = ("floating", "fixed", "scratchpad", "divsqrt")


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one iteration: cycles, and instructions by kind."""

    cycles: float
    counts: Mapping[str, float]


@dataclass(slots=True)
class _Op:
    """An instruction of the unrolled body; `after` are the operations it depends on, with their latencies."""

    kind: str
    after: list[tuple[int, float]] = field(default_factory=list)
    #: the same in the previous pass
    carried: list[tuple[int, float]] = field(default_factory=list)
    pipe: int = 0
    issue: float = 0.0


def cost(iteration: Iteration, unroll: int, latencies: Mapping[str, float], pipelined: bool) -> Cost:
    """The cost of one iteration of a loop that is unrolled `unroll` times."""
    ops = _unrolled(iteration, unroll, latencies)
    order = _list_schedule(ops, latencies)
    cycles = _initiation(ops, latencies) if pipelined else _steady(ops, order, latencies)
    counts = {kind: sum(_weight(op) for op in ops if _as(op.kind) == kind) / unroll for kind in KINDS}
    return Cost(cycles / unroll, counts)


def _as(kind: str) -> str:
    return {"branch": "fixed", "call": "floating"}.get(kind, kind)


def _weight(op: _Op) -> int:
    return CALL_INSTRUCTIONS if op.kind == "call" else 1


def _latency(kind: str, latencies: Mapping[str, float]) -> float:
    if kind == "call":  # a polynomial: a serial chain of instructions
        return CALL_INSTRUCTIONS * latencies["floating"]
    return latencies["fixed"] if kind == "branch" else latencies[kind]


def _unrolled(iteration: Iteration, unroll: int, latencies: Mapping[str, float]) -> list[_Op]:
    """The operations of a pass: `unroll` copies of the body, then pointers, counter and branch once."""
    ops: list[_Op] = []
    made: dict[str, int] = {}  # value → operation, of the newest copy
    stores: list[tuple[int, int, Operation]] = []
    for copy in range(unroll):
        made = _copy(iteration, copy, ops, made, stores, latencies)
    for use, phi in _carried_uses(iteration, ops):
        back = made.get(iteration.carried[phi])
        if back is not None:
            ops[use].carried.append((back, _latency(ops[back].kind, latencies)))
    counter = [_Op("fixed") for _ in range(iteration.pointers + 1)]
    first = len(ops)
    ops += counter
    ops.append(_Op("fixed", [(first, latencies["fixed"])]))  # compare
    ops.append(_Op("branch", [(len(ops) - 1, latencies["fixed"])]))
    return ops


def _carried_uses(iteration: Iteration, ops: list[_Op]) -> list[tuple[int, str]]:
    """Operations of the first copy that use a value of the previous pass."""
    return [
        (index, value)
        for index, operation in enumerate(iteration.instructions)
        for value in operation.operands
        if value in iteration.carried and index < len(ops)
    ]


def _copy(
    iteration: Iteration,
    copy: int,
    ops: list[_Op],
    before: Mapping[str, int],
    stores: list[tuple[int, int, Operation]],
    latencies: Mapping[str, float],
) -> dict[str, int]:
    """Appends a copy of the body; loop-carried values come from the previous copy."""
    made: dict[str, int] = {}
    for operation in iteration.instructions:
        op = _Op(operation.kind)
        for value in operation.operands:
            source = made.get(value)
            if source is None and copy and value in iteration.carried:
                source = before.get(iteration.carried[value])
            if source is not None:
                op.after.append((source, _latency(ops[source].kind, latencies)))
        if operation.kind == "scratchpad":
            op.after += [
                (store, latencies["fixed"])
                for store, of, other in stores
                if _meet(iteration, operation, copy, other, of)
            ]
        if operation.name:
            made[operation.name] = len(ops)
        if operation.opcode == "store":
            stores.append((len(ops), copy, operation))
        ops.append(op)
    return made


def _meet(iteration: Iteration, access: Operation, copy: int, store: Operation, of: int) -> bool:
    """Whether an access may alias the stored element: not in another array, and not where both addresses are moving
    pointers, unless it is the same pointer in the same copy."""
    mine, others = iteration.addresses.get(access.address), iteration.addresses.get(store.address)
    if mine is not None and others is not None:
        return mine == others and copy == of
    return iteration.arrays.get(access.address) == iteration.arrays.get(store.address)


def _pipes(kind: str) -> tuple[int, ...]:
    if kind in ("floating", "divsqrt", "call"):
        return (0,)
    return (1,) if kind in ("scratchpad", "branch") else (0, 1)


def _occupies(kind: str) -> float:
    """Cycles that an instruction occupies its pipeline; a library call is a sequence of instructions."""
    return CALL_INSTRUCTIONS if kind == "call" else 1.0


def _list_schedule(ops: list[_Op], latencies: Mapping[str, float]) -> list[int]:
    """List scheduling: assigns pipelines and the issue order, longest path to the end first."""
    height = _heights(ops, latencies)
    users: list[list[int]] = [[] for _ in ops]
    waiting = [len(op.after) for op in ops]
    for index, op in enumerate(ops):
        for source, _ in op.after:
            users[source].append(index)
    ready = [(0.0, -height[index], index) for index in range(len(ops)) if not waiting[index]]
    heapq.heapify(ready)
    free, divider = [0.0, 0.0], 0.0
    order: list[int] = []
    while ready:
        earliest, _, index = _pop(ready, min(free))
        op = ops[index]
        op.pipe = min(_pipes(op.kind), key=lambda pipe: (free[pipe], -pipe))
        op.issue = max(earliest, free[op.pipe], divider if op.kind == "divsqrt" else 0.0)
        free[op.pipe] = op.issue + _occupies(op.kind)
        if op.kind == "divsqrt":
            divider = op.issue + latencies["divsqrt"]
        order.append(index)
        for user in users[index]:
            waiting[user] -= 1
            if not waiting[user]:
                at = max(ops[source].issue + delay for source, delay in ops[user].after)
                heapq.heappush(ready, (at, -height[user], user))
    return sorted(order, key=lambda index: (ops[index].issue, index))


def _pop(ready: list[tuple[float, float, int]], now: float) -> tuple[float, float, int]:
    """The most urgent operation that can issue now; else the earliest."""
    able = []
    while ready and ready[0][0] <= now:
        able.append(heapq.heappop(ready))
    if not able:
        return heapq.heappop(ready)
    best = min(able, key=lambda entry: entry[1])
    for entry in able:
        if entry is not best:
            heapq.heappush(ready, entry)
    return best


def _heights(ops: list[_Op], latencies: Mapping[str, float]) -> list[float]:
    height = [_latency(op.kind, latencies) for op in ops]
    for index in range(len(ops) - 1, -1, -1):
        for source, delay in ops[index].after:
            height[source] = max(height[source], delay + height[index])
    return height


def _steady(ops: list[_Op], order: list[int], latencies: Mapping[str, float]) -> float:
    """Steady-state cycles per pass when passes follow each other in this order; none starts before the branch."""
    issue = [0.0] * len(ops)
    free, divider, start = [0.0, 0.0], 0.0, 0.0
    ends = []
    for pass_number in range(2 * _PASSES):
        before = list(issue)
        for index in order:
            op = ops[index]
            at = max(start, free[op.pipe])
            for source, delay in op.after:
                at = max(at, issue[source] + delay)
            if pass_number:
                for source, delay in op.carried:
                    at = max(at, before[source] + delay)
            if op.kind == "divsqrt":
                at = max(at, divider)
                divider = at + latencies["divsqrt"]
            issue[index] = at
            free[op.pipe] = at + _occupies(op.kind)
        start = issue[-1] + 1.0  # the branch is last
        ends.append(max(issue))
    return (ends[-1] - ends[_PASSES - 1]) / _PASSES


def _initiation(ops: list[_Op], latencies: Mapping[str, float]) -> float:
    """Initiation interval with software pipelining: the larger of the resource bound and the recurrence bound."""
    work = [sum(_occupies(op.kind) for op in ops if _pipes(op.kind) == (pipe,)) for pipe in (0, 1)]
    either = sum(1.0 for op in ops if len(_pipes(op.kind)) == 2)
    divides = latencies["divsqrt"] * sum(op.kind == "divsqrt" for op in ops)
    resources = max(*work, (sum(work) + either) / 2, divides, 1.0)
    recurrence = 0.0
    for start, op in enumerate(ops):
        for source, delay in op.carried:
            recurrence = max(recurrence, _longest(ops, start, source) + delay)
    return max(resources, recurrence)


def _longest(ops: list[_Op], start: int, end: int) -> float:
    """The longest path from the issue of one operation to that of a later one; 0 if they are the same or
    independent."""
    reach: dict[int, float] = {start: 0.0}
    for index in range(start + 1, end + 1):
        for source, delay in ops[index].after:
            if source in reach:
                reach[index] = max(reach.get(index, 0.0), reach[source] + delay)
    return reach.get(end, 0.0)
