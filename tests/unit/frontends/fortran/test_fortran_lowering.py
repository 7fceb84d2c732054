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


def test_module_names_reach_other_files_in_any_order(tmp_path: Path) -> None:
    from foretell.frontends.fortran import parse_fortran

    user, module = tmp_path / "user.f90", tmp_path / "module.f90"
    user.write_text("subroutine s(a)\nuse consts, only: k => n, wp, f\nreal(wp) :: a(k)\na(1) = f(2)\nend subroutine\n")
    module.write_text(
        "module consts\ninteger, parameter :: wp = kind(1d0), n = 8\nprivate :: hidden\nreal :: hidden\ncontains\n"
        "real(wp) function f(i)\ninteger i\nf = i\nend function\nend module\n"
    )
    first, second = parse_fortran([user, module])
    kind = first.functions[0].parameters[0].type
    assert ir_text.type_text(kind) == "double[1:+consts::n]"
    assert [v.id for v in first.globals] == ["consts::wp", "consts::n"]
    assert first.functions[0].body == (
        ir.Assign(
            ir.Index(ir.Name("a", kind), (ir.Const(1, ir.INT),)), ir.Call("f", (ir.Const(2, ir.INT),), ir.DOUBLE), 4
        ),
    )
    assert second.functions[0].link_names == ("__consts_MOD_f",)


def test_link_names(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "subroutine Plain()\nend subroutine\nsubroutine bound() bind(c, name='c_bound')\nend subroutine\n"
        "subroutine caller()\ninterface\nsubroutine other() bind(c, name='otherC')\nend subroutine\nend interface\n"
        "call other()\nend subroutine\n",
    )
    assert [f.link_names for f in unit.functions] == [("plain_",), ("c_bound",), ("caller_",)]
    assert "otherC()" in ir_text.statement_text(unit.functions[2].body)


def test_contained_procedures_see_their_host_and_hide_its_names(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "subroutine host(n)\ninteger n, i, k\nk = 3\ncontains\n"
        "subroutine inner()\ninteger i\ni = k\nend subroutine\nend subroutine\n",
    )
    inner = unit.functions[1]
    assert [v.id for v in inner.locals] == ["i#2"]
    assert ir_text.statement_text(inner.body).strip() == "i#2 = k"


def test_generic_names_are_resolved_by_type_and_rank(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          interface norm
            module procedure norm_vector, norm_matrix, norm_single
          end interface
        contains
          real(8) function norm_vector(a)
            real(8) :: a(:)
            norm_vector = 1
          end function
          real(8) function norm_matrix(a)
            real(8) :: a(:,:)
            norm_matrix = 2
          end function
          real function norm_single(a)
            real :: a(:)
            norm_single = 3
          end function
          subroutine s(v, w, r)
            real(8) :: v(3), w(3,3), x
            real :: r(3)
            x = norm(v) + norm(w) + norm(r)
          end subroutine
        end module
        """,
    )
    assert "norm_vector(v) + norm_matrix(w) + norm_single(r)" in ir_text.statement_text(unit.functions[3].body)


def test_common_members_are_shared_globals(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "subroutine s\nparameter (n=4)\ncommon /blk/ a(n), k\na(1) = k\nend\n"
        "subroutine t\ncommon /blk/ a(4), k\nk = 1\nend\n",
    )
    assert [(v.id, ir_text.type_text(v.type)) for v in unit.globals] == [("/blk/a", "float[1:+4]"), ("/blk/k", "int")]


def test_forward_and_backward_gotos_become_structure(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        """
        if (k > 1) goto 10
        x = 1
        goto 20
        10 x = 2
        20 continue
        30 k = k + 1
        if (k < 5) goto 30
        do i = 1, n
          if (a(i) > x) goto 40
        end do
        40 y = i
        """,
    )
    assert (
        text.strip()
        == dedent("""
        if k > 1
          x = 2
        else
          x = 1
        do
          k = k + 1
        while k < 5
        for i = 1 .. n by 1
          if a[i] > x
            break
        y = i
    """).strip()
    )


def test_procedures_as_arguments_are_called_through_them(tmp_path: Path) -> None:
    unit = lower(tmp_path, "real function g(f, x)\nreal, external :: f\nreal x\ng = f(x)\nend function\n")
    assert "(*f)(x)" in ir_text.statement_text(unit.functions[0].body)
    assert len(unit.functions[0].parameters) == 2


def test_submodule_procedures_take_their_interface_from_the_module(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          interface
            module subroutine twice(a, n)
              integer, intent(in) :: n
              real, intent(inout) :: a(n)
            end subroutine
          end interface
        end module
        submodule (m) impl
        contains
          module procedure twice
            a = 2 * a
          end procedure
        end submodule
        """,
    )
    assert [p.id for p in unit.functions[0].parameters] == ["a", "n"]


