"""The model of compiled code without its source: a call is followed, and its loops and accesses are those of nests."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell.codegen.assembly.identity import function_identity
from foretell.codegen.assembly.instruction_set import FOLLOWED
from foretell.codegen.compiled.unit import compile_unit
from foretell.core.facets.machine_code import MachineCode
from foretell.errors import InputError, UnsupportedError
from foretell.frontends.native import CXX_SUFFIXES
from foretell.frontends.native.functions import find_function
from foretell.models.base import Inputs, Model
from foretell.models.cpu.compiled_code import CompiledCode, NestCycles, functions_of
from foretell.models.cpu.incore.calls.call_arguments import CallArguments, call_arguments
from foretell.models.cpu.incore.calls.chosen_compiler import chosen_compiler, flags_for
from foretell.models.cpu.incore.calls.core_key import CoreKey, reads
from foretell.models.cpu.incore.calls.linked_code import region_not_followed
from foretell.models.cpu.incore.calls.nests_that_run import lead_to_loops
from foretell.models.cpu.incore.calls.on_data.open_ends import counted_ends
from foretell.models.cpu.incore.calls.on_data.steered_loads import with_line_waits
from foretell.models.cpu.incore.calls.whole_call import LIMIT, TOO_LONG, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.machine_code.nests import CodeNest, code_nests
from foretell.models.cpu.model import CpuModel, start_notes
from foretell.models.cpu.nest_time import nest_time
from foretell.models.cpu.notes import Note
from foretell.models.cpu.program import Run, check_sizes
from foretell.models.cpu.times import Times
from foretell.models.cpu.transfers.page_faults import with_page_faults

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.prediction import Prediction
    from foretell.core.columns.expression import Value
    from foretell.core.facets.machine_code import CodeArgument
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns, Settings
    from foretell.models.cpu.condition_shares import LoopTree, Rows
    from foretell.models.cpu.incore.calls.whole_call import Chances, Followed
    from foretell.models.cpu.incore.instruction_tables import Tables
    from foretell.models.cpu.transfers.compiled_order import CodeLoop

#: bytes of a pointer
_POINTER = 8
#: addresses of which operating systems give none to a program
_FIRST_PAGES = 1 << 16


class MachineCodeModel(CpuModel):
    """Predicts the time of one call of a function in an object, an executable, assembly or C++."""

    name = "machine-code"
    version = 1
    title = "A call of compiled code on a CPU: its instructions in a core, and what it moves through each memory level"
    facets: ClassVar[tuple[type[Facet], ...]] = (MachineCode,)

    def predict_many(
        self, workload: Workload, machine: Machine, settings: Settings, points: Sequence[Mapping[str, float]]
    ) -> list[Prediction | InputError]:
        """Follows the call at each point."""
        return Model.predict_many(self, workload, machine, settings, points)

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Follows the call once for each combination of sizes and numbers of the core; what else is varied moves the
        transfers alone. A combination that cannot run is infinite."""
        count = max((np.size(column) for column in columns.values()), default=1)
        every = {name: np.broadcast_to(column, count) for name, column in columns.items()}
        result = np.full(count, np.inf)
        for places in _alike({name: column for name, column in every.items() if _decides(name, workload)}, count):
            try:
                result[places] = self._of_group(workload, machine, settings, every, places)
            except InputError:
                continue
        return result

    def _of_group(
        self, workload: Workload, machine: Machine, settings: Settings, every: Columns, places: NDArray[np.int64]
    ) -> Value:
        """Times at points that share a followed call; one alone as `predict` does it."""
        alone = len(places) == 1
        first = {name: float(column[places[0]]) for name, column in every.items() if alone or _decides(name, workload)}
        sizes = {name: value for name, value in first.items() if name in workload.symbols}
        machine = machine.with_values({name: value for name, value in first.items() if name not in sizes})
        if alone:
            return self.predict(workload.with_parameters(sizes), machine, settings).time_s
        self.require(machine)
        varied = {name: column[places] for name, column in every.items() if name not in first}
        times = self._times(workload, Inputs(machine, varied), settings, {**workload.parameters, **sizes})
        return times.total(lambda nest: nest.seconds)

    def executed_code(self, workload: Workload, machine: Machine, settings: Settings) -> str:
        """The code of the function and of those that it calls, and the arguments of the call."""
        code = workload.facet(MachineCode)
        text, root, _ = _text(code, machine, settings)
        return f"{function_identity(text, root)}\n{code.arguments}"

    def _times(self, workload: Workload, inputs: Inputs, settings: Settings, values: Mapping[str, Value]) -> Times:
        code = workload.facet(MachineCode)
        sizes = {name: float(value) for name, value in values.items()}
        followed, notes = _followed(code, inputs.machine, settings, sizes)
        nests = code_nests(followed, code.function, workload.origin)
        own = _FollowedNests(nests, (*notes, *followed.assumptions))
        runs = [Run(one.nest, {}, one.count) for one in nests]
        times = [nest_time(run, inputs, settings, 1.0, False, own) for run in runs]
        if settings["caches"] == "flushed":
            times = with_page_faults(times, inputs)
        return Times(times, tuple(map(Note, (*start_notes(settings), *_doubts(followed)))), inputs, 1.0)


