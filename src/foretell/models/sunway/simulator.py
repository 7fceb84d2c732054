"""The judge of the SW26010 model: the kernel run transaction by transaction in the compiled core.

This module only deals the work to the cores and writes each core's program down; it uses no equation of the model and
none of its code. What the simulation captures and what not is in docs/explanation/sunway-simulator.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell import _core
from foretell.core.offload import Offload
from foretell.errors import InputError
from foretell.models.sunway.pipelines import compute_cycles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.expression import Expression
    from foretell.core.machine import Machine
    from foretell.core.offload import Request
    from foretell.core.workload import Workload

    #: transactions, how often, whether it leaves the scratchpad
    Transfer = tuple[int, int, bool]
    #: rounds, cycles of computation, direct loads, transfers
    Program = tuple[int, float, int, list[Transfer]]

#: beyond this a simulation takes minutes
_MOST_TRANSACTIONS = 2e9


@dataclass(frozen=True, slots=True)
class Simulation:
    """What happened: the time until the last core is done, and what that core did with it."""

    time_s: float
    transactions: int
    utilisation: float
    compute_s: float
    dma_wait_s: float
    gload_wait_s: float
    finished_s: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Deal:
    """How chunks are dealt: `own` whole chunks to so many cores, and one core that also gets what is left over."""

    cores: int
    chunks: int
    whole: int
    rest: float

    def of(self, core: int) -> tuple[int, bool]:
        """The whole chunks of a core, dealt round-robin, and whether the last, shorter one is also its own."""
        own = len(range(core, self.whole, self.cores))
        return own, self.rest > 0 and self.whole % self.cores == core


def simulate(workload: Workload, machine: Machine, pipelined: bool = False) -> Simulation:
    """Runs the kernel. The machine's clock, bandwidth, latency, transaction and delay are the rules of the run."""
    offload = workload.facet(Offload)
    names = {name: float(value) for name, value in workload.parameters.items()}
    deal = _deal(offload, names, int(machine.value("cores.count")))
    programs, cores = _programs(offload, names, deal, machine, pipelined)
    moved = sum(_transactions_of(programs[number]) for sequence in cores for number in sequence)
    if moved > _MOST_TRANSACTIONS:
        raise InputError(f"{workload.name}: {moved:.3g} transactions are too many to simulate")
    frequency = machine.value("clock.frequency")
    cycles, transactions, busy, compute, transfer_wait, load_wait, finished = _core.swsim_run(
        machine.value("memory.transaction") * frequency / machine.value("memory.bandwidth"),
        _cycles(machine, "memory.latency"),
        machine.value("memory.delta_delay"),
        _groups_used(deal.cores, machine),
        programs,
        cores,
        offload.double_buffer,
    )
    return Simulation(
        time_s=cycles / frequency,
        transactions=transactions,
        utilisation=busy / (cycles * _groups_used(deal.cores, machine)) if cycles else 0.0,
        compute_s=compute / frequency,
        dma_wait_s=transfer_wait / frequency,
        gload_wait_s=load_wait / frequency,
        finished_s=tuple(time / frequency for time in finished),
    )


def _cycles(machine: Machine, path: str) -> float:
    quantity = machine[path]
    return quantity.value * machine.value("clock.frequency") if quantity.unit == "s" else quantity.value


def _groups_used(cores: int, machine: Machine) -> int:
    """Core groups fill up one after another; each brings its memory controller."""
    wanted = -(-cores // int(machine.value("cores.per_group")))
    return max(1, min(wanted, int(machine.value("cores.groups"))))


def _deal(offload: Offload, names: Mapping[str, float], available: int) -> _Deal:
    rule = offload.decomposition
    most = available if rule.cores is None else int(float(rule.cores.evaluate(names)))
    if not 1 <= most <= available:
        raise InputError(f"cores: {most} cores asked for, the machine has {available}")
    if rule.extent is None:
        return _Deal(most, most, most, 0.0)
    extent, tile = float(rule.extent.evaluate(names)), float(rule.tile.evaluate(names))
    if extent < 1 or tile < 1:
        raise InputError("extent and tile must be at least 1")
    whole, rest = divmod(extent, tile)
    if rest and rule.tile.text not in offload.symbols:  # nothing gets shorter with the last tile
        whole, rest = whole + 1, 0.0
    chunks = int(whole) + (rest > 0)
    return _Deal(min(most, chunks), chunks, int(whole), rest)


def _programs(
    offload: Offload, names: Mapping[str, float], deal: _Deal, machine: Machine, pipelined: bool
) -> tuple[list[Program], list[list[int]]]:
    """The programs that occur, and those that each core runs."""
    kinds: dict[tuple[int, bool], int] = {}
    programs: list[Program] = []

    def number(own: int, shorter: bool) -> int:
        if (own, shorter) not in kinds:
            kinds[own, shorter] = len(programs)
            known = _names(offload, names, deal, own, shorter)
            programs.append(_program(offload, known, machine, pipelined))
        return kinds[own, shorter]

    cores = []
    for core in range(deal.cores):
        own, shorter = deal.of(core)
        sequence = [number(own, False)] if own else []
        cores.append([*sequence, number(1, True)] if shorter else sequence)
    return programs, cores


def _names(
    offload: Offload, names: Mapping[str, float], deal: _Deal, own: int, shorter: bool
) -> dict[str, float]:
    found = {
        **names,
        "active_cores": float(deal.cores),
        "chunks": float(deal.chunks),
        "chunks_per_core": float(own if offload.decomposition.extent is not None else 1),
    }
    if shorter:
        found[offload.decomposition.tile.text] = deal.rest
    return {name: float(value) for name, value in offload.defined(found).items()}


def _program(offload: Offload, names: Mapping[str, float], machine: Machine, pipelined: bool) -> Program:
    size = machine.value("memory.transaction")
    transfers: list[Transfer] = []
    for request in offload.dma:
        moved = _transactions(request, names, size)
        transfers.append((moved, _count(request.count, names), request.out))
    loads = sum(
        _count(request.count, names) * _transactions(request, names, size) for request in offload.gload
    )
    rounds = max([1, *(count for moved, count, _ in transfers if moved)])
    return rounds, compute_cycles(offload, names, machine, pipelined), loads, transfers


def _transactions(request: Request, names: Mapping[str, float], size: float) -> int:
    """Each contiguous piece touches whole transactions."""
    total = 0
    for chunk in request.chunks:
        length = float(chunk.bytes.evaluate(names))
        start = float(chunk.offset.evaluate(names)) % size
        touched = math.ceil((start + length) / size) if length > 0 else 0
        total += touched * _count(chunk.count, names) * chunk.arrays
    return total


def _count(expression: Expression, names: Mapping[str, float]) -> int:
    value = float(expression.evaluate(names))
    if value < 0:
        raise InputError(f"{expression.text!r} is negative ({value:g})")
    return math.ceil(value - 1e-9)


def _transactions_of(program: Program) -> int:
    _, _, loads, transfers = program
    return loads + sum(moved * count for moved, count, _ in transfers)
