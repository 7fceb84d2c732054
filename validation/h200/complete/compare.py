"""Compares complete execution with the results of a GPU: python validation/h200/complete/compare.py RESULTS [NAME …]"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from cases import CASES, Case

from foretell.characterize.gpu import complete
from foretell.frontends.gpu.binary.image import device_image
from foretell.frontends.gpu.binary.nvcc import compile_source
from foretell.frontends.gpu.sass.kernels import decode_all

HERE = Path(__file__).parent


def modules() -> dict[str, tuple[dict, object]]:
    """Kernels and image of each source."""
    found = {}
    for name in ("integer", "floating"):
        cubin = compile_source(HERE / f"{name}.cu", 90)
        found[name] = ({kernel.name: kernel for kernel in decode_all(cubin)}, device_image(cubin))
    return found


def execute(case: Case, module: tuple[dict, object], threads: int = 0) -> tuple[list[np.ndarray], complete.Record]:
    """The arrays after the launches, and the record of the last."""
    kernels, image = module
    arrays = case.arrays()
    places, variables = {}, np.frombuffer(bytearray(image.contents(0x7E80_0000_0000)), np.uint8)
    memory = [complete.Region.of(0x7E80_0000_0000, variables, name="variables")] if image.size else []
    for number, array in enumerate(arrays):
        places[number] = 0x7F00_0000_0000 + number * (1 << 24)
        memory.append(complete.Region.of(places[number], array, name=f"array {number}"))
    for name, arguments in case.all_launches():
        parameters = bytearray()
        for parameter, item in zip(kernels[name].parameters, arguments, strict=True):
            parameters.extend(bytes(parameter.offset - len(parameters)))
            parameters += (
                np.uint64(places[item]).tobytes() if isinstance(item, int) else np.array(item[1], item[0]).tobytes()
            )
        record = complete.execute(
            complete.program_of(kernels[name]),
            grid=case.grid,
            block=case.block,
            parameters=bytes(parameters),
            memory=memory,
            banks=image.banks(name, 0x7E80_0000_0000),
            dynamic_shared=case.shared,
            cooperative=case.cooperative,
            threads=threads,
        )
        if record.error:
            break
    return arrays, record


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Units in the last place between numbers; NaN equals NaN."""
    kind = np.int32 if a.dtype.itemsize == 4 else np.int64
    x, y = a.view(kind).astype(object), b.view(kind).astype(object)
    low = -(1 << (8 * a.dtype.itemsize - 1))
    x, y = np.where(x < 0, low - x, x), np.where(y < 0, low - y, y)
    return np.where(np.isnan(a) & np.isnan(b), 0, np.abs(x - y)).astype(float)


def main() -> None:
    expected = np.load(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1] != "-" else {}
    wanted = sys.argv[2:]
    own = modules()
    for case in CASES:
        if wanted and case.name not in wanted:
            continue
        arrays, record = execute(case, own[case.module])
        status = [record.error.message] if record.error else []
        for number, array in enumerate(arrays):
            key = f"{case.name}.{number}"
            if key not in expected:
                continue
            there = expected[key]
            if array.tobytes() == there.tobytes():
                continue
            differ = (
                np.flatnonzero(array != there) if array.dtype.kind != "f" else np.flatnonzero(distance(array, there))
            )
            worst = f", {distance(array, there).max():.3g} ulp" if array.dtype.kind == "f" else ""
            status.append(f"array {number}: {len(differ)} of {array.size} differ{worst}, first {differ[:3]}")
        print(f"{case.name:22} {record.instructions:9} {'; '.join(status) or 'equal'}", flush=True)
        if record.printed:
            print(record.printed)


if __name__ == "__main__":
    main()
