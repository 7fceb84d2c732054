"""Mechanisms of a Golden Cove core, each by a loop that was measured on one (16-core virtual machine, 2026-11-17)."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.fetch_windows import share_across
from foretell.models.cpu.incore.instruction_costs import Costs

#: the measured loops lie at the start of a window of the micro-op cache: none is across the end of one
_MACHINE = load("sapphire-rapids").with_values({"cores.fetch_window": 4096.0})


def _cycles(body: str, passes: int = 2000, changes: dict[str, float] | None = None) -> float:
    """Cycles of a pass of a loop around a body."""
    machine = _MACHINE.with_values(changes or {})
    functions = read_listing(f"f:\n.L1:\n{body} subq $1, %rdi\n jne .L1\n ret\n", "x86-64")
    return sum(follow_call(functions, "f", machine, Costs(machine), (passes, 1 << 33)).cycles) / passes


@pytest.mark.parametrize(
    ("nops", "measured"),
    [(6, 1.22), (7, 1.39), (8, 2.05), (11, 2.05), (12, 2.22), (15, 2.71), (16, 3.04), (17, 3.04), (18, 3.21)],
)
def test_lines_of_eight_are_fetched_in_a_cycle(nops: int, measured: float) -> None:
    """With the subtraction and its jump, loops of 9 to 12 micro-operations need two lines, those of 17 three."""
    assert _cycles(" nop\n" * nops) == pytest.approx(measured, rel=0.04)


def test_without_a_line_only_issue_slots_count() -> None:
    zen = load("zen4")
    functions = read_listing("f:\n.L1:\n" + " nop\n" * 8 + " subq $1, %rdi\n jne .L1\n ret\n", "x86-64")
    cycles = sum(follow_call(functions, "f", zen, Costs(zen), (2000,)).cycles) / 2000
    assert cycles == pytest.approx(max(1.0, 9 / zen.value("cores.issue_width")), rel=0.02)


@pytest.mark.parametrize(("count", "measured"), [(5, 1.03), (12, 2.20), (60, 10.17)])
def test_additions_of_constants_take_no_unit(count: int, measured: float) -> None:
    """Sixty of them take all slots of the issue stage, where five units would take twelve cycles."""
    body = "".join(f" leaq {k}(%rax), %r{9 + k % 3}\n" for k in range(count))
    assert _cycles(body) == pytest.approx(measured, rel=0.03)


def test_other_additions_take_a_unit() -> None:
    body = "".join(f" leaq 1(%rax,%rcx), %r{9 + k % 3}\n" for k in range(60))
    assert _cycles(body) == pytest.approx(12.0, rel=0.04)
    assert _cycles(" addq $5000, %rax\n" * 4) == pytest.approx(4.0, rel=0.02)  # a chain of units
    assert _cycles(" addq $50, %rax\n" * 4) == pytest.approx(1.0, rel=0.02)


@pytest.mark.parametrize(
    ("body", "measured"),
    [
        (" vaddsd %xmm0, %xmm1, %xmm1\n", 2.0),
        (" vaddsd %xmm0, %xmm1, %xmm1\n vmulsd %xmm0, %xmm1, %xmm1\n", 7.0),
        (" vaddsd %xmm0, %xmm1, %xmm1\n vaddsd %xmm0, %xmm1, %xmm1\n vmulsd %xmm0, %xmm1, %xmm1\n", 9.0),
    ],
)
def test_adders_forward_to_adders_alone(body: str, measured: float) -> None:
    assert _cycles(body) == pytest.approx(measured, rel=0.02)


@pytest.mark.parametrize(
    ("body", "measured"),
    [
        (" vmovss %xmm0, (%rsi)\n vmovss (%rsi), %xmm0\n", 6.0),
        (" vaddsd (%rsi), %xmm2, %xmm0\n vmovsd %xmm0, (%rsi)\n", 9.0),
    ],
)
def test_forwarding_to_vector_registers_takes_a_cycle_more(body: str, measured: float) -> None:
    assert _cycles(body) == pytest.approx(measured, rel=0.03)


@pytest.mark.parametrize(("products", "measured"), [(1, 5.06), (2, 9.0), (4, 16.95)])
def test_a_gather_waits_for_its_old_destination_last(products: int, measured: float) -> None:
    gather = " vmovdqu (%rsi), %ymm4\n kmovb %k1, %k2\n vgatherqpd (%rdx,%ymm4,1), %ymm0{%k2}\n"
    body = gather + " vmulpd %ymm0, %ymm5, %ymm0\n" * products
    assert _cycles(body) == pytest.approx(measured, rel=0.03)
    cleared = gather.replace(" vgather", " vxorpd %xmm0, %xmm0, %xmm0\n vgather")
    assert _cycles(cleared) == pytest.approx(3.11, rel=0.05)


@pytest.mark.parametrize(
    ("text", "cycles"), [("vgatherdps (%rdx,%ymm4,4), %ymm0{%k2}", 5.0), ("vgatherdps (%rdx,%xmm4,4), %xmm0{%k2}", 3.0)]
)
def test_gathers_take_time_by_their_elements(text: str, cycles: float) -> None:
    assert _cycles(f" kmovb %k1, %k2\n vxorpd %xmm0, %xmm0, %xmm0\n {text}\n") == pytest.approx(cycles, rel=0.1)


def test_a_shift_by_a_register_is_two_operations() -> None:
    by_register = " shll %cl, %r9d\n shll %cl, %r10d\n shll %cl, %r11d\n shll %cl, %r12d\n"
    assert _cycles(by_register) == pytest.approx(4.0, rel=0.15)
    assert _cycles(by_register.replace("%cl", "$3")) == pytest.approx(2.5, rel=0.1)


@pytest.mark.parametrize(("text", "cycles"), [("cmpq (%rsi,%r8,8), %r9", 5.0), ("cmpq 8(%rsi), %r9", 3.5)])
def test_a_comparison_with_an_indexed_operand_loses_slots(text: str, cycles: float) -> None:
    assert _cycles((" nop\n nop\n nop\n " + text + "\n") * 4 + " nop\n" * 4) == pytest.approx(cycles, rel=0.04)


@pytest.mark.parametrize(
    ("compare", "slots"), [("cmpq %rax, 8(%rsi)", 10), ("cmpq %rax, %rsi", 10), ("cmpl $2, 8(%rsi)", 13)]
)
def test_comparisons_with_memory_fuse_with_their_jump_but_for_constants(compare: str, slots: int) -> None:
    body = f" nop\n nop\n {compare}\n je .L9\n" * 3
    functions = read_listing(f"f:\n.L1:\n{body} subq $1, %rdi\n jne .L1\n.L9:\n ret\n", "x86-64")
    given = follow_call(functions, "f", _MACHINE, Costs(_MACHINE), (2000, 1 << 33), words=[((1 << 33) + 8, 77)])
    assert sum(given.cycles) / 2000 == pytest.approx(max(2.0, slots / 6), rel=0.03)


_NEST = "f:\n.L0:\n xorl %eax, %eax\n.L1:\n addq $1, %rax\n cmpq %rax, %rsi\n jne .L1\n subq $1, %rdi\n jne .L0\n ret\n"


@pytest.mark.parametrize(("trips", "bubble"), [(3, 0), (12, 2), (40, 2), (96, 2)])
def test_the_foreseen_end_of_a_loop_costs_a_bubble(trips: int, bubble: float) -> None:
    """A quick prediction from few branches is corrected by one from a longer history: two cycles, as measured."""
    functions = read_listing(_NEST, "x86-64")
    ends = {}
    for name, machine in (
        ("core", _MACHINE),
        ("none", _MACHINE.with_values({"pipeline.branch_override.latency": 0.0})),
    ):
        ends[name] = sum(follow_call(functions, "f", machine, Costs(machine), (500, trips)).cycles) / 500
    assert ends["core"] - ends["none"] == pytest.approx(bubble, abs=0.15)


@pytest.mark.parametrize(("length", "share"), [(10, 0.0), (16, 0.0), (17, 0.25), (48, 0.5), (64, 0.75), (65, 1.0)])
def test_long_code_is_across_windows_at_more_places(length: int, share: float) -> None:
    assert share_across(length, 64) == share


@pytest.mark.parametrize(
    ("body", "share", "cycles"),
    [
        (" leaq 1000(%rax), %r9\n" * 4, 0.5, 1.0),  # 34 bytes
        (" leaq 1000(%rax), %r9\n" * 8, 0.0, 2.0),  # two lines wherever it is
        (" imulq %rax, %rax\n", 0.0, 3.0),  # waits for its chain
    ],
)
def test_short_loops_across_windows_take_longer(body: str, share: float, cycles: float) -> None:
    """On average over the places of the code; at the worst one two lines are fetched in two cycles."""
    machine = load("sapphire-rapids")
    functions = read_listing(f"f:\n.L1:\n{body} subq $1, %rdi\n jne .L1\n ret\n", "x86-64")
    followed = follow_call(functions, "f", machine, Costs(machine), (2000,))
    assert sum(followed.cycles) / 2000 == pytest.approx(cycles + 0.37 * share, rel=0.03)
    less, more = (sum(doubt[end] for doubt in followed.doubts) / 2000 for end in (0, 1))
    assert less == pytest.approx(0.37 * share, abs=0.01)
    assert more == pytest.approx((2.0 - cycles - 0.37 * share) if share else 0.0, abs=0.03)


def test_operations_are_bound_to_ports_when_they_are_issued() -> None:
    """Nine operations on three ports: ports that are chosen at the last moment take three cycles. Bound at issue, an
    operation that waits for others finds its port taken now and then, while another is idle."""
    body = """ vmovsd (%rsi), %xmm0
 vmovsd 8(%rsi), %xmm1
 vmulsd %xmm0, %xmm1, %xmm4
 vaddsd %xmm4, %xmm2, %xmm5
 vmulsd %xmm5, %xmm4, %xmm6
 vaddsd %xmm6, %xmm5, %xmm7
 vunpckhpd %xmm7, %xmm6, %xmm8
 vaddsd %xmm8, %xmm7, %xmm9
 vmulsd %xmm9, %xmm8, %xmm10
 vunpckhpd %xmm10, %xmm9, %xmm11
 vmulsd %xmm11, %xmm10, %xmm12
