"""Derives the parameters of one multiprocessor for the timing core from a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from foretell.characterize.gpu.memory import LINE, SECTOR
from foretell.models.saake.resources import UNITS, bytes_per_cycle, units

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: resources beside the units of a sub-core
L1, SHARED, L2, MEMORY, BARRIER, ISSUE, PORTS, START = (
    "L1", "shared", "L2", "memory", "barrier", "issue", "register ports", "block start",
)  # fmt: skip
NAMES = (*UNITS, L1, SHARED, L2, MEMORY, BARRIER, ISSUE, PORTS, START)

#: quantiles of the lines that `memory.latency_spread` is given for
_QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
#: multipliers of a hash (SplitMix64)
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)


class HotLine(NamedTuple):
    """A line of L2 that has far more updates than others: its `number`, its `share` of all passes, and that of its
    busiest word."""

    number: int
    share: float
    word: float


def slice_of(line: int, slices: int) -> int:
    """The slice of L2 that has a line: two have the eight lines of a KiB, in pairs; which two is taken to be random."""
    first, second = _MULTIPLIERS
    mixed = (line >> 3) * first % (1 << 64)
    mixed = (mixed ^ mixed >> 29) * second % (1 << 64)
    return (mixed >> 32) % (slices // 2) * 2 + (line >> 1 & 1)


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """Latencies and gaps in cycles by resource; for L2 and memory, those of this multiprocessor's share. `farther`:
    what the other partition of L2 takes longer; `far_share`: the fraction of the lines that are read there."""

    latency: dict[str, float]
    gap: dict[str, float]
    spread_l2: tuple[tuple[float, float], ...]
    spread_memory: tuple[tuple[float, float], ...]
    crowding_l2: float
    crowding_memory: float
    scattered: float
    far_share: float
    farther: float
    machine: Machine
    assumptions: tuple[str, ...]

    def atomic_cycles(
        self,
        passes: float,
        serial: float,
        lines: float,
        multiprocessors: float,
        *,
        floating: bool,
        hot: tuple[HotLine, ...] = (),
    ) -> float:
        """Cycles of this multiprocessor's share that an atomic of a warp takes: `passes` over sectors, at most `serial`
        lanes in one word, so many lines in use, of which some are `hot`.

        A slice of L2 updates one sector at a time, and one word again only when it is done (validation/h200/micro,
        mechanisms.cu: a warp's update of 1, 2, 4, 8, 16, 32 words of one line takes 32, 16, 8, 4, 4, 4 passes). The
        busiest slice determines the time: its hot lines, and its part of the others.
        """
        lines = max(1.0, lines)
        word_rate = self.machine.value("atomic.word_rate")
        if floating:
            word_rate /= self.machine.value("atomic.floating")
        if hot:
            others = 1 - math.fsum(line.share for line in hot)
            seconds = passes * (self._busiest_slice(hot, word_rate) + others / self._update_rate(lines))
        else:
            seconds = max(passes / self._update_rate(lines), serial / lines / word_rate)
        return multiprocessors * self.machine.value("clock.frequency") * seconds

    def spread_cycles(self, passes: float, multiprocessors: float) -> float:
        """Cycles of this multiprocessor's share that so many passes take of all slices of L2 together."""
        rate = self.machine.value("atomic.line_rate") * max(2.0, self.machine.value("atomic.l2_slices"))
        return multiprocessors * self.machine.value("clock.frequency") * passes / rate

    def _busiest_slice(self, hot: tuple[HotLine, ...], word_rate: float) -> float:
        """Seconds that hot lines occupy the slice that has most of them, of one pass. While its busiest word waits for
        itself, other words are updated, but for some that are in the way."""
        slices: dict[int, list[HotLine]] = {}
        count = max(2, round(self.machine.value("atomic.l2_slices")))
        for line in hot:
            slices.setdefault(slice_of(line.number, count), []).append(line)
        line_rate, in_the_way = self.machine.value("atomic.line_rate"), self.machine.value("atomic.in_the_way")
        times = []
        for lines in slices.values():
            word = max(line.word for line in lines)
            others = (math.fsum(line.share for line in lines) - word) / line_rate
            idle = word / word_rate - word / line_rate
            times.append(word / word_rate + max(others - idle, in_the_way * others))
        return max(times)

    def _update_rate(self, lines: float) -> float:
        """Updates of sectors in so many neighbouring lines by all slices of L2 that have them."""
        slices = self.machine.numbers("atomic.slices")
        power = min(math.log2(lines), len(slices) - 1.0)
        below = min(int(power), len(slices) - 2)
        share = power - below
        times = math.pow(slices[below], 1 - share) * math.pow(slices[below + 1], share)
        return self.machine.value("atomic.line_rate") * times

    def store_cycles(self, lines: float, multiprocessors: float) -> float:
        """Cycles of this multiprocessor's share that a store takes to one of so many lines, to which all of them
        store."""
        rate = self.machine.value
        fastest = max(rate("atomic.store_line_rate"), rate("atomic.store_lines_rate") * lines)
        return multiprocessors * rate("clock.frequency") / fastest


def multiprocessor(machine: Machine, *, share: float, writes: float, far_share: float) -> Multiprocessor:
    """Derives the parameters from a machine that has all of `reference.PATHS`. `share`: number of multiprocessors that
    use L2 and memory as this one does. `writes`: the fraction of memory traffic that is written. `far_share`: that of
    the lines read in the other partition of L2."""
    latency, gap, assumed = units(machine)
    farther = _farther(machine)
    latency |= {
        L1: machine.cycles("level.L1.latency"),
        SHARED: machine.cycles("scratchpad.latency"),
        L2: machine.cycles("level.L2.latency"),
        MEMORY: machine.cycles("memory.latency"),
        BARRIER: machine.cycles("sync.block") - machine.cycles("sync.block_warp"),
        START: machine.cycles("sync.block_replace"),
    }
    l2_gap = SECTOR * share / _l2_rate(machine, assumed)
    port_gap = SECTOR / bytes_per_cycle(machine, "level.L2.core_bandwidth")
    gap |= {
        L1: _line_gap(machine, "level.L1.core_bandwidth"),
        SHARED: _line_gap(machine, "scratchpad.bandwidth"),
        L2: max(port_gap, l2_gap),
        MEMORY: max(port_gap, SECTOR * share / memory_rate(machine, writes)),
        BARRIER: machine.cycles("sync.block_warp"),
        ISSUE: machine.cycles("issue.gap"),
        START: machine.cycles("sync.block_start"),
    }
    more_written = 1 + machine.value("queue.write_wait") * min(1.0, 2 * writes)
    return Multiprocessor(
        latency=latency,
        gap=gap,
        spread_l2=_l2_spread(machine, farther, far_share),
        spread_memory=tuple(zip(_QUANTILES, machine.numbers("memory.latency_spread"), strict=True)),
        crowding_l2=machine.cycles("queue.l2_wait") * min(1.0, l2_gap / gap[L2]),  # of the others
        crowding_memory=machine.cycles("queue.memory_wait") * more_written,
        scattered=memory_rate(machine, 0.0) / bytes_per_cycle(machine, "memory.random_bandwidth"),
        far_share=far_share,
        farther=farther,
        machine=machine,
        assumptions=(f"not known of {machine.name}, usual values taken: {', '.join(assumed)}",) if assumed else (),
    )


def far_share(machine: Machine, read: float) -> float:
    """Fraction of the lines that are read in the other partition of L2: of data of which one partition's
    multiprocessors read so many bytes it has copies, as many as fit beside the rest. It grows with the logarithm
    (validation/h200, curve.latency of the probe: 287, 293, 319, 330 cycles for 4, 8, 16, 32 MiB, so 0, 0.04, 0.19,
    0.25; 0.375 of larger data)."""
    size = machine.value("level.L2.size") if "level.L2.size" in machine else 0.0
    near, most = machine.value("level.L2.near_part"), machine.value("level.L2.far_share_spread")
    if not size or read <= near * size:
        return 0.0 if size else most
    return most * min(1.0, math.log(read / (near * size)) / math.log(1 / near))


def _l2_spread(machine: Machine, farther: float, far: float) -> tuple[tuple[float, float], ...]:
    """Quantiles of the lines of L2 with what they take longer than the mean of the near ones: evenly distributed, as
    slices are at different distances; the fraction `far` is `farther`."""
    half = machine.cycles("level.L2.latency_range") / 2
    if not far:
        return ((0.0, -half), (1.0, half))
    near = 1 - far
    return ((0.0, -half), (near, half), (near, farther - half), (1.0, farther + half))


def l2_rate(machine: Machine) -> float:
    """Sectors per cycle that L2 supplies to all multiprocessors."""
    return _l2_rate(machine, []) / SECTOR


def memory_rate(machine: Machine, writes: float) -> float:
    """Memory bandwidth in bytes per cycle. Read-write turnaround costs time: linear from read-only to a copy, where
    half is written (which gives the measured triad of the H200 within 0.6 %), and back to write-only."""
    read = _rate(machine, "memory.read_bandwidth") or bytes_per_cycle(machine, "memory.bandwidth")
    copy = _rate(machine, "memory.copy_bandwidth") or bytes_per_cycle(machine, "memory.bandwidth")
    write = _rate(machine, "memory.write_bandwidth") or copy
    if writes <= 0.5:
        return read + (copy - read) * writes * 2
    return copy + (write - copy) * (writes * 2 - 1)


def _line_gap(machine: Machine, path: str) -> float:
    """Cycles for a line: one where the bandwidth is not given (32 banks of 4 bytes, CUDA C++ Programming Guide)."""
    return LINE / bytes_per_cycle(machine, path) if path in machine else 1.0


def _rate(machine: Machine, path: str) -> float | None:
    return bytes_per_cycle(machine, path) if path in machine else None


def _l2_rate(machine: Machine, assumed: list[str]) -> float:
    rate = _rate(machine, "level.L2.bandwidth")
    if rate is None:
        assumed.append("level.L2.bandwidth (twice that of memory)")
        return 2 * bytes_per_cycle(machine, "memory.bandwidth")
    return rate


def _farther(machine: Machine) -> float:
    """Extra latency of the far partition of L2 over the near one."""
    if "level.L2.far_latency" not in machine:
        return 0.0
    return machine.cycles("level.L2.far_latency") - machine.cycles("level.L2.latency")
