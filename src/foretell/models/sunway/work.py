"""Evaluates the parametric `Offload` facet to the numbers (or columns of numbers) of the equations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Expression, Value
    from foretell.core.facets.offload import Offload, Request
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Inputs, Settings


@dataclass(frozen=True, slots=True)
class Pieces:
    """Contiguous pieces of one transfer."""

    bytes: Value
    count: Value
    offset: Value
    #: number of arrays with such pieces
    arrays: int = 1


@dataclass(frozen=True, slots=True)
class Transfers:
    """Requests of one shape by one core."""

    name: str
    count: Value
    pieces: tuple[Pieces, ...]
    out: bool = False

    @property
    def bytes(self) -> Value:
        """Bytes of one request."""
        total: Value = 0.0
        for piece in self.pieces:
            total = total + piece.bytes * piece.count * piece.arrays
        return total


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one core, all counts of the busiest one."""

    active_cores: Value
    chunks: Value
    chunks_per_core: Value
    #: work of the average core over that of the busiest
    balance: Value
    #: fraction of the busiest core's work in its last chunk, which some cores do not have
    last: Value
    floating: Value
    fixed: Value
    scratchpad: Value
    divsqrt: Value
    ilp: Value
    block_cycles: Value
    #: instructions by kind that are in the scheduled cycles
    scheduled: Mapping[str, Value]
    double_buffer: Value
    dma: tuple[Transfers, ...]
    gload: tuple[Transfers, ...]
    #: live bytes of one core without double buffering, and whether the user gave them
    live_bytes: Value
    live_bytes_given: bool

    @property
    def buffer_bytes(self) -> Value:
        """Scratchpad bytes of the buffers; double buffering takes twice as much (SW-12)."""
        return self.live_bytes * (1 + self.double_buffer)

    def scaled(self, factor: Value) -> Work:
        """The same requests and blocks, `factor` times as many on each core."""
        return replace(
            self,
            floating=self.floating * factor,
            fixed=self.fixed * factor,
            scratchpad=self.scratchpad * factor,
            divsqrt=self.divsqrt * factor,
            block_cycles=self.block_cycles * factor,
            dma=tuple(replace(transfer, count=transfer.count * factor) for transfer in self.dma),
            gload=tuple(replace(transfer, count=transfer.count * factor) for transfer in self.gload),
        )


@dataclass(frozen=True, slots=True)
class _Split:
    """Distribution of chunks over cores, and the names that it defines."""

    cores: Value
    balance: Value
    last: Value
    names: dict[str, Value]


def resolve(
    offload: Offload,
    parameters: Mapping[str, Value],
    inputs: Inputs,
    settings: Settings,
    core_limit: Value | None = None,
) -> Work:
    """The work of the busiest core for given parameters; `core_limit` restricts the number of cores."""
    split = _decompose(offload, parameters, inputs.value("cores.count"), core_limit)
    return _work(offload, parameters, split, inputs, settings["loops"] == "pipelined")


def _work(offload: Offload, parameters: Mapping[str, Value], split: _Split, inputs: Inputs, pipelined: bool) -> Work:
    names = offload.defined({**parameters, **split.names})
    instructions = offload.instructions
    dma = tuple(_transfers(request, names) for request in offload.dma)
    cycles, counts = _bodies(offload, names, inputs.machine, pipelined)
    given = offload.scratchpad_bytes
    live = _number(given, names, "scratchpad_bytes") if given is not None else _buffers(dma)
    return Work(
        active_cores=split.cores,
        chunks=names["chunks"],
        chunks_per_core=names["chunks_per_core"],
        balance=split.balance,
        last=split.last,
        floating=_number(instructions.floating, names, "instructions.floating"),
        fixed=_number(instructions.fixed, names, "instructions.fixed"),
        scratchpad=_number(instructions.scratchpad, names, "instructions.scratchpad"),
        divsqrt=_number(instructions.divsqrt, names, "instructions.divsqrt"),
        ilp=_positive(instructions.ilp, names, "instructions.ilp"),
        block_cycles=_block_cycles(offload, names) + cycles,
        scheduled=counts,
        double_buffer=1.0 if offload.double_buffer else 0.0,
        dma=dma,
        gload=tuple(_gload(request, names, inputs) for request in offload.gload),
        live_bytes=live,
        live_bytes_given=given is not None,
    )


