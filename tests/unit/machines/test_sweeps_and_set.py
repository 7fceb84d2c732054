"""A column of a sweep and `--set` are one question: estimates of missing numbers move with what was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.errors import InputError
from foretell.machines import load
from foretell.machines.overrides import overridden

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine

TRIAD = "void triad(int n, double *a, const double *b)\n{\n    for (int i = 0; i < n; i++) a[i] = b[i] + 0.5;\n}\n"
#: traffic of a swept line is not counted by whole lines at both ends of an array
ROUNDED = "line"


@pytest.mark.parametrize("name", ["zen4", "neoverse-n1"])
def test_every_number_that_a_model_reads(name: str, tmp_path: Path) -> None:
    (tmp_path / "triad.c").write_text(TRIAD)

    def case(machine: Machine) -> api.Case:
        return api.prepare(tmp_path / "triad.c", machine, parameters={"n": 4e6}, options={"cc": "none"})

    machine = load(name)
    whole = case(machine)
    compared = 0
    for path in whole.model.reads(whole.machine):
        if path not in machine:
            continue
        value = 2 * machine.value(path)
        try:
            swept = float(api.sweep(whole, {path: [value]})[0])
            asked = case(overridden(machine, {path: value})).predict().time_s
        except InputError:  # such a machine is not possible
            continue
        assert swept == pytest.approx(asked, rel=1e-3 if path.endswith(ROUNDED) else 1e-9), path
        compared += 1
    assert compared > 8
