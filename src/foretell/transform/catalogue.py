"""All transformations: their ids, those of the open catalogue of checks (Codee), and the candidates in a program."""

from __future__ import annotations

from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.interchange import interchange, orders
from foretell.transform.pragmas_and_flags import flags, parallelise, restrict
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.split_and_join import fission, fuse
from foretell.transform.sum_in_place import is_sum, sum_in_place
from foretell.transform.tile import tile
from foretell.transform.unroll_and_jam import unroll_and_jam

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.transform.text.source import SourceFunction, SourceLoop


@record
class Kind:
    """A transformation: its id, its name in the open catalogue, and what it is."""

    id: str
    codee: str
    meaning: str


#: in the order in which a sequence of changes goes through them
KINDS = (
    Kind("sum_in_place", "", "a sum in an array element instead of a scalar, which frees the order of loops"),
    Kind("fuse", "", "two neighbouring loops in one"),
    Kind("fission", "PWR020", "a loop divided into two"),
    Kind("interchange", "PWR039", "perfectly nested loops in another order"),
    Kind("tile", "PWR040", "loops in blocks that stay in a cache"),
    Kind("unroll_and_jam", "", "several iterations of an outer loop in one pass of the innermost"),
    Kind("parallelise", "PWR050", "a loop divided between threads"),
    Kind("restrict", "PWR068", "pointers that do not overlap, declared so"),
    Kind("flags", "", "other flags of the compiler"),
)
IDS = tuple(kind.id for kind in KINDS)
#: changes that gain nothing by themselves, but make others possible
ENABLING = ("sum_in_place", "fission")
FLAGS = ("-ffast-math",)
#: tiled loops of a nest at most
_TILED = 2


@record
class Choices:
    """What to try: kinds of changes, sizes of tiles, factors of unrolling; `flags` are those given already."""

    ids: tuple[str, ...] = IDS
    tiles: tuple[int, ...] = (16, 64, 256)
    factors: tuple[int, ...] = (2, 4)
    flags: str = ""


@record
class Candidate:
    """A transformation at a place of a program: `apply` gives the change, or refuses."""

    id: str
    line: int
    text: str
    apply: Callable[[], Change]


_USUAL = Choices()


def codee(identifier: str) -> str:
    return next((kind.codee for kind in KINDS if kind.id == identifier), "")


def candidates(program: Program, choices: Choices = _USUAL) -> Iterator[Candidate]:
    """Everything to try in a program."""
    ids = choices.ids
    makers: dict[str, Callable[[Program, SourceFunction, SourceLoop, Choices], Iterator[Candidate]]] = {
        "sum_in_place": _sums, "interchange": _interchanges, "tile": _tiles, "fission": _fissions,
        "unroll_and_jam": _unrolled, "parallelise": _parallel,
    }  # fmt: skip
    for function, loop in program.loops():
        for identifier, maker in makers.items():
            if identifier in ids:
                yield from maker(program, function, loop, choices)
    if "fuse" in ids:
        yield from _fusions(program)
    if "restrict" in ids and program.language == "c":
        asked = {nest.function for nest in program.nests}
        for function in (one for one in program.functions if one.name in asked):
            yield Candidate("restrict", 1, function.name, partial(restrict, program, function))
    if "flags" in ids:
        for flag in FLAGS:
            yield Candidate("flags", 1, flag, partial(flags, program, choices.flags, flag))


def _is_root(program: Program, loop: SourceLoop) -> bool:
    """Whether no loop is perfectly around it: the orders of a nest are tried once."""
    return not any(other.only is loop or other.only == loop for _, other in program.loops())


def _sums(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    if program.language == "c" and is_sum(loop):
        yield Candidate("sum_in_place", loop.line, "", partial(sum_in_place, program, function, loop))


def _interchanges(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    band = loop.band()
    if len(band) > 1 and _is_root(program, loop):
        for order in orders(len(band)):
            text = ", ".join(_variable(band[at]) for at in order)
            yield Candidate("interchange", loop.line, text, partial(interchange, program, function, loop, order))


def _variable(loop: SourceLoop) -> str:
    return loop.head.variable if loop.head is not None else f"line {loop.line}"


def _tiles(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    band = loop.band()
    if len(band) < 2 or not _is_root(program, loop):
        return
    for count in range(1, _TILED + 1):
        for chosen in combinations(range(len(band)), count):
            if chosen == (0,):
                continue  # the outermost alone: the same order
            for size in choices.tiles[: _TILED + 1 - count]:  # pairs by the smallest size alone
                sizes = (size,) * count
                text = f"{chosen} by {size}"
                yield Candidate("tile", loop.line, text, partial(tile, program, function, loop, chosen, sizes))


def _fissions(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    for at in range(1, len(loop.pieces)):
        where = loop.pieces[at].line
        yield Candidate("fission", loop.line, f"before line {where}", partial(fission, program, function, loop, at))


def _unrolled(program: Program, function: SourceFunction, loop: SourceLoop, choices: Choices) -> Iterator[Candidate]:
    if len(loop.band()) > 1:
        for factor in choices.factors:
            make = partial(unroll_and_jam, program, function, loop, factor)
            yield Candidate("unroll_and_jam", loop.line, f"{factor} times", make)


def _parallel(program: Program, function: SourceFunction, loop: SourceLoop, _: Choices) -> Iterator[Candidate]:
    yield Candidate("parallelise", loop.line, "", partial(parallelise, program, function, loop))


def _fusions(program: Program) -> Iterator[Candidate]:
    for function, pieces in program.blocks():
        for one, two in pairwise(pieces):
            if one.loop is not None and two.loop is not None:
                make = partial(fuse, program, function, one.loop, two.loop)
                yield Candidate("fuse", one.line, f"with line {two.line}", make)


def attempted(candidate: Candidate) -> Change | RefusedError:
    """The change, or the refusal as a value."""
    try:
        return candidate.apply()
    except RefusedError as refusal:
        return refusal
