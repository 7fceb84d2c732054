"""What half of a core's window makes of code: ways through it as it ran, and chains of known length."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.codegen.assembly import x86
from foretell.core.facets.counts import Counts
from foretell.frontends.counters import read_profile
from foretell.frontends.counters.readers.callgrind_instructions import executed, jumps
from foretell.frontends.counters.readers.lines import Lines
from foretell.machines import load
from foretell.models.cpu.incore import ooo_window
from foretell.uses.profiling.ooo_window import Code
from foretell.uses.profiling.profile import Request, profile
from tests.support.host import IS_X86
from tests.unit.uses.measure.test_profile import built

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine.machine import Machine

MACHINE = load("sapphire-rapids")
LATENCY = MACHINE.value("pipeline.fma_f64.latency")


def parsed(*lines: str) -> tuple[Instruction, ...]:
    return tuple(x86.parse(line, 0, "att") for line in lines)


def path(lines: list[str], machine: Machine = MACHINE, length: int = 8192) -> ooo_window.Path:
    """Straight code, again and again."""
    places = tuple(k % len(lines) for k in range(length))
    return ooo_window.Path(parsed(*lines), places, (False,) * length, machine)


def chains(length: int, side: int = 1) -> list[str]:
    """Chains of multiply-adds that begin anew, `side` of them at a time."""
    start = [f"vmovapd %ymm15, %ymm{k}" for k in range(side)]
    return start + [f"vfmadd132pd %ymm14, %ymm13, %ymm{k}" for _ in range(length) for k in range(side)]


# -------------------------------------------------------------------------------------- the core


@pytest.mark.parametrize("part", [1.0, 0.5, 0.1])
def test_one_chain_and_no_chain_need_no_window(part: float) -> None:
    """A result after the other takes its latency each; independent results take what the two units take."""
    assert path(["vfmadd231pd %ymm1, %ymm2, %ymm0"]).cycles(part) == pytest.approx(4, rel=0.01)
    free = [f"vmulpd %ymm14, %ymm13, %ymm{k}" for k in range(8)]
    assert path(free).cycles(part) == pytest.approx(0.5, rel=0.02)


def test_chains_that_do_not_fit_the_scheduler_wait() -> None:
    """Chains that are longer than all that waits run one after the other; with room for many they take what two units
    take, and in between something between."""
    sizes = (4.0, 50.0, 1000.0)
    cores = [MACHINE.with_values({"cores.scheduler": size, "cores.reorder_buffer": 1000.0}) for size in sizes]
    alone, few, many = (path(chains(50), core).cycles() * 51 / 50 for core in cores)
    assert alone == pytest.approx(LATENCY, rel=0.1)
    assert many == pytest.approx(0.5, rel=0.05)
    assert 2 * many < few < alone / 1.5


@pytest.mark.parametrize("length", [8, 24, 60])
def test_half_of_a_window_is_the_window_of_a_core_with_half_of_everything(length: int) -> None:
    names = ("scheduler", "store_scheduler", "reorder_buffer", "store_buffer")
    halves = {f"cores.{name}": float(int(MACHINE.value(f"cores.{name}") / 2)) for name in names}
    half = path(chains(length, 2)).cycles(0.5)
    assert half == path(chains(length, 2), MACHINE.with_values(halves)).cycles()


def test_chains_of_24_multiply_adds_notice_half_of_the_window() -> None:
    """About 97 of them may wait: four chains beside each other with all of it, two with half."""
    whole, half = ooo_window.sensitivity(path(chains(24, 2)))
    assert 1.3 < half / whole < 2


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(1, 8))
def test_less_of_a_window_is_never_faster(length: int, side: int) -> None:
    found = ooo_window.sensitivity(path(chains(length, side), length=2048), (1.0, 0.5, 0.25))
    assert list(found) == sorted(found)
    assert found[0] >= 0.49 * length / (length + 1)


def test_loads_wait_for_stores_on_the_stack_and_for_addresses() -> None:
    forward = MACHINE.value("pipeline.forward.latency") if "pipeline.forward.latency" in MACHINE else 5
    through = ["vmovsd -8(%rbp), %xmm0", "vaddsd %xmm1, %xmm0, %xmm0", "vmovsd %xmm0, -8(%rbp)"]
    elsewhere = [through[0], through[1], "vmovsd %xmm0, -16(%rbp)"]
    assert path(through).cycles() * 3 > forward
    assert path(elsewhere).cycles() * 3 < 2
    chased = ["movq (%rax), %rax"]
    assert path(chased).cycles() == pytest.approx(MACHINE.cycles("level.L1.latency"), rel=0.05)


def test_machines_that_do_not_say_what_their_window_is() -> None:
    assert ooo_window.known(MACHINE)
    assert not any(ooo_window.known(load(name)) for name in ("neoverse-n1", "blue-gene-q", "h100"))


# -------------------------------------------------------------------------------------- ways through code


def code(lines: dict[int, str], counts: dict[int, int], ways: dict[int, dict[int, int]] | None = None) -> Code:
    behind = [*list(lines)[1:], -1]
    read = zip(lines.items(), behind, strict=True)
    return Code(counts, ways or {}, {at: (*parsed(text), after) for (at, text), after in read})


NEST = {0: "movl $3, %edx", 1: "subl $1, %edx", 2: "jne 1", 3: "subl $1, %ecx", 4: "jne 0"}


@pytest.mark.parametrize("passes", [1, 2, 24, 100])
def test_an_inner_loop_has_its_passes_each_time(passes: int) -> None:
    """After the first one, whose turn may come early."""
    inner, outer = passes * 50, 50
    nest = code(NEST, {0: outer, 1: inner, 2: inner, 3: outer, 4: outer}, {2: {1: inner - outer}, 4: {0: outer - 1}})
    way = [at for at, _ in nest.way(4 * passes * 20)]
    runs = [len(list(group)) // 2 for at, group in groupby(way, key=lambda at: at in (1, 2)) if at]
    assert set(runs[1:-1]) == {passes}


def test_jumps_go_each_way_as_often_as_they_did() -> None:
    lines = {0: "testl %eax, %eax", 1: "je 4", 2: "incl %ebx", 3: "jmp 5", 4: "decl %ebx", 5: "jmp 0"}
    counts = {0: 10, 1: 10, 2: 7, 3: 7, 4: 3, 5: 10}
    found = Counter(at for at, _ in code(lines, counts, {1: {4: 3}, 3: {5: 7}, 5: {0: 10}}).way(4700))
    assert found[4] / found[1] == pytest.approx(0.3, abs=0.01)
    assert found[2] + found[4] == pytest.approx(found[1], abs=1)


CALLS = {0: "call 10", 1: "jmp 0", 10: "incl %eax", 11: "ret", 20: "call 10", 21: "jmp 20"}


def test_calls_return_to_where_they_came_from() -> None:
    """Also out of the function in which the way begins, to the call that it comes from most often."""
    counts = {0: 5, 1: 5, 10: 12, 11: 12, 20: 7, 21: 7}
    way = code(CALLS, counts, {0: {10: 5}, 1: {0: 5}, 20: {10: 7}, 21: {20: 7}}).way(12)
    assert [at for at, _ in way] == [10, 11, 21, 20] * 3
    assert [jumped for _, jumped in way] == [False, True, True, True] * 3


def test_calls_of_other_files_are_passed_and_ways_out_begin_anew() -> None:
    away = code({0: "call 99", 1: "incl %eax", 2: "jmp *%rax"}, {0: 5, 1: 5, 2: 5})
    assert [at for at, _ in away.way(6)] == [0, 1, 2] * 2


# -------------------------------------------------------------------------------------- files and programs

CALLGRIND = """# callgrind format
version: 1
creator: callgrind-3.19.0
cmd: ./p
part: 1
positions: instr line
events: Ir

