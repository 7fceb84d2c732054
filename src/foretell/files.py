"""Reads and writes the user's files: bounded, checked, with errors that name the file."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import secrets
import stat
import tomllib
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from foretell.errors import InputError
from foretell.inputs import made_here, note_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Machine and workload files have a few kilobytes; a file beyond this limit is something else.
MAX_TEXT_BYTES = 4 << 20

#: suffix of compressed text files, and the memory limit of the decompressor
PACKED = ".xz"
_DECOMPRESSION_BYTES = 64 << 20
_PART_BYTES = 16 << 20

#: mode of a folder that a process holds
_HELD = stat.S_ISVTX | stat.S_IRWXU

#: digits of an integer that fits 64 bits
_DIGITS = 18

#: patterns of TOML lines that open a table, and of those that define a key
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]")
_ENTRY = re.compile(r"""\s*((?:[\w.\s-]|"[^"]*"|'[^']*')+?)\s*=""")


def read_bytes(path: Path, limit: int = MAX_TEXT_BYTES, hint: str = "") -> bytes:
    """Reads a regular file of at most `limit` bytes; `hint` says how one may read more."""
    try:
        if path.is_dir():
            raise InputError("is a directory, not a file", file=path)
        if not path.exists():
            raise InputError("no such file", file=path)
        if not path.is_file():
            raise InputError("is not a regular file", file=path)
        with opened(path) as handle:
            data = _at_most(handle, limit + 1)
    except (OSError, ValueError) as error:  # ValueError: NUL character in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", file=path) from None
    note_file(path, data)
    if len(data) > limit:
        raise InputError(f"is larger than {_mib(limit)} MiB, too large for a file of this kind", file=path, hint=hint)
    return data


def opened(path: Path) -> BinaryIO:
    """Opens a regular file for reading. OSError for one that says more later (a log of the kernel): reading it would
    wait."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.pread(descriptor, 1, 0)
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _mib(count: int) -> str:
    return f"{count / 2**20:.3g}" if count % 2**20 else str(count >> 20)


def _at_most(handle: BinaryIO, count: int) -> bytes:
    """Part by part: Python would begin with a buffer of `count` bytes, which may be more than there is memory."""
    parts: list[bytes] = []
    while count > 0 and (part := handle.read(min(count, _PART_BYTES))):
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def write_text(path: Path, text: str) -> None:
    """Writes a UTF-8 text file."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file of the user: it is complete under its name, or as it was before."""
    try:
        replace_content(path, data)
    except (OSError, ValueError) as error:  # ValueError: NUL character in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be written: {reason}", file=path) from None


