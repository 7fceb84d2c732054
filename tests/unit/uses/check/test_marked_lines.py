"""`branch` and `trip` of foretell.toml name source lines by their text, so that edits above do not move them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from foretell.errors import InputError
from foretell.uses.check.configured.configuration import Code, read_configuration
from foretell.uses.check.configured.marked_lines import OF_HEAD, located
from foretell.uses.check.items import Item
from foretell.uses.check.predicting import Task, outcomes

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
void keep(int n, const double *x, double *y, double t)
{
    for (int i = 0; i < n; i++)
        if (x[i] > t)
            for (int k = 0; k < n; k++) y[i] += x[k] * x[i];
}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "keep.c").write_text(SOURCE)


def time_at(folder: Path, **values: Any) -> float:
    item = Item("a", ("keep.c",), "keep", {"sizes": {"n": 1000}, "compiler": "none", **values})
    outcome = outcomes(Task(str(folder), item, (("zen4", "zen4"),), ("",)))[0]
    assert "error" not in outcome, outcome
    return float(outcome["time_s"])


def test_the_line_is_found_wherever_it_moves(tmp_path: Path) -> None:
    given = {"branch": {"if(x[i] > t)": 0.25}}
    assert located(["keep.c"], given) == {"branch": {"4": "0.25"}}
    (tmp_path / "keep.c").write_text("/* first */\n\n" + SOURCE)
    assert located(["keep.c"], given) == {"branch": {"6": "0.25"}}
    (tmp_path / "other.c").write_text("int other;\n")
    assert located(["keep.c", "other.c"], given) == {"branch": {"keep.c:6": "0.25"}}
    assert located(["no such file"], {"sizes": {"n": 3}}) == {}


def test_a_text_must_fit_one_line_of_the_head() -> None:
    with pytest.raises(InputError, match=r"branch 'x\[i\]': lines 4, 5 have this text"):
        located(["keep.c"], {"branch": {"x[i]": 0.5}})
    with pytest.raises(InputError, match="trip 'while': no line has this text"):
        located(["keep.c"], {"trip": {"while": 3}})
    assert located(["keep.c"], {"trip": {"while": 3}, OF_HEAD: True}) == {"trip": {}}


def test_a_condition_that_rarely_holds_is_quicker_and_no_comment_changes_it(tmp_path: Path) -> None:
    rarely, always = (time_at(tmp_path, branch={"x[i] > t": share}) for share in (0.25, 1))
    assert rarely < always
    (tmp_path / "keep.c").write_text("// more\n" + SOURCE)
    assert time_at(tmp_path, branch={"x[i] > t": 0.25}) == rarely


def test_the_base_is_asked_with_the_lines_of_the_head() -> None:
    head = Code("a", {"file": "keep.c", "branch": {"x[i] > t": 0.5}})
    assert Code("a", {"file": "old.c"}).like(head).values == {
        "file": "old.c",
        "branch": {"x[i] > t": 0.5},
        OF_HEAD: True,
    }
    assert OF_HEAD not in Code("a", {}).like(Code("a", {"sizes": {"n": 3}})).values


def test_lines_belong_to_one_function(tmp_path: Path) -> None:
    text = 'machines = ["zen4"]\n[code.a]\nfile = "keep.c"\nfunctions = ["*"]\nbranch = { "x" = 0.5 }\n'
    (tmp_path / "foretell.toml").write_text(text)
    with pytest.raises(InputError, match=r"foretell.toml:5: code.a.branch: names lines of one function") as error:
        read_configuration(tmp_path / "foretell.toml")
    assert "function = …" in str(error.value.hint)
