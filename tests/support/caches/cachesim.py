"""The cache simulator's rules once more, slowly: one access at a time, lists for sets, no shortcuts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.characterize.simulate.cachesim import Bound, CacheLevel, Nest


class SlowLevel:
    """One level: each set is a list of [line, dirty], the next to leave first (LRU, FIFO)."""

    def __init__(self, level: CacheLevel) -> None:
        self.level = level
        self.ways = level.lines // level.sets
        self.sets: list[list[list[int] | None]] = [[] for _ in range(level.sets)]
        if level.policy == "plru":
            self.sets = [[None] * self.ways for _ in range(level.sets)]
        self.points: list[dict[tuple[int, int], int]] = [{} for _ in range(level.sets)]

    def entry(self, line: int) -> list[int] | None:
        return next((item for item in self.sets[line % self.level.sets] if item and item[0] == line), None)

    def touch(self, line: int) -> None:
        items = self.sets[line % self.level.sets]
        found = self.entry(line)
        if self.level.policy == "lru":
            items.remove(found)
            items.append(found)
        elif self.level.policy == "plru":
            self._point_away(line % self.level.sets, items.index(found))

    def _point_away(self, number: int, way: int) -> None:
        low, high = 0, self.ways
        while high - low > 1:
            middle = (low + high) // 2
            self.points[number][low, high] = 1 if way < middle else 0
            low, high = (low, middle) if way < middle else (middle, high)

    def insert(self, line: int, dirty: bool) -> list[int] | None:
        """Puts a line in; returns what left."""
        number = line % self.level.sets
        items = self.sets[number]
        leaving = None
        if self.level.policy == "plru":
            way = items.index(None) if None in items else self._pointed(number)
            leaving, items[way] = items[way], [line, dirty]
            self._point_away(number, way)
            return leaving
        if len(items) == self.ways:
            leaving = items.pop(0)
        items.append([line, dirty])
        return leaving

    def _pointed(self, number: int) -> int:
        low, high = 0, self.ways
        while high - low > 1:
            middle = (low + high) // 2
            right = self.points[number].get((low, high), 0)
            low, high = (middle, high) if right else (low, middle)
        return low

    def remove(self, line: int) -> bool:
        """Takes a line out; whether it was dirty."""
        items = self.sets[line % self.level.sets]
        found = self.entry(line)
        if self.level.policy == "plru":
            items[items.index(found)] = None
        else:
            items.remove(found)
        return bool(found[1])


class SlowSimulator:
    """Counts by (reference, level, event); memory is the level after the last."""

    def __init__(self, levels: list[CacheLevel]) -> None:
        self.levels = [SlowLevel(level) for level in levels]
        self.counts: Counter[tuple[str, int, str]] = Counter()
        self.combined: dict[str, int] = {}

    def access(self, name: str, kind: str, address: int, size: int) -> None:
        line = self.levels[0].level.line
        for number in range(address // line, (address + size - 1) // line + 1):
            self._line(name, kind, max(address, number * line))

    def _line(self, name: str, kind: str, address: int) -> None:
        if kind == "stream":
            self._combine(name, address)
            self._invalidate(len(self.levels), address // self._last * self._last, self._last)
        elif kind == "store":
            self._store(name, 0, address)
        else:
            self._load(name, 0, address)

    @property
    def _last(self) -> int:
        return self.levels[-1].level.line

    def _combine(self, name: str, address: int) -> None:
        if self.combined.get(name) != address // self._last:
            self.combined[name] = address // self._last
            self.counts[name, len(self.levels), "writes"] += 1

    def _invalidate(self, outer: int, address: int, size: int) -> bool:
        dirty = False
        for level in self.levels[:outer]:
            for at in range(address, address + size, level.level.line):
                if level.entry(at // level.level.line):
                    dirty |= level.remove(at // level.level.line)
        return dirty

    def _load(self, name: str, k: int, address: int) -> bool:
        """Brings a line to level k - 1; whether it arrives there dirty."""
        if k == len(self.levels):
            self.counts[name, k, "reads"] += 1
            return False
        level = self.levels[k]
        line = address // level.level.line
        exclusive = level.level.inclusion == "exclusive"
        if level.entry(line):
            self.counts[name, k, "hits"] += 1
            if exclusive:
                return level.remove(line)
            level.touch(line)
            return False
        self.counts[name, k, "misses"] += 1
        dirty = self._load(name, k + 1, address)
        if exclusive:
            return dirty
        self._insert(name, k, line, dirty)
        return False

    def _store(self, name: str, k: int, address: int) -> None:
        if k == len(self.levels):
            self._combine(name, address)
            return
        level = self.levels[k]
        line = address // level.level.line
        found = level.entry(line)
        if found:
            self.counts[name, k, "hits"] += 1
            level.touch(line)
            found[1] = True
            return
        self.counts[name, k, "misses"] += 1
        if level.level.write_allocate and level.level.inclusion != "exclusive":
            self._load(name, k + 1, address)
            self._insert(name, k, line, True)
        else:
            self._store(name, k + 1, address)

    def _insert(self, name: str, k: int, line: int, dirty: bool) -> None:
        level = self.levels[k]
        leaving = level.insert(line, dirty)
        if leaving is None:
            return
        address, left_dirty = leaving[0] * level.level.line, bool(leaving[1])
        if level.level.inclusion == "inclusive":
            left_dirty |= self._invalidate(k, address, level.level.line)
        self.counts[name, k, "evictions"] += 1
        self.counts[name, k, "writebacks"] += left_dirty
        outer = self.levels[k + 1] if k + 1 < len(self.levels) else None
        if outer is not None and outer.level.inclusion == "exclusive":
            there = outer.entry(leaving[0])
            if there:
                outer.touch(leaving[0])
                there[1] |= left_dirty
            else:
                self._insert(name, k + 1, leaving[0], left_dirty)
        elif left_dirty:
            self._write_back(name, k + 1, address)

    def _write_back(self, name: str, k: int, address: int) -> None:
        if k == len(self.levels):
            self.counts[name, k, "writes"] += 1
            return
        level = self.levels[k]
        line = address // level.level.line
        found = level.entry(line)
        if found:
            level.touch(line)
            found[1] = True
            return
        if level.level.line != self.levels[k - 1].level.line:
            self._load(name, k + 1, address)
        self._insert(name, k, line, True)


def iterations(nest: Nest) -> Iterator[tuple[int, ...]]:
    """The values of the loop variables, in order."""

    def bound(value: int | Bound, outer: tuple[int, ...]) -> int:
        if isinstance(value, int):
            return value
        return value.constant + sum(c * v for c, v in zip(value.coefficients, outer, strict=False))

    def deeper(outer: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(outer) == len(nest.loops):
            yield outer
            return
        loop = nest.loops[len(outer)]
        for value in range(bound(loop.first, outer), bound(loop.end, outer), loop.step):
            yield from deeper((*outer, value))

    return deeper(())


def accesses(nest: Nest) -> Iterator[tuple[str, str, int, int]]:
    """Name, kind, address and size of every access."""
    for values in iterations(nest):
        for item in nest.references:
            address = item.base + sum(s * v for s, v in zip(item.strides, values, strict=True))
            yield item.name, item.kind, address, item.bytes
