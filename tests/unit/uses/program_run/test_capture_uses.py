"""Captures in `check` and `tune`, and as the launches of code of another version."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell import frontends, machines
from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.core.gpu.warps import Warps
from foretell.errors import InputError, OptionError
from foretell.frontends.gpu.capture import read_launches
from foretell.serve.pool.answering import Answers
from foretell.serve.pool.codes import Codes
from foretell.uses.check.items import Item
from foretell.uses.check.predicting import Task, outcomes
from foretell.uses.program_run import modules
from foretell.uses.program_run.recording import Recorder
from tests.support.cli import run
from tests.unit.uses.program_run.test_program_run import LISTING, FakeModule

if TYPE_CHECKING:
    from pathlib import Path

N = 1 << 16


@pytest.fixture(autouse=True)
def made_up_modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(modules, "Module", FakeModule)
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))


def launch(count: int, grid: int) -> Launch:
    """A launch of the triad over so many elements."""
    arrays = tuple(DeviceArray(0x7000_0000 + place * 4 * N, 4 * N, f"a{place}") for place in range(3))
    pointers = np.array([item.address for item in arrays], np.uint64).tobytes()
    passed = PassedArguments(
        pointers + np.array([2.0], np.float32).tobytes() + count.to_bytes(4, "little"),
        arrays,
        ((2, b"compiler"), (3, b"constant")),
    )
    return Launch("_Z5triadPf", (grid, 1, 1), (256, 1, 1), passed=passed)


def capture(path: Path, *launches: Launch, times: int = 1) -> Path:
    recorder = Recorder("all", 1 << 24)
    for item in launches:
        for _ in range(times):
            recorder.add(b"\x7fELF", item)
    recorder.write(path)
    return path


def renamed(path: Path) -> Path:
    """A capture of launches of the listing's kernel."""
    recorder = Recorder("all", 1 << 24)
    for count, grid in ((N // 2, 128), (N, 256)):
        item = launch(count, grid)
        recorder.add(b"\x7fELF", Launch("triad_f32", item.grid, item.block, passed=item.passed))
    recorder.write(path)
    return path


def test_launches_for_other_code_have_most_work_first(tmp_path: Path) -> None:
    first, second = read_launches(capture(tmp_path / "a.capture", launch(N // 2, 128), launch(N, 256)))
    assert (first.name, first.grid[0], second.name, second.grid[0]) == ("triad", 256, "triad #2", 128)
    assert first.passed is not None
    assert first.passed.banks == ((3, b"constant"),)  # the others belong to the code
    assert repr(first.passed) != repr(second.passed)


def test_code_takes_its_launches_from_a_capture(tmp_path: Path) -> None:
    path = renamed(tmp_path / "a.capture")
    large, small = frontends.Reader(LISTING, frontends.read_options(launch=path)).workloads()
    assert (large.name, small.name) == ("triad_f32", "triad_f32 #2")
    assert large.input_hash != small.input_hash
    shaped = frontends.Reader(LISTING, frontends.read_options(launch=path, grid=512, block=128)).workload()
    facet = shaped.facet(Warps)
    assert (facet.launch.grid[0], facet.launch.block[0]) == (512, 128)
    said = run("predict", str(LISTING), "--launch", str(path), "--on", "h200", "--format", "json")
    times = [entry["time_s"] for entry in json.loads(said.out)["predictions"]]
    assert times[0] > times[1]


@pytest.mark.parametrize(
    ("options", "error"),
    [({"args": ["1"]}, OptionError), ({"kernel": "other"}, InputError), ({"start": "after x"}, OptionError)],
)
def test_wrong_launches_of_a_capture(tmp_path: Path, options: dict[str, str], error: type[Exception]) -> None:
    path = renamed(tmp_path / "a.capture")
    with pytest.raises(error):
        frontends.Reader(LISTING, frontends.read_options(launch=path, **options))  # type: ignore[typeddict-item]
    with pytest.raises(InputError):
        frontends.Reader(LISTING, frontends.read_options(launch=tmp_path / "absent.capture"))


def test_a_kernel_is_tuned_with_the_arguments_of_a_capture(tmp_path: Path) -> None:
    path, axes = renamed(tmp_path / "a.capture"), ("--axis", "bx=64,256", "--grid", f"{N}/bx", "--block", "bx")
    words = ("tune", str(LISTING), "--on", "h200", *axes, "--workers", "1", "--format", "json")
    said = run(*words, "--launch", str(path))
    assert said.code == 0, said.err
    variants = json.loads(said.out)["variants"]
    assert len(variants) == 2
    again = run(*words, *(word for text in (f"f32[{N}]",) * 3 + ("2", str(N)) for word in ("--arg", text)))
    # memory of the capture is unknown, as that of the arguments: the same times
    best = [min(entry["predicted_s"] for entry in json.loads(item.out)["variants"]) for item in (said, again)]
    assert best[0] == pytest.approx(best[1], rel=0.02)
    assert run(*words, "--launch", str(path), "--arg", "1").code == 2
    assert run(*words, "--launch", "launches.toml").code == 2


def test_two_captures_are_compared(tmp_path: Path) -> None:
    small = capture(tmp_path / "small.capture", launch(N // 2, 128), times=4)
    large = capture(tmp_path / "large.capture", launch(N, 256), times=9)
    files = ("--base", str(small), "--head", str(large))
    slower = run("check", *files, "--on", "h200", "--limit", "10%", "--format", "json", "--jobs", "0")
    assert slower.code == 4, slower.err
    (change,) = json.loads(slower.out)["changes"]
    assert change["verdict"] == "slower"
    assert change["growth"] > 1
    assert any(reason["what"] == "launches of triad" for reason in change["reasons"])
    same = run("check", "--base", str(small), "--head", str(small), "--on", "h200", "--jobs", "0", "--format", "json")
    assert same.code == 0, same.err
    assert json.loads(same.out)["changes"][0]["verdict"] == "no difference"


def outcome(folder: Path, item: Item, on: str = "h200") -> dict[str, object]:
    (made,) = outcomes(Task(str(folder), item, ((on, on),), ("",)))
    return made


def test_a_table_names_a_capture_or_one_of_its_kernels(tmp_path: Path) -> None:
    capture(tmp_path / "a.capture", launch(N, 256), times=3)
    values = {"file": "a.capture"}
    whole = outcome(tmp_path, Item("app", ("a.capture",), "", values))
    single = outcome(tmp_path, Item("app", ("a.capture",), "triad", values))
    assert whole["time_s"] == single["time_s"]
    assert "no launch of 'other'" in str(outcome(tmp_path, Item("app", ("a.capture",), "other", values))["error"])
    assert "grid: a capture has" in str(outcome(tmp_path, Item("app", ("a.capture",), "", {**values, "grid": 4})))
    assert "no machine can run" in str(outcome(tmp_path, Item("app", ("a.capture",), "", values), "zen4")["error"])


def test_a_table_takes_its_launch_from_a_capture(tmp_path: Path) -> None:
    renamed(tmp_path / "a.capture")
    (tmp_path / "k.sass.xz").write_bytes(LISTING.read_bytes())
    values = {"file": "k.sass.xz", "launch": "a.capture", "kernel": "triad_f32"}
    made = outcome(tmp_path, Item("k", ("k.sass.xz",), "triad_f32", values))
    reader = frontends.Reader(LISTING, frontends.read_options(launch=tmp_path / "a.capture"))
    from foretell import api

    most_work = api.prepare(reader.workloads()[0], machines.load("h200")).predict()
    assert made["time_s"] == pytest.approx(most_work.time_s, rel=1e-9)


def test_a_server_answers_for_uploaded_captures(tmp_path: Path) -> None:
    answers = Answers(Codes(tmp_path / "codes"))

    def uploaded(count: int, grid: int) -> dict[str, str]:
        path = capture(tmp_path / "a.capture", launch(count, grid), times=4)
        return {"name": "app.capture", "base64": base64.b64encode(path.read_bytes()).decode()}

    small, large = uploaded(N // 2, 128), uploaded(N, 256)

    def ask(name: str, **question: object) -> dict[str, Any]:
        return answers.answer(name, {"code": large, **question}, lambda _: None)

    predicted = ask("predict", on="h200")
    assert predicted["command"] == ["app.capture"]
    assert predicted["devices"][0]["kernels"][0]["launches"] == 4
    assert "changes" in ask("why", on="h200")["devices"][0]
    ranked = ask("rank")
    assert len(ranked["devices"]) > 2
    assert not any(entry["name"] == "zen4" for entry in ranked["refused"])
    (change,) = ask("check", on="h200", base=small)["changes"]
    assert change["verdict"] == "slower"
    with pytest.raises(InputError, match="is no capture"):
        answers.answer("predict", {"code": {"name": "a.capture", "text": "x" * 99}, "on": "h200"}, lambda _: None)
