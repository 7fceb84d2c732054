"""Which launches of a program are predicted, and what the others take over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import machines
from foretell.core.gpu.launch import Launch
from foretell.uses.program_run import predicting
from foretell.uses.program_run.predicting import Outcome, Predictor

if TYPE_CHECKING:
    from foretell.core.gpu.warps import Warps

GROUP = (0, (256, 1, 1), 0)


class Counted(Predictor):
    """Predicts a microsecond for each block, and counts how often; kernels named `stuck` fail `failures` times."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__(machines.load("h200"))
        self.asked: list[int] = []
        self.failures = failures

    def _predicted(self, facet: Warps) -> Outcome:
        self.asked.append(facet.launch.blocks)
        if len(self.asked) <= self.failures:
            return Outcome(0.0, (0.0, 0.0), "", 1.0, assumptions=("not predicted: it waits",))
        time = facet.launch.blocks * 1e-6
        return Outcome(time, (0.9 * time, 1.1 * time), "memory", 1.0)


def launched(predictor: Predictor, key: object, blocks: int, instructions: int) -> Outcome:
    launch = Launch("k", (blocks, 1, 1), (256, 1, 1))
    predictor.before(GROUP, key, None, launch)  # type: ignore[arg-type]
    return predictor.after(GROUP, key, instructions, blocks)


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


def test_a_launch_whose_blocks_wait_is_predicted_after_it_ran() -> None:
    outcome = launched(Counted(failures=1), "k", 10, 1000)
    assert outcome.time_s == pytest.approx(1e-5)
    assert "waiting" in outcome.assumptions[-1]


def test_what_cannot_be_predicted_is_guessed_with_a_wide_interval() -> None:
    predictor = Counted(failures=2)
    outcome = launched(predictor, "k", 132, 528_000)
    clock = predictor.machine.value("clock.frequency")
    assert outcome.time_s == pytest.approx(528_000 * 4 / (4 * 132) / clock + predictor.start_s)
    assert outcome.interval_s == (outcome.time_s / 4, outcome.time_s * 4)
    assert outcome.assumptions == ("not predicted: it waits",)
