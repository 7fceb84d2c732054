"""The suite of functions in the styles of other codes: what it holds, the programs around it, and its recordings."""

from __future__ import annotations

import platform
import re
import shutil
import threading
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from foretell.errors import InputError, ToolError
from foretell.machines import load
from foretell.uses.error_statistics import set_of
from foretell.uses.measure import Build, Case, Earlier, Request, cases, cpu_choice, measure_cases, recorded, recording
from foretell.uses.measure.compile_and_run import linked
from foretell.uses.measure.style_suite import STYLES, Datum, styles
from foretell.uses.profiling.limited_run import Limits, run
from foretell.uses.validate import compare, validate

SUITE = tuple(styles())
ROOT = Path(__file__).parents[4]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def smallest(name: str) -> Request:
    """A request for one function at its smallest size, as quick as it can be."""
    build = Build("gcc", ("-O1",))
    return Request(
        load("cascade-lake"), (build,), function=name, threads=(1,), seconds=0.01, rounds=1, patience=0.0,
        suite="styles", levels=frozenset({"L1"}),
    )  # fmt: skip


def test_the_suite_is_large_and_split() -> None:
    names = {style.name for style in SUITE}
    assert len(names) >= 100
    assert {style.language for style in SUITE} == {"c", "c++", "fortran"}
    halves = Counter(set_of(name) for name in names)
    assert min(halves.values()) > 0.35 * len(names)
    assert {"L1", "L2", "L3", "memory"} == {style.where for style in SUITE}


def test_sizes_grow_and_fit_their_level() -> None:
    for name in {style.name for style in SUITE}:
        sizes = [style.bytes for style in SUITE if style.name == name]
        assert sizes == sorted(set(sizes)), name
        assert sizes[0] <= 24_000, name
        assert len({(*style.sizes.values(), *style.macros.values()) for style in SUITE if style.name == name}) == len(
            sizes
        )


def test_every_function_of_the_sources_is_called() -> None:
    called = {(style.file.name, style.function) for style in SUITE}
    for path in sorted(STYLES.glob("*.c")):
        defined = re.findall(
            r"^(?!static|typedef|struct \w+ \{)[a-zA-Z_][\w *]*?(\w+)\([^;{]*\) \{$", path.read_text(), re.M
        )
        assert defined, path.name
        assert {(path.name, name) for name in defined} == {one for one in called if one[0] == path.name}


def test_data_are_parsed() -> None:
    rows = Datum.parsed("double *a[m][n] = R() / n")
    assert (rows.c_type, rows.extents, rows.fill) == ("double", ("m", "n"), "R() / n")
    cube = Datum.parsed("double **r[2*m][2*m][2*m]")
    assert (cube.c_type, len(cube.extents), cube.fill) == ("double", 3, "R()")
    pointers = Datum.parsed("Shape * each[n] = 0")
    assert (pointers.c_type, pointers.extents) == ("Shape *", ("n",))
    assert not pointers.is_numeric
    assert Datum.parsed("A[N*N] = R()").is_global
    assert Datum.parsed("struct csr A = (struct csr){n, x}").fill == "(struct csr){n, x}"
    with pytest.raises(InputError, match="neither an array nor a value"):
        Datum.parsed("nonsense")


def random_numbers(count: int) -> list[float]:
    """The numbers that `R()` gives at the start of a program, by the definition of Marsaglia's generator."""
    x, found = 88172645463325252, []
    for _ in range(count):
        x ^= x << 13 & (1 << 64) - 1
        x ^= x >> 7
        x ^= x << 17 & (1 << 64) - 1
        found.append((x >> 11) * 2.0**-53)
    return found


@needs_gcc
def test_a_program_computes_what_the_function_does(tmp_path: Path) -> None:
    style = next(style for style in SUITE if style.name == "prefix_flat")
    program = linked(tmp_path / "p", style.text, style.file, "c", ["gcc", "-O1"], 1)
    words = [str(tmp_path / "chunks"), str(tmp_path / "alone"), "0", "0", str(style.sizes["n"])]
    said = run([str(program.binary), *words], Limits(seconds=20)).text.strip()
    expected = random_numbers(style.sizes["n"])
    for place in range(1, len(expected)):
        expected[place] += 0.5 * expected[place - 1]
    assert float(said.removeprefix("checksum ")) == pytest.approx(sum(expected), rel=1e-10)


@needs_gcc
@pytest.mark.parametrize("name", ["relax_rows", "grid_relax", "adi_global", "folded_maximum", "masked_update"])
def test_functions_of_every_style_are_measured(name: str) -> None:
    if name == "masked_update" and shutil.which("gfortran") is None:
        pytest.skip("needs gfortran")
    found, refused = measure_cases(smallest(name))
    assert not refused
    assert [case.function for case in found] == [name]
    assert 1e-8 < found[0].seconds < 1e-2


