"""Computes the core time of a nest with all data in L1: from the emitted code if there is any, else at peak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell import files
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.long_doubles import as_doubles
from foretell.core.columns.tape import plain, real
from foretell.core.nest.loopnest import TO_MAXIMUM, iterations
from foretell.errors import InputError, MachineError, UnsupportedError
from foretell.models.cpu.clock import vector_clock
from foretell.models.cpu.compiled_code import NotFollowedError, OpenCodeError
from foretell.models.cpu.incore import CODE_PARAMETERS, FOLLOWED, in_core
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.loop_body import Body
from foretell.models.cpu.incore.port_pressure import loop_code
from foretell.models.cpu.incore.size_interpolation import asked_for, different
from foretell.models.cpu.notes import Note
from foretell.models.cpu.parallel import marked
from foretell.models.cpu.transfers import bandwidths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from foretell.codegen.compilers.flags import CodeOptions
    from foretell.codegen.generate import UserAssembly
    from foretell.core.answers.breakdown import LoopCode
    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.base import Inputs, Settings
    from foretell.models.cpu.compiled_code import CompiledCode

#: operations that count as floating-point work; a fused multiply-add counts as two
_NOT_FLOPS = frozenset({"fma", "int", "convert", "compare", "select", "move"})


#: flags that do not change the code of a loop: macros, folders, warnings, debug information, the language, output
_HARMLESS = (
    *("-D", "-U", "-I", "-L", "-l", "-W", "-g", "-std=", "-isystem"),
    *("-pipe", "-o", "-c", "-S", "-fopenmp", "-pthread"),
)
#: bytes of a register that holds no vector
_SCALAR = 8
#: name of the core's bound where no code is followed
ARITHMETIC = "arithmetic"
#: times at peak that code which is not known may take more: scalar operations one after the other, of four cycles each,
#: where a core has 4 results per cycle at peak
_BELOW_PEAK = 15.0
#: kinds of uncertainty (`nest_time.UNCERTAIN`) by bottleneck; others are those of throughput
_CERTAINTY = {"latency": "latency", "ports": "ports"}
#: share of the time from which a busy resource is the bottleneck
_BUSY = 2 / 3
_BETWEEN = "core time interpolated from other sizes (a single size is simulated itself)"


@dataclass(frozen=True, slots=True)
class CoreTime:
    """Seconds of one core for a nest, and their breakdown. In `accesses` of them the innermost cache is busy with
    accesses beyond the first of each byte. It may be `less` seconds shorter or `more` seconds longer because of what
    is not known: jumps that depend on data, library functions."""

    seconds: Value
    name: str
    accesses: Value = 0.0
    less: Value = 0.0
    more: Value = 0.0
    #: floating-point instructions on the widest vectors, their width, and the widest vectors of any kind
    arithmetic: Value = 0.0
    arithmetic_bytes: int = 0
    vector_bytes: int = 0
    #: instructions that one thread executes in the innermost loops; None where there is no code
    instructions: Value | None = None
    #: the core's bottleneck at each point; evaluated lazily
    resources: Callable[[], str | NDArray[np.str_]] = lambda: "cores"
    #: code was requested but is unavailable: a lower bound from arithmetic and accesses
    at_least: bool = False
    notes: tuple[Note, ...] = ()
    #: the innermost loop that was followed; None where the core runs at peak
    code: Callable[[], LoopCode] | None = None
    #: the kind of its relative uncertainty (`nest_time.UNCERTAIN`): compiled code that waits for chains, for units, or
    #: is bound by other throughput; other code
    certainty: str = "core"
    #: cycles of each source line, where compiled code says them
    line_cycles: tuple[tuple[int, float], ...] = ()
    #: loads that wait for one another, as in `p = next[p]`
    chained: Value = 0.0
    #: of the iterations that the source counts, the share that runs: data end loops by a rule
    runs: Value = 1.0
    #: the share of its time in loops whose way data decide by jumps
    steered: Value = 0.0

    def share(self, part: Value) -> CoreTime:
        """The time scaled to one thread's share."""
        instructions = None if self.instructions is None else self.instructions * part
        return replace(
            self.slower(part), arithmetic=self.arithmetic * part, instructions=instructions, chained=self.chained * part
        )

    def slower(self, by: Value) -> CoreTime:
        """The same at a clock that is slower by this factor."""
        return replace(
            self, seconds=self.seconds * by, accesses=self.accesses * by, less=self.less * by, more=self.more * by
        )


