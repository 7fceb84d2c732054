"""Computes the time of one nest: core time, transfer time of each level, and their overlap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.layout.array_lengths import assumed_lengths
from foretell.characterize.layout.row_pointers import in_rows
from foretell.characterize.layout.struct_members import whole_records
from foretell.codegen.compilers.flags import family_of
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import CONDITION_HOLDS, TO_MAXIMUM, UPPER_BOUNDS, iterations
from foretell.models.base import barrier_share
from foretell.models.cpu.clock import knows_vectors, running_clock
from foretell.models.cpu.condition_shares import leaving_lines
from foretell.models.cpu.core_time import CoreTime, core_time, flops
from foretell.models.cpu.notes import Note
from foretell.models.cpu.overlap import exposed
from foretell.models.cpu.parallel import Split, split
from foretell.models.cpu.transfers.bandwidths import innermost_line, known, scattered_seconds_per_byte, seconds_per_byte
from foretell.models.cpu.transfers.chained_lines import said as said_of_chain
from foretell.models.cpu.transfers.chained_lines import with_waits
from foretell.models.cpu.transfers.compiled_order import as_compiled
from foretell.models.cpu.transfers.entered_loops import ending_early
from foretell.models.cpu.transfers.false_sharing import handed_over, other_core
from foretell.models.cpu.transfers.loaded_addresses import columns_by_pointers, loaded_share, said
from foretell.models.cpu.transfers.strided_stores import Waits, column_waits, down_columns, longest_array
from foretell.models.cpu.transfers.tlb import Waited, translations
from foretell.models.cpu.transfers.volumes import Volumes, level_volumes, plane_volumes, write_allocate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs, Settings
    from foretell.models.cpu.compiled_code import CompiledCode
    from foretell.models.cpu.notes import Where
    from foretell.models.cpu.program import Run
    from foretell.models.cpu.transfers.other_nests import Other

#: default without a measured parallel region: one barrier at its start and one at its end
_BARRIERS = 2.0
#: cycles of a request for the next chunk of a dynamic loop: libgomp's take 39 on a Neoverse N1, 28 on a Golden Cove
#: (a thread alone, validation/cpu/openmp, fine_dynamic); the mean
_REQUEST = 33.0
#: overlap of a level that was not measured: 0.5 minimises the worst-case error
_UNKNOWN_OVERLAP = 0.5
#: transfers of levels without an overlap parameter
_OF_CORE = ("pages", "stores")


#: relative uncertainty of each part. `latency`, `ports`, `throughput` and `transfers` from the tuning half of the suite
#: `styles` (gcc 13 -O3 and -O2), of code that no jumps on data steer: the narrowest that hold 92 % of its cases
#: (91 % of functions which were left out). What decides is the cause: chains and busy units are simulated closely;
#: where slots of the issue stage, loads or stores are busy, stalls that the simulated core omits come on top; lines
#: at regular distances take less than banks in conflict would. `steered`: loops whose way data decide
#: (`calls/on_data/steered_share.py`), which may do a tenth of the work that is taken; what they may do more is a doubt
#: of its own. Places of short loops in windows of code, ends of loops and jumps on data are doubts of their own
#: (`CoreTime.less`), independent of these: squares add. The others from the tuning sets
#: of validation/cpu, about the outer twentieths: generated code (`core`), and where it is taken `instead` of code of
#: which is not known what runs; parallel regions, which vary that much between probes; lines of irregular accesses,
#: which are taken to be anywhere, while data often have neighbours together, in arrays that may be so short that all
#: are in L1 where their length is `assumed`; the part that is not hidden, which may be half as large, or, where a core
#: waits for chains, nearly all (probed overlaps of 0.8 were 0).
UNCERTAIN = {
    "core": (0.95, 1.38),
    "instead": (0.5, 2.5),
    "latency": (0.94, 1.1),
    "ports": (0.94, 1.28),
    "throughput": (0.9, 1.28),
    "steered": (0.1, 1.5),
    "transfers": (0.7, 1.45),
    "irregular": (0.25, 1.2),
    "assumed": (0.0, 1.2),
    "regions": (0.75, 1.4),
    "exposed": (0.5, 4.0),
}


@dataclass(frozen=True, slots=True)
class NestTime:
    """Seconds of one execution of a nest, by part."""

    run: Run
    core: CoreTime
    transfers: Mapping[str, Value]
    #: the part of the transfers that is for irregular accesses
    irregular: Value
    barriers: Value
    exposed: Value
    overlap_probed: bool
    volumes: Volumes
    flops: Value
    notes: tuple[Note, ...]
    #: seconds by which the interval is longer at its lower and upper end, for what is only estimated
    doubt: tuple[Value, Value] = (0.0, 0.0)
    #: whether lengths of arrays are assumed, which decide where irregular accesses hit
    lengths_assumed: bool = False

    @property
    def nest(self) -> LoopNest:
        return self.run.nest

    @property
    def count(self) -> Value:
        """Number of executions."""
        return self.run.count

    @property
    def running(self) -> Where:
        """Points at which the nest runs."""
        return self.count != 0 if np.ndim(self.count) else True

    @property
    def core_seconds(self) -> Value:
        return self.core.seconds

    @property
    def moving(self) -> Value:
        """Time of all transfers without overlap."""
        return sum(self.transfers.values(), 0.0)

    @property
    def seconds(self) -> Value:
        """Time with the machine's overlap."""
        return self.fastest + self.exposed

    @property
    def fastest(self) -> Value:
        """Time with perfect overlap of core and transfers."""
        return np.maximum(self.core_seconds, self.moving) + self.barriers

    def interval(self, certain: bool) -> tuple[Value, Value]:
        """Lower and upper time: from perfect overlap to none where the overlap is unknown, else around the probed one;
        each part at the limits of its uncertainty, or exact if `certain`."""
        lines = "assumed" if self.lengths_assumed else "irregular"
        names = (self.core.certainty, "transfers", "regions", lines)
        core, moving, regions, irregular = ((1.0, 1.0) if certain else UNCERTAIN[name] for name in names)
        in_core = self._core_ends(core, certain)
        ends = [
            (
                in_core[end],
                self.moving * moving[end] + self.irregular * (irregular[end] - moving[end]),
                self.barriers * regions[end],
            )
            for end in (0, 1)
        ]
        low, high = (np.maximum(work, moved) + barrier for work, moved, barrier in ends)
        none = sum(ends[1], 0.0)
        if certain or not self.overlap_probed:
            return low, none + self.doubt[1]
        less, more = (self.exposed * share for share in UNCERTAIN["exposed"])
        return low + less - self.doubt[0], np.minimum(high + more, none) + self.doubt[1]

    def _core_ends(self, factors: tuple[float, float], certain: bool) -> tuple[Value, Value]:
        """Lower and upper time of the core: its relative uncertainty and what is in doubt are independent, so squares
        add; but never less than what is not in doubt takes at least."""
        by_data = 0.0 if certain else self.core.steered
        least, most = (one + by_data * (end - one) for one, end in zip(factors, UNCERTAIN["steered"], strict=True))
        less, more = (0.0, 0.0) if certain else (self.core.less, self.core.more)
        core = self.core_seconds
        low = np.maximum(core - _together(core * (1 - least), less), least * (core - less))
        return low, core + _together(core * (most - 1), more)


