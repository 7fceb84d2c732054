"""The output of every reader: rows, gaps, and metadata of the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from foretell.core.facets.counts import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.core.facets.counts import NumberSource
    from foretell.core.machine.machine import Machine
    from foretell.frontends.counters.readers.lines import Lines
    from foretell.frontends.counters.readers.numbers import Style


@dataclass(frozen=True, slots=True)
class Gap:
    """An event without a number, though the tool was asked for it: for one thread, launch or interval. `whole`: the sum
    over all of them is unknown, too."""

    region: str
    event: str
    reason: str
    whole: bool = True


@dataclass
class About:
    """Metadata of a file, filled in by its reader."""

    tool: str
    version: str = ""
    source: NumberSource = "counter"
    #: whether repeated values of one event and region add up; otherwise they are a contradiction
    additive: bool = False
    #: the number style given by the user
    style: Style | None = None
    #: whether the regions were marked by the program
    marked: bool = False
    name: str = ""
    machine_name: str = ""
    machine_hash: str = ""
    machine: Machine | None = None
    cores: int | None = None
    threads_per_core: int | None = None
    sources: dict[tuple[str, str], tuple[NumberSource, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    #: miss curves (misses against cache size), by region
    curves: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Adds a note, once."""
        if text not in self.notes:
            self.notes.append(text)


Item: TypeAlias = Row | Gap
Reader: TypeAlias = "Callable[[Lines, About], Iterator[Item]]"
WHOLE = "program"


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its detection and its reader. `maps` names its event maps in order of precedence."""

    name: str
    title: str
    matches: Callable[[str], bool]
    read: Reader
    maps: tuple[str, ...]
    source: NumberSource = "counter"
    #: whether several files are passes over the same kernels, not ranks of one run
    passes: bool = False

    @property
    def additive(self) -> bool:
        """Whether a region has several values of an event: launches of a kernel, functions of one name."""
        return self.passes or self.source != "counter"
