"""Unroll and jam: several iterations of an outer loop in one pass of the innermost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from foretell.transform.heads import check_bounds, check_variables, check_width, head_of, written
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.sums import check_order
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import substituted
from foretell.transform.text.source import Edit, indent_of, is_lone, laid_out, step_of

if TYPE_CHECKING:
    from foretell.transform.directions import Ordered, Vector
    from foretell.transform.text.source import SourceFunction, SourceLoop


def unroll_and_jam(program: Program, function: SourceFunction, loop: SourceLoop, factor: int) -> Change:
    """Unrolls a loop around a perfect nest, and joins the copies of the innermost body."""
    band = loop.band()
    region = program.region(function, loop)
    head = head_of(loop)
    if head.step != 1 or not head.upward:
        raise RefusedError(f"line {loop.line}: only loops that go up by 1 are unrolled")
    if inner := next((piece.loop for piece in band[-1].pieces if piece.loop is not None), None):
        raise RefusedError(f"line {inner.line}: copies of this loop would run one after the other, not joined")
    check_bounds((*band[1:], loop), region)
    check_bounds((loop,), region)
    check_variables(program, function, band, loop)
    conditions = check_order(region, len(band), partial(_reversed, len(band)))
    text = _fortran(program, band, factor) if program.language == "fortran" else _c(program, band, factor)
    check_width(text, program.language, loop.line)
    title = f"unroll {head.variable} {factor} times and join the copies in the innermost loop"
    edits = (Edit(loop.start, loop.end, text),)
    return Change(
        "unroll_and_jam", title, loop.line, edits, provided=(*program.provided(function, region), *conditions)
    )


def _reversed(band: int, _: Ordered, vector: Vector) -> str:
    """Why not: a later iteration of the unrolled loop must not need an earlier one of the loops inside."""
    inner = next((sign for sign in vector[1:] if sign != "="), "<")
    return "" if len(vector) == band and (vector[0] != "<" or inner == "<") else "would be reversed"


def _c(program: Program, band: tuple[SourceLoop, ...], factor: int) -> str:
    loop, innermost = band[0], band[-1]
    head, text = head_of(loop), program.text
    indent = indent_of(text, loop.start)
    step = step_of(text)
    inside = indent + step * (1 if head.type else 0)
    body = text[innermost.body_start : innermost.body_end].strip()
    deep = inside + step * (len(band) + 1)
    copies = [laid_out(substituted(body, head.variable, f"({head.variable} + {k})"), deep) for k in range(1, factor)]
    copies = [f"{{\n{deep}{copy}\n{inside}{step * len(band)}}}" for copy in (laid_out(body, deep), *copies)]
    around = "".join(f"{inside}{step * at}for ({written(head_of(one), 'c')})\n" for at, one in enumerate(band[1:], 1))
    depth = inside + step * len(band)
    joined = "".join(f"{depth}{copy}\n" for copy in copies)
    last = laid_out(text[loop.body_start : loop.body_end], inside + step)
    name = head.variable
    lines = (
        f"for ({name} = {head.lower}; {name} + {factor - 1} {head.relation} {head.limit}; {name} += {factor})\n"
        f"{around.rstrip()} {{\n{joined}{inside}{step * (len(band) - 1)}}}\n"
        f"{inside}for (; {name} {head.relation} {head.limit}; {name}++) {{\n{inside}{step}{last}\n{inside}}}"
    )
    if head.type:
        return f"{{\n{inside}{head.type} {name};\n{inside}{lines}\n{indent}}}"
    return f"{{\n{inside}{lines}\n{indent}}}" if is_lone(blanked(text), loop.start) else lines


def _fortran(program: Program, band: tuple[SourceLoop, ...], factor: int) -> str:
    loop, innermost = band[0], band[-1]
    head, text = head_of(loop), program.text
    indent, step = indent_of(text, loop.start), step_of(text, "  ")
    body = text[innermost.body_start : innermost.body_end].strip()
    copies = [
        substituted(body, head.variable, f"({head.variable} + {k})", "fortran") if k else body for k in range(factor)
    ]
    lines = [f"do {head.variable} = {head.lower}, {head.limit} - {factor - 1}, {factor}"]
    lines += [f"{indent}{step * at}do {written(head_of(one), 'fortran')}" for at, one in enumerate(band[1:], 1)]
    lines += [f"{indent}{step * len(band)}{copy}" for copy in copies]
    lines += [f"{indent}{step * at}end do" for at in range(len(band) - 1, -1, -1)]
    lines += [f"{indent}do {head.variable} = {head.variable}, {head.limit}"]
    lines += [f"{indent}{step}{text[loop.body_start : loop.body_end].strip()}", f"{indent}end do"]
    return "\n".join(lines)
