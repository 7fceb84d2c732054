"""Properties of Algorithm 1, and the compiled core against a literal twin in Python."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from foretell.core.columns.expression import constant
from foretell.models.saake import closed_form
from foretell.models.saake.model import EmulateModel
from tests.support.models import saake

_CYCLES = st.integers(1, 60)


@dataclass
class Twin:
    """Algorithm 1 of the specification, one list element at a time; shares no code with the core."""

    latency: dict[str, int]
    gap: dict[str, int]
    text: list[tuple[str, list[int]]]
    warps: int
    printed: bool = False

    def run(self) -> float:
        count = len(self.text)
        finish = [[-math.inf] * count for _ in range(self.warps)]
        at, earliest = [0] * self.warps, [0.0] * self.warps
        admit = dict.fromkeys(self.latency, -math.inf)
        t, w = 0.0, 0
        while any(position < count for position in at):
            if at[w] < count:
                earliest[w] = max([t, *(finish[w][p] for p in self.text[at[w]][1])])
            else:
                earliest[w] = math.inf
            if earliest[w] > t:
                w = min(range(self.warps), key=lambda x: earliest[x])
                t = earliest[w] if self.printed else max(t, earliest[w])
                continue
            r = self.text[at[w]][0]
            start = max(t, admit[r])
            finish[w][at[w]] = start + self.latency[r]
            admit[r] = start + self.gap[r]
            at[w] += 1
            t += 1
        return max(row[-1] if self.printed else max(row) for row in finish)


@st.composite
def twins(draw: st.DrawFn, resources: str = "AB") -> Twin:
    count = draw(st.integers(1, 8))
    text = [
        (draw(st.sampled_from(resources)), sorted(draw(st.sets(st.integers(0, i - 1), max_size=2))) if i else [])
        for i in range(count)
    ]
    latency = {name: draw(_CYCLES) for name in resources}
    gap = {name: draw(_CYCLES) for name in resources}
    return Twin(latency, gap, text, draw(st.integers(1, 6)))


def _facet(twin: Twin, factor: float = 1) -> saake.AbstractProgram:
    pipes = {name: {"latency": twin.latency[name] * factor, "gap": twin.gap[name] * factor} for name in twin.latency}
    text: list[dict[str, object]] = [
        {"id": i, "res": resource, "deps": deps} for i, (resource, deps) in enumerate(twin.text)
    ]
    return saake.program(pipes, text, twin.warps)


@given(twins())
def test_the_core_equals_the_algorithm(twin: Twin) -> None:
    assert saake.emulate(_facet(twin)).cycles == twin.run()


@given(twins())
def test_the_core_equals_the_printed_algorithm(twin: Twin) -> None:
    twin.printed = True
    assert saake.emulate(_facet(twin), mode="paper").cycles == twin.run()


@given(st.integers(1, 60), _CYCLES, st.integers(1, 8), st.integers(1, 6), st.integers(1, 3))
def test_one_resource_has_the_closed_form(extra: int, gap: int, warps: int, length: int, ilp: int) -> None:
    latency = gap + extra - 1
    found = saake.emulate(saake.chains(latency, gap, warps, length, ilp)).cycles
    chains = warps * ilp
    # interleaved chains of one warp issue one cycle apart, which only a gap of one cycle can show
    if ilp == 1 or gap >= ilp:
        assert found == closed_form.cycles(latency, gap, chains, length)


@given(_CYCLES, _CYCLES, st.integers(1, 9), st.integers(1, 9))
def test_the_closed_form_is_the_larger_case_and_elasticities_sum_to_one(
    latency: int, gap: int, chains: int, length: int
) -> None:
    cases = (latency * length + (chains - 1) * gap, latency + (chains * length - 1) * gap)
    assert closed_form.cycles(latency, gap, chains, length) == max(cases)
    elasticity = closed_form.elasticity(latency, gap, chains, length)
    assert math.isclose(elasticity.latency + elasticity.gap, 1)


@given(twins(), st.integers(1, 4), st.integers(1, 2), st.sampled_from(["listed", "oldest"]))
def test_time_flows_and_is_never_below_a_bound(twin: Twin, schedulers: int, width: int, order: str) -> None:
    machine = saake.gpu(occupancy_schedulers=schedulers)
    facet = replace(_facet(twin), issue_width=constant(width))
    model = EmulateModel()
    prediction = model.predict(saake.workload(facet), machine, model.settings("default", {"order": order}))
    assert prediction.time_s >= prediction.largest_bound.time_s
    trace = saake.emulate(facet, machine=machine, order=order).trace
    for scheduler in range(schedulers):
        clock = [event.issue for event in trace if event.warp % min(schedulers, twin.warps) == scheduler]
        assert clock == sorted(clock)
    for event in trace:
        assert event.issue <= event.start < event.finish


@given(twins("A"), st.integers(1, 20))
def test_a_slower_single_resource_is_never_faster(twin: Twin, more: int) -> None:
    base = saake.emulate(_facet(twin)).cycles
    twin.latency["A"] += more
    assert saake.emulate(_facet(twin)).cycles >= base
    twin.latency["A"] -= more
    twin.gap["A"] += more
    assert saake.emulate(_facet(twin)).cycles >= base


@given(twins())
def test_busy_time_is_the_union_of_intervals(twin: Twin) -> None:
    emulation = saake.emulate(_facet(twin))
    for name in emulation.busy:
        spans = sorted((event.start, event.finish) for event in emulation.trace if event.resource == name)
        covered, end = 0.0, -math.inf
        for start, finish in spans:
            covered += max(0.0, finish - max(start, end))
            end = max(end, finish)
        assert emulation.busy[name] == covered
