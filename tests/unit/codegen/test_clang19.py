"""Code as clang 19 makes it, where the LLVM that makes ours is newer. What is expected was read from the assembly of
clang 19.1.7 (-O3 -march=sapphirerapids)."""

from __future__ import annotations

import pytest

from foretell.codegen.compilers.clang19 import interleaved
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.generate import Code, generated
from tests.support.caches.nests import of_c, only

pytest.importorskip("llvmlite")


def _code(text: str, compiler: str = "clang-19") -> Code:
    nest = only(of_c(text))
    return generated(nest, "x86-64", "sapphirerapids", parse_flags("-O3", compiler))


def _kinds(code: Code) -> set[str]:
    return {one.kind for loop in code.loops for one, _ in loop.instructions()}


#: right sides of y[j][i], and the iterations of a pass
STENCILS = {
    "+= x0[j][i+2] - x1[j+1][i-1] + 1.5*x1[j-1][i-1]": 16,
    "+= x1[j+1][i+2] + 0.25*x0[j+1][i+1] - x1[j+2][i-1] - x1[j][i]*x1[j+2][i-1] - x1[j][i]*x0[j][i]"
    " + x0[j-1][i+2] + 1.5*x1[j][i]": 8,
    "= x1[j][i+2] + x0[j-1][i-1] - x0[j+1][i+2] + 0.5*x1[j+2][i+1] - x0[j-1][i] - x0[j][i]*x0[j][i]": 8,
    "= x0[j][i]": 16,
}


@pytest.mark.parametrize(("body", "elements"), STENCILS.items())
def test_vectors_side_by_side(body: str, elements: int) -> None:
    text = f"""
    void f(long n, const double x0[restrict n][n], const double x1[restrict n][n], double y[restrict n][n]) {{
      for (long j = 1; j < n - 2; j++) for (long i = 1; i < n - 2; i++) y[j][i] {body}; }}"""
    assert _code(text).elements[0] == elements


def test_distances_that_are_added_before_the_loop_take_registers() -> None:
    """A seventh row pointer, x[k][j] less one element, leaves registers for two vectors side by side."""
    near = "x[k-1][j][i] + x[k+1][j][i] + x[k][j-1][i] + x[k][j+1][i] + x[k][j][i-1] + x[k][j][i+1] + x[k][j][i]"
    text = f"""
    void f(long n, const double x[restrict n][n][n], double y[restrict n][n][n]) {{
      for (long k = 1; k < n - 1; k++) for (long j = 1; j < n - 1; j++) for (long i = 1; i < n - 1; i++)
        y[k][j][i] = 0.1 * ({near}); }}"""
    assert _code(text).elements[0] == 8


def test_divisions_of_single_precision_cost_less() -> None:
    text = STREAM.replace("T", "float").replace("U", "float")
    body = "a[i] = b[i] / __builtin_sqrtf(1.0f + b[i]*b[i])"
    assert _code(text.replace("BODY", body)).elements[0] == 32


STREAM = "void f(long n, const T *restrict b, U *restrict a) { for (long i = 0; i < n; i++) BODY; }"


def test_a_loop_that_costs_much_has_one_vector_at_a_time() -> None:
    terms = " + ".join(f"{k}.5*b[i+{k}]" for k in range(12))
    text = STREAM.replace("T", "double").replace("U", "double").replace("BODY", f"a[i] = {terms}")
    assert _code(text).elements[0] == 4


@pytest.mark.parametrize(
    ("body", "gathered"),
    [
        ("a[i] = 1.5*b[3*i]", True),
        ("a[i] = 1.5*b[5*i]", True),
        ("a[i] = 1.5*b[4*i]", False),
        ("a[i] = b[3*i] + b[3*i+1] + b[3*i+2]", False),
    ],
)
def test_groups_with_gaps_are_gathered_unless_their_step_is_a_power_of_two(body: str, gathered: bool) -> None:
    code = _code(STREAM.replace("T", "double").replace("U", "double").replace("BODY", body))
    assert ("gather" in _kinds(code)) == gathered
    assert code.elements[0] == 16


def test_a_group_is_loaded_whole() -> None:
    code = _code(STREAM.replace("T", "double").replace("U", "double").replace("BODY", "a[i] = b[4*i]"))
    loads = [one.moved for one, _ in code.loops[0].instructions() if one.loads]
    assert loads == [32] * 16


def test_the_rest_is_done_with_vectors_where_these_have_16_elements() -> None:
    clamp = "a[i] = b[i] < 0 ? 0 : b[i] > 255 ? 255 : b[i]"
    short = _code(STREAM.replace("T", "short").replace("U", "unsigned char").replace("BODY", clamp))
    assert short.elements[:2] == (64, 8)
    double = STREAM.replace("T", "double").replace("U", "double").replace("BODY", "a[i] = 2*b[i]")
    assert 4 not in _code(double).elements
    assert 4 in _code(double, "clang").elements


def test_a_loop_of_several_blocks_is_left_to_llvm() -> None:
    nest = only(of_c(STREAM.replace("T", "double").replace("U", "double").replace("BODY", "a[i] = b[i]")))
    assert interleaved(nest, "define void @f() {\nentry:\n  ret void\n}\n", "sapphirerapids", 2) == 2
