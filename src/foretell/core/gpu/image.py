"""The memory of a module of GPU code: variables, strings and tables in global memory, and constant banks."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

#: functions of the device's own system are at the hash of their name in this window of addresses
SYSTEM_WINDOW = 0x7A00_0000_0000


_WORD = 2**64 - 1
#: the address of an offset in the module's global memory
Moved = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its offset in the module's global memory, or in the bank of the user's constants."""

    space: Literal["global", "constant"]
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Address:
    """A place of 8 bytes that holds an address: `offset` in its bytes, and what it points to.

    `target` is an offset in the module's global memory, or with `system` the address of a function: of the device, or
    in the module's code.
    """

    offset: int
    target: int
    system: bool = False

    def value(self, base: int, moved: Moved | None = None) -> int:
        if self.system:
            return self.target
        return base + self.target if moved is None else moved(self.target)


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes with addresses in them, which depend on where the module lies."""

    data: bytes
    addresses: tuple[Address, ...] = ()

    def placed(self, base: int, moved: Moved | None = None) -> bytes:
        """The bytes of a module whose global memory begins at `base`; `moved` tells the address of each offset, where
        its variables do not follow each other."""
        result = bytearray(self.data)
        for address in self.addresses:
            struct.pack_into("<Q", result, address.offset, address.value(base, moved) & _WORD)  # as relocations wrap
        return bytes(result)


@dataclass(frozen=True, slots=True)
class DeviceImage:
    """A module's memory beside its code. `kernel_banks` are constant banks of one kernel alone, by its name; `common`
    those of all."""

    arch: int
    memory: Bytes
    variables: dict[str, Variable]
    common: dict[int, Bytes]
    kernel_banks: dict[str, dict[int, Bytes]]

    @property
    def size(self) -> int:
        """Bytes of global memory."""
        return len(self.memory.data)

    def contents(self, base: int, moved: Moved | None = None) -> bytes:
        """Initial bytes of the global memory, if it begins at `base`."""
        return self.memory.placed(base, moved)

    def banks(self, kernel: str, base: int, moved: Moved | None = None) -> dict[int, bytes]:
        """Constant banks of a kernel other than 0."""
        own = {**self.common, **self.kernel_banks.get(kernel, {})}
        return {bank: item.placed(base, moved) for bank, item in own.items()}

    def targets(self, kernel: str) -> set[int]:
        """Offsets in global memory that global memory and the banks of a kernel point to."""
        banks = {**self.common, **self.kernel_banks.get(kernel, {})}.values()
        return {each.target for item in (self.memory, *banks) for each in item.addresses if not each.system}


def system_address(name: str) -> int:
    """The address of a function of the device's system: the hash (FNV-1a) of its name."""
    value = 0x811C9DC5
    for byte in name.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFF_FFFF
    return SYSTEM_WINDOW | value
