"""Bandwidths in bytes per cycle, as the probe writes those of private caches, and per second: the same machine."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import foretell
from foretell import files
from foretell.cli.common import load_machine
from foretell.core.machine.machine import Machine, Quantity
from foretell.errors import UnitError
from foretell.machines import load
from foretell.report.plots.roofline import roofs_of
from foretell.uses.validate import KERNELS


def in_cycles(machine: Machine) -> Machine:
    """With the bandwidths of all levels but the last in bytes per cycle."""
    clock, private = machine.value("clock.frequency"), machine.levels[:-1]
    changed: dict[str, Quantity] = {
        path: Quantity(one.value / clock, "B/cycle", one.source)
        for path, one in machine.quantities.items()
        if path.endswith("bandwidth") and path.split(".")[1] in private
    }
    assert changed
    return replace(machine, quantities={**machine.quantities, **changed})


PROBED = Path(__file__).parents[4] / "validation/cpu/emerald-rapids-2026-11-16/machine.toml"


@pytest.mark.parametrize("name", ["neoverse-n1", PROBED])
@pytest.mark.parametrize(
    ("code", "given"),
    [*((KERNELS / "triad.c", {"n": size}) for size in (1000, 20_000, 1e7)), ("example:blocked-matrix", {})],
)
def test_predictions_are_the_same(name: str | Path, code: str | Path, given: dict[str, float]) -> None:
    machine = load(name)
    first, second = (foretell.predict(code, one, parameters=given).time_s for one in (machine, in_cycles(machine)))
    assert second == pytest.approx(first, rel=1e-9)


def test_roofs_are_in_bytes_per_second() -> None:
    machine = load("neoverse-n1")
    roofs = roofs_of(machine, 2)
    assert "L2" in roofs.slopes
    other = roofs_of(in_cycles(machine), 2)
    assert (other.peak, other.slopes) == (roofs.peak, pytest.approx(roofs.slopes))


def test_what_is_given_per_cycle_follows_the_clock() -> None:
    machine = load("neoverse-n1")
    faster = {"clock.frequency": 2 * machine.value("clock.frequency")}
    slopes, other = (roofs_of(one.with_values(faster), 1).slopes for one in (in_cycles(machine), machine))
    assert slopes["L2"] == pytest.approx(2 * other["L2"])
    assert slopes["memory"] == other["memory"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["level.L2.core_bandwidth=90GB/s"], 90e9 / 3e9),
        (["level.L2.core_bandwidth=30B/cycle"], 30),
        (["level.L2.core_bandwidth=90GB/s", "clock.frequency=2GHz"], 90e9 / 2e9),
    ],
)
def test_users_may_say_it_either_way(given: list[str], expected: float, tmp_path: Path) -> None:
    """At the clock of the machine, or at that which they set, too."""
    file = tmp_path / "here.toml"
    file.write_text(files.read_text(PROBED))
    text = file.read_text()
    line = next(line for line in text.split("[level.L2]")[1].splitlines() if line.startswith("core_bandwidth"))
    clock = next(line for line in text.splitlines() if line.startswith("frequency"))
    text = text.replace(line, re.sub(r'"[^"]*B/s"', '"32 B/cycle"', line))
    file.write_text(text.replace(clock, re.sub(r'"[^"]*Hz"', '"3 GHz"', clock)))
    machine = load_machine(str(file), given)
    assert machine["level.L2.core_bandwidth"].unit == "B/cycle"
    assert machine.value("level.L2.core_bandwidth") == pytest.approx(expected)
    with pytest.raises(UnitError, match="expected B/cycle"):
        load_machine(str(file), ["level.L2.core_bandwidth=3GHz"])
