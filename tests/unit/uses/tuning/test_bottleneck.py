"""The headline of a prediction and its sensitivities say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.core.answers.prediction import DECISIVE, Bound, Part, Prediction
from foretell.machines import load
from foretell.uses.why import why
from tests.golden.predictions.replay import FOLDERS

if TYPE_CHECKING:
    from foretell.core.answers.answers import Explanation

COPY = {"kernel": "copy_f32", "block": "128", "args": ("f32[8192]", "f32[8192]", "8192"), "grid": "64"}
LARGE = {"kernel": "copy_f32", "block": "256", "args": ("f32[4194304]", "f32[4194304]", "4194304"), "grid": "16384"}
CASES = [
    ("{kernels}/triad.c", "zen4", {"n": 1e8}, {}, "memory"),
    ("{kernels}/triad.c", "cascade-lake", {"n": 100.0, "threads": 20.0}, {}, "synchronisation"),
    ("{kernels}/divide.c", "cascade-lake", {"n": 1000.0}, {}, "core"),
    ("{kernels}/jacobi7.c", "neoverse-n1", {"n": 300.0}, {}, None),
    ("{kernels}/matvec_columns.c", "neoverse-n1", {"n": 2500.0}, {}, None),
    ("{gpu}/copy_f32.sass.xz", "h200", {}, COPY, "launch"),
    ("{gpu}/copy_f32.sass.xz", "a100", {}, LARGE, None),
    ("{traces}/boxes-2-6.trace.xz", "h200", {}, {}, None),
    ("{traces}/lu-24.trace.xz", "cascade-lake", {}, {}, None),
    ("example:nekbone-like", "blue-gene-q", {}, {}, None),
]
#: groups of parameters that the time of a resource depends on
_OF_RESOURCE = {
    "launch": ("sync.",), "synchronisation": ("sync.",), "barrier": ("sync.",), "memory": ("memory.",),
    "memory hierarchy": ("memory.", "level."), "latency": ("level.", "memory.", "pipeline.", "clock."),
}  # fmt: skip


def moved(answer: Explanation, groups: tuple[str, ...]) -> float:
    """How strongly the time depends on parameters of some groups: the strongest of them."""
    found = [abs(item.elasticity or 0.0) for item in answer.sensitivities if item.parameter.startswith(groups)]
    return max(found, default=0.0)


@pytest.mark.parametrize(("code", "on", "sizes", "launch", "resource"), CASES)
def test_the_bottleneck_is_what_the_time_depends_on(
    code: str, on: str, sizes: dict[str, float], launch: dict[str, object], resource: str | None
) -> None:
    for name, folder in FOLDERS.items():
        code = code.replace(f"{{{name}}}", str(folder))
    options = {"cc": "none"} if code.endswith(".c") else {}
    answer = why(foretell.prepare(code, on, parameters=sizes, options=options, **launch))  # type: ignore[arg-type]
    found = answer.prediction.bottleneck.resource
    assert resource is None or found == resource or (resource == "core" and "level" not in found)
    if found == "several":
        assert answer.prediction.largest_bound.time_s < DECISIVE * answer.prediction.time_s
        return
    core = ("clock.", "pipeline.", "cores.", "peak.", "level.L1", "issue.", "occupancy.")
    groups = _OF_RESOURCE.get(found, (f"level.{found}.",) if f"level.{found}.size" in load(on) else core)
    assert moved(answer, groups) > 0.25, (found, groups)


def test_counts_are_doubled_and_halved_and_lines_left_alone() -> None:
    code = str(FOLDERS["gpu"] / "copy_f32.sass.xz")
    answer = why(foretell.prepare(code, "h200", **COPY))  # type: ignore[arg-type]
    by_name = {item.parameter: item for item in answer.sensitivities}
    assert not any(path.endswith((".line", ".sector")) or path == "occupancy.warp" for path in by_name)
    assert all(abs(item.elasticity or 0.0) <= 2 for item in answer.sensitivities)
    assert "memory.read_bandwidth" not in by_name  # it moves with memory.bandwidth
    assert "memory.bandwidth" in by_name
    warps = by_name["occupancy.warps"]
    assert warps.value == 64


def prediction(bound: float, *parts: tuple[str, float]) -> Prediction:
    return Prediction(
        1.0, (Bound("b", bound, "memory", "throughput"),), tuple(Part(*part) for part in parts),
        "m", 1, "default", "h", "", "w", "",
    )  # fmt: skip


def test_the_headline_by_bounds_and_parts() -> None:
    assert prediction(0.7, ("memory", 1.0)).bottleneck.bound == "b"
    assert prediction(0.3, ("launch", 0.5), ("memory", 0.5)).bottleneck.bound == "launch and block start"
    waiting = prediction(0.3, ("L2 latency", 0.4), ("last instructions under way", 0.2), ("issue", 0.4)).bottleneck
    assert waiting.bound == "waiting, most of it L2 latency"
    assert waiting.limit == "latency"
    assert prediction(0.5, ("memory", 0.5), ("core", 0.5)).bottleneck.resource == "several"
