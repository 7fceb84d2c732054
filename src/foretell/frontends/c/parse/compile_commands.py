"""Reads compile_commands.json: the files of a program, and the include folders and macros of each."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from foretell import limits
from foretell.errors import InputError
from foretell.files import parse_json, read_text
from foretell.frontends.c.parse.clang import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: A large project's database has several megabytes.
MAX_DATABASE_BYTES = 64 << 20
#: commands at the default limit of time, a tenth of a millisecond each; a browser's database has 60,000
_MOST_COMMANDS = 300_000
_FLAG = re.compile("-isystem|-iquote|-idirafter|-[IDU]")


def read_database(path: Path) -> dict[Path, Setting]:
    """The settings of each file of a database; for a file compiled twice, those of the first command."""
    text = read_text(path, MAX_DATABASE_BYTES)
    entries = parse_json(text, path)
    if not isinstance(entries, list):
        raise InputError("is not a compilation database: expected a list of commands", file=path)
    if len(entries) > (most := limits.share(_MOST_COMMANDS)):
        raise limits.too_long(f"has more than {most} commands", path)
    settings: dict[Path, Setting] = {}
    for number, entry in enumerate(entries, 1):
        settings.setdefault(*_command(entry, number, path))
    return settings


def _command(entry: Any, number: int, path: Path) -> tuple[Path, Setting]:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise InputError(f"entry {number} does not name a file", file=path)
    folder = path.parent / str(entry.get("directory", "."))
    arguments = entry.get("arguments")
    if arguments is None:
        try:
            arguments = shlex.split(str(entry.get("command", "")))
        except ValueError as error:
            raise InputError(f"the command of entry {number} cannot be split: {error}", file=path) from None
    if not isinstance(arguments, list) or not all(isinstance(argument, str) for argument in arguments):
        raise InputError(f"the arguments of entry {number} are not a list of texts", file=path)
    return folder / entry["file"], setting_of(folder, arguments[1:])


def setting_of(folder: Path, arguments: Sequence[str]) -> Setting:
    """The -I, -isystem, -iquote, -idirafter, -D and -U among a compiler's arguments."""
    includes: dict[Path, None] = {}
    defines: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        flag = _FLAG.match(argument)
        if flag is None:
            continue
        value = argument[flag.end() :] or next(rest, "")
        if flag[0] == "-D":
            name, given, text = value.partition("=")
            defines[name] = text if given else "1"
        elif flag[0] == "-U":
            defines.pop(value, None)
        elif value:
            includes[folder / value] = None
    return Setting(tuple(includes), tuple(defines.items()))
