"""Long loops whose rounds differ are emulated in part: the rest takes as long as the rounds before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.workload import read_workload
from foretell.models.gpu import launched, timing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.answers.prediction import Prediction

MEASURED = Path(__file__).parents[4] / "validation" / "h200"

#: launches whose rounds differ by what their data are, with nothing read from files
LAUNCHES = {
    "gpu-kinds/k_pair_counts": ("32", "256", ["8192", *["f32[8192]"] * 3, "i32[64]"]),
    "gpu-collected/c_angles": ("32", "128", ["4096", *["f32x4[4096]"] * 2, "f32[20]", "u32[20]"]),
}


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    launched._core.cache_clear()
    yield
    launched._core.cache_clear()


def _predicted(name: str) -> Prediction:
    launch = parse_launch(None, *LAUNCHES[name])
    return predict(read_workload(MEASURED / f"{name}.sass.xz", launch), "h200")


def _causes(prediction: Prediction) -> dict[str, object]:
    causes = prediction.details["uncertainty"]
    assert isinstance(causes, dict)
    return causes


@pytest.mark.parametrize("name", list(LAUNCHES))
def test_the_rest_of_a_long_loop_takes_as_long_as_its_beginning(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    whole = _predicted(name)
    assert "rounds that differ" not in _causes(whole)
    launched._core.cache_clear()
    monkeypatch.setattr(timing, "_UNEVEN_FROM", 400_000)
    monkeypatch.setattr(timing, "_UNEVEN_FULL", 100_000)
    cut = _predicted(name)
    assert cut.time_s == pytest.approx(whole.time_s, rel=0.05)
    assert cut.details["warp_instructions"] == whole.details["warp_instructions"]
    assert cut.time_s != whole.time_s
    share = _causes(cut)["rounds that differ"]
    assert isinstance(share, float)
    assert 0 < share <= 0.1
