"""All transformations that can be tried in a program: each kind with the places that it concerns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.body.directives import is_innermost, prefetch, stream, vectorise
from foretell.transform.body.hoist import hoist, may_hoist
from foretell.transform.body.reciprocal import may_multiply, reciprocal
from foretell.transform.data.fortran_layout import fortran_records, fortran_soa, pad_columns, padded_columns
from foretell.transform.data.pad import pad, padded_arrays
from foretell.transform.data.single import single
from foretell.transform.data.soa import record_arrays, soa
from foretell.transform.interchange import interchange, orders
from foretell.transform.kinds import IDS
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.restrict_and_flags import flags, restrict
from foretell.transform.split_and_join import fission, fuse
from foretell.transform.sum_in_place import is_sum, sum_in_place
from foretell.transform.text.fortran_text import labelled_loops
from foretell.transform.text.source import SourceFunction, SourceLoop
from foretell.transform.threads.divide import (
    collapse,
    directive_before,
    first_touch,
    other_threads,
    parallelise,
    schedule,
)
from foretell.transform.tile import tile
from foretell.transform.unroll_and_jam import unroll_and_jam
from foretell.transform.unroll_around import is_around, unroll_around

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import ArrayUse

#: tiled loops of a nest at most
_TILED = 3
#: sizes of the tiles of one loop that are tried
_SIZES = 2
#: iterations that a prefetch looks ahead: about a memory latency of 80 ns over 5 ns an iteration
_AHEAD = 16
#: kinds that are written in C alone, and why Fortran is left as it is
_C_ONLY = {
    "hoist": "arguments of Fortran do not overlap, so that its compilers keep such elements in registers",
    "restrict": "arguments of Fortran do not overlap by the language: there is nothing to declare",
}


@record
class Choices:
    """What to try: kinds of changes, sizes of tiles, factors of unrolling, numbers of threads; `flags` are those given
    already, `cpu` is the one that names the machine's CPU, `compiler` is gcc or clang, `domains` those of the machine's
    memory (0: not known)."""

    ids: tuple[str, ...] = IDS
    tiles: tuple[int, ...] = (16, 64, 256)
    factors: tuple[int, ...] = (2, 4)
    flags: str = ""
    cpu: str = ""
    compiler: str = "gcc"
    threads: tuple[int, ...] = ()
    domains: int = 0


@record
class Candidate:
    """A transformation at a place of a program: `apply` gives the change, or refuses. `scope` is the text of the loop
    that it changes; what it saves is the same as long as that stays."""

    id: str
    line: int
    text: str
    apply: Callable[[], Change]
    scope: str = ""
    #: iterations that an unrolled loop has in one, loops that are tiled, or loops around or beside a divided one
    size: int = 0


_USUAL = Choices()
_OfLoop = Callable[[Program, SourceFunction, SourceLoop, Choices], Iterator[Candidate]]
_OfProgram = Callable[[Program, Choices], Iterator[Candidate]]


def candidates(program: Program, choices: Choices = _USUAL) -> Iterator[Candidate]:
    """Everything to try in a program."""
    asked = {nest.function for nest in program.nests}
    for function, loop in program.loops():
        if function.name not in asked:
            continue
        for identifier, maker in _LOOPS.items():
            if identifier in choices.ids:
                scope = f"{function.name}: {program.text[loop.start : loop.end]}"
                yield from (replace(one, scope=scope) for one in maker(program, function, loop, choices))
    for identifier, whole in _PROGRAMS.items():
        if identifier in choices.ids:
            yield from whole(program, choices)
    if program.language != "c":
        yield from _not_in_fortran(program, choices)


def _not_in_fortran(program: Program, choices: Choices) -> Iterator[Candidate]:
    """Kinds that Fortran has no need of, and loops whose form is not changed."""
    for identifier, reason in _C_ONLY.items():
        if identifier in choices.ids:
            yield Candidate(identifier, 1, "", partial(_refuse, reason))
    kind = next((one for one in _LOOPS if one in choices.ids), "")
    for line, label in labelled_loops(program.text) if kind else ():
        reason = f"line {line}: a loop that ends at label {label} is not changed: end do would make it one that is"
        yield Candidate(kind, line, "", partial(_refuse, reason))


def _refuse(reason: str) -> Change:
    raise RefusedError(reason)


def _itself(change: Change) -> Change:
    return change


def attempted(candidate: Candidate) -> Change | RefusedError:
    """The change, or the refusal as a value."""
    try:
        return candidate.apply()
    except RefusedError as refusal:
        return refusal


def _is_root(program: Program, loop: SourceLoop) -> bool:
    """Whether no loop is perfectly around it: the orders of a nest are tried once."""
    return not any(other.only is loop or other.only == loop for _, other in program.loops())


def _sums(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if is_sum(loop):
        yield Candidate("sum_in_place", loop.line, "", partial(sum_in_place, program, function, loop))


def _interchanges(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    band = loop.band()
    if len(band) > 1 and _is_root(program, loop):
        for order in orders(len(band)):
            text = ", ".join(_named(band[at]) for at in order)
            yield Candidate("interchange", loop.line, text, partial(interchange, program, function, loop, order))


def _named(loop: SourceLoop) -> str:
    return loop.head.variable if loop.head is not None else f"that of line {loop.line}"


def _tiles(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    band = loop.band()
    if len(band) < 2 or not _is_root(program, loop) or any(_is_in_tile(program, one) for one in band):
        return
    for count in range(1, min(_TILED, len(band)) + 1):
        for chosen in combinations(range(len(band)), count):
            if chosen == (0,):
                continue  # the outermost alone: the same order
            for sizes in tile_sizes(count, choices.tiles):
                make = partial(tile, program, function, loop, chosen, sizes)
                text = f"{', '.join(_named(band[at]) for at in chosen)} by {' × '.join(map(str, sizes))}"
                yield Candidate("tile", loop.line, text, make, size=count)


def tile_sizes(count: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Sizes of the tiles of some loops, of which `sizes` fit the caches: of one loop each, of two the smallest. Three
    have blocks of the smallest size, and such with a longer innermost loop, which vectors need."""
    if count == 1:
        yield from ((size,) for size in sizes[:_SIZES])
        return
    yield (sizes[0],) * count
    if count == _TILED and len(sizes) > 1:
        yield *(sizes[0],) * (count - 1), sizes[1]


