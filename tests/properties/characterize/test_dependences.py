"""Which loops carry dependences, against running the loops: what is called parallel never carries one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.characterize.loops.dependences import verdicts
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest

_BOUNDS = st.sampled_from(["0", "1", "{outer}", "{outer} + 1"]), st.sampled_from(["n", "n - 1", "{outer}"])
_INDEX = st.sampled_from(["i", "j", "k", "i + 1", "j - 1", "i + j", "2*i", "n - 1 - j", "3"])


@st.composite
def sources(draw: st.DrawFn) -> str:
    """Three loops, rectangular or triangular, around one assignment to a matrix."""
    heads = []
    for outer, name in pairwise(("n/4", "i", "j", "k")):
        low, high = (draw(part).format(outer=outer) for part in _BOUNDS)
        heads.append(f"for (int {name} = {low}; {name} < {high}; {name}++)")
    left, right = (f"a[{draw(_INDEX)} + 2][{draw(_INDEX)} + 2]" for _ in range(2))
    return f"void f(int n, double a[n+9][n+9]) {{ {' '.join(heads)} {left} = {right} * 2.0; }}"


@given(sources())
@settings(max_examples=120, deadline=None)
def test_no_parallel_loop_carries_anything(source: str) -> None:
    nest = only(of_c(source))
    parallel = [one.verdict == "parallel" for one in verdicts(nest)]
    for size in (3, 5, 6):
        carried = _carriers(nest, size)
        assert not any(parallel[depth] for depth in carried), (source, size, carried)


def _carriers(nest: LoopNest, size: int) -> set[int]:
    """The loops that carry a dependence, by running them: element → iterations that touched it."""
    (array,) = nest.arrays
    touched: dict[tuple[int, ...], list[tuple[tuple[int, ...], bool]]] = {}
    for values in _points(nest, {"n": size}, 0):
        point = tuple(values[name] for name in nest.variables)
        for access in array.accesses:
            element = tuple(
                int(one.offset.evaluate(values) + sum(c.evaluate(values) * values[v] for v, c in one.coefficients))
                for one in access.subscripts
            )
            touched.setdefault(element, []).append((point, bool(access.writes)))
    found = set()
    for uses in touched.values():
        for here, writes in uses:
            for there, also in uses:
                if (writes or also) and here != there:
                    found.add(next(at for at, (a, b) in enumerate(zip(here, there, strict=True)) if a != b))
    return found


def _points(nest: LoopNest, values: dict[str, int], depth: int) -> list[dict[str, int]]:
    if depth == len(nest.loops):
        return [values]
    loop = nest.loops[depth]
    low, high = int(loop.lower.evaluate(values)), int(loop.upper.evaluate(values))
    return [
        point for value in range(low, high + 1) for point in _points(nest, {**values, loop.variable: value}, depth + 1)
    ]
