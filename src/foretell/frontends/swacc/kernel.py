"""The loop distributed to the cores, the loops around and inside it, and their tiling."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import iterations
from foretell.core.nest.statements import Inner
from foretell.frontends.swacc.algebra import UnknownSizeError, ceiling, name, text, times
from foretell.frontends.swacc.clauses import Clauses, is_parallel, read_clauses

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import Loop, LoopNest, Loops


@dataclass(frozen=True, slots=True)
class Level:
    """A loop whose data is copied tile by tile. A copy covers `tile` iterations, a core's loop has `tiles` copies."""

    variable: str
    tile: str
    tiles: str


@dataclass
class Kernel:
    """A parallel loop with all nests inside it."""

    nests: tuple[LoopNest, ...]
    depth: int
    clauses: Clauses
    parameters: dict[str, float] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)

    @property
    def loop(self) -> Loop:
        return self.nests[0].loops[self.depth]

    @property
    def label(self) -> str:
        return f"{self.nests[0].function}:{self.loop.line}"

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The parallel loop, and the loops inside it along which copies can be tiled."""
        width = self._define("width", self.loop, f"min({self.trips(self.loop)}, {_tile(self.loop)})")
        levels = [Level(self.loop.variable, width, "chunks_per_core")]
        for loop in self._perfect():
            trips, tile = self.trips(loop), _tile(loop)
            width = self._define("width", loop, f"min({trips}, {tile} + ({tile} < 1)*({trips}))")  # 0: all of it
            tiles = self._define("tiles", loop, ceiling(trips, width))
            levels.append(Level(loop.variable, width, tiles))
        return tuple(levels)

    def _define(self, what: str, loop: Loop, value: str) -> str:
        """Names a value that many expressions use."""
        known = f"{what}_{name(loop.variable)}"
        self.definitions[known] = value
        return known

    def _perfect(self) -> list[Loop]:
        """Inner loops perfectly nested in the parallel loop, in every nest: their tiles can be interchanged outwards.
        Those whose bounds depend on other loops, or that no copied array depends on, are not tiled."""
        nest = self.nests[0]
        perfect: list[Loop] = []
        if len(self.nests) > 1:
            return perfect
        for depth in range(self.depth + 1, len(nest.loops)):
            body = nest.levels[depth - 1 - nest.shared] if depth - 1 >= nest.shared else ()
            if any(not isinstance(statement, Inner) for statement in body):
                break
            loop = nest.loops[depth]
            if loop.counted and self._rectangular(loop) and self._copied_along(loop.variable):
                perfect.append(loop)
        return perfect

    def _rectangular(self, loop: Loop) -> bool:
        inside = {other.variable for other in self.nests[0].loops[self.depth :]}
        return not inside & (loop.trips.symbols() | loop.lower.symbols())

    def _copied_along(self, variable: str) -> bool:
        return any(
            variable in {of for one in access.subscripts for of, _ in one.coefficients}
            for nest in self.nests
            for array in nest.arrays
            if array.name in self.clauses.staged
            for access in array.accesses
        )

    def trips(self, loop: Loop) -> str:
        """The trip count of a loop per entry; the average where it depends on outer loops."""
        nest = next(nest for nest in self.nests if loop in nest.loops)
        depth = nest.loops.index(loop)
        inside = {other.variable for other in nest.loops[self.depth : depth]}
        try:
            if not inside & loop.trips.symbols():
                return text(loop.trips)
            chain = nest.loops[self.depth :]
            top = iterations(chain, depth - self.depth + 1)
            return f"({text(top)})/({text(iterations(chain, depth - self.depth))})"
        except UnknownSizeError as error:
            known = f"trips_{name(loop.variable)}"
            self._assume(f"the loop over {loop.variable} (line {loop.line}) depends on {error}: {known} on average")
            return known

    def window(self, nest: LoopNest, variable: str) -> str:
        """The values of a loop variable that belong to one copy."""
        depth = nest.variables.index(variable)
        if depth < self.depth:
            return "1"
        for level in self.levels:
            if level.variable == variable:
                return level.tile
        return self.trips(nest.loops[depth])

    def executions(self, nest: LoopNest, place: int) -> str:
        """Executions of the loop body at a place of a nest, on the busiest core."""
        if place < self.depth:
            return "0"
        count = [self.levels[0].tile, "chunks_per_core"]
        count += [self.trips(loop) for loop in nest.loops[self.depth + 1 : place + 1]]
        return times(*count)

    def _assume(self, note: str) -> None:
        if note not in self.assumptions:
            self.assumptions.append(note)


def find_kernels(loops: Loops) -> list[Kernel]:
    """All parallel loops of a program, in source order."""
    grouped: dict[tuple[str, str, int], list[tuple[LoopNest, int]]] = {}
    for nest in loops.nests:
        place = next((place for place, loop in enumerate(nest.loops) if is_parallel(loop)), None)
        if place is not None and nest.status != "refused":
            grouped.setdefault((nest.file, nest.function, nest.loops[place].line), []).append((nest, place))
    return [_kernel([nest for nest, _ in found], found[0][1]) for found in grouped.values()]


def _kernel(nests: list[LoopNest], depth: int) -> Kernel:
    longest = max(nests, key=lambda nest: len(nest.loops))
    clauses = read_clauses(longest.loops, longest.loops[depth], longest.file)
    kernel = Kernel(tuple(nests), depth, clauses)
    for loop in longest.loops[:depth]:
        _outer(kernel, loop)
    for level in kernel.levels:
        default = "1" if level.variable == kernel.loop.variable else "0"
        kernel.parameters[f"tile_{name(level.variable)}"] = float(clauses.tiles.get(level.variable, default))
    for nest in nests:
        innermost = nest.loops[-1].variable
        kernel.parameters[f"unroll_{name(innermost)}"] = float(clauses.unrolls.get(innermost, "1"))
    return kernel


def _outer(kernel: Kernel, loop: Loop) -> None:
    """A loop around the parallel one: its variable is a parameter of the launch."""
    try:
        launches = text(loop.trips)
    except UnknownSizeError as error:
        launches = str(error)
    kernel.assumptions.append(
        f"one launch of {launches}: the loop over {loop.variable} (line {loop.line}) is not run by the cores"
    )


def _tile(loop: Loop) -> str:
    return f"tile_{name(loop.variable)}"
