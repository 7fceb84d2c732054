"""Shares of work: by cost, in whole items, against measured times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.api import Case, prepare
from foretell.core.facets.trace import Operations, Schedule, Trace
from foretell.core.workload import Workload
from foretell.errors import InputError, MachineError
from foretell.machines import load
from foretell.uses.split import Work, largest_remainder, split
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def costing(name: str, seconds: float, kind: str = "cpu") -> Case:
    """A device on which the work takes so many seconds: synchronisations of one second."""
    machine = replace(load("i5-2400").with_values({"sync.global": 1.0}), name=name, kind=kind)
    return prepare(
        Workload("work", (Trace("work", Operations(), 0, Schedule(), int(seconds), sync_given=True),)), machine
    )


def test_items_are_given_by_largest_remainder() -> None:
    assert largest_remainder([0.5, 0.3, 0.2], 7, [1, 2, 3]) == [4, 2, 1]
    assert largest_remainder([0.5, 0.5], 3, [2, 1]) == [1, 2]  # a tie goes to the cheaper one
    assert largest_remainder([1 / 3] * 3, 1, [3, 2, 1]) == [0, 0, 1]  # fewer items than devices


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=6), st.integers(1, 1000))
def test_all_items_are_given_once(costs: list[float], items: int) -> None:
    total = sum(1 / cost for cost in costs)
    shares = [1 / cost / total for cost in costs]
    given_ = largest_remainder(shares, items, costs)
    assert sum(given_) == items
    assert all(abs(count - share * items) < 1 for count, share in zip(given_, shares, strict=True))


def test_one_device_gets_all() -> None:
    found = split([costing("a", 5)])
    assert (found.shares[0].share, found.split_s, found.even_s, found.oracle_s) == (1.0, 5.0, 5.0, None)


def test_measured_times_judge_the_split() -> None:
    """Predicted 3:1, measured 2:1: a quarter on the slow device, a third would be best."""
    found = split([costing("a", 3), costing("b", 1)], measured={"a": 4.0, "b": 2.0})
    assert found.split_s == pytest.approx(max(4 / 4, 2 * 3 / 4))
    assert found.oracle_s == pytest.approx(4 / 3)
    assert found.even_s == pytest.approx(2.0)
    assert found.best_alone_s == 2.0


def test_a_device_that_costs_nothing_takes_all() -> None:
    assert [entry.share for entry in split([costing("a", 0), costing("b", 1)]).shares] == [1.0, 0.0]


def test_data_cross_the_link_of_a_device() -> None:
    device = costing("b", 1, "manycore")
    linked = replace(device, machine=device.machine.with_values({"link.bandwidth": 1e9}))
    found = split([costing("a", 3), linked], Work(transfer_bytes=2e9))
    assert [entry.transfer_s for entry in found.shares] == [0.0, 2.0]
    assert [entry.share for entry in found.shares] == pytest.approx([0.5, 0.5])
    with pytest.raises(MachineError, match=r"link\.bandwidth"):
        split([device], Work(transfer_bytes=1.0))


def test_wrong_measured_times() -> None:
    with pytest.raises(InputError, match="not among the --on devices"):
        split([costing("a", 1)], measured={"c": 1.0})
    with pytest.raises(InputError, match="must be positive"):
        split([costing("a", 1)], measured={"a": 0.0})


@pytest.mark.parametrize("format_", ["table", "csv", "json"])
def test_the_command(format_: str, tmp_path: Path) -> None:
    picture = tmp_path / "split.svg"
    devices = ["--on", "i5-2400", "--on", "tesla-k20x", "--on", "sw26010"]
    given = ["--items", "1000", "--measured", "i5-2400=0.2s", "--plot", picture, "--format", format_]
    result = run("split", "example:blocked-matrix", *devices, *given, "--transfer", "24MiB")
    assert result.code == 3  # the K20X of the paper has no link
    result = run("split", "example:blocked-matrix", *devices, *given)
    assert result.code == 0, result.err
    assert picture.stat().st_size > 1000
    if format_ == "json":
        document = result.json()
        assert sum(entry["items"] for entry in document["shares"]) == 1000
        assert document["refused"][0]["name"] == "sw26010"
    assert run("split", "example:blocked-matrix", "--on", "sw26010", "--on", "sw26010-chip").code == 3
    assert "at least two" in run("split", "example:blocked-matrix", "--on", "i7-4700").err
