"""Bandwidths in bytes per cycle, as the probe writes those of private caches, and per second: the same machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import foretell
from foretell.core.machine import Machine, Quantity
from foretell.machines import load
from foretell.report.cpu_plots import roofs
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


PROBED = Path(__file__).parents[2] / "validation/cpu/emerald-rapids-fifth/machine.toml"


@pytest.mark.parametrize("name", ["neoverse-n1", PROBED])
@pytest.mark.parametrize(
    ("code", "given"),
    [*((KERNELS / "triad.c", {"n": size}) for size in (1000, 20_000, 1e7)), ("example:blocked-matrix", {})],
)
def test_predictions_are_the_same(name: str | Path, code: str | Path, given: dict[str, float]) -> None:
    machine = load(name)
    first, second = (
        foretell.predict(code, one, parameters=given).time_s for one in (machine, in_cycles(machine))
    )
    assert second == pytest.approx(first, rel=1e-9)


def test_roofs_are_in_bytes_per_second() -> None:
    machine = load("neoverse-n1")
    peak, slopes = roofs(machine, 2)
    assert "L2" in slopes
    assert roofs(in_cycles(machine), 2) == (peak, pytest.approx(slopes))


def test_what_is_given_per_cycle_follows_the_clock() -> None:
    machine = load("neoverse-n1")
    faster = {"clock.frequency": 2 * machine.value("clock.frequency")}
    slopes, other = (roofs(one.with_values(faster), 1)[1] for one in (in_cycles(machine), machine))
    assert slopes["L2"] == pytest.approx(2 * other["L2"])
    assert slopes["memory"] == other["memory"]
