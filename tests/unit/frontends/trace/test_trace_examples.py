"""Every example program at a small size: levels, references, distances and dependences against a slow machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.frontends.traced import KERNELS, build, compare, needs_compiler

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    ("boxes.cpp", "boxes", "2 3"),
    ("convolution.c", "convolution", "3"),
    ("cutcp.c", "cutcp", "4 9"),
    ("dot.c", "dot", "30"),
    ("fft.c", "fft", "5"),
    ("floyd_warshall.c", "floyd_warshall", "8"),
    ("gauss_seidel.c", "gauss_seidel", "9 2"),
    ("heat2d.c", "heat", "9 3"),
    ("hotspot.c", "hotspot", "8 2"),
    ("jacobi7.c", "jacobi", "6 3"),
    ("lattice_boltzmann.cpp", "lattice_boltzmann", "5 2"),
    ("lu.c", "lu", "10"),
    ("matrix_product.c", "matrix_product", "7"),
    ("merge_sort.cpp", "merge_sort", "33"),
    ("nbody.c", "nbody", "6"),
    ("prefix.c", "prefix", "50"),
    ("smith_waterman.c", "smith_waterman", "9"),
    ("spmv_csr.c", "spmv", "20 4"),
    ("spmv_jds.c", "spmv", "20 4"),
    ("srad.c", "srad", "6 2"),
    ("transpose.c", "transpose", "9"),
    ("vector_update.c", "vector_update", "30"),
]


@needs_compiler
@pytest.mark.parametrize(("file", "kernel", "arguments"), CASES, ids=[case[0] for case in CASES])
def test_example_against_the_slow_machine(file: str, kernel: str, arguments: str, tmp_path: Path) -> None:
    compare(build(KERNELS / file, kernel, tmp_path), *arguments.split())
