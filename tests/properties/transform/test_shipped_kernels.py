"""Changed versions of shipped kernels give the checksum of the original: compiled and run."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.shipped_kernels import KERNELS, wrong

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("name", ["matrix_product", "transpose", "jacobi7", "lu", "convolution", "nbody"])
def test_a_shipped_kernel(name: str, tmp_path: Path) -> None:
    compared, failures = wrong(KERNELS / f"{name}.c", tmp_path, most=3)
    assert compared
    assert failures == []
