"""Kernel launches: grid, block, and arguments in the order of the kernel's parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Dim3: TypeAlias = tuple[int, int, int]

#: element sizes in bytes, by name
ELEMENT_BYTES = {
    "i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "bf16": 2, "i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8,
    "f64": 8,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Element:
    """The type of an array element: f32, or f32x4 for a vector of four."""

    kind: str
    lanes: int = 1

    @property
    def bytes(self) -> int:
        return ELEMENT_BYTES[self.kind] * self.lanes

    def __str__(self) -> str:
        return self.kind if self.lanes == 1 else f"{self.kind}x{self.lanes}"


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of an array on which addresses or branches depend. Never materialised: a value is computed from its
    index when it is read.

    `random`: integers from `low` up to, not including, `high`; `iota`: 0, 1, 2 …; `permutation`: every number below the
    count once; `offsets`: start offsets of lists of `low` elements on average, with lengths from 1 to twice that (the
    row pointers of a sparse matrix); `file`: a .npy file.
    """

    kind: Literal["random", "iota", "permutation", "offsets", "file"]
    low: int = 0
    high: int = 0
    file: str = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to `count` elements."""

    element: Element
    count: int
    contents: Contents | None = None

    @property
    def bytes(self) -> int:
        return self.element.bytes * self.count


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number passed by value; empty `kind`: determined by the size of the parameter."""

    value: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure passed by value: its fields in C layout."""

    fields: tuple[Argument, ...]


Argument: TypeAlias = "Pointer | Scalar | Structure"


def blind(argument: Argument) -> Argument:
    """Returns the argument with unknown array contents."""
    if isinstance(argument, Structure):
        return Structure(tuple(map(blind, argument.fields)))
    return replace(argument, contents=None) if isinstance(argument, Pointer) else argument


def _pointers(arguments: tuple[Argument, ...]) -> Iterator[Pointer]:
    for argument in arguments:
        if isinstance(argument, Structure):
            yield from _pointers(argument.fields)
        elif isinstance(argument, Pointer):
            yield argument


@dataclass(frozen=True, slots=True)
class Override:
    """The user's statement about a branch whose condition depends on data.

    `place` is a source line, or with `offset` a code offset. Either a `share` of the lanes takes the branch, or a loop
    has a trip count of `rounds`.
    """

    place: int
    offset: bool = False
    share: float | None = None
    rounds: int | None = None

    def __str__(self) -> str:
        where = f"{self.place:#x}" if self.offset else f"line {self.place}"
        return where + (f": {self.share:g} taken" if self.rounds is None else f": {self.rounds} rounds")


@dataclass(frozen=True, slots=True)
class Region:
    """A named part of the code: source lines, or with `offset` code offsets, both ends included."""

    name: str
    first: int
    last: int
    offset: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of one kernel. `shared_bytes` is dynamic shared memory; `name` distinguishes launches of one kernel.

    Where they were measured, `l1_hit` and `l2_hit` are the hit ratios of load sectors in L1, and in L2 of those that
    reach it.
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

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """Returns the arrays among the arguments and in structures, in order."""
        return tuple(_pointers(self.arguments))

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
