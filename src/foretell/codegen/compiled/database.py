"""Flags of a file that nobody gives on a command line: those of the environment, or of the compilation database beside
the file."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.codegen.compiled.flags import flags_of_others, usable_flags
from foretell.codegen.compilers.flags import DEFAULT_FLAGS
from foretell.errors import InputError
from foretell.files import real
from foretell.inputs import note_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATABASE = "compile_commands.json"


def usual_flags(file: Path) -> str:
    """The flags of the environment (CFLAGS), or of the first command of a file in the database beside it."""
    return os.environ.get("CFLAGS", "") or next(iter(commands_of(file)), "")


def commands_of(file: Path) -> list[str]:
    """The flags of each command of a file in the compilation database beside it."""
    for path in (file.parent / DATABASE, file.parent / "build" / DATABASE):
        if flags := [flags for _, flags in commands_in(path, file)]:
            return flags
    return []


def note_on_commands(file: Path, flags: str) -> tuple[str, ...]:
    """Says that the compilation database has several commands of a file, unless it was given flags, or the environment
    has some."""
    if flags != DEFAULT_FLAGS or os.environ.get("CFLAGS", ""):
        return ()
    commands = list(dict.fromkeys(shlex.join(usable_flags(shlex.split(words))) for words in commands_of(file)))
    said = f"{DATABASE} has {len(commands)} commands of {file.name}: the first is taken; --cflags names another"
    return (said,) if len(commands) > 1 else ()


def commands_in(path: Path, file: Path) -> list[tuple[Path, str]]:
    """The folder and the flags of each command of a file in a compilation database; none where it is not there."""
    note_file(path)
    if not path.is_file():
        return []
    try:
        entries = files.parse_json(files.read_text(path), path)
        return [found for entry in entries for found in _flags_of(entry, path, file)]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise InputError(f"is not a compilation database: {error}", file=path) from None


def _flags_of(entry: Mapping[str, Any], path: Path, file: Path) -> Iterator[tuple[Path, str]]:
    """Folder and flags of an entry of a compilation database, where it is of this file."""
    folder = path.parent / entry.get("directory", ".")
    if real(folder / entry["file"]) == real(file):
        words = entry.get("arguments") or shlex.split(entry["command"])
        flags = [word for word in words[1:] if not word.endswith(Path(entry["file"]).name)]
        yield folder, shlex.join(flags_of_others(flags, path))
