"""Transformations of loops: what they write, and what they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.transform.kinds import KINDS, codee
from tests.unit.transform.programs import MATRIX_PRODUCT, changed, changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path


def function(body: str, parameters: str = "int n, double a[restrict n][n], double b[restrict n][n]") -> str:
    return f"void f({parameters}) {{\n{body}\n}}\n"


def test_interchange_swaps_heads_and_keeps_the_rest(tmp_path: Path) -> None:
    product = program(MATRIX_PRODUCT, tmp_path)
    text = changed(product, "interchange j and k", "interchange")
    lines = text.splitlines()
    assert lines[2].strip() == "for (int k = 0; k < n; k++)"
    assert lines[3].strip() == "for (int j = 0; j < n; j++)"
    assert lines[4] == MATRIX_PRODUCT.splitlines()[4]
    assert len(changes(product, "interchange")) == 5


def test_four_loops_are_exchanged_by_pairs(tmp_path: Path) -> None:
    heads = "".join(f"for (int {name} = 0; {name} < n; {name}++)\n" for name in "ijkl")
    text = function(f"{heads} a[i][j] += b[k][l];")
    found = changes(program(text, tmp_path), "interchange")
    assert "interchange i and j" in found
    assert len(found) + len(refusals(program(text, tmp_path), "interchange")) == 6


def test_a_dependence_that_would_be_reversed_is_named(tmp_path: Path) -> None:
    text = function("for (int i = 1; i < n; i++)\nfor (int j = 0; j < n - 1; j++)\na[i][j] = a[i - 1][j + 1];")
    assert refusals(program(text, tmp_path), "interchange") == ["flow dependence on a (line 4) would be reversed"]
    assert all("reversed between tiles" in one for one in refusals(program(text, tmp_path), "tile"))
    assert all("reversed" in one for one in refusals(program(text, tmp_path), "unroll_and_jam"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < i; j++)\na[i][j] = 1;", "the bound i depends on i"),
        (
            "for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nif (a[i][j] > 9) return;",
            "return leaves the loop",
        ),
        (
            "int s = 0;\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++) {\na[i][s] = 1; s++;\n}",
            "scalar s|dependence on s",
        ),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\na[i][j] = g(i);", "calls g"),
        (
            "int i, j;\nfor (i = 0; i < n; i++)\nfor (j = 0; j < n; j++)\na[i][j] = 1;\na[0][0] = j;",
            "j is used outside",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\na[i][j] = 1;",
            "directive",
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 1;",
            "not the one that was analysed|several",
        ),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j *= 2)\na[i][j] = 1;", "step is no constant"),
    ],
)
def test_what_is_refused(body: str, reason: str, tmp_path: Path) -> None:
    text = "double g(int);\n" + function(body)
    found = refusals(program(text, tmp_path), "interchange")
    assert found
    assert any(part in one for one in found for part in reason.split("|"))


def test_tiles_end_at_the_bound(tmp_path: Path) -> None:
    text = changed(program(MATRIX_PRODUCT, tmp_path), "tile j and k by 16 × 16", "tile", tiles=(16,))
    assert "for (int j_tile = 0; j_tile < n; j_tile += 16)" in text
    assert "for (int k = k_tile; k < (k_tile + 16 < n ? k_tile + 16 : n); k++)" in text
    indents = [len(line) - len(line.lstrip()) for line in text.splitlines()[1:7]]
    assert indents == [4, 8, 12, 16, 20, 24]


def test_three_loops_are_tiled_with_a_longer_row(tmp_path: Path) -> None:
    product = program(MATRIX_PRODUCT, tmp_path)
    found = changes(product, "tile", tiles=(16, 64))
    assert {"tile i, j and k by 16 × 16 × 16", "tile i, j and k by 16 × 16 × 64", "tile j by 64"} <= set(found)
    assert "tile i and j by 64 × 64" not in found
    text = changed(product, "tile i, j and k by 16 × 16 × 64", "tile", tiles=(16, 64))
    heads = [line.strip() for line in text.splitlines()[1:7]]
    assert heads[2] == "for (int k_tile = 0; k_tile < n; k_tile += 64)"
    assert heads[3] == "for (int i = i_tile; i < (i_tile + 16 < n ? i_tile + 16 : n); i++)"
    assert not changes(program(text, tmp_path), "tile")  # no tiles in tiles


def test_types_of_tiles(tmp_path: Path) -> None:
    body = "for (i = 0; i < n; i++)\nfor (j = 0; j < n; j++)\na[i][j] = 1;"
    declared = program(function(f"double x = 2;\nunsigned long i, j;\n{body}"), tmp_path)
    assert "for (unsigned long j_tile = 0" in changed(declared, "tile j by 8", "tile", tiles=(8,))
    unknown = program(f"int i, j;\n{function(body)}", tmp_path)
    assert any("type of j is not declared" in one for one in refusals(unknown, "tile"))


def test_names_of_tiles_are_new(tmp_path: Path) -> None:
    text = function("int j_tile = 3;\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\na[i][j] = j_tile;")
    assert "j_tile2 < n" in changed(program(text, tmp_path), "tile j by 8", "tile", tiles=(8,))


def test_bounds_of_tiles_must_not_depend_on_the_nest(tmp_path: Path) -> None:
    text = function("for (int i = 0; i < n; i++)\nfor (int j = i; j < n; j += 2)\na[i][j] = 1;")
    assert all("go up by 1" in one or "depends on i" in one for one in refusals(program(text, tmp_path), "tile"))
    assert any("depends on i" in one for one in refusals(program(text, tmp_path), "unroll_and_jam"))


def test_unrolled_copies_and_the_rest(tmp_path: Path) -> None:
    title = "unroll j 2 times and join the copies in the innermost loop"
    text = changed(program(MATRIX_PRODUCT, tmp_path), title, "unroll_and_jam", factors=(2,))
    assert "for (j = 0; j + 1 < n; j += 2)" in text
    assert "c[i][(j + 1)] += a[i][k] * b[k][(j + 1)];" in text
    assert "for (; j < n; j++) {" in text


def test_fission_puts_braces_where_one_statement_was(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++) {\na[i][j] = 1;\nb[i][j] = 2;\n}"
    text = changed(program(function(body), tmp_path), "divide the loop over j before line 5", "fission")
    assert text.count("for (int j = 0; j < n; j++)") == 2
    assert text.count("{") == text.count("}") == 4  # two loops, the braces around them, and the function


def test_fission_refuses_what_flows_backwards(tmp_path: Path) -> None:
    body = "for (int i = 1; i < n; i++) {\nx[i] = y[i - 1];\ny[i] = 2 * z[i];\n}"
    parameters = "int n, double x[restrict n], double y[restrict n], double z[restrict n]"
    text = function(body, parameters)
    assert refusals(program(text, tmp_path), "fission") == ["flow dependence on y (lines 4 and 3) would be reversed"]
    local = function("for (int i = 1; i < n; i++) {\ndouble t = y[i];\nx[i] = t;\n}", parameters)
    assert "t, declared before, is used after" in refusals(program(local, tmp_path), "fission")[0]
    crowded = function("for (int i = 1; i < n; i++) {\nx[i] = 1; y[i] = 2;\n}", parameters)
    assert "two statements stand on one line" in refusals(program(crowded, tmp_path), "fission")[0]


TWO = "for (int i = 0; i < n; i++)\nx[i] = y[i];\nfor (int k = 0; k < n; k++)\nz[k] = x[k];"
VECTORS = "int n, double x[restrict n + 1], double y[restrict n], double z[restrict n]"


def test_fusion_renames_the_second_variable(tmp_path: Path) -> None:
    text = changed(program(function(TWO, VECTORS), tmp_path), "join the loops of lines 2 and 4", "fuse")
    assert "z[i] = x[i];" in text
    assert text.count("for (") == 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("z[k] = x[k]", "z[k] = x[k + 1]", "the second loop needs x of a later iteration"),
        ("k < n", "k < n - 1", "different bounds"),
        ("z[k] = x[k]", "int i = 3; z[k] = x[k] + i", "i is used in the second loop already"),
    ],
)
def test_loops_that_cannot_be_joined(old: str, new: str, reason: str, tmp_path: Path) -> None:
    body = TWO.replace(old, new)
    body = body.replace("k++)\nint", "k++) {\nint") + ("}" if "int i = 3" in body else "")
    assert reason in refusals(program(function(body, VECTORS), tmp_path), "fuse")[0]


def test_threads_take_loops_that_carry_nothing(tmp_path: Path) -> None:
    product = program(MATRIX_PRODUCT, tmp_path)
    found = changes(product, "parallelise")
    assert set(found) == {f"divide the loop over {name} between threads" for name in "ij"}
    assert "    #pragma omp parallel for\n    for (int i" in changed(
        product, "divide the loop over i between threads", "parallelise"
    )
    assert found["divide the loop over i between threads"].flags == "-fopenmp"
    text = function("int i, j;\nfor (i = 0; i < n; i++)\nfor (j = 0; j < n; j++)\na[i][j] = 1;")
    assert "private(j)" in changed(program(text, tmp_path), "divide the loop over i between threads", "parallelise")


def test_pointers_may_overlap(tmp_path: Path) -> None:
    text = function("for (int i = 0; i < n; i++)\nx[i] = y[i];", "int n, double *x, const double y[], int m[n]")
    pointers = program(text, tmp_path)
    assert changes(pointers, "parallelise")["divide the loop over i between threads"].provided == (
        "x, y do not overlap",
    )
    members = "struct s { double *u, *v; };\n" + function(
        "for (int i = 0; i < n; i++)\np->u[i] = p->v[i];", "int n, struct s *p"
    )
    (change,) = changes(program(members, tmp_path, "m.c"), "parallelise").values()
    assert "do not overlap" in change.provided[0]
    arrays = "double u[9], v[9], *w;\n" + function("for (int i = 0; i < n; i++)\nu[i] = v[i] + w[i];", "int n")
    (change,) = changes(program(arrays, tmp_path, "g.c"), "parallelise").values()
    assert change.provided == ()  # arrays of their own; one pointer alone is written by nobody
    new = changed(pointers, "declare x, y, m restrict", "restrict")
    assert "double *restrict x, const double y[restrict], int m[restrict n]" in new
    assert "no pointers" in refusals(program(MATRIX_PRODUCT, tmp_path), "restrict")[0]
    lone = function("for (int i = 0; i < n; i++)\nx[i] = 1;", "int n, double *x")
    assert "one pointer only" in refusals(program(lone, tmp_path), "restrict")[0]


def test_flags_are_added_once(tmp_path: Path) -> None:
    from foretell.transform.catalogue import Choices, attempted, candidates
    from foretell.transform.program import RefusedError

    product = program(MATRIX_PRODUCT, tmp_path)
    assert changes(product, "flags")["compile with -ffast-math"].provided
    again = [attempted(one) for one in candidates(product, Choices(("flags",), flags="-O3 -ffast-math"))]
    assert isinstance(again[0], RefusedError)


def test_every_kind_has_an_id() -> None:
    assert len({kind.id for kind in KINDS}) == len(KINDS) == 21
    assert codee("tile") == "PWR040"
    assert codee("unknown") == ""


SUM = """\
for (int i = 0; i < n; i++)
for (int j = 0; j < n; j++) {
double s = 1.5;
for (int k = 0; k < n; k++)
s += b[i][k] * b[k][j];
a[i][j] = s;
}"""


def test_a_sum_moves_into_its_array(tmp_path: Path) -> None:
    given = program(function(SUM), tmp_path)
    text = changed(given, "add up in a[i][j] instead of s, started in a loop of its own", "sum_in_place")
    assert "a[i][j] = 1.5;" in text
    assert "a[i][j] += b[i][k] * b[k][j];" in text
    assert "s +=" not in text
    assert "interchange j and k" in changes(program(text, tmp_path, "next.c"), "interchange")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("a[i][j] = s", "a[i][0] = s", "one element for all j"),
        ("b[k][j]", "a[k][j]", "a is accessed elsewhere"),
        ("double s", "float s", "different types"),
        ("s += b", "s += s * b", "more than adding"),
        ("a[i][j] = s;", "a[i][j] = 2 * s;", "no scalar"),
        ("k < n;", "k < (int)s;", "s is used elsewhere"),
    ],
)
def test_sums_that_stay(old: str, new: str, reason: str, tmp_path: Path) -> None:
    given = program(function(SUM.replace(old, new)), tmp_path)
    assert any(reason in one for one in refusals(given, "sum_in_place"))


FORTRAN = """\
subroutine sweep(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: b(n, n)
  integer :: i, j
  do i = 1, n
    do j = 1, n  ! along rows
      b(i, j) = a(i, j) &
                + a(I, j)
    end do
  end do
  do i = 1, n
    do j = 1, n
      b(i, j) = 2 * b(i, j)
    end do
  end do
end subroutine
"""


def test_fortran(tmp_path: Path) -> None:
    sweep = program(FORTRAN, tmp_path, "sweep.f90")
    assert "do j = 1, n\n    do i = 1, n" in changed(sweep, "interchange i and j", "interchange").replace(
        "  ! along rows", ""
    )
    tiled = changed(sweep, "tile j by 16", "tile", tiles=(16,))
    assert "integer :: j_tile" in tiled
    assert "do j = j_tile, min(j_tile + 15, n)" in tiled
    unrolled = changed(
        sweep, "unroll i 2 times and join the copies in the innermost loop", "unroll_and_jam", factors=(2,)
    )
    assert "do i = 1, n - 1, 2" in unrolled
    assert "+ a((i + 1), j)" in unrolled  # names have no case
    joined = changed(sweep, "join the loops of lines 7 and 13", "fuse")
    assert joined.count("do i = 1, n") == 1
    assert "!$omp parallel do" in changed(sweep, "divide the loop over i between threads", "parallelise")
    assert not changes(sweep, "restrict")


def test_fortran_lines_stay_short(tmp_path: Path) -> None:
    sums = " + ".join(["a(i, j)"] * 11)
    wide = program(FORTRAN.replace("2 * b(i, j)", sums), tmp_path, "sweep.f90")
    assert any("longer than 132" in one for one in refusals(wide, "unroll_and_jam"))


FORTRAN_SUM = """\
subroutine rows(n, a, t{more})
  integer :: n, i, k
  real(8) :: a(n, n), t(n), s
  do i = 1, n
    s = 0
    do k = 1, n
      s = s + a(i, k)
    end do
    t(i) = s
  end do
{after}end subroutine
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("{after}", "  t(1) = s\n", "line 11: s is used outside the loop"),
        ("s = s + a(i, k)", "s = s * a(i, k)", "line 4: the loop does more than adding to s"),
        ("s = s + a(i, k)", "s = s + a(i, k) * S", "line 4: the loop does more than adding to s"),
        ("t(i) = s", "t(1) = s", "line 4: t(1) is one element for all i"),
        ("s = s + a(i, k)", "s = s + a(i, k) * t(i)", "line 4: t is accessed elsewhere in the loop"),
    ],
)
def test_sums_of_fortran_that_stay(old: str, new: str, reason: str, tmp_path: Path) -> None:
    text = FORTRAN_SUM.replace(old, new).replace("{after}", "").replace("{more}", "")
    assert refusals(program(text, tmp_path, "rows.f90"), "sum_in_place") == [reason]
    whole = FORTRAN_SUM.replace("{after}", "").replace("{more}", "")
    assert "add up in t(i) instead of s, started in a loop of its own" in changes(
        program(whole, tmp_path, "rows.f90"), "sum_in_place"
    )