@needs_gcc
def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request, file = smallest("grid_relax"), tmp_path / "recorded.toml"
    found, _ = measure_cases(request)
    quiet = [replace(found[0], disturbed=False)]
    file.write_text(recording(quiet, request.machine, "cascade-lake"))
    earlier = Earlier.read(file)
    monkeypatch.setattr(cases, "linked", lambda *_: pytest.fail("compiled again"))
    again, refused = measure_cases(replace(request, done=earlier.undisturbed))
    assert not refused
    assert again[0].name == found[0].name
    assert again[0].seconds == pytest.approx(found[0].seconds, rel=1e-6)
    file.write_text(recording([replace(found[0], disturbed=True)], request.machine, "cascade-lake"))
    assert not Earlier.read(file).undisturbed


@needs_gcc
def test_what_the_time_does_not_allow_is_named() -> None:
    with pytest.raises(ToolError, match="no time was left"):
        measure_cases(replace(smallest("grid_relax"), budget=0.0))
    with pytest.raises(InputError, match="one thread"):
        measure_cases(replace(smallest("grid_relax"), threads=(1, 2)))


def test_a_recording_is_predicted_again(tmp_path: Path) -> None:
    """Members of structs and macros come back as they were; both functions are of the tuning set."""
    machine, build = load("cascade-lake"), Build("gcc", ("-O3", "-march=haswell"))
    chosen = [style for style in SUITE if style.name in ("grid_relax", "adi_global") and style.where == "L1"]
    made = [
        Case(
            f"{style.file}:{style.function}", style.name, build, {**style.parameters, "threads": 1.0}, "L1", 1e-6, 9,
            macros=style.macros,
        )
        for style in chosen
    ]  # fmt: skip
    assert all(set_of(case.function) == "tuning" for case in made)
    direct = compare("cpu", "here", [recorded(case, machine, {}) for case in made])
    file = tmp_path / "recorded.toml"
    file.write_text(recording(made, machine, "cascade-lake"))
    assert '"g.nx" = 27' in file.read_text()
    assert 'workload = "styles:globals.c:adi_global"' in file.read_text()
    again = validate(file)
    assert [point.predicted_s for point in again.points] == [point.predicted_s for point in direct.points]


def test_several_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_choice, "one_of_each_core", lambda cpus: list(range(8)))
    seen: list[tuple[int, int | None]] = []
    meeting = threading.Barrier(2, timeout=20)

    def work(item: int, cpu: int | None) -> None:
        meeting.wait()  # only two at once get through
        seen.append((item, cpu))

    assert sorted(cpu_choice.at_once(range(6), 2, work)) == list(range(6))
    assert {cpu for _, cpu in seen} == {0, 4}
    assert list(cpu_choice.at_once([1, 2], 1, lambda item, cpu: seen.append((item, cpu)))) == [1, 2]
    assert seen[-2:] == [(1, None), (2, None)]
    with pytest.raises(ZeroDivisionError):
        list(cpu_choice.at_once([0, 0], 2, lambda item, cpu: seen.append((1 // item, cpu))))


def test_counted_instructions_belong_to_the_suite() -> None:
    counted = tomllib.loads((ROOT / "validation/cpu/suite-styles/instructions.toml").read_text())["function"]
    assert counted.keys() <= {style.name for style in SUITE}
    triad = next(style for style in SUITE if style.name == "triad_global" and style.where == "L1")
    if "triad_global" in counted:  # four elements of an iteration of six instructions, and a few around it
        assert 6 * (triad.macros["N"] // 4) <= counted["triad_global"]["own"] <= 6 * (triad.macros["N"] // 4) + 20
    assert all(row["own"] <= row["total"] for row in counted.values())


def test_calls_of_cxx_are_recorded_with_their_arguments(tmp_path: Path) -> None:
    style = next(style for style in SUITE if style.name == "grid_laplace")
    build = Build("gcc", ("-O2",))
    made = Case(
        f"{style.file}:{style.function}", style.name, build, {**style.parameters, "threads": 1.0}, "L1", 1e-6, 9,
        arguments=style.arguments,
    )  # fmt: skip
    file = tmp_path / "recorded.toml"
    file.write_text(recording([made], load("cascade-lake"), "cascade-lake"))
    entry = tomllib.loads(file.read_text())["case"]["gcc grid_laplace n=10 threads=1 (L1)"]
    assert entry["arguments"] == ["{u64:n, vector<f64>[n*n*n]}"] * 2
    assert recorded(made, "cascade-lake", {}).arguments == style.arguments
    file.write_text(file.read_text().replace('arguments = ["', 'arguments = [1, "'))
    with pytest.raises(InputError, match="arguments"):
        validate(file)


@needs_gcc
def test_calls_of_cxx_are_predicted() -> None:
    names = {style.name for style in SUITE if style.language == "c++" and style.arguments}
    assert len(names) >= 15
    style = next(style for style in SUITE if style.name == "view_update")
    machine = {"x86_64": "cascade-lake", "aarch64": "neoverse-n1"}[platform.machine()]
    times = []
    for n in (625.0, 1250.0):  # two arrays of 10 kB each fit into every L1
        made = Case(
            f"{style.file}:{style.function}", style.name, Build("gcc", ("-O2",)), {"n": n, "threads": 1.0}, "L1", 1e-6,
            9, arguments=style.arguments,
        )  # fmt: skip
        answer = compare("", "", [recorded(made, machine, {"cc": "gcc"})])
        times.append(answer.points[0].predicted_s)
    assert times[1] == pytest.approx(2 * times[0], rel=0.1)
