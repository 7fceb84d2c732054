"""Searches in spaces that are too large to look at all: against all points of a small one, and by chance."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.errors import InputError
from foretell.uses import explore as use
from foretell.uses.explore import evaluate, evolve
from foretell.uses.explore.specification import SearchSpec
from tests.support.explore import write

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.exploration import Exploration

SPACE = """machine = "blue-gene-q"
[[application]]
code = "example:nekbone-like"
[names]
cores = "cores.count"
llc = { path = "level.LLC.size", unit = "MiB" }
bw = { path = "memory.bandwidth", unit = "GB/s" }
[axes]
cores = "8:64:1"
llc = "4:64:1"
bw = "10:100:10"
threads_per_core = [1, 2, 4]
[search]
evaluations = 1500
[objectives]
minimise = ["time", "area"]
constraints = ["cores + llc <= 100"]
"""
SEARCH = "[search]\nevaluations = 1500\n"


def volume(answer: Exploration, worst: tuple[float, float]) -> float:
    """The area that the front dominates, up to the worst point."""
    total, last = 0.0, worst[1]
    for design in sorted(answer.front, key=lambda one: one.objectives["time"]):
        time, area = design.objectives["time"], design.objectives["area"]
        total += max(0.0, worst[0] - time) * max(0.0, last - area)
        last = min(last, area)
    return total


def test_a_search_comes_close_to_the_whole_front(tmp_path: Path) -> None:
    """1,500 of 104,310 designs; the front of all of them by enumeration."""
    found = foretell.explore(write(tmp_path, SPACE))
    whole = foretell.explore(write(tmp_path, SPACE.replace(SEARCH, "")))
    assert found.points == 1500
    assert f"of {whole.points} designs" in found.notes[0]
    assert volume(found, (5.0, 1500.0)) >= 0.98 * volume(whole, (5.0, 1500.0))
    assert volume(found, (5.0, 1500.0)) <= volume(whole, (5.0, 1500.0))


def test_the_same_seed_gives_the_same_answer(tmp_path: Path) -> None:
    first, again = (foretell.explore(write(tmp_path, SPACE)) for _ in range(2))
    assert first == again
    other = foretell.explore(write(tmp_path, SPACE.replace("= 1500", "= 1500\nseed = 1")))
    assert other.front != first.front


def test_a_space_of_a_billion_is_no_trouble(tmp_path: Path) -> None:
    """And no design of 3,000 that were searched is beaten by any of 3,000 at random. The time changes with every one of
    the 100,000 bandwidths, if little."""
    large = SPACE.replace('bw = "10:100:10"', "bw = { from = 10, to = 400, count = 100000 }").replace("1500", "3000")
    path = write(tmp_path, large)
    study = use.prepare_study(path)
    assert study.space.size > 10**9
    answer = foretell.explore(path)
    numbers = np.random.default_rng(3).integers(0, study.space.size, 3000)
    others = evaluate.evaluate_numbers(study, sorted(set(numbers.tolist()))).points
    for design in answer.front:
        own = [design.objectives[name] for name in study.objectives]
        better = [column < value * 0.99 for column, value in zip(others.objectives, own, strict=True)]
        assert not np.logical_and.reduce(better).any()


def test_a_small_space_is_seen_whole(tmp_path: Path) -> None:
    small = SPACE.replace('"8:64:1"', "[16, 32]").replace('"4:64:1"', "[16]").replace('"10:100:10"', "[28]")
    found = foretell.explore(write(tmp_path, small))
    whole = foretell.explore(write(tmp_path, small.replace(SEARCH, "")))
    assert found.points == whole.points == 6
    assert found.front == whole.front


def test_numbers_are_those_of_the_space(tmp_path: Path) -> None:
    study = use.prepare_study(write(tmp_path, SPACE))
    sizes = np.array([57, 61, 10, 3])
    numbers = np.array([0, 1, 12345, study.space.size - 1])
    genomes = numbers[:, None] // evolve._strides(sizes) % sizes
    assert (genomes @ evolve._strides(sizes)).tolist() == numbers.tolist()
    axes = study.space.axes
    for number, genome in zip(numbers.tolist(), genomes.tolist(), strict=True):
        expected = [axis.values[place] for axis, place in zip(axes, genome, strict=True)]  # type: ignore[union-attr]
        assert list(study.space.point(number).values()) == expected


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("evaluations = 1500", "evaluations = 1", "whole number"),
        ("evaluations = 1500", "evolutions = 3", "unknown|not a key|evaluations"),
        ("evaluations = 1500", "", "evaluations: is missing"),
        ("[search]", "[sample]\npoints = 3\n[search]", r"leave \[sample\] out"),
        ('"4:64:1"', "{ from = 4, to = 64 }", "sample"),
    ],
)
def test_wrong_searches_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        foretell.explore(write(tmp_path, SPACE.replace(old, new)))


def test_a_search_has_no_file_of_all_points(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a file of all points"):
        foretell.explore(write(tmp_path, SPACE), job=use.Job(points=tmp_path / "all.csv"))


# -------------------------------------------------------------------------------------- journal and shards


def test_a_stopped_search_continues_where_it_was(tmp_path: Path) -> None:
    path, journal = write(tmp_path, SPACE), tmp_path / "run.journal"
    expected = foretell.explore(path)

    def stop(done: int, _: int) -> None:
        if done >= 900:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        foretell.explore(path, job=use.Job(journal=journal, progress=stop))
    kept = journal.read_bytes()
    journal.write_bytes(kept[:-7])  # as a kill tears the last line
    whole = kept[:-7].rpartition(b"\n")[0] + b"\n"
    assert foretell.explore(path, job=use.Job(journal=journal)) == expected
    done = journal.read_bytes()
    assert done.startswith(whole)  # what is looked at again would stand there again
    assert done.count(b"generation") == len(set(done.splitlines())) - 2
    assert foretell.explore(path, job=use.Job(journal=journal)) == expected
    assert journal.read_bytes() == done


def test_kill_9_loses_no_generation(tmp_path: Path) -> None:
    path = write(tmp_path, SPACE.replace("= 1500", "= 12000"))
    journal = tmp_path / "run.journal"
    command = [sys.executable, "-m", "foretell", "explore", path, "--journal", journal]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 9):
        time.sleep(0.01)
    process.kill()
    process.wait()
    finished = journal.read_bytes().count(b"\n") - 1
    assert finished >= 9
    study = use.prepare_study(path)
    with use.store.Journal(journal, use.store.Header(study.key, 1)) as again:
        assert len(list(again.generations(study))) == finished
        assert not again.done
    steps: list[int] = []
    job = use.Job(journal=journal, progress=lambda done, _: steps.append(done))
    assert foretell.explore(path, job=job) == foretell.explore(path)
    assert steps[-1] == 12000


def test_parts_of_a_search_are_searches_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, SPACE)
    journals = [tmp_path / f"{part}.journal" for part in (1, 2, 3)]
    for part, journal in enumerate(journals, 1):
        found = foretell.explore(path, job=use.Job(journal=journal, shard=(part, 3)))
        assert found.points == 500
    file = use.read_space(path)
    study = use.prepare_study(file)
    answer = use.merge(study, file, journals)
    assert answer.points == 1500
    assert "searched: 1500" in answer.notes[0]
    whole = foretell.explore(write(tmp_path, SPACE.replace(SEARCH, "")))
    assert volume(answer, (5.0, 1500.0)) >= 0.97 * volume(whole, (5.0, 1500.0))
    with pytest.raises(InputError, match=r"1 of 3 blocks .* number 1"):
        use.merge(study, file, [journals[0], journals[2]])
    with pytest.raises(InputError, match="another exploration"):
        foretell.explore(path, job=use.Job(journal=journals[0]))
    with pytest.raises(InputError, match="write i/n"):
        foretell.explore(path, job=use.Job(shard=(4, 3)))


def test_a_record_of_other_designs_is_refused(tmp_path: Path) -> None:
    study = use.prepare_study(write(tmp_path, SPACE))
    kept: list[evolve.Generation] = []
    spec = SearchSpec(200, 64, 0)
    evolve.search(study, spec, keep=kept.append)
    assert len(kept) >= 3
    with pytest.raises(InputError, match="not those of this search"):
        evolve.search(study, SearchSpec(200, 64, 1), known=kept)


def test_a_search_finds_the_few_designs_that_keep_a_constraint(tmp_path: Path) -> None:
    """Fifteen of 3,477 pairs of cores and cache: as many designs by chance as are looked at would hardly meet one."""
    few = SPACE.replace("evaluations = 1500", "evaluations = 60").replace("cores + llc <= 100", "cores + llc <= 16")
    found = foretell.explore(write(tmp_path, few))
    assert found.points == 60
    assert found.front
    for design in found.front:
        assert design.parameters["cores.count"] + design.parameters["level.LLC.size"] / 2**20 <= 16
    with pytest.raises(InputError, match="exclude all 60 designs that were looked at"):
        foretell.explore(write(tmp_path, few.replace("cores + llc <= 16", "time < 0")))
