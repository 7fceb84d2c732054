"""C files included by other C files, which need the macros and types of the including file (host).

Kernels are often written once and included several times, for each type or each operator. Such a file is parsed where
it is included. If the host was not given, it is searched for in the folders of the program, and results for the
file apply to that host.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import read_bytes
from foretell.frontends.c.parse.text import MAX_SOURCE_BYTES
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|include)\b[ \t]*(.*)$", re.MULTILINE)
_SOURCE = re.compile(r'"([^"\n]+\.c)"')
#: a condition that holds once one macro is defined as 1
_MACRO = re.compile(r"(?:defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|([A-Za-z_]\w*))\s*(?://.*|/\*.*)?$")


@record
class Inclusion:
    """A C file that another includes."""

    host: Path
    part: Path
    #: macros that the conditions around the #include require, and those that select another branch
    macros: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def defines(self, given: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Definitions with which the host includes the file."""
        kept = tuple((name, text) for name, text in given if name not in self.others)
        names = {name for name, _ in kept}
        return (*kept, *((name, "1") for name in self.macros if name not in names))


def inclusions(host: Path, text: str) -> Iterator[Inclusion]:
    """The C files that a file includes, regardless of conditions."""
    chains: list[list[str]] = []  # for each open #if: the macros required by its branches so far
    for match in _DIRECTIVE.finditer(text):
        word, rest = match[1], match[2].strip()
        if word == "include":
            found = _SOURCE.match(rest)
            if found is not None:
                macros = tuple(dict.fromkeys(chain[-1] for chain in chains if chain[-1]))
                others = tuple(dict.fromkeys(name for chain in chains for name in chain[:-1] if name))
                yield Inclusion(host, (host.parent / found[1]).resolve(), macros, others)
        elif word in ("if", "ifdef", "ifndef"):
            chains.append([_asked(rest) if word != "ifndef" else ""])
        elif chains and word == "endif":
            chains.pop()
        elif chains:
            chains[-1].append(_asked(rest) if word == "elif" else "")


def _asked(condition: str) -> str:
    found = _MACRO.match(condition)
    return next(filter(None, found.groups())) if found is not None else ""


def inclusions_among(files: Iterable[Path]) -> dict[Path, list[Inclusion]]:
    """Maps included C files to the files that include them."""
    result: dict[Path, list[Inclusion]] = {}
    for file in files:
        try:
            text = read_bytes(file, MAX_SOURCE_BYTES).decode("latin-1")
        except InputError:
            continue
        for one in inclusions(file, text):
            if one.part != file.resolve():
                result.setdefault(one.part, []).append(one)
    return result
