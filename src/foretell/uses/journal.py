"""A crash-safe journal: each line has a checksum and is on the disk when `append` returns; torn lines are ignored."""

from __future__ import annotations

import fcntl
import os
import zlib
from typing import TYPE_CHECKING, BinaryIO

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def open_locked(path: Path) -> BinaryIO:
    """Opens the file for appending, for one writer at a time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError("another run is using this journal", file=path) from None
    return file


def append(file: BinaryIO, path: Path, text: str) -> None:
    """Adds a line; it is on the disk when this returns."""
    data = text.encode()
    try:
        file.write(f"{zlib.crc32(data):08x} ".encode() + data + b"\n")
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None


def good_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yields lines with a valid checksum and the offset where each ends; invalid lines in between are skipped."""
    with path.open("rb") as file:
        for line in file:
            data = checked(line)
            if data is not None:
                yield file.tell(), data


def checked(line: bytes) -> bytes | None:
    """The content of a line, if its checksum is valid."""
    if not line.endswith(b"\n") or line[8:9] != b" ":
        return None
    data = line[9:-1]
    return data if line[:8] == f"{zlib.crc32(data):08x}".encode() else None
