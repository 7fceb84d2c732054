"""The probe itself: short real runs that ask for no speed, and its command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.errors import InputError
from foretell.machines import resolve
from foretell.machines.probe import find, kernels, plan, probe
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def test_operations_have_times_and_order() -> None:
    bench = plan.Bench(kernels.variants()[0])
    add, divide = (np.median(bench.operation("base", f"{name}_f64.latency")) for name in ("add", "divide"))
    assert 0.5 < add < divide


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
    """A runtime that is not installed gives none; one that is takes longer than the work of a region."""
    for run_ in kernels.regions(2, 0.01, llvm):
        assert run_.amount >= 1
        assert np.median(run_.seconds / run_.amount) > 2e-8


def test_a_short_probe_gives_a_file_that_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "_QUICK_SECONDS", 1.0)
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
