"""Measured splits of work, replayed: a table, and the same as plain rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.answers.dividing import MeasuredSplit, SplitReplay

_COLUMNS = ("code", "share", "best", "measured there", "at best", "reached", "alone, predicted", "alone, measured")


def replay_text(item: SplitReplay) -> RenderableType:
    """A row for each code, and the aims' statistics."""
    table = new_table(*_COLUMNS, title=f"share of {item.machines[1]} beside {item.machines[0]}")
    for code in item.codes:
        table.add_row(*_shown(code))
    said = f"{item.median:.1%} of the best measured split in the median, {item.least:.1%} at worst"
    return Group(table, Text(said))


def replay_rows(item: SplitReplay) -> list[dict[str, Any]]:
    """A row for each code."""
    return [
        {
            "code": code.code,
            "share": code.share,
            "best_share": code.best_share,
            "predicted_s": code.predicted_s,
            "time_s": code.time_s,
            "best_s": code.best_s,
            "reached": code.reached,
            "alone_first_s": code.alone_s[0],
            "alone_second_s": code.alone_s[1],
            "measured_alone_first_s": code.measured_alone_s[0],
            "measured_alone_second_s": code.measured_alone_s[1],
        }
        for code in item.codes
    ]


def _shown(code: MeasuredSplit) -> tuple[str, ...]:
    predicted, measured = (_both(times) for times in (code.alone_s, code.measured_alone_s))
    return (
        code.code,
        f"{code.share:.1%}",
        f"{code.best_share:.0%}",
        units.show(code.time_s, "s"),
        units.show(code.best_s, "s"),
        f"{code.reached:.1%}",
        predicted,
        measured,
    )


def _both(times: tuple[float, float]) -> str:
    return ", ".join(units.show(time, "s") for time in times)
