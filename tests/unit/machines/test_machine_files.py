"""The shipped machines against the tables they come from, typed here a second time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foretell.machines import library, load, resolve

DATA = Path(__file__).parents[3] / "src" / "foretell" / "machines" / "data"

SHIPPED = {
    "a10",
    "a100",
    "a4000",
    "a6000",
    "apple-m1",
    "apple-m2",
    "b200",
    "blue-gene-q",
    "cascade-lake",
    "cray-xe6",
    "emerald-rapids",
    "grace",
    "granite-rapids",
    "graviton3",
    "graviton4",
    "h100",
    "h100-pcie",
    "h200",
    "i5-2400",
    "i7-4700",
    "ice-lake",
    "ivy-bridge",
    "k20c",
    "k20c-automatch",
    "l4",
    "l40",
    "l40s",
    "mi250x",
    "mi300x",
    "neoverse-n1",
    "raspberry-pi-5",
    "rtx-2080-ti",
    "rtx-3090",
    "rtx-4090",
    "rtx-5090",
    "sandy-bridge",
    "sapphire-rapids",
    "sw26010",
    "sw26010-chip",
    "t4",
    "tesla-c2075",
    "tesla-k20x",
    "titan-x-pascal",
    "v100",
    "xeon-phi-7120p",
    "zen2",
    "zen3",
    "zen4",
    "zen5",
}


def test_all_of_them_are_there() -> None:
    assert set(library()) == SHIPPED
    assert {path.stem for path in DATA.glob("*/*")} == SHIPPED


@pytest.mark.parametrize("name", library())
def test_a_shipped_machine_loads_without_problems(name: str) -> None:
    machine, problems = resolve(name)
    assert problems == ()
    assert machine.name == name
    assert machine.title != name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)


@pytest.mark.parametrize("name", library())
def test_every_number_has_a_source_one_could_look_up(name: str) -> None:
    for path, quantity in load(name).quantities.items():
        reference = quantity.source.reference
        assert len(reference) > 20, path
        assert len(reference.split()) > 3, path
        assert not re.search(r"todo|tbd|unknown|various|/work|localhost", reference, re.IGNORECASE), path


@pytest.mark.parametrize("name", library())
def test_every_missing_number_has_a_reason_and_is_missing(name: str) -> None:
    machine = load(name)
    for path, reason in machine.missing.items():
        assert path not in machine
        assert len(reason.split()) > 1, path


@pytest.mark.parametrize("path", sorted(DATA.glob("*/*.toml")), ids=lambda path: path.stem)
def test_every_source_of_a_file_is_used(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"^\[sources\.([\w-]+)\]", text, re.MULTILINE)
    used = set(re.findall(r'source = "([\w-]+)"', text))
    assert set(names) <= used


def test_only_the_known_conflicts_are_accepted() -> None:
    warned = {name for name in library() if load(name).warnings}
    assert warned == {"sw26010", "sw26010-chip", "titan-x-pascal"}
