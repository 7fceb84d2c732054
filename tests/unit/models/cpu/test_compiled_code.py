"""Predictions of code that a compiler of this machine makes: what is followed, divided between nests, or refused."""

from __future__ import annotations

import itertools
import json
import shutil
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.codegen.compiled import unit
from foretell.codegen.compiled.installed import named_compiler, usual_compiler
from foretell.codegen.compiled.unit import compile_unit, usable_flags
from foretell.core.nest.loopnest import Argument, Loops
from foretell.errors import InputError
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.compiled_code import CompiledCode, NotFollowedError
from foretell.models.cpu.incore.call_arguments import call_arguments
from foretell.models.cpu.model import CpuModel
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

_TWO_NESTS = """
void both(int n, double *a, double *b, double s)
{
  for (int i = 0; i < n; i++)
    a[i] = s;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      b[i] = b[i] / (a[i] + j);
}
static double side[N];
void sized(double *x)
{
  for (int i = 0; i < N; i++)
    side[i] += x[i];
}
"""

needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None or named_compiler("gcc").isa != "x86-64", reason="needs gcc for x86-64"
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    for name in ("CC", "CFLAGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "two.c"
    file.write_text(_TWO_NESTS)
    return file


@needs_gcc
def test_cycles_of_nests_add_up_to_the_call(source: Path) -> None:
    loops, machine = read(f"{source}:both").facet(Loops), load("cascade-lake")
    options = {"cc": "gcc", "flags": "-O2 -march=haswell -DN=8"}
    code = CompiledCode(loops, machine, CpuModel().settings("default", options))
    fill, divide = (code.cycles(nest, machine, {"n": 4000}) for nest in loops.nests)
    assert fill.cycles < 2 * 4000  # a store each
    assert divide.cycles == pytest.approx(8 * 4 * 4000, rel=0.05)  # a division each, one in four cycles
    executed = sum(count for _, count in (*fill.instructions, *divide.instructions))
    assert 8 * 3 * 4000 < executed < 8 * 10 * 4000


@needs_gcc
def test_an_undeclared_size_is_defined_for_the_compiler(source: Path) -> None:
    found = predict(read(f"{source}:sized"), load("cascade-lake"), parameters={"N": 5000.0}, options={"cc": "gcc"})
    assert any("compiled code followed" in text and "-DN=5000" in text for text in found.assumptions)


@needs_gcc
def test_what_is_not_followed_is_named_and_generated(tmp_path: Path) -> None:
    file = tmp_path / "whole.c"
    file.write_text(
        "struct s { double *a; };\nvoid f(int n, struct s s) { for (int i = 0; i < n; i++) s.a[i] *= 2; }\n"
    )
    found = predict(read(f"{file}:f"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": "gcc"})
    (note,) = [text for text in found.assumptions if "not followed" in text]
    assert note.startswith("f, line 2: generated code")


@needs_gcc
def test_a_function_that_was_inlined_is_followed_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "gone.c"
    file.write_text(
        "static void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\nvoid g(double *a) { f(100, a); }\n"
    )
    found = predict(read(f"{file}:f"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": "gcc"})
    assert any("compiled code followed" in text for text in found.assumptions)


@needs_gcc
def test_the_first_error_of_the_compiler_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bad.c"
    file.write_text(
        "void f(int n, double *a) {\n for (int i = 0; i < n; i++)\n  a[i] = 1;\n}\nint g(void) { return h; }\n"
    )
    result = run("predict", f"{file}:f", "-D", "n=10", "--on", "cascade-lake", "--cc", "gcc")
    assert result.code == 3
    assert f"{file}:5" in result.err
    assert "undeclared" in result.err
    assert run("predict", f"{file}:f", "-D", "n=10", "--on", "cascade-lake").code == 0  # generated


@pytest.mark.parametrize(
    ("name", "said"), [("no-such-compiler", "no such compiler"), ("true", "compiles for"), ('"', "--cc")]
)
def test_what_is_no_compiler_is_refused(source: Path, name: str, said: str) -> None:
    result = run("predict", f"{source}:both", "-D", "n=10", "--on", "cascade-lake", "--cc", name)
    assert result.code == 3
    assert said in result.err


@needs_gcc
def test_a_compiler_that_hangs_is_stopped(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.write_text(
        "#!/bin/sh\ncase $1 in -dumpmachine) echo x86_64-a-b;; --version) echo slow 1;; *) sleep 60;; esac\n"
    )
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(unit, "_SECONDS", 1)
    with pytest.raises(InputError, match="took more than 1 s"):
        compile_unit(source, named_compiler(str(slow)), (), ())


@needs_gcc
def test_assembly_is_kept_until_an_included_file_changes(tmp_path: Path, own_cache: Path) -> None:
    header, file = tmp_path / "size.h", tmp_path / "main.c"
    header.write_text("#define N 10\n")
    file.write_text('#include "size.h"\nint f(void) { return N; }\n')
    gcc = named_compiler("gcc")
    texts = [compile_unit(file, gcc, ("-O2",), ()).text]
    header.write_text("#define N 11\n")
    unit._compiled.cache_clear()
    texts.append(compile_unit(file, gcc, ("-O2",), ()).text)
    unit._compiled.cache_clear()
    texts.append(compile_unit(file, gcc, ("-O2",), ()).text)
    assert "$10" in texts[0]
    assert "$11" in texts[1]
    assert texts[1] == texts[2]
    assert len(list((own_cache / "assembly").iterdir())) == 2


@needs_gcc
def test_flags_come_from_the_compilation_database(source: Path) -> None:
    entry = {"directory": str(source.parent), "file": source.name, "command": f"gcc -O1 -DN=77 -c {source.name} -o x.o"}
    (source.parent / "compile_commands.json").write_text(json.dumps([entry]))
    found = predict(read(f"{source}:both"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": "gcc"})
    assert any("gcc -O1 -DN=77" in text for text in found.assumptions)


def test_flags_of_the_result_are_left_out() -> None:
    assert usable_flags(["-O2", "-c", "-o", "a.o", "-MD", "-MF", "a.d", "-Iinclude"]) == ("-O2", "-Iinclude")


def test_a_compiler_of_another_instruction_set_is_not_used() -> None:
    assert usual_compiler("sparc") is None


def test_arguments_are_sizes_addresses_and_words() -> None:
    grid = Argument("g", "record", 16, ((0, Argument("nx", "integer", 4)), (8, Argument("u", "pointer"))))
    parameters = (
        Argument("n", "integer", 4), Argument("s", "float"), Argument("a", "pointer"), Argument("r", "rows"), grid,
        Argument("k", "integer"),
    )  # fmt: skip
    made = call_arguments(parameters, {"n": 5, "g.nx": 7})
    assert made is not None
    n, a, rows, struct, k = made.values
    words = dict(made.words)
    assert (n, k) == (5, None)
    assert a is not None
    assert rows is not None
    assert struct is not None
    assert words[struct] == 7
    starts = [words[rows + 8 * row] for row in range(7)]
    assert all(after - before >= 7 * 8 for before, after in itertools.pairwise(starts))
    assert len({a >> 33, starts[0] >> 33, words[struct + 8] >> 33}) == 3
    assert call_arguments((replace(grid, kind="other"),), {}) is None


def test_fortran_is_not_compiled(tmp_path: Path) -> None:
    file = tmp_path / "f.f90"
    file.write_text(
        "subroutine f(n, a)\n integer :: n, i\n real(8) :: a(n)\n do i = 1, n\n  a(i) = 1\n end do\nend subroutine\n"
    )
    loops, machine = read(file).facet(Loops), load("cascade-lake")
    code = CompiledCode(loops, machine, CpuModel().settings("default", {"cc": "none"}))
    with pytest.raises(NotFollowedError, match="only functions in C"):
        code.cycles(loops.nests[0], machine, {"n": 10})
