"""A fully associative LRU cache, and the addresses that a loop nest touches: slow, simple, independent."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def misses(lines: Iterable[int], capacity: int) -> int:
    """Misses of an LRU cache of `capacity` lines."""
    cache: OrderedDict[int, None] = OrderedDict()
    missed = 0
    for line in lines:
        if line in cache:
            cache.move_to_end(line)
            continue
        missed += 1
        cache[line] = None
        if len(cache) > capacity:
            cache.popitem(last=False)
    return missed


def stencil_lines(n: int, offsets: list[tuple[int, ...]], line_elements: int) -> Iterator[int]:
    """Lines touched by a stencil sweep over the inside of an n^d grid, and by its output array."""
    dims = len(offsets[0])
    strides = [n ** (dims - 1 - d) for d in range(dims)]
    output = 2 * n**dims
    for point in itertools.product(range(1, n - 1), repeat=dims):
        for offset in offsets:
            yield sum((p + o) * s for p, o, s in zip(point, offset, strides, strict=True)) // line_elements
        yield (output + sum(p * s for p, s in zip(point, strides, strict=True))) // line_elements


def matmul_lines(n: int, order: str, line_elements: int) -> Iterator[int]:
    """Lines of c[i][j] += a[i][k] * b[k][j] with the loops in the given order."""
    size = n * n + line_elements - n * n % line_elements
    for values in itertools.product(range(n), repeat=3):
        at = dict(zip(order, values, strict=True))
        i, j, k = at["i"], at["j"], at["k"]
        for base, row, column in ((0, i, k), (size, k, j), (2 * size, i, j)):
            yield (base + row * n + column) // line_elements
