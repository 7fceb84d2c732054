"""What follows from the syntax of an instruction alone, computed once for all instructions that are written alike.

Versions of a kernel have most of their instructions in common, at other addresses and with other control bits. The
decoder gives instructions of one text the same operands, the same object: this makes looking them up cheap.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence  # noqa: TC003  # the type of a constant
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.gpu.sass import SassInstruction

T = TypeVar("T")
Key = tuple[object, ...]

#: texts that are remembered; then all are forgotten
_MOST = 1 << 16
#: the keys of the last kernels: several functions ask for them
_KEYS: deque[tuple[Sequence[SassInstruction], list[Key]]] = deque(maxlen=8)


class BySyntax(Generic[T]):
    """A function of guard, opcode, modifiers, operands and written registers of an instruction."""

    def __init__(self, compute: Callable[[SassInstruction], T]) -> None:
        self._compute = compute
        #: one of the instructions is kept with the result: identities are only valid as long as their objects live
        self._known: dict[Key, tuple[SassInstruction, T]] = {}

    def __call__(self, item: SassInstruction) -> T:
        key = _key(item)
        known = self._known.get(key)
        return known[1] if known is not None else self._new(key, item)

    def of_all(self, items: tuple[SassInstruction, ...]) -> list[T]:
        """The results for all instructions of a kernel."""
        known = self._known.get
        return [
            found[1] if (found := known(key)) is not None else self._new(key, item)
            for key, item in zip(_keys(items), items, strict=True)
        ]

    def _new(self, key: Key, item: SassInstruction) -> T:
        if len(self._known) >= _MOST:
            self._known.clear()
        result = self._compute(item)
        self._known[key] = item, result
        return result


def _key(item: SassInstruction) -> Key:
    """What the syntax consists of, by identity: the decoder gives the same objects to instructions of one text."""
    return id(item.operands), id(item.modifiers), id(item.guard), id(item.defs), item.opcode, item.destinations


def _keys(items: tuple[SassInstruction, ...]) -> list[Key]:
    for known, keys in list(_KEYS):
        if known is items:
            return keys
    keys = list(map(_key, items))
    _KEYS.append((items, keys))
    return keys
