"""Groups statements into program units, so that a malformed unit cannot absorb the next one.

A unit has its own statements (header and END included, contained procedures and their CONTAINS excluded) and its
contained procedures as children.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from foretell.frontends.fortran.text.statements import Statement, Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["module", "submodule", "program", "subroutine", "function", "procedure", "block data"]


@dataclass(slots=True)
class ProgramUnit:
    """One program unit and its contained procedures."""

    kind: Kind
    name: str
    line: int
    end_line: int
    statements: list[Statement] = field(default_factory=list)
    children: list[ProgramUnit] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    #: the module that a submodule extends
    parent_module: str = ""


#: prefixes of SUBROUTINE or FUNCTION. No blank can match in two ways: backtracking would be exponential
_PREFIX = (
    r"(?:(?:recursive|pure|elemental|impure|module|non_recursive|double\s*precision|double\s*complex|"
    r"(?:attributes|real|integer|logical|complex|character|type|class)"
    r"(?:\s*\*\s*\d+|\s*\*?\s*\((?:[^()]|\([^()]*\))*\))?)\s*)*"
)
_SUBPROGRAM = re.compile(rf"{_PREFIX}(?P<kind>subroutine|function)\s+(?P<name>[a-z]\w*)", re.IGNORECASE)
_MODULE = re.compile(r"module\s+(?!procedure\b|subroutine\b|function\b)(?P<name>[a-z]\w*)\s*$", re.IGNORECASE)
_MODULE_PROCEDURE = re.compile(r"module\s+procedure\s+(?P<name>[a-z]\w*)\s*$", re.IGNORECASE)
_SUBMODULE = re.compile(r"submodule\s*\(\s*(?P<parent>\w+)[^)]*\)\s*(?P<name>[a-z]\w*)", re.IGNORECASE)
_PROGRAM = re.compile(r"program\s+(?P<name>[a-z]\w*)\s*$", re.IGNORECASE)
_BLOCK_DATA = re.compile(r"block\s*data\b\s*(?P<name>\w*)\s*$", re.IGNORECASE)
_END = re.compile(
    r"end\s*(?:(?P<kind>subroutine|function|program|module|submodule|procedure|block\s*data)\b\s*(?P<name>\w*))?\s*$",
    re.IGNORECASE,
)
_INTERFACE = re.compile(r"(?:abstract\s+)?interface\b(?!\s*[=(%])", re.IGNORECASE)
_END_INTERFACE = re.compile(r"end\s*interface\b", re.IGNORECASE)
_CONTAINS = re.compile(r"contains\s*$", re.IGNORECASE)
_TYPE = re.compile(r"type\s*(?:,[^:]*::|::|\s)\s*[a-z]\w*\s*$", re.IGNORECASE)
_END_TYPE = re.compile(r"end\s*type\b", re.IGNORECASE)

#: the first letters of all relevant statements; others are skipped without a regular expression
_LETTERS = frozenset("abcdefilmnprst")


def split_units(statements: Sequence[Statement]) -> list[ProgramUnit]:
    """The top-level program units of a file, in order."""
    splitter = _Splitter()
    for statement in statements:
        splitter.feed(statement)
    splitter.finish()
    return splitter.units


class _Splitter:
    def __init__(self) -> None:
        self.units: list[ProgramUnit] = []
        self.open: list[ProgramUnit] = []
        self.containing: list[bool] = []
        self.interfaces = 0
        self.in_type = False
        self.last_line = 1

    def feed(self, statement: Statement) -> None:
        self.last_line = statement.line
        text = statement.text
        if text[0].lower() in _LETTERS and self._structure(statement, text):
            return
        if not self.open:
            self._start("program", "main", statement.line, header=False)
        elif self.containing[-1]:
            self._trouble(statement.line, "a statement stands between CONTAINS and the first contained procedure")
            return
        self.open[-1].statements.append(statement)

    def _structure(self, statement: Statement, text: str) -> bool:
        """Handles a statement that opens, divides or closes a unit; False: it is an ordinary statement."""
        if self._nested(text):
            return False
        end = _END.match(text) if text[0] in "eE" else None
        if end is not None:
            self._end(statement, end)
            return True
        if self.interfaces:
            return False
        if _CONTAINS.match(text) and self.open and not self.containing[-1]:
            self.containing[-1] = True
            return True
        opened = _opening(text)
        if opened is None:
            return False
        kind, name = opened
        self._start(kind, name, statement.line, header=True)
        unit = self.open[-1]
        if kind == "procedure":  # its arguments are in the interface of the parent module
            statement = Statement(f"subroutine {name}", statement.line)
        elif kind == "submodule" and (found := _SUBMODULE.match(text)):
            unit.parent_module = found["parent"].lower()
        unit.statements.append(statement)
        return True

    def _nested(self, text: str) -> bool:
        """Tracks interface blocks and derived types, whose contents are no structure."""
        if _INTERFACE.match(text):
            self.interfaces += 1
            return True
        if _END_INTERFACE.match(text):
            self.interfaces = max(0, self.interfaces - 1)
            return True
        if _TYPE.match(text):
            self.in_type = True
            return True
        if _END_TYPE.match(text):
            self.in_type = False
            return True
        if self.in_type and (_opening(text) or _END.match(text)):
            self.in_type = False
        return self.in_type

    def _start(self, kind: Kind, name: str, line: int, *, header: bool) -> None:
        while self.open and not self.containing[-1]:
            self._close(line, f"{self.open[-1].kind} {self.open[-1].name} has no END before line {line}")
        if kind in ("module", "submodule", "program") and self.open:
            while self.open:
                self._close(line, f"{self.open[-1].kind} {self.open[-1].name} has no END before line {line}")
        unit = ProgramUnit(kind, name.lower(), line, line)
        if not header:
            unit.statements.append(Statement("program main", line))
        (self.open[-1].children if self.open else self.units).append(unit)
        self.open.append(unit)
        self.containing.append(False)

    def _end(self, statement: Statement, end: re.Match[str]) -> None:
        kind = re.sub(r"\s+", " ", (end["kind"] or "").lower())
        if self.interfaces and kind in ("module", "program", "submodule"):
            self._trouble(statement.line, "an INTERFACE block has no END INTERFACE")
            self.interfaces = 0
        if self.interfaces:
            if self.open:
                self.open[-1].statements.append(statement)
            return
        if not self.open:
            return
        while (
            len(self.open) > 1
            and kind
            and not _closes(kind, self.open[-1])
            and any(_closes(kind, u) for u in self.open)
        ):
            self._close(statement.line, f"{self.open[-1].kind} {self.open[-1].name} has no END")
        closing = self.open[-1]
        closing.statements.append(
            Statement("end subroutine", statement.line) if closing.kind == "procedure" else statement
        )
        self._close(statement.line, "")

    def _close(self, line: int, trouble: str) -> None:
        unit = self.open.pop()
        self.containing.pop()
        unit.end_line = line
        if trouble:
            unit.troubles.append(Trouble(unit.line, trouble))
            kind = "subroutine" if unit.kind == "procedure" else unit.kind
            unit.statements.append(Statement(f"end {kind}", line))
            unit.end_line = max(unit.line, line - 1)
            self.interfaces = 0
            self.in_type = False

    def _trouble(self, line: int, message: str) -> None:
        if self.open:
            self.open[-1].troubles.append(Trouble(line, message))

    def finish(self) -> None:
        while self.open:
            unit = self.open[-1]
            self._close(self.last_line + 1, f"{unit.kind} {unit.name} has no END before the file ends")


def _closes(kind: str, unit: ProgramUnit) -> bool:
    return kind == unit.kind or (kind == "procedure" and unit.kind in ("subroutine", "function", "procedure"))


def _opening(text: str) -> tuple[Kind, str] | None:
    """Kind and name of the unit that this statement opens."""
    lowered = text.lower()
    found = _SUBPROGRAM.match(text) if "subroutine" in lowered or "function" in lowered else None
    if found is not None:
        return ("subroutine" if found["kind"].lower() == "subroutine" else "function"), found["name"]
    if found := _MODULE.match(text):
        return "module", found["name"]
    if found := _MODULE_PROCEDURE.match(text):
        return "procedure", found["name"]
    if found := _SUBMODULE.match(text):
        return "submodule", found["name"]
    if found := _PROGRAM.match(text):
        return "program", found["name"]
    if found := _BLOCK_DATA.match(text):
        return "block data", found["name"] or "block_data"
    return None