def core_time(
    nest: LoopNest,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    shared: bool,
    parameters: tuple[str, ...] = (),
    beside: tuple[LoopNest, ...] = (),
    compiled: CompiledCode | None = None,
) -> CoreTime:
    """Computes the time of the emitted code, or of peak arithmetic if requested or no code can be generated. `shared`:
    threads share a loop; compilers outline it into a function and lose the no-alias information of arrays.
    `parameters`: parameters of the nest's function, if it has no other nest. `beside`: nests that share outer loops
    with it. `compiled`: the compiled code of the program, where there is some."""
    if settings["core"] == "peak":
        return peak_time(nest, inputs, values)
    instead, certainty = tuple[Note, ...](), ""
    if compiled is not None:
        try:
            return _compiled_time(nest, inputs, values, compiled, shared)
        except NotFollowedError as why:
            where, other = (
                f"{nest.function}, line {nest.line}",
                "its loop alone" if settings["asm"] else "generated code",
            )
            instead = (Note(f"{where}: {other}, as a call of the compiled function is not followed: {why}"),)
            certainty = "instead" if isinstance(why, OpenCodeError) else ""
    plain = as_doubles(nest)
    found = _generated_time(plain, inputs, settings, values, shared, parameters, beside)
    found = found if plain is nest else _of_long_doubles(nest, found)
    if _may_end_early(nest):
        found = replace(found, less=np.maximum(found.less, found.seconds * _ended_early(nest, values)))
    return replace(found, notes=(*instead, *found.notes), certainty=certainty or found.certainty)


def _of_long_doubles(nest: LoopNest, as_double: CoreTime) -> CoreTime:
    """Long double by the time of double. Chains of both take about as long (Fog, instruction tables, Skylake: FADD 3
    cycles, ADDSD 4; FMUL 5 and 4; FDIV 14 to 16 and 13 to 14); the stack of registers wants moves besides."""
    said = Note(f"{nest.function}, line {nest.line}: long double is taken to be as fast as double (1/2 to 2 times)")
    less, more = as_double.seconds * 0.5, as_double.seconds
    return replace(
        as_double,
        less=np.maximum(as_double.less, less),
        more=np.maximum(as_double.more, more),
        notes=(*as_double.notes, said),
    )


def _may_end_early(nest: LoopNest) -> bool:
    """Whether an inner loop counts as often as it can, but may end when it has found something or converged."""
    lines = {loop.line for loop in nest.loops[1:]}
    converges = any(note.text.startswith(TO_MAXIMUM) and note.line in lines for note in nest.assumptions)
    return len(nest.loops) > 1 and (nest.status == "bound" or converges)


