"""Fortran modules, procedures, derived types, jumps and data → the statement IR."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from foretell.frontends.source import ir
from tests.support.frontends import ir_text
from tests.support.frontends.fortran_text import body, lower

if TYPE_CHECKING:
    from pathlib import Path


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
