"""How times become numbers: the rules one by one, with invented times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.machines.probe.method import (
    ESTIMATORS,
    Chunks,
    CoRunners,
    Sample,
    Task,
    least_disturbed,
    mean_clock,
    sample_each,
    sample_of,
    undisturbed,
)
from foretell.uses.measure.timing import fastest_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RNG = np.random.default_rng(5)
cache_size, cache, memory, memory_of_all = (
    ESTIMATORS[name] for name in ("cache size", "cache", "memory", "memory of all")
)
instruction, library, barrier, typical = (ESTIMATORS[name] for name in ("instruction", "library", "barrier", "typical"))


def noisy(value: float, count: int, noise: float = 0.003) -> Any:
    return value * (1 + noise * np.abs(RNG.standard_normal(count)))


def test_interrupted_chunks_are_dropped() -> None:
    seconds = np.concatenate([noisy(20e-6, 90), [4e-3] * 10])
    assert undisturbed(seconds).sum() == 90


def test_the_fastest_group_of_undisturbed_times_is_their_value() -> None:
    assert fastest_group(noisy(3.0, 500)) == pytest.approx(3.0, rel=0.005)


@pytest.mark.parametrize("quiet", [0.05, 0.15, 0.5, 0.85])
def test_of_two_groups_the_faster_one_counts(quiet: float) -> None:
    """Another thread on the core for most of the time, or for a little of it: the same answer."""
    fast = int(1000 * quiet)
    values = np.concatenate([noisy(3.0, fast), noisy(4.2, 1000 - fast)])
    assert fastest_group(values) == pytest.approx(3.0, rel=0.01)


def test_a_few_values_that_are_too_small_do_not_count() -> None:
    values = np.concatenate([np.linspace(1.0, 2.8, 30), noisy(3.0, 970)])
    assert fastest_group(values) == pytest.approx(3.0, rel=0.01)


def test_few_and_wide_values_give_something_in_between() -> None:
    values = np.linspace(1.0, 2.0, 12)
    assert 1.0 <= fastest_group(values) <= 2.0
    assert fastest_group(np.array([7.0])) == 7.0


def visited(samples: list[Sample], **options: Any) -> Task:
    """A task after these samples."""
    left = iter(samples)
    task = Task("a", lambda: next(left), **options)
    for _ in samples:
        task.run()
    return task


def value(task: Task) -> float:
    assert task.estimate
    return task.estimate.value


@pytest.mark.parametrize("others", [0, 1, 5, 60])
def test_visits_with_company_do_not_count(others: int) -> None:
    """Whether it makes them slower, or the clock seem so slow that they seem faster."""
    alone = [Sample(noisy(3.0, 30), float(noisy(1.0, 1)[0])) for _ in range(8)]
    slower = [Sample(noisy(4.2, 30), 1.5 + 0.02 * (k % 9)) for k in range(others)]
    faster = [Sample(noisy(2.7, 30), 1.4 + 0.02 * (k % 9)) for k in range(others)]
    found = visited([*slower[: others // 2], *alone, *slower[others // 2 :], *faster])
    assert value(found) == pytest.approx(3.0, rel=0.01)
    assert found.estimate
    assert found.estimate.samples == 8
    assert found.estimate.converged


def test_without_anybody_about_all_visits_count() -> None:
    """Numbers of company differ by little: it is the same as if nobody had looked."""
    samples = [Sample(noisy(3.0 + k % 3, 30), 1 + 0.001 * k) for k in range(40)]
    found = visited(samples)
    assert value(found) == value(visited(samples, shared=True)) == cache([one.values for one in samples])


def test_where_all_visits_have_company_that_with_the_least_counts() -> None:
    """What company is, is known from other tasks."""
    corunners = CoRunners()
    for _ in range(20):
        corunners.note(1, 1.0)
    found = visited([Sample(np.full(9, 4 + 0.1 * k), 1.4 + 0.1 * k) for k in (5, 0, 2, 4, 1, 3)], corunners=corunners)
    assert value(found) == pytest.approx(4.0)
    assert found.estimate
    assert not found.estimate.converged
    assert "co-runners" in found.estimate.doubt


def test_what_others_make_of_the_machine_is_about_all_visits() -> None:
    samples = [Sample(noisy(3.0 if k % 2 else 6.0, 9), 1.0 if k % 2 else 1.6) for k in range(9)]
    assert value(visited(samples, shared=True, summary=typical)) > 5.9


def test_threads_that_have_each_other_for_company_are_alone() -> None:
    """Two threads of one core: as much company as there always is."""
    corunners = CoRunners()
    corunners.note(1, 1.0)
    found = visited([Sample(noisy(3.0, 9), 1.6 + 0.01 * k) for k in range(8)], threads=2, corunners=corunners)
    assert found.estimate
    assert found.estimate.samples == 8


class Cpus:
    """CPUs of which some have company, for as long as it is said."""

    def __init__(self, *company: float) -> None:
        self.interference, self.at = list(company), 0
        self.corunners = CoRunners(lambda threads: self.interference[self.at], self.start, len(company))

    def start(self, cpu: int) -> None:
        self.at = cpu % len(self.interference)

    def seek(self) -> int:
        self.corunners.seek()
        return self.at


def test_one_thread_goes_where_nobody_is() -> None:
    """From CPU to CPU, and past those that others are on; where they are on all, anywhere."""
    cpus = Cpus(1.0, 1.5, 1.01, 1.6)
    assert [cpus.seek() for _ in range(6)] == [0, 2, 2, 0, 0, 2]
    cpus.interference = [1.5, 1.6, 1.4, 1.7]
    assert 0 <= cpus.seek() < 4


def test_of_visits_of_several_threads_the_third_with_the_least_company_counts_in_any_case() -> None:
    """Of sixteen threads, one was without any company once: that visit is not all there is to say."""
    corunners = CoRunners()
    for _ in range(5):
        corunners.note(16, 1.0)
    samples = [Sample(np.full(9, 5.0 + k), 1.0 if k == 0 else 1.5 + 0.01 * k) for k in range(13)]
    found = visited(samples, threads=16, corunners=corunners).estimate
    assert found
    assert found.samples == 5
    assert found.value == pytest.approx(5.4)
    assert found.alone


def parts(*found: tuple[float, float]) -> Sample:
    """A visit of threads that count for themselves: the cost of each, by CPU, and its company."""
    each = {cpu: Sample(np.full(9, cost), company) for cpu, (cost, company) in enumerate(found)}
    return Sample(np.ones(9), max(company for _, company in found), each)


def test_each_cpu_counts_while_it_is_as_alone_as_it_ever_is() -> None:
    """Two CPUs that are never disturbed at the same time; and two that share a core, for which the other one is no
    company that goes away."""
    found = visited([parts((4.0, 1.0), (9.0, 1.5)), parts((7.0, 1.4), (5.0, 1.0))] * 4, threads=2)
    assert value(found) == pytest.approx(1 / (1 / 4 + 1 / 5))
    shared = [parts((8.0, 1.9), (8.0, 1.9), (4.0, 1.0 + k % 2), (4.0, 1.0)) for k in range(8)]
    assert value(visited(shared, threads=4)) == pytest.approx(1 / (2 / 8 + 2 / 4))


def test_a_cpu_that_had_company_in_all_visits_counts_as_the_others() -> None:
    """Other tasks have seen it alone. Where nobody was alone, the part with the least company is what there is."""
    corunners = CoRunners()
    for cpu in range(2):
        corunners.note(2, 1.0, cpu)
    busy = [parts((4.0, 1.0), (9.0, 1.5 + 0.1 * k)) for k in range(6)]
    assert value(visited(busy, threads=2, corunners=corunners)) == pytest.approx(4.0 / 2)
    all_busy = visited([parts((8.0, 1.6), (7.0, 1.5 + 0.1 * k)) for k in range(6)], threads=2, corunners=corunners)
    assert value(all_busy) == pytest.approx(7.0 / 2)
    assert all_busy.estimate
    assert "co-runners" in all_busy.estimate.doubt


def of_sets(costs: Sequence[float], times: int = 4, company: Sequence[float] = (1.0,)) -> float:
    """What is found of sets of data that lie elsewhere; with company they take longer."""
    samples = []
    for k in range(times * len(costs)):
        there = company[k % len(company)]
        found = Sample(np.full(9, there * costs[k % len(costs)]), there)
        samples.append(Sample(found.values, found.interference, {k % len(costs): found}))
    return value(visited(samples))


def test_of_sets_of_data_that_lie_elsewhere_a_quarter_counts() -> None:
    """Not the fastest of them, nor the slow ones; nor those that had company whenever they were looked at."""
    assert of_sets((8.0, 4.0, 6.0, 5.0, 9.0)) == pytest.approx(5.0)
    assert of_sets((8.0, 4.0, 6.0, 5.0, 9.0), company=(1.0, 1.5, 1.6)) == pytest.approx(5.0)
    assert of_sets((4.0, 8.0, 4.1, 6.0, 4.2, 5.0, 4.3, 9.0), company=(1.5, 1.0)) == pytest.approx(5.75)
    few = of_sets((4.0, 8.0, 4.1, 7.0, 4.2, 5.0, 4.3, 9.0), 1, (1.0, 1.2, 1.0, 1.9, 2.0, 1.6, 2.1, 1.7))
    assert few == pytest.approx(np.quantile([4.0, 4.1, 1.2 * 8.0, 1.6 * 5.0], 0.25))  # half of them in any case


def test_probes_whose_sets_lie_elsewhere_agree() -> None:
    """Pages lie well or, more or less, badly: a tenth above the best, in the mean. With twelve sets two probes are
    seldom more than 5 % apart; their means often are."""
    rng = np.random.default_rng(5)
    drawn = 1 + 0.02 * rng.random((600, 12)) + rng.exponential(0.1, (600, 12))
    quarter, mean = np.array([of_sets(costs, 1) for costs in drawn]), drawn.mean(axis=1)
    apart = [np.mean(np.abs(found[::2] / found[1::2] - 1) > 0.05) for found in (quarter, mean)]
    assert apart[0] < 0.08 < 0.12 < apart[1]


def test_of_memory_that_others_use_a_third_of_the_visits_counts() -> None:
    """With a tenth of their windows: the very first ones may be those of a cache. How many samples others leave alone
    is another number in every probe."""
    rng = np.random.default_rng(2)

    def samples() -> list[NDArray[np.float64]]:
        busy = rng.random(20) < rng.uniform(0.8, 1.0)
        costs = np.where(busy, rng.normal(1.25, 0.03, 20), 1.0)
        return [cost * np.concatenate([[0.7], rng.uniform(1.0, 1.05, 60)]) for cost in costs]

    found = {how: [how(samples()) for _ in range(40)] for how in (memory_of_all, memory)}
    assert np.ptp(found[memory_of_all]) < 0.06 < 0.15 < np.ptp(found[memory])
    assert min(found[memory]) >= 1 > 0.8 > cache(samples())
    assert memory_of_all([np.arange(11.0) + 10 * k for k in range(4)]) == pytest.approx(11.0)


def test_functions_that_lie_in_one_of_two_ways_are_the_same_in_every_probe() -> None:
    """A twelfth slower in every second process; some probes have seven processes without company, one of which, now and
    then, had company that nobody saw for half of its time. Quarters of the samples are one or the other."""
    rng = np.random.default_rng(8)

    def samples() -> list[NDArray[np.float64]]:
        found = [(24.7 if rng.random() < 0.5 else 26.7) * (1 + 0.01 * rng.random(80)) for _ in range(7)]
        if rng.random() < 0.3:
            found[0][:40] *= 1.9
        return found

    apart = []
    for how in (library, instruction):
        found = np.array([how(samples()) for _ in range(400)])
        apart.append(np.mean(np.abs(found[::2] / found[1::2] - 1) > 0.05))
    assert apart[0] < 0.03 < 0.06 < apart[1]


def test_of_some_runs_those_with_the_least_company_count() -> None:
    runs = [Chunks(1.0, np.zeros(1), np.ones(1), np.empty(0), company) for company in (1.6, 1.2, 1.9, 1.3)]
    assert [run.interference for run in least_disturbed(runs)] == [1.2, 1.3]
    assert least_disturbed([]) == []


@pytest.mark.parametrize(("alone", "count"), [(10, 10), (2, 2), (1, 5)])
def test_of_many_visits_of_several_threads_two_without_company_are_enough(alone: int, count: int) -> None:
    """Those with it do not count beside them; where there is one, five do."""
    company = [1.0] * alone + [1.5 + 0.01 * k for k in range(60 - alone)]
    corunners = CoRunners()
    corunners.note(2, 1.0)
    found = visited([Sample(np.full(9, 3.0 * one), one) for one in company], threads=2, corunners=corunners).estimate
    assert found
    assert found.samples == count


def test_threads_are_parts_by_cpu_and_one_thread_has_none() -> None:
    runs = [
        Chunks(1.0, 1e-5 * np.arange(200), np.full(200, 1e-5), np.empty(0), company, cpu)
        for cpu, company in ((3, 1.0), (1, 1.6))
    ]
    found = sample_each(runs)
    assert {cpu: part.interference for cpu, part in found.parts.items()} == {3: 1.0, 1: 1.6}
    assert found.parts[1].values == pytest.approx(np.full(len(found.values), 1e-5))
    assert found.values == pytest.approx(np.full(len(found.values), 0.5e-5))
    assert sample_each(runs[:1]).parts == {}


def test_corunners_are_what_they_take_on_average_wherever_a_thread_would_be() -> None:
    """Not where it goes to, for that is a quiet CPU."""
    cpus = Cpus(1.0, 1.5, 1.0, 1.0, 1.5)
    task = Task("a", lambda: Sample(np.ones(1), cpus.interference[cpus.at]), corunners=cpus.corunners)
    pair = Task("b", lambda: Sample(np.ones(1), 1.9), threads=2, corunners=cpus.corunners)
    for _ in range(100):
        task.run()
        pair.run()
    assert all(one.interference == 1.0 for one in task.samples)
    assert cpus.corunners.mean == pytest.approx(0.5 * 2 / 5)


def test_a_visit_has_the_company_of_the_thread_with_the_most() -> None:
    runs = [Chunks(1.0, np.zeros(1), np.ones(1), np.empty(0), company) for company in (1.0, 1.6)]
    assert sample_of(np.ones(1), runs).interference == 1.6
    assert sample_of(np.empty(0), ()).interference == 1.0


def test_where_a_visit_cannot_be_too_fast_one_counts() -> None:
    assert cache_size([noisy(120e-9, 10), noisy(45e-9, 10), noisy(118e-9, 10)]) == pytest.approx(45e-9, rel=0.01)


def test_what_is_reached_is_reached_by_one_visit_in_ten() -> None:
    """The fastest may be too fast: what two CPUs, on one core for once, take to meet."""
    assert cache([np.array([k, k + 50.0]) for k in np.arange(101.0)]) == 10.0
    samples = [noisy(43e-9, 20) for _ in range(1)] + [noisy(140e-9, 20) for _ in range(19)]
    assert cache(samples) == pytest.approx(140e-9, rel=0.01)


def test_of_threads_that_meet_a_quarter_of_all_values_counts() -> None:
    """Whatever the fastest are: on one core for once, they take a third."""
    assert barrier([np.arange(50.0), np.arange(50.0, 101.0)]) == 25.0
    samples = [noisy(43e-9, 20)] * 3 + [noisy(140e-9, 20) for _ in range(17)]
    assert barrier(samples) == pytest.approx(140e-9, rel=0.01)


def test_a_clock_that_goes_in_steps_is_the_same_for_every_probe() -> None:
    """Hosts give 2.8 to 3.4 GHz, another one every second; looks are disturbed now and then. The highest, which a few
    samples see, is another one for every probe."""
    rng = np.random.default_rng(3)

    def clock() -> list[Any]:
        steps = 1 / rng.choice([2.8, 2.9, 3.0, 3.4], 200, p=[0.45, 0.3, 0.245, 0.005])
        return [step * np.where(rng.random(80) < 0.1, 1.2, 1.0) for step in steps]

    probes = np.array([1 / mean_clock(clock()) for _ in range(50)])
    assert probes == pytest.approx(np.full(50, 2.885), rel=0.01)


def test_single_chunks_that_are_too_fast_do_not_count() -> None:
    """A jump takes a cycle; now and then the clock beside one seemed a tenth slower than it was."""
    samples = [np.append(noisy(1.0, 77), [0.89, 0.9, 0.91]) for _ in range(12)]
    assert instruction(samples) == pytest.approx(1.0, rel=0.01)
    assert cache(samples) < 0.9
