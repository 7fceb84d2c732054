"""Captures: files of the launches of a CUDA program, with their machine code, arguments and memory.

A file begins with `MAGIC`, whose last byte is the version, the length of its index and the index's SHA-256; then comes
the index, JSON in zlib; then blobs, each in zlib. The index lists the blobs (offset after the index, packed and plain
size, SHA-256 of the plain bytes) and the launches; memory is cut into blocks, each a blob, so that what several
launches share is stored once. A block of which nothing is known has the number `UNKNOWN`. What the program did around
its launches is one more blob (recorded_program.py).
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from foretell import decoding, files, limits, units
from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.recorded_program import decoded as decoded_steps
from foretell.frontends.gpu.sass.kernels import decode_kernel

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.frontends.gpu.recorded_program import RecordedStep

SUFFIX = ".capture"
VERSION = 3
#: version 1 had no measured times, version 2 nothing but launches
_READABLE = (1, 2, VERSION)
MAGIC = b"FTCAPT\0" + bytes([VERSION])
HEAD = struct.Struct("<8sQ32s")
#: the bank of the user's constant variables; the others belong to the code
CONSTANT_BANK = 3
#: bytes of a block of memory, and the number of an unknown one
BLOCK, UNKNOWN = 1 << 18, -1
#: the largest index, packed and plain
_LARGEST_INDEX = 256 << 20
#: numbers of the index that may be UNKNOWN
_SIGNED = frozenset({"blocks", "code", "program"})


@dataclass(frozen=True)
class Blob:
    """A block of bytes in the file: offset, packed and unpacked size, SHA-256."""

    offset: int
    packed: int
    size: int
    hash: str


@dataclass(frozen=True)
class RecordedArray:
    """An allocation: its blocks are numbers of blobs; of one with an unknown block nothing is known."""

    address: int
    bytes: int
    name: str
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class RecordedBank:
    """A constant bank."""

    bank: int
    blob: int


@dataclass(frozen=True)
class RecordedLaunch:
    """A launch that the program made `count` times: `module` and `parameters` are numbers of blobs. `measured_s` is its
    median time on the GPU that it was recorded on. `code` is all code of its module, for other architectures, too."""

    kernel: str
    module: int
    parameters: int
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    count: int
    banks: tuple[RecordedBank, ...]
    arrays: tuple[RecordedArray, ...]
    measured_s: float | None = None
    cluster: tuple[int, int, int] = (1, 1, 1)
    code: int = UNKNOWN


@dataclass(frozen=True)
class Index:
    """What a capture holds; `program` is the blob of what the program did, in order."""

    blobs: tuple[Blob, ...]
    launches: tuple[RecordedLaunch, ...]
    program: int = UNKNOWN


class Capture:
    """An opened capture; bytes are checked when they are taken."""

    def __init__(self, path: Path) -> None:
        self._data = files.read_bytes(path, limits.memory_bytes(), limits.MORE_MEMORY)
        self._path = path
        try:
            self.index, self._begin = self._read_index()
        except InputError as error:
            raise error.at(path) from None

    def _read_index(self) -> tuple[Index, int]:
        if len(self._data) < HEAD.size:
            raise InputError("is no capture, or cut off")
        magic, size, checksum = HEAD.unpack_from(self._data)
        if magic[:-1] != MAGIC[:-1]:
            raise InputError("is no capture", hint="foretell run --record FILE, and foretell record, write one")
        if magic[-1] not in _READABLE:
            raise InputError(f"is a capture of version {magic[-1]}; this foretell reads version {VERSION}")
        packed = self._data[HEAD.size : HEAD.size + size]
        if len(packed) != size:
            raise InputError("is cut off")
        if size > _LARGEST_INDEX or hashlib.sha256(packed).digest() != checksum:
            raise InputError("is damaged: the checksum of its index does not fit")
        text = _expanded(packed, _LARGEST_INDEX)
        document = files.parse_json(text.decode(errors="replace"))
        return decoding.decoded(Index, document, "index", _SIGNED), HEAD.size + size

    def blob(self, number: int) -> bytes:
        """The bytes of a blob."""
        if not 0 <= number < len(self.index.blobs):
            raise InputError(f"is damaged: there is no blob {number}", file=self._path)
        item = self.index.blobs[number]
        begin = self._begin + item.offset
        packed = self._data[begin : begin + item.packed]
        if len(packed) != item.packed:
            raise InputError("is cut off", file=self._path)
        data = _expanded(packed, item.size)
        if len(data) != item.size or hashlib.sha256(data).hexdigest() != item.hash:
            raise InputError(f"is damaged: the checksum of blob {number} does not fit", file=self._path)
        return data

    @cached_property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What the program did, in order; nothing if only its launches were recorded."""
        if self.index.program == UNKNOWN:
            return ()
        try:
            return decoded_steps(self.blob(self.index.program), len(self.index.launches))
        except InputError as error:
            raise error.at(self._path) from None

    def launch(self, number: int) -> Launch:
        """A launch with its arguments and memory."""
        item = self.index.launches[number]
        try:
            grid, block = (_three(sizes) for sizes in (item.grid, item.block))
        except InputError as error:
            raise error.at(self._path) from None
        arrays = tuple(map(self.array, sorted(item.arrays, key=lambda array: array.address)))
        banks = tuple((entry.bank, self.blob(entry.blob)) for entry in item.banks)
        passed = PassedArguments(self.blob(item.parameters), arrays, banks, self._digest(item))
        return Launch(item.kernel, grid, block, shared_bytes=item.shared, passed=passed)

    def _digest(self, item: RecordedLaunch) -> str:
        """Hash of a launch's arguments and of the memory that its arrays point to."""
        numbers = [item.parameters, *(entry.blob for entry in item.banks)]
        numbers += [number for array in item.arrays for number in array.blocks if number != UNKNOWN]
        hashes = [self.index.blobs[number].hash for number in numbers if 0 <= number < len(self.index.blobs)]
        places = [[array.address, array.bytes, array.blocks] for array in item.arrays]
        return files.content_hash(json.dumps([hashes, places]).encode())

    def array(self, item: RecordedArray) -> DeviceArray:
        """An allocation with its bytes; of one with unknown blocks none are known."""
        if len(item.blocks) != -(-item.bytes // BLOCK) or UNKNOWN in item.blocks:
            return DeviceArray(item.address, item.bytes, item.name)
        limits.require_bytes(item.bytes, f"{item.name} of {self._path}")
        data: NDArray[np.uint8] = np.frombuffer(b"".join(map(self.blob, item.blocks)), dtype=np.uint8)
        if len(data) != item.bytes:
            raise InputError(f"is damaged: {item.name} has {len(data)} bytes, not {item.bytes}", file=self._path)
        return DeviceArray(item.address, item.bytes, item.name, data)


def _expanded(packed: bytes, most: int) -> bytes:
    """Bytes of zlib, at most so many."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, most)
    except zlib.error as error:
        raise InputError(f"is damaged: {error}") from None
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise InputError("is damaged: more bytes than its index says")
    return data


def read_workloads(path: Path, kernel: str | None = None) -> tuple[Workload, ...]:
    """The launches of a capture, or those of a kernel (`scale #2`: its second); each starts after those before it."""
    capture = Capture(path)
    names = [_names(capture, number) for number in range(len(capture.index.launches))]
    if kernel is not None and not any(kernel in known for known in names):
        raise InputError(f"no launch of {kernel!r}{nearest(kernel, [known[0] for known in names])}", file=path)
    facets: list[Warps] = []
    result = []
    for number, item in enumerate(capture.index.launches):
        facet = Warps(decode_kernel(capture.blob(item.module), item.kernel), capture.launch(number))
        start = "after" if facets else "cold"
        whole = Warps(facet.kernel, replace(facet.launch, start=start), tuple(facets[-1:]))
        facets.append(facet)
        if kernel is None or kernel in names[number]:
            result.append(_workload(path, capture, number, whole))
    return tuple(result)


def read_launches(path: Path) -> tuple[Launch, ...]:
    """The launches of a capture for code of another version: with arguments, memory and the user's constants, and by
    the plain names of their kernels. Those with most work come first: blocks, as often as they were launched."""
    capture = Capture(path)
    items = capture.index.launches
    order = sorted(range(len(items)), key=lambda number: -math.prod(items[number].grid) * items[number].count)
    named: Counter[str] = Counter()
    result = []
    for number in order:
        launch, kernel = capture.launch(number), plain_name(items[number].kernel)
        assert launch.passed is not None
        named[kernel] += 1
        name = kernel if named[kernel] == 1 else f"{kernel} #{named[kernel]}"
        banks = tuple(item for item in launch.passed.banks if item[0] == CONSTANT_BANK)
        result.append(replace(launch, kernel=kernel, name=name, passed=replace(launch.passed, banks=banks)))
    return tuple(result)


def _three(sizes: tuple[int, ...]) -> tuple[int, int, int]:
    if len(sizes) != 3 or min(sizes) < 1:
        raise InputError(f"is damaged: {sizes} are no sizes of a grid or block")
    x, y, z = sizes
    return x, y, z


def _names(capture: Capture, number: int) -> tuple[str, str, str]:
    """Names of a launch: of its kernel, as in the source and as in the code, and with its number among all of it."""
    item = capture.index.launches[number]
    same = [other.kernel for other in capture.index.launches[: number + 1]].count(item.kernel)
    return plain_name(item.kernel), item.kernel, f"{plain_name(item.kernel)} #{same}"


def _workload(path: Path, capture: Capture, number: int, facet: Warps) -> Workload:
    item = capture.index.launches[number]
    plain, _, numbered = _names(capture, number)
    name = plain if numbered.endswith(" #1") else numbered
    described = json.dumps([capture.index.blobs[item.module].hash, item.grid, item.block, number]).encode()
    notes = [f"the program made this launch {item.count} times"] if item.count > 1 else []
    if item.measured_s is not None:
        notes.append(f"measured where it was recorded: {units.show(item.measured_s, 's')}")
    return Workload(
        name=name, facets=(facet,), origin=str(path), input_hash=files.content_hash(described), assumptions=tuple(notes)
    )
