"""Runs the timing core: blocks of a kernel on one multiprocessor, cycle by cycle, skipping idle cycles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from foretell import _core
from foretell.errors import InputError
from foretell.models.gpu.multiprocessor import BARRIER, ISSUE, L2, MEMORY, NAMES, PORTS, START

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.characterize.gpu.functional import Execution
    from foretell.models.gpu.costs.instruction_costs import Ops
    from foretell.models.gpu.multiprocessor import Multiprocessor

#: whether loops are folded: with a test of convergence, without one, or not at all
Fold: TypeAlias = Literal["yes", "short", "no"]
#: kinds of instructions, and the columns of their cost tables
KINDS, INTS, REALS = _core.timing_kinds(), _core.timing_ints(), _core.timing_reals()
_KIND, _PATH, _WALKED = INTS.index("kind"), REALS.index("path"), REALS.index("walked")
_MISSES, _FAR_MISSES, _JOINS = REALS.index("misses"), REALS.index("far_misses"), REALS.index("joins")
#: parameters that the queues of L2 and memory share
_QUEUES = {"longest_wait": "queue.longest_wait", "window": "queue.window", "credit": "queue.credit"}
#: bytes of constants that are fetched at once (Jia et al. 2018, Dissecting the NVIDIA Volta GPU)
CONSTANT_LINE = 64
#: minimum iterations of a folded loop
_LEAST_ROUNDS = 4
#: warp instructions of resident blocks of mean length beyond which loops whose rounds differ are cut short as well
#: (they take more than a second to emulate), how many are emulated of these, and how well extrapolations must agree
_UNEVEN_FROM, _UNEVEN_FULL, _UNEVEN = 10_000_000, 2_000_000, 0.02
#: size of the result cache
_REMEMBERED = 64


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Timing of some blocks on one multiprocessor. `emulated` are cycles of the emulation itself, `cycles` with the
    folded part.

    Of the emulation, in cycles of one sub-core: `idle` by resource (latency, gap); `waiting` the same for each
    instruction [instruction][resource][2]. `keep` is the fraction of every loop's iterations that were emulated, 1 for
    all; `uneven`: also of loops whose rounds differ.
    """

    cycles: float
    emulated: float
    issued: float
    busy: dict[str, float]
    idle: dict[tuple[str, str], float]
    tail: float
    executions: NDArray[np.float64]
    waiting: NDArray[np.float64]
    keep: float
    uneven: bool

    @property
    def folded(self) -> bool:
        """Whether iterations of loops were folded."""
        return self.keep < 1


class Core:
    """A kernel's executed blocks, loaded into the timing core; `resident` of them are resident at a time.

    Up to `in_full` warp instructions of the resident blocks are emulated completely. Loops of longer ones are emulated
    at three lengths: extrapolations from the first two and from the last two must agree within `alike`. Of blocks that
    are far longer also loops whose rounds differ."""

    def __init__(
        self, execution: Execution, resident: int, *, fold: Fold = "yes", alike: float = 0.004, in_full: float = 100_000
    ) -> None:
        whole = max(execution.block_instructions) * resident
        self._resident = resident
        self._length = float(sum(execution.block_instructions))
        longer = self._length / len(execution.block_instructions) * resident > _UNEVEN_FROM
        self._kinds = _core.TimingKinds(execution.record, _LEAST_ROUNDS, longer)
        self._uneven = self._kinds.uneven
        if self._uneven:
            in_full, alike = max(in_full, _UNEVEN_FULL), max(alike, _UNEVEN)
        self._keep = 1.0 if fold == "no" else in_full / whole / 4
        self._tested, self._alike = fold == "yes", alike
        self._folded: dict[float, _core.TimingFolded] = {}
        self._known: dict[tuple[bytes, tuple[float, ...], tuple[int, ...], float], Timing] = {}

    def run(self, ops: Ops, multiprocessor: Multiprocessor, order: list[int], like: Timing | None = None) -> Timing:
        """Runs the blocks of `order` (indices among those executed) one after another; loops iterate at least as often
        as in `like`. Results are cached: most parameters of a machine do not matter to a kernel."""
        keep = self._keep if like is None else like.keep / 4
        key = (ops.key, _relevant(ops, multiprocessor, len(order) > self._resident), tuple(order), keep)
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = self._run(ops, multiprocessor, order, keep)
        return self._known[key]

    def _run(self, ops: Ops, multiprocessor: Multiprocessor, order: list[int], keep: float) -> Timing:
        """Emulates, with loops folded where that pays.

        Long loops run at a quarter, half and all of the fraction that is worth emulating. The time is linear in the
        fraction kept of every loop, so the rest is extrapolated; where it is not linear yet, more is kept. Runs that
        are only compared with each other (`short`) are not tested.
        """
        machine = _machine(multiprocessor)
        runs: dict[float, _core.TimingResult] = {}  # by length: several `keep` may fold to the same one

        def emulated(keep: float) -> tuple[_core.TimingResult, float]:
            folded = self._cut(keep)
            if folded.length not in runs:
                runs[folded.length] = self._emulated(folded, ops, machine, order)
            return runs[folded.length], folded.length

        while keep < 0.25:
            (second, medium), (third, long) = emulated(2 * keep), emulated(4 * keep)
            late = (third.cycles - second.cycles) / (long - medium) if medium < long else third.cycles / long
            cycles = third.cycles + late * (self._length - long)
            if not self._tested:
                return self._timing(third, cycles, 4 * keep)
            first, short = emulated(keep)
            if short < medium < long:  # else a loop has its minimum of iterations at two of them
                early = (second.cycles - first.cycles) / (medium - short)
                if abs(late - early) * (self._length - long) <= self._alike * cycles:
                    return self._timing(third, cycles, 4 * keep)
            keep *= 2
        whole, _ = emulated(1.0)
        return self._timing(whole, whole.cycles, 1.0)

    def _cut(self, keep: float) -> _core.TimingFolded:
        if keep not in self._folded:
            self._folded[keep] = self._kinds.folded(keep)
        return self._folded[keep]

    def _emulated(
        self, folded: _core.TimingFolded, ops: Ops, machine: _core.TimingMachine, order: list[int]
    ) -> _core.TimingResult:
        try:
            return folded.run(ops.ints, ops.reals, machine, order, self._resident)
        except ValueError as error:
            raise InputError(f"the kernel cannot be emulated: {error}") from None

    def _timing(self, result: _core.TimingResult, cycles: float, keep: float) -> Timing:
        sides = [(name, what) for name in NAMES for what in ("latency", "throughput")]
        idle = {side: cycles / 4 for side, cycles in zip(sides, result.idle, strict=True) if cycles > 0}
        return Timing(
            cycles=cycles,
            emulated=result.cycles,
            issued=result.issued,
            busy=dict(zip(NAMES, result.busy, strict=True)),
            idle=idle,
            tail=result.tail / 4,
            executions=np.array(result.executions),
            waiting=np.asarray(result.waiting()).reshape(-1, len(NAMES), 2) / 4,
            keep=keep,
            uneven=self._uneven and keep < 1,
        )


