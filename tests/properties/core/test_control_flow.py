"""Loops of random graphs against their definition: headers dominate latches, bodies reach them without the header."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foretell.core.control_flow import natural_loops, predecessors, reverse_postorder

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 9))
    targets = st.lists(st.integers(0, size - 1), max_size=3)
    return {block: draw(targets) for block in range(size)}


def _reached(graph: Graph, start: int, without: int | None = None) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        block = pending.pop()
        if block != without and block not in found:
            found.add(block)
            pending += graph[block]
    return found


def _back_edges(graph: Graph) -> list[tuple[int, int]]:
    """Edges whose target every way to their source passes."""
    reached = _reached(graph, 0)
    return [(s, t) for s in sorted(reached) for t in graph[s] if s == t or s not in _reached(graph, 0, without=t)]


@given(graphs())
def test_loops_are_those_of_the_definition(graph: Graph) -> None:
    back = _back_edges(graph)
    loops = {loop.header: loop for loop in natural_loops(graph, 0).loops}
    assert set(loops) == {target for _, target in back}
    for header, loop in loops.items():
        latches = {source for source, target in back if target == header}
        assert set(loop.latches) == latches
        inside = {b for b in graph if b != header and latches & _reached(graph, b, without=header)}
        assert loop.blocks == inside | {header}


@given(graphs())
def test_irreducible_is_a_cycle_without_back_edges(graph: Graph) -> None:
    rest = {source: [t for t in targets if (source, t) not in _back_edges(graph)] for source, targets in graph.items()}
    cycle = any(block in _reached(rest, t) for block in _reached(graph, 0) for t in rest[block])
    assert natural_loops(graph, 0).irreducible == cycle


@given(graphs())
def test_parents_are_the_smallest_loops_around(graph: Graph) -> None:
    forest = natural_loops(graph, 0)
    for loop in forest.loops:
        around = [one for one in forest.loops if one is not loop and loop.header in one.blocks]
        assert loop.chain[0] is loop
        assert set(map(id, loop.chain[1:])) == set(map(id, around))
        assert all(loop.blocks < one.blocks for one in around)
    for block, loop in forest.innermost.items():
        assert all(len(loop.blocks) <= len(one.blocks) for one in forest.loops if block in one.blocks)


@given(graphs())
def test_the_order_goes_forward_but_for_cycles(graph: Graph) -> None:
    order = reverse_postorder(graph, 0)
    assert order[0] == 0
    assert sorted(order) == sorted(_reached(graph, 0))
    place = {block: number for number, block in enumerate(order)}
    for source in order:
        for target in graph[source]:
            assert place[source] < place[target] or source in _reached(graph, target)
    assert all(block in graph[one] for block, before in predecessors(graph).items() for one in before)
