"""What the C front end makes of each construct, as text of the IR. What it computes is in test_c_frontend_oracle.py."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from foretell.frontends.source import ir
from tests.support.frontends.c import body, function, loops_accounted, lower, text
from tests.support.frontends.ir_text import type_text, unit_text

if TYPE_CHECKING:
    from pathlib import Path

ARGUMENTS = "int n, int m, double *a, const double *restrict b, int *p, float *s"

SNIPPETS = {
    "counted": (
        "for (int i = 0; i < n; i++) a[i] = b[i];",
        """
        for i = 0 .. n - 1 by 1  {local}
          a[i] = b[i]
        """,
    ),
    "turned_round_and_inclusive": (
        "int i; for (i = 1; n >= i; i += 2) a[i] = 0;",
        """
        declare i
        for i = 1 .. n by 2
          a[i] = 0.0
        """,
    ),
    "downward": (
        "for (int i = n - 1; i >= 0; i--) a[i] = 0; for (int i = n; i > m; i -= m) a[i] = 0;",
        """
        for i = n - 1 .. 0 by -1  {local}
          a[i] = 0.0
        for i#2 = n .. m + 1 by -m  {local}
          a[i#2] = 0.0
        """,
    ),
    "not_equal": (
        "for (int i = 0; i != n; ++i) a[i] = 0;",
        """
        for i = 0 .. n - 1 by 1  {local, exact_end}
          a[i] = 0.0
        """,
    ),
    "the_bound_takes_in_constants": (
        "for (int i = 0; i < n + 1; i++) a[i] = 0; for (int i = 0; i + 2 < 7; i++) a[i] = 0;",
        """
        for i = 0 .. n by 1  {local}
          a[i] = 0.0
        for i#2 = 0 .. 4 by 1  {local}
          a[i#2] = 0.0
        """,
    ),
    "two_limits": (
        "for (int i = 0; i < n && i <= m; i++) a[i] = 0;",
        """
        for i = 0 .. min(n - 1, m) by 1  {local}
          a[i] = 0.0
        """,
    ),
    "commas_in_the_head": (
        "int i, j; for (i = 0, j = n; i < n; i++, j--) a[i] = b[j];",
        """
        declare i
        declare j
        j = n
        for i = 0 .. n - 1 by 1
          a[i] = b[j]
          j = j - 1  {compound}
        """,
    ),
    "two_counters_compared": (
        "for (int i = 0, j = n; i < j; i++, j--) a[i] = b[j];",
        """
        declare i = 0
        declare j = n
        while i < j
          a[i] = b[j]
        step
          i = i + 1  {compound}
          j = j - 1  {compound}
        """,
    ),
    "a_bound_that_changes": (
        "for (int i = 0; i < n; i++) n--;",
        """
        declare i = 0
        while i < n
          n = n - 1  {compound}
        step
          i = i + 1  {compound}
        """,
    ),
    "a_bound_in_memory": (
        "for (int r = 0; r < n; r++) for (int k = p[r]; k < p[r + 1]; k++) a[r] += b[k];",
        """
        for r = 0 .. n - 1 by 1  {local}
          for k = p[r] .. p[r + 1] - 1 by 1  {local}
            a[r] = a[r] + b[k]  {compound}
        """,
    ),
    "stepping_in_the_test": (
        "while (n--) *a++ = *b++ * 2;",
        """
        for n = n - 1 .. 0 by -1  {exact_end}
          *a = *b * 2.0
          a = a + 1  {compound}
          b = b + 1  {compound}
        """,
    ),
    "while_and_do": (
        "int i = 0; while (i < n) { a[i] = 0; i++; } do { n /= 2; } while (n > m);",
        """
        declare i = 0
        while i < n
          a[i] = 0.0
          i = i + 1  {compound}
        do
          n = n / 2  {compound}
        while n > m
        """,
    ),
    "endless": (
        "for (;;) { if (n > m) break; n++; }",
        """
        while 1
          if n > m
            break
          n = n + 1  {compound}
        """,
    ),
    "effects_in_a_test": (
        "while ((n = p[m++]) > 0) a[n] = 1;",
        """
        n = p[m]
        m = m + 1  {compound}
        while n > 0
          a[n] = 1.0
        step
          n = p[m]
          m = m + 1  {compound}
        """,
    ),
    "chained_assignment": (
        "a[0] = a[1] = b[0] + b[1]; n = m = 3;",
        """
        t%1 = b[0] + b[1]
        a[1] = t%1
        a[0] = t%1
        m = 3
        n = m
        """,
    ),
    "short_circuit_with_effects": (
        "if (n++ > 1 && p[m++]) a[0] = 1;",
        """
        t%1 = n > 1
        n = n + 1  {compound}
        if t%1
          t%1 = p[m] != 0
          m = m + 1  {compound}
        if t%1
          a[0] = 1.0
        """,
    ),
    "conversions": (
        "a[0] = n + 1.5f; s[0] = a[0] * n; n = a[0]; p[0] = (char)n; long l = n * m; a[1] = n > m; n += 0.5;",
        """
        a[0] = double(float(n) + 1.5f)
        s[0] = float(a[0] * double(n))
        n = int(a[0])
        p[0] = int(int8(n))
        declare l = long(n * m)
        a[1] = double(n > m)
        n = int(double(n) + 0.5)  {compound}
        """,
    ),
    "constants": (
        "enum { K = 4 }; const int big = K * 100; a[big + K] = 1.0 / 3.0 * b[K / 3]; n = sizeof(double) * K - 'a';",
        """
        a[big + 4] = 0.3333333333333333 * b[1]
        n = -65
        """,
    ),
    "ternaries": (
        "a[0] = n > m ? b[0] : -b[1]; n > 0 ? (m = 1) : (m = 2);",
        """
        a[0] = n > m ? b[0] : -b[1]
        if n > 0
          m = 1
        else
          m = 2
        """,
    ),
    "switch_without_fall_through": (
        "switch (n) { case 1: a[0] = 1; case 2: a[1] = 2; break; default: if (m) break; a[2] = 3; }",
        """
        switch n
          case 1
            a[0] = 1.0
            a[1] = 2.0
          case 2
            a[1] = 2.0
          default
            if m
            else
              a[2] = 3.0
        """,
    ),
    "a_break_that_needs_a_goto": (
        "switch (n) { case 1: if (m) { if (m > 1) break; a[0] = 1; } a[1] = 2; }",
        """
        switch n
          case 1
            if m
              if m <= 1
                a[0] = 1.0
                a[1] = 2.0
            else
              a[1] = 2.0
        """,
    ),
    "labels": (
        "again: n--; if (n > 0) goto again;",
        """
        do
          n = n - 1  {compound}
        while n > 0
        """,
    ),
    "braces_of_a_macro": (
        "do { a[0] = 1; } while (0);",
        """
        a[0] = 1.0
        """,
    ),
    "zeros_by_a_loop": (
        "double z[100] = {0}; int k[3] = {[1] = 5};",
        """
        declare z
        for t%1 = 0 .. 99 by 1  {implied, local}
          z[t%1] = 0.0
        declare k
        k[0] = 0
        k[1] = 0
        k[2] = 0
        k[1] = 5
        """,
    ),
    "arrays_of_arrays": (
        "double (*c)[8] = (double (*)[8])a; double d[4][8]; d[n][m] = c[m][n] + *(*(d + 1) + 2) + *d[3];",
        """
        declare c = (double[8])*(a)
        declare d
        d[n][m] = c[m][n] + d[1][2] + d[3][0]
        """,
    ),
    "shadows": (
        "int i = 1; { int i = 2; p[i] = 0; } for (int i = 0; i < n; i++) p[i] = 1; p[i] = 3;",
        """
        declare i = 1
        declare i#2 = 2
        p[i#2] = 0
        for i#3 = 0 .. n - 1 by 1  {local}
          p[i#3] = 1
        p[i] = 3
        """,
    ),
    "math": (
        "a[0] = fmax(sqrt(a[1]), pow(a[2], 2)) + abs(n); s[0] = sqrtf(s[1]) * fminf(s[2], 1);",
        """
        a[0] = max(sqrt(a[1]), pow(a[2], 2.0)) + double(abs(n))
        s[0] = sqrt(s[1]) * min(s[2], 1.0f)
        """,
    ),
    "builtins": (
        "if (__builtin_expect(n > 1, 0)) a[0] = __builtin_fabs(a[1]); __builtin_prefetch(a); int t = ({ n + 1; });",
        """
        if n > 1
          a[0] = fabs(a[1])
        declare t = n + 1
        """,
    ),
    "pointer_differences": (
        "n = a + 4 - a; if (!p) return; if (p == 0) p = 0;",
        """
        n = int(long(a + 4 - a))
        if !p
          return
        if p == 0
          p = 0
        """,
    ),
    "static_and_strings": (
        'static int calls = 3; calls++; const char *t = "x\\n";',
        """
        f.calls = f.calls + 1  {compound}
        declare t = "x\\n"
        """,
    ),
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets(name: str, tmp_path: Path) -> None:
    source, expected = SNIPPETS[name]
    unit = lower(tmp_path, f"#include <math.h>\n#include <stdlib.h>\nvoid f({ARGUMENTS}) {{ {source} }}\n")
    assert unit.diagnostics == ()
    assert function(unit).errors == ()
    assert body(unit) == dedent(expected).strip()
    assert loops_accounted(unit) == unit.loops_seen


def test_a_whole_unit(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        #define N 10
        typedef double real;
        struct grid {
            int n; real *u; struct grid *next; real w[3][4]; struct { int q; }; union { int i; float f; } v;
        };
        extern int limit;
        static const int M = 3 * N;
        real field[N][M];
        int start = 4;
        static inline int idx(int i, int j) { return i * M + j; }
        void f(int n, int m, real x[n][m], real (*restrict y)[m], struct grid *g, int k[]) {
            for (int i = 0; i < g->n; i++) g->next->u[idx(i, 1)] = g->w[i][2] + x[i][1] + y[1][i] + g->q + field[1][i];
            *k++ = limit + g->v.i;
        }
        """,
    )
    assert (
        unit_text(unit)
        == dedent(
            """
        unit c, 1 loops
        global limit: int
        constant M: int = 30
        global field: double[10][30]
        global start: int

        static int idx(i: int, j: int)
          return i * M + j

        void f(n: int, m: int, x: double[n][m], y: (double[m])*restrict, g: struct grid*, k: int*)
          i: int
          for i = 0 .. g->n - 1 by 1  {local}
            g->next->u[idx(i, 1)] = g->w[i][2] + x[i][1] + y[1][i] + double(g->q) + field[1][i]
          *k = limit + g->v.i
          k = k + 1  {compound}
        """
        ).strip()
    )
    assert unit.initial == (ir.Assign(ir.Name("start", ir.INT), ir.Const(4, ir.INT), 10),)
    assert function(unit).link_names == ("f",)
    assert function(unit, "idx").static


def test_what_a_function_keeps_belongs_to_the_file(tmp_path: Path) -> None:
    source = "static int k = 2; static const int m = 3; static const double c[2] = {1, 2}; return c[n] * m * k++;"
    unit = lower(tmp_path, f"double f(int n) {{ {source} }}")
    assert [(v.id, v.display, v.storage) for v in unit.globals] == [
        ("f.k", "k", "static"),
        ("f.m", "m", "constant"),
        ("f.c", "c", "static"),
    ]
    assert [s.value for s in unit.initial] == [ir.Const(2, ir.INT), ir.Const(1.0, ir.DOUBLE), ir.Const(2.0, ir.DOUBLE)]
    assert body(unit).splitlines()[0] == "t%1 = f.c[n] * double(f.m) * double(f.k)"


def test_the_address_of_a_structure_for_its_member_changes_nothing(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "struct b { int lo[3], hi[3]; };\n#define LOOP(b, d, i) for (int i = (b)->lo[d]; i <= (b)->hi[d]; i++)\n"
        "void f(struct b b, double *a) { LOOP(&b, 1, j) LOOP(&b, 0, i) a[i + j] = 0; }",
    )
    assert body(unit).splitlines() == [
        "for j = b.lo[1] .. b.hi[1] by 1  {local}",
        "  for i = b.lo[0] .. b.hi[0] by 1  {local}",
        "    a[i + j] = 0.0",
    ]


def test_records_behind_pointers_in_records_are_names_only(tmp_path: Path) -> None:
    unit = lower(tmp_path, "struct a { struct a *next; double x[2]; };\nint f(struct a *p) { return p->next != 0; }")
    (parameter,) = function(unit).parameters
    inner = (("next", ir.Pointer(ir.Record("a"))), ("x", ir.Array(ir.DOUBLE, (ir.Extent(ir.Const(2, ir.LONG)),))))
    assert parameter.type == ir.Pointer(ir.Record("a", inner))


def test_function_pointers(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        "double g(double);\nvoid f(double *a, double (*h)(double)) {"
        " double (*k)(double) = g; a[0] = k(1) + h(2) + (*h)(3); }",
    )
    assert body(unit).splitlines() == ["declare k = g", "a[0] = (*k)(1.0) + (*h)(2.0) + (*h)(3.0)"]
    assert type_text(function(unit).parameters[1].type) == "double()*"


def test_a_library_name_does_not_become_the_users_function(tmp_path: Path) -> None:
    source = "#include <math.h>\nstatic double max(double a, double b) { return a > b ? a : b; }\n"
    unit = lower(tmp_path, source + "double f(double x) { return max(x, 1) + fmax(x, 2) + fmin(x, 3); }")
    assert body(unit) == "return max(x, 1.0) + fmax(x, 2.0) + min(x, 3.0)"


def test_a_library_function_declared_by_hand_is_the_librarys(tmp_path: Path) -> None:
    unit = lower(tmp_path, "float sqrtf(float);\nfloat f(float x) { return sqrtf(x); }")
    assert body(unit) == "return sqrt(x)"


def test_variable_length_arrays_keep_the_size_they_were_born_with(tmp_path: Path) -> None:
    unit = lower(tmp_path, "long f(int n, int m) { double a[n][m]; n--; return sizeof a; }")
    assert text(unit).splitlines()[1:] == [
        "  a: double[t%1][m]",
        "  t%1: int",
        "  t%1 = n",
        "  declare a",
        "  n = n - 1  {compound}",
        "  return long(ulong(8 * long(t%1) * long(m)))",
    ]
