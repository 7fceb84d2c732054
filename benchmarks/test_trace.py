"""Speed of tracing: CPU time of traced kernels over the same kernels as -O2 makes them, start-up taken off."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foretell.core.facets.trace import Trace
from foretell.frontends.trace import TraceOptions, read_trace
from tests.support.frontends.traced import KERNELS, build, needs_compiler

CASES = [("heat2d.c", "heat", "1024 6"), ("lu.c", "lu", "256"), ("spmv_csr.c", "spmv", "200000 20")]
ENGINE = [
    ("heat2d.c", "heat", "1024 2"),
    ("jacobi7.c", "jacobi", "96 2"),
    ("lu.c", "lu", "200"),
    ("spmv_csr.c", "spmv", "200000 12"),
]
#: with enough lines for a sample of one in a hundred to say something
SAMPLED = [
    ("heat2d.c", "heat", "1024 2"),
    ("jacobi7.c", "jacobi", "96 2"),
    ("hotspot.c", "hotspot", "768 2"),
    ("srad.c", "srad", "512 1"),
    ("lattice_boltzmann.cpp", "lattice_boltzmann", "256 2"),
    ("gauss_seidel.c", "gauss_seidel", "768 2"),
    ("lu.c", "lu", "256"),
    ("floyd_warshall.c", "floyd_warshall", "224"),
    ("spmv_csr.c", "spmv", "200000 10"),
    ("spmv_jds.c", "spmv", "200000 10"),
    ("fft.c", "fft", "16"),
    ("merge_sort.cpp", "merge_sort", "200000"),
    ("prefix.c", "prefix", "1000000"),
    ("smith_waterman.c", "smith_waterman", "1000"),
    ("transpose.c", "transpose", "1200"),
    ("vector_update.c", "vector_update", "1000000"),
]
MODES: dict[str, dict[str, Any]] = {
    "all": {"lines": (64,)},
    "distances": {"lines": (64,), "dependences": False},
    "dependences": {"locality": False},
    "sampled": {"lines": (64,), "dependences": False, "sample": 0.01},
}


def cpu(command: list[str], environment: dict[str, str]) -> float:
    """Seconds of CPU, the least of three."""
    best = float("inf")
    for _ in range(3):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        used = os.wait4(process.pid, 0)[2]
        process.returncode = 0
        best = min(best, used.ru_utime + used.ru_stime)
    return best


def _kernel_seconds(command: list[str]) -> float:
    """What the program says of its own kernel."""
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[1])


@needs_compiler
@pytest.mark.parametrize(("file", "kernel", "arguments"), ENGINE, ids=[case[0] for case in ENGINE])
def test_engine(file: str, kernel: str, arguments: str, tmp_path: Path, record_property: Any) -> None:
    """Exact stack distances alone: millions of references per second of CPU."""
    from foretell.frontends.trace.run import _environment
    from foretell.frontends.trace.toolchain import toolchain

    options = TraceOptions(helper=False, lines=(64,), dependences=False, arguments=tuple(arguments.split()))
    traced = build(KERNELS / file, kernel, tmp_path, options)
    dump, engine = tmp_path / "dump", tmp_path / "engine"
    environment = {**_environment(options, tmp_path / "result"), "FORETELL_DUMP": str(dump)}
    subprocess.run([str(traced.program), *options.arguments], env=environment, check=True, capture_output=True)
    source = Path(__file__).parent / "peers" / "trace_engine.cpp"
    flags = ["-std=c++20", "-O3", "-march=native", "-w"]
    subprocess.run([*toolchain(tmp_path).cxx, *flags, str(source), "-o", str(engine)], check=True)
    done = subprocess.run([str(engine), str(dump)], check=True, capture_output=True, text=True)
    record_property("million_references_per_s", float(done.stdout))


@needs_compiler
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("file", "kernel", "arguments"), CASES, ids=[case[0] for case in CASES])
def test_overhead(file: str, kernel: str, arguments: str, mode: str, tmp_path: Path, record_property: Any) -> None:
    from foretell.frontends.trace.run import _environment
    from foretell.frontends.trace.toolchain import toolchain

    options = TraceOptions(helper=False, arguments=tuple(arguments.split()), **MODES[mode])
    traced = build(KERNELS / file, kernel, tmp_path, options)
    plain = tmp_path / "plain"
    tools = toolchain(tmp_path)
    flags = ["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-w"]
    subprocess.run([*tools.c, *flags, str(KERNELS / file), "-o", str(plain), "-lm"], check=True)
    native = min(_kernel_seconds([str(plain), *options.arguments]) for _ in range(15))
    environment = _environment(options, tmp_path / "result")
    whole = cpu([str(traced.program), *options.arguments], environment)
    outside = cpu([str(plain), *options.arguments], dict(os.environ)) - native
    record_property("overhead", (whole - outside) / native)


@needs_compiler
@pytest.mark.parametrize(("file", "kernel", "arguments"), SAMPLED, ids=[case[0] for case in SAMPLED])
def test_sampling_error(file: str, kernel: str, arguments: str, record_property: Any) -> None:
    """Miss ratios from one line in a hundred against exact ones, caches of 16 lines to all, each twice the last."""
    options = TraceOptions(kernel=kernel, arguments=tuple(arguments.split()), lines=(64,), seconds=600)
    exact, sampled = (
        read_trace([KERNELS / file], replace(options, sample=rate)).facet(Trace).distances_at(64)
        for rate in (1.0, 0.01)
    )
    sizes = 2 ** np.arange(4, 23)
    apart = np.abs(exact.misses(sizes) / exact.references - sampled.misses(sizes) / sampled.references)
    record_property("mean_error", float(apart.mean()))
    record_property("worst_error", float(apart.max()))
