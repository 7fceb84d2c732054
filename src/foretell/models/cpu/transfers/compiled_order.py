"""Loop nests in the order of the machine code: gcc exchanges loops at -O3, and joins copies of outer ones.

Transfers follow from the order in which the elements are accessed, so that of the source is wrong where the compiler
chose another. A loop of machine code is that loop of the source whose byte strides are its own, up to one factor: the
elements of a vector, and copies of the body.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.layout.iteration_strides import bytes_apart
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.core.nest.statements import Inner
from foretell.core.symbolic.poly import number
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest
    from foretell.core.nest.statements import Statement
    from foretell.models.cpu.incore.calls.whole_call import Followed

#: iterations of the source in one of machine code: 8 elements of a vector, 8 copies
_MOST_AT_ONCE = 64
#: iterations that an entry of a loop leaves to the loops before and after it, and those that it may have too many
_LEFT, _MORE = 0.5, 1.05
#: rounds of a loop that gcc unrolls completely (--param max-completely-peel-times)
_UNROLLED = 16


@record
class CodeLoop:
    """A loop of machine code: its iterations in one entry, and bytes that accesses move by in one, without zero."""

    iterations: float
    strides: frozenset[int]


def code_loops(followed: Followed, rows: Sequence[int]) -> tuple[CodeLoop, ...]:
    """The loops, outermost first, around those of these loads and stores that are executed most often."""
    executed: dict[int, float] = {}
    for row in rows:
        loop = followed.loop_at[row]
        executed[loop] = executed.get(loop, 0.0) + followed.counts[row]
    if not executed:
        return ()
    chain = list(_outwards(followed, max(executed, key=lambda loop: executed[loop])))
    strides: dict[int, set[int]] = {loop: set() for loop in chain}
    for row in rows:
        around = _outwards(followed, followed.loop_at[row])
        for loop, stride in zip(around, followed.result.strides[followed.mains[row]], strict=False):
            if loop in strides and stride:
                strides[loop].add(abs(stride))
    rounds = followed.result.iterations
    return tuple(
        CodeLoop(rounds[loop] / max(1.0, followed.result.entries[loop]), frozenset(strides[loop]))
        for loop in reversed(chain)
    )


def _outwards(followed: Followed, loop: int) -> Iterator[int]:
    while loop >= 0:
        yield loop
        loop = followed.parents[loop]


def as_compiled(nest: LoopNest, code: Sequence[CodeLoop], values: Mapping[str, Value]) -> LoopNest:
    """The nest with its loops in the order of the machine code, and with the copies of outer loops that it joined; as
    it is, where the machine code does not tell."""
    if not code:
        return nest
    first, sizes = _first_free(nest), {name: float(np.max(value)) for name, value in values.items()}
    if len(code) > len(nest.loops):  # copies of outer loops are found as loops of one iteration
        code = [loop for loop in code if loop.iterations > 1]
    if not first < len(code) <= len(nest.loops) or len(nest.loops) - first < 2:
        return nest
    left = list(reversed(nest.loops[first:]))
    chosen: list[tuple[Loop, int] | None] = []
    for loop in reversed(code[first:]):
        fits = [(own, factor) for own in left if (factor := _factor(loop, own, nest, sizes))]
        exact = (pair for pair in fits if len(_strides(pair[0], nest, sizes)) == len(loop.strides))
        chosen.append(next(exact, fits[0] if fits else None))
        left = [own for own in left if not chosen[-1] or own is not chosen[-1][0]]
    unrolled: list[tuple[Loop, int]] = []
    if len(code) < len(nest.loops):
        if None in chosen or not all(_is_short(own) for own in left):
            return nest
        unrolled = [(own, 1) for own in left]
    rest = iter(left)
    order = [*unrolled, *(pair or (next(rest), 1) for pair in chosen)]
    loops = (*nest.loops[:first], *(own for own, _ in reversed(order)))
    joined = [(own, factor) for own, factor in order[1:] if factor > 1]
    if loops == nest.loops and not joined:
        return nest
    changed = replace(nest, loops=loops)
    for own, factor in joined:
        changed = _joined(changed, own, factor)
    return changed.assuming((_said(loops[first:], joined),))


def _is_short(loop: Loop) -> bool:
    """Whether a compiler may leave nothing of a loop but its copies."""
    return (trips := loop.trips.integer) is not None and trips <= _UNROLLED


def _said(loops: Sequence[Loop], joined: Sequence[tuple[Loop, int]]) -> str:
    copies = "".join(f", {factor} iterations of {own.variable} at once" for own, factor in joined)
    order = ", ".join(loop.variable for loop in loops)
    return f"the caches see the loops as the compiler left them: {order}{copies}"


def _first_free(nest: LoopNest) -> int:
    """The outermost of the innermost loops whose order may differ: nothing stands between them, no bound depends on
    another of them, and no directive divides them."""
    first = len(nest.loops) - 1
    while first > nest.shared:
        loop, inside = nest.loops[first - 1], nest.loops[first - 1 :]
        names = {one.variable for one in inside}
        bounds = {name for one in inside for bound in (one.lower, one.upper) for name in bound.symbols()}
        if not _only_loop(nest.levels[first - 1 - nest.shared]) or names & bounds or not loop.counted:
            break
        first -= 1
    return first if not any(loop.directives for loop in nest.loops) else len(nest.loops) - 1


def _only_loop(level: Sequence[Statement]) -> bool:
    return all(isinstance(one, Inner) and not one.elsewhere for one in level)


def _factor(code: CodeLoop, own: Loop, nest: LoopNest, values: Mapping[str, float]) -> int:
    """Iterations of the source's loop in one of machine code; 0 where the strides or trip counts are not its own."""
    strides = _strides(own, nest, values)
    trips = _trips(nest, own, values)
    if None in strides or not strides or not code.strides or trips is None:
        return 0
    factor, rest = divmod(max(code.strides), max(stride for stride in strides if stride))
    if rest or not 0 < factor <= _MOST_AT_ONCE or any(stride % factor for stride in code.strides):
        return 0
    fits = _LEFT * trips <= factor * code.iterations <= _MORE * trips
    return factor if fits and {stride // factor for stride in code.strides} <= strides else 0


def _strides(own: Loop, nest: LoopNest, values: Mapping[str, float]) -> set[int | None]:
    """Bytes that accesses move by in an iteration of a loop of the source, without zero."""
    return {_apart(array, access, own, values) for array in nest.arrays for access in array.accesses} - {0}


def _trips(nest: LoopNest, own: Loop, values: Mapping[str, float]) -> float | None:
    """Iterations of a loop in one entry: the mean, where loops around it decide; None where unknown."""
    depth = nest.loops.index(own)
    inside, around = iterations(nest.loops, depth + 1), iterations(nest.loops, depth)
    if not inside.symbols() | around.symbols() <= set(values):
        return None
    entries = float(real(around.evaluate(values)))
    return float(real(inside.evaluate(values))) / entries if entries > 0 else None


def _apart(array: ArrayUse, access: Access, own: Loop, values: Mapping[str, float]) -> int | None:
    """Bytes that an access moves by in an iteration of a loop; None where unknown."""
    apart = bytes_apart(array, access, own.variable, values)
    return None if apart is None else round(float(apart) * abs(own.step.integer or 1))


def _joined(nest: LoopNest, own: Loop, factor: int) -> LoopNest:
    """The nest with several iterations of a loop in one, each with accesses of its own: as unroll and jam writes it."""
    share = number(Fraction(1, factor))
    loops = tuple(
        replace(loop, step=loop.step * number(factor), trips=loop.trips * share)
        if loop.variable == own.variable else loop
        for loop in nest.loops
    )  # fmt: skip
    arrays = tuple(
        replace(array, accesses=tuple(copy for access in array.accesses for copy in _copies(access, own, factor)))
        for array in nest.arrays
    )
    blocks = tuple(replace(block, executions=block.executions * share) for block in nest.blocks)
    total = None if nest.total is None else nest.total * share
    return replace(nest, loops=loops, arrays=arrays, blocks=blocks, total=total)


def _copies(access: Access, own: Loop, factor: int) -> Iterator[Access]:
    if not any(name == own.variable for subscript in access.subscripts for name, _ in subscript.coefficients):
        yield access
        return
    for copy in range(factor):
        yield replace(
            access,
            subscripts=tuple(
                replace(
                    subscript,
                    offset=subscript.offset
                    + dict(subscript.coefficients).get(own.variable, number(0)) * own.step * number(copy),
                )
                for subscript in access.subscripts
            ),
        )
