"""Recordings with launches, counts, other modes and orders."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from foretell import files
from foretell.core.answers.answers import CountPoint, OrderTest
from foretell.errors import InputError
from foretell.uses.error_statistics import count_summaries, set_of, summarise_counts
from foretell.uses.validate import validate

RECORDING = """
title = "Vector addition, twice"
beside = ["paper"]
[case."add/small"]
workload = "example:vector-add"
machine = "sw26010"
measured = "800 us"
kernel = "add"
counts = { flops = 10, cycles = 7 }
[case."add/large"]
workload = "example:vector-add"
machine = "sw26010"
measured = "1600 us"
parameters = { N = 2048 }
kernel = "add"
[order.size]
once = ["add/small"]
twice = ["add/small", "add/small"]
large = ["add/large"]
"""


def test_a_recording_with_orders_and_other_modes(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(RECORDING)
    found = validate(path)
    assert {point.set for point in found.points} == {set_of("add")}
    assert set(found.beside) == {"paper"}
    assert found.beside["paper"][set_of("add")].n == 2
    (order,) = found.orders
    small, large = (point.predicted_s for point in found.points)
    assert order.predicted_s == pytest.approx((small, 2 * small, large))
    assert order.measured_s == pytest.approx((800e-6, 1600e-6, 1600e-6))
    assert order.wrong == ()
    for which in ("report", "tuning"):
        path.write_text(f'set = "{which}"\n{RECORDING}')
        assert {point.set for point in validate(path).points} == {which}


def test_defaults_of_a_recording_hold_for_every_case(tmp_path: Path) -> None:
    path, whole = tmp_path / "r.toml", tmp_path / "whole.toml"
    whole.write_text(RECORDING)
    shorter = RECORDING.replace('machine = "sw26010"\n', "")
    path.write_text(f'defaults = {{ machine = "sw26010", label = "all" }}\n{shorter}')
    found = validate(path)
    assert [point.predicted_s for point in found.points] == [point.predicted_s for point in validate(whole).points]
    assert {point.label for point in found.points} == {"all"}


@pytest.mark.parametrize(("given", "expected"), [("", 0.03), ("tie = 0.005\n", 0.005), ("tie = 0\n", 0.0)])
def test_a_recording_says_which_times_are_a_tie(tmp_path: Path, given: str, expected: float) -> None:
    path = tmp_path / "r.toml"
    path.write_text(given + RECORDING)
    assert validate(path).orders[0].tolerance == expected


@pytest.mark.parametrize("recording", [RECORDING, RECORDING.partition("[order")[0]])
@pytest.mark.parametrize("given", ["true", "-0.1", "1", '"3 %"'])
def test_a_tie_that_is_none(tmp_path: Path, given: str, recording: str) -> None:
    """Also where nothing is ordered by it."""
    path = tmp_path / "r.toml"
    path.write_text(f"tie = {given}\n{recording}")
    with pytest.raises(InputError, match="tie: must be a number") as caught:
        validate(path)
    assert caught.value.line == 1


def test_an_order_that_is_wrong() -> None:
    order = OrderTest("o", ("a", "b", "c"), (1.0, 3.0, 2.0), (1.0, 2.0, 4.0), 0.03)
    assert order.wrong == (("b", "c"),)
    assert OrderTest("o", ("a", "b"), (2.0, 1.0), (1.0, 1.02), 0.03).wrong == ()  # a tie


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('beside = ["paper"]', 'beside = ["literal"]', "list of modes"),
        ('beside = ["paper"]', 'set = "best"', "set: must be one of tuning, report"),
        ('beside = ["paper"]', "defaults = 3", "defaults: must be a table"),
        ('beside = ["paper"]', "defaults = { machines = 3 }", "machines"),
        ("cycles = 7", 'cycles = "7"', "counts: must be a table of numbers"),
        ("[order.size]", "[order.size]\nnone = []", "must be a list of cases"),
        ('large = ["add/large"]', 'large = ["absent"]', "must be a list of cases"),
        ('kernel = "add"\ncounts', 'launch = "absent.toml"\ncounts', "no such file|cannot be read"),
    ],
)
def test_recordings_that_are_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(RECORDING.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        validate(path)


def test_errors_of_counts() -> None:
    points = [CountPoint("n", 101, 100), CountPoint("n", 100, 100), CountPoint("n", 50, 100)]
    found = summarise_counts(points)
    assert (found.n, found.median, found.worst) == (3, pytest.approx(0.01), 0.5)
    assert found.within_2pct == pytest.approx(2 / 3)
    assert CountPoint("n", 0, 0).error == 0
    assert CountPoint("n", 3, 0).error == 1


def test_counts_of_codes_that_data_steer_are_told_apart() -> None:
    points = [CountPoint("n", 100, 100, False), CountPoint("n", 50, 100, True), CountPoint("m", 1, 1)]
    found = count_summaries(points)
    assert list(found) == ["n", "n, whatever the data", "n, steered by data", "m"]
    assert [entry.within_2pct for entry in found.values()] == [0.5, 1, 0, 1]


def test_recorded_kernels_are_replayed(tmp_path: Path) -> None:
    """A case of a GPU kernel: listing, launch of the case's name, counts beside the prediction's."""
    folder = Path(str(resources.files("foretell.uses"))) / "recorded"
    document = tomllib.loads(files.read_text(folder / "gpu.toml"))
    path = tmp_path / "r.toml"
    lines = [
        f'[case."copy_f32/L2"]\nworkload = "{folder}/gpu/copy_f32.sass.xz"\nlaunch = "{folder}/gpu/cases.toml"',
        'machine = "h200"\nmeasured = "4 us"\nkernel = "copy_f32"',
        f"counts = {{ instructions = {document['case']['copy_f32/L2']['counts']['instructions']} }}",
    ]
    path.write_text("\n".join(lines))
    found = validate(path)
    assert found.counts["instructions"].worst == 0
    assert found.points[0].bottleneck
    path.write_text("\n".join(lines).replace('case."copy_f32/L2"', 'case."copy_f32/L3"'))
    with pytest.raises(InputError, match="0 launches of this name"):
        validate(path)
