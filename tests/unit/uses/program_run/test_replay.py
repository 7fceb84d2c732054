"""Captures as programs: predicted, explained and ranked as the program itself, without running it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell import machines
from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.errors import InputError
from foretell.frontends.gpu.recorded_program import EVERY_STREAM, RecordedStep, decoded, encoded
from foretell.report import html
from foretell.uses.program_run import modules
from foretell.uses.program_run.recording import Recorder
from foretell.uses.program_run.replay import predict_capture, rank_capture
from tests.support import schema
from tests.support.cli import run
from tests.unit.characterize.gpu.test_races import program as kernel_of
from tests.unit.uses.program_run.test_program_run import TRIAD, FakeModule, ran

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.program_run import ProgramRun


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[ProgramRun, Path]:
    """A program that ran, and its capture."""
    folder, recorder = tmp_path_factory.mktemp("capture"), Recorder("all", 1 << 24)
    with pytest.MonkeyPatch.context() as patch:
        answer = ran(folder, patch, TRIAD, "h200", "a100", recorder=recorder)
    recorder.write(folder / "app.capture")
    return answer, folder / "app.capture"


@pytest.fixture(autouse=True)
def made_up_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "Module", FakeModule)


def test_a_capture_gives_the_answer_of_the_run(program: tuple[ProgramRun, Path]) -> None:
    whole, path = program
    again = predict_capture(path, [machines.load(name) for name in ("h200", "a100")])
    assert again.operations == whole.operations
    for device, other in zip(whole.devices, again.devices, strict=True):
        assert device.kernels == other.kernels
        assert device.copies == pytest.approx(other.copies) or device.copies == other.copies
        for name in ("kernels_s", "copies_s", "busy_s", "total_s", "host_s", "waiting_s"):
            assert getattr(other, name) == pytest.approx(getattr(device, name), rel=1e-9), name
        assert [part.name for part in device.critical_path] == [part.name for part in other.critical_path]


def test_commands_take_a_capture_as_a_program(program: tuple[ProgramRun, Path], tmp_path: Path) -> None:
    whole, path = program
    timeline = tmp_path / "timeline.json"
    said = run("predict", str(path), "--on", "h200,a100", "--timeline", str(timeline), "--format", "json")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    schema.check(document)
    assert document["devices"][0]["total_s"] == pytest.approx(whole.devices[0].total_s, rel=1e-9)
    assert sum(event.get("cat") == "kernel" for event in json.loads(timeline.read_text())["traceEvents"]) == 6
    why = run("why", str(path), "--on", "h200")
    assert why.code == 0, why.err
    assert "at most faster by" in why.out
    ranked = run("rank", str(path), "--on", "a100", "--on", "h200", "--on", "zen4", "--format", "json")
    assert ranked.code == 0, ranked.err
    times = [device["total_s"] for device in json.loads(ranked.out)["devices"]]
    assert times == sorted(times)
    assert [entry["name"] for entry in json.loads(ranked.out)["refused"]] == ["zen4"]


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "--on", "h200", "--grid", "4"),
        ("predict", "--on", "h200", "--all"),
        ("predict", "--on", "h200", "--model", "gpu"),
        ("why", "--on", "h200", "--lines"),
        ("rank", "--on", "h200", "--measured", "h200=1ms"),
    ],
)
def test_options_of_one_launch_are_refused(program: tuple[ProgramRun, Path], words: tuple[str, ...]) -> None:
    said = run(words[0], str(program[1]), *words[1:])
    assert said.code == 2, said.out
    assert "--kernel" in said.err or "only for" in said.err


def test_a_timeline_needs_a_program() -> None:
    assert run("predict", "example:triad", "--on", "zen4", "--timeline", "x.json").code == 2


def test_the_api_predicts_and_explains(program: tuple[ProgramRun, Path]) -> None:
    answer = foretell.predict_program(program[1], on="h200", why=True)
    assert answer.devices[0].changes
    assert "app.capture" in repr(answer)


def test_a_gpu_that_is_too_small_is_refused_by_name(program: tuple[ProgramRun, Path]) -> None:
    small = machines.overridden(machines.load("h200"), {"memory.size": "40 kB"})
    answer = rank_capture(program[1], [small, machines.load("a100")])
    assert [device.machine for device in answer.devices] == ["a100"]
    assert "needs 4.917e-05 GB" in answer.refused[0].reason
    assert "not predicted" in str(answer)
    assert "not predicted" in html.page("program_run", answer)
    with pytest.raises(InputError, match="no machine can run this program"):
        predict_capture(program[1], [small])


def recorded(path: Path, *counts: int, measured_s: float | None = None) -> Path:
    """A capture of launches alone, as older versions wrote it, and as `record` does."""
    recorder = Recorder("all", 1 << 20)
    for grid, count in enumerate(counts, 1):
        arrays = tuple(DeviceArray(0x30000000 + place * 4096, 4096, f"a{place}") for place in range(3))
        pointers = np.array([item.address for item in arrays], np.uint64).tobytes()
        passed = PassedArguments(pointers + np.array([2.0], np.float32).tobytes() + (64).to_bytes(4, "little"), arrays)
        for _ in range(count):
            recorder.add(b"\x7fELF", Launch("triad_f32", (grid, 1, 1), (64, 1, 1), passed=passed))
    recorder.launches = [replace(item, measured_s=measured_s) for item in recorder.launches]
    recorder.write(path)
    return path


def test_launches_alone_follow_each_other(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.capture", 2, 3, measured_s=1e-6)
    (device,) = predict_capture(path, [machines.load("h200")]).devices
    (kernel,) = device.kernels
    assert (kernel.launches, kernel.measured_s) == (5, pytest.approx(5e-6))
    starts = [span.start_s for span in device.timeline]
    assert starts == sorted(starts)
    assert any("launches alone" in note for note in device.assumptions)
    assert any("interpolated by their warps" in note for note in device.assumptions)
    assert "measured there" in run("predict", str(path), "--on", "h200").out


def test_many_grids_without_instructions_are_interpolated_by_warps(tmp_path: Path) -> None:
    (device,) = predict_capture(recorded(tmp_path / "a.capture", *[1] * 40), [machines.load("h200")]).devices
    (kernel,) = device.kernels
    assert kernel.predicted < kernel.launches == 40
    assert all(span.end_s > span.start_s for span in device.timeline)


def test_launches_whose_data_matter_are_kept_each() -> None:
    recorder = Recorder("all", 1 << 20)
    passed = PassedArguments(b"12345678", (), ())
    launch = Launch("k", (1, 1, 1), (32, 1, 1), passed=passed)
    for round_ in range(30):
        data = np.full(64, round_, np.uint8)
        item = replace(launch, passed=replace(passed, arrays=(DeviceArray(0x1000, 64, "a", data),)))
        number = recorder.add(b"code", item, b"fatbin")
        recorder.executed(number, item, 0, 100 + 10 * round_, (0,))
    # the second differs in its instructions, which is known after it: the third and later ones are kept
    assert len(recorder.launches) == 16
    assert sum(item.count for item in recorder.launches) == 30
    assert [step.numbers[0] for step in recorder.steps][:4] == [0, 0, 1, 2]
    assert recorder.launches[0].code != recorder.launches[0].module


def test_steps_are_read_as_they_were_written() -> None:
    steps = (
        RecordedStep("advance", (1e-6,)),
        RecordedStep("launch", (1, 0, 7, 0)),
        RecordedStep("copy", (0, 0, 2, 64, 1)),
        RecordedStep("synchronise", (EVERY_STREAM, 0)),
        RecordedStep("graph", (1,)),
    )
    assert decoded(encoded(steps), launches=2) == steps


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "no list"),
        ("[3]", "step 0 is '3'"),
        ('[["advance"]]', "step 0"),
        ('[["unknown", 1]]', "step 0"),
        ('[["advance", -1.0]]', "numbers"),
        ('[["advance", "1"]]', "numbers"),
        ('[["advance", true]]', "numbers"),
        ('[["advance", 1e308], ["advance", 1e308]]', "numbers"),
        ('[["set", 0, 1e19]]', "numbers"),
        ('[["set", 0, 1.5]]', "numbers"),
        ('[["launch", 2, 0, 0, 0]]', "does not have"),
        ('[["copy", 0, 9, 2, 64, 0]]', "does not have"),
        ("[", "not valid JSON"),
    ],
)
def test_damaged_steps_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decoded(text.encode(), launches=2)


def waiting_capture(path: Path, contents: str) -> Path:
    """Blocks that wait for each other, as decoupled look-back does: before the launch no flag is set."""
    recorder = Recorder(contents, 1 << 20)
    flags, data = (np.zeros(4 * size, np.uint8) for size in (64, 64 * 32))
    arrays = (DeviceArray(0x30000000, flags.nbytes, "flags", flags), DeviceArray(0x30100000, data.nbytes, "x", data))
    pointers = np.array([item.address for item in arrays], np.uint64).tobytes()
    launch = Launch("chained", (64, 1, 1), (32, 1, 1), passed=PassedArguments(pointers, arrays))
    recorder.executed(recorder.add(b"\x7fELF", launch), launch, 0, 3000, (0,))
    recorder.write(path)
    return path


class WaitingModule(FakeModule):
    """A module with the kernel whose blocks wait."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._code.kernel = lambda _: kernel_of("chained").kernel


def test_blocks_that_wait_are_predicted_with_what_they_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "Module", WaitingModule)
    h200 = [machines.load("h200")]
    (known,) = predict_capture(waiting_capture(tmp_path / "a.capture", "all"), h200).devices
    assert any("look back" in note for note in known.kernels[0].assumptions)
    assert known.kernels[0].bound_by != "issue (not predicted)"
    (blind,) = predict_capture(waiting_capture(tmp_path / "b.capture", "none"), h200).devices
    assert blind.kernels[0].time_s > 0  # of memory that is not known, something is assumed and said
    assert blind.kernels[0].assumptions
