"""A crash-safe journal: each line has a checksum and is on the disk when `add` returns; torn lines are ignored.

Lines are checked against a dataclass before anything uses them: a line with a right checksum that does not have the
form of its command's entries is an error with its number.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TypeVar

from foretell import decoding, files
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")
#: version of the lines' form
VERSION = 1
_LONGEST_HEADER = 1 << 20


class Journal:
    """Entries (JSON) of one run in a file; one writer at a time.

    The first line is the header. Its first key names the command; a journal whose header differs, but for a `recipe`,
    is refused, with the words of `differs`.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], differs: str, *, fresh: bool = False) -> None:
        self.path, self._file = path, _open_locked(path)
        try:
            self._start(header, differs, fresh)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, entry: Mapping[str, Any]) -> None:
        """Adds an entry; it is on the disk when this returns."""
        data = json.dumps(entry).encode()
        try:
            self._file.write(f"{zlib.crc32(data):08x} ".encode() + data + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", file=self.path) from None

    def _start(self, header: Mapping[str, Any], differs: str, fresh: bool) -> None:
        known = None
        if self._file.seek(0, os.SEEK_END):
            known = read_header(self.path, next(iter(header)))  # never truncates a file that is not a journal
        if fresh or known is None:  # a new file, or one torn while its first line was written
            self._file.truncate(0)
            self.add(header)
            return
        if any(known.get(key) != value for key, value in header.items() if key != "recipe"):
            raise InputError(
                f"is the journal of another {differs} differs",
                file=self.path,
                hint="--fresh starts it anew, --journal FILE takes another file",
            )
        *_, (end, *_) = _good_lines(self.path)
        self._file.truncate(end)


def read_header(path: Path, magic: str) -> dict[str, Any] | None:
    """Reads the first line of a journal; None if it is torn. A file that is no journal is an InputError."""
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEADER)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    beginning = f'{{"{magic}": {VERSION}, '.encode()  # after the checksum
    if not line[9:].startswith(beginning[: max(1, len(line) - 9)]):
        other = re.match(rb'\{"%s": (\d{1,9}), ' % magic.encode(), line[9:])
        what = f"a journal of version {int(other[1])}, and not {VERSION}" if other else "not a journal"
        raise InputError(f"is {what} of {magic.replace('-', ' ')}", file=path)
    data = _checked(line)
    return None if data is None else _object(data, path, 1)


def entries(path: Path, kind: type[T], signed: frozenset[str] = frozenset()) -> Iterator[T]:
    """Yields the entries of a journal after its header, each as a checked dataclass; torn lines in between are skipped.
    `signed` names the fields that may be negative."""
    for number, (_, line, data) in enumerate(_good_lines(path)):
        if number:
            try:
                yield decoding.decoded(kind, _object(data, path, line), "entry", signed)
            except InputError as error:
                raise error.at(path, line) from None


def _object(data: bytes, path: Path, line: int) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        document = files.parse_json(data.decode(errors="replace"))
    except InputError as error:
        raise InputError(f"is damaged: {error.message}", file=path, line=line) from None
    if not isinstance(document, dict):
        raise InputError("is damaged: not an object", file=path, line=line)
    return document


def _open_locked(path: Path) -> BinaryIO:
    """Opens the file for appending, for one writer at a time."""
    if path.exists() and not path.is_file():
        raise InputError("is no regular file: nothing can be continued from it", file=path)
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


def _good_lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yields lines with a valid checksum: the offset where each ends, its number, and its content."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            data = _checked(line)
            if data is not None:
                yield file.tell(), number, data


def _checked(line: bytes) -> bytes | None:
    """The content of a line, if its checksum is valid."""
    if not line.endswith(b"\n") or line[8:9] != b" ":
        return None
    data = line[9:-1]
    return data if line[:8] == f"{zlib.crc32(data):08x}".encode() else None
