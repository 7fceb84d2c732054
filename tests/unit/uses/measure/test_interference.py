"""Which chunks of a CPU measurement count: invented samples with strangers, clocks and shared cores, and a real one
beside programs that keep the CPUs busy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.core.machine.machine import Quantity, Source
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, ToolError
from foretell.frontends import read
from foretell.machines import load
from foretell.uses.measure import Build, Request, cases, interference, measure_cases, recorded, recording, suite
from foretell.uses.measure.compile_and_run import Program, compiled
from foretell.uses.measure.harness import Number, arguments
from foretell.uses.measure.timing import Best, Sample, Timing, call_time
from foretell.uses.validate import compare, validate

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.machine.machine import Machine
    from foretell.uses.measure.harness import Argument

TRUE, CHAIN, WIDE = 1e-6, 4100.0, 3200.0
CHUNKS, MACHINE = 800, load("sapphire-rapids")


def machine(**numbers: float) -> Machine:
    told = {"cores.count": 2.0, "cores.hidden_smt": 1.0, "clock.frequency": 3e9, "clock.all_cores": 3e9}
    told |= {path.replace("__", "."): value for path, value in numbers.items()}
    stated = {path: Quantity(value, "", Source("assumed", "test")) for path, value in told.items()}
    return replace(MACHINE, quantities={**MACHINE.quantities, **stated})


def there(rng: np.random.Generator, share: float, count: int, lasts: float) -> NDArray[np.bool_]:
    """Whether a stranger is there, moment by moment: he stays for `lasts` moments on average."""
    states, now = np.empty(count, dtype=bool), rng.random() < share
    for k in range(count):
        if rng.random() < ((1 - share) if now else share) / lasts:
            now = not now
        states[k] = now
    return states


def sample(
    rng: np.random.Generator,
    share: float,
    threads: int = 1,
    *,
    true: float = TRUE,
    clock: float = 1.0,
    own: float = 1.0,
    lasts: float = 100.0,
) -> Sample:
    """Looks and chunks in turn. With a stranger, calls take 1.2 to 1.8 times as long and a wide spin 1.3 to 1.9 times;
    `own`: threads of the case on one core."""
    beside = there(rng, share, 2 * CHUNKS + 1, lasts)
    slow = np.where(beside, rng.uniform(1.2, 1.8, len(beside)), 1.0) * clock
    spoiled = np.where(beside, rng.uniform(1.3, 1.9, len(beside)), own) * clock
    noise = 1 + 0.006 * rng.random((3, len(beside)))
    chain, wide = CHAIN * clock * noise[0][::2], WIDE * spoiled[::2] * noise[1][::2]
    times = (true * slow * noise[2])[1::2]
    none = np.zeros(CHUNKS)
    columns = [times, times, none, chain[:-1], wide[:-1], none, chain[1:], wide[1:], none]
    solo = there(rng, share, 32, 1000.0)
    first = np.column_stack([CHAIN * clock * (1 + 0.006 * rng.random(32)), WIDE * clock * np.where(solo, 1.6, 1.0)])
    return Sample(threads, np.column_stack(columns), first)


def timing(samples: list[Sample], here: Machine, others: list[Sample] | None = None) -> Timing:
    return call_time(samples, Best.of([*samples, *(others or [])]), here)


@pytest.mark.parametrize("share", [0.0, 0.45, 0.9])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_a_stranger_on_the_core_is_seen(share: float, threads: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    quiet = [sample(rng, 0.45) for _ in range(4)]  # other cases, from which what one thread is alone is known
    found = timing([sample(rng, share, threads) for _ in range(6)], machine(), quiet)
    assert found.converged
    assert found.seconds == pytest.approx(TRUE, rel=0.02)


@pytest.mark.parametrize("told", [2.7e9, 3.0e9, 3.2e9])
def test_times_are_at_the_clock_of_the_machine_file(told: float) -> None:
    """It is a mean; while the kernels are measured the host may give more, or less."""
    rng = np.random.default_rng(2)
    here = machine(clock__frequency=told, clock__all_cores=told)
    found = timing([sample(rng, 0.2) for _ in range(6)], here)
    assert found.converged
    assert found.seconds == pytest.approx(TRUE * 3e9 / told, rel=0.02)


@pytest.mark.parametrize(("ran_at", "share"), [(1.0, 1.0), (0.87, 0.87), (0.78, 0.78), (0.84, 0.87), (0.97, 1.0)])
def test_times_of_wide_vectors_are_at_their_clock(ran_at: float, share: float) -> None:
    """Looks right behind wide vectors see the clock that these have; it is no disturbance."""
    rng = np.random.default_rng(3)
    here = machine(clock__vector_32=0.87 * 3e9, clock__vector_64=0.78 * 3e9)
    others = [sample(rng, 0.2) for _ in range(4)]
    found = timing([sample(rng, 0.2, clock=1 / ran_at, true=TRUE) for _ in range(6)], here, others)
    assert found.converged
    assert found.seconds == pytest.approx(TRUE / share, rel=0.02)


def test_times_of_a_stranger_who_never_goes_are_marked() -> None:
    rng = np.random.default_rng(1)
    quiet = [sample(rng, 0.45) for _ in range(4)]
    found = timing([sample(rng, 1.0) for _ in range(6)], machine(), quiet)
    assert not found.converged
    assert found.seconds == pytest.approx(1.2 * TRUE, rel=0.03)  # the fastest that there is
    once = timing([sample(rng, 1.0), sample(rng, 0.2), sample(rng, 1.0)], machine(), quiet)
    assert not once.converged  # one sample alone may be wrong


def test_few_quiet_moments_beside_many_steady_ones_of_a_stranger() -> None:
    """The fastest dense group of all chunks would be the stranger's: what counts is not how often, but beside whom."""
    rng = np.random.default_rng(2)
    quiet = [sample(rng, 0.0) for _ in range(2)]
    crowded = []
    for _ in range(4):
        one = sample(rng, 0.0, true=1.3 * TRUE)
        chunks = np.tile(one.chunks, (4, 1))
        chunks[:, [4, 7]] *= 1.6
        chunks[1000:1010] = quiet[0].chunks[:10]
        crowded.append(Sample(1, chunks, one.first_checks))
    found = timing(crowded, machine(), quiet)
    assert found.converged
    assert found.seconds == pytest.approx(TRUE, rel=0.02)
    assert found.chunks == 40


