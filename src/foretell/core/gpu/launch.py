"""Kernel launches: grid, block, and arguments in the order of the kernel's parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

Dim3: TypeAlias = tuple[int, int, int]

#: element sizes in bytes, by name
ELEMENT_BYTES = {
    "i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "bf16": 2, "i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8,
    "f64": 8,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Element:
    """The type of an array element: f32, f32x4 for a vector of four, or a structure of `fields` in C layout."""

    kind: str
    lanes: int = 1
    fields: tuple[Element, ...] = ()

    @property
    def bytes(self) -> int:
        if not self.fields:
            return ELEMENT_BYTES[self.kind] * self.lanes
        end = 0
        for item in self.fields:
            end += -end % item.alignment + item.bytes
        return end + -end % self.alignment

    @property
    def alignment(self) -> int:
        """Bytes; vectors of two, four and eight are aligned to their size, at most 16 bytes."""
        if self.fields:
            return max(item.alignment for item in self.fields)
        return min(16, self.bytes) if self.lanes in (2, 4, 8) else ELEMENT_BYTES[self.kind]

    @property
    def scalar(self) -> str:
        """The type of all its numbers; empty if they differ."""
        kinds = {item.scalar for item in self.fields} if self.fields else {self.kind}
        return kinds.pop() if len(kinds) == 1 else ""

    @property
    def numbers(self) -> int:
        """How many numbers it has."""
        return sum(item.numbers for item in self.fields) if self.fields else self.lanes

    @property
    def floating(self) -> bool:
        return self.scalar in ("f16", "bf16", "f32", "f64")

    def __str__(self) -> str:
        if self.fields:
            return f"struct{{{','.join(map(str, self.fields))}}}"
        return self.kind if self.lanes == 1 else f"{self.kind}x{self.lanes}"


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of an array on which addresses or branches depend. Never materialised: a value is computed from its
    index when it is read. All are numbers of the element's type.

    `random`: from `low` up to, not including, `high`, integers for an integer type; `normal`: mean `low` and standard
    deviation `high`; `constant`: `low`; `iota`: 0, 1, 2 …; `permutation`: every number below the count once; `offsets`:
    start offsets of lists of `low` elements on average, with lengths from 1 to twice that (the row pointers of a sparse
    matrix); `extents`: the same lists, as pairs of start and length; `file`: a .npy file, or raw bytes; `recorded`: the
    bytes of a program's memory (`DeviceArray`).
    """

    kind: Literal["random", "normal", "constant", "iota", "permutation", "offsets", "extents", "file", "recorded"]
    low: float = 0
    high: float = 0
    file: str = ""

    def __str__(self) -> str:
        if self.kind == "file":
            return self.file
        return "offsets" if self.kind == "extents" else self.kind


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to `count` elements. Arrays of several launches that have the same `name` are one array."""

    element: Element
    count: int
    contents: Contents | None = None
    name: str = ""

    @property
    def bytes(self) -> int:
        return self.element.bytes * self.count

    def __str__(self) -> str:
        name = f"{self.name}=" if self.name else ""
        return f"{name}{self.element}[{self.count}]" + (f"@{self.contents}" if self.contents else "")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number passed by value; empty `kind`: determined by the size of the parameter."""

    value: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure passed by value: its fields in C layout."""

    fields: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class TensorMap:
    """A tensor map passed by value: tiles of so many rows and columns of an array of `rows` rows."""

    pointer: Pointer
    rows: int
    tile: tuple[int, int]

    @property
    def columns(self) -> int:
        return self.pointer.count // self.rows


Argument: TypeAlias = "Pointer | Scalar | Structure | TensorMap"


def blind(argument: Argument) -> Argument:
    """Returns the argument with unknown array contents."""
    if isinstance(argument, Structure):
        return Structure(tuple(map(blind, argument.fields)))
    if isinstance(argument, TensorMap):
        return replace(argument, pointer=replace(argument.pointer, contents=None))
    return replace(argument, contents=None) if isinstance(argument, Pointer) else argument


def _pointers(arguments: tuple[Argument, ...]) -> Iterator[Pointer]:
    for argument in arguments:
        if isinstance(argument, Structure):
            yield from _pointers(argument.fields)
        elif isinstance(argument, TensorMap):
            yield argument.pointer
        elif isinstance(argument, Pointer):
            yield argument


@dataclass(frozen=True, slots=True)
class Override:
    """The user's statement about a branch whose condition depends on data.

    `place` is a source line, or with `offset` a code offset; `occurrence` is one of the branches of a line, in the
    order of the code, 0 for all. Either a `share` of the lanes takes the branch, or a loop has a trip count of
    `rounds`.
    """

    place: int
    offset: bool = False
    share: float | None = None
    rounds: int | None = None
    occurrence: int = 0

    def __str__(self) -> str:
        where = f"{self.place:#x}" if self.offset else f"line {self.place}"
        where += f"#{self.occurrence}" if self.occurrence else ""
        return where + (f": {self.share:g} taken" if self.rounds is None else f": {self.rounds} rounds")


@dataclass(frozen=True, slots=True)
class Region:
    """A named part of the code: source lines, or with `offset` code offsets, both ends included."""

    name: str
    first: int
    last: int
    offset: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DeviceArray:
    """An allocation of a running program: its address on the device, and its bytes where they are known."""

    address: int
    bytes: int
    name: str
    data: NDArray[np.uint8] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class PassedArguments:
    """Arguments as a program passed them: the bytes of all parameters, the memory of the device with ascending
    addresses, and the constant banks other than 0. `digest` stands for all of them, where they come from a file."""

    parameters: bytes
    arrays: tuple[DeviceArray, ...] = ()
    banks: tuple[tuple[int, bytes], ...] = ()
    digest: str = ""

    def __repr__(self) -> str:
        return f"PassedArguments({self.parameters.hex()}, {len(self.arrays)} arrays, {self.digest})"

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """The allocations as arrays of bytes."""
        known = Contents("recorded")
        element = Element("u8")
        return tuple(
            Pointer(element, item.bytes, None if item.data is None else known, item.name) for item in self.arrays
        )

    def blind(self) -> PassedArguments:
        """The same with unknown contents of memory."""
        return replace(self, arrays=tuple(replace(item, data=None) for item in self.arrays))


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of one kernel. `shared_bytes` is dynamic shared memory; `name` distinguishes launches of one kernel.

    `start` says what L2 holds when it starts: `cold` nothing of its data, `warm` what an equal launch left, `after`
    what the launch before it in a list left, `after NAME` what the one with that name left; empty if the user leaves it
    to the model's option. `before` are the launches that ran before it, the latest last, where it starts after one.

    Where they were measured, `l1_hit` and `l2_hit` are the hit ratios of load sectors in L1, and in L2 of those that
    reach it. A launch of a program that ran has no `arguments`, but what it `passed`.
    """

    kernel: str | None
    grid: Dim3
    block: Dim3
    arguments: tuple[Argument, ...] = ()
    shared_bytes: int = 0
    name: str = ""
    overrides: tuple[Override, ...] = ()
    l1_hit: float | None = None
    l2_hit: float | None = None
    regions: tuple[Region, ...] = ()
    start: str = ""
    before: tuple[Launch, ...] = ()
    passed: PassedArguments | None = field(default=None, repr=False)

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """Returns the arrays among the arguments and in structures, in order."""
        return self.passed.pointers if self.passed else tuple(_pointers(self.arguments))

    def blind(self) -> Launch:
        """Returns the launch with unknown array contents; itself if there are none."""
        if not any(pointer.contents for pointer in self.pointers):
            return self
        if self.passed:
            return replace(self, passed=self.passed.blind())
        return replace(self, arguments=tuple(map(blind, self.arguments)))

    @property
    def identity(self) -> str:
        """Text that differs between different launches: of its fields, and of what a program passed."""
        return repr(self) + (repr(self.passed) if self.passed else "")

    @property
    def threads(self) -> int:
        """Number of threads per block."""
        return math.prod(self.block)

    @property
    def warps(self) -> int:
        """Number of warps per block."""
        return math.ceil(self.threads / 32)

    @property
    def blocks(self) -> int:
        """Number of blocks in the grid."""
        return math.prod(self.grid)
