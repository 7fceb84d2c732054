"""Sums in an array element instead of a scalar, and their start in a loop of its own, so that the loops of the sum are
perfectly nested and can be put into another order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Set, Store
from foretell.records import record
from foretell.transform.heads import check_bounds, check_variables, check_width, head_of
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text import fortran_text
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions
from foretell.transform.text.source import Edit, edited, indent_of, is_lone

if TYPE_CHECKING:
    from foretell.transform.program import Region
    from foretell.transform.text.source import Language, Piece, SourceFunction, SourceLoop

_START = re.compile(r"(?:double|float|int|long)\s+(?P<name>\w+)\s*=\s*(?P<value>[^;,]+);\Z", re.DOTALL)
_ADDS = re.compile(r"(?P<name>\w+)\s*\+=\s*(?P<value>[^;]+);\Z", re.DOTALL)
_STORES = re.compile(r"(?P<target>\w+\s*\[.+\])\s*=\s*(?P<name>\w+)\s*;\Z", re.DOTALL)
_WAY = re.IGNORECASE | re.DOTALL
#: how a sum starts, goes on and is stored
_FORMS: dict[Language, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]] = {
    "c": (_START, _ADDS, _STORES),
    "fortran": (
        re.compile(r"(?P<name>[a-z]\w*)\s*=(?!=)\s*(?P<value>.+)\Z", _WAY),
        re.compile(r"(?P<name>[a-z]\w*)\s*=\s*(?P=name)\s*\+\s*(?P<value>.+)\Z", _WAY),
        re.compile(r"(?P<target>[a-z]\w*\s*\([^=]+\))\s*=\s*(?P<name>[a-z]\w*)\Z", _WAY),
    ),
}


@record
class _Sum:
    """`double s = start; for (…) s += …; target = s;` in a loop."""

    name: str
    start: str
    target: str
    statement: Piece
    added: str


def is_sum(loop: SourceLoop) -> bool:
    """Whether a loop may hold a sum: a statement, a loop, a statement."""
    return len(loop.pieces) == 3 and loop.pieces[1].loop is not None


def sum_in_place(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Adds up in the array element that the sum is stored to."""
    found = _sum(program, loop)
    region = program.region(function, loop)
    check_bounds((loop,), region)
    check_variables(program, function, tuple(loop.walk()), loop)
    _check(region, found, loop)
    if program.language == "fortran":
        _check_unused(program, function, loop, found.name)
    text = _c(program, loop, found) if program.language == "c" else _fortran(program, loop, found)
    title = f"add up in {found.target} instead of {found.name}, started in a loop of its own"
    edits = (Edit(loop.start, loop.end, text),)
    return Change("sum_in_place", title, loop.line, edits, provided=program.provided(function, region))


def _c(program: Program, loop: SourceLoop, found: _Sum) -> str:
    sums = _with_statement(program, loop, found, f"{found.target} += {found.added};")
    head, indent = program.text[loop.head_start : loop.head_end], indent_of(program.text, loop.start)
    text = f"for ({head})\n{indent}    {found.target} = {found.start};\n{indent}for ({head})\n{indent}    {sums}"
    return f"{{\n{indent}{text}\n{indent}}}" if is_lone(blanked(program.text), loop.start) else text


def _fortran(program: Program, loop: SourceLoop, found: _Sum) -> str:
    sums = _with_statement(program, loop, found, f"{found.target} = {found.target} + {found.added}")
    head, indent = program.text[loop.head_start : loop.head_end], indent_of(program.text, loop.start)
    text = f"do {head}\n{indent}  {found.target} = {found.start}\n{indent}end do\n{indent}do {head}\n{indent}  {sums}"
    check_width(text, "fortran", loop.line)
    return f"{text}\n{indent}end do"


def _with_statement(program: Program, loop: SourceLoop, found: _Sum, text: str) -> str:
    """The loop of the sum with another statement in it."""
    inner = loop.pieces[1]
    changed = Edit(found.statement.start - inner.start, found.statement.end - inner.start, text)
    return edited(program.text[inner.start : inner.end], (changed,))


def _check_unused(program: Program, function: SourceFunction, loop: SourceLoop, name: str) -> None:
    """Refuses a scalar that is used outside the loop: Fortran declares none inside."""
    for line in fortran_text.logical_lines(program.text):
        inside = loop.start <= line.start < loop.end or not function.start <= line.start < function.end
        if not inside and mentions(line.text, name, "fortran") and not fortran_text.is_declaration(line):
            raise RefusedError(f"line {line.line}: {name} is used outside the loop")


def _sum(program: Program, loop: SourceLoop) -> _Sum:
    where, language = f"line {loop.line}", program.language
    starts, adds, stores = _FORMS[language]
    first, middle, last = (program.text[piece.start : piece.end] for piece in loop.pieces)
    inner = loop.pieces[1].loop
    start, stored = starts.match(first), stores.match(last)
    if inner is None or start is None or stored is None or not _is_same(start["name"], stored["name"], language):
        raise RefusedError(f"{where}: no scalar is set, added to in a loop, and stored")
    statements = inner.band()[-1].pieces
    added = adds.match(program.text[statements[0].start : statements[0].end]) if len(statements) == 1 else None
    name = start["name"]
    if added is None or not _is_same(added["name"], name, language) or mentions(added["value"], name, language):
        raise RefusedError(f"{where}: the loop does more than adding to {name}")
    uses = re.findall(rf"\b{name}\b", middle, re.NOFLAG if language == "c" else re.IGNORECASE)
    if mentions(stored["target"], name, language) or len(uses) != (1 if language == "c" else 2):
        raise RefusedError(f"{where}: {name} is used elsewhere in the loop")
    return _Sum(name, start["value"].strip(), stored["target"], statements[0], added["value"])


def _is_same(left: str, right: str, language: Language) -> bool:
    return left == right if language == "c" else left.lower() == right.lower()


def _check(region: Region, found: _Sum, loop: SourceLoop) -> None:
    """The element must be another one in each iteration, nothing else may access the array, and its type must be that
    of the scalar."""
    array, name = re.split(r"[\[(]", found.target)[0].strip(), found.name
    if region.language == "fortran":
        array, name = array.lower(), name.lower()
    own = [one for one in region.references if one.name == array]
    writes = [one for one in own if one.write]
    elsewhere = any(one.subscripts != writes[0].subscripts for one in own) if writes else True
    if (
        len(writes) != 1 or elsewhere or mentions(found.added, array, region.language)
    ):  # the start may read the element itself
        raise RefusedError(f"line {loop.line}: {array} is accessed elsewhere in the loop")
    for dependence in region.dependences(1):
        if dependence.first.name == array and any(vector[0] == "<" for vector in dependence.vectors):
            raise RefusedError(f"line {loop.line}: {found.target} is one element for all {head_of(loop).variable}")
    statements = [one for nest in region.nests for level in nest.levels for one in level]
    types = {one.target.type for one in statements if isinstance(one, Store) and one.target.array == array}
    types |= {one.type for one in statements if isinstance(one, Set) and one.target.split("#")[0] == name}
    if len(types) != 1:
        raise RefusedError(f"line {loop.line}: {found.name} and {array} have different types")
