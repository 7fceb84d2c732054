"""The last kernels with what was made of them: few long ones, or many short ones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from foretell.core.gpu.warps import Warps

T = TypeVar("T")
P = ParamSpec("P")

#: kernels that are remembered in any case, and at most; instructions of all of them. Launches of one kernel follow each
#: other, and the predictions of some configurations their lower bounds
_AT_LEAST, _AT_MOST, _INSTRUCTIONS = 4, 64, 150_000


class RecentKernels(Generic[T]):
    """Remembers what was made of the last kernels."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[T, int]] = {}
        self._instructions = 0

    def clear(self) -> None:
        """Forgets all."""
        self._known.clear()
        self._instructions = 0

    def get(self, key: Hashable, make: Callable[[], T], instructions: Callable[[T], int]) -> T:
        """What is known, or is made now and has so many instructions."""
        found = self._known.pop(key, None)
        if found is None:
            made = make()
            found = made, instructions(made)
            self._instructions += found[1]
        self._known[key] = found  # used last
        while len(self._known) > _AT_MOST or (len(self._known) > _AT_LEAST and self._instructions > _INSTRUCTIONS):
            _, count = self._known.pop(next(iter(self._known)))
            self._instructions -= count
        return found[0]


class Remembered(Generic[P, T]):
    """What was computed of the last launches by themselves: one that is predicted is also what the next ones of a
    program come after."""

    def __init__(self, compute: Callable[Concatenate[Warps, P], T], most: int) -> None:
        self._known = lru_cache(maxsize=most)(compute)
        self.cache_clear = self._known.cache_clear

    def __call__(self, facet: Warps, *arguments: P.args, **options: P.kwargs) -> T:
        return self._known(facet.by_itself, *arguments, **options)  # type: ignore[arg-type]  # typeshed: hashable


def remembered(most: int) -> Callable[[Callable[Concatenate[Warps, P], T]], Remembered[P, T]]:
    """Remembers the results of a function for so many launches."""
    return lambda compute: Remembered(compute, most)
