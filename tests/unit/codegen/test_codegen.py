"""Generated code does what the source says: it is run, and compared with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from foretell.codegen.compilers.flags import CodeOptions, parse_flags
from foretell.codegen.generate import generated
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.values import FloatRules
from foretell.errors import InputError, UnsupportedError
from tests.support.caches.nests import of_c, of_fortran, only
from tests.support.models.codegen import kernel, numbers, run

pytest.importorskip("llvmlite")


# --- flags ------------------------------------------------------------------------------------------------


def test_flags_as_gcc_and_clang_read_them() -> None:
    gcc, clang = parse_flags("-O2"), parse_flags("-O2", "clang")
    assert (gcc.level, gcc.vectorise, gcc.unroll) == (2, False, False)
    assert (clang.level, clang.vectorise, clang.unroll) == (2, True, True)
    assert parse_flags("-O3 -march=znver4 -mprefer-vector-width=256") == CodeOptions(cpu="znver4", vector_bits=256)
    assert parse_flags("-Ofast").fast_math
    assert not parse_flags("-Ofast").checked
    assert not parse_flags("-O3 -ffast-math -fno-fast-math").fast_math
    assert not parse_flags("-O3 -ffp-contract=off").contract
    assert parse_flags("-O1").level == 1
    assert parse_flags("-O2 -ftree-vectorize").vectorise
    assert not parse_flags("-O3 -fno-tree-vectorize").vectorise
    assert parse_flags("-O3 -funroll-loops").unroll
    assert not parse_flags("-O3 -funroll-loops -fno-unroll-loops").unroll
    assert not parse_flags("-O3 -fno-math-errno").checked
    assert parse_flags("-O3 -Wall -I dir").ignored == ("-Wall", "-I", "dir")


def test_wrong_flags() -> None:
    with pytest.raises(InputError, match="closing quotation"):
        parse_flags("-O3 '")
    with pytest.raises(InputError, match="not one of gcc, gcc-12, clang"):
        parse_flags("-O3", "icc")


# --- what the code does ------------------------------------------------------------------------------------


def test_a_stencil() -> None:
    n = 9
    p, q = numbers(n**3), np.zeros(n**3)
    run(kernel("st7"), {"p": p, "q": q}, {"n": n}, {"c0": 0.5, "c1": 0.25})
    cube = p.reshape(n, n, n)
    inner = cube[1:-1, 1:-1, 1:-1]
    around = sum(np.roll(cube, by, axis)[1:-1, 1:-1, 1:-1] for by in (1, -1) for axis in (0, 1, 2))
    np.testing.assert_allclose(q.reshape(n, n, n)[1:-1, 1:-1, 1:-1], 0.5 * inner + 0.25 * around, rtol=1e-14)
    assert not q.reshape(n, n, n)[0].any()


def test_sums_come_out() -> None:
    a, b = numbers(50), numbers(50, 2)
    assert run(kernel("dot"), {"a": a, "b": b}, {"n": 50})["s"] == pytest.approx(a @ b, rel=1e-14)
    found = run(kernel("maxnorm"), {"a": -a}, {"n": 50})
    assert found["s"] == a.max()
    whole = np.arange(50, dtype=np.int32)
    assert run(kernel("isum"), {"a": whole}, {"n": 50}, {"s": 7})["s"] == whole.sum() + 7


def test_matrix_products_agree() -> None:
    n = 7
    a, b, c, d = numbers(n * n), numbers(n * n, 2), np.zeros(n * n), np.zeros(n * n)
    run(kernel("mm_ikj"), {"a": a, "b": b, "c": c}, {"n": n})
    run(kernel("mm_ijk"), {"a": a, "b": b, "c": d}, {"n": n})
    expected = a.reshape(n, n) @ b.reshape(n, n)
    np.testing.assert_allclose(c.reshape(n, n), expected, rtol=1e-13)
    np.testing.assert_allclose(d.reshape(n, n), expected, rtol=1e-13)


def test_gathers_and_rows_of_unknown_length() -> None:
    nest = only(of_c("""
        void csr(int n, const int *rp, const int *col, const double *v, const double *x, double *y) {
          for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = rp[i]; j < rp[i+1]; j++) s += v[j]*x[col[j]];
            y[i] = s;
          }
        }"""))  # fmt: skip
    rows = np.array([0, 2, 2, 5], dtype=np.int32)
    columns = np.array([1, 0, 2, 1, 0], dtype=np.int32)
    v, x, y = numbers(5), numbers(3, 2), np.ones(3)
    run(nest, {"rp": rows, "col": columns, "v": v, "x": x, "y": y}, {"n": 3})
    expected = [sum(v[j] * x[columns[j]] for j in range(rows[i], rows[i + 1])) for i in range(3)]
    np.testing.assert_allclose(y, expected, rtol=1e-14)


def test_an_index_that_is_computed() -> None:
    nest = only(
        of_c(
            "void h(int n, const double *x, int *b, double f) {"
            " for (int i = 0; i < n; i++) { int k = (int)(x[i]*f); b[k]++; } }"
        )
    )
    x, bins = np.array([0.1, 0.9, 0.5, 0.95]), np.zeros(4, dtype=np.int32)
    run(nest, {"x": x, "b": bins}, {"n": 4}, {"f": 4.0})
    assert bins.tolist() == [1, 0, 1, 2]


def test_complex_products() -> None:
    b = numbers(6) + 1j * numbers(6, 2)
    c = numbers(6, 3) - 1j * numbers(6, 4)
    for checked in (True, False):
        a = np.zeros(6, dtype=complex)
        run(kernel("cmul"), {"a": a, "b": b, "c": c}, {"n": 6}, rules=FloatRules(checked=checked))
        np.testing.assert_allclose(a, b * c, rtol=1e-14)


def test_complex_arithmetic_of_fortran() -> None:
    nest = only(of_fortran("""