ob=(1) /p
fl=(1) ???
fn=(1) main
0x1000 0 50
+4 0 1200
+2 0 1200
jcnd=1150/1200 -2 0
* 0
+4 0 50
cob=(2) /lib.so
cfn=(2) sin
calls=7 0x1000 0
* 0 900
cfn=(1)
calls=5 -10 0
* 0 100
+1 0 50
jump=50 -11 0
* 0

totals: 2550
"""


def test_a_file_with_jumps(tmp_path: Path) -> None:
    """Jumps cost nothing, and calls of another file go nowhere in this one."""
    file = tmp_path / "callgrind.out"
    file.write_text(CALLGRIND)
    where = ("outside", "/p")
    assert executed(Lines(file)) == {where: {0x1000: 50, 0x1004: 1200, 0x1006: 1200, 0x100A: 50, 0x100B: 50}}
    assert jumps(Lines(file)) == {where: {0x1006: {0x1004: 1150}, 0x100A: {0x1000: 5}, 0x100B: {0x1000: 50}}}
    counts = read_profile([file]).facet(Counts)
    assert sum(block.value("instructions") for block in counts.blocks) == 2550


POLYNOMIALS = """
#include "foretell.h"
double out[4096];
__attribute__((noinline)) void chains(void) {
  for (int i = 0; i < 4096; ++i) {
    double x = 1e-7 * i, y = 1;
    for (int d = 0; d < 40; ++d) y = y * x + 0.5;
    out[i] = y;
  }
}
__attribute__((noinline)) void stream(void) { for (int i = 0; i < 4096; ++i) out[i] = out[i] * 0.5 + 1.0; }
int main(void) {
  FORETELL_BEGIN("chains"); chains(); FORETELL_END;
  FORETELL_BEGIN("stream"); for (int k = 0; k < 20; ++k) stream(); FORETELL_END;
  return 0;
}
"""


@pytest.mark.skipif(
    not all(map(shutil.which, ("gcc", "valgrind", "objdump")))
    or not Path("/usr/include/valgrind/callgrind.h").exists()
    or not IS_X86,
    reason="needs gcc for x86-64, valgrind with headers, and objdump",
)
def test_a_profile_tells_chains_from_streams(tmp_path: Path) -> None:
    program = built(tmp_path, POLYNOMIALS)
    request = Request((str(program),), machine=MACHINE, source="valgrind")
    found = {block.name: block for block in profile(request).facet(Counts).blocks}
    ratio = {
        name: found[name].value("cyclesHalfWindow") / found[name].value("cyclesWindow") for name in ("chains", "stream")
    }
    assert ratio["chains"] > 1.3
    # an iteration of the stream takes one cycle, and waits in the scheduler for 5 (product), 9 (sum) and 13 (store):
    # about 30 entries are taken, of 48 in half a window, so that it loses little where a chain loses half as much again
    assert 1 <= ratio["stream"] < 1 + (ratio["chains"] - 1) / 10
    # 40 multiplications and additions that wait for each other, at least two chains of which overlap
    assert found["chains"].value("cyclesWindow") < 4096 * 40 * 8 / 2
    assert "of the instructions, from the hottest on" in found["chains"].events["cyclesWindow"].origin
    without = profile(Request((str(program),), source="valgrind")).facet(Counts)
    assert not any("cyclesWindow" in block.events for block in without.blocks)
