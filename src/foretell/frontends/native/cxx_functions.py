"""The functions that a C++ source defines, by its text: for messages that say what could be asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

#: what has no braces of its own: comments, literals, directives
_NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*\#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
_SCOPE = re.compile(r"\b(?:inline\s+)?namespace(?:\s+([\w:]+))?\s*$|\b(?:class|struct|union)\s+(\w+)[^()]*$")
_EXTERN = re.compile(r"\bextern\s*$")
_FUNCTION = re.compile(r"([~\w:]+)\s*\($")
_TEMPLATE = re.compile(r"^\s*template\s*<")
_LOOP = re.compile(r"\b(?:for|while|do)\b")
_NO_NAMES = frozenset({"if", "for", "while", "switch", "catch", "return", "sizeof", "decltype", "alignas", "noexcept"})


@record
class CxxFunction:
    """A function with its scopes (`num::scale`), the line of its body, whether it is a template and has loops."""

    name: str
    line: int
    template: bool
    loops: bool


def defined_functions(source: str) -> tuple[CxxFunction, ...]:
    """The functions in the order of the source; those inside of others (lambdas, local classes) are parts of them."""
    text = _NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    return tuple(_functions(text))


def _functions(text: str) -> Iterator[CxxFunction]:
    """Scans the text for opening braces: those of functions, whose bodies are skipped, of namespaces and classes."""
    scopes: list[str] = []
    offset = start = 0
    line, counted = 1, 0  # the line of an offset, from which counting goes on
    while offset < len(text):
        if text[offset] == "{":
            head = text[start:offset]
            name = _function_name(head)
            if name:
                end = closing(text, offset)
                scope = "::".join(filter(None, scopes))
                line, counted = line + text.count("\n", counted, offset), offset
                loops = _LOOP.search(text, offset, end) is not None
                yield CxxFunction(f"{scope}::{name}" if scope else name, line, bool(_TEMPLATE.match(head)), loops)
                offset = end
            elif (scope_name := _scope_name(head)) is not None:
                scopes.append(scope_name)
            else:  # a list of initial values, an enumeration
                offset = closing(text, offset)
            start = offset + 1
        elif text[offset] == "}":
            del scopes[-1:]
            start = offset + 1
        elif text[offset] == ";":
            start = offset + 1
        offset += 1


def _scope_name(head: str) -> str | None:
    """The name of the namespace or class that opens; empty if it has none; None where neither does."""
    match = _SCOPE.search(head)
    if match is None:
        return "" if _EXTERN.search(head) else None
    return match[1] or match[2] or ""


def _function_name(head: str) -> str:
    """The name before the first bracket that is outside of <…>; empty where the text before a brace is no head of a
    function."""
    outside, angles = "", 0
    for letter in head:
        angles += (letter == "<") - (letter == ">" and angles > 0)
        if not angles and letter != ">":
            outside += letter
        if letter == "(" and not angles:
            match = _FUNCTION.search(outside)
            name = match[1] if match else ""
            return "" if name.rpartition("::")[2] in _NO_NAMES or "=" in outside else name
    return ""


def closing(text: str, start: int, pair: str = "{}") -> int:
    """The place of the brace that closes the one at `start`, or the end; of another pair, of that one."""
    depth = 0
    for match in re.compile(f"[{re.escape(pair)}]").finditer(text, start):
        depth += 1 if match[0] == pair[0] else -1
        if not depth:
            return match.start()
    return len(text)
