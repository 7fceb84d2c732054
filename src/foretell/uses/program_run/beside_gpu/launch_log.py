"""Reads the file that a recorded program writes beside a GPU (cpp/recorder/log.hpp): code, launches, memory, times."""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from foretell import files, limits
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".launches"
LOG_VERSION = 2
#: the number of a block that was left out
UNKNOWN_BLOCK = 0xFFFF_FFFF
_HEAD = struct.Struct("<IQ")
_TIME = struct.Struct("<IQQ")
_CUT_OFF = "the program did not end in order: what it did last is missing"


class Entry(IntEnum):
    """Kinds of entries; the numbers are part of the format."""

    BEGIN = 1
    MODULE = 2
    FUNCTION = 3
    VARIABLE = 4
    BLOCK = 5
    LAUNCH = 6
    TIMES = 8
    NOTE = 9
    END = 11
    STEP = 12


#: kinds of steps, and how many numbers they have (cpp/recorder/steps.hpp): part of the format
_STEPS = {
    1: ("launch", 4),
    2: ("copy", 6),
    3: ("set", 3),
    4: ("stream", 2),
    5: ("record", 2),
    6: ("wait", 2),
    7: ("synchronise", 2),
    8: ("graph", 1),
}


class LoggedStep(NamedTuple):
    """What the program did, after so many seconds of its own; the numbers are those of cpp/recorder/steps.hpp."""

    kind: str
    host_s: float
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoggedArray:
    """Memory that a launch reaches: an allocation by its number from 1, or with number 0 a variable of the module. No
    `blocks`: nothing is known of it."""

    address: int
    bytes: int
    number: int
    blocks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoggedVariable:
    """A variable of a module on the device."""

    name: str
    address: int
    bytes: int


@dataclass(slots=True)
class LoggedLaunch:
    """A launch with the memory that it met; `made` are the correlation numbers of all that were equal to it, each with
    which of the kernels of this number it is (those of a graph have one number)."""

    function: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared: int
    cooperative: bool
    parameters: bytes
    arrays: tuple[LoggedArray, ...]
    made: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class LaunchLog:
    """What a program did. `times` are begin and end of kernels, in nanoseconds, by correlation."""

    modules: dict[int, bytes] = field(default_factory=dict)
    functions: dict[int, tuple[int, str]] = field(default_factory=dict)
    variables: dict[int, list[LoggedVariable]] = field(default_factory=lambda: defaultdict(list))
    blocks: dict[int, bytes] = field(default_factory=dict)
    launches: list[LoggedLaunch] = field(default_factory=list)
    times: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)
    steps: list[LoggedStep] = field(default_factory=list)

    def measured_s(self, launch: LoggedLaunch) -> float | None:
        """The median time of a launch on the GPU that it was recorded on."""
        known = sorted(time for time in (self._time_s(*made) for made in launch.made) if time is not None)
        return known[len(known) // 2] if known else None

    def _time_s(self, correlation: int, place: int) -> float | None:
        """The time of a kernel; those of a graph follow each other."""
        times = sorted(self.times.get(correlation, []))
        if place >= len(times):
            return None
        start, end = times[place]
        return (end - start) * 1e-9


class _Fields:
    """The content of an entry, read from its start."""

    def __init__(self, data: memoryview) -> None:
        self._data, self._at = data, 0

    def get(self, form: str) -> tuple[Any, ...]:
        layout = struct.Struct("<" + form)
        if self._at + layout.size > len(self._data):
            raise InputError("has an entry that is too short")
        values = layout.unpack_from(self._data, self._at)
        self._at += layout.size
        return values

    def block(self) -> bytes:
        (size,) = self.get("I")
        if self._at + size > len(self._data):
            raise InputError("has an entry that is too short")
        self._at += size
        return bytes(self._data[self._at - size : self._at])

    def text(self) -> str:
        return self.block().decode(errors="replace")

    def rest(self) -> memoryview:
        return self._data[self._at :]


def read(path: Path) -> LaunchLog:
    """The log of one process. One that was cut off is read up to there."""
    log, ended = LaunchLog(), False
    data = memoryview(files.read_bytes(path, limits.memory_bytes(), limits.MORE_MEMORY))
    try:
        for number, content in _entries(data):
            _add(log, Entry(number), _Fields(content))
            ended = ended or number == Entry.END
    except ValueError:
        raise InputError("is no log of launches of this version", file=path) from None
    except InputError as error:
        raise error.at(path) from None
    if not ended:
        log.notes.append(_CUT_OFF)
    return log


def _entries(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    at = 0
    while at + _HEAD.size <= len(data):
        number, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if number == 0 or at + size > len(data):  # what follows the last entry of a program that was killed is zero
            return
        yield number, data[at : at + size]
        at += size


def _add(log: LaunchLog, kind: Entry, content: _Fields) -> None:
    if kind == Entry.BEGIN:
        if content.get("I") != (LOG_VERSION,):
            raise InputError("is a log of launches of another version")
    elif kind == Entry.MODULE:
        (number,) = content.get("I")
        log.modules[number] = content.block()
    elif kind == Entry.FUNCTION:
        number, module = content.get("II")
        log.functions[number] = (module, content.text())
    elif kind == Entry.VARIABLE:
        (module,) = content.get("I")
        log.variables[module].append(LoggedVariable(content.text(), *content.get("QQ")))
    elif kind == Entry.BLOCK:
        (number,) = content.get("I")
        log.blocks[number] = content.block()
    elif kind == Entry.LAUNCH:
        log.launches.append(_launch(content))
    else:
        _add_event(log, kind, content)


def _add_event(log: LaunchLog, kind: Entry, content: _Fields) -> None:
    if kind == Entry.STEP:
        _add_step(log, content)
    elif kind == Entry.TIMES:
        whole = content.rest()
        for number, start, end in _TIME.iter_unpack(whole[: len(whole) // _TIME.size * _TIME.size]):
            log.times[number].append((start, end))
    elif kind == Entry.NOTE:
        log.notes.append(content.text())


def _add_step(log: LaunchLog, content: _Fields) -> None:
    kind, host_ns = content.get("IQ")
    if kind not in _STEPS:
        raise InputError(f"has a step of unknown kind {kind}")
    name, count = _STEPS[kind]
    step = LoggedStep(name, host_ns * 1e-9, content.get(f"{count}Q"))
    if name == "launch":
        launch, _, correlation, place = step.numbers
        if launch >= len(log.launches):
            raise InputError(f"makes a launch {launch} that it does not have")
        log.launches[launch].made.append((correlation, place))
    log.steps.append(step)


def _launch(content: _Fields) -> LoggedLaunch:
    function, *sizes, shared, cooperative = content.get("I9III")
    parameters = content.block()
    (count,) = content.get("I")
    return LoggedLaunch(
        function=function,
        grid=(sizes[0], sizes[1], sizes[2]),
        block=(sizes[3], sizes[4], sizes[5]),
        cluster=(sizes[6], sizes[7], sizes[8]),
        shared=shared,
        cooperative=bool(cooperative),
        parameters=parameters,
        arrays=tuple(_array(content) for _ in range(count)),
    )


def _array(content: _Fields) -> LoggedArray:
    address, size, number, blocks = content.get("QQII")
    return LoggedArray(address, size, number, content.get(f"{blocks}I"))