def test_type_bound_procedures(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          type t
            real :: x
          contains
            procedure :: go => go_t
            procedure :: get
          end type
        contains
          subroutine go_t(this, k)
            class(t) :: this
            integer :: k
          end subroutine
          real function get(this)
            class(t) :: this
            get = this%x
          end function
          subroutine s(v, y)
            type(t) :: v
            real :: y
            call v%go(k=3)
            y = v%get()
          end subroutine
        end module
        """,
    )
    assert ir_text.statement_text(unit.functions[2].body).split("\n")[:2] == ["go_t(v, 3)", "y = get(v)"]


def test_select_type_gives_the_name_the_type_of_the_branch(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          type shape
            real :: area
          end type
          type, extends(shape) :: box
            real :: side(3)
          end type
        contains
          subroutine s(g, x)
            class(shape) :: g
            real :: x
            select type (g)
            type is (box)
              x = g%side(2) + g%area
            class default
              x = g%area
            end select
            select type (h => g)
            class is (box)
              h%side = x
            end select
          end subroutine
        end module
        """,
    )
    assert (
        ir_text.statement_text(unit.functions[0].body).strip()
        == dedent("""
        if same_type(g, "box")
          x = struct box(g).side[2] + struct box(g).area
        else
          x = g.area
        if same_type(g, "box")
          for i@21 = 1 .. 3 by 1  {implied, local}
            struct box(g).side[i@21] = x
    """).strip()
    )


def test_computed_and_arithmetic_gotos(tmp_path: Path) -> None:
    text = body(tmp_path, "goto (10, 20) k\nif (x) 10, 20, 30\n10 x = 1\n20 x = 2\n30 x = 3\n")
    assert "switch k\n  case 1\n    x = 1\n    x = 2\n  case 2\n    x = 2\n  default\n    if x < 0" in text
    assert text.endswith("x = 3")


def test_io_lists_are_calls_and_loops(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        "write (*, *) n, a(2:3), x\nread (5, *, end=10) (a(i), b(i), i = 1, n)\n"
        "open (10, file='f')\n10 continue\nprint*,n\n",
    )
    assert [line for line in text.splitlines() if "for" not in line] == [
        "write(n)", "  write(a[i@6])", "write(x)", "  read(a[i])", "  read(b[i])", "open()", "print(n)",
    ]  # fmt: skip


def test_character_strings_are_opaque_but_lose_nothing(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        "w(1:2) = 'ab' // w(3:4)\nif (w(1:1) == 'a') x = 1\nk = len_trim(w) + index(w, 'b') + ichar('c')\n",
        "character(len=8) :: w\n",
    )
    assert (
        text.strip()
        == dedent("""
        w = concat("ab", substring(w))
        if substring(w) == "a"
          x = 1
        k = len_trim(w) + index(w, "b") + ichar("c")
    """).strip()
    )


def test_pointer_bounds_come_from_the_target(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        "p => v(:, 2)\np => a(3:n)\nq(0:, 0:) => u\np => null()\nz%next => z\nallocate(p(n))\n",
        "real(8), pointer :: p(:), q(:,:)\ntarget a, u, v\n"
        "type t\n type(t), pointer :: next\nend type\ntype(t), target :: z\n",
    )
    assert text.splitlines()[:5] == [
        "p = (double[1:+n + 2])*(&v[2])", "p = (double[1:+n - 2])*(&a[3])", "q = &u", "p = 0", "z.next = &z",
    ]  # fmt: skip


