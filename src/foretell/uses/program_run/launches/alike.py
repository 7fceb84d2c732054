"""Which launches of a program are alike: their arguments without the addresses, and when their arrays were used.

A program that gets its memory anew for each step, or goes back and forth between two arrays, passes other addresses
each time. What a launch does follows from the sizes of its arrays and the places in them, and what L2 holds of them
from how long ago they were used.
"""

from __future__ import annotations

import bisect
from collections import deque
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from foretell.core.gpu.launch import DeviceArray, Launch
    from foretell.core.gpu.warps import Warps

#: the last launches of which it matters how they used an array: of those before it counts whether one did
_LAST = 2

Word: TypeAlias = "tuple[int, DeviceArray | None]"


def _words(launch: Launch) -> Iterator[Word]:
    """The words of the arguments, each with the array that it points into."""
    assert launch.passed is not None
    data = launch.passed.parameters
    for at in range(0, len(data) - 7, 8):
        word = int.from_bytes(data[at : at + 8], "little")
        yield word, array_at(launch.passed.arrays, word)


def array_at(arrays: Sequence[DeviceArray], address: int) -> DeviceArray | None:
    """The one of arrays with ascending addresses that has an address."""
    place = bisect.bisect(arrays, address, key=lambda item: item.address) - 1
    return arrays[place] if place >= 0 and address < arrays[place].address + arrays[place].bytes else None


def arrays_of(launch: Launch) -> list[str]:
    """The arrays that the arguments of a launch point into, each once, in their order."""
    if launch.passed is None:
        return []
    return list(dict.fromkeys(array.name for _, array in _words(launch) if array is not None))


class ArgumentShapes:
    """The arguments of launches without the addresses."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._written: set[str] = set()
        self._last: deque[list[str]] = deque(maxlen=_LAST)

    def of(self, launch: Launch) -> Hashable:
        """The words of the arguments: numbers as they are; pointers as the place in an array, its size, which of the
        launch's arrays it is, and how it was used before."""
        if launch.passed is None:
            return None
        names = arrays_of(launch)
        shape = tuple(
            word
            if array is None
            else (word - array.address, array.bytes, names.index(array.name), self._use(array.name))
            for word, array in _words(launch)
        )
        self._used.update(names)
        self._written.difference_update(names)
        self._last.append(names)
        rest = launch.passed.parameters[len(launch.passed.parameters) // 8 * 8 :]
        return shape, rest

    def wrote(self, array: str) -> None:
        """Notes an array that a copy or a set wrote."""
        self._written.add(array)

    def _use(self, name: str) -> Hashable:
        """Which array it was of each of the last launches, whether it was used at all, and written since."""
        return (
            name in self._used,
            name in self._written,
            tuple(last.index(name) if name in last else None for last in self._last),
        )


class SampledLaunches:
    """The last `most` launches that were predicted, whose sampled blocks are known: later ones with the same arguments
    are taken for them where they come before others."""

    def __init__(self, most: int) -> None:
        self._known: dict[Hashable, Warps] = {}
        self._most = most

    def keep(self, group: Hashable, facet: Warps) -> None:
        """Remembers one that was predicted."""
        key = _as_passed(group, facet.launch)
        self._known.pop(key, None)
        self._known[key] = facet
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]

    def like(self, group: Hashable, facet: Warps) -> Warps:
        """The one with the same arguments, or the launch itself."""
        return self._known.get(_as_passed(group, facet.launch), facet)


def _as_passed(group: Hashable, launch: Launch) -> Hashable:
    return group, launch.grid, None if launch.passed is None else launch.passed.parameters
