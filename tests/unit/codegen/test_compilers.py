"""Generated code against what the compilers themselves emit, and each habit by itself."""

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
from foretell.codegen.compilers.gcc.vectorise import jam_factor
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import alone_in_type, live_out, may_overlap, pairs_to_check
from foretell.codegen.ir.values import FloatRules
from foretell.machines import load
from foretell.models.cpu.incore import in_core
from foretell.uses.measure.compile_and_run import Build
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c
from tests.support.models.codegen import kernel, numbers, run

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.codegen.assembly.loops import AsmLoop
    from foretell.core.nest.loopnest import LoopNest

CPU = "sapphirerapids"
CLANG = next((name for name in ("clang", "clang-22", "clang-21", "clang-20", "clang-19") if shutil.which(name)), "")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
needs_clang = pytest.mark.skipif(not CLANG, reason="needs clang")


def nest_of(text: str) -> LoopNest:
    (nest,) = of_c(text).nests
    return nest


def made_of(nest: LoopNest, compiler: str = "gcc") -> list[str]:
    """Mnemonics of the main loop."""
    code = generated(nest, "x86-64", CPU, parse_flags("-O3", compiler))
    return [one.mnemonic for one, _ in code.loops[0].instructions()]


def work(loop: AsmLoop, elements: int) -> dict[str, float]:
    """Arithmetic of each kind, loads and stores of one source iteration."""
    counted: Counter[str] = Counter()
    for one, share in loop.instructions():
        if one.bytes and one.kind in ("add", "multiply", "fma", "permute", "shuffle", "shuffle_two", "convert"):
            counted[one.kind] += share  # type: ignore[assignment]
        counted["load"] += share * one.loads  # type: ignore[assignment]
        counted["store"] += share * one.stores  # type: ignore[assignment]
    return {kind: count / elements for kind, count in counted.items() if count}


