"""Computes the traffic of a nest at each level, by reuse distance or by ExaSAT's plane rule."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.footprints.footprints import ArrayFootprint, Footprints, footprints
from foretell.characterize.footprints.planes import Planes, planes
from foretell.characterize.layout.cache_banks import spacings
from foretell.core.machine import capacity
from foretell.core.machine.parameters import LINE_STRIDES
from foretell.core.nest.statements import Inner, Ref, Store
from foretell.core.symbolic.poly import ONE
from foretell.errors import MachineError
from foretell.models.cpu.notes import Note
from foretell.models.cpu.transfers.bandwidths import innermost_line, knows_distances, line_of, share_of
from foretell.models.cpu.transfers.changing_strides import one_iteration, outer_iterations, strides_change
from foretell.models.cpu.transfers.entered_loops import entered_shares
from foretell.models.cpu.transfers.fills import Incoming, incoming
from foretell.models.cpu.transfers.loop_reuse import Inherited, inherited
from foretell.models.cpu.transfers.other_nests import Other, with_others
from foretell.models.cpu.transfers.short_rows import beyond_rows
from foretell.models.cpu.transfers.strided_stores import alternating, down_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly
    from foretell.models.base import Inputs, Settings
    from foretell.models.cpu.notes import Where
    from foretell.models.cpu.parallel import Split

_DEFAULT_LINE = 64.0
_WAYS = ("reads", "writes", "scattered", "updates", "columns")
#: what is added up over iterations of a nest
_ADDED = (*_WAYS, "beyond", "by_array")
#: glibc's memcpy stores past the caches from this share of the last level on (x86 non_temporal_threshold, glibc manual)
_MEMCPY_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Spaced:
    """Traffic of an array whose consecutive lines are a multiple of some number of lines apart."""

    spacing: Mapping[int, Value]
    reads: dict[str, Value] = field(default_factory=dict)
    writes: dict[str, Value] = field(default_factory=dict)

    @property
    def anywhere(self) -> Value:
        """1 where it has such a distance, else 0."""
        return sum(self.spacing.values(), 0.0)

    def part(self, share: Value) -> Spaced:
        """This volume scaled by `share`."""
        reads, writes = ({k: v * share for k, v in way.items()} for way in (self.reads, self.writes))
        return Spaced(self.spacing, reads, writes)


@dataclass(frozen=True, slots=True)
class Volumes:
    """Bytes between each level (and memory) and the next inner one over the whole nest, all threads together: fills and
    write-backs."""

    reads: Mapping[str, Value]
    writes: Mapping[str, Value]
    #: both directions, irregular arrays; not part of the above
    scattered: Mapping[str, Value] = field(default_factory=dict)
    #: the part of the writes to arrays that the program also reads
    updates: Mapping[str, Value] = field(default_factory=dict)
    #: both directions, arrays that are written down their columns; not part of the above
    columns: Mapping[str, Value] = field(default_factory=dict)
    #: part of reads, writes and those columns: arrays with regular line distances
    spaced: tuple[Spaced, ...] = ()
    spaced_columns: tuple[Spaced, ...] = ()
    #: 1 where stores to several arrays alternate, else 0
    alternating: Value = 0.0
    #: lines that come in vain behind the ends of rows: what they take is more, no traffic of the nest
    beyond: Mapping[str, Value] = field(default_factory=dict)
    #: both directions, all arrays, across the boundary of the innermost cache
    by_array: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def bytes(self) -> dict[str, Value]:
        """Sum of both directions."""
        beside = (self.scattered, self.columns)
        return {
            name: self.reads[name] + self.writes[name] + sum((way.get(name, 0.0) for way in beside), 0.0)
            for name in self.reads
        }

    def supplied(self, supplier: str) -> tuple[Value, Value, Value, Value]:
        """Reads, writes, irregular accesses and (part of the writes) updates that a level itself serves."""
        ways = (self.reads, self.writes, self.scattered, self.updates)
        reads, writes, scattered, updates = (self.own(way, supplier) for way in ways)
        return reads, writes, scattered, updates

    def into(self, supplier: str) -> Volumes:
        """All traffic across the inner boundary of a level, as if the level itself supplied it."""
        ways = (self.reads, self.writes, self.scattered, self.updates)
        reads, writes, scattered, updates = ({supplier: way.get(supplier, 0.0)} for way in ways)
        return Volumes(reads, writes, scattered, updates, alternating=self.alternating)

    def part(self, share: Value) -> Volumes:
        """This traffic `share` times."""
        scaled: dict[str, dict[str, Value]] = {
            name: {key: value * share for key, value in getattr(self, name).items()} for name in _ADDED
        }
        spaced, columns = (tuple(one.part(share) for one in way) for way in (self.spaced, self.spaced_columns))
        return Volumes(**scaled, spaced=spaced, spaced_columns=columns, alternating=self.alternating, notes=self.notes)

    def own(self, way: Mapping[str, Value], supplier: str) -> Value:
        """Traffic across the inner boundary of a level minus that across its outer one."""
        names = list(self.reads)
        outer = names[names.index(supplier) + 1 :][:1]
        return np.maximum(0.0, way.get(supplier, 0.0) - (way.get(outer[0], 0.0) if outer else 0.0))


def added(parts: Sequence[Volumes], notes: tuple[Note, ...]) -> Volumes:
    """The traffic of all parts together."""
    sums: dict[str, dict[str, Value]] = {name: {} for name in _ADDED}
    for part in parts:
        for name, own in sums.items():
            for key, value in getattr(part, name).items():
                own[key] = own.get(key, 0.0) + value
    return Volumes(
        **sums,
        spaced=tuple(one for part in parts for one in part.spaced),
        spaced_columns=tuple(one for part in parts for one in part.spaced_columns),
        alternating=parts[0].alternating,
        notes=tuple(dict.fromkeys(notes)),
    )


def executed(nest: LoopNest) -> LoopNest:
    """The nest without accesses under conditions that never hold: they move nothing."""
    never = {number for number, block in enumerate(nest.blocks) if block.probability == 0}
    if not never:
        return nest
    kept = [
        replace(array, accesses=tuple(one for one in array.accesses if one.block not in never)) for array in nest.arrays
    ]
    left = tuple(array for array in kept if array.accesses)
    return replace(nest, arrays=left) if left else nest


def level_volumes(
    nest: LoopNest,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    split: Split,
    ahead: Sequence[LoopNest] = (),
    others: Sequence[Other] = (),
) -> Volumes:
    """Computes traffic by reuse distance: each level supplies what the next inner one cannot keep, except data that
    nests `ahead` left there; `others` touch something in between. Iterations that change strides are added up."""
    nest = executed(nest)
    entered = entered_shares(nest, values)
    if split.depth is not None or not strides_change(nest):
        return _volumes(nest, inputs, settings, values, split, (ahead, others), entered)
    closed = replace(settings, options={**settings.options, "simulate": "none"})
    once = one_iteration(nest)
    parts = [
        _volumes(once, inputs, closed, at, split, (ahead, ()), entered).part(often)
        for at, often in outer_iterations(nest, values)
    ]
    note = Note(f"{nest.function}, line {nest.line}: traffic is that of {len(parts)} iterations of the outermost loop")
    if not parts:
        return _volumes(nest, inputs, closed, values, split, (ahead, others), entered)
    return added(parts, (*parts[0].notes, note))


def _volumes(
    nest: LoopNest,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    split: Split,
    around: tuple[Sequence[LoopNest], Sequence[Other]],
    entered: Mapping[str, Value],
) -> Volumes:
    """The traffic of a nest, or of one iteration of its outermost loop. `entered`: the share of an array's accesses
    that happen."""
    levels = _caches(inputs)
    notes: list[Note] = []
    fetched, past_caches = _fetched_for_stores(nest, inputs, settings, values, notes), nontemporal(nest)
    line = innermost_line(inputs)
    whole = footprints(nest, values, line, split.depth, split.threads, places=False)
    sums = _Sums(down_columns(nest, values, line), _spaced(nest, inputs, values))
    reach = _reach(nest, inputs, settings, values, split, around)
    for inner, supplier in pairwise([*levels, "memory"]):
        shape, left = reach[line_of(inputs, inner)]
        comes_in = incoming(nest, shape, inputs, settings, values, split, inner)
        notes += comes_in.notes
        share = share_of(inputs, inner, split.threads)
        in_vain = beyond_rows(nest, whole, inputs, values, line, share) if supplier in _late(levels) else {}
        sums.open(supplier)
        for array in shape.arrays:
            unread = 0.0 if array.name in past_caches else fetched
            moved = _moved(array, comes_in, left, share, unread, split.threads * entered.get(array.name, 1.0))
            sums.add(supplier, array.name, moved, in_vain.get(array.name, 0.0))
    return sums.volumes(alternating(nest, values, line), tuple(notes))


def _late(levels: Sequence[str]) -> tuple[str, ...]:
    """The suppliers whose lines come too late without a prefetcher: all but the second of three levels."""
    return (*levels[1 if len(levels) < 3 else 2 :], "memory")


def _fetched_for_stores(
    nest: LoopNest, inputs: Inputs, settings: Settings, values: Mapping[str, Value], notes: list[Note]
) -> Value:
    """The share of lines that are read because they are written."""
    fetched: Value = 1.0 if write_allocate(inputs, settings) else 0.0
    if settings["stores"] == "machine" and plain_copy(nest):
        fetched = fetched * _kept_by_memcpy(nest, inputs, values, notes)
    return fetched


def _reach(
    nest: LoopNest,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    split: Split,
    around: tuple[Sequence[LoopNest], Sequence[Other]],
) -> dict[float, tuple[Footprints, Inherited]]:
    """By line size, the footprints of the nest, and what nests ahead left of them; others touch more in between."""
    ahead, others = around
    swept = settings["simulate"] == "single" and any(np.ndim(values[name]) for name in nest.parameters)
    return {
        line: (
            with_others(
                footprints(nest, values, line, split.depth, split.threads, places=not swept),
                nest,
                others,
                values,
                line,
                split,
            ),
            inherited(nest, ahead, values, line, split),
        )
        for line in {line_of(inputs, level) for level in _caches(inputs)}
    }


@dataclass(frozen=True, slots=True)
class _Moved:
    """Bytes of an array across a boundary, and the shares of them that are filled, written back, updated, in order."""

    bytes: Value
    comes: Value
    back: Value
    updated: Value
    regular: Value


def _moved(
    array: ArrayFootprint, comes_in: Incoming, left: Inherited, share: Value, fetched: Value, times: Value
) -> _Moved:
    # multiply factors that are equal at all sizes first
    moved = comes_in.bytes[array.name] * times
    present = left.there(array.name, share)
    regular = 1.0 if array.scattered is None else comes_in.in_order.get(array.name, 0.0)
    comes = (1.0 - present) * (1.0 if array.read else fetched)
    back = (1.0 - present * (array.name in left.written)) * float(array.written)
    return _Moved(moved, comes, back, back * (1.0 if array.read else present), regular)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Traffic of arrays, added up by way and level; `columns` has the share of each that is written down its
    columns."""

    columns: Mapping[str, Value]
    spaced: Mapping[str, Spaced]
    beyond: dict[str, Value] = field(default_factory=dict)
    ways: dict[str, dict[str, Value]] = field(default_factory=lambda: {way: {} for way in _WAYS})
    by_array: dict[str, Value] = field(default_factory=dict)

    def open(self, supplier: str) -> None:
        for way in _WAYS:
            self.ways[way][supplier] = 0.0
        self.beyond[supplier] = 0.0

    def add(self, supplier: str, name: str, moved: _Moved, in_vain: Value = 0.0) -> None:
        """Adds what a level supplies of an array; `in_vain`: lines behind the ends of its rows for each of it."""
        self.by_array.setdefault(name, moved.bytes * (moved.comes + moved.back))
        shares = _by_way(moved, self.columns.get(name, 0.0) * moved.regular)
        for way, share in shares.items():
            if np.any(share):
                self.ways[way][supplier] = self.ways[way][supplier] + moved.bytes * share
        if np.any(in_vain):
            share = (moved.comes + moved.back) * moved.regular * (1.0 - self.columns.get(name, 0.0))
            self.beyond[supplier] = self.beyond[supplier] + moved.bytes * share * in_vain
        if name in self.spaced:
            self.spaced[name].reads[supplier] = moved.bytes * (moved.comes * moved.regular)
            self.spaced[name].writes[supplier] = moved.bytes * (moved.back * moved.regular)

    def volumes(self, alternating: Value, notes: tuple[Note, ...]) -> Volumes:
        in_columns = {name: self.columns.get(name, 0.0) for name in self.spaced}
        return Volumes(
            **self.ways,
            spaced=tuple(one.part(1.0 - in_columns[name]) for name, one in self.spaced.items()),
            spaced_columns=tuple(one.part(in_columns[name]) for name, one in self.spaced.items()),
            alternating=alternating,
            beyond=self.beyond,
            by_array=self.by_array,
            notes=notes,
        )


