"""What code is generated: as compilers choose vectors and order, and for the nests of programs."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.codegen.compilers import host
from foretell.codegen.compilers.flags import CodeOptions, parse_flags
from foretell.codegen.compilers.gcc.full_unroll import written_out
from foretell.codegen.emit import emit, loop_steps
from foretell.codegen.generate import generated
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import live_out
from foretell.codegen.ir.values import FloatRules
from foretell.core.nest.loopnest import Loops
from foretell.errors import ForetellError, UnsupportedError
from foretell.frontends.read import read
from tests.support.caches.nests import of_c, of_fortran, only
from tests.support.models.codegen import kernel, numbers, run

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).parents[2] / "corpus"
SOURCES = sorted(file for kind in ("c", "f90", "f") for file in CORPUS.glob(f"*/*.{kind}"))


# --- the compiler's habits --------------------------------------------------------------------------------


def steps(name: str, flags: str, compiler: str, cpu: str = "skylake-avx512") -> int:
    return generated(kernel(name), "x86-64", cpu, parse_flags(flags, compiler)).elements[0]  # type: ignore[arg-type]


def test_width_and_interleaving() -> None:
    assert steps("triad", "-O3", "gcc") == 4  # 256-bit vectors, not interleaved
    assert steps("triad", "-O3 -mprefer-vector-width=512", "gcc") == 8
    assert steps("triad", "-O3 -mprefer-vector-width=128", "gcc") == 2
    assert steps("triad", "-O2", "gcc") == 1
    assert steps("triad", "-O3", "clang") == 16  # four vectors at a time
    assert steps("ftriad", "-O3", "gcc") == 8


def test_sums_in_order_unless_the_user_allows_more() -> None:
    in_order = generated(kernel("dot"), "x86-64", "haswell", parse_flags("-O3"))
    fast = generated(kernel("dot"), "x86-64", "haswell", parse_flags("-O3 -ffast-math"))
    clang = generated(kernel("dot"), "x86-64", "haswell", parse_flags("-O3", "clang"))

    def scalar_additions(code) -> int:  # type: ignore[no-untyped-def]
        return sum(one.mnemonic == "vaddsd" for one, _ in code.loops[0].instructions())

    assert scalar_additions(in_order) == 4
    assert scalar_additions(fast) == 0
    assert all(one.bytes in (0, 16) for one, _ in clang.loops[0].instructions())


PRODUCT = """
double A[40][40], B[40][40], C[40][40];
void f(double t) { for (int i = 0; i < 40; i++) { double r = t * B[i][0]; for (int j = 0; j < 40; j++) {
  double s = r; for (int k = 0; k < 40; k++) s += A[i][k] * B[k][j]; C[i][j] = 2 * s; } } }
"""


def test_an_outer_loop_in_lanes_does_the_same() -> None:
    nest = only(of_c(PRODUCT))
    a, b, c = numbers(1600), numbers(1600, 2), np.zeros(1600)
    run(nest, {"A": a, "B": b, "C": c}, {}, {"t": 3.0}, hints=LoopHints(lanes=8))
    right, left = b.reshape(40, 40), a.reshape(40, 40)
    expected = 2 * (left @ right + 3.0 * right[:, :1])
    np.testing.assert_allclose(c.reshape(40, 40), expected, rtol=1e-13)


def test_elements_far_apart_are_taken_one_by_one_in_gcc() -> None:
    text = "void f(int n, int m, double *restrict a, const double *restrict b) { for (int i = 0; i < n; i++) LOOP; }"
    rows = {"a[m*i] = b[i]": (1, 0), "a[i] = 2 * b[i]": (4, 32), "a[i] = 2 * b[2*i]": (4, 32), "a[i] = b[64*i]": (1, 0)}
    for body, (elements, width) in rows.items():
        code = generated(only(of_c(text.replace("LOOP", body))), "x86-64", "skylake-avx512", parse_flags("-O3"))
        vectors = [one.bytes for one, _ in code.loops[0].instructions() if one.bytes > 8 and one.lanes > 1]
        assert (code.elements[0], max(vectors, default=0)) == (elements, width), body
        assert not any(one.kind == "gather" for one, _ in code.loops[0].instructions())


@pytest.mark.parametrize(
    ("body", "elements", "widest"),
    [
        ("a[2*i] = 1.5 + b[i]", 4, 32),  # computed in a vector, and stored one by one
        ("a[20*i] = 1.5 + b[i]", 4, 32),
        ("a[i] = 1.5 * b[5*i]", 4, 32),  # put together from single loads
        ("a[i] = b[4*i] + b[4*i+2]", 4, 32),  # shuffled
    ],
)
def test_gcc_neither_gathers_nor_scatters_at_known_distances(body: str, elements: int, widest: int) -> None:
    text = "void f(long n, double *restrict a, const double *restrict b) { for (long i = 0; i < n; i++) LOOP; }"
    code = generated(only(of_c(text.replace("LOOP", body))), "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    inside = [one for one, _ in code.loops[0].instructions()]
    assert code.elements[0] == elements
    assert max((one.bytes for one in inside if one.lanes > 1), default=0) == widest
    assert not {"gather", "scatter"} & {one.kind for one in inside}


def test_a_sum_of_small_numbers_in_a_large_one_is_taken_by_the_small_ones_in_gcc() -> None:
    text = "long f(long n, const int *b) { long s = 0; for (long i = 0; i < n; i++) s += b[i]; return s; }"
    code = generated(only(of_c(text)), "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    assert code.elements[0] == 8


def test_inner_loops_that_are_written_out() -> None:
    nest = only(
        of_c(
            "void f(int n, double *a, double *b) {"
            " for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) a[i] += b[i+k]; }"
        )
    )
    code = generated(nest, "x86-64", "haswell", parse_flags("-O3", "clang"))
    assert code.elements[0] % 3 == 0


def test_steps_of_counters() -> None:
    text = """
