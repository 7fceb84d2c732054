"""Explorations of GPUs that do not exist: each point is an emulation, the kernel is executed once."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu import block_sampling, ordinary_numbers
from foretell.uses import explore as use
from foretell.uses.explore import engine, store

if TYPE_CHECKING:
    from foretell.uses.explore.study import Study

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "predict-a-gpu-kernel.md"
ARGUMENTS = ("f32[1048576]", "f32[1048576]", "1048576")
SPACE = """machine = "h200"
[[application]]
code = "copy.sass"
launch = { grid = 4096, block = 256, args = ["f32[1048576]", "f32[1048576]", 1048576] }
[names]
sms = "cores.count"
reading = { path = "memory.read_bandwidth", unit = "GB/s" }
copying = { path = "memory.copy_bandwidth", unit = "GB/s" }
[axes]
sms = [66, 132, 264]
"clock.frequency" = ["1.4 GHz", "1.98 GHz"]
"level.L2.size" = { times = [0.1, 1] }
reading = [1000, 4000, 8000]
[follow]
copying = "0.9*reading"
"""


@pytest.fixture
def space(tmp_path: Path) -> Path:
    listing = re.search(r"```text file=copy.sass\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert listing is not None
    (tmp_path / "copy.sass").write_text(listing[1])
    path = tmp_path / "gpus.toml"
    path.write_text(SPACE)
    return path


def changed(space: Path, old: str, new: str) -> Path:
    assert old in SPACE
    space.write_text(SPACE.replace(old, new))
    return space


def study_of(space: Path) -> Study:
    return use.prepare_study(use.read_space(space))


def test_points_are_predictions_and_the_kernel_runs_once(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executions: list[object] = []
    original = ordinary_numbers.executed
    monkeypatch.setattr(ordinary_numbers, "executed", lambda *asked: executions.append(asked) or original(*asked))
    block_sampling.sampled.cache_clear()
    answer = foretell.explore(space)
    assert answer.points == 36
    assert len(executions) == 1
    launch = parse_launch(None, "4096", "256", ARGUMENTS)
    workload = read_workload(space.parent / "copy.sass", launch)
    fastest = answer.best[0].design
    values = fastest.parameters
    copying = 0.9 * values["memory.read_bandwidth"]
    machine = load("h200").with_values({**values, "memory.copy_bandwidth": copying})
    assert answer.best[0].time_s == foretell.predict(workload, machine).time_s


def test_blocks_are_small_and_a_killed_run_goes_on(space: Path, tmp_path: Path) -> None:
    study = study_of(space)
    assert study.emulated
    assert (study.block_size, study.blocks) == (16, 3)
    whole = use.run(study, use.read_space(space), use.Job())
    journal = tmp_path / "run.journal"
    header = store.Header(study.key, study.blocks, {})
    with store.Journal(journal, header, fresh=True) as kept:
        first = next(engine.compute(study, [0], engine.serial()))
        kept.append(*first)
    again = use.run(study, use.read_space(space), use.Job(journal=journal))
    assert replace(again, assumptions=()) == replace(whole, assumptions=())


def test_a_space_beyond_the_budget_is_refused_before_anything_runs(space: Path) -> None:
    changed(space, "sms = [66, 132, 264]", 'sms = "1:264:1"')
    with pytest.raises(
        InputError, match=r"3168 points are asked for; each is emulated, and the budget is 2000"
    ) as caught:
        study_of(space)
    assert "budget = 3168" in str(caught.value.hint)
    space.write_text("budget = 3168\n" + space.read_text())
    assert study_of(space).space.size == 3168
    changed(space, 'machine = "h200"', 'machine = "h200"\nbudget = 10')
    with pytest.raises(InputError, match="the budget is 10"):
        study_of(space)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('code = "copy.sass"', 'code = "example:vector-add"', "a launch is for GPU machine code"),
        ("grid = 4096", "grid = 0", "grid"),
        ("grid = 4096", "gird = 4096", r"unknown key.*grid"),
        ('launch = { grid = 4096, block = 256, args = ["f32[1048576]", "f32[1048576]", 1048576] }', "launch = 3",
         r"must be \[\[launch\]\] tables"),
        ('copying = "0.9*reading"', '"memory.copy_bandwidth" = "0.9*reading"', "an expression has no unit"),
        ('machine = "h200"', 'machine = "h200"\nbudget = 0', "budget"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused_with_their_line(space: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        study_of(changed(space, old, new))
    assert caught.value.file is not None


def test_area_of_a_gpu_needs_numbers(space: Path) -> None:
    space.write_text(SPACE + '[objectives]\nminimise = ["time", "area"]\n')
    with pytest.raises(InputError, match=r"'core_mm2' in .* has no first number for a machine of kind gpu") as found:
        use.prepare_study(space)
    assert "[coefficients] core_mm2 = …" in str(found.value.hint)
    space.write_text(space.read_text() + "[coefficients]\ncore_mm2 = 4\n")
    assert use.prepare_study(space).objectives == ("time", "area")


def test_what_is_wrong_with_a_launch_is_told_where_no_gpu_can_run_it(space: Path) -> None:
    changed(space, '"f32[1048576]", 1048576]', '"f32[1048576]"]')
    with pytest.raises(InputError, match="no design can run: 36 of 36") as found:
        use.explore(space)
    assert "3 parameters, 2 arguments are given" in str(found.value.hint)
