"""Recorded OpenMP blocks with 16 threads, from a profile of one: the paper's errors are 3 to 22 %."""

from __future__ import annotations

import functools
import importlib
import json
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from foretell import files, machines
from foretell.core.facets.counts import Counts
from foretell.frontends.counters import read_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from foretell.core.machine.machine import Machine

# The tests of the model go through its lines with small profiles; here are many numbers.
VALIDATION = Path(__file__).parents[2] / "validation"
FOLDER = VALIDATION / "thread-scaling"
RESULTS = FOLDER / "results"
#: two probes of the machine, hours apart
PROBES = (RESULTS / "xeon-16.toml", VALIDATION / "cpu" / "xeon-16-2026-11-15" / "machine.toml")


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[Any, ...]]:
    """`compare.py` and `series.py`, which find each other as scripts do."""
    names = ("compare", "series")
    sys.path.insert(0, str(FOLDER))
    yield tuple(importlib.import_module(name) for name in names)
    sys.path.remove(str(FOLDER))
    for name in names:
        del sys.modules[name]


@pytest.fixture(scope="module")
def recorded(tools: tuple[Any, ...]) -> Callable[[str], tuple[Machine, Any]]:
    """A run by `validation/thread-scaling/protocol.md`: the machine file of the probe between two series, and the
    medians of the times that count."""
    _, series = tools

    @functools.cache
    def read(run: str) -> tuple[Machine, Any]:
        machine = machines.load(RESULTS / run / "machine.toml")
        return machine, series.read_run([RESULTS / run / "times.json"], machine).times

    return read


def of_run(tools: tuple[Any, ...], recorded: tuple[Machine, Any], profile: Path, threads: int) -> Any:
    """The errors of what a profile of one thread tells of this many."""
    compare, _ = tools
    return compare.summarized(compare.compared(profile, *recorded), threads)


def without_windows(profile: str, folder: Path) -> Path:
    """A recorded profile as it was before it knew what half of a window makes of its blocks."""
    document = json.loads(files.read_text(RESULTS / profile))
    for region in document["regions"]:
        for event in ("cyclesWindow", "cyclesHalfWindow"):
            region["events"].pop(event, None)
    (folder / profile).write_text(json.dumps(document))
    return folder / profile


def of_rounds(tools: tuple[Any, ...], profile: str, machine_file: Path, *rounds: str) -> Any:
    """Recordings before there was a protocol: medians of 16 threads, the shortest time of one."""
    compare, series = tools
    documents = [json.loads(files.read_text(RESULTS / name))["seconds"] for name in rounds]
    machine, counts = machines.load(machine_file), read_profile([RESULTS / profile]).facet(Counts)
    rows = []
    for block in counts.blocks:
        one, all_ = (
            [s for document in documents for s in document.get(block.name, {}).get(threads, [])]
            for threads in ("1", "16")
        )
        if one:
            times = {1: series.Time(min(one), compare.FEWEST), 16: series.Time(median(all_), len(all_))}
            rows += compare.of_block(block, counts, machine, times)
    found = compare.summarized(rows, 16)
    assert found["blocks"] == 10
    return found


@pytest.mark.parametrize(
    ("run", "profile", "threads", "mean", "worst"),
    [
        ("emerald-rapids-2026-11-15-2235", "profile.json", 2, 0.08, 0.15),
        ("emerald-rapids-2026-11-15-2235", "further-profile.json", 2, 0.063, 0.113),
        ("xeon-16-2026-11-15-2205", "profile.json", 16, 0.152, 0.32),
        ("xeon-16-2026-11-15-2205", "further-profile.json", 16, 0.131, 0.295),
        ("xeon-16-2026-11-15-2221", "profile.json", 16, 0.098, 0.244),
        ("xeon-16-2026-11-15-2221", "further-profile.json", 16, 0.088, 0.324),
        ("xeon-16-2026-11-16-0007", "profile.json", 16, 0.11, 0.219),
        ("xeon-16-2026-11-16-0007", "further-profile.json", 16, 0.118, 0.348),
        ("xeon-16-2026-11-16-0144", "profile.json", 16, 0.124, 0.22),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 16, 0.109, 0.308),
        ("xeon-16-2026-11-16-0651", "profile.json", 16, 0.114, 0.279),
        ("xeon-16-2026-11-16-0651", "further-profile.json", 16, 0.134, 0.339),
        ("xeon-16-2026-11-15-2221", "profile.json", 2, 0.088, 0.205),
        ("xeon-16-2026-11-15-2221", "further-profile.json", 4, 0.039, 0.07),
        ("xeon-16-2026-11-16-0007", "profile.json", 2, 0.082, 0.19),
        ("xeon-16-2026-11-16-0007", "further-profile.json", 4, 0.06, 0.15),
        ("xeon-16-2026-11-16-0144", "profile.json", 2, 0.085, 0.265),
        ("xeon-16-2026-11-16-0144", "profile.json", 4, 0.095, 0.24),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 2, 0.093, 0.235),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 8, 0.078, 0.195),
    ],
)
def test_runs_without_windows(
    tools: tuple[Any, ...],
    recorded: Callable[[str], tuple[Machine, Any]],
    run: str,
    profile: str,
    threads: int,
    mean: float,
    worst: float,
    tmp_path: Path,
) -> None:
    """What they gave, to two or three digits, while nobody knew their windows; the aim with all threads is 0.15 and
    0.22, which the runs of 2026-11-16 at 00:07 and 01:44 reach with ten blocks. With fewer threads, other tenants are
    beside the slowest one at once."""
    found = of_run(tools, recorded(run), without_windows(profile, tmp_path), threads)
    assert found["blocks"] == 10
    assert found["mean_error"] <= mean
    assert found["worst_error"] <= worst


