"""Source lines with their part of a predicted time: those of the model, or the instructions of a listing added up."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.answers.breakdown import SourceLine
from foretell.core.gpu.warps import Warps
from foretell.errors import InputError
from foretell.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.answers import CodeLine

#: sources whose lines a GPU listing names
_CUDA = (".cu", ".cuh")
_INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
#: lines shown before and after one that takes time
_BEFORE, _AFTER = 5, 1


def annotated(case: Case, listing: Sequence[CodeLine], time_s: float) -> tuple[SourceLine, ...]:
    """The lines that take time, with their text where the file can be read."""
    lines = case.model.source_lines(case.workload, case.machine, case.settings)
    lines = lines or _by_line(listing, _file_of_lines(case), time_s)
    found: list[SourceLine] = []
    for file in dict.fromkeys(entry.file for entry in lines):
        texts = _texts(file)
        timed = {entry.line: replace(entry, text=texts.get(entry.line, "")) for entry in lines if entry.file == file}
        shown = sorted({*timed, *(line for line in _around(timed) if line in texts)})
        found += (timed.get(line) or SourceLine(file, line, texts[line], 0.0, 0.0, 0.0, 0.0) for line in shown)
    return tuple(found)


def _around(lines: Iterable[int]) -> Iterator[int]:
    """The lines around those that take time, without time themselves: loop heads, the head of the function."""
    for line in lines:
        yield from range(line - _BEFORE, line + _AFTER + 1)


def _file_of_lines(case: Case) -> str:
    """The file whose lines a listing names: the source, or the header that a kernel is in. A kernel has lines of one
    file, of which only the name is known; only of CUDA source is it known where that is."""
    origin, warps = case.workload.origin, case.workload.find(Warps)
    name = warps.kernel.source_file if warps is not None else ""
    if Path(origin).suffix not in _CUDA:
        return ""
    if not name or Path(origin).name == name:
        return origin
    return next((str(path) for path in _included(Path(origin), set()) if path.name == name), name)


def _included(path: Path, seen: set[Path]) -> Iterator[Path]:
    """The headers beside a source that it includes, and those that they include."""
    for text in _texts(str(path)).values():
        found = _INCLUDE.match(text)
        header = Path(os.path.normpath(path.parent / found[1])) if found else None
        if header is not None and header not in seen and header.is_file():
            seen.add(header)
            yield header
            yield from _included(header, seen)


def _by_line(listing: Sequence[CodeLine], file: str, time_s: float) -> tuple[SourceLine, ...]:
    """Adds up the instructions of each line of a file."""
    if not file:
        return ()
    shares: dict[int, float] = defaultdict(float)
    for entry in listing:
        shares[entry.line] += entry.share
    return tuple(
        SourceLine(file, line, "", share * time_s, share, share * time_s, 0.0)
        for line, share in sorted(shares.items())
        if line
    )


def _texts(file: str) -> Mapping[int, str]:
    try:
        return dict(enumerate(read_text(Path(file)).splitlines(), start=1))
    except InputError:
        return {}
