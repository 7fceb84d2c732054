"""One GPU of a run: predicted launches and copies on its timeline."""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, dataclass, field, fields
from typing import TYPE_CHECKING, cast

from foretell import machines
from foretell.characterize.gpu.complete_record import HeapCalls, LinkTraffic, PageFaults, Printing
from foretell.core.answers.program_run import CopyTotal, DeviceRun, KernelTotal, ProgramChange, TimedOperation
from foretell.core.machine.siblings import with_siblings
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.binary.names import signature
from foretell.frontends.gpu.recorded_program import EVERY_STREAM
from foretell.uses.program_run.launches.predicting import Predictor
from foretell.uses.program_run.library_estimates import NAMES, Family, Kind, LibraryCall
from foretell.uses.program_run.link import (
    EVENT_S,
    FAULT_IN_TURN_S,
    FAULT_S,
    GRAPH_START_S,
    KERNEL_LOAD_S,
    LARGE_PAGE_S,
    MIGRATION,
    MODULE_LOAD_S,
    PAGE_S,
    Link,
    LinkCopy,
)
from foretell.uses.program_run.memory.device_memory import DEVICE, HOST, MANAGED, MODULE, PREFETCHED
from foretell.uses.program_run.properties import architecture
from foretell.uses.program_run.timeline import Timeline
from foretell.uses.program_run.what_if import changes, path_parts, worthwhile

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from foretell.core.answers.program_run import Operation
    from foretell.core.gpu.launch import Launch
    from foretell.core.machine.machine import Machine
    from foretell.frontends.gpu.recorded_program import RecordedStep
    from foretell.uses.program_run.launches.predicting import Group, Outcome
    from foretell.uses.program_run.modules import Module

#: changes of a machine, with the parameter that is doubled
_SHADOWS = {"twice the multiprocessors": "cores.count", "memory of twice the bandwidth": "memory.bandwidth"}
_FASTER = 2.0
ON_DEVICE = (DEVICE, MANAGED, MODULE)
_MANAGED = (
    "pages of managed memory that the host wrote, or nobody used, migrate in the launch that touches them first: the "
    f"first in {FAULT_S * 1e6:g} us, each further large page (2 MiB) in {LARGE_PAGE_S * 1e6:g} us and each page "
    f"(64 KiB) in {PAGE_S * 1e6:g} us, or each fault of a warp that waits for another one in "
    f"{FAULT_IN_TURN_S * 1e6:g} us, as on an H200, within a factor of two; what the host reads back is not counted"
)
_MIGRATES = (
    f"managed memory that the host wrote migrates in the next launch that gets it, {FAULT_S * 1e6:g} us and then at "
    f"{MIGRATION / 1e9:g} GB/s (as on an H200, within a factor of four), as the capture is of an older version"
)
_OVER_LINK = (
    "memory of the host that kernels use goes over the link by a rule of its lines, runs of bytes and rounds of loads, "
    "as measured on an H200, within a factor of 1.5"
)
_PRINTS = (
    "printf on the device takes what it took on an H200, within a factor of 1.5; lines beyond its buffer (1 MiB) take "
    "longer"
)
_HEAP_CALLS = (
    "a call of malloc or free on the device takes 9 us, as on an H200, whatever its size; how many are served at once "
    "is not known, and the mean of all and one is taken"
)
_WAITS = "loops that wait for a clock take the time that they wait for, at the clock of the machine"


#: how far the times of faults are known (validation/h200/sample-programs), and where only their bytes are
_FAULT_FACTOR, _MIGRATION_FACTOR = 2.0, 4.0

