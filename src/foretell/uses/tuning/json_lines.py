"""Finds the line of a key in JSON text, for messages: Python's reader does not tell."""

from __future__ import annotations

import json
import re

_BLANK = re.compile(r"\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ATOM = re.compile(r"[^\s,\]}]+")


def line_of(text: str, key: tuple[str | int, ...]) -> int | None:
    """The line of a key in valid JSON, or of its nearest parent that is there."""
    places: dict[tuple[str | int, ...], int] = {}
    try:
        _value(text, 0, (), places)
    except (ValueError, IndexError, AttributeError, RecursionError):
        return None
    while key and key not in places:
        key = key[:-1]
    return text.count("\n", 0, places[key]) + 1


def _value(text: str, at: int, key: tuple[str | int, ...], places: dict[tuple[str | int, ...], int]) -> int:
    """Records where a value starts, and those inside of it; returns where it ends."""
    at = _blank(text, at)
    places.setdefault(key, at)
    if text[at] == '"':
        return _string(text, at)[1]
    if text[at] not in "{[":
        return _ATOM.match(text, at).end()  # type: ignore[union-attr]
    closing, number = "}" if text[at] == "{" else "]", 0
    at = _blank(text, at + 1)
    while text[at] != closing:
        part: str | int = number
        if closing == "}":
            start = at
            part, at = _string(text, at)
            places[(*key, part)] = start
            at = _blank(text, at) + 1
        at = _blank(text, _value(text, at, (*key, part), places))
        at = _blank(text, at + 1) if text[at] == "," else at
        number += 1
    return at + 1


def _string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if found is None:
        raise ValueError
    return str(json.loads(found[0])), found.end()


def _blank(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]
