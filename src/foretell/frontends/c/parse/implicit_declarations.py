"""Declares undeclared names, with types inferred from their use, as a header to be included first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.frontends.c.parse.clang import Message

_TYPE = re.compile(r"unknown type name '(\w+)'")
_NAME = re.compile(r"use of undeclared identifier '(\w+)'")
_CALL = re.compile(r"call to undeclared function '(\w+)'")
_BROKEN = re.compile(r"expected ('[);]'|parameter declarator|identifier)|unknown type name")
#: A word between a star and a name, or before the words of a declaration, can only be a qualifier macro.
_KEYWORDS = (
    "const|restrict|volatile|static|extern|inline|register|struct|union|enum|"
    "signed|unsigned|void|char|short|int|long|float|double|size_t"
)
_QUALIFIER = re.compile(
    rf"\*\s*(?!(?:{_KEYWORDS}|__restrict\w*|_\w+)\b)([A-Za-z_]\w*)\s+[A-Za-z_]\w*\s*[,;=)\[]|"
    rf"(?:^|[;{{}}])\s*(?!(?:{_KEYWORDS})\b)([A-Za-z_]\w*)\s+(?:{_KEYWORDS})\b",
    re.MULTILINE,
)
#: Types inferred from names; any other is a number in double precision.
_WHOLE = re.compile(r"int|idx|index|indic|size|count|len|bool|flag|long|ord|short|off|id$|rank", re.IGNORECASE)
_SINGLE = re.compile(r"float|single|real4|real32", re.IGNORECASE)
_WHOLE_ARRAY = re.compile(r"idx|ind|map|ptr|row|col|list|count|flag|^i[a-z]?$|num|offset|perm", re.IGNORECASE)
#: Macros that most programs define themselves.
_MACROS = {"min": "((a) < (b) ? (a) : (b))", "max": "((a) > (b) ? (a) : (b))"}
_ABS = "((a) < 0 ? -(a) : (a))"
_SQUARE = "((a) * (a))"
_MAX_RANK = 6


@dataclass(slots=True)
class Prelude:
    """The inferred declarations so far: name → its declaration."""

    declarations: dict[str, str] = field(default_factory=dict)
    #: the note about each
    notes: dict[str, str] = field(default_factory=dict)

    def learn(self, messages: Iterable[Message], code: str) -> bool:
        """Declares the names that the messages report; returns whether any is new.

        Types come first, alone: without them the variables that they declare are unknown, too."""
        before = len(self.declarations)
        unknown = [message.text for message in messages]
        names = _matches(_NAME, unknown)
        if any(map(_BROKEN.match, unknown)):
            self._qualifiers(code)
        for name in (*_matches(_TYPE, unknown), *(one for one in names if _declares(one, code))):
            if name not in self.declarations:
                self._type(name)
        if len(self.declarations) == before:
            for name in names:
                if name not in self.declarations:
                    self._name(name, code)
            for name in _matches(_CALL, unknown):
                if name not in self.declarations:
                    self._call(name, code)
        return len(self.declarations) > before

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.declarations.values())

    def _add(self, name: str, declaration: str, what: str) -> None:
        self.declarations[name] = declaration
        self.notes[name] = what

    def _qualifiers(self, code: str) -> None:
        for match in _QUALIFIER.finditer(code):
            name = match[1] or match[2]
            if name not in (*self.declarations, "else", "return", "typedef", "case", "do", "goto"):
                self._add(name, f"#define {name}", f"the unknown word '{name}' in declarations is taken to say nothing")

    def _type(self, name: str) -> None:
        kind = "int" if _WHOLE.search(name) else "float" if _SINGLE.search(name) else "double"
        self._add(name, f"typedef {kind} {name};", f"the unknown type '{name}' is taken as {kind}")

    def _name(self, name: str, code: str) -> None:
        if re.search(rf"\b{name}\s*(?:\[[^\]]*\]\s*)*(?:->|\.\s*[A-Za-z_])", code):
            return  # a struct: its members are unknown
        rank = _rank(name, code)
        kind = "int" if not rank or _WHOLE_ARRAY.search(name) else "double"
        what = "an array of " if rank else ""
        self._add(
            name, f"extern {kind} {'*' * rank}{name};", f"the undeclared identifier '{name}' is taken as {what}{kind}"
        )

    def _call(self, name: str, code: str) -> None:
        """Declares a called name: MIN, MAX, ABS and SQR by their usual meaning; other calls stay external."""
        plain = name.lower().rsplit("_", 1)[-1]
        if plain in _MACROS and _arguments(name, code) == 2:
            self._add(name, f"#define {name}(a, b) {_MACROS[plain]}", f"the undeclared '{name}' is taken as {plain}")
        elif plain in ("abs", "sqr", "square") and _arguments(name, code) == 1:
            text = _ABS if plain == "abs" else _SQUARE
            self._add(name, f"#define {name}(a) {text}", f"the undeclared '{name}' is taken as {plain}")


def _matches(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(found[1] for text in texts if (found := pattern.search(text))))


def _declares(name: str, code: str) -> bool:
    """Whether a name is used as a type: `real *a;`, `real x = 0`."""
    start = r"(?:^|[;{}(,])\s*(?:(?:const|static|register|volatile|extern)\s+)*"
    body = rf"{name}\b(?:\s+const\b)?\s*(?:\s|\*)\s*\**\s*(?:restrict\s+|__restrict\w*\s+)?[A-Za-z_]\w*\s*[;,=\[)]"
    return re.search(start + body, code, re.MULTILINE) is not None


def _rank(name: str, code: str) -> int:
    """The number of subscripts after a name."""
    found = 0
    for match in re.finditer(rf"\b{name}\s*(?=\[)", code):
        place, rank = match.end(), 0
        while place < len(code) and code[place] == "[" and rank < _MAX_RANK:
            place = _behind(code, place)
            rank += 1
            while place < len(code) and code[place].isspace():
                place += 1
        found = max(found, rank)
    return found


def _arguments(name: str, code: str) -> int:
    """The number of arguments of the first call."""
    match = re.search(rf"\b{name}\s*(?=\()", code)
    if match is None:
        return 0
    inside = code[match.end() + 1 : _behind(code, match.end()) - 1]
    depth, commas = 0, 0
    for character in inside:
        depth += (character in "([{") - (character in ")]}")
        commas += character == "," and not depth
    return commas + 1


def _behind(code: str, place: int) -> int:
    """The position after the bracket that matches the one at `place`."""
    depth = 0
    for at in range(place, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if not depth:
            return at + 1
    return len(code)
