"""Loops that threads split: what private caches miss then, from the misses of one thread; simulated caches are the
oracle."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import foretell
from tests.support.counters import SYNTHETIC, block, profile, three_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.core.counts import CodeBlock

LINE, LOOPS = 64, 3
#: sizes of the curve, in lines
SIZES = tuple(3 << k for k in range(2, 11))


def sweep(part: int, parts: int) -> Iterator[int]:
    """Every thread its part of 1024 lines."""
    return iter(range(1024 * part // parts, 1024 * (part + 1) // parts))


def rows(part: int, parts: int) -> Iterator[int]:
    """A stencil on 64 rows of 16 lines: three rows for each one."""
    for row in range(64 * part // parts, 64 * (part + 1) // parts):
        for column in range(16):
            yield from (max(row + step, 0) * 16 + column for step in (-1, 0, 1))


def product(part: int, parts: int) -> Iterator[int]:
    """64 rows of 16 lines, and for each of them a matrix of 48 lines that all threads read."""
    for row in range(64 * part // parts, 64 * (part + 1) // parts):
        yield from (4096 + 16 * row + k for k in range(16))
        yield from range(48)


def missed(loop: Callable[[int, int], Iterator[int]], lines: int, parts: int) -> tuple[int, int]:
    """Misses and accesses of private caches that keep what was used last, over the loops after a first one."""
    misses = accesses = 0
    for part in range(parts):
        kept: OrderedDict[int, None] = OrderedDict()
        for number in range(LOOPS + 1):
            for line in loop(part, parts):
                accesses += number > 0
                misses += number > 0 and line not in kept
                kept[line] = None
                kept.move_to_end(line)
                if len(kept) > lines:
                    kept.popitem(last=False)
    return misses, accesses


def profiled(loop: Callable[[int, int], Iterator[int]], lines: int) -> CodeBlock:
    """What one thread shows, where L2 has so many lines and L1 a quarter of them."""
    curve = {size: missed(loop, size, 1)[0] for size in SIZES}
    accesses = missed(loop, SIZES[0], 1)[1]
    events = {
        **SYNTHETIC,
        "numAccess": float(accesses),
        "hitsL1": float(accesses - curve[lines // 4]),
        "hitsL2": float(curve[lines // 4] - curve[lines]),
        "hitsLLC": float(curve[lines]),
        "parallelRegions": float(LOOPS),
        "LD": 0.0,
        "ST": 0.0,
    }
    points = tuple((float(size * LINE), float(misses)) for size, misses in curve.items() if misses)
    return replace(block("loops", **events), curve=points)


@pytest.mark.parametrize("loop", [sweep, rows, product])
@pytest.mark.parametrize("threads", [2, 4, 8])
@pytest.mark.parametrize("lines", [96, 192, 384, 768])
def test_private_caches_keep_a_part_of_a_loop(
    loop: Callable[[int, int], Iterator[int]], threads: int, lines: int
) -> None:
    """Within what neighbours read of each other's rows."""
    machine = three_levels(level_L1_size=lines * LINE / 4, level_L2_size=lines * LINE)
    code = profile(profiled(loop, lines), machine=machine, cores=1, tpc=1)
    (found,) = foretell.predict(code, machine, parameters={"threads": threads}).details["blocks"]
    misses, accesses = missed(loop, lines, threads)
    assert found["hits"]["L3"] + found["hits"]["memory"] == pytest.approx(misses / accesses, abs=0.08)
