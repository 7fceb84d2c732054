"""Changes of a code as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.constrain import Constrain
from rich.markup import escape

from foretell import units
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.table import Table

    from foretell.core.answers.advising import AdvisedChange, Advising, PairReplay, RefusedChange

#: changes, and refused ones, that a table shows
_MOST = 12
#: columns of a page
_WIDTH = 100
COLUMNS = ("change", "where", "faster", "time", "why", "correct", "by", "id")
#: those of a page; the time is in the other forms
_SHOWN = ("change", "where", "faster", "why", "correct", "by", "id")


def tables(item: Advising) -> Iterator[RenderableType]:
    """The ranked changes, then those that were refused, no wider than a page."""
    for table in _tables(item):
        yield Constrain(table, _WIDTH)


def _tables(item: Advising) -> Iterator[Table]:
    worth = [change for change in item.changes if change.gains or change.is_option]
    shown = (worth or item.changes)[:_MOST]  # where nothing gains, what was tried
    if shown:
        rest = len(item.changes) - len(shown)
        more = f", and {rest} smaller gains" if rest else ""
        table = new_table(*_SHOWN, title=f"{item.tried} changes were tried{more}")
        names = [name for change in shown for name in (*change.ids, *change.codee)]
        table.columns[-1].min_width = max(map(len, names)) + 1
        for change in shown:
            cells = dict(zip(COLUMNS, row(item, change), strict=True))
            table.add_row(*(escape(cells[name]) for name in _SHOWN))  # a[i] is no style
        yield table
    if item.refused:
        yield _refused(item)


def row(item: Advising, change: AdvisedChange) -> tuple[str, ...]:
    """A change in words: what, where, how much faster, why."""
    low, high = change.interval
    where = f"{item.file.rpartition('/')[2]}:{change.line}"
    faster = f"{change.gain:.2f} × ({low:.2f}–{high:.2f}{', in doubt' if change.in_doubt else ''})"
    identifiers = ", ".join((*change.ids, *change.codee))
    time = units.show(change.time_s, "s")
    return change.title, where, faster, time, change.why, change.legality, change.basis, identifiers


def _refused(item: Advising) -> Table:
    rest = len(item.refused) - _MOST
    more = f", and {rest} others" if rest > 0 else ""
    table = new_table("refused", "line", "reason", title=f"changes that are not possible, or gain less{more}")
    for entry in item.refused[:_MOST]:
        table.add_row(escape(_named(entry)), str(entry.line), escape(entry.reason))
    return table


def _named(entry: RefusedChange) -> str:
    """Id and title; the id alone where it is the first word of the title already."""
    return entry.title if entry.title.startswith(f"{entry.id} ") else f"{entry.id} {entry.title}".strip()


def pairs(item: PairReplay) -> Iterator[Table]:
    """Pairs, then their statistics."""
    table = new_table("pair", "set", "predicted", "measured", "error", "in interval", title="gains of measured changes")
    for point in item.pairs:
        low, high = point.interval
        inside = "yes" if low <= point.measured <= high else "no"
        inside = "disturbed" if point.disturbed else inside
        table.add_row(
            point.name, point.set, f"{point.predicted:.2f} ×", f"{point.measured:.2f} ×", f"{point.error:+.0%}", inside
        )
    yield table
    columns = ("pairs", "n", "disturbed", "mean error", "median", "sign right, where > 10 %", "in interval")
    summary = new_table(*columns, title="errors")
    for name, entry in item.summary.items():
        signs = f"{entry.signs_right} of {entry.differing}"
        counts = str(entry.n), str(entry.disturbed)
        summary.add_row(name, *counts, f"{entry.mean:.1%}", f"{entry.median:.1%}", signs, f"{entry.coverage:.1%}")
    yield summary
