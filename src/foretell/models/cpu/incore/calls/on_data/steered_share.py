"""How much of a followed call is done in loops whose way data decide by jumps: there, which instructions run, and how
often, is only estimated."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from foretell.models.cpu.incore.instruction_tables import ALWAYS, BETWEEN, NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.models.cpu.incore.instruction_tables import Tables
    from foretell.models.cpu.incore.ooo_core import CallResult

#: jumps of which nothing is known go either way equally often
_EITHER = 0.5


def steered_shares(
    made: Tables, result: CallResult, loop_at: Sequence[int], parents: Sequence[int]
) -> tuple[float, ...]:
    """Of each instruction, how much data steer the loops around it: 1 where a jump of each iteration goes either way
    equally often, 0 where none depends on data."""
    own: dict[int, float] = defaultdict(float)
    for row in result.open_jumps:
        loop = loop_at[row]
        if loop >= 0 and result.iterations[loop] > 0:
            rare = _rarer(made.rows[row]["chance"], result.exits[loop] / result.iterations[loop])
            own[loop] += 2 * rare * result.counts[row] / result.iterations[loop]
    shares = {-1: 0.0}
    return tuple(_share(loop_at[main], own, parents, shares) for _, main, _ in made.spans)


def _rarer(chance: int, ends: float) -> float:
    """How often a jump goes the way that it goes less often; one that ends a loop after some rounds, as often."""
    taken = ends if chance == BETWEEN else (chance - NEVER) / (ALWAYS - NEVER) if chance else _EITHER
    return max(0.0, min(taken, 1.0 - taken))


def _share(loop: int, own: dict[int, float], parents: Sequence[int], shares: dict[int, float]) -> float:
    """The share of a loop, which is at least that of the loop around it."""
    if loop not in shares:
        shares[loop] = max(min(1.0, own[loop]), _share(parents[loop], own, parents, shares))
    return shares[loop]
