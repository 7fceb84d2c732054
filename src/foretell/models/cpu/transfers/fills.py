"""Computes the fill traffic of a level: by the closed form or, where it does not apply, by sampled cache simulation.

Simulation covers set conflicts and non-affine subscripts. In a sweep, each such size is simulated individually (some
hundredths of a second); other sizes cost nothing. A single size is also simulated where the closed form is uncertain
(in a sweep only on request, since each size has to be checked individually).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.caches.closed_form_error import doubts, near_the_size, nearest_loop
from foretell.characterize.caches.set_conflicts import Sets, conflicts, may_conflict
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.simulate.addresses import label
from foretell.characterize.simulate.cachesim import CacheLevel
from foretell.characterize.simulate.sampled import MOST, sampled
from foretell.core.machine import capacity
from foretell.errors import UnsupportedError
from foretell.models.cpu.notes import Note
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.transfers.bandwidths import line_of, share_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.characterize.footprints.footprints import Footprints
    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs, Settings
    from foretell.models.cpu.notes import Where

    Floats = NDArray[np.float64]

#: up to so many sizes get the full budget of simulated accesses each
FEW = 12
#: beyond, all share the budget of so many
_SHARED = 5
_ABOUT_ITS_SIZE = "a loop touches about its size"
#: in a sweep across the capacity of a level, simulated sizes beside the first and last: those nearest to these
#: fractions of the capacity. Traffic changes most where the level is just full.
_ALONG_AN_EDGE = (0.95, 0.99, 1.01, 1.05, 1.1, 1.15)
_NOT_LOOKED_AT = (
    "of many sizes, cache simulation covers only those with conflict misses and some at which a loop's footprint is "
    "close to the capacity; a single size is simulated wherever the closed form is uncertain (simulate=each: all)"
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """Bytes of each array that one thread fetches into a level."""

    bytes: Mapping[str, Value]
    notes: tuple[Note, ...]
    #: 1 for irregular arrays whose lines are used completely, else 0
    in_order: Mapping[str, Value] = field(default_factory=dict)
    #: the part of the bytes that comes because other nests touch something in between
    of_others: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Part:
    """Simulated traffic at some points; replaces the closed form if `instead`, else used where it exceeds it."""

    points: Where
    instead: bool
    bytes: Mapping[str, Value]
    notes: tuple[Note, ...]
    in_order: Mapping[str, float] = field(default_factory=dict)
    #: whether the notes on the closed form still apply
    beside: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query for the fill traffic of a level, for a nest with sizes that is split among threads."""

    nest: LoopNest
    inputs: Inputs
    values: Mapping[str, Value]
    split: Split
    warm: bool
    level: str

    @property
    def sizes(self) -> dict[str, Value]:
        """The parameters of the nest that have a value."""
        nest = self.nest
        names = {*nest.parameters, *nest.address_parameters, *nest.shape_parameters}
        return {name: self.values[name] for name in sorted(names & set(self.values))}

    def instead(self, sizes: Mapping[str, float], threads: float, why: Sequence[str], most: int = MOST) -> _Part:
        """Simulates the fills of one thread as far as possible, and notes the reason."""
        nest, level, depth = self.nest, self.level, self.split.depth
        where = f"{nest.function}, line {nest.line}"
        reason = Note(f"{where}: the closed form for {level} is uncertain: {', and '.join(why)}")
        whole = tuple((name, int(size)) for name, size in sizes.items())
        shared = (depth, int(threads)) if depth is not None and threads > 1 else None
        try:
            simulated = sampled(nest, whole, _levels(self.inputs, level, threads), self.warm, most, shared)
        except UnsupportedError as error:
            note = Note(f"{where}: {level} is not simulated ({error.message})")
            return _Part(True, False, {}, (reason, note))
        if not simulated.settled:
            note = Note(f"{where}: {level} is not simulated (the sampled iterations do not fill it)")
            return _Part(True, False, {}, (reason, note))
        note = Note(f"{where}: traffic into {level} is simulated on {simulated.share:.2g} of all iterations")
        moved = {name: bytes_ * threads for name, bytes_ in simulated.bytes}
        return _Part(True, True, moved, (reason, note), beside=True)


