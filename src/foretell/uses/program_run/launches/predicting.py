"""Predicts the launches of a program on one machine; alike launches once.

Launches of one kernel with the same grid, block and arguments do the same, unless their data changed: the executed
instructions tell. So do those that get other arrays of the same sizes, which were used as long ago (`alike`). Where
they differ, up to `_MOST` launches of a kernel are predicted, each with the memory that it met, and after `_FEW` (twice
as many where data matter) only those whose grid differs from all of them; the time of others is interpolated between
these by their executed instructions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from foretell import api, machines
from foretell.core.gpu.warps import Warps, Written
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.uses.program_run.launches.alike import ArgumentShapes, SampledLaunches, array_at, arrays_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from foretell.core.answers.prediction import Prediction
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.machine.machine import Machine

#: predictions of one kernel (and kernels with arrays that are remembered), those of any grids, and the launches before
#: one that L2 may remember: the last ones, and as many large ones
_MOST, _FEW, _REMEMBERED = 32, 8, 3
#: grids that differ by less are alike
_NEAR = 0.15
#: launches whose executed instructions differ by less are alike
_ALIKE = 0.01
#: cycles of a scheduler for one warp instruction, where a launch cannot be predicted: between 1 of independent
#: arithmetic and 4, the latency of a chain of it (pipeline.*.latency of the machine files)
_CYCLES_EACH = 4.0

#: the start of a kernel, which its time includes, and that of an H200 (gpu_probe.cu) where a machine file has none
_START, _START_S = "sync.back_to_back", 1.39e-6

#: blocks before it that a warp asks at once for their sums: decoupled look-back (Merrill and Garland 2016, section
#: 4.1), as CUB has it; and the steps in which it adds what they say
_ASKED, _STEPS = 32, 5

#: how far the time over the link is known: a rule of bytes and rounds
_LINK_FACTOR = 1.5

#: how the model says with what in L2 a launch starts: a program has one rule for all its launches
_MODEL_STARTS, _START_NOTE = (
    ("L2 holds what", "as given, L2 is"),
    "L2 holds what up to three launches before a launch left, the largest of three kernels before them, and what was "
    "set or copied on the device",
)

Group: TypeAlias = "tuple[int, tuple[int, ...], int]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The predicted time of a launch, and the share of the multiprocessors that it needs."""

    time_s: float
    interval_s: tuple[float, float]
    bound_by: str
    share: float
    own: bool = True
    #: blocks that the GPU has at once
    at_once: float = 1.0
    #: warp instructions that the model followed; 0: not known
    followed: float = 0.0
    assumptions: tuple[str, ...] = ()

    def scaled(self, factor: float) -> Outcome:
        """Another launch of the same kernel, with so many times the instructions."""
        low, high = self.interval_s
        note = "launches with other data are interpolated by their executed instructions"
        return replace(
            self,
            time_s=self.time_s * factor,
            interval_s=(low * factor, high * factor),
            own=False,
            assumptions=(*self.assumptions, *(() if note in self.assumptions else (note,))),
        )

    def completed(self, executed: int, start_s: float) -> Outcome:
        """The same with all that the launch executed: where blocks wait for data of others, the model follows less. (It
        follows more where blocks that are executed one after the other spare each other work; on a GPU they do not.)"""
        if not self.followed or executed <= (1 + _ALIKE) * self.followed:
            return self
        factor, (low, high) = executed / self.followed, self.interval_s
        time_s, high = (start_s + max(0.0, end - start_s) * factor for end in (self.time_s, high))
        note = "of launches that executed more than could be followed, the time is in proportion to the instructions"
        return replace(
            self, time_s=max(self.time_s, time_s), interval_s=(low, high), assumptions=(*self.assumptions, note)
        )

    def with_link(self, seconds: float) -> Outcome:
        """The same with memory of the host: not faster than the link, which other use of it is beside."""
        low, high = self.interval_s
        bound = "link to the host" if seconds > self.time_s else self.bound_by
        return replace(
            self,
            time_s=max(self.time_s, seconds),
            interval_s=(max(low, seconds / _LINK_FACTOR), max(high, seconds * _LINK_FACTOR)),
            bound_by=bound,
        )

    def with_calls(self, seconds: float, bound: str, factor: float = 1.0) -> Outcome:
        """The same with what the device's system and the driver do for it (printf, malloc, pages), a time known within
        a factor, at best as well as that of the link."""
        factor = max(factor, _LINK_FACTOR)
        low, high = self.interval_s
        return replace(
            self,
            time_s=self.time_s + seconds,
            interval_s=(low + seconds / factor, high + seconds * factor),
            bound_by=bound if seconds > self.time_s else self.bound_by,
        )

    def with_looking_back(self, seconds: float, longest_s: float) -> Outcome:
        """The same with blocks that look back at others: not at all, usually, or at one after the other."""
        low, high = self.interval_s
        note = f"blocks that wait for those before them are taken to look back at {_ASKED} at a time"
        return replace(
            self,
            time_s=self.time_s + seconds,
            interval_s=(low, high + longest_s),
            assumptions=(*self.assumptions, note),
        )

    def with_waits(self, seconds: float, longest_s: float) -> Outcome:
        """The same with time that its blocks wait for clocks: of all, and of the one that waits longest."""
        waits = max(longest_s, seconds / self.at_once)
        low, high = self.interval_s
        return replace(
            self, time_s=self.time_s + waits, interval_s=(low + waits, high + waits), bound_by="waits for a clock"
        )


