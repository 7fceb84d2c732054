"""Capacity of a memory level: all of it, and the share available to one core or to all cores of a run.

`level.*.size` is the capacity. Other tenants that use a shared level leave the fraction `available` of it to one core
and `available_all` to all cores; both are conditions at the time of the probe. In older files `size` is the capacity
available to one core, `reported_size` the whole and `together_size` the capacity available to all cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine

#: parameters of the available share, and its beneficiary
SHARES = {"available": "one core", "available_all": "all cores together"}


class Numbers(Protocol):
    """Parameters by path: those of a machine, possibly with columns of a sweep."""

    def __contains__(self, path: str) -> bool:
        """Whether the parameter is given."""

    def value(self, path: str) -> Value:
        """Returns the number, or column, at a path."""


def alone(numbers: Numbers, level: str) -> Value:
    """Computes the bytes of a level that are available to one core."""
    return _part(numbers, level, "available") if f"level.{level}.available" in numbers else _size(numbers, level)


def together(numbers: Numbers, level: str) -> Value | None:
    """Computes the bytes of a level available to all cores together; None where no more than for one."""
    if f"level.{level}.available_all" in numbers:
        return _part(numbers, level, "available_all")
    older = f"level.{level}.together_size"
    return numbers.value(older) if older in numbers else None


def whole(numbers: Numbers, level: str) -> Value:
    """Computes the bytes of a level without other tenants."""
    older, size = f"level.{level}.reported_size", _size(numbers, level)
    return np.maximum(numbers.value(older), size) if older in numbers else size


def said(machine: Machine) -> Iterator[str]:
    """Yields a note for each level of which only a share is available."""
    for path in (f"level.{level}.{part}" for level in machine.levels for part in SHARES):
        if path in machine and machine.value(path) < 1:
            _, level, part = path.split(".")
            yield (
                f"{machine.name}: {100 * machine.value(path):.3g} % of {level} is available to {SHARES[part]} "
                f"({path}, the load of other tenants during the probe)"
            )


def _size(numbers: Numbers, level: str) -> Value:
    return numbers.value(f"level.{level}.size")


def _part(numbers: Numbers, level: str, part: str) -> Value:
    """Computes a share of the size, rounded to bytes: shares in files have few digits."""
    return np.floor(_size(numbers, level) * numbers.value(f"level.{level}.{part}") + 0.5)
