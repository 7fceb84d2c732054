"""Port pressure of a loop's instructions: the cycles that each takes of every port in one pass.

Work that several ports can do is spread evenly over them, as in OSACA's reports; the bound `ports` of the model is that
of the best distribution, and may be lower than the largest sum here.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from foretell.core.answers.breakdown import LoopCode, PortPressure
from foretell.models.cpu.incore.instruction_costs import NO_UNIT
from foretell.models.cpu.incore.loop_body import indexed, register_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.cpu.incore.instruction_costs import Cost
    from foretell.models.cpu.incore.loop_body import Body

_SPACES = re.compile(r"\s+")


def loop_code(nest: LoopNest, body: Body, made_by: str, iterations: float) -> LoopCode:
    """The instructions of a pass that does so many iterations of the source loop, with the pressure of each."""
    work = [_pressure(one, share, body) for one, share in body.instructions]
    ports = sorted({port for row in work for port in row}, key=_natural)
    return LoopCode(
        function=nest.function,
        line=nest.line,
        made_by=made_by,
        iterations=iterations,
        ports=tuple(ports),
        bounds=body.bounds(0.0, 0.0),
        instructions=tuple(
            PortPressure(
                _SPACES.sub(" ", one.text.strip()), one.source_line, share, tuple(row.get(port, 0.0) for port in ports)
            )
            for (one, share), row in zip(body.instructions, work, strict=True)
        ),
    )


def _pressure(one: Instruction, share: float, body: Body) -> dict[str, float]:
    pressure: Counter[str] = Counter()
    for cost, pieces in _costs(one, body):
        for ports, cycles in cost.work():
            for port in ports:
                pressure[port] += cycles * pieces * share / len(ports)  # type: ignore[assignment]
    return dict(pressure)


def _costs(one: Instruction, body: Body) -> Sequence[tuple[Cost, int]]:
    """What an instruction costs: its load, its store, its operation."""
    found: list[tuple[Cost, int]] = []
    width, pieces = register_pieces(one)
    if one.loads and one.kind != "gather":
        found.append((body.costs.load(width), pieces))
    if one.stores:
        found.append((body.costs.store(width, indexed(one)), pieces))
    if one.kind not in NO_UNIT:
        found.append((body.costs.instruction(one), 1))
    return found


def _natural(port: str) -> tuple[object, ...]:
    """p2 before p10."""
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"(\d+)", port))
