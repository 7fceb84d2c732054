"""From a nest and a machine to cycles: code, bounds, and the share of what each entry of the loop costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.codegen.code import Code, UserAssembly, generated, given
from foretell.core.loopnest import iterations
from foretell.core.machine import Machine
from foretell.errors import MachineError
from foretell.models.incore.alignment import crossing_shares
from foretell.models.incore.body import Body
from foretell.models.incore.costs import Costs
from foretell.models.incore.result import InCore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.codegen.assembly.loops import AsmLoop
    from foretell.codegen.options import CodeOptions
    from foretell.core.expression import Value
    from foretell.core.loopnest import LoopNest

_LINE = 64


def in_core(
    nest: LoopNest,
    machine: Machine,
    options: CodeOptions,
    sizes: Mapping[str, Value],
    assembly: UserAssembly | None = None,
) -> InCore:
    """Cycles of a nest's code at the given sizes, data in the innermost cache. Give the nest with its symbols: the code
    is made once for all sizes."""
    analysed = _analysed(nest, _Key(machine), options, assembly)
    points = _points(sizes)
    cycles = np.array([analysed.cycles_per_iteration(point) for point in points])
    first = points[0]
    bounds = analysed.bounds(first)
    main = analysed.bodies[0]
    elements = analysed.code.elements[0]
    return InCore(
        cycles_per_iteration=float(cycles[0]) if len(points) == 1 and not _has_array(sizes) else cycles,
        bounds=tuple((name, cycles_ / elements) for name, cycles_ in bounds),
        latency_bound=bounds[0][0] == "latency",
        elements=elements,
        vector_bytes=main.vector_bytes if main.vector_bytes > 8 else 0,
        instructions=len(main.instructions),
        loads=round(main.loads),
        stores=round(main.stores),
        entry_cycles=analysed.entry_cycles(first),
        unknown=tuple(analysed.costs.assumed),
        assumptions=analysed.code.assumptions,
        assembly="\n".join(one.text for one, _ in main.instructions),
        compiler=analysed.code.made_by,
    )


@dataclass(frozen=True)
class _Key:
    """A machine as a key of the cache: equal where no model can tell two apart."""

    machine: Machine

    def __hash__(self) -> int:
        return hash(self.machine.content_hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.machine.content_hash == self.machine.content_hash


@lru_cache(maxsize=256)
def _analysed(nest: LoopNest, key: _Key, options: CodeOptions, assembly: UserAssembly | None) -> _Analysed:
    machine = key.machine
    for path in ("target.isa", "target.cpu"):
        if path not in machine.traits:
            raise MachineError(f"machine {machine.name!r} has no {path}: no code can be generated for it")
    isa, cpu = machine.traits["target.isa"], machine.traits["target.cpu"]
    code = given(nest, isa, assembly) if assembly else generated(nest, isa, cpu, options)
    return _Analysed(nest, machine, options, code)


@dataclass(frozen=True)
class _Analysed:
    """Code with the costs of a machine; sizes come last."""

    nest: LoopNest
    machine: Machine
    options: CodeOptions
    code: Code

    @cached_property
    def costs(self) -> Costs:
        return Costs(self.machine)

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        return tuple(self._body(loop) for loop in self.code.loops)

    def _body(self, loop: AsmLoop) -> Body:
        return Body(tuple(loop.instructions()), self.machine, self.costs)

    def bounds(self, sizes: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
        """Bounds of a pass of the main loop."""
        return self._bounds(0, self._crossing(sizes, 0))

    def _bounds(self, number: int, crossing: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        return _body_bounds(self.bodies[number], crossing)

    def _crossing(self, sizes: Mapping[str, int], number: int) -> tuple[float, float]:
        width = self.bodies[number].vector_bytes
        if width <= 8:
            return 0.0, 0.0
        line = int(self.machine.value("level.L1.line")) if "level.L1.line" in self.machine else _LINE
        return crossing_shares(self.nest, sizes, width, line, self.options.alignment)

    def cycles_per_iteration(self, sizes: Mapping[str, int]) -> float:
        """Everything that the nest does, for each iteration of its innermost loop."""
        depth = len(self.nest.loops)
        total = float(_positive(self.nest.trips, sizes))
        entries = float(_positive(iterations(self.nest.loops, depth - 1), sizes))
        if total <= 0 or entries <= 0:
            return self.bounds(sizes)[0][1] / self.code.elements[0]
        trips = total / entries
        cycles, left = 0.0, trips
        for number, elements in enumerate(self.code.elements):
            passes = left // elements if number + 1 < len(self.code.elements) else left / elements
            cycles += passes * self._bounds(number, self._crossing(sizes, number))[0][1]
            left -= passes * elements
        return (cycles + self.entry_cycles(sizes)) / trips

    def entry_cycles(self, sizes: Mapping[str, int]) -> float:
        """What the loops around cost for each entry of the innermost one."""
        depth = len(self.nest.loops)
        width = self.machine.value("cores.issue_width")
        entries = float(_positive(iterations(self.nest.loops, depth - 1), sizes))
        cycles = 0.0
        for number, loop in enumerate(self.code.around, start=1):
            if depth - number < 0 or entries <= 0:
                break
            runs = float(_positive(iterations(self.nest.loops, depth - number), sizes))
            cycles += self._body(loop).slots / width * runs / entries
        return cycles


@lru_cache(maxsize=1024)
def _body_bounds(body: Body, crossing: tuple[float, float]) -> tuple[tuple[str, float], ...]:
    return body.bounds(*crossing)


def _positive(poly: Any, sizes: Mapping[str, int]) -> Any:
    return poly.evaluate(sizes)


def _has_array(sizes: Mapping[str, Value]) -> bool:
    return any(np.ndim(value) for value in sizes.values())


def _points(sizes: Mapping[str, Value]) -> list[dict[str, int]]:
    """One mapping for each design point."""
    columns = {name: np.atleast_1d(np.asarray(value)) for name, value in sizes.items()}
    count = max((len(column) for column in columns.values()), default=1)
    return [
        {name: int(column[number if len(column) > 1 else 0]) for name, column in columns.items()}
        for number in range(count)
    ]
