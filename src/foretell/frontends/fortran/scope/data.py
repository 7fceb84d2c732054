"""DATA statements: initial values of scalars, and of whole arrays that take all remaining values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.fortran.text.statements import split

if TYPE_CHECKING:
    from foretell.frontends.fortran.scope.symbols import Scope
    from foretell.frontends.fortran.text.parse import Tree

#: longer tables of constants are data and not unrolled
MOST_VALUES = 256

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d+)?(?:_\w+)?$", re.IGNORECASE)
_NAME = re.compile(r"[a-z]\w*$")


def note_data(scope: Scope, tree: Tree) -> None:
    """Assigns the values of DATA statements to their names."""
    for statement in tree.data:
        pieces = split(statement.text[4:], "/")
        for listed, given in zip(pieces[::2], pieces[1::2], strict=False):
            names = [name.strip().lower() for name in split(listed.strip(" ,"), ",")]
            _pair(scope, names, _values(given), statement.line)


def _pair(scope: Scope, names: list[str], values: list[str], line: int) -> None:
    """Pairs names with values; a whole array takes the rest, and so must be the last."""
    position = 0
    for name in names:
        plain = name.split("(")[0].strip()
        if not _NAME.match(plain):
            return
        symbol = scope.declare(plain, line)
        symbol.attributes.add("save")
        if symbol.kind == "unknown":
            symbol.kind = "variable"
        if symbol.dims is not None:
            if "(" not in name:
                rest = [value.lower() for value in values[position:]]
                if name == names[-1] and all(map(_NUMBER.match, rest)):
                    symbol.table = rest
                return
            position += 1
            continue
        if position < len(values) and _NUMBER.match(values[position]):
            symbol.data = values[position].lower()
        position += 1


def _values(text: str) -> list[str]:
    out: list[str] = []
    for item in split(text, ","):
        count, star, value = item.partition("*")
        if star and count.strip().isdigit() and not item.startswith(("'", '"')):
            out += [value.strip()] * min(int(count), MOST_VALUES)
        else:
            out.append(item.strip())
    return out
