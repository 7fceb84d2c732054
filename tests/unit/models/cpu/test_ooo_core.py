"""The walk through machine code: jumps and addresses against a run of the code itself, times against what is known."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell import frontends
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.loops import find_loops
from foretell.codegen.assembly.x86_semantics import meaning
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.generate import Code, generated
from foretell.core.nest.loopnest import Loops
from foretell.machines import load
from foretell.models.cpu.incore import in_core
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.ooo_core import Pace, Walk, _by_length, _followed, _steady
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest

KERNELS = Path(str(frontends.__file__)).parents[1] / "uses" / "measure" / "kernels"
GCC = parse_flags("-O3 -march=sapphirerapids", "gcc")


@lru_cache
def spr() -> Machine:
    return load("sapphire-rapids")


def nest(name: str):  # type: ignore[no-untyped-def]
    return frontends.read(KERNELS / f"{name}.c").facet(Loops).nests[0]


def walk_of(text: str, arguments: tuple[str, ...] = ("size n",), machine: Machine | None = None) -> Walk:
    """A function in assembly, as if it were a nest's code."""
    function = read_listing(text, "x86-64")[0]
    loops = find_loops(function)
    code = Code(loops[:1], (1,), (), "by hand", arguments=arguments)
    machine = machine or spr()
    return Walk(code, machine, Costs(machine))


def cycles(text: str, n: int, machine: Machine | None = None) -> float:
    pace = walk_of(text, machine=machine).pace({"n": n})
    assert pace is not None
    assert pace.call is not None
    return pace.call


def loop(body: str, before: str = "") -> str:
    """n passes of a body; the counter is rdi, an array lies at rsi."""
    lines = "\n".join(f"\t{one.strip()}" for one in body.split(";"))
    return f"f:\n{before}.L2:\n{lines}\n\tsubq $1, %rdi\n\tjne .L2\n\tret\n"


# ---- where the code goes


def executed(text: str, n: int) -> dict[str, int]:
    """How often each loop comes round, by the walk."""
    walk = walk_of(text)
    heads = {found.label: walk._tables.starts[found.head] for found in find_loops(walk.code.loops[0].function)}
    found = _followed(walk._simulator.core, walk._start({"n": n}, list(heads.values())), 1)
    assert len(found.ends) == 1, "the function did not end"
    return {label: len(times) for label, times in zip(heads, found.times, strict=True)}


