"""Computes what L2 holds of a launch's data when it starts: nothing, what an equal launch left, or what the launches
before it left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.characterize.gpu.memory import SECTOR
from foretell.core.gpu.warps import Written
from foretell.models.gpu.cache_levels import held_sectors

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from foretell.characterize.gpu.memory import Group
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.cache_levels import L2


def present(
    facet: Warps, groups: Sequence[Group], l2: L2, groups_of: Callable[[Warps], Sequence[Group]], *, warm: bool
) -> list[float]:
    """The fraction of each group's sectors that L2 holds at the start. `warm` holds where the launch says nothing;
    `groups_of` are the groups of an earlier launch."""
    start = facet.launch.start
    if start == "cold" or (not start and not warm):
        return [0.0] * len(groups)
    if start.startswith("after"):
        earlier = [
            _Touched.written(other) if isinstance(other, Written) else _Touched.of(other.launch, groups_of(other))
            for other in facet.before
        ]
        return _after(_Touched.of(facet.launch, groups), earlier, l2)
    held = sum(map(held_sectors, groups)) * SECTOR
    return [l2.left(held)] * len(groups)


class _Touched:
    """Sectors of each array that a launch touches, and occupies in L2, with the array of each group."""

    def __init__(self, keys: Sequence[Hashable], sectors: Sequence[float], held: Sequence[float]) -> None:
        self.keys = keys
        self.sectors: dict[Hashable, float] = {}
        self.held: dict[Hashable, float] = {}
        for key, touched, occupied in zip(keys, sectors, held, strict=True):
            self.sectors[key] = self.sectors.get(key, 0.0) + touched
            self.held[key] = self.held.get(key, 0.0) + occupied
        self.total = sum(self.held.values())

    @classmethod
    def of(cls, launch: Launch, groups: Sequence[Group]) -> _Touched:
        """Those of a launch."""
        keys = [_key(launch, group.array) for group in groups]
        return cls(keys, [group.launch for group in groups], [held_sectors(group) for group in groups])

    @classmethod
    def written(cls, item: Written) -> _Touched:
        """Those of a copy or a set: each sector once."""
        return cls([item.array], [item.bytes / SECTOR], [item.bytes / SECTOR])


def _key(launch: Launch, array: int) -> Hashable:
    """Identity of an array in several launches: its name; without one, its position and size."""
    if not 0 <= array < len(launch.pointers):
        return None
    pointer = launch.pointers[array]
    return pointer.name or (array, pointer.bytes)


def _after(mine: _Touched, earlier: list[_Touched], l2: L2) -> list[float]:
    """Of each group the fraction that the latest launch with its array touched, if it was not evicted since. Both walk
    through their data at an even pace, so half of what each touches lies between the two accesses on average, and all
    of what the launches between them touch."""
    between, resident = dict[object, float](), dict[object, float]()
    for launch in reversed(earlier):
        apart = (launch.total + mine.total) / 2 + sum(between.values())
        kept = l2.left(apart * SECTOR)
        for key, sectors in launch.sectors.items():
            if key is not None and mine.sectors.get(key):
                resident[key] = max(resident.get(key, 0.0), kept * min(1.0, sectors / mine.sectors[key]))
        for key, held in launch.held.items():
            between[key] = max(between.get(key, 0.0), held)
    return [resident.get(key, 0.0) for key in mine.keys]
