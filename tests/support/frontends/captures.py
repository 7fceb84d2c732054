"""Captures that tests make: a program that copies, launches and copies back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.uses.program_run.recording import Recorder

if TYPE_CHECKING:
    from pathlib import Path

_PAGEABLE, _DEVICE, _BASE = 0, 2, 0x7000_0000


def vector_addition(path: Path, cubin: bytes, count: int = 1 << 16) -> Path:
    """A capture of `vecadd` of tests/data/sass/simple.cu over so many elements, with copies, and 1 ms of the host."""
    size = 4 * count
    arrays = tuple(DeviceArray(_BASE + place * size, size, f"a{place}") for place in range(3))
    pointers = np.array([item.address for item in arrays], np.uint64).tobytes()
    passed = PassedArguments(pointers + count.to_bytes(4, "little"), arrays, ())
    launch = Launch("vecadd", (count // 256, 1, 1), (256, 1, 1), passed=passed)
    recorder = Recorder("none", 1 << 24)
    recorder.step("advance", 1e-3)
    recorder.step("copy", 0, _PAGEABLE, _DEVICE, size, 0)
    for _ in range(3):
        recorder.executed(recorder.add(cubin, launch), launch, 0, 10 * count // 32, (0,))
    recorder.step("copy", 0, _DEVICE, _PAGEABLE, size, 0)
    recorder.write(path)
    return path