def _ended_early(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    """The share of its iterations that an inner loop whose count is an upper bound may leave out: all but the first of
    each entry. A search through everything is taken to go to its end."""
    entries, all_of_them = (real(iterations(nest.loops, len(nest.loops) - k).evaluate(values)) for k in (1, 0))
    return 1.0 - np.minimum(1.0, entries / np.maximum(all_of_them, 1.0))


def _generated_time(
    nest: LoopNest,
    inputs: Inputs,
    settings: Settings,
    values: Mapping[str, Value],
    shared: bool,
    parameters: tuple[str, ...],
    beside: tuple[LoopNest, ...],
) -> CoreTime:
    """Time of code that is generated for the nest alone, or of the user's loop; at peak where neither is possible."""
    options = parse_flags(settings["flags"], settings["compiler"])
    options = replace(options, overlapping=shared or bool(settings["alias"]))
    assembly = _assembly(settings, parameters)
    try:
        return _code_time(nest, inputs, values, options, assembly, settings["sizes"] == "interpolated", beside)
    except InputError as error:  # no table, or a nest or target without code
        if assembly is not None and not isinstance(error, UnsupportedError | MachineError):
            raise  # the user's own listing is wrong
        time = peak_time(nest, inputs, values)
        where = f"{nest.function}, line {nest.line}"
        seconds = np.maximum(time.seconds, _access_time(nest, inputs, values))
        return replace(
            time,
            seconds=seconds,
            more=_BELOW_PEAK * seconds,
            at_least=True,
            notes=(Note(f"{where}: no code for this machine ({error})"), *time.notes),
        )


def _compiled_time(
    nest: LoopNest, inputs: Inputs, values: Mapping[str, Value], compiled: CompiledCode, shared: bool
) -> CoreTime:
    """Time of the nest in the compiled code of its function, which is followed at each size."""
    if shared and marked(nest) is None:
        raise NotFollowedError("no directive marks the loop that threads share")
    sizes = {name: value for name, value in values.items() if name != "threads"}
    points = {name: np.atleast_1d(np.asarray(plain(value))).astype(np.int64) for name, value in sizes.items()}
    if points and len(next(iter(different(points)[0].values()))) > FOLLOWED:
        raise NotFollowedError(f"more than {FOLLOWED} sizes")
    period = 1.0 / inputs.value("clock.frequency")
    first = {name: int(column.flat[0]) for name, column in points.items()}
    totals: tuple[Value, ...] = (0.0,) * 7
    for machine, holds in _machines(inputs):

        def cost(at: Mapping[str, int], machine: Machine = machine) -> tuple[float, ...]:
            counted = compiled.cycles(nest, machine, at, shared)
            return counted.cycles, counted.accesses, *counted.doubt, counted.chained, counted.runs, counted.steered

        columns = asked_for(points, cost).columns if points else [np.array([one]) for one in cost({})]
        many = any(np.ndim(value) for value in sizes.values())
        totals = tuple(
            total + holds * (column if many else float(column[0]))
            for total, column in zip(totals, columns, strict=True)
        )
    counted = compiled.cycles(nest, inputs.machine, first, shared)
    body = Body(counted.instructions, inputs.machine, Costs(inputs.machine))
    seconds, accesses, less, more = (total * period for total in totals[:4])
    executed = sum(count for _, count in counted.instructions)
    return CoreTime(
        seconds,
        "core",
        accesses,
        less,
        more,
        arithmetic=body.arithmetic[1],
        arithmetic_bytes=body.arithmetic[0],
        vector_bytes=body.vector_bytes if body.vector_bytes > _SCALAR else 0,
        instructions=executed * totals[0] / counted.cycles if counted.cycles else executed,
        resources=lambda: _bottleneck(body, counted.cycles),
        certainty=_CERTAINTY.get(_bottleneck(body, counted.cycles), "throughput"),
        notes=tuple(
            Note(text) for text in (f"compiled code followed: {counted.assumptions[0]}", *counted.assumptions[1:])
        ),
        code=lambda: loop_code(nest, _per_iteration(nest, body, first, counted.runs), counted.assumptions[0], 1.0),
        line_cycles=counted.lines,
        chained=totals[4],
        runs=totals[5],
        steered=totals[6],
    )


def _per_iteration(nest: LoopNest, body: Body, sizes: Mapping[str, int], runs: float) -> Body:
    """The instructions of a whole call, with their executions in one iteration of the innermost loop, of which a share
    runs."""
    trips = max(1.0, runs * float(real(nest.trips.evaluate(sizes))))
    return replace(body, instructions=tuple((one, count / trips) for one, count in body.instructions))


def _bottleneck(body: Body, cycles: float) -> str:
    """The resource that is busy for most of the time; latency where none is for two thirds of it."""
    name, busy = max(body.throughput(), key=lambda bound: bound[1], default=("latency", 0.0))
    return name if busy > _BUSY * cycles else "latency"


def _assembly(settings: Settings, parameters: tuple[str, ...]) -> UserAssembly | None:
    """The assembly that the user supplied, if any."""
    name, loop = settings["asm"], settings["loop"]
    if not name:
        return None
    from foretell.codegen.generate import UserAssembly

    return UserAssembly(files.read_text(Path(name)), name, loop=loop, parameters=parameters)


def _code_time(
    nest: LoopNest,
    inputs: Inputs,
    values: Mapping[str, Value],
    options: CodeOptions,
    assembly: UserAssembly | None,
    grid: bool,
    beside: tuple[LoopNest, ...],
) -> CoreTime:
    sizes = {name: values[name] for name in (*nest.parameters, *nest.address_parameters)}
    trips = real(nest.trips.evaluate(values))
    period = 1.0 / inputs.value("clock.frequency")
    cycles: Value = 0.0
    accesses: Value = 0.0
    for machine, holds in _machines(inputs):
        counted = in_core(nest, machine, options, sizes, assembly, grid, beside)
        cycles = cycles + holds * counted.cycles_per_iteration
        accesses = accesses + holds * counted.accesses_per_iteration
    return CoreTime(
        cycles * trips * period,
        "core",
        accesses * trips * period,
        arithmetic=counted.arithmetic_per_iteration * trips,
        arithmetic_bytes=counted.arithmetic_bytes,
        vector_bytes=counted.vector_bytes,
        instructions=counted.instructions / counted.elements * trips,
        resources=counted.bottlenecks,
        notes=(
            *map(Note, (f"code as made by {counted.compiler}", *_read_over(options))),
            *map(Note, (*counted.unknown, *counted.assumptions)),
            Note(f"{nest.function}, line {nest.line}: {_BETWEEN}", counted.between),
        ),
        code=lambda: loop_code(nest, counted.body, counted.compiler, counted.elements),
    )


def _read_over(options: CodeOptions) -> tuple[str, ...]:
    """Unknown code-generation and optimisation flags, which may change the prediction."""
    flags = [flag for flag in options.ignored if not flag.startswith(_HARMLESS)]
    return (f"flags without effect here: {' '.join(flags)}",) if flags else ()


def _machines(inputs: Inputs) -> Iterator[tuple[Machine, Value]]:
    """Yields a machine for each combination of the swept parameters that code depends on, and a mask: 1 at points with
    that combination, else 0."""
    swept = {path: inputs.columns[path] for path in CODE_PARAMETERS if path in inputs.columns}
    if not swept:
        yield inputs.machine, 1.0
        return
    rows = np.stack([np.ravel(column) for column in np.broadcast_arrays(*swept.values())], axis=1)
    for row in np.unique(rows, axis=0).tolist():
        values = dict(zip(swept, row, strict=True))
        holds: Value = 1.0
        for path, value in values.items():
            holds = holds * (swept[path] == value)
        yield inputs.machine.with_values(values), holds


def peak_time(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value]) -> CoreTime:
    """Time of the arithmetic at peak: a lower bound for any compiler."""
    return CoreTime(
        flops(nest, values) / peak(inputs),
        ARITHMETIC,
        notes=(Note("arithmetic runs at peak: in-core execution of the compiled code is not modelled"),),
    )


