"""Declares undeclared names, with types inferred from their use, as a header to be included first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.frontends.c.parse.macros import split_brackets

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
#: Macros that most programs define themselves: parameters and meaning.
_MACROS = {
    "min": ("(a, b)", "((a) < (b) ? (a) : (b))"),
    "max": ("(a, b)", "((a) > (b) ? (a) : (b))"),
    "abs": ("(a)", "((a) < 0 ? -(a) : (a))"),
    "sqr": ("(a)", "((a) * (a))"),
    "square": ("(a)", "((a) * (a))"),
}
_MAX_RANK = 6
_OPENING = re.compile(r"\s*\[")


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
        for name in (*_matches(_TYPE, unknown), *(name for name in names if _declares(name, code))):
            kind = "int" if _WHOLE.search(name) else "float" if _SINGLE.search(name) else "double"
            self._add(name, f"typedef {kind} {name};", f"the unknown type '{name}' is assumed to be {kind}")
        if len(self.declarations) == before:
            for name in names:
                self._name(name, code)
            for name in _matches(_CALL, unknown):
                self._call(name, code)
        return len(self.declarations) > before

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.declarations.values())

    def _add(self, name: str, declaration: str, note: str) -> None:
        if name not in self.declarations:
            self.declarations[name] = declaration
            self.notes[name] = note

    def _qualifiers(self, code: str) -> None:
        for match in _QUALIFIER.finditer(code):
            name = match[1] or match[2]
            if name not in ("else", "return", "typedef", "case", "do", "goto"):
                self._add(name, f"#define {name}", f"the unknown word '{name}' in declarations is assumed empty")

    def _name(self, name: str, code: str) -> None:
        if re.search(rf"\b{name}\s*(?:\[[^\]]*\]\s*)*(?:->|\.\s*[A-Za-z_])", code):
            return  # a struct: its members are unknown
        rank = _rank(name, code)
        kind = "int" if not rank or _WHOLE_ARRAY.search(name) else "double"
        note = f"the undeclared identifier '{name}' is assumed to be {'an array of ' if rank else ''}{kind}"
        self._add(name, f"extern {kind} {'*' * rank}{name};", note)

    def _call(self, name: str, code: str) -> None:
        """Declares a called name: MIN, MAX, ABS and SQR by their usual meaning; other calls stay external."""
        plain = name.lower().rsplit("_", 1)[-1]
        parameters, text = _MACROS.get(plain, ("", ""))
        if text and _arguments(name, code) == parameters.count(",") + 1:
            self._add(name, f"#define {name}{parameters} {text}", f"the undeclared '{name}' is assumed to be {plain}")


def _matches(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(match[1] for text in texts if (match := pattern.search(text))))


def _declares(name: str, code: str) -> bool:
    """Whether a name is used as a type: `real *a;`, `real x = 0`."""
    start = r"(?:^|[;{}(,])\s*(?:(?:const|static|register|volatile|extern)\s+)*"
    body = rf"{name}\b(?:\s+const\b)?\s*(?:\s|\*)\s*\**\s*(?:restrict\s+|__restrict\w*\s+)?[A-Za-z_]\w*\s*[;,=\[)]"
    return re.search(start + body, code, re.MULTILINE) is not None


def _rank(name: str, code: str) -> int:
    """The number of subscripts after a name."""
    ranks = [0]
    for match in re.finditer(rf"\b{name}(?=\s*\[)", code):
        position, rank = match.end(), 0
        while rank < _MAX_RANK and (opening := _OPENING.match(code, position)) is not None:
            position = split_brackets(code, opening.end(), ",")[1] + 1
            rank += 1
        ranks.append(rank)
    return max(ranks)


def _arguments(name: str, code: str) -> int:
    """The number of arguments of the first call."""
    match = re.search(rf"\b{name}\s*\(", code)
    return len(split_brackets(code, match.end(), ",")[0]) if match is not None else 0
