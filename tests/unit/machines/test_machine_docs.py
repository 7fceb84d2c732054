"""docs/reference/machine-files.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from foretell.core.machine import parameters
from foretell.core.machine.machine import SourceKind
from foretell.machines import library, load
from foretell.machines.checks import CHECKS

DOC = (Path(__file__).parents[3] / "docs" / "reference" / "machine-files.md").read_text(encoding="utf-8")
_UNIT_NAMES = {"": "count", "1/s": "Hz"}


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table after a heading or a line of text, without its two head rows."""
    after = DOC.split(f"\n{heading}\n", 1)[1]
    table = re.search(r"(?:^\|.*\|\n)+", after, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def _unit_names(entry: parameters.Parameter) -> str:
    return "share" if entry.share else " or ".join(_UNIT_NAMES.get(unit, unit) for unit in entry.units)


def test_every_parameter_is_documented() -> None:
    expected = [[f"`{entry.path}`", _unit_names(entry), entry.meaning] for entry in parameters.TABLE]
    assert rows("## Parameters") == expected


def test_every_trait_is_documented() -> None:
    expected = [[f"`{path}`", ", ".join(words) or "any word"] for path, words in parameters.TRAITS.items()]
    assert rows("Words instead of numbers:") == expected


def test_every_earlier_name_is_documented() -> None:
    expected = [[f"`{old}`", f"`{new}`"] for old, new in parameters.OLD_NAMES.items()]
    assert rows("## Earlier names") == expected


def test_every_list_is_documented() -> None:
    expected = [[f"`{path}`", unit, meaning] for path, (unit, meaning) in parameters.LISTS.items()]
    assert rows("Several numbers in one text, separated by commas, each with its unit:") == expected


def test_every_shipped_machine_is_documented() -> None:
    expected = [[f"`{name}`", load(name).kind, load(name).title] for name in library()]
    assert rows("## Shipped machines") == expected


def test_every_check_and_source_kind_is_documented() -> None:
    assert [row[0] for row in rows("## Checks")] == [f"`{name}`" for name in CHECKS]
    assert [row[0] for row in rows("## Sources")] == [f"`{kind}`" for kind in get_args(SourceKind)]


@pytest.mark.parametrize("example", [0, 1])
def test_the_examples_load(example: int, tmp_path: Path) -> None:
    text = re.findall(r"```toml\n(name = .*?)```", DOC, re.DOTALL)[example]
    path = tmp_path / "example.toml"
    path.write_text(text, encoding="utf-8")
    assert load(path).name in ("my-node", "h100-fast")
