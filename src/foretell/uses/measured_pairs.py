"""Measured pairs of versions of a code: what every validation of pairs shares.

A version is a source with the assembly of the measured compiler, or a kernel in machine code with its launch. A pair
has two of them with their measured times; a hash of its group decides whether it may be used for choosing (tuning) or
is only reported. `advice` asks such pairs for gains, `differences` for verdicts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from foretell import api
from foretell.core.answers.answers import Refusal
from foretell.errors import InputError
from foretell.machines import load
from foretell.records import record
from foretell.uses.error_statistics import set_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from foretell.api import Case
    from foretell.core.answers.answers import CaseSet
    from foretell.core.gpu.launch import Launch
    from foretell.core.machine.machine import Machine

GPU = "h200"
Point = TypeVar("Point")


@record
class Version:
    """One of two versions: a C source with sizes, threads and the function, or machine code with a launch."""

    file: Path
    machine: str | Path
    measured_s: float  #: the shortest of all visits to the machine
    sizes: tuple[tuple[str, float], ...] = ()
    function: str = ""
    launch: Launch | None = None
    #: of C++, whose assembly is followed without its source
    arguments: tuple[str, ...] = ()
    assembly: Path | None = None  #: what the compiler made of a source; without it, the file beside the source
    data: str = "repeated"  #: what the arrays held, as the option of the CPU model says it
    visits_s: tuple[float, ...] = ()  #: the shortest time of each visit, where these were recorded

    def case(self) -> Case:
        """The question as it was measured. Of one thread the measured compiler's own code is followed; regions of
        threads are functions of their own there, so they are predicted from generated code."""
        machine = _machine(self.machine)
        if self.launch is not None:
            return api.prepare(self.file, machine, launch=self.launch)
        beside = (self.file.with_suffix(end) for end in (".s.xz", ".s"))
        assembly = self.assembly or next(file for file in beside if file.exists())
        if self.arguments:
            return api.prepare(
                assembly, machine, kernel=self.function, args=self.arguments, options={"data": self.data}
            )
        parallel = dict(self.sizes).get("threads", 1) > 1
        options: Mapping[str, str] = {"data": self.data} | ({"cc": "none"} if parallel else {"asm": str(assembly)})
        reading: dict[str, Any] = {"kernel": self.function} if self.function else {}
        return api.prepare(self.file, machine, parameters=dict(self.sizes), options=options, **reading)


@record
class MeasuredPair:
    """Two versions, before and after a change; `group` decides its half."""

    name: str
    kind: str
    group: str
    before: Version
    after: Version
    edit: str = ""
    disturbed: bool = False

    @property
    def set(self) -> CaseSet:
        return set_of(self.group)


@lru_cache(maxsize=8)
def _machine(name: str | Path) -> Machine:
    return load(name)


def replayed(
    pairs: Iterable[MeasuredPair], point: Callable[[MeasuredPair], Point], say: Callable[[str], None]
) -> tuple[list[Point], list[Refusal]]:
    """A point of each pair that can be predicted, and the reasons of the others."""
    points, refused = [], []
    for pair in pairs:
        say(pair.name)
        try:
            points.append(point(pair))
        except InputError as error:
            refused.append(Refusal(pair.name, error.message))
    return points, refused
