"""The engine of stack distances against a list that is searched: regular, random and mixed references, in pieces."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from foretell.frontends.trace.toolchain import _RUNTIME, runtime_sources, toolchain
from tests.support.frontends.traced import needs_compiler

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: reads pieces (which of two tables counts, length, references); prints what each table counted
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include "lru.hpp"
namespace foretell::trace { void fail(const char* message) { puts(message); exit(1); } }
using namespace foretell::trace;
int main() {
  std::uint64_t* tables[2] = {pages<std::uint64_t>(Distances::kSize), pages<std::uint64_t>(Distances::kSize)};
  Lru lru(6, nullptr);
  unsigned table, length;
  while (scanf("%u %u", &table, &length) == 2) {
    auto* piece = pages<std::uint64_t>(length + 1);
    for (unsigned at = 0; at < length; ++at) if (scanf("%lu", &piece[at]) != 1) return 1;
    lru.count_in(tables[table]);
    lru.touch(piece, piece + length);
  }
  lru.flush();
  for (int table = 0; table < 2; ++table)
    for (std::uint32_t at = 0; at <= Distances::kCold; ++at)
      if (tables[table][at]) printf("%d %ld %lu\n", table, at == Distances::kCold ? -1L : (long)at, tables[table][at]);
}
"""


def stencil(rng: random.Random) -> list[int]:
    """Iterations of a few strided references, lines of some shared, with rows that come again."""
    starts = [rng.randrange(1 << 20) * 8 for _ in range(rng.randrange(1, 20))]
    strides = [rng.choice((0, 8, 8, 8, 16, 40)) for _ in starts]
    width = rng.randrange(5, 200)
    return [
        start + stride * (row * rng.choice((0, width)) + at)
        for row in range(6)
        for at in range(width)
        for start, stride in zip(starts, strides, strict=True)
    ][:6000]


def gathered(rng: random.Random) -> list[int]:
    """Three streams, one of which is looked up anywhere."""
    lines = rng.choice((20, 300, 5000))
    made = [(at * 8, 1 << 24 | at * 4, 1 << 25 | rng.randrange(lines) * 64) for at in range(1500)]
    return [address for row in made for address in row]


def scattered(rng: random.Random) -> list[int]:
    """No order at all, over few or many lines."""
    lines = rng.choice((3, 17, 40, 2000))
    return [rng.randrange(lines) * 64 + rng.randrange(64) for _ in range(4000)]


def swept(rng: random.Random) -> list[int]:
    """More lines than positions of the first map, again and again: it is moved together and grows."""
    return [at % 4500 * 64 for at in range(12000)] + [rng.randrange(5000) * 64 for _ in range(2000)]


def slow(pieces: list[tuple[int, list[int]]]) -> Counter[tuple[int, int]]:
    """Distances by definition: how many other lines were used since."""
    stack: list[int] = []
    found: Counter[tuple[int, int]] = Counter()
    for table, addresses in pieces:
        for line in (address >> 6 for address in addresses):
            try:
                distance = stack.index(line)
                del stack[distance]
            except ValueError:
                distance = -1
            found[table, distance] += 1
            stack.insert(0, line)
    return found


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine alone, for this processor."""
    folder = tmp_path_factory.mktemp("engine")
    source, compiled, program = folder / "driver.cpp", folder / "driver.o", folder / "driver"
    source.write_text(DRIVER)
    tools = toolchain(folder)
    flags = [*_RUNTIME, f"-I{runtime_sources()[0].parent}"]
    subprocess.run([*tools.cxx, *flags, "-c", str(source), "-o", str(compiled)], check=True)
    # as the runtime, it needs no library of C++
    subprocess.run([*tools.linkers(cxx=False)[0], str(compiled), "-o", str(program)], check=True)
    return program


@needs_compiler
@pytest.mark.parametrize("shape", [stencil, gathered, scattered, swept])
def test_distances_are_those_of_a_list(engine: Path, shape: Callable[[random.Random], list[int]]) -> None:
    for seed in range(1 if shape is swept else 8):
        rng = random.Random(seed)
        addresses = shape(rng)
        cuts = sorted(rng.choices(range(len(addresses)), k=rng.choice((0, 3, 60))))
        pieces = [(rng.randrange(2), addresses[first:last]) for first, last in pairwise([0, *cuts, len(addresses)])]
        given = "\n".join(f"{table} {len(piece)} {' '.join(map(str, piece))}" for table, piece in pieces)
        done = subprocess.run([str(engine)], input=given, capture_output=True, text=True, check=True)
        rows = (tuple(map(int, line.split())) for line in done.stdout.splitlines())
        assert {(table, distance): count for table, distance, count in rows} == slow(pieces), seed