"""
    assert 3.0 * 1.03 < _cycles(body) < 3.0 * 1.3


#: as gcc compiles a search for a byte: two comparisons, each one micro-operation with its jump
_SEARCH = """f:
 xorl %eax, %eax
 movl $1, %r8d
 jmp .L4
.L8:
 addq %r8, %rax
 cmpq %rdi, %rax
 je .L5
.L4:
 cmpb %dl, (%rsi,%rax)
 jne .L8
.L5:
 ret
"""


def test_a_comparison_and_its_jump_take_one_unit() -> None:
    """A pass takes 0.98 cycles on an Emerald Rapids (2026-11-18); with units for comparison and jump each it would
    take all five units for integers, and 1.7 cycles."""
    functions = read_listing(_SEARCH, "x86-64")
    followed = follow_call(functions, "f", _MACHINE, Costs(_MACHINE), (2000, 1 << 33, 1))
    assert sum(followed.cycles) / 2000 == pytest.approx(0.98, rel=0.05)


def test_a_subtraction_runs_where_its_jump_does() -> None:
    """Two in a pass that are one with their jumps, which are not taken, and the loop's own: three on the two units of
    jumps."""
    body = " subq %r9, %rax\n js .L9\n subq %r9, %rcx\n js .L9\n"
    text = f"f:\n.L1:\n{body} subq %r9, %rdi\n jne .L1\n.L9:\n ret\n"
    values = (2000, 1 << 33, 0, 1 << 40, 0, 1)
    start = read_listing(text.replace("f:\n", "f:\n movq %rcx, %rax\n"), "x86-64")
    assert sum(follow_call(start, "f", _MACHINE, Costs(_MACHINE), values).cycles) / 2000 == pytest.approx(1.5, rel=0.05)