def _together(part: Value, doubt: Value) -> Value:
    """The root of the sum of two squares; columns of very many points without a doubt are not evaluated for it."""
    return part if np.ndim(doubt) == 0 and doubt == 0 else np.hypot(part, doubt)


def nest_time(
    run: Run, inputs: Inputs, settings: Settings, threads: Value, everywhere: bool, compiled: CompiledCode | None = None
) -> NestTime:
    """Computes the time of a nest on `threads` threads; of its compiled code, where there is some."""
    nest = run.nest
    lengths, assumed = assumed_lengths(nest, run.values, run.of_function)
    given, values = run.values, {**run.values, **lengths}
    run = replace(run, values=values, others=_as_they_lie(run.others))
    moving, *ahead = (whole_records(in_rows(one)) for one in (nest, *run.ahead))
    moving = moving.assuming(assumed)
    if compiled is not None and not np.any(np.asarray(threads) > 1):
        moving = as_compiled(moving, compiled.loops(nest, given), values)
        moving = ending_early(moving, compiled.ended(nest, given))
    parts = split(nest, values, threads, everywhere)
    by_planes = settings["rule"] == "plane_rule"
    volumes = (
        plane_volumes(nest, inputs, settings, values, run.alone)
        if by_planes
        else level_volumes(moving, inputs, settings, values, parts, ahead, run.others)
    )
    core = core_time(nest, inputs, settings, given, parts.depth is not None, run.parameters, run.beside, compiled)
    core = core.share(parts.imbalance / parts.threads)
    time = _composed(run, moving, core, volumes, inputs, settings, parts, bool(assumed))
    if not knows_vectors(inputs):
        return time
    clock = running_clock(inputs, core, time.fastest)
    slower = inputs.value("clock.frequency") / clock
    if np.ndim(slower) == 0 and slower <= 1:
        return time
    time = _composed(run, moving, core.slower(slower), volumes, inputs.at_clock(clock), settings, parts, bool(assumed))
    said = Note(
        f"{nest.function}, line {nest.line}: wide vectors lower the clock to {{:.3g}} GHz", slower > 1, (clock / 1e9,)
    )
    return replace(time, notes=(*time.notes, said))


