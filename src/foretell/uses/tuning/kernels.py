"""Predicts configurations of a GPU kernel, in some processes.

Configurations with the same macros in their source are compiled once, and disassembled many at a time. Results are
shared between configurations with the same machine code and launch. Where enough good configurations are known, those
whose lower bound exceeds them are not predicted.
"""

from __future__ import annotations

import gc
import math
import os
import time
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from foretell import api, frontends
from foretell.core.answers.tuning import Variant
from foretell.core.gpu.warps import Warps
from foretell.errors import ForetellError, InputError, ToolError
from foretell.uses.tuning import kept
from foretell.uses.tuning.limit import Limit
from foretell.uses.tuning.space import TRITON
from foretell.uses.tuning.workers import DeadWorkerError, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from foretell.core.answers.prediction import Mode, Prediction
    from foretell.core.answers.tuning import Invalidity
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.frontends import Reading
    from foretell.models.base import Settings
    from foretell.uses.tuning.space import Configuration, KernelSpace

T = TypeVar("T")
#: seconds, 0 where there is no bound; a configuration that cannot run
Bound = float | Variant
Bounded = tuple[float, tuple[Bound, ...]]

#: processes that predict, at most
MOST_WORKERS = 2
#: codes that are compiled, and then disassembled by one run of the disassembler: few at first, so that what is wrong
#: with all of them is said soon
_AT_FIRST, _TOGETHER = 4, 48
#: the golden ratio's fraction: a step that spreads the first so many
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True)
class Target:
    """The machine, and the model with its options; `precise`: as a single prediction, not as one of many; `kept`:
    predictions of earlier runs are used."""

    machine: Machine
    mode: Mode = "default"
    model: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    arch: int | None = None
    precise: bool = False
    kept: bool = True

    def with_warps(self, warps: int) -> Target:
        """The same machine with room for fewer warps on a multiprocessor."""
        most = min(float(warps), self.machine.value("occupancy.warps"))
        return replace(self, machine=self.machine.with_values({"occupancy.warps": most}))


@dataclass(frozen=True, slots=True)
class Code:
    """One code: a source and its compilation, with the launches of several configurations, by index."""

    source: Path
    target: Target
    launches: tuple[tuple[int, Configuration, Reading], ...]
    #: a launch whose lower bound exceeds this is not predicted
    limit: Limit | None = None
    #: lower bounds of the launches, in seconds, or what cannot run; empty: they were not computed
    least: tuple[Bound, ...] = ()
    #: CPU seconds that these took
    spent: float = 0.0


@dataclass(slots=True)
class Spent:
    """CPU seconds of prediction beyond compiling, and the configurations that they were spent on."""

    seconds: float = 0.0
    configurations: int = 0

    @property
    def rate(self) -> float:
        """Configurations per second and core."""
        return self.configurations / self.seconds if self.seconds else 0.0


