"""What every reader gives: rows, gaps, and what the file says about the run."""

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
    """An event that the tool was asked for and has no number of: for one thread, launch or interval. `whole`: the sum
    over all of them is then not known either."""

    region: str
    event: str
    reason: str
    whole: bool = True


@dataclass
class About:
    """What a file says beside its numbers, filled in by its reader."""

    tool: str
    version: str = ""
    source: NumberSource = "counter"
    #: the same event of the same region may come again and adds up; else it is a contradiction
    additive: bool = False
    #: the number style the user says the file has
    style: Style | None = None
    #: the regions are those that the program marked
    marked: bool = False
    name: str = ""
    machine_name: str = ""
    machine_hash: str = ""
    machine: Machine | None = None
    cores: int | None = None
    threads_per_core: int | None = None
    sources: dict[tuple[str, str], tuple[NumberSource, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    #: misses against cache size, by region
    curves: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Says something once."""
        if text not in self.notes:
            self.notes.append(text)


Item: TypeAlias = Row | Gap
Reader: TypeAlias = "Callable[[Lines, About], Iterator[Item]]"
WHOLE = "program"


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is told from others, and its reader. `maps` names its event maps, first one first."""

    name: str
    title: str
    matches: Callable[[str], bool]
    read: Reader
    maps: tuple[str, ...]
    source: NumberSource = "counter"
    additive: bool = False
    #: several files are passes over the same kernels, not ranks of one run
    passes: bool = False
