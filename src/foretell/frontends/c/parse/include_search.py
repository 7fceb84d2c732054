"""Finds headers that `-I` does not cover by searching the folders of the program.

Real programs are built with flags that are unknown for a few single files. A missing header is searched for
below the folders of the given files and of the enclosing project; the folder nearest to the including file
is used, and noted.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.frontends.c.parse.included_sources import inclusions_among

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from foretell.frontends.c.parse.clang import Message
    from foretell.frontends.c.parse.included_sources import Inclusion

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
_MISSING = re.compile(r"'(.+)' file not found")


def missing(messages: Iterable[Message]) -> list[str]:
    """The headers that were not found, as named in the source."""
    return list(dict.fromkeys(found[1] for message in messages if (found := _MISSING.search(message.text))))


class IncludeSearch:
    """Finds folders of headers, and caches them for the next file."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._headers: dict[str, list[Path]] | None = None
        #: folders with missing headers, in the order of need
        self.folders: list[Path] = []
        self._links: Path | None = None
        self._inclusions: dict[Path, list[Inclusion]] | None = None

    def find(self, file: Path, names: Sequence[str]) -> list[tuple[str, Path]]:
        """Headers that were found, and their folders."""
        found: list[tuple[str, Path]] = []
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
                found.append((name, header.parent))
        return found

    def hosts(self, file: Path) -> list[Inclusion]:
        """The C files of the program that include this one, the nearest first."""
        if self._inclusions is None:
            found = {path for paths in self._known().values() for path in paths if path.suffix == ".c"}
            for folder in {path.resolve().parent.parent for path in self._paths}:
                found.update(folder.glob("*.c"))
            self._inclusions = inclusions_among(sorted(found)[:MAX_HOSTS])
        here = file.resolve()
        return sorted(self._inclusions.get(here, []), key=lambda one: (-_common(one.host.parts, here.parts), one.host))

    def _known(self) -> dict[str, list[Path]]:
        if self._headers is None:
            self._headers = _headers(self._paths)
        return self._headers

    def _header(self, file: Path, name: Path) -> Path | None:
        """The header of that name nearest to a file; one in a folder of the same name is preferred."""
        candidates = [] if ".." in name.parts else self._known().get(name.name, [])
        here, parts = file.resolve().parts, name.parts
        return max(
            candidates,
            key=lambda path: (path.parts[-len(parts) :] == parts, _common(path.parts, here), str(path)),
            default=None,
        )

    def _link(self, header: Path, name: str) -> Path | None:
        """A folder that links the header under another path, as an installation of the program would."""
        if self._links is None:
            import shutil  # lazy: most files lack nothing
            import tempfile
            import weakref

            self._links = Path(tempfile.mkdtemp())
            weakref.finalize(self, shutil.rmtree, self._links, ignore_errors=True)
        place = self._links / name
        if place.exists() or not place.resolve().is_relative_to(self._links.resolve()):
            return None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'#include "{header}"\n')
        return self._links


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _headers(paths: Sequence[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    seen: set[Path] = set()
    budget = MAX_ENTRIES
    for root in dict.fromkeys(folder for path in paths for folder in _roots(path.resolve())):
        for folder, below, names in os.walk(root):
            here = Path(folder)
            if here in seen or budget <= 0:
                below.clear()
                continue
            seen.add(here)
            budget -= len(names) + 1
            below[:] = sorted(name for name in below if not name.startswith("."))
            for name in names:
                if name.endswith(_SUFFIXES):
                    found.setdefault(name, []).append(here / name)
    return found


def _roots(path: Path) -> Iterator[Path]:
    """The folder of a file, then its parents up to the highest that looks like a project."""
    folder = path if path.is_dir() else path.parent
    above = list(folder.parents)[:MAX_LEVELS]
    levels = [level for level, one in enumerate(above, start=1) if _is_project(one)]
    yield from [folder, *above][: max(levels, default=0) + 1]


def _is_project(folder: Path) -> bool:
    try:
        names = {entry.name.lower() for entry in os.scandir(folder)}
    except OSError:
        return False
    return not names.isdisjoint(_MARKS) and folder != Path(folder.anchor) and "usr" not in names