class KernelBench:
    """Predicts configurations of a space on one machine. Those whose lower bound exceeds the best so far `exclude`
    times, or the `keep`-th best, are only given that bound."""

    def __init__(
        self,
        space: KernelSpace,
        configurations: Sequence[Configuration],
        target: Target,
        workers: int = 1,
        exclude: float | None = None,
        keep: int | None = None,
    ) -> None:
        self._space, self._configurations, self._target = space, configurations, target
        self._exclude, self._keep = exclude, keep
        self._workers = max(1, min(workers, MOST_WORKERS, os.cpu_count() or 1))
        self.spent = Spent()

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        """Predicts configurations as their codes are compiled; those without a valid launch first."""
        target = self._target if warps is None else self._target.with_warps(warps)
        codes, invalid = self._grouped(numbers, replace(target, precise=precise or target.precise))
        yield from invalid
        bounded = not precise and (self._exclude or self._keep)
        limit = Limit(self._keep, self._exclude or math.inf) if bounded else None
        with _without_collections():
            for code, seconds, variants in self._predicted([replace(code, limit=limit) for code in scattered(codes)]):
                self.spent.seconds += seconds
                self.spent.configurations += len(variants)
                yield from zip((number for number, _, _ in code.launches), variants, strict=True)

    def assumptions(self, number: int) -> tuple[str, ...]:
        """What the prediction of a configuration assumes of the kernel and of the machine."""
        try:
            reading = self._space.reading(self._configurations[number])
            return _case(self._target, self._space.source, reading).predict().assumptions
        except ForetellError:  # all came from a journal, and nvcc is not there
            return ()

    def _grouped(self, numbers: Sequence[int], target: Target) -> tuple[list[Code], list[tuple[int, Variant]]]:
        """Configurations by code, and those whose launch is not possible."""
        by_flags: dict[str, list[tuple[int, Configuration, Reading]]] = {}
        invalid = []
        for number in numbers:
            configuration = self._configurations[number]
            try:
                reading = self._space.reading(configuration)
            except InputError as error:
                invalid.append((number, Variant(configuration, reason=error.message, invalidity="constraints")))
                continue
            flags = repr(reading["meta"]) if self._space.is_triton else reading["nvcc"]
            by_flags.setdefault(flags, []).append((number, configuration, reading))
        return [Code(self._space.source, target, tuple(own)) for own in by_flags.values()], invalid

    def _predicted(self, codes: list[Code]) -> Iterator[tuple[Code, float, list[Variant]]]:
        """Compiles and predicts codes here, or in processes, in the order in which they are done."""
        if self._workers == 1:
            for part in _parts(codes):
                problems = list(map(compiled, part))
                disassemble(part, problems)
                part = [_with_bounds(code, problem, bounded) for code, problem in zip(part, problems, strict=True)]
                yield from (
                    (code, *_handled(code, problem, predicted)) for code, problem in _least_first(part, problems)
                )
            return
        with Workers(self._workers, "foretell.uses.tuning.kernels:served") as workers:
            predict, bound = partial(_elsewhere, workers), partial(_bounded_elsewhere, workers)
            for part in _parts(codes):
                problems = _results(workers.submit(compiled, code) for code in part)
                disassemble(part, problems)
                tasks = zip(part, problems, strict=True)
                part = _results(workers.submit(_with_bounds, code, problem, bound) for code, problem in tasks)
                running: dict[Future[tuple[float, list[Variant]]], Code] = {
                    workers.submit(_handled, code, problem, predict): code
                    for code, problem in _least_first(part, problems)
                }
                for future in as_completed(running):
                    yield (running[future], *future.result())


def _results(running: Iterable[Future[T]]) -> list[T]:
    """Results of tasks, all of which are submitted first."""
    return [future.result() for future in list(running)]


def _with_bounds(code: Code, problem: str, bound: Callable[[Code], Bounded]) -> Code:
    """The code with lower bounds of its launches, where these exclude some."""
    if problem or code.limit is None or not code.limit.worth_a_bound(len(code.launches)):
        return code
    seconds, least = bound(code)
    return replace(code, least=least, spent=seconds)


def _least_first(codes: Sequence[Code], problems: Sequence[str]) -> list[tuple[Code, str]]:
    """Codes with their problems, the one that may be fastest first: the sooner good ones are known, the more the bounds
    of others exclude."""
    return sorted(zip(codes, problems, strict=True), key=lambda pair: min(map(_seconds, pair[0].least), default=0.0))


def _seconds(bound: Bound) -> float:
    return bound.time_s if isinstance(bound, Variant) else bound


def scattered(items: Sequence[T]) -> list[T]:
    """Items in an order of which any first part is spread evenly over all: good ones are soon among them."""
    step = max(1, round(_GOLDEN * len(items)))
    while items and math.gcd(step, len(items)) > 1:
        step += 1
    return [items[number * step % len(items)] for number in range(len(items))]


def _parts(codes: list[Code]) -> Iterator[list[Code]]:
    pending, size = iter(codes), _AT_FIRST
    while part := list(islice(pending, size)):
        yield part
        size = min(_TOGETHER, 4 * size)


def _handled(
    code: Code, problem: str, predict: Callable[[Code], tuple[float, list[Variant], Limit | None]]
) -> tuple[float, list[Variant]]:
    """Predicts the launches of a code, if it was compiled; its limit learns from them."""
    if problem:
        return code.spent, _failed(code, problem, "compile")
    seconds, variants, after = predict(code)
    if code.limit is not None and after is not None:
        for variant in variants:
            if not variant.excluded:
                code.limit.learn(variant.time_s)
        code.limit.follow(after)
    return code.spent + seconds, variants