def replace_content(path: Path, data: bytes, *, sync: bool = True, mode: int = 0o666) -> None:
    """Puts data in the place of a file: written beside it, on the disk (`sync`), then renamed. A link stays a link; a
    file that is not a regular one (/dev/stdout) is written directly. OSError: the earlier content is kept."""
    target = Path(os.path.realpath(path))  # unlike resolve: a circle of links is no exception
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    part = target.parent / f".{os.getpid():x}-{secrets.token_hex(6)}.part"
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as handle:
            if target.exists():
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            handle.write(data)
            handle.flush()
            if sync:
                os.fsync(descriptor)
        part.replace(target)
    except BaseException:
        remove(part)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path`, with the same suffix, that takes its place when the block ends well; OSError in the block
    is an InputError, and the earlier content is kept. What is not a regular file (/dev/stdout) stays what it is, and
    gets the content in the end."""
    target = Path(os.path.realpath(path))
    part = target.parent / f".{os.getpid():x}-{secrets.token_hex(6)}{target.suffix}"
    try:
        if target.exists() and not target.is_file():
            with temporary_folder() as folder:
                yield (inside := Path(folder) / f"part{target.suffix}")
                _copy(inside, target)
            return
        yield part
        with part.open("rb") as handle:
            os.fsync(handle.fileno())
        part.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=path) from None
    finally:
        remove(part)


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as content, target.open("wb") as into:
        while data := content.read(_PART_BYTES):
            into.write(data)


def real(path: Path) -> Path:
    """The path without links. One that leads in a circle stays as it is, where `Path.resolve` has an exception."""
    return Path(os.path.realpath(path))


def remove(path: Path) -> None:
    """Removes a file, if it exists and can be removed."""
    with suppress(OSError):
        path.unlink()


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A private folder for the time of a block."""
    folder, remove = held_folder()
    try:
        yield str(folder)
    finally:
        remove()


def held_folder(prefix: str = "foretell-") -> tuple[Path, Callable[[], None]]:
    """A private temporary folder, and the function that removes it. This process holds a lock on the folder, which ends
    with the process however it ends: the next one that makes a folder here removes what killed ones left."""
    import fcntl  # lazy: most commands need no folder
    import shutil
    import tempfile

    try:
        _remove_left(tempfile.gettempdir())
        folder = Path(os.path.realpath(tempfile.mkdtemp(prefix=prefix)))
    except OSError as error:
        hint = "TMPDIR names another folder"
        raise InputError(f"no temporary folder can be made: {error.strerror or error}", hint=hint) from None
    made_here(folder)
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with suppress(OSError):  # a file system without locks: then it is not marked, and nobody else removes it
        fcntl.flock(lock, fcntl.LOCK_SH)
        folder.chmod(_HELD)

    def remove() -> None:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)

    return folder, remove


@lru_cache(maxsize=4)
def _remove_left(base: str) -> None:
    """Removes folders of `held_folder` whose process is gone. The sticky bit, which no program sets on a folder of one
    user, tells them from what users call foretell-something."""
    import fcntl
    import shutil

    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            found = entry.stat(follow_symlinks=False) if entry.name.startswith("foretell-") else None
            if found is None or found.st_uid != os.geteuid() or found.st_mode != stat.S_IFDIR | _HELD:
                continue
            with suppress(OSError):
                lock = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(entry.path, ignore_errors=True)
                finally:
                    os.close(lock)


def kind(path: Path) -> str:
    """Returns the suffix that determines the file format, without that of compression."""
    return path.with_suffix("").suffix if path.suffix == PACKED else path.suffix


def stored(path: Path) -> Path:
    """The file that holds a text: the one of this name or, where there is none, the compressed one (`name.xz`)."""
    packed = path.with_name(path.name + PACKED) if path.name else path
    try:
        return packed if packed.is_file() and not path.exists() else path
    except OSError:  # longer than a name can be: reading it says so
        return path


def pack(text: str) -> bytes:
    """Compresses a text, to be stored as .xz (`xz -6e` does the same)."""
    import lzma

    return lzma.compress(text.encode(), preset=6 | lzma.PRESET_EXTREME)


def read_text(path: Path, limit: int = MAX_TEXT_BYTES) -> str:
    """Reads a UTF-8 text file of at most `limit` bytes, decompressing it where needed (.xz, or stored as such)."""
    path = stored(path)
    data = read_bytes(path, limit)
    if path.suffix == PACKED:
        data = _unpacked(data, limit, path)
    if b"\0" in data:
        raise InputError("is a binary file, not text", file=path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 text", file=path, line=line) from None


def _unpacked(data: bytes, limit: int, path: Path) -> bytes:
    """Decompresses at most `limit` bytes, however large the whole content is."""
    import lzma

    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, _DECOMPRESSION_BYTES)
    try:
        unpacked = decompressor.decompress(data, limit + 1)
    except lzma.LZMAError as error:
        raise InputError(f"cannot be decompressed: {error}", file=path) from None
    if len(unpacked) > limit:
        raise InputError(f"holds more than {limit >> 20} MiB, too much for a file of this kind", file=path)
    if not decompressor.eof:
        raise InputError("cannot be decompressed: its end is missing", file=path)
    return unpacked


def parse_toml(text: str, file: Path | str) -> dict[str, Any]:
    """Parses a TOML document into plain dicts, lists, strings, numbers and booleans."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)|\(at end of document\)", str(error))
        message = str(error)[: found.start()].rstrip() if found else str(error)
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        raise InputError(f"not valid TOML: {message}", file=file, line=line) from None
    except ValueError:  # an integer with more digits than Python converts
        raise InputError("not valid TOML: a number is too long", file=file) from None
    except RecursionError:
        raise InputError("not valid TOML: nested too deeply", file=file) from None


def parse_json(text: str, file: Path | str | None = None, *, unique: bool = False) -> Any:
    """Parses a JSON document. Numbers are finite: NaN, Infinity and what overflows are refused, integers beyond 18
    digits become floats. With `unique`, a key that is given twice is refused."""
    try:
        return json.loads(
            text,
            parse_int=_whole_number,
            parse_float=_finite_number,
            parse_constant=_finite_number,
            object_pairs_hook=_unique_keys if unique else None,
        )
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=file, line=error.lineno) from None
    except RecursionError:
        raise InputError("not valid JSON: nested too deeply", file=file) from None
    except InputError as error:
        raise (error if file is None else error.at(file)) from None


def _whole_number(text: str) -> int | float:
    return int(text) if len(text) <= _DIGITS else _finite_number(text)


def _finite_number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise InputError(f"{text[:30]}{'…' if len(text) > 30 else ''} is not a finite number")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {key[:60]!r} is given twice")
        result[key] = value
    return result


def key_line(text: str, key: str) -> int | None:
    """Finds the line of a TOML text that defines `key`, a dotted path, or else opens the innermost table around it. In
    `launch[1].grid` the second [[launch]] is meant."""
    table, around, length = "", None, 0
    tables: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            path = table = _unquoted(header[1])
            if "[" in key and line.lstrip().startswith("[["):
                tables[table] = tables.get(table, -1) + 1
                path = table = f"{table}[{tables[table]}]"
        elif entry := _ENTRY.match(line):
            path = f"{table}.{_unquoted(entry[1])}".lstrip(".")
        else:
            continue
        if path == key or path.startswith(f"{key}."):
            return number
        if key.startswith((f"{path}.", f"{path}[")) and len(path) > length:
            around, length = number, len(path)
    return around


def _unquoted(path: str) -> str:
    return re.sub(r"\s*\.\s*", ".", path.replace('"', "").replace("'", "").strip())


def content_hash(data: bytes) -> str:
    """Computes the hash by which results identify their inputs."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
