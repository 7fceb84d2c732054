"""Predicts configurations of a GPU kernel, in some processes.

Configurations with the same macros in their source are compiled once. Results are shared between configurations with
the same machine code and launch.
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from foretell import api, frontends
from foretell.core.answers.tuning import Variant
from foretell.core.gpu.warps import Warps
from foretell.errors import ForetellError, InputError, ToolError
from foretell.uses.tuning.workers import DeadWorkerError, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from foretell.core.answers.prediction import Mode, Prediction
    from foretell.core.answers.tuning import Invalidity
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.frontends import Reading
    from foretell.uses.tuning.space import Configuration, KernelSpace

#: processes that predict, at most
MOST_WORKERS = 2


@dataclass(frozen=True, slots=True)
class Target:
    """The machine, and the model with its options."""

    machine: Machine
    mode: Mode = "default"
    model: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    arch: int | None = None

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
    #: a launch whose lower bound exceeds the best so many times is not predicted
    exclude: float = math.inf
    best_s: float = math.inf


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
    times are only given that bound."""

    def __init__(
        self,
        space: KernelSpace,
        configurations: Sequence[Configuration],
        target: Target,
        workers: int = 1,
        exclude: float | None = None,
    ) -> None:
        self._space, self._configurations, self._target = space, configurations, target
        self._exclude, self._best_s = exclude, math.inf
        self._workers = max(1, min(workers, MOST_WORKERS, os.cpu_count() or 1))
        self.spent = Spent()

    def predict(self, numbers: Sequence[int], warps: int | None = None) -> Iterable[tuple[int, Variant]]:
        """Predicts configurations as their codes are compiled; those without a valid launch first."""
        target = self._target if warps is None else self._target.with_warps(warps)
        codes, invalid = self._grouped(numbers, target)
        yield from invalid
        for code, seconds, variants in self._predicted(codes):
            self.spent.seconds += seconds
            self.spent.configurations += len(variants)
            self._best_s = min([self._best_s, *(variant.time_s for variant in variants)])
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
            by_flags.setdefault(reading["nvcc"], []).append((number, configuration, reading))
        return [Code(self._space.source, target, tuple(own)) for own in by_flags.values()], invalid

    def _predicted(self, codes: list[Code]) -> Iterator[tuple[Code, float, list[Variant]]]:
        """Compiles and predicts codes here, or in processes, in the order in which they are done."""
        if self._workers == 1:
            yield from ((code, *self._handled(code, predicted)) for code in codes)
            return
        with Workers(self._workers, "foretell.uses.tuning.kernels:predicted") as workers:
            running = {workers.submit(self._handled, code, partial(_elsewhere, workers)): code for code in codes}
            for future in as_completed(running):
                yield (running[future], *future.result())

    def _handled(
        self, code: Code, predict: Callable[[Code], tuple[float, list[Variant]]]
    ) -> tuple[float, list[Variant]]:
        """Compiles a code and predicts its launches."""
        problem = compiled(code)
        if problem:
            return 0.0, _failed(code, problem, "compile")
        return predict(code if self._exclude is None else replace(code, exclude=self._exclude, best_s=self._best_s))


def _elsewhere(workers: Workers, code: Code) -> tuple[float, list[Variant]]:
    """Predicts in the process of this thread; if that was killed, as for its memory, its code is marked."""
    try:
        result: tuple[float, list[Variant]] = workers.call(code)
    except DeadWorkerError:
        return 0.0, _failed(code, "the process that predicted it was killed", "timeout")
    return result


def _failed(code: Code, reason: str, kind: Invalidity) -> list[Variant]:
    return [Variant(values, reason=reason, invalidity=kind) for _, values, _ in code.launches]


def compiled(code: Code) -> str:
    """Compiles and disassembles a code into the caches of these tools; returns what went wrong."""
    from foretell.frontends.gpu.binary.nvcc import SOURCES, architecture_for, compile_source, parse_flags
    from foretell.frontends.gpu.sass.kernels import disassembled

    if code.source.suffix not in SOURCES:
        return ""
    _, _, reading = code.launches[0]
    try:
        arch = code.target.arch or architecture_for(code.target.machine.traits.get("target.cpu", ""))
        disassembled(compile_source(code.source, arch, parse_flags(reading["nvcc"])), reading.get("kernel"))
    except ToolError:
        raise  # nvcc or nvdisasm is not there: so for all configurations
    except ForetellError as error:
        return str(error).splitlines()[0]
    return ""


#: results of this process by machine code, launch, machine and model
_KNOWN: dict[tuple[Any, ...], Variant] = {}
_MOST_KNOWN = 100_000


def predicted(code: Code) -> tuple[float, list[Variant]]:
    """Predicts all launches of a code; returns the CPU seconds as well."""
    start = time.process_time()
    variants, best = [], code.best_s
    for _, values, reading in code.launches:
        variants.append(_tried(code, values, reading, code.exclude * best))
        best = min(best, variants[-1].time_s)
    return time.process_time() - start, variants


def _case(target: Target, source: Path, reading: Reading) -> api.Case:
    options = replace(frontends.read_options(**reading), arch=target.arch)
    workload = frontends.Reader(source, options).workload(target.machine)
    return api.prepare(workload, target.machine, mode=target.mode, model=target.model, options=dict(target.options))


def _tried(code: Code, values: Configuration, reading: Reading, limit_s: float) -> Variant:
    target = code.target
    try:
        case = _case(target, code.source, reading)
        workload = case.workload
        key = (workload.input_hash, target.machine.content_hash, case.model.name, repr(case.settings))
        if key not in _KNOWN:
            case.model.admit(workload, target.machine)
            least = case.model.least_time_s(workload, target.machine) if math.isfinite(limit_s) else 0.0
            if least > limit_s:
                return Variant(values, least, excluded=True)
            if len(_KNOWN) >= _MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = _variant(workload, case.model.without_interval(workload, case.machine, case.settings))
        return replace(_KNOWN[key], parameters=values)
    except ToolError:
        raise
    except ForetellError as error:
        message = str(error).splitlines()[0]
        never = "may never end" in str(error) or "does not end" in message
        return Variant(values, reason=message, invalidity="timeout" if never else "runtime")


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