def test_times_at_a_slower_clock_do_not_count_as_they_are() -> None:
    rng = np.random.default_rng(3)
    samples = [sample(rng, 0.3), sample(rng, 0.3, clock=1.15), sample(rng, 0.3), sample(rng, 0.3, clock=1.4)]
    found = timing(samples, machine())
    assert found.converged
    assert found.seconds == pytest.approx(TRUE, rel=0.02)
    lower = timing([sample(rng, 0.3, clock=1.07) for _ in range(3)], machine(), samples)
    assert lower.converged
    assert lower.seconds == pytest.approx(TRUE, rel=0.02)  # so many cycles, at the clock of the machine by itself
    slow = [sample(rng, 0.0, 2, clock=1.2) for _ in range(3)]
    assert not timing(slow, machine(), samples).converged
    assert timing(slow, machine(clock__all_cores=2.5e9), samples).converged  # what the machine does with two threads


def test_two_threads_of_one_core_count_where_the_machine_has_no_other() -> None:
    rng = np.random.default_rng(4)
    one = [sample(rng, 0.3) for _ in range(4)]
    both = [sample(rng, 0.0, 2, true=1.6 * TRUE, own=1.9) for _ in range(3)]
    assert not timing(both, machine(), one).converged
    shared = timing(both, machine(cores__hidden_smt=2.0), one)
    assert shared.converged
    assert shared.seconds == pytest.approx(1.6 * TRUE, rel=0.02)


def test_threads_that_had_their_cores_for_themselves_count_where_they_usually_have_not() -> None:
    """The number of the machine file is a usual one, and strangers may be in it."""
    rng = np.random.default_rng(6)
    one, quiet = [sample(rng, 0.3) for _ in range(4)], sample(rng, 0.0, 2)
    both = []
    for _ in range(4):
        beside = sample(rng, 0.0, 2, true=1.3 * TRUE)
        chunks = np.tile(beside.chunks, (4, 1))
        chunks[:, [4, 7]] *= 1.6
        chunks[1000:1040] = quiet.chunks[:40]
        both.append(Sample(2, chunks, beside.first_checks))
    found = timing(both, machine(cores__hidden_smt=1.9), one)
    assert found.converged
    assert found.seconds == pytest.approx(TRUE, rel=0.02)


