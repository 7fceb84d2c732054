"""Tables on terminals of any width."""

from __future__ import annotations

import re
import shutil
from os import terminal_size
from typing import TYPE_CHECKING

from foretell.report.tables import new_table
from foretell.report.text import render

if TYPE_CHECKING:
    import pytest


def _shown(width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: terminal_size((width, 24)))
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
