"""The link between host and GPU: the time of copies and of submissions.

Where a machine file has no numbers, those of an H200 on PCIe 5.0 x16 with CUDA 13 hold (validation/h200/programs,
link.csv; times between two events, less those of two events without anything between).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from foretell.characterize.gpu.complete_record import HeapCalls, LinkTraffic, PageFaults, Printing
    from foretell.core.machine.machine import Machine

#: bandwidth of the link where the machine file has no number: PCIe 4.0 x16
_BANDWIDTH = 32e9
#: the part of it that copies of pinned memory reach: 64 MiB in 1.215 ms are 55.2 of 64 GB/s
_REACHED = 0.86
#: bytes per second of a copy of pageable memory, which the host copies to pinned memory: 16 MiB in 1.20 and 1.22 ms
_PAGEABLE = 13.8e9
#: starts: copies of 4 bytes of pinned memory 3.36 and 2.37 us, of pageable 6.3 and 9.1 us, to the device and the host
_PINNED_START_S = {True: 3.36e-6, False: 2.37e-6}
_PAGEABLE_START_S = {True: 6.3e-6, False: 9.1e-6}
#: a copy inside of the device, 6.0 us for 4 bytes and 36.3 us for 64 MiB: 0.9 of the bandwidth; a set 1.5 us, from some
#: KiB on 4.8 us
_WITHIN_START_S, _REACHED_WITHIN = 6.0e-6, 0.9
_SET_START_S, _LARGE_SET_START_S, _LARGE_SET = 1.5e-6, 4.8e-6, 1 << 14
#: the host submits one of 1000 launches in 3.43 us where the machine file has no sync.launch, and an event in 1.0 us
_LAUNCH_S, EVENT_S = 3.43e-6, 1.0e-6
#: a graph of 100 launches of nothing takes 51.4 us, so the start of each takes this, and not sync.back_to_back
GRAPH_START_S = 0.514e-6
#: the host's time for the first launch from a module, and of each kernel (lazy loading): half_axpy, struct_pointers and
#: fdtd_2d, of one, two and three kernels, take 107, 162 and 166 us longer than their launches (elapsed.csv)
MODULE_LOAD_S, KERNEL_LOAD_S = 75e-6, 30e-6
#: pages of managed memory that come to the device on demand, in a kernel that touches them, beyond its 7 us: 4 KiB take
#: 80 us (4 bytes 45 to 480), 1 MiB 0.27 ms, 16 MiB 1.97 ms (validation/h200/suite-programs, managed.csv, medians):
#: 9.3 GB/s between 1 and 16 MiB. managed_histogram takes 1.27 ms for 4 MiB, twice as long as this rule gives
FAULT_S, MIGRATION = 80e-6, 9.3e9
#: the same by pages (validation/h200/sample-programs, managed.csv, and more-programs, managed_many.csv): one of 64 KiB
#: takes 80 us, 16 in large pages of their own (2 MiB) 0.41 to 0.53 ms, 128 in four of them 0.65 to 0.83, all 512 of 16
#: of them 4.7 to 5.3 ms. One thread that reads 128 one after the other waits 45 us for each of 24 faults, the driver
#: prefetches the rest: 0.79 to 1.12 ms. Of 213 rows 80 % are within a factor of 1.62, 90 % within 1.92
PAGE_S, LARGE_PAGE_S, FAULT_IN_TURN_S = 8e-6, 20e-6, 45e-6
#: managed memory that is prefetched: 4 KiB in 64 us and 64 MiB in 1486 us (the same file): 47.2 GB/s, 0.855 of what
#: copies of pinned memory reach; 16 MiB take 477 us, where this rule gives 419
_PREFETCH_S, _PREFETCHED = 64e-6, 0.855

#: kernels that use memory of the host (validation/h200/more-programs, link_reads.csv, less 7 us of an empty kernel):
#: whole lines of 128 bytes are read in 2.52 ns each (64 MiB in 1.32 ms), those of which one sector is read in 1.42 ns
#: (2^20 in 1.49 ms): 1.05 ns for a line and 0.367 ns for a sector
_LINE_S, _SECTOR_S = 1.05e-9, 0.367e-9
#: written lines take 2.44 ns (64 MiB in 1.28 ms), each run of bytes in a line 2.0 ns (2^20 in 2.1 ms); of two
#: directions, the shorter one adds a quarter (64 MiB both ways in 1.61 ms)
_WRITTEN_LINE_S, _RUN_S, _OTHER_WAY = 2.44e-9, 2.0e-9, 0.25
_LINE_BYTES, _MEASURED_LINK = 128, 64e9
#: a load that the link answers (each step of a chain), and an update of a word (65536 of one word in 72.5 ms)
_LINK_LATENCY_S, _UPDATE_S = 1.15e-6, 1.11e-6

#: printf of kernels (validation/h200/launch-costs, costs.csv, less 5.8 us of a kernel without): a call of a warp waits
#: 20.6 us (16 calls, one after the other, 334 us), and many warps print at 1.8 us for a call and 0.231 us for a line of
#: it (2048 calls of a line each in 4228 us, 528 of 32 lines in 4871 us); what is printed matters little (8 arguments:
#: +10 %)
_PRINT_WAIT_S, _PRINT_CALL_S, _PRINT_LINE_S = 20.6e-6, 1.8e-6, 0.231e-6

#: a call of malloc or free in a kernel: one thread that makes two objects takes 19.5 us, of which 1.4 us are its
#: instructions (validation/h200/mini-programs, make_rules of units). How many calls the device serves at once is not
#: known
_HEAP_CALL_S = 9e-6


@record
class LinkCopy:
    """A copy over the link: to the device or from it, of pinned memory of the host or of pageable one."""

    bytes: int
    to_device: bool
    pinned: bool


@record
class Link:
    """Rates in bytes per second."""

    launch_s: float
    pinned: float
    memory: float
    assumptions: tuple[str, ...]

    @classmethod
    def of(cls, machine: Machine) -> Link:
        """The link of a machine, by its file or by stated estimates."""
        notes = []
        bandwidth = machine.value("link.bandwidth") if "link.bandwidth" in machine else _BANDWIDTH
        if "link.bandwidth" not in machine:
            notes.append(f"the link to the host is estimated: {bandwidth / 1e9:g} GB/s (PCIe 4.0 x16)")
        launch = machine.seconds("sync.launch") if "sync.launch" in machine else _LAUNCH_S
        notes.append(
            f"copies of pinned memory reach {_REACHED:g} of the link's bandwidth, of pageable memory "
            f"{_PAGEABLE / 1e9:g} GB/s, as measured on an H200"
        )
        return cls(launch, _REACHED * bandwidth, machine.value("memory.bandwidth"), tuple(notes))

    def seconds(self, copy: LinkCopy) -> float:
        """A copy over the link."""
        if copy.pinned:
            return _PINNED_START_S[copy.to_device] + copy.bytes / self.pinned
        return _PAGEABLE_START_S[copy.to_device] + copy.bytes / min(self.pinned, _PAGEABLE)

    def within_s(self, size: int) -> float:
        """A copy inside of the device's memory: read and written."""
        return _WITHIN_START_S + 2 * size / (_REACHED_WITHIN * self.memory)

    def reached_s(self, traffic: LinkTraffic, at_once: float) -> float:
        """What a kernel takes at least that uses memory of the host, where so many of its blocks run at once."""
        scale = _MEASURED_LINK * _REACHED / self.pinned
        read = scale * (traffic.lines * _LINE_S + traffic.sectors * _SECTOR_S)
        written = scale * max(traffic.written / _LINE_BYTES * _WRITTEN_LINE_S, traffic.runs * _RUN_S)
        rounds = max(float(traffic.longest_rounds), traffic.rounds / at_once)
        busy = max(read, written) + _OTHER_WAY * min(read, written) + _LINK_LATENCY_S
        return max(busy, rounds * _LINK_LATENCY_S, traffic.updates * _UPDATE_S)

    def printing_s(self, printing: Printing) -> float:
        """The calls of printf of a kernel: those of a warp follow each other, all share the way to the host."""
        shared = printing.calls * _PRINT_CALL_S + printing.lines * _PRINT_LINE_S
        return max(printing.longest * _PRINT_WAIT_S, shared)

    def heap_s(self, heap: HeapCalls) -> tuple[float, float]:
        """The calls of malloc and free of a kernel: in the mean of calls of a warp that follow each other while others
        have theirs, and calls of all threads one after the other; and the factor from it to either."""
        least, most = heap.longest * _HEAP_CALL_S, (heap.taken + heap.given) * _HEAP_CALL_S
        return math.sqrt(least * most), math.sqrt(most / least)

    def faults_s(self, faults: PageFaults) -> float:
        """The pages of managed memory that a kernel fetches: all of them, or faults that wait for each other."""
        together = FAULT_S + (faults.large - 1) * LARGE_PAGE_S + (faults.pages - 1) * PAGE_S
        return max(together, FAULT_S + (faults.in_turn - 1) * FAULT_IN_TURN_S)

    def migration_s(self, size: int) -> float:
        """The faults of a kernel that touches pages which the host wrote, and the copies of these."""
        return FAULT_S + size / MIGRATION

    def prefetch_s(self, size: int) -> float:
        """Managed memory that comes to the device in a stream, before a kernel asks for it."""
        return _PREFETCH_S + size / (_PREFETCHED * self.pinned)

    def set_s(self, size: int) -> float:
        """A set of the device's memory."""
        start = _LARGE_SET_START_S if size >= _LARGE_SET else _SET_START_S
        return start + size / (_REACHED_WITHIN * self.memory)
