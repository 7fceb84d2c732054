"""What the functional core leaves out changes nothing: the same launches in full, every result and every iteration."""

from __future__ import annotations

import contextlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell.uses
from foretell import files
from foretell.characterize.gpu.functional import BUDGET, counts_within, execute
from foretell.characterize.gpu.program import program_of
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing

if TYPE_CHECKING:
    from foretell.characterize.gpu import functional
    from foretell.characterize.gpu.functional import Execution
    from foretell.core.gpu.sass import SassKernel

#: warp-instructions of a block that is compared
MOST = 40_000
RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"

#: kernel -> arguments of a small launch; with barriers, nested loops, divergence, atomics, spills and known contents
LAUNCHES: dict[str, tuple[str, str, list[str]]] = {
    "matmul_tiled_16": ("4,4", "16,16", ["f32[65536]"] * 3 + ["256"]),
    "matmul_registers": ("4,4", "16,16", ["f32[65536]"] * 3 + ["256"]),
    "matmul_naive": ("4,4", "16,16", ["f32[65536]"] * 3 + ["256"]),
    "nbody_shared": ("2", "64", ["f32x4[4096]", "f32x4[4096]", "4096"]),
    "conv2d_shared": ("4,4", "16,16", ["f32[65536]", "f32[289]", "f32[65536]", "256", "256"]),
    "histogram_shared": ("2", "64", ["i32[65536]@random(0,256)", "i32[256]", "65536"]),
    "spmv_scalar": (
        "2", "64", ["i32[1025]@offsets(9)", "i32[16384]@random(0,1024)", "f32[16384]", "f32[1024]", "f32[1024]", "128"],
    ),
    "scan_shared": ("2", "256", ["f32[4096]", "f32[4096]", "4096"]),
    "reduce_shared": ("2", "256", ["f32[65536]", "f32[64]", "65536"]),
    "solve_lower": ("1", "64", ["f32[16384]", "f32[8192]", "64"]),
}  # fmt: skip


def kernel_of(name: str) -> SassKernel:
    return listing.read(files.read_text(RECORDED / f"{name}.sass.xz"))


def both(name: str, grid: str, block: str, args: list[str]) -> tuple[Execution, Execution]:
    kernel, launch = kernel_of(name), parse_launch(None, grid, block, args)
    blocks = tuple(sorted({0, launch.blocks - 1}))
    return execute(kernel, launch, blocks), execute(kernel, launch, blocks, in_full=True)


def alike(short: Execution, whole: Execution) -> None:
    assert short.instructions == whole.instructions
    assert short.trace == whole.trace
    assert short.block_sectors == whole.block_sectors
    assert short.block_requested == whole.block_requested
    assert short.assumptions == whole.assumptions
    assert [_numbers(shape) for shape in short.record.request_shapes()] == [
        _numbers(shape) for shape in whole.record.request_shapes()
    ]


def _numbers(shape: functional.Shape) -> tuple[int, ...]:
    return shape.instruction, shape.lanes, shape.sectors, shape.lines, shape.wavefronts, shape.serial


@pytest.mark.parametrize("name", sorted(LAUNCHES))
def test_what_is_left_out_changes_nothing(name: str) -> None:
    alike(*both(name, *LAUNCHES[name]))


