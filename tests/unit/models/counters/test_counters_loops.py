"""Loops that threads split: what private caches miss then, from the misses of one thread; simulated caches are the
oracle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from itertools import product as product_of
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from tests.support.models.counters import SYNTHETIC, block, profile, three_levels

if TYPE_CHECKING:
    from foretell.core.facets.counts import CodeBlock

LINE, LOOPS = 64, 3
Loop = Callable[[int, int], Iterator[int]]
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


def missed(loop: Loop, lines: int, parts: int, per_core: int = 1) -> tuple[int, int]:
    """Misses and accesses of the caches of cores with `per_core` threads each, that keep what was used last, over the
    loops after a first one. Threads of a core take turns."""
    misses = accesses = 0
    for core in range(parts // per_core):
        kept: OrderedDict[int, None] = OrderedDict()
        for number in range(LOOPS + 1):
            threads = (loop(core * per_core + k, parts) for k in range(per_core))
            for line in chain.from_iterable(zip(*threads, strict=True)):
                accesses += number > 0
                misses += number > 0 and line not in kept
                kept[line] = None
                kept.move_to_end(line)
                if len(kept) > lines:
                    kept.popitem(last=False)
    return misses, accesses


def profiled(loop: Loop, lines: int) -> CodeBlock:
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
@pytest.mark.parametrize(
    ("threads", "per_core", "lines"),
    # with two threads in 96 lines, what they have in common would decide, and a profile of one thread does not tell it
    [*product_of((2, 4, 8), (1,), (96, 192, 384, 768)), *product_of((8,), (2,), (192, 384, 768))],
)
def test_private_caches_keep_a_part_of_a_loop(loop: Loop, threads: int, per_core: int, lines: int) -> None:
    """Within what neighbours read of each other's rows. Threads of a core have what all of them read once."""
    machine = three_levels(level_L1_size=lines * LINE / 4, level_L2_size=lines * LINE)
    code = profile(profiled(loop, lines), machine=machine, cores=1, tpc=1)
    launch = {"threads": threads, "threads_per_core": per_core}
    found: Any = foretell.predict(code, machine, parameters=launch).details["blocks"]
    misses, accesses = missed(loop, lines, threads, per_core)
    assert found[0]["hits"]["L3"] + found[0]["hits"]["memory"] == pytest.approx(misses / accesses, abs=0.08)


def test_loops_that_are_not_known_keep_nothing() -> None:
    """Without `parallelRegions` nobody knows what a loop touches; without a curve, not what misses are."""
    machine = three_levels(level_L1_size=384 * LINE / 4, level_L2_size=384 * LINE)
    whole = profiled(sweep, 384)
    without = {name: count for name, count in whole.events.items() if name != "parallelRegions"}
    rates = []
    for block_ in (whole, replace(whole, events=without), replace(whole, curve=())):
        code = profile(block_, machine=machine, cores=1, tpc=1)
        found: Any = foretell.predict(code, machine, parameters={"threads": 8}).details["blocks"]
        rates.append(found[0]["hits"]["L3"])
    assert rates == pytest.approx([0, 1, 1], abs=1e-9)
