"""Simulates an SW26010 kernel transaction by transaction in the compiled core: the engine of the default mode.

This module splits the work over the cores and encodes the program of each core; no equation of the paper is used here.
Scope and limits of the simulation are in docs/explanation/sunway-simulator.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from foretell import _core
from foretell.core.facets.offload import Offload
from foretell.errors import InputError, MachineError
from foretell.models.sunway.pipelines import compute_cycles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Expression
    from foretell.core.facets.offload import Request
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

#: maximum transactions simulated individually (some seconds); periods of a steady state do not count
MOST_TRANSACTIONS = 50_000_000
#: the core counts in 64 bits
_LARGEST_COUNT = 2.0**62
_DEFAULTS: Mapping[str, str] = MappingProxyType(
    {"loops": "listed", "divide": "unpipelined", "transactions": "per_chunk", "core_groups": "scaled"}
)


class TooLongError(InputError):
    """A kernel has no steady state and more transactions than are simulated one by one."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The time until the last core finishes, and the breakdown of that core's time."""

    time_s: float
    transactions: int
    utilisation: float
    compute_s: float
    dma_wait_s: float
    gload_wait_s: float
    finished_s: tuple[float, ...]
    #: False if the rounds that were not simulated are extrapolated at the average time of those that were
    exact: bool = True


@dataclass(frozen=True, slots=True)
class _Split:
    """Distribution of chunks over cores: `whole` ones round-robin, then one of `rest` iterations if that is not 0."""

    cores: int
    chunks: int
    whole: int
    rest: float

    def of(self, core: int) -> tuple[int, bool]:
        """The number of whole chunks of a core, and whether it also has the last, shorter one."""
        own = len(range(core, self.whole, self.cores))
        return own, self.rest > 0 and self.whole % self.cores == core


