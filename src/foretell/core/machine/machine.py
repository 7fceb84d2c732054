"""A machine: named quantities, each with its source."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.machine.parameters import LISTS, current, parameter
from foretell.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping

MachineKind = Literal["cpu", "gpu", "manycore"]
SourceKind = Literal["measured", "datasheet", "paper", "derived", "assumed"]


#: numbers of the file that others were written with: latencies in cycles of its clock, caches shared by all its cores,
#: and how many cores' streams its memory serves at once
_REMEMBERED = ("clock.frequency", "cores.count", "memory.bandwidth", "memory.core_bandwidth")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number comes from."""

    kind: SourceKind
    reference: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in SI base units (or cycles), its unit, and its source."""

    value: float
    unit: str
    source: Source


@dataclass(frozen=True)
class Machine:
    """One machine of the library, or of the user. Never changed; `with_values` makes another one.

    `levels` names the on-chip memory levels from the inside out. `missing` says of parameters that one would
    expect why nobody has them.
    """

    name: str
    title: str
    kind: MachineKind
    quantities: Mapping[str, Quantity]
    levels: tuple[str, ...] = ()
    traits: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    #: what `with_values` replaced of `_REMEMBERED`
    replaced: Mapping[str, float] = field(default_factory=dict)

    def __contains__(self, path: str) -> bool:
        return path in self.quantities

    def __getitem__(self, path: str) -> Quantity:
        """The quantity at a path; MachineError says what it means and why it is not there."""
        try:
            return self.quantities[path]
        except KeyError:
            raise MachineError(self._absent(path)) from None

    def value(self, path: str) -> float:
        """The number at a path in its own unit."""
        return self[path].value

    def cycles(self, path: str) -> float:
        """A latency in cycles of this machine's clock."""
        quantity = self[path]
        return quantity.value if quantity.unit == "cycle" else quantity.value * self.value("clock.frequency")

    def seconds(self, path: str) -> float:
        """A latency in seconds."""
        quantity = self[path]
        return quantity.value if quantity.unit == "s" else quantity.value / self.value("clock.frequency")

    def numbers(self, path: str) -> tuple[float, ...]:
        """The numbers of a list, in SI units."""
        return tuple(units.parse_as(text, LISTS[path][0]) for text in self.traits[path].split(","))

    def with_values(self, values: Mapping[str, float], source: Source | None = None) -> Machine:
        """The same machine with other numbers, in the units the parameters have now (or their first unit)."""
        changed, replaced = dict(self.quantities), dict(self.replaced)
        for path, value in ((current(name), value) for name, value in values.items()):
            old = self.quantities.get(path)
            if old and path in _REMEMBERED:
                replaced.setdefault(path, old.value)
            unit = old.unit if old else parameter(path).units[0]
            changed[path] = Quantity(float(value), unit, source or Source("assumed", "set by the user"))
        replaced = {path: old for path, old in replaced.items() if old != changed[path].value}
        return replace(self, quantities=changed, replaced=replaced)

    def original(self, path: str) -> float:
        """The number at a path before `with_values` replaced it."""
        return self.replaced[path] if path in self.replaced else self.value(path)

    @cached_property
    def content_hash(self) -> str:
        """Equal for machines that no model can tell apart: names, sources and notes do not count."""
        numbers = {path: [q.value, q.unit] for path, q in sorted(self.quantities.items())}
        content: list[object] = [self.kind, self.levels, numbers, sorted(self.traits.items())]
        content += [sorted(self.replaced.items())] if self.replaced else []
        return "sha256:" + hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def _absent(self, path: str) -> str:
        why = self.missing.get(path)
        reason = f" ({why})" if why else ""
        return f"machine {self.name!r} has no {path} ({parameter(path).meaning}){reason}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A parameter that two machines do not share; None where one has no such number."""

    path: str
    left: Quantity | None
    right: Quantity | None

    @property
    def unit(self) -> str:
        """The unit of the side that has a number."""
        side = self.left or self.right
        return side.unit if side else ""

    @property
    def ratio(self) -> float | None:
        """Right over left, where both are in one unit."""
        if self.left is None or self.right is None or self.left.unit != self.right.unit:
            return None
        return self.right.value / self.left.value


@dataclass(frozen=True, slots=True)
class MachineDiff:
    """What differs between two machines by more than a share of the smaller number; `common` are the numbers that both
    have. `conditions` are of the hour in which a machine was measured: they differ, too, and are no numbers of it."""

    left: str
    right: str
    differences: tuple[Difference, ...]
    common: int
    tolerance: float = 0.0
    conditions: tuple[Difference, ...] = ()

    @property
    def agreeing(self) -> int:
        """Of the numbers that both have, those that differ by no more."""
        return self.common - sum(1 for one in self.differences if one.left and one.right)


def diff(left: Machine, right: Machine, tolerance: float = 0.0) -> MachineDiff:
    """The parameters in which two machines differ; sources do not count."""
    found: dict[bool, list[Difference]] = {False: [], True: []}
    common = 0
    for path in dict.fromkeys((*left.quantities, *right.quantities)):
        one = Difference(path, left.quantities.get(path), right.quantities.get(path))
        condition, ratio = parameter(path).condition, one.ratio
        common += not condition and one.left is not None and one.right is not None
        if ratio is None or max(ratio, 1 / ratio) - 1 > tolerance:
            found[condition].append(one)
    return MachineDiff(left.name, right.name, tuple(found[False]), common, tolerance, tuple(found[True]))
