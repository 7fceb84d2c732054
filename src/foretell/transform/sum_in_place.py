"""Sums in an array element instead of a scalar, and their start in a loop of its own, so that the loops of the sum are
perfectly nested and can be put into another order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Set, Store
from foretell.records import record
from foretell.transform.heads import check_bounds, check_variables, head_of
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions
from foretell.transform.text.source import Edit, edited, indent_of, is_lone

if TYPE_CHECKING:
    from foretell.transform.program import Region
    from foretell.transform.text.source import Piece, SourceFunction, SourceLoop

_START = re.compile(r"(?:double|float|int|long)\s+(?P<name>\w+)\s*=\s*(?P<value>[^;,]+);\Z", re.DOTALL)
_ADDS = re.compile(r"(?P<name>\w+)\s*\+=\s*(?P<value>[^;]+);\Z", re.DOTALL)
_STORES = re.compile(r"(?P<target>\w+\s*\[.+\])\s*=\s*(?P<name>\w+)\s*;\Z", re.DOTALL)


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
    inner = loop.pieces[1]
    changed = Edit(
        found.statement.start - inner.start, found.statement.end - inner.start, f"{found.target} += {found.added};"
    )
    sums = edited(program.text[inner.start : inner.end], (changed,))
    head, indent = program.text[loop.head_start : loop.head_end], indent_of(program.text, loop.start)
    text = f"for ({head})\n{indent}    {found.target} = {found.start};\n{indent}for ({head})\n{indent}    {sums}"
    if is_lone(blanked(program.text), loop.start):
        text = f"{{\n{indent}{text}\n{indent}}}"
    title = f"add up in {found.target} instead of {found.name}, started in a loop of its own"
    edits = (Edit(loop.start, loop.end, text),)
    return Change("sum_in_place", title, loop.line, edits, provided=program.provided(function, region))


def _sum(program: Program, loop: SourceLoop) -> _Sum:
    where = f"line {loop.line}"
    first, middle, last = (program.text[piece.start : piece.end] for piece in loop.pieces)
    inner = loop.pieces[1].loop
    start, stored = _START.match(first), _STORES.match(last)
    if inner is None or start is None or stored is None or start["name"] != stored["name"]:
        raise RefusedError(f"{where}: no scalar is declared, added to in a loop, and stored")
    statements = inner.band()[-1].pieces
    added = _ADDS.match(program.text[statements[0].start : statements[0].end]) if len(statements) == 1 else None
    name = start["name"]
    if added is None or added["name"] != name or mentions(added["value"], name):
        raise RefusedError(f"{where}: the loop does more than adding to {name}")
    if mentions(stored["target"], name) or len(re.findall(rf"\b{name}\b", middle)) != 1:
        raise RefusedError(f"{where}: {name} is used elsewhere in the loop")
    return _Sum(name, start["value"].strip(), stored["target"], statements[0], added["value"])


def _check(region: Region, found: _Sum, loop: SourceLoop) -> None:
    """The element must be another one in each iteration, nothing else may access the array, and its type must be that
    of the scalar."""
    array = found.target.split("[")[0].strip()
    own = [one for one in region.references if one.name == array]
    writes = [one for one in own if one.write]
    elsewhere = any(one.subscripts != writes[0].subscripts for one in own) if writes else True
    if len(writes) != 1 or elsewhere or mentions(found.added, array):  # the start may read the element itself
        raise RefusedError(f"line {loop.line}: {array} is accessed elsewhere in the loop")
    for dependence in region.dependences(1):
        if dependence.first.name == array and any(vector[0] == "<" for vector in dependence.vectors):
            raise RefusedError(f"line {loop.line}: {found.target} is one element for all {head_of(loop).variable}")
    statements = [one for nest in region.nests for level in nest.levels for one in level]
    types = {one.target.type for one in statements if isinstance(one, Store) and one.target.array == array}
    types |= {one.type for one in statements if isinstance(one, Set) and one.target.split("#")[0] == found.name}
    if len(types) != 1:
        raise RefusedError(f"line {loop.line}: {found.name} and {array} have different types")
