"""Calls of hand-written code whose executed instructions and cycles are known."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs


def _call(text: str, *arguments: int) -> Followed:
    machine = load("sapphire-rapids")
    return follow_call(read_listing(text, "x86-64"), "f", machine, Costs(machine), arguments)


def _count(followed: Followed, mnemonic: str) -> float:
    counts = zip(followed.rows, followed.counts, strict=True)
    return sum(count for (_, one), count in counts if one.text.startswith(mnemonic))


def test_the_number_of_a_symbol_may_come_first() -> None:
    followed = _call(
        "f:\n leaq 192+A(%rip), %rdx\n leaq 4416+A(%rip), %rax\n.L1:\n addq $192, %rdx\n cmpq %rax, %rdx\n"
        " jne .L1\n leaq A+8(%rip), %rcx\n leaq 8+A(%rip), %rdx\n cmpq %rcx, %rdx\n jne .L2\n ret\n.L2:\n nop\n ret\n"
    )
    assert _count(followed, "addq") == (4416 - 192) / 192
    assert _count(followed, "nop") == 0


def test_a_register_beside_a_symbol_counts() -> None:
    followed = _call(
        "f:\n xorl %eax, %eax\n movl $7, A+16(%rip)\n movl A(%rax), %ecx\n movl $16, %eax\n movl A(%rax), %edx\n"
        " cmpl $7, %edx\n jne .L2\n ret\n.L2:\n nop\n ret\n"
    )
    assert _count(followed, "nop") == 0


@pytest.mark.parametrize(("size", "takes"), [(5, 0.0), (50, 1.0)])
def test_a_condition_in_a_mask_register_is_known(size: int, takes: float) -> None:
    followed = _call(
        "f:\n cmpl $24, %edi\n setge %cl\n kmovb %ecx, %k0\n xorl %ecx, %ecx\n kortestb %k0, %k0\n je .L2\n nop\n"
        ".L2:\n ret\n",
        size,
    )
    assert _count(followed, "nop") == takes
    assert not followed.result.open_jumps


def test_a_mask_that_vectors_make_is_not_known() -> None:
    followed = _call(
        "f:\n movl $1, %ecx\n kmovb %ecx, %k0\n vpcmpd $1, (%rsi), %ymm0, %k0\n kortestb %k0, %k0\n je .L2\n nop\n"
        ".L2:\n ret\n",
        5,
    )
    assert followed.result.open_jumps


_EXIT = """f:
 xorl %eax, %eax
.L1:
 vucomisd (%rsi,%rax,8), %xmm0
 ja .L3
 incl %eax
 cmpl %edi, %eax
 jne .L1
.L3:
 ret
