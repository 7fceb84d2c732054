"""What the lowered program computes is what the compiled program computes (gfortran, where there is one)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.support.frontends.c import parse_c
from tests.support.frontends.fortran_machine import FortranMachine, run_program

CASES = Path(__file__).parents[3] / "data" / "fortran"
PROGRAMS = sorted(CASES.glob("*.f90")) + sorted(CASES.glob("*.f"))

gfortran = pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")


def _numbers(text: str) -> list[float]:
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    return [{"T": 1.0, "F": 0.0}.get(word) if word in "TF" else float(word) for word in words]  # type: ignore[misc]


@gfortran
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_the_lowered_program_prints_what_the_compiled_one_prints(path: Path, tmp_path: Path) -> None:
    binary = tmp_path / "a.out"
    command = ["gfortran", "-O0", "-w", "-std=legacy" if path.suffix == ".f" else "-std=gnu", "-ffp-contract=off"]
    subprocess.run([*command, "-J", str(tmp_path), "-o", str(binary), str(path)], check=True, capture_output=True)
    compiled = subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=20).stdout
    lowered = [float(number.real) for number in run_program([path])]
    assert lowered == pytest.approx(_numbers(compiled), rel=2e-5, abs=1e-9)
    assert len(lowered) >= 3


@gfortran
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_c_and_fortran_call_each_other(tmp_path: Path) -> None:
    folder = CASES.parent / "mixed"
    objects = []
    for source in (folder / "main.c", folder / "kernels.f90"):
        objects.append(str(tmp_path / f"{source.stem}.o"))
        compiler = "gcc" if source.suffix == ".c" else "gfortran"
        command = [compiler, "-c", "-ffp-contract=off", str(source), "-o", objects[-1]]
        subprocess.run(command, check=True, capture_output=True)
    binary = str(tmp_path / "mixed")
    subprocess.run(["gfortran", "-o", binary, *objects], check=True, capture_output=True)
    compiled = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=20).stdout
    program = ir.Program((*parse_c([folder / "main.c"]), *parse_fortran([folder / "kernels.f90"])))
    machine = FortranMachine(program)
    machine.call("main")
    assert machine.output == compiled
    assert len(compiled.splitlines()) == 9
