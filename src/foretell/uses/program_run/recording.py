"""Writes the launches of a program to a capture (frontends/gpu/capture.py)."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell import files
from foretell.errors import InputError
from foretell.frontends.gpu.capture import (
    BLOCK,
    HEAD,
    MAGIC,
    UNKNOWN,
    Blob,
    Index,
    RecordedArray,
    RecordedBank,
    RecordedLaunch,
)
from foretell.frontends.gpu.recorded_program import RecordedStep, encoded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.gpu.launch import DeviceArray, Launch

CONTENTS = ("none", "index", "all")
#: words of 32 bits below this are indices or counts: a floating-point number that is not 0 has larger ones, but those
#: below 2^-71
_INDEX_LIMIT = 1 << 28
_LEVEL, _WORD = 1, 4
#: launches with equal arguments and other data that are kept, and how much their instructions differ
_VARIANTS, _ALIKE = 16, 0.01


@dataclass(slots=True)
class _Equal:
    """Launches of one kernel with equal grid and arguments: their numbers, and the executed instructions of the
    first."""

    numbers: list[int] = field(default_factory=list)
    instructions: int | None = None
    data_dependent: bool = False

    def note(self, instructions: int) -> None:
        if self.instructions is None:
            self.instructions = instructions
        self.data_dependent |= abs(instructions - self.instructions) > _ALIKE * self.instructions


class Recorder:
    """Gathers what a program does: each kernel with its grid and arguments once, with the memory that its first launch
    met, and the order of all. Where equal launches execute different numbers of instructions, their data differ: then
    up to `_VARIANTS` of them are kept, each with its memory, as many as are predicted (predicting.py)."""

    def __init__(self, contents: str, most_bytes: int) -> None:
        self._contents, self._most = contents, most_bytes
        self._blobs: list[Blob] = []
        self._packed: list[bytes] = []
        self._numbers: dict[str, int] = {}
        self._equal: dict[object, _Equal] = {}
        self._size = 0
        self.launches: list[RecordedLaunch] = []
        self.steps: list[RecordedStep] = []

    def add(
        self, cubin: bytes, launch: Launch, code: bytes | None = None, cluster: tuple[int, int, int] = (1, 1, 1)
    ) -> int:
        """Records a launch, or counts it if it was recorded; its number. `code` is all code of its module."""
        passed = launch.passed
        assert passed is not None
        assert launch.kernel is not None
        key = (launch.kernel, launch.grid, launch.block, launch.shared_bytes, passed.parameters)
        equal = self._equal.setdefault(key, _Equal())
        if equal.numbers and not (equal.data_dependent and len(equal.numbers) < _VARIANTS):
            return self._counted(equal)
        self.launches.append(
            RecordedLaunch(
                kernel=launch.kernel,
                module=self.blob(cubin),
                parameters=self.blob(passed.parameters),
                grid=launch.grid,
                block=launch.block,
                shared=launch.shared_bytes,
                count=1,
                banks=tuple(RecordedBank(bank, self.blob(data)) for bank, data in passed.banks),
                arrays=tuple(self._array(item, passed.arrays) for item in passed.arrays),
                cluster=cluster,
                code=UNKNOWN if code in (None, cubin) else self.blob(code or b""),
            )
        )
        equal.numbers.append(len(self.launches) - 1)
        return equal.numbers[-1]

    def _counted(self, equal: _Equal) -> int:
        number = equal.numbers[-1]
        self.launches[number] = replace(self.launches[number], count=self.launches[number].count + 1)
        return number

    def executed(self, number: int, launch: Launch, stream: int, instructions: int, beyond: Sequence[int]) -> None:
        """Notes what a launch that was added did."""
        assert launch.passed is not None
        key = (launch.kernel, launch.grid, launch.block, launch.shared_bytes, launch.passed.parameters)
        self._equal[key].note(instructions)
        migrated, *others = beyond
        if any(others):
            self.step("beyond", *others)
        self.step("launch", number, stream, instructions, migrated)

    def step(self, kind: str, *numbers: float) -> None:
        """Notes a call of the program; times of the host that follow each other are one."""
        if kind == "advance" and self.steps and self.steps[-1].kind == kind:
            numbers = (self.steps.pop().numbers[0] + numbers[0],)
        self.steps.append(RecordedStep(kind, numbers))

    def _array(self, item: DeviceArray, memory: tuple[DeviceArray, ...]) -> RecordedArray:
        blocks = -(-item.bytes // BLOCK)
        if item.data is None or not self._wanted(item.data, memory):
            return RecordedArray(item.address, item.bytes, item.name, (UNKNOWN,))
        data = item.data
        numbers = tuple(self.blob(data[place * BLOCK : (place + 1) * BLOCK].tobytes()) for place in range(blocks))
        return RecordedArray(item.address, item.bytes, item.name, numbers)

    def _wanted(self, data: NDArray[np.uint8], memory: tuple[DeviceArray, ...]) -> bool:
        """Whether memory is kept: of `index` what holds nothing but indices, counts, and addresses of the program's own
        memory."""
        if self._contents != "index":
            return self._contents == "all"
        if len(data) < _WORD:
            return False
        halves = data[: len(data) // 8 * 8].view(np.uint32).reshape(-1, 2)
        rest = data[len(data) // 8 * 8 : len(data) // 4 * 4].view(np.uint32)
        large = halves[(halves >= _INDEX_LIMIT).any(axis=1)]
        return not (rest >= _INDEX_LIMIT).any() and _addresses(large.copy().view(np.uint64).ravel(), memory)

    def blob(self, data: bytes) -> int:
        """The number of the blob with these bytes, which is added unless an equal one was."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._numbers:
            packed = zlib.compress(data, _LEVEL)
            offset, self._size = self._size, self._size + len(packed)
            if self._size > self._most:
                raise InputError(
                    f"the capture exceeds its limit of {self._most / 2**20:.0f} MiB",
                    hint="--record-limit SIZE raises it; --contents index or none leaves memory out",
                )
            self._numbers[digest] = len(self._blobs)
            self._blobs.append(Blob(offset, len(packed), len(data), digest))
            self._packed.append(packed)
        return self._numbers[digest]

    def write(self, path: Path) -> None:
        """Writes the capture."""
        program = self.blob(encoded(self.steps)) if self.steps else UNKNOWN
        index = Index(tuple(self._blobs), tuple(self.launches), program)
        packed = zlib.compress(json.dumps(asdict(index)).encode(), _LEVEL)
        head = HEAD.pack(MAGIC, len(packed), hashlib.sha256(packed).digest())
        files.write_bytes(path, b"".join((head, packed, *self._packed)))


def _addresses(words: NDArray[np.uint64], memory: tuple[DeviceArray, ...]) -> bool:
    """Whether all words are addresses of this memory, whose addresses ascend."""
    if not words.size:
        return True
    starts = np.array([item.address for item in memory], np.uint64)
    ends = np.array([item.address + item.bytes for item in memory], np.uint64)
    places = np.searchsorted(starts, words, side="right")
    return bool((places > 0).all() and (words < ends[np.maximum(places, 1) - 1]).all())