def both(name: str, compiler: str, tmp_path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """What the generated main loop of a shipped kernel does, and what the compiler's own does."""
    return both_of(KERNELS / f"{name}.c", compiler, tmp_path)


def both_of(source: Path, compiler: str, tmp_path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """The same for any file."""
    nest = nest_of(source.read_text())
    target = tmp_path / "own.s"
    subprocess.run([compiler, "-O3", f"-march={CPU}", "-S", "-o", target, source], check=True, capture_output=True)
    own = given(nest, "x86-64", UserAssembly(target.read_text()))
    code = generated(nest, "x86-64", CPU, parse_flags("-O3", host.named(compiler)))
    return work(code.loops[0], code.elements[0]), work(own.loops[0], own.elements[0])


@needs_gcc
@pytest.mark.parametrize("name", ["complex_product", "convert", "daxpy", "heat1d", "jacobi5"])
def test_generated_loops_do_what_those_of_gcc_do(name: str, tmp_path: Path) -> None:
    made, own = both(name, "gcc", tmp_path)
    assert made == pytest.approx(own)


@needs_gcc
def test_pointers_are_reloaded_about_as_often_as_in_gcc(tmp_path: Path) -> None:
    made, own = both("jacobi27", "gcc", tmp_path)
    assert made["load"] == pytest.approx(own["load"], rel=0.1)
    assert made["load"] > 1.3 * 27 / 4  # 27 elements, in vectors of four


@needs_clang
@pytest.mark.parametrize("name", ["complex_product", "convert", "jacobi13", "jacobi27", "schoenauer", "variable7"])
def test_generated_loops_do_what_those_of_clang_do(name: str, tmp_path: Path) -> None:
    made, own = both(name, CLANG, tmp_path)
    assert made == pytest.approx(own)


@needs_gcc
@pytest.mark.parametrize(("name", "n"), [("outer", 54), ("jacobi5", 39), ("daxpy", 1000)])
def test_a_compilers_own_code_is_followed(name: str, n: int, tmp_path: Path) -> None:
    """Its set-up of rows and remainders count as those of generated code do, which are much like them."""
    source, target = KERNELS / f"{name}.c", tmp_path / "own.s"
    subprocess.run(["gcc", "-O3", f"-march={CPU}", "-S", "-o", target, source], check=True)
    flags = {"flags": f"-O3 -march={CPU}"}
    made, own = (
        foretell.predict(source, "sapphire-rapids", parameters={"n": n, "threads": 1}, options=options).time_s
        for options in (flags, {"asm": str(target)})
    )
    assert own == pytest.approx(made, rel=0.15)


def test_what_a_function_of_the_users_takes() -> None:
    nest = nest_of((KERNELS / "daxpy.c").read_text())
    text = "daxpy:\n.L2:\n vmovsd (%rsi,%rax), %xmm1\n vmovsd %xmm1, (%rdx,%rax)\n addq $8, %rax\n jne .L2\n ret\n"

    def taken(*parameters: str, name: str = "daxpy") -> tuple[str, ...] | None:
        return given(nest, "x86-64", UserAssembly(text.replace("daxpy", name), parameters=parameters)).arguments

    sizes = [f"array {[use.name for use in nest.arrays].index(name)}" for name in "xy"]
    assert taken("n", "s", "x", "y") == ("size n", *sizes)
    assert taken("n", "s", "x", "y", "more") is None  # who knows what it is
    assert taken() is None
    assert taken("n", "s", "x", "y", name="other") is None  # a part of it, moved out


# ---- products and sums


@pytest.mark.parametrize("op", ["+", "-"])
def test_products_join_sums_within_an_expression_for_clang(op: str) -> None:
    text = f"""void f(int n, double *restrict a, double *restrict b, double *restrict c) {{
      for (int i = 0; i < n; i++) {{ a[i] = b[i] * c[i] {op} a[i] * 0.5; b[i] = c[i] {op} b[i] * c[i];
                                     c[i] = 2.0 {op} c[i]; }} }}"""
    nest = nest_of(text)
    rules = FloatRules(checked=False, within=True)
    made = nest_ir(nest, rules, LoopHints()).text
    assert made.count('call double @"llvm.fmuladd.f64"') == 2
    assert made.count("fmul double") == 1  # of two products one is added by itself
    assert "contract" not in made
    arrays = {name: numbers(20, seed) for seed, name in enumerate("abc")}
    expected = {name: values.copy() for name, values in arrays.items()}
    sign = 1 if op == "+" else -1
    expected["a"] = expected["b"] * expected["c"] + sign * expected["a"] * 0.5
    expected["b"] = expected["c"] + sign * expected["b"] * expected["c"]
    expected["c"] = 2.0 + sign * expected["c"]
    run(nest, arrays, {"n": 20}, rules=rules)
    for name in "abc":
        np.testing.assert_allclose(arrays[name], expected[name], rtol=1e-14)


GROUPS = {
    "one of two": "a[i] = b[2 * i] * s",
    "both of two": "a[i] = b[2 * i] * s - b[2 * i + 1]",
    "their sum": "a[i] = s * (b[2 * i] + b[2 * i + 1])",
    "one of three": "a[i] = b[3 * i] * s",
    "all of three": "a[i] = b[3 * i] + s * b[3 * i + 1] - b[3 * i + 2]",
    "one of four": "a[i] = b[4 * i] * s",
    "all of four": "a[i] = b[4 * i] + b[4 * i + 1] * b[4 * i + 2] - b[4 * i + 3]",
}


@needs_gcc
@pytest.mark.parametrize("how", GROUPS)
def test_elements_that_lie_apart_are_permuted_as_in_gcc(how: str, tmp_path: Path) -> None:
    """As many loads and permutes as the compiler on this machine has (single and double precision)."""
    for kind in ("double", "float"):
        source = tmp_path / "groups.c"
        source.write_text(
            f"void f(long n, {kind} s, const {kind} *restrict b, {kind} *restrict a) "
            f"{{ for (long i = 0; i < n; i++) {GROUPS[how]}; }}\n"
        )
        made, own = both_of(source, "gcc", tmp_path)
        joins = ("permute", "shuffle", "shuffle_two")
        assert sum(made.get(one, 0.0) for one in joins) == sum(own.get(one, 0.0) for one in joins)
        assert made["load"] == own["load"]


@needs_gcc
def test_small_products_as_in_gcc(tmp_path: Path) -> None:
    """A matrix of 4 x 4 times many vectors: each is loaded once, and its elements spread by permutes."""
    source = tmp_path / "small.c"
    source.write_text(
        "void f(long n, const double m[restrict 4][4], const double x[restrict n][4], double y[restrict n][4]) {"
        " for (long i = 0; i < n; i++) for (int r = 0; r < 4; r++) { double s = 0;"
        " for (int c = 0; c < 4; c++) s += m[r][c] * x[i][c]; y[i][r] = s; } }\n"
    )
    made, own = both_of(source, "gcc", tmp_path)
    # A pass of the generated loop counts as its sixteen products, one of gcc's as the iterations of its only loop.
    assert {kind: made[kind] * 16 for kind in made} == {kind: own[kind] * 4 for kind in own}


def test_groups_that_are_written_stay_together() -> None:
    """The parts of complex numbers, and loops without a step."""
    text = "void f(long n, const double *restrict b, double *restrict a) {{ for (long i = 0; i < n; i++) {0}; }}"
    assert vectorise.permuted(nest_of(text.format("a[2 * i] = b[2 * i + 1]")), 32) == (0, 0)
    assert vectorise.permuted(nest_of(text.format("a[i] = b[i]")), 32) == (0, 0)
    assert vectorise.permuted(nest_of(text.format("a[i] = b[8 * i] + b[8 * i + 4]")), 32) == (8, 8)


#: what two loops of n rows and n columns hold, and the same of loops of other lengths
EACH = "for (long k = 0; k < n; k++) for (long i = 0; i < n; i++) "
ROWS = {
    "rows of a product": EACH + "y[i] += a[k][i] * x[k];",
    "two results": EACH + "{ y[i] += a[k][i]; x[i] -= a[k][i]; }",
    "every second row": EACH.replace("k++", "k += 2") + "y[i] += a[k][i];",
    "a scalar of the row": EACH.replace(") for", ") { double t = 2 * x[k]; for") + "y[i] += t * a[k][i]; }",
    "elements that follow": EACH.replace("i < n", "i < n - 1") + "y[i] += a[k][i] * (x[i] + x[i + 1]);",
    "a recurrence": EACH.replace("i < n", "i < n - 1") + "y[i + 1] += a[k][i] * y[i];",
    "something written beside": EACH.replace(") for", ") { x[k] = 0; for") + "y[i] += a[k][i]; }",
    "rows that grow": EACH.replace("i < n", "i < k") + "y[i] += a[k][i] * x[k];",
    "a sum of the row": EACH + "y[k] += a[k][i] * x[i];",
    "nothing in common": EACH + "y[k * n + i] += a[k][i];",
    "one loop": "for (long i = 0; i < n; i++) y[i] += x[i];",
    "picked elements": EACH + "y[p[i]] += a[k][i];",
}


@needs_gcc
def test_rows_are_joined_where_gcc_joins_them(tmp_path: Path) -> None:
    """What gcc itself reports of each loop nest."""
    source = tmp_path / "rows.c"
    arguments = "long n, const double a[restrict n][n], double *restrict x, double *restrict y, const int *restrict p"
    source.write_text("".join(f"void f{k}({arguments}) {{ {rows} }}\n" for k, rows in enumerate(ROWS.values())))
    command = ["gcc", "-O3", f"-march={CPU}", "-fopt-info-loop-optimized", "-c", "-o", tmp_path / "rows.o", source]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    joined = {int(line.split(":")[1]) for line in said.splitlines() if "unroll and jam with factor 2" in line}
    nests = {nest.function: nest for nest in of_c(source.read_text()).nests}
    found = {line for line in range(1, len(ROWS) + 1) if jam_factor(nests[f"f{line - 1}"]) == 2}
    assert found == joined
    assert len(joined) == 4


PRODUCT = (
    "void f(long n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {"
    " for (long i = 0; i < n; i++) for (long k = 0; k < n; k++) for (long j = 0; j < n; j++)"
    " c[i][j] += a[i][k] * b[k][j]; }\n"
)


@needs_gcc
def test_joined_rows_do_what_those_of_gcc_do(tmp_path: Path) -> None:
    source = tmp_path / "product.c"
    source.write_text(PRODUCT)
    made, own = both_of(source, "gcc", tmp_path)
    assert made == pytest.approx(own)
    nest = nest_of(source.read_text())
    flags = {"-O3": 2, "-O2 -ftree-vectorize": 1}
    assert {words: generated(nest, "x86-64", CPU, parse_flags(words)).jam for words in flags} == flags


@needs_gcc
@pytest.mark.parametrize("n", [12, 32])
def test_short_joined_rows_take_as_long_as_those_of_gcc(n: int, tmp_path: Path) -> None:
    """A product of matrices whose rows are a few vectors long: what stands around them counts. The code of the compiler
    and the generated one, both followed through the same core."""
    source, listing = tmp_path / "product.c", tmp_path / "product.s"
    source.write_text(PRODUCT)
    subprocess.run(["gcc", "-O3", f"-march={CPU}", "-S", "-o", listing, source], check=True)
    nest, machine = nest_of(PRODUCT), load("sapphire-rapids")
    own = UserAssembly(listing.read_text(), parameters=("n", "a", "b", "c"))
    options = parse_flags("-O3", host.named("gcc"))
    cycles = [in_core(nest, machine, options, {"n": n}, code).cycles_per_iteration for code in (None, own)]
    assert cycles[0] == pytest.approx(cycles[1], rel=0.15)


def test_what_is_taken_off_is_added_up_in_order() -> None:
    """gcc multiplies in vectors for `s -= v * w` as for `s += v * w`; clang does neither that nor the other."""
    text = (
        "double f(long n, const double *restrict v, const double *restrict w)"
        "{{ double s = 1; for (long k = 0; k < n; k++) s {0} v[k] * w[k]; return s; }}"
    )
    assert made_of(nest_of(text.format("-="))) == made_of(nest_of(text.format("+=")))
    assert "vmulpd" in made_of(nest_of(text.format("-=")))
    kept = nest_of(
        "double f(long n, const double *v) { double s = 1; for (long k = 0; k < n; k++) s = v[k] - s; return s; }"
    )
    assert vectorise.as_sums(kept) == kept


def test_a_root_of_squares_in_vectors() -> None:
    """gcc 13 sees that it is never one of a negative number; gcc 12 does not."""
    nest = nest_of(
        "double sqrt(double); void f(long n, const double *restrict v, double *restrict w)"
        "{ for (long k = 0; k < n; k++) w[k] = sqrt(v[k] * v[k] + 1.0); }"
    )
    assert "vsqrtpd" in made_of(nest)
    assert "vsqrtsd" in made_of(nest, "gcc-12")


def test_what_a_loop_leaves_to_the_next_is_computed() -> None:
    """The largest element of a row, which a loop behind takes off it: no loop is left out as unused."""
    text = """void f(long n, double a[restrict n][n]) { for (long i = 0; i < n; i++) { double top = a[i][0];
      for (long j = 1; j < n; j++) top = a[i][j] > top ? a[i][j] : top;
      for (long j = 0; j < n; j++) a[i][j] -= top; } }"""
    first, second = of_c(text).nests
    assert live_out(first) == ("top",)
    assert "vmaxsd" in made_of(first)
    assert "vsubpd" in made_of(second)


SUMS = {"vectors": "s += v[k] * w[k]", "products": "s += v[k] * w[n * k]", "scalar": "s += v[4 * k]"}


@pytest.mark.parametrize("how", SUMS)
def test_sums_in_order_as_gcc_does_them(how: str) -> None:
    nest = nest_of(
        "double f(long n, const double *restrict v, const double *restrict w)"
        f"{{ double s = 0; for (long k = 0; k < n; k++) {SUMS[how]}; return s; }}"
    )
    assert vectorise.sum_in_order(nest) == how
    made = made_of(nest)
    assert ("vmulpd" in made) == (how == "vectors")
    assert ("vmulsd" in made) == (how == "products")  # a product by itself is done in vectors of two
    # Whoever may reorder takes vectors.
    fast = generated(nest, "x86-64", CPU, parse_flags("-O3 -ffast-math", "gcc"))
    assert any(one.bytes > 8 for one, _ in fast.loops[0].instructions()) or how == "scalar"


def test_a_sum_over_picked_elements_is_scalar_in_gcc() -> None:
    nest = nest_of(
        "double f(long n, const double *restrict v, const double x[n], const int *restrict c)"
        "{ double s = 0; for (long k = 0; k < n; k++) s += v[k] * x[c[k]]; return s; }"
    )
    assert "vfmadd231sd" in made_of(nest, "gcc-12")
    assert "vaddsd" in made_of(nest)  # later ones keep the slower fused addition out of the chain


def test_a_sum_in_one_element_is_a_sum() -> None:
    text = """void f(long n, const double *restrict b, double a[restrict n]) {{
      for (long j = 0; j < n; j++) for (long i = 0; i < n; i++) a[j] {0} b[i]; }}"""
    assert vectorise.sums_in_place(nest_of(text.format("+=")))
    assert not vectorise.sums_in_place(nest_of(text.format("=")))
    assert vectorise.stores_in_place(nest_of(text.format("=")))
    assert not vectorise.sums_in_place(kernel("triad"))


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


@needs_gcc
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
    subprocess.run(["gcc", "-O3", "-S", "-o", str(target), str(source)], check=True, timeout=60)
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
