"""The questions in Python: the same answers as on the command line, from paths, names and objects."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import types
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.errors import InputError, ToolError
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

TRIAD = """
void triad(int n, double *a, const double *b, const double *c) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
}
void fill(int n, double *a) {
    for (int i = 0; i < n; i++) a[i] = 1.0;
}
"""


@pytest.fixture(scope="module")
def triad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("code") / "triad.c"
    file.write_text(TRIAD)
    return file


def command(*args: str | Path) -> dict[str, object]:
    return run(*args, "--format", "json").json()


# ---------------------------------------------------------------------------------------------- the module


def test_tab_shows_the_interface() -> None:
    assert dir(foretell) == sorted(foretell.__all__)
    for name in foretell.__all__:
        assert getattr(foretell, name) is not None
    with pytest.raises(AttributeError, match="nosuch"):
        foretell.nosuch  # type: ignore[attr-defined]  # noqa: B018


def test_version() -> None:
    assert run("--version").out.split()[-1] == foretell.__version__


def test_help_lists_the_keywords() -> None:
    shown = inspect.signature(foretell.predict).parameters
    assert {"code", "on", "parameters", "threads", "set", "function", "launch", "grid", "args"} <= set(shown)
    assert "asked" not in shown


def test_an_unknown_keyword_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="kernal"):
        foretell.predict("example:vector-add", "sw26010", kernal="x")  # type: ignore[call-arg]


# ---------------------------------------------------------------------------------------------- the same answers


def test_predict_is_the_command(triad: Path) -> None:
    answer = foretell.predict(
        triad, "neoverse-n1", function="triad", parameters={"n": "100000"}, set={"memory.bandwidth": "10GB/s"}
    )
    words = ("predict", triad, "--on", "neoverse-n1", "--function", "triad", "-D", "n=100000")
    assert answer.to_dict()["time_s"] == command(*words, "--set", "memory.bandwidth=10GB/s")["time_s"]


def test_threads(triad: Path) -> None:
    machine = foretell.machine("neoverse-n1")
    cores = machine.value("cores.count")
    how = {"function": "triad", "parameters": {"n": 1 << 20}}
    every = foretell.predict(triad, machine, threads="all", **how)  # type: ignore[arg-type]
    assert every.parameters["threads"] == cores
    assert every.time_s == foretell.predict(triad, machine, threads=int(cores), **how).time_s  # type: ignore[arg-type]


def test_many_sizes_and_machines(triad: Path) -> None:
    answers = foretell.predict_many(
        str(triad), ["neoverse-n1", "zen4"], function="triad", parameters={"n": "1000:3000:1000"}
    )
    assert len(answers) == 6
    assert [entry.parameters["n"] for entry in answers] == [1000, 2000, 3000] * 2
    assert answers[0].machine == "neoverse-n1"
    same = foretell.predict_many(triad, "zen4", [{"n": 1000}, {"n": 2000}], function="triad")
    assert [entry.time_s for entry in same] == [entry.time_s for entry in answers][3:5]
    arrays = foretell.predict_many(triad, "zen4", function="triad", parameters={"n": np.array([1000, 2000])})
    assert [entry.time_s for entry in arrays] == [entry.time_s for entry in same]


def test_rank(triad: Path) -> None:
    answers = foretell.rank(
        triad, ["neoverse-n1", "h200"], function="triad", parameters={"n": 1000}, measured={"neoverse-n1": "1 us"}
    )
    assert [entry.machine for entry in answers] == ["neoverse-n1"]
    assert answers.measured == {"neoverse-n1": 1e-6}
    assert [entry.name for entry in answers.refused] == ["h200"]
    whole = foretell.rank([triad], ["neoverse-n1", "zen4"], function="triad", parameters={"n": 1 << 24}, threads="all")
    assert {entry.machine: entry.parameters["threads"] for entry in whole} == {
        name: foretell.machine(name).value("cores.count") for name in ("neoverse-n1", "zen4")
    }
    assert whole[0].time_s <= whole[1].time_s


def test_why_takes_a_path_or_a_case() -> None:
    case = foretell.prepare("example:vector-add", "sw26010", parameters={"N": 512})
    explained = foretell.why(case)
    assert explained == foretell.why("example:vector-add", on="sw26010", parameters={"N": 512})
    with pytest.raises(InputError, match="give nothing else"):
        foretell.why(case, "sw26010")
    with pytest.raises(InputError, match="on which machine"):
        foretell.why("example:vector-add")


def test_split() -> None:
    on = ["sw26010", "sw26010-chip"]
    divided = foretell.split("example:vector-add", on, items=100, measured={"sw26010": "1ms"}, transfer="0B")
    assert sum(entry.items or 0 for entry in divided.shares) == 100
    cases = [foretell.prepare("example:vector-add", each) for each in on]
    assert foretell.split(cases, items=100, measured={"sw26010": 1e-3}) == divided


def test_tune(triad: Path) -> None:
    tuned = foretell.tune("example:vector-add", "sw26010", axes={"rows": [1, 2, 4]})
    assert {variant.parameters["rows"] for variant in tuned.variants} >= {1, 2, 4}
    with pytest.raises(InputError, match=r'axes=\{"NAME": "1,2,4"\}'):
        foretell.tune(triad, "neoverse-n1", function="triad", parameters={"n": 512})
    # an axis gives a size its value: the first is the default to beat
    sizes = foretell.tune(triad, "neoverse-n1", function="triad", axes={"n": [512, 256]})
    assert (sizes.default.parameters, sizes.best.parameters) == ({"n": 512.0}, {"n": 256.0})


def test_explore(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(
        'machine = "sw26010"\n[[application]]\ncode = "example:vector-add"\n'
        '[axes]\n"memory.bandwidth" = ["32 GB/s", "64 GB/s"]\n'
    )
    plain = foretell.explore(file)
    faster = foretell.explore(file, set={"clock.frequency": "2.9GHz"})
    assert plain.points == faster.points == 2
    assert faster.best[0].time_s <= plain.best[0].time_s
    file.write_text(file.read_text().replace('machine = "sw26010"\n', ""))
    with pytest.raises(InputError, match="set= needs a machine"):
        foretell.explore(file, set={"clock.frequency": "2.9GHz"})
    assert foretell.explore(file, "sw26010").points == 2


def test_a_large_space_says_which_form_of_the_model_answers(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    begin = 'machine = "sw26010"\n[[application]]\ncode = "example:vector-add"\n[axes]\n"memory.bandwidth" = '
    for values, quick in (
        ('["32 GB/s", "64 GB/s"]', False),
        ('{ from = "32 GB/s", to = "64 GB/s", count = 600 }', True),
    ):
        file.write_text(begin + values)
        assert any("overlap=queue" in note for note in foretell.explore(file).assumptions) == quick


def test_explore_with_threads(triad: Path, tmp_path: Path) -> None:
    """Threads of the call are for applications that name none."""
    file = tmp_path / "space.toml"
    code = 'machine = "neoverse-n1"\n[[application]]\ncode = "{}"\nfunction = "{}"\nparameters = {{ n = 1000000{} }}\n'
    axes = '[axes]\n"clock.frequency" = ["2 GHz", "3 GHz"]\n'
    times = {}
    for threads, own in ((None, ""), (2, ""), ("all", ""), (2, ", threads = 1")):
        file.write_text(code.format(triad, "triad", own) + axes)
        baseline = foretell.explore(file, threads=threads).baseline
        assert baseline is not None
        times[threads, own] = baseline.objectives["time"]
    assert times[2, ""] == times["all", ""] < times[None, ""] == times[2, ", threads = 1"]


def test_validate_is_the_command() -> None:
    answer = foretell.validate("sunway-nbody")
    assert answer.to_dict()["summary"] == command("validate", "sunway-nbody")["summary"]


def test_describe(triad: Path) -> None:
    both = foretell.describe(triad)
    assert isinstance(both, foretell.Description)
    assert len(both.facts) == 2
    one = foretell.describe([triad], function="fill", parameters={"n": 100})
    assert isinstance(one, foretell.Description)
    assert one.facts[0].elements == {"a": 100}
    workload = foretell.describe("example:vector-add", parameters={"N": "8"})
    assert isinstance(workload, foretell.Workload)
    assert workload.parameters["N"] == 8


def test_sweep() -> None:
    case = foretell.prepare("example:vector-add", "sw26010")
    times = foretell.sweep(case, {"memory.bandwidth": [32e9, 64e9]})
    assert times[0] > times[1]


# ---------------------------------------------------------------------------------------------- values


@pytest.mark.parametrize(("given", "value"), [("512", 512), (512, 512), ("2KiB", 2048), ("1e3", 1000)])
def test_sizes_as_text(triad: Path, given: str | float, value: float) -> None:
    answer = foretell.predict(triad, "neoverse-n1", function="fill", parameters={"n": given})
    assert answer.parameters["n"] == value


@pytest.mark.parametrize("given", ["many", None, [], "3 apples"])
def test_what_is_no_number(triad: Path, given: object) -> None:
    with pytest.raises(InputError, match=r"parameter 'n'|n is a number"):
        foretell.predict(triad, "neoverse-n1", function="fill", parameters={"n": given})  # type: ignore[dict-item]


def test_machine_numbers_with_units() -> None:
    machine = foretell.machine("sw26010", set={"memory.bandwidth": "64GB/s"})
    assert machine.value("memory.bandwidth") == 64e9
    assert foretell.machine(machine, set={"memory.bandwidth": 1e9}).value("memory.bandwidth") == 1e9
    with pytest.raises(InputError, match=r'set=\{"memory.bandwidth": "3s"\}: is in s, expected B/s'):
        foretell.machine("sw26010", set={"memory.bandwidth": "3s"})
    with pytest.raises(InputError, match="is not a positive number"):
        foretell.machine("sw26010", set={"memory.bandwidth": -1})


# ---------------------------------------------------------------------------------------------- messages


def test_messages_speak_of_parameters(triad: Path) -> None:
    with pytest.raises(InputError) as caught:
        foretell.predict(triad, "neoverse-n1", function="fill")
    assert "-D" not in str(caught.value)
    assert 'parameters={"n": 512}' in str(caught.value)
    with pytest.raises(InputError, match="several values here"):
        foretell.predict(triad, "neoverse-n1", function="fill", parameters={"n": [1, 2]})
    with pytest.raises(InputError, match="are the same option"):
        foretell.predict(triad, "neoverse-n1", function="fill", kernel="triad")


# ---------------------------------------------------------------------------------------------- forms


def test_forms_of_a_prediction() -> None:
    answer = foretell.predict("example:vector-add", "sw26010")
    assert len(repr(answer)) < 100
    assert str(answer) == run("predict", "example:vector-add", "--on", "sw26010").out.rstrip("\n")
    assert json.loads(answer.to_json()) == command("predict", "example:vector-add", "--on", "sw26010")
    assert answer.to_csv().count("\n") == 1


def test_short_reprs(triad: Path) -> None:
    case = foretell.prepare("example:vector-add", "sw26010")
    answers = [
        case, case.workload, case.machine, foretell.why(case), foretell.rank(case.workload, ["sw26010", "h200"]),
        foretell.rank(case.workload, ["h200"]), foretell.split([case]), foretell.tune(case, axes={"rows": [1, 2]}),
        foretell.describe(triad), foretell.validate("sunway-nbody"),
    ]  # fmt: skip
    for answer in answers:
        assert 10 < len(repr(answer)) < 160, repr(answer)
        assert repr(answer).startswith(f"<{type(answer).__name__}")


class _Frame:
    """Stands in for pandas.DataFrame."""

    def __init__(self, columns: dict[str, list[object]]) -> None:
        self.columns = columns


def test_data_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = foretell.predict_many("example:vector-add", "sw26010", parameters={"N": [512, 1024]})
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ToolError, match="pandas or polars: pip install pandas"):
        answers.to_dataframe()
    stand_in = types.ModuleType("polars")
    stand_in.DataFrame = _Frame  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "polars", stand_in)
    frame = answers.to_dataframe()
    assert frame.columns["parameter_N"] == [512, 1024]
    assert frame.columns["time_s"] == [entry.time_s for entry in answers]
    with pytest.raises(ToolError, match="needs the package pandas: "):
        answers.to_dataframe("pandas")


OUTSIDE = """
from collections.abc import Sequence
from pathlib import Path

