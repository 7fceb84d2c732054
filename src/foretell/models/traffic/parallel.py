"""Which loop of a nest the threads share, and how evenly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.dependences import verdicts
from foretell.core.loopnest import iterations
from foretell.core.symbolic import number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.expression import Value
    from foretell.core.loopnest import LoopNest

#: threads whose parts of a loop are counted one by one
_MOST_COUNTED = 64


@dataclass(frozen=True, slots=True)
class Split:
    """How a nest runs on several threads: the loop that is shared (None: one thread does all), the threads that work,
    and the largest part in units of an equal one."""

    depth: int | None
    threads: Value
    imbalance: Value = 1.0


def marked(nest: LoopNest) -> int | None:
    """The depth of the loop that a directive gives to threads."""
    for depth, loop in enumerate(nest.loops):
        for directive in loop.directives:
            if directive.dialect == "omp" and "parallel" in directive.words:
                return depth
    return None


def split(nest: LoopNest, values: Mapping[str, Value], threads: Value, everywhere: bool) -> Split:
    """`everywhere`: no nest of the program has a directive, so the outermost loop is taken to be shared."""
    depth = _assumed(nest) if everywhere else marked(nest)
    if depth is None or np.all(np.asarray(threads) <= 1):
        return Split(None, 1.0)
    trips = iterations(nest.loops, depth + 1).evaluate(values) / np.maximum(
        1.0, iterations(nest.loops, depth).evaluate(values)
    )
    working = np.maximum(1.0, np.minimum(threads, np.asarray(trips, dtype=np.float64)))
    return Split(depth, working, _imbalance(nest, values, working, depth))


def _assumed(nest: LoopNest) -> int | None:
    """The outermost loop, unless its iterations need each other's results or add up to one."""
    return None if verdicts(nest)[0].verdict in ("sequential", "reduction") else 0


def _imbalance(nest: LoopNest, values: Mapping[str, Value], threads: Value, depth: int) -> Value:
    """The most work of a thread over the mean, with equal stretches of the loop (static schedule): above 1 where inner
    bounds depend on it."""
    variable = nest.loops[depth].variable
    inner = nest.loops[depth + 1 :]
    uneven = any(p.depends_on((variable,)) for loop in inner for p in (loop.lower, loop.upper, loop.trips))
    if not uneven or np.ndim(threads) or depth or threads > _MOST_COUNTED:
        return 1.0
    sizes: Sequence[Value] = [values[name] for name in nest.parameters]
    if any(np.ndim(size) for size in sizes):
        return 1.0
    return _largest_part(nest, values, int(threads))


def _largest_part(nest: LoopNest, values: Mapping[str, Value], threads: int) -> float:
    loop = nest.loops[0]
    first, last = float(loop.lower.evaluate(values)), float(loop.upper.evaluate(values))
    step = (last + 1 - first) / threads
    parts = []
    for part in range(threads):
        low, high = int(first + part * step), int(first + (part + 1) * step) - 1
        loops = (replace(loop, lower=number(low), upper=number(high)), *nest.loops[1:])
        parts.append(max(0.0, float(iterations(loops, len(loops)).evaluate(values))))
    mean = sum(parts) / threads
    return max(parts) / mean if mean > 0 else 1.0
