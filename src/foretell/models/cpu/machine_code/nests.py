"""Loop nests of a followed call: loops of the machine code with their mean trip counts, and loads and stores with the
bytes that they move by in each of them. So transfers are computed as for nests of a source."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Access, ArrayUse, Block, Dim, Loop, LoopNest, Subscript
from foretell.core.nest.statements import ElementType
from foretell.core.symbolic.poly import ONE, ZERO, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.symbolic.poly import Poly
    from foretell.models.cpu.incore.calls.whole_call import Followed

#: arrays of arguments, globals and allocations are this far apart (`call_arguments.py`); the stack is above
_APART_BITS, _STACK = 33, (1 << 46) - (1 << 33)
#: folders of headers that are no part of a project
_SYSTEM = ("/usr/", "/opt/")
_NO_CYCLE = 1e-9


@dataclass(frozen=True)
class CodeNest:
    """A nest with its executions in the call, cycles of one execution, and its instructions."""

    nest: LoopNest
    count: float
    cycles: float
    instructions: tuple[tuple[Instruction, float], ...]
    #: cycles by which it may be shorter or longer: jumps on data, calls of what is not known
    doubt: tuple[float, float] = (0.0, 0.0)
    #: the share of its cycles in loops whose way data decide
    steered: float = 0.0


def code_nests(followed: Followed, function: str, file: str) -> list[CodeNest]:
    """The nests of all innermost loops that ran. What is outside of all loops is shared in proportion to their cycles;
    to their instructions where these take none, since what follows waits for them."""
    chains = _chains(followed)
    executed = [row for row, count in enumerate(followed.counts) if count]
    if not chains:
        return [_made(followed, (), executed, function, file, _Cost())]
    owners, shared = _first_inside(chains), _Cost()
    rows: dict[int, list[int]] = defaultdict(list)
    for row in executed:
        owner = owners.get(followed.loop_at[row])
        if owner is None:
            shared += _Cost.of(followed, [row])
        else:
            rows[owner].append(row)
    spent = {owner: sum(followed.cycles[row] for row in inside) for owner, inside in rows.items()}
    if sum(spent.values()) < _NO_CYCLE:
        spent = {owner: sum(followed.counts[row] for row in inside) for owner, inside in rows.items()}
    total = sum(spent.values())
    return [
        _made(followed, chain, rows[chain[-1]], function, file, shared.part(spent[chain[-1]] / total))
        for chain in chains if rows[chain[-1]]
    ]  # fmt: skip


@dataclass(frozen=True)
class _Cost:
    """Cycles, and those by which they may be fewer or more."""

    cycles: float = 0.0
    less: float = 0.0
    more: float = 0.0

    @staticmethod
    def of(followed: Followed, rows: Sequence[int]) -> _Cost:
        less, more = (sum(followed.doubts[row][end] for row in rows) for end in (0, 1))
        return _Cost(sum(followed.cycles[row] for row in rows), less, more)

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.cycles + other.cycles, self.less + other.less, self.more + other.more)

    def part(self, share: float) -> _Cost:
        return _Cost(self.cycles * share, self.less * share, self.more * share)


def _chains(followed: Followed) -> list[tuple[int, ...]]:
    """The loops around each innermost loop that ran, outermost first."""
    ran = [loop for loop, times in enumerate(followed.result.iterations) if times > 0]
    around = {followed.parents[loop] for loop in ran}
    return [tuple(reversed(list(_outwards(followed, loop)))) for loop in ran if loop not in around]


def _outwards(followed: Followed, loop: int) -> Iterator[int]:
    while loop >= 0:
        yield loop
        loop = followed.parents[loop]


def _first_inside(chains: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """The innermost loop whose nest a loop belongs to: itself, or the first one inside."""
    first: dict[int, int] = {}
    for chain in chains:
        for loop in chain:
            first.setdefault(loop, chain[-1])
    return first


def _source(followed: Followed, rows: Sequence[int], file: str) -> tuple[str, int]:
    """File and first line of some instructions; of templates and inlined functions, those of the header with most of
    them; of a header of the system only where nothing else is named."""
    found = [(one.source_file, one.source_line) for _, one in (followed.rows[row] for row in rows) if one.source_line]
    own = [place for place in found if not place[0].startswith(_SYSTEM)]
    if not own:
        return found[0] if found else (file, 0)
    named = Counter(name for name, _ in own).most_common(1)[0][0]
    line = next(line for name, line in own if name == named)
    return (file if not named or PurePath(named).name == PurePath(file).name else named), line


def _made(
    followed: Followed, chain: tuple[int, ...], rows: Sequence[int], function: str, file: str, shared: _Cost
) -> CodeNest:
    """The nest of a chain of loops; `shared` is its part of what is outside of all loops."""
    result = followed.result
    # the outermost loop may be entered often: by a caller's loop, or by one that has several entries itself
    entries = max(1, round(result.entries[chain[0]])) if chain else 1
    trips = [max(1, round(result.iterations[loop] / max(1.0, result.entries[loop]))) for loop in chain]
    trips = [entries, *trips] if entries > 1 or not chain else trips
    streams = _streams(followed, rows, len(trips), len(chain) + 1 - len(trips))
    factor = _elements(streams, len(trips))
    trips[-1] *= factor
    streams = {name: _by_element(of_array, factor) for name, of_array in streams.items()}
    arrays = tuple(_array(f"array{place}", one, trips) for place, one in enumerate(streams.values(), start=1))
    file, line = _source(followed, [row for row in rows if _depth(followed, row) == len(chain)], file)
    loops = tuple(
        Loop(f"i{depth}", ZERO, number(times - 1), ONE, line, number(times)) for depth, times in enumerate(trips)
    )
    cost = _Cost.of(followed, rows) + shared
    blocks = tuple(
        Block(depth, (), Fraction(1), _product(trips[:depth]), (), line) for depth in range(1, len(trips) + 1)
    )
    nest = LoopNest(file, line, function, "c", loops, arrays, blocks, tuple(() for _ in loops))
    executed = tuple((followed.rows[row][1], followed.counts[row]) for row in rows)
    by_data = sum(followed.cycles[row] * followed.steered[row] for row in rows) / cost.cycles if cost.cycles else 0.0
    return CodeNest(nest, 1.0, cost.cycles, executed, (min(cost.less, cost.cycles), cost.more), by_data)


def _product(trips: Sequence[int]) -> Poly:
    return number(math.prod(trips))


def _depth(followed: Followed, row: int) -> int:
    return sum(1 for _ in _outwards(followed, followed.loop_at[row]))


@dataclass(frozen=True)
class _Stream:
    """A load or store: its first address, and bytes that it moves by in each loop of the nest, outermost first."""

    place: int
    strides: tuple[int, ...]
    depth: int
    reads: int
    writes: int
    line: int
    #: bytes that it moves, and those of an element
    bytes: int
    element: int


def _streams(followed: Followed, rows: Sequence[int], depth: int, without: int) -> dict[int, list[_Stream]]:
    """The loads and stores of each array in `depth` loops, `without` strides of the outermost."""
    groups: dict[int, list[_Stream]] = defaultdict(list)
    for row in rows:
        place = followed.result.places[followed.mains[row]]
        if 0 <= place < _STACK:
            groups[place >> _APART_BITS].append(_stream(followed, row, depth, without))
    return groups


def _elements(groups: Mapping[int, Sequence[_Stream]], depth: int) -> int:
    """Elements that an iteration of the innermost loop takes, by vectors and unrolling: the source's loop has so many
    times its iterations. It is seen where accesses to an array cover all that the loop moves on by."""
    found = []
    for streams in groups.values():
        inner = [stream for stream in streams if stream.depth == depth and stream.strides[-1]]
        covered = {byte for one in inner for byte in range(one.place % 4096, one.place % 4096 + one.bytes)}
        step = abs(inner[0].strides[-1]) if inner else 0
        if step and len(covered) >= step and all(abs(one.strides[-1]) == step for one in inner):
            found.append(step // inner[0].element)
    factor = min(found, default=1)
    steps = [one.strides[-1] for streams in groups.values() for one in streams if one.depth == depth]
    return factor if factor > 1 and not any(step % factor for step in steps) else 1


def _by_element(streams: Sequence[_Stream], factor: int) -> list[_Stream]:
    """The accesses of one element each: those that vectors and unrolling put beside each other are one."""
    merged: list[_Stream] = []
    for stream in sorted(streams, key=lambda one: (one.depth, one.writes, one.place)):
        step = stream.strides[-1]
        slower = replace(stream, strides=(*stream.strides[:-1], step // factor))
        before = merged[-1] if merged else None
        same = before is not None and (before.depth, before.writes, before.strides) == (
            slower.depth, slower.writes, slower.strides
        )  # fmt: skip
        if not (factor > 1 and step and same and before and slower.place - before.place < abs(step)):
            merged.append(slower)
    return merged


def _stream(followed: Followed, row: int, depth: int, without: int) -> _Stream:
    one, strides = followed.rows[row][1], tuple(reversed(followed.result.strides[followed.mains[row]]))[without:]
    inside = len(strides)
    strides = (*strides, *(0,) * (depth - len(strides)))
    place, size = followed.result.places[followed.mains[row]], max(1, one.moved)
    element = int(one.element[1:]) // 8 if one.element[1:].isdigit() else 8
    return _Stream(
        place, strides, inside, int(one.loads), int(one.stores), one.source_line, size, min(size, max(1, element))
    )


def _array(name: str, streams: Sequence[_Stream], trips: Sequence[int]) -> ArrayUse:
    """An array with a dimension for each group of strides that do not overlap, slowest first."""
    least = min(stream.place for stream in streams)
    unit = _unit([*(stream.place - least for stream in streams), *(s for one in streams for s in one.strides)])
    pitches = _pitches([tuple(stride // unit for stride in stream.strides) for stream in streams], trips)
    accesses = [_access(stream, least, unit, pitches) for stream in streams]
    dims = tuple(Dim(number(pitch)) for pitch in pitches)
    return ArrayUse(name, "", ElementType("float", unit), dims, tuple(dict.fromkeys(accesses)))


def _unit(distances: Sequence[int]) -> int:
    """The largest size of an element, up to 8 bytes, that divides all distances."""
    return next(size for size in (8, 4, 2, 1) if not any(distance % size for distance in distances))


def _pitches(strides: Sequence[tuple[int, ...]], trips: Sequence[int]) -> list[int]:
    """Elements between neighbours in each dimension, slowest first: strides beyond the span of the faster ones."""
    moves = sorted({(abs(s), trips[place]) for one in strides for place, s in enumerate(one) if s})
    pitches, span = [1], 1
    for stride, times in moves:
        if stride >= span > 1 and stride > pitches[-1]:
            pitches.append(stride)
        span = max(span, stride * times)
    return list(reversed(pitches))


def _access(stream: _Stream, least: int, unit: int, pitches: Sequence[int]) -> Access:
    parts: list[list[tuple[str, int]]] = [[] for _ in pitches]
    for place, stride in enumerate(stream.strides):
        rest = stride // unit
        for dim, pitch in enumerate(pitches):
            steps = int(rest / pitch)
            if steps:
                parts[dim].append((f"i{place}", steps))
                rest -= steps * pitch
    offsets, rest = [], (stream.place - least) // unit
    for pitch in pitches:  # the nearest: the neighbour before is in the same row
        offsets.append((rest + pitch // 2) // pitch)
        rest -= offsets[-1] * pitch
    subscripts = tuple(
        Subscript(tuple((name, number(steps)) for name, steps in part), number(offset))
        for part, offset in zip(parts, offsets, strict=True)
    )
    return Access(subscripts, stream.reads, stream.writes, stream.depth - 1, stream.line)
