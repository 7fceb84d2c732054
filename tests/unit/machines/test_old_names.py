"""Earlier names of machine parameters and of options' choices are accepted, each with a note of the present name."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from foretell import api, machines, models
from foretell.cli import foretell
from foretell.core.machine.parameters import OLD_NAMES, TRAITS, current, known, parameter
from foretell.errors import MachineError, RenamedWarning
from foretell.frontends.counters.readers import neutral
from foretell.uses.explore import space_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = """\
name = "old"
kind = "cpu"
source = "sheet"
[sources.sheet]
kind = "datasheet"
reference = "page 1"
"""
TRIAD = "void f(long n, double *a, double *b) { for (long i = 0; i < n; i++) a[i] = 2 * b[i]; }"


def at_l3(path: str) -> str:
    return path.replace("*", "L3")


def written(path: str) -> str:
    """A number, or word, for a parameter as a machine file has it."""
    if path in TRAITS:
        return '"p1"'
    unit = parameter(path).units[0]
    return f'"2 {unit.replace("1/s", "Hz")}"' if unit else "1"


def machine_file(tmp_path: Path, old: str, value: str, level: str = "") -> Path:
    table, _, key = at_l3(old).rpartition(".")
    file = tmp_path / "old.toml"
    file.write_text(f"{HEAD}{level}[{table}]\n{key} = {value}\n", encoding="utf-8")
    return file


@pytest.fixture
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_a_machine_file_may_use_an_old_name(old: str, new: str, tmp_path: Path) -> None:
    file = machine_file(tmp_path, old, written(new))
    with pytest.warns(RenamedWarning, match=rf"{at_l3(old)} is now {at_l3(new)}".replace(".", r"\.")):
        machine = machines.load(file)
    assert at_l3(new) in {**machine.quantities, **machine.traits}
    assert at_l3(old) not in {**machine.quantities, **machine.traits}


@pytest.mark.parametrize(("old", "new"), [pair for pair in OLD_NAMES.items() if pair[1] not in TRAITS])
def test_a_value_may_be_set_by_an_old_name(old: str, new: str) -> None:
    machine = machines.load("cascade-lake")
    with pytest.warns(RenamedWarning):
        changed = machine.with_values({at_l3(old): 3.0})
    assert changed.content_hash == machine.with_values({at_l3(new): 3.0}).content_hash


def test_every_old_name_has_a_present_one_and_is_no_longer_in_the_table() -> None:
    for old, new in OLD_NAMES.items():
        assert not known(old)
        assert known(new) or new in TRAITS
    assert current("level.L2.size") == "level.L2.size"


def test_the_reason_for_a_missing_number_may_use_an_old_name(tmp_path: Path) -> None:
    file = tmp_path / "old.toml"
    file.write_text(f'{HEAD}[missing]\n"pages.walk" = "not measured"\n', encoding="utf-8")
    with pytest.warns(RenamedWarning):
        assert machines.load(file).missing == {"tlb.walk": "not measured"}


def test_an_old_group_has_no_new_keys(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"pages\.latency: unknown parameter"):
        machines.load(machine_file(tmp_path, "pages.latency", '"2 cycle"'))


@pytest.mark.usefixtures("no_warnings")
def test_shipped_machines_use_present_names() -> None:
    for name in machines.library():
        machines.resolve(name)


def test_a_sweep_may_use_an_old_name(tmp_path: Path) -> None:
    code = tmp_path / "triad.c"
    code.write_text(TRIAD, encoding="utf-8")
    machine = machines.load("cascade-lake").with_values({"tlb.entries": 1536, "tlb.walk": 20.0})
    case = api.prepare(code, machine, parameters={"n": 1000})
    with pytest.warns(RenamedWarning, match=r"pages\.walk is now tlb\.walk"):
        old = api.sweep(case, {"pages.walk": [10.0, 20.0]})
    assert np.array_equal(old, api.sweep(case, {"tlb.walk": [10.0, 20.0]}))


def test_the_command_line_accepts_an_old_name_with_a_note(tmp_path: Path) -> None:
    code = tmp_path / "triad.c"
    code.write_text(TRIAD, encoding="utf-8")
    arguments = ["predict", str(code), "--on", "cascade-lake", "-D", "n=1000", "--format", "json", "--set"]
    with pytest.warns(RenamedWarning, match=r"level\.L3\.left is now level\.L3\.available"):
        old = CliRunner().invoke(foretell, [*arguments, "level.L3.left=0.5"])
    new = CliRunner().invoke(foretell, [*arguments, "level.L3.available=0.5"])
    assert (old.exit_code, new.exit_code) == (0, 0)
    assert json.loads(old.stdout) == json.loads(new.stdout)


def test_a_space_file_may_use_old_names(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(
        """machine = "cascade-lake"
[[application]]
code = "triad.c"
[names]
part = "level.L3.left"
[axes]
"pages.walk" = ["10 cycle", "20 cycle"]
part = [0.5, 1]
""",
        encoding="utf-8",
    )
    with pytest.warns(RenamedWarning):
        found = space_file.read_space(file)
    assert [axis.parameter for axis in found.axes] == ["tlb.walk", "level.L3.available"]


@pytest.mark.parametrize(
    ("model", "name", "old", "new"),
    [("counters", "clock", "crowded", "all_cores"), ("cpu", "sizes", "ladder", "interpolated")],
)
def test_an_option_accepts_the_old_name_of_a_choice(model: str, name: str, old: str, new: str) -> None:
    with pytest.warns(RenamedWarning, match=f"{name}={old} is now {name}={new}"):
        found = models.get(model).settings("default", {name: old})
    assert found == models.get(model).settings("default", {name: new})


def test_a_machine_in_a_profile_may_use_old_names(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    parameters = {"cores.strangers": {"value": 0.5}, "memory.bandwidth": {"value": 1e9, "unit": "B/s"}}
    machine = {"name": "m", "parameters": parameters, "traits": {"cores.narrowed": "p1"}}
    with pytest.warns(RenamedWarning):
        found = neutral._machine(machine, file)
    assert (found.value("cores.corunners"), found.traits) == (0.5, {"cores.ports_closed_by_wide_vectors": "p1"})


@pytest.mark.parametrize(("old", "new"), [("traffic", "cpu"), ("warps", "gpu")])
def test_earlier_names_of_models_still_work(old: str, new: str) -> None:
    with pytest.warns(RenamedWarning, match=f"model {old} is now {new}"):
        assert models.get(old).name == new
