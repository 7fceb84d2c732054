"""C directives and headers: to what they belong."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from foretell.frontends.c.parse.clang import HEADERS
from foretell.frontends.source import ir
from tests.support.frontends.c import body, function, loops_accounted, lower, parse_c

if TYPE_CHECKING:
    from pathlib import Path


# ---------------------------------------------------------------------------------------------- directives


def test_directives_are_attached_to_what_follows_them(tmp_path: Path) -> None:
    unit = lower(
        tmp_path,
        """
        void f(int n, double *a) {
        #pragma omp parallel
            {
        #pragma omp for schedule(static) \\
                nowait
                for (int i = 0; i < n; i++) a[i] = 0;
        #pragma omp barrier
                if (n > 1)
        #pragma omp simd
                    for (int i = 0; i < n; i++) a[i] = 1;
        #pragma omp barrier
            }
        #pragma unroll(4)
            while (n > 1) n--;
        #pragma GCC diagnostic ignored "-Wfoo"
            n = 3;
            _Pragma("foretell trips(10)") for (;;) n++;
        }
        """,
    )
    assert (
        body(unit)
        == dedent(
            """
        #omp parallel
          #omp for schedule(static) nowait
          for i = 0 .. n - 1 by 1  {local}
            a[i] = 0.0
          #omp barrier
          if n > 1
            #omp simd
            for i#2 = 0 .. n - 1 by 1  {local}
              a[i#2] = 1.0
          #omp barrier
        #unroll unroll(4)
        while n > 1
          n = n - 1  {compound}
        n = 3
        #foretell trips(10)
        while 1
          n = n + 1  {compound}
        """
        ).strip()
    )


def test_directives_made_by_macros_and_hidden_by_openmp(tmp_path: Path) -> None:
    (tmp_path / "pragmas.h").write_text(
        "#define MY(x) _Pragma(#x)\n#define ACROSS(b) MY(omp parallel for private(b))\n"
    )
    unit = lower(
        tmp_path,
        """
        #include "pragmas.h"
        void f(int n, double *a) {
            int b;
            ACROSS(b)
            for (b = 0; b < n; b++) a[b] = 0;
        #ifdef _OPENMP
        #pragma omp simd
        #endif
            for (b = 0; b < n; b++) a[b] = 1;
        #ifdef _OPENMP
        #pragma omp parallel
            for (;;) ;
        #endif
            for (b = 0; b < n; b++) a[b] = 2;
        }
        """,
    )
    loops = [s for s in function(unit).body if isinstance(s, ir.Loop)]
    assert [[d.words for d in loop.directives] for loop in loops] == [[("parallel", "for")], [("simd",)], []]
    assert loops[0].directives[0].clauses == (("private", "b"),)
    assert unit.loops_seen == 3


# ---------------------------------------------------------------------------------------------- several files


def test_functions_of_headers_belong_to_the_program_once(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "tools.h").write_text(
        "static inline void z(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }\n"
    )
    for name in "ab":
        (tmp_path / f"{name}.c").write_text(f'#include "tools.h"\nvoid {name}(double *x) {{ z(N, x); }}\n')
    units = parse_c([tmp_path / "a.c", tmp_path / "b.c"], includes=[tmp_path / "inc"], defines={"N": "7"})
    assert [[f.name for f in unit.functions] for unit in units] == [["z", "a"], ["b"]]
    assert [unit.loops_seen for unit in units] == [1, 0]
    assert units[0].functions[0].file == str(tmp_path / "inc" / "tools.h")
    assert body(units[1], "b") == "z(7, x)"


def test_a_header_that_is_different_in_each_unit_is_kept(tmp_path: Path) -> None:
    (tmp_path / "kernel.h").write_text("static void k(T *a) { for (int i = 0; i < 4; i++) a[i] = 0; }\n")
    for name, kind in (("a", "float"), ("b", "double")):
        (tmp_path / f"{name}.c").write_text(f'#define T {kind}\n#include "kernel.h"\n')
    units = parse_c([tmp_path / "a.c", tmp_path / "b.c"])
    assert [unit.loops_seen for unit in units] == [1, 1]


def test_the_same_file_twice_by_include(tmp_path: Path) -> None:
    (tmp_path / "t.h").write_text("void NAME(double *a) { for (int i = 0; i < 4; i++) a[i] = 0; }\n")
    unit = lower(tmp_path, '#define NAME one\n#include "t.h"\n#undef NAME\n#define NAME two\n#include "t.h"\n')
    assert [f.name for f in unit.functions] == ["one", "two"]
    assert loops_accounted(unit) == unit.loops_seen == 2


@pytest.mark.parametrize("header", sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h")))
def test_every_stub_header_parses_alone_and_twice(header: str, tmp_path: Path) -> None:
    unit = lower(tmp_path, f"#include <{header}>\n#include <{header}>\nint f(void) {{ return 0; }}\n")
    assert unit.diagnostics == ()
    assert [f.name for f in unit.functions] == ["f"]


def test_a_label_behind_a_break_is_still_there(tmp_path: Path) -> None:
    source = "switch (n) { case 1: if (n > 2) goto l; break; l: for (int i = 0; i < n; i++) a[i] = 0; break; }"
    unit = lower(tmp_path, f"void f(int n, double *a) {{ {source} }}")
    assert loops_accounted(unit) == unit.loops_seen == 1
    assert body(unit).splitlines()[1:4] == ["  case 1", "    if n > 2", "      for i = 0 .. n - 1 by 1  {local}"]
