"""Reads the loops of a free-form Fortran text, line by line: `do … end do` with their offsets, so that edits leave the
rest as the user wrote it. Labelled loops, `do concurrent` and several statements on a line are not read."""

from __future__ import annotations

import re

from foretell.records import record
from foretell.transform.text.effects import Effects
from foretell.transform.text.source import Edit, Head, Piece, SourceFunction, SourceLoop

_NAME = r"[A-Za-z]\w*"
_UNIT = re.compile(
    rf"\s*(?:(?!end\b)[\w()*=, ]+?\s)?(?:subroutine|function|program)\s+(?P<name>{_NAME})", re.IGNORECASE
)
_END_UNIT = re.compile(r"\s*end\s*(?:(?:subroutine|function|program)\b.*)?\Z", re.IGNORECASE)
_DO = re.compile(rf"\s*do\s+(?P<variable>{_NAME})\s*=(?P<bounds>.*)\Z", re.IGNORECASE | re.DOTALL)
_OPENS = re.compile(
    r"\s*(?:\w+\s*:\s*)?(?:(?P<do>do\b)|(?P<if>if\b.*\bthen\s*\Z)|(?P<select>select\b)|(?P<where>where\s*\(.*\)\s*\Z)|"
    r"(?P<block>block\s*\Z)|(?P<associate>associate\b))",
    re.IGNORECASE | re.DOTALL,
)
_CLOSES = re.compile(r"\s*end\s*(?:do|if|select|where|block|associate|forall)\b", re.IGNORECASE)
_DECLARES = re.compile(
    r"\s*(?:implicit|use|integer|real|double|complex|logical|character|parameter|dimension|type|intent|import)\b", re.I
)
_OBSTACLE = re.compile(
    r"\b(call|exit|cycle|return|stop|goto|go\s+to|write|read|print|allocate|deallocate)\b(?!\s*=)", re.IGNORECASE
)
_ASSIGNS = re.compile(
    rf"\s*(?:if\s*\(.*\)\s*)?(?P<name>{_NAME})\s*(?P<array>[(%].*?)?(?<![=<>/])=(?!=)", re.I | re.DOTALL
)
_NUMBER = re.compile(r"[+-]?\d+\Z")
_LABELLED = re.compile(rf"^[ \t\d]*(?P<word>do)\s+(?P<label>\d+)\s*,?\s*{_NAME}\s*=", re.IGNORECASE | re.MULTILINE)


@record
class Line:
    """A logical line: its text without comments, its offsets and line numbers."""

    text: str
    start: int
    end: int
    line: int
    last_line: int
    #: an OpenMP or OpenACC directive stands before it
    directive: bool = False


def logical_lines(text: str) -> list[Line]:
    """Lines joined at `&`, comments as spaces."""
    result: list[Line] = []
    offset, joined, directive = 0, "", False
    start = first = 0
    for number, raw in enumerate(text.split("\n"), 1):
        plain = re.sub(r"!.*", lambda match: " " * len(match[0]), raw)
        if not plain.strip():
            directive = raw.strip().lower().startswith(("!$omp", "!$acc")) or (directive and not raw.strip())
        else:
            if not joined:
                start, first = offset + len(plain) - len(plain.lstrip()), number
            joined += " " + plain.strip().strip("&")
            if not plain.rstrip().endswith("&"):
                result.append(Line(joined.strip(), start, offset + len(plain.rstrip()), first, number, directive))
                joined, directive = "", False
        offset += len(raw) + 1
    return result


def read_functions(text: str) -> tuple[SourceFunction, ...]:
    """The subroutines, functions and programs of a text."""
    lines, result, at = logical_lines(text), [], 0
    while at < len(lines):
        unit = _UNIT.match(lines[at].text)
        if unit is None:
            at += 1
            continue
        opening = lines[at]
        pieces, at = _pieces(lines, at + 1)
        end = lines[min(at, len(lines) - 1)].end
        result.append(SourceFunction(unit["name"].lower(), opening.start, opening.end, opening.end, end, pieces))
        at += 1
    return tuple(result)


def _pieces(lines: list[Line], at: int) -> tuple[tuple[Piece, ...], int]:
    """Statements up to the end of a construct or a unit, and the number of that line."""
    result = []
    while at < len(lines):
        here = lines[at]
        if _CLOSES.match(here.text) or _END_UNIT.match(here.text) or re.match(r"\s*(else|contains)\b", here.text, re.I):
            break
        if not _OPENS.match(here.text):
            result.append(Piece(here.start, here.end, here.line, here.last_line))
            at += 1
            continue
        piece, at = _construct(lines, at)
        result.append(piece)
    return tuple(result), at


def _construct(lines: list[Line], at: int) -> tuple[Piece, int]:
    here, do = lines[at], _DO.match(lines[at].text)
    inner, at = _pieces(lines, at + 1)
    while at < len(lines) and re.match(r"\s*else", lines[at].text, re.IGNORECASE):
        more, at = _pieces(lines, at + 1)
        inner += more
    last = lines[min(at, len(lines) - 1)]
    kind = "" if do else "if"
    if do is None:
        return Piece(here.start, last.end, here.line, last.last_line, None, kind, inner), at + 1
    head, reason = _head(do["variable"], do["bounds"])
    start = here.start + do.start("variable")
    body = (inner[0].start, inner[-1].end) if inner else (last.start, last.start)
    loop = SourceLoop(
        head, here.start, last.end, here.line, last.last_line, start, here.end, *body, inner, reason, here.directive
    )
    return Piece(here.start, last.end, here.line, last.last_line, loop), at + 1


def _head(variable: str, bounds: str) -> tuple[Head | None, str]:
    parts, depth = [""], 0
    for letter in bounds:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    words = [part.strip() for part in parts]
    if len(words) not in (2, 3) or not all(words):
        return None, "its head lacks a bound"
    step = words[2] if len(words) == 3 else "1"
    if not _NUMBER.match(step) or int(step) == 0:
        return None, "its step is no constant number"
    return Head(variable, "", words[0], "<=" if int(step) > 0 else ">=", words[1], int(step)), ""


def labelled_loops(text: str) -> list[tuple[int, str]]:
    """Lines and labels of loops that end at a label, in free and in fixed form."""
    return [(text.count("\n", 0, one.start("word")) + 1, one["label"]) for one in _LABELLED.finditer(text)]


def effects(text: str, line: int = 1) -> Effects:
    """Scalars and array elements that statements set, and what keeps them from being moved."""
    scalars, stores, obstacle = set(), 0, ""
    for one in logical_lines(text):
        if found := _OBSTACLE.search(one.text):
            obstacle = obstacle or f"line {line + one.line - 1}: {found[1].lower()}"
        if ";" in one.text:
            obstacle = obstacle or f"line {line + one.line - 1}: several statements stand on one line"
        if not _OPENS.match(one.text) and (found := _ASSIGNS.match(one.text)):
            stores += bool(found["array"])
            if not found["array"]:
                scalars.add(found["name"].lower())
    return Effects(frozenset(), frozenset(scalars), stores, obstacle)


def is_declaration(line: Line) -> bool:
    """Whether a line declares names."""
    return _DECLARES.match(line.text) is not None


def declaration(text: str, function: SourceFunction, names: list[str], kind: str = "integer") -> Edit:
    """Declares variables before the first statement of a unit."""
    inside = [one for one in logical_lines(text) if function.start <= one.start < function.end]
    before = [one for one in inside if is_declaration(one)]
    at = before[-1].end if before else function.start
    return Edit(at, at, f"\n  {kind} :: {', '.join(names)}")
