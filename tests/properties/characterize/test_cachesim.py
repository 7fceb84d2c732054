"""The compiled cache simulator against a slow twin, and what must hold for any cache."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.characterize.simulate.cachesim import (
    Bound,
    CacheCounts,
    CacheLevel,
    Loop,
    Nest,
    Reference,
    Simulation,
    simulate,
)
from tests.support.caches.cachesim import SlowSimulator, accesses

EVENTS = ("hits", "misses", "evictions", "writebacks")


@st.composite
def hierarchies(draw: st.DrawFn) -> list[CacheLevel]:
    line = draw(st.sampled_from([16, 24, 64]))
    levels: list[CacheLevel] = []
    for depth in range(draw(st.integers(1, 3))):
        line *= draw(st.sampled_from([1, 1, 1, 2])) if depth else 1
        ways = draw(st.integers(1, 6))
        if draw(st.integers(0, 5)) == 0:  # several vectors of tags, and a table
            ways = draw(st.sampled_from([9, 16, 17, 20, 25, 26, 40]))
        levels.append(CacheLevel(f"L{depth}", line * ways * draw(st.sampled_from([1, 2, 3, 4, 8])), line, ways))
    return levels


@st.composite
def nests(draw: st.DrawFn) -> Nest:
    depth = draw(st.integers(1, 3))
    loops = []
    for k in range(depth):
        outer = tuple(draw(st.lists(st.integers(-1, 1), min_size=k, max_size=k)))
        end: int | Bound = draw(st.integers(0, 9)) if k < depth - 1 else draw(st.integers(0, 40))
        if draw(st.booleans()) and k:
            others = draw(st.lists(st.builds(Bound, st.integers(0, 9)), max_size=2))
            end = Bound(draw(st.integers(0, 9)), outer, tuple(others))
        loops.append(Loop(draw(st.integers(0, 3)), end, draw(st.sampled_from([1, 1, 2, 3]))))
    if draw(st.booleans()):
        others = draw(st.lists(st.builds(Bound, st.integers(-1, 20)), max_size=1))
        loops[-1] = Loop(draw(st.integers(0, 20)), Bound(-1, (), tuple(others)), -1)
    references = []
    for number in range(draw(st.integers(1, 4))):
        strides = tuple(draw(st.sampled_from([0, 4, 8, 8, 16, 64, 200, -8])) for _ in range(depth))
        base = 8000 + 8 * draw(st.integers(0, 60)) + draw(st.sampled_from([0, 0, 0, 4, 5]))
        kind: Any = draw(st.sampled_from(["load", "load", "store"]))
        references.append(Reference(f"r{number}", base, strides, kind, draw(st.sampled_from([1, 4, 8, 8, 70]))))
    return Nest(tuple(loops), tuple(references))


def slow(levels: list[CacheLevel], nest: Nest) -> dict[tuple[str, int, str], int]:
    twin = SlowSimulator(levels)
    for access in accesses(nest):
        twin.access(*access)
    return {key: value for key, value in twin.counts.items() if value}


def fast(counts: CacheCounts) -> dict[tuple[str, int, str], int]:
    found = {}
    for item in counts.references:
        for k, level in enumerate(item.levels):
            found |= {(item.name, k, event): getattr(level, event) for event in EVENTS}
        found[item.name, len(item.levels), "reads"] = item.memory_reads
        found[item.name, len(item.levels), "writes"] = item.memory_writes
    return {key: value for key, value in found.items() if value}


def counted(levels: list[CacheLevel], nest: Nest) -> dict[tuple[str, int, str], int]:
    """With vectors of 64 bytes, where this processor has them, and without."""
    found = []
    for vectors in (True, False):
        simulation = Simulation(tuple(levels), tuple(item.name for item in nest.references), vectors=vectors)
        simulation.run(nest)
        found.append(simulation.counts())
    assert found[0] == found[1]
    return fast(found[0])


@settings(max_examples=250, deadline=None)
@given(hierarchies(), nests())
def test_a_nest_counts_as_its_slow_twin(levels: list[CacheLevel], nest: Nest) -> None:
    assert counted(levels, nest) == slow(levels, nest)


@settings(max_examples=250, deadline=None)
@given(hierarchies(), nests())
def test_a_nest_followed_line_by_line_counts_as_its_slow_twin(levels: list[CacheLevel], nest: Nest) -> None:
    """The shortcut of the simulator: aligned elements."""
    nest = replace(
        nest,
        references=tuple(
            replace(item, base=item.base // 8 * 8, strides=tuple(8 * (stride // 8) for stride in item.strides), bytes=8)
            for item in nest.references
        ),
    )
    assert counted(levels, nest) == slow(levels, nest)


@pytest.mark.parametrize("ways", [(2, 4, 8), (12, 16, 20), (4, 40, 17)])
def test_walks_down_columns_count_as_their_slow_twin(ways: tuple[int, int, int]) -> None:
    """So many misses that requests to the outer levels are answered in several batches (1024 each)."""
    n = 70
    levels = [
        CacheLevel(f"L{k}", sets * each * 64, 64, each)
        for k, (sets, each) in enumerate(zip((4, 8, 16), ways, strict=True))
    ]
    nest = Nest((Loop(0, n),) * 2, (Reference("a", 0, (8, 8 * n)), Reference("b", 8 * n * n, (8 * n, 8), "store")))
    assert counted(levels, nest) == slow(levels, nest)


@pytest.mark.parametrize("ways", [4, 5, 6, 12])
@pytest.mark.parametrize("behind", [8, 24, 32, 40, 56])
def test_a_line_that_one_reference_leaves_and_another_stays_on_is_in_use(ways: int, behind: int) -> None:
    """In one set with walks that bring more lines than it has while the second is still there."""
    walks = (Reference("c", 1 << 12, (64,)), Reference("d", 1 << 16, (128,), "store"))
    nest = Nest((Loop(0, 60),), (Reference("a", 0, (8,)), Reference("b", behind, (8,), "store"), *walks))
    levels = [CacheLevel("L1", 64 * ways, 64, ways), CacheLevel("L2", 64 * 16, 64, 8)]
    assert counted(levels, nest) == slow(levels, nest)


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[CacheLevel], list[Nest]]:
    """Small LRU caches and long loops in which all references move on together; the first leaves dirty lines."""
    line = draw(st.sampled_from([16, 24, 64]))
    levels = []
    for depth in range(draw(st.integers(1, 3))):
        line *= draw(st.sampled_from([1, 1, 2])) if depth else 1
        ways, sets = draw(st.integers(1, 3)), draw(st.sampled_from([1, 2, 3, 4]))
        levels.append(CacheLevel(f"L{depth}", line * ways * sets, line, ways))
    step = draw(st.sampled_from([4, 8, 16, 24, 48, 64, 128, 192, -8, -64]))
    nests = []
    for which in ("dirty", "walk"):
        references = tuple(
            Reference(
                f"{which}{k}",
                60_000 + 8 * draw(st.integers(0, 200)) + draw(st.sampled_from([0, 0, 0, 4])),
                (draw(st.sampled_from([0, 8, 64])), 8 if which == "dirty" else step),
                "store" if which == "dirty" else draw(st.sampled_from(["load", "load", "store"])),
                draw(st.sampled_from([4, 8, 8, 8])),
            )
            for k in range(draw(st.integers(1, 1 if which == "dirty" else 4)))
        )
        trips = 30 if which == "dirty" else draw(st.integers(100, 400))
        nests.append(Nest((Loop(0, draw(st.integers(1, 2))), Loop(0, trips)), references))
    return levels, nests


@settings(max_examples=150, deadline=None)
@given(walks())
def test_long_walks_in_step_count_as_their_slow_twin(walk: tuple[list[CacheLevel], list[Nest]]) -> None:
    """Levels that repeat themselves from round to round are not followed."""
    levels, nests = walk
    twin = SlowSimulator(levels)
    for access in (one for nest in [*nests, nests[0]] for one in accesses(nest)):
        twin.access(*access)
    expected = {key: value for key, value in twin.counts.items() if value}
    for vectors in (True, False):
        names = tuple(item.name for nest in nests for item in nest.references)
        simulation = Simulation(tuple(levels), names, vectors=vectors)
        for nest in [*nests, nests[0]]:
            simulation.run(nest)
        assert fast(simulation.counts()) == expected


@st.composite
def translates(draw: st.DrawFn) -> tuple[list[CacheLevel], list[Nest]]:
    """Iterations of an outer loop that are each other moved on, some of them none; a first nest leaves dirty lines."""
    line = draw(st.sampled_from([16, 24, 64]))
    levels = []
    for depth in range(draw(st.integers(1, 3))):
        line *= draw(st.sampled_from([1, 1, 2])) if depth else 1
        ways, sets = draw(st.integers(1, 4)), draw(st.sampled_from([1, 2, 3, 4, 8]))
        levels.append(CacheLevel(f"L{depth}", line * ways * sets, line, ways))
    move = draw(st.sampled_from([0, 4, 8, 16, 64, 72, 128, 192, 1000, -8, -64]))
    references = tuple(
        Reference(
            f"r{k}",
            60_000 + 8 * draw(st.integers(0, 300)) + draw(st.sampled_from([0, 0, 0, 4])),
            (move, draw(st.sampled_from([0, 8, 64, 200])), draw(st.sampled_from([0, 8, 8, 16, 64, 72]))),
            draw(st.sampled_from(["load", "load", "store"])),
            draw(st.sampled_from([4, 8, 8])),
        )
        for k in range(draw(st.integers(1, 4)))
    )
    rows = Loop(0, draw(st.integers(1, 3)))
    row = Loop(draw(st.integers(0, 2)), Bound(draw(st.integers(0, 9)), (0, draw(st.integers(-1, 1)))))
    dirty = Nest((Loop(0, 30),), (Reference("dirty", 60_000, (draw(st.sampled_from([8, 64])),), "store"),))
    return levels, [dirty, Nest((Loop(0, draw(st.integers(4, 60))), rows, row), references)]


def check_in_turn(levels: list[CacheLevel], nests: list[Nest]) -> None:
    """The nests, and all of them once more: also what they leave behind is what their slow twin leaves."""
    order = [*nests, *nests]
    twin = SlowSimulator(levels)
    for access in (one for nest in order for one in accesses(nest)):
        twin.access(*access)
    expected = {key: value for key, value in twin.counts.items() if value}
    for vectors in (True, False):
        names = tuple(item.name for nest in nests for item in nest.references)
        simulation = Simulation(tuple(levels), names, vectors=vectors)
        for nest in order:
            simulation.run(nest)
        assert fast(simulation.counts()) == expected


@settings(max_examples=250, deadline=None)
@given(translates())
def test_iterations_that_are_each_other_moved_on_count_as_their_slow_twin(
    found: tuple[list[CacheLevel], list[Nest]],
) -> None:
    check_in_turn(*found)


@st.composite
def columns_of_few_sets(draw: st.DrawFn) -> tuple[list[CacheLevel], list[Nest]]:
    """Columns that come to one or two sets each, after a sweep that leaves the innermost sets alike, and a walk that
    leaves others different."""
    sets, ways = draw(st.sampled_from([8, 16])), draw(st.integers(1, 3))
    levels = [CacheLevel("L0", 64 * sets * ways, 64, ways)]
    for depth in range(1, draw(st.integers(1, 3))):
        sets *= draw(st.sampled_from([1, 2, 4]))
        ways = draw(st.integers(1, 4))
        levels.append(CacheLevel(f"L{depth}", 64 * sets * ways, 64, ways))
    down = 64 * levels[0].sets
    rows = draw(st.integers(16, 60))
    references = tuple(
        Reference(
            f"r{k}",
            60_000 // down * down + k * down * rows + draw(st.sampled_from([0, 0, 64, 72])),
            (draw(st.shared(st.sampled_from([64, 64, 8, -64]), key="move")), draw(st.sampled_from([down, down, 0]))),
            draw(st.sampled_from(["load", "store"])),
        )
        for k in range(draw(st.integers(1, 3)))
    )
    trips = draw(st.integers(4, 12)) * (8 if references[0].strides[0] == 8 else 1)
    walk = Reference("walk", 60_000 // 64 * 64, (draw(st.sampled_from([64, 192, 320])),), "store")
    sweep = Reference("sweep", 1 << 20, (64,), draw(st.sampled_from(["load", "store"])))
    before = [
        Nest((Loop(0, draw(st.integers(0, 40))),), (walk,)),
        Nest((Loop(0, draw(st.sampled_from([0, levels[0].lines]))),), (sweep,)),
    ]
    return levels, [*before, Nest((Loop(0, trips), Loop(0, rows)), references)]


@settings(max_examples=150, deadline=None)
@given(columns_of_few_sets())
def test_columns_of_few_sets_count_as_their_slow_twin(found: tuple[list[CacheLevel], list[Nest]]) -> None:
    check_in_turn(*found)


@st.composite
def long_rows(draw: st.DrawFn) -> tuple[list[CacheLevel], list[Nest]]:
    """References that move on at their own pace, start within lines, and meet on them now and then."""
    line = draw(st.sampled_from([16, 24, 64]))
    levels = []
    for depth in range(draw(st.integers(1, 3))):
        line *= draw(st.sampled_from([1, 1, 2])) if depth else 1
        ways, sets = draw(st.integers(2, 6)), draw(st.sampled_from([1, 2, 3, 4, 8]))
        levels.append(CacheLevel(f"L{depth}", line * ways * sets, line, ways))
    steps = draw(st.lists(st.sampled_from([0, 8, 8, 8, 16, 40, -8, 64, 200, -520]), min_size=1, max_size=4))
    references = tuple(
        Reference(
            f"r{k}",
            80_000 + 8 * draw(st.integers(0, 40)),
            (draw(st.sampled_from([0, 8, 72, 800])), step),
            draw(st.sampled_from(["load", "load", "store"])),
        )
        for k, step in enumerate(steps)
    )
    return levels, [Nest((Loop(0, draw(st.integers(1, 4))), Loop(0, draw(st.integers(30, 150)))), references)]


@settings(max_examples=200, deadline=None)
@given(long_rows())
def test_long_rows_count_as_their_slow_twin(found: tuple[list[CacheLevel], list[Nest]]) -> None:
    """Touches that come again in every so many iterations are not looked for again."""
    check_in_turn(*found)


def test_what_the_batched_engine_cannot_follow_goes_on_from_where_it_stands() -> None:
    """Addresses of more bits than it keeps."""
    levels = [CacheLevel("L1", 1024, 64, 4), CacheLevel("L2", 4608, 64, 8)]
    before = Nest((Loop(0, 3), Loop(0, 100)), (Reference("a", 0, (8, 16)), Reference("b", 4096, (0, 8), "store")))
    after = Nest((Loop(0, 200),), (Reference("c", 1024, (8,)), Reference("d", (1 << 50) + 4160, (8,), "store")))
    twin = SlowSimulator(levels)
    simulation = Simulation(tuple(levels), ("a", "b", "c", "d"))
    for nest in (before, after, before):
        simulation.run(nest)
        for access in accesses(nest):
            twin.access(*access)
    assert fast(simulation.counts()) == {key: value for key, value in twin.counts.items() if value}


@settings(max_examples=100, deadline=None)
@given(hierarchies(), nests())
def test_a_nest_is_its_list_of_addresses(levels: list[CacheLevel], nest: Nest) -> None:
    """The bulk counting of loops changes nothing; elements are made to fit one size."""
    nest = replace(nest, references=tuple(replace(item, bytes=8) for item in nest.references))
    names = tuple(item.name for item in nest.references)
    kinds = {"load": 0, "store": 1}
    listed = [(address, kinds[kind], names.index(name)) for name, kind, address, _ in accesses(nest)]
    simulation = Simulation(tuple(levels), names)
    columns = np.array(listed, dtype=np.uint64).reshape(-1, 3)
    simulation.run_addresses(columns[:, 0], columns[:, 1], columns[:, 2])
    assert fast(simulation.counts()) == fast(simulate(levels, [nest]))


@settings(max_examples=60, deadline=None)
@given(
    hierarchies(),
    st.integers(0, 1 << 30),
    st.sampled_from([40, 700, 1500]),
    st.sampled_from([300, 3000, 60_000]),
    st.sampled_from([1, 8, 8, 16, 70]),
)
def test_random_addresses_count_as_their_slow_twin(
    levels: list[CacheLevel], seed: int, count: int, span: int, size: int
) -> None:
    """Loads and stores of some references, many of them across lines: more than are answered at a time."""
    names, words = ("a", "b", "c"), ("load", "store")
    draw = np.random.default_rng(seed)
    where, kinds, who = (draw.integers(0, most, count) for most in (span, 2, 3))
    twin = SlowSimulator(levels)
    for address, kind, reference in zip(where.tolist(), kinds.tolist(), who.tolist(), strict=True):
        twin.access(names[reference], words[kind], address, size)
    expected = {key: value for key, value in twin.counts.items() if value}
    for vectors in (True, False):
        simulation = Simulation(tuple(levels), names, vectors=vectors)
        simulation.run_addresses(where, kinds, who, size)
        assert fast(simulation.counts()) == expected


@settings(max_examples=12, deadline=None)
@given(
    hierarchies(),
    st.integers(0, 1 << 30),
    st.sampled_from([300, 3000, 60_000]),
    st.sampled_from([8, 8, 70]),
    st.sampled_from(["nothing", "load", "store"]),
)
def test_long_lists_of_loads_count_as_their_slow_twin(
    levels: list[CacheLevel], seed: int, span: int, size: int, before: Any
) -> None:
    """Nothing is written back of them, unless an access before or after them has stored."""
    row = Nest((Loop(0, 50),), (Reference("b", 0, (8,), "load" if before == "nothing" else before),))
    where = np.random.default_rng(seed).integers(0, span, 9000)
    kinds = (np.arange(9000) % 5 == 0).astype(int)
    lists = [] if before == "nothing" else [row]
    twin = SlowSimulator(levels)
    for access in (one for nest in lists for one in accesses(nest)):
        twin.access(*access)
    for column in (np.zeros_like(kinds), kinds, np.zeros_like(kinds)):
        for address, kind in zip(where.tolist(), column.tolist(), strict=True):
            twin.access("a", "store" if kind else "load", address, size)
    expected = {key: value for key, value in twin.counts.items() if value}
    for vectors in (True, False):
        simulation = Simulation(tuple(levels), ("a", "b"), vectors=vectors)
        for nest in lists:
            simulation.run(nest)
        simulation.run_addresses(where, 0, 0, size)
        simulation.run_addresses(where, kinds, 0, size)
        simulation.run_addresses(where, 0, 0, size)
        assert fast(simulation.counts()) == expected


@settings(max_examples=100, deadline=None)
@given(nests(), st.integers(1, 60), st.integers(0, 60))
def test_a_larger_lru_cache_never_misses_more(nest: Nest, ways: int, more: int) -> None:
    """Stack inclusion: what a fully associative LRU cache holds, a larger one holds too."""
    nest = replace(nest, references=tuple(replace(item, kind="load") for item in nest.references))
    small, large = (simulate([CacheLevel("C", 64 * lines, 64)], [nest]).levels[0] for lines in (ways, ways + more))
    assert large.misses <= small.misses
    assert large.hits + large.misses == small.hits + small.misses


@settings(max_examples=100, deadline=None)
@given(hierarchies(), nests())
def test_counts_balance(levels: list[CacheLevel], nest: Nest) -> None:
    """What misses a level is asked of the next one; the same nest gives the same answer."""
    counts = simulate(levels, [nest])
    assert counts == simulate(levels, [nest])
    for level in counts.levels:
        assert level.writebacks <= level.evictions
    if all(level.line == levels[0].line for level in levels):
        for inner, outer in zip(counts.levels, counts.levels[1:], strict=False):
            assert outer.hits + outer.misses == inner.misses
        assert counts.memory_reads == counts.levels[-1].misses