define void @f(i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %other = phi i64 [ 0, %entry ], [ %other.next, %body ]
  %i.next = add nuw i64 %i, 12
  %other.next = add i64 %other, 40
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %out, label %body
out:
  ret void
}
"""
    assert loop_steps(text) == (("body", 12),)


def test_branches_with_both_sides() -> None:
    text = """void f(int n, const double *x, double *y, float *z, _Bool *b) {
      for (int i = 0; i < n; i++) {
        if (x[i] > 1.5) { y[i] = 1; b[i] = 1; } else { y[i] = x[i]; z[i] = (float)x[i]; b[i] = b[i] && x[i] > 1.2; }
      } }"""
    x, y = numbers(9), np.zeros(9)
    z, b = np.zeros(9, dtype=np.float32), np.ones(9, dtype=np.bool_)
    run(only(of_c(text)), {"x": x, "y": y, "z": z, "b": b}, {"n": 9})
    np.testing.assert_array_equal(y, np.where(x > 1.5, 1, x))
    np.testing.assert_array_equal(z, np.where(x > 1.5, 0, x).astype(np.float32))
    np.testing.assert_array_equal(b, x > 1.2)


def test_complex_scalars_are_carried() -> None:
    text = """#include <complex.h>
    void f(int n, const double complex *a, double complex *r) {
      double complex s = 0, t = 0;
      for (int i = 0; i < n; i++) { s += a[i]; t = -s; if (a[i] == t) r[i] = t; else r[i] = s - t + creal(a[i]); }
    }"""
    a = numbers(5) + 1j * numbers(5, 2)
    r = np.zeros(5, dtype=complex)
    made = nest_ir(only(of_c(text)), FloatRules(checked=False), LoopHints())
    assert any(name.startswith("scalar s re") for name in made.arguments)
    out = emit(made.text, "x86-64", "haswell", parse_flags("-O3"))
    assert "vaddpd" in out.assembly or "vaddsd" in out.assembly
    assert len(a) == len(r)


def test_bounds_with_minimum_and_maximum() -> None:
    text = """void f(int n, int m, double *a) {
      for (int j = 0; j < n; j += 4) for (int i = (j > m ? j : m); i < (j + 4 < n ? j + 4 : n); i++) a[i] += 1; }"""
    a = np.zeros(11)
    run(only(of_c(text)), {"a": a}, {"n": 11, "m": 2})
    assert a.tolist() == [0.0 if i < 2 else 1.0 for i in range(11)]


@pytest.fixture
def _compilers_are_asked_anew() -> Iterator[None]:
    """What they said is kept for a process: what others said before would hold here, and what is said here after it."""
    kept = (host.family, host._version, host._meant)
    for answers in kept:
        answers.cache_clear()
    yield
    for answers in kept:
        answers.cache_clear()


@pytest.mark.usefixtures("_compilers_are_asked_anew")
def test_native_is_what_the_compiler_takes_it_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gcc"
    monkeypatch.setenv("PATH", str(tmp_path))
    said = "  -march=  cooperlake\n  -mavx512f  [enabled]\n  -mtune=  {}\n"
    for tune, bits in (("generic", 512), ("sapphirerapids", 0)):
        host._meant.cache_clear()
        program.write_text(f"#!/bin/sh\necho '{said.format(tune)}'\n")
        program.chmod(0o755)
        again = host.spelled(["-O3", "-march=native"], "gcc")
        assert host.resolved(parse_flags(" ".join(again)), "elsewhere").vector_bits == bits
    assert again == ["-O3", "-march=cooperlake"]
    assert host.spelled(["-O2"], "gcc") == ["-O2"]
    assert host.spelled(["-march=native"], "clang-19") == ["-march=native"]
    for flags, compiler in (("-O3 -march=native", "gcc"), ("-O3", "gcc"), ("-O3", "clang")):
        assert host.resolved(parse_flags(flags, compiler), "anywhere").vector_bits == 0


def test_without_llvmlite_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.codegen import load_llvmlite
    from foretell.errors import MissingExtraError

    monkeypatch.setitem(__import__("sys").modules, "llvmlite", None)
    load_llvmlite.load_binding.cache_clear()
    for load in (load_llvmlite.load_ir, load_llvmlite.load_binding):
        with pytest.raises(MissingExtraError, match=r"foretell\[cpu\]"):
            load()


def test_functions_of_integers_and_what_is_refused() -> None:
    """Nests may hold what front ends write otherwise."""
    from dataclasses import replace

    from foretell.core.nest.statements import ElementType, Num, Op, Store

    integer, floating, other = ElementType("int", 4), ElementType("float", 8), ElementType("complex", 16)
    nest = only(of_c("void f(int n, const int *k, int *r) { for (int i = 0; i < n; i++) r[i] = k[i]; }"))
    (store,) = nest.levels[-1]
    assert isinstance(store, Store)

    def with_value(value: Op):  # type: ignore[no-untyped-def]
        return replace(nest, levels=((replace(store, value=value),),))

    k, r = np.array([-4, -1, 0, 5], dtype=np.int32), np.zeros(4, dtype=np.int32)
    three = Num(3, integer)
    for name, expected in (("modulo", np.mod(k, 3)), ("mod", np.fmod(k, 3)), ("sign", np.where(k < 0, -4, 4)),
                           ("abs", np.abs(k)), ("min", np.minimum(k, 3))):  # fmt: skip
        args = {"sign": (Num(-4, integer), store.value), "abs": (store.value,)}.get(name, (store.value, three))
        run(with_value(Op(name, args, integer, integer)), {"k": k, "r": r}, {"n": 4})
        np.testing.assert_array_equal(r, expected)
    one = Num(1.5, floating)
    unit = Num(1j, other)
    refused = [
        ("erfinv", floating, (one,)),
        ("popcount", integer, (three,)),
        ("tan", other, (unit,)),
        ("**", integer, (three, store.value)),
        ("&", floating, (one, one)),
        ("%", other, (unit, unit)),
        ("f", ElementType("other", 8), (three,)),
    ]
    for name, kind, args in refused:
        with pytest.raises(UnsupportedError, match="no code can be generated"):
            nest_ir(with_value(Op(name, args, kind, kind)), FloatRules(), LoopHints())
    assert "fdiv" in nest_ir(with_value(Op("rsqrt", (one,), floating)), FloatRules(), LoopHints()).text
    with pytest.raises(UnsupportedError, match="the constant '&'"):
        nest_ir(with_value(Op("+", (Num("&", integer), three), integer)), FloatRules(), LoopHints())
    with pytest.raises(UnsupportedError, match="for the reason"):
        nest_ir(replace(nest, status="refused", reason="for the reason"), FloatRules(), LoopHints())


def test_rows_by_pointers_are_loaded() -> None:
    text = """void f(int n, double **a, double **b) {
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 2 * b[j][i]; }"""
    rows = {name: [numbers(4) + k for k in range(4)] for name in "ab"}
    tables = {name: np.array([row.ctypes.data for row in own], dtype=np.uint64) for name, own in rows.items()}
    expected = 2 * np.stack(rows["b"]).T
    run(only(of_c(text)), tables, {"n": 4})
    np.testing.assert_array_equal(np.stack(rows["a"]), expected)
    loads = nest_ir(only(of_c(text)), FloatRules(checked=False), LoopHints()).text.count("!invariant.load")
    assert loads == 2


# --- nests of real programs --------------------------------------------------------------------------------

HANDED_OVER = """
void relax(int n, double *f, double *g) {
  for (int i = 0; i < n; i++) {
    double rho = 0, scale;
    for (int q = 0; q < 9; q++) rho += f[9 * i + q];
    scale = 1 / rho;
    %s
    for (int q = 0; q < m[i]; q++) { double t = f[9 * i + q] * scale; g[9 * i + q] = t; }
  }
}"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("condition", ["", "if (rho > 0.5)"])
def test_what_a_loop_leaves_to_another_nest_is_computed_every_time(compiler: str, condition: str) -> None:
    """Sums that only a loop behind them reads: all iterations of the loops around are there, not the last one only."""
    source = HANDED_OVER.replace("double *g", "double *g, const int *m") % condition
    first = of_c(source).nests[0]
    assert live_out(first) == (("rho", "scale") if condition else ("scale",))
    code = generated(first, "x86-64", "cascadelake", CodeOptions(compiler=compiler))
    loops = [*code.loops, *code.around]
    assert any("vdiv" in one.text for loop in loops for one, _ in loop.instructions())


