"""A machine: named quantities, each with its source."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer
from foretell.core.machine.parameters import LISTS, current, parameter
from foretell.core.machine.siblings import with_siblings
from foretell.errors import MachineError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

MachineKind = Literal["cpu", "gpu", "manycore"]
SourceKind = Literal["measured", "datasheet", "paper", "derived", "estimated", "assumed"]


#: parameters on which others depend: latencies in cycles of the clock, caches shared by all cores, and the number of
#: cores' streams that saturate memory
_REMEMBERED = ("clock.frequency", "cores.count", "memory.bandwidth", "memory.core_bandwidth")


@record
class Source:
    """Origin of a number."""

    kind: SourceKind
    reference: str


@record
class Quantity:
    """A number in SI base units (or cycles), its unit, and its source."""

    value: float
    unit: str
    source: Source


@record
class Override:
    """What a user set on a machine, and the machine as it was."""

    machine: Machine
    values: Mapping[str, float]


@dataclass(frozen=True, repr=False)
class Machine(Answer):
    """One machine of the library, or of the user. Immutable; `with_values` makes a modified copy.

    `levels` names the on-chip memory levels from the inside out. `missing` gives the reason why an expected parameter
    is unknown.
    """

    name: str
    title: str
    kind: MachineKind
    quantities: Mapping[str, Quantity]
    levels: tuple[str, ...] = ()
    traits: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    #: original values of `_REMEMBERED` that `with_values` replaced
    replaced: Mapping[str, float] = field(default_factory=dict)
    #: of `overridden`
    override: Override | None = field(default=None, compare=False, repr=False)
    #: content hash of the machine without estimates, where it has some
    hash_before: str = field(default="", compare=False, repr=False)

    report_name = "machine"

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {self.title} ({self.kind}), {len(self.quantities)} numbers>"

    def __contains__(self, path: str) -> bool:
        return path in self.quantities

    def __getitem__(self, path: str) -> Quantity:
        """Returns the quantity at a path; MachineError explains its meaning and why it is absent."""
        if path in self.quantities:
            return self.quantities[path]
        why = f" ({self.missing[path]})" if self.missing.get(path) else ""
        raise MachineError(f"machine {self.name!r} has no {path} ({parameter(path).meaning}){why}")

    def value(self, path: str) -> float:
        """Returns the number at a path in its own unit."""
        return self[path].value

    def cycles(self, path: str) -> float:
        """Converts a latency to cycles of this machine's clock."""
        quantity = self[path]
        return quantity.value if quantity.unit == "cycle" else quantity.value * self.value("clock.frequency")

    def seconds(self, path: str) -> float:
        """Converts a latency to seconds."""
        quantity = self[path]
        return quantity.value if quantity.unit == "s" else quantity.value / self.value("clock.frequency")

    def numbers(self, path: str) -> tuple[float, ...]:
        """Returns the numbers of a list parameter, in SI units."""
        return tuple(units.parse_as(text, LISTS[path][0]) for text in self.traits[path].split(","))

    def with_values(self, values: Mapping[str, float], source: Source | None = None) -> Machine:
        """Returns a copy with other numbers, in the units the parameters have now (or their first unit)."""
        changed, replaced = dict(self.quantities), dict(self.replaced)
        for path, value in ((current(name), value) for name, value in values.items()):
            old = self.quantities.get(path)
            if old and path in _REMEMBERED:
                replaced.setdefault(path, old.value)
            unit = old.unit if old else parameter(path).units[0]
            changed[path] = Quantity(float(value), unit, source or Source("assumed", "set by the user"))
        replaced = {path: old for path, old in replaced.items() if old != changed[path].value}
        return replace(self, quantities=changed, replaced=replaced, hash_before="")

    def overridden(self, values: Mapping[str, float]) -> Machine:
        """Returns a copy with other numbers, which move their siblings in proportion, and remembers who set what: an
        answer can say that a number has no effect."""
        current_values = {current(name): value for name, value in values.items()}
        changed = self.with_values(with_siblings(self, current_values))
        return replace(changed, override=Override(self, current_values))

    def original(self, path: str) -> float:
        """Returns the number at a path before `with_values` replaced it."""
        return self.replaced[path] if path in self.replaced else self.value(path)

    @property
    def given_hash(self) -> str:
        """Hashes what the user gave: a file's numbers without estimates."""
        return self.hash_before or self.content_hash

    @cached_property
    def content_hash(self) -> str:
        """Hashes everything a model can observe: names, sources and notes are excluded."""
        numbers = {path: [q.value, q.unit] for path, q in sorted(self.quantities.items())}
        content: list[object] = [self.kind, self.levels, numbers, sorted(self.traits.items())]
        content += [sorted(self.replaced.items())] if self.replaced else []
        return "sha256:" + hashlib.sha256(json.dumps(content).encode()).hexdigest()


@record
class Difference:
    """A parameter in which two machines differ; None where one lacks it."""

    path: str
    left: Quantity | None
    right: Quantity | None

    @property
    def unit(self) -> str:
        """Unit of the side that has a number."""
        side = self.left or self.right
        return side.unit if side else ""

    @property
    def ratio(self) -> float | None:
        """Computes right over left, where both have the same unit."""
        if self.left is None or self.right is None or self.left.unit != self.right.unit:
            return None
        return self.right.value / self.left.value


@dataclass(frozen=True, slots=True, repr=False)
class MachineDiff(Answer):
    """Differences between two machines above a fraction of the smaller number; `common` counts the numbers that both
    have. `conditions` are differences in load at the time of the probe, not properties of the machines."""

    left: str
    right: str
    differences: tuple[Difference, ...]
    common: int
    tolerance: float = 0.0
    conditions: tuple[Difference, ...] = ()

    report_name = "machine_diff"

    def __repr__(self) -> str:
        return f"<MachineDiff {self.left}, {self.right}: {self.agreeing} of {self.common} numbers agree>"

    @property
    def agreeing(self) -> int:
        """Number of common parameters that differ by no more than that fraction."""
        return self.common - sum(1 for difference in self.differences if difference.left and difference.right)


def diff(left: Machine, right: Machine, tolerance: float = 0.0) -> MachineDiff:
    """Compares the parameters of two machines; sources are ignored."""
    by_condition: dict[bool, list[Difference]] = {False: [], True: []}
    common = sum(path in right and not parameter(path).condition for path in left.quantities)
    for path in dict.fromkeys((*left.quantities, *right.quantities)):
        difference = Difference(path, left.quantities.get(path), right.quantities.get(path))
        if (ratio := difference.ratio) is None or max(ratio, 1 / ratio) - 1 > tolerance:
            by_condition[parameter(path).condition].append(difference)
    properties, conditions = map(tuple, by_condition.values())
    return MachineDiff(left.name, right.name, properties, common, tolerance, conditions)
