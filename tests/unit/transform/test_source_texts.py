"""Reading loops and effects off texts of C and Fortran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.transform.kernels import launch_bounds, restrict_pointers
from foretell.transform.program import RefusedError
from foretell.transform.text import c_text, fortran_text
from foretell.transform.text.effects import declared, effects, mentions, substituted
from foretell.transform.text.source import Edit, edited, is_lone, laid_out, loops_in, shifted
from tests.unit.transform.programs import changed, changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path


def heads(body: str) -> list[tuple[str, str, str, str, int] | str]:
    """Heads of the loops of a function, or why they are none."""
    functions = c_text.read_functions(f"void f(int n) {{\n{body}\n}}\n")
    loops = [loop for function in functions for loop in loops_in(function.pieces)]
    return [
        (one.head.variable, one.head.lower, one.head.relation, one.head.limit, one.head.step)
        if one.head
        else one.reason
        for one in loops
    ]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("int i = 0; i < n; i++", ("i", "0", "<", "n", 1)),
        ("i = n - 1; i >= 0; --i", ("i", "n - 1", ">=", "0", -1)),
        ("long i = 2; i <= 2*n; i += 3", ("i", "2", "<=", "2*n", 3)),
        ("size_t i = n; i > 4; i = i - 2", ("i", "n", ">", "4", -2)),
        (
            "i = 0, j = 0; i < n; i++",
            "it starts several variables: start the others before it, and step them in its body",
        ),
        ("i = 0; i < n; i++, j++", "it steps several variables: step those other than i in its body"),
        ("i; i < n; i++", "it starts no variable"),
        ("; i < n; i++", "its head lacks a start, a condition or a step"),
        ("int i = 0; i < n && i < 9; i++", "its condition does not compare i with a limit"),
        ("int i = 0; n > i; i++", "its condition does not compare i with a limit"),
        ("int i = 0; i < n; i += n", "its step is no constant number added to i"),
        ("double i = 0; i < n; i++", "the type double of its variable is no integer"),
    ],
)
def test_heads(head: str, expected: object) -> None:
    assert heads(f"for ({head}) g();") == [expected]


def test_loops_inside_other_statements_are_found() -> None:
    body = """
    /* for (int no = 0; no < 1; no++) */ // for
    #define LOOP for (;;)
    if (n) { for (int i = 0; i < n; i++) g(); } else for (int j = 0; j < n; j++) { g(); }
    do { while (n) for (int k = 0; k < n; k++) ; } while (0);
    switch (n) { case 1: for (int l = 0; l < n; l++) g(); break; }
    char *text = "for (";
    """
    assert [one[0] for one in heads(body)] == ["i", "j", "k", "l"]


@pytest.mark.parametrize("text", ["void f(int n) { for (", "void f() { a = 1 }", "struct s { int x; };", "}", "{"])
def test_texts_that_are_no_c(text: str) -> None:
    functions = c_text.read_functions(text)
    assert all(not one.pieces for one in functions)


def test_effects_of_c() -> None:
    known = effects("int a = 1; double x[4], y; x[i] += a; s = s + 1; ++k; k2++; p.m = 3; q[i].m = 4; t[0]++; sqrt(s);")
    assert known.declared >= {"a", "x", "y"}
    assert known.scalars >= {"s", "k", "k2", "a"}
    assert known.stores == 3
    assert "store through a pointer" in known.obstacle  # p.m may be anything
    assert "store through" in effects("*p = 1;").obstacle
    assert "volatile" in effects("volatile int x;").obstacle
    assert effects("a[i] = fmax(b[i], 0);").obstacle == ""
    assert declared("for (int i = 0, j = 1; i < n; i++)") == {"i", "j"}


def test_names_in_texts() -> None:
    assert mentions("a + n", "n")
    assert not mentions("nn + s.n", "n")
    assert mentions("N", "n", "fortran")
    assert substituted("i + a.i + p->i /* i */", "i", "(i + 1)") == "(i + 1) + a.i + p->i /* i */"
    assert substituted("I + 1 ! i", "i", "k", "fortran") == "k + 1 ! i"


def test_edits_and_layout() -> None:
    assert edited("abcd", (Edit(0, 1, "x"), Edit(2, 2, "-"))) == "xb-cd"


@pytest.mark.parametrize("comment", ["// sum", "/* sum */"])
def test_a_comment_behind_a_statement_goes_before_new_braces(comment: str) -> None:
    loop = "for (;;) a++;"
    text = f"  {loop} {comment}\n  b = 1;\n"
    assert edited(text, (Edit(2, 2 + len(loop), "{ c }"),)) == f"  {comment}\n  {{ c }}\n  b = 1;\n"
    assert edited(text, (Edit(2, 2 + len(loop), "c++;"),)) == f"  c++; {comment}\n  b = 1;\n"
    beside = text.replace("\n  b", " b", 1) if comment.startswith("/*") else text
    assert beside is text or edited(beside, (Edit(2, 2 + len(loop), "{ c }"),)) == f"  {{ c }} {comment} b = 1;\n"
    assert shifted("a\nb\n#c", "  ") == "a\n  b\n#c"
    assert laid_out("a\n      b\n\n        c", "  ") == "a\n  b\n\n    c"
    assert is_lone("if (x) ", 7)
    assert not is_lone("{ ", 2)


def test_fortran_units() -> None:
    text = "module m\ncontains\nreal(8) function f(n)\n  select case (n)\n  case (1)\n  end select\n  if (n > 1) then\n"
    text += "    do k = 1, n, 2\n    end do\n  else\n    do l = 1, n, n\n    end do\n  end if\n  do m = 1\n  end do\n"
    text += "end function\nend module\n"
    (function,) = fortran_text.read_functions(text)
    assert function.name == "f"
    loops = list(loops_in(function.pieces))
    assert [(one.head.variable, one.head.step) if one.head else one.reason for one in loops] == [
        ("k", 2), "its step is no constant number", "its head lacks a bound",
    ]  # fmt: skip


def test_fortran_directives_stand_before_loops() -> None:
    text = "subroutine s(n)\n!$omp parallel do\n\n  do i = 1, n\n  end do\n! plain\n  do j = 1, n\n  end do\nend\n"
    (function,) = fortran_text.read_functions(text)
    assert [one.directive for one in loops_in(function.pieces)] == [True, False]


KERNEL = """\
// k
__global__ void k(const float *x, float* __restrict__ y, int n) {}
#define F(g) __global__ void g(float *z)
"""


def test_kernels() -> None:
    bounded = launch_bounds(KERNEL, "k", 256, 4)
    assert "__global__ __launch_bounds__(256, 4) void k(" in edited(KERNEL, bounded.edits)
    assert bounded.line == 2
    with pytest.raises(RefusedError, match="already"):
        launch_bounds(edited(KERNEL, bounded.edits), "k", 256, 5)
    pointers = restrict_pointers(KERNEL, "k")
    assert "const float *__restrict__ x, float* __restrict__ y" in edited(KERNEL, pointers.edits)
    with pytest.raises(RefusedError, match="no pointers"):
        restrict_pointers(edited(KERNEL, pointers.edits), "k")
    with pytest.raises(RefusedError, match="macro or a template"):
        restrict_pointers(KERNEL, "unknown")


BLUR = """\
typedef struct { unsigned char r, g; } pixel;
void blur(const pixel *src, pixel *dst, int w, int h) {
    for (int x = 1; x < w - 1; x++)
        for (int y = 0; y < h; y++) {
            const pixel *p = &src[y * w + x];
            pixel *q = &dst[y * w + x];
            q->r = (p->r + p->g) / 2;
        }
}
"""


def test_pointers_to_elements_that_a_body_declares(tmp_path: Path) -> None:
    """The front end knows what they point to; one that moves on, or comes from elsewhere, may point anywhere."""
    text = changed(program(BLUR, tmp_path), "interchange x and y", "interchange")
    assert text.index("int y = 0") < text.index("int x = 1")
    assert effects("pixel *q = &d[i];\nq->r = 1;\n*q = s;").stores == 2
    assert "store through a pointer" in effects("pixel *q = &d[i];\nq++;\nq->r = 1;").obstacle
    assert "store through a pointer" in effects("pixel *q = first(d);\nq->r = 1;".replace("first(d)", "d + i")).obstacle
    assert "store through a pointer" in effects("pixel *q = &d[i];\nq->next->r = 1;").obstacle


def test_types_of_the_user_declare() -> None:
    declaring = effects("my_real x = a[i];\nconst pixel *p = &s[i], r;\nelse y = 1;\nreturn z;\nvec v;")
    assert declaring.declared == {"x", "p", "r", "v"}


def test_directives_have_a_line_of_their_own(tmp_path: Path) -> None:
    text = "void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"
    divided = changed(program(text, tmp_path), "divide the loop over i between threads", "parallelise")
    assert "\n#pragma omp parallel for\n" in divided
    assert "for (int i = 0; i < n; i++) x[i] *= 2; }" in divided


def test_limits_may_choose(tmp_path: Path) -> None:
    text = "void f(int m, int n, double *x) {\nfor (int i = 0; i < (m < n ? m : n); i++)\nx[i] = 1;\n}\n"
    assert "divide the loop over i between threads" in changes(program(text, tmp_path), "parallelise")
    several = text.replace("(m < n ? m : n)", "m && i < n")
    assert any("does not compare i with a limit" in one for one in refusals(program(several, tmp_path), "parallelise"))


def test_builtin_forms_of_functions_are_pure() -> None:
    assert effects("x[i] = __builtin_sqrtf(y[i]);").obstacle == ""
    assert "calls __builtin_trap" in effects("x[i] = 1; __builtin_trap();").obstacle


def test_loops_that_end_at_a_label_are_named(tmp_path: Path) -> None:
    text = "subroutine f(n, x)\ninteger n, i\nreal x(n)\n10 do 20 i = 1, n\nx(i) = 1\n20 continue\nend subroutine f\n"
    reasons = refusals(program(text, tmp_path, "f.f90"), "interchange", "tile")
    assert len([one for one in reasons if "line 4: a loop that ends at label 20 is not changed" in one]) == 1
    assert fortran_text.labelled_loops("c do 5 i = 1, n\ndo i = 1, 5\n  DO 100, J = 1, N\n") == [(3, "100")]
