"""What stays the same while a loop runs: elements and divisors that do not depend on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.heads import head_of
from foretell.transform.program import Program, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.transform.program import Region
    from foretell.transform.text.source import SourceLoop

_CONDITION = re.compile(r"\bif\b|\bswitch\b|\bwhile\b|\?|&&|\|\|")
_ELEMENT = re.compile(r"(?<![\w.>])(?P<array>[A-Za-z_]\w*)\s*(?=\[)")


@record
class Element:
    """An array element as the text names it: the array, the text without spaces, and where it stands."""

    array: str
    text: str
    spans: tuple[tuple[int, int], ...]


def varying(region: Region) -> frozenset[str]:
    """Names whose value may change while the loop runs."""
    heads = {head_of(one).variable for one in region.loop.walk()}
    return frozenset(heads | region.effects.scalars | region.effects.declared)


def depends(text: str, region: Region) -> bool:
    """Whether an expression may change while the loop runs: by a scalar, or by an array that is written."""
    written = {one.name.split("#")[0] for one in region.references if one.write}
    return any(mentions(text, name) for name in varying(region) | written)


def elements(program: Program, loop: SourceLoop) -> Iterator[Element]:
    """The array elements in the body of a loop, each text once."""
    body = blanked(program.text)[loop.body_start : loop.body_end]
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for match in _ELEMENT.finditer(body):
        end = _behind_brackets(body, match.end())
        if body[end:].lstrip()[:1] == "." or body[end:].lstrip()[:2] == "->":
            continue
        key = match["array"], "".join(body[match.start() : end].split())
        spans.setdefault(key, []).append((loop.body_start + match.start(), loop.body_start + end))
    for (array, text), places in spans.items():
        yield Element(array, text, tuple(places))


def _behind_brackets(text: str, at: int) -> int:
    depth, last = 0, at
    while at < len(text):
        depth += (text[at] == "[") - (text[at] == "]")
        if depth == 0 and text[at] == "]":
            last = at + 1
        elif depth == 0 and not text[at].isspace():
            break
        at += 1
    return last


def check_unconditional(program: Program, loop: SourceLoop) -> None:
    """Refuses bodies with conditions: what they guard may not be computed before the loop."""
    body = blanked(program.text)[loop.body_start : loop.body_end]
    if found := _CONDITION.search(body):
        line = program.text.count("\n", 0, loop.body_start + found.start()) + 1
        raise RefusedError(f"line {line}: a condition may guard what would be computed before the loop")


def runs(loop: SourceLoop) -> str:
    """The condition under which a loop runs at all."""
    head = head_of(loop)
    return f"{head.lower} {head.relation} {head.limit}"
