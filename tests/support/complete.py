"""Kernels for complete execution: their listings, launches, and what an H200 computed (validation/h200/complete)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import files
from foretell.characterize.gpu import complete
from foretell.core.gpu.image import Address, Bytes, DeviceImage
from foretell.frontends.gpu.sass import listing
from tests.support.modules import load

if TYPE_CHECKING:
    from foretell.core.gpu.sass import SassKernel

FOLDER = Path(__file__).parents[2] / "validation" / "h200" / "complete"
_BASE, _FIRST, _STEP = 0x7E80_0000_0000, 0x7F00_0000_0000, 1 << 24


CASES = {case.name: case for case in load("complete_cases", FOLDER / "cases.py").CASES}
RESULTS = json.loads(files.read_text(FOLDER / "results.json"))


@cache
def kernels(module: str) -> dict[str, SassKernel]:
    """All kernels of a source."""
    _, *texts = files.read_text(FOLDER / f"{module}.sass.xz").split(listing.HEADER)
    return {kernel.name: kernel for kernel in (listing.read(listing.HEADER + text) for text in texts)}


@cache
def image(module: str) -> DeviceImage:
    """The module's memory."""
    data = json.loads((FOLDER / "images.json").read_text(encoding="utf-8"))[module]
    banks = {name: _banks(own) for name, own in data["kernels"].items()}
    return DeviceImage(90, _bytes(data["memory"]), {}, _banks(data["common"]), banks)


def _bytes(data: dict[str, Any]) -> Bytes:
    return Bytes(bytes.fromhex(data["data"]), tuple(Address(*place) for place in data["addresses"]))


def _banks(data: dict[str, Any]) -> dict[int, Bytes]:
    return {int(bank): _bytes(item) for bank, item in data.items()}


@cache
def program(module: str, kernel: str) -> complete.Program:
    return complete.program_of(kernels(module)[kernel])


def execute(
    name: str, arrays: list[np.ndarray] | None = None, **changes: Any
) -> tuple[list[np.ndarray], complete.Record]:
    """The arrays after the launches of a case, and the record of the last; `changes` are of the launch."""
    case = CASES[name]
    arrays = case.arrays() if arrays is None else arrays
    own = image(case.module)
    variables = np.frombuffer(bytearray(own.contents(_BASE)), np.uint8)
    memory = [complete.Region.of(_BASE, variables, name="variables")]
    memory += [complete.Region.of(_FIRST + k * _STEP, array, name=f"array {k}") for k, array in enumerate(arrays)]
    for kernel, arguments in case.all_launches():
        parameters = bytearray()
        for parameter, item in zip(kernels(case.module)[kernel].parameters, arguments, strict=True):
            parameters.extend(bytes(parameter.offset - len(parameters)))
            value = np.uint64(_FIRST + item * _STEP) if isinstance(item, int) else np.array(item[1], item[0])
            parameters += value.tobytes()
        launch = {
            "grid": case.grid,
            "block": case.block,
            "parameters": bytes(parameters),
            "memory": memory,
            "banks": own.banks(kernel, _BASE),
            "dynamic_shared": case.shared,
            "cooperative": case.cooperative,
        }
        record = complete.execute(program(case.module, kernel), **(launch | changes))
        if record.error:
            break
    return arrays, record


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Units in the last place between numbers of one type; NaN equals NaN."""
    kind = np.int32 if a.dtype.itemsize == 4 else np.int64
    x, y = a.view(kind).astype(object), b.view(kind).astype(object)
    low = -(1 << (8 * a.dtype.itemsize - 1))
    x, y = np.where(x < 0, low - x, x), np.where(y < 0, low - y, y)
    return np.where(np.isnan(a) & np.isnan(b), 0, np.abs(x - y)).astype(float)
