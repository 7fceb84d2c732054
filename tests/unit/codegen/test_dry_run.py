"""Flags from a dry run of make."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from foretell.codegen.compiled.dry_run import _commands, make_flags
from foretell.errors import InputError
from tests.support.cli import refused, run

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "scale.c"
    source.write_text("void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= FACTOR; }\n")
    return source


def _make(project: Path, recipe: str, before: str = "") -> None:
    makefile = project.parent.parent / "Makefile"
    makefile.write_text(f"{before}\nall: scale.o\nscale.o: src/scale.c\n\t{recipe}\n")


@needs_make
@pytest.mark.parametrize(
    ("recipe", "flags"),
    [
        ("gcc-13 -O2 -DFACTOR=3 -c -o $@ $<", "-O2 -DFACTOR=3"),
        ("@mkdir -p obj && OMP=1 ccache clang -Iinc -isystem lib -c $< -MD -MF x.d", "-I{0}/inc -isystem {0}/lib"),
        ("cd src && cc -I. -Ofast -c scale.c", "-I{0}/src -Ofast"),
    ],
)
def test_flags_are_those_of_the_command(project: Path, recipe: str, flags: str) -> None:
    _make(project, recipe)
    assert make_flags(project) == flags.format(project.parent.parent)


@needs_make
def test_a_dry_run_writes_nothing(project: Path, tmp_path: Path) -> None:
    _make(project, "gcc -O1 -c $<", before="X := $(shell touch written; touch ../written)")
    assert make_flags(project) == "-O1"
    assert not (tmp_path / "written").exists()


def test_a_file_without_makefile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("")
    with pytest.raises(InputError, match="no Makefile"):
        make_flags(file)


@needs_make
@pytest.mark.parametrize(
    ("recipe", "message"), [("python3 build.py", "no command that compiles"), ("$(error no)", "no")]
)
def test_makefiles_without_a_command_are_refused(project: Path, recipe: str, message: str) -> None:
    _make(project, recipe)
    with pytest.raises(InputError, match=message):
        make_flags(project)


def test_without_make_it_is_said(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _make(project, "cc -c $<")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="make did not run"):
        make_flags(project)


@needs_make
def test_a_makefile_that_hangs_is_ended(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell import running
    from foretell.codegen.compiled import dry_run

    monkeypatch.setattr(dry_run, "_LIMITS", running.Limits(seconds=0.2))
    _make(project, "cc -c $<", before="X := $(shell while true; do :; done)")
    with pytest.raises(InputError, match="limit of time"):
        make_flags(project)


def test_quotations_over_lines_are_passed_over() -> None:
    assert list(_commands("echo 'a\ncc -c x.c\n", Path("/w"))) == [(["cc", "-c", "x.c"], Path("/w"))]


@needs_make
def test_the_command_line_reads_macros_of_the_makefile(project: Path) -> None:
    _make(project, "gcc -O3 -DFACTOR=2.5 -c $<")
    words = ["predict", str(project), "--on", "cascade-lake", "-D", "n=1000", "--cc", "none"]
    assert "scale" in run(*words, "--make").out
    assert "both give the flags" in refused(*words, "--make", "--cflags", "-O2", code=2)
