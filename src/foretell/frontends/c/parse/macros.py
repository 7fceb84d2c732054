"""Macros of a C text that clang does not report: pragmas made by macros, and macros with exploding expansions."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from foretell.frontends.source.directives import Found, parse_directive
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Expansions of one macro beyond this many tokens are refused.
MAX_TOKENS = 2_000_000
_MAX_EXPANSIONS = 16

_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^)\n]*\))?((?:\\\r?\n|[^\n\\]|\\(?!\r?\n))*)", re.MULTILINE
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PRAGMA = re.compile(r'_Pragma\s*\(\s*(?:"((?:[^"\\]|\\.)*)"|#\s*([A-Za-z_]\w*))\s*\)')
_DEEP_CLOSE = re.compile(r"(?:\)\s*){10}")


@record
class Macro:
    """A #define; `parameters` is None for an object-like macro."""

    name: str
    parameters: tuple[str, ...] | None
    body: str


def macros_of(text: str) -> dict[str, Macro]:
    """The macros defined in a text without comments; the last definition wins."""
    result = {}
    for match in _DEFINE.finditer(text):
        parameters = None if match[2] is None else tuple(p.strip() for p in match[2][1:-1].split(","))
        body = match[3].replace("\\\r\n", " ").replace("\\\n", " ").strip()
        result[match[1]] = Macro(match[1], parameters, body)
    return result


# ---------------------------------------------------------------------------------------------- pragmas


def pragma_macros(macros: dict[str, Macro]) -> dict[str, Macro]:
    """The macros that expand to a pragma, directly or through others."""
    found = {name for name, macro in macros.items() if "_Pragma" in macro.body}
    grown = bool(found)
    while grown:
        more = {
            name
            for name, macro in macros.items()
            if name not in found and not found.isdisjoint(_NAME.findall(macro.body))
        }
        found |= more
        grown = bool(more)
    return {name: macros[name] for name in found}


def expanded_pragmas(code: str, macros: dict[str, Macro], lines: Iterable[int]) -> Iterator[Found]:
    """The directives that uses of pragma macros expand to; `lines` are the offsets of line starts."""
    if not macros:
        return
    starts = list(lines)
    uses = re.compile(r"\b(" + "|".join(map(re.escape, macros)) + r")\b")
    for use in uses.finditer(code):
        line = bisect_right(starts, use.start())
        arguments = _arguments(code, use.end())
        for text in _pragmas(macros[use[1]], arguments, macros, _MAX_EXPANSIONS):
            directive = parse_directive(text, line)
            if directive is not None:
                yield Found(directive, line)


def _pragmas(macro: Macro, arguments: list[str], macros: dict[str, Macro], depth: int) -> Iterator[str]:
    body = macro.body
    if macro.parameters is not None:
        given = _bound(macro.parameters, arguments)
        for match in _PRAGMA.finditer(body):
            if match[2] is not None:
                yield given.get(match[2], "")
        body = _NAME.sub(lambda name: given.get(name[0], name[0]), _PRAGMA.sub(_literal_only, body))
    for match in _PRAGMA.finditer(body):
        if match[1] is not None:
            yield re.sub(r"\\(.)", r"\1", match[1])
    for name in _NAME.finditer(body):
        if name[0] in macros and name[0] != macro.name and depth:
            yield from _pragmas(macros[name[0]], _arguments(body, name.end()), macros, depth - 1)


def _literal_only(match: re.Match[str]) -> str:
    return match[0] if match[1] is not None else " "


def _bound(parameters: tuple[str, ...], arguments: list[str]) -> dict[str, str]:
    given = dict(zip(parameters, arguments, strict=False))
    if parameters and parameters[-1] == "...":
        given["__VA_ARGS__"] = ", ".join(arguments[len(parameters) - 1 :])
    return given


def _arguments(text: str, position: int) -> list[str]:
    """The arguments in the parentheses after a position."""
    opening = re.compile(r"\s*\(").match(text, position)
    if opening is None:
        return []
    result: list[str] = []
    depth, start = 0, opening.end()
    for place in range(opening.end(), len(text)):
        character = text[place]
        if character == "(":
            depth += 1
        elif character == ")" and depth == 0:
            return [*result, text[start:place].strip()]
        elif character == ")":
            depth -= 1
        elif character == "," and depth == 0:
            result.append(text[start:place].strip())
            start = place + 1
    return []


# ---------------------------------------------------------------------------------------------- explosions


def explosive(code: str, macros: dict[str, Macro]) -> str | None:
    """The name of a macro that would expand to more than `MAX_TOKENS` tokens, estimated from the text."""
    weights: dict[str, int] = {}
    for name in macros:
        if _weight(name, macros, weights, 0) > MAX_TOKENS:
            return name
    copies = {m.name: n for m in macros.values() if (n := _copies(m)) > 1}
    for text in (code, *(macro.body for macro in macros.values())) if copies else ():
        found = _nested(text, copies) if _DEEP_CLOSE.search(text) else None
        if found is not None:
            return found
    return None


def _weight(name: str, macros: dict[str, Macro], weights: dict[str, int], depth: int) -> int:
    if name in weights:
        return weights[name]
    if depth > 200:
        return 1
    weights[name] = 1  # no recursive expansion
    total = 0
    for word in _NAME.findall(macros[name].body):
        total += _weight(word, macros, weights, depth + 1) if word in macros else 1
        if total > MAX_TOKENS:
            break
    weights[name] = max(total, 1)
    return weights[name]


def _copies(macro: Macro) -> int:
    """The number of times a macro repeats an argument."""
    words = _NAME.findall(macro.body)
    return max((words.count(parameter) for parameter in macro.parameters or ()), default=0)


def _nested(code: str, copies: dict[str, int]) -> str | None:
    """A macro nested in its own arguments so deeply that its copies explode."""
    tokens = re.compile(r"\b(" + "|".join(map(re.escape, copies)) + r")\s*\(|([()])")
    stack = [1]
    for match in tokens.finditer(code):
        if match[1] is not None:
            stack.append(stack[-1] * copies[match[1]])
            if stack[-1] > MAX_TOKENS:
                return match[1]
        elif match[2] == "(":
            stack.append(stack[-1])
        elif len(stack) > 1:
            stack.pop()
    return None
