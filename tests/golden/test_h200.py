"""What Nsight Compute counted on an H200 while the recorded kernels ran, against the functional core."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell.uses
from foretell import files
from foretell.characterize.gpu.functional import Runner, execute
from foretell.characterize.gpu.grid import weighted_blocks
from foretell.frontends.gpu.launch import read_launches
from foretell.frontends.gpu.sass import listing
from foretell.uses.error_statistics import set_of

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel

RECORDED = Path(foretell.uses.__file__).parent / "recorded"
LAUNCHES = {launch.name: launch for launch in read_launches(RECORDED / "gpu" / "cases.toml")}
#: instruction counts follow from the launch, for every block alike or by its place in the grid
EXACT = (
    "copy_f32/L2", "copy_u8/DRAM", "strided_read/8", "misaligned_copy/1", "struct_move/DRAM", "transpose_shared/L2",
    "stencil2d_global/L2", "stencil2d_shared/DRAM", "stencil3d_global/DRAM", "stencil3d_27/L2", "reduce_interleaved/L2",
    "reduce_atomic/L2", "scan_tree/L2", "scan_shuffle/L2", "gather_f32/random", "scatter_f32/permuted",
    "chase/L2", "black_scholes/L2", "gelu/L2", "lu_update/late", "softmax/L2", "layernorm/L2", "conv1d/L2",
    "conv2d_global/2048", "conv2d_shared/2048", "divide_integers/7", "divergent_lanes/full", "divergent_paths/mixed",
    "big_registers/tail", "spilled/full", "barriers/64", "atomics_spread/L2", "copy_f32/tiny", "contract_swapped/16",
    "fusion_one/256", "wmma_global/1024", "nbody_shared/8192", "fma_f32/full", "fma_f64/full", "fma_f16x2/full",
    "waves/full", "wmma_peak/full",
)  # fmt: skip
#: and where they depend on what arrays hold, or on where a grid-stride loop ends
SAMPLED = {"spmv_vector/L2": 0.02, "bfs_step/quarter": 0.02, "sum_loop/L2": 0.02, "histogram_global/skewed": 0.02}
GLOBAL = ("LDG", "STG", "ATOMG", "RED", "REDG")


@cache
def _counted() -> dict[str, dict[str, float]]:
    document: dict[str, Any] = tomllib.loads(files.read_text(RECORDED / "gpu.toml"))
    return {name: entry["counts"] for name, entry in document["case"].items()}


@cache
def _kernel(name: str | None) -> SassKernel:
    return listing.read(files.read_text(RECORDED / "gpu" / f"{name}.sass.xz"))


def _counts(launch: Launch, inner: int) -> dict[str, float]:
    """The whole grid, from sampled blocks and their weights."""
    kernel = _kernel(launch.kernel)
    runner = Runner(kernel, launch)
    length = cache(lambda block: runner.run((block,)).block_instructions()[0])
    weights = weighted_blocks(launch.grid, length, inner, inner, lambda: True)
    found = dict.fromkeys(("instructions", "global_sectors", "local_sectors", "shared_wavefronts"), 0.0)
    for weight in set(weights.values()):
        run = execute(kernel, launch, tuple(block for block, other in weights.items() if other == weight))
        for item, counts in zip(kernel.instructions, run.instructions, strict=True):
            found["instructions"] += weight * counts.executions
            found["global_sectors"] += weight * counts.sectors * (item.opcode in GLOBAL)
            found["local_sectors"] += weight * counts.sectors * (item.opcode in ("LDL", "STL"))
            found["shared_wavefronts"] += weight * counts.wavefronts * (item.opcode in ("LDS", "STS", "LDSM"))
    return found


@pytest.mark.parametrize("case", EXACT)
def test_counts_of_regular_kernels(case: str) -> None:
    """Instructions to the last one; sectors within 2 % (exact where addresses do not depend on data).

    Wavefronts that the hardware counts include a few more where requests of several warps meet.
    """
    ours, measured = _counts(LAUNCHES[case], 4), _counted()[case]
    assert ours["instructions"] == measured["instructions"]
    assert ours["global_sectors"] == pytest.approx(measured["global_sectors"], rel=0.02)
    assert ours["local_sectors"] == pytest.approx(measured["local_sectors"], rel=0.02)
    assert ours["shared_wavefronts"] == pytest.approx(measured["shared_wavefronts"], rel=0.06)


@pytest.mark.parametrize("case", SAMPLED)
def test_counts_that_depend_on_data(case: str) -> None:
    ours, measured = _counts(LAUNCHES[case], 64), _counted()[case]
    for name in ("instructions", "global_sectors"):
        assert ours[name] == pytest.approx(measured[name], rel=SAMPLED[case])


def test_every_case_has_a_listing_that_says_where_it_is_from() -> None:
    for launch in LAUNCHES.values():
        text = files.read_text(RECORDED / "gpu" / f"{launch.kernel}.sass.xz")
        assert "by nvcc 13.0" in text.splitlines()[1]
        assert "cubin sha256:" in text.splitlines()[1]


def test_the_sets() -> None:
    """Enough kernels in both, and the sets that were fixed before the first prediction."""
    kernels = {launch.kernel or "" for launch in LAUNCHES.values()}
    assert len(kernels) == 94
    assert sum(set_of(name) == "report" for name in kernels) == 55
    assert set_of("matmul_naive") == "report"
    assert set_of("copy_loop") == "tuning"
