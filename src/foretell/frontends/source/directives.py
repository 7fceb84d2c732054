"""Parses `#pragma omp …`, `!$acc …` and similar directives to `ir.Directive`, for C and Fortran.

Parsers drop directives or turn them into comments, so a separate scan over lines finds them; the front ends
attach each to the loop or statement that follows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.source.ir import Directive
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that name a directive; every other bare word is a clause (`nowait`, `gang`, `seq`).
_NAMES = {
    "omp": _words(
        "allocate assume assumes atomic barrier begin cancel cancellation critical data declare depobj dispatch "
        "distribute do end enter error exit flush for interop loop mapper masked master metadirective nothing "
        "ordered parallel point reduction requires scan scope section sections simd single target task taskgroup "
        "taskloop taskwait taskyield teams threadprivate tile unroll update variant workshare"
    ),
    "acc": _words(
        "atomic cache data declare end enter exit host_data init kernels loop parallel routine serial set shutdown "
        "update wait"
    ),
}

#: Names that are clauses after another name (`for ordered`, `parallel loop wait(1)`).
_NAMES_WHEN_FIRST = {"omp": _words("ordered allocate reduction error nothing flush"), "acc": _words("wait cache set")}
_AFTER = {"reduction": "declare", "allocate": "declare", "ordered": "end"}

#: Standalone directives, by their first word or two: the next statement is not their body.
_STANDALONE = {
    "omp": _words(
        "allocate barrier begin-declare cancel cancellation declare depobj end error flush interop nothing requires "
        "scan target-enter target-exit target-update taskwait taskyield threadprivate"
    ),
    "acc": _words("cache declare end enter exit init routine set shutdown update wait"),
}

_WORD = re.compile(r"[A-Za-z_]\w*")


@record
class Found:
    """A directive in a source text and its last line (continuation lines included)."""

    directive: Directive
    last_line: int


def parse_directive(text: str, line: int) -> Directive | None:
    """Parses a directive without its sentinel: 'omp parallel for reduction(+: s)'; None if it is empty."""
    head = _WORD.match(text := text.strip())
    if head is None:
        return None
    dialect = head[0].lower()
    words: list[str] = []
    clauses: list[tuple[str, str]] = []
    rest = text[head.end() :]
    if dialect not in _NAMES and rest.lstrip().startswith("("):  # unroll(4)
        rest = text
    for name, argument in _items(rest):
        if not clauses and _is_name(dialect, name, words, argument):
            words.append(name)
            if argument is None:
                continue
        clauses.append((name, argument or ""))
    return Directive(dialect, tuple(words), tuple(clauses), line)


def stands_alone(directive: Directive) -> bool:
    """Whether the directive is standalone (a barrier, an update), without a loop or block."""
    if directive.words[:1] == ("ordered",):
        return any(name in ("depend", "doacross") for name, _ in directive.clauses)
    first = {"-".join(directive.words[:count]) for count in (1, 2)}
    return not first.isdisjoint(_STANDALONE.get(directive.dialect, ()))


def _is_name(dialect: str, name: str, before: Sequence[str], argument: str | None) -> bool:
    if dialect not in _NAMES:  # a dialect of plain words, such as `foretell` or `unroll`
        return argument is None
    if before and name in _NAMES_WHEN_FIRST[dialect]:
        return before[-1] == _AFTER.get(name)
    return name in _NAMES[dialect]


def _items(text: str) -> Iterator[tuple[str, str | None]]:
    """The words of a directive, each with the text of the parentheses after it, or None."""
    position = 0
    while match := _WORD.search(text, position):
        position = match.end()
        opening = re.compile(r"\s*\(").match(text, position)
        if opening is None:
            yield match[0].lower(), None
            continue
        position = _closing(text, opening.end())
        yield match[0].lower(), " ".join(text[opening.end() : position - 1].split())


def _closing(text: str, position: int) -> int:
    """The position after the matching closing parenthesis; an unclosed one ends with the text."""
    depth = 1
    for at in range(position, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text) + 1


# ---------------------------------------------------------------------------------------------- C

_PRAGMA = re.compile(r"^[ \t]*(?:#|%:)[ \t]*pragma\b((?:[^\n\\]|\\(?!\r?\n)|\\\r?\n)*)", re.MULTILINE)
_PRAGMA_OPERATOR = re.compile(r'\b_Pragma[ \t]*\([ \t]*"((?:[^"\\\n]|\\.)*)"[ \t]*\)')


def scan_c(source: str) -> tuple[Found, ...]:
    """All `#pragma` and `_Pragma("…")` directives of a C text with blanked comments, in line order."""
    pragmas = [(match.start(), match.end(), match[1]) for match in _PRAGMA.finditer(source)]
    pragmas += [
        (match.start(), match.end(), re.sub(r"\\(.)", r"\1", match[1]))
        for match in _PRAGMA_OPERATOR.finditer(source)
        if not source[source.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#")
    ]
    result = []
    line, position = 1, 0
    for start, end, text in sorted(pragmas):
        line += source.count("\n", position, start)
        position = start
        directive = parse_directive(text.replace("\\\r\n", " ").replace("\\\n", " "), line)
        if directive is not None:
            result.append(Found(directive, line + source.count("\n", start, end)))
    return tuple(result)
