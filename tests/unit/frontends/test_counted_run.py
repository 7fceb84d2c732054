"""Trip counts and shares of conditions from a run with gcc's counters."""

from __future__ import annotations

import shutil
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from foretell import api, frontends
from foretell.errors import InputError, ToolError
from foretell.frontends.source import counted_run as counted
from foretell.frontends.source.counted_run import RunCounts, counted_run
from foretell.machines import load
from tests.support.cli import refused, run
from tests.support.host import needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

needs_gcov = pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("gcov")), reason="gcc and gcov count")

#: rows of length 0, 1, …, 6; the loops and conditions that depend on data have known counts for 700 rows
SOURCE = """#include <stdlib.h>
void spmv(int n, const int *row, const double *value, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += value[k];
        if (sum > 2.5)
            y[i] = sum;
        if (sum > 2.5 && sum < 4.5)
            y[i] += 1;
        if (sum < 0.5 || sum > 5.5)
            y[i] += 2;
        int left = row[i];
        do {
            left = row[left % n];
            y[i] += 1;
        } while (left > 1000000);
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, m = 0;
    int *row = malloc((n + 1) * sizeof *row);
    for (int i = 0; i <= n; i++) { row[i] = m; m += i % 7; }
    double *v = malloc(m * sizeof *v), *y = calloc(n, sizeof *y);
    for (int i = 0; i < m; i++) v[i] = 1;
    spmv(n, row, v, y);
    return argc > 2 ? 3 : 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "rows.c"
    file.write_text(SOURCE)
    counted.counted_run.cache_clear()
    return file


@needs_gcov
def test_a_run_gives_trip_counts_and_shares(source: Path) -> None:
    counts = counted_run("./rows 700", (source,))
    assert counts.trips("rows.c", 4) == (700.0, 1)
    assert counts.trips("rows.c", 6) == (3.0, 700)
    assert counts.trips("rows.c", 15) == (1.0, 700)
    assert counts.share("rows.c", 8) == Fraction(4, 7)
    assert counts.share("rows.c", 10) == Fraction(2, 7)
    assert counts.share("rows.c", 12) == Fraction(2, 7)
    assert counts.share("rows.c", 4) is None
    assert counts.trips("rows.c", 7) is None
    assert [file.name for file in source.parent.iterdir()] == ["rows.c"]


@needs_gcov
def test_parameters_and_conditions_come_from_the_run(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    command = "gcc -O3 rows.c -o other && ./other 700"
    workload = frontends.Reader("rows.c:spmv", frontends.read_options(trip_from_run=command)).workload()
    assert workload.parameters["row_step"] == 3
    assert workload.parameters["n"] == 700
    assert any("the condition of line 8 holds 57.143%" in text for text in workload.assumptions)
    answer = run("predict", "rows.c:spmv", "--on", "neoverse-n1", "-D", "n=7000", "--trip-from-run", "./rows 70")
    assert answer.code == 0, answer.err
    assert "in the run of ./rows 70: row_step=3" in answer.out
    assert "n=7000" in answer.out


@needs_gcov
def test_failures_are_one_message(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    predict = ("predict", "rows.c:spmv", "--on", "neoverse-n1", "--trip-from-run")
    assert "failed (exit code 3)" in refused(*predict, "./rows 70 fails")
    assert "left no counts" in refused(*predict, "true")
    assert "No closing quotation" in refused(*predict, "./rows 'a")
    (source.parent / "rows.c").write_text(SOURCE.replace("m += i % 7;", "m += undeclared;"))
    assert "undeclared" in refused(*predict, "./rows 71")
    monkeypatch.setattr(counted, "_SECONDS", 0.05)
    assert "took more than" in refused(*predict, "sleep 5")
    monkeypatch.setattr(counted, "_FILES", 0)
    assert "the current folder" in refused(*predict, "./rows 72")


def test_without_gcov_it_says_so(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted.shutil, "which", lambda _: None)
    with pytest.raises(ToolError, match="gcc and gcov"):
        counted_run("./rows", (source,))


def test_lines_with_several_conditions_say_nothing() -> None:
    lines = ("for (;;) if (a) x();", "if (a && b || c)", "while (a || b)", "do x(); while (c);", "while (a && b)")
    pairs = {("a.c", 1): ((3, 4),), ("a.c", 2): ((1, 1), (1, 1), (1, 1)), ("a.c", 3): ((8, 2), (4, 4)),
             ("a.c", 4): ((5, 15),), ("a.c", 5): ((10, 1), (3, 7))}  # fmt: skip
    counts = RunCounts("run", pairs, {"a.c": lines})
    assert counts.trips("a.c", 1) is None
    assert counts.share("a.c", 2) is None
    assert counts.trips("a.c", 3) == (6 / 4, 4)
    assert counts.trips("a.c", 4) == (4.0, 5)
    assert counts.trips("a.c", 5) == (7 / 4, 4)
    assert counts.trips("b.c", 1) is None
    assert RunCounts("run", {("a.c", 1): ((0, 0),)}, {"a.c": ("while (a)",)}).trips("a.c", 1) is None


def test_it_is_for_sources_only(tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text('name = "w"\n')
    with pytest.raises(InputError, match="trip-from-run"):
        frontends.Reader(file, frontends.read_options(trip_from_run="./a"))
    compiled = tmp_path / "k.s"
    compiled.write_text("k:\n\tret\n")
    with pytest.raises(InputError, match="only for sources in C, C\\+\\+ and Fortran"):
        frontends.Reader(f"{compiled}:k", frontends.read_options(trip_from_run="./a"))


LISTS = """\
struct Node { Node *next; double value; };
double total(Node *const *heads, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (const Node *p = heads[i]; p != nullptr;)
            sum += p->value, p = p->next;
    return sum;
}
int main()
{
    static Node nodes[60], *heads[4];
    for (int k = 0; k < 60; k++)
        nodes[k].next = k % 15 < 14 ? nodes + k + 1 : nullptr;
    for (int i = 0; i < 4; i++)
        heads[i] = nodes + 15 * i;
    return total(heads, 4) != 0;
}
"""


def _total(path: Path, **given: Any) -> Prediction:
    options = frontends.read_options(kernel="total", args=("u64[n]", "n"), **given)
    code, machine = frontends.Reader(path, options).workload(), load("sapphire-rapids")
    return api.predict(code, machine, parameters={"n": 4000}, options={"cc": "g++"})


def _width(prediction: Prediction) -> float:
    assert prediction.interval_s is not None
    return prediction.interval_s[1] / prediction.interval_s[0]


@needs_gcov
@needs_x86_gcc
def test_loops_of_compiled_code_go_round_as_in_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lists.cpp"
    path.write_text(LISTS)
    monkeypatch.chdir(tmp_path)
    by_rule, given = _total(path), _total(path, trip={"6": "15"})
    assert any("line 6: data end the loop" in one for one in by_rule.assumptions)
    assert not any("data end the loop" in one for one in given.assumptions)
    assert _width(by_rule) > 10 * _width(given)
    counted = _total(path, trip_from_run="./lists")
    assert counted.time_s == pytest.approx(given.time_s)
    assert any("15 in line 6" in one for one in counted.assumptions)
    with pytest.raises(InputError, match="goes round once or more often"):
        _total(path, trip={"6": "0.5"})
