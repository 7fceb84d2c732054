"""Conditional branches of a kernel by source line: what an override of the user hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Override
    from foretell.core.gpu.sass import SassInstruction, SassKernel

#: candidates that a message lists
_LISTED = 20


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """A conditional branch: its index in the text, its code offset, its source line (0: not known) and which of the
    line's branches it is, from 1. `loop`: it jumps back, so it can have a trip count."""

    number: int
    offset: int
    line: int
    occurrence: int
    loop: bool

    @property
    def place(self) -> str:
        """The name that --branch and --trip have for it: LINE#OCCURRENCE, or the offset without a line."""
        return f"{self.line}#{self.occurrence}" if self.line else f"{self.offset:#x}"

    def __str__(self) -> str:
        what = "loop" if self.loop else "branch"
        return f"{self.place} ({self.offset:#x}, {what})" if self.line else f"{self.place} ({what})"


def branch_points(kernel: SassKernel) -> tuple[BranchPoint, ...]:
    """The conditional branches, in the order of the code."""
    points: list[BranchPoint] = []
    seen: dict[int, int] = {}
    for number, item in enumerate(kernel.instructions):
        if _conditional(item):
            line = item.line or 0
            seen[line] = seen.get(line, 0) + 1
            points.append(BranchPoint(number, item.offset, line, seen[line], jumps_back(item)))
    return tuple(points)


def of_override(kernel: SassKernel, override: Override) -> list[int]:
    """Indices of the branches that an override is about; for a trip count, those that end a loop."""
    points = branch_points(kernel)
    found = [point.number for point in points if _hit(point, override)]
    if found:
        return found
    wanted = [point for point in points if point.loop or override.rounds is None]
    what = "loop that ends" if override.rounds else "branch"
    more = f" and {len(wanted) - _LISTED} more" if len(wanted) > _LISTED else ""
    raise InputError(
        f"kernel {kernel.name} has no {what} at {override}",
        hint="candidates (line#occurrence): " + ", ".join(map(str, wanted[:_LISTED])) + more
        if wanted
        else f"the kernel has no {'loop' if override.rounds else 'conditional branch'}",
    )


def effect(kernel: SassKernel, override: Override, unknown: set[int]) -> str:
    """The override in words; `unknown` are the branches whose condition was not known."""
    if unknown & set(of_override(kernel, override)):
        return str(override)
    return f"{override} (without effect: its condition follows from the launch)"


def _hit(point: BranchPoint, override: Override) -> bool:
    same = point.offset if override.offset else point.line
    occurs = override.occurrence in (0, point.occurrence)
    return same == override.place and occurs and (override.rounds is None or point.loop)


def _conditional(item: SassInstruction) -> bool:
    """Whether an instruction jumps or ends where a guard holds, or a second condition (`EXIT P1`, `BRA P1,0x80`)."""
    return item.opcode in ("BRA", "BRX", "EXIT") and (
        item.guard is not None or len(item.operands) > (item.opcode != "EXIT")
    )


def jumps_back(item: SassInstruction) -> bool:
    """Whether a branch goes to an earlier instruction."""
    return item.opcode != "EXIT" and bool(item.operands) and item.operands[-1].value <= item.offset
