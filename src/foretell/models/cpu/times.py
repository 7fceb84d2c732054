"""Aggregates the times of all nests of a program, at one point or many, into bounds and parts of each point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.answers.prediction import Bound, Part
from foretell.models.cpu.breakdown import BARRIERS, CLASS_NAMES, nest_shares, over_all, rates, transfer_name, weighted
from foretell.models.cpu.notes import Note, column, said
from foretell.models.cpu.transfers import bandwidths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from foretell.core.answers.breakdown import NestShare, Rate
    from foretell.core.answers.prediction import Detail, Limit
    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs
    from foretell.models.cpu.nest_time import NestTime
    from foretell.models.cpu.notes import Where

#: share of the time that nests without code may have at peak before all of it is a lower bound
_SMALL = 0.01


@dataclass(frozen=True, slots=True)
class Point:
    """The answer at one point."""

    time_s: float
    interval_s: tuple[float, float]
    bounds: tuple[Bound, ...]
    notes: tuple[str, ...]
    at_least: bool
    details: dict[str, Detail]
    nests: tuple[NestShare, ...]
    rates: tuple[Rate, ...]

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
    threads: Value

    def total(self, what: Callable[[NestTime], Value]) -> Value:
        """The sum of one time over all nests, weighted by their number of executions."""
        return over_all(self.nests, what)

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
            nest_shares(self.nests, self._clock, count),
            rates(self.nests, self.inputs, self.threads, count),
            strict=True,
        )
        return (Point(*one) for one in told)

    def _bounds(self, count: int) -> Iterator[tuple[Bound, ...]]:
        """Yields the time of the core alone, of each level alone, and of the barriers."""
        columns: list[tuple[str, str, Limit, Sequence[float]]] = []
        for level in dict.fromkeys(name for nest in self.nests for name in nest.transfers):
            time = self.total(lambda nest, level=level: nest.transfers.get(level, 0.0))  # type: ignore[misc]
            columns.append((transfer_name(level), level, "throughput", column(time, count)))
        barriers = column(self.total(lambda nest: nest.barriers), count)
        columns.append((BARRIERS, "synchronisation", "latency", barriers))
        optional = {*CLASS_NAMES, "synchronisation"}
        for position, core in enumerate(self._core_bounds(count)):
            others = (
                Bound(name, times[position], resource, limit)
                for name, resource, limit, times in columns
                if times[position] or resource not in optional
            )
            yield core, *others

    def _core_bounds(self, count: int) -> Iterator[Bound]:
        """Yields the core bound, named after the longest nest."""
        own = np.stack([np.broadcast_to(weighted(nest.count, nest.core_seconds), (count,)) for nest in self.nests])
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
        """Where the time is a lower bound: nests without code take more than a small part of it at peak. What they may
        take more is within the interval."""
        lacking: Where = False
        unknown = self.total(lambda nest: nest.seconds if nest.core.at_least else 0.0)
        matters = np.asarray(unknown) >= _SMALL * np.asarray(self.total(lambda nest: nest.seconds))
        for nest in self.nests:
            if nest.core.at_least:
                lacking = np.logical_or(lacking, np.logical_and(nest.running, matters))
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
        for position, flops in enumerate(column(self.total(lambda nest: nest.flops), count)):
            memory = moved["memory"][position] if "memory" in moved else 0.0
            yield {
                "flops": flops,
                "bytes_from_B": {name: bytes_[position] for name, bytes_ in moved.items()},
                "flop_per_byte": flops / memory if memory else None,
            }

    @property
    def _clock(self) -> Value:
        """Cycles per second; of a machine without a clock frequency, none."""
        return self.inputs.value("clock.frequency") if "clock.frequency" in self.inputs else 0.0
