"""The probe itself: short real runs that ask for no speed, and its command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell import _core
from foretell.errors import InputError
from foretell.machines import resolve
from foretell.machines.probe import kernels, plan, probe, whole_probe
from foretell.machines.probe.method import Chunks
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def test_operations_have_times_and_order() -> None:
    bench = plan.Bench(kernels.variants()[0])
    add, divide = (np.median(bench.operation("base", f"{name}_f64.latency").values) for name in ("add", "divide"))
    assert 0.5 < add < divide


@pytest.mark.parametrize("name", ["indexed.slots", "direct.slots"])
def test_operations_that_load_take_no_detour(name: str) -> None:
    """A few instructions, most of which do nothing: with a number that is not ordinary in a register they took ten
    times as long as a division."""
    found = [variant.name for variant in kernels.variants() if name in variant.operations]
    if not found:
        pytest.skip("not on this architecture")
    bench = plan.Bench(kernels.variants()[0])
    divide = np.median(bench.operation("base", "divide_f64.latency").values)
    assert np.median(bench.operation(found[0], name).values) < divide


def test_functions_of_the_library_are_timed_in_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process a visit for all of them; a process that fails gives no values, and the next visit tries again."""
    bench = plan.Bench(kernels.variants()[0])
    tasks = {task.name: task for task in plan.operation_tasks(bench, kernels.variants()[:1])}
    elsewhere = kernels.operations_elsewhere
    asked: list[tuple[str, ...]] = []

    def counted(variant: str, names: tuple[str, ...], chunks: int) -> list[Chunks]:
        asked.append(names)
        return elsewhere(variant, names, 4) if len(asked) > 1 else []

    monkeypatch.setattr(kernels, "operations_elsewhere", counted)
    exp, power = (tasks[f"operation {name}.gap"] for name in ("exp_f64", "pow_f64"))
    for task in (exp, exp, power):
        task.run()
    assert len(exp.samples[0].values) == 0
    assert len(asked) == 2
    assert exp.estimate
    assert power.estimate
    assert 1 < exp.estimate.value < power.estimate.value
    assert elsewhere("base", ("no such operation",), 4) == []


def test_streams_walks_and_barriers_give_chunks() -> None:
    name = kernels.variants()[-1].name
    for kind in kernels.variants()[-1].streams:
        (run_,) = kernels.stream(name, kind, 32 << 10, 1, 0.002, paired=True)
        assert len(run_.seconds) == len(run_.cycle) > 0
        assert run_.amount > 0
    small, large = (kernels.chase(size, 64, 0.005, paired=False) for size in (8 << 10, 32 << 20))
    assert np.median(small.seconds / small.amount) < np.median(large.seconds / large.amount)
    runs = kernels.barrier(2, 0.01)
    assert [len(each.seconds) for each in runs] == [len(runs[0].seconds)] * 2
    assert np.all(np.diff(runs[0].start) > 0)


@pytest.mark.parametrize("llvm", [False, True])
def test_regions_of_either_runtime_give_chunks(llvm: bool) -> None:
    """A runtime that is not installed gives none; one that is takes longer than the work of a region. As many processes
    as are asked for."""
    runs = kernels.regions(2, 0.004, 3, llvm)
    assert len(runs) <= 3
    for run_ in runs:
        assert run_.amount >= 1
        assert np.median(run_.seconds / run_.amount) > 2e-8


def test_a_runtime_that_is_not_there_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_REGIONS", kernels._REGIONS.replace("_core.probe_regions", "_core.no_such_runtime"))
    assert kernels.regions(2, 0.004, 2) == []
    visit = plan.Bench(kernels.variants()[0]).region(2)
    assert len(visit.values) == 0


def test_regions_wait_for_cores_without_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """One visit in ten is made in any case; of its processes those with the least company count."""
    bench = plan.Bench(kernels.variants()[0])
    bench.corunners.note(2, 1.0)
    made: list[float] = []
    now = 1.5

    def regions(threads: int, seconds: float, times: int, llvm: bool) -> list[Chunks]:
        made.append(now)
        start = 1e-5 * np.arange(200)
        return [Chunks(10.0, start, np.full(200, 1e-5 * slow), np.empty(0), now * slow) for slow in (1.3, 1.0, 1.6)]

    monkeypatch.setattr(kernels, "interference", lambda threads: now)
    monkeypatch.setattr(kernels, "regions", regions)
    found = [bench.region(2) for _ in range(20)]
    assert [len(visit.values) for visit in found] == 2 * [1, *9 * [0]]
    now = 1.0
    found += [bench.region(2) for _ in range(3)]
    assert [len(visit.values) for visit in found[20:]] == [1, 1, 1]
    assert found[-1].values == pytest.approx([1e-6])
    assert (found[0].interference, found[-1].interference) == (1.5, 1.0)
    assert len(made) == 5