def served(request: tuple[Literal["bound", "predict"], Code]) -> Any:
    """What a process answers."""
    gc.disable()  # this process does nothing else (`_without_collections`)
    what, code = request
    return bounded(code) if what == "bound" else predicted(code)


def _elsewhere(workers: Workers, code: Code) -> tuple[float, list[Variant], Limit | None]:
    """Predicts in the process of this thread; if that was killed, as for its memory, its code is marked."""
    try:
        result: tuple[float, list[Variant], Limit | None] = workers.call(("predict", code))
    except DeadWorkerError:
        return 0.0, _failed(code, "the process that predicted it was killed", "timeout"), None
    return result


def _bounded_elsewhere(workers: Workers, code: Code) -> Bounded:
    """Computes bounds in the process of this thread; none if that was killed."""
    try:
        result: Bounded = workers.call(("bound", code))
    except DeadWorkerError:
        return 0.0, ()
    return result


def _failed(code: Code, reason: str, kind: Invalidity) -> list[Variant]:
    return [Variant(values, reason=reason, invalidity=kind) for _, values, _ in code.launches]


def compiled(code: Code) -> str:
    """Compiles a code into the cache of cubins; returns what went wrong."""
    from foretell.frontends.gpu.binary.nvcc import SOURCES

    if code.source.suffix not in (*SOURCES, TRITON):
        return ""
    try:
        _cubin(code)
    except ToolError:
        raise  # the compiler is not there: so for all configurations
    except ForetellError as error:
        return str(error).splitlines()[0]
    return ""


#: Triton compiles one kernel at a time in a process
_TRITON_COMPILES = Lock()


def _cubin(code: Code) -> tuple[bytes, str | None]:
    """The compiled code, from the cache of cubins or that of Triton, and the name of the kernel, if it is known."""
    from foretell.frontends.gpu.binary.nvcc import architecture_for, compile_source, parse_flags

    _, _, reading = code.launches[0]
    arch = code.target.arch or architecture_for(code.target.machine.traits.get("target.cpu", ""))
    if code.source.suffix != TRITON:
        return compile_source(code.source, arch, parse_flags(reading["nvcc"])), reading.get("kernel")
    from foretell.frontends.gpu.triton import compile_file

    with _TRITON_COMPILES:
        done = compile_file(code.source, frontends.read_options(**reading), arch)
    return done.cubin, done.name


def disassemble(codes: Sequence[Code], problems: Sequence[str]) -> None:
    """Disassembles the codes that were compiled, together, into the cache of listings."""
    from foretell.frontends.gpu.binary.nvcc import SOURCES
    from foretell.frontends.gpu.sass.kernels import disassemble_together

    kinds = (*SOURCES, TRITON)
    good = [code for code, problem in zip(codes, problems, strict=True) if not problem and code.source.suffix in kinds]
    try:
        disassemble_together(map(_cubin, good))
    except ToolError:
        raise
    except ForetellError:  # each is read again, and is marked with its own problem
        return


#: results of this process by machine code, launch, machine and model
_KNOWN: dict[tuple[Any, ...], Variant] = {}
_MOST_KNOWN = 100_000


def predicted(code: Code) -> tuple[float, list[Variant], Limit | None]:
    """Predicts all launches of a code; returns the CPU seconds as well, and what its limit learned."""
    start = time.process_time()
    limit = None if code.limit is None else replace(code.limit, best=list(code.limit.best))
    with _without_collections():
        variants = [
            _excluded(values, least, limit) or _tried(code, values, reading, limit)
            for (_, values, reading), least in zip(code.launches, code.least or [0.0] * len(code.launches), strict=True)
        ]
    return time.process_time() - start, variants, limit


def bounded(code: Code) -> Bounded:
    """Lower bounds of the launches of a code, 0 where there is none; returns the CPU seconds as well."""
    start = time.process_time()
    with _without_collections():
        least = tuple(_least(code, values, reading) for _, values, reading in code.launches)
    return time.process_time() - start, least


def _least(code: Code, values: Configuration, reading: Reading) -> Bound:
    try:
        case = _case(code.target, code.source, reading)
        _check_arguments(case.workload, code.source)
        case.model.admit(case.workload, case.machine)
        return case.model.least_time_s(case.workload, case.machine)
    except (ToolError, _OfAllError):
        raise
    except ForetellError as error:
        return _that_fails(values, error)


