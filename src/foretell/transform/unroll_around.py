"""Unroll and jam where statements stand around the inner loop: those of all copies before it, one loop for all copies,
those after it. Several sums advance in one pass that waited for each other before."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from foretell.transform.heads import check_bounds, check_variables, head_of, written
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.sums import check_order
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions, substituted
from foretell.transform.text.source import Edit, indent_of, is_lone, laid_out, loops_in, step_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.transform.directions import Ordered, Reference, Vector
    from foretell.transform.text.source import Head, Piece, SourceFunction, SourceLoop


def is_around(loop: SourceLoop) -> bool:
    """Whether a loop has one loop, or one band of loops, among other statements."""
    inner = [piece.loop for piece in loop.pieces if piece.loop is not None]
    others = [piece for piece in loop.pieces if piece.loop is None]
    if len(inner) != 1 or not others or any(True for _ in loops_in(tuple(others))):
        return False
    return not any(True for _ in loops_in(inner[0].band()[-1].pieces))


def unroll_around(program: Program, function: SourceFunction, loop: SourceLoop, factor: int) -> Change:
    """Unrolls a loop with statements around one inner loop, and joins the copies of that."""
    region, head = program.region(function, loop), head_of(loop)
    at = next(number for number, piece in enumerate(loop.pieces) if piece.loop is not None)
    inner = _inner(loop.pieces[at])
    if program.language != "c":
        raise RefusedError(
            f"line {loop.line}: copies would need scalars of their own, which Fortran declares elsewhere"
        )
    if head.step != 1 or not head.upward:
        raise RefusedError(f"line {loop.line}: only loops that go up by 1 are unrolled")
    check_bounds((*inner, loop), region)
    check_variables(program, function, (loop, *inner), loop)
    own = sorted(program.declared(program.text[loop.body_start : loop.body_end]))
    _check_own(inner, own)
    _check_lines(loop.pieces)
    conditions = check_order(region, 1 + len(inner), partial(_reversed, loop.pieces, len(inner)))
    names = [_renamed(program, own, copy) for copy in range(factor)]
    text = _text(program, loop, at, names)
    title = f"unroll {head.variable} {factor} times and join the copies in the innermost loop"
    provided = (*program.provided(function, region), *conditions)
    return Change("unroll_and_jam", title, loop.line, (Edit(loop.start, loop.end, text),), provided=provided)


def _inner(piece: Piece) -> tuple[SourceLoop, ...]:
    return piece.loop.band() if piece.loop is not None else ()


def _check_own(inner: tuple[SourceLoop, ...], own: list[str]) -> None:
    """The copies share the inner loops, so nothing that each has for itself may steer them."""
    for loop in inner:
        head = head_of(loop)
        for name in own:
            if any(mentions(text, name) for text in (head.variable, head.lower, head.limit)):
                raise RefusedError(f"line {loop.line}: {name}, which each iteration has for itself, steers the loop")


def _check_lines(pieces: tuple[Piece, ...]) -> None:
    for before, after in pairwise(pieces):
        if before.last_line >= after.line:
            raise RefusedError(f"line {after.line}: two statements stand on one line")


def _reversed(pieces: tuple[Piece, ...], inner: int, dependence: Ordered, vector: Vector) -> str:
    """Why not: a statement before the inner loop, or in it, runs before those behind of the copies before it."""
    first, second = (_place(pieces, one) for one in (dependence.first, dependence.second))
    if vector[0] != "<" or first < second:
        return ""
    if first > second:
        return "would be reversed"
    if pieces[first].loop is None:
        return ""
    after = next((sign for sign in vector[1:] if sign != "="), "<")
    return "" if len(vector) == 1 + inner and after == "<" else "would be reversed"


def _place(pieces: tuple[Piece, ...], reference: Reference) -> int:
    return next(
        (at for at, piece in enumerate(pieces) if piece.line <= reference.line <= piece.last_line), len(pieces) - 1
    )


def _renamed(program: Program, own: list[str], copy: int) -> dict[str, str]:
    """Names of what each iteration has for itself, in a copy."""
    return {name: program.unused_name(f"{name}_{copy}") for name in own} if copy else {}


def _text(program: Program, loop: SourceLoop, at: int, names: list[dict[str, str]]) -> str:
    head, step = head_of(loop), step_of(program.text)
    indent, factor = indent_of(program.text, loop.start), len(names)
    inside = indent + step * (1 if head.type else 0)
    deep = inside + step
    before, after = (
        [_copied(program, part, head, copy, names[copy], deep) for part in parts for copy in range(factor)]
        for parts in ((_span(loop.pieces[:at]),), (_span(loop.pieces[at + 1 :]),))
    )
    joined = _joined(program, loop.pieces[at], head, names, deep)
    rest = laid_out(program.text[loop.body_start : loop.body_end], deep)
    name, last = head.variable, f"{head.relation} {head.limit}"
    lines = "\n".join(f"{deep}{line}" for line in (*before, joined, *after) if line)
    text = (
        f"for ({name} = {head.lower}; {name} + {factor - 1} {last}; {name} += {factor}) {{\n{lines}\n{inside}}}\n"
        f"{inside}for (; {name} {last}; {name}++) {{\n{deep}{rest}\n{inside}}}"
    )
    if head.type:
        return f"{{\n{inside}{head.type} {name};\n{inside}{text}\n{indent}}}"
    return f"{{\n{inside}{text}\n{indent}}}" if is_lone(blanked(program.text), loop.start) else text


def _span(pieces: tuple[Piece, ...]) -> tuple[int, int]:
    return (pieces[0].start, pieces[-1].end) if pieces else (0, 0)


def _joined(program: Program, piece: Piece, head: Head, names: list[dict[str, str]], indent: str) -> str:
    """The inner loops with the copies of their body."""
    inner, step = _inner(piece), step_of(program.text)
    deepest = indent + step * len(inner)
    span = inner[-1].body_start, inner[-1].body_end
    copies = [_copied(program, span, head, copy, own, deepest + step) for copy, own in enumerate(names)]
    heads = f"\n{indent}".join(f"{step * at}for ({written(head_of(one), 'c')})" for at, one in enumerate(inner))
    blocks = "".join(f"\n{deepest}{{\n{deepest}{step}{copy}\n{deepest}}}" for copy in copies)
    return f"{heads} {{{blocks}\n{indent}{step * (len(inner) - 1)}}}"


def _copied(program: Program, span: tuple[int, int], head: Head, copy: int, own: Mapping[str, str], indent: str) -> str:
    """A part of the body for a later iteration, with names of its own."""
    text = laid_out(program.text[slice(*span)], indent)
    if copy:
        text = substituted(text, head.variable, f"({head.variable} + {copy})")
    for name, new in own.items():
        text = substituted(text, name, new)
    return text
