"""Computes cycles per instruction along an executed path, with the full out-of-order window or a part of it.

The window comprises the scheduler, the reorder buffer and the load, store and register buffers. Data are in the
innermost cache, branches are predicted, and a load depends on a store only if both are on the stack: the result
isolates the effect of the window on dependency chains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from foretell.codegen.assembly.meaning import Steps
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.instruction_tables import NOWHERE, Tables
from foretell.models.cpu.incore.loop_body import issue_slots
from foretell.models.cpu.incore.ooo_core import core_numbers, passing_times, walker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine.machine import Machine

#: resources that two SMT threads of a core split in halves
_WINDOW = ("scheduler", "store_scheduler", "reorder", "loads", "stores", "vectors")
#: bytes between the addresses of two instructions, and the base of the stack
_APART, _STACK = 1 << 20, 1 << 45


@dataclass(frozen=True, eq=False)
class Path:
    """Instructions of a program and an execution of them: the index of each in `instructions`, and whether it
    jumped."""

    instructions: tuple[Instruction, ...]
    places: tuple[int, ...]
    jumped: tuple[bool, ...]
    machine: Machine

    def cycles(self, part: float = 1.0) -> float:
        """Cycles per instruction on a core with this part of its window, without the warm-up."""
        core = {name: self._of(name, value, part) for name, value in core_numbers(self.machine).items()}
        marks = [len(self.places) // 4, len(self.places) - 1]
        times = passing_times(walker(self._tables, *self._order, core), marks, len(self.places) + 1)
        return float(times[1][0] - times[0][0]) / (marks[1] - marks[0])

    @staticmethod
    def _of(name: str, value: float, part: float) -> float:
        return max(1.0, float(int(value * part))) if name in _WINDOW and value else value

    @cached_property
    def _tables(self) -> Tables:
        made = Tables(Costs(self.machine))
        for number, instruction in enumerate(self.instructions):
            made.add(instruction, 0, 0, Steps())
            # values are not simulated: every register is zero, and each instruction has a fixed address
            made.rows[-1] |= {"to": NOWHERE, "a": NOWHERE, "b": NOWHERE, "constant": 0}
            made.rows[-1]["displacement"] = _place(instruction, number)
        return made

    @cached_property
    def _order(self) -> tuple[list[str], list[str], dict[str, NDArray[np.int64]], list[float]]:
        """The executed instructions in order: operations, conditions, the other columns, and slots."""
        made, places = self._tables, [*self.places, self.places[-1]]
        operations = ["jump" if jumped else "none" for jumped in self.jumped] + ["return"]
        conditions = [made.conditions[position] for position in places]
        columns = {name: column[places] for name, column in made.columns().items()}
        jumps = np.flatnonzero(self.jumped)
        columns["target"][jumps] = jumps + 1
        order = [self.instructions[position] for position in places]
        fuses = self.machine.traits.get("target.isa") == "x86-64"
        slots = issue_slots(order, made.costs, fuses)
        columns["fetched"] = np.array([int(each.fetched) for each in slots], dtype=np.int64)
        return operations, conditions, columns, [each.issued for each in slots]


def _place(one: Instruction, number: int) -> int:
    on_stack = one.memory is not None and one.memory.base in ("rsp", "rbp") and not one.memory.index
    return _STACK + one.memory.displacement if on_stack and one.memory else (number + 1) * _APART


def known(machine: Machine) -> bool:
    """Whether the machine has the parameters of its window."""
    return machine.traits.get("target.isa") == "x86-64" and all(
        path in machine for path in ("cores.scheduler", "cores.reorder_buffer")
    )


def sensitivity(path: Path, parts: Sequence[float] = (1.0, 0.5)) -> tuple[float, ...]:
    """Cycles per instruction with these parts of the window; a smaller window is never faster."""
    found: list[float] = []
    for part in parts:
        found.append(max([path.cycles(part), *found]))
    return tuple(found)
