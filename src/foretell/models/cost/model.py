"""The cost model as a `Model`: equations (1)-(5), the overlapped variant, and the hard bound beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell.core.answers.prediction import Bound, Detail, Part, Prediction
from foretell.core.facets.trace import THREADS, Trace
from foretell.core.machine import capacity
from foretell.core.machine.parameters import known
from foretell.models.base import Inputs, Model, Option, Settings
from foretell.models.cost import equations, execution
from foretell.models.cost.fields import Fields, fields, read_paths, require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns
    from foretell.models.cost.equations import Terms

_LEVELS_NOT_KNOWN = "control dependences and integer operations take no time (AM-11)"


class CostModel(Model):
    """An optimistic parallel version: every level of the schedule on all processors, transfers at full bandwidth."""

    name = "cost"
    version = 2
    title = "Cost of an algorithm: dependences, locality and synchronisation against processors and two memories"
    facets: ClassVar[tuple[type[Facet], ...]] = (Trace,)
    parameters = ("memory.bandwidth", "memory.latency")
    options = (
        Option(
            "execution",
            ("stages", "levels"),
            "stages",
            "levels",
            "parallel loops on cores and caches, or levels of the schedule on processors and two memories",
        ),
        Option("hits", ("below", "at_most"), "below", "at_most", "distances that a memory of C lines holds, AM-1"),
        Option(
            "fast_traffic", ("bytes", "per_reference"), "bytes", "bytes", "what a hit moves: its bytes or a line, AM-3"
        ),
        Option("vectors", ("at_least_one_lane", "as_printed"), "at_least_one_lane", "as_printed", "f_v, AM-4"),
        Option("composition", ("measured", "sum", "overlapped"), "measured", "sum", "computation and transfers, AM-6"),
        Option(
            "sync", ("phases", "regions", "trip", "trip_minus_1"), "phases", "phases", "synchronisation points, AM-7"
        ),
        Option(
            "effort",
            ("compiled", "optimised", "scalar"),
            "compiled",
            "compiled",
            "code as a compiler makes it, written to be fast, or without vectors",
        ),
        Option("reductions", ("trees", "as_written"), "trees", "as_written", "depth of a running sum, AM-11"),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """The fields of Table I, by this machine's parameters, and the parameters of the stages."""
        more = execution.read_paths(machine)
        return tuple(dict.fromkeys((*read_paths(machine), *more)))

    def check(self, machine: Machine) -> None:
        """Names what equations (1) to (5) lack."""
        require(machine, synchronises=True)

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """Predicts EC, its terms, and the hard bound."""
        trace = workload.facet(Trace)
        threads = workload.parameters.get(THREADS)
        terms, numbers, notes = _terms(trace, Inputs(machine, {}), threads, settings)
        by_levels = bool(execution.refusal(trace, machine, settings))
        hard = float(equations.hard_bound(trace, numbers, settings))
        time = float(_time(terms, settings))
        return self.answer(
            workload,
            machine,
            settings,
            time_s=time,
            bounds=_bounds(terms, machine.levels[-1]),
            parts=(*_parts(terms), Part("overlap", time - float(terms.total))),
            assumptions=(*workload.assumptions, *_notes(trace, settings), *notes, *capacity.said(machine)),
            interval_s=_interval(trace, Inputs(machine, {}), threads, settings, (hard, time)),
            details={
                **_details(trace, numbers, terms, settings, hard, time),
                "method": "by levels" if by_levels else "by stages",
                "threads": float(numbers.processors) if machine.kind == "cpu" else None,
            },
        )

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Evaluates the closed forms with arrays of machine parameters."""
        inputs = Inputs(machine, {path: column for path, column in columns.items() if known(path)})
        trace = workload.facet(Trace)
        threads = columns.get(THREADS, workload.parameters.get(THREADS))
        terms, _, _ = _terms(trace, inputs, threads, settings)
        points = max((column.size for column in columns.values()), default=1)
        times = _time(terms, settings)
        return np.where(np.isnan(times), np.inf, np.broadcast_to(times, points))


def _terms(
    trace: Trace, inputs: Inputs, threads: Value | None, settings: Settings
) -> tuple[Terms, Fields, tuple[str, ...]]:
    """All terms, the fields of Table I for the hard bound, and notes on the method."""
    reason = execution.refusal(trace, inputs.machine, settings)
    if not reason:
        terms = execution.terms(trace, inputs, threads, settings)
        return terms, fields(inputs, threads, synchronises=False), execution.NOTES
    synchronises = equations.sync_points(trace, settings) > 0
    numbers = fields(inputs, threads, synchronises=synchronises)
    notes = (f"by levels, equations (3) to (5): {reason}", _LEVELS_NOT_KNOWN)
    return equations.terms(trace, numbers, settings), numbers, notes


def _interval(
    trace: Trace, inputs: Inputs, threads: Value | None, settings: Settings, known: tuple[float, float]
) -> tuple[float, float]:
    """From the time of optimised code with perfect overlap, to that of scalar code with no overlap and no correct
    branch prediction: a trace does not tell which a version is. Barriers cost the least and the most known. By levels,
    efforts are all the same, and the ends are the hard bound and the sum."""
    hard, time = known
    if execution.refusal(trace, inputs.machine, settings):
        return min(hard, time), max(time, float(_terms(trace, inputs, threads, settings)[0].total))
    least, _, _ = _terms(trace, inputs, threads, _with(settings, effort="optimised"))
    most, _, _ = _terms(trace, inputs, threads, _with(settings, effort="scalar"))
    low, high = least.sync_range or (least.sync, most.sync)
    return min(time, max(hard, float(least.fastest + low))), max(time, float(most.slowest + high))


def _with(settings: Settings, **options: str) -> Settings:
    return Settings(settings.mode, {**settings.options, **options})


def _time(terms: Terms, settings: Settings) -> NDArray[np.float64]:
    hiding = terms.fastest + terms.sync if settings["effort"] == "optimised" else terms.total - terms.hidden
    by_rule = {"measured": hiding, "sum": terms.total, "overlapped": terms.overlapped}
    return np.asarray(by_rule[settings["composition"]], dtype=np.float64)


def _bounds(terms: Terms, level: str) -> tuple[Bound, ...]:
    computation, fast, slow, latency = map(float, terms.limits)
    return (
        Bound("computation", computation, "processors", "throughput"),
        Bound(f"{level} bandwidth", fast, level, "throughput"),
        Bound("memory bandwidth", slow, "memory", "throughput"),
        Bound(f"{terms.waits_for} latency", latency, terms.waits_for, "latency"),
        Bound("synchronisation", float(terms.sync), "barrier", "latency"),
    )


def _parts(terms: Terms) -> tuple[Part, ...]:
    return (
        Part("computation", float(terms.compute)),
        Part("fast memory", float(terms.fast)),
        Part("slow memory", float(terms.slow)),
        Part("latency", float(terms.latency)),
        Part("synchronisation", float(terms.sync)),
    )


def _notes(trace: Trace, settings: Settings) -> tuple[str, ...]:
    notes = []
    if not trace.operations.total:
        notes.append("no floating-point operation was traced: only memory and synchronisation take time")
    reduces = any(loop.verdict == "reduction" for loop in trace.loops)
    if reduces and settings["reductions"] == "trees" and trace.reassociated is None:
        notes.append("reductions were not traced as trees: the depth is that of the program as written")
    if any(one.rate < 1 for one in trace.distances):
        notes.append("stack distances are from a sample of lines")
    return tuple(notes)


def _details(
    trace: Trace, numbers: Fields, terms: Terms, settings: Settings, hard: float, time: float
) -> dict[str, Detail]:
    schedule = equations.schedule_of(trace, settings)
    work = trace.operations.total
    return {
        "operations": work,
        "depth": schedule.depth,
        "parallelism": work / schedule.depth if schedule.depth else None,
        "f_im": trace.operations.mix,
        "f_v": float(equations.vector_share(trace, numbers, settings)),
        "fast_lines": float(terms.fast_lines),
        "slow_lines": float(terms.slow_lines),
        "sync_points": float(terms.sync_points),
        "flop_per_s": work / time if time else None,
        "overlapped_s": float(terms.overlapped),
        "hard_bound_s": hard,
    }
