"""The estimators on an invented machine with everything that real ones suffer from, whose true numbers are known.

Interruptions; a clock that steps by 8 %; branch predictors that forget, so that the clock seems a third too slow for a
while; a neighbour on the core for a third of the time, or most of it, or never; samples in which it stays. Every
number must come out within 5 % of the truth, and so within about as much of what a second probe finds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.machines.probe import caches, kernels, plan
from foretell.machines.probe.method import (
    ESTIMATORS,
    Chunks,
    Sample,
    Task,
    all_of,
    sample_each,
    sample_of,
    slowest_of,
    windows,
)
from foretell.machines.probe.system import Cache

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

WITHIN = 0.05
VISITS = 14
TICK = 25e-9  # of the timer
CYCLE, SLOW_CYCLE = 1 / 3e9, 1.08 / 3e9
CHUNK, ADDITIONS = 60_000, 24_576  # cycles


@dataclass
class Machine:
    """Time goes on chunk by chunk; what others do lasts for milliseconds or, here and there, for a whole visit."""

    seed: int
    #: the share of samples in which a neighbour never leaves, and of the others' time that one is there
    always: float = 1 / 6
    often: float = 1 / 5
    rng: np.random.Generator = field(init=False)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def _spells(self, count: int, share: float, chunks: int) -> NDArray[np.bool_]:
        """In which of the chunks something lasts, in spells of about so many chunks, for that share of them."""
        state = np.empty(count, dtype=np.bool_)
        on = self.rng.random() < share
        at = 0
        while at < count:
            length = 1 + int(self.rng.exponential(2 * chunks * (share if on else 1 - share)))
            state[at : at + length] = on
            at, on = at + length, not on
        return state

    def run(
        self,
        cost: float,
        count: int = 600,
        slowed: float = 1.4,
        in_cycles: bool = True,
        amount: float = 1000.0,
        interrupted: float = 0.01,
        cpu: int = 0,
    ) -> Chunks:
        """A loop whose unit costs so many cycles (or seconds), `slowed` while the neighbour is at work."""
        busy = self._spells(count, self.often, 100) | (self.rng.random() < self.always)
        forgotten = self._spells(count, 0.05, 45)
        cycle = np.where(self._spells(count, 0.4, 200), SLOW_CYCLE, CYCLE)
        jitter = 1 + 0.004 * np.abs(self.rng.standard_normal(count))
        work = amount * cost * (cycle if in_cycles else 1.0) * np.where(busy, slowed, 1.0) * jitter
        clock = cycle * np.where(busy, 1 + 0.05 * self.rng.random(count), 1.0) * np.where(forgotten, 1.03, 1.0)
        lost = np.where(self.rng.random(count) < interrupted, 4e-3 * self.rng.random(count), 0.0)
        clock_lost = np.where(self.rng.random(count) < interrupted / 3, 4e-3 * self.rng.random(count), 0.0)
        seconds = np.rint((work + lost) / TICK) * TICK
        additions = np.rint((ADDITIONS * clock + clock_lost) / TICK) * TICK
        start = self.now + np.concatenate([[0.0], np.cumsum(seconds + additions)[:-1]])
        company = max(self._look(bool(busy[0])), self._look(bool(busy[-1])))
        return Chunks(amount, start, seconds, additions / ADDITIONS if in_cycles else np.empty(0), company, cpu)

    def _look(self, busy: bool) -> float:
        """The two spins, as they are seen on real machines."""
        return 1.07 * (1.3 + 0.4 * self.rng.random() if busy else 1 + 0.01 * self.rng.random())

    def threads(self, cost: float, count: int) -> list[Chunks]:
        """The same loop in several threads at once, each with a neighbour of its own."""
        each = 0.004 / count**2  # a thread that is away makes the others' chunks useless, too
        return [self.run(cost, 1200, amount=CHUNK / cost, interrupted=each, cpu=number) for number in range(count)]


def estimate(name: str, sample: Callable[[], tuple[NDArray[np.float64], list[Chunks]]], **options: Any) -> float:
    return estimate_of(Task(name, lambda: sample_of(*sample()), **options))


def estimate_of(task: Task) -> float:
    for _ in range(VISITS):
        task.run()
    assert task.estimate
    return task.estimate.value


#: nobody; a third of the time; nearly all of it
NEIGHBOURS = [(0.0, 0.0), (1 / 6, 1 / 5), (0.6, 0.3)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("others", NEIGHBOURS)
@pytest.mark.parametrize(("cost", "slowed"), [(13.5, 1.0), (4.0, 1.02), (60.0, 1.9)])
def test_cycles_of_one_thread(seed: int, others: tuple[float, float], cost: float, slowed: float) -> None:
    """A division does not feel the neighbour, whose work makes the clock seem slower; a throughput does."""
    machine = Machine(seed, *others)

    def sample() -> tuple[NDArray[np.float64], list[Chunks]]:
        runs = [machine.run(cost, slowed=slowed, amount=CHUNK / cost)]
        return all_of(runs), runs

    assert estimate("one", sample) == pytest.approx(cost, rel=WITHIN)


@pytest.mark.parametrize("seed", range(6))
def test_what_seems_too_fast_with_a_neighbour_does_not_count(seed: int) -> None:
    """A loop in a cache that loses nothing to it, while the clock seems a tenth slower than it is."""
    machine = Machine(seed, always=0.6, often=0.0)

    def sample() -> tuple[NDArray[np.float64], list[Chunks]]:
        runs = [machine.run(2.0, slowed=0.9, amount=CHUNK / 2.0)]
        return all_of(runs), runs

    assert estimate("cache", sample) == pytest.approx(2.0, rel=WITHIN)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("others", NEIGHBOURS)
def test_seconds_of_one_thread(seed: int, others: tuple[float, float]) -> None:
    machine, cost = Machine(seed, *others), 60e-12

    def sample() -> tuple[NDArray[np.float64], list[Chunks]]:
        runs = [machine.run(cost, slowed=1.3, in_cycles=False, amount=20e-6 / cost)]
        return all_of(runs), runs

    assert estimate("memory", sample) == pytest.approx(cost, rel=WITHIN)


@pytest.mark.parametrize("count", [2, 16])
def test_two_probes_of_many_threads_agree(count: int) -> None:
    """What all of them reach together depends on their neighbours: it is between the best and the worst, and the same
    for every probe."""

    def together(machine: Machine) -> tuple[NDArray[np.float64], list[Chunks]]:
        runs = machine.threads(30.0, count)
        return all_of(runs), runs

    found = [estimate("all", partial(together, Machine(seed))) for seed in range(2)]
    assert max(found) / min(found) < 1 + WITHIN
    assert all(30.0 / count * 0.98 < value < 30.0 / count * 1.4 for value in found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("others", NEIGHBOURS)
@pytest.mark.parametrize("count", [2, 16])
def test_threads_that_nothing_couples_add_up(count: int, others: tuple[float, float], seed: int) -> None:
    """Each has a neighbour of its own, and hardly ever are all of them alone at once: of sixteen, never."""
    machine = Machine(seed, *others)
    task = Task("private", lambda: sample_each(machine.threads(30.0, count)), threads=count)
    assert estimate_of(task) == pytest.approx(30.0 / count, rel=WITHIN)


def test_the_slowest_of_sixteen_threads_has_a_neighbour() -> None:
    machine = Machine(3)

    def sample() -> tuple[NDArray[np.float64], list[Chunks]]:
        runs = machine.threads(30.0, 16)
        return slowest_of(runs), runs

    assert estimate("slowest", sample, summary=ESTIMATORS["typical"], shared=True) == pytest.approx(
        30.0 * 1.4, rel=WITHIN
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_overlap_is_a_difference_and_still_within_five_percent(
    seed: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies and work in turn. A neighbour makes the copy or everything longer most of the time; the work that is
    as long as the copy lies between two loops. The mean of the noise is 1.6 %, for work alone, too."""
    rng = np.random.default_rng(seed)
    core = {terms: float(terms) for terms in plan.TERMS}
    tier = plan.Tier("memory", 1 << 20, 1 << 20, private=False)

    def alternating(variant: str, names: list[str], size: int, seconds: float) -> list[Chunks]:
        count, state = 150, rng.random()
        copy, all_ = (1.25 if state < 1 / 6 else 1.0), (1.3 if state > 0.5 else 1.0)
        work = np.array(list(core.values()))
        times = [5.3 * copy, *(np.maximum(work, 5.3 * copy) + (1 - share) * np.minimum(work, 5.3 * copy))]
        start = 2e-4 * np.arange(count)
        noise = 1 + 0.02 * np.abs(rng.standard_normal((len(times), count)))
        return [
            Chunks(1.0, start, time * all_ * each * CYCLE, np.full(count, CYCLE))
            for time, each in zip(times, noise, strict=True)
        ]

    monkeypatch.setattr("foretell.machines.probe.kernels.alternating", alternating)
    bench = plan.Bench(kernels.variants()[-1])
    bench.work = {k: Task(str(k), partial(Sample, np.full(9, 1.016 * c))) for k, c in core.items()}
    for work in bench.work.values():
        work.run()
    task = plan.overlap_tasks(bench, [tier, tier])[0]
    assert estimate_of(task) == pytest.approx(share, rel=WITHIN)


