"""Clauses of OpenMP directives that the CPU model follows: collapse, schedule, nontemporal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import foretell

if TYPE_CHECKING:
    from pathlib import Path

FEW = """\
void f(int n, double a[restrict 3][n]) {
#pragma omp parallel for CLAUSE
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] / 3.7;
}
"""
TRIANGLE = """\
void f(int n, double a[restrict n][n]) {
#pragma omp parallel for CLAUSE
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = a[i][j] / 3.7;
}
"""
STREAM = """\
void f(long n, double *restrict a, const double *restrict b) {
#pragma omp simd CLAUSE
    for (long i = 0; i < n; i++)
        a[i] = 2 * b[i];
}
"""


def time(text: str, clause: str, folder: Path, threads: int = 16, **sizes: float) -> float:
    file = folder / "code.c"
    file.write_text(text.replace("CLAUSE", clause))
    return foretell.predict(file, "zen2", parameters=sizes, threads=threads, cc="none").time_s


def test_loops_that_threads_share_together(tmp_path: Path) -> None:
    alone, together = (time(FEW, clause, tmp_path, n=3e5) for clause in ("", "collapse(2)"))
    assert alone / together > 2.5  # 16 instead of 3 threads
    assert time(FEW, "collapse(x)", tmp_path, n=3e5) == alone


@pytest.mark.parametrize("clause", ["schedule(static, 1)", "schedule(dynamic)", "schedule(guided, 4)"])
def test_uneven_iterations_that_are_dealt_out(clause: str, tmp_path: Path) -> None:
    equal, dealt = (time(TRIANGLE, one, tmp_path, n=3000) for one in ("schedule(static)", clause))
    assert equal / dealt == pytest.approx(31 / 16, rel=0.15)  # the last of 16 portions has 31/16 of the mean
    assert time(TRIANGLE, "", tmp_path, n=3000) == equal


def test_stores_past_the_caches_do_not_fetch(tmp_path: Path) -> None:
    plain, past = (time(STREAM, clause, tmp_path, 1, n=2e7) for clause in ("", "nontemporal(a)"))
    assert 1.2 < plain / past < 1.6  # two of three streams are left
    assert time(STREAM, "nontemporal(c)", tmp_path, 1, n=2e7) == plain
