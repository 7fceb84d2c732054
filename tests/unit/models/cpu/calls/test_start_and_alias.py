"""Where data is before a call, and arrays that overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.codegen.compiled.installed import zig_compiler
from foretell.errors import InputError
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.incore.calls.call_arguments import CallArguments
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = """void add(int n, double *a, double *b) { for (int i = 0; i < n; i++) a[i] += b[i]; }
void both(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; for (int i = 0; i < n; i++) a[i] *= 2; }
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "add.c"
    file.write_text(_TEXT)
    return file


def test_cold_data_comes_from_memory_and_untouched_data_faults(source: Path) -> None:
    machine, workload = load("cascade-lake"), read(f"{source}:add")
    times = [
        predict(workload, machine, parameters={"n": 51200.0}, options={"caches": start})
        for start in ("warm", "cold", "flushed")
    ]
    memory = [{part.name: part.time_s for part in one.parts}["memory bandwidth"] for one in times]
    assert memory[0] == 0 < memory[1]
    faults = {part.name: part.time_s for part in times[2].parts}["page faults"]
    assert faults == pytest.approx(2 * 100 * 0.8e-6, rel=0.03)
    assert times[2].time_s == pytest.approx(times[1].time_s + faults, rel=1e-6)
    assert times[2].interval_s is not None
    assert times[2].interval_s[1] > times[2].time_s + 8 * faults
    assert "no data was touched before the call" in times[2].assumptions
    assert any("estimated" in text for text in times[2].assumptions)
    known = machine.with_values({"memory.page_fault": 2e-6 * machine.value("clock.frequency")})
    found = predict(workload, known, parameters={"n": 51200.0}, options={"caches": "flushed"})
    assert {part.name: part.time_s for part in found.parts}["page faults"] == pytest.approx(faults * 2.5)


def test_an_array_faults_once(source: Path) -> None:
    machine = load("cascade-lake")
    found = predict(read(f"{source}:both"), machine, parameters={"n": 51200.0}, options={"caches": "flushed"})
    faults = {part.name: part.time_s for part in found.parts}["page faults"]
    assert faults == pytest.approx(100 * 0.8e-6, rel=0.03)


def test_start_on_the_command_line(source: Path) -> None:
    result = run("predict", f"{source}:add", "-D", "n=1000", "--on", "cascade-lake", "--start", "flushed")
    assert "page faults" in result.out
    assert run("why", f"{source}:add", "-D", "n=1000", "--on", "cascade-lake", "--start", "cold").code == 0
    assert run("predict", f"{source}:add", "-D", "n=1000", "--on", "cascade-lake", "--start", "never").code != 0


@pytest.mark.skipif(zig_compiler("x86-64") is None, reason="needs a compiler of x86-64")
def test_overlapping_arrays_take_the_scalar_version(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    machine, workload = load("cascade-lake"), read(f"{source}:add")
    apart, overlapping = (
        predict(workload, machine, parameters={"n": 1000.0}, options={"cc": "zig", "alias": names})
        for names in ("", "a,b")
    )
    assert overlapping.time_s > 2 * apart.time_s
    assert "a,b overlap" in overlapping.assumptions
    with pytest.raises(InputError, match="no such parameter"):
        predict(workload, machine, parameters={"n": 1000.0}, options={"cc": "zig", "alias": "a,x"})


def test_addresses_of_overlapping_arrays_and_words() -> None:
    made = CallArguments(texts={"how": "no"}, alias=("a", "b"))
    first, second = made.overlapping(), made.overlapping()
    assert 0 < second - first < 64
    table = made.vector(80)
    words = dict(made.words)
    assert words[table + 8] - words[table] == 80
    assert made.word("NULL", "pointer") == 0
    assert made.word("L", "integer") == ord("L")
    text = made.word("no", "pointer")
    assert [dict(made.words)[text + place] for place in range(3)] == [ord("n"), ord("o"), 0]