def incoming(
    nest: LoopNest,
    shape: Footprints,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    split: Split,
    level: str,
) -> Incoming:
    """Computes the closed form, replaced by simulation where it does not apply, at as many sizes as requested."""
    warm = settings["caches"] == "warm"
    share, ways = share_of(inputs, level, split.threads), _ways_of_pages(inputs, level)
    closed = _closed(shape, share, warm, ways)
    sizes = _sizes(nest, values)
    many = sizes is not None and any(map(np.ndim, sizes.values()))
    if sizes is None or settings["simulate"] == "none" or (many and settings["simulate"] == "single"):
        return closed
    asked = _Asked(nest, inputs, values, split, warm, level)
    everything = settings["simulate"] == "each"
    same_level = not any(
        path.startswith("level.") and path.endswith(("size", ".available", ".available_all", ".shared_by"))
        for path in inputs.columns
    )
    if not everything and _different(sizes) > FEW:
        parts = list(_parts(asked, closed, sizes, everything))
        edges = _edges(asked, _rest(parts), shape) if same_level else ()
        parts += [*edges, _Part(True, False, {}, (Note(_NOT_LOOKED_AT),))]
    else:
        parts = _few(asked, closed, sizes, everything, same_level)
    return _joined(closed, parts, split.threads)


def _closed(shape: Footprints, share: Value, warm: bool, ways: int | None) -> Incoming:
    """The closed form, and which part of it is due to other nests, which simulations do not see."""
    bytes_, notes = shape.traffic(share, warm, ways), tuple(map(Note, shape.assumptions))
    if not shape.others:
        return Incoming(bytes_, notes)
    alone = replace(shape, others={}).traffic(share, warm, ways)
    return Incoming(bytes_, notes, of_others={name: np.maximum(0.0, bytes_[name] - alone[name]) for name in bytes_})


def _few(
    asked: _Asked, closed: Incoming, sizes: Mapping[str, Value], everything: bool, same_level: bool
) -> list[_Part]:
    """Simulates subscripts that are not affine; else where the closed form is uncertain, and set conflicts at the
    points that are left."""
    if _computed(asked.nest):
        parts = list(_parts(asked, closed, sizes, everything))
        return [*parts, *(_doubted(asked, _rest(part for part in parts if part.instead)) if same_level else ())]
    doubted = list(_doubted(asked, True)) if same_level else []
    left = _rest(part for part in doubted if part.instead)
    return [*_parts(asked, closed, sizes, everything, left), *doubted]


def _different(sizes: Mapping[str, Value]) -> int:
    """Number of distinct sizes."""
    columns = np.broadcast_arrays(*sizes.values()) if sizes else []
    if columns and columns[0].size == 1:
        return 1
    return np.unique(np.stack([column.ravel() for column in columns]), axis=1).shape[1] if columns else 1


def _doubted(asked: _Asked, rest: Where) -> Iterator[_Part]:
    """Simulates where the closed form is uncertain, at the points `rest` that are not simulated yet."""
    inputs, level, depth = asked.inputs, asked.level, asked.split.depth
    sets, ways = _sets(inputs, level), _ways_of_pages(inputs, level)
    for points, at, threads in _each(asked.sizes, asked.split.threads):
        if not np.any(np.logical_and(rest, points)):
            continue
        share, line = float(share_of(inputs, level, threads)), int(line_of(inputs, level))
        whole = Split(depth, threads)
        if open_ := _open(asked.nest, tuple(at.items()), whole, line, share, sets, ways, asked.warm):
            part = asked.instead(at, threads, open_)
            yield replace(part, points=np.logical_and(rest, points))


def _rest(parts: Iterable[_Part]) -> Where:
    """Points at which nothing is simulated."""
    rest: Where = True
    for part in parts:
        rest = np.logical_and(rest, np.logical_not(part.points))
    return rest


def _edges(asked: _Asked, rest: Where, shape: Footprints) -> Iterator[_Part]:
    """In a sweep, simulates sizes at which a loop's footprint is close to the capacity: there the hit ratio drops from
    1 to 0 as the size grows, in a way that depends on sets. A few sizes are simulated as a single one is; traffic per
    iteration at the others is interpolated. `rest`: points that are not simulated yet."""
    share = share_of(asked.inputs, asked.level, asked.split.threads)
    if _ways_of_pages(asked.inputs, asked.level) is not None:
        return
    where = np.atleast_1d(np.logical_and(near_the_size(shape, share, asked.warm), rest))
    loops, touched = (np.broadcast_to(values, where.shape) for values in nearest_loop(shape, share))
    sizes = {name: np.broadcast_to(column, where.shape) for name, column in asked.sizes.items()}
    threads, runs = (np.broadcast_to(values, where.shape) for values in (asked.split.threads, shape.iterations[-1]))
    for loop in np.unique(loops[where]).tolist():
        points = where & (loops == loop)
        order = np.flatnonzero(points)[np.argsort(touched[points], kind="stable")]
        nearest = np.abs(touched[order][:, None] - np.array(_ALONG_AN_EDGE)).argmin(axis=0)
        picked = order[np.unique([0, *nearest, len(order) - 1])]
        parts: list[_Part] = []
        for place in picked.tolist():
            at = {name: float(column[place]) for name, column in sizes.items()}
            most = MOST // len(_ALONG_AN_EDGE)
            parts.append(asked.instead(at, float(threads[place]), (_ABOUT_ITS_SIZE,), most))
            if not parts[-1].instead:
                break
        if all(values.instead for values in parts):
            bytes_ = _between(parts, touched[picked], runs[picked], touched)
            yield replace(parts[0], points=points, bytes={name: values * runs for name, values in bytes_.items()})


