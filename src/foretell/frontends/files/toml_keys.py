"""Access to tables of a user's TOML file; errors give key and line."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from foretell import decoding, files
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeyedFile:
    """A file with the lines of its keys."""

    path: Path
    text: str

    def error(self, key: str, message: str, hint: str | None = None) -> InputError:
        """An error about a key, at its line."""
        return InputError(f"{key}: {message}", file=self.path, line=files.key_line(self.text, key), hint=hint)

    def decoded(self, kind: type[T], value: object, where: str, signed: frozenset[str] = frozenset()) -> T:
        """A table as a checked dataclass: types, ranges, keys; an error has the line of its key."""
        try:
            return decoding.decoded(kind, value, where, signed, table="a table")
        except InputError as error:
            key = error.message.partition(": ")[0]
            raise InputError(error.message, file=self.path, line=files.key_line(self.text, key)) from None

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Reports errors raised inside as errors about this key."""
        try:
            yield
        except InputError as error:
            raise self.error(key, error.message, error.hint) from None


def known(file: KeyedFile, prefix: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Checks that every key of a table is one of these."""
    for key in table:
        if key not in keys:
            path = f"{prefix}.{key}" if prefix else key
            raise file.error(path, f"unknown key{nearest(key, keys)}")


def table(file: KeyedFile, parent: dict[str, Any], key: str) -> dict[str, Any]:
    """A table inside a table; empty if absent."""
    value = parent.get(key, {})
    if not isinstance(value, dict):
        raise file.error(key, "must be a table")
    return value


def text(file: KeyedFile, parent: dict[str, Any], key: str, default: str) -> str:
    """A non-empty text."""
    value = parent.get(key, default)
    if not isinstance(value, str) or not value.strip():
        raise file.error(key, "must be a text")
    return value