"""


def test_an_exit_on_data_that_leaves_all_loops_does_not_happen() -> None:
    followed = _call(_EXIT, 1000, 1 << 33)
    assert _count(followed, "incl") == 1000
    assert not followed.guessed
    assert any("an exit of a loop that depends on data" in text for text in followed.assumptions)


def test_an_exit_on_data_into_an_outer_loop_stays_open() -> None:
    outer = _EXIT.replace("f:\n", "f:\n movl $50, %r9d\n.L0:\n").replace(".L3:\n", ".L3:\n decl %r9d\n jne .L0\n")
    assert _call(outer, 1000, 1 << 33).guessed


_UNKNOWN_END = "the end of a loop depends on values that are not known"


@pytest.mark.parametrize(
    "exit_", ["decl %ecx\n jne .L1", "cmpl %ecx, %eax\n jg .L9\n cmpl %edx, %eax\n jg .L9\n jmp .L1"]
)
def test_a_call_is_given_up_at_the_first_end_that_must_be_known_and_is_not(exit_: str) -> None:
    text = f"f:\n movl (%rsi), %ecx\n movl 4(%rsi), %edx\n.L1:\n incl %eax\n {exit_}\n.L9:\n ret\n"
    machine = load("sapphire-rapids")
    functions = read_listing(text, "x86-64")
    given_up = follow_call(functions, "f", machine, Costs(machine), (1000, 1 << 33), ends_known=True)
    assert given_up.result.failure == _UNKNOWN_END
    assert given_up.result.executed < 20
    known = follow_call(read_listing(_EXIT, "x86-64"), "f", machine, Costs(machine), (1000, 1 << 33), ends_known=True)
    assert not known.result.failure


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        (" vpermt2b %ymm1, %ymm2, %ymm{0}\n", 2.0),  # two micro-operations on one port
        (" vpmovzxbw %xmm1, %xmm{0}\n", 0.5),
        (" vpmovzxbw %xmm1, %ymm{0}\n", 1.0),
        (" vpaddw %xmm1, %xmm2, %xmm{0}\n", 1 / 3),  # the units of vectors, not those of single integers
        (" vpmullw %xmm1, %xmm2, %xmm{0}\n", 0.5),
        (" vcvtdq2ps %xmm1, %xmm{0}\n", 0.5),
        (" vblendvpd %xmm1, %xmm2, %xmm3, %xmm{0}\n", 1.0),
        (" cmova %rax, %r1{0}\n", 1.0),
        (" leaq 8(%rax,%rbx,4), %r1{0}\n", 1 / 3),
        (" vextractf128 $1, %ymm1, (%rsi)\n", 0.5),  # nothing but a store
    ],
)
def test_cycles_of_one_instruction(body: str, cycles: float) -> None:
    copies = "".join(body.format(5 - k % 4 if "%r1" in body else 6 + k % 8) for k in range(24))
    followed = _call(f"f:\n.L1:\n{copies} decl %edi\n jne .L1\n ret\n", 2000, 1 << 33)
    assert sum(followed.cycles) / (24 * 2000) == pytest.approx(cycles, rel=0.06)


def test_a_chain_of_scaled_addresses_takes_two_cycles_each() -> None:
    followed = _call("f:\n.L1:\n" + " leaq 8(%rax,%rax,4), %rax\n" * 8 + " decl %edi\n jne .L1\n ret\n", 2000)
    assert sum(followed.cycles) / (8 * 2000) == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize(("trips", "exits"), [(100, 51), (8, 1)])
def test_ends_of_longer_loops_may_be_mispredicted(trips: int, exits: int) -> None:
    """Of 50 inner loops and one outer; the shortest loops are foreseen by every predictor."""
    followed = _call(
        "f:\n movl $50, %r9d\n.L0:\n movl %edi, %eax\n.L1:\n nop\n decl %eax\n jne .L1\n decl %r9d\n jne .L0\n ret\n",
        trips,
    )
    miss = load("sapphire-rapids").value("pipeline.branch_miss.latency")
    assert sum(more for _, more in followed.doubts) == pytest.approx(0.25 * exits * miss)
    assert sum(less for less, _ in followed.doubts) == 0


_PACKED = """f:
 subq $56, %rsp
 {pack}
 movq 0(%rsp), %rax
 movq 8(%rsp), %rcx
.L1:
 incq %r8
 decq %rax
 jne .L1
.L2:
 decq %r9
 decq %rcx
 jne .L2
 addq $56, %rsp
 ret
