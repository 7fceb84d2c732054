"""Loop bodies on the two pipelines: schedules that can be checked by hand, and bounds that hold for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.core.nest.loopnest import LoopNest, Loops
from foretell.errors import InputError
from foretell.frontends import examples, read
from foretell.models.sunway.loop_code import Function, Iteration, Operation, iteration
from foretell.models.sunway.pipelines import loop_costs
from foretell.models.sunway.schedule import cost
from tests.support.models.sunway import machine

if TYPE_CHECKING:
    from pathlib import Path

LATENCIES = {"floating": 9.0, "fixed": 1.0, "scratchpad": 3.0, "divsqrt": 34.0}


def nest(path: Path, body: str, arguments: str = "double a[n], double b[n], double c[n]") -> LoopNest:
    file = path / "k.c"
    file.write_text(
        f"#include <math.h>\nvoid f(int n, {arguments}) {{\n"
        f"    #pragma acc parallel loop copyin(a)\n    for (int i = 0; i < n; i++) {{ {body} }}\n}}\n"
    )
    return read(file).facet(Loops).nests[0]


def cycles(found: LoopNest, unroll: int = 1, *, pipelined: bool = False) -> float:
    return loop_costs(found, unroll, machine(), pipelined)[-1].cycles


def test_a_sum_of_two_arrays_by_hand(tmp_path: Path) -> None:
    """Loads in cycles 0 and 1, the sum when the second has arrived (1 + 3), the store 9 later, then the next pass."""
    vectors = nest(tmp_path, "c[i] = a[i] + b[i];")
    assert cycles(vectors) == 14
    assert cycles(vectors, 4) == pytest.approx(20 / 4)  # 8 loads (0-7), last sum at 10, 4 stores up to 19
    assert cycles(vectors, 16, pipelined=True) == pytest.approx(49 / 16)  # 48 loads and stores, and the branch
    counts = loop_costs(vectors, 1, machine(), False)[0].counts
    assert counts == {"floating": 1, "fixed": 6, "scratchpad": 3, "divsqrt": 0}  # 3 pointers, counter, test, branch


def test_a_reduction_waits_for_itself(tmp_path: Path) -> None:
    total = nest(tmp_path, "b[0] += 0; s += a[i];", "double a[n], double b[n], double s")
    assert cycles(total, 16) >= 9
    assert cycles(total, 8, pipelined=True) == pytest.approx(9)


def test_divisions_are_not_pipelined(tmp_path: Path) -> None:
    divided = nest(tmp_path, "c[i] = a[i] / b[i];")
    assert cycles(divided, 8) >= 34
    rooted = nest(tmp_path, "c[i] = sqrt(a[i]) + sqrt(b[i]);")
    assert cycles(rooted, 8, pipelined=True) >= 68
    assert loop_costs(rooted, 1, machine(), False)[0].counts["divsqrt"] == 2


def test_products_are_fused_into_sums(tmp_path: Path) -> None:
    fused = nest(tmp_path, "c[i] = c[i] + a[i] * b[i];")
    assert loop_costs(fused, 1, machine(), False)[0].counts["floating"] == 1


def test_library_functions_cost_many_instructions(tmp_path: Path) -> None:
    called = nest(tmp_path, "c[i] = exp(a[i]);")
    assert cycles(called) > 25 * 9
    assert loop_costs(called, 1, machine(), False)[0].counts["floating"] == 25
    assert cycles(nest(tmp_path, "c[i] = fabs(a[i]);")) < 20


def test_the_dearest_branch_counts(tmp_path: Path) -> None:
    cheap = nest(tmp_path, "if (a[i] > 0) c[i] = a[i]; else b[i] = a[i];")
    dear = nest(tmp_path, "if (a[i] > 0) c[i] = a[i] / (1 + b[i]); else b[i] = a[i];")
    assert cycles(dear) >= cycles(cheap) + 34


def test_unlike_copies_of_a_body_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """In place: every copy loads and stores its own element, so unrolling helps; where data chooses it does not."""
    own = nest(tmp_path, "a[i] = 2 * a[i];")
    assert cycles(own, 8) < 0.4 * cycles(own)
    anywhere = nest(tmp_path, "a[k[i]] = 2 * a[k[i]];", "double a[n], int k[n]")
    assert cycles(anywhere, 8) > 0.7 * cycles(anywhere)


def test_outer_loops_cost_what_stands_in_them() -> None:
    found = read("example:k-means.c").facet(Loops).nests[0]
    outer, middle, inner = loop_costs(found, 1, machine(), False)
    assert inner.cycles == 13  # loads, difference, square fused into the sum
    assert middle.counts["floating"] == 2  # comparison and choice
    assert outer.counts["scratchpad"] == 1  # the store of the member


@pytest.mark.parametrize(
    "name", [n for n in examples() if n.endswith((".c", ".f90")) and "stencil" not in n and "/" not in n]
)
def test_every_example_keeps_the_limits_of_the_pipelines(name: str) -> None:
    for found in read(f"example:{name}").facet(Loops).nests:
        before = float("inf")
        for unroll in (1, 2, 8):
            listed = loop_costs(found, unroll, machine(), False)[-1]
            pipelined = loop_costs(found, unroll, machine(), True)[-1]
            issued = sum(listed.counts.values())
            assert listed.cycles >= issued / 2 - 1e-9  # two pipelines
            assert pipelined.cycles <= listed.cycles + 1e-9
            assert listed.cycles <= before * 1.05  # unrolling does not hurt
            work = sum(LATENCIES[kind] * count for kind, count in listed.counts.items())
            assert work / listed.cycles <= 11  # nine in flight on one pipeline, two on the other
            before = listed.cycles


def test_ilp_is_in_the_details_and_unroll_factors_are_checked() -> None:
    sizes = {"n": 256, "m": 256}
    details = foretell.predict("example:vector-add.c", "sw26010", parameters={**sizes, "unroll_j": 8}).details
    assert 4 < details["avg_ILP"] <= 8
    for wrong in (0, 1.5, 65):
        with pytest.raises(InputError, match="unroll: a whole number from 1 to 64"):
            foretell.predict("example:vector-add.c", "sw26010", parameters={**sizes, "unroll_j": wrong})
    quick = foretell.predict("example:vector-add.c", "sw26010", parameters=sizes, options={"loops": "pipelined"})
    assert quick.details["avg_ILP"] > 4


def test_ir_is_read_as_it_is_written() -> None:
    function = Function(
        """
