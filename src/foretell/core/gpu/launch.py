"""How a kernel is launched: grid, block, and its arguments in the order of its parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Dim3: TypeAlias = tuple[int, int, int]

#: bytes of an element, by name
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
        """Bytes of one element."""
        return ELEMENT_BYTES[self.kind] * self.lanes

    def __str__(self) -> str:
        return self.kind if self.lanes == 1 else f"{self.kind}x{self.lanes}"


@dataclass(frozen=True, slots=True)
class Contents:
    """What an array holds, where addresses or branches depend on it. Never materialised: a value is computed
    from its index when it is read.

    `random`: whole numbers from `low` up to, not including, `high`; `iota`: 0, 1, 2 …; `permutation`: every
    number below the count once; `offsets`: where lists of `low` elements in the mean start, with lengths from 1 to
    twice that (the row pointers of a sparse matrix); `file`: a .npy file.
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
        """Bytes of the array."""
        return self.element.bytes * self.count


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number by value; `kind` empty: as the size of the parameter says."""

    value: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure by value: its fields as C lays them out."""

    fields: tuple[Argument, ...]


Argument: TypeAlias = "Pointer | Scalar | Structure"


def blind(argument: Argument) -> Argument:
    """The argument as if nobody knew what arrays hold."""
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
    """What the user says about a branch whose condition depends on data.

    `place` is a source line, or with `offset` the place in the code. Either a `share` of the lanes takes it, or a loop
    goes round `rounds` times.
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
    """A part of the code with a name: source lines, or with `offset` places in the code, both ends included."""

    name: str
    first: int
    last: int
    offset: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of one kernel. `shared_bytes` is dynamic shared memory; `name` tells launches of one kernel apart.

    Where they were measured, `l1_hit` and `l2_hit` are the shares of the sectors that loads ask for which L1, and of
    those that reach it L2, holds.
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
        """The arrays among the arguments and in structures, in order."""
        return tuple(_pointers(self.arguments))

    @property
    def threads(self) -> int:
        """Threads of one block."""
        return math.prod(self.block)

    @property
    def warps(self) -> int:
        """Warps of one block."""
        return math.ceil(self.threads / 32)

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return math.prod(self.grid)