"""


@pytest.mark.parametrize(
    "pack",
    [
        "vmovq %rdi, %xmm3\n vpinsrq $1, %rsi, %xmm3, %xmm0\n vmovdqa %xmm0, (%rsp)",
        "movq %rdi, %xmm0\n movq %rsi, %xmm1\n punpcklqdq %xmm1, %xmm0\n movaps %xmm0, (%rsp)",
        "movq %rdi, %xmm0\n pinsrq $1, %rsi, %xmm0\n movups %xmm0, (%rsp)",
        "vmovq %rdx, %xmm1\n vpinsrq $1, %rcx, %xmm1, %xmm1\n vmovq %rdi, %xmm3\n vpinsrq $1, %rsi, %xmm3, %xmm0\n"
        " vinserti128 $1, %xmm1, %ymm0, %ymm0\n vmovdqu %ymm0, (%rsp)\n"
        " movq 16(%rsp), %r10\n.L0:\n decq %r10\n jne .L0",
    ],
)
def test_integers_packed_into_a_vector_are_stored(pack: str) -> None:
    followed = _call(_PACKED.format(pack=pack), 11, 7, 5, 3)
    assert not followed.guessed
    assert (_count(followed, "incq"), _count(followed, "decq %r9")) == (11, 7)
    assert _count(followed, "decq %r10") == (5 if "%r10" in pack else 0)


def test_lanes_of_other_results_are_not_taken_for_integers() -> None:
    pack = "vmovq %rdi, %xmm3\n vpinsrq $1, %rsi, %xmm3, %xmm0\n vpaddq %xmm0, %xmm0, %xmm0\n vmovdqa %xmm0, (%rsp)"
    assert _call(_PACKED.format(pack=pack), 11, 7, 5, 3).guessed
    half = "vpinsrq $1, %rsi, %xmm3, %xmm0\n vmovdqa %xmm0, (%rsp)"
    assert _call(_PACKED.format(pack=half), 11, 7, 5, 3).guessed


#: a failed check does not leave the loop: the code behind the call that does not return is the loop's own
_CHECKED = """f:
 movl %edi, %ebp
 movq %rsi, %r12
 xorl %ebx, %ebx
.L1:
 vmovsd (%r12,%rbx,8), %xmm1
 vcomisd %xmm0, %xmm1
 jbe .L2
 movl $3, %edx
 call CALLED
.L2:
 incl %ebx
 cmpl %ebp, %ebx
 jne .L1
 ret
"""


@pytest.mark.parametrize("called", ["__assert_fail@PLT", "abort", "_ZSt20__throw_length_errorPKc", "exit"])
def test_a_failed_check_does_not_happen(called: str) -> None:
    followed = _call(_CHECKED.replace("CALLED", called), 1000, 1 << 33)
    assert _count(followed, "incl") == 1000
    assert _count(followed, "call") == 0
    assert any("checks whose failure ends the program" in text for text in followed.assumptions)


def test_a_call_that_returns_is_no_failed_check() -> None:
    followed = _call(_CHECKED.replace("CALLED", "exited"), 1000, 1 << 33)
    assert 300 < _count(followed, "call") < 700
    assert not any("where they fail" in text for text in followed.assumptions)


_PUT_APART = """ .type f, @function
f:
 xorl %eax, %eax
.L1:
 movslq (%rsi,%rax,4), %rcx
 testl %ecx, %ecx
 js .L6
.L2:
 incl %eax
 cmpl %edi, %eax
 jne .L1
 ret
 .section .text.unlikely
 .type f.cold, @function
f.cold:
.L6:
 LAST
"""


@pytest.mark.parametrize("last", ["ud2", "nop\n jmp .L2"])
def test_code_that_the_compiler_put_apart_belongs_to_its_function_and_is_not_executed(last: str) -> None:
    followed = _call(_PUT_APART.replace("LAST", last), 1000, 1 << 33)
    assert [function for function in followed.rows if function[0] != "f"] == []
    assert _count(followed, "incl") == 1000
    assert _count(followed, "ud2") + _count(followed, "nop") == 0
    assert sum(followed.result.misses) == 0
    assert any("that the compiler takes as unlikely" in text for text in followed.assumptions)


#: count[key[i] & MASK]++
_UPDATES = """f:
 xorl %eax, %eax
.L1:
 movl (%rsi,%rax,4), %ecx
 andl $MASK, %ecx
 incl (%rdx,%rcx,4)
 incq %rax
 cmpl %edi, %eax
 jne .L1
 ret
