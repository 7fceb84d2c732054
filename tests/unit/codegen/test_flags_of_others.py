"""A compilation database or a Makefile that lies beside a code gives flags, but none that run code or write files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

from foretell.codegen.compiled.database import usual_flags
from foretell.codegen.compiled.flags import flags_of_others
from foretell.errors import LeftOutWarning
from tests.support.cli import run

_HARMLESS = """-O3 -march=native -mno-avx512f -std=gnu11 -ffast-math -fno-math-errno -fopenmp -fopenmp-simd -Wall
-Wextra -g -gdwarf-4 -w -Iinclude -I include -isystem /usr/x -DN=512 -D N=512 -UM -include config.h -pthread -pipe -x c
-fPIC --sysroot=/x --param max-unroll-times=4 -fsanitize=address,undefined -fno-exceptions -nostdinc -pedantic"""
_RUNS_OR_WRITES = """-fplugin=./evil.so|-fpass-plugin=./evil.so|-wrapper ./evil,x|-specs=evil|--specs=evil|-B./evil
-B ./evil|@evil|-Xclang -load|-Xpreprocessor -load|-Wp,-include,x|-Wa,-a=x|-Wl,-plugin|-fdump-tree-all=x|-dumpdir x
-aux-info x|-fopt-info-all=x|-fsave-optimization-record|-fmodule-mapper=evil|-fprofile-use=x|-ftime-trace=x
-fdeps-file=x|-fproc-stat-report=x|-fcompare-debug=x|-mllvm -load|--config=x|-target -fplugin=./evil.so
-arch @evil|-D @evil|-fembed-bitcode|-gen-reproducer|-gcc-toolchain
-cc1|other.c"""


def test_flags_that_change_code_count() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        words = tuple(_HARMLESS.split())
        assert flags_of_others(words, Path("x")) == words
        left_out = (
            "-fdebug-prefix-map=/a=/b",
            "-fdiagnostics-color=always",
            "-Wp,-MMD,a.d",
            "-o",
            "a.o",
            "-MF",
            "a.d",
            "-c",
        )
        assert flags_of_others(("-O2", *left_out), Path("x")) == ("-O2",)


@pytest.mark.parametrize("flags", _RUNS_OR_WRITES.replace("\n", "|").split("|"))
def test_flags_that_run_or_write_are_left_out(flags: str) -> None:
    with pytest.warns(LeftOutWarning, match="compile_commands.json: left out"):
        kept = flags_of_others(("-O1", *flags.split(), "-O2"), Path("compile_commands.json"))
    assert kept[0] == "-O1"
    assert kept[-1] == "-O2"
    assert not any(word.startswith(("@", "-fplugin", "-load")) or "evil" in word for word in kept)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A code whose database loads a library into the compiler; what it does is make a file."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    (tmp_path / "evil.c").write_text(
        "#include <fcntl.h>\n"
        f'__attribute__((constructor)) static void f(void) {{ creat("{tmp_path}/ran", 0600); }}\n'
        "int plugin_is_GPL_compatible;\nint plugin_init(void *a, void *b) { return 0; }\n"
    )
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", tmp_path / "evil.so", tmp_path / "evil.c"], check=True)
    (tmp_path / "a.c").write_text("void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] += N; }\n")
    entry = {"directory": ".", "file": "a.c", "command": f"gcc -O3 -DN=3 -fplugin={tmp_path}/evil.so -c a.c"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    monkeypatch.setenv("CFLAGS", "")
    monkeypatch.setenv("FORETELL_CACHE", "off")
    monkeypatch.setenv("FORETELL_ANSWERS", "off")
    return tmp_path


def test_a_database_runs_nothing(beside: Path) -> None:
    command = ["gcc", "-O3", "-DN=3", f"-fplugin={beside}/evil.so", "-S", "-o", os.devnull, str(beside / "a.c")]
    subprocess.run(command, check=True, capture_output=True)
    assert (beside / "ran").exists()  # the library does run where it is asked for
    (beside / "ran").unlink()
    with pytest.warns(LeftOutWarning):
        assert usual_flags(beside / "a.c") == "-O3 -DN=3"
    with pytest.warns(LeftOutWarning):
        result = run("predict", beside / "a.c", "--on", "zen4", "--cc", "gcc", "-D", "n=1000")
    assert result.code == 0, result.err
    assert not (beside / "ran").exists()
