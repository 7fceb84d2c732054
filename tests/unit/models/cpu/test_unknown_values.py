"""What a followed call does where data decide: unknown indices, pointers into known arrays, jumps, alternatives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.api import predict
from foretell.codegen.assembly.listing import read_listing
from foretell.core.nest.functions import Argument
from foretell.core.nest.loopnest import Loops
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.compiled_code import CompiledCode
from foretell.models.cpu.core_time import CoreTime
from foretell.models.cpu.incore.calls.call_arguments import call_arguments
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.model import CpuModel
from foretell.models.cpu.nest_time import UNCERTAIN, NestTime

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.calls.whole_call import Followed

_MACHINE = load("sapphire-rapids")
_ARRAYS = [k << 33 for k in range(1, 5)]
_LENGTH = 20_000
#: the same core, whose predictor knows nothing of calls before
_FORGETFUL = _MACHINE.with_values({"cores.branch_memory": 1e-3})


def _function(name: str, body: str) -> str:
    lines = [line if line.endswith(":") else f"\t{line}" for line in body.splitlines()]
    return "\n".join([f"\t.type\t{name}, @function", f"{name}:", *lines, ""])


def _call(body: str, machine: Machine = _MACHINE) -> Followed:
    functions = read_listing(_function("f", body), "x86-64")
    return follow_call(functions, "f", machine, Costs(machine), [*_ARRAYS[:3], _LENGTH])


def _guarded(body: str) -> float:
    """Executions of the first of two increments."""
    followed = _call(body)
    rows = zip(followed.rows, followed.counts, strict=True)
    return next(count for (_, one), count in rows if one.mnemonic.startswith("inc"))


@pytest.mark.parametrize("low", ["%rdx", "%r8"])
def test_a_number_divided_by_multiplying_is_known(low: str) -> None:
    # length / 7: the upper half of its product with 2^64 / 7, as clang makes it with BMI2; both halves may go to rdx
    body = f"""movq %rcx, %rdx
