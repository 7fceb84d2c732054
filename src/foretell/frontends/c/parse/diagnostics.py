"""Attributes clang's diagnostics to the functions that they make unreliable."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal

from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.frontends.c.parse.clang import Message, Tree
    from foretell.frontends.c.parse.text import Source

_WARNING, _ERROR = 2, 3
#: Messages beyond this number are only counted.
_MAX_SHOWN = 50
_MISSING = re.compile(r"'(.+)' file not found")
_UNDECLARED = re.compile(r"call to undeclared function '(\w+)'")


class Diagnostics:
    """The messages of one translation unit, each reported once."""

    def __init__(self, tree: Tree, source: Source, made_up: Mapping[str, str]) -> None:
        self._tree = tree
        self._source = source
        self._made_up = made_up
        self._missing = any(_MISSING.search(message.text) for message in tree.messages)
        self._open = [message for message in tree.messages if message.severity >= _WARNING]
        self._own: list[ir.Diagnostic] = []
        self._tainted = self._find_tainted()

    def _find_tainted(self) -> dict[int, Message]:
        """Declarations outside of functions that contain an error: their users are unreliable, too."""
        tree = self._tree
        functions = [
            (tree.file[node], tree.line[node], tree.end_line[node])
            for node in tree.roots()
            if tree.kind[node] == Kind.FUNCTION and tree.body(node) is not None
        ]
        lines: dict[int, dict[int, Message]] = {}
        for message in self._open:
            if message.severity < _ERROR or _MISSING.search(message.text):
                continue
            if any(file == message.file and first <= message.line <= last for file, first, last in functions):
                continue
            lines.setdefault(message.file, {})[message.line] = message
        ordered = {file: sorted(found) for file, found in lines.items()}
        result: dict[int, Message] = {}
        for index, declaration in enumerate(tree.declarations):
            found = ordered.get(declaration.file, [])
            place = bisect_left(found, declaration.line)
            if place < len(found) and found[place] <= declaration.end_line:
                result[index] = lines[declaration.file][found[place]]
        return result

    def inside(self, function: int) -> tuple[ir.Diagnostic, ...]:
        """The errors inside a function and in the declarations that it uses, and the assumptions about those."""
        tree = self._tree
        file, first, last = tree.file[function], tree.line[function], tree.end_line[function]
        found, rest = [], []
        for message in self._open:
            inside = message.file == file and first <= message.line <= last
            severity = self._severity(message) if inside else None
            if severity is not None:
                found.append(self._lowered(message, severity))
            else:
                rest.append(message)
        self._open = rest
        if self._tainted:
            used = {tree.ref[node] for node in range(function, tree.end[function])}
            for index in sorted(used & self._tainted.keys()):
                message = self._tainted[index]
                name = tree.declarations[index].name
                text = f"uses {name!r}, whose declaration has an error: {message.text}"
                found.append(ir.Diagnostic(self._file(message.file), message.line, text, "error"))
        return _bounded([*found, *self._assumed(file, first, last)])

    def _assumed(self, file: int, first: int, last: int) -> list[ir.Diagnostic]:
        """Assumptions about undeclared names that a function uses."""
        if not self._made_up or self._file(file) != str(self._source.path):
            return []
        text = self._source.between(first, last)
        return [
            ir.Diagnostic(self._file(file), first, note, "warning")
            for name, note in self._made_up.items()
            if re.search(rf"\b{name}\b", text)
        ]

    def _severity(self, message: Message) -> Literal["warning", "error"] | None:
        """The severity of a message inside a function: with a header missing, an undeclared function may be a macro."""
        if message.severity >= _ERROR:
            return "error"
        return "warning" if self._missing and _UNDECLARED.search(message.text) else None

    def add(self, node: int, text: str, severity: Literal["note", "warning", "error"]) -> None:
        """Adds a message of the front end."""
        self._own.append(ir.Diagnostic(self._file(self._tree.file[node]), self._tree.line[node], text, severity))

    def elsewhere(self) -> tuple[ir.Diagnostic, ...]:
        """Messages that belong to no function; valid after all functions have been queried."""
        return _bounded(
            [self._lowered(m, "error" if m.severity >= _ERROR else "warning") for m in self._open] + self._own
        )

    def _lowered(self, message: Message, severity: Literal["warning", "error"]) -> ir.Diagnostic:
        text = message.text
        missing = _MISSING.search(text)
        if missing:
            text = f"the header {missing[1]!r} was not found; give its folder with -I"
        undeclared = _UNDECLARED.search(text)
        if undeclared:
            text = f"call to undeclared function {undeclared[1]!r}"
            text += "; it may be a macro of a missing header" if self._missing else ", taken to return int"
        return ir.Diagnostic(self._file(message.file), message.line, text, severity)

    def _file(self, file: int) -> str:
        return self._tree.files[file] if file >= 0 else ""


def _bounded(found: list[ir.Diagnostic]) -> tuple[ir.Diagnostic, ...]:
    found = list(dict.fromkeys(found))
    if len(found) <= _MAX_SHOWN:
        return tuple(found)
    last = found[_MAX_SHOWN - 1]
    more = ir.Diagnostic(last.file, last.line, f"{len(found) - _MAX_SHOWN} more messages like these", "note")
    return (*found[:_MAX_SHOWN], more)
