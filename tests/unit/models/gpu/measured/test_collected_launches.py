"""Mechanisms that kernels of public collections showed on an H200: validation/h200/collected, and micro/walks.cu."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.api import predict
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.workload import read_workload
from tests.unit.models.gpu.test_loops import MEASURED, _ratio

if TYPE_CHECKING:
    from pathlib import Path


def test_lanes_wait_for_addresses_of_constants_not_for_lines() -> None:
    """Eight addresses of a warp in four lines, beside shared memory: 50 % too slow where each line takes a turn, and
    shared memory waits."""
    assert _ratio("v_cosine_tiles/2048", "gpu-further") == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize(("name", "within"), [("v_cyclic_reduction/256", 0.06), ("v_cyclic_reduction/1024", 0.15)])
def test_quotients_that_become_tiny_take_the_slow_path(name: str, within: float) -> None:
    """Off-diagonals of a reduction become tiny by its fourth step: 30 % too fast where all quotients are ordinary."""
    assert _ratio(name, "gpu-further") == pytest.approx(1, abs=within)


def test_waves_of_blocks_that_end_at_once_and_others_are_mixed() -> None:
    """Half of the blocks have nothing to do: 47 % too slow where two waves tell what the others take."""
    assert _ratio("w_upper_tiles/1024", "gpu-wider") == pytest.approx(1.2, abs=0.1)


def test_rows_that_bags_of_unequal_length_gather_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As c_bags/16384, 54 us: 97 MB come from memory. A region of the size that coincident rows of a few blocks tell
    would hold 40 MB, which stay in L2: 39 us."""
    rng = np.random.default_rng(7)
    lengths = np.minimum(300, rng.geometric(0.05, 1 << 14))
    rows = ((1 << 18) * rng.random(lengths.sum()) ** 3).astype(np.int32)
    np.save(tmp_path / "bags.npy", np.concatenate(([0], np.cumsum(lengths))).astype(np.int32))
    np.save(tmp_path / "rows.npy", rows)
    monkeypatch.chdir(tmp_path)
    arguments = ["16384", "128", "i32[16385]@bags.npy", f"i32[{rows.size}]@rows.npy", "f32x4[8388608]", "f32x4[524288]"]
    launch = parse_launch(None, "2048", "256", arguments)
    workload = read_workload(MEASURED / "gpu-collected" / "c_bags.sass.xz", launch)
    assert predict(workload, "h200").time_s == pytest.approx(54e-6, rel=0.1)