def test_equal_names_in_two_modules_stay_apart(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module a
        contains
          subroutine run
          end subroutine
        end module
        module b
        contains
          subroutine run
          end subroutine
        end module
        subroutine s
          use a, only: first => run
          use b
          call first
          call run
        end subroutine
        """,
    )
    assert [function.name for function in unit.functions] == ["a::run", "b::run", "s"]
    assert ir_text.statement_text(unit.functions[2].body).split() == ["a::run()", "b::run()"]


def test_private_names_do_not_leave_their_module(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        module m
          private
          integer, parameter :: hidden = 3
          integer, parameter, public :: shown = 4
          public :: also
          integer, parameter :: also = 5
        end module
        subroutine s(a, b, hidden)
          use m
          integer :: hidden
          real :: a(hidden, shown), b(also)
        end subroutine
        """,
    )
    assert [ir_text.type_text(p.type) for p in unit.functions[0].parameters] == [
        "float[1:+m::shown][1:+hidden]", "float[1:+m::also]", "int",
    ]  # fmt: skip


def test_real_loop_variables_count_rounds(tmp_path: Path) -> None:
    text = body(tmp_path, "do x = 0d0, 1d0, 0.25d0\n y = y + x\nend do\n")
    assert text.splitlines()[0] == "x = 0.0"
    assert "for round@6 = 0 .. int((1.0 - 0.0 + 0.25) / double(0.25)) - 1 by 1  {local}" in text


def test_eoshift_spread_and_friends_are_loops(tmp_path: Path) -> None:
    text = body(tmp_path, "a = eoshift(b, -1)\nu = spread(a, 2, m)\nu = cshift(u, 1, dim=2)\n")
    assert "a[i@6] = i@6 - 1 >= 1 ? b[i@6 - 1] : 0.0" in text
    assert "u[j@7][i@7] = a[i@7]" in text
    assert "u[j@8 + 1][i@8]" in text


def test_allocations_of_components_and_with_source(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        "allocate(g%w(n))\nallocate(z, source=a)\nallocate(p(2:n), stat=k)\ndeallocate(g%w, z)\n",
        "type t\n real(8), allocatable :: w(:)\nend type\ntype(t) :: g\nreal(8), allocatable :: z(:)\n"
        "real(8), pointer :: p(:)\n",
    )
    assert "opaque" not in text
    assert "g.w = allocate()" in text
    assert "z[i@13] = a[i@13]" in text


def test_a_statement_function_evaluates_its_arguments_once(tmp_path: Path) -> None:
    text = body(tmp_path, "sq(t) = t * t\nx = sq(a(i)) + sq(y)\n", "real(8) :: sq, t\n")
    assert text.strip() == "t@8 = a[i]\nx = t@8 * t@8 + y * y"


def test_arrays_get_the_values_of_data(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "subroutine s(a)\ninteger :: off(4), m(2, 2), n\nreal :: a(9), w(0:2)\n"
        "data n, off /3, -1, 2*0, 1/\ndata m /1, 2, 3, 4/, w /.5, 1e1, 2.5_4/\na(off(4)) = m(1, 2) * w(0) + n\n"
        "end subroutine\n",
    )
    assert ir_text.statement_text(unit.initial).split("\n") == [
        *(f"s::off[{place}] = {value}" for place, value in ((1, -1), (2, 0), (3, 0), (4, 1))),
        *(f"s::m[{j}][{i}] = {value}" for j, i, value in ((1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 4))),
        *(f"s::w[{place}] = {value}f" for place, value in ((0, 0.5), (1, 10.0), (2, 2.5))),
    ]


def test_data_that_is_not_understood_gives_no_values(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "subroutine s(k)\ninteger :: a(2), b(2), k\ncharacter(3) :: c(2)\nreal :: x(k, 2)\n"
        "data a, b /1, 2, 3, 4/\ndata c /'one', 'two'/\ndata (b(i), i = 1, 2) /2*0/\nend subroutine\n",
    )
    assert not unit.initial


def test_blanks_inside_the_brackets_of_a_constructor(tmp_path: Path) -> None:
    assert body(tmp_path, "a(1:2) = ( /1.0, 2.0/ )\n") == body(tmp_path, "a(1:2) = (/1.0, 2.0/)\n")
