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
    from rich.table import Column

_NUMBERS = ("time", "share", "elasticity", "saves", "relative", "error", "predicted", "measured", "simulated")
#: characters between two columns of a table
_APART = 2


def new_table(*columns: str, title: str | None = None) -> Table:
    """Makes a plain table with right-aligned numbers. A title begins a section."""
    table = _Table(header_style="", box=None, padding=(0, _APART, 0, 0))
    table.section = title
    for column in columns:
        number = column in _NUMBERS
        table.add_column(column, justify="right" if number else "left", header_style="dim", overflow="fold")
    return table


class _Table(Table):
    """Table rendered line by line if it is plain text and fits: rich's layout of a thousand rows takes a second.
    Where words would be broken, each row becomes a paragraph."""

    #: heading above the table; it may be longer than the table, unlike rich's title
    section: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.section:
            yield Text()
            yield Text(self.section, style="bold")
        columns = [[str(column.header), *map(_plain, column.cells)] for column in self.columns]
        widths = [max(map(cell_len, cells)) for cells in columns]
        fits = sum(widths) + _APART * len(widths) <= options.max_width
        if fits and self.show_header and not any("\n" in cell for row in columns for cell in row):
            yield from self._lines(columns, widths)
        elif self._breaks_words(console, options.max_width):
            yield from self._paragraphs(console)
        else:
            yield from super().__rich_console__(console, options)

    def _cells(self, console: Console, column: Column) -> list[str]:
        cells = (console.render_str(cell) if isinstance(cell, str) else cell for cell in column.cells)
        return [str(cell) for cell in cells]

    def _breaks_words(self, console: Console, width: int) -> bool:
        """True if not even the longest words of all columns fit beside each other."""
        least = 0
        for column in self.columns:
            words = " ".join([str(column.header), *self._cells(console, column)]).split()
            least += _APART + max(map(cell_len, words), default=0)
        return least > width

    def _paragraphs(self, console: Console) -> Iterator[Text]:
        """A line for each cell that is not empty, after the name of its column; the first cell heads them."""
        heads = [str(column.header) for column in self.columns]
        for row in zip(*(self._cells(console, column) for column in self.columns), strict=True):
            yield Text(row[0], style="bold")
            for head, cell in zip(heads[1:], row[1:], strict=True):
                if cell:
                    yield Text(f"  {head}: {cell}" if head else f"  {cell}")

    def _lines(self, columns: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[Segment]:
        right = [column.justify == "right" for column in self.columns]
        for number, row in enumerate(zip(*columns, strict=True)):
            line = ""
            for cell, width, numeric in zip(row, widths, right, strict=True):
                blank = " " * (width - cell_len(cell))
                line += (blank + cell if numeric else cell + blank) + " " * _APART
            yield Segment(line, Style(dim=True) if number == 0 else None)
            yield Segment.line()


def _plain(cell: object) -> str:
    """Returns a cell without markup; a line break marks any other as not plain."""
    return cell if isinstance(cell, str) and "[" not in cell else "\n"
