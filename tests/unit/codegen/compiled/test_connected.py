"""The part of a unit that decides the code of a function."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from foretell.codegen.assembly.identity import function_identity
from foretell.codegen.compiled.connected import connected_part
from foretell.codegen.compiled.installed import named_compiler
from foretell.codegen.compiled.unit import compile_unit

if TYPE_CHECKING:
    from pathlib import Path

UNIT = """\
# 1 "a.c"
# 1 "/usr/include/math.h" 1 3 4
extern double sqrt(double); static inline int twice(int n) { return 2 * n; }
# 2 "a.c" 2
typedef double real;
static const real factors[2] = {1.5, -0.5};
static int calls;
struct pair { real x, y; };
static real scaled(real x) { return x * factors[0]; }
real first(real x) { return scaled(x) + '}'; }
# 20 "a.c"
struct pair second(real x) {
  struct pair p = {scaled(x), 0};
# 30 "a.c"
  return p;
}
int counts(void) { return ++calls; }
__attribute__((noinline)) real alone(const real *a, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) if (a[i] > 3) return a[i] + sqrt(2);
  return 0;
} real last(void) { return 1; }
"""


def test_functions_that_share_nothing_are_left_out_and_lines_stay() -> None:
    part = connected_part(UNIT, ["alone"])
    assert part is not None
    assert "__attribute__((noinline)) real alone(const real *a, int n) {\n#pragma omp simd" in part
    assert "twice(int n) { return 2 * n; }" in part  # of a system header
    assert "static real scaled(real x) ;\nreal first(real x) ;\n" in part
    assert "return" not in part[part.index("second") : part.index("counts")]
    assert part.count("\n") == UNIT.count("\n")
    assert part.index('# 30 "a.c"\n\n') < part.index("int counts(void) ;")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("first", {"scaled(x) + '}'", "scaled(x), 0"}),  # another caller decides whether the callee is inlined
        ("counts", {"++calls"}),
        ("last", {"return 1"}),
    ],
)
def test_what_is_connected_stays(asked: str, kept: set[str]) -> None:
    part = connected_part(UNIT, [asked])
    assert part is not None
    found = {text for text in ("scaled(x) + '}'", "scaled(x), 0", "++calls", "a[i] > 3", "return 1") if text in part}
    assert found == kept


@pytest.mark.parametrize(
    "unit",
    [
        "int only(int n) { return n; }",  # nothing to leave out
        "int f(n) int n; { return n; } int only(void) { return 1; }",  # old parameter declarations
        "int (*f(int n))(int) { return 0; } int only(void) { return 1; }",
        "int other(void) { return 1; }",  # asked for is another
        "int only(void) { return 1; } int g(void) { return 1;",
    ],
)
def test_a_unit_that_is_not_understood_stays_whole(unit: str) -> None:
    assert connected_part(f'# 1 "a.c"\n{unit}\n', ["only"]) is None


def test_a_table_of_functions_connects_them() -> None:
    unit = """# 1 "a.c"
static int f(int n) { return n + 1; }
static int g(int n) { return n + 2; }
int (*const table[2])(int) = {f, g};
int pick(int n) { return table[n](n); }
int alone(int n) { return n; }
"""
    part = connected_part(unit, ["pick"])
    assert part is not None
    assert "n + 1" in part
    assert "n + 2" in part
    assert "int alone(int n) ;" in part


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_code_and_lines_are_those_of_the_whole_unit(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    more = "\n".join(
        f"double more{n}(double *a, int n) {{ for (int i = 0; i < n; i++) a[i] += {n}; return a[0]; }}"
        for n in range(30)
    )
    own = (
        "#include <math.h>\n#define HALF(x) ((x) / 2)\nstatic double part(double x)\n{\n  return HALF(sqrt(x));\n}\n"
        "double asked(double *a, int n) {\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    s += part(a[i]);\n"
        "  return s;\n}\n"
    )
    file.write_text(f"{more}\n{own}")
    compiler = named_compiler("gcc")
    whole, part = (compile_unit(file, compiler, ("-O2",), (), functions=names).text for names in ((), ("asked",)))
    assert "more7:" in whole
    assert "more7:" not in part
    assert function_identity(part, "asked") == function_identity(whole, "asked")
    assert "\t.loc 1 40 " in part  # the sum


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_an_error_of_a_function_that_nobody_asked_for_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int broken(void) { return nowhere; }\n" + " " * 2_000 + "\nint asked(int n) { return n; }\n")
    text = compile_unit(file, named_compiler("gcc"), ("-O2",), (), functions=("asked",)).text
    assert "asked:" in text
