"""A question that is asked again for changed files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.codegen.compilers.flags import complete_flags
from foretell.interface.keywords import question
from foretell.uses.advise.asked import has_threads

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from foretell.api import Case, On

_ALL = "all"


class ChangedFiles:
    """Prepares predictions of changed files with the keywords of one question."""

    def __init__(self, on: On, asked: Mapping[str, Any]) -> None:
        self._on, self._asked = on, asked

    def again(self, file: Path, flags: str, threads: int, **reading: object) -> Case:
        """Prepares another file, with further flags, on other threads, or launched otherwise."""
        asked = dict(self._asked)
        for name, more in (("cflags", flags), ("nvcc", str(reading.pop("nvcc", "")))):
            if more:
                joined = f"{asked.get(name) or ''} {more}".strip()
                asked[name] = complete_flags(joined) if name == "cflags" else joined
        if threads > 0:
            asked["threads"] = threads
        elif threads and asked.get("threads") in (None, 1, "1"):
            asked["threads"] = _ALL
        elif not threads and asked.get("threads") and not has_threads(file):
            asked.pop("threads")
        return question({**asked, **reading}).case(file, self._on)  # type: ignore[typeddict-item]
