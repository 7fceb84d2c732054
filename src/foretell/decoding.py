"""Checks plain data (JSON) against a dataclass before anything uses it: keys, types, ranges, each error with its path.

Whole numbers and floats are finite and not negative, unless the field is listed as signed; `Literal`, tuples, mappings
from texts, unions and nested dataclasses are followed, `object` is anything. What a document may not say is an
InputError: "trace.loops[3].verdict: …".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from foretell.errors import InputError, nearest

T = TypeVar("T")
#: beyond it a count is not exact in the engines
_LARGEST = 2.0**62


def decoded(
    kind: type[T], value: object, where: str, signed: frozenset[str] = frozenset(), table: str = "an object"
) -> T:
    """A value of a dataclass. `signed` names the fields that may be negative; `table` is the word for a mapping."""
    result: T = _Decoder(signed, table).of(kind, value, where)
    return result


class _Decoder:
    def __init__(self, signed: frozenset[str], table: str) -> None:
        self._signed, self._table = signed, table

    def of(self, kind: Any, value: Any, where: str, name: str = "") -> Any:
        """A value of an annotated type."""
        if kind in (object, Any):
            return value
        if is_dataclass(kind):
            return self._record(kind, value, where)
        match get_origin(kind):
            case origin if origin in (Union, UnionType):
                return self._any_of(get_args(kind), value, where, name)
            case origin if origin is tuple:
                return self._items(get_args(kind), value, where, name)
            case origin if origin in (dict, Mapping):
                return self._mapping(get_args(kind)[1], value, where, name)
            case origin if origin is Literal:
                if value not in get_args(kind) or not isinstance(value, str):
                    raise _wrong(where, f"one of {', '.join(get_args(kind))}", value)
                return value
        return self._plain(kind, value, where, name)

    def _any_of(self, kinds: tuple[Any, ...], value: Any, where: str, name: str) -> Any:
        """The first kind that fits; of those for such a value, the last one says what is wrong."""
        if value is None and NoneType in kinds:
            return None
        given = [kind for kind in kinds if kind is not NoneType]
        *others, last = [kind for kind in given if _is_for(kind, value)] or given[-1:]
        if not _is_for(last, value) and len(given) > 1:
            raise _wrong(where, " or ".join(_named(kind, self._table) for kind in given), value)
        for kind in others:
            try:
                return self.of(kind, value, where, name)
            except InputError:
                continue
        return self.of(last, value, where, name)

    def _items(self, kinds: tuple[Any, ...], value: Any, where: str, name: str) -> tuple[Any, ...]:
        """A list: of any length, all of one kind, or of as many items as there are kinds."""
        if not isinstance(value, list | tuple):
            raise _wrong(where, "a list", value)
        if kinds[-1] is Ellipsis:
            kinds = (kinds[0],) * len(value)
        if len(value) != len(kinds):
            raise InputError(f"{where}: must have {len(kinds)} items, has {len(value)}")
        pairs = enumerate(zip(kinds, value, strict=True))
        return tuple(self.of(kind, item, f"{where}[{index}]", name) for index, (kind, item) in pairs)

    def _mapping(self, kind: Any, value: Any, where: str, name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong(where, self._table, value)
        return {str(key): self.of(kind, item, f"{where}.{str(key)[:60]}", name) for key, item in value.items()}

    def _record(self, kind: Any, value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where, self._table, value)
        types = _types(kind)
        for key in value:
            if key not in types:
                raise InputError(f"{where}: unknown key {str(key)[:60]!r}{nearest(str(key)[:60], types)}")
        for name in _required(kind) - value.keys():
            raise InputError(f"{where}.{name}: is missing")
        inside = f"{where}." if where else ""
        return kind(**{name: self.of(types[name], item, f"{inside}{name}", name) for name, item in value.items()})

    def _plain(self, kind: Any, value: Any, where: str, name: str) -> Any:
        if kind is float and type(value) is int:
            value = float(value) if abs(value) <= _LARGEST else math.inf
        if type(value) is not kind:
            raise _wrong(where, _WORDS[kind], value)
        if kind in (int, float):
            if abs(value) > _LARGEST or not math.isfinite(value):
                raise _wrong(where, "a number below 2^62", value)
            if value < 0 and name not in self._signed:
                raise _wrong(where, "not negative", value)
        return value


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _is_for(kind: Any, value: object) -> bool:
    """Whether a value has the form of a kind, whatever is in it."""
    match get_origin(kind):
        case origin if origin is tuple:
            return isinstance(value, list | tuple)
        case origin if origin in (dict, Mapping):
            return isinstance(value, dict)
        case origin if origin is Literal:
            return isinstance(value, str)
    if is_dataclass(kind):
        return isinstance(value, dict)
    return kind in (object, Any, type(value)) or (kind is float and type(value) is int)


def _named(kind: Any, table: str) -> str:
    if get_origin(kind) is tuple:
        return "a list"
    return _WORDS.get(kind, "a text" if get_origin(kind) is Literal else table)


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