def _as_they_lie(others: Sequence[Other]) -> tuple[Other, ...]:
    """Nests whose arrays have their rows and records as they lie in memory."""
    return tuple(other._replace(nest=whole_records(in_rows(other.nest))) for other in others)


def _composed(
    run: Run,
    moving: LoopNest,
    core: CoreTime,
    volumes: Volumes,
    inputs: Inputs,
    settings: Settings,
    parts: Split,
    lengths_assumed: bool,
) -> NestTime:
    """Combines core time and transfers at one clock frequency."""
    nest, values, by_planes = run.nest, run.values, settings["rule"] == "plane_rule"
    unchained, core = core, with_waits(core, volumes, inputs, parts)
    moved = _transfers(volumes, inputs, settings, parts)
    waits = column_waits(moving, volumes, inputs, values, parts, write_allocate(inputs, settings))
    columns = [name for name, share in down_columns(moving, values, innermost_line(inputs)).items() if np.any(share)]
    waited = Waited(_waited_for_banks(moved, volumes, inputs, settings, parts), waits.seconds, columns)
    looked_up = None if by_planes else translations(moving, inputs, values, parts, volumes, waited, run.others)
    if looked_up is not None and np.any(looked_up):
        moved["pages"] = looked_up
    if np.any(waits.seconds):
        moved["stores"] = waits.seconds
    rows = columns_by_pointers(nest, moving.loops[-1].variable)
    loaded = loaded_share(volumes, rows) if rows else 0.0
    shared = 0.0 if by_planes else handed_over(moving, inputs, values, parts, innermost_line(inputs))
    handed = shared + _dealing(run, inputs, settings, parts, np.maximum(core.seconds, sum(moved.values(), 0.0)))
    return NestTime(
        run=run,
        core=core,
        transfers=moved,
        irregular=_irregular(volumes, inputs, parts),
        barriers=_barriers(run, inputs, settings, parts) + handed,
        exposed=np.maximum(
            exposed(core.seconds, moved, _overlaps(inputs, settings, moved, waits, loaded)),
            _crowded(core, moved, volumes, inputs, settings, parts),
        ),
        overlap_probed=all(_overlap_path(name) in inputs.machine for name in moved if name not in _OF_CORE),
        volumes=volumes,
        flops=core.runs * flops(nest, values),
        lengths_assumed=lengths_assumed,
        notes=(
            *core.notes,
            *volumes.notes,
            *_unknown_overlap(inputs, settings, moved),
            *([said(nest, rows, loaded)] if rows and settings["overlap"] == "probed" else []),
            said_of_chain(nest, core.seconds - unchained.seconds),
            *_assumed(moving, core),
        ),
    )


