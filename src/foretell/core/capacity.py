"""What a memory level holds: all of it, and what others leave of it to one core, or to all cores of a run.

`level.*.size` is the capacity. Others that use the level, too, leave a part of it, `left` to one core and
`left_together` to all; both are conditions of the hour in which a probe found them. Older files have what was left to
one core for the size itself, beside `reported_size`, and for all cores `together_size`: they mean the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.expression import Value
    from foretell.core.machine import Machine

#: parameters of what others leave, and to whom
LEFT = {"left": "one core", "left_together": "all cores together"}


class Numbers(Protocol):
    """Parameters by their paths: those of a machine, or columns of a sweep among them."""

    def __contains__(self, path: str) -> bool:
        """Whether there is such a number."""

    def value(self, path: str) -> Value:
        """The number, or column, at a path."""


def alone(numbers: Numbers, level: str) -> Value:
    """Bytes that one core has of a level."""
    return _part(numbers, level, "left") if f"level.{level}.left" in numbers else _size(numbers, level)


def together(numbers: Numbers, level: str) -> Value | None:
    """Bytes that all cores have of a level together; None where nobody has found more than one of them gets."""
    if f"level.{level}.left_together" in numbers:
        return _part(numbers, level, "left_together")
    older = f"level.{level}.together_size"
    return numbers.value(older) if older in numbers else None


def whole(numbers: Numbers, level: str) -> Value:
    """Bytes of a level that nobody else uses."""
    older, size = f"level.{level}.reported_size", _size(numbers, level)
    return np.maximum(numbers.value(older), size) if older in numbers else size


def said(machine: Machine, parts: tuple[str, ...] = tuple(LEFT)) -> Iterator[str]:
    """Which parts of levels are counted with, in words."""
    for path in (f"level.{level}.{part}" for level in machine.levels for part in parts):
        if path in machine and machine.value(path) < 1:
            _, level, part = path.split(".")
            yield (
                f"{machine.name}: others leave {100 * machine.value(path):.3g} % of {level} to {LEFT[part]} "
                f"({path}, a condition of the hour of the probe)"
            )


def _size(numbers: Numbers, level: str) -> Value:
    return numbers.value(f"level.{level}.size")


def _part(numbers: Numbers, level: str, part: str) -> Value:
    """In whole bytes, as a size is: a share is written with few digits."""
    return np.floor(_size(numbers, level) * numbers.value(f"level.{level}.{part}") + 0.5)
