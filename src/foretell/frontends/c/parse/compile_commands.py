"""Reads compile_commands.json: the files of a program, and the include folders and macros of each."""

from __future__ import annotations

import json
import shlex
from dataclasses import field
from pathlib import Path
from typing import Any

from foretell.errors import InputError
from foretell.files import read_text
from foretell.records import record

#: A large project's database has several megabytes.
MAX_DATABASE_BYTES = 64 << 20


@record
class Command:
    """The options of one file that affect parsing."""

    file: Path
    includes: tuple[Path, ...] = ()
    defines: tuple[tuple[str, str], ...] = field(default=())
    standard: str | None = None


def read_database(path: Path) -> tuple[Command, ...]:
    """The commands of a database, one per file: for a file compiled twice, the first."""
    text = read_text(path, MAX_DATABASE_BYTES)
    try:
        entries = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise InputError(f"not valid JSON: {error}", file=path, line=line) from None
    if not isinstance(entries, list):
        raise InputError("is not a compilation database: expected a list of commands", file=path)
    commands: dict[Path, Command] = {}
    for number, entry in enumerate(entries, 1):
        command = _command(entry, number, path)
        commands.setdefault(command.file, command)
    return tuple(commands.values())


def _command(entry: Any, number: int, path: Path) -> Command:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise InputError(f"entry {number} does not name a file", file=path)
    folder = Path(str(entry.get("directory", ".")))
    if not folder.is_absolute():
        folder = path.parent / folder
    arguments = entry.get("arguments")
    if arguments is None:
        try:
            arguments = shlex.split(str(entry.get("command", "")))
        except ValueError as error:
            raise InputError(f"the command of entry {number} cannot be split: {error}", file=path) from None
    if not isinstance(arguments, list) or not all(isinstance(argument, str) for argument in arguments):
        raise InputError(f"the arguments of entry {number} are not a list of texts", file=path)
    return _parsed(_resolved(folder, entry["file"]), folder, arguments)


def _parsed(file: Path, folder: Path, arguments: list[str]) -> Command:
    """The -I, -isystem, -iquote, -D, -U and -std of a command line."""
    includes: list[Path] = []
    defines: dict[str, str] = {}
    standard = None
    rest = iter(arguments[1:])
    for argument in rest:
        for flag in ("-isystem", "-iquote", "-idirafter", "-I", "-D", "-U", "-std="):
            if not argument.startswith(flag):
                continue
            value = argument[len(flag) :] or next(rest, "")
            if flag == "-D":
                name, given, text = value.partition("=")
                defines[name] = text if given else "1"
            elif flag == "-U":
                defines.pop(value, None)
            elif flag == "-std=":
                standard = value
            elif value:
                includes.append(_resolved(folder, value))
            break
    return Command(file, tuple(dict.fromkeys(includes)), tuple(defines.items()), standard)


def _resolved(folder: Path, name: str) -> Path:
    path = Path(name)
    return path if path.is_absolute() else folder / path
