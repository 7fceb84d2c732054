"""Kernels that are compiled and run here: arguments, programs, chunks, cases."""

from __future__ import annotations

import platform
import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell.codegen.compilers.host import named, spelled
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends import read
from foretell.machines import load
from foretell.uses.measure import Build, Case, Earlier, Request, measure_cases, recorded, recording, suite
from foretell.uses.measure.compile_and_run import compiled, own_assembly
from foretell.uses.measure.harness import Array, Number, arguments, command_line, program, reach
from foretell.uses.measure.timing import Best, call_time
from foretell.uses.validate import KERNELS, compare, validate

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
ADD = "void add(int n, double s, double *a) { for (int i = 0; i < n; i++) a[i] = a[i] + s; }\n"


def source(tmp_path: Path, text: str) -> tuple[Path, Workload]:
    path = tmp_path / "k.c"
    path.write_text(text)
    return path, read(path)


def given(workload: Workload, **values: int) -> tuple[Number | Array, ...]:
    return arguments(workload.facet(Loops), suite.function_of(workload, None), values)


def test_every_shipped_kernel_has_arguments_and_sizes() -> None:
    machine = load("neoverse-n1")
    names = set()
    for path in suite.shipped():
        workload = read(path)
        function = suite.function_of(workload, None)
        assert function.name == path.stem
        found = suite.sizes(workload, function, machine)
        assert set(found) <= {"L1", "L2", "L3", "memory"}
        values = [size for _, size in found.values()]
        assert values == sorted(values)
        names.add(path.stem)
    assert len(names) >= 30


OUTSIDE = """
struct pair { double x; int k; };
void sum(long n, const double *a, double *out, int *where, %s *third)
{
    double s = 0.0;
    for (long i = 0; i < n; i++)
        s += a[i];
    out[0] = s;
    where[n - 1] = 3;
    third->x = s;
}
"""


def test_arrays_that_no_loop_touches_are_as_large_as_the_others(tmp_path: Path) -> None:
    _, workload = source(tmp_path, OUTSIDE.replace(", %s *third", "").replace("third->x = s;", ""))
    assert given(workload, n=9000)[1:] == (
        Array("a", "double", 9000),
        Array("out", "double", 9000),
        Array("where", "int32_t", 9000),
    )
    assert [item.elements for item in given(workload, n=5)[1:] if isinstance(item, Array)] == [5, 4096, 4096]


def test_records_that_no_loop_touches_are_refused_with_a_way_out(tmp_path: Path) -> None:
    _, workload = source(tmp_path, OUTSIDE.replace("%s", "struct pair"))
    with pytest.raises(UnsupportedError, match="'third': elements of type record") as error:
        given(workload, n=9000)
    assert "arrays of numbers" in str(error.value.hint)


def test_arrays_reach_as_far_as_the_loops() -> None:
    nest = read(KERNELS / "jacobi5.c").facet(Loops).nests[0]
    u, v = nest.arrays
    # Brute force over the iteration space
    n = 9
    touched = {
        (j + dj) * n + i + di
        for j in range(1, n - 1)
        for i in range(1, n - 1)
        for dj, di in ((0, 1), (0, -1), (1, 0), (-1, 0))
    }
    assert reach(nest, u if u.reads else v, {"n": n}) == max(touched) + 1
    assert reach(nest, v if u.reads else u, {"n": n}) == (n - 2) * n + n - 2 + 1


def test_rows_that_are_empty_at_first_do_not_begin_before_their_array(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        "void lower(int n, double a[n][n], double *x) {"
        " for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) x[i] -= a[i][j] * x[j]; }\n"
        "void back(int n, double a[n][n], double *x) {"
        " for (int i = n - 1; i >= 0; i--) for (int j = n - 1; j > i; j--) x[i] -= a[i][j] * x[j]; }"
    )
    for nest, last in zip(read(path).facet(Loops).nests, (9 * 10 + 8, 9 * 10 + 9), strict=True):
        matrix = next(array for array in nest.arrays if array.name == "a")
        assert reach(nest, matrix, {"n": 10}) == last + 1


