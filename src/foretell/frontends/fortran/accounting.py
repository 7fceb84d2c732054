"""No loop is lost: every loop statement in the text is in the IR, or an `Opaque` or an error says where it went."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from foretell.frontends import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.frontends.fortran.statements import Statement

_LOOP = re.compile(
    r"(?:[a-z]\w*\s*:\s*)?"
    r"(?:do(?:\s*while\s*\(|\s*concurrent\s*\(|\s*$|\s+[a-z]\w*\s*=(?!=).*,)|(?:where|forall)\s*\((?!.*\)\s*=\s*\S+$))",
    re.IGNORECASE,
)
_ONE_LINE = re.compile(r"(?:where|forall)\s*\(", re.IGNORECASE)


def is_loop(text: str) -> bool:
    """Whether a statement is a DO, DO WHILE, DO CONCURRENT, FORALL or WHERE."""
    if text[0] in "wWfF" and _ONE_LINE.match(text):
        return not _assigns_to(text)
    return (text[0] in "dD" or ":" in text) and _LOOP.match(text) is not None


def _assigns_to(text: str) -> bool:
    """`where(i) = 1`: an array that somebody called where."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return re.match(r"\s*=[^=]", text[position + 1 :]) is not None
    return False


def lost_loops(statements: Sequence[Statement], body: tuple[ir.Stmt, ...]) -> list[int]:
    """Lines of loop statements that the lowered body does not account for."""
    expected = Counter(statement.line for statement in statements if is_loop(statement.text))
    opaque = 0
    found: Counter[int] = Counter()
    for statement in _walk(body):
        if isinstance(statement, ir.Opaque):
            opaque += statement.loops
        elif isinstance(statement, ir.Loop | ir.While):
            found[statement.line] += 1
    missing = [line for line, count in sorted(expected.items()) if found[line] < min(count, 1)]
    return missing[opaque:] if opaque else missing


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
