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
from foretell.codegen.compiled import installed, unit
from foretell.codegen.compiled.database import note_on_commands
from foretell.codegen.compiled.flags import usable_flags
from foretell.codegen.compiled.installed import Compiler, cpu_flag, named_compiler, usual_compiler, zig_compiler
from foretell.codegen.compiled.unit import compile_unit
from foretell.codegen.compilers.flags import DEFAULT_FLAGS
from foretell.core.nest.functions import Argument
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import SourceOptions, read_sources
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.compiled_code import CompiledCode, NotFollowedError
from foretell.models.cpu.incore.calls.call_arguments import call_arguments
from foretell.models.cpu.incore.calls.chosen_compiler import flags_for
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

#: gcc of an x86-64 host, elsewhere zig's clang
HAS_GCC = shutil.which("gcc") is not None and named_compiler("gcc").isa == "x86-64"
CC = "gcc" if HAS_GCC else "zig"
needs_compiler = pytest.mark.skipif(not HAS_GCC and zig_compiler("x86-64") is None, reason="needs a compiler of x86-64")


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


@needs_compiler
def test_cycles_of_nests_add_up_to_the_call(source: Path) -> None:
    loops, machine = read(f"{source}:both").facet(Loops), load("cascade-lake")
    options = {"cc": CC, "flags": "-O1 -march=haswell -DN=8"}
    code = CompiledCode(loops, machine, CpuModel().settings("default", options))
    fill, divide = (code.cycles(nest, machine, {"n": 4000}) for nest in loops.nests)
    assert fill.cycles < 2 * 4000  # a store each
    assert 8 * 4 * 4000 * 0.95 < divide.cycles < 8 * 4 * 4000 * 1.2  # a division each, one in four cycles
    executed = sum(count for _, count in (*fill.instructions, *divide.instructions))
    assert 8 * 3 * 4000 < executed < 8 * 10 * 4000


@needs_compiler
def test_an_undeclared_size_is_defined_for_the_compiler(source: Path) -> None:
    found = predict(read(f"{source}:sized"), load("cascade-lake"), parameters={"N": 5000.0}, options={"cc": CC})
    assert any("compiled code followed" in text and "-DN=5000" in text for text in found.assumptions)


@needs_compiler
def test_a_given_macro_with_a_default_reaches_the_compiler(tmp_path: Path) -> None:
    file = tmp_path / "defaults.c"
    file.write_text(
        "#ifndef N\n#define N 100000\n#endif\n"
        "double a[N];\nvoid f(void) {\n  for (int i = 0; i < N; i++)\n    a[i] *= 2;\n}\n"
    )
    given = read_sources([file], SourceOptions(values=(("N", "1000"),), kernel="f"))
    found = predict(given, load("cascade-lake"), options={"cc": CC})
    usual = predict(read(f"{file}:f"), load("cascade-lake"), options={"cc": CC})
    assert any("compiled code followed" in text and "-DN=1000" in text for text in found.assumptions)
    assert found.time_s < usual.time_s / 50


