"""Estimates for kernels beside what was predicted."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import foretell

if TYPE_CHECKING:
    from pathlib import Path

SHARED = """\
__global__ void turned(const float *a, float *b) {
    __shared__ float s[32][32];
    int t = threadIdx.x;
    s[t % 32][t / 32] = a[blockIdx.x * 1024 + t];
    __syncthreads();
    b[blockIdx.x * 1024 + t] = s[t / 32][t % 32];
}
"""


def test_what_is_predicted_is_not_estimated_too(tmp_path: Path) -> None:
    """Padding removes the bank conflicts, so nothing is asked of the user twice."""
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    file = tmp_path / "turned.cu"
    file.write_text(SHARED)
    asked = {"grid": 1320, "block": 1024, "args": ["f32[1351680]", "f32[1351680]"]}
    both, estimated = (
        foretell.advise(file, "h200", only=kinds, **asked) for kinds in (["pad", "bank_conflicts"], ["bank_conflicts"])
    )
    assert [change.ids for change in both.changes] == [("pad",)]
    (estimate,) = estimated.changes
    assert estimate.gain == pytest.approx(both.changes[0].gain, rel=0.05)
