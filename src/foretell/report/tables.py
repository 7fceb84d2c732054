"""Table style of all text reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderResult

_NUMBERS = ("time", "share", "elasticity", "saves", "relative", "error", "predicted", "measured", "simulated")
#: characters between two columns of a table
_APART = 2


def new_table(*columns: str, title: str | None = None) -> Table:
    """Makes a plain table with right-aligned numbers. A title may be longer than its table."""
    line = None if title is None else Text(title, no_wrap=True, overflow="ignore")
    table = _Table(title=line, title_justify="left", title_style="italic", box=None, padding=(0, _APART, 0, 0))
    for column in columns:
        number = column in _NUMBERS
        table.add_column(column, justify="right" if number else "left", header_style="bold", overflow="fold")
    return table


class _Table(Table):
    """Table rendered line by line if it is plain text and fits: rich's layout of a thousand rows takes a second."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [[str(column.header), *map(_plain, column.cells)] for column in self.columns]
        widths = [max(map(cell_len, cells)) for cells in columns]
        fits = sum(widths) + _APART * len(widths) <= options.max_width
        if fits and self.show_header and not self.title and not any("\n" in cell for row in columns for cell in row):
            yield from self._lines(columns, widths)
        else:
            yield from super().__rich_console__(console, options)

    def _lines(self, columns: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[Segment]:
        right = [column.justify == "right" for column in self.columns]
        for number, row in enumerate(zip(*columns, strict=True)):
            line = ""
            for cell, width, numeric in zip(row, widths, right, strict=True):
                blank = " " * (width - cell_len(cell))
                line += (blank + cell if numeric else cell + blank) + " " * _APART
            yield Segment(line, Style(bold=True) if number == 0 else None)
            yield Segment.line()


def _plain(cell: object) -> str:
    """Returns a cell without markup; a line break marks any other as not plain."""
    return cell if isinstance(cell, str) and "[" not in cell else "\n"
