"""Comparisons of two values from memory: as open as the data are."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

#: a predictor that knows nothing of calls before
_MACHINE = load("sapphire-rapids").with_values({"cores.branch_memory": 1e-3})
_LENGTH = 20_000
#: what %r8 is, how it is compared, and what the jump guards
_LOOP = """f:
 FIRST
.L0:
 LOADED
 COMPARE
 jl .L1
 imulq %r9, %r10
.L1:
 addq $8, %rdi
 decq %rcx
 jne .L0
 ret
"""


def _call(first: str, loaded: str, compare: str = "cmpq %r8, (%rdi)") -> Followed:
    text = _LOOP.replace("FIRST", first).replace("LOADED", loaded).replace("COMPARE", compare)
    functions = read_listing(text, "x86-64")
    return follow_call(functions, "f", _MACHINE, Costs(_MACHINE), [1 << 33, 1 << 34, 1 << 35, _LENGTH])


def _ends(call: Followed) -> tuple[float, float]:
    """Cycles that the call may take less, and more, because of its jumps on data."""
    return sum(less for less, _ in call.doubts), sum(more for _, more in call.doubts)


@pytest.mark.parametrize(
    ("first", "loaded"),
    [("nop", "movq (%rsi), %r8"), ("movq (%rsi), %r8", "nop"), ("movq (%rsi), %r11", "movq %r11, %r8")],
)
def test_two_values_from_memory_are_mispredicted_every_second_time(first: str, loaded: str) -> None:
    less, more = _ends(_call(first, loaded))
    assert less > 10 * more


@pytest.mark.parametrize(
    ("first", "loaded", "compare"),
    [
        ("nop", "nop", "cmpq $100, (%rdi)"),  # a limit in the code
        ("movq %rdx, %r8", "nop", "cmpq %r8, (%rdi)"),  # and one of the caller
        ("movq 8(%rsp), %r8", "nop", "cmpq %r8, (%rdi)"),  # and one that was put aside
        ("nop", "movq (%rsi), %r8", "cmpq %r8, 8(%rsp)"),
        ("movq (%rsi), %r8", "addq (%rdi), %r8", "cmpq %r8, (%rdi)"),  # a sum
        ("nop", "movq (%rsi), %r8\n movq (%rdx,%r8,8), %r11", "cmpq %r8, (%rdi)"),  # the bound of a row
    ],
)
def test_limits_and_bounds_mostly_hold_or_mostly_do_not(first: str, loaded: str, compare: str) -> None:
    less, more = _ends(_call(first, loaded, compare))
    assert less == pytest.approx(more, rel=0.05)


def test_equality_is_a_rare_case() -> None:
    text = ("nop", "movq (%rsi), %r8", "cmpq %r8, (%rdi)")
    ordered = _call(*text)
    functions = read_listing(
        _LOOP.replace("FIRST", text[0]).replace("LOADED", text[1]).replace("COMPARE", text[2]).replace("jl", "je"),
        "x86-64",
    )
    equal = follow_call(functions, "f", _MACHINE, Costs(_MACHINE), [1 << 33, 1 << 34, 1 << 35, _LENGTH])
    assert sum(ordered.cycles) > sum(equal.cycles)
    assert _ends(equal)[1] > 0.5 * _ends(equal)[0]


@pytest.mark.parametrize(("jump", "share"), [("js", 0.16), ("jns", 0.84)])
def test_bytes_are_rarely_negative(jump: str, share: float) -> None:
    text = _LOOP.replace("FIRST", "nop").replace("LOADED", "movq (%rdi), %r8").replace("COMPARE", "testq %r8, %r8")
    functions = read_listing(text.replace("jl", jump), "x86-64")
    call = follow_call(functions, "f", _MACHINE, Costs(_MACHINE), [1 << 33, 1 << 34, 1 << 35, _LENGTH])
    guarded = next(n for (_, one), n in zip(call.rows, call.counts, strict=True) if one.mnemonic.startswith("imul"))
    assert guarded / _LENGTH == pytest.approx(1 - share, abs=0.02)
