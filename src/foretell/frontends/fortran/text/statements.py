"""Splits free-form lines into statements: joins continuations, drops comments, splits at `;`, closes labelled DOs.

One statement has one line number, that of its first line. Directives (`!$omp`, `!$acc`, `!$foretell`, `!dir$`)
are collected separately, with their first line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@record
class Statement:
    """One statement without its label, on one line of text."""

    text: str
    line: int
    label: str = ""


@record
class DirectiveLine:
    """The text of a directive after its comment sign: `$omp parallel do private(i)`, `dir$ ivdep`."""

    text: str
    line: int


@record
class Trouble:
    """An error in the text, found before parsing."""

    line: int
    message: str


def brackets(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Position, character and bracket depth behind it of everything outside character constants, from `start` on."""
    depth, quote = 0, ""
    for position in range(start, len(text)):
        character = text[position]
        if quote or character in "'\"":
            quote = "" if character == quote else quote or character
            continue
        depth += (character in "([") - (character in ")]")
        yield position, character, depth


def closing(text: str, start: int = 0) -> int:
    """The position after the parenthesis that matches the first one from `start` on."""
    return next(
        (position + 1 for position, sign, depth in brackets(text, start) if sign == ")" and not depth), len(text)
    )


def split(text: str, separator: str) -> list[str]:
    """Splits a text at separators outside of brackets and quotes."""
    ends = [position for position, sign, depth in brackets(text) if sign == separator and not depth]
    return [text[start + 1 : end] for start, end in zip([-1, *ends], [*ends, len(text)], strict=True)]


_DIRECTIVE = re.compile(r"!(\$(?:omp|acc|foretell)\b|(?:dir|dec|ibm|pgi|gcc)\$)(&?)(.*)", re.IGNORECASE)
_PIECES = re.compile(r"""[^'"!;]+|['"!;]""")
_LABEL = re.compile(r"(\d{1,5})\s*(?=[^\s\d=+\-*/])")


class Scanner:
    """Joins free-form lines to statements; `parts` is the current statement."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.statements: list[Statement] = []
        self.directives: list[DirectiveLine] = []
        self.troubles: list[Trouble] = []
        self.parts: list[str] = []
        self.line = 0
        self.quote = ""
        self.continued = False
        for number, line in enumerate(lines, 1):
            self._feed(number, line)
        if self.quote:
            self.troubles.append(Trouble(self.line, "a character constant is not closed before the file ends"))
            self.parts.append(self.quote)
        self._flush()

    def _feed(self, number: int, line: str) -> None:
        text = line.strip()
        if not text or (text[0] == "!" and not self.quote) or (line[0] == "#"):
            if text[:1] == "!":
                self._directive(number, text)
            return
        if self.continued:
            if text[0] == "&":
                text = text[1:]
            elif self.quote:
                text = line
        else:
            self._flush()
            self.line = number
        self._pieces(text, number)

    def _pieces(self, text: str, number: int) -> None:
        """Splits one line at `;`, removes its comment, and detects a continuation."""
        code = self._scan_quotes(text, number) if self.quote or any(sign in text for sign in "'\"!;") else text
        stripped = code.rstrip()
        self.continued = stripped.endswith("&")
        if self.continued:
            code = stripped[:-1]
        elif self.quote:
            self.troubles.append(Trouble(number, "a character constant is not closed on this line"))
            code, self.quote = code + self.quote, ""
        self.parts.append(code)

    def _scan_quotes(self, text: str, number: int) -> str:
        start = 0
        for found in _PIECES.finditer(text):
            piece = found[0]
            if self.quote:
                self.quote = "" if piece == self.quote else self.quote
            elif piece == "!":
                return text[start : found.start()]
            elif piece == ";":
                self.parts.append(text[start : found.start()])
                self._flush()
                self.line = number
                start = found.end()
            elif piece in ("'", '"'):
                self.quote = piece
        return text[start:]

    def _directive(self, number: int, text: str) -> None:
        found = _DIRECTIVE.match(text)
        if found is None:
            return
        last = self.directives[-1] if self.directives else None
        body = found[3].strip()
        if last is not None and last.text.endswith("&"):
            self.directives[-1] = DirectiveLine(last.text[:-1].rstrip() + " " + body.lstrip("& "), last.line)
        elif found[2] and last is not None:
            self.directives[-1] = DirectiveLine(last.text + " " + body, last.line)
        else:
            self.directives.append(DirectiveLine(f"{found[1].lower()} {body}", number))

    def _flush(self) -> None:
        text = "".join(self.parts).strip()
        self.parts.clear()
        if not text:
            return
        label = ""
        if text[0].isdigit() and (found := _LABEL.match(text)):
            label, text = found[1].lstrip("0") or "0", text[found.end() :]
        self.statements.append(Statement(text, self.line, label))


# ------------------------------------------------------------------------------------------- labelled DO

_LABEL_DO = re.compile(
    r"(?P<name>[a-z]\w*\s*:\s*)?do\s*(?P<label>\d{1,5})\s*,?\s*(?P<rest>while\s*\(.*|concurrent\s*\(.*|[a-z]\w*\s*=[^=].*,.*|)$",
    re.IGNORECASE,
)
_END_DO = re.compile(r"end\s*do\b", re.IGNORECASE)
_UNIT_END = re.compile(r"end\s*(?:(?:subroutine|function|program|module|procedure)\b.*)?$", re.IGNORECASE)


def close_labelled_loops(statements: Sequence[Statement]) -> tuple[list[Statement], list[Trouble]]:
    """Rewrites `DO 10 i = …` as `DO i = …`, with an END DO after the labelled statement (one per loop)."""
    out: list[Statement] = []
    troubles: list[Trouble] = []
    open_loops: list[tuple[str, int]] = []
    for statement in statements:
        text = statement.text
        if text[:2].lower() == "do" or ":" in text:
            found = _LABEL_DO.match(text)
            if found is not None:
                open_loops.append((found["label"].lstrip("0"), statement.line))
                head = f"{found['name'] or ''}do {found['rest']}".rstrip()
                out.append(Statement(head, statement.line, statement.label))
                continue
        if open_loops and _UNIT_END.match(text):
            troubles += [Trouble(line, f"DO {label} has no statement labelled {label}") for label, line in open_loops]
            out += [Statement("end do", statement.line) for _ in open_loops]
            open_loops.clear()
        out.append(statement)
        if open_loops and statement.label:
            _close(statement, open_loops, out)
    return out, troubles


def _close(statement: Statement, open_loops: list[tuple[str, int]], out: list[Statement]) -> None:
    count = 0
    while open_loops and open_loops[-1][0] == statement.label:
        open_loops.pop()
        count += 1
    if count and _END_DO.match(statement.text):
        count -= 1
    out.extend(Statement("end do", statement.line) for _ in range(count))