movabsq $2635249153387078803, %rsi
mulxq %rsi, {low}, %rdx
.L2:
incq %r9
decq %rdx
jne .L2
ret"""
    followed = _call(body)
    assert not followed.guessed
    assert _guarded(body) == _LENGTH // 7


def _counts(followed: Followed, mnemonic: str) -> float:
    rows = zip(followed.rows, followed.result.counts, strict=True)
    return sum(count for (_, one), count in rows if one.mnemonic == mnemonic)


def test_arrays_do_not_overlap_wherever_an_unknown_index_points() -> None:
    # out - (table + 8 * id + 4) > 24, as gcc checks it before a vector loop
    followed = _call(
        "movslq (%rdi), %rax\nleaq 4(%rsi,%rax,8), %rcx\nmovq %rdx, %r8\nsubq %rcx, %r8\ncmpq $24, %r8\njbe .L2\n"
        "vmulsd %xmm0, %xmm0, %xmm0\nret\n.L2:\nvdivsd %xmm0, %xmm0, %xmm0\nret\n"
    )
    assert (_counts(followed, "vmulsd"), _counts(followed, "vdivsd")) == (1, 0)
    assert followed.result.open_jumps == []


def test_unknown_indices_within_one_array_stay_open() -> None:
    followed = _call("movslq (%rdi), %rax\nleaq (%rsi,%rax,8), %rcx\ncmpq %rsi, %rcx\njbe .L2\nret\n.L2:\nret\n")
    assert len(followed.result.open_jumps) == 1


@pytest.mark.parametrize(("jump", "adds"), [("je", 1), ("jne", 0)])
def test_floating_point_numbers_that_are_compared_differ(jump: str, adds: int) -> None:
    followed = _call(f"vucomisd %xmm1, %xmm0\njp .L2\n{jump} .L2\nvmulsd %xmm0, %xmm0, %xmm0\n.L2:\nret\n")
    assert _counts(followed, "vmulsd") == adds
    assert followed.result.open_jumps == []


_COUNT = "xorl %eax, %eax\n.L1:\n{index}\nincl (%rsi,%r8,4)\nincq %rax\ncmpq %rcx, %rax\njne .L1\nret\n"


def test_a_histogram_does_not_wait_for_other_counters() -> None:
    one_counter = _call(_COUNT.format(index="movl $3, %r8d"))
    many = _call(_COUNT.format(index="movslq (%rdi,%rax,4), %r8"))
    # one counter is a chain through memory: at least the forwarding latency and an addition
    assert sum(one_counter.cycles) > 5 * _LENGTH
    assert sum(many.cycles) < 2.5 * _LENGTH


_OPEN = (
    "xorl %eax, %eax\n.L1:\nvmovsd (%rdi,%rax,8), %xmm0\nvcomisd %xmm1, %xmm0\nja .L2\nvmulsd %xmm0, %xmm0, %xmm0\n"
    ".L2:\nincq %rax\ncmpq %rcx, %rax\njne .L1\nret\n"
)


def test_half_of_the_mispredictions_of_open_jumps_are_counted_and_the_rest_is_doubt() -> None:
    followed = _call(_OPEN, _FORGETFUL)
    misses = sum(followed.result.misses)
    assert misses == pytest.approx(_LENGTH / 2, rel=0.2)
    less, more = (sum(doubt[end] for doubt in followed.doubts) for end in (0, 1))
    miss = _MACHINE.value("pipeline.branch_miss.latency")
    assert 1 < less / (misses / 2 * miss) < 1.5  # refilling takes the way to the jump as well
    assert more == pytest.approx(less + miss / 4, rel=1e-3)  # and the end of the loop
    assert _LENGTH < sum(followed.cycles) - less < 4 * _LENGTH


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0, 4.0])
def test_outcomes_of_jumps_that_the_predictor_knows_from_the_call_before_take_no_time(share: float) -> None:
    """The interval is the same, whatever it knows: data of the next call may be others."""
    forgetful = _call(_OPEN, _FORGETFUL)
    outcomes = 2 * sum(forgetful.result.misses)
    knowing = _call(_OPEN, _MACHINE.with_values({"cores.branch_memory": share * outcomes}))
    least, most = ([sum(one.cycles) + sign * sum(d[end] for d in one.doubts) for one in (forgetful, knowing)]
                   for end, sign in ((0, -1), (1, 1)))  # fmt: skip
    assert least[1] == pytest.approx(least[0], rel=1e-3)
    assert most[1] == pytest.approx(most[0], rel=0.04)  # windows of code matter more to a faster loop
    known = (sum(forgetful.cycles) - sum(knowing.cycles)) / (sum(forgetful.cycles) - least[0])
    assert known == pytest.approx(min(share, 1.0), abs=0.02)


def test_outcomes_from_the_call_before_are_not_known_to_fetch() -> None:
    """Its quick prediction goes wrong half of the time, and costs `pipeline.branch_override`; measured loops with a
    jump that goes either way: 1.5 cycles more than with one that goes one way."""
    most = 1e9
    knowing, quick = (
        sum(
            _call(
                _OPEN, _MACHINE.with_values({"cores.branch_memory": most, "pipeline.branch_override.latency": cost})
            ).cycles
        )
        for cost in (2.0, 1e-3)
    )
    assert 0.3 * _LENGTH < knowing - quick < 1.1 * _LENGTH


def test_integers_seldom_equal_a_constant_and_loops_end_where_two_of_them_differ() -> None:
    loop = "xorl %eax, %eax\n.L1:\nCOMPARE\nincq %rdx\n.L2:\nincq %rax\ncmpq %rcx, %rax\njne .L1\nret\n"
    guarded = {"cmpl $7, (%rdi,%rax,4)\njne .L2": 0.16, "cmpl (%rdi,%rax,4), %r9d\njne .L2": 0.5}
    for text, share in guarded.items():
        assert _guarded(loop.replace("COMPARE", text)) == pytest.approx(share * _LENGTH, rel=0.05)
    matching = (
        "xorl %eax, %eax\n.L1:\nxorl %r8d, %r8d\n.L2:\nmovzbl (%rdi,%r8), %r9d\ncmpb %r9b, (%rsi,%r8)\njne .L3\n"
        "incq %r8\ncmpq $8, %r8\njne .L2\n.L3:\nincq %rax\ncmpq %rcx, %rax\njne .L1\nret\n"
    )
    followed = _call(matching)
    assert not followed.guessed
    passes = next(count for (_, one), count in zip(followed.rows, followed.counts, strict=True) if one.loads)
    assert passes == pytest.approx(_LENGTH / 0.84, rel=0.02)
    searching = matching.replace("jne .L3", "je .L3")
    assert _call(searching).guessed


def test_library_functions_may_take_less_or_more() -> None:
    followed = _call("call exp@PLT\ncall unheard_of@PLT\nret\n")
    doubts = [doubt for doubt in followed.doubts if doubt != (0.0, 0.0)]
    gap = Costs(_MACHINE).call("exp").gap
    assert doubts == [pytest.approx((0.35 * gap, gap)), pytest.approx((54.0, 180.0))]


def test_bits_are_counted_by_a_function_without_branches() -> None:
    """libgcc's functions take the slots of their instructions, and no more is assumed of them."""
    costs = Costs(_MACHINE)
    assert costs.call("__popcountdi2@PLT").gap == 24 / _MACHINE.value("cores.issue_width")
    assert costs.call("__paritysi2").gap < costs.call("__popcountsi2").gap
    assert not costs.assumed