def test_arguments_by_kind(tmp_path: Path) -> None:
    _, workload = source(tmp_path, ADD)
    assert given(workload, n=10) == (
        Number("n", "int64_t", "10"),
        Number("s", "double", "0.5"),
        Array("a", "double", 10),
    )
    gather = read(KERNELS / "gather.c")
    index = given(gather, n=50)[1]
    assert index == Array("p", "int32_t", 50, 0, 50)
    assert index.bytes == 200
    assert command_line(given(gather, n=50)) == ["50", "50", "0", "50", "50", "0", "0", "50", "0", "0"]
    single = read(KERNELS / "saxpy.c")
    assert [item.c_type for item in given(single, n=5)] == ["int64_t", "float", "float", "float"]


def test_what_cannot_be_called_is_refused(tmp_path: Path) -> None:
    _, unknown = source(
        tmp_path,
        "void f(int n, double *y, const double *x, const int *p) { for (int i = 0; i < n; i++) y[i] = x[p[i]]; }",
    )
    with pytest.raises(UnsupportedError, match="how far its irregular accesses reach"):
        given(unknown, n=5)
    _, before = source(tmp_path, "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i - 1] = 0; }")
    with pytest.raises(UnsupportedError, match="before its first element"):
        given(before, n=5)
    twice = "for (int k = 0; k < m; k++) for (int i = 0; i < n; i++) a[i] += 1;"
    _, many = source(tmp_path, f"void f(int n, int m, double *a) {{ {twice} }}")
    with pytest.raises(InputError, match="without a value: m"):
        given(many, n=5)
    for kind, element in (("struct p *", "a[i].x"), ("struct p *", "a[i].v[1]"), ("double **", "a[i][2]")):
        loop = f"for (int i = 0; i < n; i++) {element} = 0;"
        _, structs = source(tmp_path, f"struct p {{ double x, v[2]; }}; void f(int n, {kind}a) {{ {loop} }}")
        with pytest.raises(UnsupportedError, match="cannot be filled"):
            given(structs, n=5)
    _, two = source(tmp_path, ADD + ADD.replace("add", "again"))
    with pytest.raises(InputError, match="choose one with --function"):
        suite.function_of(two, None)
    with pytest.raises(InputError, match="no function 'third'"):
        suite.function_of(two, "third")
    assert suite.function_of(two, "again").name == "again"
    _, sizes = source(tmp_path, "void f(int n, int m, double *a) { for (int i = 0; i < n + m; i++) a[i] = 0; }")
    with pytest.raises(InputError, match="one parameter"):
        suite.sizes(sizes, suite.function_of(sizes, None), load("neoverse-n1"))
    assert {
        name for name, _ in suite.sizes(sizes, suite.function_of(sizes, None), load("neoverse-n1"), {"m": 5}).values()
    } == {"n"}


BLEND = """void blend(int n, const unsigned char *a, unsigned char *b, int alpha, float gain) {
    for (int i = 0; i < n; i++) b[i] = (alpha * a[i] + (255 - alpha) * b[i]) >> 8;
    for (int i = 0; i < n; i++) b[i] = gain * b[i];
}"""


def test_arguments_that_no_loop_depends_on(tmp_path: Path) -> None:
    _, workload = source(tmp_path, BLEND)
    function = suite.function_of(workload, None)
    loops = workload.facet(Loops)
    usual = {one.name: one for one in arguments(loops, function, {"n": 100}) if isinstance(one, Number)}
    assert (usual["alpha"].value, usual["gain"].value) == ("3", "0.5")
    chosen = arguments(loops, function, {"n": 100, "alpha": 7, "gain": 0.25})
    assert {one.name: one.value for one in chosen if isinstance(one, Number)} == {
        "n": "100",
        "alpha": "7",
        "gain": "0.25",
    }
    with pytest.raises(InputError, match="without a value: n"):
        arguments(loops, function, {"alpha": 7})


