"""Default GPU parameters: a machine that was not probed for some takes those of the H200, and its answers note that.
Machine files may also have estimated numbers, scaled from another architecture: both widen the interval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.machine.machine import Machine, Quantity, Source
from foretell.core.machine.parameters import LISTS, parameter
from foretell.machines import load

if TYPE_CHECKING:
    from collections.abc import Iterator

#: the machine that was probed for all of them
_REFERENCE = "h200"
#: prefix of the source of a number that was not found for the machine itself
_TAKEN_OVER = "taken over from the H200"
#: larger values of these increase the time
_SLOWER = (
    "atomic.floating", "atomic.in_the_way", "atomic.latency", "cluster.latency", "cluster.update",
    "icache.miss", "icache.outer_miss", "issue.branch", "issue.indexed",
    "issue.indexed_again", "issue.indexed_gap", "issue.wide_address",
    "issue.wide_product", "issue.wide_work", "level.L1.latency", "level.L2.far_share_spread",
    "level.L2.latency_range", "level.L2.lone_sector", "level.L2.replication", "level.L2.store_line",
    "level.L2.store_partial", "level.L2.store_sector",
    "level.L2.write_path_line", "level.L2.write_path_sector", "lsu.constant_address",
    "lsu.constant_fetch",
    "lsu.constant_turn", "lsu.constant_wait", "lsu.fill_sector", "lsu.load_line", "lsu.load_lines",
    "lsu.local_store", "lsu.operand_read", "lsu.uniform_line",
    "pipeline.address.gap", "pipeline.shuffle.latency",
    "pipeline.warpgroup.latency", "queue.l2_beside",
    "queue.l2_wait",
    "queue.longest_wait", "queue.memory_wait", "queue.write_wait", "sync.back_to_back", "sync.block",
    "sync.block_arrival", "sync.block_release", "sync.block_start", "sync.block_replace", "sync.block_warp",
    "sync.cluster",
    "sync.fence", "sync.fence_gap", "sync.fence_requests", "sync.vote",
)  # fmt: skip
#: larger values of these decrease the time
_FASTER = (
    "atomic.line_rate", "atomic.store_line_rate", "atomic.store_lines_rate",
    "atomic.word_rate", "cluster.bandwidth",
    "coalescer.alignment", "coalescer.first_wave", "coalescer.share", "coalescer.window", "icache.outer_size",
    "icache.size", "issue.operand_wait", "level.L2.core_bandwidth",
    "level.L2.dirty_share", "level.L2.near_part", "level.L2.overflow", "level.L2.unevenness",
    "lockstep.first_wave", "lockstep.later_waves", "lockstep.throttled", "lsu.backlog",
    "lsu.constant_kept", "lsu.constant_size", "memory.random_bandwidth",
    "queue.credit",
)  # fmt: skip
#: integers, driver choices, and the issue rate, which is one instruction a cycle on all
_FIXED = (
    "atomic.l2_slices", "carveout.blocks",
    "carveout.largest_spare", "carveout.small", "carveout.spare", "carveout.spare_small", "cluster.usable",
    "issue.gap", "level.L1.outstanding", "level.L1.ways", "level.L2.partition_run",
    "lsu.narrow_store", "lsu.queue", "occupancy.register_unit", "occupancy.registers_per_thread",
    "occupancy.shared_unit", "pipeline.texture.lanes", "placement.every", "placement.few",
    "queue.window",
)  # fmt: skip
PATHS = (*_SLOWER, *_FASTER, *_FIXED)
#: uncertainty of a number of the H200 on another GPU: the largest ratio of latencies in cycles that both have (L2:
#: 286.6 here, 211 on the A100; L1, the far partition and memory of A100, L40 and H100 differ by 1.01 to 1.22)
FACTOR = 1.36
#: the same of a share of the data sheet's memory bandwidth: 0.87 to 0.98 of it are read on A100, L40, H100 and H200
_SHARE = 1.1
#: parameters of the front end and the host, which do not scale with the clock of multiprocessors
_IN_SECONDS = ("sync.back_to_back",)


def value(machine: Machine, path: str) -> float:
    """One of these parameters (not a latency) of a machine that may lack others."""
    return (machine if path in machine else load(_REFERENCE)).value(path)


def with_reference(machine: Machine) -> tuple[Machine, tuple[str, ...]]:
    """The machine with its missing parameters from the H200, and the paths of all that are assumed so: here, or by its
    own file.

    Latencies are copied in cycles, bandwidths of isolated accesses in proportion to the sequential ones.
    """
    reference = load(_REFERENCE)
    lists = tuple(path for path in LISTS if path not in machine.traits)
    lacking = {path: _taken_over(machine, reference, path) for path in PATHS if path not in machine}
    whole = machine
    if lacking or lists:
        traits = {**machine.traits, **{path: reference.traits[path] for path in lists}}
        whole = replace(machine, quantities={**machine.quantities, **lacking}, traits=traits)
    assumed = (path for path in PATHS if whole[path].source.reference.startswith(_TAKEN_OVER))
    return whole, (*assumed, *lists)


def _taken_over(machine: Machine, reference: Machine, path: str) -> Quantity:
    source, quantity = Source("assumed", _TAKEN_OVER), reference[path]
    if path == "memory.random_bandwidth":
        in_order = _in_order(machine)
        slower = round(_in_order(reference).value / quantity.value, 1)  # single measurements vary by more
        return Quantity(in_order.value / slower, in_order.unit, source)
    if "cycle" in parameter(path).units and path not in _IN_SECONDS:
        return Quantity(reference.cycles(path), "cycle", source)
    return replace(quantity, source=source)


def _in_order(machine: Machine) -> Quantity:
    return machine["memory.read_bandwidth" if "memory.read_bandwidth" in machine else "memory.bandwidth"]


def scaled_numbers(machine: Machine) -> tuple[str, ...]:
    """The paths of numbers that were scaled from another machine, and that make a kernel slower or faster."""
    found = (path for path, quantity in machine.quantities.items() if quantity.source.kind == "estimated")
    return tuple(path for path in found if _direction(path))


def extremes(machine: Machine, assumed: tuple[str, ...]) -> Iterator[Machine]:
    """Yields the machine with all assumed and estimated parameters slower, and faster, by `FACTOR`."""
    uncertain = dict.fromkeys((*(path for path in assumed if path in machine), *scaled_numbers(machine)))
    for sign in (1, -1):
        yield machine.with_values(
            {path: machine.value(path) * _factor(path) ** (sign * _direction(path)) for path in uncertain}
        )


def _direction(path: str) -> int:
    """1 where a larger value increases the time, -1 where it decreases it, 0 where it is not varied."""
    if path in _FIXED:
        return 0
    if path in _FASTER or path.endswith("bandwidth"):
        return -1
    return 1 if path in _SLOWER or path.endswith((".latency", ".gap")) else 0


def _factor(path: str) -> float:
    return _SHARE if path.startswith("memory.") and path.endswith("bandwidth") and path not in _FASTER else FACTOR


def note(machine: Machine, assumed: tuple[str, ...]) -> tuple[str, ...]:
    """Notes on the assumed and the estimated parameters; a group in which the machine has no number of its own is named
    once."""
    scaled = scaled_numbers(machine)
    known = [path for path in (*machine.quantities, *machine.traits) if path not in (*assumed, *scaled)]
    notes = []
    if assumed:
        names = _grouped(assumed, known)
        notes.append(f"numbers of the H200 for {machine.name} (within a factor of {FACTOR}): {names}")
    if scaled:
        names = _grouped(scaled, known)
        notes.append(f"estimated for {machine.name} from the nearest GPU that was measured: {names}")
    return tuple(notes)


def _grouped(paths: tuple[str, ...], known: list[str]) -> str:
    own = {_group(path) for path in known}
    return ", ".join(dict.fromkeys(path if _group(path) in own else f"{_group(path)}.*" for path in sorted(paths)))


def _group(path: str) -> str:
    return path.rpartition(".")[0]
