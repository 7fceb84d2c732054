"""Resolves an abstract program at given parameters on a given machine to numbers, ready to be emulated."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from foretell.core.gpu.warps import AbstractProgram, Barrier, Branch, Instruction, Loop, Node, walk
from foretell.errors import InputError, nearest
from foretell.models.gpu.occupancy import Occupancy, occupancy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Expression
    from foretell.core.machine.machine import Machine

Property = Literal["latency", "gap"]

#: maximum warp-instructions of one multiprocessor; about ten seconds of emulation
MOST_INSTRUCTIONS = 200_000_000
#: maximum warps of one multiprocessor: 64 on every NVIDIA GPU so far (CUDA C++ Programming Guide, compute capabilities)
MOST_WARPS = 64 * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One instruction of the text, by indices; resource −1 is a barrier, cached −1 no cache."""

    label: str
    resource: int
    region: int
    cached: int
    transactions: float
    miss_rate: float
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """`latency` and `gap` are tables [region][resource], so that a parameter can change in one region alone.

    `launch_cycles` are added once, before the first wave.
    """

    resources: tuple[str, ...]
    regions: tuple[str, ...]
    latency: NDArray[np.float64]
    gap: NDArray[np.float64]
    text: tuple[Entry, ...]
    order: NDArray[np.int32]
    warps: int
    occupancy: Occupancy
    blocks: int
    multiprocessors: int
    schedulers: int
    issue_width: int
    launch_cycles: float = 0.0
    assumptions: tuple[str, ...] = ()

    def scaled(self, property: Property, resource: int, factor: float, region: int | None = None) -> Kernel:
        """The same kernel with one resource slower, everywhere or for the instructions of one region."""
        table = (self.latency if property == "latency" else self.gap).copy()
        rows = slice(None) if region is None else region
        table[rows, resource] *= factor
        return replace(self, latency=table) if property == "latency" else replace(self, gap=table)


