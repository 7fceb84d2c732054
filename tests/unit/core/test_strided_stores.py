"""Stores down columns, lines that threads share, and rows that are reached by pointers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.characterize.layout.iteration_strides import by_iteration, bytes_apart
from foretell.characterize.layout.row_pointers import in_rows
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.transfers.false_sharing import handed_over
from foretell.models.cpu.transfers.strided_stores import AT_A_TIME, Waits, column_waits, down_columns
from foretell.models.cpu.transfers.volumes import Volumes
from tests.support.caches.nests import of_c, of_fortran, only

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest

LINE, ELEMENT = 64, 8


def copy_of(target: str, source: str = "a[j][i]") -> LoopNest:
    """n x n elements, j outside; the shared loop is the outer one."""
    return only(
        of_c(
            f"""void f(int n, double a[n][n], double b[n][n], double c[n])
            {{ for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) {target} {source}; }}"""
        )
    )


@pytest.fixture(scope="module")
def machine() -> Machine:
    """Latencies of 16 and 64 cycles."""
    return load("sapphire-rapids").with_values({"level.L2.latency": 16.0, "level.L3.latency": 64.0})


# ---- down columns


@pytest.mark.parametrize(
    ("target", "down"),
    [("b[i][j] =", 1.0), ("b[j][i] =", 0.0), ("b[i][j] +=", None), ("c[j] =", 0.0), ("a[i][0] =", None)],
)
def test_what_goes_from_line_to_line(target: str, down: float | None) -> None:
    found = down_columns(copy_of(target), {"n": 100}, LINE)
    name = target[0]
    assert (found.get(name) if down is None else float(found[name])) == down


def test_short_rows_share_lines() -> None:
    assert float(down_columns(copy_of("b[i][j] ="), {"n": 7}, LINE)["b"]) == 0.0  # 56 bytes to the next row
    assert float(down_columns(copy_of("b[i][j] ="), {"n": 8}, LINE)["b"]) == 1.0


def waits(lines: float, stores: int, machine: Machine) -> Waits:
    """So many lines of L2 for the stores of a matrix."""
    volumes = Volumes({"L2": 0.0, "L3": 0.0, "memory": 0.0}, {}, columns={"L2": lines * 2 * LINE})
    n = {"n": float(stores) ** 0.5}
    return column_waits(copy_of("b[i][j] ="), volumes, Inputs(machine, {}), n, Split(None, 1.0), True)


def test_bursts_wait_for_latency_and_constant_misses_for_bandwidth(machine: Machine) -> None:
    slow = machine.with_values(
        {"level.L2.latency": machine.value("level.L2.latency") * 10}
    )  # latency counts before bandwidth
    burst = waits(1250, 10_000, slow)
    assert burst.missing == pytest.approx(1 / 8)
    assert burst.seconds == pytest.approx(1250 * Inputs(slow, {}).seconds("level.L2.latency") / 2 * 7 / 8)
    always, twice = waits(10_000, 10_000, slow), waits(10_000, 10_000, machine)
    assert always.missing == pytest.approx(1.0)
    assert always.seconds == pytest.approx(twice.seconds)  # latency is no part of it
    assert waits(0, 10_000, slow) == Waits(0.0, 1.0)


def test_a_transpose_names_its_stores(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_text(
        "void t(long n, const double a[restrict n][n], double b[restrict n][n]) {"
        " for (long j = 0; j < n; j++) for (long i = 0; i < n; i++) b[i][j] = a[j][i]; }"
    )
    found = foretell.predict(path, "sapphire-rapids", parameters={"n": 200})
    bounds = {bound.name: bound.time_s for bound in found.bounds}
    assert bounds["stores down columns"] > 0
    assert found.time_s > bounds["core"] + 0.8 * bounds["stores down columns"] * 7 / 8
    whole = foretell.predict(path, "sapphire-rapids", parameters={"n": 200}, options={"overlap": "full"})
    assert whole.time_s == pytest.approx(max(bounds["core"], sum(bounds.values()) - bounds["core"]))


# ---- lines that two threads write


def lines_of_both(n: int, threads: int, offset: int) -> float:
    """By hand: the most lines of b[i][j] that a thread writes and another one, too, with equal stretches of j."""
    lines: list[set[int]] = []
    for thread in range(threads):
        columns = range(n * thread // threads, n * (thread + 1) // threads)
        lines.append({(offset + (i * n + j) * ELEMENT) // LINE for i in range(n) for j in columns})
    others = [set().union(*lines[:k], *lines[k + 1 :]) for k in range(threads)]
    return max(len(mine & other) for mine, other in zip(lines, others, strict=True))


@pytest.mark.parametrize(("n", "threads"), [(100, 2), (123, 3), (200, 4)])
def test_borders_between_columns_go_back_and_forth(n: int, threads: int, machine: Machine) -> None:
    """The mean over where the array may begin."""
    inputs = Inputs(machine, {})
    each = (inputs.seconds("level.L2.latency") + inputs.seconds("level.L3.latency")) / AT_A_TIME
    shared = Split(0, float(threads))
    found = handed_over(copy_of("b[i][j] ="), inputs, {"n": n}, shared, LINE) / each
    counted = [lines_of_both(n, threads, offset) for offset in range(0, LINE, ELEMENT)]
    assert float(found) == pytest.approx(sum(counted) / len(counted), rel=0.15)
    assert float(handed_over(copy_of("b[j][i] ="), inputs, {"n": n}, shared, LINE)) == 0.0
    assert float(handed_over(copy_of("c[j] ="), inputs, {"n": n}, shared, LINE)) == 0.0
    assert handed_over(copy_of("b[i][j] ="), inputs, {"n": n}, Split(None, 1.0), LINE) == 0.0


# ---- distances


def test_distances_that_nobody_knows() -> None:
    nest = only(
        of_c("void f(int n, double **a, const int *k, double *x) { for (int i = 0; i < n; i++) a[i][2] = x[k[i]]; }")
    )
    by_name = {array.name: array for array in by_iteration(nest)}
    for name, wanted in (("a", None), ("x", None), ("k", 4.0)):
        array = by_name[name]
        assert bytes_apart(array, array.accesses[0], "i", {"n": 10}) == wanted, name


# ---- rows by pointers

_PRODUCT = """void f(int n, {a}, {b}, {c}) {{
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
    c[i][j] += a[i][k] * b[k][j]; }}"""


def product(form: str) -> str:
    return _PRODUCT.format(**{name: form.format(name) for name in "abc"})


def test_rows_by_pointers_are_like_a_matrix() -> None:
    matrix, pointers = (only(of_c(product(form))) for form in ("double {}[n][n]", "double **{}"))
    assert any(dim.stride is None for use in pointers.arrays for dim in use.dims)
    laid = in_rows(pointers)
    strides = [[dim.stride for dim in use.dims] for use in laid.arrays]
    rows = [[dim.stride for dim in use.dims] for use in matrix.arrays]
    assert strides == [[row and row + 2, element] for row, element in rows]  # with a header of 16 bytes
    assert "rows of a, b, c are assumed to be contiguous" in [note.text for note in laid.assumptions]
    assert in_rows(matrix) is matrix


def test_rows_are_as_long_as_they_are_used() -> None:
    nest = only(
        of_c(
            """void f(int n, int m, double **a, double *b) {
            for (int i = 1; i < n; i++) for (int j = 1; j < m - 1; j++) b[i] += a[i][j - 1] + a[i - 1][j + 1]; }"""
        )
    )
    rows = next(use for use in in_rows(nest).arrays if use.name == "a")
    assert [dim.stride is not None and float(dim.stride.evaluate({"m": 50, "n": 9})) for dim in rows.dims] == [52, 1]


def test_arrays_in_records_are_predicted(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        """struct body { double at[3], speed[3]; };
        void drift(int n, struct body *b, double t) {
          for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) b[i].at[k] += t * b[i].speed[k]; }"""
    )
    found = foretell.predict(path, "sapphire-rapids", parameters={"n": 1000})
    assert not found.at_least
    assert not any("no code" in text for text in found.assumptions)


def test_rows_whose_length_depends_on_data_keep_no_distance() -> None:
    nest = only(
        of_c(
            """void f(int n, double **a, const int *k) {
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][k[j]] = 0; }"""
        )
    )
    assert in_rows(nest) is nest


def test_sizes_of_fortran_arrays_without_a_declared_shape() -> None:
    loops = of_fortran(
        """subroutine s(u, v)
        real(8) :: u(:, :), v(:, :)
        integer :: i, j
        do j = 2, size(u, 2) - 1
          do i = 1, ubound(u, 1)
            u(i, j) = v(i, j - 1)
          end do
        end do
        v = 2 * u
        end subroutine"""
    )
    first, second = loops.nests
    assert set(first.parameters) == {"u_size1", "u_size2"}
    assert set(second.parameters) <= {"u_size1", "u_size2", "v_size1", "v_size2"}
    assert int(first.trips.evaluate({"u_size1": 10, "u_size2": 7})) == 50


def test_a_loop_nobody_gives_a_border(machine: Machine) -> None:
    """One thread hands nothing over, and a machine without latencies says nothing."""
    inputs = Inputs(machine, {})
    assert float(handed_over(copy_of("b[i][j] ="), inputs, {"n": 99}, Split(0, 1.0), LINE)) == 0.0
    bare = replace(machine, quantities={k: v for k, v in machine.quantities.items() if k != "level.L3.latency"})
    assert handed_over(copy_of("b[i][j] ="), Inputs(bare, {}), {"n": 99}, Split(0, 2.0), LINE) == 0.0