def test_a_vector_function_takes_its_own_time_or_that_of_one_scalar_call() -> None:
    costs = Costs(_MACHINE)
    assert costs.call("_ZGVdN8v_tanhf@PLT").gap == _MACHINE.value("pipeline.tanh_f32x8.gap")
    assert costs.call("_ZGVeN16v_expf").gap == _MACHINE.value("pipeline.exp_f32x16.gap")
    assert not costs.assumed
    assert costs.call("_ZGVeN8vv_pow").gap == costs.call("pow").gap
    assert "a call of _ZGVeN8vv_pow is taken as one of pow" in costs.assumed


_SUMS = ".L1:\n" + "\n".join(f"vpaddq %{{0}}mm{k}, %{{0}}mm{k}, %{{0}}mm{k}" for k in range(12))


@pytest.mark.parametrize("order", ["narrow wide", "wide narrow"])
def test_only_loops_with_the_widest_vectors_close_ports(order: str) -> None:
    text = ""
    for name in order.split():
        vectors = _SUMS.format("z" if name == "wide" else "y").replace(".L1", f".L{name}")
        text += _function(name, f"{vectors}\ndecq %rcx\njne .L{name}\nret\n")
    functions = read_listing(text, "x86-64")
    cycles = {
        name: sum(follow_call(functions, name, _MACHINE, Costs(_MACHINE), [0, 0, 0, 1000]).cycles) / 1000
        for name in ("narrow", "wide")
    }
    assert cycles["narrow"] == pytest.approx(12 / 3, rel=0.05)  # p0, p1, p5
    assert cycles["wide"] == pytest.approx(12 / 2, rel=0.05)  # without p1


_SOURCE = """double f(int n, double *x, double *y) {
  double s = 0.0;
  if (x == y)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
  else
    for (int i = 0; i < n; i++)
      s += x[i] * y[i];
  return s;
}
"""
_ASSEMBLY = """\t.file\t1 "f.c"
\t.type\tf, @function
f:
\t.loc 1 3 3
\tcmpq\t%rdx, %rsi
\tje\t.L4
\txorl\t%eax, %eax
.L3:
\t.loc 1 7 3
\tvmovsd\t(%rsi,%rax,8), %xmm1
\tvfmadd231sd\t(%rdx,%rax,8), %xmm1, %xmm0
\tincq\t%rax
\tcmpl\t%eax, %edi
\tjne\t.L3
\tret
.L4:
\txorl\t%eax, %eax
.L5:
\t.loc 1 4 3
\tvmovsd\t(%rsi,%rax,8), %xmm1
\tvfmadd231sd\t%xmm1, %xmm1, %xmm0
\tincq\t%rax
\tcmpl\t%eax, %edi
\tjne\t.L5
\tret
"""
#: the exit of the function has the line of the loop that does not run
_EXIT_OF_ANOTHER = _ASSEMBLY.replace("\tret\n", "\t.loc 1 4 3\n\tvzeroupper\n\tret\n", 1)


@pytest.mark.parametrize("assembly", [_ASSEMBLY, _EXIT_OF_ANOTHER])
def test_an_alternative_that_the_call_does_not_take_has_no_time(tmp_path: Path, assembly: str) -> None:
    (tmp_path / "f.c").write_text(_SOURCE)
    (tmp_path / "f.s").write_text(assembly)
    asm = {"asm": str(tmp_path / "f.s")}
    loops = read(tmp_path / "f.c").facet(Loops)
    code = CompiledCode(loops, _MACHINE, CpuModel().settings("default", asm))
    assert {nest.line: code.runs(nest, {"n": 1000.0}) for nest in loops.nests} == {4: False, 6: True}
    answer = predict(f"{tmp_path / 'f.c'}:f", "sapphire-rapids", parameters={"n": 1000}, options=asm, branch={3: 0.0})
    clock = _MACHINE.value("clock.frequency")
    assert answer.time_s == pytest.approx(1000 * 4 / clock, rel=0.05)  # one chain of fused multiply-adds


