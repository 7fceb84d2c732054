"""Loops that each differ in one thing, measured on an H200 (validation/h200/loops): what it costs."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from foretell.api import predict
from foretell.frontends.gpu.launch import read_launches
from foretell.frontends.gpu.workload import read_workload

MEASURED = Path(__file__).parents[4] / "validation" / "h200"


@cache
def _cases() -> dict[str, Any]:
    cases: dict[str, Any] = tomllib.loads((MEASURED / "gpu-loops.toml").read_text())["case"]
    return cases


@cache
def _ratio(name: str) -> float:
    """Predicted by measured time."""
    launches = {launch.name: launch for launch in read_launches(MEASURED / "gpu-loops" / "cases.toml")}
    workload = read_workload(MEASURED / "gpu-loops" / f"{launches[name].kernel}.sass.xz", launches[name])
    return predict(workload, "h200").time_s / (float(_cases()[name]["measured"].split()[0]) * 1e-6)


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
