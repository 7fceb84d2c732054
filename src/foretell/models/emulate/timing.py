"""The timing core: blocks of a kernel on one multiprocessor, cycle by cycle where something happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell import _core
from foretell.errors import InputError
from foretell.models.emulate.multiprocessor import BARRIER, ISSUE, L2, MEMORY, NAMES, PORTS, START

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.characterize.functional import Execution
    from foretell.models.emulate.multiprocessor import Multiprocessor
    from foretell.models.emulate.ops import Ops

#: kinds of instructions, and the columns of the tables of their costs
KINDS, INTS, REALS = _core.timing_kinds(), _core.timing_ints(), _core.timing_reals()
#: memory instructions of one sub-core that wait for the shared path (Huerta et al.: four and one under way)
_QUEUE = 5
#: cycles of work in L2 and memory that a multiprocessor may have ahead of it before its own path is held up
_BACKLOG = 512.0
#: cycles from a branch that is taken to the next instruction of its warp (validation/h200: loop.16.32 and loop.64.32 of
#: the probe take as many cycles as their instructions, and 10)
_JUMP = 10.0
#: cycles of an instruction whose code comes from L2 (validation/h200, path.code.256KiB)
_COLD_FETCH = 5.9
#: warp instructions of the blocks on one multiprocessor that are emulated in full
_IN_FULL = 100_000
#: the least rounds that are kept of a loop
_LEAST_ROUNDS = 4
#: loops are emulated at three lengths; the time of what is left out must follow alike from the first two and the
#: last two
_ALIKE = 0.004
#: answers that are kept
_REMEMBERED = 64


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Some blocks on one multiprocessor. `emulated` are cycles of the emulation itself, `cycles` with what it left out.

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
    """A kernel's executed blocks, loaded into the timing core; `resident` of them are there at a time."""

    def __init__(self, execution: Execution, resident: int, *, fold: bool = True) -> None:
        self._record = execution.record
        self._resident = resident
        self._length = float(sum(execution.block_instructions))
        whole = max(execution.block_instructions) * resident
        self._keep = _IN_FULL / whole / 4 if fold else 1.0
        self._loaded: dict[float, _core.TimingKinds] = {}
        self._known: dict[tuple[bytes, str, tuple[int, ...]], Timing] = {}

    @property
    def folds(self) -> bool:
        """Whether loops are worth cutting short."""
        return self._keep < 0.25

    def run(self, ops: Ops, there: Multiprocessor, order: list[int]) -> Timing:
        """The blocks of `order` (places among those executed) one after another. The same question is answered once:
        most parameters of a machine do not matter to a kernel."""
        numbers = (
            there.latency,
            there.gap,
            there.farther,
            there.far,
            there.later,
            there.late,
            there.credit,
            there.crowding_l2,
            there.crowding_memory,
        )
        key = (ops.key, repr(numbers), tuple(order))
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = self._run(ops, there, order)
        return self._known[key]

    def _run(self, ops: Ops, there: Multiprocessor, order: list[int]) -> Timing:
        """Emulates, with loops cut short where that is worth it.

        Long loops go round at a quarter, half and all of the share that is worth emulating. The time grows evenly with
        what is kept of every loop, so what is left out follows; where it did not yet, more is kept.
        """
        machine = _machine(there)
        while self.folds:
            runs = [self._emulated(self._keep * part, ops, machine, order) for part in (1, 2, 4)]
            (first, short), (second, medium), (third, long) = runs
            if not short < medium < long:
                break
            early = (second.cycles - first.cycles) / (medium - short)
            late = (third.cycles - second.cycles) / (long - medium)
            cycles = third.cycles + late * (self._length - long)
            if abs(late - early) * (self._length - long) <= _ALIKE * cycles:
                return _timing(third, cycles, folded=True)
            self._keep *= 2
        whole, _ = self._emulated(1.0, ops, machine, order)
        return _timing(whole, whole.cycles, folded=False)

    def _emulated(
        self, keep: float, ops: Ops, machine: _core.TimingMachine, order: list[int]
    ) -> tuple[_core.TimingResult, float]:
        if keep not in self._loaded:
            self._loaded[keep] = _core.TimingKinds(self._record, keep, _LEAST_ROUNDS)
        kinds = self._loaded[keep]
        try:
            return kinds.run(ops.ints, ops.reals, machine, order, self._resident), kinds.length
        except ValueError as error:
            raise InputError(f"the kernel cannot be emulated: {error}") from None


def _machine(there: Multiprocessor) -> _core.TimingMachine:
    machine = _core.TimingMachine()
    machine.resources = len(NAMES)
    machine.l2 = _core.TimingServer(
        there.gap[L2], there.latency[L2], there.farther, there.far, there.crowding_l2, there.credit
    )
    machine.memory = _core.TimingServer(
        there.gap[MEMORY],
        there.latency[MEMORY],
        there.later,
        there.late,
        there.crowding_memory,
        there.credit,
    )
    machine.l2_name, machine.memory_name = NAMES.index(L2), NAMES.index(MEMORY)
    machine.barrier_name, machine.issue_name = NAMES.index(BARRIER), NAMES.index(ISSUE)
    machine.ports_name, machine.start_name = NAMES.index(PORTS), NAMES.index(START)
    machine.address_gap = there.address_gap
    machine.queue, machine.backlog = _QUEUE, _BACKLOG
    machine.barrier_latency, machine.barrier_gap = there.latency[BARRIER], there.gap[BARRIER]
    machine.jump, machine.cold_fetch = _JUMP, _COLD_FETCH
    machine.block_start, machine.block_turn = there.gap[START], there.latency[START]
    return machine


def _timing(result: _core.TimingResult, cycles: float, *, folded: bool) -> Timing:
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