def resolve(program: AbstractProgram, parameters: Mapping[str, float], machine: Machine) -> Kernel:
    """Evaluates all expressions, maps names to indices, and determines the occupancy."""
    nodes = list(walk(program.body))
    if not any(isinstance(node, Instruction) for node in nodes):
        raise InputError("the program has no instructions")
    labels = {node.label: position for position, node in enumerate(nodes) if isinstance(node, Instruction)}
    resources = _resource_names(program, nodes)
    regions = tuple(dict.fromkeys(node.region for node in nodes))
    latency, gap = _timing(program, resources, parameters, machine)
    warps = _whole(program.footprint.warps, parameters, "warps")
    fits = _occupancy(program, warps, parameters, machine)
    if fits.warps > MOST_WARPS:
        raise InputError(
            f"{fits.warps} warps on one multiprocessor, more than {MOST_WARPS}",
            hint="a multiprocessor of today holds 64; `warps` are those of one block, `resident` counts blocks",
        )
    order = _Order(nodes, parameters, MOST_INSTRUCTIONS // fits.warps).of(program.body)
    if not order.size:
        raise InputError("no instruction is executed with these parameters")
    multiprocessors = int(machine.value("cores.count"))
    wanted = program.footprint.blocks
    blocks = _whole(wanted, parameters, "blocks") if wanted else fits.blocks * multiprocessors
    schedulers, width = _issue(program, parameters, machine)
    return Kernel(
        resources=resources,
        regions=regions,
        latency=np.tile(latency, (len(regions), 1)),
        gap=np.tile(gap, (len(regions), 1)),
        text=tuple(_entry(node, labels, resources, regions, parameters) for node in nodes),
        order=order,
        warps=warps,
        occupancy=fits,
        blocks=blocks,
        multiprocessors=multiprocessors,
        schedulers=schedulers,
        issue_width=width,
    )


def _resource_names(program: AbstractProgram, nodes: list[Instruction | Barrier]) -> tuple[str, ...]:
    used = [name for node in nodes if isinstance(node, Instruction) for name in (node.resource, node.cached)]
    declared = [resource.name for resource in program.resources if resource.name in used]
    return tuple(dict.fromkeys([*declared, *(name for name in used if name)]))


def _timing(
    program: AbstractProgram, names: tuple[str, ...], parameters: Mapping[str, float], machine: Machine
) -> tuple[list[float], list[float]]:
    given = {resource.name: resource for resource in program.resources}
    latency, gap = [], []
    for name in names:
        if name in given:
            latency.append(_positive(given[name].latency, parameters, f"latency of {name}"))
            gap.append(_positive(given[name].gap, parameters, f"gap of {name}"))
        elif f"pipeline.{name}.latency" in machine and f"pipeline.{name}.gap" in machine:
            latency.append(machine.cycles(f"pipeline.{name}.latency"))
            gap.append(machine.cycles(f"pipeline.{name}.gap"))
        else:
            pipelines = {path.split(".")[1] for path in machine.quantities if path.startswith("pipeline.")}
            known = sorted({*given, *pipelines})
            raise InputError(
                f"no latency and gap for resource {name!r}: the program does not declare it and machine "
                f"{machine.name!r} has no such pipeline{nearest(name, known)}"
            )
    return latency, gap


def _occupancy(program: AbstractProgram, warps: int, parameters: Mapping[str, float], machine: Machine) -> Occupancy:
    footprint = program.footprint
    if footprint.resident is not None:
        blocks = _whole(footprint.resident, parameters, "resident")
        return Occupancy(blocks, blocks * warps, "given")
    registers = _whole(footprint.registers, parameters, "registers") if footprint.registers else None
    shared = _positive(footprint.shared_bytes, parameters, "shared") if footprint.shared_bytes else None
    return occupancy(machine, warps, registers, shared)


def _issue(program: AbstractProgram, parameters: Mapping[str, float], machine: Machine) -> tuple[int, int]:
    if program.schedulers is not None:
        schedulers = _whole(program.schedulers, parameters, "schedulers")
    else:
        schedulers = int(machine.value("occupancy.schedulers"))
    if program.issue_width is not None:
        return schedulers, _whole(program.issue_width, parameters, "issue")
    if program.schedulers is None and "cores.issue_width" in machine:
        return schedulers, max(1, int(machine.value("cores.issue_width")) // schedulers)
    return schedulers, 1


def _entry(
    node: Instruction | Barrier,
    labels: Mapping[str, int],
    resources: tuple[str, ...],
    regions: tuple[str, ...],
    parameters: Mapping[str, float],
) -> Entry:
    region = regions.index(node.region)
    if isinstance(node, Barrier):
        return Entry("barrier", -1, region, -1, 1.0, 1.0, ())
    for name in node.after:
        if name not in labels:
            raise InputError(f"{node.label} waits for {name!r}, which is no instruction{nearest(name, labels)}")
    miss_rate = _number(node.miss_rate, parameters)
    if not 0 <= miss_rate <= 1:
        raise InputError(f"{node.label}: the miss rate {miss_rate:g} is not between 0 and 1")
    return Entry(
        node.label,
        resources.index(node.resource),
        region,
        resources.index(node.cached) if node.cached else -1,
        _whole(node.transactions, parameters, f"transactions of {node.label}"),
        miss_rate,
        tuple(labels[name] for name in node.after),
    )


class _Order:
    """The sequence of executed instructions: loops unrolled, branches decided."""

    def __init__(self, nodes: list[Instruction | Barrier], parameters: Mapping[str, float], most: int) -> None:
        self._index = {id(node): position for position, node in enumerate(nodes)}
        self._parameters = parameters
        self._most = most

    def of(self, body: tuple[Node, ...]) -> NDArray[np.int32]:
        parts = [self._node(node) for node in body]
        self._check(sum(part.size for part in parts))
        return np.concatenate(parts) if parts else np.empty(0, np.int32)

    def _node(self, node: Node) -> NDArray[np.int32]:
        if isinstance(node, Loop):
            count = _count(node.count, self._parameters)
            once = self.of(node.body)
            self._check(once.size * count)
            return np.tile(once, count)
        if isinstance(node, Branch):
            return self._branch(node)
        return np.array([self._index[id(node)]], np.int32)

    def _branch(self, node: Branch) -> NDArray[np.int32]:
        if node.condition is None:  # data-dependent: all paths, in the order of the text (Section 4.4)
            return np.concatenate([self.of(path) for path in node.paths])
        taken = 0 if _number(node.condition, self._parameters) else 1
        return self.of(node.paths[taken]) if taken < len(node.paths) else np.empty(0, np.int32)

    def _check(self, size: int) -> None:
        if size > self._most:
            raise InputError(
                f"one warp executes more than {self._most} instructions, too many to emulate",
                hint="give smaller trip counts",
            )


def _number(expression: Expression, parameters: Mapping[str, float]) -> float:
    return float(expression.evaluate(parameters))


def _positive(expression: Expression, parameters: Mapping[str, float], what: str) -> float:
    value = _number(expression, parameters)
    if value <= 0:
        raise InputError(f"{what}: {expression.text!r} must be positive, is {value:g}")
    return value


def _count(expression: Expression, parameters: Mapping[str, float]) -> int:
    value = _number(expression, parameters)
    if value < 0 or not math.isclose(value, round(value)) or value > 1e15:
        raise InputError(f"trip count: {expression.text!r} must be a whole number, is {value:g}")
    return round(value)


def _whole(expression: Expression, parameters: Mapping[str, float], what: str) -> int:
    value = _number(expression, parameters)
    if value < 1 or value % 1 != 0 or value > 1e15:
        raise InputError(f"{what}: {expression.text!r} must be a whole number of at least 1, is {value:g}")
    return int(value)