def last_end(alone: NDArray[np.float64], demand: NDArray[np.float64], multiprocessors: int, resident: int) -> float:
    """Cycles until the last of the blocks ends, scheduled in order to the multiprocessor that has room first; `alone`
    and `demand` are the cycles of each on an idle multiprocessor, and of the throughput of a full one."""
    return _core.timing_last_end(alone.tolist(), demand.tolist(), multiprocessors, resident)


def _relevant(ops: Ops, multiprocessor: Multiprocessor, turns: bool) -> tuple[float, ...]:
    """The parameters beside those of instructions that affect instructions like these; `turns`: blocks follow
    others."""
    cycles, count = multiprocessor.machine.cycles, multiprocessor.machine.value
    numbers = [multiprocessor.gap[START], *map(cycles, ("issue.branch", "icache.outer_miss", "issue.operand_wait"))]
    if turns:
        numbers.append(multiprocessor.latency[START])
    if np.isin(ops.ints[:, _KIND], [KINDS.index("barrier"), KINDS.index("pass")]).any():
        numbers += [multiprocessor.gap[BARRIER], multiprocessor.latency[BARRIER]]
        numbers += map(cycles, ("sync.block_arrival", "sync.block_release"))
    if (ops.reals[:, _PATH] > 0).any():
        numbers += [cycles("pipeline.address.gap"), count("lsu.queue")]
    if (ops.reals[:, _WALKED] > 0).any():
        numbers.append(count("lsu.constant_size"))
    if (ops.reals[:, [_MISSES, _JOINS]] > 0).any():
        numbers += [
            multiprocessor.gap[L2],
            multiprocessor.latency[L2],
            multiprocessor.crowding_l2,
            count("level.L2.partition_run"),
        ]
        numbers += [cycles(path) for path in ("lsu.backlog", *_QUEUES.values())]
        numbers += [number for pair in multiprocessor.spread_l2 for number in pair]
    if (ops.reals[:, _FAR_MISSES] > 0).any():
        numbers += [
            multiprocessor.gap[MEMORY],
            multiprocessor.latency[MEMORY],
            multiprocessor.crowding_memory,
            count("queue.l2_beside"),
        ]
        numbers += [number for pair in multiprocessor.spread_memory for number in pair]
    return tuple(numbers)


def _machine(multiprocessor: Multiprocessor) -> _core.TimingMachine:
    cycles, count = multiprocessor.machine.cycles, multiprocessor.machine.value
    machine = _core.TimingMachine()
    machine.resources = len(NAMES)
    machine.l2 = _server(multiprocessor, L2, multiprocessor.spread_l2, multiprocessor.crowding_l2)
    machine.memory = _server(multiprocessor, MEMORY, multiprocessor.spread_memory, multiprocessor.crowding_memory)
    machine.l2_name, machine.memory_name = NAMES.index(L2), NAMES.index(MEMORY)
    machine.barrier_name, machine.issue_name = NAMES.index(BARRIER), NAMES.index(ISSUE)
    machine.ports_name, machine.start_name = NAMES.index(PORTS), NAMES.index(START)
    machine.queue, machine.partition_run = int(count("lsu.queue")), int(count("level.L2.partition_run"))
    machine.address_gap, machine.backlog = cycles("pipeline.address.gap"), cycles("lsu.backlog")
    machine.beside, machine.operand_wait = count("queue.l2_beside"), cycles("issue.operand_wait")
    machine.barrier_latency, machine.barrier_gap = multiprocessor.latency[BARRIER], multiprocessor.gap[BARRIER]
    machine.arrival_path, machine.release_path = cycles("sync.block_arrival"), cycles("sync.block_release")
    machine.branch, machine.cold_fetch = cycles("issue.branch"), cycles("icache.outer_miss")
    machine.constant_lines = count("lsu.constant_size") / CONSTANT_LINE
    machine.block_start, machine.block_turn = multiprocessor.gap[START], multiprocessor.latency[START]
    return machine


def _server(
    multiprocessor: Multiprocessor, name: str, spread: tuple[tuple[float, float], ...], crowding: float
) -> _core.TimingServer:
    server = _core.TimingServer()
    server.gap, server.latency = multiprocessor.gap[name], multiprocessor.latency[name]
    server.spread, server.crowding = spread, crowding
    for field, path in _QUEUES.items():
        setattr(server, field, multiprocessor.machine.cycles(path))
    return server