def simulate(workload: Workload, machine: Machine, options: Mapping[str, str] = _DEFAULTS) -> Simulation:
    """Simulates the kernel with the machine's clock, bandwidth, latency, transaction size and delay. `options` are
    those of the model that change a core's program."""
    offload = workload.facet(Offload)
    names = {name: float(value) for name, value in workload.parameters.items()}
    split = _split(offload, names, int(machine.value("cores.count")))
    programs, cores = _programs(offload, names, split, machine, options)
    groups = _groups_used(split.cores, machine)
    if options["core_groups"] == "apart":  # one group with its share of the cores (SW-13)
        cores, groups = cores[: -(-len(cores) // groups)], 1
    result = _core.swsim_run(_memory(machine, groups), programs, cores, offload.double_buffer, MOST_TRANSACTIONS)
    if not result.complete:
        raise TooLongError(
            f"{workload.name} has too many transactions to simulate: more than {MOST_TRANSACTIONS:.0e}",
            hint="--option overlap=queue is the closed form",
        )
    frequency = machine.value("clock.frequency")
    return Simulation(
        time_s=result.cycles / frequency,
        transactions=result.transactions,
        utilisation=result.busy / (result.cycles * groups) if result.cycles else 0.0,
        compute_s=result.compute / frequency,
        dma_wait_s=result.transfer_wait / frequency,
        gload_wait_s=result.load_wait / frequency,
        finished_s=tuple(time / frequency for time in result.finished),
        exact=result.exact,
    )


def _memory(machine: Machine, controllers: int) -> _core.SwsimMemory:
    memory = _core.SwsimMemory()
    transaction = machine.value("memory.transaction")
    memory.service = transaction * machine.value("clock.frequency") / machine.value("memory.bandwidth")
    memory.latency = _cycles(machine, "memory.latency")
    memory.gap = machine.value("memory.delta_delay")
    memory.controllers = controllers
    return memory


def _cycles(machine: Machine, path: str) -> float:
    quantity = machine[path]
    return quantity.value * machine.value("clock.frequency") if quantity.unit == "s" else quantity.value


def _groups_used(cores: int, machine: Machine) -> int:
    """Core groups in use: they fill up one after another; each has its memory controller."""
    in_a_group = int(machine.value("cores.per_group"))
    if in_a_group < 1:
        raise MachineError(f"{machine.name}: cores.per_group is {machine.value('cores.per_group'):g}, below one core")
    wanted = -(-cores // in_a_group)
    return max(1, min(wanted, int(machine.value("cores.groups"))))


def _split(offload: Offload, names: Mapping[str, float], available: int) -> _Split:
    rule = offload.decomposition
    most = available if rule.cores is None else int(float(rule.cores.evaluate(names)))
    if not 1 <= most <= available:
        raise InputError(f"cores: {most} cores asked for, the machine has {available}")
    if rule.extent is None:
        return _Split(most, most, most, 0.0)
    extent, tile = float(rule.extent.evaluate(names)), float(rule.tile.evaluate(names))
    if extent < 1 or tile < 1:
        raise InputError("extent and tile must be at least 1")
    whole, rest = divmod(extent, tile)
    if rest and rule.tile.text not in offload.symbols:  # no expression depends on the tile size
        whole, rest = whole + 1, 0.0
    chunks = int(whole) + (rest > 0)
    return _Split(min(most, chunks), chunks, int(whole), rest)


def _programs(
    offload: Offload, names: Mapping[str, float], split: _Split, machine: Machine, options: Mapping[str, str]
) -> tuple[list[_core.SwsimProgram], list[list[int]]]:
    """The distinct programs, and the program indices of each core."""
    kinds: dict[tuple[int, bool], int] = {}
    programs: list[_core.SwsimProgram] = []

    def number(own: int, shorter: bool) -> int:
        if (own, shorter) not in kinds:
            kinds[own, shorter] = len(programs)
            known = _names(offload, names, split, own, shorter)
            programs.append(_program(offload, known, machine, options))
        return kinds[own, shorter]

    cores = []
    for core in range(split.cores):
        own, shorter = split.of(core)
        sequence = [number(own, False)] if own else []
        cores.append([*sequence, number(1, True)] if shorter else sequence)
    return programs, cores


def _names(offload: Offload, names: Mapping[str, float], split: _Split, own: int, shorter: bool) -> dict[str, float]:
    known = {
        **names,
        "active_cores": float(split.cores),
        "chunks": float(split.chunks),
        "chunks_per_core": float(own if offload.decomposition.extent is not None else 1),
    }
    if shorter:
        known[offload.decomposition.tile.text] = split.rest
    return {name: float(value) for name, value in offload.defined(known).items()}


def _program(
    offload: Offload, names: Mapping[str, float], machine: Machine, options: Mapping[str, str]
) -> _core.SwsimProgram:
    size = machine.value("memory.transaction")
    per_request = options["transactions"] == "per_request"
    program = _core.SwsimProgram()
    program.transfers = [_transfer(request, names, size, per_request) for request in offload.dma]
    loads = (_count(one.count, names) * _transactions(one, names, size, per_request) for one in offload.gload)
    program.direct_loads = _countable(sum(loads), "gload")
    program.rounds = max([1, *(one.count for one in program.transfers if one.transactions)])
    program.compute = compute_cycles(
        offload, names, machine, options["loops"] == "pipelined", options["divide"] == "pipelined"
    )
    return program


def _transfer(request: Request, names: Mapping[str, float], size: float, per_request: bool) -> _core.SwsimTransfer:
    transfer = _core.SwsimTransfer()
    transfer.transactions = _countable(_transactions(request, names, size, per_request), request.name)
    transfer.count = _count(request.count, names)
    transfer.out = request.out
    return transfer


def _transactions(request: Request, names: Mapping[str, float], size: float, per_request: bool) -> int:
    """Transactions of a request: each contiguous piece is rounded up; or all pieces together (`per_request`, SW-4)."""
    total, moved = 0, 0.0
    for chunk in request.chunks:
        length = float(chunk.bytes.evaluate(names))
        start = float(chunk.offset.evaluate(names)) % size
        touched = math.ceil((start + length) / size) if length > 0 else 0
        pieces = _count(chunk.count, names) * chunk.arrays
        total += touched * pieces
        moved += length * pieces
    return math.ceil(moved / size) if per_request else total


def _countable(transactions: int, name: str) -> int:
    """Transactions that the core can count."""
    if transactions > _LARGEST_COUNT:
        raise TooLongError(f"{name} has too many transactions to simulate ({float(transactions):g})")
    return transactions


def _count(expression: Expression, names: Mapping[str, float]) -> int:
    value = float(expression.evaluate(names))
    if value < 0:
        raise InputError(f"{expression.text!r} is negative ({value:g})")
    if value > _LARGEST_COUNT:
        raise TooLongError(f"{expression.text!r} has too many to simulate ({value:g})")
    return math.ceil(value - 1e-9)
