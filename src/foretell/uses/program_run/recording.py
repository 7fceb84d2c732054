"""Writes the launches of a program to a capture (frontends/gpu/capture.py)."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import asdict, replace
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

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.gpu.launch import DeviceArray, Launch

CONTENTS = ("none", "index", "all")
#: words of 32 bits below this are indices or counts: a floating-point number that is not 0 has larger ones, but those
#: below 2^-71
_INDEX_LIMIT = 1 << 28
_LEVEL, _WORD = 1, 4


class Recorder:
    """Gathers launches: each kernel with its grid and arguments once, with the memory that its first launch met."""

    def __init__(self, contents: str, most_bytes: int) -> None:
        self._contents, self._most = contents, most_bytes
        self._blobs: list[Blob] = []
        self._packed: list[bytes] = []
        self._numbers: dict[str, int] = {}
        self._places: dict[object, int] = {}
        self._size = 0
        self.launches: list[RecordedLaunch] = []

    def add(self, cubin: bytes, launch: Launch) -> None:
        """Records a launch, or counts it if it was recorded."""
        passed = launch.passed
        assert passed is not None
        assert launch.kernel is not None
        key = (launch.kernel, launch.grid, launch.block, launch.shared_bytes, passed.parameters)
        if key in self._places:
            place = self._places[key]
            self.launches[place] = replace(self.launches[place], count=self.launches[place].count + 1)
            return
        self._places[key] = len(self.launches)
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
            )
        )

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
        index = Index(tuple(self._blobs), tuple(self.launches))
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
