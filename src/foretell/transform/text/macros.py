"""Macros that only compute: `#define IDX(i, j) ((i) * n + (j))`. Their calls are moved and copied as any expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(([^()\n]*)\))?[ \t]*((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
#: what an expression has that neither stores nor reads memory; operators of comparison and choice are part of it
_COMPUTES = re.compile(r"(?:[\w\s()+\-*/%<>?:,.|^~]|&&|&(?=\s*\w)|[=!<>]=)*")
_STORES = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|[+\-*/%|^]=|->")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def computing_macros(text: str, pure: Collection[str]) -> dict[str, frozenset[str]]:
    """Macros with parameters that are defined once in a text and only compute, with the names that stand in them beside
    their parameters. They may call functions that are `pure`, and one another."""
    found: dict[str, tuple[frozenset[str], str]] = {}
    several: set[str] = set()
    for name, brackets, parameters, body in (match.groups() for match in _DEFINE.finditer(text)):
        if name in found:
            several.add(name)
        given = frozenset(one.strip() for one in (parameters or "").split(",")) if brackets else frozenset[str]()
        found[name] = (given, _COMMENT.sub(" ", body.replace("\\\n", " ").replace("\\\r\n", " ")))
    once = {name: own for name, own in found.items() if name not in several}
    made = {name: _names(name, once, pure, ()) for name in once if once[name][0]}
    return {name: names for name, names in made.items() if names is not None}


def _names(
    name: str, defined: Mapping[str, tuple[frozenset[str], str]], pure: Collection[str], around: tuple[str, ...]
) -> frozenset[str] | None:
    """The names in a macro beside its parameters; None where it may do more than compute."""
    parameters, body = defined[name]
    if name in around or _COMPUTES.fullmatch(body) is None or _STORES.search(body):
        return None
    result: set[str] = set()
    for match in _NAME.finditer(body):
        word = match[0]
        if word in parameters or word in pure:
            continue
        if word in defined:
            inside = _names(word, defined, pure, (*around, name))
            if inside is None:
                return None
            result |= inside
        elif body[match.end() :].lstrip().startswith("("):
            return None
        else:
            result.add(word)
    return frozenset(result)
