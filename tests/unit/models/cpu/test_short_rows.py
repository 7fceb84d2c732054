"""Lines that prefetchers bring beyond the ends of rows."""

from __future__ import annotations

import numpy as np
import pytest

from foretell.characterize.footprints.footprints import footprints
from foretell.machines import load
from foretell.machines.estimates import completed
from foretell.models.base import Inputs
from foretell.models.cpu.transfers.short_rows import beyond_rows
from tests.support.caches.nests import of_c, only

LINE = 64.0
#: rows of 20,000 bytes; the next piece follows when all of them were met
PIECES = """void f(int n, double a[n][2500], double b[n][2500]) {
  for (int t = 0; t < 2500; t += WIDTH) for (int i = 0; i < n; i++) for (int j = t; j < t + WIDTH; j++)
    b[i][j] = a[i][j]; }"""


def found(text: str, n: float | np.ndarray = 2000.0, room: float = 2 << 20, ahead: float = 12.0) -> dict[str, float]:
    nest = only(of_c(text))
    machine = completed(load("emerald-rapids")).with_values({"cores.lines_ahead": ahead})
    shape = footprints(nest, {"n": n}, LINE, places=False)
    return beyond_rows(nest, shape, Inputs(machine, {}), {"n": n}, LINE, room)  # type: ignore[return-value]


def pieces(width: int) -> str:
    return PIECES.replace("WIDTH", str(width))


def test_short_rows_bring_half_a_line_each_and_long_ones_no_more_than_the_most() -> None:
    """As many lines as copies of pieces took longer by, on a Golden Cove core: 2 to 5, 4 to 10 and 5 to 12 of 8, 16 and
    32."""
    per_row = [found(pieces(8 * lines), room=1.0)["a"] * lines for lines in (4, 8, 16, 32, 64)]
    assert per_row == sorted(per_row)
    assert 1 < per_row[0] < 2
    assert 2 < per_row[1] < 5
    assert 4 < per_row[2] < 10
    assert 5 < per_row[3] < per_row[4] < 12
    third = [found(pieces(8 * lines), room=1.0, ahead=4.0)["a"] * lines for lines in (16, 64)]
    assert third[1] < 4 < 3 * third[0]


def test_what_the_next_piece_finds_in_the_cache_is_not_in_vain() -> None:
    """All rows of a piece, of two arrays: 2,000 × 256 bytes each."""
    assert found(pieces(32), room=2_100_000)["a"] == 0
    assert found(pieces(32), room=1_000_000)["a"] > 0.3
    assert list(found(pieces(32), np.array([100.0, 20_000.0]))["b"] > 0) == [False, True]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) for (int j = 0; j < 40; j++) a[i][j] += 1;",  # rows of 2,500
        "for (int i = 1; i < n; i += 2) for (int j = 0; j < 40; j++) a[i][j] += 1;",
    ],
)
def test_rows_whose_rest_is_never_needed_have_lines_in_vain(body: str) -> None:
    assert found(f"void f(int n, double a[n][2500]) {{ {body} }}")["a"] > 0.3


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) for (int j = 0; j < 40; j++) a[i][j] += 1;",  # one behind the other
        "for (int i = 0; i < n; i++) for (int j = 1; j < 39; j++) a[i][j] += 1;",  # gaps of two elements
        "for (int i = 0; i < n; i += 2) for (int j = 0; j < 40; j++) a[i][j] += a[i + 1][j];",  # copies fill the gaps
        "for (int j = 0; j < 40; j++) for (int i = 0; i < n; i += 8) a[i][j] += 1;",  # a line in each row
    ],
)
def test_rows_that_go_on_and_lines_that_lie_alone_have_none(body: str) -> None:
    assert found(f"void f(int n, double a[n][40]) {{ {body} }}", room=1.0)["a"] == 0


def test_machines_without_the_number_have_an_estimate() -> None:
    assert "cores.lines_ahead" not in load("zen4")
    assert completed(load("zen4"))["cores.lines_ahead"].source.kind == "estimated"