def _is_in_tile(program: Program, loop: SourceLoop) -> bool:
    """Whether a loop runs over a tile: it starts at the variable of a loop around it that takes several steps."""
    around = (one for _, one in program.loops() if one.start < loop.start < one.end and one.head is not None)
    return loop.head is not None and any(
        one.head.variable == loop.head.lower and one.head.step > 1 for one in around if one.head is not None
    )


def _fissions(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    for at in range(1, len(loop.pieces)):
        where = loop.pieces[at].line
        yield Candidate("fission", loop.line, f"before line {where}", partial(fission, program, function, loop, at))


def _unrolled(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    if len(loop.band()) > 1:
        for factor in choices.factors:
            make = partial(unroll_and_jam, program, function, loop, factor)
            yield Candidate("unroll_and_jam", loop.line, f"{factor} times", make, size=factor)
    elif is_around(loop):
        for factor in choices.factors:
            make = partial(unroll_around, program, function, loop, factor)
            yield Candidate("unroll_and_jam", loop.line, f"{factor} times", make, size=factor)


def _hoisted(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if may_hoist(program, loop):
        yield Candidate("hoist", loop.line, "", partial(hoist, program, function, loop))


def _reciprocals(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if may_multiply(program, loop):
        yield Candidate("reciprocal", loop.line, "", partial(reciprocal, program, function, loop))


def _vectors(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if is_innermost(loop):
        yield Candidate("vectorise", loop.line, "", partial(vectorise, program, function, loop))


def _streams(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    own = [nest for nest in program.nests if nest.function == function.name and nest.loops[-1].line == loop.line]
    if any(use.writes and not use.reads for nest in own for use in nest.arrays):
        yield Candidate("stream", loop.line, "", partial(stream, program, function, loop, choices.compiler))


def _prefetches(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if is_innermost(loop) and any(_is_gather(use) for nest in program.nests for use in nest.arrays):
        yield Candidate("prefetch", loop.line, "", partial(prefetch, program, function, loop, _AHEAD))


def _is_gather(use: ArrayUse) -> bool:
    return any(subscript.index for access in use.accesses for subscript in access.subscripts)


def _parallel(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    around = sum(one.start < loop.start < one.end for _, one in program.loops())
    yield Candidate("parallelise", loop.line, "", partial(parallelise, program, function, loop), size=around)


def _collapsed(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if len(loop.band()) > 1 and _is_root(program, loop):
        yield Candidate("collapse", loop.line, "", partial(collapse, program, function, loop), size=1)


def _touched(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    if _has_directives(program) and not loop.directive and _is_root(program, loop):
        yield Candidate("first_touch", loop.line, "", partial(first_touch, program, function, loop, choices.domains))


def _schedules(program: Program, _: SourceFunction, loop: SourceLoop, __: Choices) -> Iterator[Candidate]:
    if directive_before(program, loop) is not None:
        yield Candidate("schedule", loop.line, "", partial(schedule, program, loop))


def _has_directives(program: Program) -> bool:
    return any(loop.directives for nest in program.nests for loop in nest.loops)


def _fusions(program: Program, _: Choices) -> Iterator[Candidate]:
    asked = {nest.function for nest in program.nests}
    for function, pieces in program.blocks():
        for one, two in pairwise(pieces):
            if one.loop is not None and two.loop is not None and function.name in asked:
                make = partial(fuse, program, function, one.loop, two.loop)
                yield Candidate("fuse", one.line, f"with line {two.line}", make)


def _pads(program: Program, _: Choices) -> Iterator[Candidate]:
    arrays, change = (padded_arrays, pad) if program.language == "c" else (padded_columns, pad_columns)
    if names := tuple(dict.fromkeys(arrays(program))):
        yield Candidate("pad", 1, ", ".join(names), partial(change, program, names))


def _records(program: Program, _: Choices) -> Iterator[Candidate]:
    arrays, change = (record_arrays, soa) if program.language == "c" else (fortran_records, fortran_soa)
    for function, name in arrays(program):
        yield Candidate("aos_to_soa", 1, name, partial(change, program, function, name))


def _singles(program: Program, _: Choices) -> Iterator[Candidate]:
    yield Candidate("single", 1, "", partial(single, program))


def _threads(program: Program, choices: Choices) -> Iterator[Candidate]:
    if _has_directives(program):
        for count in choices.threads:
            yield Candidate("threads", 1, str(count), partial(other_threads, count))


def _restricted(program: Program, _: Choices) -> Iterator[Candidate]:
    asked = {nest.function for nest in program.nests}
    for function in (one for one in program.functions if one.name in asked and program.language == "c"):
        yield Candidate("restrict", 1, function.name, partial(restrict, program, function))


def _flags(_: Program, choices: Choices) -> Iterator[Candidate]:
    for flag, change in flags(choices.flags, choices.cpu):
        given = partial(_refuse, f"{flag} is given already")
        yield Candidate("flags", 1, flag, given if change is None else partial(_itself, change))


_LOOPS: dict[str, _OfLoop] = {
    "sum_in_place": _sums, "interchange": _interchanges, "tile": _tiles, "fission": _fissions,
    "unroll_and_jam": _unrolled, "hoist": _hoisted, "reciprocal": _reciprocals, "vectorise": _vectors,
    "stream": _streams, "prefetch": _prefetches, "parallelise": _parallel, "collapse": _collapsed,
    "first_touch": _touched, "schedule": _schedules,
}  # fmt: skip
_PROGRAMS: dict[str, _OfProgram] = {
    "fuse": _fusions, "pad": _pads, "aos_to_soa": _records, "single": _singles, "threads": _threads,
    "restrict": _restricted, "flags": _flags,
}  # fmt: skip