def test_fortran_fission(tmp_path: Path) -> None:
    text = FORTRAN.replace(
        "      b(i, j) = 2 * b(i, j)\n", "      b(i, j) = 2 * b(i, j)\n      b(i, j + 1) = a(i, j)\n"
    )
    found = refusals(program(text, tmp_path, "sweep.f90"), "fission")
    assert any("dependence on b" in one for one in found)
    text = FORTRAN.replace("(inout) :: b(n, n)", "(inout) :: b(n, n), c(n, n)").replace("n, a, b)", "n, a, b, c)")
    text = text.replace("      b(i, j) = 2 * b(i, j)\n", "      b(i, j) = 2 * b(i, j)\n      c(i, j) = a(i, j)\n")
    assert (
        changed(program(text, tmp_path, "x.f90"), "divide the loop over j before line 16", "fission").count("end do")
        == 5
    )


@pytest.mark.parametrize(
    ("statement", "reason"),
    [("call g(b)", "call"), ("if (b(i, j) > 1) exit", "exit"), ("b(i, j) = 1; b(j, i) = 2", "several statements")],
)
def test_fortran_that_is_refused(statement: str, reason: str, tmp_path: Path) -> None:
    text = FORTRAN.replace("b(i, j) = 2 * b(i, j)", statement)
    assert any(reason in one for one in refusals(program(text, tmp_path, "sweep.f90"), "interchange"))