def _decides(name: str, workload: Workload) -> bool:
    """Whether a column of a sweep changes which instructions run, or their cycles."""
    return name in workload.symbols or reads(name)


def _alike(columns: Columns, count: int) -> list[NDArray[np.int64]]:
    """The points of a sweep, put together where they agree in these columns."""
    if not columns:
        return [np.arange(count)]
    _, group = np.unique(np.stack(list(columns.values()), axis=1), axis=0, return_inverse=True)
    return [np.flatnonzero(group.ravel() == number) for number in range(int(group.max()) + 1)]


def _doubts(followed: Followed) -> list[str]:
    """What the addresses of the call do not say."""
    said = []
    if any(followed.result.irregular):
        said.append("strides of some accesses change: the last ones are taken for all")
    lost = sum(
        1 for (_, one), main, count in zip(followed.rows, followed.mains, followed.counts, strict=True)
        if count and followed.result.places[main] < 0 and one.memory is not None and (one.loads or one.stores)
    )  # fmt: skip
    if lost:
        where = "loads lie anywhere in the arrays that are given" if followed.waits else "they are taken to hit L1"
        said.append(f"{lost} loads or stores have addresses that are not known: {where}")
    return said


class _FollowedNests(CompiledCode):
    """Cycles of nests that were made of a followed call."""

    def __init__(self, nests: Sequence[CodeNest], said: tuple[str, ...]) -> None:
        self._nests, self._said = {id(one.nest): one for one in nests}, said

    def cycles(self, nest: LoopNest, machine: Machine, sizes: Mapping[str, int], shared: bool = False) -> NestCycles:
        one = self._nests[id(nest)]
        executed = tuple((instruction, count / one.count) for instruction, count in one.instructions)
        return NestCycles(one.cycles, 0.0, executed, self._said, one.doubt, steered=one.steered)

    def loops(self, nest: LoopNest, sizes: Mapping[str, Value]) -> tuple[CodeLoop, ...]:
        """None: the nests have the order of the machine code already."""
        return ()

    def ended(self, nest: LoopNest, sizes: Mapping[str, Value]) -> dict[int, float]:
        """None: the loops of the machine code have the iterations of the followed call."""
        return {}


def _followed(
    code: MachineCode, machine: Machine, settings: Settings, sizes: Mapping[str, float]
) -> tuple[Followed, tuple[str, ...]]:
    isa = machine.traits.get("target.isa", "")
    if isa not in FOLLOWED:
        known = " and ".join(sorted(FOLLOWED))
        raise UnsupportedError(f"calls of compiled code are followed on {known}, and {machine.name} is {isa}")
    if code.isa not in ("", isa):
        raise InputError(f"{code.function} is {code.isa} code, and {machine.name} is {isa}")
    text, root, notes = _text(code, machine, settings)
    followed = _call(text, root, code, CoreKey(machine), tuple(sorted(sizes.items())), settings["data"])
    if failure := followed.result.failure:
        if failure == TOO_LONG:
            failure = f"more than {LIMIT / 1e6:g} million instructions that are no rounds of a loop"
            hint = "ask for a smaller call: -D and --arg set its sizes; or for a function that it calls"
            raise UnsupportedError(f"{root} cannot be followed to its end: {failure}", hint=hint)
        raise UnsupportedError(f"{root} cannot be followed to its end: {failure}")
    if region_not_followed(followed):
        raise UnsupportedError(f"{root}: the body of its parallel region is not found; ask for {root}._omp_fn.0")
    _refuse_numbers_as_pointers(root, followed)
    _refuse_guesses(code, root, sizes, followed)
    return with_line_waits(followed, machine), notes


