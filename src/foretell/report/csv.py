"""Answers as rows for CSV and data frames: one row per item, units in the column names."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Counts
from foretell.core.facets.trace import Trace
from foretell.report import json
from foretell.report.plain import only, plain, whole
from foretell.report.sections import facets, nests, tunings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.advising import Advising, PairReplay
    from foretell.core.answers.answers import Explanation, Predictions, Split, Validation
    from foretell.core.answers.check import Bisection, Check, Differences
    from foretell.core.answers.coverage import Coverage
    from foretell.core.answers.description import Description, KernelDescription, KernelList
    from foretell.core.answers.dividing import SplitReplay
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.program_run import ProgramRun
    from foretell.core.answers.replay import Replay
    from foretell.core.answers.tuning import Tuning
    from foretell.core.machine.machine import Machine, MachineDiff
    from foretell.core.workload import Workload

Row = dict[str, object]


def dumps(rows: Sequence[Row]) -> str:
    """Writes rows as CSV; a row may lack columns that others have."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().rstrip("\n")


def prediction(item: Prediction) -> list[Row]:
    """One row: parameters, time, interval, bottleneck, bounds and parts."""
    return [_prediction_row(item)]


def program_run(item: ProgramRun) -> list[Row]:
    """One row per kernel and direction of copies on each GPU."""
    rows: list[Row] = []
    for device in item.devices:
        for entry in device.kernels:
            low, high = entry.interval_s
            kept = only(entry, "kernel", "launches", "time_s", "share", "bound_by", "predicted", "instructions")
            rows.append({"machine": device.machine, **kept, "low_s": low, "high_s": high})
        rows += [
            {"machine": device.machine, "kernel": entry.direction, "launches": entry.count, "time_s": entry.time_s,
             "bytes": entry.bytes}
            for entry in device.copies
        ]  # fmt: skip
    return rows


def advising(item: Advising) -> list[Row]:
    """One row per change."""
    return [
        {"ids": " ".join(entry.ids), **only(entry, "title", "line", "time_s", "gain"), "gain_low": entry.interval[0],
         "gain_high": entry.interval[1], **only(entry, "basis", "legality", "why", "flags")}
        for entry in item.changes
    ]  # fmt: skip


def pair_replay(item: PairReplay) -> list[Row]:
    """One row per pair."""
    return [
        {**only(entry, "name", "kind", "set", "predicted", "measured"), "low": entry.interval[0],
         "high": entry.interval[1], **only(entry, "error", "disturbed")}
        for entry in item.pairs
    ]  # fmt: skip


def predictions(item: Predictions) -> list[Row]:
    """One row per prediction."""
    return [_prediction_row(entry) for entry in item.predictions]


def coverage(item: Coverage) -> list[Row]:
    """One row per machine."""
    return [{"machine": row.machine, "kind": row.kind, **row.answers} for row in item.rows]


def split(item: Split) -> list[Row]:
    """One row per device."""
    return list(json.split(item)["shares"])


def explanation(item: Explanation) -> list[Row]:
    """One row per machine parameter; of the asked breakdown, one per source line, or per instruction."""
    document = json.explanation(item)
    if item.code:
        return [
            {
                **only(code, "function"),
                **only(one, "line", "text", "executions"),
                **{f"{port}_cycles": cycles for port, cycles in zip(code.ports, one.cycles, strict=True)},
            }
            for code in item.code
            for one in code.instructions
        ]
    return list(document["lines"] or document["sensitivities"])


def replay(item: Replay) -> list[Row]:
    """One row per tuning space."""
    return tunings.replay_rows(item)


def tuning(item: Tuning) -> list[Row]:
    """One row per variant."""
    return tunings.rows(item)


def check(item: Check) -> list[Row]:
    """One row per code and machine."""
    from foretell.report.sections.check import rows

    return rows(item)


def split_replay(item: SplitReplay) -> list[Row]:
    """One row per code."""
    from foretell.report.sections.dividing import replay_rows

    return list(replay_rows(item))


