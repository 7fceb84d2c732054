"""The CPU model on the command line: threads, pictures, `validate cpu`, and what is refused."""

from __future__ import annotations

import shutil
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from foretell.uses.validate import KERNELS
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from pathlib import Path

TRIAD = str(KERNELS / "triad.c")
ADD = "void add(int n, double s, double *a) { for (int i = 0; i < n; i++) a[i] = a[i] + s; }\n"


def test_threads_and_ranges() -> None:
    rows = run(
        "predict", TRIAD, "--on", "neoverse-n1", "-D", "n=1e6,1e7", "--threads", "1,2", "--format", "json"
    ).json()
    assert [entry["parameters"]["threads"] for entry in rows["predictions"]] == [1, 2, 1, 2]
    assert rows["predictions"][1]["time_s"] < rows["predictions"][0]["time_s"]
    ranked = run("rank", TRIAD, "-D", "n=1e7", "--threads", "2", "--format", "json").json()
    assert len(ranked["predictions"]) >= 3


def test_why_names_every_level(tmp_path: Path) -> None:
    found = run("why", TRIAD, "--on", "neoverse-n1", "-D", "n=1e7", "--format", "json").json()
    names = {entry["parameter"] for entry in found["sensitivities"]}
    assert {"memory.bandwidth", "level.L2.bandwidth", "level.L3.latency", "memory.latency"} <= names
    assert found["sensitivities"][0]["parameter"] in ("memory.bandwidth", "memory.core_bandwidth")


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_pictures(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"sizes.{ending}"
    assert run("predict", TRIAD, "--on", "neoverse-n1", "-D", "n=1000:100000:9000", "--plot", target).code == 0
    assert target.stat().st_size > 1000
    one = tmp_path / f"roof.{ending}"
    assert run("predict", TRIAD, "--on", "neoverse-n1", "-D", "n=1e7", "--plot", one).code == 0
    assert one.exists()
    both = ("predict", TRIAD, "--on", "neoverse-n1", "--on", "zen4", "-D", "n=1e7", "--plot", target)
    assert run(*both).code == 0  # a bar for each machine


def test_what_cannot_be_predicted() -> None:
    base = ("predict", TRIAD, "--on", "neoverse-n1")
    assert "parameters without a value: n" in refused(*base)
    assert "no loop runs" in refused(*base, "-D", "n=0")
    assert "larger than any size" in refused(*base, "-D", "n=1e200")
    assert "from 1 to the 2 cores" in refused(*base, "-D", "n=10", "--threads", "3")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_validate_cpu_on_a_file_of_the_users(tmp_path: Path) -> None:
    source = tmp_path / "mine.c"
    source.write_text(ADD)
    record = tmp_path / "record.toml"
    common = (
        "validate",
        "cpu",
        source,
        "--on",
        "neoverse-n1",
        "--compiler",
        "gcc",
        "--threads",
        "1",
        "--seconds",
        "0.01",
        "--patience",
        "1",
    )
    found = run(
        *common, "-D", "n=1000", "--rounds", "1", "--flags", "-O2", "--record", record, "--format", "json"
    ).json()
    assert [point["case"] for point in found["points"]] == ["gcc add n=1000 threads=1"]
    assert found["summary"]["gcc"]["coverage"] in (0, 1)
    again = run("validate", record, "--format", "json").json()
    assert again["points"][0]["measured_s"] == pytest.approx(found["points"][0]["measured_s"], rel=1e-5)
    assert "cpu" in run("validate").out.split()
    text = record.read_text().replace(", disturbed = true", "")
    record.write_text(text)
    assert run("validate", record, "--format", "json").json()["undisturbed"] == {}
    assert "disturbed" not in run("validate", record).out
    record.write_text(text.replace("[defaults]\n", "[defaults]\ndisturbed = true\n"))
    marked = run("validate", record, "--format", "json").json()
    assert marked["points"][0]["disturbed"]
    assert marked["disturbed"] == 1
    assert "errors without the 1 disturbed times of 1" in run("validate", record).out


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_validate_cpu_probes_where_no_machine_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.machines import probe

    text = (resources.files("foretell.machines") / "data" / "cpu" / "neoverse-n1.toml").read_text()
    monkeypatch.setattr(probe, "probe", lambda **_: text)
    source = tmp_path / "mine.c"
    source.write_text(ADD)
    found = run(
        "validate",
        "cpu",
        source,
        "-D",
        "n=99",
        "--threads",
        "1",
        "--seconds",
        "0.01",
        "--rounds",
        "1",
        "--patience",
        "1",
    )
    assert found.code == 0, found.err
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "no compiler" in refused("validate", "cpu", source, code=1)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_validate_cpu_refuses(tmp_path: Path) -> None:
    source = tmp_path / "mine.c"
    source.write_text(ADD)
    base = ("validate", "cpu", source, "--on", "neoverse-n1", "--rounds", "1")
    assert "2 cores" in refused(*base, "--threads", "64", "-D", "n=10")
    assert "nonsense" in refused(
        *base, "--threads", "1", "--compiler", "gcc", "--flags", "-march=nonsense", "-D", "n=10"
    )
    nowhere = (
        "-D",
        "n=10",
        "--threads",
        "1",
        "--compiler",
        "gcc",
        "--seconds",
        "0.01",
        "--record",
        tmp_path / "no" / "r",
    )
    assert "cannot be written" in refused(*base, *nowhere)
    assert "no function 'third'" in refused(*base, "--threads", "1", "--function", "third", "-D", "n=10")
    assert run("validate", "cpu", source, "--threads", "x", "--on", "neoverse-n1").code == 2
    assert run("validate", "sunway-nbody", source).code == 2