def _by_way(moved: _Moved, down: Value) -> dict[str, Value]:
    """Classifies the fills and write-backs of an array: sequential, irregular, or down its columns."""
    in_order = moved.regular * (1.0 - down)
    return {
        "reads": moved.comes * in_order,
        "writes": moved.back * in_order,
        "scattered": (moved.comes + moved.back) * (1.0 - moved.regular),
        "updates": moved.updated * in_order,
        "columns": (moved.comes + moved.back) * down,
    }


def _spaced(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value]) -> dict[str, Spaced]:
    """The arrays whose line distances the machine has bandwidths for."""
    if not knows_distances(inputs):
        return {}
    found = spacings(nest, values, innermost_line(inputs), LINE_STRIDES)
    return {name: Spaced(spacing) for name, spacing in found.items()}


def nontemporal(nest: LoopNest) -> frozenset[str]:
    """Arrays whose stores bypass the caches: those of the clause `nontemporal` of `omp simd` (OpenMP 5.0, 2.9.3.1)."""
    clauses = (clause for loop in nest.loops for one in loop.directives for clause in one.clauses)
    return frozenset(name.strip() for key, text in clauses if key == "nontemporal" for name in text.split(","))


def plain_copy(nest: LoopNest) -> bool:
    """Whether a nest only copies contiguous elements: compilers replace it by memcpy."""
    inner = nest.loops[-1].variable
    statements = [one for level in nest.levels for one in level if not isinstance(one, Inner)]
    if len(statements) != 1 or not isinstance(statements[0], Store):
        return False
    target, value = statements[0].target, statements[0].value
    if not isinstance(value, Ref) or value.type != target.type or not (target.subscripts and value.subscripts):
        return False
    return all(_one_behind_the_other(ref.subscripts[-1], inner) for ref in (target, value))


