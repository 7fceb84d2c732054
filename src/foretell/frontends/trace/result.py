"""Converts the runtime's output and the meaning of its counters to a `Trace`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.facets.trace import (
    Band,
    Chain,
    Instructions,
    Operations,
    Reuse,
    Schedule,
    StackDistances,
    Trace,
    TracedLoop,
    Trips,
    Verdict,
    Width,
    sync_points,
)
from foretell.frontends.trace.instrument.writer import Counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.frontends.trace.instrument.module import StaticLoop, TracedFunction
    from foretell.frontends.trace.options import TraceOptions

#: maximum number of distinct widths or distance ranges kept exactly
_MOST_ROWS = 4096
_LOOP_ROWS = 512  #: maximum rows of a single loop's distances
_PER_OCTAVE = 128
_BAND_GROWTH = 1.05
_KINDS = ("RAW", "reduction", "WAR", "WAW")
_WORD = 8


@dataclass(slots=True)
class RawLoop:
    """A loop in one calling context, as the runtime recorded it."""

    id: int
    function: int
    index: int
    parent: int
    entries: int
    iterations: int
    least: int
    most: int
    carried: int
    lines: list[int]
    levels: NDArray[np.uint64]
    executions: list[tuple[int, int, int]] = field(default_factory=list)  #: entries, iterations, ticks
    #: by line size (its bits): cold misses, and rows of first and last distance and count
    distances: dict[int, tuple[int, NDArray[np.uint64]]] = field(default_factory=dict)
    counted: Counted = field(default_factory=Counted)
    vectorised: int = 0


@dataclass(slots=True)
class RawTrace:
    """The contents of the runtime's file."""

    calls: int = 0
    sync: int = 0
    seconds: float = 0.0
    shift: int = 0
    memory: int = 0
    copied: int = 0
    filled: int = 0
    loops: dict[int, RawLoop] = field(default_factory=dict)
    instances: list[tuple[int, int, list[int]]] = field(default_factory=list)


