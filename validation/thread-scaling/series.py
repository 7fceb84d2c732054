"""The times that count: those taken while the machine was what its file describes (protocol.md).

python series.py machine.toml times.json series-1.txt series-2.txt      reduces a run to its median times
"""

from __future__ import annotations

import json
import lzma
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import machines
from foretell.files import read_text
from foretell.uses.measure import interference as looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.machine.machine import Machine

FORMAT = "foretell thread scaling 3"
REDUCED_FORMAT = "foretell thread times 1"
#: how far looks may be from what the machine file says, and triads from the lower quartile of the series
CORE_TOLERANCE, MEMORY_TOLERANCE = 0.2, 0.25


@dataclass(frozen=True, slots=True)
class Look:
    """How often the system had taken a CPU from a thread; the longest chain of all threads, and the wide spin of each,
    in nanoseconds."""

    taken: int
    chain: float
    wide: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One execution of a block, and the looks before and after it."""

    block: str
    seconds: float
    looks: tuple[Look, Look]

    @property
    def undivided(self) -> bool:
        """Whether the threads kept their CPUs from one look to the other."""
        return self.looks[0].taken == self.looks[1].taken


@dataclass(frozen=True, slots=True)
class Visit:
    """All blocks with one number of threads, and the triads before and after them."""

    threads: int
    cpu: int
    triads: tuple[float, ...]
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured where; `pairs` are the wide spins of two CPUs at a time, one list for each pair."""

    where: dict[str, Any]
    visits: tuple[Visit, ...]
    pairs: dict[tuple[int, int], list[float]]


@dataclass(frozen=True, slots=True)
class Time:
    """The median of the times of one block with one number of threads that count."""

    median_s: float
    samples: int


@dataclass(frozen=True, slots=True)
class Run:
    """What is left of the series of one run; `times` by block and number of threads."""

    series: list[dict[str, Any]]
    siblings: list[tuple[int, int]]
    times: dict[str, dict[int, Time]]


def read(path: Path) -> Series:
    """A file of `measure.py`, also one compressed by xz."""
    data = path.read_bytes()
    head, *lines = (lzma.decompress(data) if path.suffix == ".xz" else data).decode().splitlines()
    where = json.loads(head)
    if where["format"] != FORMAT:
        raise ValueError(f"{path}: {where['format']!r} is not {FORMAT!r}")
    words = [line.split() for line in lines]
    pairs: dict[tuple[int, int], list[float]] = {}
    for one, other, *spins in (rest for what, *rest in words if what == "pair"):
        pairs.setdefault((int(one), int(other)), []).append(max(map(float, spins)))
    return Series(where, tuple(_visits(words)), pairs)


def _visits(words: list[list[str]]) -> Iterator[Visit]:
    starts = [k for k, line in enumerate(words) if line[0] == "visit"]
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        triads = tuple(float(line[1]) for line in words[start:end] if line[0] == "memory")
        threads, cpu = map(int, words[start][1:])
        yield Visit(threads, cpu, triads, tuple(_samples(words[start:end])))


def _samples(words: list[list[str]]) -> Iterator[Sample]:
    for before, run, after in zip(words, words[1:], words[2:], strict=False):
        if run[0] == "run":
            yield Sample(run[1], float(run[2]), (_look(before), _look(after)))


def _look(words: list[str]) -> Look:
    return Look(int(words[1]), float(words[2].rstrip(":")), tuple(map(float, words[3:])))


# -------------------------------------------------------------------------------------- what counts


def alone(series: list[Series]) -> looks.Alone:
    """The spins of one thread at their best."""
    found = [
        look
        for one in series
        for visit in one.visits
        if visit.threads == 1
        for sample in visit.samples
        for look in sample.looks
    ]
    return looks.alone([look.chain for look in found], [max(look.wide) for look in found])


def kept(series: list[Series], machine: Machine) -> dict[str, dict[int, list[float]]]:
    """The times of each block with each number of threads that count."""
    best = alone(series)
    visits = [visit for one in series for visit in one.visits]
    quartiles = {
        threads: float(np.quantile([t for v in visits if v.threads == threads for t in v.triads], 0.25))
        for threads in {visit.threads for visit in visits}
    }
    found: dict[str, dict[int, list[float]]] = {}
    for visit in visits:
        quiet = max(visit.triads) <= (1 + MEMORY_TOLERANCE) * quartiles[visit.threads]
        for sample in visit.samples:
            times = found.setdefault(sample.block, {}).setdefault(visit.threads, [])
            as_described = (described(look, visit.threads, best, machine) for look in sample.looks)
            if quiet and sample.undivided and all(as_described):
                times.append(sample.seconds)
    return found


def described(look: Look, threads: int, best: looks.Alone, machine: Machine) -> bool:
    """Whether clock and sharing of cores were those of the machine file."""
    found = looks.beside(look.chain, max(look.wide), best, machine, threads)
    if found.clock > 1 + CORE_TOLERANCE:
        return False
    if 1 < threads < machine.value("cores.count"):
        return True
    return bool(abs(found.crowd - 1) <= CORE_TOLERANCE)


def siblings(series: list[Series]) -> list[tuple[int, int]]:
    """Pairs of CPUs that shared a core in all turns: neither had it for itself once."""
    least = min(spin for one in series for spins in one.pairs.values() for spin in spins)
    pairs = {pair for one in series for pair in one.pairs}
    return sorted(
        pair for pair in pairs if all(spin > 1.5 * least for one in series for spin in one.pairs.get(pair, []))
    )


# ------------------------------------------------------------------------------------ reduced times


def read_run(files: list[Path], machine: Machine) -> Run:
    """The times of one reduced file, or of the series of a run."""
    if [path.suffix for path in files] == [".json"]:
        document = json.loads(read_text(files[0]))
        if document.pop("format") != REDUCED_FORMAT:
            raise ValueError(f"{files[0]}: not {REDUCED_FORMAT!r}")
        times = {
            block: {int(threads): Time(**one) for threads, one in by_threads.items()}
            for block, by_threads in document.pop("times").items()
        }
        return Run(**document, times=times)
    series = [read(path) for path in files]
    return Run([one.where for one in series], siblings(series), reduced(kept(series, machine)))


def reduced(times: dict[str, dict[int, list[float]]]) -> dict[str, dict[int, Time]]:
    """The median and number of times, where there are any."""
    return {
        block: {threads: Time(median(one), len(one)) for threads, one in sorted(by_threads.items()) if one}
        for block, by_threads in times.items()
    }


def main(machine_file: Path, result: Path, files: list[Path]) -> None:
    """Writes the reduced times of a run."""
    document = {"format": REDUCED_FORMAT, **asdict(read_run(files, machines.load(machine_file)))}
    result.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    main(*paths[:2], paths[2:])
