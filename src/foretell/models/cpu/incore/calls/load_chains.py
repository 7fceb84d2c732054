"""Finds loads that wait for themselves: `p = next[p]`, `node = node->next`.

The address of such a load depends on what it loaded in an earlier iteration. The followed core has all data in L1;
where the data lie further out, each of these loads takes that level's latency, one after the other. Chains of different
executions of their loop run at once as far as the reorder buffer reaches.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.models.cpu.incore.calls.whole_call import Followed

#: registers whose changes in a loop come back: pushes and pops
_STACK = frozenset({"rsp", "sp"})


def chained_loads(followed: Followed, window: float) -> dict[int, float]:
    """How often each load that waits for itself does so with no other chain beside it, by its place in the code.
    `window`: instructions that are in flight."""
    found: dict[int, float] = {}
    for loop, places in _executed_loops(followed).items():
        body = [followed.rows[place][1] for place in places]
        waiting = waiting_loads(body)
        if not waiting:
            continue
        exits = followed.result.exits[loop]
        executed = sum(followed.counts[place] for place in places)
        at_once = max(1.0, window * exits / executed) if _restarts(followed, loop, body) else 1.0
        found |= {places[number]: followed.counts[places[number]] / at_once for number in waiting}
    return found


def _executed_loops(followed: Followed) -> dict[int, list[int]]:
    """The places of the instructions that are executed in each loop, but not in loops inside it."""
    loops: dict[int, list[int]] = defaultdict(list)
    for place, (loop, count) in enumerate(zip(followed.loop_at, followed.counts, strict=True)):
        if loop >= 0 and count:
            loops[loop].append(place)
    return loops


def _restarts(followed: Followed, loop: int, body: Sequence[Instruction]) -> bool:
    """Whether the loop around a loop sets the registers of its addresses anew: the chain begins again."""
    around = followed.parents[loop]
    if around < 0:
        return False
    addresses = {name for number in waiting_loads(body) for name in _address(body[number])}
    outside = [followed.rows[place][1] for place in _executed_loops(followed).get(around, ())]
    return any(addresses & one.writes for one in outside)


def waiting_loads(body: Sequence[Instruction]) -> list[int]:
    """The loads of a loop's body, in the order of the code, whose address depends on what they loaded before."""
    made_by = _definitions(body)
    return [number for number, one in enumerate(body) if one.loads and _depends_on_itself(number, body, made_by)]


def _depends_on_itself(load: int, body: Sequence[Instruction], made_by: Sequence[Mapping[str, int]]) -> bool:
    """Whether the instructions that make the address of a load lead back to it."""
    waiting = [made_by[load][name] for name in _address(body[load]) if name in made_by[load]]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number == load:
            return True
        if number not in seen:
            seen.add(number)
            waiting += made_by[number].values()
    return False


def _definitions(body: Sequence[Instruction]) -> list[dict[str, int]]:
    """For each instruction, the instructions that wrote the registers that it reads: the last before it, or, in the
    iteration before, the last of the body."""
    last: dict[str, int] = {}
    for number, one in enumerate(body):
        last |= dict.fromkeys(_results(one), number)
    found: list[dict[str, int]] = []
    for number, one in enumerate(body):
        found.append({name: last[name] for name in one.reads if name in last})
        last |= dict.fromkeys(_results(one), number)
    return found


def _address(one: Instruction) -> set[str]:
    return set() if one.memory is None else {one.memory.base, one.memory.index} - _STACK - {""}


def _results(one: Instruction) -> frozenset[str]:
    """The registers that depend on what an instruction computes: a base that moves on does not depend on the load."""
    moved = {one.memory.base} if one.memory is not None and one.memory.moves_base is not None else set()
    return one.writes - _STACK - moved
