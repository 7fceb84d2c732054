"""What the readings of several functions of the same files have in common: parsed units, and the analysis of functions
that are connected. It is shared where the caller says that the files stay as they are, and kept of the last files."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

Part = TypeVar("Part")
#: the files of how many readings are kept, and how many parts of each
_MOST, _MOST_PARTS = 2, 16
_kept: dict[str, dict[Hashable, Any]] = {}
_current: ContextVar[dict[Hashable, Any] | None] = ContextVar("readings", default=None)


@contextmanager
def shared(state: str) -> Iterator[None]:
    """Readings within it share what they have in common with all of the same `state` of the files."""
    parts = _kept.pop(state, {})
    _kept[state] = parts
    while len(_kept) > _MOST:
        del _kept[next(iter(_kept))]
    token = _current.set(parts)
    try:
        yield
    finally:
        _current.reset(token)


def are_shared() -> bool:
    """Whether other functions of these files may be asked for next."""
    return _current.get() is not None


def once(name: Hashable, make: Callable[[], Part]) -> Part:
    """A part that a reading of these files made before, or makes now."""
    parts = _current.get()
    if parts is None:
        return make()
    if name not in parts:
        made = make()
        while len(parts) >= _MOST_PARTS:
            del parts[next(iter(parts))]
        parts[name] = made
    part: Part = parts[name]
    return part
