"""Selects the blocks of a grid to execute, and weights each by the number of blocks it represents.

Blocks at the ends of an axis often do other work than those inside (boundaries, remainders), so every combination of
first, inner and last along the three axes is a separate box. Work is summed over a box along lines in x, over lines in
y, over planes in z. Usually it is constant, grows linearly (triangles), or changes at a step (blocks that exit early):
a line is sampled at its ends and in between, work is interpolated linearly between samples, and intervals with a large
error bound are bisected. The errors of intervals are independent, so they add in quadrature. Work that varies
irregularly from block to block is sampled evenly instead.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import pairwise, product
from statistics import pstdev
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

#: position of a line's first sample between its ends
_START = 0.4
#: target relative error of sums; one that stays above may be irregular
_DOUBT = 0.001
#: factor of an interval's error bound after its midpoint, and the place next to that, fit a linear trend
_CHANCE = 1 / 512
#: maximum samples of a line
_MOST = 32
#: where two sums differ by more than this many of their standard errors, the error bound of the ordered one is wrong
_CONTRADICTS = 3.0
#: samples of an irregular grid that tell its standard error
_ENOUGH = 12
#: irrational steps that spread points evenly over one, two or three axes (roots of x^(d+1) = x + 1)
_STEPS = (
    (0.6180339887498949,),
    (0.7548776662466927, 0.5698402909980532),
    (0.8191725133961645, 0.6710436067037893, 0.5497004779019703),
)

Place = tuple[int, ...]


def weighted_blocks(
    grid: tuple[int, int, int],
    work: Callable[[int], float],
    few: int,
    most: int,
    more: Callable[[], bool],
    many: Callable[[], bool] = lambda: True,
    *,
    ordered: bool = True,
    settled: float = 0.0,
    edge: float | None = None,
) -> dict[int, float]:
    """Selects blocks to execute, with the number of blocks of the grid each represents: about `few` of the interior,
    and further ones while sums are uncertain and `more` agrees. Irregular grids (assumed if not `ordered`) get up to
    `most`, while `many` agrees, and until the standard error of the sum is the fraction `settled` of it.

    `work` returns the work of one block; it is often called repeatedly for the same block.
    """
    x, y, _ = grid
    result: dict[int, float] = {}
    boxes = product(*(_ranges(size) for size in grid))
    for box in sorted(boxes, key=lambda box: math.prod(map(len, box))):  # edges first: they are cheap
        lines = sum(len(part) > 1 for part in box)
        inside = all(len(part) > 1 or size == 1 for part, size in zip(box, grid, strict=True))
        each = max(1, int((few if inside else few**0.5 if edge is None else edge) ** (1 / max(1, lines))))
        sampler = _Sampler(each, more)

        def one(place: Place) -> float:
            return work(place[0] + x * (place[1] + y * place[2]))

        found, doubt, total = sampler.box(box, one) if ordered or not inside else ({}, math.inf, 0.0)
        if inside and doubt > _DOUBT * total:
            even, error = _evenly(box, one, most, lambda asked: asked < few or many(), settled)
            apart = abs(_total(even, one) - total)
            found = even if error < doubt or apart > _CONTRADICTS * math.hypot(error, doubt) else found
        result |= {px + x * (py + y * pz): weight for (px, py, pz), weight in found.items()}
    return dict(sorted(result.items()))


def error_of_sum(
    grid: tuple[int, int, int], blocks: NDArray[np.int64], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> float:
    """Standard error of a weighted sum over blocks that were sampled along the axes of a grid.

    A block that represents others differs from these by about as much as from the mean of its neighbours, in whichever
    order of the axes that is less; a linear trend does no harm. Of the mean of two and one, the variance is 1.5 times
    that of each.
    """
    places = blocks % grid[0], blocks // grid[0] % grid[1], blocks // (grid[0] * grid[1])
    more = np.maximum(0.0, weights - 1) * weights
    found = math.inf
    for order in (np.lexsort(places), np.lexsort(places[::-1])):
        ordered = values[order]
        apart = np.zeros(len(ordered))
        apart[1:-1] = ordered[1:-1] - (ordered[:-2] + ordered[2:]) / 2
        found = min(found, math.sqrt(float(more[order] @ (apart**2 / 1.5))))
    return found


def _total(weights: dict[Place, float], work: Callable[[Place], float]) -> float:
    return sum(weight * work(place) for place, weight in weights.items())


def _evenly(
    box: tuple[range, ...], work: Callable[[Place], float], most: int, more: Callable[[int], bool], settled: float
) -> tuple[dict[Place, float], float]:
    """Evenly spread samples of a box with equal weights, and the standard error of their sum; `more` is called with the
    number of samples so far."""
    asked: dict[Place, float] = {}
    total = squares = 0.0
    for place in dict.fromkeys(_spread(box, most)):
        if not more(len(asked)) or (len(asked) >= _ENOUGH and _is_settled(len(asked), total, squares, settled)):
            break
        asked[place] = value = work(place)
        total, squares = total + value, squares + value * value
    places = math.prod(map(len, box))
    error = places * pstdev(asked.values()) / len(asked) ** 0.5
    return dict.fromkeys(asked, places / len(asked)), error


def _is_settled(count: int, total: float, squares: float, settled: float) -> bool:
    """Whether the standard error of a sum is at most this fraction of it."""
    variance = max(0.0, squares / count - (total / count) ** 2)
    return settled > 0 and variance / count <= (settled * total / count) ** 2


def is_inside(grid: tuple[int, int, int], block: int) -> bool:
    """Whether a block has neighbours on all sides, along the axes that are longer than one."""
    x, y, _ = grid
    places = block % x, block // x % y, block // (x * y)
    return all(size == 1 or 0 < place < size - 1 for place, size in zip(places, grid, strict=True))


def inner_corners(grid: tuple[int, int, int]) -> tuple[int, int]:
    """The first and the last of the blocks inside a grid."""
    x, y, _ = grid
    ends = [(1, size - 2) if size > 1 else (0, 0) for size in grid]
    first, last = zip(*ends, strict=True)
    return tuple(px + x * (py + y * pz) for px, py, pz in (first, last))


def spread_blocks(grid: tuple[int, int, int], most: int) -> list[int]:
    """Blocks spread evenly over a grid."""
    x, y, _ = grid
    places = dict.fromkeys(_spread(tuple(map(range, grid)), most))
    return [px + x * (py + y * pz) for px, py, pz in places]


def scattered_order(blocks: int, most: int) -> list[int]:
    """The blocks of a grid, at most so many, in an order of which any first part is spread evenly over it."""
    step = max(1, round(_STEPS[0][0] * blocks))
    while math.gcd(step, blocks) > 1:
        step += 1
    return [(blocks // 2 + k * step) % blocks for k in range(min(blocks, most))]


def representatives(grid: tuple[int, int, int], samples: Sequence[int], blocks: NDArray[np.int64]) -> NDArray[np.intp]:
    """For each of these blocks the index of the sample that represents it, of its own box if that has any: the nearest
    in z, of those the nearest in y, then in x, as sums are over lines in x, lines in y, planes in z."""
    known, places = _coordinates(grid, np.array(samples)), _coordinates(grid, blocks)
    boxes, own = _box_numbers(grid, known), _box_numbers(grid, places)
    result = np.zeros(len(blocks), np.intp)
    for box in np.unique(own):
        which = np.flatnonzero(boxes == box)
        _represent(known, which if len(which) else np.arange(len(samples)), places, np.flatnonzero(own == box), result)
    return result


def interpolated(
    grid: tuple[int, int, int], samples: Sequence[int], values: NDArray[np.float64], blocks: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Rows of `values`, one for each sample, for each of these blocks: linear in z, y and x within each box, as work is
    summed."""
    known, places = _coordinates(grid, np.array(samples)), _coordinates(grid, blocks)
    boxes, own = _box_numbers(grid, known), _box_numbers(grid, places)
    result = np.zeros((len(blocks), values.shape[1]))
    for box in np.unique(own):
        of, which = np.flatnonzero(own == box), np.flatnonzero(boxes == box)
        result[of] = _between(known, which if len(which) else np.arange(len(samples)), values, places[of])
    return result


