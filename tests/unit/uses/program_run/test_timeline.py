"""When operations run: streams, engines, events and the host."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell import machines
from foretell.characterize.gpu.complete_record import PageFaults
from foretell.uses.program_run import what_if
from foretell.uses.program_run.link import Link
from foretell.uses.program_run.timeline import Timeline

NOT_BLOCKING = 1


def timeline(**more: float) -> Timeline:
    return Timeline(launch_s=1.0, **more)


def test_operations_of_a_stream_follow_each_other() -> None:
    line = timeline()
    first, second = line.submit(0, 3, 10.0, "compute"), line.submit(1, 3, 5.0, "compute")
    assert (first.start_s, first.end_s) == (1.0, 11.0)
    assert (second.start_s, second.end_s) == (11.0, 16.0)
    assert line.host_s == 2.0  # the host does not wait
    line.synchronise(3)
    assert line.host_s == 16.0
    assert line.waited_s == 14.0


def test_copies_and_kernels_of_two_streams_overlap() -> None:
    line = timeline()
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    kernel, copy = line.submit(0, 3, 10.0, "compute"), line.submit(1, 4, 10.0, "to device")
    back = line.submit(2, 4, 10.0, "to host")
    assert (kernel.start_s, copy.start_s, back.start_s) == (1.0, 2.0, 12.0)
    assert line.busy_s == pytest.approx(21.0)


def test_one_copy_engine_for_each_direction() -> None:
    line = timeline()
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    line.submit(0, 3, 10.0, "to device")
    assert line.submit(1, 4, 10.0, "to device").start_s == 11.0


@pytest.mark.parametrize(("share", "start"), [(0.4, 2.0), (0.8, 11.0)])
def test_small_kernels_run_side_by_side(share: float, start: float) -> None:
    line = timeline()
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    line.submit(0, 3, 10.0, "compute", 0.5)
    assert line.submit(1, 4, 10.0, "compute", share).start_s == start


def test_the_default_stream_waits_for_blocking_streams_and_they_for_it() -> None:
    line = timeline()
    line.stream(3, 0)
    line.stream(4, NOT_BLOCKING)
    line.submit(0, 3, 10.0, "to device")
    assert line.submit(1, 0, 1.0, "to host").start_s == 11.0
    assert line.submit(2, 3, 1.0, "compute").start_s == 12.0
    assert line.submit(3, 4, 1.0, "compute", 0.0).start_s < 12.0


def test_events_order_streams_and_measure() -> None:
    line = timeline(event_s=0.5)
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    line.record(1, 3)
    line.submit(0, 3, 10.0, "compute")
    line.record(2, 3)
    line.wait(4, 2)
    assert line.submit(1, 4, 1.0, "to host").start_s == 11.5
    assert line.elapsed(1, 2) == pytest.approx(11.5)
    line.synchronise(event=2)
    assert line.host_s == 11.5
    line.synchronise()
    assert line.end_s == line.host_s == 12.5


def test_a_graph_is_submitted_at_once_and_its_starts_overlap() -> None:
    alone, graph = timeline(graph_overlap_s=2.0), timeline(graph_overlap_s=2.0)
    graph.graph(begins=True)
    for line in (alone, graph):
        for number in range(4):
            line.submit(number, 3, 3.0, "compute")
    graph.graph(begins=False)
    assert (alone.host_s, graph.host_s) == (4.0, 1.0)
    assert alone.spans[-1].end_s == 1.0 + 4 * 3.0
    assert graph.spans[-1].end_s == 1.0 + 3.0 + 3 * (3.0 - 2.0)


def test_the_critical_path_is_what_the_end_waits_for() -> None:
    line = timeline()
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    line.advance(2.0)
    line.submit(0, 3, 10.0, "to device")  # from 3 to 13, on the path
    line.submit(1, 4, 4.0, "compute", 0.1)  # hidden behind it
    line.record(1, 3)
    line.wait(4, 1)
    line.submit(2, 4, 5.0, "compute", 0.1)  # 13 to 18
    line.synchronise()
    line.advance(7.0)
    line.submit(3, 4, 1.0, "to host")  # 26 to 27
    assert line.end_s == 27.0
    assert line.critical_path() == [(3, 1.0), (None, 8.0), (2, 5.0), (0, 10.0), (None, 3.0)]


def test_a_path_that_ends_with_the_host() -> None:
    line = timeline()
    assert line.critical_path() == [(None, 0.0)]
    line.submit(0, 3, 10.0, "compute")
    line.synchronise()
    line.advance(5.0)
    assert line.critical_path() == [(None, 5.0), (0, 10.0), (None, 1.0)]


def test_a_kernel_that_waits_for_room_has_its_cause() -> None:
    line = timeline()
    line.stream(3, NOT_BLOCKING)
    line.stream(4, NOT_BLOCKING)
    line.submit(0, 3, 10.0, "compute", 0.8)
    span = line.submit(1, 4, 10.0, "compute", 0.8)
    assert (span.start_s, span.cause) == (11.0, 0)


@given(
    st.lists(
        st.tuples(st.sampled_from(["submit", "host", "sync", "record", "wait"]), st.integers(0, 4), st.integers(1, 9)),
        max_size=30,
    )
)
def test_the_parts_of_the_path_are_the_whole_time(steps: list[tuple[str, int, int]]) -> None:
    line = timeline(event_s=0.5)
    line.stream(3, NOT_BLOCKING)
    for number, (kind, stream, amount) in enumerate(steps):
        if kind == "submit":
            engine = ("compute", "to device", "to host")[amount % 3]
            line.submit(number, stream, float(amount), engine, 0.3)  # type: ignore[arg-type]
        elif kind == "host":
            line.advance(float(amount))
        elif kind == "sync":
            line.synchronise(stream if amount % 2 else None)
        elif kind == "record":
            line.record(amount % 3 + 1, stream)
        else:
            line.wait(stream, amount % 3 + 1)
    assert sum(seconds for _, seconds in line.critical_path()) == pytest.approx(line.end_s)
    assert what_if.replayed(line, line.steps).end_s == line.end_s


def test_an_operation_keeps_its_own_time() -> None:
    """End less start is rounded by when the host began, which is measured: totals would differ between runs."""
    timeline = Timeline(launch_s=1e-6)
    timeline.advance(0.1234567)
    span = timeline.submit(0, 0, 1e-7 / 3, "to device")
    assert span.seconds == 1e-7 / 3 != span.end_s - span.start_s


def test_faults_take_the_longer_of_all_pages_and_those_in_turn() -> None:
    """validation/h200/sample-programs, managed.csv: one page, 16 large ones, 8 MiB by one thread."""
    link = Link.of(machines.load("h200"))
    assert link.faults_s(PageFaults(1, 1, 1)) == pytest.approx(80e-6)
    assert link.faults_s(PageFaults(16, 16, 1)) == pytest.approx((80 + 15 * 20 + 15 * 8) * 1e-6)
    assert link.faults_s(PageFaults(5, 1, 5)) == pytest.approx((80 + 4 * 45) * 1e-6)
    assert link.faults_s(PageFaults(128, 4, 24)) == pytest.approx((80 + 3 * 20 + 127 * 8) * 1e-6)
