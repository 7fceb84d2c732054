"""Formats a validation as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from foretell import units
from foretell.core.answers.prediction import Mode
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.table import Table

    from foretell.core.answers.answers import CountSummary, OrderTest, Validation, ValidationSummary, VersionSummary


def sections(item: Validation) -> Iterator[Table]:
    """Yields cases, statistics, and where there are any: other modes, bottlenecks, counts, orders."""
    yield _cases(item)
    yield _errors("errors", "set", item.summary)
    if item.disturbed:
        title = f"errors without the {item.disturbed} disturbed times of {len(item.points)}"
        table = _errors(title, "set", item.undisturbed)
        table.caption = None if item.undisturbed else "all were disturbed: measure again when less is going on"
        yield table
    for mode, summary in item.beside.items():
        title = f"errors in {mode} mode" if mode in get_args(Mode) else f"errors with {mode}"
        yield _errors(title, "set", summary)
    if len(item.bottlenecks) > 1:
        yield _errors("errors of the report set by bottleneck", "bottleneck", item.bottlenecks)
    if item.counts:
        yield _counts(item.counts)
    if item.orders:
        yield _orders(item.orders)
    if item.versions:
        yield _versions(item.versions)


def _cases(item: Validation) -> Table:
    modes = tuple(item.beside)
    bounded = ("over bound",) if any(point.bound_s for point in item.points) else ()
    disturbed = ("disturbed",) if item.disturbed else ()
    columns = ("case", "set", "predicted", "measured", "error", "bottleneck", *disturbed, *bounded, *modes)
    table = new_table(*columns, title=item.title)
    for point in item.points:
        table.add_row(
            point.case,
            point.set,
            _time(point.predicted_s),
            _time(point.measured_s),
            f"{point.error:+.1%}",
            point.bottleneck,
            *("yes" if point.disturbed else "" for _ in disturbed),
            *(_number(point.over_bound, "{:.2f}") for _ in bounded),
            *(_time(point.beside_s[mode]) if mode in point.beside_s else "–" for mode in modes),
        )
    return table


def _errors(title: str, column: str, summary: Mapping[str, ValidationSummary]) -> Table:
    table = new_table(
        column, "n", "MAPE", "median", "p90", "geomean", "within 20 %", "Spearman", "in interval", "hi/lo", title=title
    )
    for name, entry in summary.items():
        table.add_row(
            name,
            str(entry.n),
            *(f"{value:.1%}" for value in (entry.mape, entry.median, entry.p90, entry.geomean, entry.within_20pct)),
            "-" if entry.spearman is None else f"{entry.spearman:.3f}",
            "-" if entry.coverage is None else f"{entry.coverage:.1%}",
            "-" if entry.interval_ratio is None else f"{entry.interval_ratio:.2f}",
        )
    return table


def _counts(summary: Mapping[str, CountSummary]) -> Table:
    table = new_table("count", "n", "median", "p90", "worst", "within 2 %", title="counts: |error|")
    for name, entry in summary.items():
        values = (entry.median, entry.p90, entry.worst, entry.within_2pct)
        table.add_row(name, str(entry.n), *(f"{value:.1%}" for value in values))
    return table


def _orders(orders: tuple[OrderTest, ...]) -> Table:
    table = new_table("order", "version", "predicted", "measured", "right", title="orders")
    for order in orders:
        wrong = {name for pair in order.wrong for name in pair}
        for name, predicted, measured in zip(order.versions, order.predicted_s, order.measured_s, strict=True):
            table.add_row(order.name, name, _time(predicted), _time(measured), "no" if name in wrong else "yes")
    return table


def _versions(summary: Mapping[str, VersionSummary]) -> Table:
    table = new_table("what", *summary, title="versions of the same codes, told apart")
    rows: dict[str, Callable[[VersionSummary], str]] = {
        "codes": lambda version: str(version.codes),
        "pairs in order": lambda version: f"{version.in_order:.1%} of {version.pairs}",
        "by always the commonest": lambda version: f"{version.commonest:.1%}",
        "codes in another order": lambda version: str(version.other_orders),
        "relative time, median error": lambda version: f"{version.relative_error:.1%}",
        "times that beat the bound": lambda version: str(version.beaten),
        "time over bound, median": lambda version: _number(version.over_bound, "{:.3g}"),
        "split, of the best speed": lambda version: _number(version.split, "{:.1%}"),
        "worst split": lambda version: _number(version.split_least, "{:.1%}"),
    }
    for name, shown in rows.items():
        table.add_row(name, *(shown(version) for version in summary.values()))
    return table


def _number(value: float | None, shape: str) -> str:
    return "-" if value is None else shape.format(value)


def _time(seconds: float) -> str:
    return units.show(seconds, "s")
