"""Other numbers for a machine, as a user writes them: `--set`, or `set=` in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import units
from foretell.core.machine.parameters import current, fault, parameter
from foretell.errors import InputError, UnitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.machine.machine import Machine

_CLOCK = "clock.frequency"


def overridden(machine: Machine, given: Mapping[str, str | float]) -> Machine:
    """Returns the machine with other numbers: text with a unit, converted to the machine's own (cycles and seconds by
    means of the clock), or a number in the unit that the machine has. They move their siblings in proportion."""
    values: dict[str, float] = {}
    named = {current(path): value for path, value in given.items()}
    for path, value in sorted(named.items(), key=lambda item: item[0] != _CLOCK):
        wanted = machine[path].unit if path in machine else parameter(path).units[0]
        clock = values.get(_CLOCK) or (machine.value(_CLOCK) if _CLOCK in machine else None)
        number = _converted(path, value, wanted, clock) if isinstance(value, str) else float(value)
        if wrong := fault(path, number, wanted):
            raise InputError(f"--set {path}={value}: {wrong}")
        values[path] = number
    return machine.overridden(values) if values else machine


def _converted(path: str, text: str, wanted: str, clock: float | None) -> float:
    measure = units.parse(text)
    factor = 1.0 if measure.unit == wanted else _at_clock(measure.unit, wanted, clock)
    if factor is None or measure.unit not in parameter(path).units:
        known = wanted or "a pure number"
        raise UnitError(f"--set {path}={text}: is in {measure.unit or 'no unit'}, expected {known}")
    return measure.value * factor


def _at_clock(given: str, wanted: str, clock: float | None) -> float | None:
    """Returns the factor that converts between per-cycle and per-second units; None for other units."""
    if clock is None:
        return None
    more, less = {("s", "cycle"), ("B/cycle", "B/s")}, {("cycle", "s"), ("B/s", "B/cycle")}
    return clock if (given, wanted) in more else 1 / clock if (given, wanted) in less else None
