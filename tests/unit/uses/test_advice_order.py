"""The order of advice, what of it is predicted, and flags that a changed file keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from foretell.cli.advise import emitted
from foretell.core.answers.advising import AdvisedChange, Advising, TextEdit
from foretell.core.gpu.launch import Launch
from foretell.errors import InputError
from foretell.report.sections.advising import row
from foretell.uses.advise.gain import rank
from foretell.uses.advise.kernels import _sides
from tests.support.cli import run
from tests.unit.transform.programs import MATRIX_PRODUCT

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction


def advised(gain: float, low: float, *, threads: int = 0, is_option: bool = False) -> AdvisedChange:
    title = f"{gain} from {low}"
    return AdvisedChange(("tile",), (title,), 1, 1.0, gain, (low, 2 * gain), "", threads=threads, is_option=is_option)


def test_certain_gains_come_first() -> None:
    every = [advised(3, 0.8), advised(1.5, 1.2), advised(2, 1.1), advised(9, 5, is_option=True)]
    assert [one.gain for one in sorted(every, key=rank)] == [2, 1.5, 3, 9]
    screened = replace(advised(8, 4), basis="screened")
    assert rank(screened) > rank(advised(1.5, 1.2))
    assert rank(screened, hopeful=True) < rank(advised(2, 1.1))


@pytest.fixture
def base() -> Prediction:
    return foretell.predict("example:vector-add", "sw26010")


def test_the_headline_says_how_certain_it_is_and_what_threads_do_not_bring(base: Prediction) -> None:
    uncertain = Advising(base, "f.c", (advised(3, 0.8),))
    assert ": perhaps 0.8–6 × faster (the model cannot tell this from no gain)" in uncertain.headline
    assert "in doubt" in row(uncertain, advised(3, 0.8))[2]
    assert not any("in doubt" in row(uncertain, advised(gain, low))[2] for gain, low in ((3, 1.1), (0.4, 0.3)))
    assert "cannot tell" not in Advising(base, "f.c", (advised(3, 1.1),)).headline
    both = Advising(base, "f.c", (advised(8, 4, threads=16), advised(2, 1.5)))
    assert both.headline.endswith("Without more threads: 2 from 1.5: 1.5–4 × faster")
    assert "Without" not in Advising(base, "f.c", (advised(2, 1.5), advised(8, 0.5, threads=16))).headline
    assert "Without" not in Advising(base, "f.c", (advised(8, 4, threads=16), advised(1, 0.9))).headline


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("order") / "product.c"
    file.write_text(MATRIX_PRODUCT)
    return file


def test_the_best_and_its_beginning_are_predicted(product: Path) -> None:
    kinds = ["interchange", "parallelise", "unroll_and_jam"]
    found = foretell.advise(product, "neoverse-n1", parameters={"n": 300}, cc="none", depth=2, only=kinds)
    by_steps = {change.steps: change for change in found.changes}
    for best in (found.best, found.best_without_threads):
        assert best is not None
        assert best.basis == "predicted"
        assert len(best.steps) == 2
        assert by_steps[best.steps[:1]].basis == "predicted"


def test_flags_that_leave_the_code_as_it_is_are_no_advice(tmp_path: Path) -> None:
    """A sum of integers is the same in any order."""
    file = tmp_path / "sum.c"
    file.write_text(
        "int sum(int n, const int *x) {\nint s = 0;\nfor (int i = 0; i < n; i++) s += x[i];\nreturn s;\n}\n"
    )
    found = foretell.advise(file, "neoverse-n1", parameters={"n": 3000}, cc="none", cflags="-O2", only=["flags"])
    assert "to compile with -ffast-math leaves the code as it is" in {one.reason for one in found.refused}
    assert [change.title for change in found.changes] == ["compile with -O3 instead of -O2"]  # others add nothing


def test_changed_files_have_the_flags_of_the_environment(product: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a change brings would else be what -O3 brings."""
    question: dict[str, Any] = {"parameters": {"n": 60}, "only": ["interchange", "flags"]}
    given = foretell.advise(product, "zen2", cflags="-O1", **question)
    monkeypatch.setenv("CFLAGS", "-O1")
    found = foretell.advise(product, "zen2", **question)
    assert found.prediction.time_s == pytest.approx(given.prediction.time_s, rel=0.01)
    times, expected = ({one.title: one.time_s for one in answer.changes} for answer in (found, given))
    common = times.keys() & expected.keys()
    assert any("instead of -O1" in title for title in common)
    assert {title: times[title] for title in common} == pytest.approx({one: expected[one] for one in common}, rel=0.01)


def test_the_first_change_of_the_source_is_written(
    base: Prediction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    launch, pad, tile = (
        AdvisedChange((one,), (one,), 1, 1.0, 2.0, (1.5, 2.5), "") for one in ("launch", "pad", "tile")
    )
    edits = (TextEdit(1, 1, 1, 1, "x"),)
    written = [replace(one, edits=edits, text=one.title) for one in (pad, tile)]
    answer = Advising(base, "old.c", (launch, *written))
    target = tmp_path / "new.c"
    emitted(answer, target, None)
    assert target.read_text() == "pad"
    assert "number 2, as «launch» is no change of the source" in capsys.readouterr().err
    slower, other = replace(written[0], gain=0.9), replace(written[0], is_option=True)
    emitted(Advising(base, "old.c", (slower, other, written[1])), target, None)
    assert target.read_text() == "tile"
    for one, message in (
        (slower, r"is not predicted to be faster \(0.90 ×\); --pick 1"),
        (other, "has another result; --pick 1"),
    ):
        with pytest.raises(InputError, match=message):
            emitted(Advising(base, "old.c", (one,)), target, None)
    emitted(answer, target, 3)
    assert target.read_text() == "tile"
    for wrong, message in ((1, "«launch» is no change"), (4, "there are 3 changes")):
        with pytest.raises(InputError, match=message):
            emitted(answer, target, wrong)


def test_loops_that_only_call_are_refused_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "calls.c"
    declared, called = "void one(int n, double *a);", "for (int i = 0; i < n; i++)\n    one(n, a);"
    file.write_text(f"{declared}\nvoid all(int n, double *a) {{\n  {called}\n}}\n")
    asked = ("--on", "neoverse-n1", "-D", "n=300", "--cc", "none", "--try", "1")
    assert f"{file}:3: the loop only calls code that is not in the given files: one" in run("why", file, *asked).err
    assert "there is no such file" in run("why", tmp_path / "none.c", *asked).err


@pytest.mark.parametrize(
    ("values", "name", "sides"),
    [
        ({"TILE": 16}, "TILE", [0, 1]),
        ({"block_x": 16, "block_y": 16}, "block_x", [0]),
        ({"block_x": 16, "block_y": 16}, "block_y", [1]),
        ({"block_x": 16, "depth": 4}, "depth", []),
    ],
)
def test_each_of_two_macros_stands_for_its_side_of_the_block(
    values: dict[str, int], name: str, sides: list[int]
) -> None:
    """Both sides followed either macro: blocks of 8 × 8 of a kernel that was compiled for 8 × 16."""
    assert _sides(Launch("k", (256, 256, 1), (16, 16, 1)), values, name) == sides
