"""Answers the messages of one CUDA program: loads its code, executes its launches, and keeps their timelines."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from foretell import api, limits
from foretell.characterize.gpu import complete
from foretell.core.answers.program_run import Operation as Done
from foretell.core.gpu.launch import Launch, PassedArguments
from foretell.errors import ForetellError, InputError
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.recorded_program import RecordedStep
from foretell.uses.program_run import modules, properties
from foretell.uses.program_run.devices import ON_DEVICE, Beyond, SimulatedDevice, shadow_machines
from foretell.uses.program_run.memory.device_memory import BASE, HOST, MANAGED, PREFETCHED, DeviceMemory
from foretell.uses.program_run.messages import PROTOCOL_VERSION, Connection, Message, Operation, packed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.characterize.gpu.complete_record import Record
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.machine.machine import Machine
    from foretell.uses.program_run.recording import Recorder

#: numbers of CUDA's errors
_INVALID_VALUE, _OUT_OF_RESOURCES, _TOO_LARGE, _INVALID_CLUSTER = 1, 701, 720, 912
#: blocks of a cluster on an H100, where the kernel allows more than 8
_MOST_BLOCKS_OF_CLUSTER = 16
_FATAL = -1
#: CUDA's error for each kind of fault
_FAULTS = {
    "out of bounds": 700, "misaligned": 716, "read only": 700, "illegal": 715, "trap": 719, "assertion": 710,
    "deadlock": 702, "budget": 702,
}  # fmt: skip
#: what no block and no grid exceeds, in x, y and z
_LARGEST_BLOCK, _LARGEST_GRID, _MOST_THREADS = (1024, 1024, 64), (2**31 - 1, 65535, 65535), 1024
_STATIC_LIMIT = 48 << 10
#: launches, copies and sets of one program, at the default time limit: some GiB of what is kept of them
_MOST_OPERATIONS = 10_000_000
T = TypeVar("T")


@dataclass(slots=True)
class Function:
    """A kernel of the program on the device that executes."""

    module: modules.Module
    name: str
    kernel: SassKernel
    program: complete.Program
    dynamic_limit: int


@dataclass
class Session:
    """One program on one device, and predicted on others. `machines[0]` is the device that the program sees."""

    machines: Sequence[Machine]
    budget: int
    recorder: Recorder | None = None
    #: whether changes of program and machine are tried
    explain: bool = False
    #: whether races of kernels are looked for
    check_races: bool = False
    operations: list[Done] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    #: why the program was ended, if it was
    refused: ForetellError | None = None
    host_s: float = 0.0

    def __post_init__(self) -> None:
        self.memory = DeviceMemory(properties.device_bytes(self.machines[0]))
        self.asked = [SimulatedDevice(machine) for machine in self.machines]
        if self.explain:
            for device in self.asked:
                device.shadows = {name: SimulatedDevice(item) for name, item in shadow_machines(device.machine).items()}
        self.devices = [each for device in self.asked for each in (device, *device.shadows.values())]
        self._arch = properties.architecture(self.machines[0])
        self._modules: list[modules.Module] = []
        self._functions: list[Function] = []
        self._previous: object = None
        #: address and bytes of the memory for malloc in kernels
        self._heap = (0, 0)
        self._races: set[object] = set()
        self._handlers: dict[Operation, Callable[[Message, Connection], None]] = {
            Operation.HELLO: self._hello,
            Operation.MODULE: self._load,
            Operation.PLACE: self._place,
            Operation.FUNCTION: self._function,
            Operation.VARIABLE: self._variable,
            Operation.LAUNCH: self._launch,
            Operation.ALLOCATE: self._allocate,
            Operation.RELEASE: self._release,
            Operation.COPY: self._copy,
            Operation.SET: self._set,
            Operation.STREAM: self._stream,
            Operation.RECORD: self._record,
            Operation.WAIT: self._wait,
            Operation.SYNCHRONISE: self._synchronise,
            Operation.ELAPSED: self._elapsed,
            Operation.OCCUPANCY: self._occupancy,
            Operation.MISSING: self._missing,
            Operation.GRAPH: self._graph,
            Operation.FUNCTION_LIMIT: self._limit,
            Operation.HEAP: self._place_heap,
            Operation.LIBRARY: self._library,
        }

    def serve(self, connection: Connection) -> None:
        """Answers until the program ends; what it asks for and cannot have ends it."""
        while message := connection.receive():
            self.host_s += message.host_s
            self._step("advance", message.host_s)
            try:
                self._handlers[message.operation](message, connection)
                self.memory.check_size()
                self._check_count()
            except modules.LoadError as error:
                self.faults.append(error.message)
                connection.answer(error.number, packed(error.message))
            except ForetellError as error:
                self.refused = error
                connection.answer(_FATAL)
                return

    def _check_count(self) -> None:
        """Refuses a program without an end: what it does is kept."""
        if len(self.operations) + len(self.faults) > limits.share(_MOST_OPERATIONS):
            raise limits.too_long(f"the program does more than {limits.share(_MOST_OPERATIONS)} operations")

    # -------------------------------------------------------------------------------------- code

    def _hello(self, message: Message, connection: Connection) -> None:
        version, _ = message.get("Ii")
        if version != PROTOCOL_VERSION:
            raise InputError(f"the stand-in library speaks version {version} of the protocol, not {PROTOCOL_VERSION}")
        data = properties.described(self.machines[0], BASE, self.memory.bytes)
        connection.answer(0, data, self.memory.descriptor)

    def _load(self, message: Message, connection: Connection) -> None:
        module = modules.Module(message.block())
        code = module.code(self._arch)
        for device in self.devices:
            device.note(code.note)
        self._modules.append(module)
        number = len(self._modules) - 1
        sizes = code.image.size, modules.constant_bytes(code)
        head = struct.pack("<IQQII", number, *sizes, code.has_heap, len(code.names))
        connection.answer(0, head + b"".join(map(packed, code.names)))

    def _place(self, message: Message, connection: Connection) -> None:
        number, variables, constants = message.get("IQQ")
        module = _known(self._modules, number, message)
        image = module.code(self._arch).image
        module.globals_address, module.constants_address = variables, constants
        for address, data in ((variables, image.contents(variables)), (constants, self._initial_constants(module))):
            if address:
                self.memory.view(address, len(data))[:] = bytearray(data)
        connection.answer(0)

    def _place_heap(self, message: Message, _: Connection) -> None:
        self._heap = message.get("QQ")

    def _initial_constants(self, module: modules.Module) -> bytes:
        code = module.code(self._arch)
        name = next(iter(code.names), "")
        size = modules.constant_bytes(code)
        bank = code.image.banks(name, module.globals_address).get(modules.CONSTANT_BANK, b"") if name else b""
        return bank[:size].ljust(size, b"\0")

    def _function(self, message: Message, connection: Connection) -> None:
        (number,) = message.get("I")
        module, name = _known(self._modules, number, message), message.text()
        code = module.code(self._arch)
        if name not in code.names:
            connection.answer(modules.INVALID_FUNCTION)
            return
        kernel = code.kernel(name)
        program = complete.program_of(kernel)
        limit = _STATIC_LIMIT - kernel.own_shared_bytes
        self._functions.append(Function(module, name, kernel, program, limit))
        most = _MOST_THREADS if kernel.max_threads is None else min(_MOST_THREADS, _product(kernel.max_threads))
        head = struct.pack(
            "<I7iI", len(self._functions) - 1, kernel.registers, kernel.own_shared_bytes,
            modules.constant_bytes(code), kernel.stack_bytes, most, kernel.arch, limit, len(kernel.parameters),
        )  # fmt: skip
        listed = b"".join(struct.pack("<II", item.offset, item.size) for item in kernel.parameters)
        connection.answer(0, head + listed)

    def _variable(self, message: Message, connection: Connection) -> None:
        (number,) = message.get("I")
        module, name = _known(self._modules, number, message), message.text()
        known = module.code(self._arch).image.variables.get(name)
        if known is None:
            connection.answer(modules.INVALID_SYMBOL)
            return
        base = module.constants_address if known.space == "constant" else module.globals_address
        connection.answer(0, struct.pack("<QQ", base + known.offset, known.size))

    def _limit(self, message: Message, _: Connection) -> None:
        number, size = message.get("Ii")
        _known(self._functions, number, message).dynamic_limit = size

    # -------------------------------------------------------------------------------------- launches

    def _launch(self, message: Message, connection: Connection) -> None:
        number, stream, *sizes, shared, cooperative = message.get("II9IQI")
        grid, block, cluster = (tuple(sizes[place : place + 3]) for place in (0, 3, 6))
        function, parameters = _known(self._functions, number, message), message.block()
        if cluster == (1, 1, 1):
            cluster = function.kernel.cluster  # __cluster_dims__
        problem = self._problem(function, grid, block, shared, bool(cooperative)) or cluster_problem(grid, cluster)
        if problem:
            connection.answer(problem)
            return
        launch = Launch(function.name, grid, block, shared_bytes=shared, passed=self._passed(function, parameters))
        group, key = (number, block, shared), (cluster, self._previous)
        self._previous = (number, grid)  # which decides what L2 holds
        for device in self.devices:
            device.before(group, key, function.module, launch)
        managed = self.memory.managed_pages(parameters)
        recorded = self._recorded(function, launch, cluster)
        record = self._execute(function, launch, cluster, bool(cooperative), managed)
        self._note_races(function, record)
        faults = self.memory.launched(parameters, record.faults_in_turn)
        beyond = Beyond(0, record.waited, record.longest_wait, record.link, record.printing, record.heap, faults)
        worked = record.instructions - record.waiting
        for device in self.devices:
            device.after(group, worked, len(self.operations), stream, _product(grid), beyond)
        if self.recorder:
            self.recorder.executed(recorded, launch, stream, worked, beyond.numbers)
        self.operations.append(Done("kernel", function.name, stream, grid=grid, block=block, instructions=worked))
        connection.answer(0, struct.pack("<i", self._fault(function, record)) + packed(record.printed))

    def _execute(
        self,
        function: Function,
        launch: Launch,
        cluster: tuple[int, int, int],
        cooperative: bool,
        managed: complete.ManagedPages | None,
    ) -> Record:
        assert launch.passed is not None
        return complete.execute(
            function.program,
            grid=launch.grid,
            block=launch.block,
            parameters=launch.passed.parameters,
            memory=self._regions(),
            banks=self._banks(function),
            dynamic_shared=launch.shared_bytes,
            shared_unit=int(self.machines[0].value("occupancy.shared_unit")),
            cluster=cluster,
            cooperative=cooperative,
            budget=self.budget,
            memory_file=self.memory.descriptor,
            heap=self._heap,
            check_races=self.check_races,
            clock_ghz=self.machines[0].value("clock.frequency") / 1e9,
            managed=managed,
        )

    def _recorded(self, function: Function, launch: Launch, cluster: tuple[int, int, int]) -> int:
        """The number of a launch in the capture, if one is written."""
        if self.recorder is None:
            return 0
        module = function.module
        return self.recorder.add(module.code(self._arch).cubin, launch, module.data, cluster)

    def _problem(
        self, function: Function, grid: tuple[int, ...], block: tuple[int, ...], shared: int, cooperative: bool
    ) -> int:
        """CUDA's error for a launch that the device cannot do."""
        sizes = [*zip(block, _LARGEST_BLOCK, strict=True), *zip(grid, _LARGEST_GRID, strict=True)]
        if any(not 1 <= size <= most for size, most in sizes) or _product(block) > _MOST_THREADS:
            return _INVALID_VALUE  # as CUDA 13 on an H200; before 13 the runtime said 9
        if shared > max(function.dynamic_limit, 0):
            return _INVALID_VALUE
        most = function.kernel.max_threads
        if most is not None and _product(block) > _product(most):
            return _INVALID_VALUE  # as CUDA 13 on an H200 (validation/h200/sample-programs, error_paths)
        blocks = self._fitting(function, _product(block), shared)
        if blocks == 0:
            return _OUT_OF_RESOURCES
        at_once = blocks * int(self.machines[0].value("cores.count"))
        return _TOO_LARGE if cooperative and _product(grid) > at_once else 0

    def _fitting(self, function: Function, threads: int, shared: int) -> int:
        """Blocks that fit a multiprocessor."""
        kernel = function.kernel
        return api.block_occupancy(self.machines[0], threads, kernel.registers, kernel.own_shared_bytes + shared).blocks

    def _passed(self, function: Function, parameters: bytes) -> PassedArguments:
        return PassedArguments(parameters, self.memory.arrays(), tuple(sorted(self._banks(function).items())))

    def _banks(self, function: Function) -> dict[int, bytes]:
        """Constant banks of a kernel, with what the program wrote to its constant variables."""
        module = function.module
        code = module.code(self._arch)
        banks = dict(code.image.banks(function.name, module.globals_address))
        size = modules.constant_bytes(code)
        if size:
            written = self.memory.view(module.constants_address, size).tobytes()
            bank = banks.get(modules.CONSTANT_BANK, b"")
            banks[modules.CONSTANT_BANK] = written + bank[size:]
        return banks

    def _regions(self) -> list[complete.Region]:
        return [
            complete.Region(
                address=item.address,
                size=item.bytes,
                pointer=self.memory.pointer(item.address),
                writable=True,
                name=item.name,
                over_link=item.space == HOST,
                managed=item.space == MANAGED,
            )
            for item in self.memory.allocations
        ]

    def _note_races(self, function: Function, record: Record) -> None:
        """Races of a launch, each pair of instructions once in the program."""
        for race in record.races:
            key = (function.name, race.offsets)
            if key not in self._races:
                self._races.add(key)
                self.faults.append(f"kernel {plain_name(function.name)}: {race.message}")
        if record.races_limited and function.name not in self._races:
            self._races.add(function.name)
            text = "races were looked for in a part of its global memory only (--limit-memory raises it)"
            self.faults.append(f"kernel {plain_name(function.name)}: {text}")

    def _fault(self, function: Function, record: Record) -> int:
        """CUDA's error for what went wrong in a launch; what cannot be executed here ends the program."""
        fault = record.error
        if fault is None:
            return 0
        name = plain_name(function.name)
        message = fault.message.replace(function.name, name)
        if fault.kind == "unsupported":
            raise InputError(f"kernel {name}: {message}")
        if fault.kind == "out of bounds" and (freed := self.memory.released(fault.address)):
            message += f"; {freed} was there, and was freed"
        elif fault.kind == "out of bounds" and fault.address >= BASE + self.memory.bytes:
            message += "; a pointer of the host? (kernels use memory of cudaMalloc, cudaMallocManaged, cudaHostAlloc)"
        self.faults.append(f"kernel {name}: {message}" + "".join(f"\n  {text}" for text in fault.waits))
        return _FAULTS.get(fault.kind, 719)

    def _occupancy(self, message: Message, connection: Connection) -> None:
        number, threads, shared = message.get("IiQ")
        blocks = self._fitting(_known(self._functions, number, message), max(1, threads), shared)
        connection.answer(0, struct.pack("<i", blocks))

    # -------------------------------------------------------------------------------------- memory and streams

    def _allocate(self, message: Message, _: Connection) -> None:
        self.memory.allocate(*message.get("QQI"))

    def _release(self, message: Message, _: Connection) -> None:
        self.memory.release(*message.get("Q"))

    def _copy(self, message: Message, _: Connection) -> None:
        stream, source, target, width, rows, asynchronous, address, _from = message.get("IIIQQIQQ")
        if target in ON_DEVICE and source in ON_DEVICE:
            self._step("wrote", address, width * rows)
        if target == PREFETCHED:
            self.memory.prefetched(address, width)
        name = self._step("copy", stream, source, target, width * rows, int(bool(asynchronous)))
        self.operations.append(Done("copy", name, stream, bytes=width * rows))

    def _set(self, message: Message, _: Connection) -> None:
        stream, size, _asynchronous, address = message.get("IQIQ")
        self._step("wrote", address, size)
        self._step("set", stream, size)
        self.operations.append(Done("set", "set", stream, bytes=size))

    def _library(self, message: Message, _: Connection) -> None:
        stream, family, kind, *sizes, written, written_bytes = message.get("III6Q")
        name = message.text()
        self._step("library", stream, family, kind, *sizes)
        self.memory.prefetched(written, written_bytes)  # results are on the device
        self._previous = (name, *sizes)
        self.operations.append(Done("library", name, stream))

    def _stream(self, message: Message, _: Connection) -> None:
        number, flags, _priority = message.get("IIi")
        self._step("stream", number, flags)

    def _record(self, message: Message, _: Connection) -> None:
        self._step("record", *message.get("II"))

    def _wait(self, message: Message, _: Connection) -> None:
        self._step("wait", *message.get("II"))

    def _synchronise(self, message: Message, _: Connection) -> None:
        self._step("synchronise", *message.get("II"))

    def _graph(self, message: Message, _: Connection) -> None:
        _stream, begins = message.get("II")
        self._step("graph", int(bool(begins)))

    def _step(self, kind: str, *numbers: float) -> str:
        """What the program does, on all timelines and in the capture; of a copy its direction."""
        if self.recorder:
            self.recorder.step(kind, *numbers)
        step, name = RecordedStep(kind, numbers), ""
        for device in self.devices:
            name = device.step(len(self.operations), step)
        return name

    def _elapsed(self, message: Message, connection: Connection) -> None:
        first, last = message.get("II")
        connection.answer(0, struct.pack("<d", self.devices[0].timeline.elapsed(first, last)))

    def _missing(self, message: Message, _: Connection) -> None:
        raise InputError(
            f"the program calls {message.text()}, which foretell's stand-in for CUDA does not have",
            hint="docs/reference/interfaces/cuda-functions.md lists what it has",
        )


def cluster_problem(grid: tuple[int, ...], cluster: tuple[int, ...]) -> int:
    """CUDA's error for clusters that the grid is not made of."""
    whole = all(own and size % own == 0 for size, own in zip(grid, cluster, strict=True))
    return 0 if whole and _product(cluster) <= _MOST_BLOCKS_OF_CLUSTER else _INVALID_CLUSTER


def _known(items: Sequence[T], number: int, message: Message) -> T:
    """The module or function of a number."""
    if number >= len(items):
        raise InputError(f"the program sent a message {message.operation.name} about number {number}, which is unknown")
    return items[number]


def _product(sizes: Sequence[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result
