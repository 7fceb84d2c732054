"""A capture as a program: its launches predicted, and what it did around them, on the timelines of GPUs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell import limits
from foretell.characterize.gpu import complete
from foretell.core.answers.answers import Refusal
from foretell.core.answers.program_run import Operation, ProgramRun
from foretell.errors import InputError
from foretell.frontends.gpu.capture import UNKNOWN, Capture
from foretell.frontends.gpu.recorded_program import RecordedStep
from foretell.uses.program_run import modules
from foretell.uses.program_run.devices import Beyond, SimulatedDevice, shadow_machines
from foretell.uses.program_run.properties import architecture, device_bytes
from foretell.uses.program_run.run import INSTRUCTIONS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from foretell.core.gpu.launch import DeviceArray, Launch
    from foretell.core.machine.machine import Machine

_WARP = 32
_ONLY_LAUNCHES = (
    "the capture has launches alone: each follows the one before, as often as it was made, without copies and "
    "without the host's time"
)
_NO_INSTRUCTIONS = "where a kernel has more launches than are predicted, others are interpolated by their warps"


@dataclass
class Replay:
    """The program of a capture. What is decoded of it is shared by all machines."""

    capture: Capture
    operations: list[Operation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._modules: dict[int, modules.Module] = {}
        self._launches: dict[int, Launch] = {}
        self._executed: dict[int, Launch | None] = {}
        self.steps = self.capture.steps or tuple(_in_sequence(self.capture))

    @property
    def needed_bytes(self) -> int:
        """Device memory that the launch with most of it reaches."""
        sizes = (sum(array.bytes for array in item.arrays) for item in self.capture.index.launches)
        return max(sizes, default=0)

    @property
    def host_s(self) -> float:
        """The program's own time."""
        return sum(step.numbers[0] for step in self.steps if step.kind == "advance")

    def on(self, device: SimulatedDevice) -> None:
        """Does everything on a device; the operations are those of any of them."""
        if not self.capture.steps:
            device.note(_ONLY_LAUNCHES)
        operations: list[Operation] = []
        previous: object = None
        others: tuple[int, ...] = ()
        for step in self.steps:
            if step.kind == "launch":
                previous = self._launch(device, operations, step, previous, others)
                others = ()
                continue
            if step.kind == "beyond":
                others = tuple(int(number) for number in step.numbers)
                continue
            name = device.step(len(operations), step)
            if step.kind == "library":
                previous = step.numbers[1:]
                operations.append(Operation("library", name, int(step.numbers[0])))
            if step.kind in ("copy", "set"):
                size = int(step.numbers[3] if step.kind == "copy" else step.numbers[1])
                operations.append(Operation("copy" if name else "set", name or "set", int(step.numbers[0]), bytes=size))
        self.operations = operations

    def _launch(
        self,
        device: SimulatedDevice,
        operations: list[Operation],
        step: RecordedStep,
        previous: object,
        others: tuple[int, ...],
    ) -> object:
        """A launch on a device; what decides what L2 holds for the next."""
        number, stream, instructions, migrated = (int(value) for value in step.numbers)
        launch, item = self.launch(number), self.capture.index.launches[number]
        assert launch.passed is not None
        if not instructions:
            device.note(_NO_INSTRUCTIONS)
        executed = instructions or launch.blocks * -(-math.prod(launch.block) // _WARP)
        function = (item.module, item.kernel)
        group = (hash(function), launch.block, launch.shared_bytes)
        key = (tuple(item.cluster), previous)
        device.before(group, key, self.module(number), launch)
        if device.predictor.failed and (left := self._left(number, architecture(device.machine))) is not None:
            device.predictor.left(left)
        device.after(group, executed, len(operations), stream, launch.blocks, Beyond.of(migrated, *others or (0, 0)))
        operations.append(
            Operation(
                "kernel",
                item.kernel,
                stream,
                grid=launch.grid,
                block=launch.block,
                instructions=instructions,
                measured_s=item.measured_s,
            )
        )
        return function, launch.grid

    def launch(self, number: int) -> Launch:
        """A launch of the capture, with its memory."""
        if number not in self._launches:
            self._launches[number] = self.capture.launch(number)
        return self._launches[number]

    def _left(self, number: int, arch: int) -> Launch | None:
        """A launch with the memory that it leaves: executed, where all of its memory is known and nothing fails."""
        if number not in self._executed:
            self._executed[number] = self._execute(number, arch)
        return self._executed[number]

    def _execute(self, number: int, arch: int) -> Launch | None:
        launch, item = self.launch(number), self.capture.index.launches[number]
        assert launch.passed is not None
        arrays = tuple(
            replace(array, data=array.data.copy()) for array in launch.passed.arrays if array.data is not None
        )
        if len(arrays) < len(launch.passed.arrays) or item.cluster != (1, 1, 1):
            return None
        record = complete.execute(
            complete.program_of(self.module(number).code(arch).kernel(item.kernel)),
            grid=launch.grid,
            block=launch.block,
            parameters=launch.passed.parameters,
            memory=[_region(array) for array in arrays],
            banks=dict(launch.passed.banks),
            dynamic_shared=launch.shared_bytes,
            budget=limits.steps(INSTRUCTIONS_PER_SECOND),
        )
        return None if record.error else replace(launch, passed=replace(launch.passed, arrays=arrays))

    def module(self, number: int) -> modules.Module:
        """The code of a launch."""
        item = self.capture.index.launches[number]
        blob = item.module if item.code == UNKNOWN else item.code
        if blob not in self._modules:
            self._modules[blob] = modules.Module(self.capture.blob(blob))
        return self._modules[blob]


def predict_capture(path: Path, machines: Sequence[Machine], *, explain: bool = False) -> ProgramRun:
    """The program of a capture on each machine that can run it; the others with the reason. `explain`: also what
    changes would bring."""
    replay, devices, refused = Replay(Capture(path)), [], []
    for machine in machines:
        try:
            devices.append(_predicted(replay, machine, explain))
        except InputError as error:
            refused.append(Refusal(machine.name, error.message))
    if not devices:
        raise InputError(f"no machine can run this program; {refused[0].name}: {refused[0].reason}", file=path)
    operations = tuple(replay.operations)
    return ProgramRun(
        command=(str(path),),
        exit_code=0,
        operations=operations,
        devices=tuple(device.result(operations, replay.host_s) for device in devices),
        refused=tuple(refused),
    )


def rank_capture(path: Path, machines: Sequence[Machine]) -> ProgramRun:
    """The same, the fastest machine first."""
    answer = predict_capture(path, machines)
    return replace(answer, devices=tuple(sorted(answer.devices, key=lambda device: device.total_s)))


def _region(array: DeviceArray) -> complete.Region:
    assert array.data is not None
    return complete.Region.of(array.address, array.data, name=array.name)


def _predicted(replay: Replay, machine: Machine, explain: bool) -> SimulatedDevice:
    _check_machine(replay, machine)
    device = SimulatedDevice(machine)
    if explain:
        device.shadows = {name: SimulatedDevice(item) for name, item in shadow_machines(machine).items()}
    for each in (device, *device.shadows.values()):
        replay.on(each)
    return device


def _check_machine(replay: Replay, machine: Machine) -> None:
    """Refuses what is no GPU, and one whose memory is too small."""
    if "occupancy.schedulers" not in machine:
        raise InputError("is no GPU with multiprocessors")
    if replay.needed_bytes > device_bytes(machine):
        needed, there = replay.needed_bytes / 1e9, device_bytes(machine) / 1e9
        raise InputError(f"the program needs {needed:.4g} GB of memory, and there are {there:.4g} GB")


def _in_sequence(capture: Capture) -> Iterable[RecordedStep]:
    for number, item in enumerate(capture.index.launches):
        yield from [RecordedStep("launch", (number, 0, 0, 0))] * item.count
