"""Jumps through tables (switch): known selectors go where they go, those that depend on data anywhere in the loop."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

#: entries are distances from the table (position-independent code), or addresses
_RELATIVE = """ leaq .L9(%rip), %rdx
.L1:
 {selector}
 movslq (%rdx,%rax,4), %rax
 addq %rdx, %rax
 notrack jmp *%rax
 .section .rodata
.L9:
 .long .L3-.L9
 .long .L4-.L9
 .long .L5-.L9
 .long .L6-.L9
 .text
"""
_ABSOLUTE = """.L1:
 {selector}
 jmp *.L9(,%rax,8)
 .section .rodata
.L9:
 .quad .L3
 .quad .L4
 .quad .L5
 .quad .L6
 .text
"""
_REST = """.L3:
 incq %r8
 jmp .L2
.L4:
 decq %r8
 jmp .L2
.L5:
 notq %r8
.L2:
 decl %edi
 jne .L1
 ret
.L6:
 negq %r8
 ret
"""
_KNOWN, _DATA = "movq %rsi, %rax", "movzbl (%rcx,%rdi), %eax"


def _call(head: str, selector: str, *arguments: int) -> Followed:
    machine = load("sapphire-rapids")
    functions = read_listing("f:\n" + head.format(selector=selector) + _REST, "x86-64")
    return follow_call(functions, "f", machine, Costs(machine), arguments)


def _counts(followed: Followed) -> list[float]:
    by_name = {one.text.split()[0]: count for (_, one), count in zip(followed.rows, followed.counts, strict=True)}
    return [by_name[name] for name in ("incq", "decq", "notq", "negq")]


@pytest.mark.parametrize("head", [_RELATIVE, _ABSOLUTE], ids=["relative", "absolute"])
@pytest.mark.parametrize("entry", [0, 1, 2])
def test_a_known_selector_chooses_its_entry(head: str, entry: int) -> None:
    followed = _call(head, _KNOWN, 1000, entry)
    assert _counts(followed) == [1000.0 * (entry == place) for place in range(4)]
    assert followed.result.failure == ""
    assert not any("table" in text for text in followed.assumptions)


@pytest.mark.parametrize("head", [_RELATIVE, _ABSOLUTE], ids=["relative", "absolute"])
def test_a_selector_from_data_stays_in_the_loop(head: str) -> None:
    """Three of four entries stay in the loop; the fourth would end it."""
    followed = _call(head, _DATA, 6000, 0, 0, 1 << 33)
    *staying, leaving = _counts(followed)
    assert leaving == 0
    assert sum(staying) == 6000
    assert all(count == pytest.approx(2000, rel=0.1) for count in staying)
    assert any("through a table goes to each of its 4 entries" in text for text in followed.assumptions)
    assert not followed.guessed


def test_a_selector_from_data_is_mispredicted() -> None:
    """Half of the jumps that a predictor does not foresee are counted, and as many may come on top; of those that it
    knows from the call before, none."""
    calls = 60_000
    known, data = (
        _call(_RELATIVE, selector, calls, 0, 0, 1 << 33) for selector in ("movq %rsi, %rax", "movzbl (%rcx,%rdi), %eax")
    )
    machine = load("sapphire-rapids")
    miss, kept = machine.value("pipeline.branch_miss.latency"), machine.value("cores.branch_memory")
    learned = kept / (2 * calls * 2 / 3)
    less, more = (sum(ends) for ends in zip(*data.doubts, strict=True))
    assert 1 < less / (calls * 2 / 3 / 2 * miss * (1 - learned)) < 1.6  # refilling takes the way to the jump as well
    assert more / less == pytest.approx((1 + learned) / (1 - learned), rel=0.02)
    assert sum(data.cycles) > sum(known.cycles) + 0.8 * less


def test_a_selector_outside_of_loops_takes_any_entry() -> None:
    text = "f:\n" + _RELATIVE.format(selector="movzbl (%rcx), %eax") + _REST.replace(" jne .L1\n", "")
    machine = load("sapphire-rapids")
    followed = follow_call(read_listing(text, "x86-64"), "f", machine, Costs(machine), (1, 0, 0, 1 << 33))
    assert sum(_counts(followed)) == 1


def test_a_jump_through_a_register_without_a_table_is_not_followed() -> None:
    text = "f:\n movq (%rdi), %rax\n jmp *%rax\n.L3:\n ret\n"
    machine = load("sapphire-rapids")
    followed = follow_call(read_listing(text, "x86-64"), "f", machine, Costs(machine), (1 << 33,))
    assert "jumps through a table" in followed.result.failure


def test_each_jump_has_its_own_table() -> None:
    """The table is the one that was loaded into the register from which the block of the jump reads."""
    text = (
        "f:\n leaq .L8(%rip), %rbx\n leaq .L9(%rip), %rdx\n movslq (%rbx,%rsi,4), %rax\n addq %rbx, %rax\n jmp *%rax\n"
        " .section .rodata\n.L8:\n .long .L1-.L8\n .long .L2-.L8\n.L9:\n .long .L2-.L9\n .text\n"
        ".L1:\n movslq (%rdx,%rdi,4), %rcx\n addq %rdx, %rcx\n jmp *%rcx\n.L2:\n ret\n"
    )
    first, second = (block.table for block in read_listing(text, "x86-64")[0].blocks if block.table)
    assert first is not None
    assert second is not None
    assert (first.label, len(first.blocks), second.label, len(second.blocks)) == (".L8", 2, ".L9", 1)


def test_tables_of_aarch64_are_read() -> None:
    text = (
        "f:\n adrp x5, .L4\n add x5, x5, :lo12:.L4\n ldrb w1, [x5, w0, uxtw]\n adr x0, .Lrtx4\n"
        " add x1, x0, w1, sxtb #2\n br x1\n.Lrtx4:\n .section .rodata\n.L4:\n .byte (.L1 - .Lrtx4) / 4\n"
        " .byte (.L2 - .Lrtx4) / 4\n .text\n.L1:\n mov w0, 1\n ret\n.L2:\n mov w0, 2\n ret\n"
    )
    table = next(block.table for block in read_listing(text, "aarch64")[0].blocks if block.table)
    assert (table.width, len(table.blocks)) == (1, 2)
