"""The question that advice answers: a code on a machine, prepared again for each changed version of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from foretell.records import record

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.api import Case


class Asked(Protocol):
    """Prepares a prediction as the user asked for it: of the code, or of a changed file, with further flags of the
    compiler, on all cores, with other options of reading (a launch)."""

    def again(self, file: Path, flags: str, threads: bool, **reading: object) -> Case: ...


@record
class Origin:
    """What is changed: the file, the case as asked, and how it is prepared again."""

    file: Path
    case: Case
    asked: Asked
