"""What gcc and clang choose: groups, sizes, pointers, loops that are written out, overlap."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.compilers import host
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.compilers.gcc import vectorise
from foretell.codegen.compilers.gcc.full_unroll import written_out
from foretell.codegen.compilers.gcc.rewrite import as_gcc
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import alone_in_type, may_overlap, pairs_to_check
from foretell.codegen.ir.values import FloatRules
from foretell.machines import load
from foretell.models.cpu.incore import in_core
from foretell.uses.measure.compile_and_run import Build
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c
from tests.support.codegen.listings import CPU, made_of, nest_of
from tests.support.host import X86_GCC, needs_x86_gcc
from tests.support.models.codegen import kernel, numbers, run

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest


# ---- groups, sizes, pointers


def test_groups_of_neighbours_stay_together_in_gcc() -> None:
    text = """void f(long n, const double *restrict a, double *restrict c) {{
      for (long i = 0; i < n; i++) {{ c[2 * i] = a[2 * i] * a[2 * i + 1]; c[2 * i + {0}] = a[2 * i] + 1; }} }}"""
    pairs = nest_of(text.format(1))
    assert vectorise.group_lanes(pairs, 256) == 2
    assert vectorise.group_lanes(pairs, 512) == 4
    for gap in (2, 3):
        assert vectorise.group_lanes(nest_of(text.format(gap)), 256) == 0
    assert vectorise.group_lanes(kernel("triad"), 256) == 0
    product = nest_of((KERNELS / "complex_product.c").read_text())
    assert "vfmaddsub213pd" in made_of(product) or "vfmaddsub231pd" in made_of(product)
    assert "vperm2f128" in made_of(product, "clang")


def test_lanes_of_the_innermost_loop_compute_the_same() -> None:
    nest = nest_of((KERNELS / "complex_product.c").read_text())
    a, b, c = (numbers(16, seed) for seed in range(3))
    run(nest, {"a": a, "b": b, "c": c}, {"n": 8}, hints=LoopHints(vectorise=False, lanes=2, outside=0))
    expected = a.view(complex) * b.view(complex)
    np.testing.assert_allclose(c.view(complex), expected, rtol=1e-14)


def test_elements_of_different_sizes_are_taken_by_the_smallest() -> None:
    convert = nest_of((KERNELS / "convert.c").read_text())
    assert vectorise.inner_lanes(convert, 256) == 8
    assert vectorise.inner_lanes(kernel("triad"), 256) == 0
    assert generated(convert, "x86-64", CPU, parse_flags("-O3", "gcc")).elements[0] == 8


def test_references_to_rows_have_pointers_of_their_own() -> None:
    assert vectorise.pointers(nest_of((KERNELS / "jacobi27.c").read_text())) == 28
    assert vectorise.pointers(nest_of((KERNELS / "heat1d.c").read_text())) == 2
    fixed = """void f(double u[64][64], double v[64][64]) {
      for (int j = 1; j < 63; j++) for (int i = 1; i < 63; i++) v[j][i] = u[j][i-1] + u[j-1][i]; }"""
    assert vectorise.pointers(nest_of(fixed)) == 2


LOOP = """
f:
.LBB0_1:
  {0}
  vmovupd %ymm1, (%rdi,%rax)
  addq $32, %rax
  cmpq %rax, %rcx
  jne .LBB0_1
  retq
