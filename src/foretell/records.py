"""Frozen records: equivalent to `@dataclass(frozen=True, slots=True)`, without its start-up cost.

    @record
    class Point:
        x: int
        y: int = 0

The standard decorator compiles six methods for every class, used or not; a command imports more than a hundred classes
and uses a few of them, which took a quarter of its time. Here `__init__` is compiled when the first record is created,
and the other methods are not compiled at all. Creating a record is also faster: `__init__` fills the slots directly.

`fields`, `replace` and `asdict` of the standard library accept records. Defaults are values, never factories;
`field(default=…, compare=False)` excludes a field from comparisons. Records do not inherit fields,
and may have a `__hash__` of their own.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Turns a class into an immutable record with one slot per annotated name, compared and hashed by value."""
    names = tuple(get_annotations(cls))
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    dropped = {"__dict__", "__weakref__", *defaults}  # slots conflict with class attributes of the same name
    namespace = {name: value for name, value in cls.__dict__.items() if name not in dropped}
    namespace |= {
        "__slots__": names,
        "__match_args__": names,
        "__dataclass_fields__": _Fields(defaults),
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        "__reduce__": _parts,
    }
    namespace.setdefault("__repr__", _text)
    compared = [name for name in names if not _is_ignored(defaults.get(name))]
    namespace["__eq__"], by_value = _by_value(attrgetter(*compared) if compared else type)
    if "__hash__" not in cls.__dict__:
        namespace["__hash__"] = by_value
    made: Any = type(cls.__name__, cls.__bases__, namespace)
    made.__init__ = _first_init(made, names, defaults)
    return made  # type: ignore[no-any-return]


def _is_ignored(default: object) -> bool:
    return isinstance(default, Field) and default.compare is False


class _Fields:
    """The fields in the format of `dataclasses`, created on first access."""

    def __init__(self, defaults: dict[str, object]) -> None:
        self._defaults = defaults

    def __get__(self, _: object, cls: type) -> dict[str, Field[Any]]:
        namespace = {"__doc__": "with documentation, none is made up", "__annotations__": get_annotations(cls)}
        twin: Any = dataclass(init=False, repr=False, eq=False)(type("", (), {**namespace, **self._defaults}))
        found: dict[str, Field[Any]] = twin.__dataclass_fields__
        cls.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found


# ---------------------------------------------------------------------------------------------- methods


def _first_init(cls: type, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """Returns an `__init__` that compiles the real one and replaces itself by it."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        cls.__init__ = compiled = _compiled_init(cls, names, defaults)  # type: ignore[misc]
        compiled(self, *args, **kwargs)

    return __init__


def _compiled_init(cls: type, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    scope = {f"set_{name}": getattr(cls, name).__set__ for name in names}
    parameters = "".join(f", {name}" for name in names)
    body = "; ".join(f"set_{name}(self, {name})" for name in names) or "pass"
    exec(f"def __init__(self{parameters}): {body}", scope)
    made = scope["__init__"]
    made.__defaults__ = tuple(_default(cls, name, value) for name, value in defaults.items())
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made  # type: ignore[no-any-return]


def _default(cls: type, name: str, value: object) -> object:
    if not isinstance(value, Field):
        return value
    if value.default is MISSING:
        raise TypeError(f"{cls.__name__}.{name}: the default of a record's field is a value")
    return value.default


def _by_value(values: Callable[[Any], object]) -> tuple[Callable[..., bool], Callable[..., int]]:
    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __eq__, __hash__


def _refuse_to_set(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _parts(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), tuple(getattr(self, name) for name in self.__match_args__)


def _text(self: Any) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({values})"