def _one_behind_the_other(subscript: Poly, variable: str) -> bool:
    split = subscript.coefficients((variable,))
    return split is not None and variable in split[0] and split[0][variable].integer == 1


def _kept_by_memcpy(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], notes: list[Note]) -> Value:
    """1 where memcpy stores through the caches; 0 above its non-temporal threshold."""
    domain, _ = _last_level(inputs)
    kept = footprints(nest, values, _DEFAULT_LINE).together(0) < _MEMCPY_SHARE * domain
    text = f"{nest.function}, line {nest.line}: the copy loop becomes memcpy, which uses non-temporal stores"
    notes.append(Note(text, np.logical_not(kept)))
    return np.where(kept, 1.0, 0.0)


def plane_volumes(
    nest: LoopNest, inputs: Inputs, settings: Settings, values: Mapping[str, Value], alone: Where = True
) -> Volumes:
    """Computes traffic by ExaSAT: planes through the last-level cache (Section 4.3 of the specification). Not `alone`:
    among the sweeps of a cycle, where the report counts all planes of one that fetches what it writes as reads (74 for
    72, EX-1)."""
    allocate = write_allocate(inputs, settings)
    counted = planes(nest)
    shape = footprints(_dense(nest), values, 8.0)  # in elements, not lines, as the report counts them
    domain, node = _last_level(inputs)
    plane = _plane_bytes(shape, counted)
    reads = counted.reads_in(np.floor(domain / plane), allocate)
    if settings["caches"] == "warm":
        only_read = sum(array.bytes[0] for array in shape.arrays if array.read)
        reads = np.where(only_read <= node, counted.allocated(allocate), reads)
        reads = np.where(shape.together(0) <= node, 0, reads)
    if settings["cycle_reads"] == "planes" and counted.allocated(allocate):
        reads = np.where(np.logical_not(alone) & (reads > 0), reads + counted.writes, reads)
    swept = plane * shape.iterations[1]
    text = f"{nest.function}, line {nest.line}: {{:g}} planes read and {counted.writes} written per plane"
    note = Note(text, numbers=(reads,))
    return Volumes({"memory": reads * swept}, {"memory": counted.writes * swept}, notes=(note,))


