"""Parts of a program: functions, lines, several files, macros, compilation databases, files that are not read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, OptionError, UnsupportedError
from foretell.frontends import Reader, SourceOptions, file_and_function, read, read_options, read_sources, unreadable

if TYPE_CHECKING:
    from pathlib import Path

CODE = """\
static double t[9];

void first(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

void second(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] += t[j % 9]
                * 2;
    first(n, a);
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "two.c").write_text(CODE)
    return tmp_path / "two.c"


def functions(code: str | Path) -> tuple[str, list[str]]:
    found = read(code)
    return found.name, [nest.function for nest in found.facet(Loops).nests]


def test_a_function_has_its_callees(file: Path) -> None:
    assert functions(f"{file}:first") == ("first", ["first"])
    assert functions(f"{file}:second") == ("second", ["first", "second"])
    assert functions(file) == ("second", ["first", "second"])  # the only one that nobody calls


def test_a_size_that_macros_use_may_be_a_parameter(tmp_path: Path) -> None:
    """`-D nx=40` is the macro nx of one function's extents, and the parameter nx of another's."""
    of_parameter, of_macro = tmp_path / "p.c", tmp_path / "m.c"
    of_parameter.write_text(
        "#define AT(a, i, j) a[(j) * (nx + 1) + (i)]\nvoid f(int nx, int ny, double *u)\n{\n"
        "for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++) AT(u, i, j) = 1;\n}\n"
    )
    of_macro.write_text(
        "#define SIZE (2 * nx)\ndouble u[SIZE];\nvoid f(void) { for (int i = 0; i < SIZE; i++) u[i] = 1; }\n"
    )
    given = SourceOptions(values=(("nx", "40"), ("ny", "30")))
    assert [str(loop.trips) for loop in read_sources([of_parameter], given).facet(Loops).nests[0].loops] == ["30", "40"]
    of = read_sources([of_macro], SourceOptions(values=(("nx", "40"),))).facet(Loops)
    assert [str(loop.trips) for loop in of.nests[0].loops] == ["80"]


def test_a_line_is_its_loop(file: Path) -> None:
    assert functions(f"{file}:12") == ("second:12", ["second"])
    assert functions(f"{file}:11") == ("second:11", ["second"])
    assert functions(f"{file}:13") == ("second:12", ["second"])
    assert functions(f"{file}:3") == ("first", ["first"])
    with pytest.raises(InputError, match="no function and no loop in line 1"):
        read(f"{file}:1")


def test_what_there_is_instead(file: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'second'"):
        read(f"{file}:secnd")
    with pytest.raises(InputError, match="loops of second are in line 11, 12"):
        read(f"{file}:second:99")
    with pytest.raises(OptionError, match="several functions"):
        read_sources([f"{file}:first", f"{file}:second"])
    assert file_and_function(f"{file}:second:12") == (str(file), "second:12")


def test_main_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "prog.c").write_text(CODE + "int main(void) { static double b[9]; second(9, b); return 0; }\n")
    assert read(tmp_path / "prog.c").name == "prog"


def test_several_files_are_one_program(tmp_path: Path, file: Path) -> None:
    caller = tmp_path / "caller.c"
    caller.write_text(
        "void second(int, double *);\nvoid all(double *a) { for (int k = 0; k < 3; k++) second(9, a); }\n"
    )
    found = Reader([caller, file]).workload()
    assert {nest.function for nest in found.facet(Loops).nests} >= {"first", "second"}
    with pytest.raises(InputError, match="no such file"):
        Reader([caller, tmp_path / "nosuch.c"])
    (tmp_path / "w.toml").write_text("")
    with pytest.raises(InputError, match="is no C or Fortran"):
        Reader([caller, tmp_path / "w.toml"])


