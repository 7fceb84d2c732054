"""The timing core: blocks of a kernel on one multiprocessor, cycle by cycle where something happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell import _core
from foretell.models.emulate.multiprocessor import BARRIER, ISSUE, L2, MEMORY, NAMES, PORTS, START

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.characterize.functional import Execution
    from foretell.models.emulate.multiprocessor import Multiprocessor
    from foretell.models.emulate.ops import Ops

#: memory instructions of one sub-core that wait for the shared path (Huerta et al.: four and one under way)
_QUEUE = 5
#: cycles of work in L2 and memory that a multiprocessor may have ahead of it before its own path is held up
_BACKLOG = 512.0
#: rounds of a loop that are emulated at first; doubled until the last half goes like the half before
_FIRST_CAP, _LAST_CAP = 32, 512
#: two stretches of a loop that differ by less than this go alike
_ALIKE = 0.005
#: warp instructions of the blocks on one multiprocessor that are worth cutting short
_WORTH_FOLDING = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Some blocks on one multiprocessor. `emulated` cycles of the emulation itself, `cycles` with what loops left out.

    Of the emulation, in cycles of one sub-core: `idle` by resource (latency, gap); `waiting` the same for each
    instruction [instruction][resource][2].
    """

    cycles: float
    emulated: float
    issued: float
    busy: dict[str, float]
    idle: dict[tuple[str, str], float]
    tail: float
    executions: NDArray[np.float64]
    waiting: NDArray[np.float64]
    folded: bool


class Core:
    """A kernel's executed blocks, loaded into the timing core."""

    def __init__(self, execution: Execution, resident: int, *, fold: bool = True) -> None:
        self._record = execution.record
        self._resident = resident
        largest = max(execution.block_instructions)
        self._cap = _FIRST_CAP if fold and largest * resident > _WORTH_FOLDING else 1 << 30
        self._kinds = _core.TimingKinds(self._record, self._cap)

    def run(self, ops: Ops, there: Multiprocessor, order: list[int], resident: int | None = None) -> Timing:
        """The blocks of `order` (places among those executed), so many at a time."""
        machine = _machine(there)
        while True:
            result = self._kinds.run(ops.ints, ops.reals, machine, order, resident or self._resident)
            more, alike = self._left_out(result, order, resident or self._resident)
            if alike or self._cap >= _LAST_CAP:
                return _timing(result, result.cycles + more, self._cap < 1 << 30)
            self._cap *= 2
            self._kinds = _core.TimingKinds(self._record, self._cap)

    def _left_out(self, result: _core.TimingResult, order: list[int], resident: int) -> tuple[float, bool]:
        """Cycles of the rounds that were left out, and whether the kept ones had come to go alike.

        A round left out takes as long as those of the second half of the kept ones, on the mean of all warps.
        """
        more, alike = {}, True
        for kind in set(order):
            longest = 0.0
            for trace in set(self._kinds.traces_of(kind)):
                marks = result.marks[trace]
                cycles = 0.0
                for loop, (rounds, kept) in enumerate(
                    zip(self._kinds.left_out(trace), self._kinds.kept(trace), strict=True)
                ):
                    quarter, half, end = marks[3 * loop : 3 * loop + 3]
                    late = (end - half) / kept
                    early = (half - quarter) / (self._cap / 2 - self._cap // 4)
                    cycles += rounds * late
                    alike = alike and abs(late - early) <= _ALIKE * max(late, early)
                longest = max(longest, cycles)
            more[kind] = longest
        generations = len(order) / min(resident, len(order))
        return generations * sum(more[kind] for kind in order) / len(order), alike


def _machine(there: Multiprocessor) -> _core.TimingMachine:
    machine = _core.TimingMachine()
    machine.resources = len(NAMES)
    machine.l2 = _core.TimingServer(there.gap[L2], there.latency[L2], there.crowding_l2)
    machine.memory = _core.TimingServer(there.gap[MEMORY], there.latency[MEMORY], there.crowding_memory)
    machine.l2_name, machine.memory_name = NAMES.index(L2), NAMES.index(MEMORY)
    machine.barrier_name, machine.issue_name = NAMES.index(BARRIER), NAMES.index(ISSUE)
    machine.ports_name, machine.start_name = NAMES.index(PORTS), NAMES.index(START)
    machine.issue = there.gap[ISSUE]
    machine.address_gap = there.address_gap
    machine.queue, machine.backlog = _QUEUE, _BACKLOG
    machine.barrier_latency, machine.barrier_gap = there.latency[BARRIER], there.gap[BARRIER]
    machine.block_start = there.gap[START]
    return machine


def _timing(result: _core.TimingResult, cycles: float, folded: bool) -> Timing:
    idle = {
        (name, what): result.idle[2 * column + side] / 4
        for column, name in enumerate(NAMES)
        for side, what in enumerate(("latency", "throughput"))
        if result.idle[2 * column + side] > 0
    }
    return Timing(
        cycles=cycles,
        emulated=result.cycles,
        issued=result.issued,
        busy=dict(zip(NAMES, result.busy, strict=True)),
        idle=idle,
        tail=result.tail / 4,
        executions=np.array(result.executions),
        waiting=np.asarray(result.waiting()).reshape(-1, len(NAMES), 2) / 4,
        folded=folded,
    )
