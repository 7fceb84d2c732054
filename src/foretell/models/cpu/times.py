"""Aggregates the times of all nests of a program, at one point or many, into bounds and parts of each point."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import compress, repeat
from typing import TYPE_CHECKING

import numpy as np

from foretell import units
from foretell.core.answers.prediction import Bound, Part
from foretell.models.cpu.notes import Note, column, said
from foretell.models.cpu.transfers import bandwidths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.prediction import Detail, Limit
    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs
    from foretell.models.cpu.nest_time import NestTime
    from foretell.models.cpu.notes import Where

#: transfer classes without a bandwidth of their own: listed only if there are any
_NAMES = {"pages": "page walks", "faults": "page faults", "stores": "stores down columns"}


@dataclass(frozen=True, slots=True)
class Point:
    """The answer at one point."""

    time_s: float
    interval_s: tuple[float, float]
    bounds: tuple[Bound, ...]
    notes: tuple[str, ...]
    at_least: bool
    details: dict[str, Detail]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The bounds as parts of the time, and their overlap, which is negative."""
        parts = [Part(bound.name, bound.time_s) for bound in self.bounds]
        return (*parts, Part("overlap", self.time_s - sum(part.time_s for part in parts)))


@dataclass(frozen=True, slots=True)
class Times:
    """The times of all nests of a program: numbers or, at many points, arrays."""

    nests: Sequence[NestTime]
    program_notes: tuple[Note, ...]
    inputs: Inputs

    def total(self, what: Callable[[NestTime], Value]) -> Value:
        """The sum of one time over all nests, weighted by their number of executions."""
        total: Value = 0.0
        for nest in self.nests:
            total = total + _times(nest.count, what(nest))
        return total

    def points(self, count: int, certain: bool) -> Iterator[Point]:
        """Yields the answer at each of `count` points. `certain`: nothing but the overlap is uncertain."""
        times = column(self.total(lambda nest: nest.seconds), count)
        ends = [
            column(self.total(lambda nest, end=end: nest.interval(certain)[end]), count)  # type: ignore[misc]
            for end in (0, 1)
        ]
        told = zip(
            times,
            zip(*ends, strict=True),
            self._bounds(count),
            said(self._notes(), count),
            self._at_least(count),
            self._details(count),
            strict=True,
        )
        return (Point(*one) for one in told)

    def _bounds(self, count: int) -> Iterator[tuple[Bound, ...]]:
        """Yields the time of the core alone, of each level alone, and of the barriers."""
        columns: list[tuple[str, str, Limit, Sequence[float]]] = []
        for level in dict.fromkeys(name for nest in self.nests for name in nest.transfers):
            time = self.total(lambda nest, level=level: nest.transfers.get(level, 0.0))  # type: ignore[misc]
            name = _NAMES.get(level, f"{level} bandwidth")
            columns.append((name, level, "throughput", column(time, count)))
        meetings = column(self.total(lambda nest: nest.meetings), count)
        columns.append(("threads meeting", "synchronisation", "latency", meetings))
        optional = {*_NAMES, "synchronisation"}
        for place, core in enumerate(self._core_bounds(count)):
            others = (
                Bound(name, times[place], resource, limit)
                for name, resource, limit, times in columns
                if times[place] or resource not in optional
            )
            yield core, *others

    def _core_bounds(self, count: int) -> Iterator[Bound]:
        """Yields the core bound, named after the longest nest."""
        own = np.stack([np.broadcast_to(_times(nest.count, nest.core_seconds), (count,)) for nest in self.nests])
        resources = [np.broadcast_to(nest.core.resources(), (count,)) for nest in self.nests]
        waiting = sum((o * (r == "latency") for o, r in zip(own, resources, strict=True)), np.zeros(count))
        total = self.total(lambda nest: nest.core_seconds)
        mostly = column(waiting > 0.5 * total, count)
        longest = np.argmax(own, axis=0).tolist()
        for place, (time, number) in enumerate(zip(column(total, count), longest, strict=True)):
            name, resource = self.nests[number].core.name, str(resources[number][place])
            yield Bound(name, time, resource, "latency" if mostly[place] else "throughput")

    def _notes(self) -> Iterator[Note]:
        yield from self.program_notes
        machine = self.inputs.machine
        unknown = [level for level in machine.levels[1:] if not bandwidths.known(machine, f"level.{level}")]
        if unknown:
            yield Note(f"no bandwidth is given for {', '.join(unknown)}: transfers from there cost no time")
        for nest in self.nests:
            yield from (note.only(nest.running) for note in nest.notes)

    def _at_least(self, count: int) -> Sequence[float]:
        lacking: Where = False
        for nest in self.nests:
            if nest.core.at_least:
                lacking = np.logical_or(lacking, nest.running)
        return column(lacking, count)

    def _details(self, count: int) -> Iterator[dict[str, Detail]]:
        names = dict.fromkeys(name for nest in self.nests for name in nest.volumes.bytes)
        moved = {
            name: column(
                self.total(lambda nest, name=name: nest.volumes.bytes.get(name, 0.0)),  # type: ignore[misc]
                count,
            )
            for name in names
        }
        nests = self._listed(count)
        for place, flops in enumerate(column(self.total(lambda nest: nest.flops), count)):
            memory = moved["memory"][place] if "memory" in moved else 0.0
            yield {
                "flops": flops,
                "bytes_from_B": {name: bytes_[place] for name, bytes_ in moved.items()},
                "flop_per_byte": flops / memory if memory else None,
                "nests": list(nests[place]),
            }

    def _listed(self, count: int) -> list[list[str]]:
        """The nests that run at each point; calls at the same sizes are listed once."""
        found: list[list[str]] = [[] for _ in range(count)]
        for nest, where in zip(self.nests, _first_calls(self.nests, count), strict=True):
            loops = units.show(len(nest.nest.loops), "")
            text = f"{nest.nest.function}:{nest.nest.line} {loops} loops"
            for place in np.flatnonzero(np.broadcast_to(where, (count,))).tolist():
                found[place].append(text)
        return found


def _times(count: Value, value: Value) -> Value:
    """Product; 0 where a nest does not run, whatever its closed form yields there."""
    return np.where(count != 0, count * value, 0.0) if np.ndim(count) else count * value


def _first_calls(nests: Sequence[NestTime], count: int) -> Iterator[NDArray[np.bool_]]:
    """Yields where each nest runs and no earlier call had the same sizes."""
    calls = Counter(id(nest.nest) for nest in nests)
    seen: set[tuple[float, ...]] = set()
    for nest in nests:
        running = np.broadcast_to(nest.running, (count,))
        if calls[id(nest.nest)] > 1:
            sizes = (column(size, count) for size in nest.run.sizes.values())
            rows = list(zip(repeat(id(nest.nest)), range(count), *sizes, strict=False))
            running = running & [row not in seen for row in rows]
            seen.update(compress(rows, running.tolist()))
        yield running
