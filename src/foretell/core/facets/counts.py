"""The `Counts` facet: hardware counters of a run, or simulated ones.

Events have the names of the Raexplore paper (Table 2). Counts are totals over all ranks and threads, `time` is elapsed
time of the code block.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from foretell.core.workload import Facet
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.core.machine.machine import Machine

#: origin of a number: a hardware counter, sampling, a simulation, a heuristic, the user
NumberSource = Literal["counter", "sampled", "simulated", "estimated", "given"]

#: event -> (unit, what it counts)
EVENTS: dict[str, tuple[str, str]] = {
    "time": ("cycle", "elapsed cycles"),
    "time_s": ("s", "elapsed seconds"),
    "cycles": ("cycle", "cycles of all cores together"),
    "instructions": ("", "instructions, all kinds"),
    "instInt": ("", "instructions that are not floating-point (loads, stores and branches included)"),
    "instFP": ("", "floating-point instructions, a vector one counted once"),
    "instDivide": ("", "floating-point divisions and square roots among them"),
    "instRoot": ("", "square roots among these"),
    "numAccess": ("", "memory reads and writes"),
    "loads": ("", "memory reads"),
    "stores": ("", "memory writes"),
    "hitsL1": ("", "accesses served by the L1"),
    "missesL1": ("", "accesses that the L1 does not serve"),
    "hitsL1p": ("", "accesses served by the prefetch buffer behind the L1"),
    "hitsL2": ("", "accesses served by an L2 that is not the last level"),
    "missesL2": ("", "accesses that neither L1 nor L2 serve"),
    "hitsLLC": ("", "accesses served by the last level of cache"),
    "missesLLC": ("", "accesses that go to memory"),
    "LD": ("", "lines loaded from memory"),
    "ST": ("", "lines stored to memory"),
    "parallelRegions": ("", "times that a team of threads was started and waited for"),
    "cyclesWindow": ("cycle", "cycles of its instructions on a core, all data in the L1"),
    "cyclesHalfWindow": ("cycle", "the same on a core with half of its scheduler and buffers"),
}

#: predictions that are impossible without an event
BLOCKS: dict[str, str] = {
    "time": "everything: the overlap is measured time minus modelled time",
    "instInt": "the instruction time",
    "instFP": "the instruction time",
    "numAccess": "the memory latency time",
    "hitsL1": "the memory latency time",
    "hitsLLC": "the memory latency time",
    "LD": "the memory bandwidth time",
    "ST": "the memory bandwidth time",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One number as a tool printed it. `rank` and `thread` are empty where the tool does not distinguish them;
    `running` is the fraction of time in which a multiplexed counter ran (the tool has already scaled the value)."""

    region: str
    event: str
    value: float
    unit: str = ""
    rank: str = ""
    thread: str = ""
    running: float = 1.0


@dataclass(frozen=True, slots=True)
class Count:
    """One event of a block, and its origin: the tool's own events from which it is computed."""

    value: float
    source: NumberSource
    origin: str
    running: float = 1.0


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A function, a loop, a marked region or the whole program. `missing` gives the reason why an event is unknown.

    `curve` holds pairs of bytes and misses, by increasing size: the misses of a cache of that size that one thread uses
    alone. It replaces the square-root law for a cache that is shared or of another size.
    """

    name: str
    events: Mapping[str, Count]
    missing: Mapping[str, str] = field(default_factory=dict)
    curve: tuple[tuple[float, float], ...] = ()

    def value(self, event: str) -> float:
        """Returns the count of an event; InputError names the predictions it blocks."""
        if event in self.events:
            return self.events[event].value
        why = self.missing.get(event, "the profile does not have it")
        blocks = f"; it blocks {BLOCKS[event]}" if event in BLOCKS else ""
        raise InputError(f"block {self.name!r}: {event} ({EVENTS[event][1]}) is not known: {why}{blocks}")


@dataclass(frozen=True)
class Counts(Facet):
    """Events of each code block, and the run in which they were counted.

    The baseline machine is a name (with the hash of its numbers, if known) or the machine itself; `cores` and
    `threads_per_core` are those used by the run.
    """

    blocks: tuple[CodeBlock, ...]
    cores: int | None = None
    threads_per_core: int | None = None
    machine_name: str = ""
    machine_hash: str = ""
    machine: Machine | None = None
    tool: str = ""
    tool_version: str = ""
    rows: tuple[Row, ...] = ()

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset({"threads", "threads_per_core", "alpha", "beta", "gamma"})

    @property
    def optional(self) -> frozenset[str]:
        return self.symbols

    def resolved(self, load: Callable[[str], Machine]) -> Counts:
        """Returns the facet with the baseline machine loaded; refuses a machine whose numbers have changed since."""
        if self.machine is not None or not self.machine_name:
            return self
        machine = load(self.machine_name)
        if self.machine_hash and machine.content_hash != self.machine_hash:
            raise InputError(
                f"the profile was made for {self.machine_name!r} with other numbers than it has now",
                hint="import the profile again, or remove the machine hash from it",
            )
        return replace(self, machine=machine)

    def with_baseline(self, change: Callable[[Machine], Machine]) -> Counts:
        """Returns the facet with another baseline machine."""
        return self if self.machine is None else replace(self, machine=change(self.machine))


def event_unit(name: str) -> str:
    """Returns the unit of a foretell event; an unknown one raises an error that names the nearest."""
    if name not in EVENTS:
        raise InputError(f"unknown event {name!r}{nearest(name, EVENTS)}", hint="events: " + ", ".join(EVENTS))
    return EVENTS[name][0]
