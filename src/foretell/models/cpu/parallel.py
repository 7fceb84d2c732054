"""Determines which loop of a nest the threads share, and how its iterations are distributed: schedule, chunks, load
imbalance.

A schedule deals out chunks of consecutive iterations (OpenMP 5.2, Section 11.5.3): `static` one for each thread, or
chunks of a given length in turn; `dynamic` and `guided` the next chunk to the thread that is ready first, those of
`guided` the n-th part of what is left.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.loops.dependences import verdicts
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.core.symbolic.poly import symbol
from foretell.core.symbolic.text import parse
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.directive import Directive
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly

#: maximum threads whose shares of a loop are counted individually, and maximum chunks that are dealt out one by one;
#: more chunks are taken as equal shares
_MOST_COUNTED, _MOST_CHUNKS = 64, 4096
#: the first and the last value of the shared loop for one thread
_LOW, _HIGH = "first of a thread", "last of a thread"
#: words of directives that distribute the loop behind them
_SHARES = frozenset({"for", "do", "loop", "taskloop", "distribute"})


@dataclass(frozen=True, slots=True)
class Schedule:
    """How iterations are dealt out; `chunk` None: as many as the schedule takes by itself."""

    kind: str = "static"
    chunk: Poly | None = None
    #: loops whose iterations are distributed together
    collapse: int = 1

    @property
    def on_demand(self) -> bool:
        """Whether threads ask for each chunk."""
        return self.kind in ("dynamic", "guided")


@dataclass(frozen=True, slots=True)
class Split:
    """How a nest is parallelised: the depth of the shared loop (None: serial), the active threads, and the largest
    share relative to an equal one. `region`: the depth at which the threads are started; `chunks`: how many all threads
    ask for in one execution of the loop; `chunk`: the iterations of one, where a thread gets several (0: it gets one);
    `waits`: threads wait for each other at the end of the loop; `reduces`: they add up their results there."""

    depth: int | None
    threads: Value
    imbalance: Value = 1.0
    region: int = 0
    chunks: Value = 0.0
    chunk: Value = 0.0
    waits: bool = True
    reduces: bool = False


def marked(nest: LoopNest) -> int | None:
    """The depth of the loop that a directive distributes."""
    return next((depth for depth, loop in enumerate(nest.loops) if _sharing(loop.directives) is not None), None)


def _sharing(directives: tuple[Directive, ...]) -> Directive | None:
    """The directive of a loop that distributes its iterations."""
    omp = (directive for directive in directives if directive.dialect == "omp")
    return next((directive for directive in omp if not _SHARES.isdisjoint(directive.words)), None)


def _region(nest: LoopNest, depth: int) -> int:
    """The depth at which the threads of a shared loop are started: at the loop itself, at one around it, or before
    all."""
    for outer in range(depth, -1, -1):
        if any(one.dialect == "omp" and "parallel" in one.words for one in nest.loops[outer].directives):
            return outer
    return 0


def schedule_of(nest: LoopNest, depth: int) -> Schedule:
    """The schedule of a shared loop; static where the directive says nothing, or leaves it to the environment."""
    directive = _sharing(nest.loops[depth].directives)
    clauses = dict(directive.clauses) if directive is not None else {}
    kind, _, chunk = clauses.get("schedule", "static").rpartition(":")[2].partition(",")
    collapse = int(found[0]) if (found := re.match(r"\s*\d+", clauses.get("collapse", "1"))) else 1
    collapse = max(1, min(collapse, len(nest.loops) - depth))
    name = kind.strip().lower()
    default = "1" if name in ("dynamic", "guided") else ""
    return Schedule(name if name in ("static", "dynamic", "guided") else "static", _length(chunk or default), collapse)


def _length(text: str) -> Poly | None:
    try:
        return parse(text) if text.strip() else None
    except InputError:
        return None


def split(nest: LoopNest, values: Mapping[str, Value], threads: Value, everywhere: bool) -> Split:
    """Splits a nest among threads. `everywhere`: no nest of the program has a directive, so the outermost loop is
    assumed parallel."""
    depth = _assumed(nest) if everywhere else marked(nest)
    if depth is None:
        return Split(None, 1.0)
    schedule = schedule_of(nest, depth)
    trips = _shared_trips(nest, values, depth, schedule)
    chunk = _chunk(schedule, values)
    chunks = _dealt(schedule, trips, chunk, threads)
    if np.all(np.asarray(threads) <= 1):
        return Split(None, 1.0, chunks=chunks)
    working = np.maximum(1.0, np.minimum(threads, trips))
    imbalance = _imbalance(nest, values, working, depth, schedule)
    clauses = {} if everywhere else dict(_clauses(nest, depth))
    ends = {"waits": "nowait" not in clauses, "reduces": "reduction" in clauses}
    alike = 0.0 if schedule.kind == "guided" else chunk
    return Split(depth, working, imbalance, _region(nest, depth), chunks, alike, **ends)


def _clauses(nest: LoopNest, depth: int) -> tuple[tuple[str, str], ...]:
    directive = _sharing(nest.loops[depth].directives)
    return directive.clauses if directive is not None else ()


def _assumed(nest: LoopNest) -> int | None:
    """The outermost loop, unless it carries a dependence or a reduction."""
    return None if verdicts(nest)[0].verdict in ("sequential", "reduction") else 0


def _shared_trips(nest: LoopNest, values: Mapping[str, Value], depth: int, schedule: Schedule) -> Value:
    """Iterations that are dealt out at one execution of the shared loop, in the mean."""
    around = np.maximum(1.0, real(iterations(nest.loops, depth).evaluate(values)))
    return real(iterations(nest.loops, depth + schedule.collapse).evaluate(values)) / around


def _chunk(schedule: Schedule, values: Mapping[str, Value]) -> Value:
    """Iterations of a chunk, at least; 0 where a thread gets one chunk, or it is not known."""
    chunk = schedule.chunk
    if chunk is None or not chunk.symbols() <= set(values) or chunk.symbols() != chunk.atoms():
        return 0.0
    return np.maximum(1.0, real(chunk.evaluate(values)))


def _dealt(schedule: Schedule, trips: Value, chunk: Value, threads: Value) -> Value:
    """Chunks that threads ask for: those of `guided` take the n-th part of the rest, so n ln(trips / n) and some."""
    if schedule.kind == "dynamic":
        return np.ceil(trips / np.maximum(1.0, chunk))
    if schedule.kind == "guided":
        return np.minimum(trips, threads * (1.0 + np.log(np.maximum(1.0, trips / np.maximum(1.0, threads)))))
    return 0.0


def _imbalance(nest: LoopNest, values: Mapping[str, Value], threads: Value, depth: int, schedule: Schedule) -> Value:
    """Maximum over mean work of a thread: where the iterations are no multiple of the threads, and where inner bounds
    depend on the shared variable."""
    inner = nest.loops[depth + schedule.collapse :]
    variables = tuple(loop.variable for loop in nest.loops[depth : depth + schedule.collapse])
    uneven = any(p.depends_on(variables) for loop in inner for p in (loop.lower, loop.upper, loop.trips))
    trips = _shared_trips(nest, values, depth, schedule)
    chunk = _chunk(schedule, values)
    if not uneven or depth or schedule.collapse > 1:
        return _largest_count(trips, threads, chunk) if schedule.kind != "guided" else 1.0
    if np.ndim(trips) or np.ndim(threads):
        contiguous = schedule.kind == "static" and not np.any(chunk)
        return _of_contiguous(nest, values, threads) if contiguous else _largest_count(trips, threads, chunk)
    return _of_chunks(nest, values, schedule, int(threads), int(chunk))


def _largest_count(trips: Value, threads: Value, chunk: Value) -> Value:
    """Most iterations of a thread over the mean, where all iterations are alike."""
    length = np.where(np.asarray(chunk) > 0, chunk, np.ceil(trips / threads))
    rounds = np.floor(trips / (length * threads))
    most = rounds * length + np.minimum(length, trips - rounds * length * threads)
    ratio = np.where(np.asarray(trips) > 0, most * threads / np.maximum(trips, 1.0), 1.0)
    return ratio if np.ndim(ratio) else float(ratio)


def _of_contiguous(nest: LoopNest, values: Mapping[str, Value], threads: Value) -> Value:
    """Largest share of one chunk for each thread, at many sizes or numbers of threads."""
    result: Value = 1.0
    for count in np.unique(np.floor(threads)).tolist():
        if 1 < count <= _MOST_COUNTED:
            result = np.where(np.floor(threads) == count, _largest_part(nest, values, int(count)), result)
    return result


def _largest_part(nest: LoopNest, values: Mapping[str, Value], threads: int) -> Value:
    loop = nest.loops[0]
    first, last = (np.asarray(bound.evaluate(values), dtype=np.float64) for bound in (loop.lower, loop.upper))
    trips = np.maximum(0.0, last + 1 - first)
    each = np.floor(trips / threads)
    more = trips - each * threads  # so many threads get one iteration more
    parts = []
    for part in range(threads):
        low = first + part * each + np.minimum(part, more)
        stretch = {_LOW: low, _HIGH: low + each + (part < more) - 1}
        parts.append(np.maximum(0.0, _work(nest, values, stretch)))
    mean = sum(parts) / threads
    most = np.maximum.reduce(parts)
    return np.divide(most, mean, out=np.ones(np.shape(mean)), where=mean > 0)


def _of_chunks(nest: LoopNest, values: Mapping[str, Value], schedule: Schedule, threads: int, chunk: int) -> float:
    """Largest share of a thread at one size: the chunks are dealt out in turn, or to the thread that is ready first."""
    first, last = (int(float(bound.evaluate(values))) for bound in (nest.loops[0].lower, nest.loops[0].upper))
    lengths = list(islice(_lengths(schedule, last + 1 - first, threads, chunk), _MOST_CHUNKS + 1))
    if not lengths or len(lengths) > _MOST_CHUNKS:
        return 1.0
    ends = first + np.cumsum(lengths, dtype=np.float64)
    work = np.maximum(0.0, _work(nest, values, {_LOW: ends - lengths, _HIGH: ends - 1.0}))
    shares = [0.0] * threads
    if schedule.on_demand:
        for part in work.tolist():
            heapq.heapreplace(shares, shares[0] + part)
    else:
        for number, part in enumerate(work.tolist()):
            shares[number % threads] += part
    return max(shares) * threads / sum(shares) if sum(shares) > 0 else 1.0


def _lengths(schedule: Schedule, trips: int, threads: int, chunk: int) -> Iterator[int]:
    """Iterations of each chunk, in their order."""
    if schedule.kind == "static" and not chunk:
        each, more = divmod(max(0, trips), threads)
        yield from (each + (part < more) for part in range(threads))
        return
    while trips > 0:
        length = max(chunk, -(-trips // threads)) if schedule.kind == "guided" else chunk
        yield min(length, trips)
        trips -= length


def _work(nest: LoopNest, values: Mapping[str, Value], stretch: Mapping[str, Value]) -> Value:
    return np.asarray(_of_stretch(nest).evaluate({**values, **stretch}), dtype=np.float64)


@lru_cache(maxsize=256)
def _of_stretch(nest: LoopNest) -> Poly:
    """Iterations of a nest whose outermost loop runs over a symbolic range."""
    loops = (replace(nest.loops[0], lower=symbol(_LOW), upper=symbol(_HIGH)), *nest.loops[1:])
    return iterations(loops, len(loops))