def test_interrupted_chunks_and_slow_visits_do_not_count() -> None:
    rng = np.random.default_rng(5)
    quiet, hit = sample(rng, 0.0), sample(rng, 0.0)
    hit.chunks[::3, 0] *= 40
    hit.chunks[::3, 2] = 1
    found = timing([quiet, hit], machine())
    assert found.converged
    assert found.seconds == pytest.approx(TRUE, rel=0.01)
    assert found.chunks == CHUNKS + 533


def rows(times: list[tuple[float, float, float]], memory: float = 0.0) -> NDArray[np.float64]:
    return np.array([[*one, *(CHAIN, WIDE, memory) * 2] for one in times])


FIRST = np.array([[CHAIN, WIDE]])


def test_of_long_calls_that_were_interrupted_processor_time_counts() -> None:
    long = Sample(1, rows([(0.2, 0.1, 1), (0.3, 0.1, 1), (0.15, 0.11, 1)]), FIRST)
    assert timing([long, long], machine()) == Timing(pytest.approx(0.1, rel=0.01), 6, converged=True)
    never = Sample(1, rows([(1e-5, 1.1e-5, 1)] * 6), FIRST)  # short, and not one left alone
    assert timing([never, never], machine()) == Timing(pytest.approx(1e-5), 12, converged=False)


