"""Memory of the simulated device: a file in memory that the program and foretell map, and its allocations."""

from __future__ import annotations

import bisect
import fcntl
import mmap
import os
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell import limits
from foretell.core.gpu.launch import DeviceArray
from foretell.errors import InputError, ToolError
from foretell.uses.program_run.memory.managed_pages import ManagedPages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.characterize.gpu.complete import ManagedPages as States
    from foretell.characterize.gpu.complete_record import PageFaults

#: where the program maps the memory, in the addresses that 47 bits reach and where neither programs nor libraries are
BASE = 0x3000_0000_0000
#: addresses for memory beyond that of the device: pinned memory of the host
_MORE = 64 << 30
_PAGE = 1 << 16

HOST, DEVICE, MANAGED, MODULE = 1, 2, 3, 4
#: as the target of a copy: managed memory that a program asks to have on the device
PREFETCHED = 6
#: the program has the file, too: it must not make it shorter under our mapping
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
#: bytes of a block as the kernel counts those of a file
_FILE_BLOCK = 512


#: managed memory up to this size may be a structure, whose pointers are followed; larger memory is data
_LARGEST_STRUCTURE = 4096
#: freed allocations that faults are compared with
_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Allocation:
    """A range of addresses; `number` counts the allocations of the run from 1."""

    address: int
    bytes: int
    space: int
    number: int

    @property
    def name(self) -> str:
        """A name for messages, and to tell whether launches use the same memory."""
        return f"module {self.address:#x}" if self.space == MODULE else f"allocation {self.number}"


class DeviceMemory:
    """The mapping of this process, and what is allocated."""

    def __init__(self, device_bytes: int) -> None:
        self.device_bytes = device_bytes
        self.bytes = -(-(device_bytes + _MORE) // _PAGE) * _PAGE
        self.descriptor = os.memfd_create("foretell-device", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, self.bytes)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _SEALS)
        try:
            self._map = mmap.mmap(self.descriptor, self.bytes)
        except OSError as error:  # only addresses are reserved: a limit on the address space (ulimit -v)
            os.close(self.descriptor)
            what = f"{self.bytes >> 30} GiB of addresses for the memory of the device cannot be had"
            raise ToolError(f"{what}: {error.strerror}; ulimit -v limits them") from None
        self._view: NDArray[np.uint8] = np.frombuffer(self._map, dtype=np.uint8)
        self._starts: list[int] = []
        self._released: deque[Allocation] = deque(maxlen=_REMEMBERED)
        self._allocations: dict[int, Allocation] = {}
        self._count = 0
        self._pages = ManagedPages(BASE, memoryview(self._map))
        self.failed: list[int] = []

    def close(self) -> None:
        """Gives the memory back, once nothing refers to it."""
        os.close(self.descriptor)

    def allocate(self, address: int, size: int, space: int) -> None:
        """Notes an allocation of the program; address 0: it did not fit. The engine that executes launches reads and
        writes where allocations are, so what the program says of them is checked."""
        if address == 0:
            self.failed.append(size)
            return
        place = bisect.bisect(self._starts, address)
        before = self._allocations[self._starts[place - 1]] if place else None
        after = self._starts[place] if place < len(self._starts) else BASE + self.bytes
        free = (before is None or before.address + before.bytes <= address) and address + size <= after
        if address < BASE or not free or space not in (HOST, DEVICE, MANAGED, MODULE):
            raise InputError(f"the program says that it allocated {size} bytes at {address:#x}, where it cannot")
        self._count += 1
        self._starts.insert(place, address)
        self._allocations[address] = Allocation(address, size, space, self._count)

    def release(self, address: int) -> None:
        """Forgets an allocation."""
        item = self._allocations.pop(address, None)
        self._pages.forget(address)
        if item is not None:
            del self._starts[bisect.bisect_left(self._starts, address)]
            self._released.append(item)

    def released(self, address: int) -> str:
        """The allocation that had an address and was freed last, of the last some hundred; empty if there is none."""
        for item in reversed(self._released):
            if item.address <= address < item.address + item.bytes:
                return item.name
        return ""

    def check_size(self) -> None:
        """Refuses more memory than the limit: pages exist when they are first written, not when they are allocated."""
        used = os.fstat(self.descriptor).st_blocks * _FILE_BLOCK
        limits.require_bytes(used, "the device memory that the program uses")

    @property
    def allocations(self) -> list[Allocation]:
        """The live allocations by address."""
        return [self._allocations[address] for address in self._starts]

    def managed_pages(self, parameters: bytes) -> States | None:
        """Pages of the managed memory that a launch gets, where some are not on the device."""
        return self._pages.before(self._reached(parameters, MANAGED))

    def launched(self, parameters: bytes, in_turn: int) -> PageFaults | None:
        """Notes what a launch left in the managed memory that it got; what it fetched of it."""
        return self._pages.after(self._reached(parameters, MANAGED), in_turn)

    def prefetched(self, address: int, size: int) -> None:
        """Notes managed memory that is on the device."""
        item = self._at(address)
        if item is not None and item.space == MANAGED:
            self._pages.prefetched(item, address, size)

    def _reached(self, parameters: bytes, space: int) -> list[Allocation]:
        """The allocations of a space that parameters point into, and those that structures among these point into."""
        found: dict[int, Allocation] = {}
        waiting = [parameters]
        while waiting:
            data = waiting.pop()
            for word in np.frombuffer(data[: len(data) // 8 * 8], dtype=np.uint64).tolist():
                item = self._at(word)
                if item is None or item.space != space or item.address in found:
                    continue
                found[item.address] = item
                if item.bytes <= _LARGEST_STRUCTURE:
                    waiting.append(self.view(item.address, item.bytes).tobytes())
        return list(found.values())

    def _at(self, address: int) -> Allocation | None:
        """The live allocation that an address is in."""
        place = bisect.bisect(self._starts, address) - 1
        item = self._allocations[self._starts[place]] if place >= 0 else None
        return item if item is not None and address < item.address + item.bytes else None

    def view(self, address: int, size: int) -> NDArray[np.uint8]:
        """The bytes at an address of the device, not copied."""
        if not BASE <= address <= address + size <= BASE + self.bytes:
            raise InputError(f"the program names {size} bytes at {address:#x}, which are none of the device")
        return self._view[address - BASE : address - BASE + size]

    def pointer(self, address: int) -> int:
        """The address in this process."""
        return int(self._view.ctypes.data) + address - BASE

    def arrays(self) -> tuple[DeviceArray, ...]:
        """The allocations with their present bytes, not copied."""
        return tuple(
            DeviceArray(item.address, item.bytes, item.name, self.view(item.address, item.bytes))
            for item in self.allocations
        )
