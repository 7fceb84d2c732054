"""What a tuner's answer says of how far it can be trusted: what predictions on the GPU were compared with, and which
configurations they cannot tell apart."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from foretell import machines
from foretell.core.answers.tuning import Tuning, Variant
from foretell.report import text
from foretell.uses.error_statistics import set_of
from foretell.uses.tuning import accuracy, replay
from foretell.uses.tuning.kernels import Target
from foretell.uses.tuning.search import near_the_best
from foretell.uses.tuning.tuner import KernelJob, tune_kernel
from tests.unit.uses.tuning.test_tuning_search import copy

ROOT = Path(__file__).parents[4]


def table() -> dict[str, dict[str, dict[str, float]]]:
    return tomllib.loads(accuracy.TABLE.read_text())


def test_the_table_counts_the_published_times() -> None:
    cases = tomllib.loads((ROOT / "validation/published/gpu.toml").read_text())["case"].values()
    assert table()["published"]["times"] == Counter(case["machine"] for case in cases)


def test_the_table_counts_the_report_spaces() -> None:
    names = [name for name in replay.names() if set_of(name) == "report"]
    assert table()["measured"]["h200"]["spaces"] == len(names)


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("h200", "accuracy on h200: 932 measured launches, 5.7% off in the median; the first choice reaches 99%"),
        ("a100", "accuracy on a100: 8 published times; all 20 of 4 GPUs are 10.8% off in the median"),
        ("l40", "accuracy on l40: not known, no time of it was compared with a prediction; of the same architecture, "
                "rtx-4090 has 4 published times"),
        ("h100", "of the same architecture, h200 has 932 measured launches"),
        ("v100", "accuracy on v100: not known, no time of it was compared with a prediction, nor one of its arch"),
    ],
)  # fmt: skip
def test_what_is_known_of_a_gpu(machine: str, said: str) -> None:
    assert said in accuracy.known_of(machines.load(machine))


def variant(tile: int, seconds: float, **more: Any) -> Variant:
    return Variant({"tile": tile, "unroll": 1, "pad": 0, "warps": 4}, seconds, **{"resource": "L2", **more})


def test_what_predictions_cannot_tell_apart() -> None:
    """A quarter of the parameters differs: 0.1 √(2 (1 − e^(−0.25/0.35))) = 0.1011; with another bottleneck
    √(0.1011² + 2 · 0.1²) = 0.1738."""
    best = variant(1, 1.0)
    others = [variant(2, 1.10), variant(3, 1.11), best, variant(4, 1.18, resource="memory")]
    others += [variant(5, 1.20, resource="memory"), variant(6, 1.05, reason="it does not fit")]
    assert near_the_best(best, others) == (2, 0, 3)


def test_a_measured_best_is_not_in_doubt() -> None:
    best = Variant({"tile": 1}, 1.0, judged_s=1.1)
    assert near_the_best(best, [best, Variant({"tile": 2}, 1.01)]) == ()


def test_the_text_says_how_many() -> None:
    best, other = variant(1, 1.0), variant(2, 1.08)
    found = Tuning(
        "k", "h200", "static", best, best, (best, other, variant(3, 2.0)), 1.0, 0.0, judge="measured", near=(0, 1)
    )
    assert "predictions cannot tell 2 of them apart, the best and those up to 8% slower" in text.render(
        text.tuning(found), color=False
    )


@pytest.mark.parametrize("machine", ["a100", "l40", "rtx-3090", "rtx-4090", "a6000"])
def test_a_space_on_gpus_that_are_not_here(machine: str) -> None:
    """What can run is predicted, no faster than memory allows of a copy that L2 does not hold, and the answer says what
    is known of the GPU."""
    space, gpu = copy(constants={"n": float(1 << 26)}), machines.load(machine)
    found = tune_kernel(space, Target(gpu, kept=False), KernelJob("static"))
    assert [variant.invalidity for variant in found.variants] == ["", "", "", "", "runtime", "runtime"]
    assert found.best.parameters["BLOCK"] == 256
    moved = 8 * 2**26 - 2 * gpu.value("level.L2.size")
    assert moved / gpu.value("memory.bandwidth") < found.best.time_s < 3 * moved / gpu.value("memory.bandwidth")
    assert any(f"accuracy on {machine}" in line for line in found.assumptions)
