"""Programs that are looked at: races of their kernels, and the time of the host on a loaded machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import foretell
from foretell import machines
from foretell.uses.program_run import modules
from foretell.uses.program_run.run import Streams, run_program
from tests.unit.uses.program_run.test_program_run import HEAD, FakeModule

SHIFTED = """
n = 1 << 10
x, y = (allocated(4 * n + 64) for _ in range(2))
for item in (x, y):
    check(runtime.cudaMemset(item, 0x40, c_size_t(4 * n)))
for _ in range(2):
    launch(n // 256, 256, x, y, c_void_p(x.value + 4), c_float(2), c_int(n))
check(runtime.cudaDeviceSynchronize())
"""
BUSY = """
import time
def delay_ns():
    return int(open("/proc/thread-self/schedstat").read().split()[1])
check(runtime.cudaFree(None))
before, delay, end = time.monotonic_ns(), delay_ns(), time.thread_time_ns() + 50_000_000
while time.thread_time_ns() < end:
    pass
print(time.monotonic_ns() - before, delay_ns() - delay)
check(runtime.cudaDeviceSynchronize())
"""
SCHEDSTAT = Path("/proc/thread-self/schedstat")


@pytest.fixture(autouse=True)
def made_up_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "Module", FakeModule)


def program(folder: Path, body: str) -> list[str]:
    script = folder / "program.py"
    script.write_text(HEAD + body)
    return [sys.executable, str(script)]


def test_races_are_faults_of_the_program_if_asked_for(tmp_path: Path) -> None:
    command = program(tmp_path, SHIFTED)
    (fault,) = foretell.run(command, "h200", check_races=True, seconds=120).faults  # once, though launched twice
    assert fault.startswith("kernel triad_f32: race in global memory at 0x3")
    assert foretell.run(command, "h200", seconds=120).faults == ()


def test_what_was_not_looked_at_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.characterize.gpu import complete

    monkeypatch.setattr(complete, "_BYTES_FOR_A_WORD", 1 << 40)
    (fault,) = foretell.run(program(tmp_path, SHIFTED), "h200", check_races=True, seconds=120).faults
    assert "in a part of its global memory only" in fault


@pytest.mark.skipif(not SCHEDSTAT.exists(), reason="this kernel does not count the time without a processor")
def test_time_without_a_processor_is_not_the_hosts(tmp_path: Path) -> None:
    written = tmp_path / "said"
    with written.open("wb") as handle:
        answer = run_program(
            program(tmp_path, BUSY), [machines.load("h200")], streams=Streams(output=handle), seconds=120
        )
    assert answer.exit_code == 0
    wall_s, delay_s = (int(word) * 1e-9 for word in written.read_text().split())
    worked_s = wall_s - delay_s
    # what the program itself counts, and the interpreter around it
    assert worked_s * 0.99 <= answer.devices[0].host_s <= 1.5 * worked_s + 0.02