define void @f(ptr %"array 0", i64 %n) {
entry:
  br label %for0.head

for0.head:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end

body:
  %p = getelementptr inbounds double, ptr %"array 0", i64 %i
  %x = load double, ptr %p, align 8
  %big = fcmp ogt double %x, 1.0
  br i1 %big, label %then, label %latch

then:
  %y = fdiv double 1.0, %x
  store double %y, ptr %p, align 8
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  br label %for0.head

end:
  ret void
}
"""
    )
    assert function.loop("for0.head") == {"for0.head", "body", "then", "latch"}
    found = iteration(function, 0)
    assert [one.opcode for one in found.instructions] == ["load", "fcmp", "br", "fdiv", "store"]
    assert found.pointers == 1


_OPCODES = {"fadd": "floating", "add": "fixed", "load": "scratchpad", "fdiv": "divsqrt"}


@st.composite
def iterations(draw: st.DrawFn) -> Iteration:
    """Random code in which everything may use what came before."""
    size = draw(st.integers(1, 12))
    found = []
    for number in range(size):
        opcode = draw(st.sampled_from(sorted(_OPCODES)))
        uses = draw(st.lists(st.integers(0, number - 1), max_size=2)) if number else []
        address = f"%p{number}" if opcode == "load" else ""
        operands = tuple(f"%v{use}" for use in uses)
        found.append(Operation(f"%v{number}", opcode, operands, _OPCODES[opcode], address))
    carried = {"%phi": f"%v{draw(st.integers(0, size - 1))}"} if draw(st.booleans()) else {}
    if carried:
        found[0] = Operation("%v0", "fadd", ("%phi",), "floating")
    return Iteration(found, carried, {f"%p{n}": (n, 0) for n in range(size)})


@given(iterations(), st.integers(1, 6))
def test_no_schedule_beats_the_pipelines_or_the_chain(found: Iteration, unroll: int) -> None:
    listed = cost(found, unroll, LATENCIES, False)
    pipelined = cost(found, unroll, LATENCIES, True)
    kinds = [_OPCODES[one.opcode] for one in found.instructions]
    floating = sum(kind in ("floating", "divsqrt") for kind in kinds)
    assert pipelined.cycles >= max(floating, kinds.count("scratchpad"), 34 * kinds.count("divsqrt")) - 1e-9
    assert listed.cycles >= pipelined.cycles - 1e-9
    chain = [0.0] * len(kinds)
    for place, one in enumerate(found.instructions):
        waits = [chain[int(use[2:])] for use in one.operands if use != "%phi"]
        chain[place] = max([0.0, *waits]) + LATENCIES[kinds[place]]
    # a pass can take no longer than its instructions one after another
    assert listed.cycles <= sum(LATENCIES[kind] for kind in kinds) + 40 * len(kinds) + 20
    if found.carried:
        back = int(found.carried["%phi"][2:])
        if _reaches(found, back):
            assert pipelined.cycles >= LATENCIES[kinds[back]] - 1e-9


def _reaches(found: Iteration, place: int) -> bool:
    """Whether a value depends on the one that is carried."""
    one = found.instructions[place]
    return any(use == "%phi" or _reaches(found, int(use[2:])) for use in one.operands)
