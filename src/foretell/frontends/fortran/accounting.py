"""Checks that no loop is lost: every loop statement in the text is in the IR, or in an `Opaque` or an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.fortran.text.statements import closing
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.frontends.fortran.text.statements import Statement

_LOOP = re.compile(
    r"(?:[a-z]\w*\s*:\s*)?"
    r"(?:do(?:\s*while\s*\(|\s*concurrent\s*\(|\s*$|\s+[a-z]\w*\s*=(?!=).*,)|(?:where|forall)\s*\((?!.*\)\s*=\s*\S+$))",
    re.IGNORECASE,
)
_IMPLIED = re.compile(r"(?:[a-z]\w*\s*:\s*)?(?:do\s*concurrent|where|forall)\s*\(", re.IGNORECASE)
_ONE_LINE = re.compile(r"(?:where|forall)\s*\(", re.IGNORECASE)


def is_loop(text: str) -> bool:
    """Whether a statement is a DO, DO WHILE, DO CONCURRENT, FORALL or WHERE."""
    if text[0] in "wWfF" and _ONE_LINE.match(text):
        return not re.match(r"\s*=[^=]", text[closing(text) :])  # `where(i) = 1`: an array named where
    return (text[0] in "dD" or ":" in text) and _LOOP.match(text) is not None


def is_written_loop(text: str) -> bool:
    """Whether a statement is a loop that is not implied in the IR: DO, DO WHILE."""
    return is_loop(text) and not _IMPLIED.match(text)


def lost_loops(statements: Sequence[Statement], body: tuple[ir.Stmt, ...]) -> list[int]:
    """Lines of loop statements that the lowered body does not account for."""
    expected = {statement.line for statement in statements if is_loop(statement.text)}
    opaque = 0
    lowered: set[int] = set()
    for statement in _walk(body):
        if isinstance(statement, ir.Opaque):
            opaque += statement.loops
        elif isinstance(statement, ir.Loop | ir.While):
            lowered.add(statement.line)
    ends = _where_ends(statements)
    missing = [
        line for line in sorted(expected) if not any(n in lowered for n in range(line, ends.get(line, line) + 1))
    ]
    return missing[opaque:]


def _where_ends(statements: Sequence[Statement]) -> dict[int, int]:
    """First line → last line of WHERE blocks: their loops have the lines of the assignments inside."""
    ends: dict[int, int] = {}
    open_blocks: list[int] = []
    for statement in statements:
        text = statement.text.lower()
        if text.startswith("where") and is_loop(text) and not text[closing(text) :].strip():
            open_blocks.append(statement.line)
        elif open_blocks and re.match(r"end\s*where", text):
            ends[open_blocks.pop()] = statement.line
    return ends


def _walk(body: Sequence[ir.Stmt]) -> Iterator[ir.Stmt]:
    stack = list(body)
    while stack:
        statement = stack.pop()
        yield statement
        match statement:
            case ir.Loop(body=inner) | ir.While(body=inner) | ir.Annotated(body=inner):
                stack.extend(inner)
            case ir.If(_, then, other):
                stack.extend((*then, *other))
            case ir.Switch(_, cases):
                for _, inner in cases:
                    stack.extend(inner)
            case _:
                pass
