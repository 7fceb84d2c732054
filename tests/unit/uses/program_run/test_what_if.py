"""What changes of a program would bring, by timelines that can be worked out by hand."""

from __future__ import annotations

import pytest

from foretell.core.answers.program_run import Operation, ProgramChange
from foretell.uses.program_run.link import Link, LinkCopy
from foretell.uses.program_run.timeline import Timeline
from foretell.uses.program_run.what_if import changes, path_parts, worthwhile

LINK = Link(launch_s=1e-6, pinned=50e9, memory=4e12, assumptions=())
START = 2e-6


def gains(line: Timeline, copies: dict[int, LinkCopy] | None = None) -> dict[str, ProgramChange]:
    return {item.change: item for item in changes(line, LINK, copies or {}, START)}


def test_a_faster_link_halves_what_is_copied_from_pinned_memory() -> None:
    line, copy = Timeline(1e-6), LinkCopy(100_000_000, to_device=True, pinned=True)
    line.submit(0, 3, LINK.seconds(copy), "to device")
    line.synchronise()
    (change,) = gains(line, {0: copy}).values()
    assert change.change == "a link of twice the bandwidth"
    assert change.before_s - change.time_s == pytest.approx(1e-3)
    assert change.gain == pytest.approx(2.0, rel=0.01)


def test_pageable_memory_gains_from_pinning_and_not_from_the_link() -> None:
    line, copy = Timeline(1e-6), LinkCopy(100_000_000, to_device=False, pinned=False)
    line.submit(0, 3, LINK.seconds(copy), "to host")
    line.synchronise(3)
    tried = gains(line, {0: copy})
    assert "a link of twice the bandwidth" not in tried
    assert tried["copies from pinned memory"].gain == pytest.approx(50 / 13.8, rel=0.01)


def test_overlapped_copies_take_the_longer_of_both() -> None:
    line = Timeline(0.0)
    line.submit(0, 3, 4.0, "to device")
    line.synchronise(3)
    line.submit(1, 3, 6.0, "compute")
    line.submit(2, 3, 5.0, "to host")
    line.synchronise()
    assert gains(line)["copies overlapped with kernels"].time_s == pytest.approx(6.0)


def test_short_kernels_gain_from_graphs_and_fusion() -> None:
    line = Timeline(10e-6, graph_overlap_s=1e-6)
    for number in range(100):
        line.submit(number, 3, 3e-6, "compute")
    line.synchronise()
    tried = gains(line)
    assert line.end_s == pytest.approx(100 * 10e-6 + 3e-6)
    assert tried["launches in graphs"].time_s == pytest.approx(10e-6 + 3e-6 + 99 * 2e-6)
    assert tried["launches fused"].time_s == pytest.approx(10e-6 + 3e-6 + 99 * 1e-6)


def test_waits_of_the_host_end_a_graph_and_graphs_stay_graphs() -> None:
    line = Timeline(10e-6)
    line.graph(True)
    line.submit(0, 3, 1e-6, "compute")
    line.graph(False)
    line.synchronise()
    line.submit(1, 3, 1e-6, "compute")
    line.synchronise()
    assert gains(line) == {}


def test_time_of_the_host_is_named() -> None:
    line = Timeline(0.0)
    line.advance(9.0)
    line.submit(0, 3, 1.0, "compute")
    line.synchronise()
    assert gains(line)["nothing done by the host between calls"].gain == pytest.approx(10.0)
    operations = [Operation("kernel", "_Z4stepPf", 3)]
    assert [(part.name, part.share) for part in path_parts(line, operations)] == [
        ("host", pytest.approx(0.9)),
        ("step", pytest.approx(0.1)),
    ]


def test_what_brings_nothing_is_left_out() -> None:
    assert worthwhile([ProgramChange("a", 1.0, 1.0), ProgramChange("b", 1.0, 2.0), ProgramChange("c", 0.0, 2.0)]) == [
        ProgramChange("b", 1.0, 2.0)
    ]


def test_the_largest_gain_comes_first() -> None:
    small, large = ProgramChange("small", 1.0, 1.5), ProgramChange("large", 1.0, 3.0)
    assert worthwhile([small, large]) == [large, small]