def _refuse_guesses(code: MachineCode, root: str, sizes: Mapping[str, float], followed: Followed) -> None:
    """Asks for values that decide how often a loop runs; of a declared function, for all integers where a condition
    depends on an unknown value, which may be one of them."""
    lacking = _lacking(code, sizes)
    given = " ".join(f"-D {name}=…" for name in lacking) or "all arguments in order: --arg n --arg 'f64[n]' …"
    hint = f"give {given}; data in arrays is not known"
    if followed.guessed:
        raise InputError(f"{code.function or root}: the end of a loop depends on values that are not known", hint=hint)
    if followed.sizes:
        where = ", ".join(f"line {line}" for line in followed.sizes if line) or "a line that is not known"
        hint = f"give --trip {followed.sizes[0] or 'LINE'}=N, or --trip-from-run './app' that counts (C++); -D of C"
        name = code.function or root
        raise InputError(f"{name}: how often the loop that ends in {where} goes round is not known", hint=hint)
    if lacking and followed.result.open_jumps:
        raise InputError(f"{code.function}: a condition depends on values that are not known", hint=hint)


def _lacking(code: MachineCode, sizes: Mapping[str, float]) -> list[str]:
    """The integers of a declared function that have no value."""
    return [one.name for one in code.parameters if one.kind == "integer" and one.name not in sizes]


def _is_given(code: MachineCode, root: str, sizes: Mapping[str, float]) -> bool:
    """Whether all arguments of the call are given: what is not known then is data."""
    takes_none = root.startswith("_Z") and root.partition(".")[0].endswith("v")
    return not _lacking(code, sizes) if code.parameters else bool(code.arguments) or takes_none


def _refuse_numbers_as_pointers(root: str, followed: Followed) -> None:
    """Nothing lies in the first pages of memory: who accesses them takes a number, or NULL, for a pointer."""
    result = followed.result
    for main, (_, one) in zip(followed.mains, followed.rows, strict=True):
        if result.counts[main] and 0 <= result.places[main] < _FIRST_PAGES:
            where = f"line {one.source_line}" if one.source_line else f"`{one.text}`"
            hint = "arrays are f64[n], and what Fortran or C++ passes by reference is {i32:n}"
            wrong = f"{root}: {where} accesses address {result.places[main]}: a number is given for a pointer"
            raise InputError(wrong, hint=hint)


def _arguments(code: MachineCode, sizes: Mapping[str, float]) -> CallArguments:
    """The arguments of the call: as they were given, or by the parameters that the function declares."""
    check_sizes(sizes)
    if not code.parameters:
        return call_arguments_of(code.arguments, sizes)
    whole = {name: int(value) for name, value in sizes.items()}
    made = call_arguments(code.parameters, whole, dict(code.words))
    lengths, passed = dict(code.lengths), [one for one in code.parameters if one.kind != "float"]
    if made is not None:
        places = ((one.name, at) for one, at in zip(passed, made.values, strict=True) if at is not None)
        made.extents += [(at, lengths[name]) for name, at in places if lengths.get(name)]
    if made is None:
        other = ", ".join(parameter.name for parameter in code.parameters if parameter.kind == "other")
        raise UnsupportedError(
            f"{code.function}: how {other} is passed is not known",
            hint="give all arguments in order: --arg n --arg 'f64[n]'",
        )
    return made