#: numbers of what goes over the link
_TRAFFIC = len(fields(LinkTraffic))
#: of what is printed, and of calls of malloc and free
_PRINTING, _HEAP = len(fields(Printing)), len(fields(HeapCalls))


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a launch did that the model does not know: bytes of managed memory that migrated (of captures of older
    versions), cycles that all blocks waited for clocks and the most of one, memory of the host that it used, what it
    printed, its calls of malloc and free, and pages of managed memory that it fetched."""

    migrated: int = 0
    waited: int = 0
    longest_wait: int = 0
    traffic: LinkTraffic | None = None
    printing: Printing | None = None
    heap: HeapCalls | None = None
    faults: PageFaults | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """All of it as numbers."""
        traffic = (0,) * _TRAFFIC if self.traffic is None else astuple(self.traffic)
        printing = (0,) * _PRINTING if self.printing is None else astuple(self.printing)
        heap = (0,) * _HEAP if self.heap is None else astuple(self.heap)
        faults = () if self.faults is None else astuple(self.faults)
        return self.migrated, self.waited, self.longest_wait, *traffic, *printing, *heap, *faults

    @classmethod
    def of(cls, migrated: int, waited: int, longest_wait: int, *others: int) -> Beyond:
        """The same again; captures of earlier versions have fewer numbers."""
        traffic, more = others[:_TRAFFIC], others[_TRAFFIC:]
        printing, rest = more[:_PRINTING], more[_PRINTING:]
        heap, faults = rest[:_HEAP], rest[_HEAP:]
        return cls(
            migrated,
            waited,
            longest_wait,
            LinkTraffic(*traffic) if any(traffic) else None,
            Printing(*printing) if any(printing) else None,
            HeapCalls(*heap) if any(heap) else None,
            PageFaults(*faults) if any(faults) else None,
        )


@dataclass
class SimulatedDevice:
    """Launches and copies of a program on one machine."""

    machine: Machine
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    copies: dict[int, LinkCopy] = field(default_factory=dict)
    #: the same machine with one number changed, by what it is
    shadows: dict[str, SimulatedDevice] = field(default_factory=dict)
    _notes: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.predictor = Predictor(self.machine)
        self.link = Link.of(self.predictor.machine)
        overlap = max(0.0, self.predictor.start_s - GRAPH_START_S)
        self.timeline = Timeline(self.link.launch_s, EVENT_S, overlap)
        self._loaded: set[object] = set()
        self._arch = architecture(self.machine)

    def note(self, text: str) -> None:
        """Adds an assumption, once."""
        if text:
            self._notes[text] = None

    def before(self, group: Group, key: Hashable, module: Module, launch: Launch) -> None:
        """Predicts a launch with the code that this machine runs, before it is executed."""
        code = module.code(self._arch)
        self.note(code.note)
        assert launch.kernel is not None
        for item, seconds in ((id(module), MODULE_LOAD_S), ((id(module), launch.kernel), KERNEL_LOAD_S)):
            if item not in self._loaded:
                self.timeline.advance(seconds)
            self._loaded.add(item)
        self.predictor.before(group, key, code.kernel(launch.kernel), launch)

    def after(self, group: Group, instructions: int, operation: int, stream: int, blocks: int, beyond: Beyond) -> None:
        """Puts an executed launch on the timeline, with what it did beyond what the model knows."""
        outcome = self.predictor.after(group, instructions, blocks)
        if beyond.traffic is not None:
            self.note(_OVER_LINK)
            outcome = outcome.with_link(self.predictor.start_s + self.link.reached_s(beyond.traffic, outcome.at_once))
        if beyond.printing is not None:
            self.note(_PRINTS)
            outcome = outcome.with_calls(self.link.printing_s(beyond.printing), "printf")
        if beyond.heap is not None:
            self.note(_HEAP_CALLS)
            seconds, factor = self.link.heap_s(beyond.heap)
            outcome = outcome.with_calls(seconds, "malloc", factor)
        if beyond.longest_wait:
            self.note(_WAITS)
            clock = self.machine.value("clock.frequency")
            outcome = outcome.with_waits(beyond.waited / clock, beyond.longest_wait / clock)
        if beyond.faults is not None:
            self.note(_MANAGED)
            outcome = outcome.with_calls(self.link.faults_s(beyond.faults), "migration", _FAULT_FACTOR)
        if beyond.migrated:
            self.note(_MIGRATES)
            outcome = outcome.with_calls(self.link.migration_s(beyond.migrated), "migration", _MIGRATION_FACTOR)
        self.outcomes[operation] = outcome
        self.timeline.submit(operation, stream, outcome.time_s, "compute", outcome.share)

    def wrote(self, address: int, size: int) -> None:
        """Notes what a copy or a set left in L2."""
        self.predictor.wrote(address, size)

    def step(self, operation: int, step: RecordedStep) -> str:
        """Does what the program did, but launches; of a copy its direction."""
        numbers = cast("tuple[int, ...]", step.numbers)
        match step.kind:
            case "copy":
                stream, source, target, size, asynchronous = numbers
                return self._copy(operation, stream, source, target, size, bool(asynchronous))
            case "set":
                self._set(operation, *numbers)
            case "wrote":
                self.wrote(*numbers)
            case "library":
                return self._library(operation, *numbers)
            case "synchronise":
                stream, event = numbers
                self.timeline.synchronise(None if stream == EVERY_STREAM else stream, event)
            case _:
                getattr(self.timeline, step.kind)(*numbers)
        return ""

    def _copy(self, operation: int, stream: int, source: int, target: int, size: int, asynchronous: bool) -> str:
        """Puts a copy on the timeline; its direction."""
        from_device, to_device = source in ON_DEVICE, target in ON_DEVICE
        if MANAGED in (source, target):
            self.note(_MANAGED)
        if target == PREFETCHED:
            self.timeline.submit(operation, stream, self.link.prefetch_s(size), "to device")
            return "prefetch to device"
        if from_device and to_device:
            self.timeline.submit(operation, stream, self.link.within_s(size), "compute", 0.0)
            return "device to device"
        if not from_device and not to_device:
            return "host to host"
        pinned = (source if to_device else target) == HOST
        self.copies[operation] = LinkCopy(size, to_device, pinned)
        seconds = self.link.seconds(self.copies[operation])
        self.timeline.submit(operation, stream, seconds, "to device" if to_device else "to host")
        if not asynchronous or not pinned:  # of pageable memory the host copies itself
            self.timeline.synchronise(stream)
        kind = "" if pinned else ", pageable"
        return f"host to device{kind}" if to_device else f"device to host{kind}"

    def _set(self, operation: int, stream: int, size: int) -> None:
        """Puts a set on the timeline."""
        self.timeline.submit(operation, stream, self.link.set_s(size), "compute", 0.0)

    def _library(self, operation: int, stream: int, family: int, kind: int, *sizes: int) -> str:
        """Puts a call of a closed library on the timeline; what it is."""
        first, second, third, fourth = sizes
        call = LibraryCall(Family(family), Kind(kind), (first, second, third, fourth))
        outcome = call.outcome(self.predictor.machine)
        self.outcomes[operation] = outcome
        self.timeline.submit(operation, stream, outcome.time_s, "compute", outcome.share)
        return NAMES[call.family]

    def result(self, operations: Sequence[Operation], host_s: float) -> DeviceRun:
        """Totals by kernel and by direction, and the timeline."""
        kernels = self._kernels(operations)
        copies = self._copies(operations)
        return DeviceRun(
            machine=self.machine.name,
            kernels=kernels,
            copies=copies,
            kernels_s=sum(item.time_s for item in kernels),
            copies_s=sum(item.time_s for item in copies),
            busy_s=self.timeline.busy_s,
            total_s=self.timeline.end_s,
            host_s=host_s,
            waiting_s=self.timeline.waited_s,
            timeline=tuple(
                TimedOperation(span.operation, span.stream, span.start_s, span.end_s) for span in self.timeline.spans
            ),
            assumptions=(*self._notes, *self.link.assumptions),
            critical_path=path_parts(self.timeline, operations),
            changes=tuple(self._changes()) if self.shadows else (),
        )

    def _changes(self) -> list[ProgramChange]:
        """What changes of the program and of the machine would bring."""
        total = self.timeline.end_s
        others = [ProgramChange(name, item.timeline.end_s, total) for name, item in self.shadows.items()]
        replays = changes(self.timeline, self.link, self.copies, self.predictor.start_s)
        return worthwhile([*replays, *others])

    def _kernels(self, operations: Sequence[Operation]) -> tuple[KernelTotal, ...]:
        by_name: dict[str, list[int]] = {}
        for number in self.outcomes:
            by_name.setdefault(operations[number].name, []).append(number)
        total = sum(outcome.time_s for outcome in self.outcomes.values())
        shown = Counter(map(plain_name, by_name))
        rows = [
            self._kernel(name if shown[name] == 1 else signature(mangled).forms[0], numbers, operations, total)
            for mangled, numbers in by_name.items()
            for name in [plain_name(mangled)]
        ]
        return tuple(sorted(rows, key=lambda row: -row.time_s))

    def _kernel(self, name: str, numbers: list[int], operations: Sequence[Operation], total: float) -> KernelTotal:
        outcomes = [self.outcomes[number] for number in numbers]
        time = sum(item.time_s for item in outcomes)
        bounds = Counter[str]()
        for item in outcomes:
            bounds[item.bound_by] += item.time_s  # type: ignore[assignment]
        return KernelTotal(
            kernel=name,
            launches=len(outcomes),
            time_s=time,
            share=time / total if total else 0.0,
            interval_s=(sum(item.interval_s[0] for item in outcomes), sum(item.interval_s[1] for item in outcomes)),
            bound_by=bounds.most_common(1)[0][0],
            predicted=sum(item.own for item in outcomes),
            instructions=sum(operations[number].instructions for number in numbers),
            assumptions=tuple(dict.fromkeys(note for item in outcomes for note in item.assumptions)),
            measured_s=_sum(operations[number].measured_s for number in numbers),
        )

    def _copies(self, operations: Sequence[Operation]) -> tuple[CopyTotal, ...]:
        times = {span.operation: span.seconds for span in self.timeline.spans}
        rows: dict[str, list[int]] = {}
        for number, item in enumerate(operations):
            if item.kind in ("copy", "set"):
                rows.setdefault(item.name, []).append(number)
        return tuple(
            CopyTotal(
                name,
                len(numbers),
                sum(operations[number].bytes for number in numbers),
                sum(times.get(number, 0.0) for number in numbers),
            )
            for name, numbers in rows.items()
        )


def _sum(times: Iterable[float | None]) -> float | None:
    """The sum, if all are known."""
    total = 0.0
    for time in times:
        if time is None:
            return None
        total += time
    return total


def shadow_machines(machine: Machine) -> dict[str, Machine]:
    """The machine with more of what kernels use; parameters of one resource move together."""
    whole = machines.completed(machine)
    return {
        name: whole.with_values(with_siblings(whole, {path: _FASTER * whole.value(path)}))
        for name, path in _SHADOWS.items()
    }
