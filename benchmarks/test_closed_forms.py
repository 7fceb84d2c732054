"""Every closed-form model through `explore`, a million designs: of workload parameters alone, of the machine alone.

Beside them in the same run: what one would write in numpy for the flattened stencil, chunk by chunk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from five_blocks import study as five_blocks

from foretell.codegen.generate import generated
from foretell.core.columns.space import CHUNK
from foretell.models.cpu.incore import cycles as code
from foretell.uses import explore
from foretell.uses.explore import engine
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STENCIL = """void smooth(int n, int m, const double *a, double *b) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i*m+j] = 0.2 * (a[i*m+j] + a[i*m+j-1] + a[i*m+j+1] + a[(i-1)*m+j] + a[(i+1)*m+j]);
}
"""
ONE_LOOP = """void smooth(int n, int m, const double *a, double *b) {
    for (int i = m; i < n*m - m; i++) b[i] = 0.2 * (a[i] + a[i-1] + a[i+1] + a[i-m] + a[i+m]);
}
"""
TRACE = """[trace]
vectorised = 8000
sync = 14
levels = [{ levels = 10, operations = 1000 }, { levels = 5, operations = 10 }]
[trace.operations]
add = 6700
multiply = 3350
[[trace.distances]]
line = 64
cold = 1000
reuses = [[0, 7000], [100, 2000]]
"""
MACHINE = """"memory.bandwidth" = { from = "20 GB/s", to = "300 GB/s", count = 100 }
"memory.latency" = { from = "100 cycle", to = "600 cycle", count = 100 }
"clock.frequency" = { from = "1 GHz", to = "3 GHz", count = 100 }"""
CACHES = MACHINE.replace(
    '"memory.latency" = { from = "100 cycle", to = "600 cycle"', '"level.L2.size" = { from = "256 KiB", to = "4 MiB"'
)
SIZES = "n = { from = 100, to = 1099, step = 1 }\nm = { from = 100, to = 1099, step = 1 }"
SAMPLE = '\n[sample]\nmethod = "random"\npoints = 1000000'
RANDOM = SIZES + SAMPLE
#: sizes and machine together: nothing repeats. Ends of the sizes of each kernel
PAIRS = {
    "daxpy": (1000, 1_000_999),
    "gather": (1000, 1_000_999),
    "jacobi7": (20, 800),
    "matmul_ijk": (50, 4000),
    "matmul_ikj": (50, 4000),
    "transpose": (50, 9000),
    "triangle": (50, 9000),
}
FACTORS = "alpha = { from = 0.5, to = 2, count = 500 }\nbeta = { from = 0.5, to = 2, count = 500 }\n"
AT_SIZE = 'stencil.c"\nparameters = { n = 1000, m = 1000 } #"'
CASES = {
    "counters workload": ("blue-gene-q", "five.json", FACTORS + "threads_per_core = [1, 2, 3, 4]"),
    "counters machine": ("blue-gene-q", "five.json", MACHINE),
    "sunway workload": ("sw26010", "example:vector-add", "N = { from = 256, to = 1000255, step = 1 }"),
    "sunway machine": ("sw26010", "example:vector-add", MACHINE),
    "cost machine": ("i7-4700", "trace.toml", MACHINE.replace("cycle", "ns")),
    "traffic workload": ("sapphire-rapids", "stencil.c", SIZES),
    "traffic workload, one loop": ("sapphire-rapids", "one_loop.c", SIZES),
    "traffic workload, random": ("sapphire-rapids", "stencil.c", RANDOM),
    "traffic workload, peak": ("sapphire-rapids", "stencil.c", SIZES + '\n[options]\ncore = "peak"'),
    "traffic machine": ("sapphire-rapids", AT_SIZE, CACHES),
    "traffic pairs": ("sapphire-rapids", "stencil.c", f"{SIZES}\n{CACHES}{SAMPLE}"),
    "traffic pairs, one loop": ("sapphire-rapids", "one_loop.c", f"{SIZES}\n{CACHES}{SAMPLE}"),
} | {
    f"traffic pairs, {name}": (
        "sapphire-rapids",
        str(KERNELS / f"{name}.c"),
        f"n = {{ from = {low}, to = {high}, step = 1 }}\n{CACHES}{SAMPLE}",
    )
    for name, (low, high) in PAIRS.items()
}


@pytest.mark.parametrize("name", CASES)
def test_a_million_designs(benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    five_blocks('["time"]')
    for file, text in (("stencil.c", STENCIL), ("one_loop.c", ONE_LOOP), ("trace.toml", TRACE)):
        (tmp_path / file).write_text(text)
    machine, given, axes = CASES[name]
    path = tmp_path / "space.toml"
    path.write_text(f'machine = "{machine}"\n[[application]]\ncode = "{given}"\n[axes]\n{axes}\n')
    study = explore.prepare_study(path)

    def run() -> None:
        for _ in engine.compute(study, range(study.blocks), engine.serial()):
            pass

    def anew() -> None:
        code._analysed.cache_clear()  # with making and following the code, where there is some
        generated.cache_clear()
        run()

    benchmark.pedantic(run, rounds=1)
    benchmark.extra_info.update(
        designs=study.space.size,
        million_per_cpu_second=study.space.size / _cpu(anew) / 1e6,
        when_known=study.space.size / _cpu(run) / 1e6,
        numpy_of_a_stencil=study.space.size / _cpu(lambda: _in_numpy(study.space.size)) / 1e6,
        target="1",
    )


def _in_numpy(points: int) -> None:
    """A roofline with layer conditions of three levels, written by hand for the stencil."""
    for start in range(0, points, CHUNK):
        number = np.arange(start, min(points, start + CHUNK))
        n, m = 100.0 + number // 1000, 100.0 + number % 1000
        seconds = 6 * (n - 2) * (m - 2) / 6.4e10
        for size, rate in ((48e3, 2e11), (2e6, 8e10), (1e8, 1e10)):
            lines = np.where(32 * m > size, 40.0, 24.0)
            moved = np.where(16 * n * m > size, lines * n * m, 0.0)
            seconds = np.maximum(seconds, moved / rate)


def _cpu(work: Callable[[], object]) -> float:
    """The least CPU time of three runs: other work on the machine does not count."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)
