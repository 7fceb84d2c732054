"""Lines that a nest brings into one cache, simulated on the exact accesses of a part of its iterations.

The part is a stretch of the outermost loop whose iterations are few enough; the loops around it stand in their middle.
The stretch before it warms the cache. What comes back only after more than the part is not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.cachesim import Bound, Loop, Simulation
from foretell.characterize.streams import addresses, bounds, label, stream
from foretell.core.loopnest import iterations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.characterize.cachesim import CacheLevel
    from foretell.core.loopnest import LoopNest

#: accesses to simulate, in all: some hundredths of a second
_MOST = 4_000_000


@dataclass(frozen=True, slots=True)
class Sampled:
    """Bytes of lines that come in over the whole nest, by array, and the share of the iterations that was simulated."""

    bytes: tuple[tuple[str, float], ...]
    share: float


@lru_cache(maxsize=256)
def sampled(
    nest: LoopNest, sizes: tuple[tuple[str, int], ...], level: CacheLevel, warm: bool, most: int = _MOST
) -> Sampled:
    """The nest at these sizes. Subscripts may be any function of the loop variables; what depends on data is refused by
    name. A nest without iterations moves nothing."""
    values = dict(sizes)
    loops = bounds(nest, values)
    runs = [float(iterations(nest.loops, depth).evaluate(values)) for depth in range(len(nest.loops) + 1)]
    if runs[-1] <= 0:
        return Sampled((), 1.0)
    simulated = _Affine(nest, values, level) if _affine(nest) else _Listed(nest, values, level)
    before, part = _parts(loops, runs, simulated.references, warm, most if _affine(nest) else most // 4)
    if before is not None:
        simulated.run(before)
    first = simulated.counts()
    simulated.run(part)
    last = simulated.counts()
    done = (last.accesses - first.accesses) / simulated.references
    scale = level.line * runs[-1] / done if done else 0.0
    moved: dict[str, float] = {}
    for earlier, later in zip(first.references, last.references, strict=True):
        name = later.name.split(":")[0]
        misses = later.levels[0].misses - earlier.levels[0].misses
        moved[name] = moved.get(name, 0.0) + misses * scale
    return Sampled(tuple(moved.items()), done / runs[-1])


def _affine(nest: LoopNest) -> bool:
    return not any(
        one.opaque for array in nest.arrays for access in array.accesses for one in access.subscripts
    )


class _Affine:
    """Accesses that the simulator makes itself."""

    def __init__(self, nest: LoopNest, values: dict[str, int], level: CacheLevel) -> None:
        self._whole = stream(nest, values)
        self._simulation = Simulation((level,), tuple(one.name for one in self._whole.references))
        self.references = len(self._whole.references)
        self.counts = self._simulation.counts

    def run(self, part: Sequence[Loop]) -> None:
        self._simulation.run(replace(self._whole, loops=tuple(part)))


class _Listed:
    """Accesses that are worked out one by one."""

    def __init__(self, nest: LoopNest, values: dict[str, int], level: CacheLevel) -> None:
        self._nest, self._values = nest, values
        self._simulation = Simulation((level,), tuple(map(label, nest.arrays)))
        self.references = sum(
            bool(access.reads) + bool(access.writes) for array in nest.arrays for access in array.accesses
        )
        self.counts = self._simulation.counts

    def run(self, part: Sequence[Loop]) -> None:
        found = addresses(self._nest, self._values, part)
        self._simulation.run_addresses(found.where, found.stores, found.arrays)


Part = list[Loop]


def _parts(
    loops: Part, runs: Sequence[float], references: int, warm: bool, most: int
) -> tuple[Part | None, Part]:
    """What warms the cache, and what is counted."""
    accesses = runs[-1] * references
    if 2 * accesses <= most:
        return (loops if warm else None), loops
    each = [accesses / max(1.0, run) for run in runs[1:]]  # of one iteration of every loop
    depth = next((k for k, cost in enumerate(each) if 2 * cost <= most), len(each) - 1)
    place: list[int] = []
    around: list[Loop] = []
    for loop in loops[:depth]:
        every = _range(loop, place)
        place.append(every[len(every) // 2] if every else every.start)
        around.append(Loop(place[-1], place[-1] + loop.step, loop.step))
    loop = loops[depth]
    steps = _range(loop, place)
    count = max(1, int(min(len(steps) / 2, most / 2 / each[depth])))
    first = max(0, len(steps) // 2 - count)

    def stretch(begin: int) -> Part:
        start, end = (loop.step * k + steps.start for k in (begin, min(begin + count, len(steps))))
        return [*around, Loop(start, end, loop.step), *loops[depth + 1 :]]

    if len(steps) < 2 * count:
        return None, stretch(first)
    return stretch(first), stretch(first + count)


def _range(loop: Loop, place: Sequence[int]) -> range:
    """The values of a loop's variable where the loops around it stand at `place`."""
    return range(_at(loop.first, place), _at(loop.end, place), loop.step)


def _at(bound: int | Bound, place: Sequence[int]) -> int:
    if isinstance(bound, int):
        return bound
    return bound.constant + sum(c * v for c, v in zip(bound.coefficients, place, strict=False))
