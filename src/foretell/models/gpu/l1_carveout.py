"""The L1/shared-memory carve-out: how much of the memory of a multiprocessor is L1 for a launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.models.gpu.occupancy import shared_of_block
from foretell.models.gpu.reference import with_reference

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


def l1_bytes(machine: Machine, shared_bytes: float, blocks: int) -> float:
    """L1 capacity left by the shared-memory carve-out if `blocks` blocks of so many bytes fit: the driver configures
    more than these need."""
    if "level.L1.size" not in machine:
        return 0.0
    machine, _ = with_reference(machine)
    needed = shared_of_block(machine, shared_bytes) * blocks
    counted = needed * min(blocks, machine.value("carveout.blocks")) / blocks
    small = min(machine.value("carveout.spare_small") * counted, machine.value("carveout.small"))
    wanted = min(max(machine.value("carveout.spare") * counted, small), machine.value("carveout.largest_spare"))
    sizes = machine.numbers("carveout.sizes")
    part = next((size for size in sizes if size >= max(wanted, needed)), max(needed, sizes[-1]))
    return max(0.0, machine.value("level.L1.size") - part)
