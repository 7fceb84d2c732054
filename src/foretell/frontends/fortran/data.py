"""DATA statements: initial values. Scalars get theirs; arrays are only known to be initialised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.frontends.fortran.parse import Tree
    from foretell.frontends.fortran.symbols import Scope

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[ed][+-]?\d+)?(?:_\w+)?$", re.IGNORECASE)
_NAME = re.compile(r"[a-z]\w*$")


def note_data(scope: Scope, tree: Tree) -> None:
    """Gives the scalars of DATA statements their values."""
    for statement in tree.data:
        pieces = _split(statement.text[4:], "/")
        for listed, given in zip(pieces[::2], pieces[1::2], strict=False):
            names = [name.strip().lower() for name in _split(listed.strip(" ,"), ",")]
            _pair(scope, names, _values(given), statement.line)


def _pair(scope: Scope, names: list[str], values: list[str], line: int) -> None:
    """Names with values one by one, up to the first name that is an array and takes several."""
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
                return
            position += 1
            continue
        if position < len(values) and _NUMBER.match(values[position]):
            symbol.data = values[position].lower()
        position += 1


def _values(text: str) -> list[str]:
    out: list[str] = []
    for item in _split(text, ","):
        count, star, value = item.partition("*")
        if star and count.strip().isdigit() and not item.startswith(("'", '"')):
            out += [value.strip()] * min(int(count), 64)
        else:
            out.append(item.strip())
    return out


def _split(text: str, separator: str) -> list[str]:
    """A text split where the separator stands outside parentheses and quotes."""
    out: list[str] = []
    depth, start, quote = 0, 0, ""
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == separator and depth == 0:
            out.append(text[start:index])
            start = index + 1
    return [*out, text[start:]]
