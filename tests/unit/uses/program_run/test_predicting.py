"""Which launches of a program are predicted, and what the others take over."""

from __future__ import annotations

import struct

import pytest

from foretell import machines
from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.core.gpu.warps import Warps, Written
from foretell.uses.program_run.launches import predicting
from foretell.uses.program_run.launches.predicting import Outcome, Predictor

GROUP = (0, (256, 1, 1), 0)


class Counted(Predictor):
    """Predicts a microsecond for each block, and counts how often; kernels named `stuck` fail `failures` times."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__(machines.load("h200"))
        self.asked: list[int] = []
        self.before_it: list[int] = []
        self.failures = failures

    def _predicted(self, facet: Warps) -> Outcome:
        self.asked.append(facet.launch.blocks)
        self.facet = facet
        self.before_it = [item.launch.blocks for item in facet.before if isinstance(item, Warps)]
        if len(self.asked) <= self.failures:
            return Outcome(0.0, (0.0, 0.0), "", 1.0, assumptions=("not predicted: it waits",))
        time = facet.launch.blocks * 1e-6
        return Outcome(time, (0.9 * time, 1.1 * time), "memory", 1.0, at_once=1056.0)


def launched(predictor: Predictor, key: object, blocks: int, instructions: int) -> Outcome:
    launch = Launch("k", (blocks, 1, 1), (256, 1, 1))
    predictor.before(GROUP, key, None, launch)  # type: ignore[arg-type]
    return predictor.after(GROUP, instructions, blocks)


def test_equal_launches_are_predicted_once() -> None:
    predictor = Counted()
    outcomes = [launched(predictor, "same", 10, 1000 + place) for place in range(5)]
    assert predictor.asked == [10]
    assert [item.own for item in outcomes] == [True, False, False, False, False]
    assert {item.time_s for item in outcomes} == {outcomes[0].time_s}


def test_launches_with_other_data_are_predicted_and_then_interpolated() -> None:
    predictor = Counted()
    launched(predictor, "same", 10, 1000)
    first = launched(predictor, "same", 10, 2000)  # only now it is known that data matter
    assert first.time_s == pytest.approx(2e-5)
    assert not first.own
    assert "interpolated" in first.assumptions[-1]
    for place in range(20):
        launched(predictor, "same", 10, 3000 + 1000 * place)
    assert len(predictor.asked) == 2 * predicting._FEW


def test_grids_that_differ_are_predicted() -> None:
    predictor = Counted()
    outcomes = {blocks: launched(predictor, blocks, blocks, 100 * blocks) for blocks in range(1, 40)}
    assert len(predictor.asked) < 25
    assert all(item.time_s == pytest.approx(blocks * 1e-6) for blocks, item in outcomes.items())


def test_a_series_that_gets_smaller_finds_what_its_first_launch_left() -> None:
    """The largest launch of each kernel is remembered beside the last three, and before them."""
    predictor = Counted()
    for blocks in (500, 800, 60, 20, 6, 2):
        launched(predictor, blocks, blocks, 100 * blocks)
    assert predictor.before_it == [800, 60, 20, 6]
    launched(predictor, 900, 900, 90000)
    launched(predictor, 1, 1, 100)
    assert predictor.before_it == [6, 2, 900]


ARRAYS = tuple(DeviceArray(4096 * k, 1000, f"allocation {k}") for k in range(1, 4))


def using(predictor: Counted, number: int, blocks: int) -> list[str]:
    """A launch with one of three arrays: what may be in L2 before it, in order."""
    passed = PassedArguments(struct.pack("<Q", 4096 * number), ARRAYS)
    predictor.before(GROUP, blocks, None, Launch("k", (blocks, 1, 1), (256, 1, 1), passed=passed))  # type: ignore[arg-type]
    predictor.after(GROUP, 100 * blocks, blocks)
    return [item.array if isinstance(item, Written) else "launch" for item in predictor.facet.before]


def test_what_was_copied_or_set_is_there_until_a_launch_uses_it() -> None:
    """In the order of writes and launches; what is not used is remembered before the launches."""
    predictor = Counted()
    for address, size in ((4096, 600), (4096 + 600, 600), (8192 + 16, 100), (77, 5)):
        predictor.wrote(address, size)  # an array in two pieces, a part of another, and memory that is none
    assert using(predictor, 1, 10) == ["allocation 1", "allocation 2"]
    first = predictor.facet.before[0]
    assert isinstance(first, Written)
    assert (first.bytes, predictor.facet.launch.start) == (1000, "after")
    predictor.wrote(12288, 1000)
    assert using(predictor, 1, 20) == ["allocation 1", "allocation 2", "launch", "allocation 3"]
    for blocks in (30, 40, 50):
        using(predictor, 1, blocks)
    assert using(predictor, 1, 60) == ["allocation 2", "allocation 3", "launch", "launch", "launch"]
    using(predictor, 3, 70)
    assert using(predictor, 1, 80)[0] == "allocation 2"
    assert "allocation 3" not in using(predictor, 1, 90)


def test_a_launch_whose_arrays_were_written_is_not_alike() -> None:
    predictor = Counted()
    for _ in range(5):
        using(predictor, 1, 10)
    asked = len(predictor.asked)
    predictor.wrote(4096, 1000)
    using(predictor, 1, 10)
    assert len(predictor.asked) == asked + 1


def looked_back(blocks: int, asked: int) -> int:
    """Rounds until the last block knows the sum of all before: each asks a window in a round, from the nearest on."""
    done = {-1: 0}
    rounds = 0
    while len(done) <= blocks:
        rounds += 1
        own = range(blocks)
        ended = [
            i
            for i in own
            if i not in done
            and any(done.get(max(-1, j), rounds) < rounds for j in range(i - asked * rounds, i - asked * (rounds - 1)))
        ]
        done |= dict.fromkeys(ended, rounds)
    return rounds


@pytest.mark.parametrize("blocks", [8, 100, 342, 1056, 5000])
def test_blocks_that_wait_for_those_before_them_look_back(blocks: int) -> None:
    """Predicted after they ran; what they wait grows as the rounds of those that start at once."""
    outcome = launched(Counted(failures=1), "k", blocks, 1000)
    alone, at_once = blocks * 1e-6, min(blocks, 1056)
    round_s = (2 * 286.6 + 5 * (24 + 4)) / 1.98e9
    rounds = (outcome.time_s - alone) / round_s
    assert rounds == pytest.approx(looked_back(at_once, 32), abs=1.0)
    low, high = outcome.interval_s
    assert low == pytest.approx(0.9 * alone)
    assert (high - 1.1 * alone) / round_s == pytest.approx(looked_back(at_once, 1), abs=1.0)
    assert "look back" in outcome.assumptions[-1]


def test_what_cannot_be_predicted_is_guessed_with_a_wide_interval() -> None:
    predictor = Counted(failures=2)
    outcome = launched(predictor, "k", 132, 528_000)
    clock = predictor.machine.value("clock.frequency")
    assert outcome.time_s == pytest.approx(528_000 * 4 / (4 * 132) / clock + predictor.start_s)
    assert outcome.interval_s == (outcome.time_s / 4, outcome.time_s * 4)
    assert outcome.assumptions == ("not predicted: it waits",)


def test_what_could_not_be_followed_is_in_proportion() -> None:
    """A launch of three times what was followed: its start is not longer, its interval begins as before."""
    part = Outcome(10e-6, (5e-6, 20e-6), "latency", 1.0, followed=1000.0)
    whole = part.completed(3000, 2e-6)
    assert whole.time_s == pytest.approx(26e-6)
    assert whole.interval_s == pytest.approx((5e-6, 56e-6))
    assert any("in proportion" in note for note in whole.assumptions)
    assert part.completed(1005, 2e-6) is part
    assert part.completed(500, 2e-6) is part  # blocks that are executed in turn may spare each other work
    unknown = Outcome(10e-6, (5e-6, 20e-6), "latency", 1.0)
    assert unknown.completed(3000, 2e-6) is unknown
