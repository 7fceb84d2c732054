"""Which pages of managed memory are on the device: those that a launch or a prefetch brought there, and that the host
did not write since. What the host reads cannot be seen."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.complete import ManagedPages as States
from foretell.characterize.gpu.complete_record import PageFaults

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from foretell.uses.program_run.memory.device_memory import Allocation

#: bytes of a page as the driver moves it, and of the large pages inside of which it prefetches
#: (cpp/gpu/complete/use/page_faults.cpp)
PAGE, _PAGES_OF_LARGE = 1 << 16, 32
#: the checksum of a part that is not on the device; those of memory have 32 bits
_AWAY = -1


class ManagedPages:
    """Pages of the memory from `base` on. Each allocation has for each page that it lies in a checksum of its part, as
    the device left it."""

    def __init__(self, base: int, memory: memoryview) -> None:
        self._base = base
        self._memory = memory
        self._states: NDArray[np.uint8] = np.zeros(len(memory) // PAGE, np.uint8)
        self._left: dict[int, NDArray[np.int64]] = {}

    def before(self, items: Iterable[Allocation]) -> States | None:
        """The pages for a launch that gets these allocations; None if all are on the device."""
        away = False
        for item in items:
            pages = self._pages(item)
            present = self._checksums(item)
            changed = self._left.get(item.address, np.full_like(present, _AWAY)) != present
            self._states[pages][changed] = States.AWAY
            away |= bool(changed.any())
        return States(self._base, self._states) if away else None

    def after(self, items: Iterable[Allocation], in_turn: int) -> PageFaults | None:
        """Notes what a launch left on the device; what it fetched, with as many faults that followed each other."""
        pages = np.unique(np.concatenate([self._fetched(item) for item in items] or [np.zeros(0, np.int64)]))
        for item in items:
            self._leave(item, self._states[self._pages(item)] != States.AWAY)
        for item in items:
            self._states[self._pages(item)] = States.HERE
        if not pages.size:
            return None
        return PageFaults(int(pages.size), int(np.unique(pages // _PAGES_OF_LARGE).size), in_turn)

    def prefetched(self, item: Allocation, address: int, size: int) -> None:
        """Notes a part of an allocation that is on the device."""
        first = np.arange(len(self._checksums(item))) * PAGE + (item.address - self._base) // PAGE * PAGE + self._base
        begins, ends = np.maximum(first, item.address), np.minimum(first + PAGE, item.address + item.bytes)
        self._leave(item, (begins >= address) & (ends <= address + size))

    def forget(self, address: int) -> None:
        """Forgets an allocation: another one may get its address."""
        self._left.pop(address, None)

    def _leave(self, item: Allocation, here: NDArray[np.bool_]) -> None:
        present = self._checksums(item)
        before = self._left.get(item.address, np.full_like(present, _AWAY))
        self._left[item.address] = np.where(here, present, before)

    def _fetched(self, item: Allocation) -> NDArray[np.int64]:
        pages = self._pages(item)
        fetched: NDArray[np.int64] = np.flatnonzero(self._states[pages] == States.FETCHED)
        return fetched + np.int64(pages.start)

    def _pages(self, item: Allocation) -> slice:
        first, last = (item.address - self._base) // PAGE, (item.address + item.bytes - 1 - self._base) // PAGE
        return slice(first, last + 1)

    def _checksums(self, item: Allocation) -> NDArray[np.int64]:
        """Of the part of an allocation in each of its pages."""
        pages, first, end = self._pages(item), item.address - self._base, item.address + item.bytes - self._base
        return np.array(
            [
                zlib.crc32(self._memory[max(first, page * PAGE) : min(end, (page + 1) * PAGE)])
                for page in range(pages.start, pages.stop)
            ],
            np.int64,
        )
