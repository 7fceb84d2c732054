"""What other loops touch before a loop meets its data again, against a simulated LRU cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.model import CpuModel
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.program import program
from foretell.models.cpu.transfers.other_nests import Other
from foretell.models.cpu.transfers.tlb import translations
from foretell.models.cpu.transfers.volumes import level_volumes
from tests.support.caches.lru import misses
from tests.support.caches.nests import of_c

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

N, ROUNDS, LINE = 1024, 6, 64
HEAD = "void f(long n, long t, double a[n], double b[n], double c[n]) {\n"
LOOP = "for (long i = 0; i < n; i++) {0}[i] = 0.5 * {0}[i];\n"


def sweeps(loops: str) -> str:
    """Loops in order, each over some arrays, all in a loop over time."""
    inner = "".join(
        f"for (long i = 0; i < n; i++) {{ {' '.join(f'{name}[i] = 0.5 * {name}[i];' for name in names)} }}\n"
        for names in loops.split()
    )
    return f"{HEAD}for (long s = 0; s < t; s++) {{\n{inner}}} }}"


def lines(loops: str) -> Iterator[int]:
    for _ in range(ROUNDS):
        for names in loops.split():
            for i in range(N):
                yield from (("abc".index(name) * N + i) * 8 // LINE for name in names)


def read(text: str, capacity: float, caches: str = "cold") -> float:
    """Bytes that come into a first level of this capacity, by the model."""
    machine = load("ivy-bridge").with_values({"level.L1.size": capacity})
    settings = CpuModel().settings("default", {"caches": caches})
    total = 0.0
    runs = program(of_c(text), {"n": float(N), "t": float(ROUNDS)}).runs
    for place, run in enumerate(runs):
        others = [Other(one.nest, True) for one in (*runs[place + 1 :], *runs[:place])]
        given = Inputs(machine, {}), settings, run.values, Split(None, 1.0), run.ahead, others
        total += float(level_volumes(run.nest, *given).reads["L2"])
    return total


@pytest.mark.parametrize("loops", ["a", "a b", "a a", "a b c", "a a b", "a b a", "a b a b", "ac bc", "a bc b"])
@pytest.mark.parametrize("arrays", [0.5, 1.25, 2.25, 3.25])
def test_sweeps_in_a_loop_over_time(loops: str, arrays: float) -> None:
    """A cache that holds so many arrays keeps what comes again before so much else is touched; of a loop that goes
    through more arrays than the one before, a part is met before the rest comes."""
    capacity = arrays * N * 8
    expected = misses(lines(loops), int(capacity // LINE)) * LINE
    assert read(sweeps(loops), capacity) == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize(("arrays", "kept"), [(1.25, False), (2.25, True)])
def test_calls_one_after_the_other(arrays: float, kept: bool) -> None:
    """Loops behind each other: at the next call, the cache has what the last ones touched."""
    text = f"{HEAD}{LOOP.format('a')}{LOOP.format('b')}}}"
    assert read(text, arrays * N * 8, "warm") == pytest.approx(0.0 if kept else 2 * N * 8, rel=0.02)
    assert read(f"{HEAD}{LOOP.format('a')}}}", 1.25 * N * 8, "warm") == 0


def test_what_runs_instead_of_a_loop_takes_no_cache(tmp_path: Path) -> None:
    file = tmp_path / "either.c"
    head = HEAD.replace("long t", "double t")
    file.write_text(f"{head}if (t > 0.5)\n{LOOP.format('a')}else\n{LOOP.format('b')}}}")
    times = [
        foretell.predict(
            file, "ivy-bridge", function="f", parameters={"n": 3000}, options={"cc": "none"}, branch={"2": share}
        ).time_s
        for share in ("0.5", "1")
    ]
    assert times[0] == pytest.approx(times[1], rel=1e-9)


def test_pages_of_several_loops_share_the_tlb() -> None:
    """Columns of two matrices, each of as many pages as the TLB has entries for."""
    head = "void f(long n, double a[n][512], double b[n][512]) {\nfor (long j = 0; j < 512; j++) {\n"
    loops = "".join(f"for (long i = 0; i < n; i++) {name}[i][j] = 0.5 * {name}[i][j];\n" for name in "ab")
    machine, settings = load("emerald-rapids"), CpuModel().settings("default", {})
    inputs, times = Inputs(machine, {}), []
    run, other = program(of_c(f"{head}{loops}}} }}"), {"n": 0.7 * machine.value("tlb.entries")}).runs
    for others in ((), (Other(other.nest, True),)):
        moved = level_volumes(run.nest, inputs, settings, run.values, Split(None, 1.0), (), others)
        times.append(translations(run.nest, inputs, run.values, Split(None, 1.0), moved, others=others))
    assert times[0] is not None
    assert times[1] is not None
    assert times[1] > 3 * times[0] > 0
