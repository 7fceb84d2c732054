"""Times of closed libraries (cuBLAS, cuFFT, cuRAND) by a rule of what they are asked for: nobody sees their code.

The rules are a roofline with rounds of tiles. Their numbers are from validation/h200/launch-costs, libraries.csv (an
H200 with CUDA 13.0, each the least of seven), which they were chosen by: they meet these within `_FACTOR`, and are
scaled by the peaks and the bandwidth of other machines.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.uses.program_run.launches.predicting import Outcome

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: how far the times are known
_FACTOR = 1.6
NOTE = (
    "calls of closed libraries (cuBLAS, cuFFT, cuRAND) are estimated by a rule of their sizes, within a factor of "
    f"{_FACTOR:g}, as measured on an H200; their results are computed here, in another order of additions"
)
RANDOM_NOTE = "the numbers of cuRAND's generators are others than cuRAND's (Philox), distributed alike"


class Family(IntEnum):
    """What a call does; the numbers are those of cpp/standin/runtime/library_calls.hpp."""

    PRODUCT = 0
    BY_VECTOR = 1
    VECTORS = 2
    SUM = 3
    TRANSFORM = 4
    RANDOM = 5


class Kind(IntEnum):
    """Kinds of numbers, as there."""

    F32 = 0
    F64 = 1
    F16 = 2
    BF16 = 3
    TF32 = 4
    I8 = 5


_BYTES = {Kind.F32: 4, Kind.F64: 8, Kind.F16: 2, Kind.BF16: 2, Kind.TF32: 4, Kind.I8: 1}
#: names in a capture, which has the numbers alone
NAMES = {
    Family.PRODUCT: "matrix product (cuBLAS)",
    Family.BY_VECTOR: "matrix by vector (cuBLAS)",
    Family.VECTORS: "vectors (cuBLAS)",
    Family.SUM: "sum over a vector (cuBLAS)",
    Family.TRANSFORM: "Fourier transform (cuFFT)",
    Family.RANDOM: "random numbers (cuRAND)",
}


@record
class _Rate:
    """The peak that a product runs at: the parameter and its multiple, what part of it is reached, and the side of its
    tiles."""

    peak: str
    multiple: float
    reached: float
    tile: int


#: of 4096^3: 2.76 ms, 2.18 ms, 164 us, 163 us and 355 us; data sheets give TF32 half the rate of half precision, bytes
#: twice
_RATES = {
    Kind.F32: _Rate("peak.single", 1.0, 0.75, 64),
    Kind.F64: _Rate("peak.tensor_double", 1.0, 0.94, 64),
    Kind.F16: _Rate("peak.tensor_half", 1.0, 0.85, 128),
    Kind.BF16: _Rate("peak.tensor_half", 1.0, 0.85, 128),
    Kind.TF32: _Rate("peak.tensor_half", 0.5, 0.78, 128),
    Kind.I8: _Rate("peak.tensor_half", 2.0, 0.85, 128),
}
#: where a machine has no tensor cores for doubles
_DOUBLE = _Rate("peak.double", 1.0, 0.94, 64)
#: the inner size is split among multiprocessors, in parts of at least this, which a second kernel adds: 128 x 128 x
#: 8192 in 16.5 us
_LEAST_PART, _ADDED_S = 256, 4.5e-6
#: what a call takes at least: a product of 64^3, a 256^2 matrix by a vector, 1024 elements added to others, summed (and
#: told to the host), a transform of 64, 4096 random numbers
_START_S = {
    Family.PRODUCT: 7e-6,
    Family.BY_VECTOR: 8e-6,
    Family.VECTORS: 4.5e-6,
    Family.SUM: 22e-6,
    Family.TRANSFORM: 4.5e-6,
    Family.RANDOM: 4.2e-6,
}
#: parts of the memory's bandwidth: a matrix of 16384^2, 2^27 elements added and summed; transforms and products as a
#: copy
_REACHED = {
    Family.PRODUCT: 0.8,
    Family.BY_VECTOR: 0.9,
    Family.VECTORS: 0.7,
    Family.SUM: 0.88,
    Family.TRANSFORM: 0.8,
    Family.RANDOM: 0.8,
}
#: elements of one dimension that a pass over the data transforms: 4096 alone, then 2^10 each (65536 and 2^20 in two,
#: 2^24 in three); each pass is a kernel. Several of real numbers have one more, which makes their spectrum of half a
#: transform
_ONE_PASS_BITS, _PASS_BITS = 12, 10
#: a length with a larger prime factor goes over a convolution: 997 takes as long as four passes
_LARGEST_PRIME, _CONVOLVED = 127, 4
#: seconds for a number of the default generator (XORWOW), uniform and normal: 2^26 in 252 us and 1018 us
_EACH_S = (3.76e-12, 15.2e-12)
_MEASURED_PEAK = 67e12


@record
class LibraryCall:
    """A call: what it does, to which numbers, and its sizes (cpp/standin/runtime/library_calls.hpp)."""

    family: Family
    kind: Kind
    sizes: tuple[int, int, int, int]

    def outcome(self, machine: Machine) -> Outcome:
        """Its estimated time on a machine."""
        seconds = _START_S[self.family] + _busy_s(self, machine)
        notes = (NOTE, RANDOM_NOTE) if self.family is Family.RANDOM else (NOTE,)
        return Outcome(seconds, (seconds / _FACTOR, seconds * _FACTOR), "estimated", 1.0, own=False, assumptions=notes)


def _busy_s(call: LibraryCall, machine: Machine) -> float:
    """Without the start."""
    moved = _moved(call) / (_REACHED[call.family] * machine.value("memory.bandwidth"))
    if call.family is Family.TRANSFORM:
        return moved + (_kernels(call) - 1) * _START_S[call.family]
    if call.family is Family.PRODUCT:
        return max(moved, _product_s(call, machine))
    if call.family is Family.RANDOM:
        count, normal = call.sizes[:2]
        return max(moved, count * _EACH_S[min(normal, 1)] * _MEASURED_PEAK / machine.value("peak.single"))
    return moved


def _moved(call: LibraryCall) -> float:
    """Bytes that go to and from memory."""
    first, second, third, count = map(float, call.sizes)
    each = _BYTES[call.kind]
    match call.family:
        case Family.PRODUCT:
            return each * count * (first * third + third * second + 2 * first * second)
        case Family.BY_VECTOR:
            return each * count * (first * second + first + second)
        case Family.VECTORS:
            return each * first * (second + third)
        case Family.SUM:
            return each * first * second
        case Family.TRANSFORM:
            sides = 1 if third else 2
            return 2 * sides * each * first * count * _passes(call)
        case Family.RANDOM:
            return each * first


def _product_s(call: LibraryCall, machine: Machine) -> float:
    """Tiles of the result in rounds over the multiprocessors; a few tiles are split along the inner size."""
    rows, columns, inner, count = call.sizes
    rate = _RATES[call.kind]
    if rate.peak not in machine and call.kind is Kind.F64:
        rate = _DOUBLE
    cores = int(machine.value("cores.count"))
    of_core = rate.reached * rate.multiple * machine.value(rate.peak) / cores
    tiles = -(-rows // rate.tile) * -(-columns // rate.tile) * count
    parts = max(1, min(cores // max(1, tiles), inner // _LEAST_PART))
    rounds = -(-tiles * parts // cores)
    return rounds * 2.0 * rate.tile**2 * (inner / parts) / of_core + (_ADDED_S if parts > 1 else 0.0)


def _length(call: LibraryCall) -> tuple[int, int]:
    """The dimensions of a transform, and the elements of each: as if they were alike."""
    elements, dimensions = call.sizes[0], max(1, call.sizes[1])
    return dimensions, round(math.pow(elements, 1 / dimensions))


def _kernels(call: LibraryCall) -> int:
    """Passes of a transform whose length has small factors."""
    dimensions, length = _length(call)
    bits = (max(length, 2) - 1).bit_length()
    each = 1 if bits <= _ONE_PASS_BITS else -(-bits // _PASS_BITS)
    return dimensions * each + (1 if call.sizes[2] and each > 1 else 0)


def _passes(call: LibraryCall) -> int:
    """How often a transform goes over its data."""
    return _kernels(call) * (_CONVOLVED if _largest_factor(_length(call)[1]) > _LARGEST_PRIME else 1)


def _largest_factor(number: int) -> int:
    """What is left of a number without its factors up to the largest that is transformed directly."""
    for factor in range(2, _LARGEST_PRIME + 1):
        while number % factor == 0:
            number //= factor
    return number
