"""Heads of loops as text, in C and Fortran, and what must hold of them before loops are moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.program import Program, RefusedError
from foretell.transform.text.effects import mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.transform.program import Region
    from foretell.transform.text.source import Head, Language, SourceFunction, SourceLoop

#: columns of a line in free form
_FREE_FORM = 132


def head_of(loop: SourceLoop) -> Head:
    """The head of a loop that was checked."""
    if loop.head is None:
        raise RefusedError(f"line {loop.line}: {loop.reason}")
    return loop.head


def written(head: Head, language: Language) -> str:
    """The text of a head: what is between C's parentheses, or behind Fortran's `do`."""
    if language == "fortran":
        step = f", {head.step}" if head.step != 1 else ""
        return f"{head.variable} = {head.lower}, {head.limit}{step}"
    name, by = head.variable, abs(head.step)
    step = f"{name}{'++' if head.step > 0 else '--'}" if by == 1 else f"{name} {'+' if head.step > 0 else '-'}= {by}"
    start = f"{head.type} {name}" if head.type else name
    return f"{start} = {head.lower}; {name} {head.relation} {head.limit}; {step}"


def check_bounds(order: Sequence[SourceLoop], region: Region) -> None:
    """Refuses where, in this order of loops, a bound would be used outside the loop that it depends on, or changes in
    the loops."""
    changed = {one.name.split("#")[0] for one in region.references if one.write}
    for at, loop in enumerate(order):
        head = head_of(loop)
        for text in (head.lower, head.limit):
            for inner in order[at + 1 :]:
                if mentions(text, head_of(inner).variable, region.language):
                    raise RefusedError(f"line {loop.line}: the bound {text} depends on {head_of(inner).variable}")
            if name := next((name for name in sorted(changed) if mentions(text, name, region.language)), ""):
                raise RefusedError(f"line {loop.line}: the bound {text} depends on {name}, which the loops change")


def check_variables(program: Program, function: SourceFunction, loops: Sequence[SourceLoop], root: SourceLoop) -> None:
    """Refuses where the value that a variable has after the loops may be used: it is not declared in the head, and
    occurs elsewhere than as a variable of loops."""
    for loop in loops:
        head = head_of(loop)
        if head.type:
            continue
        others = [
            other
            for owner, other in program.loops()
            if owner == function and other.head is not None and other.head.variable == head.variable
        ]
        for match in re.finditer(
            rf"(?<![\w.]){re.escape(head.variable)}\b", program.text[function.start : function.end]
        ):
            at = function.start + match.start()
            inside = any(other.start <= at < other.end for other in others) or root.start <= at < root.end
            if not inside and not _is_declaration(program, at):
                raise RefusedError(f"line {loop.line}: {head.variable} is used outside the loop")


def check_width(text: str, language: Language, line: int) -> None:
    """Refuses lines that Fortran would cut off."""
    if language == "fortran" and max(map(len, text.split("\n"))) > _FREE_FORM:
        raise RefusedError(f"line {line}: lines of the changed text would be longer than {_FREE_FORM} characters")


def _is_declaration(program: Program, offset: int) -> bool:
    line = program.text[program.text.rfind("\n", 0, offset) + 1 : offset].strip()
    return re.match(r"(?:unsigned|long|int|short|size_t|integer|ptrdiff_t|u?int\d+_t)\b[^=]*\Z", line, re.I) is not None


def names(loops: Sequence[SourceLoop]) -> str:
    """The variables of loops: `i and j`, `i, j and k`."""
    words = [head_of(loop).variable for loop in loops]
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
