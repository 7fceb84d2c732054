"""Finds headers that `-I` does not cover, and the C files that include others, in the folders of the program.

Real programs are built with flags that are unknown for a few single files. A missing header is searched for
below the folders of the given files and of the enclosing project; the folder nearest to the including file
is used, and noted.

Kernels are often written once and included several times, for each type or each operator. Such a file needs the macros
and types of the including file (host) and is parsed where it is included. If the host was not given, it is searched
for, and results for the file apply to that host.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import held_folder, real
from foretell.frontends.c.parse.text import source_bytes
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from foretell.frontends.c.parse.clang import Message

#: Maximum folder entries to search; a header beyond them remains missing.
MAX_ENTRIES = 40_000
#: Maximum C files to search for one that includes another.
MAX_HOSTS = 2_000
#: Maximum levels above a file to search for the project.
MAX_LEVELS = 3
_MARKS = frozenset(
    {"makefile", "configure", "configure.ac", "cmakelists.txt", "meson.build", "src", "include"}
    | {"setup.py", "pyproject.toml", ".git", "license", "copying", "license.txt", "license.md"}
)
_SUFFIXES = (".h", ".inc", ".def", ".hpp", ".c")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|include)\b[ \t]*(.*)$", re.MULTILINE)
_SOURCE = re.compile(r'"([^"\n]+\.c)"')
#: a condition that holds once one macro is defined as 1
_MACRO = re.compile(r"(?:defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|([A-Za-z_]\w*))\s*(?://.*|/\*.*)?$")
MISSING = re.compile(r"'(.+)' file not found")


def missing(messages: Iterable[Message]) -> list[str]:
    """The headers that were not found, as named in the source."""
    return list(dict.fromkeys(match[1] for message in messages if (match := MISSING.search(message.text))))


class IncludeSearch:
    """Finds folders of headers, and caches them for the next file."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        #: folders with missing headers, in the order of need
        self.folders: list[Path] = []
        self._links: Path | None = None

    def find(self, file: Path, names: Sequence[str]) -> list[tuple[str, Path]]:
        """Headers that were found, and their folders."""
        result: list[tuple[str, Path]] = []
        for name in names:
            header = self._header(file, Path(name))
            if header is None:
                continue
            parts = Path(name).parts
            whole = header.parts[-len(parts) :] == parts
            folder = Path(*header.parts[: -len(parts)]) if whole else self._link(header, name)
            if folder is not None:
                if folder not in self.folders:
                    self.folders.append(folder)
                result.append((name, header.parent))
        return result

    def hosts(self, file: Path) -> list[Inclusion]:
        """The C files of the program that include this one, the nearest first."""
        here = real(file)
        return sorted(self._inclusions.get(here, []), key=lambda item: (-_common(item.host, here), item.host))

    @cached_property
    def _inclusions(self) -> dict[Path, list[Inclusion]]:
        sources = {path for paths in self._headers.values() for path in paths if path.suffix == ".c"}
        for folder in {real(path).parent.parent for path in self._paths}:
            sources.update(folder.glob("*.c"))
        return inclusions_among(sorted(sources)[:MAX_HOSTS])

    @cached_property
    def _headers(self) -> dict[str, list[Path]]:
        """The paths of each name below the folders of the program."""
        result: dict[str, list[Path]] = {}
        seen: set[Path] = set()
        budget = MAX_ENTRIES
        for root in dict.fromkeys(folder for path in self._paths for folder in _roots(real(path))):
            for folder, below, names in os.walk(root):
                start = Path(folder)
                if start in seen or budget <= 0:
                    below.clear()
                    continue
                seen.add(start)
                budget -= len(names) + 1
                below[:] = sorted(name for name in below if not name.startswith("."))
                for name in names:
                    if name.endswith(_SUFFIXES):
                        result.setdefault(name, []).append(start / name)
        return result

    def _header(self, file: Path, name: Path) -> Path | None:
        """The header of that name nearest to a file; one in a folder of the same name is preferred."""
        candidates = [] if ".." in name.parts else self._headers.get(name.name, [])
        here, parts = real(file), name.parts
        return max(
            candidates,
            key=lambda path: (path.parts[-len(parts) :] == parts, _common(path, here), str(path)),
            default=None,
        )

    def _link(self, header: Path, name: str) -> Path | None:
        """A folder that links the header under another path, as an installation of the program would."""
        if self._links is None:
            import weakref  # lazy: most files lack nothing

            self._links, remove = held_folder()
            weakref.finalize(self, remove)
        link = self._links / name
        if link.exists() or not real(link).is_relative_to(real(self._links)):
            return None
        link.parent.mkdir(parents=True, exist_ok=True)
        link.write_text(f'#include "{header}"\n')
        return self._links


def _common(path: Path, other: Path) -> int:
    """The number of leading folders that two paths share."""
    return len(Path(os.path.commonpath((path, other))).parts)


def _roots(path: Path) -> Iterator[Path]:
    """The folder of a file, then its parents up to the highest that looks like a project."""
    folder = path if path.is_dir() else path.parent
    above = list(folder.parents)[:MAX_LEVELS]
    levels = [level for level, parent in enumerate(above, start=1) if _is_project(parent)]
    yield from [folder, *above][: max(levels, default=0) + 1]


def _is_project(folder: Path) -> bool:
    try:
        names = {entry.name.lower() for entry in os.scandir(folder)}
    except OSError:
        return False
    return not names.isdisjoint(_MARKS) and folder != Path(folder.anchor) and "usr" not in names


# ---------------------------------------------------------------------------------------------- included C files


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


def _inclusions(host: Path, text: str) -> Iterator[Inclusion]:
    """The C files that a file includes, regardless of conditions."""
    chains: list[list[str]] = []  # for each open #if: the macros required by its branches so far
    for match in _DIRECTIVE.finditer(text):
        word, rest = match[1], match[2].strip()
        if word == "include":
            if (name := _SOURCE.match(rest)) is not None:
                macros = tuple(dict.fromkeys(chain[-1] for chain in chains if chain[-1]))
                others = tuple(dict.fromkeys(macro for chain in chains for macro in chain[:-1] if macro))
                yield Inclusion(host, real(host.parent / name[1]), macros, others)
        elif word in ("if", "ifdef", "ifndef"):
            chains.append([_required(rest) if word != "ifndef" else ""])
        elif chains and word == "endif":
            chains.pop()
        elif chains:
            chains[-1].append(_required(rest) if word == "elif" else "")


def _required(condition: str) -> str:
    """The macro that a condition requires, if it is a single one."""
    match = _MACRO.match(condition)
    return next(filter(None, match.groups())) if match is not None else ""


def inclusions_among(files: Iterable[Path]) -> dict[Path, list[Inclusion]]:
    """Maps included C files to the files that include them."""
    result: dict[Path, list[Inclusion]] = {}
    for file in files:
        try:
            text = source_bytes(file).decode("latin-1")
        except InputError:
            continue
        for inclusion in _inclusions(file, text):
            if inclusion.part != real(file):
                result.setdefault(inclusion.part, []).append(inclusion)
    return result