@pytest.mark.parametrize("reached", [0.5, 0.01, 0.003])
def test_the_highest_clock_is_found_where_it_is_seldom_reached(reached: float) -> None:
    """Neighbours keep the clock 3 % lower most of the time, and make it seem a fifth slower now and then."""
    rng = np.random.default_rng(1)
    clock = np.where(rng.random(100_000) < reached, CYCLE, 1.03 * CYCLE)
    clock *= 1 + 0.002 * np.abs(rng.standard_normal(100_000))
    clock[rng.random(100_000) < 0.1] *= 1.2
    assert ESTIMATORS["highest clock"]([clock]) == pytest.approx(CYCLE, rel=0.005)


REPORTED = (Cache(1, 48 << 10, 64, 12, 1), Cache(2, 2 << 20, 64, 16, 1), Cache(3, 300 << 20, 64, 20, 2))


def sweeps(rng: np.random.Generator, part: float) -> list[NDArray[np.float64]]:
    """Reads on a machine that has `part` bytes of the last level, of which others take some, more or less at every
    visit, and a little of the bandwidth; of some sets there is no time."""
    sizes = np.array(caches.read_sizes(REPORTED, 1))
    found = []
    for left in part * (1 - 0.3 * rng.random(60)):
        costs = (1 + np.clip(1 - left / sizes, 0.0, 1.0)) * (1 + 0.1 * rng.random(len(sizes)))
        found.append(np.where(rng.random(len(sizes)) < 0.1, np.nan, costs)[:, None])
    return found


def test_probes_find_the_same_sizes() -> None:
    """Wherever a level ends: nearly always within 5 % of each other, always within a tenth of what is left at best."""
    same = 0
    parts = np.geomspace(6.0, 150.0, 60) * 2**20
    for seed, part in enumerate(parts):
        first, second = (
            caches.end_of_reads(caches.read_sizes(REPORTED, 1), sweeps(np.random.default_rng(2 * seed + k), part))
            for k in (0, 1)
        )
        quiet = caches.read_end({s: 1 + max(0.0, 1 - part / s) for s in caches.read_sizes(REPORTED, 1)}) or 0
        assert first == pytest.approx(quiet, rel=0.15)
        same += first == pytest.approx(second, rel=WITHIN)
    assert same >= 57


def test_windows_survive_what_chunks_do_not() -> None:
    """The invented machine is a hard one: of its single chunks some are interrupted, and cost much more."""
    run = Machine(0).run(30.0)
    assert run.costs.max() > 10 * np.median(run.costs)
    assert windows([run]).max() < 1.6 * 30.0