def test_conditions_and_gathers_are_references(tmp_path: Path) -> None:
    """A condition reads; a subscript that is data may be any element."""
    parameters = "int n, double x[restrict n], int at[restrict n], double y[restrict n]"
    text = function("for (int i = 0; i < n; i++)\nif (y[i] > 1)\nx[at[i]] = y[i];", parameters)
    assert refusals(program(text, tmp_path), "parallelise") == [
        "output dependence on x (line 4) goes from one iteration to another"
    ]
    text = function("for (int i = 0; i < n - 1; i++)\nif (y[i + 1] > 1)\ny[i] = x[i];", parameters)
    assert "dependence on y" in refusals(program(text, tmp_path), "parallelise")[0]


def test_a_sum_may_start_with_the_element_itself(tmp_path: Path) -> None:
    inner = "double s = 2 * a[i][j];\nfor (int k = 0; k < n; k++)\ns += b[i][k] * b[k][j];\na[i][j] = s;"
    text = function(f"for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++) {{\n{inner}\n}}")
    new = changed(
        program(text, tmp_path), "add up in a[i][j] instead of s, started in a loop of its own", "sum_in_place"
    )
    assert "a[i][j] = 2 * a[i][j];" in new
    assert "a[i][j] += b[i][k] * b[k][j];" in new
    other = text.replace("2 * a[i][j]", "2 * a[j][i]")
    assert "a is accessed elsewhere" in refusals(program(other, tmp_path), "sum_in_place")[0]
    added = text.replace("b[k][j];", "a[i][j];")
    assert "a is accessed elsewhere" in refusals(program(added, tmp_path), "sum_in_place")[0]
    assert "one after the other, not joined" in " ".join(refusals(program(text, tmp_path), "unroll_and_jam"))