def test_macros_and_folders_of_flags(tmp_path: Path) -> None:
    code = tmp_path / "m.c"
    code.write_text('#include "s.h"\nvoid f(double *a) { for (int i = 0; i < N * M; i++) a[i] = 0; }\n')
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc/s.h").write_text("#define M 2\n")
    found = read(code, read_options(cflags=f"-DN=8 -I{tmp_path}/inc -O2"))
    assert found.facet(Loops).nests[0].trips.constant == 16
    by_name = read(code, read_options(cflags=f"-I{tmp_path}/inc", macros={"N": "4"}))
    assert by_name.facet(Loops).nests[0].trips.constant == 8
    assert by_name.parameters["N"] == 4
    with pytest.raises(InputError, match="cannot be split"):
        read(code, read_options(cflags="-D'N"))


def test_a_macro_that_the_file_fixes(tmp_path: Path) -> None:
    code = tmp_path / "m.c"
    code.write_text("#define N 8\nvoid f(double *a) { for (int i = 0; i < N; i++) a[i] = 0; }\n")
    with pytest.raises(InputError, match=r"m.c:1: -D N: the file itself defines N"):
        read(code, read_options(macros={"N": "4"}))
    code.write_text("#ifndef N\n#define N 8\n#endif\nvoid f(double *a) { for (int i = 0; i < N; i++) a[i] = 0; }\n")
    assert read(code, read_options(macros={"N": "4"})).facet(Loops).nests[0].trips.constant == 4


def test_the_database_beside_a_file(tmp_path: Path) -> None:
    code = tmp_path / "m.c"
    code.write_text("void f(double *a) { for (int i = 0; i < N; i++) a[i] = 0; }\n")
    (tmp_path / "build").mkdir()
    entry = {"directory": str(tmp_path), "file": "m.c", "command": "gcc -DN=12 -c m.c"}
    (tmp_path / "build/compile_commands.json").write_text(json.dumps([entry]))
    assert read(code).facet(Loops).nests[0].trips.constant == 12
    other = tmp_path / "other.c"
    other.write_text("void g(double *a) { for (int i = 0; i < 3; i++) a[i] = 0; }\n")
    assert read(other).facet(Loops).nests[0].trips.constant == 3


def test_programs_for_cpus_and_other_binaries(tmp_path: Path) -> None:
    program = tmp_path / "a.out"
    program.write_bytes(b"\x7fELF" + bytes(14) + (62).to_bytes(2, "little") + bytes(40))
    with pytest.raises(UnsupportedError, match="is a program for CPUs"):
        Reader(program)
    program.write_bytes(b"\x7fELF" + bytes(14) + (62).to_bytes(2, "little") + b".nv_fatbin")
    with pytest.raises(OptionError, match="needs its launch"):
        Reader(program)
    program.write_bytes(b"\x7fELF" + bytes(14) + (190).to_bytes(2, "little"))
    unreadable.check_machine_code(program)
    unreadable.check_machine_code(tmp_path / "nosuch.cubin")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    program = tmp_path / "a.cubin"
    program.write_bytes(b"\x7fELF")
    program.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        unreadable.check_machine_code(program)


HELPER = """static void scale(float *x, int n, int stride, float c) {
  for (int i = 0; i + stride < n; i++) x[i + stride] = c * x[i + stride] + x[i];
}
void each(float *x, int m, int n, float c) {
  for (int k = 0; k < m; k++) scale(x + k * n, n, 4, c);
}
"""


def test_a_function_that_is_expanded_at_every_call_can_be_asked_for(tmp_path: Path) -> None:
    """Without it being asked for, its loops are those of its callers."""
    file = tmp_path / "helper.c"
    file.write_text(HELPER)
    assert [(nest.function, nest.line) for nest in read(f"{file}:scale").facet(Loops).nests] == [("scale", 2)]
    assert {nest.function for nest in read(f"{file}:each").facet(Loops).nests} == {"each"}
    assert {nest.function for nest in read(file).facet(Loops).nests} == {"each"}
