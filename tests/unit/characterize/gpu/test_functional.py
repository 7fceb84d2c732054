"""The functional core against counts worked out by hand or with numpy, on four architectures."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foretell.uses
from foretell import files
from foretell.characterize.gpu import functional
from foretell.characterize.gpu.functional import Execution, InstructionCounts, execute, sampled_blocks
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch, parse_overrides
from foretell.frontends.gpu.sass import listing
from tests.support.frontends.cubins import kernel_of

if TYPE_CHECKING:
    from foretell.core.gpu.sass import SassInstruction, SassKernel

ARCHITECTURES = (75, 80, 90, 120)
RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
every_architecture = pytest.mark.parametrize("arch", ARCHITECTURES)


class Run:
    """One launch; sums over the instructions of an opcode."""

    def __init__(
        self, file: str, arch: int, kernel: str, grid: str, block: str, args: list[str], **more: object
    ) -> None:
        self.kernel = kernel_of(f"{file}_sm{arch}.cubin", kernel)
        shared = int(str(more.pop("shared", 0)))
        launch = parse_launch(kernel, grid, block, args, shared)
        self.execution: Execution = execute(self.kernel, launch, **more)  # type: ignore[arg-type]

    def of(self, *opcodes: str) -> list[tuple[SassInstruction, InstructionCounts]]:
        pairs = zip(self.kernel.instructions, self.execution.instructions, strict=True)
        return [(i, c) for i, c in pairs if i.opcode in opcodes and c.executions]

    def total(self, what: str, *opcodes: str) -> int:
        return sum(getattr(counts, what) for _, counts in self.of(*opcodes))


def _sectors(addresses: np.ndarray, size: int = 4) -> int:
    """Different 32-byte pieces of each warp's requests, summed; one row a request."""
    return sum(len({a // 32 for a in row} | {(a + size - 1) // 32 for a in row}) for row in addresses)


# ------------------------------------------------------------------------------------------ regular kernels


@every_architecture
def test_vector_addition(arch: int) -> None:
    arguments = [*["f32[4194304]"] * 3, "4194304"]
    run = Run("simple", arch, "vecadd", "16384", "256", arguments, blocks=(7,))
    assert run.total("requests", "LDG") == 2 * 8
    assert run.total("sectors", "LDG") == 2 * 8 * 4
    assert run.total("lines", "LDG", "STG") == 3 * 8
    assert run.total("active_lanes", "STG") == 256
    assert run.execution.assumptions == ()


@every_architecture
def test_the_last_block_is_partly_idle(arch: int) -> None:
    """Of 1000 elements the fourth block has 232: seven full warps and one of eight lanes."""
    run = Run("simple", arch, "vecadd", "4", "256", [*["f32[1000]"] * 3, "1000"], blocks=(3,))
    assert run.total("active_lanes", "STG") == 232
    assert run.total("executions", "STG") == 8
    assert run.total("sectors", "STG") == 7 * 4 + 1


@every_architecture
@pytest.mark.parametrize(("kernel", "wavefronts"), [("transpose0", 32), ("transpose1", 1)])
def test_transposes_with_and_without_conflicts(arch: int, kernel: str, wavefronts: int) -> None:
    run = Run("simple", arch, kernel, "64,64", "32,8", [*["f32[4194304]"] * 2, "2048"], blocks=(100,))
    requests = 8 * 4  # warps, rows of each
    assert run.total("requests", "LDS") == requests
    assert run.total("wavefronts", "LDS") == requests * wavefronts
    assert run.total("wavefronts", "STS") == requests
    assert run.total("sectors", "LDG") == run.total("sectors", "STG") == requests * 4


@every_architecture
def test_matrix_product(arch: int) -> None:
    """128 tiles; two rows of 16 words in a request are two lines and four sectors.

    A 16-byte read for which the lanes of each half have one address takes two turns, as Nsight Compute counts.
    """
    run = Run("simple", arch, "matmul", "128,128", "16,16", [*["f32[4194304]"] * 3, "2048"], blocks=(500,))
    assert run.total("requests", "LDG") == 8 * 128 * 2
    assert run.total("sectors", "LDG") == 8 * 128 * 2 * 4
    assert run.total("lines", "LDG") == 8 * 128 * 2 * 2
    assert run.total("executions", "FFMA") == 8 * 2048
    assert run.total("executions", "BAR") == 8 * 128 * 2
    for instruction, counts in run.of("LDS"):
        each = counts.wavefronts / counts.requests
        assert each == (2 if "128" in instruction.modifiers else 1)


@every_architecture
def test_stencil(arch: int) -> None:
    """510 planes of seven reads; two of them are not aligned to sectors and need one more."""
    run = Run("simple", arch, "stencil", "16,64", "32,8", [*["f64[134217728]"] * 2, "512"], blocks=(520,))
    assert run.total("requests", "LDG") == 8 * 510 * 7
    assert run.total("sectors", "LDG") == 8 * 510 * (5 * 8 + 2 * 9)
    assert run.total("requests", "STG") == 8 * 510


@every_architecture
def test_reduction(arch: int) -> None:
    run = Run("simple", arch, "reduce", "1024", "256", ["f32[16777216]", "f32[1]", "16777216"], blocks=(3,))
    assert run.total("executions", "LDG") == 8 * 64
    assert run.total("active_lanes", "RED", "REDG", "ATOMG") == 1
    # halves of 128 … 1 threads read two words and write one, one thread reads the sum
    assert run.total("active_lanes", "LDS") == 2 * 255 + 1
    assert run.total("wavefronts", "LDS", "STS") == run.total("requests", "LDS", "STS")


@every_architecture
def test_vectors_in_shared_and_global_memory(arch: int) -> None:
    arguments = ["f32x4[4096]", "f32x4[4096]", "f64[4097]", "f64[4096]"]
    run = Run("traced", arch, "wide", "32", "128", arguments, blocks=(1,), shared=2048)
    for instruction, counts in run.of("LDG", "STG", "LDS", "STS"):
        size = 16 if "128" in instruction.modifiers else 8
        per_request = counts.sectors / counts.requests or counts.wavefronts / counts.requests
        if instruction.opcode == "LDG" and size == 8:
            assert per_request == 9  # d[i + 1] is not aligned
        elif instruction.opcode in ("LDG", "STG"):
            assert per_request == size
        else:
            assert per_request == size / 4


# ------------------------------------------------------------------------------------------ known contents


@every_architecture
def test_gather_through_a_file(arch: int, tmp_path: Path) -> None:
    index = np.random.default_rng(3).integers(0, 100_000, 4096).astype(np.int32)
    np.save(tmp_path / "index.npy", index)
    arguments = [f"i32[4096]@{tmp_path / 'index.npy'}", "f32[100000]", "f32[4096]", "4096"]
    run = Run("traced", arch, "gather", "16", "256", arguments, blocks=(5,))
    contiguous, gathered = (counts.sectors for _, counts in run.of("LDG"))
    assert contiguous == 8 * 4
    assert gathered == _sectors(index[5 * 256 : 6 * 256].reshape(8, 32).astype(np.int64) * 4)


@every_architecture
def test_contents_by_rule(arch: int) -> None:
    tail = ["f32[65536]", "f32[4096]", "4096"]
    iota = Run("traced", arch, "gather", "16", "256", ["i32[4096]@iota", *tail], blocks=(5,))
    assert [counts.sectors for _, counts in iota.of("LDG")] == [32, 32]
    spread = Run("traced", arch, "gather", "16", "256", ["i32[4096]@random(0,65536)", *tail], blocks=(5,))
    sectors = [counts.sectors for _, counts in spread.of("LDG")][1]
    assert 8 * 31 < sectors <= 8 * 32  # 32 of 8192 sectors hardly ever meet
    narrow = Run("traced", arch, "gather", "16", "256", ["i32[4096]@random(0,8)", *tail], blocks=(5,))
    assert [counts.sectors for _, counts in narrow.of("LDG")][1] == 8
    unknown = Run("traced", arch, "gather", "16", "256", ["i32[4096]", *tail], blocks=(5,))
    assert [counts.sectors for _, counts in unknown.of("LDG")][1] == 8 * 32
    assert "addresses that depend on data" in unknown.execution.assumptions[0]


def test_a_permutation_meets_every_element_once() -> None:
    """A gather by a permutation of one block's elements: every word once, so 32 different sectors in all."""
    run = Run("traced", 90, "gather", "1", "256", ["i32[256]@permutation", "f32[256]", "f32[256]", "256"], blocks=(0,))
    sectors = [counts.sectors for _, counts in run.of("LDG")][1]
    assert 100 < sectors <= 256  # spread over the 32 sectors in each warp, not in order (32)


@every_architecture
def test_rows_of_a_sparse_matrix(arch: int, tmp_path: Path) -> None:
    """Trip counts follow from the row lengths: a warp goes round as often as its longest row."""
    lengths = np.random.default_rng(4).integers(0, 9, 512)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    np.save(tmp_path / "start.npy", start)
    arguments = [f"i32[513]@{tmp_path / 'start.npy'}", f"f32[{start[-1]}]", "f32[512]", "512"]
    run = Run("traced", arch, "rows", "2", "256", arguments, blocks=(0, 1))
    body = max(run.of("LDG"), key=lambda pair: pair[1].executions)[1]
    assert body.active_lanes == lengths.sum()
    assert body.executions == sum(row.max() for row in lengths.reshape(16, 32))
    assert run.execution.assumptions == ()


@every_architecture
def test_integer_division(arch: int) -> None:
    """i/d and i%d go through floating point: the addresses must come out exactly."""
    for divisor in (3, 7, 13, 100):
        run = Run("traced", arch, "divide", "64", "256", ["f32[65536]", "16384", str(divisor)], blocks=(9, 63))
        i = np.concatenate([np.arange(256) + 9 * 256, np.arange(256) + 63 * 256])
        address = (i // divisor * 3 + i % divisor) * 4
        assert run.total("sectors", "STG") == _sectors(address.reshape(16, 32))
        assert run.total("unknown_addresses", "STG") == 0


@every_architecture
def test_triangular_loops(arch: int) -> None:
    run = Run("traced", arch, "triangle", "4", "64", ["f32[65536]", "f32[256]", "256"], blocks=(0, 1, 2, 3))
    loads = run.of("LDG")
    assert sum(counts.active_lanes for _, counts in loads) == sum(range(1, 257))
    assert sum(counts.executions for _, counts in loads) == sum(32 * (warp + 1) for warp in range(8))


@every_architecture
@pytest.mark.parametrize(("stride", "sectors"), [(0, 1), (1, 4), (2, 8), (3, 12), (8, 32), (100, 32)])
def test_strides(arch: int, stride: int, sectors: int) -> None:
    run = Run("traced", arch, "strided", "8", "128", ["f32[1000000]", "f32[1024]", str(stride)], blocks=(2,))
    ((_, counts),) = run.of("LDG")
    assert counts.sectors / counts.requests == sectors


@every_architecture
def test_atomics_on_known_data(arch: int, tmp_path: Path) -> None:
    """Lanes that meet on one bin take turns."""
    data = np.random.default_rng(5).integers(0, 8, 2048).astype(np.int32)
    np.save(tmp_path / "data.npy", data)
    arguments = [f"i32[2048]@{tmp_path / 'data.npy'}", "i32[256]", "2048"]
    run = Run("traced", arch, "histogram", "2", "256", arguments, blocks=(0, 1))
    expected = sum(np.bincount(row, minlength=8).max() for row in data.reshape(64, 32))
    assert run.total("serial", "ATOMS") == expected
    assert run.total("serial", "RED", "REDG", "ATOMG") == 16


@every_architecture
def test_shuffles_votes_and_bits(arch: int) -> None:
    run = Run("traced", arch, "shuffled", "1", "32", ["i32[32]@iota", "f32[4096]", "f32[32]"], blocks=(0,))
    lane = np.arange(32)
    v = lane * 3
    v = v + v[lane ^ 5]
    down = np.where((lane % 16) + 4 < 16, lane + 4, lane)
    v = v + v[down]
    bits = np.array([32 - int(x).bit_length() for x in v])
    address = (v + 16 + bits + lane) * 4
    gathered = run.of("LDG")[-1][1]
    assert gathered.sectors == _sectors(address.reshape(1, 32))
    assert gathered.unknown_addresses == 0


@every_architecture
def test_divergent_lanes_take_their_own_paths_and_meet_again(arch: int) -> None:
    run = Run("traced", arch, "branches", "1", "32", ["f32[1024]", "f32[1024]", "7"], blocks=(0,))
    stores = run.of("STG")
    assert sum(counts.active_lanes for _, counts in stores) == 64
    assert stores[-1][1].active_lanes == 32 or max(counts.active_lanes for _, counts in stores) == 32
    assert run.execution.assumptions == ()


@every_architecture
def test_branches_on_data_are_reported(arch: int) -> None:
    run = Run("traced", arch, "by_data", "1", "64", ["f32[1024]", "f32[1024]", "512"], blocks=(0,))
    guards = sum(counts.unknown_guards + counts.unknown_branches for counts in run.execution.instructions)
    assert guards > 0


# ------------------------------------------------------------------------------------------ what the user says


def _told(kernel: SassKernel, args: list[str], **told: dict[str, str]) -> Execution:
    overrides = parse_overrides(told.get("branch", {}), told.get("trip", {}))
    return execute(kernel, parse_launch(None, "1", "64", args, overrides=overrides), (0,))


def test_rounds_of_a_loop_whose_end_depends_on_data() -> None:
    """Rows of a sparse matrix of which nothing is known."""
    kernel = kernel_of("traced_sm90.cubin", "rows")
    arguments = ["i32[65]", "f32[1024]", "f32[64]", "64"]
    back = [i for i in kernel.instructions if i.opcode == "BRA" and i.operands[-1].value < i.offset and i.guard]
    place = hex(back[0].offset)
    few, many = (_told(kernel, arguments, trip={place: str(rounds)}) for rounds in (3, 30))
    number = kernel.instructions.index(back[0])
    assert few.instructions[number].executions == 2 * 3
    assert many.instructions[number].executions == 2 * 30
    assert f"as given, {place}: 30 rounds" in many.assumptions


def test_share_of_lanes_that_take_a_branch() -> None:
    """Vertices that are not at the present level leave at once; which do is in the data."""
    kernel = listing.read(files.read_text(RECORDED / "bfs_step.sass.xz"))
    arguments = ["i32[65]", "i32[640]", "i32[64]", "i32[64]", "1", "64"]
    plain = _told(kernel, arguments)
    pairs = list(zip(kernel.instructions, plain.instructions, strict=True))
    number = next(n for n, (item, counts) in enumerate(pairs) if item.opcode == "EXIT" and counts.unknown_branches)
    assert plain.instructions[number + 1].active_lanes == 64
    for share in (0.0, 0.25, 0.5, 1.0):
        run = _told(kernel, arguments, branch={hex(kernel.instructions[number].offset): str(share)})
        assert run.instructions[number + 1].active_lanes == pytest.approx(64 * (1 - share), abs=2)
    with pytest.raises(InputError, match="no branch at line 9999"):
        _told(kernel, arguments, branch={"9999": "1"})
    with pytest.raises(InputError, match="no loop that ends"):
        _told(kernel, arguments, trip={"0x0": "1"})


# ------------------------------------------------------------------------------------------ long loops


@settings(max_examples=60, deadline=None)
@given(st.integers(-3, 3000) | st.integers(10**6, 10**6 + 5))
def test_rounds_that_are_left_out_are_counted(rounds: int) -> None:
    """A chain of one multiply-add a round, in loops that go round by one, by four and by sixteen."""
    kernel = listing.read(files.read_text(RECORDED / "fma_f32_chain.sass.xz"))
    run = execute(kernel, parse_launch(None, "1", "64", ["f32[64]", str(rounds)]), (0,))
    chained = [
        counts.executions
        for item, counts in zip(kernel.instructions, run.instructions, strict=True)
        if item.opcode == "FFMA"
    ]
    assert sum(chained) == 2 * max(0, rounds)
    assert len(run.trace) == sum(counts.executions for counts in run.instructions) / 2


def test_a_loop_of_any_length_takes_no_time() -> None:
    """What is executed one by one does not grow with the rounds."""
    kernel = listing.read(files.read_text(RECORDED / "fma_f32_chain.sass.xz"))
    executed = []
    for rounds in (1000, 1000 * 1000):
        run = execute(kernel, parse_launch(None, "1", "32", ["f32[32]", str(rounds)]), (0,))
        executed.append(sum(run.block_instructions) - run.record.left_out)
    assert 0 < executed[1] <= executed[0] + 100


LOOPS = {
    "nbody_global": (["f32x4[4096]", "i32[16384]{}"], 1),
    "sum_loop": (["f32x4[1048576]", "i32[4096]{}"], 1),
    "copy_loop": (["f32[1048577]", "i32[1048577]{}"], 1),
    "matvec_thread": (["f32[4194304]", "f32[65536]", "i32[4096]{}"], 2),
    "conv1d": (["f32[4112]", "f32[17]", "i32[4096]{}"], 1),
}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(LOOPS)), st.integers(1, 700))
def test_rounds_that_ask_for_memory_are_left_out(name: str, size: int) -> None:
    """The same as one by one."""
    kernel = listing.read(files.read_text(RECORDED / f"{name}.sass.xz"))
    pointers, sizes = LOOPS[name]
    short, one_by_one = (
        execute(
            kernel,
            parse_launch(None, "2", "64", [item.format("") for item in pointers] + [str(size)] * sizes),
            (0, 1),
            in_full=in_full,
        )
        for in_full in (False, True)
    )
    assert short.instructions == one_by_one.instructions
    assert short.trace == one_by_one.trace
    assert short.block_sectors == one_by_one.block_sectors
    assert short.block_requested == one_by_one.block_requested


def test_a_long_loop_over_memory_is_hardly_executed() -> None:
    kernel = listing.read(files.read_text(RECORDED / "nbody_global.sass.xz"))
    short, one_by_one = (
        execute(kernel, parse_launch(None, "1", "32", ["f32x4[65536]", "i32[262144]", "65536"]), (0,), in_full=in_full)
        for in_full in (False, True)
    )
    assert one_by_one.record.left_out == 0
    assert 0.99 * sum(one_by_one.block_instructions) < short.record.left_out < sum(one_by_one.block_instructions)


# ------------------------------------------------------------------------------------------ limits


def test_an_endless_loop_is_stopped() -> None:
    with pytest.raises(InputError, match="more than 100000 instructions"):
        Run("traced", 90, "forever", "1", "32", ["f32[8]", "7"], budget=100_000)


@pytest.mark.parametrize(("seconds", "most"), [("0.06", 50_000), ("0.12", 100_000), ("1e-9", 1)])
def test_instructions_follow_the_limit_of_time(seconds: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETELL_LIMIT_TIME", seconds)
    with pytest.raises(InputError, match=f"more than {most} instructions") as caught:
        Run("traced", 90, "forever", "1", "32", ["f32[8]", "7"])
    assert "--limit-time" in str(caught.value.hint)


def test_what_is_kept_of_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that never ends must not fill the memory before its instructions are used up."""
    made = functional._launch

    def bounded(*given: Any) -> Any:
        launch = made(*given)
        launch.most_lines = 5
        return launch

    kernel = kernel_of("simple_sm90.cubin", "vecadd")
    launch = parse_launch(None, "4", "256", ["f32[1024]", "f32[1024]", "f32[1024]", "1024"])
    assert sum(execute(kernel, launch).block_instructions) > 0
    monkeypatch.setattr(functional, "_launch", bounded)
    with pytest.raises(InputError, match="more than 5 lines"):
        execute(kernel, launch)
    with pytest.raises(InputError, match="no GPU has 17000000 bytes"):
        made(kernel, replace(launch, shared_bytes=17_000_000), 100)


def test_a_block_above_the_launch_bounds_is_refused_with_both_numbers() -> None:
    kernel = replace(kernel_of("simple_sm90.cubin", "vecadd"), max_threads=(128, 1, 1))
    launch = parse_launch(None, "4", "256", ["f32[1024]", "f32[1024]", "f32[1024]", "1024"])
    with pytest.raises(InputError, match="at most 128 threads, 256 are asked for"):
        execute(kernel, launch)


def test_long_blocks_are_sampled_less() -> None:
    """The middle one always is executed, then its neighbours; what is left out is said."""
    kernel = kernel_of("simple_sm90.cubin", "vecadd")
    launch = parse_launch(None, "9,9", "256", ["f32[1024]", "f32[1024]", "f32[1024]", "1024"])
    every = execute(kernel, launch)
    longest = max(every.block_instructions)
    few = execute(kernel, launch, budget=2 * longest)
    assert few.blocks == (40, 41)
    assert few.blocks[few.middle] == 40
    assert few.neighbours == (1, -1, -1)
    assert f"blocks are long: 2 of {len(every.blocks)}" in " ".join(few.assumptions)
    assert execute(kernel, launch, budget=longest).blocks == (40,)
    with pytest.raises(InputError, match=f"more than {longest - 1} instructions"):
        execute(kernel, launch, budget=longest - 1)
    assert execute(kernel, launch, every.blocks, budget=longest).blocks == every.blocks


def test_wrong_launches_are_named() -> None:
    kernel = kernel_of("simple_sm90.cubin", "matmul")
    for args, message in (
        (["f32[4]"], "has 4 parameters, 1 arguments"),
        (["f32[4]", "f32[4]", "f32[4]", "f32[4]"], "is not a pointer"),
        (["f32[4]", "f32[4]", "f32[4]", "f64:3"], "f64 does not fit"),
        (
            ["f32[4]", "f32[4]", "f32[4]", "f32:1e300"],
            "argument 4: the parameter has 4 bytes: 1e\\+300 is beyond their numbers",
        ),
        (["f32[4]", "f32[4]", "f32[4]", "1e40"], "1e\\+40 is beyond"),
        (["f32[4]", "f32[4]", "f32[4]", "4294967296"], "beyond"),
        (["f32[4]", "f32[4]", "f32[4]", "-2147483649"], "beyond"),
        (["f32[4]@absent.npy", "f32[4]", "f32[4]", "3"], "not a readable"),
    ):
        with pytest.raises(InputError, match=message):
            execute(kernel, parse_launch(None, "1", "16,16", args))
    with pytest.raises(InputError, match="at most"):
        execute(kernel, parse_launch(None, "1", "32,32", [*["f32[4]"] * 3, "16"]))


@pytest.mark.parametrize("register", ["R300", "R99999999999999999999", "UR250", "P7", "UP9"])
def test_registers_that_there_are_not(register: str) -> None:
    text = listing.write(kernel_of("simple_sm90.cubin", "vecadd"))
    old = {"R": "R0,SR_TID.X", "U": "UR4,SR_CTAID.X", "P": "P0,PT,R9"}[register[0]]
    broken = listing.read(text.replace(old, old.replace(old.split(",")[0], register, 1), 1))
    with pytest.raises(InputError, match="there is no register"):
        execute(broken, parse_launch(None, "1", "32", [*["f32[32]"] * 3, "32"]))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_listing_executes_or_is_refused(data: st.DataObject) -> None:
    """Operands and opcodes exchanged at random: never anything but an answer or an InputError."""
    kernel = kernel_of("simple_sm90.cubin", "reduce")
    items = list(kernel.instructions)
    for _ in range(data.draw(st.integers(1, 6))):
        at, other = (data.draw(st.integers(0, len(items) - 1)) for _ in range(2))
        items[at] = items[at]._replace(operands=items[other].operands, destinations=items[other].destinations)
    with contextlib.suppress(InputError):
        arguments = ["f32[1024]", "f32[1]", "1024"]
        execute(replace(kernel, instructions=tuple(items)), parse_launch(None, "4", "64", arguments), budget=20_000)


def test_sampled_blocks() -> None:
    assert sampled_blocks(parse_launch(None, "1", "32", [])) == (0,)
    assert sampled_blocks(parse_launch(None, "10,10", "32", [])) == (0, 9, 55, 56, 65, 99)


def test_the_same_answer_every_time() -> None:
    arguments = ["i32[4096]@random(0,65536)", "f32[65536]", "f32[4096]", "4096"]
    first, second = (Run("traced", 90, "gather", "16", "256", arguments).execution for _ in range(2))
    assert first == second
