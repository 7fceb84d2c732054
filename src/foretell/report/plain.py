"""Converts records to plain data: by field, symbolic counts to numbers or text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from foretell.core.symbolic.poly import Poly


def plain(item: Any) -> Any:
    """Converts records to dictionaries by field, tuples to lists and polynomials to counts, recursively."""
    if isinstance(item, Poly):
        return count(item)
    if is_dataclass(item):
        return only(item, *(entry.name for entry in fields(item)))
    if isinstance(item, Mapping):
        return {name: plain(value) for name, value in item.items()}
    return [plain(value) for value in item] if isinstance(item, tuple | list) else item


def only(item: object, *names: str) -> dict[str, Any]:
    """Converts some fields of a record to a dictionary."""
    return {name: plain(getattr(item, name)) for name in names}


def without(item: object, *names: str) -> dict[str, Any]:
    """Converts a record to a dictionary without some of its fields."""
    return {name: value for name, value in plain(item).items() if name not in names}


def count(value: Poly) -> int | float | str:
    """Returns a number for a constant, else the expression as text."""
    constant = value.constant
    if constant is None:
        return str(value)
    return int(constant) if constant == int(constant) else float(constant)


def whole(value: float) -> int | float:
    """A count as a whole number; anything else as it is."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value
