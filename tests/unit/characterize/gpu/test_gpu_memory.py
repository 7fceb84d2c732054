"""Where requests of GPU kernels are served, against what was measured on an H200 and what follows by hand."""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import foretell.uses
from foretell import files
from foretell.api import predict
from foretell.characterize.gpu.functional import Execution, execute, middle_block
from foretell.characterize.gpu.launch_arguments import array_places
from foretell.characterize.gpu.memory import FirstLevel, traffic
from foretell.core.gpu.warps import Warps
from foretell.frontends.gpu.launch import parse_launch, parse_regions, read_launches
from foretell.frontends.gpu.sass import listing
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu import attribution, launched

RECORDED = Path(foretell.uses.__file__).parent / "recorded"
VALIDATION = Path(__file__).parents[4] / "validation" / "h200"
WGMMA = Path(__file__).parents[3] / "data" / "sass" / "wgmma_loop.sass"
LAUNCHES = {launch.name: launch for launch in read_launches(RECORDED / "gpu" / "cases.toml")}


def _facet(name: str, **changed: object) -> Warps:
    launch = replace(LAUNCHES[name], **changed)  # type: ignore[arg-type]
    return read_workload(RECORDED / "gpu" / f"{launch.kernel}.sass.xz", launch).facet(Warps)


def _predicted(name: str, **changed: object) -> dict[str, float]:
    launch = replace(LAUNCHES[name], **changed)  # type: ignore[arg-type]
    workload = read_workload(RECORDED / "gpu" / f"{launch.kernel}.sass.xz", launch)
    prediction = predict(workload, "h200")
    details = prediction.details
    return {
        "time": prediction.time_s,
        "read": details["memory_read_B"],  # type: ignore[dict-item]
        "hit": details["L1_hit_rate"],  # type: ignore[dict-item]
        "L2": details["L2_B"],  # type: ignore[dict-item]
    }


def _granules(facet: Warps, blocks: range) -> dict[int, int]:
    """Distinct pieces of 64 bytes of each array that these blocks touch, all of them executed."""
    record = execute(facet.kernel, facet.launch, tuple(blocks)).record
    lines = np.unique(np.concatenate([record.block_lines(block) for block in range(len(blocks))]))
    touched = {(int(line) >> 4) * 2 + half for line in lines for half in (0, 1) if int(line) >> 2 * half & 3}
    starts = [start >> 6 for start, _ in array_places(facet.launch)]
    return dict(Counter(bisect_right(starts, granule) - 1 for granule in touched))