def _dense(nest: LoopNest) -> LoopNest:
    """The nest with unit step in its innermost loop: a whole plane moves even if a sweep updates only the red
    points."""
    *outer, inner = nest.loops
    if inner.step.integer is None or not 1 < inner.step.integer < _DEFAULT_LINE / 8:
        return nest
    dense = replace(inner, step=ONE, trips=inner.upper - inner.lower + 1)
    return replace(nest, loops=(*outer, dense))


def _plane_bytes(shape: Footprints, counted: Planes) -> Value:
    """Bytes of one plane: the footprint of an array in an iteration of the outermost loop, divided by its offsets
    there. The smallest array has no halo."""
    offsets = {array.name: array.offsets for array in counted.arrays}
    sizes = [array.bytes[1] / offsets[array.name] for array in shape.arrays if array.name in offsets]
    smallest: Value = np.minimum.reduce(np.broadcast_arrays(*sizes))
    return smallest


def write_allocate(inputs: Inputs, settings: Settings) -> bool:
    """Whether a store miss reads its line first."""
    if settings["stores"] == "machine":
        return inputs.machine.traits.get("memory.write_allocate", "yes") == "yes"
    return settings["stores"] == "allocate"


def _last_level(inputs: Inputs) -> tuple[Value, Value]:
    """Bytes of one last-level cache, and of all of them in the node."""
    levels = _caches(inputs)
    last = levels[-1]
    size = capacity.alone(inputs, last)
    sharers = inputs.machine.value(f"level.{last}.shared_by") if f"level.{last}.shared_by" in inputs.machine else 1.0
    return size, size * max(1.0, float(inputs.machine.value("cores.count")) / sharers)


def _caches(inputs: Inputs) -> list[str]:
    """The levels with known capacity, from the inside out; the model needs at least one."""
    levels = [level for level in inputs.machine.levels if f"level.{level}.size" in inputs.machine]
    if not levels:
        raise MachineError(
            f"machine {inputs.machine.name!r} has no cache, which model cpu needs",
            hint="the CPU model needs a CPU, or a many-core with caches",
        )
    return levels
