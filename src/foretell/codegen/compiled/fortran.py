"""gfortran beside gcc: its command, what it writes, and the files that a source depends on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: free form, and fixed form; a capital letter: the preprocessor runs before
SUFFIXES = frozenset({".f90", ".f95", ".f03", ".f08", ".f", ".for", ".ftn"})
_FAMILY = re.compile(r"(.*-)?(gcc|cc)(-[\d.]+)?")
_MODULE = re.compile(
    r"^[ \t]*use\b[ \t]*(?:,[ \t]*non_intrinsic[ \t]*)?(?:::[ \t]*)?([a-z]\w*)", re.IGNORECASE | re.MULTILINE
)
_INCLUDED = re.compile(r"""^[ \t]*(?:#[ \t]*)?include[ \t]*['"]([^'"\n]+)['"]""", re.IGNORECASE | re.MULTILINE)
#: files included by files that are included, at most
_DEPTH = 8
_LARGEST = 16 << 20


def is_fortran(file: Path) -> bool:
    """Whether a file is a Fortran source, by its name."""
    return file.suffix.lower() in SUFFIXES


def driver(command: Sequence[str]) -> tuple[str, ...]:
    """gfortran for gcc (and gfortran-12 for gcc-12); none for compilers that have no such sibling."""
    path = Path(command[0])
    if "gfortran" in path.name:
        return tuple(command)
    found = _FAMILY.fullmatch(path.name)
    if found is None or len(command) > 1:
        return ()
    return (str(path.with_name(f"{found[1] or ''}gfortran{found[3] or ''}")),)


def modules_into(folder: Path) -> tuple[str, ...]:
    """The flags that put descriptions of modules into a folder: else they are written where the compiler runs."""
    return ("-J", str(folder))


def depends_on(file: Path, flags: Sequence[str]) -> list[str]:
    """The file, those that it includes, and the descriptions of modules that it uses, where they are."""
    folders = [Path.cwd(), *(Path(word[2:]) for word in flags if word.startswith("-I"))]
    return list(dict.fromkeys(map(str, _reached(file, [file.parent, *folders], _DEPTH))))


def _reached(file: Path, folders: Sequence[Path], depth: int) -> Iterator[Path]:
    yield file
    try:
        if depth == 0 or file.stat().st_size > _LARGEST:
            return
        text = file.read_text(errors="replace")
    except OSError:
        return
    for name in _INCLUDED.findall(text):
        found = next((path for folder in folders if (path := folder / name).is_file()), None)
        yield from _reached(found, folders, depth - 1) if found is not None else ()
    for name in _MODULE.findall(text):
        yield from (path for folder in folders if (path := folder / f"{name.lower()}.mod").is_file())
