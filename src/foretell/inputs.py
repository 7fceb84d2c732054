"""What this process made its answer of: files that it read or looked for, and programs.

An answer that is kept (`cli/input/kept_answers.py`) names them with their states, and is used again while all are the
same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["file", "program"]


@dataclass(frozen=True, slots=True)
class StoredText:
    """A text that is kept, and the states of all that it was made of."""

    inputs: tuple[tuple[Kind, str, str], ...]
    text: str


#: kind and name -> state when it was used first
_noted: dict[tuple[Kind, str], str] = {}
#: folders of files that this process makes, with the separator behind them
_made_here: list[str] = []


def made_here(folder: Path | str) -> None:
    """Says that this process makes the files of a folder itself: none of them is an input."""
    _made_here.append(f"{folder}{os.sep}")


def note_file(path: Path | str, data: bytes | None = None) -> None:
    """Notes a file that is read, or looked for where it may be missing; `data` is its content, if it is known."""
    key: tuple[Kind, str] = ("file", str(Path(path).absolute()))
    if key not in _noted:
        _noted[key] = hashlib.sha256(data).hexdigest() if data is not None else _file_state(key[1])


def note_program(name: str) -> None:
    """Notes a program that is looked for."""
    if ("program", name) not in _noted:
        _noted["program", name] = _program_state(name)


def noted() -> list[tuple[Kind, str, str]]:
    """All inputs so far: kind, name, state."""
    own = tuple(_made_here)
    return [(kind, name, state) for (kind, name), state in _noted.items() if not name.startswith(own)]


def forget() -> None:
    """Starts anew, for another answer."""
    _noted.clear()


def states(paths: Sequence[str]) -> list[tuple[Kind, str, str]]:
    """The states of files now; they are inputs of this answer as well."""
    now: list[tuple[Kind, str, str]] = [("file", str(Path(path).absolute()), _file_state(path)) for path in paths]
    _noted.update({(kind, name): state for kind, name, state in now})
    return now


def unchanged(states: Sequence[tuple[Kind, str, str]], note: bool = False) -> bool:
    """Whether all inputs are what they were; `note`: they are inputs of this answer as well, if so."""
    same = all(state == (_file_state(name) if kind == "file" else _program_state(name)) for kind, name, state in states)
    if same and note:
        _noted.update({(kind, name): state for kind, name, state in states})
    return same


def _file_state(name: str) -> str:
    """The hash of the content; empty where there is no such file."""
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest() if Path(name).is_file() else ""
    except OSError:
        return "unreadable"


def _program_state(name: str) -> str:
    """Where the program is, and its size and time; empty where there is none."""
    path = shutil.which(name)
    if path is None:
        return ""
    status = Path(path).stat()
    return f"{Path(path).resolve()} {status.st_size} {status.st_mtime_ns}"
