"""Rows of arrays that are a little longer, so that elements of a column lie in different sets of a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.declarations import Declarations, is_declared
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.transform.text.declarations import ArrayDeclaration

#: bytes by which a row grows: a line of every CPU whose file is shipped (64), or half of one (128)
LINE_BYTES = 64
_SIZES = {"double": 8, "float": 4, "int": 4, "long": 8}


def padded_arrays(program: Program) -> list[str]:
    """Names of arrays that the nests access and the text declares with two or more extents."""
    accessed = {use.name for nest in program.nests for use in nest.arrays if use.storage != "parameter"}
    arrays = Declarations(program.text).arrays()
    return [one.name for one in arrays if len(one.extents) > 1 and one.name in accessed]


def pad(program: Program, names: tuple[str, ...]) -> Change:
    """Lengthens the rows of arrays by a line; refused where another use of one counts on its layout."""
    text = Declarations(program.text)
    declared = {one.name: one for one in text.arrays()}
    edits, exported = [], []
    for name in names:
        array = declared[name]
        _check(text, array)
        end = array.extents[-1][1]
        more = LINE_BYTES // _SIZES[array.type]
        edits.append(Edit(end, end, f" + {more}"))
        if array.is_global and "static" not in array.specifiers:
            exported.append(name)
    listed = ", ".join(names)
    provided = (f"no other file uses {', '.join(exported)}",) if exported else ()
    title = f"pad the rows of {listed} by {LINE_BYTES} bytes"
    return Change("pad", title, declared[names[0]].line, tuple(edits), provided=provided)


def _check(text: Declarations, array: ArrayDeclaration) -> None:
    if array.type not in _SIZES:
        raise RefusedError(f"line {array.line}: {array.name} is an array of {array.type}")
    if array.has_initialiser:
        raise RefusedError(f"line {array.line}: {array.name} has an initialiser, which follows its layout")
    if "extern" in array.specifiers:
        raise RefusedError(f"line {array.line}: {array.name} is declared in another file")
    for reason in _other_uses(text, array):
        raise RefusedError(reason)


def _other_uses(text: Declarations, array: ArrayDeclaration) -> Iterator[str]:
    for use in text.uses(array.name):
        if use.start == array.start:
            continue
        if is_declared(use.before):
            yield f"line {use.line}: {array.name} is declared again"
        elif use.before in ("&", "sizeof") or len(use.subscripts) != len(array.extents):
            yield f"line {use.line} uses {array.name} as a whole, or its address: its layout must stay"
