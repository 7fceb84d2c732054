"""A machine while estimates are added to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.core.machine.machine import Quantity, Source
from foretell.core.machine.siblings import leading

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

_CLOCK = "clock.frequency"


@dataclass
class Draft:
    """The numbers of a machine, and those estimated so far."""

    machine: Machine
    added: dict[str, Quantity] = field(default_factory=dict)

    def __contains__(self, path: str) -> bool:
        return path in self.added or path in self.machine

    def __getitem__(self, path: str) -> Quantity:
        return self.added[path] if path in self.added else self.machine[path]

    def add(self, path: str, value: float, unit: str, rule: str) -> None:
        """Adds a number, unless the machine has it."""
        if path not in self:
            self.added[path] = Quantity(value, unit, Source("estimated", rule))

    def value(self, path: str, otherwise: float = 1.0) -> float:
        """The number at a path, or another."""
        return self[path].value if path in self else otherwise

    def seconds(self, path: str) -> float | None:
        """A latency in seconds; None where it, or the clock, is not known."""
        if path not in self:
            return None
        quantity = self[path]
        if quantity.unit == "s":
            return quantity.value
        return quantity.value / self.value(_CLOCK) if _CLOCK in self else None

    def per_second(self, path: str) -> float:
        """A bandwidth in bytes per second."""
        quantity = self[path]
        return quantity.value * self.value(_CLOCK) if quantity.unit == "B/cycle" else quantity.value

    def finished(self, machine: Machine) -> Machine:
        """The machine, some of whose numbers may have been replaced, with all estimates; the very same object where
        there are none."""
        if not self.added:
            return machine
        quantities = {**machine.quantities, **self.added}
        whole = replace(machine, quantities=quantities, hash_before=machine.content_hash)
        moved = {
            path: replace(quantity, value=quantity.value * machine.value(leader) / machine.original(leader))
            for path, quantity in self.added.items()
            if (leader := leading(whole, machine.replaced, path)) is not None
        }
        return replace(whole, quantities={**whole.quantities, **moved}) if moved else whole