def _between(
    known: NDArray[np.int64],
    which: NDArray[np.intp],
    values: NDArray[np.float64],
    places: NDArray[np.int64],
    axis: int = 2,
) -> NDArray[np.float64]:
    """Interpolates the samples `which` along an axis, between values of its layers."""
    if axis < 0:
        return np.repeat(values[which[:1]], len(places), axis=0)
    along, at = known[which, axis], places[:, axis]
    layers = np.unique(along)
    high = np.searchsorted(layers, at).clip(0, len(layers) - 1)
    low = np.where(layers[high] > at, high - 1, high).clip(0)
    upper = np.where(high > low, (at - layers[low]) / np.maximum(1, layers[high] - layers[low]), 0.0)
    result = np.zeros((len(places), values.shape[1]))
    for layer, share in ((low, 1 - upper), (high, upper)):
        for number in np.unique(layer[share > 0]):
            of = np.flatnonzero((layer == number) & (share > 0))
            inner = _between(known, which[along == layers[number]], values, places[of], axis - 1)
            result[of] += share[of, None] * inner
    return result


def _coordinates(grid: tuple[int, int, int], blocks: NDArray[np.int64]) -> NDArray[np.int64]:
    x, y, _ = grid
    return np.stack([blocks % x, blocks // x % y, blocks // (x * y)], axis=1)


def _box_numbers(grid: tuple[int, int, int], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers of the boxes in which places are: first, inner or last along each axis."""
    sides = (places > 0).astype(np.int64) + (places == np.array(grid) - 1)
    numbers: NDArray[np.int64] = sides @ np.array([1, 3, 9])
    return numbers


def _represent(
    known: NDArray[np.int64],
    which: NDArray[np.intp],
    places: NDArray[np.int64],
    of: NDArray[np.intp],
    result: NDArray[np.intp],
    axis: int = 2,
) -> None:
    """Assigns the samples `which` to the places `of`: along an axis, then within each of its layers."""
    if axis < 0:
        result[of] = which[0]
        return
    values = known[which, axis]
    layers = np.unique(values)
    nearest = layers[np.searchsorted((layers[1:] + layers[:-1]) / 2, places[of, axis])]
    for layer in np.unique(nearest):
        _represent(known, which[values == layer], places, of[nearest == layer], result, axis - 1)


def thinned(weights: dict[int, float], most: int) -> dict[int, float]:
    """Subset of these blocks, each with the weights of its neighbours added."""
    numbers = sorted(weights)
    parts = [numbers[k * len(numbers) // most : (k + 1) * len(numbers) // most] for k in range(most)]
    return {part[len(part) // 2]: sum(weights[block] for block in part) for part in parts if part}


def _ranges(size: int) -> tuple[range, ...]:
    """First, inner and last along an axis."""
    if size <= 2:
        return tuple(range(k, k + 1) for k in range(size))
    return range(1), range(1, size - 1), range(size - 1, size)


class _Sampler:
    """Sums work over boxes, each with an error bound."""

    def __init__(self, few: int, more: Callable[[], bool]) -> None:
        self._few, self._more = few, more

    def box(self, box: tuple[range, ...], work: Callable[[Place], float]) -> tuple[dict[Place, float], float, float]:
        """Samples of a box, whose last axis is the outermost, with the number of places each represents, the error
        bound, and the sum."""
        if not box:
            return {(): 1.0}, 0.0, work(())
        *inner, axis = box
        layers: dict[int, tuple[dict[Place, float], float, float]] = {}

        def layer(k: int) -> float:
            layers[k] = self.box(tuple(inner), lambda place: work((*place, k)))
            return layers[k][2]

        line, doubt = self._line(axis, layer)
        found = {(*place, k): outer * weight for k, outer in line.items() for place, weight in layers[k][0].items()}
        total = sum(outer * layers[k][2] for k, outer in line.items())
        return found, doubt + sum(outer * layers[k][1] for k, outer in line.items()), total

    def _line(self, line: range, work: Callable[[int], float]) -> tuple[dict[int, float], float]:
        """Samples of a line with their weights by the trapezoidal rule, and the error bound."""
        if self._few < 3:
            middle = line[len(line) // 2]
            work(middle)
            return {middle: float(len(line))}, 0.0
        values = {k: work(k) for k in (line[0], line[int(_START * len(line))], line[-1])}
        doubts: list[tuple[float, int, int, float]] = []
        for a, b in pairwise(sorted(values)):
            _push(doubts, a, b, max(values.values()) - min(values.values()))
        while True:
            weights = _trapezoids(sorted(values))
            total = sum(weight * values[k] for k, weight in weights.items())
            doubt = math.hypot(*(doubt for doubt, *_ in doubts))
            if doubt <= _DOUBT * total or len(values) >= _MOST or not self._more():
                return weights, doubt
            _, a, b, off = heappop(doubts)
            middle = (a + b) // 2
            slope = (values[b] - values[a]) / (b - a)
            values[middle] = work(middle)
            apart = abs(values[middle] - values[a] - slope * (middle - a))
            beside = middle
            if slope and apart <= off * _CHANCE and middle + 1 < b:  # stairs fit if their steps hit samples
                beside += 1
                values[beside] = work(beside)
                apart = max(apart, abs(values[beside] - values[middle] - slope), off * _CHANCE)
            for u, v in ((a, middle), (beside, b)):
                _push(doubts, u, v, apart)


def _spread(box: tuple[range, ...], most: int) -> Iterator[Place]:
    """Places of a box, the first in its middle: an additive recurrence over the axes longer than one."""
    room = [axis for axis, part in enumerate(box) if len(part) > 1]
    steps = dict(zip(room, _STEPS[len(room) - 1], strict=True)) if room else {}
    for k in range(min(most, math.prod(map(len, box)))):
        yield tuple(part[int((0.5 + k * steps.get(axis, 0.0)) % 1.0 * len(part))] for axis, part in enumerate(box))


def _push(doubts: list[tuple[float, int, int, float]], a: int, b: int, off: float) -> None:
    """Queues an interval whose places may deviate by `off`."""
    doubt = off * (b - a - 1) / 2
    if doubt > 0:
        heappush(doubts, (-doubt, a, b, off))


def _trapezoids(samples: list[int]) -> dict[int, float]:
    weights = dict.fromkeys(samples, 0.0)
    for k in {samples[0], samples[-1]}:
        weights[k] = 0.5 if len(samples) > 1 else 1.0
    for a, b in pairwise(samples):
        weights[a] += (b - a) / 2
        weights[b] += (b - a) / 2
    return weights
