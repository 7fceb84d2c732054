"""The textbook product with gcc's own code: columns of a thousand rows meet another page with every access."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell import files
from foretell.api import predict
from foretell.core.nest.loopnest import Loops
from foretell.frontends import SourceOptions, read_sources
from foretell.machines import load
from foretell.models.cpu.transfers.loaded_addresses import columns_by_pointers
from foretell.uses.validate import validate

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction

FOLDER = Path(__file__).parents[5] / "validation" / "cpu" / "product"


def test_a_page_with_every_access_of_a_column() -> None:
    machine = load(FOLDER / "machine.toml")
    code = read_sources([FOLDER / "product.c"], SourceOptions(values=(("LAYOUT", "3"),), kernel="product"))
    found = predict(code, machine, parameters={"n": 1000}, options={"asm": str(FOLDER / "O2-flat.s")})
    (pages,) = (bound.time_s for bound in found.bounds if bound.name == "TLB misses")
    cycles = machine.value("tlb.first_miss") * 1000**3  # less those of streams
    assert pages == pytest.approx(cycles / machine.value("clock.frequency"), rel=0.02)
    assert found.time_s == pytest.approx(0.951, rel=0.1)  # as measured of -O3, with the same loop; of -O2 0.893
    assert found.interval_s[0] < 0.893 < found.interval_s[1]


def _product(layout: int, listing: str, **options: str) -> Prediction:
    code = read_sources([FOLDER / "product.c"], SourceOptions(values=(("LAYOUT", str(layout)),), kernel="product"))
    asked = {"asm": str(FOLDER / listing), **options}
    return predict(code, load(FOLDER / "machine.toml"), parameters={"n": 1000}, options=asked)


_ROWS = "pointers to rows of b are loaded in the innermost loop: half of the shorter"


def test_columns_of_rows_by_pointers_hide_half() -> None:
    rows, parameters = _product(2, "O2-rows.s"), _product(1, "O2-vla.s")
    work, moving = (
        sum(one.time_s for one in rows.parts if one.name.startswith(name)) for name in ("core", ("L", "TLB"))
    )
    assert moving > work
    assert rows.time_s == pytest.approx(moving + 0.5 * work, rel=0.1)  # a tenth of the lines are those of a
    assert rows.time_s == pytest.approx(1.356, rel=0.1)  # measured
    assert any(_ROWS in text for text in rows.assumptions)
    assert parameters.time_s == pytest.approx(1.063, rel=0.1)  # measured
    assert not any("pointers to rows" in text for text in parameters.assumptions)


def test_an_overlap_that_the_user_chooses_holds_for_rows_by_pointers() -> None:
    full = _product(2, "O2-rows.s", overlap="full")
    assert full.time_s == pytest.approx(sum(one.time_s for one in full.parts if one.name.startswith(("L", "TLB"))))
    assert not any("pointers to rows" in text for text in full.assumptions)


@pytest.mark.parametrize(
    ("inner", "expected"), [("a[k][j]", ("a",)), ("a[j][k]", ()), ("x[k] * a[j][0]", ()), ("p[j][k][0]", ("p",))]
)
def test_which_loops_load_pointers_to_rows(tmp_path: Path, inner: str, expected: tuple[str, ...]) -> None:
    file = tmp_path / "f.c"
    text = "void f(int n, double **a, double ***p, double *x, double *y)"
    file.write_text(f"{text} {{ for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) y[j] += {inner}; }}")
    (nest,) = read_sources([file]).facet(Loops).nests
    assert columns_by_pointers(nest, "k") == expected
    assert columns_by_pointers(replace(nest, language="fortran"), "k") == ()


@pytest.mark.parametrize("level", ["O2", "O3", "native"])
@pytest.mark.parametrize("layout", ["static", "vla", "rows", "flat"])
def test_every_way_is_inside_its_interval(layout: str, level: str) -> None:
    case = tomllib.loads((FOLDER / "gcc.toml").read_text())["case"][f"{level} {layout} n=1000"]
    found = _product(case["macros"]["LAYOUT"], case["options"]["asm"])
    assert found.interval_s[0] < float(case["measured"].split()[0]) < found.interval_s[1]


def test_assembly_of_a_recording_lies_beside_it(tmp_path: Path) -> None:
    for name in ("machine.toml", "product.c", "O2-flat.s"):
        shutil.copy(files.stored(FOLDER / name), tmp_path)
    text = (FOLDER / "gcc.toml").read_text()
    head, cases = text.split("[case]\n")
    (case,) = (line for line in cases.splitlines() if line.startswith('"O2 flat n=200"'))
    recording = tmp_path / "one.toml"
    recording.write_text(f"{head}[case]\n{case}\n".replace("200", "40"))
    (point,) = validate(recording).points
    assert any("compiled code followed: " in text and "O2-flat.s" in text for text in point.assumptions)
