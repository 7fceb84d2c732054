"""Which times of a thread-scaling series count (`validation/thread-scaling/series.py`): invented series with one
disturbance each."""

from __future__ import annotations

import json
import lzma
import runpy
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import foretell
from foretell.core.machine.machine import Quantity, Source
from foretell.machines import load

FOLDER = Path(__file__).parents[4] / "validation" / "thread-scaling"
SERIES = runpy.run_path(str(FOLDER / "series.py"))
CHAIN, WIDE = 16_000, 12_000
NUMBERS = {"cores.count": 2.0, "cores.hidden_smt": 2.0, "clock.frequency": 3e9, "clock.all_cores": 2.7e9}
MACHINE = load("sapphire-rapids")
TOLD = {path: Quantity(value, "", Source("assumed", "test")) for path, value in NUMBERS.items()}
DESCRIBED = replace(MACHINE, quantities={**MACHINE.quantities, **TOLD})


def visit(threads: int, times: list[float], looks: dict[int, str] | None = None, triad: float = 1.0) -> list[str]:
    """A visit of one block; `looks` replaces some of those before, between and after its times."""
    usual = f"look 0 {CHAIN}: {WIDE}" if threads == 1 else f"look 0 {CHAIN * 1.1}: {WIDE * 1.1} {WIDE * 2.1}"
    lines = [f"visit {threads} 0", f"memory {triad}", (looks or {}).get(0, usual)]
    for number, seconds in enumerate(times, 1):
        lines += [f"run block {seconds}", (looks or {}).get(number, usual)]
    return [*lines, f"memory {triad}"]


def read(tmp_path: Path, *visits: list[str], form: str = SERIES["FORMAT"]) -> Any:
    path = tmp_path / "series.txt"
    lines = ["pair 0 1 12000 25000", *(line for one in visits for line in one)]
    path.write_text(json.dumps({"format": form}) + "\n" + "\n".join(lines) + "\n")
    return SERIES["read"](path)


def kept(tmp_path: Path, *visits: list[str]) -> dict[int, list[float]]:
    quiet = [visit(1, [9.0])] * 20 + [visit(2, [9.0])] * 20
    found = SERIES["kept"]([read(tmp_path, *quiet, *visits)], DESCRIBED)["block"]
    return {threads: [t for t in times if t != 9.0] for threads, times in found.items()}


@pytest.mark.parametrize(
    ("look", "counts"),
    [
        (f"look 0 {CHAIN * 1.1}: {WIDE * 1.2}", True),  # a lower clock
        (f"look 0 {CHAIN * 1.25}: {WIDE * 1.2}", False),  # the CPU was taken away
        (f"look 0 {CHAIN}: {WIDE * 1.3}", False),  # somebody on the core
        (f"look 1 {CHAIN}: {WIDE}", False),  # the system took the CPU
    ],
)
def test_one_thread_is_alone_before_and_after(tmp_path: Path, look: str, counts: bool) -> None:
    assert kept(tmp_path, visit(1, [1.0, 2.0], {2: look}))[1] == ([1.0, 2.0] if counts else [1.0])
    assert kept(tmp_path, visit(1, [1.0, 2.0], {1: look}))[1] == ([1.0, 2.0] if counts else [])


@pytest.mark.parametrize(
    ("look", "counts"),
    [
        (f"look 0 {CHAIN * 1.1}: {WIDE * 1.9} {WIDE}", True),  # the other one is shared
        (f"look 0 {CHAIN * 1.1}: {WIDE * 1.1} {WIDE * 1.2}", False),  # nobody is: not the machine of the file
        (f"look 0 {CHAIN * 1.3}: {WIDE} {WIDE * 2.6}", True),  # slower than one thread, as the file says
        (f"look 0 {CHAIN * 1.4}: {WIDE} {WIDE * 2.8}", False),
    ],
)
def test_all_threads_share_cores_as_described(tmp_path: Path, look: str, counts: bool) -> None:
    assert kept(tmp_path, visit(2, [1.0], {1: look}))[2] == ([1.0] if counts else [])


def test_visits_with_slow_memory_do_not_count(tmp_path: Path) -> None:
    found = kept(tmp_path, visit(1, [1.0], triad=1.2), visit(1, [2.0], triad=1.3), visit(2, [3.0], triad=1.3))
    assert found == {1: [1.0], 2: []}


def test_siblings_are_pairs_that_share_a_core_every_time(tmp_path: Path) -> None:
    quiet = visit(1, [1.0])
    pairs = ["pair 2 3 25000 25000", "pair 2 4 25000 25000", "pair 2 4 12000 12100", "pair 2 3 24000 12000"]
    assert SERIES["siblings"]([read(tmp_path, quiet, pairs)]) == [(0, 1), (2, 3)]


def test_a_compressed_series_is_the_same(tmp_path: Path) -> None:
    plain = read(tmp_path, visit(1, [1.0, 2.0]))
    packed = tmp_path / "series.txt.xz"
    packed.write_bytes(lzma.compress((tmp_path / "series.txt").read_bytes()))
    assert asdict(SERIES["read"](packed)) == asdict(plain)


def test_a_run_is_reduced_to_its_medians(tmp_path: Path) -> None:
    """What is written of a run is what is read of it, without its series."""
    read(tmp_path, *[visit(1, [9.0, 9.0])] * 20, *[visit(2, [8.0])] * 20, visit(1, [1.0, 2.0]))
    series, times, machine = (tmp_path / name for name in ("series.txt", "times.json", "machine.toml"))
    shutil.copy(Path(foretell.machines.__file__).parent / "data" / "cpu" / "neoverse-n1.toml", machine)
    SERIES["main"](machine, times, [series])
    first, second = (SERIES["read_run"]([path], load(machine)) for path in (series, times))
    assert asdict(first)["times"] == asdict(second)["times"]
    assert first.times["block"][1] == SERIES["Time"](9.0, 42)
    assert second.series[0]["format"] == SERIES["FORMAT"]
    times.write_text(times.read_text().replace("thread times 1", "thread times 0"))
    with pytest.raises(ValueError, match="thread times 1"):
        SERIES["read_run"]([times], load(machine))


def test_a_series_of_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="thread scaling 2"):
        read(tmp_path, visit(1, [1.0]), form="foretell thread scaling 2")
