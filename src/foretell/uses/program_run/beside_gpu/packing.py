"""Packs the log of a program that was recorded beside a GPU into a capture (frontends/gpu/capture.py)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.errors import ForetellError
from foretell.frontends.gpu.binary.image import device_image
from foretell.frontends.gpu.capture import BLOCK, UNKNOWN, RecordedArray, RecordedBank, RecordedLaunch
from foretell.uses.program_run.beside_gpu.launch_log import UNKNOWN_BLOCK
from foretell.uses.program_run.modules import CONSTANT_BANK

if TYPE_CHECKING:
    from foretell.core.gpu.image import DeviceImage, Variable
    from foretell.uses.program_run.beside_gpu.launch_log import LaunchLog, LoggedArray, LoggedLaunch
    from foretell.uses.program_run.recording import Recorder

#: addresses that the driver does not use: its allocations are near the end of 47 bits, its pools below 2^40
_UNNAMED = 1 << 44


@dataclass
class _Module:
    """The code of a module, and where its variables are on the device."""

    number: int
    log: LaunchLog

    @property
    def cubin(self) -> bytes:
        return self.log.modules[self.number]

    @cached_property
    def image(self) -> DeviceImage | None:
        """Its variables and constants; None of code that is not understood."""
        try:
            return device_image(self.cubin)
        except ForetellError:
            return None

    @cached_property
    def names(self) -> dict[int, str]:
        """Names of variables by their address."""
        return {item.address: item.name for item in self.log.variables.get(self.number, [])}

    def variable(self, address: int) -> Variable | None:
        """The variable at an address of the device."""
        return self.image.variables.get(self.names.get(address, "")) if self.image else None

    def is_constant(self, address: int) -> bool:
        """Whether a constant variable is there, which is in a bank."""
        known = self.variable(address)
        return known is not None and known.space == "constant"

    @property
    def base(self) -> int:
        """Where we put what the driver gives no address for: strings and tables without a name."""
        return _UNNAMED + (self.number << 32)

    @cached_property
    def placed(self) -> list[tuple[int, int, int]]:
        """Offset, size and address of the variables in global memory: the driver places each on its own."""
        known = ((self.variable(address), address) for address in self.names)
        return [(item.offset, item.size, address) for item, address in known if item and item.space == "global"]

    def named(self, offset: int) -> int | None:
        """The address of an offset in the module's global memory, where a variable is."""
        inside = (address + offset - begin for begin, size, address in self.placed if begin <= offset < begin + size)
        return next(inside, None)

    def moved(self, offset: int) -> int:
        """The address of an offset in the module's global memory."""
        named = self.named(offset)
        return self.base + offset if named is None else named


@dataclass
class Packing:
    """One log on its way into a recorder. `problems` are launches that cannot be packed."""

    log: LaunchLog
    recorder: Recorder
    problems: dict[str, None] = field(default_factory=dict)
    _modules: dict[int, _Module] = field(default_factory=dict)
    _blobs: dict[int, int] = field(default_factory=dict)

    def pack(self) -> None:
        """Adds all launches of the log that were made, and what the program did around them."""
        numbers: dict[int, int] = {}
        for places in self._equal_launches():
            launch = self._together(places)
            number, name = self.log.functions.get(launch.function, (-1, ""))
            if number not in self.log.modules:
                self.problems[f"the log has no code for kernel {name or launch.function}"] = None
                continue
            module = self._modules.setdefault(number, _Module(number, self.log))
            numbers.update(dict.fromkeys(places, len(self.recorder.launches)))
            self.recorder.launches.append(self._recorded(module, name, launch))
        self._add_steps(numbers)

    def _equal_launches(self) -> list[list[int]]:
        """Numbers of the launches that were made, those together that also met the same memory."""
        equal: dict[object, list[int]] = {}
        for place, item in enumerate(self.log.launches):
            if item.made:  # or the program was killed before
                key = tuple(getattr(item, entry.name) for entry in fields(item) if entry.name != "made")
                equal.setdefault(key, []).append(place)
        return list(equal.values())

    def _together(self, places: list[int]) -> LoggedLaunch:
        launches = [self.log.launches[place] for place in places]
        return replace(launches[0], made=[item for launch in launches for item in launch.made])

    def _add_steps(self, launches: dict[int, int]) -> None:
        """`launches` are numbers in the capture by those in the log."""
        for step in self.log.steps:
            if step.host_s:
                self.recorder.step("advance", step.host_s)
            if step.kind == "launch":
                number, stream, *_ = step.numbers
                if number in launches:  # its instructions, and what migrates, are not known
                    self.recorder.step("launch", launches[number], stream, 0, 0)
            elif step.kind in ("copy", "set"):
                self.recorder.step(step.kind, *step.numbers[:-1])
            else:
                self.recorder.step(step.kind, *step.numbers)

    def _recorded(self, module: _Module, name: str, launch: LoggedLaunch) -> RecordedLaunch:
        arrays = [self._array(module, item) for item in launch.arrays if not module.is_constant(item.address)]
        return RecordedLaunch(
            kernel=name,
            module=self.recorder.blob(module.cubin),
            parameters=self.recorder.blob(launch.parameters),
            grid=launch.grid,
            block=launch.block,
            shared=launch.shared,
            count=len(launch.made),
            banks=self._banks(module, name, launch),
            arrays=(*arrays, *self._module_memory(module, name)),
            measured_s=self.log.measured_s(launch),
            cluster=launch.cluster,
        )

    def _module_memory(self, module: _Module, name: str) -> list[RecordedArray]:
        """The module's global memory, if something that is no variable is pointed to: a string, a table."""
        if module.image is None or None not in map(module.named, module.image.targets(name)):
            return []
        data = module.image.contents(module.base, module.moved)
        blocks = tuple(self.recorder.blob(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK))
        return [RecordedArray(module.base, len(data), f"module {module.number}", blocks)]

    def _array(self, module: _Module, item: LoggedArray) -> RecordedArray:
        name = f"allocation {item.number}" if item.number else f"variable {module.names.get(item.address, '')}"
        wanted = -(-item.bytes // BLOCK)
        if len(item.blocks) != wanted or any(number not in self.log.blocks for number in item.blocks):
            return RecordedArray(item.address, item.bytes, name, (UNKNOWN,))
        return RecordedArray(item.address, item.bytes, name, tuple(map(self._blob, item.blocks)))

    def _blob(self, number: int) -> int:
        if number not in self._blobs:
            self._blobs[number] = self.recorder.blob(self.log.blocks[number])
        return self._blobs[number]

    def _banks(self, module: _Module, name: str, launch: LoggedLaunch) -> tuple[RecordedBank, ...]:
        """Constant banks with what the program wrote to its constant variables."""
        if module.image is None:
            return ()
        banks = {
            number: bytearray(data) for number, data in module.image.banks(name, module.base, module.moved).items()
        }
        for item in launch.arrays:
            known, data = module.variable(item.address), self._contents(item)
            if known is None or known.space != "constant" or not data:
                continue
            bank = banks.setdefault(CONSTANT_BANK, bytearray())
            bank.extend(bytes(max(0, known.offset + known.size - len(bank))))
            bank[known.offset : known.offset + known.size] = data[: known.size]
        return tuple(RecordedBank(number, self.recorder.blob(bytes(data))) for number, data in sorted(banks.items()))

    def _contents(self, item: LoggedArray) -> bytes:
        if UNKNOWN_BLOCK in item.blocks:
            return b""
        return b"".join(self.log.blocks.get(number, b"") for number in item.blocks)
