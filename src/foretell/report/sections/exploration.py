"""Formats an exploration as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from foretell.core.answers.exploration import Design, Exploration, Scaling, TradeoffTable

_MAX_ROWS = 20
_BAR = 40
_MAX_BINS = 16
_STILL = 1e-4


def sections(item: Exploration) -> RenderableType:
    """Returns all sections, the most important first."""
    parts: list[RenderableType] = [_headline(item), _best(item)]
    if len(item.objectives) > 1:
        names = ", ".join(entry.name for entry in item.objectives)
        parts.append(_designs(item, item.front, f"designs that no other one beats in {names}"))
    parts.append(_designs(item, item.top, f"first by {item.objectives[0].name}"))
    if item.verdicts:
        parts.append(_verdicts(item))
    moving = [table for table in item.scaling if _moves(table)]
    parts += [_scaling(table) for table in moving]
    still = [table.label for table in item.scaling if table not in moving]
    if still:
        parts.append(Text(f"no effect alone: {', '.join(still)}"))
    if item.tradeoff is not None:
        parts.append(_tradeoff(item.tradeoff))
    parts += [_histogram(item), Text("\n".join(f"assumed: {note}" for note in item.assumptions))]
    return Group(*parts)


def show(value: float | None, unit: str) -> str:
    """Formats a value for people; units that are words are not scaled."""
    if value is None:
        return "-"
    return f"{value:.4g} {unit}" if " " in unit else units.show(value, unit)


def _headline(item: Exploration) -> Text:
    text = Text()
    designs = "1 design" if item.points == 1 else f"{item.points:,} designs"
    text.append(f"{item.name}: {designs} around {item.machine}", style="bold")
    text.append(f"\n{item.excluded:,} break a constraint, {item.infeasible:,} cannot run")
    for entry in item.objectives:
        text.append(f"\n{entry.name}: from {show(entry.lowest, entry.unit)} to {show(entry.highest, entry.unit)}")
        if item.baseline is not None:
            text.append(f", baseline {show(item.baseline.objectives[entry.name], entry.unit)}")
    for note in item.notes:
        text.append(f"\n{note}")
    return text


def _best(item: Exploration) -> Table:
    table = new_table("application", "time", "baseline", "speed-up", *_labels(item), title="fastest design for each")
    for entry in item.best:
        gain = "-" if entry.baseline_s is None or entry.time_s <= 0 else f"{entry.baseline_s / entry.time_s:.2f}x"
        table.add_row(
            entry.application,
            show(entry.time_s, "s"),
            show(entry.baseline_s, "s"),
            gain,
            *_parameters(item, entry.design),
        )
    return table


def _designs(item: Exploration, designs: Sequence[Design], title: str) -> RenderableType:
    names = [entry.name for entry in item.objectives]
    table = new_table("point", *names, *_labels(item), title=title)
    for design in _spread(designs):
        values = [show(design.objectives[entry.name], entry.unit) for entry in item.objectives]
        table.add_row(str(design.number), *values, *_parameters(item, design))
    left = len(designs) - _MAX_ROWS
    more = Text(f"… {left:,} more, evenly left out; --format json or csv has all")
    return Group(table, more) if left > 0 else table


def _spread(designs: Sequence[Design]) -> Iterable[Design]:
    """Selects at most `_MAX_ROWS` rows, equally spaced and with both ends."""
    if len(designs) <= _MAX_ROWS:
        return designs
    return [designs[round(row * (len(designs) - 1) / (_MAX_ROWS - 1))] for row in range(_MAX_ROWS)]


def _labels(item: Exploration) -> list[str]:
    return [axis.label for axis in item.axes]


def _parameters(item: Exploration, design: Design) -> list[str]:
    return [show(design.parameters[axis.parameter], axis.unit) for axis in item.axes]


def _verdicts(item: Exploration) -> Table:
    table = new_table(
        "parameter", "application", "verdict", "time if twice as good", "if half as good",
        title="is the baseline balanced?",
    )  # fmt: skip
    for entry in item.verdicts:
        table.add_row(
            entry.label if entry.better == "more" else f"{entry.label} (less is better)",
            entry.application,
            entry.balance,
            "-" if entry.gain is None else f"{0.5**entry.gain - 1:+.1%}",
            "-" if entry.loss is None else f"{2**entry.loss - 1:+.1%}",
        )
    return table


def _moves(table: Scaling) -> bool:
    """Whether some time changes, or is not available, over the factors."""
    columns = [[row.times_s[name] for row in table.rows] for name in (table.rows[0].times_s if table.rows else ())]
    return any(None in column or max(column) > min(column) * (1 + _STILL) for column in columns)  # type: ignore[type-var,operator]


def _scaling(item: Scaling) -> RenderableType:
    names = list(item.rows[0].times_s) if item.rows else []
    several = ["mean"] if len(names) > 1 else []
    table = new_table("factor", item.label, *names, *several, title=f"{item.label} alone, the rest as the baseline")
    now = next((row for row in item.rows if row.factor == 1), None)
    for row in item.rows:
        cells = [_relative(row.times_s[name], now.times_s[name] if now else None) for name in names]
        cells += [_relative(row.mean_s, now.mean_s if now else None)] if several else []
        table.add_row(f"{row.factor:g}", show(row.value, item.unit), *cells)
    return Group(table, Text(item.note)) if item.note else table


def _relative(value: float | None, base: float | None) -> str:
    if value is None:
        return "cannot run"
    change = "" if not base else f" ({value / base - 1:+.1%})"
    return f"{show(value, 's')}{change}"


def _tradeoff(item: TradeoffTable) -> Table:
    names = list(item.rows[0].times_s)
    several = ["mean"] if len(names) > 1 else []
    title = f"{item.labels[0]} against {item.labels[1]} at {item.keep} = {item.total:g}"
    table = new_table(*item.labels, item.keep, *names, *several, "", title=title)
    for row in item.rows:
        mark = "baseline" if row.is_baseline else "best" if row.is_best else ""
        values = [show(value, unit) for value, unit in zip(row.values, item.units, strict=True)]
        times = [show(row.times_s[name], "s") for name in names] + ([show(row.mean_s, "s")] if several else [])
        table.add_row(*values, f"{row.kept:g}", *times, mark)
    return table


def _histogram(item: Exploration) -> RenderableType:
    bins = list(item.histogram)
    while len(bins) > _MAX_BINS:
        pairs = [bins[place : place + 2] for place in range(0, len(bins), 2)]
        bins = [(pair[0][0], pair[-1][1], sum(count for _, _, count in pair)) for pair in pairs]
    table = new_table("mean time from", "to", "designs", "", title="how many designs are how fast")
    most = max((count for _, _, count in bins), default=1)
    for low, high, count in bins:
        table.add_row(show(low, "s"), show(high, "s"), f"{count:,}", "█" * max(1, round(_BAR * count / most)))
    return table
