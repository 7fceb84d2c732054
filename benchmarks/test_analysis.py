"""How long the analyser takes: 20,000 lines of kernels (at most 2.5 s of CPU time after parsing), one array brought
back from flat subscripts (at most 1 ms), counting. Run with: pytest benchmarks/test_analysis.py
"""

from __future__ import annotations

import time
from itertools import product
from typing import TYPE_CHECKING

import pytest

from foretell.characterize.counts import distinct_lines
from foretell.core.symbolic import Poly, symbol
from foretell.frontends import ir
from foretell.frontends.analysis import analyse
from foretell.frontends.analysis.delinearise import delinearise
from foretell.frontends.c import parse_c

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


def test_one_array(benchmark: BenchmarkFixture) -> None:
    turn = iter(range(1_000_000))

    def fresh() -> tuple[tuple[list[Poly], list[str]], dict[str, object]]:
        return (_flats(symbol(f"ghosts{next(turn)}")), ["k", "j", "i"]), {}

    benchmark.pedantic(delinearise, setup=fresh, rounds=200)
    benchmark.extra_info["target"] = "at most 1 ms for one array"


def _flats(ghosts: Poly) -> list[Poly]:
    """27 references; other symbols every time, so that nothing is remembered."""
    i, j, k, nx, ny = (symbol(name) for name in ("i", "j", "k", "nx", "ny"))
    return [
        ((k + a + ghosts) * (ny + 2) + j + b) * (nx + 2) + i + c for a, b, c in product((-1, 0, 1), repeat=3)
    ]


def test_lines_of_a_stencil(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        """void f(int n, double u[n][n][n], double v[n][n][n]) {
        for (int k = 1; k < n-1; k++) for (int j = 1; j < n-1; j++) for (int i = 1; i < n-1; i++)
          v[k][j][i] = u[k-1][j][i] + u[k+1][j][i] + u[k][j-1][i] + u[k][j+1][i] + u[k][j][i-1] + u[k][j][i+1]; }"""
    )
    (nest,) = analyse(ir.Program(parse_c([path]))).nests
    assert benchmark(lambda: distinct_lines(nest, {"n": 64})["v"]) == 62 * 62 * 8
