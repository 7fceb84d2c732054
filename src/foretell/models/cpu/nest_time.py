"""One nest: its core time, the time of each level's transfers, and how much of them is hidden."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.layout.row_pointers import in_rows
from foretell.characterize.layout.struct_members import whole_records
from foretell.codegen.compilers.flags import family_of
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.models.base import meeting_share
from foretell.models.cpu.clock import knows_vectors, running_clock
from foretell.models.cpu.core_time import CoreTime, core_time, flops
from foretell.models.cpu.notes import Note
from foretell.models.cpu.overlap import exposed
from foretell.models.cpu.parallel import Split, split
from foretell.models.cpu.transfers.bandwidths import innermost_line, known, scattered_seconds_per_byte, seconds_per_byte
from foretell.models.cpu.transfers.false_sharing import handed_over
from foretell.models.cpu.transfers.strided_stores import Waits, column_waits, longest_array
from foretell.models.cpu.transfers.tlb import page_walks
from foretell.models.cpu.transfers.volumes import Volumes, level_volumes, plane_volumes, write_allocate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs, Settings
    from foretell.models.cpu.notes import Where
    from foretell.models.cpu.program import Run

#: without a number for a whole parallel region: it starts with one meeting of its threads and ends with another
_MEETINGS = 2.0
#: overlap of a level that nobody has measured: 0.5 minimises the worst-case error
_UNKNOWN_OVERLAP = 0.5
#: transfers that no level has an overlap for
_OF_CORE = ("pages", "stores")


#: how far off each part may be, as shares of it: what nine in ten measurements of the tuning sets of validation/cpu lie
#: within. The core that the code is followed through loses no time that is not known of, and real cores do; the
#: bandwidths are those of loops with few streams; regions differ that much from one probe to the next; and of what is
#: not hidden, half or twice as much may be, between all and nothing.
UNCERTAIN = {"core": (0.95, 1.35), "transfers": (0.85, 1.2), "regions": (0.75, 1.4), "exposed": (0.5, 2.0)}


@dataclass(frozen=True, slots=True)
class NestTime:
    """Seconds of one run of a nest."""

    run: Run
    core: CoreTime
    transfers: Mapping[str, Value]
    meetings: Value
    exposed: Value
    overlap_probed: bool
    volumes: Volumes
    flops: Value
    notes: tuple[Note, ...]

    @property
    def nest(self) -> LoopNest:
        return self.run.nest

    @property
    def count(self) -> Value:
        """How often it runs."""
        return self.run.count

    @property
    def running(self) -> Where:
        """Where it runs at all."""
        return self.count != 0 if np.ndim(self.count) else True

    @property
    def core_seconds(self) -> Value:
        return self.core.seconds

    @property
    def moving(self) -> Value:
        """All transfers, one after the other."""
        return sum(self.transfers.values(), 0.0)

    @property
    def seconds(self) -> Value:
        """With the overlap that the machine has."""
        return self.fastest + self.exposed

    @property
    def fastest(self) -> Value:
        """With perfect overlap of core and transfers."""
        return np.maximum(self.core_seconds, self.moving) + self.meetings

    def interval(self, certain: bool) -> tuple[Value, Value]:
        """From perfect overlap to none where the overlap is not known, else around the one that was probed; each part
        as short or as long as it may be, or as it is (`certain`)."""
        names = ("core", "transfers", "regions")
        core, moving, regions = ((1.0, 1.0) if certain else UNCERTAIN[name] for name in names)
        ends = [
            (self.core_seconds * core[end], self.moving * moving[end], self.meetings * regions[end]) for end in (0, 1)
        ]
        low, high = (np.maximum(work, lines) + meeting for work, lines, meeting in ends)
        none = sum(ends[1], 0.0)
        if certain or not self.overlap_probed:
            return low, none
        less, more = (self.exposed * share for share in UNCERTAIN["exposed"])
        return low + less, np.minimum(high + more, none)


def nest_time(run: Run, inputs: Inputs, settings: Settings, threads: Value, everywhere: bool) -> NestTime:
    """A nest on so many threads."""
    nest, values = run.nest, run.values
    moving, *ahead = (whole_records(in_rows(one)) for one in (nest, *run.ahead))
    parts = split(nest, values, threads, everywhere)
    by_planes = settings["rule"] == "plane_rule"
    volumes = (
        plane_volumes(nest, inputs, settings, values, run.alone)
        if by_planes
        else level_volumes(moving, inputs, settings, values, parts, ahead)
    )
    core = core_time(nest, inputs, settings, values, parts.depth is not None, run.parameters, run.beside)
    core = core.share(parts.imbalance / parts.threads)
    found = _composed(run, moving, core, volumes, inputs, settings, parts)
    if not knows_vectors(inputs):
        return found
    clock = running_clock(inputs, core, found.fastest)
    slower = inputs.value("clock.frequency") / clock
    if np.ndim(slower) == 0 and slower <= 1:
        return found
    found = _composed(run, moving, core.slower(slower), volumes, inputs.at_clock(clock), settings, parts)
    said = Note(
        f"{nest.function}, line {nest.line}: wide vectors lower the clock to {{:.3g}} GHz", slower > 1, (clock / 1e9,)
    )
    return replace(found, notes=(*found.notes, said))


def _composed(
    run: Run, moving: LoopNest, core: CoreTime, volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split
) -> NestTime:
    """What the core does and what is moved, at one clock."""
    nest, values = run.nest, run.values
    by_planes = settings["rule"] == "plane_rule"
    moved = _transfers(volumes, inputs, settings, parts)
    walks = None if by_planes else page_walks(moving, inputs, values, parts, volumes)
    if walks is not None and np.any(walks):
        moved["pages"] = walks
    waits = column_waits(moving, volumes, inputs, values, parts, write_allocate(inputs, settings))
    if np.any(waits.seconds):
        moved["stores"] = waits.seconds
    handed = 0.0 if by_planes else handed_over(moving, inputs, values, parts, innermost_line(inputs))
    return NestTime(
        run=run,
        core=core,
        transfers=moved,
        meetings=_meetings(nest, inputs, settings, values, parts) + handed,
        exposed=np.maximum(
            exposed(core.seconds, moved, _overlaps(inputs, settings, moved, waits)),
            _crowded(core, moved, volumes, inputs, settings, parts),
        ),
        overlap_probed=all(_overlap_path(name) in inputs.machine for name in moved if name not in _OF_CORE),
        volumes=volumes,
        flops=flops(nest, values),
        notes=(
            *core.notes,
            *volumes.notes,
            *(Note(f"{nest.function}, line {note.line}: {note.text}") for note in moving.assumptions),
        ),
    )


def _crowded(
    core: CoreTime, moved: Mapping[str, Value], volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split
) -> Value:
    """Extra time because the innermost cache cannot be filled while it serves loads and stores: the non-overlapping
    part of the execution-cache-memory model. The transfers' own time has an access of each byte; only what the code
    accesses more often comes on top."""
    inner = f"level.{inputs.machine.levels[0]}"
    nearest = next((name for name in moved if name not in _OF_CORE), None)
    if settings["overlap"] != "probed" or nearest is None or not known(inputs.machine, inner):
        return 0.0
    all_lines = volumes.into(nearest)
    taken_in = _supply(all_lines, nearest, _prefix(nearest), inputs, settings, parts)
    once = _supply(all_lines, nearest, inner, inputs, settings, parts)
    longest = np.maximum(core.seconds, sum(moved.values(), 0.0))
    return taken_in + np.maximum(0.0, core.accesses - once) - longest


def _transfers(volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split) -> dict[str, Value]:
    """Seconds of what each level supplies. The probe's bandwidths are those of the whole way to the core: a line from
    memory has its time there, and none at the levels that it passes."""
    return {
        supplier: _supply(volumes, supplier, _prefix(supplier), inputs, settings, parts)
        for supplier in volumes.reads
        if known(inputs.machine, _prefix(supplier))
    }


def _prefix(supplier: str) -> str:
    return supplier if supplier == "memory" else f"level.{supplier}"


def _supply(volumes: Volumes, supplier: str, prefix: str, inputs: Inputs, settings: Settings, parts: Split) -> Value:
    """Seconds that the bytes which a level supplies take at the bandwidths of `prefix`."""
    reads, writes, scattered, updates = volumes.supplied(supplier)
    total = reads + writes
    share, updated = _ratio(writes, total), _ratio(updates, writes)
    allocate = write_allocate(inputs, settings)
    cost = seconds_per_byte(inputs, prefix, parts.threads, share, updated, allocate, volumes.in_turn)
    at_random = scattered_seconds_per_byte(inputs, prefix, parts.threads)
    moving = longest_array(volumes, volumes.spaced, supplier, prefix, inputs, parts.threads, cost)
    moving = np.maximum(total * cost, moving)
    return (moving + scattered * at_random) * parts.imbalance


def _ratio(part: Value, whole: Value) -> Value:
    """0 where there is nothing."""
    some = np.greater(whole, 0.0)
    return np.where(some, part / np.where(some, whole, 1.0), 0.0)


def _overlaps(inputs: Inputs, settings: Settings, moved: Mapping[str, Value], waits: Waits) -> dict[str, Value]:
    if settings["overlap"] != "probed":
        return dict.fromkeys(moved, 1.0 if settings["overlap"] == "full" else 0.0)
    probed = {
        name: inputs.value(path) if (path := _overlap_path(name)) in inputs.machine else _UNKNOWN_OVERLAP
        for name in moved
    }
    return {**probed, **({"stores": waits.missing} if "stores" in moved else {})}


def _overlap_path(supplier: str) -> str:
    return f"{_prefix(supplier)}.overlap"


def _meetings(nest: LoopNest, inputs: Inputs, settings: Settings, values: Mapping[str, Value], parts: Split) -> Value:
    """Starting and ending the parallel loop, as often as the loops around it run."""
    launch = _of_runtime("sync.launch", inputs, settings)
    region = [path for path in (launch, "sync.global") if path in inputs.machine]
    if parts.depth is None or not region:
        return 0.0
    entries = real(iterations(nest.loops, parts.depth).evaluate(values))
    all_cores = inputs.value("cores.count")
    if region[0] == "sync.global":
        return _MEETINGS * inputs.seconds("sync.global") * meeting_share(parts.threads, all_cores) * entries
    pair = _of_runtime("sync.pair_launch", inputs, settings)
    return _region(inputs, (launch, pair), parts.threads, all_cores) * entries


def _of_runtime(path: str, inputs: Inputs, settings: Settings) -> str:
    """The parameter of the OpenMP runtime that belongs to the compiler, where the machine has one."""
    own = f"{path}_llvm"
    return own if family_of(settings["compiler"]) == "clang" and own in inputs.machine else path


def _region(inputs: Inputs, paths: tuple[str, str], threads: Value, all_cores: Value) -> Value:
    """A parallel region: between that of two threads and that of all, as the depth of a tree of threads grows."""
    launch, of_two = paths
    every = inputs.seconds(launch)
    share = meeting_share(threads, all_cores)
    if of_two not in inputs.machine:
        return every * share
    pair, least = inputs.seconds(of_two), meeting_share(2.0, all_cores)
    part = np.clip((share - least) / np.maximum(1.0 - least, 1e-9), 0.0, 1.0)
    return np.where(np.asarray(threads) > 1, pair + (every - pair) * part, 0.0)
