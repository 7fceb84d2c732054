"""Default arguments of C++ functions: taken from the source for parameters at the end that the call leaves out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.native.arguments import split_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORDS = {"true": "1", "false": "0", "nullptr": "NULL", "NULL": "NULL"}
_INTEGER = re.compile(r"([-+]?(?:0[xX][0-9a-fA-F]+|\d+))[uUlL]*")
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[fFlL]?")


def with_defaults(source: str, function: str, given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The arguments of a call with the default ones that it leaves out, and what must be said about them. Nothing is
    added where several declarations would add something else, or a value is no literal."""
    base = re.sub(r"<.*>|\(.*", "", function).rpartition("::")[2]
    number = len(split_list(function.partition("(")[2].removesuffix(")"))) if "(" in function else 0
    added = {
        tuple(defaults[len(given) - len(parameters) :])
        for parameters in _declarations(source, base)
        if len(parameters) == number or not number
        if (defaults := [_default(one) for one in parameters]) and len(given) < len(parameters)
        if all(word for _, word in defaults[len(given) :])
    }
    if len(added) != 1:
        return tuple(given), ()
    rest = added.pop()
    said = ", ".join(f"{name} = {word.partition(':')[2] or word}" for name, word in rest)
    return (*given, *(word for _, word in rest)), (f"default arguments: {said}",)


def _declarations(source: str, name: str) -> Iterator[list[str]]:
    """The parameters of each declaration of a function."""
    text = _COMMENT.sub(lambda found: " " * len(found[0]), source)
    for found in re.finditer(rf"(?<![\w.>]){re.escape(name)}\s*\(", text):
        end = _closing(text, found.end())
        before = text[: found.start()].rstrip()
        if end and re.match(r"\s*(?:const|noexcept|override)*\s*[{;]", text[end:]) and re.search(r"[\w>&*:]$", before):
            inside = text[found.end() : end - 1]
            yield split_list(inside) if inside.strip() else []


def _closing(text: str, start: int) -> int:
    """The place behind the bracket that closes one that is open; 0 if there is none."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place + 1
    return 0


def _default(parameter: str) -> tuple[str, str]:
    """The name of a parameter, and its default as `--arg` gives it; empty where it has none, or none that is known."""
    declared, equals, value = parameter.partition("=")
    names = re.findall(r"\w+", declared)
    value = value.strip()
    if not equals or not names:
        return "", ""
    if value in _WORDS:
        return names[-1], _WORDS[value]
    if whole := _INTEGER.fullmatch(value):
        real = re.search(r"\b(?:double|float)\b", declared)
        return names[-1], f"f64:{value}" if real else str(int(whole[1], 0))
    return names[-1], f"f64:{value.rstrip('fFlL')}" if _FLOAT.fullmatch(value) else ""
