"""Determines which loop of a nest the threads share, and the load imbalance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.loops.dependences import verdicts
from foretell.core.nest.loopnest import iterations
from foretell.core.symbolic.poly import symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly

#: maximum threads whose shares of a loop are counted individually
_MOST_COUNTED = 64
#: the first and the last value of the shared loop for one thread
_LOW, _HIGH = "first of a thread", "last of a thread"


@dataclass(frozen=True, slots=True)
class Split:
    """How a nest is parallelised: the depth of the shared loop (None: serial), the active threads, and the largest
    share relative to an equal one."""

    depth: int | None
    threads: Value
    imbalance: Value = 1.0


def marked(nest: LoopNest) -> int | None:
    """The depth of the loop that a directive parallelises."""
    for depth, loop in enumerate(nest.loops):
        for directive in loop.directives:
            if directive.dialect == "omp" and "parallel" in directive.words:
                return depth
    return None


def split(nest: LoopNest, values: Mapping[str, Value], threads: Value, everywhere: bool) -> Split:
    """Splits a nest among threads. `everywhere`: no nest of the program has a directive, so the outermost loop is
    assumed parallel."""
    depth = _assumed(nest) if everywhere else marked(nest)
    if depth is None or np.all(np.asarray(threads) <= 1):
        return Split(None, 1.0)
    together = 1 if everywhere else _collapsed(nest, depth)
    trips = iterations(nest.loops, depth + together).evaluate(values) / np.maximum(
        1.0, iterations(nest.loops, depth).evaluate(values)
    )
    working = np.maximum(1.0, np.minimum(threads, trips))
    even = together > 1 or (not everywhere and _dealt_out(nest, depth))
    return Split(depth, working, 1.0 if even else _imbalance(nest, values, working, depth))


def _clause(nest: LoopNest, depth: int, name: str) -> str:
    """The text of a clause on a loop; empty without it."""
    clauses = (clause for one in nest.loops[depth].directives if one.dialect == "omp" for clause in one.clauses)
    return next((text for key, text in clauses if key == name), "")


def _collapsed(nest: LoopNest, depth: int) -> int:
    """How many nested loops the threads share together (`collapse`)."""
    text = _clause(nest, depth, "collapse").strip()
    return max(1, min(int(text), len(nest.loops) - depth)) if text.isdigit() else 1


def _dealt_out(nest: LoopNest, depth: int) -> bool:
    """Whether iterations go to threads in small portions, so that uneven ones even out."""
    kind, _, portion = _clause(nest, depth, "schedule").partition(",")
    return kind.strip() in ("dynamic", "guided") or (kind.strip() == "static" and bool(portion.strip()))


def _assumed(nest: LoopNest) -> int | None:
    """The outermost loop, unless it carries a dependence or a reduction."""
    return None if verdicts(nest)[0].verdict in ("sequential", "reduction") else 0


def _imbalance(nest: LoopNest, values: Mapping[str, Value], threads: Value, depth: int) -> Value:
    """Maximum over mean work of a thread with equal chunks of the loop (static schedule): above 1 where inner bounds
    depend on the shared variable."""
    variable = nest.loops[depth].variable
    inner = nest.loops[depth + 1 :]
    uneven = any(p.depends_on((variable,)) for loop in inner for p in (loop.lower, loop.upper, loop.trips))
    if not uneven or depth:
        return 1.0
    result: Value = 1.0
    for count in np.unique(np.floor(threads)).tolist():
        if 1 < count <= _MOST_COUNTED:
            result = np.where(np.floor(threads) == count, _largest_part(nest, values, int(count)), result)
    return result


def _largest_part(nest: LoopNest, values: Mapping[str, Value], threads: int) -> Value:
    loop = nest.loops[0]
    first, last = (np.asarray(bound.evaluate(values), dtype=np.float64) for bound in (loop.lower, loop.upper))
    step = (last + 1 - first) / threads
    parts = []
    for part in range(threads):
        stretch = {_LOW: np.trunc(first + part * step), _HIGH: np.trunc(first + (part + 1) * step) - 1}
        work = np.asarray(_of_stretch(nest).evaluate({**values, **stretch}), dtype=np.float64)
        parts.append(np.maximum(0.0, work))
    mean = sum(parts) / threads
    most = np.maximum.reduce(parts)
    return np.divide(most, mean, out=np.ones(np.shape(mean)), where=mean > 0)


@lru_cache(maxsize=256)
def _of_stretch(nest: LoopNest) -> Poly:
    """Iterations of a nest whose outermost loop runs over a symbolic range."""
    loops = (replace(nest.loops[0], lower=symbol(_LOW), upper=symbol(_HIGH)), *nest.loops[1:])
    return iterations(loops, len(loops))
