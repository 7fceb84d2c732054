"""Tunes a GPU kernel: carries out a search over its configurations, with a journal that survives a kill."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from foretell.core.answers.tuning import Tuning, Variant
from foretell.errors import InputError, OptionError
from foretell.files import content_hash, read_bytes
from foretell.uses.journal import Journal, entries
from foretell.uses.tuning.accuracy import known_of
from foretell.uses.tuning.bottleneck import Bottleneck
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.search import Dynamic, Hybrid, Ledger, Progress, Static, carry_out, near_the_best

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from foretell.core.answers.tuning import Strategy
    from foretell.uses.tuning.measure import Command
    from foretell.uses.tuning.search import Predictor, Search
    from foretell.uses.tuning.space import Configuration, KernelSpace

_MAGIC = "foretell-tune-kernel"
#: the best configurations, which are never excluded by their bounds, and are predicted precisely
REFINED = 16
#: form of the entries: those of earlier journals do not say whether a prediction was precise
ENTRIES = "precise"
_DIFFERS = "search: the source, an axis, the launch, the machine, the model or an option"


@dataclass(frozen=True, slots=True)
class KernelJob:
    """The settings of a search. `budget`: measurements of hybrid; `workers`: processes that predict; `exclude`: not
    predicted is what takes longer than this many times the best by a lower bound; `bounds`: nor what takes longer than
    the sixteenth best."""

    strategy: Strategy = "static"
    budget: int = 16
    journal: Path | None = None
    fresh: bool = False
    workers: int = 1
    measure: Command | None = None
    exclude: float | None = None
    progress: Progress = lambda *_: None
    bounds: bool = True


@dataclass(frozen=True)
class _Entry:
    """A line of the journal: what was done, with so many warps (None: those of the launch), and the result."""

    what: Literal["predict", "judge"]
    warps: int | None
    precise: bool
    variant: Variant


#: fields that may be negative: values of parameters
_SIGNED = frozenset({"parameters"})


class JournaledBench:
    """Keeps results of another bench in a journal, and takes from it what is there."""

    def __init__(
        self, inner: Predictor, space: KernelSpace, configurations: Sequence[Configuration], journal: Journal | None,
        measure: Command | None,
    ) -> None:  # fmt: skip
        self._inner, self._space, self._configurations, self._journal = inner, space, configurations, journal
        self._measure = measure
        self._known: dict[tuple[str, int | None, bool], Variant] = {}
        self._judged: dict[str, Variant] = {}
        for entry in entries(journal.path, _Entry, _SIGNED) if journal else ():
            if entry.what == "judge":
                self._judged[_name(entry.variant.parameters)] = entry.variant
            else:
                self._known[_name(entry.variant.parameters), entry.warps, entry.precise] = entry.variant

    @property
    def resumed(self) -> int:
        """Results that the journal had."""
        return len({(name, warps) for name, warps, _ in self._known}) + len(self._judged)

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        """Those in the journal first."""
        names = {number: (_name(self._configurations[number]), warps, precise) for number in numbers}
        missing = [number for number in numbers if names[number] not in self._known]
        absent = set(missing)
        yield from ((number, self._known[names[number]]) for number in numbers if number not in absent)
        for number, variant in self._inner.predict(missing, warps, precise=precise):
            self._keep("predict", variant, warps, precise=precise)
            yield number, variant

    def judge(self, number: int, variant: Variant) -> Variant:
        """Measures a configuration."""
        if self._measure is None:
            raise OptionError("this strategy measures: --measure COMMAND says how")
        name = _name(variant.parameters)
        if name not in self._judged:
            self._judged[name] = self._measure.run(self._space, variant)
            self._keep("judge", self._judged[name], None)
        return self._judged[name]

    def _keep(self, what: str, variant: Variant, warps: int | None, *, precise: bool = False) -> None:
        if self._journal:
            self._journal.add({"what": what, "warps": warps, "precise": precise, "variant": asdict(variant)})


def tune_kernel(space: KernelSpace, target: Target, job: KernelJob | None = None) -> Tuning:
    """Finds the best configuration of a kernel on a machine."""
    job = job or KernelJob()
    if job.strategy in ("hybrid", "dynamic") and job.measure is None:
        raise OptionError(f"--strategy {job.strategy} measures: --measure COMMAND says how")
    configurations = space.configurations()
    default = space.default or configurations[0]
    start = next((n for n, values in enumerate(configurations) if values == default), 0)
    keep = max(REFINED, job.budget) if job.bounds else None
    inner = KernelBench(space, configurations, target, job.workers, job.exclude, keep)
    ledger = Ledger([Variant(values) for values in configurations])
    with _journal(space, target, job) as journal:
        bench = JournaledBench(inner, space, configurations, journal, job.measure)
        search = _search(space, configurations, target, job, start)
        carry_out(search, bench, ledger, job.progress)
    return _answer(space, target, job, ledger, start, inner, bench.resumed)


def _search(
    space: KernelSpace, configurations: Sequence[Configuration], target: Target, job: KernelJob, start: int
) -> Search:
    match job.strategy:
        case "static":
            return Static(len(configurations), REFINED)
        case "dynamic":
            return Dynamic(len(configurations), REFINED)
        case "hybrid":
            return Hybrid(len(configurations), job.budget, refined=max(REFINED, job.budget))
        case "bottleneck":
            return Bottleneck(space, configurations, target.machine, start, paper=target.mode == "paper")


def _missing_macro(space: KernelSpace, reason: str) -> str | None:
    """What to write where the source wants a constant of the expressions as a macro."""
    for name, value in space.constants.items():
        if f'"{name}" is undefined' in reason:
            return f"-D {name} is a name in expressions alone; a macro of one value is --axis {name}={value:g}"
    return None


def _answer(
    space: KernelSpace, target: Target, job: KernelJob, ledger: Ledger, start: int, inner: KernelBench, resumed: int
) -> Tuning:
    best = ledger.variants[ledger.best]
    if best.reason:
        raise InputError(
            f"none of {len(ledger.variants)} configurations can run: {best.reason}",
            file=space.source,
            hint=_missing_macro(space, best.reason),
        )
    looked = list(dict.fromkeys(ledger.order))
    return Tuning(
        workload=space.name or space.kernel or space.source.stem,
        machine=target.machine.name,
        strategy=job.strategy,
        default=ledger.variants[start],
        best=best,
        variants=tuple(ledger.variants[number] for number in sorted(looked)),
        static_cpu_s=inner.spent.seconds,
        judge_cpu_s=ledger.judge_s,
        resumed=resumed,
        assumptions=(*inner.assumptions(ledger.best), known_of(target.machine)),
        judge="measured",
        order=tuple(sorted(looked).index(number) for number in looked),
        near=near_the_best(best, [ledger.variants[number] for number in sorted(looked)]),
    )


def _journal(space: KernelSpace, target: Target, job: KernelJob) -> AbstractContextManager[Journal | None]:
    if job.journal is None:
        return nullcontext()
    parts = [
        ENTRIES,
        content_hash(read_bytes(space.source)),
        content_hash(read_bytes(space.capture)) if space.capture else "",
        repr(space),
        target.machine.content_hash,
        target.mode,
        str(target.model),
        json.dumps(dict(target.options), sort_keys=True),
        str(target.arch),
    ]
    header: dict[str, Any] = {_MAGIC: 1, "key": content_hash("\n".join(parts).encode())}
    return Journal(job.journal, header, _DIFFERS, fresh=job.fresh)


def _name(values: object) -> str:
    return json.dumps(values, sort_keys=True)