"""


def changed(*lines: str, pointers: int = 0) -> list[str]:
    (function,) = read_listing(LOOP.format("\n  ".join(lines)), "x86-64")
    return [one.text for one in as_gcc(function, pointers).blocks[0].instructions]


def test_what_gcc_does_beside_llvm() -> None:
    assert changed("vmulpd (%rsi,%rax), %ymm0, %ymm1", pointers=12)[0].startswith("vmulpd")
    more = changed("vmulpd (%rsi,%rax), %ymm0, %ymm1", pointers=13)
    assert more[0] == "movq 0(%rsp), %r31"
    assert len(changed("vmulpd (%rsi,%rax), %ymm0, %ymm1", pointers=14)) == 7  # one for each access
    halves = changed("vcvtps2pd (%rsi,%rax), %ymm1", "vcvtps2pd 16(%rsi,%rax), %ymm2")
    assert halves[:4] == [
        "vmovups (%rsi,%rax), %ymm30", "vcvtps2pd %xmm30, %ymm1",
        "vextractf128 $1, %ymm30, %xmm31", "vcvtps2pd %xmm31, %ymm2",
    ]  # fmt: skip
    assert changed("vcvtps2pd (%rsi,%rax), %zmm1", "vcvtps2pd 32(%rsi,%rax), %zmm2")[:4] == [
        "vmovups (%rsi,%rax), %zmm30", "vcvtps2pd %ymm30, %zmm1",
        "vextractf32x8 $1, %zmm30, %ymm31", "vcvtps2pd %ymm31, %zmm2",
    ]  # fmt: skip
    assert changed("vshufpd $5, %ymm2, %ymm2, %ymm1")[0] == "vpermilpd $5, %ymm2, %ymm1"
    assert changed("vmovddup %ymm2, %ymm1")[0] == "vpermilpd $0, %ymm2, %ymm1"
    for kept in ("vshufpd $5, %ymm3, %ymm2, %ymm1", "vshufpd $1, %xmm2, %xmm2, %xmm1", "vmovddup (%rsi), %xmm1"):
        assert changed("vmulpd %ymm0, %ymm0, %ymm1", kept)[1] == kept


# ---- loops that are written out

CONV = """void f(int n, const double in[restrict n + 2][n + 2], double out[restrict n][n], const double w[{0}][3]) {{
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{ double s = 0;
    for (int y = 0; y < {0}; y++) for (int x = 0; x < 3; x++) s += w[y][x] * in[i + y][j + x]; out[i][j] = s; }} }}"""


def test_short_loops_of_constant_length_are_written_out_in_gcc() -> None:
    nest = nest_of(CONV.format(3))
    flat = written_out(nest)
    assert [loop.variable for loop in flat.loops] == ["i", "j"]
    assert len(flat.levels[-1]) == 1 + 9 + 1
    code = generated(nest, "x86-64", CPU, parse_flags("-O3", "gcc"))
    assert code.elements[0] == 9 * 4
    assert Counter(one.kind for one, _ in code.loops[0].instructions())["fma"] == 9
    n = 6
    image, weights = numbers((n + 2) ** 2).reshape(n + 2, n + 2), numbers(9, 2).reshape(3, 3)
    results = []
    for shape in (nest, flat):
        out = np.zeros((n, n))
        run(shape, {"in": image, "out": out, "w": weights}, {"n": n})
        results.append(out)
    np.testing.assert_allclose(results[0], results[1], rtol=1e-14)
    window = np.lib.stride_tricks.sliding_window_view(image, (3, 3))
    np.testing.assert_allclose(results[1], (window * weights).sum(axis=(2, 3)), rtol=1e-12)


def test_long_loops_and_the_last_one_stay() -> None:
    assert len(written_out(nest_of(CONV.format(17))).loops) == 3  # x is short, y is not
    short = nest_of("void f(double *a) { for (int i = 0; i < 4; i++) a[i] += 1; }")
    assert written_out(short) == short
    low = parse_flags("-O2 -ftree-vectorize", "gcc")
    assert generated(nest_of(CONV.format(3)), "x86-64", CPU, low).elements[0] < 9


def test_indices_and_values_are_replaced() -> None:
    text = """void f(int n, double a[restrict n], const int p[restrict n][4], const double b[restrict n]) {
      for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) a[i] += k * b[p[i][k]]; }"""
    flat = written_out(nest_of(text))
    n, a = 5, np.zeros(5)
    p = np.array([[(i * 3 + k) % n for k in range(4)] for i in range(n)], dtype=np.int32)
    b = numbers(n)
    run(flat, {"a": a, "p": p, "b": b}, {"n": n})
    np.testing.assert_allclose(a, (np.arange(4) * b[p]).sum(axis=1), rtol=1e-14)


# ---- names of compilers


def test_whose_habits_a_compiler_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cc = tmp_path / "mycc"
    says = 'case $* in *version*) echo clang version 99 ;; *) echo \'"-target-cpu" "znver5"\' >&2 ;; esac'
    cc.write_text(f"#!/bin/sh\n{says}\n")
    cc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert host.family("clang-19") == "clang"
    assert host.family("mycc -m64") == "clang"
    assert host.family("nothing-of-this-name") == "gcc"
    assert host.spelled(["-O2", "-march=native"], "mycc -m64") == ["-O2", "-march=znver5"]
    assert host.spelled(["-O2", "-march=native"], "clang-of-nowhere") == ["-O2", "-march=native"]


@pytest.mark.parametrize(
    ("version", "cpu", "avoids"), [(13, CPU, True), (12, CPU, False), (12, "znver3", True), (14, "haswell", False)]
)
def test_a_gcc_that_avoids_chains_of_fused_operations(
    version: int, cpu: str, avoids: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc = tmp_path / f"cc{version}"
    cc.write_text(f"#!/bin/sh\ncase $* in *dumpversion*) echo {version}.2.0 ;; esac\n")
    cc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    flags = host.spelled(["-O3", f"-march={cpu}"], cc.name)
    assert ("-mtune-ctrl=avoid_fma_chains" in flags) == avoids
    nest = nest_of(
        "double f(long n, const double *restrict v, const double x[n], const int *restrict c)"
        "{ double s = 0; for (long k = 0; k < n; k++) s += v[k] * x[c[k]]; return s; }"
    )
    code = generated(nest, "x86-64", cpu, parse_flags(" ".join(flags), host.named(cc.name)))
    fused = any(one.kind == "fma" for one, _ in code.loops[0].instructions())
    assert fused != avoids


def test_commands_and_labels_of_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert Build("ccache clang-19", ("-O2",)).command("c", 2) == ["ccache", "clang-19", "-O2", "-fopenmp"]
    assert Build("gcc-12").command("fortran", 1)[0] == "gfortran-12"
    assert Build("clang-19").command("fortran", 1)[0] == "flang-19"
    assert Build("ifx").command("fortran", 1)[0] == "ifx"
    assert re.fullmatch(r"[\w+-]+", Build("/opt/bin/g++ -m64 -x c.2").label)


# ---- arrays that may overlap


def test_pointers_without_restrict_may_overlap() -> None:
    text = "void f(long n, {0}) {{ for (long i = 0; i < n; i++) a[i] = 2.0 * b[i]; }}"
    free, apart = (nest_of(text.format(a)) for a in ("double *a, double *b", "double *restrict a, double *b"))
    assert may_overlap(free)
    assert not may_overlap(apart)
    assert not may_overlap(nest_of(text.format("double *a, float *b")))  # C's types keep them apart
    assert not may_overlap(nest_of(text.format("double a[n], double b[n]")))
    rows = "void f(long n, {0}, const double *w) {{ for (long j = 0; j < n; j++) for (long i = 0; i < n; i++) {1}; }}"
    sums = [
        nest_of(rows.format(a, "a[j] += b[i] * w[i]"))
        for a in ("double *a, const double *b", "double *restrict a, const double *restrict b")
    ]
    stores = [
        sum(one.stores for one, _ in generated(nest, "x86-64", CPU, parse_flags("-O3", "gcc")).loops[0].instructions())
        for nest in sums
    ]
    assert stores == [1, 0]  # the sum stays in memory where somebody may look at it


def test_an_array_alone_in_its_type_is_apart() -> None:
    text = "void f(long n, double *y, const double *x, const int *p) { for (long i = 0; i < n; i++) y[i] = x[p[i]]; }"
    nest = nest_of(text)
    alone = {use.name: alone_in_type(nest, use) for use in nest.arrays}
    assert alone == {"y": False, "x": False, "p": True}
    bytes_ = nest_of("void f(long n, double *y, const char *x) { for (long i = 0; i < n; i++) y[i] = x[i]; }")
    assert not any(alone_in_type(bytes_, use) for use in bytes_.arrays)
    made = nest_ir(nest, FloatRules(), LoopHints(apart=False)).text
    assert made.count("noalias") == 1


def test_assembly_that_is_not_the_whole_function_is_not_followed(tmp_path: Path) -> None:
    source, target = KERNELS / "daxpy.c", tmp_path / "part.s"
    target.write_text(
        "daxpy:\n.L2:\n\tvmovsd (%rsi,%rax,8), %xmm1\n\tvfmadd213sd (%rdx,%rax,8), %xmm0, %xmm1\n"
        "\tvmovsd %xmm1, (%rdx,%rax,8)\n\tincq %rax\n\tcmpq %rax, %r9\n\tjg .L2\n\tret\n"
    )
    found = foretell.predict(
        source, "sapphire-rapids", parameters={"n": 1000, "threads": 1}, options={"asm": str(target)}
    )
    core = next(bound for bound in found.bounds if bound.name == "core")
    assert core.time_s > 900 / load("sapphire-rapids").value("clock.frequency")


def test_older_clang_does_the_rest_of_a_loop_one_by_one() -> None:
    nest = kernel("triad")
    code = {name: generated(nest, "x86-64", CPU, parse_flags("-O3", name)) for name in ("clang", "clang-19")}
    assert code["clang"].elements[1] > 1
    assert code["clang-19"].elements[1:] in ((), (1,))
    assert code["clang-19"].elements[0] == code["clang"].elements[0]
    assert "clang-19 -O3" in code["clang-19"].made_by
    assert parse_flags("-O3", "clang-19").compiler == "clang"


@pytest.mark.parametrize(
    ("said", "wanted"), [("19.1.7", "clang-19"), ("14.0", "clang-19"), ("20.1.0", "clang"), ("", "clang")]
)
def test_versions_of_clang(said: str, wanted: str, tmp_path: Path) -> None:
    cc = tmp_path / f"clang-{wanted}-{said or 'none'}"
    cc.write_text(f"#!/bin/sh\necho '{said}'\n")
    cc.chmod(0o755)
    assert host.named(str(cc)) == wanted


FMAX = """void f(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) b[i] = fmax(a[i], 0); }"""


def test_gcc_leaves_comparisons_that_look_for_nan_to_the_library() -> None:
    nest = nest_of(f"#include <math.h>\n{FMAX}")
    assert "call" in " ".join(made_of(nest, "gcc"))
    assert "call" not in " ".join(made_of(nest, "clang"))
    fast = generated(nest, "x86-64", CPU, parse_flags("-O3 -ffast-math", "gcc"))
    assert fast.elements[0] > 1
    machine = load("sapphire-rapids").with_values({"pipeline.jump.gap": 1.0})
    found = in_core(nest, machine, parse_flags("-O3", "gcc"), {"n": 1000})
    assert found.cycles_per_iteration == pytest.approx(6, rel=0.2)
    assert "a call of fmax is taken as 6 jumps" in found.unknown


MIXED = """double f(int n, const {kind} *a) {{
  double s = 0; for (int i = 0; i < n; i++) {{ double x = a[i]; s += x * x; }} return s; }}"""


def test_sums_of_narrower_numbers_go_one_by_one() -> None:
    same, narrow = (made_of(nest_of(MIXED.format(kind=kind))) for kind in ("double", "float"))
    assert any(name.endswith("pd") for name in same)
    assert not any(name.endswith("pd") for name in narrow)


def many(restrict: str) -> LoopNest:
    names = [f"{way}{axis}" for way in "xv" for axis in "abc"]
    arrays = ", ".join(f"double *{restrict} {name}" for name in names)
    body = " ".join(f"x{axis}[i] += v{axis}[i];" for axis in "abc")
    return nest_of(f"void f(int n, {arrays}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}")


def test_gcc_does_not_check_many_arrays_for_overlap() -> None:
    assert pairs_to_check(many("")) == 12  # three written ones with each other and with three more
    assert not any(name.endswith("pd") for name in made_of(many("")))
    assert any(name.endswith("pd") for name in made_of(many("restrict")))


@needs_x86_gcc
@pytest.mark.parametrize("name", ["fmax", "mixed", "many"])
def test_gcc_itself_makes_no_vectors_of_these(name: str, tmp_path: Path) -> None:
    """What the habits above say of gcc, asked of the one that is here."""
    arrays = ", ".join(f"double *{way}{axis}" for way in "xv" for axis in "abc")
    body = " ".join(f"x{axis}[i] += v{axis}[i];" for axis in "abc")
    texts = {
        "fmax": f"#include <math.h>\n{FMAX}",
        "mixed": MIXED.format(kind="float"),
        "many": f"void f(int n, {arrays}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}",
    }
    source, target = tmp_path / "k.c", tmp_path / "k.s"
    source.write_text(texts[name])
    subprocess.run([X86_GCC, "-O3", "-S", "-o", str(target), str(source)], check=True, timeout=60)
    assert not re.search(r"\b(addpd|mulpd|maxpd)\b", target.read_text())


TWO = """
double f(int n, double a[n]) {
  double top = 0;
  for (int i = 0; i < n; i++) top = a[i] > top ? a[i] : top;
  for (int i = 0; i < n; i++) a[i] -= top;
  return top;
}
"""
LISTING = """
f:
.L1:
\tvmaxsd (%rsi), %xmm0, %xmm0
\taddq $8, %rsi
\tcmpq %rsi, %rax
\tjne .L1
.L2:
\tvmovupd (%rdi), %ymm1
\tvsubpd %ymm0, %ymm1, %ymm1
\tvmovupd %ymm1, (%rdi)
\taddq $32, %rdi
\tcmpq %rdi, %rax
\tjne .L2
\tret
"""


def test_nests_of_one_function_take_loops_that_store_as_they_do() -> None:
    reads, writes = of_c(TWO).nests
    taken = [given(nest, "x86-64", UserAssembly(LISTING)).loops[0].label for nest in (reads, writes)]
    assert taken == ["f", ".L2"]  # the first block has the name of the function
