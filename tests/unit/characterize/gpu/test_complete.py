"""Complete execution against what an H200 computed, against numpy, and what it says of programs that go wrong."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foretell.characterize.gpu import complete
from foretell.core.gpu.image import system_address
from foretell.errors import InputError
from foretell.frontends.gpu.sass import listing
from tests.support.complete import CASES, RESULTS, distance, execute, image, kernels, program

EXACT = sorted(name for name, case in CASES.items() if not case.ulps)
CLOSE = sorted(name for name, case in CASES.items() if case.ulps)
DATA = Path(__file__).parents[3] / "data" / "sass"


@pytest.mark.parametrize("name", EXACT)
def test_the_gpu_computes_the_same_bytes(name: str) -> None:
    arrays, record = execute(name)
    assert record.error is None
    assert record.instructions == sum(record.opcodes.values()) > 0
    changed = {str(k): array for k, array in enumerate(arrays) if array.tobytes() != CASES[name].arrays()[k].tobytes()}
    assert {k: hashlib.sha256(array.tobytes()).hexdigest() for k, array in changed.items()} == {
        k: item["sha256"] for k, item in RESULTS[name].items()
    }


#: MUFU is a table in hardware (CUDA programming guide, "Intrinsic functions": __sinf is off by up to 2^-21.4); sums of
#: matrix products and of atomics have another order: differences are relative to the largest number
@pytest.mark.parametrize("name", CLOSE)
def test_the_gpu_computes_nearly_the_same(name: str) -> None:
    arrays, record = execute(name)
    assert record.error is None
    for k, item in RESULTS[name].items():
        own = arrays[int(k)]
        if own.dtype.kind != "f":
            assert hashlib.sha256(own.tobytes()).hexdigest() == item["sha256"]
            continue
        there = np.frombuffer(bytes.fromhex(item["first"]), own.dtype)
        own = own[: len(there)]
        scale = np.nanmax(np.abs(np.where(np.isinf(there), 0, there)))
        near = np.isclose(own, there, rtol=3e-6, atol=max(2.0**-20.5, 3e-7 * float(scale)), equal_nan=True)
        assert near.all(), (own[~near][:3], there[~near][:3])
        assert len(own) == 1 or np.median(distance(own, there)) <= 1


def test_division_and_root_are_correctly_rounded() -> None:
    """The library refines the reciprocals of MUFU: the result does not depend on their last digits."""
    (x, y, _, out), record = execute("ieee32")
    assert record.error is None
    with np.errstate(all="ignore"):
        quotient, root = x / y, np.sqrt(x)
    assert not distance(out.reshape(-1, 24)[:, 3].copy(), quotient).any()
    assert not distance(out.reshape(-1, 24)[:, 4].copy(), root).any()


def test_sums_sorts_and_histograms() -> None:
    (data, total), _ = execute("reduce_sum")
    assert total[0] == np.sum(data, dtype=np.uint64) % (1 << 32)
    (keys,), _ = execute("bitonic_sort")
    (given,) = CASES["bitonic_sort"].arrays()
    assert (keys.reshape(4, 512) == np.sort(given.reshape(4, 512))).all()
    (values, bins), _ = execute("histogram")
    assert (bins == np.bincount(values, minlength=256)).all()
    (values, sums), _ = execute("scan_blocks")
    assert (sums.reshape(2, -1) == np.cumsum(values.reshape(2, -1), axis=1, dtype=np.uint32)).all()


def test_integer_division_of_all_widths() -> None:
    (x, y, out), _ = execute("divide")
    y, quotients = y | 1, out.reshape(-1, 8)
    assert (quotients[:, 0] == _truncated(x, y)).all()
    assert (quotients[:, 2].view(np.uint64) == x.view(np.uint64) // y.view(np.uint64)).all()
    assert (quotients[:, 3].view(np.uint64) == x.view(np.uint64) % y.view(np.uint64)).all()


def _truncated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    quotient = np.abs(x.astype(object)) // np.abs(y.astype(object))
    return np.where((x < 0) != (y < 0), -quotient, quotient).astype(np.int64)


def test_recursion_and_breadth_first_search() -> None:
    (out,), _ = execute("recursion")
    assert out.tolist() == [_ackermann(k % 3, k % 5) for k in range(64)]
    (rows, columns, depth), _ = execute("queue_bfs")
    assert depth.tolist() == _depths(rows, columns, 512)


def _ackermann(m: int, n: int) -> int:
    return n + 1 if m == 0 else _ackermann(m - 1, 1 if n == 0 else _ackermann(m, n - 1))


def _depths(rows: np.ndarray, columns: np.ndarray, count: int) -> list[int]:
    depth, front = [0] + [-1] * (count - 1), [0]
    while front:
        following = []
        for v in front:
            for w in columns[rows[v] : rows[v + 1]]:
                if depth[w] < 0:
                    depth[w] = depth[v] + 1
                    following.append(w)
        front = following
    return depth


def test_printf_and_its_order() -> None:
    (data,), record = execute("prints")
    lines = [f"block {b} of 4: {data[b]:08x} {data[b] / 65536:5.2f} text x {int(data[0]) << 20}\n" for b in range(4)]
    assert record.printed == "".join(lines)


def test_results_do_not_depend_on_threads() -> None:
    """Enough work that threads start; the counts by instruction are the same as well."""
    own, rounds = program("floating", "monte_carlo"), 3000
    answers = []
    for threads in (1, 3):
        hits = np.zeros(1, np.uint32)
        record = complete.run(own, None, (16, 1, 1), (128, 1, 1), [hits, rounds], threads=threads)
        assert record.threads == threads
        answers.append((hits[0], record.executions.tolist()))
    assert answers[0] == answers[1]


def test_order_matters_on_one_thread() -> None:
    """Floating-point atomics, and those whose old value is read, are executed in the order of the blocks."""
    names = {"float_atomics", "spin_lock", "atomics", "monte_carlo", "reduce_sum", "saxpy"}
    free = {name for name in names if program(CASES[name].module, name).core.order_free}
    assert free == {"monte_carlo", "reduce_sum", "saxpy"}


def _saxpy(n: int, **changes: Any) -> complete.Record:
    x, y = np.ones(64, np.float32), np.ones(64, np.float32)
    return complete.run(program("floating", "saxpy"), None, (2, 1, 1), (64, 1, 1), [x, y, 2.0, n], **changes)


def test_an_access_out_of_bounds_names_kernel_line_thread_and_address() -> None:
    error = _saxpy(100).error
    assert error
    assert (error.kind, error.block, error.thread, error.size) == ("out of bounds", (1, 0, 0), (0, 0, 0), 4)
    assert error.opcode.startswith("LDG")
    assert "saxpy" in error.message
    assert f"line {error.line}" in error.message
    assert "1 byte after argument" in error.message
    assert "thread (0, 0, 0) of block (1, 0, 0)" in error.message


def test_misaligned_and_read_only_memory() -> None:
    own = program("floating", "saxpy")
    x, y = np.ones(65, np.float32), np.ones(64, np.float32)
    odd = x.view(np.uint8)[2:-2]
    error = complete.run(own, None, (1, 1, 1), (64, 1, 1), [odd, y, 2.0, 64]).error
    assert error is None  # device addresses are aligned, whatever the host's are
    parameters = np.array([0x1000, 0x2000], np.uint64).tobytes() + np.float32(2).tobytes() + np.int32(64).tobytes()
    memory = [complete.Region.of(0x1000, x), complete.Region.of(0x2000, y, writable=False)]
    error = complete.execute(own, grid=(1, 1, 1), block=(64, 1, 1), parameters=parameters, memory=memory).error
    assert error
    assert error.kind == "read only"
    shifted = np.array([0x1002, 0x2000], np.uint64).tobytes() + parameters[16:]
    error = complete.execute(own, grid=(1, 1, 1), block=(32, 1, 1), parameters=shifted, memory=memory).error
    assert error
    assert (error.kind, error.address) == ("misaligned", 0x1002)


def test_no_memory_at_all() -> None:
    parameters = bytes(24)
    error = complete.execute(
        program("floating", "saxpy"), grid=(1, 1, 1), block=(32, 1, 1), parameters=parameters[:20] + b"\x20\0\0\0"
    ).error
    assert error
    assert error.address == 0


def test_shared_memory_has_bounds() -> None:
    _, record = execute("bitonic_sort", dynamic_shared=1024)
    assert record.error
    assert (record.error.kind, record.error.address) == ("out of bounds", 2048)
    assert "shared write" in record.error.message


def test_a_deadlock_says_where_each_warp_waits() -> None:
    """Only the producers are launched: nobody arrives at their second barrier."""
    _, record = execute("named_barriers", block=(64, 1, 1))
    assert record.error
    assert record.error.kind == "deadlock"
    assert [text.split(" (")[0] for text in record.error.waits] == [
        f"warp {k}: 32 lanes at block barrier 2" for k in range(2)
    ]
    assert all("line" in text for text in record.error.waits)


def test_a_lock_that_nobody_frees_uses_the_budget() -> None:
    arrays = [np.ones(1, np.uint32), np.zeros(1, np.uint32)]
    _, record = execute("spin_lock", arrays, budget=200_000)
    assert record.error
    assert record.error.kind == "budget"
    assert record.instructions < 20_000_000


def test_a_trap() -> None:
    """A grid barrier outside of a cooperative launch."""
    _, record = execute("grid_sync", cooperative=False)
    assert record.error
    assert record.error.kind == "trap"


def test_an_instruction_without_meaning_here_is_named() -> None:
    text = (DATA / "wgmma_loop.sass").read_text(encoding="utf-8").replace("HGMMA.", "HGMMA.SP.")
    kernel = listing.read(text)
    own = complete.program_of(kernel)
    assert [name[:8] for name in own.refused] == ["HGMMA.SP"]
    size = max(item.offset + item.size for item in kernel.parameters)
    error = complete.execute(own, grid=(1, 1, 1), block=(128, 1, 1), parameters=bytes(size)).error
    assert error
    assert error.kind in ("unsupported", "out of bounds")


def test_all_kernels_here_are_executed_completely() -> None:
    assert not [
        (name, own.refused)
        for module in ("integer", "floating")
        for name in kernels(module)
        if (own := program(module, name)).refused
    ]


def test_a_call_of_the_device_runtime_is_refused_by_name() -> None:
    banks = image("integer").banks("prints", 0)
    target = system_address("malloc").to_bytes(8, "little")
    own = {**banks, 4: banks[4][:0x28] + target + banks[4][0x30:]}
    _, record = execute("prints", banks=own)
    assert record.error
    assert "a call of malloc" in record.error.message


def test_launches_that_cannot_be_are_refused() -> None:
    own = program("floating", "saxpy")
    good: dict[str, Any] = {"grid": (1, 1, 1), "block": (32, 1, 1), "parameters": bytes(24)}
    for change, words in (
        ({"block": (1025, 1, 1)}, "cannot be launched"),
        ({"grid": (0, 1, 1)}, "cannot be launched"),
        ({"grid": (1, 70000, 1)}, "cannot be launched"),
        ({"cluster": (2, 1, 1)}, "clusters"),
        ({"dynamic_shared": -1}, "dynamic shared memory"),
        ({"parameters": b""}, "have 24 bytes, 0 are given"),
        ({"memory": [complete.Region(0, 64, 0), complete.Region(32, 64, 0)]}, "overlaps"),
    ):
        with pytest.raises(InputError, match=words):
            complete.execute(own, **(good | change))
    with pytest.raises(InputError, match="4 parameters, 1 are given"):
        complete.run(own, None, (1, 1, 1), (32, 1, 1), [1])
    x = np.ones(4, np.float32)
    for wrong, words in ((b"12", "4 bytes, 2 are given"), ("text", "neither"), (np.float64(1), "8 are given")):
        with pytest.raises(InputError, match=words):
            complete.run(own, None, (1, 1, 1), (32, 1, 1), [x, x, wrong, 4])
    with pytest.raises(InputError, match="not contiguous"):
        complete.run(own, None, (1, 1, 1), (32, 1, 1), [np.ones(8, np.float32)[::2], x, 1.0, 4])


def test_variables_of_a_module_stay_between_launches() -> None:
    own, out = image("integer"), np.zeros(512, np.uint32)
    kept = np.frombuffer(bytearray(own.contents(0)), np.uint8)
    for expected in (40 + 128, 40 + 256):
        data = np.zeros(64, np.uint32)
        complete.run(
            program("integer", "module_variables"), own, (1, 1, 1), (64, 1, 1), [data, out], module_memory=kept
        )
        complete.run(
            program("integer", "read_module_variables"), own, (1, 1, 1), (64, 1, 1), [data], module_memory=kept
        )
        assert data[1] == expected


def test_other_architectures_place_their_launch_values_elsewhere() -> None:
    kernel = replace(kernels("floating")["saxpy"], arch=100, parameter_base=0x380)
    bank = complete._parameter_bank(kernel, (7, 1, 1), (9, 1, 1), b"abc", 64, cooperative=False)
    assert bank[0x360] == 9
    assert bank[0x370] == 7
    assert bank[0x380:0x383] == b"abc"


def test_sums_of_doubles_in_shared_memory_are_repeated_until_stored() -> None:
    """Compare and swap of 64 bits says whether it stored: all lanes of a warp ask for one of two words."""
    out = np.zeros(2)
    assert complete.run(_listed("shared_sum_f64"), None, (1, 1, 1), (64, 1, 1), [out], budget=100_000).error is None
    assert out.tolist() == [sum(range(1, 65, 2)), sum(range(2, 65, 2))]


def _listed(name: str) -> complete.Program:
    return complete.program_of(listing.read((DATA / f"{name}.sass").read_text(encoding="utf-8")))


def test_the_divisor_of_doubles_may_be_a_constant_in_the_code() -> None:
    """MUFU.RCP64H R9, 3: the number is the double whose upper half the unit takes."""
    x, out = np.array([1.0, -7.25, 1e300, 3e-310, 4294967086.0, *np.arange(27) / 7]), np.zeros(64)
    record = complete.run(_listed("divide_by_constants"), None, (1, 1, 1), (32, 1, 1), [x, out], budget=100_000)
    assert record.error is None
    assert (out.reshape(-1, 2) == x[:, None] / np.array([4294967087.0, 3.0])).all()


def test_collectives_of_tiles_see_the_lanes_of_their_mask_alone() -> None:
    """WARPSYNC.EXCLUSIVE takes the tiles apart: MATCH and REDUX have no mask."""
    given, out = np.arange(64, dtype=np.int32) * 7919 % 101, np.zeros(128, np.int32)
    record = complete.run(_listed("match_in_tiles"), None, (1, 1, 1), (64, 1, 1), [given, out], budget=100_000)
    assert record.error is None
    for lane, value in enumerate(given):
        tile = range(lane // 8 * 8, lane // 8 * 8 + 8)
        same = [other for other in tile if given[other] & 3 == value & 3]
        assert out.view(np.uint32)[2 * lane] == sum(1 << other % 32 for other in same)
        assert out[2 * lane + 1] == max(given[other] for other in same)


def test_generic_atomics_of_64_bits_are_done_once() -> None:
    """ATOM says whether it updated global memory; the code behind it does the same in shared memory."""
    sums = np.array([5, 0], np.uint64)
    record = complete.run(_listed("generic_sums"), None, (1, 1, 1), (64, 1, 1), [sums, 50], budget=100_000)
    assert record.error is None
    assert [int(value) for value in sums] == [5 + (sum(range(0, 50, 2)) << 32), sum(range(1, 50, 2)) << 32]