def _decompose(offload: Offload, names: Mapping[str, Value], total: Value, limit: Value | None) -> _Split:
    """Distributes chunks round-robin over the cores (Section II-B of the paper); uneven chunks load the busiest core.
    Its last chunk counts as a whole one even if it is shorter, unless all other chunks are split evenly."""
    rule = offload.decomposition
    cores = total if rule.cores is None else _whole(rule.cores, names, "cores")
    if rule.cores is not None and _any(cores > total):
        raise InputError(f"cores: {_largest(cores):g} cores asked for, the machine has {_largest(total):g}")
    if limit is not None:
        cores = np.minimum(cores, limit)
    if rule.extent is None:
        return _Split(cores, 1.0, 1.0, _names(cores, cores, 1.0))
    tiles = _whole(rule.extent, names, "extent") / _whole(rule.tile, names, "tile")
    chunks, whole = _real(np.ceil(tiles)), _real(np.floor(tiles))
    active = _real(np.minimum(cores, chunks))
    rest = tiles - whole if rule.tile.text in offload.symbols else 0.0
    alone = (rest > 0) & (whole >= active) & (whole % active == 0)
    most = _real(np.where(alone, whole / active + rest, np.ceil(chunks / active)))
    last = _real(np.where(alone, rest, 1.0)) / most
    return _Split(active, tiles / (active * most), last, _names(active, chunks, most))


def _names(active: Value, chunks: Value, per_core: Value) -> dict[str, Value]:
    return {"active_cores": active, "chunks": chunks, "chunks_per_core": per_core}


def _transfers(request: Request, names: Mapping[str, Value]) -> Transfers:
    label = f"dma {request.name!r}"
    pieces = tuple(
        Pieces(
            _number(chunk.bytes, names, f"{label} bytes"),
            _number(chunk.count, names, f"{label} chunk count"),
            _number(chunk.offset, names, f"{label} offset"),
            chunk.arrays,
        )
        for chunk in request.chunks
    )
    return Transfers(request.name, _number(request.count, names, f"{label} count"), pieces, request.out)


def _gload(request: Request, names: Mapping[str, Value], inputs: Inputs) -> Transfers:
    transfer = _transfers(request, names)
    largest = inputs.value("gload.size")
    if any(_any(piece.bytes > largest) for piece in transfer.pieces):
        raise InputError(
            f"gload {request.name!r}: one Gload moves at most {_largest(largest):g} B",
            hint="count more Gloads, or make it a DMA request",
        )
    return transfer


def _buffers(dma: tuple[Transfers, ...]) -> Value:
    """One buffer for each shape of request, if the user does not give the live bytes."""
    total: Value = 0.0
    for transfer in dma:
        total = total + transfer.bytes
    return total


def _block_cycles(offload: Offload, names: Mapping[str, Value]) -> Value:
    total: Value = 0.0
    for block in offload.blocks:
        total = total + _number(block.cycles, names, "block.cycles") * _number(
            block.executions, names, "block.executions"
        )
    return total


def _bodies(
    offload: Offload, names: Mapping[str, Value], machine: Machine, pipelined: bool
) -> tuple[Value, dict[str, Value]]:
    """Cycles and instructions of the loops that are scheduled from their code."""
    cycles: Value = 0.0
    counts: dict[str, Value] = {}
    for body in offload.bodies:
        from foretell.models.sunway.pipelines import body_cost

        more, kinds = body_cost(body, names, machine, pipelined)
        cycles = cycles + more
        counts = {kind: counts.get(kind, 0.0) + count for kind, count in kinds.items()}
    return cycles, counts


def _number(expression: Expression, names: Mapping[str, Value], what: str) -> Value:
    value = expression.evaluate(names)
    if _any(value < 0):
        raise InputError(f"{what}: {expression.text!r} is negative ({_smallest(value):g})")
    return value


def _positive(expression: Expression, names: Mapping[str, Value], what: str) -> Value:
    value = expression.evaluate(names)
    if _any(value <= 0):
        raise InputError(f"{what}: {expression.text!r} must be positive, is {_smallest(value):g}")
    return value


def _whole(expression: Expression, names: Mapping[str, Value], what: str) -> Value:
    value = expression.evaluate(names)
    if _any(value < 1) or _any(value % 1 != 0):
        raise InputError(f"{what}: {expression.text!r} must be a whole number of at least 1, is {_smallest(value):g}")
    return value


def _any(condition: Any) -> bool:
    """Whether a comparison of scalars, or of some element of arrays, holds (np.any is slow on scalars)."""
    return bool(condition.any()) if isinstance(condition, np.ndarray) else bool(condition)


def _real(value: Any) -> Value:
    """A numpy scalar as a float; arrays are unchanged."""
    return float(value) if np.ndim(value) == 0 else value


def _smallest(value: Value) -> float:
    return float(np.min(value))


def _largest(value: Value) -> float:
    return float(np.max(value))
