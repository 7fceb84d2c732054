"""Parameters that move together."""

from __future__ import annotations

import numpy as np
import pytest

import foretell
from foretell.core.machine.siblings import leading, siblings, with_siblings
from foretell.machines import completed, load
from tests.golden.predictions.replay import FOLDERS
from tests.support.cli import run

TRIAD = str(FOLDERS["kernels"] / "triad.c")
COPY = (
    "predict", str(FOLDERS["gpu"] / "copy_f32.sass.xz"), "--kernel", "copy_f32", "--grid", "16384", "--block", "256",
    "--arg", "f32[4194304]", "--arg", "f32[4194304]", "--arg", "4194304", "--on", "h200", "--start", "cold",
    "--format", "json",
)  # fmt: skip


def test_a_bandwidth_moves_its_kinds_and_those_of_one_core() -> None:
    machine = load("neoverse-n1")
    moved = with_siblings(machine, {"memory.bandwidth": 2 * machine.value("memory.bandwidth")})
    assert moved["memory.core_copy_bandwidth"] == 2 * machine.value("memory.core_copy_bandwidth")
    assert moved["memory.read_bandwidth"] == 2 * machine.value("memory.read_bandwidth")
    assert "level.L3.bandwidth" not in moved
    given = with_siblings(machine, {"memory.bandwidth": 1e9, "memory.read_bandwidth": 7e9})
    assert given["memory.read_bandwidth"] == 7e9
    core = with_siblings(machine, {"memory.core_bandwidth": 1e9, "memory.bandwidth": 1e12})
    assert core["memory.core_read_bandwidth"] == pytest.approx(18.8e9 / 25.8)  # by the nearest
    assert siblings(machine, "memory.latency") == ()
    assert siblings(machine, "sync.launch") == ()  # it has none
    assert siblings(load("h200"), "level.L2.latency") == ("level.L2.far_latency",)
    assert leading(machine, ["memory.bandwidth"], "memory.bandwidth") is None


def test_set_moves_the_time_of_a_gpu() -> None:
    times = [run(*COPY, *more).json()["time_s"] for more in ((), ("--set", "memory.bandwidth=400GB/s"))]
    machine = load("h200")
    faster = machine.value("memory.read_bandwidth") / machine.value("memory.bandwidth")
    assert times[1] > 4 * 4194304 / (400e9 * faster)  # what is read comes from memory
    assert times[1] > 2 * times[0]


def test_what_was_set_without_effect_is_said() -> None:
    words = ("predict", TRIAD, "--on", "zen4", "-D", "n=1000", "--option", "cc=none", "--format", "json")
    notes = run(*words, "--set", "memory.size=1GB", "--set", "clock.frequency=1GHz").json()["assumptions"]
    assert "memory.size was set; it has no effect on this time" in notes
    assert not any(note.startswith("clock.frequency was set") for note in notes)
    assert not any("was set" in note for note in run(*words).json()["assumptions"])


def test_axes_of_a_sweep_move_siblings_as_set_does() -> None:
    case = foretell.prepare(TRIAD, "cascade-lake", parameters={"n": 1e8}, options={"cc": "none"})
    machine = load("cascade-lake")
    bandwidths = machine.value("memory.bandwidth") * np.array([0.5, 1.0, 2.0])
    swept = foretell.sweep(case, {"memory.bandwidth": bandwidths})
    for bandwidth, time in zip(bandwidths, swept, strict=True):
        on = machine.overridden({"memory.bandwidth": float(bandwidth)})
        alone = foretell.predict(TRIAD, on, parameters={"n": 1e8}, options={"cc": "none"})
        assert time == pytest.approx(alone.time_s, rel=1e-12)
    assert swept[0] > 1.5 * swept[2]


def test_estimates_move_with_what_was_set() -> None:
    zen4 = load("zen4")
    faster = zen4.overridden({"memory.bandwidth": 2 * zen4.value("memory.bandwidth")})
    for path in ("memory.core_bandwidth", "memory.core_copy_bandwidth", "memory.read_bandwidth"):
        assert completed(faster).value(path) == pytest.approx(2 * completed(zen4).value(path)), path
    slower = zen4.overridden({"memory.core_bandwidth": 1e9})
    assert completed(slower).value("memory.core_copy_bandwidth") == pytest.approx(0.9e9)
    assert completed(slower).given_hash == slower.content_hash