subroutine s(n, a, b, c)
  integer :: n, i
  complex(8) :: a(n), b(n), c(n)
  do i = 1, n
    a(i) = b(i) / c(i) - conjg(b(i)) + (1.0d0, 2.0d0) * real(c(i)) + aimag(b(i))
  end do
end subroutine"""))  # fmt: skip
    b, c, a = numbers(5) + 1j * numbers(5, 2), numbers(5, 3) - 1j * numbers(5, 4), np.zeros(5, dtype=complex)
    run(nest, {"a": a, "b": b, "c": c}, {"n": 5})
    np.testing.assert_allclose(a, b / c - b.conj() + (1 + 2j) * c.real + b.imag, rtol=1e-13)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[i] > 1.5 ? x[i] : -x[i]", lambda x, k: np.where(x > 1.5, x, -x)),
        ("k[i] > 2 && x[i] < 1.5 ? 1.0 : 2.0", lambda x, k: np.where((k > 2) & (x < 1.5), 1.0, 2.0)),
        ("k[i] > 2 || x[k[i]] < 1.5 ? 1.0 : 2.0", lambda x, k: np.where((k > 2) | (x[k] < 1.5), 1.0, 2.0)),
        ("x[i] > 1.5 ? x[k[i]] : 0.0", lambda x, k: np.where(x > 1.5, x[k], 0.0)),
        ("(k[i] % 3 + k[i] / 2) * 2 - (k[i] << 1)", lambda x, k: (k % 3 + k // 2) * 2 - (k << 1)),
        ("(k[i] & 3) | (k[i] ^ 5) | (k[i] >> 1)", lambda x, k: (k & 3) | (k ^ 5) | (k >> 1)),
        ("~k[i] + !k[i]", lambda x, k: ~k + (k == 0)),
        ("(float)x[i] + (int)x[i]", lambda x, k: x.astype(np.float32) + x.astype(int)),
        ("floor(x[i] * 3) + fabs(-x[i]) + fmin(x[i], 1.5)", lambda x, k: np.floor(x * 3) + x + np.minimum(x, 1.5)),
        ("sqrt(x[i]) + exp(x[i]) + pow(x[i], 1.5)", lambda x, k: np.sqrt(x) + np.exp(x) + x**1.5),
        ("isnan(x[i]) + isinf(x[i]) + isfinite(x[i]) + 0.0", lambda x, k: x * 0 + 1),
        ("abs(k[i] - 3) + 0.5", lambda x, k: np.abs(k - 3) + 0.5),
        ("(unsigned)k[i] / 2u + (unsigned char)(k[i] + 254)", lambda x, k: k // 2 + (k + 254) % 256),
        ("(double)(unsigned)k[i] + (float)k[i] + (long)k[i]", lambda x, k: 3.0 * k),
        ("(x[i] != 1.5) + (k[i] == 3) + (x[i] ? 1 : 2)", lambda x, k: 1.0 * (x != 1.5) + (k == 3) + 1),
        ("x[i < n / 2 ? i : n - 1 - i]", lambda x, k: np.concatenate([x[:4], x[:4][::-1]])),
        ("x[(i * 3 + 5) % n] + x[i / 2] + x[i & 3] + x[i ^ 1]", lambda x, k: x[(np.arange(8) * 3 + 5) % 8]
         + x[np.arange(8) // 2] + x[np.arange(8) & 3] + x[np.arange(8) ^ 1]),
        ("-x[i] * -2.0 + 1.0f", lambda x, k: 2 * x + 1),
        ("fmod(x[i], 0.3) + copysign(1.0, -x[i])", lambda x, k: np.fmod(x, 0.3) - 1),
    ],
)  # fmt: skip
def test_expressions(text: str, expected) -> None:  # type: ignore[no-untyped-def]
    source = f"""#include <math.h>
    #include <stdlib.h>
    void f(int n, const double *x, const int *k, double *y) {{ for (int i = 0; i < n; i++) y[i] = {text}; }}"""
    x, k, y = numbers(8), np.array([0, 1, 2, 3, 4, 5, 6, 7], dtype=np.int32), np.zeros(8)
    run(only(of_c(source)), {"x": x, "k": k, "y": y}, {"n": 8})
    np.testing.assert_allclose(y, expected(x, k), rtol=1e-7 if "float" in text else 1e-13)


def test_triangles_steps_and_downward_loops() -> None:
    nest = only(
        of_c("void t(int n, double *a) { for (int i = 0; i < n; i++) for (int j = i; j < n; j += 2) a[i*n+j] += 1; }")
    )
    a = np.zeros(49)
    run(nest, {"a": a}, {"n": 7})
    expected = [[1.0 if j >= i and (j - i) % 2 == 0 else 0.0 for j in range(7)] for i in range(7)]
    assert a.reshape(7, 7).tolist() == expected
    nest = only(of_c("void d(int n, double *a) { for (int i = n - 1; i >= 1; i--) a[i] = a[i-1]; }"))
    a = np.arange(5.0)
    run(nest, {"a": a}, {"n": 5})
    assert a.tolist() == [0, 0, 1, 2, 3]


def test_members_of_records_are_interleaved() -> None:
    nest = only(
        of_c("struct P {double x, y;}; void r(int n, struct P *p) { for (int i = 0; i < n; i++) p[i].y = 2 * p[i].x; }")
    )
    p = numbers(8)
    expected = p.copy()
    expected[1::2] = 2 * expected[0::2]
    run(nest, {"p": p}, {"n": 4})
    np.testing.assert_array_equal(p, expected)


def test_fortran_functions() -> None:
    nest = only(of_fortran("""