def test_a_loop_that_runs_until_its_scalars_have_a_value_is_code() -> None:
    source = """
    void escape(int n, int most, int *out) {
      for (int i = 0; i < n; i++) {
        double r = 0, c = 1.0 * i / n;
        int k;
        for (k = 0; k < most && r < 4; k++) r = r * r + c;
        out[i] = k;
      }
    }"""
    nest = only(of_c(source))
    assert live_out(nest) == ("k", "r")
    code = generated(nest, "x86-64", "cascadelake", CodeOptions())
    assert any("vfmadd" in one.text for one, _ in code.loops[0].instructions())
    assert len(code.around) == 1


def test_short_loops_under_a_condition_are_written_out() -> None:
    source = """
    void bounce(int n, const char *wall, double *f) {
      for (int i = 0; i < n; i++)
        if (wall[i])
          for (int q = 0; q < 4; q++) f[4 * i + q] = -f[4 * i + q];
    }"""
    written = written_out(only(of_c(source)))
    assert len(written.loops) == len(written.levels) == 1
    generated(only(of_c(source)), "x86-64", "cascadelake", CodeOptions())


def test_subscripts_of_index_arrays_in_which_rows_were_found() -> None:
    n = 6
    source = """
    void corners(int n, const int *list, double *x) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++) x[list[8 * i + j]] += 1;
    }"""
    nest = only(of_c(source))
    assert [len(use.dims) for use in nest.arrays if use.name == "list"] == [2]
    where, x = (np.arange(8 * n) * 7 % (8 * n)).astype(np.int32), np.zeros(8 * n)
    run(nest, {"list": where, "x": x}, {"n": n}, {})
    assert (x == 1).all()