import foretell

prediction: foretell.Prediction = foretell.predict(
    Path("a.c"), "zen4", parameters={"n": 512, "m": "64KiB"}, threads="all", set={"memory.bandwidth": "64GB/s"}
)
low, high = prediction.interval_s or (0.0, 0.0)
answers: foretell.Predictions = foretell.rank(["a.c", "b.c"], function="f", measured={"zen4": "1ms"})
names: Sequence[str] = [entry.machine for entry in answers]
gpu = foretell.predict("k.cu", "h200", grid=64, block=(32, 8), args=["f32[1M]", 3], launch=None)
elasticity: float | None = foretell.why("a.c", "zen4").sensitivities[0].elasticity
share: float = foretell.split("a.c", ["zen4", "h200"], transfer="2GiB").shares[0].share
best = foretell.tune("a.c", "zen4", axes={"tile": [16, 32]}).best.parameters["tile"]
version: str = foretell.__version__
known: tuple[str, ...] = foretell.machines.library()
document: dict[str, object] = foretell.explore("s.toml").to_dict()
foretell.predict("a.c", "zen4", paramters={"n": 1})  # E: call-arg
foretell.predict("a.c")  # E: call-arg
foretell.predict("a.c", "zen4", threads=[1])  # E: typeddict-item or arg-type
foretell.nosuch  # E: attr-defined
"""


def test_mypy_from_outside(tmp_path: Path) -> None:
    """A user's script is checked strictly; the lines marked E are errors, and no others."""
    script = tmp_path / "outside.py"
    script.write_text(OUTSIDE)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    wrong = {int(line.split(":")[1]) for line in done.stdout.splitlines() if " error: " in line}
    expected = {number for number, line in enumerate(OUTSIDE.splitlines(), start=1) if "# E:" in line}
    assert wrong == expected, done.stdout