@pytest.mark.parametrize("share", [0.45, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_traffic_of_strangers_in_memory_is_seen(share: float, seed: int) -> None:
    """Calls of data in no cache: reading memory takes as much longer as they do; cores do not matter."""
    rng = np.random.default_rng(seed)

    def call(taken: float) -> Sample:
        busy = there(rng, taken, 11, 3.0)
        slower = np.where(busy, rng.uniform(1.2, 1.6, 11), 1.0) * (1 + 0.01 * rng.random(11))
        chunks = rows([(0.04 * one, 0.04 * one, 0.0) for one in slower[1::2]])
        chunks[:, 5], chunks[:, 8] = 2e6 * slower[:-1:2], 2e6 * slower[2::2]
        chunks[:, [4, 7]] *= 2
        return Sample(1, chunks, FIRST)

    others = [call(0.5) for _ in range(20)]
    found = timing([call(share) for _ in range(40)], machine(), others)
    assert found.converged
    assert found.seconds == pytest.approx(0.04, rel=0.02)
    assert not timing([call(1.0) for _ in range(4)], machine(), others).converged


def test_a_look_beside_the_machine_file() -> None:
    best = interference.alone([CHAIN] * 200 + [3 * CHAIN], [WIDE] * 150 + [2 * WIDE] * 51)
    assert best == interference.Alone(CHAIN, WIDE / CHAIN)
    here = machine(cores__hidden_smt=2.0, clock__all_cores=2.4e9)
    found = interference.beside([1.25 * CHAIN] * 2, [2.5 * WIDE, 5 * WIDE], best, here, 2)
    assert found.clock == pytest.approx([1, 1])
    assert found.crowd == pytest.approx([1, 2])


# ---------------------------------------------------------------------------------------- samples

ADD = "void add(int n, double s, double *a) { for (int i = 0; i < n; i++) a[i] = a[i] + s; }\n"


def request(tmp_path: Path, *sizes: float, **more: float) -> Request:
    path = tmp_path / "k.c"
    path.write_text(ADD)
    build = Build("gcc", ("-O2",))
    points = tuple({"n": size} for size in sizes)
    return replace(Request(machine(), (build,), (path,), points=points, threads=(1,), seconds=0.02), **more)


needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def the_size(given: tuple[Argument, ...]) -> str:
    first = given[0]
    assert isinstance(first, Number)
    return first.value


@needs_gcc
def test_cases_that_have_not_settled_are_visited_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Invented samples: a quiet case, one with a stranger for the first three, one that is never alone."""
    rng, seen, clock = np.random.default_rng(6), {}, [0.0]

    def run(self: Program, given: tuple[Argument, ...], seconds: float, limits: object, beyond: bool) -> Sample:
        size = the_size(given)
        number = seen[size] = seen.get(size, 0) + 1
        clock[0] += 1.0
        share = {"1000": 0.2, "2000": 1.0 if number <= 3 else 0.2, "3000": 1.0}[size]
        return sample(rng, share)

    monkeypatch.setattr(Program, "run", run)
    monkeypatch.setattr(cases.time, "monotonic", lambda: clock[0])
    said: list[str] = []
    told: list[list[bool]] = []
    found, refused = measure_cases(
        request(tmp_path, 1000, 2000, 3000, rounds=3, patience=9.0),
        said.append,
        lambda known: told.append([case.disturbed for case in known]),
    )
    assert not refused
    assert [case.disturbed for case in found] == [False, False, True]
    # nine samples in rounds, and then nine seconds for those that have not converged
    assert seen == {"1000": 3, "2000": 5, "3000": 10}
    assert "again, 2 not converged: gcc add n=2000 threads=1" in said
    assert told[2] == [False, True, True]
    assert told[-1] == [False, False, True]
    seen.clear()
    measure_cases(request(tmp_path, 1000, rounds=2, patience=60.0))
    assert seen == {"1000": 6}  # a tenth of the patience, though it had converged before


@needs_gcc
def test_what_fails_when_it_is_visited_again_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, count = np.random.default_rng(7), [0]

    def run(self: Program, given: tuple[Argument, ...], seconds: float, limits: object, beyond: bool) -> Sample:
        count[0] += 1
        if the_size(given) == "2000" and count[0] > 2:
            raise ToolError("gone")
        return sample(rng, 0.2)

    monkeypatch.setattr(Program, "run", run)
    found, refused = measure_cases(request(tmp_path, 1000, 2000, rounds=2, patience=1.0))
    assert [case.parameters["n"] for case in found] == [1000]
    assert [entry.reason for entry in refused] == ["gone"]


def test_disturbed_times_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(ADD)
    known = cases.Case(str(path), "add", Build("gcc", ("-O2",)), {"n": 500.0, "threads": 1.0}, "", 1e-7, 9)
    other = replace(known, parameters={"n": 700.0, "threads": 1.0}, seconds=9e-7, disturbed=True)
    answer = compare("cpu", "here", [recorded(case, MACHINE, {}) for case in (known, other)])
    assert answer.disturbed == 1
    assert answer.summary["gcc"].n == 2
    assert answer.undisturbed["gcc"].n == 1
    file = tmp_path / "recorded.toml"
    file.write_text(recording([known, other], MACHINE, "sapphire-rapids"))
    assert [point.disturbed for point in validate(file).points] == [False, True]
    file.write_text(file.read_text().replace("disturbed = true", "disturbed = 3"))
    with pytest.raises(InputError, match="must be true or false"):
        validate(file)
    assert not compare("cpu", "here", [recorded(known, MACHINE, {})]).undisturbed


@needs_gcc
def test_a_kernel_beside_busy_programs(tmp_path: Path) -> None:
    """Visits in turn: alone, and beside as many programs as CPUs, each at work for half of the time."""
    path = tmp_path / "k.c"
    path.write_text(ADD)
    workload = read(path)
    function, loops = suite.function_of(workload, None), workload.facet(Loops)
    given = arguments(loops, function, {"n": 3000})
    program = compiled(tmp_path, path, function, given, Build("gcc", ("-O2",)), 1)
    busy = (
        "import time\n"
        "while True:\n"
        "  end = time.monotonic() + 0.004\n"
        "  while time.monotonic() < end: pass\n"
        "  time.sleep(0.004)"
    )
    quiet, beside = [], []
    for _ in range(6):
        quiet.append(program.run(given, 0.05))
        strangers = [subprocess.Popen([sys.executable, "-c", busy]) for _ in os.sched_getaffinity(0)]
        time.sleep(0.1)
        beside.append(program.run(given, 0.1))
        for one in strangers:
            one.kill()
            one.wait()
    alone, crowded = (timing(samples, machine(), [*quiet, *beside]) for samples in (quiet, beside))
    if alone.converged and crowded.converged:
        assert crowded.seconds == pytest.approx(alone.seconds, rel=0.1)
    assert crowded.seconds < 2 * alone.seconds
