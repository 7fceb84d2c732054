"""The question that advice answers: a code on a machine, prepared again for each changed version of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from foretell.files import read_text
from foretell.records import record

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.api import Case


_MARKED = re.compile(r"^[ \t]*(?:#[ \t]*pragma\s+omp|!\$omp)", re.MULTILINE | re.IGNORECASE)


def has_threads(file: Path) -> bool:
    """Whether directives of the file divide loops between threads: others run on one."""
    return file.suffix != ".cu" and _MARKED.search(read_text(file)) is not None


class Asked(Protocol):
    """Prepares a prediction as the user asked for it: of the code, or of a changed file, with further flags of the
    compiler, on other threads (0: as asked, -1: all cores), with other options of reading (a launch)."""

    def again(self, file: Path, flags: str, threads: int, **reading: object) -> Case: ...


@record
class Origin:
    """What is changed: the file, the case as asked, and how it is prepared again."""

    file: Path
    case: Case
    asked: Asked
