"""Nests whose bounds stand in arrays: what they become, and what their times are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.characterize.footprints.footprints import footprints
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import read
from tests.support.caches.lru import misses

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest

SPMV = """
void spmv(int n, const int *restrict rp, const int *restrict ci, const double *restrict v,
          const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = rp[i]; k < rp[i + 1]; k++) s += v[k] * x[ci[k]];
    y[i] = s;
  }
}
"""
JAGGED = """
void jag(int n, int m, const int *len, double v[n][m], double *y) {
  for (int i = 0; i < n; i++) for (int k = 0; k < len[i] && k < m; k++) y[i] += v[i][k];
}
"""
SUFFIXES = """
void suf(int n, const int *first, double v[n][n], double *y) {
  for (int i = 0; i < n; i++) for (int k = first[i]; k < n; k++) y[i] += v[i][k];
}
"""


def nest(tmp_path: Path, text: str) -> LoopNest:
    path = tmp_path / "k.c"
    path.write_text(text)
    return read(path).facet(Loops).averaged.nests[0]


def test_rows_one_behind_the_other(tmp_path: Path) -> None:
    found = nest(tmp_path, SPMV)
    assert str(found.trips) == "n*rp_step"
    assert found.parameters == ("n", "rp_step")
    assert found.shape_parameters == ("x_length",)
    assert found.status == "assumed"
    assert [note.text for note in found.assumptions] == ["neighbouring elements of rp are rp_step apart"]


def test_the_counts_as_written_stay_exact(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(SPMV)
    assert str(read(path).facet(Loops).nests[0].trips) == "-rp[0] + rp[n]"


@pytest.mark.parametrize(
    ("text", "values", "trips"),
    [
        (JAGGED, {"n": 10, "m": 100, "len_mean": 7}, 70),
        (JAGGED, {"n": 10, "m": 5, "len_mean": 7}, 50),
        (SUFFIXES, {"n": 10, "first_mean": 4}, 60),
    ],
)
def test_means(tmp_path: Path, text: str, values: dict[str, int], trips: int) -> None:
    assert nest(tmp_path, text).trips.evaluate(values) == trips


def test_what_is_looked_up_stays_while_the_rest_streams_past(tmp_path: Path) -> None:
    """SpMV over random columns against a simulated LRU cache, from nothing of x to all of it."""
    n, width, length = 400, 12, 4000
    random = np.random.default_rng(7)
    columns = random.integers(0, length, n * width)
    shape = footprints(nest(tmp_path, SPMV), {"n": n, "rp_step": width, "x_length": length}, 64.0)

    def stream() -> list[tuple[str, int]]:
        lines = []
        for i in range(n):
            lines += [("rp", i // 16), ("rp", (i + 1) // 16)]
            for k in range(i * width, (i + 1) * width):
                lines += [("ci", k // 16), ("v", k // 8), ("x", int(columns[k]) // 8)]
            lines.append(("y", i // 8))
        return lines

    twice = stream() * 2  # the second round is the one that counts: warm
    for capacity in (2 << 10, 8 << 10, 24 << 10, 40 << 10):
        simulated = misses(twice, capacity // 64) - misses(stream(), capacity // 64)
        assert sum(shape.traffic(float(capacity)).values()) == pytest.approx(64 * simulated, rel=0.1)


def test_a_time_needs_the_average_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(SPMV)
    with pytest.raises(InputError, match="without a value: n, rp_step"):
        foretell.predict(path, "neoverse-n1")
    open_ = foretell.predict(path, "neoverse-n1", parameters={"n": 1e5})
    assert any("rp_step is not given and depends on data: 8.3 by a rule (1 to 69" in one for one in open_.assumptions)
    at = [foretell.predict(path, "neoverse-n1", parameters={"n": 1e5, "rp_step": rows}) for rows in (1, 8, 60)]
    assert at[0].time_s < open_.time_s < at[2].time_s
    assert open_.time_s == pytest.approx(at[1].time_s, rel=0.1)
    assert open_.interval_s is not None
    assert all(open_.interval_s[0] <= one.time_s <= open_.interval_s[1] for one in at)
    short, long = (
        foretell.predict(path, "neoverse-n1", parameters={"n": 1e5, "rp_step": step, "x_length": 1e5})
        for step in (5, 27)
    )
    assert 3 < long.time_s / short.time_s < 8
    assert any("rp_step apart" in note for note in long.assumptions)


def test_an_unknown_length_is_named(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(SPMV)
    parameters = {"n": 1e5, "rp_step": 27.0}
    unknown = foretell.predict(path, "neoverse-n1", parameters=parameters)
    known, longer = (
        foretell.predict(path, "neoverse-n1", parameters={**parameters, "x_length": length}) for length in (1e5, 1e8)
    )
    assert any("-D x_length=" in note for note in unknown.assumptions)
    assert not any("-D x_length=" in note for note in known.assumptions)
    assert unknown.time_s == known.time_s  # as long as the longest loop has iterations
    assert known.time_s < longer.time_s


def test_starts_of_rows_are_one_size_in_all_nests_of_a_function(tmp_path: Path) -> None:
    """The end of the last row is a multiple of the mean row: known by a rule, also where it ends an outermost loop."""
    path = tmp_path / "k.c"
    path.write_text(
        "void count(int n, const int *start, const int *col, int *to) {\n"
        "  for (int k = 0; k < start[n]; k++) to[col[k]]++;\n"
        "  for (int i = 0; i < n; i++)\n    for (int k = start[i]; k < start[i + 1]; k++) to[col[k]] += i;\n}\n"
        "void other(int n, const int *start, int *to) {\n  for (int k = 0; k < start[n]; k++) to[k]++;\n}\n"
    )
    first, second, alone = read(path).facet(Loops).averaged.nests
    assert [str(one.trips) for one in (first, second, alone)] == ["n*start_step", "n*start_step", "start_mean"]
    answer = foretell.predict(f"{path}:count", "neoverse-n1", parameters={"n": 1e4})
    assert any("start_step is not given and depends on data" in text for text in answer.assumptions)
    with pytest.raises(InputError, match="without a value: start_mean"):  # any size
        foretell.predict(f"{path}:other", "neoverse-n1", parameters={"n": 1e4})


def test_references_that_data_keep_apart(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        "void fill(int n, int m, const int *w, double *best) {\n  for (int i = 0; i < n; i++)\n"
        "    for (int c = m; c >= w[i]; c--) best[c] += best[c - w[i]];\n}\n"
        "void shift(int n, int m, const int *off, double *a) {\n  for (int i = 0; i < n; i++)\n"
        "    for (int j = 0; j < m; j++) a[j] += a[j + off[i]];\n}\n"
    )
    for function, name in (("fill", "w_mean"), ("shift", "off_mean")):
        given = {"n": 20.0, "m": 4000.0, name: 40.0}
        known = foretell.predict(f"{path}:{function}", "neoverse-n1", parameters=given)
        assert any(f"are {name} on average" in text for text in known.assumptions)
        by_rule = foretell.predict(f"{path}:{function}", "neoverse-n1", parameters={"n": 20.0, "m": 4000.0})
        assert any(f"{name} is not given and depends on data" in text for text in by_rule.assumptions)
        assert by_rule.interval_s is not None
        assert by_rule.interval_s[0] <= known.time_s <= by_rule.interval_s[1]
