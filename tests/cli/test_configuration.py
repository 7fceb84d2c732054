"""Defaults of the user, this computer as a machine, completion by the shell, stdin and stdout."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from foretell import cache, machines
from foretell.cli import config
from foretell.cli.input import completion, stdin
from foretell.codegen.compilers.flags import complete_flags
from foretell.errors import InputError
from foretell.machines import probe
from foretell.report.sections import machine_summary
from foretell.report.text import render
from foretell.uses.measure.suite import shipped
from tests.support.cli import refused, run

CODE = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }\n"
CONTEXT = click.Context(click.Command("predict"))
PARAMETER = click.Argument(["code"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(CODE)
    return tmp_path


def test_a_broken_file_of_defaults(folder: Path) -> None:
    file = config.folder() / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("machine = \n")
    assert "config.toml: not valid TOML" in refused("predict", "f.c", "-D", "n=10", "--on", "zen4")
    file.write_text('machin = "zen4"\n')
    config._read.cache_clear()
    assert "no default 'machin' (did you mean 'machine'?)" in refused("config")


def test_a_folder_that_cannot_be_made(folder: Path) -> None:
    Path("config").write_text("a file")
    assert "cannot be made" in refused("config", "machine", "zen4")


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert config.defaults() == {}
    with pytest.raises(InputError, match="no configuration folder"):
        config.folder()


def test_the_probe_of_this_computer_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '# a probe\nbase = "neoverse-n1"\nname = "mine"\ntitle = "mine"\n'
    monkeypatch.setattr(probe, "probe", lambda **_: text)
    done = run("machines", "probe", "--here", "--quick")
    assert done.code == 0, done.err
    assert "foretell machines show here" in done.err
    assert config.here_file().read_text() == text
    assert "mine" in run("machines", "show", "here").out
    assert run("predict", "f.c", "-D", "n=1000", "--on", "here").code == 0
    assert run("machines", "diff", "here", "neoverse-n1").code == 0
    assert "no --gpu" in refused("machines", "probe", "--here", "-o", "x.toml", code=2)


def test_a_probe_checks_its_file_first(folder: Path) -> None:
    assert "folder does not exist" in refused("machines", "probe", "-o", "nowhere/x.toml")
    assert "cannot be written" in refused("machines", "probe", "-o", folder)
    assert not Path("x.toml").exists()


def test_machines_and_codes_are_completed() -> None:
    assert completion.machines(CONTEXT, PARAMETER, "zen") == [
        name for name in machines.library() if name.startswith("zen")
    ]
    assert "here" in completion.machines(CONTEXT, PARAMETER, "h")
    assert "example:stencil7.c" in completion.codes(CONTEXT, PARAMETER, "example:st")
    assert completion.codes(CONTEXT, PARAMETER, "f.c:") == ["f.c:f"]
    assert completion.codes(CONTEXT, PARAMETER, "f")[0].type == "file"  # type: ignore[union-attr]
    Path("w.toml").write_text("")
    assert completion.codes(CONTEXT, PARAMETER, "w.toml:") == []
    Path("b.c").write_bytes(b"\xff\xfe\x00")
    assert completion.codes(CONTEXT, PARAMETER, "b.c:") == []


def test_functions_and_options_are_completed() -> None:
    one, several = (click.Context(click.Command("predict")) for _ in range(2))
    one.params = {"code": "f.c"}
    several.params = {"codes": ("f.c",)}
    assert completion.functions(one, PARAMETER, "") == completion.functions(several, PARAMETER, "f") == ["f"]
    assert "parallel=outermost" in completion.model_options(CONTEXT, PARAMETER, "parallel=")


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (CODE, ".c"),
        ("__global__ void k() {}", ".cu"),
        ("      subroutine s\n      end", ".f90"),
        ("# words\n[offload]\nn = 3\n", ".toml"),
        ('name = "x"\n', ".toml"),
    ],
)
def test_languages_of_stdin(text: str, suffix: str) -> None:
    assert stdin.suffix(text.encode()) == suffix


def test_nothing_from_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"  ")))
    assert "stdin is empty" in refused("predict", "-", "--on", "zen4")


@pytest.mark.parametrize(
    ("where", "code", "says"),
    [(">&-", 3, "stdout is closed"), ("> /dev/full", 3, "cannot be written: No space left on device")],
)
def test_a_closed_or_full_stdout(where: str, code: int, says: str) -> None:
    if "full" in where and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    command = f"{sys.executable} -m foretell machines show zen4 {where}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, env=dict(os.environ))
    assert done.returncode == code
    assert says in done.stderr
    assert "internal error" not in done.stderr


def test_flags_that_only_define_keep_the_optimisation() -> None:
    assert complete_flags("-DN=3") == "-O3 -march=native -DN=3"
    assert complete_flags("-O2 -DN=3") == "-O2 -DN=3"


def test_every_machine_has_a_summary() -> None:
    for name in machines.library():
        shown = render(machine_summary.summary(machines.load(name)), color=False)
        assert "--full shows each" in shown
        assert len(shown.splitlines()) < 40


def test_threads_of_a_machine_without_cores() -> None:
    text = refused("predict", "f.c", "-D", "n=10", "--on", "tesla-c2075", "--threads", "all")
    assert "does not say how many cores" in text


def test_validate_one_function_of_a_file(folder: Path) -> None:
    Path("two.c").write_text(CODE + CODE.replace("f(", "g("))
    ask = ("validate", "cpu", "two.c:f", "two.c:g", "--on", "neoverse-n1", "--compiler", "gcc")
    assert "several functions" in refused(*ask, code=2)
    assert "names a function" in refused(
        "validate", "cpu", "two.c:f", "--function", "g", "--on", "neoverse-n1", "--compiler", "gcc", code=2
    )
    assert shipped()


def test_the_cache_is_shown_and_cleared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.FOLDER, str(folder / "kept"))
    for kind in ("first", "second"):
        cache.Kind(kind, 1).write(cache.key_of(kind), bytes(3 << 20))
    shown = run("cache", "info").out
    assert f"{folder / 'kept'}: 6.0 of at most 512 MiB" in shown
    assert "second                 1 entries       3.0 MiB" in shown
    assert "no entries of kind 'frist' (did you mean 'first'?)" in refused("cache", "clear", "frist")
    assert "1 entries removed" in run("cache", "clear", "first").err
    assert "1 entries removed" in run("cache", "clear").err
    monkeypatch.setenv(cache.FOLDER, cache.OFF)
    assert "nothing is kept" in run("cache", "info").out
