"""Nests that calculate with long double, as double: instructions of the unit that does so (x87) are not followed."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from foretell.core.nest.statements import ElementType

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest

_LONG, _DOUBLE = ElementType("float", 16), ElementType("float", 8)


def as_doubles(nest: LoopNest) -> LoopNest:
    """The nest with scalars of type long double as double; itself, where it has none, or arrays of them."""
    if any(array.type == _LONG for array in nest.arrays):
        return nest
    levels = _rewritten(nest.levels)
    return nest if levels == nest.levels else replace(nest, levels=levels)


def _rewritten(value: Any) -> Any:
    if value == _LONG:
        return _DOUBLE
    if isinstance(value, tuple):
        return tuple(map(_rewritten, value))
    if is_dataclass(value) and not isinstance(value, type | ElementType):
        return replace(value, **{field.name: _rewritten(getattr(value, field.name)) for field in fields(value)})
    return value
