"""Source lines that `foretell.toml` names by their text: numbers of lines move with every edit, texts stay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError
from foretell.files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: keys of a table whose names are texts of source lines: how often a condition holds, how often a loop goes round
KEYS = ("branch", "trip")
#: set in the table of the base: the texts are those of the head, and the base may lack some
OF_HEAD = "lines of the head"


def located(files: Sequence[str], values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What a table says of lines, by their numbers in this version: {"branch": {"12": "0.1"}}."""
    said = {key: values[key] for key in KEYS if key in values}
    lines = [(name, number, _plain(text)) for name in files for number, text in _numbered(name)] if said else []
    return {key: _numbers(key, given, lines, OF_HEAD in values) for key, given in said.items()}


def _numbered(name: str) -> list[tuple[int, str]]:
    return list(enumerate(read_text(Path(name)).splitlines(), start=1))


def _plain(text: str) -> str:
    return "".join(text.split())


def _numbers(
    key: str, given: Mapping[str, Any], lines: Sequence[tuple[str, int, str]], may_lack: bool
) -> dict[str, str]:
    several = len({name for name, _, _ in lines}) > 1
    numbers: dict[str, str] = {}
    for text, value in given.items():
        fits = [f"{name}:{number}" if several else str(number) for name, number, line in lines if _plain(text) in line]
        if len(fits) > 1:
            raise InputError(f"{key} {text!r}: lines {', '.join(fits)} have this text", hint="give more of the line")
        if not fits and not may_lack:
            raise InputError(f"{key} {text!r}: no line has this text")
        numbers |= {line: str(value) for line in fits}
    return numbers