def read_raw(path: Path) -> RawTrace:
    """Reads the runtime's text and its arrays."""
    words = np.fromfile(path.with_name(path.name + ".arrays"), dtype=np.uint64)
    found = RawTrace()
    lines = [line.split() for line in path.read_text().splitlines()]
    for number, (kind, *rest) in enumerate(lines):
        if kind in ("calls", "sync", "shift", "memory", "copied", "filled"):
            setattr(found, kind, int(rest[0]))
        elif kind == "seconds":
            found.seconds = float(rest[0])
        elif kind == "loop":
            *numbers, start = map(int, rest)
            levels = words[start // _WORD : int(lines[number + 1][1]) // _WORD]
            fields = dict(zip(RawLoop.__slots__[:9], numbers, strict=False))
            found.loops[numbers[0]] = RawLoop(**fields, lines=numbers[9:], levels=levels)  # type: ignore[arg-type]
        elif kind == "trips":
            which, entries, iterations, ticks = map(int, rest)
            found.loops[which].executions.append((entries, iterations, ticks))
        elif kind == "instance":
            function, context, *counts = map(int, rest)
            found.instances.append((function, context, counts))
        elif kind == "distances":
            which, shift, cold, start = map(int, rest)
            rows = words[start // _WORD : int(lines[number + 1][1]) // _WORD].reshape(-1, 3)
            found.loops[which].distances[shift] = (cold, rows)
    return found


def build(
    raw: RawTrace,
    functions: Sequence[TracedFunction],
    vectorised: frozenset[tuple[str, int]],
    options: TraceOptions,
    kernel: str,
) -> Trace:
    """The facet."""
    _attribute(raw, functions, vectorised)
    _accumulate(raw)
    whole = raw.loops[0]
    order = [one for one in sorted(raw.loops.values(), key=lambda one: one.id) if one.id and one.entries]
    places = {one.id: place for place, one in enumerate(order)}
    loops = tuple(_loop(one, functions[one.function], places, raw.shift, options.sample) for one in order)
    trace = Trace(
        kernel=kernel,
        operations=_operations(whole.counted),
        vectorised=whole.vectorised,
        schedule=schedule(whole.levels, raw.shift),
        sync_points=raw.sync if options.sync is None else options.sync,
        instructions=_instructions(whole.counted, raw),
        distances=_all_distances(whole, raw, options.sample, _MOST_ROWS),
        footprint=_footprint(whole, options.sample),
        loops=loops,
        calls=raw.calls,
        sync_given=options.sync is not None or raw.sync > 0,
        command=options.arguments,
        seconds=raw.seconds,
    )
    if options.sync is None and not raw.sync:
        return replace(trace, sync_points=sync_points(sum(loops[index].entries for index in trace.phases)))
    return trace


def _attribute(raw: RawTrace, functions: Sequence[TracedFunction], vectorised: frozenset[tuple[str, int]]) -> None:
    """Attributes block counts to the innermost loop that contains them, per calling context."""
    inner: dict[tuple[int, int, int], int] = {
        (one.parent, one.function, one.index): one.id for one in raw.loops.values()
    }
    for number, context, counts in raw.instances:
        function = functions[number]
        ids = {-1: context}
        _instance_loops(context, number, ids, inner, len(function.loops))
        accepted = [(loop.file.rsplit("/", 1)[-1], loop.line) in vectorised for loop in function.loops]
        for block, times, loop in zip(function.blocks, counts, function.block_loops, strict=True):
            target = raw.loops[ids[loop]]
            _add(target.counted, block, times)
            if loop >= 0 and accepted[loop]:
                target.vectorised += times * _operations(block).total


def _instance_loops(
    context: int, number: int, ids: dict[int, int], inner: dict[tuple[int, int, int], int], count: int
) -> None:
    """Maps each loop of a function to its loop in this context: outer loops come first."""
    for index in range(count):
        for around in list(ids.values()):
            found = inner.get((around, number, index))
            if found is not None:
                ids[index] = found
                break


def _add(target: Counted, block: Counted, times: int) -> None:
    for name in Counted.__slots__:
        setattr(target, name, getattr(target, name) + times * getattr(block, name))


def _accumulate(raw: RawTrace) -> None:
    """Adds the counts and levels of inner loops to their outer loops."""
    for one in sorted(raw.loops.values(), key=lambda one: -one.id):
        if one.parent < 0:
            continue
        around = raw.loops[one.parent]
        _add(around.counted, one.counted, 1)
        around.vectorised += one.vectorised
        for shift, (cold, rows) in one.distances.items():
            before = around.distances.get(shift, (0, rows[:0]))
            around.distances[shift] = (before[0] + cold, _joined(before[1], rows))
        size = max(one.levels.size, around.levels.size)
        joined = np.zeros(size, dtype=np.uint64)
        joined[: around.levels.size] += around.levels
        joined[: one.levels.size] += one.levels
        around.levels = joined


def _joined(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Merges rows of distances in order; counts of equal distances are added."""
    rows = np.concatenate([first, second])
    starts, places = np.unique(rows[:, 0], return_inverse=True)
    joined = np.zeros((starts.size, 3), dtype=np.uint64)
    joined[places, :2] = rows[:, :2]
    np.add.at(joined[:, 2], places, rows[:, 2])
    return joined


def _operations(counted: Counted) -> Operations:
    return Operations(counted.add, counted.multiply, counted.divide, counted.sqrt, counted.compare, counted.function)


def _instructions(counted: Counted, raw: RawTrace) -> Instructions:
    """Counts block copies and fills as loads and stores of eight bytes."""
    return Instructions(
        counted.integer,
        counted.load + raw.copied,
        counted.store + raw.copied + raw.filled,
        counted.branch,
        counted.call,
        counted.convert,
    )


def _loop(one: RawLoop, function: TracedFunction, places: dict[int, int], shift: int, sample: float) -> TracedLoop:
    static = function.loops[one.index]
    verdict, reason = _verdict(one, static)
    counted, in_registers = one.counted, static.recurrent or static.reduction
    return TracedLoop(
        function=function.shown,
        file=static.file,
        line=static.line,
        parent=places.get(one.parent, -1),
        entries=one.entries,
        iterations=one.iterations,
        least_trips=one.least,
        most_trips=one.most,
        verdict=verdict,
        reason=reason,
        operations=_operations(counted),
        vectorised=one.vectorised,
        instructions=_instructions(counted, RawTrace()),  # copies are not attributed to loops
        bytes=counted.bytes,
        schedule=schedule(one.levels, shift),
        carried=tuple(name for bit, name in enumerate(_KINDS) if one.carried & (1 << bit) and name != "reduction"),
        executions=_executions(one),
        distances=_all_distances(one, RawTrace(), sample, _LOOP_ROWS),
        chain=static.chain if in_registers else static.memory_chain if one.carried & 1 else Chain(),
        scan=static.scan and not one.carried & 1,
    )


def _executions(one: RawLoop) -> tuple[Trips, ...]:
    ticks = sum(row[2] for row in one.executions)
    return tuple(Trips(entries, all_ / entries, inside / ticks) for entries, all_, inside in one.executions)


def _verdict(one: RawLoop, static: StaticLoop) -> tuple[Verdict, str]:
    if one.carried & 1:
        return "sequential", f"reads what an earlier iteration wrote{_at(one.lines[0])}"
    if static.recurrent:
        return "sequential", f"a value goes from iteration to iteration{_at(static.recurrence)}"
    if static.reduction:
        return "reduction", f"a sum, product, minimum or maximum{_at(static.reduction_line)}"
    if one.carried & 2:
        return "reduction", f"updates memory with one operator{_at(one.lines[1])}"
    return "parallel", ""


def _at(line: int) -> str:
    return f", line {line}" if line else ""


def schedule(levels: NDArray[np.uint64], shift: int) -> Schedule:
    """Compresses levels as the runtime counted them (in groups of 2^shift)."""
    used = np.flatnonzero(levels)
    if not used.size:
        return Schedule()
    group = 1 << shift
    widths, counts = np.unique(levels[used], return_counts=True)
    rows = _merged(widths.astype(np.float64), counts.astype(np.float64))
    return Schedule(
        depth=int(used.size) * group,
        widths=tuple(Width(width / group, int(count) * group) for width, count in rows),
        bands=tuple(_bands(levels, used, shift)),
    )


def _merged(widths: NDArray[np.float64], counts: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Pairs of width and number of levels; similar widths are merged where there are too many."""
    if widths.size <= _MOST_ROWS:
        return list(zip(widths.tolist(), counts.tolist(), strict=True))
    keys = np.floor(np.log2(widths) * _PER_OCTAVE).astype(np.int64)
    kinds, inverse = np.unique(keys, return_inverse=True)
    levels = np.bincount(inverse, counts, kinds.size)
    operations = np.bincount(inverse, counts * widths, kinds.size)
    return list(zip((operations / levels).tolist(), levels.tolist(), strict=True))


def _bands(levels: NDArray[np.uint64], used: NDArray[np.intp], shift: int) -> list[Band]:
    """Ranges of levels that grow towards the end: equally wide on a logarithmic axis."""
    group = 1 << shift
    bands = []
    first, last = int(used[0]), int(used[-1])
    while first <= last:
        end = min(max(first + 1, int(first * _BAND_GROWTH)), last + 1)
        part = levels[first:end]
        least, most = int(part.min()) // group, -(-int(part.max()) // group)
        bands.append(Band(first * group, end * group - 1, least, most, int(part.sum())))
        first = end
    return bands


def _all_distances(one: RawLoop, raw: RawTrace, sample: float, most: int) -> tuple[StackDistances, ...]:
    """Distances for each line size; beyond `most` rows, similar ones are merged."""
    found = []
    for shift, (cold, rows) in sorted(one.distances.items()):
        if sample < 1:
            found.append(_sampled(shift, cold, rows, one.counted, raw, sample, most))
            continue
        moved = one.counted.bytes + _WORD * (2 * raw.copied + raw.filled)
        found.append(StackDistances(1 << shift, cold, moved, _reuses(rows.astype(np.float64), most)))
    return tuple(found)


def _reuses(rows: NDArray[np.float64], most: int) -> tuple[Reuse, ...]:
    if len(rows) > most:
        per_octave = _PER_OCTAVE * most / _MOST_ROWS
        keys = np.floor(np.log2(rows[:, 0] + 1) * per_octave).astype(np.int64)
        kinds, starts = np.unique(keys, return_index=True)
        counts = np.add.reduceat(rows[:, 2], starts)
        lasts = rows[np.append(starts[1:] - 1, len(rows) - 1), 1]
        rows = np.stack([rows[starts, 0], lasts, counts], axis=1)
        assert len(kinds) == len(rows)
    return tuple(Reuse(int(first), float(count), int(last)) for first, last, count in rows.tolist())


def _sampled(
    shift: int, cold: int, rows: NDArray[np.uint64], counted: Counted, raw: RawTrace, sample: float, most: int
) -> StackDistances:
    """Scales up sampled counts and distances; the sample's excess or deficit is added to distance 0 (SHARDS-adj).

    Of D lines between two uses, D * sample are expected in the sample, so d of them represent distances around
    d / sample. None represents 0: nearly all such distances are far below 1 / sample."""
    references = counted.load + counted.store + 2 * raw.copied + raw.filled
    seen = cold + int(rows[:, 2].sum())
    scaled = rows.astype(np.float64)
    far = scaled[:, 0] > 0
    scaled[:, 2] /= sample
    scaled[:, 0] = np.where(far, np.floor((scaled[:, 0] - 0.5) / sample), 0)
    scaled[:, 1] = np.where(far, np.floor((scaled[:, 1] + 0.5) / sample) - 1, 0)
    near = float(scaled[~far, 2].sum()) + references - seen / sample
    reuses = (Reuse(0, max(near, 0.0), 0), *_reuses(scaled[far], most))
    error = 0.5 / max(cold, 1) ** 0.5
    moved = counted.bytes + _WORD * (2 * raw.copied + raw.filled)
    return StackDistances(1 << shift, cold / sample, moved, reuses, sample, min(error, 1.0))


def _footprint(whole: RawLoop, sample: float) -> int:
    if not whole.distances:
        return 0
    shift = min(whole.distances)
    return int(whole.distances[shift][0] / sample) << shift
