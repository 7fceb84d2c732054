"""Refuses `#include` of what is no regular file: the parser would read a device or a pipe without an end.

Preprocessor lines of the file and of the headers that they name are read as text. A name may come from a macro, hence
every name in quotation marks or angle brackets on such a line counts.
"""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.frontends.c.parse.text import source_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_DIRECTIVE = re.compile(rb"^[ \t]*+(?:#|%:|\?\?=)(.*)$", re.MULTILINE)
_NAME = re.compile(rb'"([^"\n]+)"|<([^<>\n]+)>')
#: maximum headers that are looked into; further ones are those of large projects, where each was compiled before
_MOST_FILES = 2_000


def refuse_special_files(source: Path, folders: Sequence[Path], macros: Sequence[str]) -> None:
    """InputError where the file, or a header of it, names a file that is not a regular one."""
    waiting, seen = [source], {source}
    for text in macros:
        for name in _names(text.encode("utf-8", "surrogateescape")):
            _resolved(name, source, folders, 0)
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop()
        for line, name in _named(file):
            header = _resolved(name, file, folders, line)
            if header is not None and header not in seen:
                seen.add(header)
                waiting.append(header)


def _named(file: Path) -> Iterator[tuple[int, str]]:
    """The names on the preprocessor lines of a file, with the line; continued lines are one."""
    try:
        text = source_bytes(file)
    except InputError:
        return  # the parser says what is wrong with it
    joined = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    for directive in _DIRECTIVE.finditer(joined):
        for name in _names(directive[1]):
            yield joined.count(b"\n", 0, directive.start()) + 1, name


def _names(text: bytes) -> list[str]:
    return [(quoted or angled).decode("utf-8", "surrogateescape") for quoted, angled in _NAME.findall(text)]


def _resolved(name: str, file: Path, folders: Sequence[Path], line: int) -> Path | None:
    """The regular file of a name, if there is one; a special one is refused."""
    for folder in (file.parent, *folders):
        path = folder / name
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(mode):
            return path
        if not stat.S_ISDIR(mode):
            raise InputError(f"{name} is no regular file: it cannot be included", file=file, line=line or None)
    return None
