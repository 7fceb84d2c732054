"""Checks plain data (JSON) against a dataclass before anything uses it: keys, types, ranges, each error with its path.

Whole numbers and floats are finite and not negative, unless the field is listed as signed; `Literal`, tuples, optional
and nested dataclasses are followed. What a document may not say is an InputError: "trace.loops[3].verdict: …".
"""

from __future__ import annotations

import math
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from foretell.errors import InputError, nearest

T = TypeVar("T")
#: beyond it a count is not exact in the engines
_LARGEST = 2.0**62


def decoded(kind: type[T], value: object, where: str, signed: frozenset[str] = frozenset()) -> T:
    """A value of a dataclass. `signed` names the fields that may be negative."""
    result: T = _Decoder(signed).of(kind, value, where)
    return result


class _Decoder:
    def __init__(self, signed: frozenset[str]) -> None:
        self._signed = signed

    def of(self, kind: Any, value: Any, where: str, name: str = "") -> Any:
        """A value of an annotated type."""
        if isinstance(kind, UnionType):
            return None if value is None else self.of(get_args(kind)[0], value, where, name)
        if get_origin(kind) is tuple:
            return self._items(get_args(kind)[0], value, where, name)
        if get_origin(kind) is Literal:
            if value not in get_args(kind) or not isinstance(value, str):
                raise _wrong(where, f"one of {', '.join(get_args(kind))}", value)
            return value
        if is_dataclass(kind):
            return self._record(kind, value, where)
        return self._plain(kind, value, where, name)

    def _items(self, kind: Any, value: Any, where: str, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise _wrong(where, "a list", value)
        return tuple(self.of(kind, item, f"{where}[{index}]", name) for index, item in enumerate(value))

    def _record(self, kind: Any, value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        types = _types(kind)
        for key in value:
            if key not in types:
                raise InputError(f"{where}: unknown key {str(key)[:60]!r}{nearest(str(key)[:60], types)}")
        for name in _required(kind) - value.keys():
            raise InputError(f"{where}.{name}: is missing")
        return kind(**{name: self.of(types[name], item, f"{where}.{name}", name) for name, item in value.items()})

    def _plain(self, kind: Any, value: Any, where: str, name: str) -> Any:
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise _wrong(where, _WORDS[kind], value)
        if kind in (int, float):
            if not math.isfinite(value) or abs(value) > _LARGEST:
                raise _wrong(where, "a number below 2^62", value)
            if value < 0 and name not in self._signed:
                raise _wrong(where, "not negative", value)
        return value


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _wrong(where: str, wanted: str, value: object) -> InputError:
    return InputError(f"{where}: must be {wanted}, is {repr(value)[:40]}")


@cache
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in fields(kind)}


@cache
def _required(kind: Any) -> frozenset[str]:
    return frozenset(
        entry.name for entry in fields(kind) if entry.default is MISSING and entry.default_factory is MISSING
    )
