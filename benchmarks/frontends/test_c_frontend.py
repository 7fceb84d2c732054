"""How long the C front end takes: a 20,000-line file (at most 3 s of CPU time and 300 MB), a 100-line kernel with the
start of Python (at most 0.25 s). Run with: pytest benchmarks/frontends/test_c_frontend.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.frontends.c import parse_c

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

HEAD = """#include <math.h>
#include <stdlib.h>
typedef struct { int nx, ny, nz; double *u, *f; double h; } grid;
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))
"""

KERNEL = """static double kernel{number}(const grid *g, double *restrict a, const double *restrict b, int n)
{{
    int nx = g->nx, ny = g->ny, nz = g->nz;
    double sum = 0.0;
    #pragma omp parallel for reduction(+ : sum)
    for (int k = 1; k < nz - 1; k++) {{
        for (int j = 1; j < ny - 1; j++) {{
            for (int i = 1; i < nx - 1; i++) {{
                double c = b[IDX(i, j, k)];
                double r = b[IDX(i - 1, j, k)] + b[IDX(i + 1, j, k)] + b[IDX(i, j - 1, k)]
                         + b[IDX(i, j + 1, k)] + b[IDX(i, j, k - 1)] + b[IDX(i, j, k + 1)] - 6.0 * c;
                if (r > 0.5) {{
                    a[IDX(i, j, k)] = c + 0.1 * r;
                }} else {{
                    a[IDX(i, j, k)] = sqrt(fabs(c)) * g->h;
                }}
                sum += r * r;
            }}
        }}
    }}
    while (n > 1) {{
        a[n] += b[n] * 2.0;
        n /= 2;
    }}
    return sum > 0 ? sum : -sum;
}}

"""


def program(lines: int) -> str:
    per_kernel = KERNEL.count("\n")
    return HEAD + "".join(KERNEL.format(number=number) for number in range(lines // per_kernel))


def write(folder: Path, lines: int) -> Path:
    path = folder / f"lines{lines}.c"
    path.write_text(program(lines))
    return path


def test_twenty_thousand_lines(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    path = write(tmp_path, 20_000)
    before = time.process_time()
    (unit,) = benchmark.pedantic(parse_c, args=([path],), rounds=3, iterations=1)
    seconds = (time.process_time() - before) / 3
    benchmark.extra_info["cpu_seconds"] = seconds
    benchmark.extra_info["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert unit.loops_seen == 4 * len(unit.functions)
    benchmark.extra_info["target"] = "at most 3 s of CPU time and 300 MB"


@pytest.mark.parametrize("lines", [100])
def test_a_kernel_with_the_start_of_python(benchmark: BenchmarkFixture, tmp_path: Path, lines: int) -> None:
    path = write(tmp_path, lines)
    imports = "from pathlib import Path; from foretell.frontends.c import Setting, parse_program"
    code = f"{imports}; parse_program([(Path({str(path)!r}), Setting())])"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    benchmark.pedantic(subprocess.run, args=([sys.executable, "-c", code],), kwargs={"check": True}, rounds=5)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5
    benchmark.extra_info.update(cpu_seconds=seconds, target="at most 0.25 s of CPU time")