@dataclass(slots=True)
class _Variant:
    key: Hashable
    blocks: int
    instructions: int
    outcome: Outcome


@dataclass(slots=True)
class _Known:
    """The predicted launches of a kernel; `data_dependent` if one with the same grid and arguments differed."""

    variants: list[_Variant] = field(default_factory=list)
    data_dependent: bool = False

    def at(self, key: Hashable) -> _Variant | None:
        return next((item for item in self.variants if item.key == key), None)

    def suffices(self, key: Hashable, blocks: int) -> bool:
        """Whether a launch need not be predicted."""
        if self.at(key) is not None and not self.data_dependent:
            return True
        near = any(abs(item.blocks - blocks) <= _NEAR * blocks for item in self.variants)
        few = 2 * _FEW if self.data_dependent else _FEW
        return len(self.variants) >= _MOST or (len(self.variants) >= few and near)

    def nearest(self, instructions: int) -> Outcome:
        """The time at a number of executed instructions: linear between the nearest two, in proportion outside."""
        ordered = sorted(self.variants, key=lambda item: item.instructions)
        below = [item for item in ordered if item.instructions <= instructions]
        above = [item for item in ordered if item.instructions > instructions]
        if not below or not above:
            nearest = below[-1] if below else above[0]
            factor = instructions / max(1, nearest.instructions)
            return nearest.outcome.scaled(factor if abs(factor - 1) > _ALIKE else 1.0)
        low, high = below[-1], above[0]
        part = (instructions - low.instructions) / (high.instructions - low.instructions)
        time = low.outcome.time_s + part * (high.outcome.time_s - low.outcome.time_s)
        nearest = low if part < 0.5 else high
        return nearest.outcome.scaled(time / nearest.outcome.time_s)


