"""What follows from the syntax of an instruction alone, computed once for all instructions that are written alike.

Versions of a kernel have most of their instructions in common, at other addresses and with other control bits. The
decoder gives instructions of one text the same operands, the same object: this makes looking them up cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.gpu.sass import Operand, SassInstruction

T = TypeVar("T")

#: texts that are remembered; then all are forgotten
_MOST = 1 << 16


class BySyntax(Generic[T]):
    """A function of guard, opcode, modifiers, operands and written registers of an instruction."""

    def __init__(self, compute: Callable[[SassInstruction], T]) -> None:
        self._compute = compute
        #: by the identity of these parts. One of the instructions is kept with the result: identities are only valid as
        #: long as their objects live
        self._known: dict[tuple[object, ...], tuple[SassInstruction, T]] = {}

    def __call__(self, item: SassInstruction) -> T:
        key = (id(item.operands), id(item.modifiers), id(item.guard), id(item.defs), item.opcode, item.destinations)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[key] = (item, self._compute(item))
        return known[1]
