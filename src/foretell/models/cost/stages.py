"""Splits a parallel version of a traced code into its sequence of stages.

A `region` is an outermost parallel loop: its iterations are distributed over all processors, with a barrier at its end.
A reduction is one, unless it contains a parallel loop: then that is the region, and the reduction is serial. Two
sequential loops whose operations still have parallelism are a `front`: Lamport's hyperplanes, t1 + t2 - 1 diagonals for
t1 by t2 iterations. A prefix sum whose steps are used is a `scan`: two passes over blocks. The rest runs `alone`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, TypeVar

from foretell.core.facets.trace import Chain, Instructions, Operations, Trips

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.facets.trace import Trace, TracedLoop

_Counts = TypeVar("_Counts", Operations, Instructions)
Kind = Literal["region", "front", "scan", "alone"]
#: minimum mean width of its levels, in iterations, for a nest to run along its diagonals: two, the fewest that several
#: processors can share
_SIDE_BY_SIDE = 2.0


@dataclass(frozen=True, slots=True)
class Runs:
    """Equal executions of a stage: their number, the iterations distributed in each, those with the inner parallel
    loops collapsed, and their fraction of the stage's work."""

    entries: float
    iterations: float
    width: float
    share: float


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage; all counts are of all its executions together."""

    kind: Kind
    operations: Operations
    instructions: Instructions
    vectors: tuple[tuple[float, float], ...]  #: fractions of the operations in vectorised loops, and their trip counts
    runs: tuple[Runs, ...]
    chains: tuple[tuple[Chain, int], ...] = ()  #: of inner sequential loops, with their iterations
    sums: tuple[tuple[Chain, int], ...] = ()  #: of inner reductions, which count where they stay as written
    launches: int = 1  #: kernels per execution with all parallel loops collapsed

    @property
    def issued(self) -> int:
        """Instructions of all kinds."""
        return self.operations.total + self.instructions.total

    @property
    def fork_joins(self) -> float:
        """Number of fork-joins of all processors."""
        return 0.0 if self.kind == "alone" else sum(run.entries for run in self.runs)

    @property
    def references(self) -> int:
        """Loads and stores."""
        return self.instructions.load + self.instructions.store


class Nests:
    """The loops of a trace as a tree, and their stages."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.loops = trace.loops
        self.inside: dict[int, list[int]] = {}
        for index, loop in enumerate(trace.loops):
            self.inside.setdefault(loop.parent, []).append(index)

    def stages(self) -> tuple[Stage, ...]:
        """The stages in program order; the rest is last."""
        found = tuple(self._below(-1))
        return (*found, self._rest(found))

    def _below(self, parent: int) -> Iterator[Stage]:
        for index in self.inside.get(parent, ()):
            if not self._steps(index):
                yield self._region(index)
            elif self.loops[index].scan:
                yield self._scan(index)
            elif (inner := self._diagonals(index)) is not None:
                yield self._front(index, inner)
            else:
                yield from self._below(index)

    def _steps(self, index: int) -> bool:
        verdict = self.loops[index].verdict
        return verdict == "sequential" or (verdict == "reduction" and self._holds_parallel(index))

    def _holds_parallel(self, index: int) -> bool:
        return any(
            self.loops[one].verdict == "parallel" or self._holds_parallel(one) for one in self.inside.get(index, ())
        )

    def _diagonals(self, index: int) -> int | None:
        """The innermost loop of a nest of two sequential ones that can run along its diagonals."""
        inside = self.inside.get(index, [])
        if len(inside) != 1 or self.inside.get(inside[0]) or self.loops[inside[0]].verdict != "sequential":
            return None
        loop = self.loops[inside[0]]
        if not loop.schedule.depth or not loop.iterations:
            return None
        beside = loop.schedule.operations / loop.schedule.depth
        return inside[0] if beside > _SIDE_BY_SIDE * loop.operations.total / loop.iterations else None

    def _region(self, index: int) -> Stage:
        loop = self.loops[index]
        width, launches = self._width(index)
        per_iteration = width / max(loop.iterations, 1)
        runs = tuple(
            Runs(one.entries, one.trips, one.trips * per_iteration, one.share) for one in executions(loop) if one.trips
        )
        return self._stage("region", index, runs, launches)

    def _width(self, index: int) -> tuple[float, int]:
        """Iterations of a collapsed parallel nest, and the kernels it needs: a loop around another one that writes
        something itself is a kernel of its own. Sequential loops between parallel ones go into the threads, if the
        schedule shows parallelism around and in them."""
        loop, inside = self.loops[index], self.inside.get(index, [])
        if loop.verdict != "parallel" or len(inside) != 1:
            return loop.iterations, 1
        inner = self._parallel_within(inside[0])
        if inner is None:
            return loop.iterations, 1
        width, launches = self._width(inner)
        if inner == inside[0]:
            writes = loop.instructions.store > self.loops[inner].instructions.store
            return max(width, loop.iterations), launches + writes
        width *= loop.iterations / self.loops[inner].entries
        room = loop.schedule.operations / max(loop.schedule.depth, 1)
        return (width, 1) if width <= room * loop.entries else (loop.iterations, 1)

    def _parallel_within(self, index: int) -> int | None:
        """The loop, if it is parallel, or the first parallel one inside it, if it contains nothing else."""
        while self.loops[index].verdict != "parallel":
            inside = self.inside.get(index, [])
            if len(inside) != 1:
                return None
            index = inside[0]
        return index

    def _front(self, index: int, inner: int) -> Stage:
        outer, loop = self.loops[index], self.loops[inner]
        down, across = outer.iterations / outer.entries, loop.iterations / loop.entries
        fronts = outer.entries * max(down + across - 1, 1.0)
        wide = loop.iterations / fronts
        return self._stage("front", index, (Runs(fronts, wide, wide, 1.0),))

    def _scan(self, index: int) -> Stage:
        runs = tuple(Runs(2 * one.entries, one.trips, one.trips, one.share) for one in executions(self.loops[index]))
        return self._stage("scan", index, runs)

    def _stage(self, kind: Kind, index: int, runs: tuple[Runs, ...], launches: int = 1) -> Stage:
        loop = self.loops[index]
        within = [index, *self._all_inside(index)]
        return Stage(
            kind,
            loop.operations,
            loop.instructions,
            tuple(self._vectors(within, loop.operations.total)),
            runs,
            tuple(self._chains(within, "sequential")),
            tuple(self._chains(within, "reduction")),
            launches,
        )

    def _rest(self, stages: tuple[Stage, ...]) -> Stage:
        """Operations outside all stages, and the chains of sequential loops outside of them."""
        operations = _less(self.trace.operations, [one.operations for one in stages])
        instructions = _less(self.trace.instructions, [one.instructions for one in stages])
        held = {chain for one in stages for chain in one.chains}
        chains = [one for one in self._chains(range(len(self.loops)), "sequential") if one not in held]
        return Stage("alone", operations, instructions, (), (Runs(1, 1, 1, 1.0),), tuple(chains))

    def _vectors(self, indices: list[int], operations: int) -> Iterator[tuple[float, float]]:
        for index in indices:
            loop = self.loops[index]
            own = loop.vectorised - sum(self.loops[one].vectorised for one in self.inside.get(index, ()))
            if own > 0:
                yield from ((own / operations * one.share, one.trips) for one in executions(loop) if one.trips)

    def _all_inside(self, index: int) -> Iterator[int]:
        for one in self.inside.get(index, ()):
            yield one
            yield from self._all_inside(one)

    def _chains(self, indices: range | list[int], verdict: str) -> Iterator[tuple[Chain, int]]:
        for index in indices:
            loop = self.loops[index]
            if loop.verdict == verdict and loop.chain != Chain():
                yield loop.chain, loop.iterations


def executions(loop: TracedLoop) -> tuple[Trips, ...]:
    """Executions by their trip counts; of a loop that only has totals, all alike."""
    return loop.executions or (Trips(loop.entries, loop.iterations / max(loop.entries, 1), 1.0),)


def _less(whole: _Counts, parts: list[_Counts]) -> _Counts:
    left = {
        one.name: max(getattr(whole, one.name) - sum(getattr(part, one.name) for part in parts), 0)
        for one in fields(type(whole))
    }
    return type(whole)(**left)