class Predictor:
    """The launches of a program on one machine. `before` a launch is executed it may be predicted, as its data are
    there; `after` it the time is known."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machines.completed(machine)
        self._known: dict[Group, _Known] = {}
        self._key: Hashable = None
        self._shapes = ArgumentShapes()
        self._sampled = SampledLaunches(_MOST)
        self._earlier: list[Warps | Written] = []
        self._written: dict[str, Written] = {}
        self._writes: list[tuple[int, int]] = []
        self._largest: dict[Hashable, Warps] = {}
        self._pending: Outcome | None = None
        self._facet: Warps | None = None
        self.start_s = self.machine.seconds(_START) if _START in self.machine else _START_S

    def before(self, group: Group, key: Hashable, kernel: SassKernel, launch: Launch) -> None:
        """Predicts a launch, unless one that is alike was predicted. `key` is what tells launches of a group apart,
        beside their grids and arguments."""
        known = self._known.setdefault(group, _Known())
        self._take_writes(launch)
        self._pending, self._key = None, (launch.grid, key, self._shapes.of(launch))
        facet = Warps(kernel, launch)
        if not known.suffices(self._key, launch.blocks):
            start = "after" if self._earlier else "cold"
            self._facet = Warps(kernel, replace(launch, start=start), self._before_this())
            self._pending = self._predicted(self._facet)
            self._sampled.keep(group, facet)
        self._remember(group[0], self._sampled.like(group, facet))

    def _before_this(self) -> tuple[Warps | Written, ...]:
        """What L2 may remember: the last launches and writes, before them the largest ones of other kernels and arrays,
        as series of launches often get smaller, and L2 holds what the first of them used, and before these what was
        written and not used since."""
        last = {id(item) for item in self._earlier}
        others = [item for item in self._largest.values() if id(item) not in last]
        return (*self._written.values(), *others[-_REMEMBERED:], *self._earlier)

    def wrote(self, address: int, size: int) -> None:
        """Notes memory of the device that a copy or a set wrote since the last launch."""
        self._writes.append((address, size))

    def _take_writes(self, launch: Launch) -> None:
        """What was written since the last launch lies in L2 behind what that left."""
        arrays = launch.passed.arrays if launch.passed else ()
        fresh = dict[str, int]()
        for address, size in self._writes:
            array = array_at(arrays, address)
            if array is not None:
                fresh[array.name] = min(array.bytes, fresh.get(array.name, 0) + size)
        for name, size in fresh.items():
            self._shapes.wrote(name)
            self._earlier.append(Written(name, size))
        self._writes.clear()

    def _remember(self, kernel: int, facet: Warps) -> None:
        key = kernel, frozenset(arrays_of(facet.launch))
        before = self._largest.pop(key, facet)
        self._largest[key] = facet if facet.launch.blocks >= before.launch.blocks else before
        if len(self._largest) > _MOST:
            del self._largest[next(iter(self._largest))]
        self._earlier.append(facet)
        launches = [place for place, item in enumerate(self._earlier) if isinstance(item, Warps)]
        kept = launches[-_REMEMBERED] if len(launches) > _REMEMBERED else 0
        self._written |= {item.array: item for item in self._earlier[:kept] if isinstance(item, Written)}
        self._earlier = self._earlier[kept:]
        for array in arrays_of(facet.launch):
            self._written.pop(array, None)
        while len(self._written) > _MOST:
            del self._written[next(iter(self._written))]

    @property
    def failed(self) -> bool:
        """Whether the launch could not be predicted with the memory that it met."""
        return self._pending is not None and not self._pending.time_s

    def left(self, launch: Launch) -> None:
        """The same launch with the memory that it left, where that is not the memory of the launch before."""
        assert self._facet is not None
        self._facet = replace(self._facet, launch=replace(launch, start=self._facet.launch.start))

    def after(self, group: Group, instructions: int, blocks: int) -> Outcome:
        """The time of the launch, which executed this many warp instructions."""
        known, key = self._known[group], self._key
        if self._pending is not None:
            whole = self._pending.completed(instructions, self.start_s)
            outcome = whole if self._pending.time_s else self._predicted_late(instructions, blocks)
            known.variants.append(_Variant(key, blocks, instructions, outcome))
            return outcome
        same = known.at(key)
        if same is not None and abs(instructions - same.instructions) <= _ALIKE * same.instructions:
            return replace(same.outcome, own=False)
        known.data_dependent |= same is not None
        return known.nearest(instructions)

    def _predicted(self, facet: Warps) -> Outcome:
        # nobody keeps this answer: the name will do, where hashing all that a facet holds takes half a second
        workload = Workload(facet.kernel.name, facets=(facet,), origin="", input_hash=facet.kernel.name)
        try:
            answer = api.prepare(workload, self.machine).predict()
        except InputError as error:
            return Outcome(0.0, (0.0, 0.0), "", 1.0, assumptions=(f"not predicted: {error.message}",))
        return self._outcome(answer, facet.launch.blocks)

    def _outcome(self, answer: Prediction, blocks: int) -> Outcome:
        """The time of a kernel with its start, as profilers show it."""
        at_once = (_number(answer, "resident_blocks") or 1.0) * self.machine.value("cores.count")
        return Outcome(
            time_s=answer.time_s,
            interval_s=answer.interval_s or (answer.time_s, answer.time_s),
            bound_by=answer.bottleneck.resource,
            share=min(1.0, blocks / at_once),
            at_once=at_once,
            followed=_number(answer, "warp_instructions"),
            assumptions=tuple(_START_NOTE if note.startswith(_MODEL_STARTS) else note for note in answer.assumptions),
        )

    def _predicted_late(self, instructions: int, blocks: int) -> Outcome:
        """A launch that cannot be predicted with the memory that it met, as blocks wait for what others write: with
        the memory that it left, and the time of looking back. If that fails, too, a guess."""
        assert self._facet is not None
        again = self._predicted(self._facet)
        if not again.time_s:
            return self._guessed(again, instructions, blocks)
        waiting = min(float(blocks), again.at_once)
        return again.with_looking_back(self._looking_back_s(waiting, _ASKED), self._looking_back_s(waiting, 1))

    def _looking_back_s(self, blocks: float, asked: int) -> float:
        """What the last of so many blocks waits that start together, where each needs the sum of all before it, and
        asks this many in a round until one of them knows its own. Blocks that end in round r reach r windows back, to
        those that ended in the round before: r rounds serve asked * r^2 / 2 blocks. A round is a store that becomes
        visible in L2, the load that finds it, and a sum over the warp."""
        machine = self.machine
        step = machine.seconds("pipeline.shuffle.latency") + machine.seconds("pipeline.alu.latency")
        rounds = math.sqrt(2 * blocks / asked)
        return rounds * (2 * machine.seconds("level.L2.latency") + _STEPS * step)

    def _guessed(self, outcome: Outcome, instructions: int, blocks: int) -> Outcome:
        """A time where the model gives none: issue of the executed instructions, with a wide interval."""
        machine = self.machine
        busy = min(float(blocks), machine.value("cores.count"))
        cycles = instructions * _CYCLES_EACH / (machine.value("occupancy.schedulers") * busy)
        time = cycles / machine.value("clock.frequency") + self.start_s
        return replace(
            outcome, time_s=time, interval_s=(time / 4, time * 4), bound_by="issue (not predicted)", at_once=busy
        )


def _number(answer: Prediction, name: str) -> float:
    """A detail of an answer that is a number; 0 where it has none."""
    value = answer.details.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
