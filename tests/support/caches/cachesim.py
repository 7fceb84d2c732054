"""The cache simulator's rules once more, slowly: one access at a time, lists for sets, no shortcuts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.characterize.simulate.cachesim import Bound, CacheLevel, Nest


class SlowLevel:
    """One level: each set is a list of [line, dirty], the next to leave first."""

    def __init__(self, level: CacheLevel) -> None:
        self.level = level
        self.ways = level.lines // level.sets
        self.sets: list[list[list[int]]] = [[] for _ in range(level.sets)]

    def touch(self, line: int, dirty: bool) -> bool:
        """Makes a line the last to leave; whether it is there."""
        items = self.sets[line % self.level.sets]
        found = next((item for item in items if item[0] == line), None)
        if found is None:
            return False
        items.remove(found)
        items.append([line, found[1] or dirty])
        return True

    def insert(self, line: int, dirty: bool) -> list[int] | None:
        """Puts a line in; returns what left."""
        items = self.sets[line % self.level.sets]
        leaving = items.pop(0) if len(items) == self.ways else None
        items.append([line, dirty])
        return leaving


class SlowSimulator:
    """Counts by (reference, level, event); memory is the level after the last."""

    def __init__(self, levels: list[CacheLevel]) -> None:
        self.levels = [SlowLevel(level) for level in levels]
        self.counts: Counter[tuple[str, int, str]] = Counter()

    def access(self, name: str, kind: str, address: int, size: int) -> None:
        line = self.levels[0].level.line
        for number in range(address // line, (address + size - 1) // line + 1):
            self._fetch(name, 0, max(address, number * line), kind == "store")

    def _fetch(self, name: str, k: int, address: int, store: bool = False) -> None:
        if k == len(self.levels):
            self.counts[name, k, "reads"] += 1
            return
        line = address // self.levels[k].level.line
        if self.levels[k].touch(line, store):
            self.counts[name, k, "hits"] += 1
            return
        self.counts[name, k, "misses"] += 1
        self._fetch(name, k + 1, address)
        self._insert(name, k, line, store)

    def _insert(self, name: str, k: int, line: int, dirty: bool) -> None:
        leaving = self.levels[k].insert(line, dirty)
        if leaving is None:
            return
        self.counts[name, k, "evictions"] += 1
        if leaving[1]:
            self.counts[name, k, "writebacks"] += 1
            self._write_back(name, k + 1, leaving[0] * self.levels[k].level.line)

    def _write_back(self, name: str, k: int, address: int) -> None:
        if k == len(self.levels):
            self.counts[name, k, "writes"] += 1
            return
        line = address // self.levels[k].level.line
        if self.levels[k].touch(line, True):
            return
        if self.levels[k].level.line != self.levels[k - 1].level.line:
            self._fetch(name, k + 1, address)
        self._insert(name, k, line, True)


def iterations(nest: Nest) -> Iterator[tuple[int, ...]]:
    """The values of the loop variables, in order."""

    def bound(value: int | Bound, outer: tuple[int, ...], tightest: Callable[..., int]) -> int:
        if isinstance(value, int):
            return value
        own = value.constant + sum(c * v for c, v in zip(value.coefficients, outer, strict=False))
        return tightest([own, *(bound(other, outer, tightest) for other in value.others)])

    def deeper(outer: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(outer) == len(nest.loops):
            yield outer
            return
        loop = nest.loops[len(outer)]
        soonest, latest = (min, max) if loop.step > 0 else (max, min)
        for value in range(bound(loop.first, outer, latest), bound(loop.end, outer, soonest), loop.step):
            yield from deeper((*outer, value))

    return deeper(())


def accesses(nest: Nest) -> Iterator[tuple[str, str, int, int]]:
    """Name, kind, address and size of every access."""
    for values in iterations(nest):
        for item in nest.references:
            address = item.base + sum(s * v for s, v in zip(item.strides, values, strict=True))
            yield item.name, item.kind, address, item.bytes
