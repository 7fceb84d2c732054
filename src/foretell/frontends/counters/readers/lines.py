"""Reads profiles line by line: a file of any size in constant memory."""

from __future__ import annotations

import codecs
import csv
import io
from typing import TYPE_CHECKING

from foretell import files
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

#: maximum line length; no tool writes longer lines
_MAX_LINE = 1 << 20
_HEAD = 1 << 16
#: a compressed profile is read as a whole
_LARGEST_PACKED = 64 << 20


class Lines:
    """The lines of a text file, without line ends. `number` is that of the last line read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        self.number = 0
        last = "\n"
        try:
            with _opened(self.path) as handle:
                while line := handle.readline(_MAX_LINE):
                    self.number += 1
                    if len(line) >= _MAX_LINE:
                        raise self.error("the line is too long for a profile")
                    if "\0" in line:
                        raise InputError("is a binary file, not text", file=self.path)
                    yield line.rstrip("\r\n")
                    last = line
        except UnicodeError:
            raise self.error("is not UTF-8 text", after=1) from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=self.path) from None
        if not last.endswith("\n"):  # a truncated number would be wrong
            raise self.error("the last line has no end: the file is cut off", hint="if it is complete, end the line")

    def rows(self, delimiter: str = ",", skip: tuple[str, ...] = ()) -> Iterator[list[str]]:
        """The lines as CSV, without empty ones and those that start with one of `skip`."""
        kept = (line for line in self if line.strip() and not line.lstrip().startswith(skip or ("\0",)))
        try:
            for row in csv.reader(kept, delimiter=delimiter, strict=True):
                yield [field.strip() for field in row]
        except csv.Error as error:
            raise self.error(f"not valid CSV: {error}") from None

    def error(self, message: str, hint: str | None = None, after: int = 0) -> InputError:
        """An error at the last line read, if any was."""
        return InputError(message, file=self.path, line=self.number + after or None, hint=hint)


def head(path: Path) -> str:
    """The first characters of a file, for format detection; empty if it is no text file."""
    try:
        if path.suffix == files.PACKED:
            return files.read_text(path, _LARGEST_PACKED)[:_HEAD]
        with files.opened(path) as handle:
            data = handle.read(_HEAD)
    except (OSError, InputError):
        return ""
    text = data.decode(_encoding(path).replace("-sig", ""), errors="ignore").lstrip("\ufeff")
    return "" if "\0" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def _opened(path: Path) -> TextIO:
    """A profile, which may be stored compressed."""
    if path.suffix == files.PACKED:
        return io.StringIO(files.read_text(path, _LARGEST_PACKED))
    return path.open(encoding=_encoding(path))


def _encoding(path: Path) -> str:
    """UTF-8, or UTF-16 if the file starts with its byte-order mark (redirected output on Windows)."""
    with files.opened(path) as handle:
        start = handle.read(2)
    return "utf-16" if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