@needs_gcc
def test_a_weight_is_measured_with_and_a_size_is_chosen(tmp_path: Path) -> None:
    """`-D alpha=7` alone: sizes for every level; the prediction is not asked about alpha."""
    path, _ = source(tmp_path, BLEND)
    machine = load("neoverse-n1")
    request = Request(
        machine,
        (Build("gcc", ("-O1",)),),
        (path,),
        points=({"alpha": 7.0},),
        threads=(1,),
        seconds=0.001,
        rounds=1,
        patience=0.0,
    )
    cases, _ = measure_cases(request)
    assert [case.where for case in cases] == [*machine.levels, "memory"]
    assert all(case.parameters["alpha"] == 7 and "alpha" in case.name for case in cases)
    assert all(set(recorded(case, machine, {}).parameters) == {"n", "threads"} for case in cases)
    with pytest.raises(
        InputError, match=r"no parameter 'alpah' \(did you mean 'alpha'\?\)\n  parameters: alpha, gain, n, threads"
    ):
        measure_cases(replace(request, points=({"alpah": 7.0},)))


@needs_gcc
def test_a_program_calls_the_function_and_writes_chunks(tmp_path: Path) -> None:
    path, workload = source(tmp_path, ADD + "int main(void) { return 1; }\n")
    function = next(info for info in workload.facet(Loops).functions if info.name == "add")
    arguments_ = arguments(workload.facet(Loops), function, {"n": 2000})
    made = compiled(tmp_path, path, function, arguments_, Build("gcc", ("-O1",)), 1)
    samples = [made.run(arguments_, 0.02) for _ in range(2)]
    timing = call_time(samples, Best.of(samples), load("neoverse-n1"))
    assert 1e-8 < timing.seconds < 1e-3  # 2000 additions
    assert timing.chunks >= 3
    assert all(len(sample.first_checks) >= 8 for sample in samples)
    looked = samples[0].chunks[:, 3:] > 0
    assert (looked == [True, True, False, True, True, False]).all()
    beyond = made.run(arguments_, 0.02, beyond=True)
    assert (beyond.chunks[:, 3:] > 0).all()
    assert 1 in Best.of([*samples, beyond]).memory


@needs_gcc
@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_fortran_is_called_by_reference(tmp_path: Path) -> None:
    path = KERNELS / "fortran_triad.f90"
    workload = read(path)
    function = suite.function_of(workload, None)
    numbers = arguments(workload.facet(Loops), function, {"n": 5000})
    assert compiled(tmp_path, path, function, numbers, Build("gcc", ("-O1",)), 1).run(numbers, 0.01).chunks.size


@needs_gcc
def test_cases_are_measured_recorded_and_compared(tmp_path: Path) -> None:
    path, _ = source(tmp_path, ADD)
    machine = load("neoverse-n1")
    request = Request(
        machine,
        (Build("gcc", ("-O1",)),),
        (path,),
        points=({"n": 500.0},),
        threads=(1,),
        seconds=0.01,
        patience=1.0,
        rounds=2,
        own_code=tmp_path,
    )
    seen: list[str] = []
    rounds: list[float] = []
    cases, refused = measure_cases(request, seen.append, lambda found: rounds.append(found[0].seconds))
    assert len(rounds) >= 2
    assert rounds[-1] == cases[0].seconds
    assert not refused
    assert [case.name for case in cases] == ["gcc add n=500 threads=1"]
    assert any("compiling" in what for what in seen)
    answer = compare("cpu", "here", [recorded(case, machine, {}) for case in cases])
    assert answer.points[0].measured_s == cases[0].seconds
    assert answer.points[0].interval_s is not None
    assert set(answer.summary) == {"gcc", f"gcc {answer.points[0].set}"}
    assert "add:" in (tmp_path / "add-gcc.s").read_text()
    file = tmp_path / "recorded.toml"
    file.write_text(recording(cases, machine, "neoverse-n1"))
    again = validate(file)
    assert again.points[0].predicted_s == pytest.approx(answer.points[0].predicted_s)
    assert again.points[0].measured_s == pytest.approx(cases[0].seconds, rel=1e-5)