subroutine s(n, a, b, k)
  integer :: n, i, k(n)
  real(8) :: a(n), b(n)
  do i = 1, n
    a(i) = max(b(i), 1.5d0) + sign(1.0d0, -b(i)) + b(i)**3 + mod(k(i), 3) + abs(b(i))
    a(i) = a(i) + merge(1.0d0, 2.0d0, b(i) > 1.5d0) + sign(2, k(i) - 3) + nint(b(i)) + b(i)**0.5d0
  end do
end subroutine"""))  # fmt: skip
    b, a, k = numbers(6), np.zeros(6), np.arange(6, dtype=np.int32)
    run(nest, {"a": a, "b": b, "k": k}, {"n": 6})
    expected = np.maximum(b, 1.5) - 1 + b**3 + k % 3 + np.where(b > 1.5, 1.0, 2.0) + b
    expected += np.where(k >= 3, 2, -2) + np.round(b) + np.sqrt(b)
    np.testing.assert_allclose(a, expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("complex(8)", "cmplx(real(b(i)), 2.0d0, 8) * abs(b(i))", lambda b: (b.real + 2j) * np.abs(b)),
        ("complex(8)", "exp(b(i)) + sqrt(b(i))", None),
        ("complex(8)", "merge(b(i), -b(i), real(b(i)) > 1.5d0)", lambda b: np.where(b.real > 1.5, b, -b)),
        ("complex(8)", "b(i)**2 + 3", lambda b: b**2 + 3),
        ("integer(4)", "modulo(-b(i), 3) + mod(-b(i), 3)", lambda b: np.mod(-b, 3) + np.fmod(-b, 3)),
        ("integer(4)", "min(b(i), 4, i) + max(b(i), 2)", lambda b: np.minimum(np.minimum(b, 4), np.arange(1, 7))
         + np.maximum(b, 2)),
        ("integer(4)", "int(sqrt(dble(b(i))) * 3.7d0)", lambda b: (np.sqrt(b) * 3.7).astype(int)),
        ("real(8)", "mod(b(i), 0.3d0) + real(int(b(i)), 8)", lambda b: np.fmod(b, 0.3) + np.floor(b)),
        ("real(4)", "sqrt(b(i)) + exp(b(i))", lambda b: np.sqrt(b) + np.exp(b)),
    ],
)  # fmt: skip
def test_intrinsic_functions(kind: str, text: str, expected) -> None:  # type: ignore[no-untyped-def]
    head = f"subroutine s(n, a, b)\n  integer :: n, i\n  {kind} :: a(n), b(n)\n"
    source = f"{head}  do i = 1, n\n    a(i) = {text}\n  end do\nend\n"
    nest = only(of_fortran(source))
    if expected is None:  # complex values are returned in ways that differ between systems: not run
        assert "cexp" in nest_ir(nest, FloatRules(checked=False), LoopHints()).text
        return
    types = {"complex(8)": complex, "integer(4)": np.int32, "real(8)": np.float64, "real(4)": np.float32}
    b = numbers(6) + 1j * numbers(6, 2) if "complex" in kind else numbers(6)
    b = np.arange(6) if "integer" in kind else b
    b = b.astype(types[kind])
    a = np.zeros(6, dtype=types[kind])
    run(nest, {"a": a, "b": b}, {"n": 6})
    np.testing.assert_allclose(a, expected(b), rtol=1e-6 if kind == "real(4)" else 1e-13)


@pytest.mark.parametrize(
    "text",
    ["3*n*m - 7", "floor(n + 5, 3)", "floor(n - 50, 4)", "mod(n - 40, 7)", "mod(n, m)", "min(n, m, 5)", "max(n - m, 3)",
     "div(n - 40, 3)", "rem(n - 40, 7)", "abs(n - 40)", "ge(n - m)", "eq(n - m)", "n/2 + n**2/2", "floor(n - 90, m)"],
)  # fmt: skip
def test_polynomials_of_sizes(text: str) -> None:
    """The IR of a size against the polynomial's own value, through the bounds of a loop."""
    from dataclasses import replace

    from foretell.core.symbolic.text import parse

    size = parse(text)
    nest = only(of_c("void f(int n, int m, double *a) { for (int i = 0; i < n + m; i++) a[i] = 1; }"))
    nest = replace(nest, loops=(replace(nest.loops[0], lower=parse("0"), upper=size + 60),))
    for n, m in ((12, 12), (17, 5), (30, 31)):
        a = np.zeros(4000)
        run(nest, {"a": a}, {"n": n, "m": m})
        assert a.sum() == max(0, size.evaluate({"n": n, "m": m}) + 61)


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("double g(double); void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = g(a[i]); }", "g"),
        ("void g(double *); void f(int n, double *a) { for (int i = 0; i < n; i++) { a[i] = 1; g(a); } }", "g"),
        ("void f(int n, long double *a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }", "long double"),
    ],
)
def test_what_cannot_be_generated_is_named(text: str, says: str) -> None:
    with pytest.raises(UnsupportedError, match=says):
        generated(of_c(text).nests[0], "x86-64", "haswell", parse_flags("-O3"))


def test_a_cpu_that_llvm_does_not_know() -> None:
    with pytest.raises(InputError, match="no CPU named 'pentium9'"):
        generated(kernel("triad"), "x86-64", "pentium9", parse_flags("-O3"))
    with pytest.raises(InputError, match="code for power cannot be generated"):
        generated(kernel("triad"), "power", "pwr9", parse_flags("-O3"))


def test_a_loop_without_use_is_refused() -> None:
    nest = only(of_c("void f(int n, double *a) { double t; for (int i = 0; i < n; i++) t = a[i]; }"))
    with pytest.raises(UnsupportedError, match="no loop is left"):
        generated(nest, "x86-64", "haswell", parse_flags("-O3"))
