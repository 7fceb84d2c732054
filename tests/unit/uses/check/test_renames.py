"""Files that were renamed, and functions that went to another file, are compared with what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.report import text as text_report
from foretell.uses.check.configured.configuration import Code, Configuration
from foretell.uses.check.renames import renamed_files
from foretell.uses.check.run import Job, check
from foretell.uses.check.versions import Version
from tests.support.repository import FAST_SUM, SUM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from foretell.core.answers.check import Check

OTHER = SUM.replace("sum", "total")
BROKEN = "\0"  # no text
ALL = Code("all", {"file": "*/*.c", "functions": ["*"], "sizes": {"n": 100}})
ONE = Code("one", {"file": "a/sum.c", "function": "sum", "sizes": {"n": 100}})


def version(folder: Path, sources: Mapping[str, str]) -> Version:
    for name, source in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    return Version(folder.name, folder)


def compared(tmp_path: Path, code: Code, old: Mapping[str, str], new: Mapping[str, str]) -> Check:
    sides = version(tmp_path / "old", old), version(tmp_path / "new", new)
    return check(Configuration("x", {code.name: code}, ("zen4",)), *sides, Job(), tmp_path)[0]


def test_a_renamed_file_is_compared_with_what_it_was(tmp_path: Path) -> None:
    old = {"a/sum.c": SUM + OTHER, "a/kept.c": SUM}
    answer = compared(tmp_path, ALL, old, {"b/add.c": OTHER + FAST_SUM, "a/kept.c": SUM})
    found = {(change.code, change.verdict, change.former_file) for change in answer.changes}
    assert found == {
        ("all:a/kept.c:sum", "same code", ""),
        ("all:b/add.c:sum", "faster", "a/sum.c"),
        ("all:b/add.c:total", "same code", "a/sum.c"),
    }
    assert not answer.not_compared
    assert "all:b/add.c:sum (was in a/sum.c)" in text_report.render(text_report.check(answer), color=False)


def test_a_function_that_went_to_another_file_is_found_by_its_name(tmp_path: Path) -> None:
    answer = compared(tmp_path, ALL, {"a/x.c": SUM + OTHER}, {"a/x.c": OTHER, "b/y.c": SUM})
    assert [(c.code, c.former_file) for c in answer.changes if c.former_file] == [("all:b/y.c:sum", "a/x.c")]
    twice = compared(tmp_path / "twice", ALL, {"a/x.c": SUM + OTHER}, {"a/x.c": OTHER, "b/y.c": SUM, "b/z.c": SUM})
    assert [entry.code for entry in twice.not_compared] == ["all:a/x.c:sum", "all:b/y.c:sum", "all:b/z.c:sum"]


def test_a_file_that_is_named_is_found_in_the_base_and_told_of_the_head(tmp_path: Path) -> None:
    moved = compared(tmp_path, ONE, {"old.c": SUM}, {"a/sum.c": SUM})
    assert [(change.verdict, change.former_file) for change in moved.changes] == [("same code", "old.c")]
    gone = compared(tmp_path / "gone", ONE, {"a/sum.c": SUM}, {"new.c": SUM})
    assert "a/sum.c was renamed to new.c" in gone.not_compared[0].reason


def test_functions_of_a_file_that_is_broken_are_listed_with_the_reason(tmp_path: Path) -> None:
    answer = compared(tmp_path, ALL, {"a/x.c": SUM, "a/y.c": OTHER}, {"a/x.c": BROKEN, "a/y.c": OTHER})
    assert [(change.code, change.verdict) for change in answer.changes] == [("all:a/y.c:total", "same code")]
    (entry,) = answer.not_compared
    assert (entry.code, entry.side) == ("all:a/x.c:sum", "head")
    assert "a/x.c:" in entry.reason
    new = compared(tmp_path / "new", ALL, {"a/y.c": OTHER}, {"a/x.c": BROKEN, "a/y.c": OTHER})
    assert [(entry.code, entry.side) for entry in new.not_compared] == [("all:a/x.c", "head")]
    assert "it is not in the base" in new.not_compared[0].reason


def test_the_most_similar_file_counts_and_another_one_is_none(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    version(old, {"a.c": SUM, "b.c": FAST_SUM})
    version(new, {"c.c": FAST_SUM + "\n", "d.c": "int x;\n" * 20})
    assert renamed_files(old, ["a.c", "b.c"], new, ["c.c", "d.c", "none.c"]) == {"c.c": "b.c"}
