"""How gcc takes elements that lie apart, conditions and small numbers into vectors: what it reports itself, and the
shape of the code that is made."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.codegen.assembly.induction import elements_per_pass, moves_by_registers
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.loops import find_loops
from foretell.codegen.compilers.flags import has_avx512, parse_flags, widest_vectors
from foretell.codegen.compilers.gcc import vectorise
from foretell.codegen.compilers.gcc.strided import tuning, vector_bytes
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.codegen.ir.nest import LoopHints
from foretell.core.symbolic.poly import symbol
from tests.support.caches.nests import of_c, only
from tests.support.host import X86_GCC
from tests.support.models.codegen import numbers, run

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest

pytest.importorskip("llvmlite")

LOOP = " {{ for (long i = 0; i < n; i++) {{ {1} }} }}"
TEXT = "void f(long n, long m, const {0} *restrict x, const {0} *restrict z, {0} *restrict y)" + LOOP


def nest_of(body: str, kind: str = "double") -> LoopNest:
    return only(of_c(TEXT.format(kind, body)))


def made(body: str, kind: str = "double", flags: str = "-O3 -march=sapphirerapids") -> tuple[int, list[str]]:
    """Iterations in a pass, and the instructions."""
    code = generated(nest_of(body, kind), "x86-64", "sapphirerapids", parse_flags(flags, "gcc-12"))
    return code.elements[0], [one.text for one, _ in code.loops[0].instructions()]


def names(lines: list[str]) -> list[str]:
    return [line.split()[0] for line in lines]


# --- elements that lie apart -------------------------------------------------------------------------------

BODIES = (
    "y[i] = x[i * m];",
    "y[i] = 2 * x[i * m];",
    "y[i] += x[i * m] * z[i];",
    "y[i] = x[i * m] * x[i * m + 1];",
    "y[i * m] = x[i];",
    "y[i * m] = 3 * x[i];",
    "y[i * m] += x[i];",
    "y[i * m] = x[i] * z[i] + x[i] + z[i];",
    "y[i] = x[i] / z[i * m];",
    "y[i] = x[5 * i];",
    "y[i] = x[99 * i] + z[i];",
    "y[i] = x[16 * i];",
    "y[i] = x[5 * i] + x[5 * i + 2];",
    "y[2 * i] = x[i];",
    "y[7 * i] = x[i] * z[i];",
    "y[i] = x[6 * i] + z[i * m];",
)


def reported(body: str, kind: str, flags: str, folder: Path) -> int:
    """Bytes of the widest vectors in which gcc says that it took the loop (not the version for a step of one element);
    0 where it left it."""
    source = folder / "f.c"
    source.write_text(TEXT.format(kind, body))
    run_gcc = [X86_GCC, *flags.split(), "-fno-version-loops-for-strides", "-fopt-info-vec-optimized", "-S", "-o"]
    said = subprocess.run([*run_gcc, "/dev/null", str(source)], capture_output=True, text=True, check=True).stderr
    return max((int(found) for found in re.findall(r"loop vectorized using (\d+) byte", said)), default=0)


def gcc_version() -> int:
    if not X86_GCC:
        return 0
    said = subprocess.run([X86_GCC, "-dumpversion"], capture_output=True, text=True, check=True).stdout
    return int(said.partition(".")[0])


@pytest.mark.skipif(gcc_version() != 12, reason="needs a gcc 12 for x86-64, whose costs these are")
@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize("cpu", ["sapphirerapids", "x86-64"])
def test_vectors_are_as_wide_as_gcc_says(cpu: str, kind: str, tmp_path: Path) -> None:
    widest = min(256, widest_vectors(cpu)) // 8
    found = {body: vector_bytes(nest_of(body, kind), widest, tuning(cpu)) for body in BODIES}
    assert found == {body: reported(body, kind, f"-O3 -march={cpu}", tmp_path) for body in BODIES}


def test_what_lies_beside_each_other_is_no_business_of_ours() -> None:
    for body in ("y[i] = x[i];", "y[i] = x[2 * i] + x[2 * i + 1];", "y[2 * i] = x[i]; y[2 * i + 1] = z[i];"):
        assert vector_bytes(nest_of(body), 32, tuning("sapphirerapids")) is None, body


def test_loads_are_put_together_and_stores_taken_apart() -> None:
    elements, lines = made("y[i] += x[i * m] * z[i];")
    assert elements == 4
    assert [names(lines).count(name) for name in ("vmovsd", "vmovhpd", "vinsertf128")] == [2, 2, 1]
    assert not any("vpextrq" in line or "gather" in line for line in lines)  # addresses are in no vector
    elements, lines = made("y[4 * i] = x[i] + 1;", "float")
    assert elements == 8
    assert sum("vextractps" in line for line in lines) == 6
    assert sum(name == "vaddps" for name in names(lines)) == 1


def test_what_gcc_refuses_stays_scalar() -> None:
    for body in ("y[i] = x[5 * i] + x[5 * i + 2];", "y[i] = x[16 * i];", "y[i * m] += x[i];"):
        assert made(body)[0] == 1, body


def test_offsets_that_grow_reach_the_same_elements() -> None:
    nest = nest_of("y[3 * i] = x[i * m] + z[i];")
    single = {
        one: step for one, step in ((one, {"x": symbol("m"), "y": symbol("n") * 0 + 3}.get(one.array))
                                    for one in vectorise.references(nest)) if step is not None
    }  # fmt: skip
    x, z, y = numbers(40), numbers(10, 2), np.zeros(30)
    run(nest, {"x": x, "z": z, "y": y}, {"n": 10, "m": 4}, hints=LoopHints(single=tuple(single.items())))
    np.testing.assert_allclose(y[::3], x[::4] + z)
    assert not y[1::3].any()


def test_groups_of_three_are_kept_together() -> None:
    elements, lines = made("y[3 * i] *= 2; y[3 * i + 1] *= 3; y[3 * i + 2] *= 5;")
    assert elements == 4
    assert names(lines).count("vmulpd") == 3
    assert not any("perm" in line or "blend" in line for line in lines)


# --- picked elements ---------------------------------------------------------------------------------------

PICKED = (
    "void f(long n, const int *restrict k, const double *restrict x, double *restrict y)"
    " {{ for (long i = 0; i < n; i++) {0} }}"
)


@pytest.mark.parametrize(
    ("body", "elements", "name"),
    [
        ("y[i] = x[k[i]];", 8, "vgatherdpd"),
        ("y[k[i]] = 2 * x[i];", 8, "vscatterdpd"),
        ("y[k[i]] += x[i];", 1, "vmovsd"),  # two may be one element
    ],
)
def test_picked_elements_are_gathered_and_scattered(body: str, elements: int, name: str) -> None:
    nest = only(of_c(PICKED.format(body)))
    code = generated(nest, "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    assert code.elements[0] == elements
    assert name in [one.text.split()[0] for one, _ in code.loops[0].instructions()]


def test_picked_elements_that_stay_scalar() -> None:
    scatter = only(of_c(PICKED.format("y[k[i]] = 2 * x[i];")))
    assert not vectorise.can_pick(scatter, scatters=False)
    small = only(of_c(PICKED.format("y[i] = x[k[i]];").replace("int *", "long *").replace("double", "float")))
    assert not vectorise.can_pick(small, scatters=True)  # fewer indices in a vector than elements


# --- conditions --------------------------------------------------------------------------------------------


def test_elements_that_a_condition_chooses_are_both_loaded() -> None:
    elements, lines = made("y[i] = x[i] > 1 ? z[i] : z[i + n];", "float")
    assert elements == 8
    assert not any("vpextr" in line or "vinsertps" in line for line in lines)


def test_arithmetic_under_a_condition() -> None:
    """With masks gcc compares once more for what is done where the condition does not hold; without, it does nothing in
    vectors, unless nobody asks for exceptions."""
    body = "y[i] = x[i] > 1 ? x[i] : 3 * x[i];"
    elements, lines = made(body)
    assert (elements, sum(name.startswith("vcmp") for name in names(lines))) == (4, 2)
    assert made(body, flags="-O3 -march=haswell")[0] == 1
    assert made(body, flags="-O3 -march=haswell -ffast-math")[0] > 1
    assert made("y[i] = x[i] > 1 ? x[i] : 3;", flags="-O3 -march=haswell")[0] == 4


def test_what_is_done_only_sometimes() -> None:
    assert vectorise.only_sometimes(nest_of("y[i] = x[i] > 1 ? x[i] : 3;")) == set()
    assert vectorise.only_sometimes(nest_of("y[i] = x[i] > 1 ? z[i] : 3;")) == {"access"}
    assert vectorise.only_sometimes(nest_of("if (x[i] > 1) y[i] = x[i] * 2;")) == {"access", "arithmetic"}
    assert vectorise.only_sometimes(nest_of("y[i] = x[i] * 2 > 1 ? x[i] * 2 : 0;")) == set()


def test_the_size_of_a_number_is_a_comparison() -> None:
    body = "y[i] = z[i] * (x[i] < 0 ? -x[i] : x[i]);"
    assert any(name.startswith("vcmp") for name in names(made(body)[1]))
    fast = made(body, flags="-O3 -march=sapphirerapids -ffast-math")[1]
    assert not any(name.startswith("vcmp") for name in names(fast))


def test_halves_of_narrower_numbers_are_stored_together() -> None:
    text = (
        "void f(long n, const double *restrict x, int *restrict y)"
        " { for (long i = 0; i < n; i++) y[i] = (int)(2 * x[i]); }"
    )
    code = generated(only(of_c(text)), "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    inside = [one for one, _ in code.loops[0].instructions()]
    assert [one.moved for one in inside if one.stores] == [32]
    assert sum("vinsertf128" in one.text for one in inside) == 1


# --- complex numbers, calls, CPUs ----------------------------------------------------------------------------


def test_a_real_number_times_a_complex_one() -> None:
    nest = only(of_c("""#include <complex.h>
        void f(long n, double s, const double complex *restrict a, double complex *restrict b) {
          for (long i = 0; i < n; i++) b[i] = s * a[i] / 4.0 + 1.0 - (2.0 - a[i]); }"""))  # fmt: skip
    a, b = numbers(6) + 1j * numbers(6, 2), np.zeros(6, dtype=complex)
    run(nest, {"a": a, "b": b}, {"n": 6}, {"s": 3.0})
    np.testing.assert_allclose(b, 3 * a / 4 + 1 - (2 - a), rtol=1e-14)
    code = generated(nest, "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    assert not any("ucomi" in one.text for one, _ in code.loops[0].instructions())  # nothing to look for NaN


def test_the_start_of_a_sum_waits_for_no_call() -> None:
    text = "double f(long n, const double *x) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; return s; }"
    code = generated(only(of_c(text)), "x86-64", "sapphirerapids", parse_flags("-O3", "gcc-12"))
    assert code.loops[0].function.blocks[0].instructions[0].kind == "zero"


@pytest.mark.parametrize(
    ("cpu", "bits", "masks"),
    [("x86-64", 128, False), ("haswell", 256, False), ("alderlake", 256, False), ("sapphirerapids", 512, True)],
)
def test_vectors_of_cpus(cpu: str, bits: int, masks: bool) -> None:
    assert (widest_vectors(cpu), has_avx512(cpu)) == (bits, masks)


def test_small_vectors_hold_no_more_than_they_can() -> None:
    """Elements of two sizes on a CPU whose vectors have 16 bytes."""
    text = "void f(long n, const short *restrict x, int *restrict y) { for (long i = 0; i < n; i++) y[i] = x[i]; }"
    code = generated(only(of_c(text)), "x86-64", "x86-64", parse_flags("-O3 -march=x86-64", "gcc-12"))
    assert code.elements[0] == 8


# --- a compiler's own code -----------------------------------------------------------------------------------

VERSIONS = """
f:
\ttestq %rdi, %rdi
\tjle .L1
\tcmpq $1, %rsi
\tje .L2
.L3:
\tvmulsd (%rdx), %xmm1, %xmm0
\taddq $8, %rdx
\tvmovsd %xmm0, (%rcx)
\taddq %rsi, %rcx
\tcmpq %rax, %rdx
\tjne .L3
.L1:
\tret
.L2:
\tvmulpd (%rdx,%rax), %ymm1, %ymm0
\tvmovupd %ymm0, (%rcx,%rax)
\taddq $32, %rax
\tcmpq %rsi, %rax
\tjne .L2
\tret
"""


def test_the_version_for_any_step_is_meant() -> None:
    """gcc also makes one for neighbours, which does more iterations in a pass."""
    code = given(nest_of("y[i * m] = 3 * x[i];"), "x86-64", UserAssembly(VERSIONS, function="f"))
    assert (code.loops[0].label, code.elements[0]) == (".L3", 1)
    code = given(nest_of("y[i] = 3 * x[i];"), "x86-64", UserAssembly(VERSIONS, function="f"))
    assert (code.loops[0].label, code.elements[0]) == (".L2", 4)


TWO_WAYS = """
f:
.L3:
\tvmovupd (%rax), %ymm1
\tvcmppd $1, %ymm2, %ymm1, %k1
\tkortestb %k1, %k1
\tje .L2
\tvmulpd %ymm4, %ymm1, %ymm3
\tvmovupd %ymm3, (%rax){%k1}
\taddq $32, %rax
\tcmpq %rdx, %rax
\tjne .L3
\tret
.L2:
\taddq $32, %rax
\tcmpq %rdx, %rax
\tjne .L3
\tret
"""


def test_a_pass_takes_one_of_several_ways() -> None:
    (function,) = read_listing(TWO_WAYS, "x86-64", "f.s")
    (loop,) = find_loops(function)
    assert elements_per_pass(loop.path(), [8]) == 4
    assert sum("addq" in one.text for one in loop.path()) == 1
    assert not moves_by_registers(loop.path())


def test_what_is_stored_says_how_many_where_addresses_do_not() -> None:
    text = "f:\n.L3:\n\tmovq 8(%rsp), %rax\n\tvmovdqu %ymm0, (%rax,%rbx)\n\timulq $3, %rbx\n\tjne .L3\n\tret\n"
    (function,) = read_listing(text, "x86-64", "f.s")
    (loop,) = find_loops(function)
    assert elements_per_pass(loop.path(), [1], stored=1) == 32
    assert elements_per_pass(loop.path(), [1]) is None


def test_prefixes_of_encodings_are_no_instructions() -> None:
    (function,) = read_listing("f:\n\t{vex} vpdpwssd (%rsi), %ymm3, %ymm1\n\tret\n", "x86-64", "f.s")
    one = function.blocks[0].instructions[0]
    assert (one.mnemonic, one.reads) == ("vpdpwssd", {"rsi", "zmm3", "zmm1"})