@needs_gcc
@pytest.mark.skipif(platform.machine() != "x86_64", reason="predicts for x86-64")
def test_the_compilers_own_code_is_predicted_beside(tmp_path: Path) -> None:
    """The code of one thread; a loop that became a call of memcpy takes the time of its bytes."""
    machine, build = load("sapphire-rapids"), Build("gcc", ("-O3", "-march=haswell"))
    names = ("outer", "copy")
    cases = [
        Case(str(KERNELS / f"{name}.c"), name, build, {"n": 54.0, "threads": 1.0}, "L1", 1e-7, 9) for name in names
    ]
    for name, case in zip(names, cases, strict=True):
        function = suite.function_of(read(KERNELS / f"{name}.c"), None)
        own = own_assembly(tmp_path, KERNELS / f"{name}.c", function, build)
        cases[names.index(name)] = replace(case, assembly=own)
    answer = compare("cpu", "here", [recorded(case, machine, {}) for case in cases])
    outer, copy = answer.points
    assert outer.beside_s["own code"] == pytest.approx(outer.predicted_s, rel=0.2)
    assert outer.beside_s["own code"] != outer.predicted_s
    vectors = 54 * 16 / 64  # read and written
    assert copy.beside_s["own code"] >= vectors / 3 / machine.value("clock.frequency")
    assert answer.beside["own code"]["gcc"].n == 2


def test_a_recording_names_shipped_kernels() -> None:
    case = Case(str(KERNELS / "triad.c"), "triad", Build("gcc"), {"n": 10.0, "threads": 1.0}, "L1", 1e-6, 9)
    text = recording([case], load("neoverse-n1"), "machine.toml")
    assert re.search(r'workload = "kernel:triad.c"', text)
    # `native` is spelled as the compiler of this machine means it: it would mean another CPU elsewhere.
    assert (
        f'options = {{ compiler = "{named("gcc")}", flags = "{" ".join(spelled(["-O3", "-march=native"], "gcc"))}" }}'
        in text
    )
    assert case.name.endswith("(L1)")


def test_a_recording_has_what_all_cases_share_once() -> None:
    case = Case(str(KERNELS / "triad.c"), "triad", Build("gcc"), {"n": 10.0, "threads": 1.0}, "L1", 1e-6, 9)
    larger = replace(case, parameters={"n": 20.0, "threads": 1.0})
    text = recording([case, larger], load("neoverse-n1"), "machine.toml")
    assert text.count("machine.toml") == text.count("options") == 1
    mixed = recording([case, replace(larger, build=Build("gcc", ("-O2",)))], load("neoverse-n1"), "machine.toml")
    assert mixed.count("machine.toml") == 1
    assert mixed.count("options") == 2


def test_a_recording_counts_as_an_earlier_round(tmp_path: Path) -> None:
    case = Case(str(KERNELS / "triad.c"), "triad", Build("gcc"), {"n": 10.0, "threads": 1.0}, "L1", 3e-6, 9)
    slower, other = replace(case, seconds=4e-6), replace(case, function="else", seconds=5e-6)
    file = tmp_path / "earlier.toml"
    file.write_text(recording([case], load("neoverse-n1"), "machine.toml"))
    assert [one.seconds for one in Earlier.read(file).joined([slower, other])] == [3e-6, 5e-6]
    assert [one.seconds for one in Earlier.read(file).joined([replace(case, seconds=2e-6)])] == [2e-6]
    disturbed = replace(case, seconds=2e-6, disturbed=True)
    assert Earlier.read(file).joined([disturbed]) == (case,)  # shorter, but not what the machine does by itself
    file.write_text(recording([disturbed], load("neoverse-n1"), "machine.toml"))
    assert Earlier.read(file).joined([slower]) == (slower,)
    assert Earlier.read(file).joined([replace(slower, disturbed=True)]) == (disturbed,)
    assert Earlier.read(tmp_path / "none.toml").joined([other]) == (other,)
    with pytest.raises(InputError, match="not measured now, such as 'gcc triad"):
        Earlier.read(file).joined([other])


