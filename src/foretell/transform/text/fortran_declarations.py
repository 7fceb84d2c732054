"""Array declarations of a free-form Fortran text, and every use of a name: what a change of a layout must know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.text.fortran_text import logical_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.transform.text.fortran_text import Line

_TYPE = r"(?:integer|real|double\s+precision|complex|logical|type\s*\(\s*\w+\s*\))(?:\s*\*\s*\d+|\s*\([^()]*\))?"
#: colons are in attributes only within parentheses: dimension(:, size(a))
_ATTRIBUTES = r"(?:[^:!()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*"
_DECLARATION = re.compile(rf"\s*(?P<type>{_TYPE})(?P<attributes>{_ATTRIBUTES})::", re.IGNORECASE)
#: `real*8 a(n)` and `dimension a(n)`, as FORTRAN 77 declares
_OLD = re.compile(rf"\s*(?:(?P<type>{_TYPE})(?P<attributes>)|dimension)\s+(?!function\b)(?=[A-Za-z])", re.I)
#: statements that name an array without using an element of it, and those of them that fix its layout
_NAMES = re.compile(r"\s*(?P<word>common|equivalence|data|namelist|save|dimension|intent)\b", re.IGNORECASE)
LAYOUTS = ("common", "equivalence", "data", "namelist")
_ENTITY = re.compile(r"\s*(?P<name>[A-Za-z]\w*)\s*(?=\()")
_STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|![^\n]*")
_WORD = re.compile(r"[A-Za-z]\w*\Z")


@record
class FortranArray:
    """`real(8), save :: a(n, m)` in a text: offsets of the name, and of its extents."""

    name: str
    type: str
    attributes: str
    start: int
    line: int
    extents: tuple[tuple[int, int], ...]
    has_initialiser: bool
    #: the statement declares this array alone: its offsets
    statement: tuple[int, int] | None


@record
class FortranUse:
    """A name in the text: its offsets with subscripts and member, the offsets of its subscripts, the member behind
    them, and the word before each bracket around it, from the inside out."""

    start: int
    end: int
    line: int
    subscripts: tuple[tuple[int, int], ...]
    member: str
    around: tuple[str, ...]


def plain_text(text: str) -> str:
    """A text in which comments and strings are spaces."""
    return _STRING.sub(lambda match: " " * len(match[0]), text)


def fortran_arrays(text: str) -> Iterator[FortranArray]:
    """All arrays that declarations give extents behind their names."""
    for line in logical_lines(text):
        shown = plain_text(text)[line.start : line.end]
        if found := _declaration(shown):
            yield from _entities(text, line, found, found.end() + line.start)


def _declaration(shown: str) -> re.Match[str] | None:
    """The type and attributes of a declaration, up to the first name."""
    return _DECLARATION.match(shown) or (_OLD.match(shown) if "::" not in shown else None)


def statement_word(text: str, offset: int) -> str:
    """The word of a statement that names arrays without using elements of them; `type` of one that declares a type."""
    line = next((one for one in logical_lines(text) if one.start <= offset < one.end), None)
    if line is None:
        return ""
    shown = plain_text(text)[line.start : line.end]
    if found := _NAMES.match(shown):
        return found["word"].lower()
    return "type" if _declaration(shown) else ""


def _entities(text: str, line: Line, found: re.Match[str], at: int) -> Iterator[FortranArray]:
    """The arrays behind `::`."""
    plain = plain_text(text)
    spans = list(_parts(plain, at, line.end))
    for start, end in spans:
        if entity := _ENTITY.match(plain, start, end):
            closing = _closing(plain, entity.end())
            yield FortranArray(
                entity["name"].lower(),
                " ".join((found["type"] or "").split()),
                (found["attributes"] or "").strip(" ,\t"),
                entity.start("name"),
                text.count("\n", 0, entity.start("name")) + 1,
                tuple(_parts(plain, entity.end() + 1, closing)),
                "=" in plain[closing:end],
                (line.start, line.end) if len(spans) == 1 else None,
            )


def _parts(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Offsets of what commas outside brackets divide."""
    depth, first = 0, start
    for at in range(start, end):
        depth += (plain[at] == "(") - (plain[at] == ")")
        if plain[at] == "," and depth == 0:
            yield first, at
            first = at + 1
    yield first, end


def _closing(plain: str, opening: int) -> int:
    """The offset of the bracket that closes another."""
    depth = 0
    for at in range(opening, len(plain)):
        depth += (plain[at] == "(") - (plain[at] == ")")
        if depth == 0:
            return at
    return len(plain)


def fortran_uses(text: str, name: str) -> Iterator[FortranUse]:
    """Every place where a name stands that is no member's."""
    plain = plain_text(text)
    for match in re.finditer(rf"(?<![\w%]){re.escape(name)}\b", plain, re.IGNORECASE):
        end, subscripts = match.end(), tuple[tuple[int, int], ...]()
        if (opening := re.compile(r"[ \t]*\(").match(plain, end)) is not None:
            closing = _closing(plain, opening.end() - 1)
            subscripts, end = tuple(_parts(plain, opening.end(), closing)), min(closing + 1, len(plain))
        member = re.compile(r"[ \t]*%[ \t]*(\w+)").match(plain, end)
        end = member.end() if member else end
        line = text.count("\n", 0, match.start()) + 1
        around = tuple(_around(plain, match.start()))
        yield FortranUse(match.start(), end, line, subscripts, member[1].lower() if member else "", around)


def _around(plain: str, at: int) -> Iterator[str]:
    """Words before the brackets that are open at an offset of a statement: functions, arrays, or nothing."""
    depth = 0
    for place in range(at - 1, -1, -1):
        letter = plain[place]
        if letter == "\n" and not plain[:place].rstrip(" \t").endswith("&"):
            return
        depth += (letter == ")") - (letter == "(")
        if depth < 0:
            depth = 0
            before = re.search(r"(?:(?P<call>call)\s+)?(?P<word>\w+)[ \t]*\Z", plain[:place], re.IGNORECASE)
            word = before["word"].lower() if before and _WORD.match(before["word"]) else ""
            yield f"call {word}" if before and before["call"] else word


def fortran_members(text: str, kind: str) -> dict[str, str]:
    """Members and their types of a derived type whose members are all single numbers."""
    inside, members = False, dict[str, str]()
    for line in logical_lines(text):
        if re.match(rf"type\s*(?:,[^:]*::|::)?\s*{re.escape(kind)}\Z", line.text, re.IGNORECASE):
            inside = True
        elif inside and re.match(r"end\s*type\b", line.text, re.IGNORECASE):
            return members
        elif inside:
            found = _DECLARATION.match(line.text)
            names = [word.strip() for word in line.text[found.end() :].split(",")] if found else []
            if found is None or found["attributes"].strip(" ,") or not all(map(_WORD.match, names)):
                return {}
            members |= {one.lower(): " ".join(found["type"].split()) for one in names}
    return {}