def _between(found: Sequence[_Part], places: Floats, runs: Floats, wanted: Floats) -> dict[str, Floats]:
    """Linear interpolation of each array's bytes per iteration between simulated sizes."""
    names = dict.fromkeys(name for part in found for name in part.bytes)
    known = {name: np.array([part.bytes.get(name, 0.0) for part in found]) / runs for name in names}
    return {name: np.interp(wanted, places, bytes_) for name, bytes_ in known.items()}


@lru_cache(maxsize=1024)
def _open(
    nest: LoopNest,
    sizes: tuple[tuple[str, float], ...],
    split: Split,
    line: int,
    share: float,
    sets: Sets | None,
    ways: int | None,
    warm: bool,
) -> tuple[str, ...]:
    """Relevant uncertainties of the closed form; cached, since sweeps over other parameters ask repeatedly."""
    shape = footprints(nest, dict(sizes), float(line), split.depth, split.threads)
    return tuple(doubts(nest, dict(sizes), shape, share, sets, ways, warm))


def _each(columns: Mapping[str, Value], threads: Value) -> Iterator[tuple[Where, dict[str, float], float]]:
    """Yields each distinct combination of sizes and threads, and its points."""
    asked = [np.asarray(column, dtype=np.float64) for column in (*columns.values(), threads)]
    shape = np.broadcast_shapes(*(column.shape for column in asked))
    if not shape:  # one point: numpy.unique takes longer, and loads masked arrays
        yield np.True_, {name: float(column) for name, column in zip(columns, asked, strict=False)}, float(asked[-1])
        return
    table = np.stack([column.ravel() for column in np.broadcast_arrays(*asked)])
    for row in np.unique(table, axis=1).T:
        points = np.all(table == row[:, None], axis=0).reshape(shape)
        yield points, dict(zip(columns, row.tolist(), strict=False)), float(row[-1])


def _joined(closed: Incoming, parts: Iterable[_Part], threads: Value) -> Incoming:
    bytes_ = dict(closed.bytes)
    in_order: dict[str, Value] = {}
    notes: list[Note] = []
    rest: Where = True
    for part in parts:
        if part.instead and not part.beside:
            rest = np.logical_and(rest, np.logical_not(part.points))
        for name, before in closed.bytes.items():
            if name in part.bytes:  # a part may consist of notes only
                own = part.bytes[name] / threads
                own = own + closed.of_others.get(name, 0.0) if part.instead else np.maximum(before, own)
                bytes_[name] = np.where(part.points, own, bytes_[name])
        for name, flag in part.in_order.items():
            in_order[name] = np.where(part.points, flag, in_order.get(name, 0.0))
        notes += [note.only(part.points) for note in part.notes]
    return Incoming(bytes_, (*(note.only(rest) for note in closed.notes), *notes), in_order)


def _parts(
    asked: _Asked, closed: Incoming, many: Mapping[str, Value], everything: bool, rest: Where = True
) -> Iterator[_Part]:
    """Names set conflicts and non-affine subscripts, and simulates them at the points `rest`; in a sweep
    `everything`, or with a smaller budget each."""
    nest, level = asked.nest, asked.level
    where = f"{nest.function}, line {nest.line}"
    sets = _sets(asked.inputs, level)
    needy = []
    for points, sizes in _in_need(nest, closed, many, sets):
        crowded = tuple(map(Note, conflicts(nest, sizes, sets))) if sets is not None else ()
        left = np.logical_and(points, rest)
        if (crowded or _computed(nest)) and np.any(left):
            needy.append((left, sizes, crowded))
        elif crowded:
            yield _Part(points, False, {}, crowded)
    most = MOST if everything or len(needy) <= FEW else MOST * _SHARED // len(needy)
    for points, sizes, crowded in needy:
        try:
            simulated = sampled(nest, tuple(sizes.items()), (_geometry(asked.inputs, level),), asked.warm, most)
        except UnsupportedError as error:
            note = Note(f"{where}: {level} is not simulated ({error.message})")
            yield _Part(points, False, {}, (*crowded, note))
            continue
        moved = dict(simulated.bytes)
        note = Note(f"{where}: traffic into {level} is simulated on {simulated.share:.2g} of all iterations")
        in_order = _in_order(nest, sizes, moved) if _computed(nest) else {}
        yield _Part(points, _computed(nest), moved, (*crowded, note), in_order)