ARITHMETIC = """f:
	movq %rdi, %rax
	leaq 3(%rax,%rax,4), %rcx
	imulq $7, %rcx, %rdx
	{0}
	xorl %r8d, %r8d
.L2:
	addq $1, %r8
	cmpq %r9, %r8
	{1} .L2
	ret
"""
#: instructions that leave a number from rdi = n in r9, and the same in Python
CASES = [
    ("movq %rdx, %r9\n\tshrq $3, %r9", lambda n: (5 * n + 3) * 7 >> 3),
    ("movq %rdx, %r9\n\tsarq %r9", lambda n: (5 * n + 3) * 7 >> 1),
    ("movq %rdx, %r9\n\tandl $1023, %r9d\n\torq $1, %r9", lambda n: (5 * n + 3) * 7 & 1023 | 1),
    ("movq %rdi, %r9\n\tnegq %r9\n\tnotq %r9\n\taddq $2, %r9", lambda n: n + 1),
    ("movl $64, %ecx\n\tsubq %rdi, %rcx\n\tmovslq %ecx, %r9\n\tincq %r9\n\tdecq %r9", lambda n: 64 - n),
    ("pushq %rdi\n\tmovq (%rsp), %r9\n\tpopq %r10\n\taddq %r10, %r9", lambda n: 2 * n),
    ("movq $5, %r9\n\tcmpq $20, %rdi\n\tcmovlq %rdi, %r9", lambda n: n if n < 20 else 5),
    ("xorl %r9d, %r9d\n\tcmpq $20, %rdi\n\tsetae %r9b\n\taddq $9, %r9", lambda n: 9 + (n >= 20)),
    ("movq %rdi, %rax\n\tcqto\n\tmovl $3, %ebx\n\tidivq %rbx\n\tleaq 1(%rax,%rdx), %r9", lambda n: 1 + n // 3 + n % 3),
    ("movzbl %dil, %r9d\n\tshlxq %r9, %rdi, %r10\n\tmovq $4, %r9", lambda n: 4),
    ("movq $-1, %rax\n\tandn %rdi, %rax, %r9\n\taddq $6, %r9", lambda n: 6),
    ("movq %rdi, %r9\n\txorq $1, %r9\n\taddq $3, %r9", lambda n: (n ^ 1) + 3),
]


@pytest.mark.parametrize("number", range(len(CASES)))
@pytest.mark.parametrize("jump", ["jl", "jb", "jne"])
def test_whole_numbers_are_followed(number: int, jump: str) -> None:
    text, value = CASES[number]
    for n in (7, 20, 33):
        assert executed(ARITHMETIC.format(text, jump), n) == {".L2": value(n)}


@pytest.mark.parametrize(("name", "rows", "trips"), [("jacobi5", 11, 11), ("outer", 13, 13), ("scale", 1, 13)])
def test_vector_loops_come_round_as_often_as_they_must(name: str, rows: int, trips: int) -> None:
    code = generated(nest(name), "x86-64", "sapphirerapids", GCC)
    walk = Walk(code, spr(), Costs(spr()))
    heads = [walk._tables.starts[found.head] for found in (code.loops[0], *code.around)]
    crossings = [len(times) for times in _followed(walk._simulator.core, walk._start({"n": 13}, heads), 1).times]
    assert crossings == [rows * (trips // code.elements[0]), *([rows] if rows > 1 else [])]


def test_what_is_not_known_is_not_followed() -> None:
    walk = walk_of(loop("addq $1, %rax"), ("size n", "size m"))
    assert walk.pace({"n": 3}) is None  # m has no value
    assert not replace(walk, code=replace(walk.code, arguments=None)).possible
    assert not replace(walk, machine=load("blue-gene-q")).possible
    assert walk_of(loop("call unknown_function@PLT")).pace({"n": 3}) is None
    assert walk_of("f:\n.L2:\n\tsubq $1, %rdi\n\tjne .L2\n").pace({"n": 3}) is None  # runs past its end


def test_jumps_that_numbers_do_not_decide() -> None:
    """Not to a call of help; else to either side in turn, neither always."""
    rare = loop("ucomisd %xmm0, %xmm1; jp .L9; addq $1, %rax") + ".L9:\n\tcall abort@PLT\n"
    assert cycles(rare, 50) < 200
    either = loop("vucomisd (%rsi), %xmm1; ja .L3; vdivsd %xmm3, %xmm4, %xmm5\n.L3:\n\taddq $1, %rax")
    gap = spr().value("pipeline.divide_f64.gap")
    assert 0.2 * gap * 400 < cycles(either, 400) < (0.8 * gap + 30) * 400


# ---- how long it takes


def per_pass(body: str, machine: Machine | None = None) -> float:
    return (cycles(loop(body), 150, machine) - cycles(loop(body), 50, machine)) / 100


def test_chains_take_their_latency() -> None:
    value = spr().value
    assert per_pass("addq %rbx, %rax; addq %rbx, %rax; addq %rbx, %rax") == pytest.approx(3, abs=0.1)
    multiply = value("pipeline.multiply_f64.latency")
    assert per_pass("vmulsd %xmm1, %xmm0, %xmm0; vmulsd %xmm1, %xmm0, %xmm0") == pytest.approx(2 * multiply, abs=0.1)
    assert per_pass("movq (%rsi,%rcx), %rcx; movq %rcx, %rbx; movq %rbx, %rcx") == pytest.approx(
        value("pipeline.load_f64.latency"), abs=0.1
    )


def test_a_result_for_another_unit_comes_later() -> None:
    """Additions that depend on each other stay on one port; where that is taken, the next one waits longer."""
    near, far = (spr().value(f"pipeline.add_f64.{name}latency") for name in ("", "far_"))
    assert per_pass("vaddsd %xmm1, %xmm0, %xmm0") == pytest.approx(near, abs=0.1)
    assert near < far


def test_units_and_slots_limit() -> None:
    wide = "; ".join(f"vmulpd %ymm1, %ymm0, %ymm{k}" for k in range(2, 10))
    assert per_pass(wide) == pytest.approx(8 * spr().value("pipeline.multiply_f64.gap"), abs=0.3)
    moves = "; ".join(f"movq %rbx, %r{k}" for k in (8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10))
    assert per_pass(moves) == pytest.approx(12 / spr().value("cores.issue_width"), abs=0.1)
    assert per_pass("movq %rbx, %r8") == pytest.approx(1.0, abs=0.05)  # one jump that is taken in a cycle


def test_the_end_of_a_long_loop_is_not_foreseen() -> None:
    """A missed jump for each call where the loop is longer than what the predictor looks back on."""
    history, miss = int(spr().value("cores.branch_history")), spr().value("pipeline.branch_miss.latency")
    one = loop("addq %rbx, %rax")
    foreseen, missed = cycles(one, history - 10), cycles(one, history + 40)
    assert foreseen == pytest.approx(history - 10, abs=4)
    assert missed - (history + 40) == pytest.approx(miss, abs=6)
    short = spr().with_values({"cores.branch_history": 16})
    assert cycles(one, history - 10, short) > foreseen + miss - 6


def test_accesses_that_cross_lines() -> None:
    inside, across = (per_pass(f"vmovupd {k}(%rsi), %ymm0; vmovupd {k}(%rsi), %ymm1; vmovupd {k}(%rsi), %ymm2; "
                               f"vmovupd {k}(%rsi), %ymm3") for k in (0, 48))  # fmt: skip
    assert across == pytest.approx(4 * spr().value("pipeline.load_across_f64x4.gap"), abs=0.3)
    assert inside < 0.5 * across
    gap = spr().with_values({"pipeline.store_across.gap": 3})
    stored = "; ".join(f"vmovupd %ymm0, {k}(%rsi)" for k in (48, 176, 304, 432))
    assert per_pass(stored, gap) == pytest.approx(12, abs=0.5)
    assert per_pass(stored.replace("48(", "32(").replace("176(", "160("), gap) < 9


def test_loads_wait_for_the_store_before_them() -> None:
    forward = spr().value("pipeline.forward.latency")
    chain = "vmovsd (%rsi), %xmm0; vmulsd %xmm1, %xmm0, %xmm0; vmovsd %xmm0, (%rsi)"
    whole = per_pass(chain)
    assert whole == pytest.approx(forward + spr().value("pipeline.multiply_f64.latency"), abs=1.1)
    halves = "vmovupd (%rsi), %xmm0; vmulsd %xmm1, %xmm0, %xmm0; vmovsd %xmm0, (%rsi); vmovsd %xmm0, 8(%rsi)"
    assert per_pass(halves) > whole + 8  # a load that two stores have parts of waits until they are in the cache


@pytest.mark.parametrize(("move", "size"), [("movb %al, {0}(%rsi)", 1), ("movl %eax, {0}(%rsi)", 4)])
def test_a_store_beside_a_word_does_not_hide_the_one_to_it(move: str, size: int) -> None:
    """Neighbours in eight bytes, each the next one's chain: `p[i + 1] = f(p[i])` with numbers of one and four bytes."""
    load = "movzbl (%rsi,%rcx), %eax" if size == 1 else "movl (%rsi,%rcx), %eax"
    ahead, behind = move.format(size), move.format(0)
    chain = f"{load}; addl %ebx, %eax; {ahead}; {behind}; addq ${size}, %rsi"
    assert per_pass(chain) == pytest.approx(spr().value("pipeline.forward.latency") + 1, abs=0.5)


def test_loads_of_which_only_the_throughput_is_known_have_the_latency_of_their_cache() -> None:
    known = {path: value for path, value in spr().quantities.items() if not path.startswith("pipeline.load_")}
    gap = replace(spr(), quantities=known | {"pipeline.load_f64.gap": spr()["pipeline.load_f64.gap"]})
    chain = "movq (%rsi,%rcx), %rcx; movq %rcx, %rbx; movq %rbx, %rcx"
    assert per_pass(chain, gap) == pytest.approx(spr().cycles("level.L1.latency"), abs=0.1)


def test_a_division_of_integers_that_is_not_listed_is_one_of_numbers() -> None:
    known = {path: value for path, value in spr().quantities.items() if not path.startswith("pipeline.divide_i")}
    costs = Costs(replace(spr(), quantities=known, traits={}))
    assert costs.of("divide", "i64", 0).latency == spr().value("pipeline.divide_f64.latency")
    assert any("divide of f64" in text for text in costs.assumed)


def test_words_of_memory_without_an_index_are_renamed() -> None:
    """Measured on an Emerald Rapids: two additions to a word take 2.0 cycles, one with an index 7.1, and `addl` of a
    register to memory 6.7; a core that does not rename words waits for the store each time."""
    chain = "movl {0}, %eax; addl %ebx, %eax; addl %ebx, %eax; movl %eax, {0}"
    forward = spr().value("pipeline.forward.latency")
    assert per_pass(chain.format("8(%rdx)")) == pytest.approx(2, abs=0.1)
    assert per_pass(chain.format("8(%rdx,%rcx)")) == pytest.approx(forward + 2, abs=0.2)
    assert per_pass("addl %ebx, 8(%rdx)") == pytest.approx(forward + 1, abs=0.2)
    waiting = replace(spr(), traits={**spr().traits, "cores.memory_words": "forwarded"})
    assert per_pass(chain.format("8(%rdx)"), waiting) == pytest.approx(forward + 2, abs=0.2)


def test_the_buffer_bounds_what_overlaps() -> None:
    """Rows that each wait for a chain of their own overlap as far as the reorder buffer reaches."""
    one = nest("matvec")
    found = [
        in_core(one, spr().with_values({"cores.reorder_buffer": size}), GCC, {"n": 54}).cycles_per_iteration
        for size in (64, 224, 512)
    ]
    assert found[0] > 1.2 * found[2]
    assert found == sorted(found, reverse=True)


def test_stores_that_wait_for_a_chain_hold_up_the_next_one() -> None:
    """Chains of 80 cycles, each with 20 stores of its result behind it."""
    chain = "vmovapd %xmm2, %xmm0; " + "vmulsd %xmm1, %xmm0, %xmm0; " * 20
    body = chain + "; ".join(f"vmovsd %xmm0, {8 * k}(%rsi)" for k in range(20))
    places = [10, 20, 40, 1000]
    found = [per_pass(body, spr().with_values({"cores.store_scheduler": size})) for size in places]
    assert found == sorted(found, reverse=True)
    assert found[0] > 80  # not even the stores of one chain can wait
    assert found[1] > 1.3 * found[3]
    # Without places of their own they take those of arithmetic: with enough of them as if stores had enough.
    lacking = replace(spr(), quantities={k: v for k, v in spr().quantities.items() if "store_sch" not in k})
    wide, narrow = (lacking.with_values({"cores.scheduler": size}) for size in (1000, 40))
    own = spr().with_values({"cores.scheduler": 1000, "cores.store_scheduler": 1000})
    assert per_pass(body, wide) == pytest.approx(per_pass(body, own))
    assert per_pass(body, narrow) > 1.2 * per_pass(body, wide)
    arithmetic = spr().with_values({"cores.scheduler": 40, "cores.store_scheduler": 1000})
    assert per_pass(body, narrow) > per_pass(body, arithmetic)


@pytest.mark.parametrize(
    ("loads", "index", "expected"), [(2, "", 1.0), (2, ",%rax,8", 1.5), (3, "", 1.5), (3, ",%rax,8", 2.0)]
)
def test_addresses_of_stores_take_ports(loads: int, index: str, expected: float) -> None:
    """As measured on a Cascade Lake core (validation/cpu/instructions.py): port 7 takes addresses without an index."""
    others = [f"vmovupd {2048 + 64 * k}(%rsi), %ymm{k}" for k in range(loads)]
    one = "; ".join([*others, f"vmovupd %ymm9, {{}}(%rsi{index})"])
    body = "; ".join(one.format(64 * k) for k in range(8))
    machine = load("cascade-lake")
    assert per_pass(body, machine) / 8 == pytest.approx(expected, abs=0.08)
    # On a Golden Cove core they have ports of their own, whatever the address.
    assert per_pass(body.replace(index or "?", "")) == pytest.approx(per_pass(body))


@pytest.mark.parametrize(
    ("path", "between"),
    [("cores.load_buffer", "movq {}(%rsi), %r9"), ("cores.vector_register_file", "vandpd %ymm8, %ymm9, %ymm{}")],
)
def test_loads_and_vectors_that_have_not_retired(path: str, between: str) -> None:
    """Chains of 60 cycles that do not wait for each other, 30 loads or vectors behind each: with room for fewer there
    is one chain at a time, with room for 30 there are two, with room for 60 three. No more, for one port multiplies."""
    chain = "movq %r8, %rax; " + "imulq %rbx, %rax; " * 20
    body = chain + "; ".join(between.format(k % 4) for k in range(30))
    machine = load("cascade-lake")
    sizes = (20, 45, 75, 10000)
    one, two, three, any_ = (per_pass(body, machine.with_values({path: size})) for size in sizes)
    assert [one, two, three, any_] == pytest.approx([60, 30, 20, 20], rel=0.15)
    lacking = replace(machine, quantities={k: v for k, v in machine.quantities.items() if k != path})
    assert per_pass(body, lacking) == pytest.approx(any_)


_ROWS = """void f(int n, double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++) {
    double top = a[i][0];
    for (int j = 1; j < n; j++) top = a[i][j] > top ? a[i][j] : top;
    for (int j = 0; j < n; j++) b[i][j] -= top;
  }
}"""


def test_nests_that_take_turns_overlap_less() -> None:
    """Rows that each wait for a chain: what another nest does between two of them fills the reorder buffer."""
    chain, other = of_c(_ROWS).nests

    def cycles(n: int, beside: tuple[LoopNest, ...]) -> float:
        return in_core(chain, spr(), GCC, {"n": n}, beside=beside).cycles_per_iteration

    latency = spr().value("pipeline.minmax_f64.latency")
    assert cycles(40, ()) < 0.7 * latency
    assert 1.1 * cycles(40, ()) < cycles(40, (other,)) < 1.1 * latency
    alone = nest("matvec")
    assert cycles(40, (alone,)) == cycles(40, ())  # no loop in common
    refused = replace(other, status="refused", reason="for the reason")
    assert cycles(40, (refused,)) == cycles(40, ())


def test_a_call_too_long_to_follow_goes_on_at_its_pace() -> None:
    code = generated(nest("jacobi5"), "x86-64", "sapphirerapids", GCC)
    walk = Walk(code, spr(), Costs(spr()))
    long = walk.pace({"n": 3000})
    assert long is not None
    assert long.call is None
    assert long.loop == 1  # rows came round often enough
    each, short = long.round / 2998, walk.pace({"n": 250})
    assert short is not None
    assert short.call is not None
    assert each == pytest.approx(short.call / 248**2, rel=0.15)
    assert _steady([[], [1.0]], 0.5) is None
    assert _steady([[0, 1, 2, 3, 4, 5, 7, 9, 11]], 0.5) == Pace(0.5, None, 0, pytest.approx(7 / 4), open=0, seen=9)


def test_the_share_of_accesses() -> None:
    busy = walk_of(loop("; ".join(f"vmovupd {32 * k}(%rsi), %ymm{k}" for k in range(6)))).pace({"n": 400})
    idle = walk_of(loop("vmovupd (%rsi), %ymm0; vdivpd %ymm1, %ymm0, %ymm0")).pace({"n": 400})
    assert busy is not None
    assert idle is not None
    assert busy.accesses > 0.8
    assert idle.accesses < 0.2


# ---- meanings


@pytest.mark.parametrize(
    ("text", "operation", "constant"),
    [
        ("movzbl (%rsi), %eax", "zero_extend", 8),
        ("movslq %edi, %rax", "sign_extend", 32),
        ("cltq", "sign_extend", 32),
        ("imulq %rax", "multiply_high_signed", 0),
        ("mulxq %rsi, %rcx, %rax", "multiply_high", 0),
        ("cltd", "sign", 32),
        ("leave", "leave", 0),
        ("vmovq %rax, %xmm1", "move", 0),
        ("vmovq (%rax), %xmm1", "none", 0),
        ("shlq %rax", "shl", 1),
        ("vaddpd %ymm0, %ymm1, %ymm2", "none", 0),
        ("nop", "none", 0),
        ("xchgq %rax, %rbx", "none", 0),
        ("addl $-3, (%rsi)", "add", -3),
    ],
)
def test_single_meanings(text: str, operation: str, constant: int) -> None:
    one = read_listing(f"f:\n\t{text}\n\tret\n", "x86-64")[0].blocks[0].instructions[0]
    found = meaning(one)
    assert (found.operation, found.constant) == (operation, constant)


def test_intel_syntax_means_the_same() -> None:
    text = "f:\n\tmovsx rax, edi\n\tadd rax, 3\n\tret\n"
    one, two = read_listing(".intel_syntax noprefix\n" + text, "x86-64")[0].blocks[0].instructions[:2]
    assert (meaning(one).operation, meaning(one).constant) == ("sign_extend", 32)
    assert (meaning(two).operation, meaning(two).a, meaning(two).constant) == ("add", "rax", 3)


def test_rows_that_grow_are_not_taken_for_the_first_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A triangle that is followed to its end, and one that is followed for its first short rows only."""
    text = """void f(int n, double t, double c[restrict n][n], const double a[restrict n][n]) {
      for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j <= i; j++)
        c[i][j] += t * a[i][k] * a[j][k]; }"""
    nest, machine = only(of_c(text)), load("sapphire-rapids")
    scalar = parse_flags("-O2 -march=sapphirerapids", "gcc")
    whole = in_core(nest, machine, scalar, {"n": 40}).cycles_per_iteration
    monkeypatch.setattr("foretell.models.cpu.incore.ooo_core._MOST", 40_000)
    part = in_core(nest, machine.with_values({"cores.reorder_buffer": 511}), scalar, {"n": 40}).cycles_per_iteration
    assert part == pytest.approx(whole, rel=0.15)


# ------------------------------------------------------------------------------------------ rows of unlike length


@pytest.mark.parametrize("lengths", [range(2000, 1960, -1), range(8, 400), [700] * 12])
def test_rows_tell_what_a_pass_costs(lengths: Sequence[int]) -> None:
    """Whatever their lengths: rows that hardly shrink have no line through them, and one of them may be late."""
    passing, own = 3.0, 25.0
    starts, passes, now = [], [], 0.0
    for number, length in enumerate(lengths):
        starts.append(now)
        passes += [now + passing * k for k in range(length)]
        now += passing * length + own + (40.0 if number == len(lengths) - 3 else 0.0)
    found = _by_length([np.array(passes), np.array([*starts, now])], 0.5)
    assert found is not None
    assert found.passing == pytest.approx(passing, rel=0.01)
    assert found.round == pytest.approx(own, abs=8.0)


def test_long_rows_that_shrink_take_alike_at_neighbouring_sizes() -> None:
    nest = only(
        of_c(
            "void upper(int n, const double *restrict a, const double *restrict x, double *restrict y) {"
            " for (int j = 0; j < n; j++) for (int i = j; i < n; i++) y[i] += a[j * n + i] * x[j]; }"
        )
    )
    machine = load("sapphire-rapids")
    code = generated(nest, "x86-64", "sapphirerapids", parse_flags("-O3"))
    walk = Walk(code, machine, Costs(machine))
    paces = [walk.pace({"n": n}, even=False) for n in (9176, 9177, 9178, 9179)]
    passing = [pace.passing for pace in paces if pace is not None]
    assert len(passing) == 4
    assert max(passing) / min(passing) < 1.02