@needs_compiler
def test_what_is_not_followed_is_named_and_generated(tmp_path: Path) -> None:
    file = tmp_path / "whole.c"
    file.write_text(
        "struct s { double *a; };\nvoid f(int n, struct s s) { for (int i = 0; i < n; i++) s.a[i] *= 2; }\n"
    )
    found = predict(read(f"{file}:f"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": CC})
    (note,) = [text for text in found.assumptions if "not followed" in text]
    assert note.startswith("f, line 2: generated code")


@needs_compiler
def test_a_function_that_was_inlined_is_followed_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "gone.c"
    file.write_text(
        "static void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\nvoid g(double *a) { f(100, a); }\n"
    )
    found = predict(read(f"{file}:f"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": CC})
    assert any("compiled code followed" in text for text in found.assumptions)


@needs_compiler
def test_the_first_error_of_the_compiler_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bad.c"
    file.write_text(
        "void f(int n, double *a) {\n for (int i = 0; i < n; i++)\n  a[i] = 1;\n}\nint g(void) { return h; }\n"
    )
    result = run("predict", f"{file}:f", "-D", "n=10", "--on", "cascade-lake", "--cc", CC)
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


@needs_compiler
def test_a_compiler_that_hangs_is_stopped(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.write_text(
        "#!/bin/sh\ncase $1 in -dumpmachine) echo x86_64-a-b;; --version) echo slow 1;; *) sleep 60;; esac\n"
    )
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(unit, "_SECONDS", 1)
    with pytest.raises(InputError, match="took more than 1 s"):
        compile_unit(source, named_compiler(str(slow)), (), ())


@needs_compiler
def test_assembly_is_kept_until_an_included_file_changes(tmp_path: Path, own_cache: Path) -> None:
    header, file = tmp_path / "size.h", tmp_path / "main.c"
    header.write_text("#define N 10\n")
    file.write_text('#include "size.h"\nint f(void) { return N; }\n')
    compiler = named_compiler(CC, "x86-64")
    texts = [compile_unit(file, compiler, ("-O2",), ()).text]
    header.write_text("#define N 11\n")
    unit._compiled.cache_clear()
    texts.append(compile_unit(file, compiler, ("-O2",), ()).text)
    unit._compiled.cache_clear()
    texts.append(compile_unit(file, compiler, ("-O2",), ()).text)
    assert "$10" in texts[0]
    assert "$11" in texts[1]
    assert texts[1] == texts[2]
    assert len(list((own_cache / "assembly").iterdir())) == 1


@needs_compiler
def test_flags_come_from_the_compilation_database(source: Path) -> None:
    entry = {"directory": str(source.parent), "file": source.name, "command": f"gcc -O1 -DN=77 -c {source.name} -o x.o"}
    (source.parent / "compile_commands.json").write_text(json.dumps([entry]))
    found = predict(read(f"{source}:both"), load("cascade-lake"), parameters={"n": 100.0}, options={"cc": CC})
    assert any("-O1 -DN=77" in text for text in found.assumptions)


def test_flags_of_the_result_are_left_out() -> None:
    assert usable_flags(["-O2", "-c", "-o", "a.o", "-MD", "-MF", "a.d", "-Iinclude"]) == ("-O2", "-Iinclude")


def test_a_compiler_of_another_instruction_set_is_not_used() -> None:
    assert usual_compiler("sparc") is None


def _stand_in(folder: Path, name: str, target: str, cpus: str) -> None:
    """A compiler that knows its target and some CPUs."""
    file = folder / name
    text = f'#!/bin/sh\ncase "$1" in -dumpmachine) echo {target};; --version) echo {name} 1;; -m*=|{cpus}) exit 0;;'
    file.write_text(f"{text} *) exit 1;; esac\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def test_foreign_targets_go_to_a_cross_compiler_that_knows_the_cpu_or_to_zig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stand_in(tmp_path, "gcc", "aarch64-linux-gnu", "-mcpu=neoverse-n1")
    _stand_in(tmp_path, "x86_64-linux-gnu-gcc", "x86_64-linux-gnu", "-march=haswell")
    monkeypatch.setenv("PATH", str(tmp_path))
    installed._asked.cache_clear()
    own, cross = usual_compiler("aarch64", "neoverse-n1"), usual_compiler("x86-64", "haswell")
    assert own is not None
    assert cross is not None
    assert (own.command, own.foreign) == (("gcc",), False)
    assert (cross.command, cross.foreign) == (("x86_64-linux-gnu-gcc",), True)
    monkeypatch.setattr(installed, "zig_compiler", lambda isa: None)
    assert usual_compiler("x86-64", "znver4") is None
    installed._asked.cache_clear()


def test_zig_is_the_compiler_of_what_no_other_knows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert zig_compiler("sparc") is None
    monkeypatch.setattr(installed, "_first_line", lambda command: "clang version 22")
    zig = zig_compiler("aarch64")
    assert zig is not None
    assert zig.name == "zig clang"
    assert "--target=aarch64-linux-gnu" in zig.driver(cxx=False)
    assert not any("libcxx" in word for word in zig.driver(cxx=False))
    assert any("libcxx" in word for word in zig.driver(cxx=True))
    monkeypatch.setattr(installed, "_first_line", lambda command: "")
    assert zig_compiler("aarch64") is None


def test_a_cpu_is_selected_as_the_instruction_set_wants_it() -> None:
    assert cpu_flag("aarch64", "neoverse-n1") == "-mcpu=neoverse-n1"
    assert cpu_flag("x86-64", "znver4") == "-march=znver4"


@pytest.mark.parametrize(
    ("command", "driver"),
    [
        (("gcc-13",), ("g++-13",)),
        (("/opt/x86_64-linux-gnu-gcc", "-m64"), ("/opt/x86_64-linux-gnu-g++", "-m64")),
        (("clang",), ("clang++",)),
        (("cc",), ("c++",)),
        (("icx",), ("icx",)),
        (("/lib/zig", "clang", "--target=t"), ("/lib/zig", "clang", "--target=t")),
    ],
)
def test_the_driver_of_cxx_is_beside_that_of_c(command: tuple[str, ...], driver: tuple[str, ...]) -> None:
    assert Compiler(command, "1", "x86-64").driver(cxx=True) == driver


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


def test_fortran_needs_gfortran(tmp_path: Path) -> None:
    file = tmp_path / "f.f90"
    file.write_text(
        "subroutine f(n, a)\n integer :: n, i\n real(8) :: a(n)\n do i = 1, n\n  a(i) = 1\n end do\nend subroutine\n"
    )
    loops, machine = read(file).facet(Loops), load("cascade-lake")
    code = CompiledCode(loops, machine, CpuModel().settings("default", {"cc": "none"}))
    with pytest.raises(NotFollowedError, match="no gfortran is installed"):
        code.cycles(loops.nests[0], machine, {"n": 10})


def test_a_clang_that_stands_in_for_gcc_gets_its_habits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CFLAGS", raising=False)
    monkeypatch.setattr(installed, "_first_line", lambda command: "clang version 22")
    zig = usual_compiler("x86-64")
    assert zig is not None
    assert zig.substitute
    machine = load("zen4")
    settings = {"flags": "-O2 -march=native -mtune-ctrl=avoid_fma_chains", "compiler": "gcc"}
    words = flags_for(tmp_path / "f.c", zig, machine, settings)
    assert words[-2:] == ("-O2", "-march=znver4")
    assert {"-ffp-contract=off", "-fno-unroll-loops", "-fno-vectorize"} <= {*words}
    assert "-ffp-contract=fast" in flags_for(
        tmp_path / "f.c", zig, machine, {**settings, "flags": "-O3 -march=haswell"}
    )
    assert "-fno-vectorize" not in flags_for(tmp_path / "f.c", zig, machine, {**settings, "flags": "-O3"})
    assert flags_for(tmp_path / "f.c", zig, machine, {**settings, "compiler": "clang", "flags": "-O2"}) == ("-O2",)
    own = named_compiler("zig", "x86-64")
    assert flags_for(tmp_path / "f.c", own, machine, {**settings, "flags": "-O2"}) == ("-O2",)


def test_several_commands_of_a_file_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CFLAGS", raising=False)
    file = tmp_path / "k.c"
    file.write_text("void k(void) {}")
    database = tmp_path / "compile_commands.json"
    commands = [f"gcc -O2 -DN={n} -c k.c -o {n}.o" for n in (1, 1, 2)]
    database.write_text(json.dumps([{"directory": ".", "file": "k.c", "command": text} for text in commands]))
    settings = {"flags": DEFAULT_FLAGS, "compiler": "gcc"}
    (said,) = note_on_commands(file, DEFAULT_FLAGS)
    assert "has 2 commands of k.c: the first is taken" in said
    assert "-DN=1" in flags_for(file, Compiler(("gcc",), "gcc 13", "x86-64"), load("zen4"), settings)
    assert note_on_commands(file, "-O1") == ()
    database.write_text(json.dumps([{"directory": ".", "file": "k.c", "command": text} for text in commands[:2]]))
    assert note_on_commands(file, DEFAULT_FLAGS) == ()


_TURNING = """
typedef struct { float re, im; } number;
typedef struct { float v[2]; int n; } mixed;
void turn(int n, number *x, number by)
{
  for (int i = 0; i < n; i++) {
    number old = x[i];
    x[i].re = old.re * by.re - old.im * by.im;
    x[i].im = old.re * by.im + old.im * by.re;
  }
}
void scale(int n, float *x, mixed by)
{
  for (int i = 0; i < n; i++) x[i] *= by.v[0];
}
"""


@needs_compiler
def test_a_struct_of_floating_point_numbers_is_passed_in_vector_registers(tmp_path: Path) -> None:
    (tmp_path / "turn.c").write_text(_TURNING)
    options = {"cc": CC, "flags": "-O2 -march=haswell"}
    turned, scaled = (
        predict(read(f"{tmp_path}/turn.c:{name}"), load("cascade-lake"), parameters={"n": 4000}, options=options)
        for name in ("turn", "scale")
    )
    assert any("compiled code followed" in text for text in turned.assumptions)
    assert any("neither a number nor a pointer" in text for text in scaled.assumptions)


#: a loop for each of two states, which ends by data; both end with the text
_STATES = """\
\t.file 1 "states.c"
states:
\t.loc 1 4
\txorl %eax, %eax
\txorl %edx, %edx
.L1:
\t.loc 1 6
\tcmpb $42, (%rsi,%rax)
\tje .L3
.L2:
\tincq %rax
\tcmpq %rdi, %rax
\tjne .L1
\tret
.L3:
\t.loc 1 8
\tincl %edx
\tincq %rax
\tcmpq %rdi, %rax
\tje .L4
\tcmpb $47, (%rsi,%rax)
\tje .L2
\tjmp .L3
.L4:
\tret
"""
_MACHINE_OF_STATES = """\
int states(long n, const char *text)
{
  int state = 0, count = 0;
  for (long i = 0; i < n; i++)
    if (state == 0) {
      if (text[i] == '*') state = 1;
    } else {
      count++;
      if (text[i] == '/') state = 0;
    }
  return count;
}
"""


def test_loops_of_the_code_that_end_by_data_are_followed_where_those_of_the_source_are_counted(tmp_path: Path) -> None:
    (tmp_path / "states.c").write_text(_MACHINE_OF_STATES)
    (tmp_path / "states.s").write_text(_STATES)
    options, parameters = {"asm": str(tmp_path / "states.s")}, {"n": 30_000}
    answer = predict(read(f"{tmp_path}/states.c"), load("sapphire-rapids"), parameters=parameters, options=options)
    assert any("compiled code followed" in text for text in answer.assumptions), answer.assumptions
    searching = _MACHINE_OF_STATES.replace("i++)", "i++) {", 1).replace(
        "  return", "  if (text[i] == 0) break; }\n  return"
    )
    (tmp_path / "states.c").write_text(searching)
    answer = predict(read(f"{tmp_path}/states.c"), load("sapphire-rapids"), parameters=parameters, options=options)
    assert any("data end the loop: it is taken to go round" in text for text in answer.assumptions), answer.assumptions
