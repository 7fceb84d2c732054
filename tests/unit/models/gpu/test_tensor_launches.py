"""Tensor cores, copies into shared memory and mbarriers: counts against Nsight Compute's, and who waits for whom."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from foretell.api import predict
from foretell.frontends.gpu.launch import read_launches
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

MEASURED = Path(__file__).parents[4] / "validation" / "h200"


@cache
def _cases() -> dict[str, Any]:
    return cast("dict[str, Any]", tomllib.loads((MEASURED / "gpu-tensor.toml").read_text())["case"])


def _predicted(name: str, **values: float) -> Prediction:
    launches = read_launches(MEASURED / "gpu-tensor" / "cases.toml")
    launch = next(item for item in launches if item.name == name)
    code = read_workload(MEASURED / "gpu-tensor" / f"{launch.kernel}.sass.xz", launch)
    machine = load("h200")
    return predict(code, machine.with_values({path: machine.value(path) * by for path, by in values.items()}))


def _counted(name: str, what: str) -> tuple[float, float]:
    counters = cast("dict[str, float]", _predicted(name).details["counters"])
    return counters[what], _cases()[name]["counts"][what]


@pytest.mark.parametrize("name", ["x_bulk_sum/L2", "x_bulk_sum/one", "x_bulk_sum/DRAM"])
def test_bulk_copies_are_counted(name: str) -> None:
    ours, theirs = _counted(name, "l2_sectors")
    assert ours == pytest.approx(theirs, rel=0.001)
    ours, theirs = _counted(name, "global_sectors")  # of stores alone
    assert ours == theirs


def test_copies_request_a_sector_again_for_each_piece_of_shared_memory() -> None:
    ours, theirs = _counted("x_mma_64_4/1024", "global_sectors")
    assert ours == theirs


def test_copies_that_fill_with_zeros_read_nothing() -> None:
    """Triton's pipelines ask beyond the end of the arrays, with a predicate that is false there."""
    prediction = _predicted("y_attention_128/2048")
    assert not any("outside" in text for text in prediction.assumptions)
    ours, theirs = _counted("y_attention_128/2048", "global_sectors")
    assert ours == pytest.approx(theirs, rel=0.001)


@pytest.mark.parametrize("name", ["x_bulk_sum/one", "x_bulk_wgmma/1024"])
def test_warps_wait_for_what_is_copied(name: str) -> None:
    """Nothing depends on a bulk copy but the mbarrier that it completes."""
    slower = _predicted(name, **{"level.L2.latency": 8.0, "level.L2.far_latency": 8.0})
    assert slower.time_s > 1.15 * _predicted(name).time_s


def test_warpgroups_wait_for_their_products() -> None:
    slower = _predicted("x_bulk_wgmma/4096", **{"pipeline.tensor.latency": 10.0})
    assert slower.time_s > 1.05 * _predicted("x_bulk_wgmma/4096").time_s


@pytest.mark.parametrize("format", ["bfloat", "tf32", "byte"])
def test_products_of_all_formats_take_as_long(format: str) -> None:
    assert _predicted(f"x_peak_{format}/full").time_s == pytest.approx(_predicted("x_peak_half/full").time_s, rel=0.005)
    assert _predicted(f"x_peak_{format}/full").time_s == pytest.approx(
        float(_cases()[f"x_peak_{format}/full"]["measured"].removesuffix(" us")) * 1e-6, rel=0.02
    )


def test_what_both_partitions_read_and_what_is_written_evict_from_l2() -> None:
    """One matrix is read again in every wave: beside the other and the results it does not stay in L2."""
    ours, theirs = _counted("x_bulk_wgmma/4096", "dram_bytes")
    assert ours == pytest.approx(theirs, rel=0.1)


def test_an_instruction_that_copies_from_two_arrays_in_turn_has_the_sectors_of_both() -> None:
    """Left and right tiles are copied by the same instructions, and shift along different axes of the grid."""
    ours, theirs = _counted("x_mma_64_4/4096", "dram_bytes")
    assert ours == pytest.approx(theirs, rel=0.2)
