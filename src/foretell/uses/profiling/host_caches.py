"""The caches of this machine, as Linux reports them, and in a geometry that valgrind can simulate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.machine import capacity
from foretell.errors import ToolError
from foretell.machines.probe import system

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

_SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
#: valgrind searches the ways of a set one by one
_MOST_WAYS = 128


@dataclass(frozen=True, slots=True)
class Cache:
    """Size and line in bytes, and ways."""

    size: int
    line: int
    ways: int


@dataclass(frozen=True, slots=True)
class Caches:
    """First-level instruction and data cache, the last level, and the one after the first if there are more."""

    instruction: Cache
    data: Cache
    last: Cache
    middle: Cache | None = None

    def inner(self) -> Caches | None:
        """The caches up to the middle level: valgrind simulates two levels at a time."""
        return replace(self, last=self.middle, middle=None) if self.middle else None

    def part(self, of: int) -> Caches:
        """The share of the data caches of one of `of` threads: fewer sets, the same ways."""
        return replace(
            self, data=replace(self.data, size=self.data.size // of), last=replace(self.last, size=self.last.size // of)
        )

    def options(self) -> tuple[str, ...]:
        """Options for valgrind, which would otherwise guess, sometimes silently."""
        named = (("I1", self.instruction), ("D1", self.data), ("LL", self.last))
        return tuple(f"--{name}={c.size},{c.ways},{c.line}" for name, c in ((n, simulable(c)) for n, c in named))


def this_machine(folder: Path = _SYSTEM) -> Caches:
    """Reads the geometry; ToolError where the system does not report it."""
    caches = {
        (cache.level, kind): Cache(cache.size, cache.line or 64, cache.ways or 0)
        for kind, cache in system.sysfs_caches(folder)
    }
    data = caches.get((1, "Data")) or caches.get((1, "Unified"))
    instruction = caches.get((1, "Instruction")) or data
    outer = [cache for (level, kind), cache in sorted(caches.items()) if level > 1 and kind in ("Unified", "Data")]
    if data is None or instruction is None or not outer:
        raise ToolError(f"the system does not tell its caches ({folder}); nothing is simulated with guessed ones")
    return Caches(instruction, data, outer[-1], outer[0] if len(outer) > 1 else None)


def of_machine(machine: Machine) -> Caches | None:
    """The data caches of a machine file, with the instruction cache of this machine; None unless it has two."""
    names = machine.levels
    data, last, middle = (_level(machine, name) for name in (names[:1], names[-1:], names[1:-1][:1]))
    if data is None or last is None or len(names) < 2:
        return None
    return Caches(Cache(32 << 10, data.line, 8), data, last, middle)


def _level(machine: Machine, names: tuple[str, ...]) -> Cache | None:
    """The available part of a level, with all its ways."""
    paths = [f"level.{name}.{what}" for name in names for what in ("size", "line", "ways")]
    if not paths or any(path not in machine for path in paths[:2]):
        return None
    ways = int(machine.value(paths[2])) if paths[2] in machine else 16
    line = int(machine.value(paths[1]))
    return Cache(int(float(capacity.alone(machine, names[0]))) // line * line, line, ways)


def simulable(cache: Cache) -> Cache:
    """The same capacity (within half a way) with a power of two of sets, as valgrind requires; the ways are as near as
    possible."""
    lines = cache.size // cache.line
    exact = lines / cache.ways if cache.ways else 0
    if exact >= 1 and exact == int(exact) and int(exact).bit_count() == 1:
        return cache
    divisor = lines & -lines  # the largest power of two that divides the lines
    choices = [lines // (1 << k) for k in range(divisor.bit_length())]
    ways = min(choices, key=lambda count: abs(count - (cache.ways or 16)))
    if ways <= _MOST_WAYS:
        return Cache(cache.size, cache.line, ways)
    sets = 1 << max(0, int(math.log2(lines / (cache.ways or 16))))  # an odd size: the nearest such number of sets
    ways = round(lines / sets)
    return Cache(sets * ways * cache.line, cache.line, ways)