def test_powers_of_two_as_sizes() -> None:
    x = np.ones(32)
    nest = only(of_c("void f(int bits, double *x) { for (int i = 0; i < 1 << bits; i++) x[i] *= 2; }"))
    run(nest, {"x": x}, {"bits": 4}, {})
    assert (x == [2] * 16 + [1] * 16).all()


def test_a_reduction_tree() -> None:
    n = 37
    a = numbers(n)
    source = """
    void tree(int n, double *a) {
      for (int stride = 1; stride < n; stride *= 2)
        for (int i = 0; i + stride < n; i += 2 * stride) a[i] = a[i] + a[i + stride];
    }"""
    total = a.sum()
    run(only(of_c(source)), {"a": a}, {"n": n}, {})
    assert a[0] == pytest.approx(total)


def test_sums_in_subscripts_are_refused() -> None:
    source = """
    subroutine pack(n, x)
      integer :: n, i, j, k
      real(8) :: x(*)
      k = 0
      do i = 1, n
        do j = max(1, i - 1), min(n, i + 1)
          k = k + 1
          x(k) = j
        end do
      end do
    end subroutine"""
    with pytest.raises(UnsupportedError, match="no code can be generated for sum"):
        generated(only(of_fortran(source)), "x86-64", "cascadelake", CodeOptions())


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
def test_nests_of_programs_have_code_or_a_reason(file: Path) -> None:
    """Programs that are nobody's examples: whatever stands in them, it is code or refused."""
    for nest in read(file).facet(Loops).nests:
        for shape in (nest, written_out(nest)):
            with contextlib.suppress(ForetellError):
                nest_ir(shape, FloatRules(), LoopHints())
