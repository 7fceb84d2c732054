"""Tables that are written line by line look as if they were laid out cell by cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

from foretell.report.tables import new_table
from foretell.report.text import render

CELLS = st.text(st.sampled_from("ab1 .-[]/µ量"), max_size=30).map(str.strip)
COLUMNS = st.lists(st.sampled_from(["time", "name", "relative", "n", "limit"]), min_size=1, max_size=5)


@given(COLUMNS.flatmap(lambda c: st.tuples(st.just(c), st.lists(st.tuples(*(CELLS for _ in c)), max_size=6))))
def test_the_same_text(drawn: tuple[list[str], list[tuple[str, ...]]]) -> None:
    columns, rows = drawn
    quick, slow = new_table(*columns), new_table(*columns)
    slow.__class__ = Table
    for row in rows:
        quick.add_row(*(cell.replace("[", "(") for cell in row))
        slow.add_row(*(cell.replace("[", "(") for cell in row))
    assert render(quick, color=False) == render(slow, color=False)


@pytest.mark.parametrize("cell", ["[bold]x[/bold]", "long " * 40, "two\nlines"])
def test_other_cells_are_laid_out_as_ever(cell: str) -> None:
    quick, slow = new_table("name", "time", title="t"), new_table("name", "time", title="t")
    slow.__class__ = Table
    for table in (quick, slow):
        table.add_row(cell, "3")
    assert render(quick, color=True) == render(slow, color=True)


def test_headers_are_bold_on_a_terminal() -> None:
    table = new_table("name")
    table.add_row("x")
    assert "\x1b[1m" in render(table, color=True)
