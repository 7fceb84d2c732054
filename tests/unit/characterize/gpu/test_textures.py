"""Textures and surfaces in complete execution, against the formulas of the CUDA programming guide in numpy."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from foretell.characterize.gpu import complete
from tests.support import hopper

SAMPLED = sorted(
    name
    for name, case in hopper.CASES.items()
    if case.kernel.startswith(("sample_2", "gather")) and "level" not in name
)
FORMATS = {0x01: "u1", 0x0A: "i4", 0x10: "f2", 0x20: "f4"}


def image(case: Any) -> np.ndarray:
    """Rows, columns and channels of the texture, as they are read."""
    own = case.arguments[0]
    dtype = np.dtype(FORMATS[own.format])
    rows = case.made()[0].view(np.uint8)[: own.pitch * own.height].reshape(own.height, own.pitch)
    data = np.ascontiguousarray(rows[:, : own.width * own.channels * dtype.itemsize]).view(dtype)
    result = data.reshape(own.height, own.width, own.channels).astype(float)
    return result / 255 if own.format == 0x01 and not own.flags & 1 else result


def index(own: Any, at: np.ndarray, size: int, mode: int) -> np.ndarray:
    """The element of a coordinate; -1 is the border."""
    if mode == 3:
        return np.where((at >= 0) & (at < size), at, -1)
    if mode == 1 or not own.flags & 2:
        return np.clip(at, 0, size - 1)
    if mode == 0:
        return at % size
    inside = at % (2 * size)
    return np.where(inside < size, inside, 2 * size - 1 - inside)


def elements(own: Any, data: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x, y = index(own, x, own.width, own.modes[0]), index(own, y, own.height, own.modes[1])
    outside = (x < 0) | (y < 0)
    return np.where(outside[:, None], 0, data[np.maximum(y, 0), np.maximum(x, 0)])


def sampled(case: Any) -> np.ndarray:
    own, data = case.arguments[0], image(case)
    at = case.made()[1].reshape(-1, 2).astype(float)
    if own.flags & 2:
        at = at * [own.width, own.height]
    if not own.filter:
        low = np.floor(at).astype(int)
        return elements(own, data, low[:, 0], low[:, 1])
    at = np.round(at * 256).astype(int) - 128  # weights of 8 bits
    low, (x, y) = at >> 8, (at & 255).T
    both = x * y + 128 >> 8
    shares = np.array([[256 - x - y + both, y - both], [x - both, both]]) / 256
    result = np.zeros((len(at), data.shape[2]))
    for right, down in np.ndindex(2, 2):
        result += shares[right, down][:, None] * elements(own, data, low[:, 0] + right, low[:, 1] + down)
    if own.format == 0x10:
        return result.astype(np.float16)
    if own.format == 0x01:
        return (np.round(result * 65280).astype(int) * 257 + 128 >> 8) / 65535
    return result


@pytest.mark.parametrize("name", [name for name in SAMPLED if name != "gather"])
def test_samples_are_those_of_the_guide(name: str) -> None:
    case = hopper.CASES[name]
    arrays, record = hopper.execute(name)
    assert record.error is None
    wanted = sampled(case)
    result = arrays[2].reshape(len(wanted), -1)[:, : wanted.shape[1]]
    if arrays[2].dtype.kind == "i":
        assert (result == wanted.astype(np.int64)).all()
    else:
        assert np.abs(result - wanted).max() < 1e-6


def test_the_four_elements_around_a_place() -> None:
    case = hopper.CASES["gather"]
    arrays, record = hopper.execute("gather")
    assert record.error is None
    own, data = case.arguments[0], image(case)
    low = np.floor(case.made()[1].reshape(-1, 2) - 0.5).astype(int)
    for k, (right, down) in enumerate(((0, 1), (1, 1), (1, 0), (0, 0))):
        wanted = elements(own, data, low[:, 0] + right, low[:, 1] + down)[:, 0]
        assert (arrays[2].reshape(-1, 4)[:, k] == wanted).all()


def test_fetches_beyond_the_end_are_zero() -> None:
    (given, places, out), record = hopper.execute("fetch")
    assert record.error is None
    inside = (places >= 0) & (places < 48)
    assert (out == np.where(inside, given[np.clip(places, 0, 47)], 0)).all()
    (given, _, out), record = hopper.execute("fetch_bytes")
    assert record.error is None
    wanted = np.where(inside[:, None], given.reshape(-1, 4)[np.clip(places, 0, 47)], 0)
    assert (out.reshape(-1, 4) == wanted).all()


def test_a_level_of_an_image_without_levels() -> None:
    assert (hopper.execute("sample_level")[0][2] == hopper.execute("sample_2_clamp_linear")[0][2]).all()


# ------------------------------------------------------------------------------------------ surfaces and layers


def launch(kernel: str, objects: list[np.ndarray], arrays: list[np.ndarray], values: list[int]) -> complete.Record:
    """A kernel with texture objects, then arrays that follow the images in memory, then numbers."""
    own = hopper.program("textures", kernel)
    memory = [complete.Region.of(hopper.FIRST + k * hopper.STEP, array) for k, array in enumerate(arrays)]
    places = [hopper.OBJECTS + 4096 * k for k in range(len(objects))]
    memory += [complete.Region.of(place, item) for place, item in zip(places, objects, strict=True)]
    passed = [*places, *values]
    parameters = bytearray()
    for parameter, item in zip(own.kernel.parameters, passed, strict=True):
        parameters.extend(bytes(parameter.offset - len(parameters)))
        parameters += struct.pack("<Q" if parameter.size == 8 else "<i", item)
    return complete.execute(
        own, grid=(2, 1, 1), block=(64, 1, 1), parameters=bytes(parameters), memory=memory, banks={}
    )


def rows(array: int, width: int, height: int, pitch: int, *, format_: int = 0x20, channels: int = 1) -> Any:
    return hopper.cases.Texture(array, format_, channels, width, height, pitch)


def test_surfaces_are_read_and_written() -> None:
    """Beyond their border: nothing is read or written."""
    first, second = np.arange(16 * 64, dtype=np.float32), np.full(64 * 32, -1, np.float32)
    places = np.array([[x, y] for y in range(-1, 17) for x in range(-1, 9)], np.int32)
    objects = [hopper.texture_object(rows(0, 8, 16, 256)), hopper.texture_object(rows(1, 16, 8, 128))]
    record = launch(
        "surface_2", objects, [first, second, places.ravel()], [hopper.FIRST + 2 * hopper.STEP, len(places)]
    )
    assert record.error is None
    wanted = np.full((64, 32), -1, np.float32)
    wanted[:8, :16] = first.reshape(16, 64)[:, :8].T * 2 + 1
    assert (second.reshape(64, 32) == wanted).all()


@pytest.mark.parametrize("count", [32, 33])
def test_a_surface_traps_or_takes_the_nearest(count: int) -> None:
    first, second = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    objects = [hopper.texture_object(rows(k, size, 0, 0, format_=0x0A, channels=4)) for k, size in ((0, 32), (1, 16))]
    record = launch("surface_1_trap", objects, [first, second], [count])
    if count > 32:
        assert record.error
        assert record.error.kind == "out of bounds"
        return
    assert record.error is None
    wanted = first.reshape(32, 4).copy()
    wanted[:, 0] += wanted[:, 3]
    assert (second.reshape(32, 4)[:15] == wanted[:15]).all()
    assert second.reshape(32, 4)[15].tolist() in wanted[15:].tolist()  # all beyond it were written there
    assert not second.reshape(32, 4)[16:].any()


def test_a_surface_of_three_dimensions() -> None:
    out = np.zeros(4 * 4 * 32, np.uint8)
    cube = hopper.texture_object(rows(0, 8, 4, 32, format_=0x01), depth=4)
    record = launch("surface_3_bytes", [cube], [out], [128])
    assert record.error is None
    k = np.arange(128).reshape(4, 4, 8)
    assert (out.reshape(4, 4, 32)[:, :, :8] == (k * 3).astype(np.uint8)).all()


def test_layers_and_volumes() -> None:
    data = np.arange(3 * 4 * 8, dtype=np.float32)
    places = np.array([[x + 0.5, y + 0.5, z, 0] for z in range(4) for y in range(4) for x in range(8)], np.float32)
    for kernel, shift in (("sample_layer", 0.0), ("sample_3", 0.5)):
        out = np.zeros(128, np.float32)
        own = places + np.array([0, 0, shift, 0], np.float32)
        cube = hopper.texture_object(rows(0, 8, 4, 32), depth=3)
        numbers = [hopper.FIRST + hopper.STEP, hopper.FIRST + 2 * hopper.STEP, 128]
        record = launch(kernel, [cube], [data, own.ravel(), out], numbers)
        assert record.error is None
        assert (out.reshape(4, 4, 8)[:3] == data.reshape(3, 4, 8)).all()
        assert (out.reshape(4, 4, 8)[3] == data.reshape(3, 4, 8)[2]).all()  # the last one


def test_an_object_that_does_not_exist() -> None:
    record = launch("surface_3_bytes", [np.zeros(112, np.uint8)], [np.zeros(64, np.uint8)], [128])
    assert record.error
    assert "texture or surface that does not exist" in record.error.message
