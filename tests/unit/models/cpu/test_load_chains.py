"""Loads that wait for what they loaded before, and the levels that their lines come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import foretell
from foretell import machines
from foretell.characterize.footprints.footprints import footprints
from foretell.codegen.assembly.listing import read_listing
from foretell.core.nest.loopnest import Loops
from foretell.frontends import SourceOptions, read_sources
from foretell.models.cpu.incore.calls.load_chains import waiting_loads
from tests.support.host import X86_GCC, needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

MACHINE = machines.load("emerald-rapids")

X86 = {
    "index": ("movslq %esi, %rsi\n movl (%rdi,%rsi,4), %esi\n addl $1, %eax", [1]),
    "pointer": ("addsd 8(%rdi), %xmm0\n movq 16(%rdi), %rdi", [1]),
    "two tables": ("movslq (%rdi,%rax,4), %rax\n movslq (%rsi,%rax,4), %rax", [0, 1]),
    "through a conditional move": ("leaq (%rdi,%rax,4), %rcx\n cmpl %esi, (%rcx)\n cmovl %rcx, %rdi\n shrq %rax", [1]),
    "stream": ("movl (%rdi,%rax,4), %ecx\n addl %ecx, %edx\n addq $1, %rax", []),
    "gather": ("movslq (%rsi,%rax,4), %rcx\n addsd (%rdi,%rcx,8), %xmm0\n addq $1, %rax", []),
    "a register used again": ("movq (%rdi), %rax\n addq %rax, %rbx\n movq %rcx, %rdi\n addq $8, %rcx", []),
}


@pytest.mark.parametrize("name", X86)
def test_a_load_waits_for_itself_where_its_address_comes_from_it(name: str) -> None:
    text, expected = X86[name]
    (function,) = read_listing(f"f:\n {text}\n", "x86-64", "f.s")
    assert waiting_loads(function.blocks[0].instructions) == expected


def test_a_base_that_moves_on_does_not_wait_for_the_load() -> None:
    (function,) = read_listing("f:\n ldr x2, [x0], 8\n add x1, x1, x2\n", "aarch64", "f.s")
    assert waiting_loads(function.blocks[0].instructions) == []


CODE = """
struct node { long key, left, right; struct node *next; };

int hop(const int *next, int p, int n) {
  for (int i = 0; i < n; i++) p = next[p];
  return p;
}

long walk(const struct node *at, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += at->key;
    at = at->next;
  }
  return s;
}

long gathered(const int *table, const int *index, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) s += table[index[i]];
  return s;
}

void rows(double *out, const double *table, const int *index, int n) {
  for (int i = 0; i < n; i++) {
    double start = table[index[i]];
    for (int k = 0; k < 64; k++) out[k] += start * k;
  }
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chains") / "chains.c"
    path.write_text(CODE)
    return path


def seconds(source: Path, function: str, n: int) -> tuple[float, tuple[float, float]]:
    code = read_sources([source], SourceOptions(kernel=function))
    answer = foretell.predict(code, MACHINE, parameters={"n": n}, options={"cc": X86_GCC, "flags": "-O2"})
    return answer.time_s, answer.interval_s


def latency(level: str) -> float:
    quantity = MACHINE[f"{level}.latency"]
    return quantity.value if quantity.unit == "s" else quantity.value / MACHINE.value("clock.frequency")


@needs_x86_gcc
@pytest.mark.parametrize(("function", "bytes_each"), [("hop", 4), ("walk", 32)])
def test_a_chain_takes_the_latency_of_the_level_that_has_its_data(source: Path, function: str, bytes_each: int) -> None:
    """From about L1's latency for each step where all fits, to nearly that of memory where little does. L1's is part of
    those behind it: it does not come on top."""
    small, middle = 8192 // bytes_each, int(MACHINE.value("level.L2.size") / 2) // bytes_each
    assert seconds(source, function, small)[0] / small == pytest.approx(latency("level.L1"), rel=0.4)
    assert seconds(source, function, middle)[0] / middle == pytest.approx(latency("level.L2"), rel=0.1)
    large = int(20 * MACHINE.value("level.L3.size")) // bytes_each
    time, (low, high) = seconds(source, function, large)
    assert 0.85 * latency("memory") < time / large < 2 * latency("memory")
    assert low < 0.5 * time
    assert high / large > latency("memory")


@needs_x86_gcc
def test_addresses_that_are_known_ahead_do_not_wait(source: Path) -> None:
    large = int(20 * MACHINE.value("level.L3.size")) // 4
    assert seconds(source, "gathered", large)[0] < 0.5 * seconds(source, "hop", large)[0]


def test_loops_further_in_do_not_repeat_an_irregular_access(source: Path) -> None:
    """One line for each element that is looked up, though 64 iterations use it."""
    code = read_sources([source], SourceOptions(kernel="rows"))
    (nest,) = (one for one in code.facet(Loops).nests if len(one.loops) == 2)
    given = {"n": 100_000.0, "table_length": 1e8}
    moved = footprints(nest, given, 64.0).traffic(32768.0)["table"]
    assert moved == pytest.approx(64 * given["n"], rel=0.01)
