"""mbarriers, bulk copies and copies of tiles in complete execution, against numpy."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from foretell.characterize.gpu import complete
from foretell.frontends.gpu.sass import listing
from tests.support import hopper

TILES = sorted(name for name, case in hopper.CASES.items() if case.kernel.startswith("tile_"))
TYPES = ["u1", "u2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "u2", "f4", "u4", "u4"]
#: the NaN that an H200 writes outside of an array
FILL = {6: 0x7FF7, 7: 0x7FF77FF7, 8: 0x7FF7_7FF7_7FF7_7FF7, 9: 0x7FF7}


def test_a_pipeline_of_bulk_copies_has_phases() -> None:
    (given, out, sums), record = hopper.execute("bulk_pipeline")
    assert record.error is None
    rounds = given.reshape(3, 11, 256).astype(np.uint64) * np.arange(1, 12, dtype=np.uint64)[None, :, None]
    totals = rounds.sum(axis=1).astype(np.uint32)
    assert (sums == totals.sum(axis=1, dtype=np.uint32)).all()
    own = totals.reshape(3, 4, 64).sum(axis=1, dtype=np.uint32)
    assert (out.reshape(3, 256) == np.tile(own, 4) + np.arange(256, dtype=np.uint32)).all()


def test_waiting_warps_give_way() -> None:
    """The lanes that wait try a few times, not until their share is used."""
    _, record = hopper.execute("bulk_pipeline")
    assert record.instructions < 20_000


def test_states_of_a_barrier() -> None:
    (out,), record = hopper.execute("barrier_states")
    assert record.error is None
    assert out[1] == 40 - 32  # what is missing before three arrive, and before five more
    assert out[2] == 5
    bits = np.full(64, 2 | 0)  # the first phase has ended, the second has not
    bits[:33] |= 4  # ... for those who arrived in the first
    assert (out[8:] == bits).all()
    assert out[3] == 1  # 39 left and one arrived
    assert out[4] == 1  # one alone ends the next phase


def test_copies_arrive_at_barriers() -> None:
    (given, out), record = hopper.execute("copies_arrive")
    assert record.error is None
    assert (out == given[::-1]).all()


@pytest.mark.parametrize(
    ("name", "update"),
    [
        ("add_u32", lambda a, b: a + b),
        ("and_b32", lambda a, b: a & b),
        ("inc_u32", lambda a, b: np.where(b >= a, 0, b + 1)),
        ("min_s32", lambda a, b: np.minimum(a.view("i4"), b.view("i4")).view("u4")),
        ("max_u64", lambda a, b: np.maximum(a.view("u8"), b.view("u8")).view("u4")),
        ("add_f32", lambda a, b: a + b),
        ("add_f64", lambda a, b: a + b),
        ("add_f16", lambda a, b: a + b),
        ("min_bf16", lambda a, b: np.where(_brain(a) < _brain(b), a, b)),
    ],
)
def test_bulk_updates(name: str, update: Any) -> None:
    given, before = hopper.CASES[f"reduce_{name}"].made()
    (_, out), record = hopper.execute(f"reduce_{name}")
    assert record.error is None
    assert out.tobytes() == update(given, before).astype(out.dtype).tobytes()


def _brain(data: np.ndarray) -> np.ndarray:
    return (data.astype(np.uint32) << 16).view(np.float32)


# ------------------------------------------------------------------------------------------ tiles


def places(own: Any, where: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """For each element of a tile, in order: whether it is in the array, and the byte at which it begins there.

    Steps of the innermost dimension are ignored (cuTensorMapEncodeTiled).
    """
    size = np.dtype(TYPES[own.dtype]).itemsize
    rank = len(own.sizes)
    steps, strides = (1, *(own.steps or (1,) * rank)[1:]), (size, *own.strides)
    counts = [-(-box // step) for box, step in zip(own.box, steps, strict=True)]
    inside, start = [], []
    for index in itertools.product(*(range(count) for count in reversed(counts))):
        at = [first + k * step for first, k, step in zip(where, reversed(index), steps, strict=True)]
        inside.append(all(0 <= x < most for x, most in zip(at, own.sizes, strict=True)))
        start.append(sum(x * stride for x, stride in zip(at, strides, strict=True)))
    return np.array(inside), np.array(start)


def in_shared(own: Any, count: int) -> np.ndarray:
    """The place in shared memory of each byte of a tile: rows as long as the pattern, bits 4 to 6 xor bits 7 to 9."""
    row = own.box[0] * np.dtype(TYPES[own.dtype]).itemsize
    place = np.arange(count)
    if own.swizzle:
        place = place // row * (16 << own.swizzle) + place % row
    return place ^ ((place >> 7 & {0: 0, 1: 1, 2: 3, 3: 7}[own.swizzle]) << 4)


def loaded(case: Any) -> np.ndarray:
    own, where = case.arguments[0], case.arrays[1].values
    data, dtype = case.made()[0], np.dtype(TYPES[own.dtype])
    inside, start = places(own, where)
    numbers = np.full(len(inside), FILL.get(own.dtype, 0) if own.fill else 0, f"u{dtype.itemsize}")
    for k in np.flatnonzero(inside):
        numbers[k] = data[start[k] : start[k] + dtype.itemsize].view(numbers.dtype)[0]
    if own.dtype in (10, 12):
        numbers = np.where(numbers & 0x7F800000 == 0, numbers & 0x80000000, numbers).astype(np.uint32)
    if own.dtype in (11, 12):
        finite = numbers & np.uint32(0x7F800000) != 0x7F800000
        numbers = numbers + np.where(finite, 0x1000, 0).astype(np.uint32) & np.uint32(0xFFFFE000)
    tile = numbers.view(np.uint8)
    result = np.full(tile.size, 0xEE, np.uint8)
    place = in_shared(own, tile.size)
    result[place[place < tile.size]] = tile[place < tile.size]
    return result[: case.arguments[3][1]]


def stored(case: Any) -> np.ndarray:
    own, where = case.arguments[0], case.arrays[1].values
    data, dtype = case.made()[0], np.dtype(TYPES[own.dtype])
    inside, start = places(own, where)
    count = len(inside) * dtype.itemsize
    shared = case.made()[2].view(np.uint8)
    shared[case.arguments[3][1] :] = 0  # what the kernel does not write begins as zeros
    numbers = shared[in_shared(own, count)].view(dtype)
    update = {"add": np.add, "max": np.maximum, "xor": np.bitwise_xor}.get(case.kernel.split("_")[1])
    with np.errstate(over="ignore"):
        for k in np.flatnonzero(inside):
            old = data[start[k] : start[k] + dtype.itemsize]
            new = update(old.view(dtype), numbers[k : k + 1]) if update else numbers[k : k + 1]
            old[:] = new.astype(dtype).view(np.uint8)
    return data


@pytest.mark.parametrize("name", TILES)
def test_tiles_are_those_of_numpy(name: str) -> None:
    case = hopper.CASES[name]
    arrays, record = hopper.execute(name)
    refused = "interleaved layout" if case.arguments[0].interleave else "multiple of 16 bytes" if "unal" in name else ""
    if refused:
        assert record.error
        assert refused in record.error.message
        return
    assert record.error is None
    if "load" in case.kernel:
        wanted = loaded(case)
        assert arrays[2].view(np.uint8)[: wanted.size].tobytes() == wanted.tobytes()
    else:
        assert arrays[0].tobytes() == stored(case).tobytes()


def test_copies_with_steps_count_the_bytes_that_they_write() -> None:
    """The wait ends at once; it would try 65,536 times."""
    _, record = hopper.execute("load_2_rows")
    assert record.instructions < 20_000


def test_a_tensor_map_that_was_not_encoded() -> None:
    own = hopper.program("async", "tile_load_1").kernel
    _, record = hopper.execute("load_1", parameters=bytes(max(item.offset + item.size for item in own.parameters)))
    assert record.error
    assert record.error.kind in ("illegal", "out of bounds")


@pytest.mark.parametrize(
    ("name", "box", "says"),
    [  # the driver refuses to encode these; a kernel, or a capture, can have the words nevertheless
        ("load_swizzle_32", (256, 24), "rows are longer than its pattern"),
        ("store_swizzle_128", (256, 24), "rows are longer than its pattern"),
        ("load_5", (256, 256, 256, 256, 256), "larger than shared memory"),
        ("load_5", (256, 256, 256, 256, 2), "larger than shared memory"),  # 2^35 bytes, 0 of 32 bits
        ("load_2", (256, 256), "out of bounds"),
    ],
)
def test_a_tile_that_no_memory_has_room_for(
    name: str, box: tuple[int, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = hopper.CASES[name]
    arguments = (replace(case.arguments[0], box=box), *case.arguments[1:])
    monkeypatch.setitem(hopper.CASES, name, replace(case, arguments=arguments))
    _, record = hopper.execute(name)
    assert record.error
    assert says in f"{record.error.kind}: {record.error.message}"


#: thread 0 expects a byte that never comes, and all wait
WAITS = """foretell sass 1
kernel waits
arch 90
registers 8
shared 1032
barriers 1
stack 0
parameters 0x210
code
0000 MOV R0,0x400 ; 0000000000007918 000fc00000000000
0010 MOV R2,0x1ffffe ; 0000000000007918 000fc00000000000
0020 MOV R3,0x7ffff800 ; 0000000000007918 000fc00000000000
0030 MOV R4,0x1 ; 0000000000007918 000fc00000000000
0040 STS.64 [R0],R2 ; 0000000000007918 000fc00000000000
0050 ELECT P1,URZ,PT ; 0000000000007918 000fc00000000000
0060 @P1 SYNCS.ARRIVE.TRANS64 RZ,[R0+URZ],R4 ; 0000000000007918 000fc00000000000
0070 SYNCS.PHASECHK.TRANS64.TRYWAIT P0,[R0+URZ],RZ ; 0000000000007918 000fc00000000000
0080 @!P0 BRA 0x70 ; 0000000000007918 000fc00000000000
0090 EXIT ; 0000000000007918 000fc00000000000
"""


def test_a_phase_that_never_ends_is_a_deadlock() -> None:
    own = complete.program_of(listing.read(WAITS))
    assert not own.refused
    error = complete.execute(own, grid=(1, 1, 1), block=(32, 1, 1)).error
    assert error
    assert error.kind == "deadlock"
    assert "32 lanes at the phase of an mbarrier" in error.waits[0]


def test_more_arrivals_than_expected() -> None:
    own = complete.program_of(listing.read(WAITS.replace("@P1 ", "")))
    error = complete.execute(own, grid=(1, 1, 1), block=(32, 1, 1)).error
    assert error
    assert "more threads arrive at an mbarrier than it expects" in error.message


def test_a_barrier_beside_its_place() -> None:
    own = complete.program_of(listing.read(WAITS.replace("[R0+URZ]", "[R0+URZ+0x4]")))
    error = complete.execute(own, grid=(1, 1, 1), block=(32, 1, 1)).error
    assert error
    assert error.kind == "misaligned"
