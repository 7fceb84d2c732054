"""CPU predictions: time of one, of a thousand, and what kerncraft, OSACA and llvm-mca take, as programs of their own.

The peers are run only where they are installed (kerncraft with the machine file that FORETELL_KERNCRAFT_MACHINE names).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell import frontends
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from pathlib import Path

TRIAD = """double a[N], b[N], c[N], s;
for (int i = 0; i < N; ++i) a[i] = b[i] + s * c[i];
"""


def peer(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def elapsed(command: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return time.monotonic() - start


@pytest.fixture
def assembly(tmp_path: Path) -> Path:
    """The triad as a compiler emits it, its loop only."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("gcc is not installed")
    output = tmp_path / "triad.s"
    subprocess.run([gcc, "-O2", "-ftree-vectorize", "-S", "-o", output, KERNELS / "triad.c"], check=True)
    return output


def test_one_prediction(benchmark: Any) -> None:
    """Everything, from the file to the answer, in a process that has done it before."""
    command = [sys.executable, "-m", "foretell", "predict", str(KERNELS / "jacobi7.c"), "--on", "sapphire-rapids"]
    cold = elapsed([*command, "-D", "n=200"])
    benchmark.extra_info.update(start_to_answer_s=cold, aim="1.5 s of CPU cold, 0.5 s warm")
    workload = frontends.read(KERNELS / "jacobi7.c")
    benchmark(lambda: foretell.predict(workload, "sapphire-rapids", parameters={"n": 200}))


def test_a_thousand_sizes(benchmark: Any) -> None:
    case = foretell.prepare(KERNELS / "jacobi7.c", "sapphire-rapids", parameters={"n": 1})
    sizes = np.arange(50.0, 1050.0)
    foretell.sweep(case, {"n": sizes[:1]})
    benchmark.extra_info["aim"] = "1 s after the first"
    benchmark.pedantic(foretell.sweep, (case, {"n": sizes}), rounds=3)


def cpu_seconds(command: list[str]) -> float:
    """Of a program of its own, with what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("kernel", ["jacobi5", "jacobi7", "matmul_ikj", "triangle", "daxpy", "transpose"])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_the_command_with_a_thousand_sizes(benchmark: Any, kernel: str, form: str) -> None:
    """Whole predictions, from the command to its output; beside it the same command with one size. Columns of the
    transpose overflow sets at a tenth of the sizes, which are simulated."""
    command = [sys.executable, "-m", "foretell", "predict", str(KERNELS / f"{kernel}.c")]
    command += ["--on", "sapphire-rapids", "--format", form]
    one = min(cpu_seconds([*command, "-D", "n=64"]) for _ in range(3))
    many = min(cpu_seconds([*command, "-D", "n=64:4060:4"]) for _ in range(3))
    benchmark.pedantic(cpu_seconds, ([*command, "-D", "n=64:4060:4"],), rounds=1)
    benchmark.extra_info.update(one_cpu_s=one, thousand_cpu_s=many, limit_s=1.0, share_of_limit=many - one)


@pytest.mark.parametrize("kernel", ["jacobi7", "jacobi27", "matmul_ijk", "triangle", "variable7"])
@pytest.mark.parametrize("column", ["n", "level.L2.size"])
def test_closed_forms(benchmark: Any, kernel: str, column: str) -> None:
    """Traffic at three levels and in memory, over sizes and over a machine parameter."""
    points = 200_000
    case = foretell.prepare(KERNELS / f"{kernel}.c", "sapphire-rapids", parameters={"n": 300}, options={"core": "peak"})
    columns = {column: np.linspace(50.0, 1050.0, points) * (1 if column == "n" else 4096)}
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        foretell.sweep(case, columns)
        best = min(best, time.process_time() - start)
    benchmark.pedantic(foretell.sweep, (case, columns), rounds=1)
    benchmark.extra_info.update(million_points_per_cpu_second=points / best / 1e6, limit=1.0)


def test_kerncraft(benchmark: Any, tmp_path: Path) -> None:
    program, machine = peer("kerncraft"), os.environ.get("FORETELL_KERNCRAFT_MACHINE")
    if machine is None:
        pytest.skip("kerncraft ships no machine file: set FORETELL_KERNCRAFT_MACHINE")
    kernel = tmp_path / "triad.c"
    kernel.write_text(TRIAD)
    command = [program, "-p", "ECM", "-m", machine, str(kernel), "-D", "N", "10000000"]
    benchmark.pedantic(elapsed, (command,), rounds=1)


def test_osaca(benchmark: Any, assembly: Path) -> None:
    benchmark.pedantic(elapsed, ([peer("osaca"), "--arch", "spr", str(assembly)],), rounds=3)


def test_llvm_mca(benchmark: Any, assembly: Path) -> None:
    program = peer("llvm-mca")
    text = "\n".join(line for line in assembly.read_text().splitlines() if not line.strip().startswith((".", "ret")))
    loop = assembly.with_name("loop.s")
    loop.write_text(text + "\n")
    benchmark.pedantic(elapsed, ([program, "-mcpu=skylake-avx512", str(loop)],), rounds=3)