@pytest.mark.parametrize(
    ("run", "profile", "threads", "mean", "worst"),
    [
        ("emerald-rapids-2026-11-15-2235", "profile.json", 2, 0.087, 0.134),
        ("emerald-rapids-2026-11-15-2235", "further-profile.json", 2, 0.064, 0.114),
        ("cascade-lake-2026-11-16-1419", "cascade-lake-2026-11-16-1419/profile.json", 2, 0.063, 0.206),
        ("cascade-lake-2026-11-16-1419", "cascade-lake-2026-11-16-1419/further-profile.json", 2, 0.137, 0.298),
        ("cascade-lake-2026-11-16-1655", "cascade-lake-2026-11-16-1419/profile.json", 2, 0.089, 0.177),
        ("cascade-lake-2026-11-16-1655", "cascade-lake-2026-11-16-1419/further-profile.json", 2, 0.058, 0.114),
        ("xeon-16-2026-11-15-2205", "profile.json", 16, 0.14, 0.32),
        ("xeon-16-2026-11-15-2205", "further-profile.json", 16, 0.131, 0.295),
        ("xeon-16-2026-11-15-2221", "profile.json", 16, 0.084, 0.244),
        ("xeon-16-2026-11-15-2221", "further-profile.json", 16, 0.088, 0.324),
        ("xeon-16-2026-11-16-0007", "profile.json", 16, 0.097, 0.19),
        ("xeon-16-2026-11-16-0007", "further-profile.json", 16, 0.118, 0.348),
        ("xeon-16-2026-11-16-0144", "profile.json", 16, 0.115, 0.22),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 16, 0.109, 0.308),
        ("xeon-16-2026-11-16-0651", "profile.json", 16, 0.106, 0.2),
        ("xeon-16-2026-11-16-0651", "further-profile.json", 16, 0.134, 0.339),
        ("xeon-16-2026-11-16-1005", "profile.json", 16, 0.101, 0.215),
        ("xeon-16-2026-11-16-1005", "further-profile.json", 16, 0.122, 0.257),
        ("xeon-16-2026-11-15-2221", "profile.json", 2, 0.086, 0.205),
        ("xeon-16-2026-11-15-2221", "further-profile.json", 4, 0.037, 0.06),
        ("xeon-16-2026-11-16-0007", "profile.json", 2, 0.08, 0.19),
        ("xeon-16-2026-11-16-0007", "profile.json", 4, 0.101, 0.2),
        ("xeon-16-2026-11-16-0007", "further-profile.json", 4, 0.06, 0.15),
        ("xeon-16-2026-11-16-0144", "profile.json", 2, 0.083, 0.265),
        ("xeon-16-2026-11-16-0144", "profile.json", 4, 0.09, 0.24),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 2, 0.093, 0.235),
        ("xeon-16-2026-11-16-0144", "further-profile.json", 8, 0.079, 0.195),
    ],
)
def test_runs_by_the_protocol(
    tools: tuple[Any, ...],
    recorded: Callable[[str], tuple[Machine, Any]],
    run: str,
    profile: str,
    threads: int,
    mean: float,
    worst: float,
) -> None:
    """With half of a window where a core is shared: the runs of 06:51 and 10:05 on 16 cores reach the aim with ten
    blocks, too, and so does the last one on two cores."""
    found = of_run(tools, recorded(run), RESULTS / profile, threads)
    assert found["blocks"] == 10
    assert found["mean_error"] <= mean
    assert found["worst_error"] <= worst


@pytest.mark.parametrize("probe", PROBES, ids=("same hour", "other hour"))
@pytest.mark.parametrize(
    "rounds", [("times-1.json", "times-2.json"), ("times-1.json",), ("times-3.json",), ("times-5.json",)]
)
def test_errors_with_all_threads(tools: tuple[Any, ...], rounds: tuple[str, ...], probe: Path) -> None:
    found = of_rounds(tools, "profile.json", probe, *rounds)
    assert found["mean_error"] <= 0.15
    assert found["worst_error"] <= 0.22


@pytest.mark.parametrize("probe", PROBES, ids=("same hour", "other hour"))
def test_blocks_that_were_fixed_beforehand(tools: tuple[Any, ...], probe: Path) -> None:
    """Their mean; the transposition and random lookups are beyond what a profile of one thread tells the model
    (`validation/thread-scaling/history.md`)."""
    found = of_rounds(tools, "further-profile.json", probe, "times-5.json")
    assert found["mean_error"] <= 0.15
    assert found["worst_error"] <= 0.4
