"""Searches that decide which elements of further arrays are read, as of tables of cross sections: long calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.frontends import Reader, read_options
from foretell.machines import load
from tests.support.host import needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

_TABLE = """\
typedef struct { double x, a, b; } Row;
static long place(long n, double x, const double *ends)
{
    long low = 0, high = n - 1, left = high - low;
    while (left > 1) {
        long middle = low + left / 2;
        if (ends[middle] > x) high = middle; else low = middle;
        left = high - low;
    }
    return low;
}
void table(
    long n, long m, long terms, const double *ends, const int *first, const Row *rows, const double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        long at = place(m, x[i], ends);
        double sum = 0;
        for (long k = 0; k < terms; k++)
            sum += rows[first[at * terms + k]].a * rows[first[at * terms + k]].b;
        y[i] = sum;
    }
}
"""


def _predicted(folder: Path, **sizes: float) -> Prediction:
    path = folder / "table.c"
    path.write_text(_TABLE)
    code = Reader(path, read_options(kernel="table")).workload()
    given = {"n": 1000, "m": 8000, "terms": 4} | sizes
    return api.predict(code, load("cascade-lake"), parameters=given, options={"cc": "gcc"})


@needs_x86_gcc
def test_long_calls_with_searches_are_sampled(tmp_path: Path) -> None:
    """What a search leaves in registers differs from element to element, and the next one begins by clearing them: that
    keeps no iterations from representing others."""
    few, many = _predicted(tmp_path, n=2000), _predicted(tmp_path, n=2_000_000)
    assert many.time_s / 1000 == pytest.approx(few.time_s, rel=0.15)
    assert not any("too long" in one for one in many.assumptions)


@needs_x86_gcc
def test_elements_at_unknown_places_come_from_where_their_array_fits(tmp_path: Path) -> None:
    short, middle, long = (_predicted(tmp_path, rows_length=length) for length in (100, 1_000_000, 100_000_000))
    sums = [sum(nest.time_s for nest in answer.nests if nest.line == 19) for answer in (short, middle)]
    assert sums[1] > 2 * sums[0]
    assert short.time_s <= middle.time_s
    assert 0.95 * short.time_s <= long.time_s
    assert not any("rows: assumed" in one for one in long.assumptions)
    assumed = _predicted(tmp_path)
    assert any("rows: assumed to have as many elements" in one for one in assumed.assumptions), assumed.assumptions
