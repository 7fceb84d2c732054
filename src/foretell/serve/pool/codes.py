"""Codes of clients as files in the private folder of the pool, and what was read of them, kept by content."""

from __future__ import annotations

import os
import shutil
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.api import loaded, prepare
from foretell.interface.keywords import question

if TYPE_CHECKING:
    from foretell.api import Case, On
    from foretell.core.machine.machine import Machine
    from foretell.frontends import Reader
    from foretell.interface.keywords import Question
    from foretell.serve.pool.asked import Code, Wanted

#: readers kept in memory, and folders of codes on disk
_MOST_READERS, _MOST_FOLDERS = 64, 512


class Codes:
    """The folder of codes. Equal contents have equal paths, so that every cache below works by content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._readers: OrderedDict[tuple[str, str], Reader] = OrderedDict()

    def file(self, code: Code) -> str:
        """The path of a code; written if this content is new."""
        if code.example:
            return f"example:{code.example}"
        path = self.folder / code.digest[:32] / code.name
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            partial = path.with_name(f".{os.getpid()}.part")
            partial.write_bytes(code.data)
            partial.replace(path)
            self._remove_oldest()
        return str(path)

    def reader(self, code: Code, asked: Question) -> Reader:
        """The reader of a code: that of an earlier question about it, or a new one."""
        key = (code.digest, repr(asked.reading))
        path = self.file(code)  # models read it again, and another worker may have removed it
        reader = self._readers.pop(key, None) or asked.reader(path)
        self._readers[key] = reader
        if len(self._readers) > _MOST_READERS:
            self._readers.popitem(last=False)
        return reader

    def machine(self, given: str | Code) -> Machine:
        """A machine of the library, or of the text of a machine file."""
        on: On = given if isinstance(given, str) else Path(self.file(given))
        return loaded(on)

    def case(self, code: Code, wanted: Wanted, **more: Any) -> Case:
        """Prepares the prediction of a code on the machine of the question."""
        asked = question({**wanted.keywords, **more})  # type: ignore[typeddict-item]
        machine = asked.machine(self.machine(wanted.on[0]))
        reader = self.reader(code, asked)
        return prepare(reader.workload(machine), machine, parameters=asked.point(machine, reader), **asked.how())

    def without_folder(self, text: str) -> str:
        """A text in which no file of the host is named."""
        parts = text.split(f"{self.folder}/")
        return parts[0] + "".join(part.partition("/")[2] if "/" in part[:40] else part for part in parts[1:])

    def _remove_oldest(self) -> None:
        entries = sorted(self.folder.iterdir(), key=_changed)
        for entry in entries[: max(0, len(entries) - _MOST_FOLDERS)]:
            shutil.rmtree(entry, ignore_errors=True)


def _changed(path: Path) -> float:
    """Time at which a folder was changed; 0 where another worker has just removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
