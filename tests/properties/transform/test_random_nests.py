"""Transformed functions give the results of the original, to the last bit: random nests, compiled and run."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

from foretell.transform import interchange
from tests.support.random_nests import random_function, variants, wrong

if TYPE_CHECKING:
    from pathlib import Path

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@needs_gcc
def test_transformed_nests_give_the_same_results(tmp_path: Path) -> None:
    rng = random.Random(5)
    compared, failures = wrong([random_function(rng, f"f{number}") for number in range(20)], tmp_path)
    assert compared > 30
    assert failures == []


@needs_gcc
def test_the_comparison_sees_a_reversed_dependence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the test of direction vectors, some of these are wrong."""
    monkeypatch.setattr(interchange, "_forward", lambda vector: True)
    text = (
        "void f0(double A[12][12], double B[12][12], double C[12][12], double v[12]) {\n"
        "    for (int i = 1; i < 11; i++)\n        for (int j = 1; j < 11; j++)\n"
        "            A[i][j] = A[i - 1][j + 1] + B[i][j];\n}\n"
    )
    assert any("interchange" in title for title, _ in variants(text, "f0", tmp_path))
    assert wrong([text], tmp_path)[1]