"""


def test_updates_through_an_index_of_data_may_all_wait_for_the_one_before() -> None:
    many, one = (_call(_UPDATES.replace("MASK", mask), 4000, 1 << 33, 1 << 34) for mask in ("65535", "0"))
    apart, repeating = sum(many.result.cycles), sum(many.result.repeating)
    assert repeating == pytest.approx(sum(one.result.cycles), rel=0.01)  # a table of one counter: always the same
    assert repeating > 3 * apart
    assert apart <= sum(many.cycles) < 1.1 * apart  # fetch windows take as long at least
    less, more = (sum(doubt[end] for doubt in many.doubts) for end in (0, 1))
    assert less < 0.1 * apart
    assert repeating - apart <= more < 1.2 * (repeating - apart)
    assert any("hardly meet the one before" in text for text in many.assumptions)


#: if (key[i] > 0) y[k++] = key[i], of a call whose outcomes the predictor remembers
_JUMPS = """f:
 xorl %eax, %eax
 xorl %r8d, %r8d
.L1:
 movl (%rsi,%rax,4), %ecx
 testl %ecx, %ecx
 jle .L2
 movl %ecx, (%rdx,%r8,4)
 incq %r8
.L2:
 incq %rax
 cmpl %edi, %eax
 jne .L1
 ret
"""


@pytest.mark.parametrize("code", [_UPDATES.replace("MASK", "65535"), _JUMPS])
def test_any_data_count_as_the_mean_of_the_best_and_the_worst(code: str) -> None:
    machine = load("emerald-rapids")
    ends = []
    for data in ("repeated", "any"):
        followed = follow_call(
            read_listing(code, "x86-64"), "f", machine, Costs(machine), (4000, 1 << 33, 1 << 34), data=data
        )
        less, more = (sum(doubt[end] for doubt in followed.doubts) for end in (0, 1))
        ends.append((sum(followed.cycles) - less, sum(followed.cycles) + more))
        if data == "any":
            assert sum(followed.cycles) == pytest.approx(sum(ends[-1]) / 2, rel=0.1)  # but for places in windows
            assert less > 0.3 * sum(followed.cycles)
        else:
            assert less < 0.2 * sum(followed.cycles)
    # the worst is the same, but for places in windows; at best, any data are foreseen at once, and those of the call
    # before by a long history, which corrects fetch's quick prediction
    assert ends[0][1] == pytest.approx(ends[1][1], rel=0.15)
    assert 0.85 * ends[1][0] < ends[0][0] < sum(ends[1]) / 2


def test_updates_may_all_be_at_one_place_while_jumps_are_those_of_the_call_before() -> None:
    machine = load("emerald-rapids")

    def cycles(code: str, data: str) -> float:
        arguments = (4000, 1 << 33, 1 << 34)
        listing = read_listing(code, "x86-64")
        return sum(follow_call(listing, "f", machine, Costs(machine), arguments, data=data).cycles)

    updates = _UPDATES.replace("MASK", "65535")
    least, mean, most = (cycles(updates, data) for data in ("repeated", "any", "one_place"))
    assert mean == pytest.approx((least + most) / 2, rel=0.05)  # but for places in windows of code
    assert cycles(updates, "two_places") == pytest.approx(mean, rel=0.05)
    assert cycles(_JUMPS, "two_places") == cycles(_JUMPS, "repeated")
    assert most > 3 * least
    assert cycles(_JUMPS, "one_place") == cycles(_JUMPS, "repeated") < cycles(_JUMPS, "any")


def test_places_that_are_only_loaded_or_only_stored_are_no_updates() -> None:
    for other in ("movl (%rdx,%rcx,4), %r8d", "movl %edi, (%rdx,%rcx,4)"):
        code = _UPDATES.replace("incl (%rdx,%rcx,4)", other).replace("MASK", "65535")
        assert not _call(code, 4000, 1 << 33, 1 << 34).result.updates
