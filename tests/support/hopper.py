"""Kernels with asynchronous copies, warpgroups and clusters: listings, launches and results of an H200
(validation/h200/hopper)."""

from __future__ import annotations

import math
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import files
from foretell.characterize.gpu import complete
from foretell.frontends.gpu.sass import listing
from tests.support.modules import load

if TYPE_CHECKING:
    from foretell.core.gpu.sass import SassKernel

FOLDER = Path(__file__).parents[2] / "validation" / "h200" / "hopper"
FIRST, STEP = 0x7F00_0000_0000, 1 << 24


cases = load("hopper_cases", FOLDER / "cases.py")
CASES = {case.name: case for case in cases.CASES}


@cache
def kernels(module: str) -> dict[str, SassKernel]:
    """All kernels of a source."""
    _, *texts = files.read_text(FOLDER / f"{module}.sass.xz").split(listing.HEADER)
    return {kernel.name: kernel for kernel in (listing.read(listing.HEADER + text) for text in texts)}


@cache
def program(module: str, kernel: str) -> complete.Program:
    return complete.program_of(kernels(module)[kernel])


#: bytes and code in a tensor map of each CUtensorMapDataType; TF32 is FP32 with a mark
_TYPES = ((1, 0), (2, 1), (4, 2), (4, 3), (8, 4), (8, 5), (2, 6), (4, 7), (8, 9), (2, 10), (4, 8), (4, 7), (4, 8))


def encoded(own: Any, address: int) -> bytes:
    """A tensor map, as the driver of an H200 writes it."""
    rank, (size, code) = len(own.sizes), _TYPES[own.dtype]
    steps = own.steps or (1,) * rank
    boxes = bytes([0, 0, 0, *(box - 1 for box in own.box)]).ljust(8, b"\0")
    packed = sum((step - 1) << 3 * k for k, step in enumerate(steps)) | int.from_bytes(boxes, "little")
    tile = size * math.prod(box // step for box, step in zip(own.box, steps, strict=True)) % 2**32
    how = (rank - 1) << 4 | code << 7 | own.interleave << 11 | own.swizzle << 13 | own.fill << 15
    how |= (own.dtype >= 11) << 16
    strides = [stride >> 4 for stride in own.strides] + [0] * (4 - len(own.strides))
    sizes = [most - 1 for most in own.sizes] + [0] * (5 - rank)
    pattern = 0x80 << own.swizzle if own.swizzle else 0x10
    return struct.pack("<QI4I4x5IQ4xI4xI", address, how, *strides, *sizes, packed, tile, pattern).ljust(128, b"\0")


#: kind and bytes of a channel by CUarray_format: 0 unsigned, 1 signed, 2 floating point
_FORMATS = {
    0x01: (0, 1),
    0x02: (0, 2),
    0x03: (0, 4),
    0x08: (1, 1),
    0x09: (1, 2),
    0x0A: (1, 4),
    0x10: (2, 2),
    0x20: (2, 4),
}
OBJECTS = FIRST + 100 * STEP


def texture_object(own: Any, *, depth: int = 0, border: tuple[float, ...] = (0.0,) * 4) -> np.ndarray:
    """A texture object as the stand-in libraries write it into device memory (cpp/gpu/texture.hpp)."""
    kind, size = _FORMATS[own.format]
    fraction = kind != 2 and size < 4 and not own.flags & 1
    data = struct.pack(
        "<16s3Q3I3I3I3I4f", b"foretell texture", FIRST + own.array * STEP, own.pitch, own.pitch * max(own.height, 1),
        own.width, own.height, depth, kind, size, own.channels, *own.modes, own.modes[1], own.filter,
        bool(own.flags & 2), fraction, *border,
    )  # fmt: skip
    return np.frombuffer(bytearray(data), np.uint8)


def _value(item: Any) -> bytes:
    if isinstance(item, int):
        return struct.pack("<Q", FIRST + item * STEP)
    if isinstance(item, cases.Map):
        return encoded(item, FIRST + item.array * STEP)
    if isinstance(item, cases.Texture):
        return struct.pack("<Q", OBJECTS)
    dtype, value = item
    return struct.pack({"i4": "<i", "u8": "<Q"}[dtype], value)


def execute(name: str, **changes: Any) -> tuple[list[np.ndarray], complete.Record]:
    """The arrays after the launch of a case; `changes` are of the launch."""
    case = CASES[name]
    own = program(case.module, case.kernel)
    arrays = case.made()
    memory = [complete.Region.of(FIRST + k * STEP, array, name=f"array {k}") for k, array in enumerate(arrays)]
    for item in case.arguments:
        if isinstance(item, cases.Texture):
            memory.append(complete.Region.of(OBJECTS, texture_object(item), name="the texture"))
    parameters = bytearray()
    for parameter, item in zip(own.kernel.parameters, case.arguments, strict=True):
        parameters.extend(bytes(parameter.offset - len(parameters)))
        parameters += _value(item)
    launch = {
        "grid": case.grid,
        "block": case.block,
        "parameters": bytes(parameters),
        "memory": memory,
        "banks": {},
        "dynamic_shared": case.shared,
        "cluster": case.cluster,
    }
    return arrays, complete.execute(own, **(launch | changes))