def test_a_range_of_sizes_keeps_all_alternatives(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(_SOURCE)
    loops = read(tmp_path / "f.c").facet(Loops)
    code = CompiledCode(loops, _MACHINE, CpuModel().settings("default", {"cc": "none"}))
    assert code.runs(loops.nests[0], {"n": np.array([10.0, 20.0])})
    assert code.runs(replace(loops.nests[0], language="fortran"), {"n": 10.0})  # it is not followed


def test_rows_of_rows_are_tables_of_tables() -> None:
    inner = Argument("a", "rows", 8)
    made = call_arguments((Argument("n", "integer", 4), Argument("a", "rows", 8, ((0, inner),))), {"n": 6})
    assert made is not None
    _, table = made.values
    assert table is not None
    words = dict(made.words)
    rows = [words[words[table + 8 * plane] + 8 * row] for plane in range(12) for row in range(12)]
    assert len(set(rows)) == 144
    assert min(abs(a - b) for a in rows for b in rows if a != b) >= 2 * 6 * 8  # rows may be twice as long


def test_only_the_functions_that_are_reached_are_decoded() -> None:
    text = "".join(
        f"\t.type\t{name}, @function\n{name}:\n\t{body}\n\tret\n\t.size\t{name}, .-{name}\n"
        for name, body in (("a", "call\tb"), ("unread", "nonsense of_no_meaning"), ("b", "incq\t%rax"))
    )
    assert [function.name for function in read_listing(text, "x86-64", root="a")] == ["a", "b"]
    assert [one.line for one in read_listing(text, "x86-64", root="a")[1].blocks[0].instructions] == [13, 14]


def test_the_interval_of_an_inner_search_begins_where_it_ends_at_once(tmp_path: Path) -> None:
    """Each of m entries may end after its first iteration; a single search is taken to go to its end."""
    inner = "long f(const double *x, int n, int m) {\nlong s = 0;\nfor (int k = 0; k < m; k++)\nSEARCH\nreturn s;\n}\n"
    search = "for (int i = 0; i < n; i++) { if (x[i] < x[k]) break; s++; }"
    sizes, options = {"n": 400, "m": 300}, {"cc": "none"}
    (tmp_path / "f.c").write_text(inner.replace("SEARCH", search))
    repeated = predict(read(str(tmp_path / "f.c")), _MACHINE, parameters=sizes, options=options)
    (tmp_path / "f.c").write_text(inner.replace("SEARCH", search.replace("break", "continue")))
    whole = predict(read(str(tmp_path / "f.c")), _MACHINE, parameters=sizes, options=options)
    assert repeated.interval_s is not None
    assert whole.interval_s is not None
    assert 0 < repeated.interval_s[0] < 2 * repeated.time_s / sizes["n"]
    assert whole.interval_s[0] > 0.5 * whole.time_s


def test_the_interval_of_an_inner_iteration_that_converges_begins_at_one_round(tmp_path: Path) -> None:
    text = (
        "void f(int n, int most, const double *c, int *out) {\n"
        "for (int i = 0; i < n; i++) {\ndouble z = 0;\nint k = 0;\n"
        "while (k < most && z <= 4.0) { z = z * z + c[i]; k++; }\nout[i] = k;\n}\n}\n"
    )
    (tmp_path / "f.c").write_text(text)
    options = {"cc": "none"}
    answer = predict(read(str(tmp_path / "f.c")), _MACHINE, parameters={"n": 1000, "most": 100}, options=options)
    assert answer.interval_s is not None
    assert any("runs to its maximum" in text for text in answer.assumptions)
    assert 0 < answer.interval_s[0] < 0.02 * answer.time_s


def test_lines_of_irregular_accesses_may_all_be_near_where_lengths_are_assumed() -> None:
    core = CoreTime(1.0, "core", certainty="ports")
    far = replace(_bare(core), transfers={"L3": 10.0}, irregular=10.0)
    known, assumed = (replace(far, lengths_assumed=one).interval(certain=False) for one in (False, True))
    assert known[0] == pytest.approx(10 * UNCERTAIN["irregular"][0])
    assert assumed[0] == pytest.approx(UNCERTAIN["ports"][0])
    assert assumed[1] == known[1]


def test_doubts_and_relative_uncertainty_are_independent() -> None:
    """Their squares add; the time that is not in doubt remains, less its own uncertainty."""
    core = CoreTime(10.0, "core", less=4.0, more=3.0, certainty="ports")
    least, most = UNCERTAIN["ports"]
    low, high = _bare(core).interval(certain=False)
    assert low == pytest.approx(10 - np.hypot(10 * (1 - least), 4))
    assert high == pytest.approx(10 + np.hypot(10 * (most - 1), 3))
    assert _bare(replace(core, less=9.99)).interval(certain=False)[0] == pytest.approx(least * 0.01)
    assert _bare(core).interval(certain=True) == (10.0, 10.0)


def _bare(core: CoreTime) -> NestTime:
    """A nest without transfers."""
    nothing: Any = None
    return NestTime(nothing, core, {}, 0.0, 0.0, 0.0, True, nothing, 0.0, ())