def differences(item: Differences) -> list[Row]:
    """One row per pair."""
    return list(json.differences(item)["pairs"])


def bisection(item: Bisection) -> list[Row]:
    """One row per commit."""
    return [dict(plain(entry)) for entry in item.commits]


def validation(item: Validation) -> list[Row]:
    """One row per case."""
    rows = []
    for row in json.validation(item)["points"]:
        counted = row.pop("counts")
        both = {f"{name}_{side}": value for name, pair in counted.items() for side, value in pair.items()}
        rows.append({**row, **both})
    return rows


def exploration(item: Exploration) -> list[Row]:
    """One row per design of the front."""
    return [
        {
            "point": design.number,
            **{axis.parameter: design.parameters[axis.parameter] for axis in item.axes},
            **{f"time_{name}_s": time for name, time in design.times_s.items()},
            **{
                "time_s" if name == "time" else name: value
                for name, value in design.objectives.items()
                if not name.startswith("time_")
            },
        }
        for design in item.front
    ]


def machine(item: Machine) -> list[Row]:
    """One row per parameter."""
    return [
        {
            "machine": item.name,
            "parameter": path,
            **only(quantity, "value", "unit"),
            "source": quantity.source.kind,
            "reference": quantity.source.reference,
        }
        for path, quantity in item.quantities.items()
    ]


def machines(items: Sequence[Machine]) -> list[Row]:
    """One row per machine, as the table of the library has them."""
    columns = {"cores": "cores.count", "clock_Hz": "clock.frequency", "memory_bandwidth_B_per_s": "memory.bandwidth"}
    return [
        {
            **only(item, "name", "kind"),
            **{
                column: None if (known := item.quantities.get(path)) is None else whole(known.value)
                for column, path in columns.items()
            },
            "title": item.title,
        }
        for item in items
    ]


def machine_diff(item: MachineDiff) -> list[Row]:
    """One row per differing parameter, including conditions at the time of the probe."""
    return [
        {
            "parameter": entry.path,
            "left": None if entry.left is None else entry.left.value,
            "right": None if entry.right is None else entry.right.value,
            "unit": entry.unit,
            "ratio": entry.ratio,
            "condition": entry in item.conditions,
        }
        for entry in (*item.differences, *item.conditions)
    ]


def workload(item: Workload) -> list[Row]:
    """One row per parameter; of a profile, per event of a block; of a trace, per loop."""
    if found := item.find(Counts):
        return facets.counts_rows(found)
    if traced := item.find(Trace):
        return facets.loop_rows(traced)
    return [{"parameter": name, "value": item.parameters.get(name)} for name in sorted(item.symbols)]


def _prediction_row(item: Prediction) -> Row:
    low, high = item.interval_s or (None, None)
    return {
        **only(item, "workload", "machine", "model", "mode"),
        **{_column("parameter", name): whole(value) for name, value in item.parameters.items()},
        "time_s": item.time_s,
        "interval_low_s": low,
        "interval_high_s": high,
        "at_least": item.at_least,
        "bottleneck": item.bottleneck.bound,
        "limit": item.bottleneck.limit,
        **{_column("bound", bound.name, "s"): bound.time_s for bound in item.bounds},
        **{_column("part", part.name, "s"): part.time_s for part in item.parts},
    }


def _column(*words: str) -> str:
    """The name of a column: one word, as scripts and data frames like it."""
    return "_".join(words).replace(" ", "_")


def loops(item: Description) -> list[Row]:
    """One row per nest."""
    return nests.rows(item)


def kernel(item: KernelDescription) -> list[Row]:
    """One row per conditional branch."""
    names = ("place", "offset", "line", "occurrence", "loop")
    return [{name: getattr(point, name) for name in names} for point in item.branches]


def kernels(item: KernelList) -> list[Row]:
    """One row per kernel and size of its block."""
    return [
        {**only(kernel, "name", "mangled", "registers", "shared_bytes", "machine"), **(plain(row) if row else {})}
        for kernel in item.kernels
        for row in kernel.occupancy or (None,)
    ]
