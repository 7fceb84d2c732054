"""What an iteration hands on to the next: recurrences, their length, running sums; from LLVM IR written by hand."""

from __future__ import annotations

import pytest

from foretell.core.facets.trace import Chain, Operations
from foretell.core.llvm.module import Module
from foretell.frontends.trace.cfg import flow
from foretell.frontends.trace.instrument.loop_scalars import Carried, scalars

LOOP = """
define void @f(ptr %a, ptr %b, i64 %n, double %start) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{head}
  %p = getelementptr double, ptr %a, i64 %i
  %q = getelementptr double, ptr %b, i64 %i
  %x = load double, ptr %p, align 8
{body}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def carried(head: str, body: str) -> Carried:
    module = Module(LOOP.format(head=head, body=body))
    return scalars(flow(module.functions["f"])).loops[0]


RUNNING = "  %s = phi double [ %start, %entry ], [ %t, %loop ]"


def test_a_stored_running_sum_is_a_scan() -> None:
    found = carried(RUNNING, "  %t = fadd double %s, %x\n  store double %t, ptr %q, align 8")
    assert found.scan
    assert found.recurrence is not None
    assert found.members == {"%s", "%t"}
    assert found.chain == Chain(Operations(add=1))


def test_a_sum_that_nobody_looks_at_is_a_reduction() -> None:
    found = carried(RUNNING, "  %t = fadd double %s, %x")
    assert not found.scan
    assert found.recurrence is None
    assert found.chain == Chain(Operations(add=1))


@pytest.mark.parametrize(
    ("body", "chain"),
    [
        ("  %u = fadd double %s, %x\n  %t = fmul double %u, 2.5e-1", Chain(Operations(add=1, multiply=1))),
        ("  %u = fmul double %s, %s\n  %t = fadd double %u, %x", Chain(Operations(add=1, multiply=1))),
        (
            "  %u = fsub double %s, %x\n  %c = fcmp ogt double %u, %x\n  %t = select i1 %c, double %u, double %x",
            Chain(Operations(add=1, compare=1), integer=1),
        ),
        (
            "  %u = fdiv double %x, %s\n  %v = fadd double %s, %x\n  %t = fadd double %u, %v",
            Chain(Operations(add=1, divide=1)),
        ),
        ("  %u = call double @sqrt(double %s)\n  %t = fadd double %u, %x", Chain(Operations(add=1, sqrt=1))),
    ],
)
def test_recurrences_are_as_long_as_their_longest_way(body: str, chain: Chain) -> None:
    found = carried(RUNNING, f"{body}\n  store double %t, ptr %q, align 8")
    assert not found.scan
    assert found.chain == chain


def test_a_chain_of_pointers_waits_for_loads() -> None:
    head = "  %at = phi ptr [ %b, %entry ], [ %after, %loop ]"
    found = carried(head, "  %after = load ptr, ptr %at, align 8")
    assert found.chain == Chain(load=1)


def test_what_goes_through_memory_waits_from_load_to_store() -> None:
    found = carried("", "  %t = fmul double %x, 3.0\n  %u = fadd double %t, 1.0\n  store double %u, ptr %q, align 8")
    assert found.chain == Chain()
    assert found.memory_chain == Chain(Operations(add=1, multiply=1), load=1)