@needs_gcc
def test_failures_have_the_compilers_message(tmp_path: Path) -> None:
    path, _ = source(tmp_path, ADD)
    machine = load("neoverse-n1")
    base = Request(machine, (Build("gcc", ("-march=nonsense",)),), (path,), points=({"n": 5.0},), threads=(1,))
    with pytest.raises(InputError, match="nonsense"):
        measure_cases(base)
    with pytest.raises(ToolError, match="no compiler 'nocc'"):
        Build("nocc").command("c", 1)
    assert Build("gcc").command("c", 2)[-1] == "-fopenmp"


@needs_gcc
def test_what_cannot_run_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = load("neoverse-n1")
    crash, good, leave = tmp_path / "crash.c", tmp_path / "good.c", tmp_path / "leave.c"
    leave.write_text("#include <stdlib.h>\n" + ADD.replace("add", "leave").replace("; }", "; exit(0); }"))
    crash.write_text(ADD.replace("add", "crash").replace("a[i] + s", "*(double *)0 + a[i]"))
    good.write_text(ADD)
    bad = tmp_path / "bad.c"
    bad.write_text("int f(int x) { return x; }")
    monkeypatch.setattr(suite, "shipped", lambda: (bad, crash, leave, good))
    request = Request(
        machine, (Build("gcc", ("-O1",)),), points=({"n": 50.0},), threads=(1,), seconds=0.01, rounds=1, patience=1.0
    )
    cases, refused = measure_cases(request)
    assert [case.function for case in cases] == ["add"]
    assert [entry.name for entry in refused] == ["bad.c", "gcc crash n=50 threads=1", "gcc leave n=50 threads=1"]
    assert "SIGSEGV" in refused[1].reason
    assert "ended the program" in refused[2].reason
    monkeypatch.setattr(suite, "shipped", lambda: (bad,))
    with pytest.raises(ToolError, match="nothing could be measured; bad"):
        measure_cases(request)
    monkeypatch.setattr(suite, "shipped", lambda: (good,))
    broken = Request(machine, (Build("gcc", ("-march=nonsense",)),), points=({"n": 50.0},), threads=(1,))
    with pytest.raises(ToolError, match="nonsense"):
        measure_cases(broken)


def test_the_program_keeps_out_of_the_sources_names() -> None:
    workload = read(KERNELS / "fill.c")
    text = program("/k.c", "fill", "c", given(workload, n=3))
    names = re.findall(r"^(?:static|int)[^=;(]*?\b(\w+)\(", text, re.MULTILINE)
    assert names
    assert all(name.startswith("foretell_") or name == "main" for name in names)


@pytest.mark.parametrize(("language", "name"), [("c", "gcc-13"), ("c++", "g++-13"), ("fortran", "gfortran-13")])
def test_other_languages_have_the_compiler_beside(tmp_path: Path, language: str, name: str) -> None:
    folder = tmp_path / "gcc13" / "bin"  # whose name is none of a compiler
    folder.mkdir(parents=True)
    for one in ("gcc-13", "g++-13", "gfortran-13"):
        (folder / one).touch(mode=0o755)
    command = Build(f"{folder / 'gcc-13'} -fno-plt", ("-O2",)).command(language, 1)
    assert command == [str(folder / name), "-fno-plt", "-O2"]