def _access_time(nest: LoopNest, inputs: Inputs, values: Mapping[str, Value]) -> Value:
    """Seconds of the loads and stores in the innermost level, where its bandwidth is known."""
    level = inputs.machine.levels[0]
    paths = [f"level.{level}.{name}" for name in ("core_bandwidth", "bandwidth")]
    path = next((path for path in paths if path in inputs.machine), None)
    if path is None:
        return 0.0
    counts = nest.total_accesses()
    total: Value = 0.0
    for name, size in {array.name: array.type.size for array in nest.arrays}.items():
        total = total + sum(real(c.evaluate(values)) for c in counts[name]) * size
    return total / bandwidths.per_second(inputs, path)


def flops(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    """Floating-point operations of the whole nest."""
    counted = [total for kind, total in nest.total_operations().items() if kind not in _NOT_FLOPS]
    return sum((real(total.evaluate(values)) for total in counted), 0.0)


def peak(inputs: Inputs) -> Value:
    """Peak floating-point operations per second of one core, from whichever parameter the machine has."""
    machine = inputs.machine
    if "cores.flops_per_cycle" in machine and "clock.frequency" in machine:
        width = machine.value("cores.simd_width") if "cores.simd_width" in machine else 0
        return inputs.value("cores.flops_per_cycle") * vector_clock(inputs, int(width))
    if "peak.core" in machine:
        return inputs.value("peak.core")
    return inputs.value("peak.double") / inputs.value("cores.count")
