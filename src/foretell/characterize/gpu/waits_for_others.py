"""Instructions that wait: short loops around a load that sees what other blocks write, or around a clock.

How often such a loop runs depends on which block is executed first, and says nothing of a kernel's work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from foretell.core.gpu.sass import SassInstruction, SassKernel

_CLOCKS = ("SR_CLOCK", "SR_GLOBALTIMER")
#: instructions of such a loop: a load, a comparison, a jump; a pause and fences between
_LONGEST = 16
_SEES_OTHERS, _CHANGES = "STRONG", ("ST", "STG", "ATOM", "ATOMG", "RED", "REDG", "STS", "ATOMS", "BAR", "CALL")


def waiting(kernel: SassKernel, executions: np.ndarray) -> int:
    """Warp instructions of all rounds of such loops but their first."""
    text = kernel.instructions
    places = {item.offset: place for place, item in enumerate(text)}
    count = 0
    for last, item in enumerate(text):
        first = places.get(_target(item), last + 1)
        if last - _LONGEST < first <= last and _waits(text[first : last + 1]):
            entered = int(executions[first - 1]) if first else 0
            count += sum(max(0, int(number) - entered) for number in executions[first : last + 1])
    return count


def _target(item: SassInstruction) -> int:
    return item.operands[-1].value if item.opcode == "BRA" and item.operands else -1


def _waits(loop: tuple[SassInstruction, ...]) -> bool:
    looks = any(_looks(item) for item in loop)
    return looks and not any(item.opcode in _CHANGES for item in loop)


def _looks(item: SassInstruction) -> bool:
    loads = item.opcode.startswith("LD") and _SEES_OTHERS in item.modifiers
    return loads or any(clock in operand.text for operand in item.operands for clock in _CLOCKS)
