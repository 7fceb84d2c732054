"""Executes the cases on the GPU that is here, by the driver: python3 device.py FOLDER_OF_CUBINS OUTPUT.

Writes OUTPUT.json, the SHA-256 of every array after the launches, and OUTPUT.npz with its bytes.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from cases import CASES, Case

cuda = ctypes.CDLL("libcuda.so.1")


def call(name: str, *arguments: object) -> None:
    code = getattr(cuda, name)(*arguments)
    if code:
        raise RuntimeError(f"{name}: error {code}")


def execute(case: Case, cubin: bytes) -> list[np.ndarray]:
    """The arrays after the launches."""
    module = ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), cubin)
    arrays, places = case.arrays(), []
    for array in arrays:
        place = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(max(array.nbytes, 16)))
        call("cuMemcpyHtoD_v2", place, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        places.append(place)
    for kernel, arguments in case.all_launches():
        function = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        values = [places[item] if isinstance(item, int) else number(*item) for item in arguments]
        pointers = (ctypes.c_void_p * len(values))(
            *(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in values)
        )
        launch = "cuLaunchCooperativeKernel" if case.cooperative else "cuLaunchKernel"
        tail = () if case.cooperative else (None,)
        call(launch, function, *case.grid, *case.block, case.shared, None, pointers, *tail)
        call("cuCtxSynchronize")
    for array, place in zip(arrays, places, strict=True):
        call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), place, ctypes.c_size_t(array.nbytes))
        call("cuMemFree_v2", place)
    call("cuModuleUnload", module)
    return arrays


def number(dtype: str, value: float) -> ctypes._SimpleCData:
    return {"i4": ctypes.c_int32, "f4": ctypes.c_float}[dtype](int(value) if dtype == "i4" else value)


def main() -> None:
    folder, output = Path(sys.argv[1]), sys.argv[2]
    context, device = ctypes.c_void_p(), ctypes.c_int()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    hashes, kept = {}, {}
    for case in CASES:
        try:
            arrays = execute(case, (folder / f"{case.module}.cubin").read_bytes())
        except Exception as error:  # the others go on
            print(case.name, "failed:", error, flush=True)
            continue
        inputs = case.arrays()
        changed = {
            k: after
            for k, (before, after) in enumerate(zip(inputs, arrays, strict=True))
            if before.tobytes() != after.tobytes()
        }
        hashes[case.name] = {str(k): hashlib.sha256(array.tobytes()).hexdigest()[:16] for k, array in changed.items()}
        kept.update({f"{case.name}.{k}": array for k, array in changed.items()})
        Path(output + ".json").write_text(json.dumps(hashes, indent=1))
    np.savez_compressed(output + ".npz", **kept)
    print(len(hashes), "cases of", len(CASES), flush=True)


main()
