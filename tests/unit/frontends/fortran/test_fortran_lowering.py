"""Every Fortran construct → the statement IR, as text."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from foretell.frontends.source import ir
from tests.support.frontends import ir_text
from tests.support.frontends.fortran_text import body, lower

if TYPE_CHECKING:
    from pathlib import Path

#: name, statements, expected text (subscripts slowest first)
CONSTRUCTS = [
    ("element", "u(i, j+1) = v(0, 3)", "u[j + 1][i] = v[3][0]"),
    ("whole array", "a = x", "for i@1 = 1 .. n by 1  {implied, local}\n  a[i@1] = x"),
    (
        "whole array with its own lower bound",
        "v = 1",
        """
        for j@1 = 1 .. m by 1  {implied, local}
          for i@1 = 0 .. n + 1 by 1  {implied, local}
            v[j@1][i@1] = 1
        """,
    ),
    (
        "sections run over the target's indices",
        "a(2:n-1) = b(1:n-2) + b(3:n)",
        "for i@1 = 2 .. n - 1 by 1  {implied, local}\n  a[i@1] = b[i@1 - 1] + b[i@1 + 1]",
    ),
    (
        "arrays with different lower bounds",
        "u = v(1:n, :)",
        """
        for j@1 = 1 .. m by 1  {implied, local}
          for i@1 = 1 .. n by 1  {implied, local}
            u[j@1][i@1] = v[j@1][i@1]
        """,
    ),
    (
        "equal strides",
        "a(1:n:2) = b(2:n:2)",
        "for i@1 = 1 .. n by 2  {implied, local}\n  a[i@1] = b[i@1 + 1]",
    ),
    (
        "different strides count elements",
        "a(1:9:2) = b(1:5)",
        "for i@1 = 0 .. 4 by 1  {implied, local}\n  a[2 * i@1 + 1] = b[i@1 + 1]",
    ),
    (
        "a shift to the right runs backwards",
        "a(2:n) = a(1:n-1)",
        "for i@1 = n .. 2 by -1  {implied, local}\n  a[i@1] = a[i@1 - 1]",
    ),
    (
        "a shift to the left runs forwards",
        "a(1:n-1) = a(2:n)",
        "for i@1 = 1 .. n - 1 by 1  {implied, local}\n  a[i@1] = a[i@1 + 1]",
    ),
    (
        "both ways need a copy",
        "a(2:n-1) = a(1:n-2) + a(3:n)",
        """
        declare tmp@1
        for i@1 = 1 .. n - 2 by 1  {implied, local}
          tmp@1[i@1] = a[i@1] + a[i@1 + 2]
        for i@1#2 = 2 .. n - 1 by 1  {implied, local}
          a[i@1#2] = tmp@1[i@1#2 - 1]
        """,
    ),
    ("vector subscript", "a(1:3) = b([3, 1, 2])", None),
    (
        "one-line where",
        "where (a > 0) b = 1 / a",
        "for i@1 = 1 .. n by 1  {implied, local}\n  if a[i@1] > 0\n    b[i@1] = 1 / a[i@1]",
    ),
    (
        "where keeps its mask",
        "where (a > 0)\n a = -a\nelsewhere\n a = 1\nend where",
        """
        declare mask@1
        for i@1 = 1 .. n by 1  {implied, local}
          mask@1[i@1] = a[i@1] > 0
        for i@2 = 1 .. n by 1  {implied, local}
          if mask@1[i@2]
            a[i@2] = -a[i@2]
        for i@4 = 1 .. n by 1  {implied, local}
          if !mask@1[i@4]
            a[i@4] = 1
        """,
    ),
    ("counted loop", "do i = n, 1, -2\n a(i) = i\nend do", "for i = n .. 1 by -2\n  a[i] = i"),
    ("while", "do while (x > 1)\n x = x / 2\nend do", "while x > 1\n  x = x / 2"),
    ("endless", "do\n if (x > 1) exit\nend do", "while True\n  if x > 1\n    break"),
    (
        "do concurrent: first index innermost, mask inside",
        "do concurrent (i = 1:n, j = 1:m:2, i /= j)\n u(i,j) = 0\nend do",
        """
        for j#2 = 1 .. m by 2  {implied, local}
          for i#2 = 1 .. n by 1  {implied, local}
            if i#2 != j#2
              u[j#2][i#2] = 0
        """,
    ),
    (
        "forall",
        "forall (i = 1:n, l(i)) a(i) = b(i)",
        "for i#2 = 1 .. n by 1  {implied, local}\n  if l[i#2]\n    a[i#2] = b[i#2]",
    ),
    (
        "exit and cycle of an outer loop",
        "o: do i = 1, n\n do j = 1, m\n if (x > y) cycle o\n if (x < y) exit o\n end do\nend do o",
        """
        for i = 1 .. n by 1
          for j = 1 .. m by 1
            if x > y
              break
            if x < y
              goto o@1.exit
        o@1.exit:
        """,
    ),
    (
        "else if",
        "if (x > 1) then\n y = 1\nelse if (x > 0) then\n y = 2\nelse\n y = 3\nend if",
        "if x > 1\n  y = 1\nelse\n  if x > 0\n    y = 2\n  else\n    y = 3",
    ),
    (
        "select case with plain values",
        "select case (k)\ncase (1, 2)\n x = 1\ncase default\n x = 2\nend select",
        "switch k\n  case 1, 2\n    x = 1\n  default\n    x = 2",
    ),
    (
        "select case with ranges",
        "select case (k)\ncase (:0)\n x = 1\ncase (3:5)\n x = 2\nend select",
        """
        selector@1 = k
        if selector@1 <= 0
          x = 1
        else
          if selector@1 >= 3 && selector@1 <= 5
            x = 2
        """,
    ),
    (
        "sum",
        "x = 2 * sum(a)",
        """
        sum@1 = 0.0
        for i@1 = 1 .. n by 1  {implied, local}
          sum@1 = sum@1 + a[i@1]  {compound}
        x = 2 * sum@1
        """,
    ),
    (
        "sum along a dimension",
        "a = sum(u, dim=2)",
        """
        for i@1 = 1 .. n by 1  {implied, local}
          sum@1 = 0.0
          for i@1#2 = 1 .. m by 1  {implied, local}
            sum@1 = sum@1 + u[i@1#2][i@1]  {compound}
          a[i@1] = sum@1
        """,
    ),
    (
        "a reduction in a while condition is computed every time",
        "do while (maxval(a) > 1)\n a = a / 2\nend do",
        None,
    ),
    ("merge and friends", "x = merge(a(1), max(x, y, 1d0), x > y)", "x = x > y ? a[1] : max(x, y, 1.0)"),
    ("conversions", "x = real(n, 8) + dble(m) + int(y)", "x = double(n) + double(m) + int(y)"),
    (
        "names of functions",
        "x = dsqrt(y) + abs(y) + sign(y, x) + aint(y)",
        "x = sqrt(y) + fabs(y) + copysign(y, x) + trunc(y)",
    ),
    ("integer functions", "k = mod(i, 3) + modulo(i, 3) + abs(i)", "k = i % 3 + (i % 3 + 3) % 3 + abs(i)"),
    ("powers stay powers", "x = y**2 + y**0.5d0 + 2**k", "x = y ** 2 + y ** 0.5 + 2 ** k"),
    ("size and bounds", "k = size(v, 1) + lbound(v, 1) + ubound(v, 1) + size(u)", "k = n + 2 + 0 + (n + 1) + n * m"),
    ("associate", "associate (p => u(:, k), q => x * 2)\n p(i) = q\nend associate", "q@1 = x * 2\nu[k][i] = q@1"),
    ("block", "block\n integer :: i\n i = 1\nend block\ni = 2", "i#2 = 1\ni = 2"),
    ("semicolons", "x = 1; y = 2", "x = 1\ny = 2"),
    ("continuation", "x = 1 + &\n  & 2 + &\n ! in between\n  3", "x = 1 + 2 + 3"),
    (
        "logical operators",
        "l(1) = x > 1 .and. .not. l(2) .or. (l(3) .neqv. l(4))",
        "l[1] = x > 1 && !l[2] || l[3] != l[4]",
    ),
    ("statement after a string with a bang", "print *, 'no ! comment'; x = 1", 'print("no ! comment")\nx = 1'),
    ("stop and return", "if (x > 1) stop\nif (y > 1) return\nx = 1", "if x > 1\n  exit()\nif y > 1\n  return\nx = 1"),
    ("call", "call t(a, u(:, 2), u(1, 2), n)", "t(a, u[2], u[2][1], n)"),
    ("a section in one piece", "call t(a(2:5))", "t(*(double[1:+4])*(&a[2]))"),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "expected"), [c[1:] for c in CONSTRUCTS], ids=[c[0] for c in CONSTRUCTS])
def test_construct(statements: str, expected: str | None, tmp_path: Path) -> None:
    text = body(tmp_path, "".join(f"{line}\n" for line in statements.split("\n")), "")
    first = 6  # the line of the first statement in the source that `body` makes
    for number in range(first + 12, first - 1, -1):
        text = text.replace(f"@{number}", f"@{number - first + 1}")
    assert "opaque" not in text
    if expected is not None:
        assert text.strip() == dedent(expected).strip()


def test_dimensions_are_reversed_and_lower_bounds_kept(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine s(a, n)\nreal :: a(0:n, -1:5, *)\nend subroutine\n")
    kind = unit.functions[0].parameters[0].type
    assert ir_text.type_text(kind) == "float[1:+][-1:+7][0:+n + 1]"


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("real x", ir.FLOAT),
        ("real(8) x", ir.DOUBLE),
        ("real*8 x", ir.DOUBLE),
        ("real x*8", ir.DOUBLE),
        ("double precision x", ir.DOUBLE),
        ("real(kind=selected_real_kind(15, 307)) x", ir.DOUBLE),
        ("real(selected_real_kind(6)) x", ir.FLOAT),
        ("real(kind(1d0)) x", ir.DOUBLE),
        ("real(real64) x", ir.DOUBLE),
        ("real(c_float) x", ir.FLOAT),
        ("integer x", ir.INT),
        ("integer(8) x", ir.LONG),
        ("integer(selected_int_kind(12)) x", ir.LONG),
        ("integer*2 x", ir.Scalar("int", 2)),
        ("integer(c_size_t) x", ir.LONG),
        ("complex x", ir.Scalar("complex", 8)),
        ("complex(8) x", ir.Scalar("complex", 16)),
        ("complex*16 x", ir.Scalar("complex", 16)),
        ("double complex x", ir.Scalar("complex", 16)),
        ("logical x", ir.Scalar("bool", 4)),
        ("logical(1) x", ir.Scalar("bool", 1)),
        ("character(len=10) x", ir.Unknown("character")),
    ],
)
def test_kinds(declaration: str, expected: ir.Type, tmp_path: Path) -> None:
    source = f"subroutine s(x)\nuse iso_fortran_env\nuse, intrinsic :: iso_c_binding\n{declaration}\nend subroutine\n"
    assert lower(tmp_path, source).functions[0].parameters[0].type == expected


@pytest.mark.parametrize(
    ("literal", "value", "kind"),
    [
        ("1.5", 1.5, ir.FLOAT),
        ("1.5d0", 1.5, ir.DOUBLE),
        ("1.5e2_8", 150.0, ir.DOUBLE),
        (".5", 0.5, ir.FLOAT),
        ("2.", 2.0, ir.FLOAT),
        ("3_8", 3, ir.LONG),
        ("z'ff'", 255, ir.INT),
        ("b'101'", 5, ir.INT),
        (".true.", True, ir.Scalar("bool", 4)),
        ("(1.0, -2.0)", 1 - 2j, ir.Scalar("complex", 8)),
        ("'it''s'", "it's", ir.Unknown("character")),
    ],
)
def test_literals(literal: str, value: object, kind: ir.Type, tmp_path: Path) -> None:
    unit = lower(tmp_path, f"subroutine s\nimplicit none\nvar = {literal}\nend subroutine\n")
    statement = unit.functions[0].body[0]
    assert isinstance(statement, ir.Assign)
    assert statement.value == ir.Const(value, kind)  # type: ignore[arg-type]


def test_implicit_typing_follows_the_letters(tmp_path: Path) -> None:
    source = "subroutine s\nimplicit real*8 (a-h, o-z), integer*8 (k)\nx = k\ni = 1\nend subroutine\n"
    types = {v.id: v.type for v in lower(tmp_path, source).functions[0].locals}
    assert types == {"x": ir.DOUBLE, "k": ir.LONG, "i": ir.INT}


def test_directives_are_attached_to_their_loops(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        """
        !$omp parallel private(i) &
        !$omp& shared(a)
        !$omp do schedule(static)
        do i = 1, n
          !$omp atomic
          x = x + a(i)
        end do
        !$omp end do nowait
        !$omp barrier
        !$omp end parallel
        !dir$ ivdep
        !$acc parallel loop gang
        do i = 1, n
          a(i) = 0
        end do
        """,
    )
    assert (
        text.strip()
        == dedent("""
        #omp parallel private(i) shared(a)
          #omp do schedule(static)
          for i = 1 .. n by 1
            #omp atomic
              x = x + a[i]
          #omp barrier
        #dir ivdep
        #acc parallel loop gang
        for i = 1 .. n by 1
          a[i] = 0
    """).strip()
    )


def test_allocate_makes_extents_known(tmp_path: Path) -> None:
    text = body(tmp_path, "allocate(w(0:n, 3))\nw = 1\nk = size(w, 1)\n", "real(8), allocatable :: w(:,:)\n")
    assert "= 0 .. n by 1" in text
    assert "k = n + 1" in text


def test_two_different_allocates_leave_extents_unknown(tmp_path: Path) -> None:
    text = body(tmp_path, "allocate(w(n))\ndeallocate(w)\nallocate(w(m))\nw = 1\n", "real(8), allocatable :: w(:)\n")
    assert "size(w, 1)" in text


def test_pointers_are_addresses(tmp_path: Path) -> None:
    text = body(
        tmp_path, "p => u(:, k)\np(i) = 1\nq => v\nnullify(p)\n", "real(8), pointer :: p(:), q(:,:)\ntarget u, v\n"
    )
    assert text.splitlines()[:3] == ["p = &u[k]", "(*p)[i] = 1", "q = &v"]


def test_derived_types(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          type cell
            real(8) :: c(3)
          end type
          type grid
            integer :: n
            type(cell) :: b(10)
            real(8), allocatable :: u(:,:)
            type(grid), pointer :: next
          end type
        contains
          subroutine s(g, i, j)
            type(grid) :: g
            integer :: i, j
            g%u(i, j) = g%b(i)%c(2) + g%next%u(j, i) + sum(g%b(:)%c(1))
          end subroutine
        end module
        """,
    )
    text = ir_text.statement_text(unit.functions[0].body)
    assert "g.u[j][i] = g.b[i].c[2] + g.next->u[i][j] + sum@16" in text