@lru_cache(maxsize=32)
def _call(
    text: str, root: str, code: MachineCode, key: CoreKey, sizes: tuple[tuple[str, float], ...], data: str
) -> Followed:
    """The call as followed. Machines that differ beyond their cores, as where estimates are varied, share it."""
    functions = functions_of(text, key.machine.traits["target.isa"], code.source, root)
    if all(function.name != root for function in functions):
        raise UnsupportedError(f"{code.function} has no instructions")
    given = _arguments(code, dict(sizes))
    costs = Costs(key.machine)
    return follow_call(
        functions, root, key.machine, costs, given.values, given.words, given.series, strides=True, data=data,
        by_rule=_is_given(code, root, dict(sizes)), chances=_chances(code), extents=given.extents,
    )  # fmt: skip


def _chances(code: MachineCode) -> Chances:
    """What a run of the program says of the loops; all that is known of the others is that some run."""
    rounds = {(file, line): counted for file, line, counted in code.rounds}

    def chances(made: Tables, rows: Rows, within: LoopTree) -> dict[int, float]:
        lead_to_loops(made, rows, within[0])
        return counted_ends(made, rows, within, rounds, Path(code.source).name) if rounds else {}

    return chances


def _text(code: MachineCode, machine: Machine, settings: Settings) -> tuple[str, str, tuple[str, ...]]:
    """The assembly, the symbol of the function, and whose code it is."""
    if code.text:
        return code.text, code.function, (f"{code.function} as it was compiled",)
    file = Path(code.source)
    compiler = chosen_compiler(settings["cc"], machine, cxx=file.suffix in CXX_SUFFIXES)
    if compiler is None:
        raise UnsupportedError(f"no compiler of {machine.traits.get('target.isa', 'this target')} is installed here")
    macros = (f"-D{name}={text}" for name, text in code.macros)
    flags = (*flags_for(file, compiler, machine, settings), *macros)
    assembly = compile_unit(file, compiler, flags, (), "" if file.suffix in CXX_SUFFIXES else code.function)
    root, notes = find_function(assembly.text, code.function, file)
    return assembly.text, root, (assembly.made_by, *notes)


def call_arguments_of(arguments: Sequence[CodeArgument], sizes: Mapping[str, float]) -> CallArguments:
    """The arguments of a call in the order of the calling convention."""
    made = CallArguments()
    for argument in arguments:
        if argument.kind != "float":
            made.values.append(_value(made, argument, sizes))
    return made


def _value(made: CallArguments, argument: CodeArgument, sizes: Mapping[str, float]) -> int:
    """An integer, or the address of what is passed by one."""
    value = int(argument.value.evaluate(sizes))
    match argument.kind:
        case "array":
            start = made.array(value * argument.size)
            _know(made, argument, start, sizes)
            return start
        case "end":
            return made.end
        case "vector":
            table = made.vector(value * argument.size)
            _know(made, argument, made.end - value * argument.size, sizes)
            return table
        case "record":
            return _record(made, argument, sizes)
    return value


def _know(made: CallArguments, argument: CodeArgument, start: int, sizes: Mapping[str, float]) -> None:
    """Remembers the integers of an array, where they are given."""
    if argument.contents is not None:
        first, step = (int(one.evaluate(sizes)) for one in argument.contents)
        made.know(start, argument.size, first, step)


def _record(made: CallArguments, argument: CodeArgument, sizes: Mapping[str, float]) -> int:
    """A struct in memory: members in order, each at a multiple of its size. A std::vector is three pointers."""
    table, place = made.table(), 0
    for member in argument.members:
        size = member.size if member.kind in ("integer", "float") else _POINTER
        place += -place % size
        if member.kind == "vector":
            ends = made.ends_of_vector(_bytes(member, sizes))
            made.words += [(table + place + at, word) for at, word in ends]
            _know(made, member, ends[0][1], sizes)
            place += 3 * _POINTER
            continue
        if member.kind != "float":
            made.words.append((table + place, _value(made, member, sizes)))
        place += size
    return table


def _bytes(member: CodeArgument, sizes: Mapping[str, float]) -> int:
    """Bytes of the elements of a vector."""
    return int(member.value.evaluate(sizes)) * member.size
