"""Tables that are written line by line look as if they were laid out cell by cell; narrow terminals get paragraphs."""

from __future__ import annotations

import json
import re
import shutil
from os import terminal_size
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.table import Table

import foretell
from foretell.report.tables import new_table
from foretell.report.text import render

if TYPE_CHECKING:
    from pathlib import Path

CELLS = st.text(st.sampled_from("ab1 .-[]/µ量"), max_size=30).map(str.strip)
COLUMNS = st.lists(st.sampled_from(["time", "name", "relative", "n", "limit"]), min_size=1, max_size=5)


@given(COLUMNS.flatmap(lambda c: st.tuples(st.just(c), st.lists(st.tuples(*(CELLS for _ in c)), max_size=6))))
def test_the_same_text(drawn: tuple[list[str], list[tuple[str, ...]]]) -> None:
    columns, rows = drawn
    by_column = zip(columns, *rows, strict=True)
    longest = [max(cell_len(word) for cell in cells for word in cell.split() or [""]) for cells in by_column]
    assume(sum(longest) + 3 * len(columns) <= 120)  # rows that would need broken words are written as paragraphs
    quick, slow = new_table(*columns), new_table(*columns)
    slow.__class__ = Table
    for row in rows:
        quick.add_row(*(cell.replace("[", "(") for cell in row))
        slow.add_row(*(cell.replace("[", "(") for cell in row))
    assert render(quick, color=False) == render(slow, color=False)


@pytest.mark.parametrize("cell", ["[bold]x[/bold]", "long " * 40, "two\nlines"])
def test_other_cells_are_laid_out_as_ever(cell: str) -> None:
    quick, slow = new_table("name", "time"), new_table("name", "time")
    slow.__class__ = Table
    for table in (quick, slow):
        table.add_row(cell, "3")
    assert render(quick, color=True) == render(slow, color=True)


def test_headers_are_dim_and_sections_bold_on_a_terminal() -> None:
    table = new_table("name", title="what")
    table.add_row("x")
    assert "\x1b[1mwhat" in render(table, color=True)
    assert "\x1b[2mname" in render(table, color=True)


def _shown(width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda fallback=(80, 24): terminal_size((width, 24)))
    table = new_table("machine", "time", "bottleneck", "note", title="where the time goes")
    table.add_row("neoverse-n1", "89.8 us", "L3 bandwidth", "")
    table.add_row("zen4", "91.84 us", "core", "f32\\[8] is read")
    return re.sub("\x1b\\[[0-9;]*m", "", render(table, color=True))


def test_a_table_that_fits_has_a_line_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(80, monkeypatch).splitlines()
    assert [line.split()[0] for line in lines] == ["where", "machine", "neoverse-n1", "zen4"]
    assert lines[2].index("89.8") > lines[3].index("91.84")  # times are aligned to the right


def test_a_narrow_terminal_gets_a_paragraph_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word is broken, nothing is lost, and empty cells take no line."""
    shown = _shown(30, monkeypatch)
    assert shown.splitlines() == [
        "where the time goes",
        "neoverse-n1",
        "  time: 89.8 us",
        "  bottleneck: L3 bandwidth",
        "zen4",
        "  time: 91.84 us",
        "  bottleneck: core",
        "  note: f32[8] is read",
    ]


def test_words_are_wrapped_before_rows_are_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(48, monkeypatch).splitlines()
    assert max(map(len, lines)) <= 48
    assert lines[1].split() == ["machine", "time", "bottleneck", "note"]


def test_very_long_counts_are_left_to_json(tmp_path: Path) -> None:
    source = tmp_path / "long.c"
    sums = " + ".join(f"size_{letter}" for letter in "abcdefg")
    sizes = ", ".join(f"int size_{letter}" for letter in "abcdefg")
    loops = "".join(f"for (int {name} = 0; {name} < {sums}; {name}++)" for name in "ijk")
    source.write_text(f"void f({sizes}, double *x) {{ {loops} x[i + j + k] += 1; }}")
    description = foretell.describe(source)
    shown = str(description)
    assert "an expression of 84 terms in size_a, size_b" in shown
    assert "size_a**2" in json.dumps(json.loads(description.to_json()))