@contextmanager
def _without_collections() -> Iterator[None]:
    """Predictions leave no cycles of objects behind: looking for them in the decoded code takes a twentieth of the
    time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _case(target: Target, source: Path, reading: Reading) -> api.Case:
    options = replace(frontends.read_options(**reading), arch=target.arch)
    workload = frontends.Reader(source, options).workload(target.machine)
    return api.prepare(workload, target.machine, mode=target.mode, model=target.model, options=dict(target.options))


class _OfAllError(InputError):
    """What is wrong with every configuration: it ends the search."""


def _check_arguments(workload: Workload, source: Path) -> None:
    """A space has one list of arguments: if their number is wrong, it is so for every configuration."""
    code = workload.find(Warps)
    if code is None or code.launch.passed is not None:
        return
    wanted, given = len(code.kernel.parameters), len(code.launch.arguments)
    if wanted != given:
        raise _OfAllError(
            f"kernel {code.kernel.name} has {wanted} parameters, {given} arguments are given",
            file=source,
            hint="sizes of the parameters in bytes: " + ", ".join(str(item.size) for item in code.kernel.parameters),
        )


def _tried(code: Code, values: Configuration, reading: Reading, limit: Limit | None) -> Variant:
    target = code.target
    try:
        case = _case(target, code.source, reading)
        workload, settings = case.workload, _settings(target, case)
        _check_arguments(workload, code.source)
        key = (workload.input_hash, target.machine.content_hash, case.model.name, repr(settings))
        if key not in _KNOWN:
            case.model.admit(workload, target.machine)
            found = _kept_or_new(case, settings, target, key, math.inf if limit is None else limit.seconds)
            if found.excluded:
                return replace(found, parameters=values)
            if len(_KNOWN) >= _MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = found
            if limit is not None:
                limit.learn(found.time_s)
        return replace(_KNOWN[key], parameters=values)
    except (ToolError, _OfAllError):
        raise
    except ForetellError as error:
        return _that_fails(values, error)


def _that_fails(values: Configuration, error: ForetellError) -> Variant:
    """A configuration that cannot run, with the reason."""
    message = str(error).splitlines()[0]
    never = "may never end" in str(error) or "does not end" in message
    return Variant(values, reason=message, invalidity="timeout" if never else "runtime")


def _kept_or_new(case: api.Case, settings: Settings, target: Target, key: tuple[Any, ...], limit_s: float) -> Variant:
    """A prediction of an earlier run, or a new one; where a bound exceeds the limit, that bound."""
    entry = kept.key_of(case.workload, *key[1:]) if target.kept else None
    variant = kept.read(entry)
    if variant is None:
        found = case.model.within(case.workload, case.machine, settings, limit_s)
        if isinstance(found, float):
            return Variant({}, found, excluded=True)
        variant = _variant(case.workload, found)
        kept.write(entry, variant)
    return variant


def _settings(target: Target, case: api.Case) -> Settings:
    """Settings for many predictions, with the options that the user gave."""
    if target.precise:
        return case.settings
    many = case.model.for_many(case.settings)
    return replace(many, options={**many.options, **target.options})


def _excluded(values: Configuration, least: Bound, limit: Limit | None) -> Variant | None:
    """A configuration whose lower bound exceeds the limit, before what is kept: a second search excludes the same; or
    one that cannot run."""
    if isinstance(least, Variant):
        return least
    if limit is None or not least or not math.isfinite(limit.seconds):
        return None
    excluded = least > limit.seconds
    limit.look(excluded=excluded)
    return Variant(values, least, excluded=True) if excluded else None


def _variant(workload: Workload, prediction: Prediction) -> Variant:
    """What searches look at in a prediction."""
    bottleneck, warps = prediction.bottleneck, prediction.details.get("resident_warps", 0)
    code = workload.find(Warps)
    return Variant(
        {},
        prediction.time_s,
        resource=bottleneck.resource,
        limit=bottleneck.limit,
        throughput_s={bound.resource: bound.time_s for bound in prediction.bounds if bound.limit == "throughput"},
        registers=code.kernel.registers if code else 0,
        warps=int(warps) if isinstance(warps, int | float) else 0,
    )
