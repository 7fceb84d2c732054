"""Barriers of the block with a number of their own (`bar.sync 1, 128`): who waits for whom."""

from __future__ import annotations

import pytest

from foretell.api import predict
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.frontends.gpu.launch import parse_launch
from tests.support.frontends.cubins import kernel_of

_ROUNDS = 16


def _cycles(kernel: str, length: int, fold: str = "no") -> float:
    """Cycles of one block whose halves take turns at long work."""
    arguments = ["f32[256]", str(_ROUNDS), str(length), *(["128"] if kernel == "by_count" else [])]
    launch = parse_launch(kernel, "1", "256", arguments)
    code = kernel_of("teams_sm90.cubin", kernel)
    workload = Workload(kernel, (Warps(code, launch),), origin="a test", input_hash="")
    cycles = predict(workload, "h200", options={"fold": fold}).details["cycles"]
    assert isinstance(cycles, float)
    return cycles


def _long_works(kernel: str) -> float:
    """Long works that the block takes one after another: by twice the length, what all else takes cancels."""
    once, twice, one = (_cycles(kernel, length) for length in (512, 1024, 256))
    assert twice - once == pytest.approx(2 * (once - one), rel=0.02)
    return (twice - once) / (512 * 4)  # a dependent product takes 4 cycles


def test_halves_with_one_barrier_wait_for_each_other() -> None:
    """In every round one half has long work, and the other waits for it."""
    assert _ROUNDS <= _long_works("of_all") < 1.2 * _ROUNDS  # a branch in some iterations


@pytest.mark.parametrize("kernel", ["of_a_team", "by_count"])
def test_halves_with_barriers_of_their_own_do_not_wait(kernel: str) -> None:
    """Each half has long work in every second round only."""
    assert _long_works(kernel) == pytest.approx(_long_works("of_all") / 2, rel=0.03)


def test_arrivals_at_one_barrier_do_not_open_another() -> None:
    """In every round half of the warps of each half have long work: counted together, those without would be as many
    as a barrier waits for, and would go on at once."""
    assert _long_works("within_a_team") == pytest.approx(_long_works("of_all"), rel=0.03)


def test_a_half_that_hands_over_works_on() -> None:
    """Arriving is not waiting: the second half is one round behind the first, so that both take a round more than the
    block of one barrier. If the first half waited, they would take twice as long."""
    behind = (_ROUNDS + 1) / _ROUNDS
    assert _long_works("handed_over") == pytest.approx(behind * _long_works("of_all"), rel=0.03)


@pytest.mark.parametrize("kernel", ["of_a_team", "handed_over"])
def test_folded_loops_do_not_deadlock(kernel: str) -> None:
    """Rounds that are left out may be those in which others would have arrived."""
    assert _cycles(kernel, 20000, "yes") == pytest.approx(_cycles(kernel, 20000), rel=0.05)
