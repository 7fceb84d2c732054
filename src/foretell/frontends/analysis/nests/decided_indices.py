"""Indices that data decide anew in the iterations of a loop: what is known of the addresses that they choose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Note
from foretell.core.symbolic.poly import ZERO, Poly, element, symbol
from foretell.frontends.analysis.walk.state import Mark, Path, State, Sub

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.analysis.walk.state import LoopItem


class DecidedIndices:
    """The indices that data decide inside the loops of a nest."""

    def __init__(self, state: State, loops: Sequence[LoopItem]) -> None:
        self._state, self._line = state, loops[-1].line
        iterations = {id(loop): symbol(loop.variable) for loop in loops}
        inside = {name: iterations[id(loop)] for name, loop in state.decided_in.items() if id(loop) in iterations}
        self._values = {name: self._value(name, iteration) for name, iteration in inside.items()}
        known = state.kept | state.running
        self._names = {str(value): symbol(name) for name, value in self._values.items() if name not in known}

    def _value(self, name: str, iteration: Poly) -> Poly:
        """The value as far as addresses go: an index that is not loaded anew stays where it is, one that is added to
        moves along, others are as if loaded from an index array."""
        if name in self._state.kept:
            return ZERO
        return iteration if name in self._state.running else element(name.partition("@")[0], (iteration,))

    def path(self, path: Path) -> tuple[Path, list[Mark]]:
        """A path with these values in its subscripts, and what they assume."""
        used = {name for part in path if isinstance(part, Sub) for name in part.value.symbols() & self._values.keys()}
        if not used:
            return path, []
        known = sorted(used & (self._state.kept | self._state.running))
        marks = [Mark("assumed", Note(self._line, f"{name.partition('@')[0]} {self._said(name)}")) for name in known]
        parts = (
            replace(one, value=one.value.substitute(self._values)) if isinstance(one, Sub) else one for one in path
        )
        return tuple(parts), marks

    def _said(self, name: str) -> str:
        moves = name in self._state.running
        return (
            "is taken to move by one element in each iteration" if moves else "chooses what is taken to be in the cache"
        )

    def written(self, value: Poly) -> Poly:
        """A subscript as statements have it: with the names of the source."""
        return value.substitute(self._names)
