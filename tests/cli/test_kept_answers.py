"""Answers that are kept: the same text without computing it, until something that it was made of changes."""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

import pytest

from foretell import cache, inputs
from foretell.cli.input import kept_answers
from tests.support.cli import run

SOURCE = """#include "size.h"
void scale(int n, double *a) { for (int i = 0; i < n; i++) a[i] = FACTOR * a[i]; }
void clear(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("FORETELL_ANSWERS")
    (tmp_path / "size.h").write_text("#define FACTOR 2.0\n")
    file = tmp_path / "scale.c"
    file.write_text(SOURCE)
    return file


def computed(*arguments: str | Path) -> tuple[str, bool]:
    """The answer to a command, and whether it was computed."""
    with mock.patch("foretell.cli.foretell", wraps=__import__("foretell.cli").cli.foretell) as command:
        result = run(*arguments)
    assert result.code == 0, result.err
    return result.out, command.called


def asked(file: Path, *more: str) -> tuple[str, bool]:
    return computed("predict", f"{file}:scale", "--on", "cascade-lake", "-D", "n=4096", *more)


def test_an_answer_is_computed_once(source: Path) -> None:
    first, again = asked(source), asked(source)
    assert first[1]
    assert again == (first[0], False)
    assert asked(source, "--format", "json")[1]


def test_advice_is_kept_though_it_reads_files_that_it_made_itself(source: Path) -> None:
    """Changed versions lie in a folder that is removed: only what they include is an input. What writes a source is
    done each time."""
    question = ["why", f"{source}:scale", "--on", "cascade-lake", "-D", "n=4096", "--try", "1", "--only", "single"]
    first, again = computed(*question), computed(*question)
    assert again == (first[0], False)
    changed = source.with_name("changed.c")
    for _ in range(2):
        changed.unlink(missing_ok=True)
        assert computed(*question, "--pick", "1", "--emit", changed)[1]
    (source.parent / "size.h").write_text("#define FACTOR 3.0\n")
    assert computed(*question)[1]


def test_other_sizes_machines_and_functions_are_other_answers(source: Path) -> None:
    asked(source)
    assert computed("predict", f"{source}:clear", "--on", "cascade-lake", "-D", "n=4096")[1]
    assert computed("predict", f"{source}:scale", "--on", "zen4", "-D", "n=4096")[1]
    assert computed("predict", f"{source}:scale", "--on", "cascade-lake", "-D", "n=4097")[1]


def test_a_changed_file_is_read_again(source: Path) -> None:
    before, _ = asked(source)
    source.write_text(SOURCE.replace("FACTOR * a[i]", "FACTOR / a[i]"))
    after, anew = asked(source)
    assert anew
    assert after != before


def test_a_changed_header_is_read_again(source: Path) -> None:
    asked(source)
    (source.parent / "size.h").write_text("#define FACTOR 3.0\n")
    assert asked(source)[1]


def test_a_new_compilation_database_is_seen(source: Path) -> None:
    asked(source)
    (source.parent / "compile_commands.json").write_text("[]")
    assert run("predict", source, "--on", "cascade-lake").code == 3


def test_a_changed_package_or_environment_computes_again(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(source)
    with mock.patch.object(kept_answers, "_package", return_value=["another version"]):
        assert asked(source)[1]
    monkeypatch.setenv("CFLAGS", "-O1")
    assert asked(source)[1]


def test_every_part_of_the_package_is_of_the_key() -> None:
    """An answer of an older model must not be given for that of a newer one."""
    own = Path(cache.__file__).parent
    code = {str(file) for file in own.rglob("*.py")} | {str(file) for file in own.glob("_core*.so")}
    assert code
    assert code <= {line.split()[0] for line in kept_answers._package()}


def test_an_edited_part_of_the_package_is_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both the size and the time of a file count: an edit may keep the one, a copy the other."""
    part = tmp_path / "models" / "cpu.py"
    part.parent.mkdir()
    part.write_text("WIDTH = 6\n")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    keys = [list(kept_answers._package())]
    time = part.stat().st_mtime_ns
    os.utime(part, ns=(time, time + 1))
    keys.append(list(kept_answers._package()))
    part.write_text("WIDTH = 16\n")
    os.utime(part, ns=(time, time + 1))
    keys.append(list(kept_answers._package()))
    assert keys[0] != keys[1] != keys[2]


@pytest.mark.parametrize("variable", ["FORETELL_ANSWERS", "FORETELL_CACHE"])
def test_it_can_be_switched_off(source: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    asked(source)
    monkeypatch.setenv(variable, "off")
    assert asked(source)[1]


def test_errors_and_warnings_are_not_kept(source: Path) -> None:
    assert run("predict", source, "--on", "cascade-lake", "-D", "m=1").code != 0
    watched = kept_answers.Watched(__import__("io").StringIO())
    assert not watched.used
    watched.write("note: an old name")
    assert watched.used
    assert watched.getvalue() == "note: an old name"  # type: ignore[operator]
    kept_answers.add("answer")
    kept_answers.keep(["predict", str(source)], watched)
    assert kept_answers.kept_answer(["predict", str(source)]) is None


@pytest.mark.parametrize("words", [[], ["tune", "a.c"], ["predict", "k.cu"], ["predict", "a.c", "--plot", "a.png"]])
def test_commands_that_do_more_are_not_kept(source: Path, words: list[str]) -> None:
    assert source.exists()
    assert kept_answers._key(words) == ""


def test_states_of_inputs(tmp_path: Path) -> None:
    inputs.forget()
    file = tmp_path / "a.h"
    inputs.note_file(file)
    inputs.note_program("no-such-program")
    inputs.note_program("sh")
    noted = inputs.noted()
    assert [state for _, _, state in noted[:2]] == ["", ""]
    assert inputs.unchanged(noted)
    file.write_text("new")
    assert not inputs.unchanged(noted)
    states = inputs.states([str(file)])
    assert inputs.unchanged(states, note=True)
    file.write_text("old")
    assert not inputs.unchanged(states)
    assert {name: state for _, name, state in inputs.noted()}[str(file)] == states[0][2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read_has_a_state(tmp_path: Path) -> None:
    file = tmp_path / "secret.h"
    file.write_text("x")
    file.chmod(0)
    assert inputs.states([str(file)])[0][2] == "unreadable"
