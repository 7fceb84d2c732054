"""The one style of table that every text report has."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text


def new_table(*columns: str, title: str | None = None) -> Table:
    """A plain table; columns of numbers are set right. A title may be longer than its table."""
    line = None if title is None else Text(title, no_wrap=True, overflow="ignore")
    table = Table(title=line, title_justify="left", title_style="italic", box=None, padding=(0, 2, 0, 0))
    for column in columns:
        number = column in (
            "time",
            "share",
            "elasticity",
            "saves",
            "relative",
            "error",
            "predicted",
            "measured",
            "simulated",
        )
        table.add_column(column, justify="right" if number else "left", header_style="bold", overflow="fold")
    return table
