"""What the lowered program computes is what the compiled program computes (gfortran, where there is one)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.fortran_machine import run_program

CASES = Path(__file__).parent.parent / "data" / "fortran"
PROGRAMS = sorted(CASES.glob("*.f90")) + sorted(CASES.glob("*.f"))

gfortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")


def _numbers(text: str) -> list[float]:
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    return [{"T": 1.0, "F": 0.0}.get(word) if word in "TF" else float(word) for word in words]  # type: ignore[misc]


@gfortran
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_the_lowered_program_prints_what_the_compiled_one_prints(path: Path, tmp_path: Path) -> None:
    binary = tmp_path / "a.out"
    command = [
        "gfortran",
        "-O0",
        "-w",
        "-std=legacy" if path.suffix == ".f" else "-std=gnu",
        "-ffp-contract=off",
    ]
    subprocess.run(
        [*command, "-J", str(tmp_path), "-o", str(binary), str(path)], check=True, capture_output=True
    )
    compiled = subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=20).stdout
    lowered = [float(number.real) for number in run_program([path])]
    assert lowered == pytest.approx(_numbers(compiled), rel=2e-5, abs=1e-9)
    assert len(lowered) >= 3