def test_regions_are_timed_in_a_process_without_numpy() -> None:
    """It makes regions of LLVM's runtime longer."""
    code = "import sys; from foretell import _core; _core.probe_cpus(); sys.exit('numpy' in sys.modules)"
    assert "import numpy" not in kernels._REGIONS
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rounds_start_on_every_cpu_in_turn() -> None:
    """And use no more of them than they are told to."""
    cpus = _core.probe_cpus()
    try:
        for first in range(len(cpus) + 1):
            kernels.start_at(first, len(cpus))
            assert sorted(_core.probe_pinning_order()) == sorted(cpus)
            assert _core.probe_pinning_order()[0] == cpus[first % len(cpus)]
        kernels.start_at(3, 1)
        assert _core.probe_pinning_order() == cpus[:1]
    finally:
        kernels.start_at(0, len(cpus))


def test_walks_that_are_kept_go_on() -> None:
    first, second = (kernels.chase(1 << 20, 64, 0.002, paired=True, keep=True) for _ in range(2))
    assert np.median(first.costs) > 1
    assert np.median(second.costs) > 1
    kernels.release()


def test_random_lines_of_memory_are_those_of_several_sets_in_turn() -> None:
    """Each is kept, and counts for itself."""
    bench = plan.Bench(kernels.variants()[0])
    samples = []
    for _ in range(4):
        bench.scattered(1 << 14, False)  # has one set, and nobody's turn is over
        samples.append(bench.scattered(1 << 20, False, keep=True, sets=3))
    assert [list(visit.parts) for visit in samples] == [[0], [1], [2], [0]]
    assert all(len(visit.values) for visit in samples)
    assert bench.scattered(1 << 20, False).parts == {}
    kernels.release()


def test_large_arrays_may_lie_in_several_places() -> None:
    kernels.rotate_buffers(2)
    for size in (40 << 20, 40 << 20, 34 << 20, 40 << 20):
        (run_,) = kernels.stream("base", "read", size, 1, 0.001, paired=False)
        assert len(run_.seconds)
    kernels.release()


def test_threads_know_their_cpus() -> None:
    """From the first one on, in turn."""
    cpus = _core.probe_cpus()
    try:
        kernels.start_at(1, len(cpus))
        found = [run_.cpu for run_ in kernels.barrier(len(cpus), 0.002)]
    finally:
        kernels.start_at(0, len(cpus))
    assert sorted(found) == sorted(cpus)
    assert found[0] == cpus[1 % len(cpus)]


def test_loops_in_turn_have_as_many_chunks() -> None:
    runs = kernels.alternating(kernels.variants()[-1].name, ["copy", "work_2", "work_64"], 1 << 20, 0.005)
    assert len({len(each.seconds) for each in runs}) == 1
    assert all(np.median(each.cycle) > 1e-11 for each in runs)
    starts = np.stack([each.start for each in runs])
    assert np.all(np.diff(starts.T.ravel()) > 0)


def test_a_short_probe_gives_a_file_that_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_probe, "_QUICK_SECONDS", 1.0)
    monkeypatch.setattr(plan, "LARGEST", 8 << 20)
    monkeypatch.setattr(plan, "_OPERATION_CHUNKS", 16)
    path = tmp_path / "here.toml"
    seen: list[float] = []
    path.write_text(probe(quick=True, name="here", progress=lambda what, share: seen.append(share)))
    machine, problems = resolve(path)
    assert problems == ()
    assert machine.name == "here"
    assert machine.value("clock.frequency") > 1e8
    assert seen
    assert all(0 <= share <= 1 for share in seen)
    assert run("machines", "check", str(path)).code == 0


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="CPUs"):
        probe(threads=100_000)
    assert run("machines", "probe", "--threads", "100000").code == 3
    assert run("machines", "probe", "--output", str(tmp_path / "none" / "a.toml")).code == 3
    assert run("machines", "probe", "--threads", "0").code == 2


def test_the_command_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foretell.machines.probe.probe", lambda **options: 'name = "x"\n')
    target = tmp_path / "x.toml"
    assert run("machines", "probe", "--quick", "--output", str(target)).code == 0
    assert target.read_text() == 'name = "x"\n'
    assert run("machines", "probe", "--quick").out == 'name = "x"\n'
    assert run("machines", "probe", "--output", str(tmp_path)).code == 3
