"""Loop fission (Codee PWR020) and fusion: statements of one loop in two loops, and of two loops in one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.transform.directions import meets
from foretell.transform.heads import check_bounds, check_variables, head_of, written
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions, substituted
from foretell.transform.text.source import Edit, indent_of, is_lone

if TYPE_CHECKING:
    from foretell.transform.directions import Ordered, Reference
    from foretell.transform.program import Region
    from foretell.transform.text.source import Piece, SourceFunction, SourceLoop


def fission(program: Program, function: SourceFunction, loop: SourceLoop, at: int) -> Change:
    """Divides the body of a loop before its statement number `at`."""
    region = program.region(function, loop)
    check_bounds((loop,), region)
    check_variables(program, function, (loop,), loop)
    early, late = loop.pieces[:at], loop.pieces[at:]
    _check_lines(early[-1], late[0])
    _check_declared(program, early, late)
    for dependence in region.dependences(1):
        if _reversed_by_fission(dependence, late[0].line):
            raise RefusedError(f"{dependence.text} would be reversed")
    indent = indent_of(program.text, loop.start)
    parts = [_with_body(program, loop, pieces, indent) for pieces in (early, late)]
    title = f"divide the loop over {head_of(loop).variable} before line {late[0].line}"
    text = f"\n{indent}".join(parts)
    if program.language == "c" and is_lone(blanked(program.text), loop.start):
        text = f"{{\n{indent}{text}\n{indent}}}"
    edits = (Edit(loop.start, loop.end, text),)
    return Change("fission", title, loop.line, edits, provided=program.provided(function, region))


def _reversed_by_fission(dependence: Ordered, first_late_line: int) -> bool:
    """A statement of the second part must not come before one of the first part in a later iteration."""
    second_part = dependence.first.line >= first_late_line > dependence.second.line
    return second_part and any(vector[0] == "<" for vector in dependence.vectors)


def _check_lines(early: Piece, late: Piece) -> None:
    if early.last_line >= late.line:
        raise RefusedError(f"line {late.line}: two statements stand on one line")


def _check_declared(program: Program, early: tuple[Piece, ...], late: tuple[Piece, ...]) -> None:
    first = program.text[early[0].start : early[-1].end]
    second = program.text[late[0].start : late[-1].end]
    for name in sorted(program.declared(first)):
        if mentions(second, name, program.language):
            raise RefusedError(f"line {late[0].line}: {name}, declared before, is used after")


def _with_body(program: Program, loop: SourceLoop, pieces: tuple[Piece, ...], indent: str) -> str:
    body = program.text[pieces[0].start : pieces[-1].end]
    head = program.text[loop.head_start : loop.head_end]
    inner = indent_of(program.text, pieces[0].start)
    inner = inner if len(inner) > len(indent) else f"{indent}    "
    if program.language == "fortran":
        return f"do {head}\n{inner}{body}\n{indent}end do"
    return f"for ({head}) {{\n{inner}{body}\n{indent}}}"


def fuse(program: Program, function: SourceFunction, first: SourceLoop, second: SourceLoop) -> Change:
    """Puts the statements of two neighbouring loops with equal bounds into one loop."""
    left, right = program.region(function, first), program.region(function, second)
    head, other = head_of(first), head_of(second)
    if replace(head, type="", variable="") != replace(other, type="", variable=""):
        raise RefusedError(f"lines {first.line} and {second.line}: the loops have different bounds")
    check_bounds((first,), right)
    check_bounds((second,), left)
    check_variables(program, function, (first, second), first)
    _check_order(left, right)
    body, add = (program.text[loop.body_start : loop.body_end].strip("\n") for loop in (first, second))
    if other.variable != head.variable:
        if mentions(add, head.variable, program.language):
            raise RefusedError(f"line {second.line}: {head.variable} is used in the second loop already")
        add = substituted(add, other.variable, head.variable, program.language)
    if clash := [name for name in sorted(program.declared(body)) if mentions(add, name, program.language)]:
        raise RefusedError(f"line {second.line}: {clash[0]}, which the first loop declares, is used in the second")
    indent = indent_of(program.text, first.start)
    inner = indent_of(program.text, first.pieces[0].start) or f"{indent}    "
    bounds = written(head, program.language)
    text = f"{inner}{body.strip()}\n{inner}{add.strip()}\n{indent}"
    joined = f"for ({bounds}) {{\n{text}}}" if program.language == "c" else f"do {bounds}\n{text}end do"
    title = f"join the loops of lines {first.line} and {second.line}"
    provided = tuple(dict.fromkeys(program.provided(function, left) + program.provided(function, right)))
    provided = _overlaps(program, function, left, right) or provided
    return Change("fuse", title, first.line, (Edit(first.start, second.end, joined),), provided=provided)


def _overlaps(program: Program, function: SourceFunction, left: Region, right: Region) -> tuple[str, ...]:
    both = replace(left, references=left.references + right.references)
    return program.provided(function, both)


def _check_order(left: Region, right: Region) -> None:
    """In the joined loop, a statement of the second must not come before one of the first that it depends on."""
    outer = left.outer
    for before in left.references:
        for after in right.references:
            if before.name == after.name and (before.write or after.write):
                _check_pair(before, after, outer)


def _check_pair(before: Reference, after: Reference, outer: int) -> None:
    if meets(before, after, (*("=" for _ in range(outer)), ">")):
        lines = f"lines {before.line} and {after.line}"
        raise RefusedError(f"the second loop needs {before.name} of a later iteration of the first ({lines})")