def _assumed(nest: LoopNest, core: CoreTime) -> Iterator[Note]:
    """What is assumed of the source, but for the ends of loops of which compiled code is followed to another end."""
    ending = frozenset[int]() if np.all(core.runs == 1.0) else leaving_lines(nest)
    for note in nest.assumptions:
        counts = note.text.startswith(TO_MAXIMUM) or note.text.endswith(UPPER_BOUNDS)
        if np.all(core.runs == 1.0) or not (counts or (note.line in ending and CONDITION_HOLDS in note.text)):
            yield Note(f"{nest.function}, line {note.line}: {note.text}")


def _crowded(
    core: CoreTime, moved: Mapping[str, Value], volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split
) -> Value:
    """Extra time because the innermost cache cannot be filled while it serves loads and stores: the non-overlapping
    part of the execution-cache-memory model. The transfer time includes one access of each byte; only the accesses
    beyond that are added."""
    inner = f"level.{inputs.machine.levels[0]}"
    nearest = next((name for name in moved if name not in _OF_CORE), None)
    if settings["overlap"] != "probed" or nearest is None or not known(inputs.machine, inner):
        return 0.0
    all_lines = volumes.into(nearest)
    taken_in = _supply(all_lines, nearest, _prefix(nearest), inputs, settings, parts)
    once = _supply(all_lines, nearest, inner, inputs, settings, parts)
    longest = np.maximum(core.seconds, sum(moved.values(), 0.0))
    return taken_in + np.maximum(0.0, core.accesses - once) - longest


def _waited_for_banks(
    moved: Mapping[str, Value], volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split
) -> Value:
    """The seconds of all transfers in which lines wait for their bank."""
    evenly = _transfers(replace(volumes, spaced=()), inputs, settings, parts) if volumes.spaced else moved
    return sum((moved[name] - evenly[name] for name in moved), 0.0)


def _transfers(volumes: Volumes, inputs: Inputs, settings: Settings, parts: Split) -> dict[str, Value]:
    """Seconds of each level's transfers. Probed bandwidths cover the whole path to the core: a line from memory is
    charged at memory only, not at the levels that it passes."""
    return {
        supplier: _supply(volumes, supplier, _prefix(supplier), inputs, settings, parts)
        for supplier in volumes.reads
        if known(inputs.machine, _prefix(supplier))
    }


def _prefix(supplier: str) -> str:
    return supplier if supplier == "memory" else f"level.{supplier}"


def _supply(volumes: Volumes, supplier: str, prefix: str, inputs: Inputs, settings: Settings, parts: Split) -> Value:
    """Seconds to transfer the bytes that a level supplies at the bandwidths of `prefix`."""
    reads, writes, scattered, updates = volumes.supplied(supplier)
    total = reads + writes
    share, updated = _ratio(writes, total), _ratio(updates, writes)
    allocate = write_allocate(inputs, settings)
    cost = seconds_per_byte(inputs, prefix, parts.threads, share, updated, allocate, volumes.alternating)
    at_random = scattered_seconds_per_byte(inputs, prefix, parts.threads)
    moving = longest_array(volumes, volumes.spaced, supplier, prefix, inputs, parts.threads, cost)
    moving = np.maximum((total + volumes.own(volumes.beyond, supplier)) * cost, moving)
    return (moving + scattered * at_random) * parts.imbalance


def _irregular(volumes: Volumes, inputs: Inputs, parts: Split) -> Value:
    """Seconds to transfer the lines of irregular accesses."""
    total: Value = 0.0
    for supplier in volumes.reads:
        if known(inputs.machine, prefix := _prefix(supplier)):
            scattered = volumes.supplied(supplier)[2]
            total = total + scattered * scattered_seconds_per_byte(inputs, prefix, parts.threads) * parts.imbalance
    return total


def _ratio(part: Value, whole: Value) -> Value:
    """Quotient; 0 where the denominator is."""
    some = np.greater(whole, 0.0)
    return np.where(some, part / np.where(some, whole, 1.0), 0.0)


