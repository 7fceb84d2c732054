"""Reading the user's files: bounded, checked, and with errors that name the file."""

from __future__ import annotations

import hashlib
import re
import tomllib
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

#: A machine or workload file is a few kilobytes; anything beyond this is some other file.
MAX_TEXT_BYTES = 4 << 20

#: the suffix of text files that are kept compressed, and the memory that decompressing one may take
PACKED = ".xz"
_DECOMPRESSION_BYTES = 64 << 20

#: the lines of a TOML text that open a table, and those that define a key
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]")
_ENTRY = re.compile(r"""\s*((?:[\w.\s-]|"[^"]*"|'[^']*')+?)\s*=""")


def read_bytes(path: Path, limit: int = MAX_TEXT_BYTES) -> bytes:
    """The content of a regular file of at most `limit` bytes."""
    try:
        if path.is_dir():
            raise InputError("is a directory, not a file", file=path)
        if not path.exists():
            raise InputError("no such file", file=path)
        if not path.is_file():
            raise InputError("is not a regular file", file=path)
        with path.open("rb") as handle:
            data = handle.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", file=path) from None
    if len(data) > limit:
        raise InputError(f"is larger than {limit >> 20} MiB, too large for a file of this kind", file=path)
    return data


def kind(path: Path) -> str:
    """The suffix that says what a file holds, compressed or not."""
    return path.with_suffix("").suffix if path.suffix == PACKED else path.suffix


def read_text(path: Path, limit: int = MAX_TEXT_BYTES) -> str:
    """The content of a UTF-8 text file of at most `limit` bytes, also of a compressed one (.xz)."""
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
    """Decompresses no more than `limit` bytes, however many the file would become."""
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
    """A TOML document as plain dicts, lists, strings, numbers and booleans."""
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


def key_line(text: str, key: str) -> int | None:
    """The line of a TOML text that defines `key`, a dotted path, or else the innermost table around it."""
    table, around, length = "", None, 0
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            path = table = _unquoted(header[1])
        elif entry := _ENTRY.match(line):
            path = f"{table}.{_unquoted(entry[1])}".lstrip(".")
        else:
            continue
        if path == key or path.startswith(f"{key}."):
            return number
        if key.startswith(f"{path}.") and len(path) > length:
            around, length = number, len(path)
    return around


def _unquoted(path: str) -> str:
    return re.sub(r"\s*\.\s*", ".", path.replace('"', "").replace("'", "").strip())


def content_hash(data: bytes) -> str:
    """The hash by which results name their inputs."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
