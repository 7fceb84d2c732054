"""`foretell config`: defaults of the user in a file of his configuration folder. `foretell cache`: what is kept of
earlier runs."""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache
from pathlib import Path

import click

from foretell import files
from foretell.errors import InputError, nearest
from foretell.inputs import note_file

#: default -> what it is
KEYS = {
    "machine": "the machine of commands without --on: a name, a file, or here",
    "cc": "the compiler of C files, as --cc",
    "cflags": "its flags, as --cflags",
    "threads": "the threads of a CPU, as --threads: a number, or all",
}
HERE = "here"


def folder() -> Path:
    """The folder of foretell's own files of the user."""
    base = os.environ.get("XDG_CONFIG_HOME")
    try:
        return (Path(base) if base else Path.home() / ".config") / "foretell"
    except RuntimeError:  # no home folder
        raise InputError("no configuration folder", hint="set XDG_CONFIG_HOME") from None


def here_file() -> Path:
    """The machine file of this computer."""
    return folder() / "here.toml"


def machine_file(name: str) -> str | Path:
    """The machine that --on names; `here` is this computer, once it is probed."""
    if name != HERE:
        return name
    file = here_file()
    if not file.exists():
        raise InputError(
            "this computer was not measured yet",
            hint="foretell machines probe --here does it (3 minutes; --quick: half a minute)",
        )
    return file


def defaults() -> dict[str, str]:
    """What the user has set."""
    try:
        return _read(folder() / "config.toml")
    except InputError as error:
        if error.file is None:  # no folder, no defaults
            return {}
        raise


@lru_cache(maxsize=4)
def _read(file: Path) -> dict[str, str]:
    note_file(file)
    if not file.exists():
        return {}
    try:
        known = tomllib.loads(files.read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", file=file) from None
    for name in known:
        _check(name, file)
    return {name: str(value) for name, value in known.items()}


def _check(name: str, file: Path | None = None) -> None:
    if name not in KEYS:
        raise InputError(f"no default {name!r}{nearest(name, KEYS)}", file=file, hint=f"defaults: {', '.join(KEYS)}")


@click.command("config")
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Forget the default NAME.")
def command(name: str | None, value: str | None, unset: bool) -> None:
    """Shows and sets defaults: `foretell config machine here`, `foretell config cflags "-O2 -Iinclude"`.

    NAME is machine, cc, cflags or threads. An option of a command counts more than its default.
    """
    if name is None:
        for key, text in KEYS.items():
            click.echo(f"{key} = {defaults().get(key, '(not set)')}    # {text}")
        return
    _check(name)
    if value is None and not unset:
        click.echo(defaults().get(name, ""))
        return
    if name == "machine" and value is not None and value != HERE:
        from foretell import machines

        machines.load(value)
    _write({key: text for key, text in defaults().items() if key != name} | ({} if value is None else {name: value}))


def _write(values: dict[str, str]) -> None:
    import json

    file = folder() / "config.toml"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=file.parent) from None
    files.write_text(file, "".join(f"{name} = {json.dumps(text)}\n" for name, text in values.items()))
    _read.cache_clear()
    click.echo(f"{file}: written", err=True)


@click.group("cache")
def cache() -> None:
    """What is kept of earlier runs: compiled sources, disassemblies, the runtime of traced programs.

    FORETELL_CACHE names another folder (off: nothing is kept), FORETELL_CACHE_MIB another size limit.
    """


@cache.command("info")
def info() -> None:
    """The folder, and how much of each kind is in it."""
    from foretell import cache as kept

    place = kept.folder()
    if place is None:
        click.echo("nothing is kept (FORETELL_CACHE=off, or no home folder)")
        return
    usage = kept.usage()
    total = sum(kind.size for kind in usage)
    click.echo(f"{place}: {total / 2**20:.1f} of at most {kept.size_limit() >> 20} MiB")
    for kind in usage:
        click.echo(f"  {kind.kind:<16} {kind.entries:>7} entries {kind.size / 2**20:>9.1f} MiB")


@cache.command("clear")
@click.argument("kind", required=False)
def clear(kind: str | None) -> None:
    """Removes all entries, or those of one KIND. What is needed is made anew."""
    from foretell import cache as kept

    known = [entry.kind for entry in kept.usage()]
    if kind is not None and kind not in known:
        raise InputError(f"no entries of kind {kind!r}{nearest(kind, known)}", hint=f"kinds: {', '.join(known)}")
    click.echo(f"{kept.clear(kind)} entries removed", err=True)