def _overlaps(
    inputs: Inputs, settings: Settings, moved: Mapping[str, Value], waits: Waits, loaded: Value
) -> dict[str, Value]:
    """The overlap of each transfer, of which a share `loaded` has addresses that are loaded themselves."""
    if settings["overlap"] != "probed":
        return dict.fromkeys(moved, 1.0 if settings["overlap"] == "full" else 0.0)
    paths = {name: _overlap_path(name) for name in moved}
    if "pages" in moved:  # a load that waits for its translation is hidden as one that waits for the next level
        paths["pages"] = _overlap_path(next((name for name in moved if name not in _OF_CORE), "pages"))
    probed = {name: inputs.value(path) if path in inputs.machine else _UNKNOWN_OVERLAP for name, path in paths.items()}
    mixed = {name: part + loaded * (np.minimum(part, _UNKNOWN_OVERLAP) - part) for name, part in probed.items()}
    return {**mixed, **({"stores": waits.missing} if "stores" in moved else {})}


def _unknown_overlap(inputs: Inputs, settings: Settings, moved: Mapping[str, Value]) -> tuple[Note, ...]:
    """Names the levels whose overlap was not measured."""
    paths = [_overlap_path(name) for name in moved if name not in _OF_CORE]
    missing = [path for path in paths if path not in inputs.machine]
    if settings["overlap"] != "probed" or not missing:
        return ()
    return (Note(f"{', '.join(missing)} not known: half of the shorter of core time and transfers is hidden"),)


def _overlap_path(supplier: str) -> str:
    return f"{_prefix(supplier)}.overlap"


def _barriers(run: Run, inputs: Inputs, settings: Settings, parts: Split) -> Value:
    """Time of starting and ending the parallel region, and of the barrier at the end of each shared loop in it, times
    the iterations of the loops around them. Nests of one region share its start."""
    launch = _of_runtime("sync.launch", inputs, settings)
    region = [path for path in (launch, "sync.global") if path in inputs.machine]
    if parts.depth is None or not region:
        return 0.0
    loops, values = run.nest.loops, run.values
    starts = real(iterations(loops, parts.region).evaluate(values))
    all_cores = inputs.value("cores.count")
    ends: Value = 0.0
    if parts.region < parts.depth:
        starts = starts / (1 + len(run.beside))
        entries = real(iterations(loops, parts.depth).evaluate(values)) * parts.waits
        barrier = inputs.seconds("sync.global") if "sync.global" in inputs.machine else inputs.seconds(launch)
        ends = barrier * barrier_share(parts.threads, all_cores) * entries
    if region[0] == "sync.global":
        return _BARRIERS * inputs.seconds("sync.global") * barrier_share(parts.threads, all_cores) * starts + ends
    pair = _of_runtime("sync.pair_launch", inputs, settings)
    return _region(inputs, (launch, pair), parts.threads, all_cores) * starts + ends


def _dealing(run: Run, inputs: Inputs, settings: Settings, parts: Split, working: Value) -> Value:
    """Time of asking for chunks, beyond the time that all threads work. The counter of what is left is in one line,
    which goes from core to core: one request after the other, also where threads have little work between them. Results
    of a reduction are added up by one thread after the other."""
    own = _REQUEST / inputs.value("clock.frequency")
    if parts.depth is None:
        return own * parts.chunks if "-fopenmp" in settings["flags"] else 0.0
    entries = real(iterations(run.nest.loops, parts.depth).evaluate(run.values))
    each = other_core(inputs)
    requests = parts.chunks * entries
    asking = np.maximum(requests / parts.threads * (each + own), requests * (each + own) - working)
    return asking + parts.reduces * (parts.threads - 1.0) * each * entries


def _of_runtime(path: str, inputs: Inputs, settings: Settings) -> str:
    """The parameter of the compiler's OpenMP runtime, where the machine has one."""
    own = f"{path}_llvm"
    return own if family_of(settings["compiler"]) == "clang" and own in inputs.machine else path


def _region(inputs: Inputs, paths: tuple[str, str], threads: Value, all_cores: Value) -> Value:
    """Time of a parallel region: interpolated between two threads and all, with the depth of a tree of threads."""
    launch, of_two = paths
    every = inputs.seconds(launch)
    share = barrier_share(threads, all_cores)
    if of_two not in inputs.machine:
        return every * share
    pair, least = inputs.seconds(of_two), barrier_share(2.0, all_cores)
    part = np.clip((share - least) / np.maximum(1.0 - least, 1e-9), 0.0, 1.0)
    return np.where(np.asarray(threads) > 1, pair + (every - pair) * part, 0.0)
