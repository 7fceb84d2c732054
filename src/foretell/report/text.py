"""Formats answers as tables for a terminal."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.text import Text

from foretell import units
from foretell.report.sections import breakdown, nests, tunings
from foretell.report.sections.predictions import refused
from foretell.report.sections.predictions import table as predictions_table
from foretell.report.tables import new_table as _new_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from foretell.core.answers import answers
    from foretell.core.answers.advising import Advising, PairReplay
    from foretell.core.answers.check import Bisection, Check, Differences
    from foretell.core.answers.coverage import Coverage
    from foretell.core.answers.description import Description, KernelDescription, KernelList
    from foretell.core.answers.dividing import SplitReplay
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.program_run import ProgramRun
    from foretell.core.answers.replay import Replay
    from foretell.core.answers.tuning import Tuning
    from foretell.core.facets.counts import Counts
    from foretell.core.facets.trace import Trace
    from foretell.core.machine.machine import Machine, MachineDiff
    from foretell.core.workload import Workload

#: width of tables in a file or a pipe
_PLAIN_WIDTH = 120
#: maximum number of instructions in a listing
_LISTED = 24


def render(item: RenderableType, *, color: bool) -> str:
    """Renders rich content as text; plain and of fixed width if the output is no terminal."""
    width = shutil.get_terminal_size().columns if color else _PLAIN_WIDTH
    console = Console(file=io.StringIO(), force_terminal=color, width=width, highlight=False)
    console.print(item)
    output = console.file
    assert isinstance(output, io.StringIO)
    return "\n".join(line.rstrip() for line in output.getvalue().splitlines()).strip("\n")


def prediction(item: Prediction) -> RenderableType:
    """Time, bottleneck, parts, bounds, assumptions."""
    return Group(
        _headline(item), *breakdown.sections(item), _parts(item), _bounds(item), _assumptions(item.assumptions)
    )


def predictions(item: answers.Predictions) -> RenderableType:
    """Several predictions as one table, in their order."""
    return predictions_table(item)


def split(item: answers.Split) -> RenderableType:
    """A row per device, then the resulting times."""
    rows_by_column = {
        "device": [entry.machine for entry in item.shares],
        "share": [f"{entry.share:.1%}" for entry in item.shares],
        "items": ["" if entry.items is None else str(entry.items) for entry in item.shares],
        "its time": [_time(entry.time_s) for entry in item.shares],
        "alone": [_time(entry.predicted_s + entry.transfer_s) for entry in item.shares],
        "of it transfer": [_time(entry.transfer_s) if entry.transfer_s else "" for entry in item.shares],
        "alone, measured": ["" if entry.measured_s is None else _time(entry.measured_s) for entry in item.shares],
    }
    filled = {name: values for name, values in rows_by_column.items() if any(values)}
    table = _new_table(*filled, title=item.workload)
    for row in zip(*filled.values(), strict=True):
        table.add_row(*row)
    gains = _new_table("work", "time", "relative")
    rows = [
        ("split by predicted cost", item.split_s),
        ("even split", item.even_s),
        ("best device alone", item.best_alone_s),
    ]
    rows += [] if item.oracle_s is None else [("split by measured times", item.oracle_s)]
    for name, seconds in rows:
        gains.add_row(name, _time(seconds), f"{seconds / item.split_s:.2f}x" if item.split_s else "")
    return Group(table, gains, refused(item.refused))


def explanation(item: answers.Explanation) -> RenderableType:
    """A prediction, then its sensitivities, then advice."""
    return Group(
        prediction(item.prediction),
        _sensitivities(item.sensitivities),
        _listing(item.listing),
        *breakdown.annotated(item.lines),
        *breakdown.assembly(item.code),
        _advice(item.advice),
    )


def advising(item: Advising) -> RenderableType:
    """Changes of a code, with their predicted gains."""
    from foretell.report.sections import advising as section

    return Group(Text(item.headline), *section.tables(item), _assumptions(item.prediction.assumptions))


def pair_replay(item: PairReplay) -> RenderableType:
    """Measured pairs of versions, and how well their gains are predicted."""
    from foretell.report.sections import advising as section

    return Group(*section.pairs(item), refused(item.refused))


def replay(item: Replay) -> RenderableType:
    """Measured tuning spaces, replayed."""
    return tunings.replay_text(item)


def tuning(item: Tuning) -> RenderableType:
    """The chosen variant and the next best ones."""
    return tunings.text(item)


def program_run(item: ProgramRun) -> RenderableType:
    """A CUDA program that ran without a GPU."""
    from foretell.report.sections import program_run as section

    return section.text(item)


def check(item: Check) -> RenderableType:
    """Two versions compared."""
    from foretell.report.sections import check as section

    return section.text(item)


def split_replay(item: SplitReplay) -> RenderableType:
    """Measured splits, replayed."""
    from foretell.report.sections.dividing import replay_text

    return replay_text(item)


def differences(item: Differences) -> RenderableType:
    """Measured pairs of versions, replayed."""
    from foretell.report.sections import check as section

    return section.differences_text(item)


def bisection(item: Bisection) -> RenderableType:
    """The commits of a range, and the first slow one."""
    from foretell.report.sections import check as section

    return section.bisection_text(item)


def validation(item: answers.Validation) -> RenderableType:
    """Cases, statistics, counts and orders."""
    from foretell.report.sections.validation import sections

    return Group(*sections(item), refused(item.refused))


def exploration(item: Exploration) -> RenderableType:
    """Fronts, best designs, verdicts and tables."""
    from foretell.report.sections.exploration import sections

    return sections(item)


def machines(items: Sequence[Machine]) -> RenderableType:
    """Overview of the machine library."""
    table = _new_table("name", "kind", "cores", "clock", "memory bandwidth", "what it is")
    for item in items:
        known = [item.quantities.get(path) for path in ("cores.count", "clock.frequency", "memory.bandwidth")]
        shown = ("-" if quantity is None else units.show(quantity.value, quantity.unit) for quantity in known)
        table.add_row(item.name, item.kind, *shown, item.title)
    return table


def machine_summary(item: Machine) -> RenderableType:
    """The machine on one screen: cores, clock, caches, memory."""
    from foretell.report.sections.machine_summary import summary

    return summary(item)


def coverage(item: Coverage) -> RenderableType:
    """A row per machine, a column per model."""
    table = _new_table("machine", "kind", *item.models)
    for row in item.rows:
        shown = ("-" if row.answers[name] == "no" else row.answers[name] for name in item.models)
        table.add_row(row.machine, row.kind, *shown)
    return Group(table, Text("estimates: numbers that the file lacks are estimated, and named with every answer"))


def machine(item: Machine) -> RenderableType:
    """Every number with its source, and missing parameters."""
    table = _new_table("parameter", "value", "source", "reference", title=f"{item.title} ({item.name}, {item.kind})")
    for path, quantity in item.quantities.items():
        table.add_row(path, units.show(quantity.value, quantity.unit), quantity.source.kind, quantity.source.reference)
    for path, word in item.traits.items():
        table.add_row(path, word, "", "")
    from foretell.core.machine.parameters import parameter

    missing = _new_table("parameter", "meaning", "why it is missing", title="missing")
    for path, why in item.missing.items():
        missing.add_row(path, parameter(path).meaning, why)
    notes = [Text(f"warning: {warning}") for warning in item.warnings]
    return Group(table, *([missing] if item.missing else []), *notes)


def machine_diff(item: MachineDiff) -> RenderableType:
    """Differences between two machines."""
    table = _new_table("parameter", item.left, item.right, "ratio")
    for entry in (*item.differences, *item.conditions):
        table.add_row(
            entry.path + (" (condition of the hour)" if entry in item.conditions else ""),
            *("-" if side is None else units.show(side.value, side.unit) for side in (entry.left, entry.right)),
            "" if entry.ratio is None else f"{entry.ratio:.3g}x",
        )
    if not table.rows and not item.tolerance:
        return Text(f"{item.left} and {item.right} have the same numbers")
    share = f"{item.agreeing / item.common:.1%}" if item.common else "none"
    how = f"within {100 * item.tolerance:g} % of each other" if item.tolerance else "equal"
    summary = Text(f"{item.agreeing} of {item.common} numbers that both have are {how} ({share})")
    return Group(table, summary) if table.rows else summary


def workload(item: Workload) -> RenderableType:
    """Contents of a workload, as read by a front end."""
    from foretell.core.facets.counts import Counts
    from foretell.core.facets.trace import Trace

    table = _new_table("", "", title=item.name)
    table.show_header = False
    table.add_row("origin", item.origin)
    table.add_row("facets", ", ".join(type(facet).__name__ for facet in item.facets))
    for name in sorted(item.symbols | set(item.parameters)):
        unset = "may be set with -D" if name in item.optional else "no value: give -D"
        given = item.parameters.get(name)
        table.add_row(f"parameter {name}", unset if given is None else f"{given:g}")
    found, traced = item.find(Counts), item.find(Trace)
    parts = (*(_counts(found) if found else ()), *(_trace(traced) if traced else ()))
    return Group(table, *parts, _assumptions(item.assumptions))


def _trace(item: Trace) -> tuple[RenderableType, ...]:
    from foretell.report.sections import facets

    summary = _new_table("", "", title=f"{item.kernel}, called {item.calls} times")
    summary.show_header = False
    for name, value in facets.trace_summary(item):
        summary.add_row(name, value)
    columns = (
        "loop",
        "executions",
        "iterations",
        "verdict",
        "operations",
        "levels",
        "half within",
        "90 % within",
        "why",
    )
    loops = _new_table(*columns, title="loops; half of the references of each hit a memory of so many bytes, and 90 %")
    for row in facets.loop_rows(item):
        loops.add_row(*(str(row[column]) for column in columns))
    misses = _new_table("line", "capacity", "misses", title="references that an LRU memory misses")
    for row in facets.distance_rows(item):
        misses.add_row(f"{row['line_B']} B", f"{row['capacity_B']:,} B", f"{row['miss_ratio']:.3%}")
    return tuple(table for table in (summary, loops, misses) if table.row_count)


def _counts(item: Counts) -> tuple[RenderableType, ...]:
    from foretell.report.sections import facets

    known = _new_table("block", "event", "count", "unit", "source", "made of", title=facets.counts_origin(item))
    missing = _new_table("block", "event", "why it is not known", title="missing")
    for row in facets.counts_rows(item):
        if row["missing"]:
            missing.add_row(str(row["block"]), str(row["event"]), str(row["missing"]))
        else:
            words = (str(row[key]) for key in ("unit", "source", "origin"))
            known.add_row(str(row["block"]), str(row["event"]), f"{row['value']:.6g}", *words)
    return (known, missing) if missing.row_count else (known,)


def _headline(item: Prediction) -> Text:
    text = Text()
    text.append(f"{item.workload} on {item.machine}: ", style="bold")
    text.append(f"{'at least ' * item.at_least}{_time(item.time_s)}", style="bold green")
    if item.interval_s and not item.at_least:
        low, high = item.interval_s
        text.append(f"  (between {_time(low)} and {_time(high)})")
    if causes := breakdown.hardly_known(item.interval_s, item.details.get("uncertainty")):
        text.append(f"\nhardly known: {causes}", style="yellow")
    if at_peak := breakdown.at_peak(item):
        text.append(f"\na lower bound: arithmetic at peak, without in-core execution, in {at_peak}", style="yellow")
    bottleneck = item.bottleneck
    text.append(f"\nbound by {bottleneck.resource}: {bottleneck.bound} ({bottleneck.limit})")
    text.append(f"\nmodel {item.model} {item.model_version}, {item.mode} mode")
    if item.parameters:
        text.append(", " + ", ".join(f"{name}={_size(value)}" for name, value in item.parameters.items()))
    return text


def _size(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else f"{value:g}"


def _parts(item: Prediction) -> Table:
    table = _new_table("part", "time", "share", title="what the time is made of")
    for part in (part for part in item.parts if part.time_s or not item.time_s):
        share = part.time_s / item.time_s if item.time_s else 0.0
        table.add_row(part.name, _time(part.time_s), f"{share:.1%}")
    return table


def _bounds(item: Prediction) -> Table:
    table = _new_table("bound", "time", "resource", "limit", title="what the time would be if only this limited it")
    bounds = [bound for bound in item.bounds if bound.time_s or not item.time_s]
    for bound in sorted(bounds, key=lambda entry: -entry.time_s):
        table.add_row(bound.name, _time(bound.time_s), bound.resource, bound.limit)
    return table


def _sensitivities(items: Sequence[answers.Sensitivity]) -> RenderableType:
    table = _new_table(
        "machine parameter", "now", "elasticity", "time if more", "time if less", "note",
        title="% of time for 1 % of the parameter (runs with 10 % more and less; counts doubled and halved)",
    )  # fmt: skip
    still = []
    for item in items:
        if not item.elasticity and not item.note:
            still.append(item.parameter)
            continue
        table.add_row(
            item.parameter,
            units.show(item.value, item.unit),
            "-" if item.elasticity is None else f"{item.elasticity:+.3f}",
            "-" if item.time_up_s is None else _time(item.time_up_s),
            "-" if item.time_down_s is None else _time(item.time_down_s),
            item.note,
        )
    return Group(table, Text(f"no effect: {', '.join(still)}")) if still else table


def _listing(items: Sequence[answers.CodeLine]) -> RenderableType:
    """Lists the instructions with the largest time shares, in program order."""
    if not items:
        return Text("")
    least = sorted((item.share for item in items), reverse=True)[:_LISTED][-1]
    table = _new_table("at", "line", "instruction", "% of time", "waits for", title="where the time goes")
    for item in items:
        if item.share >= least:
            waits = ", ".join(f"{name} {100 * share:.1f}" for name, share in item.waits[:2])
            line = str(item.line) if item.line else ""
            table.add_row(item.place, line, item.text, f"{100 * item.share:.1f}", waits)
    return table


def _advice(items: Sequence[answers.Advice]) -> RenderableType:
    if not items:
        return Text("")
    table = _new_table("change", "what to do", "time", "saves", "estimate", "note", title="what to change in the code")
    for item in items:
        estimate = "" if item.estimate_s is None else f"{_time(item.estimate_s)} ({item.estimate_by})"
        note = item.note if item.feasible else f"does not fit: {item.note}"
        if item.confirmed:
            off = max(abs(at.predicted_s / at.simulated_s - 1) for at in item.confirmed if at.simulated_s)
            note = f"{note}; " * bool(note) + f"closed form at most {off:.1%} from simulated"
        table.add_row(item.title, item.action, _time(item.time_s), _time(item.saving_s), estimate, note)
    return table


def _assumptions(notes: Sequence[str]) -> RenderableType:
    return Text("\n" * bool(notes) + "\n".join(f"assumed: {note}" for note in notes))


def _time(seconds: float) -> str:
    return units.show(seconds, "s")


def loops(item: Description) -> RenderableType:
    """Loop nests as a tree."""
    return nests.tree(item)


def kernel(item: KernelDescription) -> RenderableType:
    """Resources of a GPU kernel, and its branches by source line."""
    from foretell.report.sections import kernels as tables

    return tables.one(item)


def kernels(item: KernelList) -> RenderableType:
    """Kernels of a file of GPU code, with their occupancy by threads of a block."""
    from foretell.report.sections import kernels as tables

    return tables.several(item)
