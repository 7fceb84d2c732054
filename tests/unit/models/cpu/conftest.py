"""Machines of the CPU model's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.machines import load

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


@pytest.fixture
def probed() -> Machine:
    """A machine with every number that the probe writes of two levels and memory; bandwidths by hand."""
    base = load("neoverse-n1")
    gigabytes = {"read_": 40.0, "write_": 10.0, "copy_": 20.0, "": 24.0}
    numbers = {f"memory.{kind}bandwidth": value * 1e9 for kind, value in gigabytes.items()}
    numbers |= {f"memory.core_{kind}bandwidth": value * 0.75e9 for kind, value in gigabytes.items()}
    return base.with_values({**numbers, "memory.core_random_bandwidth": 2e9})
