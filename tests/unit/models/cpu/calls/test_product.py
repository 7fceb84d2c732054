"""The textbook product with gcc's own code: columns of a thousand rows meet another page with every access."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from foretell.api import predict
from foretell.frontends import SourceOptions, read_sources
from foretell.machines import load
from foretell.uses.validate import validate

FOLDER = Path(__file__).parents[5] / "validation" / "cpu" / "product"


def test_a_page_with_every_access_of_a_column() -> None:
    machine = load(FOLDER / "machine.toml")
    code = read_sources([FOLDER / "product.c"], SourceOptions(values=(("LAYOUT", "3"),), kernel="product"))
    found = predict(code, machine, parameters={"n": 1000}, options={"asm": str(FOLDER / "O2-flat.s")})
    (pages,) = (bound.time_s for bound in found.bounds if bound.name == "TLB misses")
    assert pages == pytest.approx(0.5 * 1000**3 / machine.value("clock.frequency"), rel=0.02)  # less those of streams
    assert found.time_s == pytest.approx(1.03, rel=0.1)  # measured
    assert found.interval_s[0] < 1.03 < found.interval_s[1]


def test_assembly_of_a_recording_lies_beside_it(tmp_path: Path) -> None:
    for name in ("machine.toml", "product.c", "O2-flat.s"):
        shutil.copy(FOLDER / name, tmp_path)
    text = (FOLDER / "gcc.toml").read_text()
    head, cases = text.split("[case]\n")
    (case,) = (line for line in cases.splitlines() if line.startswith('"O2 flat n=200"'))
    recording = tmp_path / "one.toml"
    recording.write_text(f"{head}[case]\n{case}\n".replace("200", "40"))
    (point,) = validate(recording).points
    assert any("compiled code followed: " in text and "O2-flat.s" in text for text in point.assumptions)
