"""Published times on GPUs that we have not measured: validation/published."""

from __future__ import annotations

import pytest

from foretell.api import predict
from foretell.uses import validate
from tests.unit.models.gpu.test_gpu_mechanisms import MEASURED

_RECORDING = validate._open(MEASURED.parent / "published" / "gpu.toml")


def _error(name: str) -> float:
    case = validate._recorded(_RECORDING, name, _RECORDING.document["case"][name])
    return predict(case.workload, str(case.machine), options={"fold": "short"}).time_s / case.measured_s - 1


@pytest.mark.parametrize("machine", ["a100", "rtx-4090"])
def test_lanes_with_a_line_each_take_a_turn_each(machine: str) -> None:
    """Whether the way back from L1 has 128 bytes a cycle (A100) or 64 (RTX 4090), it is not what 32 lanes in 32 lines
    wait for: by its width alone the RTX 4090 would be twice as slow as it is."""
    assert abs(_error(f"product_by_rows/{machine}")) < 0.15


def test_every_time_has_its_source_and_machine() -> None:
    cases = _RECORDING.document["case"]
    assert len(cases) >= 15
    assert {entry["machine"] for entry in cases.values()} == {"a6000", "a100", "rtx-4090", "rtx-5090"}
