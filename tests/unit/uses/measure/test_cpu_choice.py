"""Measurements go where nobody else is."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell.uses.measure import cpu_choice

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no CPU can be chosen here")


def test_the_least_crowded_are_chosen_and_equals_in_turn() -> None:
    company = {0: 1.8, 4: 1.0, 5: 1.05, 7: 1.5, 9: 1.02}.__getitem__
    cpus = [0, 4, 5, 7, 9]
    assert cpu_choice.freest(cpus, 1, 0, company) == [4]
    assert cpu_choice.freest(cpus, 1, 2, company) == [5]
    assert cpu_choice.freest(cpus, 1, 3, company) == [9]  # 7 has a neighbour
    assert cpu_choice.freest(cpus, 2, 8, company) == [9, 4]
    assert set(cpu_choice.freest(cpus, 4, 1, company)) == {4, 5, 7, 9}


def test_one_cpu_of_every_core(tmp_path: Path) -> None:
    for cpu, siblings in {0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}.items():
        folder = tmp_path / f"cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    assert cpu_choice.one_of_each_core([0, 1, 2, 3], tmp_path) == [0, 1]
    assert cpu_choice.one_of_each_core([1, 2, 3], tmp_path) == [1, 2]
    assert cpu_choice.one_of_each_core([7, 8], tmp_path) == [7, 8]  # the system does not say


def test_a_program_runs_on_the_chosen_cpus_and_all_are_allowed_again() -> None:
    before = os.sched_getaffinity(0)
    count = "import os; print(len(os.sched_getaffinity(0)))"
    with cpu_choice.on_free_cpus(1, 0):
        said = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True).stdout
    assert int(said) == 1
    assert os.sched_getaffinity(0) == before
    with pytest.raises(KeyError), cpu_choice.on_free_cpus(1, 0):
        raise KeyError
    assert os.sched_getaffinity(0) == before
    with cpu_choice.on_free_cpus(len(before), 0):
        assert os.sched_getaffinity(0) == before


def test_chosen_cpus_are_taken_one_by_each_worker() -> None:
    chosen = sorted(os.sched_getaffinity(0))[-2:]
    taken: list[tuple[int, int | None]] = []
    done = list(cpu_choice.at_once(range(12), 2, lambda item, cpu: taken.append((item, cpu)), chosen))
    assert sorted(done) == list(range(12))
    assert {cpu for _, cpu in taken} <= set(chosen)