def test_measured_launches_whose_blocks_are_short() -> None:
    """One block of every measured kernel, if that executes few instructions."""
    compared = 0
    for case in tomllib.loads((RECORDED / "cases.toml").read_text())["launch"][::3]:
        kernel = kernel_of(case["kernel"])
        grid, block = (",".join(map(str, case[key])) for key in ("grid", "block"))
        launch = parse_launch(None, grid, block, [str(item) for item in case["args"]], case.get("shared", 0))
        with contextlib.suppress(InputError):
            whole = execute(kernel, launch, (launch.blocks // 2,), MOST, in_full=True)
            alike(execute(kernel, launch, (launch.blocks // 2,), MOST), whole)
            compared += 1
    assert compared > 30


def test_rounds_with_barriers_and_an_inner_loop_are_hardly_executed() -> None:
    launch = parse_launch(None, "64,64", "256", ["f32[16777216]"] * 3 + ["4096"])
    short = execute(kernel_of("matmul_registers"), launch, (0,))
    assert short.record.left_out > 0.9 * sum(short.block_instructions)


@pytest.mark.parametrize("name", ["spmv_scalar", "nbody_shared", "histogram_shared", "matmul_naive"])
def test_traces_have_what_was_counted(name: str) -> None:
    """Warps share the list of what they executed; the counters of instructions do not know of it. Blocks of one warp
    have one trace each."""
    _, _, args = LAUNCHES[name]
    launch = parse_launch(None, "4", "32", args)
    found = execute(kernel_of(name), launch, (0, 1, 2, 3))
    executed = np.bincount(np.concatenate([found.record.trace(block) for block in range(4)]))
    executed = np.pad(executed, (0, len(found.instructions) - len(executed)))
    assert executed.tolist() == [item.executions for item in found.instructions]


def test_warps_that_differ_keep_lists_of_their_own() -> None:
    """The second of two blocks of eight warps follows the first; alone, it follows none."""
    kernel, launch = kernel_of("spmv_scalar"), parse_launch(None, "4", "256", LAUNCHES["spmv_scalar"][2])
    together = execute(kernel, launch, (0, 1, 2)).record
    for place in range(3):
        alone = execute(kernel, launch, (place,)).record
        assert together.trace(place).tolist() == alone.trace(0).tolist()
        assert together.longest_warps()[place] == alone.longest_warps()[0]


def test_blocks_beyond_the_budget_whose_loops_are_alike() -> None:
    """The length of a block is linear in the number of bodies, also where nearly all of it is left out. The register of
    the bound of the outer loop has something else at the end of an iteration."""

    def block_of(bodies: int) -> Execution:
        args = [f"f32x4[{bodies}]", f"f32x4[{bodies}]", str(bodies)]
        return execute(kernel_of("nbody_shared"), parse_launch(None, "1", "256", args), (0,))

    step, many = 4096, 1 << 19
    first, second = (block_of(bodies).block_instructions[0] for bodies in (step, 2 * step))
    found = block_of(many)
    (length,) = found.block_instructions
    assert length == first + (many // step - 1) * (second - first)
    assert length > BUDGET
    assert found.record.left_out > 0.99 * length


def test_sums_steer_nothing_and_addresses_do() -> None:
    kernel = kernel_of("matmul_tiled_16")
    needed = dict(zip(kernel.instructions, program_of(kernel).needed(), strict=True))
    assert not any(wanted for item, wanted in needed.items() if item.opcode in ("FFMA", "LDS", "LDG"))
    assert all(wanted for item, wanted in needed.items() if item.opcode in ("ISETP", "S2R", "BRA"))


def test_indices_steer_and_what_they_point_at_does_not() -> None:
    """With known contents it does: what is stored may be read as an index."""
    kernel = kernel_of("gather_f32")
    loads = [place for place, item in enumerate(kernel.instructions) if item.opcode == "LDG"]
    for contents, wanted in ((False, [True, False]), (True, [True, True])):
        needed = program_of(kernel).needed(contents)
        assert [needed[place] for place in loads] == wanted


def test_a_long_block_with_unknown_data_is_executed_in_part() -> None:
    """k_queens, whose nested loops have no known end without the data: a block had 50 million instructions, 20 s."""
    path = Path(__file__).parents[4] / "validation" / "h200" / "gpu-kinds" / "k_queens.sass.xz"
    kernel = listing.read(files.read_text(path))
    launch = parse_launch(None, "64", "64", ["12", "u32[4096]", "4096", "u32[4096]"])
    counts = counts_within(kernel, launch, 0, 20_000)
    assert 19_000 < sum(item.executions for item in counts) <= 20_001
    assert any(item.unknown_branches for item in counts)


def test_rounds_that_are_left_out_do_not_end_a_block() -> None:
    name, (grid, block, args) = "nbody_shared", LAUNCHES["nbody_shared"]
    kernel, launch = kernel_of(name), parse_launch(None, grid, block, args)
    whole = execute(kernel, launch, (0,))
    assert counts_within(kernel, launch, 0, whole.block_instructions[0] * 3 // 4) == whole.instructions
