"""Executes the cases on the GPU that is here, by the driver: python3 device.py FOLDER_OF_CUBINS OUTPUT.

Writes OUTPUT.FIRST.npz with the bytes of every array that the launch changed (NAME.NUMBER), and of tensor maps with
their addresses (NAME.map, NAME.address).
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
from cases import CASES, Case, Map, Texture

cuda = ctypes.CDLL("libcuda.so.1")


class Attribute(ctypes.Structure):
    _fields_ = (("id", ctypes.c_uint), ("pad", ctypes.c_uint), ("value", ctypes.c_uint * 16))


class Config(ctypes.Structure):
    _fields_ = (
        ("sizes", ctypes.c_uint * 6),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(Attribute)),
        ("count", ctypes.c_uint),
    )


def call(name: str, *arguments: object) -> None:
    code = getattr(cuda, name)(*arguments)
    if code:
        raise RuntimeError(f"{name}: error {code}")


def encoded(own: Map, address: int) -> ctypes.Array:
    """The tensor map, aligned as it must be."""
    room = ctypes.create_string_buffer(256)
    start = (ctypes.addressof(room) + 63) // 64 * 64
    rank = len(own.sizes)
    call(
        "cuTensorMapEncodeTiled", ctypes.c_void_p(start), own.dtype, rank, ctypes.c_void_p(address),
        (ctypes.c_uint64 * rank)(*own.sizes), (ctypes.c_uint64 * max(rank - 1, 1))(*own.strides),
        (ctypes.c_uint32 * rank)(*own.box), (ctypes.c_uint32 * rank)(*(own.steps or (1,) * rank)),
        own.interleave, own.swizzle, 0, own.fill,
    )  # fmt: skip
    return (ctypes.c_char * 128).from_buffer_copy(ctypes.string_at(start, 128))


#: bytes of an element by its format
SIZES = {0x01: 1, 0x0A: 4, 0x10: 2, 0x20: 4}


def textured(own: Texture, address: int) -> ctypes.c_uint64:
    """A texture object (CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC of the driver)."""
    resource, how, result = (ctypes.c_uint32 * 36)(), (ctypes.c_uint32 * 26)(), ctypes.c_uint64()
    size = SIZES[own.format] * own.channels
    resource[0] = 3 if own.height else 2
    resource[2], resource[3], resource[4], resource[5] = address & 0xFFFFFFFF, address >> 32, own.format, own.channels
    if own.height:
        resource[6], resource[8], resource[10] = own.width, own.height, own.pitch
    else:
        resource[6] = own.width * size
    how[0], how[1], how[2], how[3], how[4] = *own.modes, own.modes[1], own.filter, own.flags
    call("cuTexObjectCreate", ctypes.byref(result), ctypes.byref(resource), ctypes.byref(how), None)
    return result


def argument(item: object, places: list[ctypes.c_uint64]) -> object:
    if isinstance(item, int):
        return places[item]
    if isinstance(item, Map):
        return encoded(item, places[item.array].value)
    if isinstance(item, Texture):
        return textured(item, places[item.array].value)
    dtype, value = item
    return {"i4": ctypes.c_int32, "u8": ctypes.c_uint64}[dtype](value)


def execute(case: Case, cubin: bytes) -> dict[str, np.ndarray]:
    """The arrays that the launch changed, and the tensor map."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), cubin)
    call("cuModuleGetFunction", ctypes.byref(function), module, case.kernel.encode())
    arrays, places = case.made(), []
    for array in arrays:
        place = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(max(array.nbytes, 16)))
        call("cuMemcpyHtoD_v2", place, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        places.append(place)
    values = [argument(item, places) for item in case.arguments]
    pointers = (ctypes.c_void_p * len(values))(
        *(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in values)
    )
    attribute = Attribute(4, 0, (ctypes.c_uint * 16)(*case.cluster))
    config = Config(
        (ctypes.c_uint * 6)(*case.grid, *case.block),
        case.shared,
        None,
        ctypes.pointer(attribute),
        int(case.cluster != (1, 1, 1)),
    )
    call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)
    call("cuCtxSynchronize")
    result = {}
    for number, (array, place) in enumerate(zip(arrays, places, strict=True)):
        after = np.empty_like(array)
        call("cuMemcpyDtoH_v2", after.ctypes.data_as(ctypes.c_void_p), place, ctypes.c_size_t(array.nbytes))
        call("cuMemFree_v2", place)
        if after.tobytes() != array.tobytes():
            result[f"{case.name}.{number}"] = after
    for value, item in zip(values, case.arguments, strict=True):
        if isinstance(item, Map):
            result[f"{case.name}.map"] = np.frombuffer(bytes(value), np.uint8)
            result[f"{case.name}.address"] = np.array([places[item.array].value], np.uint64)
    call("cuModuleUnload", module)
    return result


def begin() -> None:
    context, device = ctypes.c_void_p(), ctypes.c_int()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)


def run_from(first: int, folder: Path, output: str) -> None:
    """Runs cases until the last, or until one breaks the context: its number is the exit code less 1."""
    begin()
    kept: dict[str, np.ndarray] = {}
    failed = 0
    for number, case in enumerate(CASES[first:], first):
        try:
            kept.update(execute(case, (folder / f"{case.module}.cubin").read_bytes()))
        except RuntimeError as error:  # the others go on, in another process after a fault
            print(case.name, "failed:", error, flush=True)
            if "Synchronize" in str(error):
                failed = number + 1
                break
    np.savez_compressed(f"{output}.{first}.npz", **kept)
    print(first, len(kept), "arrays", flush=True)
    sys.exit(failed)


def main() -> None:
    folder, output = Path(sys.argv[1]), sys.argv[2]
    if len(sys.argv) > 3:
        run_from(int(sys.argv[3]), folder, output)
    first = 0
    while first < len(CASES):
        try:
            code = subprocess.run(
                [sys.executable, __file__, str(folder), output, str(first)], timeout=30, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            print("a case after", first, "hangs")
            break
        if code <= first:
            break
        first = code


main()
