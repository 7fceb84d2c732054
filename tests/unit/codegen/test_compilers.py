"""Generated code against what the compilers themselves emit, and each habit by itself."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.codegen.compilers import host
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.compilers.gcc import vectorise
from foretell.codegen.compilers.gcc.unroll_and_jam import jam_factor
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import live_out
from foretell.codegen.ir.values import FloatRules
from foretell.machines import load
from foretell.models.cpu.incore import in_core
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c
from tests.support.codegen.listings import CLANG, CPU, both, both_of, made_of, needs_clang, nest_of
from tests.support.host import X86_GCC, needs_x86_gcc
from tests.support.models.codegen import kernel, numbers, run

if TYPE_CHECKING:
    from pathlib import Path


@needs_x86_gcc
@pytest.mark.parametrize("name", ["complex_product", "convert", "daxpy", "heat1d", "jacobi5"])
def test_generated_loops_do_what_those_of_gcc_do(name: str, tmp_path: Path) -> None:
    made, own = both(name, "gcc", tmp_path)
    assert made == pytest.approx(own)


@needs_x86_gcc
def test_pointers_are_reloaded_about_as_often_as_in_gcc(tmp_path: Path) -> None:
    made, own = both("jacobi27", "gcc", tmp_path)
    assert made["load"] == pytest.approx(own["load"], rel=0.1)
    assert made["load"] > 1.3 * 27 / 4  # 27 elements, in vectors of four


@needs_clang
@pytest.mark.parametrize("name", ["complex_product", "convert", "jacobi13", "jacobi27", "schoenauer", "variable7"])
def test_generated_loops_do_what_those_of_clang_do(name: str, tmp_path: Path) -> None:
    made, own = both(name, CLANG, tmp_path)
    assert made == pytest.approx(own)


@needs_x86_gcc
@pytest.mark.parametrize(("name", "n"), [("outer", 54), ("jacobi5", 39), ("daxpy", 1000)])
def test_a_compilers_own_code_is_followed(name: str, n: int, tmp_path: Path) -> None:
    """Its set-up of rows and remainders count as those of generated code do, which are much like them."""
    source, target = KERNELS / f"{name}.c", tmp_path / "own.s"
    subprocess.run([X86_GCC, "-O3", f"-march={CPU}", "-S", "-o", target, source], check=True)
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


@needs_x86_gcc
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


@needs_x86_gcc
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


@needs_x86_gcc
def test_rows_are_joined_where_gcc_joins_them(tmp_path: Path) -> None:
    """What gcc itself reports of each loop nest."""
    source = tmp_path / "rows.c"
    arguments = "long n, const double a[restrict n][n], double *restrict x, double *restrict y, const int *restrict p"
    source.write_text("".join(f"void f{k}({arguments}) {{ {rows} }}\n" for k, rows in enumerate(ROWS.values())))
    command = [X86_GCC, "-O3", f"-march={CPU}", "-fopt-info-loop-optimized", "-c", "-o", tmp_path / "rows.o", source]
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


@needs_x86_gcc
def test_joined_rows_do_what_those_of_gcc_do(tmp_path: Path) -> None:
    source = tmp_path / "product.c"
    source.write_text(PRODUCT)
    made, own = both_of(source, "gcc", tmp_path)
    assert made == pytest.approx(own)
    nest = nest_of(source.read_text())
    flags = {"-O3": 2, "-O2 -ftree-vectorize": 1}
    assert {words: generated(nest, "x86-64", CPU, parse_flags(words)).jam for words in flags} == flags


@needs_x86_gcc
@pytest.mark.parametrize(
    "n",
    [pytest.param(12, marks=pytest.mark.xfail(reason="gcc's spilled words are renamed by the core: 18 % faster")), 32],
)
def test_short_joined_rows_take_as_long_as_those_of_gcc(n: int, tmp_path: Path) -> None:
    """A product of matrices whose rows are a few vectors long: what stands around them counts. The code of the compiler
    and the generated one, both followed through the same core."""
    source, listing = tmp_path / "product.c", tmp_path / "product.s"
    source.write_text(PRODUCT)
    subprocess.run([X86_GCC, "-O3", f"-march={CPU}", "-S", "-o", listing, source], check=True)
    nest, machine = nest_of(PRODUCT), load("sapphire-rapids")
    own = UserAssembly(listing.read_text(), parameters=("n", "a", "b", "c"))
    options = parse_flags("-O3", host.named(X86_GCC))
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
