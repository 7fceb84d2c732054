"""Abstract program files: what they say, and what is wrong with the ones that say nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.core.gpu.warps import AbstractProgram
from foretell.errors import InputError
from foretell.frontends.gpu.abstract_program import parse_program
from foretell.models.gpu.occupancy import occupancy
from foretell.models.saake.algorithm1 import Emulator, Event
from foretell.models.saake.kernel import resolve
from foretell.models.saake.model import EmulateModel
from tests.support.models import saake

_HEAD = "resource GM latency=500 gap=100\nresource FU latency=100 gap=20\nresident 1\n"


def _run(text: str, *, warps: int = 1, parameters: dict[str, float] | None = None) -> tuple[Event, ...]:
    workload = parse_program(f"{_HEAD}warps {warps}\n{text}", "toy").with_parameters(parameters or {})
    kernel = resolve(workload.facet(AbstractProgram), workload.parameters, saake.gpu())

    return Emulator(kernel, EmulateModel().settings()).run(kernel.occupancy.blocks, trace=True).trace


def test_loops_carry_dependences() -> None:
    """Each load of the chain needs the one before it; the first needs nothing."""
    trace = _run("parameter K = 3\nloop K\nS: GM after=S\nend")
    assert [event.issue for event in trace] == [0, 500, 1000]
    trace = _run("parameter K = 3\nloop K\nS: GM after=S\nend", parameters={"K": 2})
    assert [event.finish for event in trace] == [500, 1000]


def test_known_branches_are_followed_and_others_executed_in_order() -> None:
    text = "parameter N = 10\nbranch N>5\nA: FU\nor\nB: GM\nend\nbranch\nC: FU\nor\nD: GM\nend"
    assert [event.label for event in _run(text)] == ["A", "C", "D"]
    assert [event.label for event in _run(text, parameters={"N": 1})] == ["B", "C", "D"]
    assert "all paths" in parse_program(_HEAD + text, "toy").assumptions[0]


def test_a_condition_without_a_second_path_can_skip() -> None:
    assert [event.label for event in _run("branch 0>1\nA: FU\nend\nB: FU")] == ["B"]


def test_a_barrier_waits_for_the_whole_block() -> None:
    """Warp 0 has its load back at 500, warp 1 at 600 (gap 100): neither goes on before 600."""
    trace = _run("S1: GM\nbarrier\nS2: FU", warps=2)
    assert [(e.warp, e.issue) for e in trace if e.label == "S2"] == [(0, 600), (1, 601)]


def test_blocks_do_not_wait_for_each_other_at_a_barrier() -> None:
    text = "resource GM latency=500 gap=100\nresource FU latency=100 gap=20\nresident 2\nS1: GM\nbarrier\nS2: FU"
    trace = saake.emulate(parse_program(text, "toy").facet(AbstractProgram)).trace
    assert [(e.warp, e.issue) for e in trace if e.label == "S2"] == [(0, 500), (1, 600)]


def test_barriers_between_schedulers() -> None:
    text = f"{_HEAD}warps 4\nschedulers 4\nS1: GM\nbarrier\nS2: FU\nbarrier\nS3: FU"
    trace = saake.emulate(parse_program(text, "toy").facet(AbstractProgram)).trace
    assert [e.issue for e in trace if e.label == "S2"] == [800] * 4
    assert {e.issue for e in trace if e.label == "S3"} == {960}


def test_several_schedulers_issue_in_one_cycle_and_wide_ones_independent_instructions() -> None:
    text = "warps 4\nS1: FU\nS2: FU\n"
    one = "resource FU latency=4 gap=0.1\nresident 1\n" + text
    wide = saake.emulate(parse_program(one + "issue 2\nschedulers 2", "t").facet(AbstractProgram)).trace
    assert [(e.warp, e.issue) for e in wide] == [
        (0, 0), (0, 0), (1, 0), (1, 0), (2, 1), (2, 1), (3, 1), (3, 1),
    ]  # fmt: skip
    dependent = "resource FU latency=4 gap=0.1\nresident 1\nissue 2\nschedulers 1\nS1: FU\nS2: FU after=S1"
    trace = saake.emulate(parse_program(dependent, "t").facet(AbstractProgram)).trace
    assert [e.issue for e in trace] == [0, 4]


def test_greedy_then_oldest() -> None:
    """At cycle 2 warp 0 (ready since 2) and warp 2 (ready since 0) can go on: the older, or the one listed."""
    text = "resource A latency=2 gap=2\nresource B latency=2 gap=4\nresident 1\nwarps 3\nS0: A\nS1: B after=S0"
    facet = parse_program(text, "t").facet(AbstractProgram)
    listed = [(e.warp, e.issue) for e in saake.emulate(facet).trace]
    oldest = [(e.warp, e.issue) for e in saake.emulate(facet, order="oldest").trace]
    assert listed == [(0, 0), (1, 1), (2, 2), (0, 3), (1, 4), (2, 6)]
    assert oldest == [(0, 0), (1, 1), (0, 2), (2, 3), (1, 4), (2, 6)]


def test_a_partial_wave_costs_what_its_blocks_cost() -> None:
    text = "resource GM latency=500 gap=100\nresident 16\nblocks {}\nS: GM"
    model, machine = EmulateModel(), saake.gpu(cores_count=13)
    times = {}
    for blocks in (208, 209, 100):
        workload = parse_program(text.format(blocks), "t")
        times[blocks] = model.predict(workload, machine, model.settings()).time_s
    full = 500 + 15 * 100
    assert times == {208: full, 209: full + 500, 100: 500 + 7 * 100}
    printed = model.predict(parse_program(text.format(100), "t"), machine, model.settings("paper"))
    assert printed.time_s == pytest.approx(full * 100 / 208)


def test_blocks_that_start_as_others_end() -> None:
    """One slot, chains of 500 cycles: blocks follow each other. Two slots: the gap of 100 keeps them apart."""
    text = "resource GM latency=500 gap=100\nresident {}\nblocks {}\nS: GM\nT: GM after=S"
    model = EmulateModel()
    settings = model.settings("default", {"waves": "backfill"})

    def cycles(resident: int, blocks: int) -> float:
        workload = parse_program(text.format(resident, blocks), "t")
        return model.predict(workload, saake.gpu(), settings).time_s

    assert cycles(1, 1) == 1000
    assert cycles(1, 3) == 3000
    assert cycles(1, 50) == 50_000  # three are emulated
    assert cycles(2, 2) == 1100
    assert cycles(2, 3) == 2000  # the third starts when the first ends
    assert cycles(2, 4) == 2100
    throughput = cycles(16, 1600)
    assert 1600 * 2 * 100 <= throughput < 1.05 * 1600 * 2 * 100


def test_backfilling_without_extrapolation_is_never_slower_than_waves() -> None:
    head = _HEAD.replace("resident 1", "resident 4")
    text = f"{head}warps 2\nblocks 12\nA: GM\nB: FU after=A\nbarrier\nC: GM after=B"
    model, workload = EmulateModel(), parse_program(text, "t")
    whole = model.predict(workload, saake.gpu(), model.settings())
    fluid = model.predict(workload, saake.gpu(), model.settings("default", {"waves": "backfill"}))
    assert fluid.time_s <= whole.time_s
    assert fluid.details["phases"] == 3


def test_regions_have_their_own_sensitivities() -> None:
    text = f"{_HEAD}region CR1\nA: GM\nregion CR2\nB: GM after=A\nC: FU after=B"
    workload = parse_program(text, "t")
    model = EmulateModel()
    found = {s.parameter: s.elasticity for s in model.sensitivities(workload, saake.gpu(), model.settings())}
    assert found["GM.latency"] == pytest.approx(1000 / 1100)
    assert found["GM.latency in CR1"] == pytest.approx(500 / 1100)
    assert found["FU.latency in CR2"] == pytest.approx(100 / 1100)
    assert "FU.latency in CR1" not in found


def test_a_resource_of_the_machine() -> None:
    machine = saake.gpu()
    with pytest.raises(InputError, match="no latency and gap for resource 'FMA'"):
        saake.emulate(parse_program("resident 1\nA: FMA", "t").facet(AbstractProgram), machine=machine)
    able = machine.with_values({"pipeline.FMA.latency": 4, "pipeline.FMA.gap": 2})
    facet = parse_program("resident 1\nA: FMA\nB: FMA", "t").facet(AbstractProgram)
    assert saake.emulate(facet, machine=able).cycles == 6


@pytest.mark.parametrize(
    ("warps", "registers", "shared", "blocks", "limiter"),
    [
        (8, None, None, 8, "warps"),
        (1, None, None, 16, "blocks"),
        (8, 64, None, 4, "registers"),  # 65536 / (64 * 256)
        (8, 33, None, 6, "registers"),  # 33*32 rounds to 1280: 51 warps
        (8, 32, 16000, 3, "shared memory"),
    ],
)
def test_occupancy(warps: int, registers: int, shared: int, blocks: int, limiter: str) -> None:
    found = occupancy(saake.gpu(), warps, registers, shared)
    assert (found.blocks, found.limiter, found.warps) == (blocks, limiter, blocks * warps)


def test_blocks_that_do_not_fit() -> None:
    for arguments in ((65, None, None), (32, 255, None), (1, None, 1 << 20), (1, 256, None)):
        with pytest.raises(InputError):
            occupancy(saake.gpu(), *arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no instructions"),
        ("S1", "is not understood"),
        ("lop 3", "did you mean 'loop'"),
        ("S1: GM after", "KEY=VALUE"),
        ("S1: GM aftr=S1", "did you mean 'after'"),
        ("S1: GM\nS1: GM", "given twice"),
        ("S1: GM after=S2", "no such instruction"),
        ("loop\nS1: GM\nend", "needs its trip count"),
        ("loop 3\nS1: GM", "loop without end"),
        ("S1: GM\nend", "without loop or branch"),
        ("or", "outside a branch"),
        ("branch 1\nor\nor\nend", "two paths"),
        ("S1: GM miss=0.2", "needs cached"),
        ("S1: GM cached=FU", "needs a miss rate"),
        ("resource X latency=3\nS1: X", "has no gap"),
        ("resource 3", "write: resource"),
        ("region 3", "write: region"),
        ("parameter N", "write: parameter"),
        ("parameter N = x", "not a finite number"),
        ("warps 1\nS1: GM transactions=__import__('os')", "is not known"),
        ("loop 1\n" * 60, "nested more than"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_program(_HEAD + text, "toy")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loop 1e12\nS1: GM\nend", "too many to emulate"),
        ("loop 1e8\nloop 1e8\nS1: GM\nend\nend", "too many to emulate"),
        ("loop 0\nS1: GM\nend", "no instruction is executed"),
        ("loop 0-1\nS1: GM\nend", "must be a whole number"),
        ("S1: GM transactions=0", "at least 1"),
        ("S1: GM cached=FU miss=1.5", "between 0 and 1"),
        ("S1: GM transactions=N", "'N' in 'N' has no value"),
    ],
)
def test_impossible_numbers_are_named(text: str, message: str) -> None:
    workload = parse_program(_HEAD + text, "toy")
    with pytest.raises(InputError, match=message):
        resolve(workload.facet(AbstractProgram), {}, saake.gpu())


_WORDS = st.sampled_from(
    ["loop 3", "end", "or", "branch", "branch 1", "barrier", "region R", "S: FU", "T: GM after=S", "warps 2",
     "x", "resource Q latency=1 gap=1", "=", ":", "parameter N = 2", "#", "\t", "loop N"]
)  # fmt: skip


@given(st.lists(_WORDS | st.text(max_size=20), max_size=15))
def test_any_text_is_a_program_or_an_input_error(lines: list[str]) -> None:
    try:
        workload = parse_program(_HEAD + "\n".join(lines), "toy")
        resolve(workload.facet(AbstractProgram), workload.parameters, saake.gpu())
    except InputError:
        pass


def test_why_shows_the_resources() -> None:
    from foretell.api import prepare
    from foretell.uses.why import why

    explanation = why(prepare("example:fig5", saake.gpu()))
    assert explanation.sensitivities[0].parameter in ("GM.latency", "clock.frequency")
    assert {"GM.latency", "GM.gap", "FU.latency", "FU.gap"} <= {s.parameter for s in explanation.sensitivities}


def test_sweep_equals_predictions() -> None:
    import numpy as np

    from foretell.api import prepare, sweep

    workload = parse_program(_HEAD + "parameter K = 3\nloop K\nS: GM after=S\nend", "toy")
    case = prepare(workload, saake.gpu())
    columns = {"K": np.array([1.0, 2.0, 4.0]), "clock.frequency": np.array([1.0, 2.0, 1.0])}
    assert sweep(case, columns).tolist() == [500, 500, 2000]
