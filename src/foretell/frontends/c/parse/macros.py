"""Macros of a C text that clang does not report: pragmas made by macros, and macros with exploding expansions."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from foretell.frontends.source.directives import Found, parse_directive
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    result: dict[str, Macro] = {}
    more = {name: macro for name, macro in macros.items() if "_Pragma" in macro.body}
    while more:
        result |= more
        rest = {name: macro for name, macro in macros.items() if name not in result}
        more = {name: m for name, m in rest.items() if not result.keys().isdisjoint(_NAME.findall(m.body))}
    return result


def expanded_pragmas(code: str, macros: dict[str, Macro], lines: Sequence[int]) -> Iterator[Found]:
    """The directives that uses of pragma macros expand to; `lines` are the offsets of line starts."""
    uses = re.compile(r"\b(" + "|".join(map(re.escape, macros)) + r")\b")
    for use in uses.finditer(code) if macros else ():
        line = bisect_right(lines, use.start())
        arguments = _arguments(code, use.end())
        for text in _pragmas(macros[use[1]], arguments, macros, _MAX_EXPANSIONS):
            directive = parse_directive(text, line)
            if directive is not None:
                yield Found(directive, line)


def _pragmas(macro: Macro, arguments: list[str], macros: dict[str, Macro], depth: int) -> Iterator[str]:
    body = macro.body
    if macro.parameters is not None:
        given = dict(zip(macro.parameters, arguments, strict=False))
        if macro.parameters and macro.parameters[-1] == "...":
            given["__VA_ARGS__"] = ", ".join(arguments[len(macro.parameters) - 1 :])
        for match in _PRAGMA.finditer(body):
            if match[2] is not None:
                yield given.get(match[2], "")
        literal_only = _PRAGMA.sub(lambda match: match[0] if match[1] is not None else " ", body)
        body = _NAME.sub(lambda name: given.get(name[0], name[0]), literal_only)
    for match in _PRAGMA.finditer(body):
        if match[1] is not None:
            yield re.sub(r"\\(.)", r"\1", match[1])
    for name in _NAME.finditer(body):
        if name[0] in macros and name[0] != macro.name and depth:
            yield from _pragmas(macros[name[0]], _arguments(body, name.end()), macros, depth - 1)


def _arguments(text: str, position: int) -> list[str]:
    """The arguments in the parentheses after a position."""
    opening = re.compile(r"\s*\(").match(text, position)
    if opening is None:
        return []
    parts, end = split_brackets(text, opening.end(), ",", "()")
    return [part.strip() for part in parts] if end < len(text) else []


def split_brackets(text: str, start: int, separator: str, brackets: str = "()[]{}") -> tuple[list[str], int]:
    """The parts between separators from `start`, which is inside a bracket, and the offset where that bracket closes
    (the end of the text if it does not)."""
    parts: list[str] = []
    depth = 0
    for match in re.compile(f"[{re.escape(brackets + separator)}]").finditer(text, start):
        if match[0] == separator:
            if not depth:
                parts.append(text[start : match.start()])
                start = match.end()
        elif match[0] in brackets[::2]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            return [*parts, text[start : match.start()]], match.start()
    return [*parts, text[start:]], len(text)


# ---------------------------------------------------------------------------------------------- explosions


def explosive(code: str, macros: dict[str, Macro]) -> str | None:
    """The name of a macro that would expand to more than `MAX_TOKENS` tokens, estimated from the text."""
    weights: dict[str, int] = {}
    for name in macros:
        if _weight(name, macros, weights, 0) > MAX_TOKENS:
            return name
    copies = {macro.name: count for macro in macros.values() if (count := _copies(macro)) > 1}
    texts = [code, *(macro.body for macro in macros.values())] if copies else []
    nested = (_nested(text, copies) for text in texts if _DEEP_CLOSE.search(text))
    return next(filter(None, nested), None)


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
