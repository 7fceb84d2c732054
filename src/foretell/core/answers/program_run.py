"""What a CUDA program would do on GPUs: its launches, copies and their timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from foretell import units
from foretell.core.answers.forms import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.core.answers.answers import Refusal

OperationKind = Literal["kernel", "copy", "set", "library"]


@dataclass(frozen=True, slots=True)
class Operation:
    """A launch, copy, set or call of a closed library that the program submitted. `name` is the kernel, the function or
    the direction of the copy, `bytes` what is copied or set, `instructions` the executed warp instructions of a kernel,
    `measured_s` its time on the GPU that it was recorded on."""

    kind: OperationKind
    name: str
    stream: int
    bytes: int = 0
    grid: tuple[int, int, int] = (0, 0, 0)
    block: tuple[int, int, int] = (0, 0, 0)
    instructions: int = 0
    measured_s: float | None = None


@dataclass(frozen=True, slots=True)
class TimedOperation:
    """When an operation runs on a GPU: `operation` is its index in the run; seconds from the start of the program's
    first use of CUDA."""

    operation: int
    stream: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class KernelTotal:
    """All launches of a kernel on a GPU. `predicted` launches have a prediction of their own, the others the time of an
    equal one or one interpolated by executed instructions. `share` is of the time of all kernels; `measured_s` the time
    of all launches on the GPU that they were recorded on."""

    kernel: str
    launches: int
    time_s: float
    share: float
    interval_s: tuple[float, float]
    bound_by: str
    predicted: int
    instructions: int
    assumptions: tuple[str, ...] = ()
    measured_s: float | None = None

    @property
    def mean_s(self) -> float:
        return self.time_s / self.launches


@dataclass(frozen=True, slots=True)
class CopyTotal:
    """All copies or sets of a direction on a GPU."""

    direction: str
    count: int
    bytes: int
    time_s: float


@dataclass(frozen=True, slots=True)
class PathPart:
    """A part of the critical path: all of a kernel, a direction of copies, or the host (submissions and its own time)
    that the end of the program waits for."""

    kind: str
    name: str
    time_s: float
    share: float


@dataclass(frozen=True, slots=True)
class ProgramChange:
    """What a change would bring at most, with nothing else changed: the time of the program with it and without."""

    change: str
    time_s: float
    before_s: float

    @property
    def gain(self) -> float:
        """Speed-up."""
        return self.before_s / self.time_s if self.time_s else 1.0


@dataclass(frozen=True, slots=True)
class DeviceRun:
    """The program on one GPU. `total_s` is its time from the first use of CUDA to its end, `busy_s` that in which the
    GPU does something, `host_s` the program's own time outside of CUDA, measured here, `waiting_s` that in which the
    host waits for the GPU."""

    machine: str
    kernels: tuple[KernelTotal, ...]
    copies: tuple[CopyTotal, ...]
    kernels_s: float
    copies_s: float
    busy_s: float
    total_s: float
    host_s: float
    waiting_s: float
    timeline: tuple[TimedOperation, ...]
    assumptions: tuple[str, ...] = ()
    critical_path: tuple[PathPart, ...] = ()
    changes: tuple[ProgramChange, ...] = ()

    @property
    def idle_s(self) -> float:
        """Time in which the GPU waits for the host."""
        return max(0.0, self.total_s - self.busy_s)


@dataclass(frozen=True, slots=True, repr=False)
class ProgramRun(Answer):
    """A CUDA program that ran without a GPU, or a capture of one: what it did, and how long it would take on each
    GPU. `refused` are machines that cannot run it."""

    command: tuple[str, ...]
    exit_code: int
    operations: tuple[Operation, ...]
    devices: tuple[DeviceRun, ...]
    faults: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()

    report_name = "program_run"

    def __repr__(self) -> str:
        times = ", ".join(f"{item.machine} {units.show(item.busy_s, 's')}" for item in self.devices)
        return f"<ProgramRun of {' '.join(self.command)}: {self.launches} launches; {times}>"

    @property
    def launches(self) -> int:
        """How many kernels were launched."""
        return sum(item.kind == "kernel" for item in self.operations)


def assumptions_of(run: ProgramRun) -> Iterable[str]:
    """What any of the predictions supposes, each once."""
    return dict.fromkeys(
        text
        for device in run.devices
        for text in (*device.assumptions, *(note for kernel in device.kernels for note in kernel.assumptions))
    )
