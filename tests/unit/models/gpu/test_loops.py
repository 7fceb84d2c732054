"""Loops that each differ in one thing, measured on an H200 (validation/h200/loops): what it costs."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell import files
from foretell.api import predict
from foretell.frontends.gpu.launch import parse_launch, read_launches
from foretell.frontends.gpu.workload import read_workload

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

MEASURED = Path(__file__).parents[4] / "validation" / "h200"


@cache
def _cases(which: str) -> dict[str, Any]:
    cases: dict[str, Any] = tomllib.loads(files.read_text(MEASURED / f"{which}.toml"))["case"]
    return cases


@cache
def _prediction(name: str, which: str) -> Prediction:
    launches = {launch.name: launch for launch in read_launches(MEASURED / which / "cases.toml")}
    return predict(read_workload(MEASURED / which / f"{launches[name].kernel}.sass.xz", launches[name]), "h200")


def _ratio(name: str, which: str = "gpu-loops") -> float:
    """Predicted by measured time."""
    return _prediction(name, which).time_s / (float(_cases(which)[name]["measured"].split()[0]) * 1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "l_steps_4/32x16",  # 34 % too fast where a barrier takes nothing of the path to shared memory
        "l_steps_4/64x32",
        "l_steps_8/64x32",
        "l_steps_4/256x8",  # 14 % too slow if it takes as much for each warp, and not for each block
        "l_steps_8/256x8",
        "l_halves_8/128x16",
        "l_tree/128x16",
        "l_tree/512x4",
    ],
)
def test_barriers_beside_requests_of_shared_memory(name: str) -> None:
    assert _ratio(name) == pytest.approx(1, abs=0.07)


@pytest.mark.parametrize(
    "name", ["l_meet_1/32x1", "l_meet_4/64x1", "l_meet_16/128x1", "l_meet_1/1024x1", "l_meet_shared_1/256x1"]
)
def test_arithmetic_goes_on_while_a_barrier_opens(name: str) -> None:
    """A third too slow where it waits for the barrier."""
    assert _ratio(name, "gpu-waits") == pytest.approx(1, abs=0.07)


@pytest.mark.parametrize("name", ["l_code_4096/128x1", "l_code_4096/512x1", "l_code_4096/512x4", "l_code_8192/512x4"])
def test_warps_share_what_is_fetched_of_long_code(name: str) -> None:
    """From 20 % too fast for one warp to 61 % too slow for sixteen, where all fetch alike."""
    assert _ratio(name) == pytest.approx(1, abs=0.10)


def test_what_a_thread_stored_is_read_from_l1() -> None:
    """Three of six loads of a round miss L1, as Nsight Compute counts; with those of stored numbers there were five,
    and the time was a third too long."""
    counters = _prediction("u_adi_columns/1024", "gpu-suites").details["counters"]
    assert isinstance(counters, dict)
    counted = _cases("gpu-suites")["u_adi_columns/1024"]["counts"]["l2_sectors"]
    assert counters["l2_sectors"] == pytest.approx(counted, rel=0.02)
    assert _ratio("u_adi_columns/1024", "gpu-suites") == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(
    "name",
    [
        "l_dfma_mad/256x4",  # 72 % too slow if integer products replace operands in the reuse cache
        "l_dfma_own/256x4",
        "l_dfma_2/256x4",
        "l_double_divide/256x8",  # 24 % too fast if further operands hold nobody
        "l_double_root/256x8",
        "l_double_root/256x1",
    ],
)
def test_double_precision_beside_others(name: str) -> None:
    assert _ratio(name) == pytest.approx(1, abs=0.07)


@pytest.mark.parametrize(
    "name",
    [
        "l_constants/0",  # one address of a warp: 24 % too fast where it takes nothing
        "l_constants/1",  # 32 addresses in two or three lines: 97 % too fast
        "l_constants/32",  # each in a line of its own
    ],
)
def test_addresses_of_constant_memory_are_served_one_after_another(name: str) -> None:
    assert _ratio(name) == pytest.approx(1, abs=0.1)


def test_constants_that_lanes_share_cost_less() -> None:
    """More different addresses of a warp take longer, whatever lies between them."""
    times = []
    for lanes_apart in (0, 1, 4, 16):
        launch = parse_launch(None, "528", "256", ["i32[135168]", "3", str(lanes_apart), "f32:0.5", "f32:0.25", "512"])
        times.append(predict(read_workload(MEASURED / "gpu-loops" / "l_constants.sass.xz", launch), "h200").time_s)
    assert times == sorted(times)
    assert times[1] > 20 * times[0]
