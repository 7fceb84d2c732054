"""Attributes clang's diagnostics to the functions that they make unreliable."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal

from foretell.frontends.c.parse.include_search import MISSING
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.frontends.c.parse.clang import Message, Tree
    from foretell.frontends.c.parse.text import Source

_WARNING, _ERROR = 2, 3
#: Messages beyond this number are only counted.
_MAX_SHOWN = 50
_UNDECLARED = re.compile(r"call to undeclared function '(\w+)'")


class Diagnostics:
    """The messages of one translation unit, each reported once."""

    def __init__(self, tree: Tree, source: Source, made_up: Mapping[str, str]) -> None:
        self._tree = tree
        self._source = source
        self._made_up = made_up
        self._missing = any(MISSING.search(message.text) for message in tree.messages)
        self._open = [message for message in tree.messages if message.severity >= _WARNING]
        self._own: list[ir.Diagnostic] = []
        self._tainted = self._find_tainted()

    def _find_tainted(self) -> dict[int, Message]:
        """Declarations outside of functions that contain an error: their users are unreliable, too."""
        tree = self._tree
        functions = [(tree.file[node], tree.line[node], tree.end_line[node]) for node, _ in tree.definitions()]
        errors: dict[tuple[int, int], Message] = {}
        for message in self._open:
            if message.severity < _ERROR or MISSING.search(message.text):
                continue
            if not any(file == message.file and first <= message.line <= last for file, first, last in functions):
                errors[message.file, message.line] = message
        lines = sorted(errors)
        result: dict[int, Message] = {}
        for index, declaration in enumerate(tree.declarations if lines else ()):
            position = bisect_left(lines, (declaration.file, declaration.line))
            if position < len(lines) and lines[position] <= (declaration.file, declaration.end_line):
                result[index] = errors[lines[position]]
        return result

    def inside(self, function: int) -> tuple[ir.Diagnostic, ...]:
        """The errors inside a function and in the declarations that it uses, and the assumptions about those."""
        tree = self._tree
        file, first, last = tree.file[function], tree.line[function], tree.end_line[function]
        result, rest = [], []
        for message in self._open:
            inside = message.file == file and first <= message.line <= last
            # with a header missing, an undeclared function may be a macro
            if inside and (message.severity >= _ERROR or (self._missing and _UNDECLARED.search(message.text))):
                result.append(self._lowered(message))
            else:
                rest.append(message)
        self._open = rest
        if self._tainted:
            used = {tree.ref[node] for node in range(function, tree.end[function])}
            for index in sorted(used & self._tainted.keys()):
                message = self._tainted[index]
                name = tree.declarations[index].name
                text = f"uses {name!r}, whose declaration has an error: {message.text}"
                result.append(ir.Diagnostic(self._file(message.file), message.line, text, "error"))
        return _bounded([*result, *self._assumed(file, first, last)])

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

    def add(self, node: int, text: str, severity: Literal["note", "warning", "error"]) -> None:
        """Adds a message of the front end."""
        self._own.append(ir.Diagnostic(self._file(self._tree.file[node]), self._tree.line[node], text, severity))

    def elsewhere(self) -> tuple[ir.Diagnostic, ...]:
        """Messages that belong to no function; valid after all functions have been queried."""
        return _bounded([*map(self._lowered, self._open), *self._own])

    def _lowered(self, message: Message) -> ir.Diagnostic:
        text = message.text
        if missing := MISSING.search(text):
            text = f"the header {missing[1]!r} was not found; give its folder with -I"
        if undeclared := _UNDECLARED.search(text):
            text = f"call to undeclared function {undeclared[1]!r}"
            text += "; it may be a macro of a missing header" if self._missing else ", assumed to return int"
        severity: Literal["warning", "error"] = "error" if message.severity >= _ERROR else "warning"
        return ir.Diagnostic(self._file(message.file), message.line, text, severity)

    def _file(self, file: int) -> str:
        return self._tree.files[file] if file >= 0 else ""


def _bounded(messages: list[ir.Diagnostic]) -> tuple[ir.Diagnostic, ...]:
    messages = list(dict.fromkeys(messages))
    if len(messages) <= _MAX_SHOWN:
        return tuple(messages)
    last = messages[_MAX_SHOWN - 1]
    more = ir.Diagnostic(last.file, last.line, f"{len(messages) - _MAX_SHOWN} more messages like these", "note")
    return (*messages[:_MAX_SHOWN], more)
