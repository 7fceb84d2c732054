"""A machine as its core sees it, for calls that are followed once and asked for again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: what the followed call reads of a machine, beside its traits and the latency of L1: caches beyond and memory do not
#: change which instructions run, nor their cycles with all data in L1
_READ = ("pipeline.", "cores.", "level.L1.line")
_LATENCY = "level.L1.latency"
#: peaks and numbers of cores, which no instruction waits for
_NOT_READ = ("cores.flops_per_cycle", "cores.count")


def reads(path: str) -> bool:
    """Whether a followed call depends on a parameter of the machine."""
    return path == _LATENCY or (path.startswith(_READ) and path not in _NOT_READ)


@dataclass(frozen=True, eq=False)
class CoreKey:
    """A machine as a cache key: equal where the core and its innermost cache are."""

    machine: Machine

    def __hash__(self) -> int:
        return hash(self._numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CoreKey) and other._numbers == self._numbers

    @cached_property
    def _numbers(self) -> tuple[object, ...]:
        machine = self.machine
        paths = sorted(path for path in machine.quantities if reads(path) and path != _LATENCY)
        values = tuple((path, machine.value(path)) for path in paths)
        latency = machine.cycles(_LATENCY) if _LATENCY in machine else None
        return values, latency, tuple(sorted(machine.traits.items()))
