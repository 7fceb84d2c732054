"""How long a program takes from text to nests: 20,000 lines of C or Fortran (at most 6 s of CPU time and 400 MB), the
analyser alone, `foretell describe` of 100 lines from a cold start (at most 0.4 s), one array brought back from flat
subscripts (at most 1 ms), counting, verdicts. Run with: pytest benchmarks/test_analysis.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from itertools import product
from typing import TYPE_CHECKING

import pytest

from benchmarks.frontends import test_c_frontend, test_fortran_frontend
from foretell.characterize.loops.counts import distinct_lines
from foretell.characterize.loops.dependences import verdicts
from foretell.core.symbolic.poly import Poly, symbol
from foretell.frontends.analysis import analyse
from foretell.frontends.analysis.subscripts.delinearise import delinearise
from foretell.frontends.source import ir
from tests.support.frontends.c import parse_c

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

LINES = 20_000
KERNEL = """
void sweep{number}(int nx, int ny, int nz, double *restrict a, const double *restrict b, const int *idx, int n)
{{
    int js = nx + 2, ks = js * (ny + 2);
    double sum = 0.0;
    for (int k = 1; k <= nz; k++) {{
        for (int j = 1; j <= ny; j++) {{
            const double *row = b + k * ks + j * js;
            for (int i = 1; i <= nx; i++) {{
                int ijk = i + j * js + k * ks;
                double r = b[ijk - 1] + b[ijk + 1] + b[ijk - js] + b[ijk + js]
                         + b[ijk - ks] + row[i + ks] - 6.0 * row[i];
                if (r > 0.5) {{
                    a[ijk] = row[i] + 0.1 * r;
                }} else {{
                    a[ijk] = 0.5 * row[i];
                }}
                sum += r * r;
            }}
        }}
    }}
    for (int i = 0; i < n; i++) {{
        a[idx[i]] += b[i] * sum;
    }}
    while (n > 1) {{
        a[n] += b[n] * 2.0;
        n /= 2;
    }}
}}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    path: Path = tmp_path_factory.mktemp("large") / "large.c"
    copies = LINES // KERNEL.count("\n")
    path.write_text("".join(KERNEL.format(number=number) for number in range(copies)))
    return ir.Program(parse_c([path]))


def test_twenty_thousand_lines(benchmark: BenchmarkFixture, program: ir.Program) -> None:
    def run() -> float:
        start = time.process_time()
        loops = analyse(program)
        assert loops.loops_seen == loops.loops_kept
        return time.process_time() - start

    seconds = benchmark.pedantic(run, rounds=2)
    benchmark.extra_info["cpu seconds for 20,000 lines (limit 2.5)"] = round(seconds, 2)


def _measured(command: list[str]) -> tuple[float, float]:
    """Seconds of CPU time of a command, and megabytes of the largest so far."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024


def _source(folder: Path, language: str, lines: int) -> Path:
    if language == "fortran":
        return test_fortran_frontend.write(folder, lines)
    return test_c_frontend.write(folder, lines)


@pytest.mark.parametrize("language", ["c", "fortran"])
@pytest.mark.parametrize(("lines", "target"), [(20_000, "6 s, 400 MB"), (100, "0.4 s")])
def test_describe(benchmark: BenchmarkFixture, tmp_path: Path, language: str, lines: int, target: str) -> None:
    command = [sys.executable, "-m", "foretell", "describe", str(_source(tmp_path, language, lines)), "--xml"]
    used: list[tuple[float, float]] = []
    benchmark.pedantic(lambda: used.append(_measured(command)), rounds=1 if lines > 1000 else 7, warmup_rounds=1)
    benchmark.extra_info.update(
        cpu_seconds=min(seconds for seconds, _ in used), megabytes=max(size for _, size in used), target=target
    )


def test_one_array(benchmark: BenchmarkFixture) -> None:
    turn = iter(range(1_000_000))

    def fresh() -> tuple[tuple[list[Poly], list[str]], dict[str, object]]:
        return (_flats(symbol(f"ghosts{next(turn)}")), ["k", "j", "i"]), {}

    benchmark.pedantic(delinearise, setup=fresh, rounds=200)
    benchmark.extra_info["target"] = "at most 1 ms for one array"


def _flats(ghosts: Poly) -> list[Poly]:
    """27 references; other symbols every time, so that nothing is remembered."""
    i, j, k, nx, ny = (symbol(name) for name in ("i", "j", "k", "nx", "ny"))
    return [((k + a + ghosts) * (ny + 2) + j + b) * (nx + 2) + i + c for a, b, c in product((-1, 0, 1), repeat=3)]


def test_lines_of_a_stencil(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        """void f(int n, double u[n][n][n], double v[n][n][n]) {
        for (int k = 1; k < n-1; k++) for (int j = 1; j < n-1; j++) for (int i = 1; i < n-1; i++)
          v[k][j][i] = u[k-1][j][i] + u[k+1][j][i] + u[k][j-1][i] + u[k][j+1][i] + u[k][j][i-1] + u[k][j][i+1]; }"""
    )
    (nest,) = analyse(ir.Program(parse_c([path]))).nests
    assert benchmark(lambda: distinct_lines(nest, {"n": 64})["v"]) == 62 * 62 * 8


def test_verdicts_of_a_factorisation(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        """void f(int n, double a[n][n]) {
        for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j]; }"""
    )
    (nest,) = analyse(ir.Program(parse_c([path]))).nests
    found = benchmark(lambda: [one.verdict for one in verdicts(nest)])
    assert found == ["sequential", "parallel", "parallel"]