@pytest.mark.parametrize(
    ("grid", "multiprocessors"), [((3, 6, 5), 7), ((3, 6, 5), 12), ((1, 6, 5), 4), ((3, 1, 7), 10)]
)
def test_data_of_a_wave_and_of_a_launch(grid: tuple[int, int, int], multiprocessors: int) -> None:
    """What blocks of a stencil in three dimensions share, from a middle one and its neighbours, against all executed:
    copies along rows, planes, and parts of them."""
    cells = "128"
    launch = parse_launch("stencil3d_global", ",".join(map(str, grid)), "32,4,2", ["f64[2097152]"] * 2 + [cells] * 3)
    facet = read_workload(RECORDED / "gpu" / "stencil3d_global.sass.xz", launch).facet(Warps)
    l1 = FirstLevel(size=0, ways=4, outstanding=256, throttled=0, first_wave=0, later_waves=0)
    found = traffic(
        facet.kernel, launch, execute(facet.kernel, launch), multiprocessors=multiprocessors, resident=1, l1=l1
    )
    middle, wave = middle_block(launch), multiprocessors
    first = min(middle - min(middle, wave // 2), launch.blocks - wave)
    of_launch, of_wave = _granules(facet, range(launch.blocks)), _granules(facet, range(first, first + wave))
    assert {group.array: group.launch / 2 for group in found.groups} == of_launch
    assert {group.array: group.wave / 2 for group in found.groups} == of_wave


@pytest.mark.parametrize(("name", "expected"), [("softmax/L2", 0.3125), ("copy_f32/L2", 0.0)])
def test_when_a_block_reads_its_row_again(name: str, expected: float) -> None:
    """Each thread of the softmax has 4 requests in the first pass over its row, 4 in the second, 4 and as many stores
    in the third: of 16, 4 lie between the first two reads, 4 to 7 between the next; (4 * 16 + 126) / (16 + 22) / 16.
    A copy reads nothing twice."""
    facet = _facet(name)
    l1 = FirstLevel(size=0, ways=4, outstanding=256, throttled=0, first_wave=0, later_waves=0)
    run = execute(facet.kernel, facet.launch)
    found = traffic(facet.kernel, facet.launch, run, multiprocessors=132, resident=1, l1=l1)
    assert found.groups[0].reread == pytest.approx(expected)


# ------------------------------------------------------------------------------------------ turns in L1


@pytest.mark.parametrize(
    ("kernel", "arguments", "expected"),
    [
        ("copy_f32", ("f32[4096]", "f32[4096]", "4096"), (4, 1, 1)),
        ("copy_f32x4", ("f32x4[4096]", "f32x4[4096]", "4096"), (16, 4, 4)),
        ("misaligned_copy", ("f32[4128]", "f32[4096]", "4096", "0"), (4, 1, 1)),
        ("misaligned_copy", ("f32[4128]", "f32[4096]", "4096", "1"), (5, 2, 1.125)),
        ("misaligned_copy", ("f32[4128]", "f32[4096]", "4096", "8"), (4, 2, 1.125)),
    ],
)
def test_requests_of_lanes_in_a_row(kernel: str, arguments: tuple[str, ...], expected: tuple[float, ...]) -> None:
    """Sectors, lines and turns of L1 of a load: 32 elements side by side, from a multiple of 128 bytes or not (one in
    eight pairs of lines meets in a bank of tags). Of 255 threads, one warp has a lane less: it asks for as much."""
    launch = parse_launch(kernel, "4", "255" if expected == (4, 1, 1) else "256", arguments)
    facet = read_workload(RECORDED / "gpu" / f"{kernel}.sass.xz", launch).facet(Warps)
    run = execute(facet.kernel, facet.launch, (0,))
    pairs = zip(facet.kernel.instructions, run.instructions, strict=True)
    loads = [counts for item, counts in pairs if item.opcode == "LDG" and counts.requests]
    assert {(c.sectors / c.requests, c.lines / c.requests, c.wavefronts / c.requests) for c in loads} == {expected}


@pytest.mark.parametrize(("name", "turns"), [("strided_read/2", 2), ("strided_read/8", 8), ("strided_read/32", 32)])
def test_loads_meet_in_banks_of_l1(name: str, turns: int) -> None:
    """Lanes a power of two apart meet in the banks of the data (probe: shape.L1_load.4B.2, .8 and .32)."""
    facet = _facet(name)
    run = execute(facet.kernel, facet.launch, (9,))
    loads = [
        counts
        for item, counts in zip(facet.kernel.instructions, run.instructions, strict=True)
        if item.opcode == "LDG" and counts.requests
    ]
    assert [counts.wavefronts / counts.requests for counts in loads] == [turns] * len(loads)


def test_lanes_an_odd_distance_apart_wait_for_tags_only() -> None:
    """Rows of 33 words: 33 lines side by side, four of them a turn (probe: shape.L1_load.4B.33, 8.5 cycles)."""
    launch = parse_launch("strided_read", "8", "256", ["f32[67584]", "f32[2048]", "2048", "33"])
    facet = read_workload(RECORDED / "gpu" / "strided_read.sass.xz", launch).facet(Warps)
    run = execute(facet.kernel, launch, (1,))
    (load_,) = (
        counts
        for item, counts in zip(facet.kernel.instructions, run.instructions, strict=True)
        if item.opcode == "LDG" and counts.requests
    )
    assert 8 <= load_.wavefronts / load_.requests <= 9


# ------------------------------------------------------------------------------------------ traffic


def test_a_block_number_that_is_taken_apart_does_not_shift_evenly() -> None:
    """The contraction's blocks lie anywhere in its result; all of that is read and written (134 MB each, measured)."""
    counts = tomllib.loads(files.read_text(RECORDED / "gpu.toml"))["case"]["contract_split/16"]["counts"]
    prediction = predict(
        read_workload(RECORDED / "gpu" / "contract_split.sass.xz", LAUNCHES["contract_split/16"]), "h200"
    )
    found = prediction.details["counters"]
    assert isinstance(found, dict)
    assert found["dram_bytes"] == pytest.approx(counts["dram_bytes"], rel=0.05)


@pytest.mark.parametrize(("window", "all_at_once"), [(1 << 13, False), (1 << 26, True)])
def test_gathers_near_the_own_place_find_their_pieces_in_l2(window: int, all_at_once: bool) -> None:
    """Each element is read by threads side by side, of one wave: memory moves the arrays once. Anywhere in an array far
    larger than L2, most pieces come from memory, two sectors for each of 2^26 reads."""
    count = 1 << 26
    array = f"[{count}]"
    args = [f"i32{array}@random(0,1000000000)", f"f32{array}", f"f32{array}", str(window)]
    launch = parse_launch("gather_window", str(count // 256), "256", args)
    prediction = predict(read_workload(RECORDED / "gpu-held-out" / "gather_window.sass.xz", launch), "h200")
    read = prediction.details["memory_read_B"]
    assert isinstance(read, float)
    if all_at_once:
        assert read > 64 * count
    else:
        assert read == pytest.approx(2 * 4 * count, rel=0.1)


@pytest.mark.parametrize(("hops", "found"), [(32, True), (128, False)])
def test_l2_keeps_lines_for_words_here_and_there(hops: int, found: bool) -> None:
    """4224 lanes follow an array of 1 GiB: 32 hops touch 17 MiB of lines, which the launch before left in L2; 128 hops
    66 MiB, which it could not, though their pieces of 64 bytes would fit (chase/DRAM: 36 MB from memory)."""
    launch = parse_launch("chase", "132", "32", ["i32[268435456]@permutation", "i32[4224]", str(hops)])
    workload = read_workload(RECORDED / "gpu" / "chase.sass.xz", launch)
    read = predict(workload, "h200").details["memory_read_B"]
    assert read == pytest.approx(0 if found else 132 * 32 * 128 * 64, rel=0.1, abs=3e6)


def test_measured_hit_rates_replace_those_that_were_found() -> None:
    name = "stencil2d_global/DRAM"
    found, less, more = _predicted(name), _predicted(name, l1_hit=0.2), _predicted(name, l1_hit=1.0)
    assert less["L2"] > found["L2"] > more["L2"]
    in_l2 = name.replace("DRAM", "L2")  # where L1 determines the time; from memory it takes as long either way
    assert _predicted(in_l2, l1_hit=0.2)["time"] > 1.05 * _predicted(in_l2)["time"]
    loads = found["L2"] / (1 - found["hit"])  # all that is asked for, with stores
    stored = loads - 5 * loads / 6
    assert more["L2"] == pytest.approx(stored, rel=0.1)
    assert _predicted(name, l2_hit=1.0)["read"] == 0
    half = _predicted(name, l2_hit=0.5, l1_hit=0.0)
    assert half["read"] == pytest.approx(half["L2"] * 5 / 6 / 2, rel=0.1)


def test_what_is_told_is_stated() -> None:
    workload = read_workload(
        RECORDED / "gpu" / "copy_f32.sass.xz", replace(LAUNCHES["copy_f32/L2"], l1_hit=0.25, l2_hit=0.5)
    )
    told = [text for text in predict(workload, "h200").assumptions if text.startswith("as given")]
    assert told == ["as given, the hit rate of loads in L1 is 0.25", "as given, the hit rate of loads in L2 is 0.5"]


# ------------------------------------------------------------------------------------------ regions


def test_regions_have_the_names_that_were_given() -> None:
    facet = _facet("matmul_tiled_16/1024", regions=parse_regions({"head": "0x0-0x200", "rest": "0x210-0xfff0"}))
    prepared = launched.prepare(facet, load("h200"), warm=True, fold=True)
    names = {item.parameter.split(" in ")[1] for item in attribution.by_region(facet, prepared)}
    assert names == {"rest"}
    facet = _facet("matmul_tiled_16/1024", regions=parse_regions({"nothing": "0xfff0"}))
    prepared = launched.prepare(facet, load("h200"), warm=True, fold=True)
    assert {item.parameter.split(" in ")[1] for item in attribution.by_region(facet, prepared)} == {"elsewhere"}


# ------------------------------------------------------------------------------------------ warp groups


def _wgmma(rounds: int) -> float:
    launch = parse_launch("wgmma_loop", "528", "128", ["f16[8192]", "f32[67584]", str(rounds)])
    return predict(read_workload(WGMMA, launch), "h200").time_s


def test_products_of_warp_groups_go_at_the_dense_rate() -> None:
    """64 x 64 x 16 products of four warps, which wait for each; four blocks on a multiprocessor hide that. The data
    sheet has 989 Tflop/s."""
    seconds = (_wgmma(4096) - _wgmma(2048)) / 2048
    rate = 2 * 64 * 64 * 16 * 528 / seconds
    assert rate == pytest.approx(load("h200").value("peak.tensor_half"), rel=0.12)


# ------------------------------------------------------------------------------------------ constant memory


def _constant_requests(file: Path, block: int, args: list[str]) -> tuple[set[tuple[int, int]], Execution]:
    """Addresses, and lines of 64 bytes, of the loads from constant memory that have an index."""
    kernel = listing.read(files.read_text(file))
    found = execute(kernel, parse_launch(None, "1", str(block), args), (0,))
    shapes = [s for s in found.record.request_shapes() if kernel.instructions[s.instruction].opcode == "LDC"]
    return {(shape.wavefronts, shape.lines) for shape in shapes}, found


@pytest.mark.parametrize("apart", [0, 1, 3, 16, 32, 64])
def test_addresses_of_constant_memory(apart: int) -> None:
    """l_constants: a lane reads word 3 + (apart * thread & 1023) + round, modulo 4096."""
    rounds = 40
    args = ["i32[64]", "3", str(apart), "f32:0.5", "f32:0.25", str(rounds)]
    found, _ = _constant_requests(VALIDATION / "gpu-loops" / "l_constants.sass.xz", 64, args)
    expected = set()
    for first in (0, 32):
        for number in range(rounds):
            words = {(3 + (apart * thread & 1023) + number) % 4096 for thread in range(first, first + 32)}
            expected.add((len(words), len({word // 16 for word in words})))
    assert found == expected


@pytest.mark.parametrize(("words", "expected"), [(1, (1, 1)), (16, (14, 1)), (4096, (32, 30))])
def test_addresses_of_constant_memory_that_depend_on_data(
    tmp_path: Path, words: int, expected: tuple[int, int]
) -> None:
    """Anywhere in the bank: of 32 lanes that draw one of 16 words, 16 (1 - (15/16)^32) = 13.97 draw different ones."""
    file = tmp_path / "table.sass"
    file.write_text(
        "foretell sass 1\nkernel table\narch 90\nregisters 8\nshared 0\nbarriers 0\nstack 0\n"
        "parameters 0x210\nparameter 0 8\n"
        f"constant 3 {'00' * 4 * words}\ncode\n"
        "0000 LDC.64 R2,c[0x0][0x210] ; 00008400ff027b82 000e620000000a00\n"
        "0010 LDG.E.CONSTANT R4,[R2.64] ; 0000000602047981 002ea8000c1e9900\n"
        "0020 LDC R5,c[0x3][R4] ; 00c0000004057b82 004e220000000800\n"
        "0030 EXIT ; 000000000000794d 000fea0003800000\n"
    )
    found, execution = _constant_requests(file, 32, ["i32[32]"])
    assert found == {expected}
    assert any("addresses of constant memory that depend on data" in note for note in execution.assumptions)
