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
#: statements that open the other kinds of units
_OPENINGS: dict[Kind, re.Pattern[str]] = {
    "module": re.compile(r"module\s+(?!procedure\b|subroutine\b|function\b)(?P<name>[a-z]\w*)\s*$", re.IGNORECASE),
    "procedure": re.compile(r"module\s+procedure\s+(?P<name>[a-z]\w*)\s*$", re.IGNORECASE),
    "submodule": re.compile(r"submodule\s*\(\s*(?P<parent>\w+)[^)]*\)\s*(?P<name>[a-z]\w*)", re.IGNORECASE),
    "program": re.compile(r"program\s+(?P<name>[a-z]\w*)\s*$", re.IGNORECASE),
    "block data": re.compile(r"block\s*data\b\s*(?P<name>\w*)\s*$", re.IGNORECASE),
}
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
    return _Splitter(statements).units


class _Splitter:
    def __init__(self, statements: Sequence[Statement]) -> None:
        self.units: list[ProgramUnit] = []
        self.open: list[ProgramUnit] = []
        self.containing: list[bool] = []
        self.interfaces = 0
        self.in_type = False
        for statement in statements:
            self._feed(statement)
        while self.open:
            self._close(statements[-1].line + 1, f" before the file ends after line {statements[-1].line}")

    def _feed(self, statement: Statement) -> None:
        text = statement.text
        if text[0].lower() in _LETTERS and self._structure(statement, text):
            return
        if not self.open:
            self._start("program", "main", statement.line).statements.append(Statement("program main", statement.line))
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
        kind, identifier = opened
        name = identifier["name"] or "block_data"
        unit = self._start(kind, name, statement.line)
        if kind == "procedure":  # its arguments are in the interface of the parent module
            statement = Statement(f"subroutine {name}", statement.line)
        elif kind == "submodule":
            unit.parent_module = identifier["parent"].lower()
        unit.statements.append(statement)
        return True

    def _nested(self, text: str) -> bool:
        """Tracks interface blocks and derived types, whose contents are no structure."""
        if _INTERFACE.match(text):
            self.interfaces += 1
        elif _END_INTERFACE.match(text):
            self.interfaces = max(0, self.interfaces - 1)
        elif _TYPE.match(text):
            self.in_type = True
        elif _END_TYPE.match(text):
            self.in_type = False
        else:
            self.in_type = self.in_type and not (_opening(text) or _END.match(text))
            return self.in_type
        return True

    def _start(self, kind: Kind, name: str, line: int) -> ProgramUnit:
        while self.open and (not self.containing[-1] or kind in ("module", "submodule", "program")):
            self._close(line, f" before line {line}")
        unit = ProgramUnit(kind, name.lower(), line, line)
        (self.open[-1].children if self.open else self.units).append(unit)
        self.open.append(unit)
        self.containing.append(False)
        return unit

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
        while kind and not _closes(kind, self.open[-1]) and any(_closes(kind, unit) for unit in self.open):
            self._close(statement.line, "")
        procedure = self.open[-1].kind == "procedure"
        self.open[-1].statements.append(Statement("end subroutine", statement.line) if procedure else statement)
        self._close(statement.line)

    def _close(self, line: int, where: str | None = None) -> None:
        """Closes the innermost unit; `where` says in which place its END is missing."""
        unit = self.open.pop()
        self.containing.pop()
        unit.end_line = line
        if where is not None:
            unit.troubles.append(Trouble(unit.line, f"{unit.kind} {unit.name} has no END{where}"))
            kind = "subroutine" if unit.kind == "procedure" else unit.kind
            unit.statements.append(Statement(f"end {kind}", line))
            unit.end_line = max(unit.line, line - 1)
            self.interfaces = 0
            self.in_type = False

    def _trouble(self, line: int, message: str) -> None:
        if self.open:
            self.open[-1].troubles.append(Trouble(line, message))


def _closes(kind: str, unit: ProgramUnit) -> bool:
    return kind == unit.kind or (kind == "procedure" and unit.kind in ("subroutine", "function", "procedure"))


def _opening(text: str) -> tuple[Kind, re.Match[str]] | None:
    """Kind of the unit that this statement opens, and the match with its name."""
    lowered = text.lower()
    if ("subroutine" in lowered or "function" in lowered) and (found := _SUBPROGRAM.match(text)):
        return ("subroutine" if found["kind"].lower() == "subroutine" else "function"), found
    return next(((kind, found) for kind, pattern in _OPENINGS.items() if (found := pattern.match(text))), None)
