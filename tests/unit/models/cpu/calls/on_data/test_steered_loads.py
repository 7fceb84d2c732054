"""Loads whose addresses the outcomes of data decide wait for the level that has their lines."""

from __future__ import annotations

from functools import cache

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.on_data.steered_loads import data_lines, levels_of, with_line_waits
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

#: for each of rcx keys: low = 0, high = n; while (low < high) by halves of the sorted array
_SEARCHES = """f:
.L0:
 xorl %eax, %eax
 movq %rsi, %r8
.L1:
 cmpq %r8, %rax
 jge .L3
 leaq (%rax,%r8), %r9
 shrq %r9
 vmovsd (%rdi,%r9,8), %xmm0
 vcomisd (%rdx), %xmm0
 ja .L2
 leaq 1(%r9), %rax
 jmp .L1
.L2:
 movq %r9, %r8
 jmp .L1
.L3:
 addq $8, %rdx
 decq %rcx
 jne .L0
 ret
"""
#: counts the elements that exceed a limit, in order
_IN_ORDER = """f:
.L0:
 vcomisd (%rdi), %xmm0
 ja .L1
 incq %rax
.L1:
 addq $8, %rdi
 decq %rsi
 jne .L0
 ret
"""
_ARRAY, _KEYS = 1 << 33, 1 << 34
_MACHINE = load("sapphire-rapids")


@cache
def _searches(elements: int, keys: int) -> Followed:
    return _call(_SEARCHES, _ARRAY, elements, _KEYS, keys)


def _call(text: str, *arguments: int, extents: tuple[tuple[int, int], ...] = ()) -> Followed:
    listing = read_listing(text, "x86-64")
    return follow_call(listing, "f", _MACHINE, Costs(_MACHINE), arguments, strides=True, by_rule=True, extents=extents)


def _later(followed: Followed, **values: float) -> float:
    """Cycles that the call takes longer."""
    machine = _MACHINE.with_values({path.replace("_", ".", 2): value for path, value in values.items()})
    return sum(with_line_waits(followed, machine).cycles) - sum(followed.cycles)


def test_searches_wait_for_lines_beyond_the_innermost_cache() -> None:
    assert _later(_searches(500, 64)) == 0.0  # 4 KB
    followed = _searches(100_000, 1000)  # 800 KB in L2
    steps = next(count for (_, one), count in zip(followed.rows, followed.counts, strict=True) if "shrq" in one.text)
    levels = levels_of(_MACHINE)
    assert levels is not None
    later = _later(followed) / steps
    assert 0.1 < later < levels.caches[1][1]  # the first steps of all searches meet the same lines


def test_a_slower_cache_makes_searches_wait_longer() -> None:
    followed = _searches(100_000, 1000)
    slower = _later(followed, level_L2_latency=_MACHINE.value("level.L2.latency") * 3)
    assert slower > 1.8 * _later(followed)


def test_what_is_in_doubt_grows_with_the_waits() -> None:
    followed = _searches(100_000, 1000)
    late = with_line_waits(followed, _MACHINE)
    less, more = (sum(doubt[end] for doubt in late.doubts) - sum(d[end] for d in followed.doubts) for end in (0, 1))
    assert less == pytest.approx(0.5 * _later(followed))
    assert more == pytest.approx(less)


def test_loads_in_order_wait_for_no_line() -> None:
    followed = _call(_IN_ORDER, _ARRAY, 100_000)
    assert followed.result.open_jumps
    assert not followed.result.steered
    assert followed.waits is None


def test_loads_at_unknown_places_lie_anywhere_in_the_arrays_that_are_given() -> None:
    text = "f:\n.L0:\n movslq (%rsi), %rax\n addq $4, %rsi\n addl (%rdi,%rax,4), %edx\n decq %rcx\n jne .L0\n ret\n"
    arguments = (_ARRAY, _KEYS, 0, 20_000)
    assert _call(text, *arguments).waits is None
    near, far = (
        _later(_call(text, *arguments, extents=((_ARRAY, size), (_KEYS, 80_000)))) for size in (1 << 12, 1 << 22)
    )
    assert near == 0.0 < far


def test_tables_of_pointers_are_no_data() -> None:
    text = _SEARCHES.replace("f:\n", "f:\n movq (%r8), %r10\n movq (%r9), %r10\n", 1)
    first, second = ((1 << 41) + (number << 24) for number in (1, 2))
    followed = _call(text, _ARRAY, 1000, _KEYS, 64, first, second)
    assert data_lines(followed.result, 64) == pytest.approx((8000 + 512) / 64, abs=4)