def _in_need(
    nest: LoopNest, closed: Incoming, sizes: Mapping[str, Value], sets: Sets | None
) -> Iterator[tuple[Where, dict[str, int]]]:
    """Yields sizes that may need simulation, and their points."""
    need: Where = False if sets is None else may_conflict(nest, sizes, sets)
    if _computed(nest):
        for bytes_ in closed.bytes.values():
            need = np.logical_or(need, np.asarray(bytes_) != 0)
    if not np.any(need):
        return
    if not sizes:
        yield need, {}
        return
    asked, *columns = np.broadcast_arrays(need, *sizes.values())
    different = np.unique(np.stack([column[asked] for column in columns]), axis=1)
    for row in different.T.tolist():
        point = dict(zip(sizes, row, strict=True))
        same = [sizes[name] == size for name, size in point.items()]
        yield np.logical_and.reduce(np.broadcast_arrays(need, *same)), {n: int(v) for n, v in point.items()}


def _sizes(nest: LoopNest, values: Mapping[str, Value]) -> dict[str, Value] | None:
    """The sizes that determine addresses of a nest, as integers; None where one has no value."""
    needed = {*nest.parameters, *nest.address_parameters}
    needed |= {name for array in nest.arrays for dim in array.dims if dim.stride for name in dim.stride.symbols()}
    if any(name not in values for name in needed):
        return None
    return {name: np.trunc(values[name]) for name in sorted(needed)}


def _ways_of_pages(inputs: Inputs, level: str) -> int | None:
    """The associativity of a physically indexed level, whose sets depend on page placement; None for others. There the
    hit ratio is continuous in the size (`page_set_hits`): a footprint near the capacity is no reason to simulate, since
    contiguous addresses are one lucky placement of many. In other levels, such as most L1 caches, it is. A share of a
    level that cores share has no sets of its own."""
    paths = f"level.{level}.ways", f"level.{level}.shared_by", "tlb.page_size"
    if not all(path in inputs.machine for path in paths):
        return None
    ways, sharers, page = map(inputs.machine.value, paths)
    return int(ways) if _bytes(inputs, level) > ways * page and sharers <= 1 else None


def _computed(nest: LoopNest) -> bool:
    """Whether subscripts are non-affine functions of the loop variables: remainders, shifts, squares."""
    return any(one.opaque for array in nest.arrays for access in array.accesses for one in access.subscripts)


def _in_order(nest: LoopNest, sizes: Mapping[str, int], moved: Mapping[str, float]) -> dict[str, float]:
    """1 for the arrays of whose lines at least half is used before eviction."""
    counts = nest.total_accesses()
    parts = {}
    for array in nest.arrays:
        used = sum(float(count.evaluate(sizes)) for count in counts[array.name]) * array.type.size
        parts[label(array)] = 1.0 if moved.get(label(array), 0.0) <= 2 * used else 0.0
    return parts


def _geometry(inputs: Inputs, level: str) -> CacheLevel:
    line, path = int(line_of(inputs, level)), f"level.{level}.ways"
    ways = int(inputs.machine.value(path)) if path in inputs.machine else None
    whole = line * (ways or 1)
    return CacheLevel(level, _bytes(inputs, level) // whole * whole, line, ways)


def _bytes(inputs: Inputs, level: str) -> int:
    """Bytes of a level as simulated: all ways, and as many sets as amount to the available share."""
    return int(float(capacity.alone(inputs.machine, level)))


def _levels(inputs: Inputs, level: str, threads: float) -> tuple[CacheLevel, ...]:
    """The levels up to this one, each scaled to one thread's share."""
    names = [name for name in inputs.machine.levels if f"level.{name}.size" in inputs.machine]
    levels = []
    for name in names[: names.index(level) + 1]:
        one = _geometry(inputs, name)
        lines = max(1, int(float(share_of(inputs, name, threads))) // one.line)
        ways = one.ways if one.ways is not None and lines >= one.ways else None
        levels.append(replace(one, size=lines // (ways or 1) * (ways or 1) * one.line, ways=ways))
    return tuple(levels)


def _sets(inputs: Inputs, level: str) -> Sets | None:
    """The sets of a level; None where the associativity is unknown."""
    ways = f"level.{level}.ways"
    if ways not in inputs.machine:
        return None
    held = int(inputs.machine.value(ways))
    apart = _bytes(inputs, level) // held
    page = int(inputs.machine.value("tlb.page_size")) if "tlb.page_size" in inputs.machine else apart
    return Sets(level, apart, held, int(line_of(inputs, level)), page)
