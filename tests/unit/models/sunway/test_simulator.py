"""The simulator of core groups: what can be computed by hand, and a slow twin written in another way."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from random import Random
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foretell
from foretell import _core
from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Block, Chunk, Decomposition, Offload, Request
from foretell.core.workload import Workload
from foretell.errors import InputError, UnsupportedError
from foretell.machines import load
from foretell.models.sunway.simulator import simulate
from tests.support.models.sunway import kernel, machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.machine.machine import Machine

SERVICE, LATENCY, GAP = 11.6, 220.0, 50.0
Transfer = tuple[int, int, bool]


MOST = 10**8


def program_of(rounds: int, compute: float, loads: int, transfers: list[Transfer]) -> _core.SwsimProgram:
    program = _core.SwsimProgram()
    program.rounds, program.compute, program.direct_loads = rounds, compute, loads
    made = []
    for transactions, count, out in transfers:
        transfer = _core.SwsimTransfer()
        transfer.transactions, transfer.count, transfer.out = transactions, count, out
        made.append(transfer)
    program.transfers = made
    return program


def memory_of(controllers: int = 1, service: float = SERVICE) -> _core.SwsimMemory:
    memory = _core.SwsimMemory()
    memory.service, memory.latency, memory.gap, memory.controllers = service, LATENCY, GAP, controllers
    return memory


def run(
    cores: int, program: Any, double: bool = False, controllers: int = 1, service: float = SERVICE
) -> _core.SwsimResult:
    programs = [program_of(*program)]
    return _core.swsim_run(memory_of(controllers, service), programs, [[0]] * cores, double, MOST)


# ---------------------------------------------------------------------------------------------- by hand


def test_one_request_of_one_core_takes_latency_and_gaps() -> None:
    assert run(1, (1, 0.0, 0, [(1, 1, False)])).cycles == pytest.approx(LATENCY)
    assert run(1, (1, 0.0, 0, [(100, 1, False)])).cycles == pytest.approx(LATENCY + 99 * GAP)


def test_cores_that_ask_at_once_are_served_one_after_the_other() -> None:
    result = run(64, (1, 0.0, 0, [(1, 1, False)]))
    assert result.transactions == 64
    assert result.busy == pytest.approx(64 * SERVICE)
    assert result.cycles == pytest.approx(63 * SERVICE + LATENCY)
    assert sorted(result.finished) == pytest.approx([LATENCY + k * SERVICE for k in range(64)])


def test_the_oldest_requests_get_the_bandwidth_they_can_take() -> None:
    """Groups, as the paper describes them: five requests fill the memory (5 * 11.6 cycles is the first multiple of a
    transaction that is not less than the gap), the others come after them."""
    finished = run(10, (1, 0.0, 0, [(1000, 1, False)])).finished
    assert finished[:5] == pytest.approx([LATENCY + 999 * 5 * SERVICE] * 5, rel=0.01)
    assert finished[9] == pytest.approx(2 * finished[0], rel=0.01)


def test_memory_that_never_rests_moves_its_bandwidth() -> None:
    cycles = run(64, (50, 0.0, 0, [(16, 50, False), (16, 50, True)])).cycles
    assert cycles == pytest.approx(64 * 50 * 32 * SERVICE, rel=1e-3)


def test_computation_alone_and_loads_between_it() -> None:
    assert run(3, (10, 5000.0, 0, [])).cycles == 5000.0
    one = run(1, (1, 1000.0, 4, []))
    assert (one.cycles, one.compute, one.transfer_wait, one.load_wait) == pytest.approx(
        (1000 + 4 * LATENCY, 1000, 0, 4 * LATENCY)
    )


def test_two_buffers_hide_transfers_behind_computation() -> None:
    program = (10, 10 * 2000.0, 0, [(8, 10, False), (8, 10, True)])
    own = LATENCY + 7 * GAP
    assert run(1, program).cycles == pytest.approx(10 * (2000 + 2 * own))
    assert run(1, program, double=True).cycles == pytest.approx(10 * 2000 + 2 * own)


def test_direct_loads_do_not_wait_behind_transfers() -> None:
    programs = [program_of(1, 0.0, 0, [(1000, 1, False)]), program_of(1, 0.0, 1, [])]
    finished = _core.swsim_run(memory_of(), programs, [[0]] * 8 + [[1]], False, MOST).finished
    assert finished[8] <= LATENCY + 2 * SERVICE


def test_more_controllers_share_the_work() -> None:
    program = (40, 0.0, 0, [(32, 40, False)])
    assert run(256, program, controllers=4).cycles == pytest.approx(run(64, program).cycles, rel=0.01)


def test_wrong_programs_are_refused() -> None:
    with pytest.raises(ValueError, match="not there"):
        _core.swsim_run(memory_of(), [], [[0]], False, MOST)
    with pytest.raises(ValueError, match="at least one"):
        _core.swsim_run(memory_of(controllers=0), [], [], False, MOST)


# ---------------------------------------------------------------------------------------------- a slow twin


@dataclass
class _Asked:
    core: int
    left: int
    rank: tuple[int, int]
    ready: float


def twin(programs: list[Any], double: bool, service: float) -> float:
    """Cores, each with its program, are generators that say what they do next; one controller looks at all requests for
    each transaction."""
    cores = len(programs)
    steps = [(_double if double else _single)(*program) for program in programs]
    now = [0.0] * cores
    done: list[dict[str, float]] = [{} for _ in range(cores)]
    blocked: dict[int, str] = {}
    arrivals: list[tuple[float, int, int, int, str]] = []
    slots: dict[int, str] = {}
    order = 0

    def advance(core: int) -> None:
        nonlocal order
        while True:
            if core in blocked:
                if blocked[core] not in done[core]:
                    return
                now[core] = max(now[core], done[core][blocked.pop(core)])
            try:
                what, amount, slot = next(steps[core])
            except StopIteration:
                return
            if what == "compute":
                now[core] += amount
            elif what == "wait":
                blocked[core] = slot
            else:
                done[core].pop(slot, None)
                heapq.heappush(arrivals, (now[core], order, core, int(amount), slot))
                order += 1

    asked: list[_Asked] = []
    free = 0.0
    for core in range(cores):
        done[core] = {"out0": 0.0, "out1": 0.0, "in": 0.0, "load": 0.0}
        advance(core)
    age = 0
    while asked or arrivals:
        start = min((max(free, one.ready) for one in asked), default=float("inf"))
        if arrivals and arrivals[0][0] <= start:
            time, _, core, amount, slot = heapq.heappop(arrivals)
            one = _Asked(core, amount, (0 if slot == "load" else 1, age), time)
            slots[id(one)] = slot
            asked.append(one)
            age += 1
            continue
        able = [one for one in asked if one.ready <= start]
        first = min(able, key=lambda one: one.rank if start == free else (one.ready, one.rank))
        free = start + service
        first.left -= 1
        first.ready = start + GAP
        if first.left == 0:
            asked.remove(first)
            done[first.core][slots[id(first)]] = start + LATENCY
            advance(first.core)
    return max(now)


def _due(count: int, rounds: int, k: int, early: bool) -> int:
    return sum(1 for n in range(count) if (n * rounds // count if early else -(-(n + 1) * rounds // count) - 1) == k)


def _middle(compute: float, loads: int, rounds: int, k: int) -> Iterator[tuple[str, float, str]]:
    here = _due(loads, rounds, k, False) if loads else 0
    for _ in range(here):
        yield "ask", 1, "load"
        yield "wait", 0, "load"
        yield "compute", compute / rounds / here, ""
    if not here:
        yield "compute", compute / rounds, ""


def _single(rounds: int, compute: float, loads: int, transfers: list[Transfer]) -> Iterator[tuple[str, float, str]]:
    for k in range(rounds):
        for out in (False, True):
            if out:
                yield from _middle(compute, loads, rounds, k)
            for moved, count, leaves in transfers:
                times = _due(count, rounds, k, not out) if leaves == out and count else 0
                if times and moved:
                    yield "ask", moved * times, "out0" if out else "in"
                    yield "wait", 0, "out0" if out else "in"


def _double(rounds: int, compute: float, loads: int, transfers: list[Transfer]) -> Iterator[tuple[str, float, str]]:
    def moved(k: int, out: bool) -> int:
        return sum(m * _due(c, rounds, k, not out) for m, c, leaves in transfers if leaves == out and c)

    sent = 0
    if moved(0, False):
        yield "ask", moved(0, False), "in"
    for k in range(rounds):
        yield "wait", 0, "in"
        yield "wait", 0, f"out{sent % 2}"
        if k + 1 < rounds and moved(k + 1, False):
            yield "ask", moved(k + 1, False), "in"
        yield from _middle(compute, loads, rounds, k)
        if moved(k, True):
            yield "ask", moved(k, True), f"out{sent % 2}"
            sent += 1
    yield "wait", 0, "out0"
    yield "wait", 0, "out1"


@given(
    st.integers(1, 12),
    st.integers(1, 6),
    st.integers(0, 4_000),
    st.integers(0, 12),
    st.lists(st.tuples(st.integers(1, 30), st.integers(1, 6), st.booleans()), max_size=3),
    st.booleans(),
)
def test_the_core_does_what_the_twin_does(
    cores: int, rounds: int, compute: int, loads: int, transfers: list[Transfer], double: bool
) -> None:
    """All times are multiples of a quarter, so that no rounding decides who of two comes first."""
    rounds = max([rounds, *(count for _, count, _ in transfers)])
    program = (rounds, float(compute * rounds), min(loads, 2 * rounds), transfers)
    found = run(cores, program, double, service=11.5).cycles
    assert found == twin([program] * cores, double, service=11.5)


@settings(max_examples=40)
@given(
    st.integers(1, 6),
    st.integers(20, 40),
    st.integers(0, 100),
    st.integers(0, 3),
    st.tuples(st.integers(1, 6), st.integers(0, 6), st.integers(1, 20)),
    st.booleans(),
)
def test_periods_that_are_skipped_are_those_of_the_twin(
    cores: int, rounds: int, compute: int, loads: int, moved: tuple[int, int, int], double: bool
) -> None:
    """Rounds that recur are not simulated, and every time is as if they were. Some transfers are in few rounds only,
    and every other core has a round less. Times are multiples of a tick."""
    inwards, outwards, seldom = moved

    def program(rounds: int) -> Any:
        transfers = [(inwards, rounds, False), (outwards, rounds, True), (3, max(1, rounds // seldom), False)]
        return rounds, 6.0 * compute * rounds, loads * rounds, transfers

    programs = [program(rounds), program(rounds - 1)]
    order = [[k % 2] for k in range(cores)]
    made = [program_of(*one) for one in programs]
    found = _core.swsim_run(memory_of(service=11.5), made, order, double, MOST)
    assert found.cycles == twin([programs[k] for (k,) in order], double, service=11.5)


@pytest.mark.parametrize("double", [False, True])
def test_a_steady_state_is_found_and_skipped(double: bool) -> None:
    """One core; a table that only the first round brings; direct loads alone."""
    for program in (
        (10**6, 1e9, 0, [(8, 10**6, False), (4, 10**6, True)]),
        (10**6, 1e9, 0, [(8, 10**6, False), (40, 1, False)]),
        (1, 1e9, 10**6, []),
    ):
        result = run(4, program, double)
        assert result.exact
        assert result.complete
        assert result.followed < 0.01 * result.transactions
        assert result.transactions == 4 * (program[2] + sum(moved * count for moved, count, _ in program[3]))


def test_rounds_that_never_recur_take_their_average_pace() -> None:
    """A kernel that takes memory nearly all of its time has no period in hundreds of rounds; further ones take about as
    long as those between two shorter kernels."""
    shorter, short, long = (
        run(64, (rounds, 13760.2 * rounds, 0, [(12, rounds, False), (8, rounds, True)])) for rounds in (190, 380, 3000)
    )
    assert short.exact
    assert not long.exact
    assert long.complete
    assert long.transactions == pytest.approx(64 * 20 * 3000, rel=1e-3)
    pace = (short.cycles - shorter.cycles) / 190
    assert long.cycles == pytest.approx(short.cycles + (3000 - 380) * pace, rel=2e-3)


# ---------------------------------------------------------------------------------------------- the wrapper


def test_chunks_are_dealt_round_robin_and_the_last_may_be_shorter() -> None:
    rows = Offload(
        Decomposition(extent=constant(130), tile=Expression("tile")),
        dma=(Request("row", (Chunk(Expression("256*tile")),), Expression("chunks_per_core")),),
        scratchpad_bytes=constant(0),
    )
    found = simulate(Workload("rows", (rows,), {"tile": 4.0}), machine())
    assert found.transactions == 130  # 32 whole chunks of 4, and one of 2
    assert len(found.finished_s) == 33
    fixed = replace(rows, decomposition=Decomposition(extent=constant(130), tile=constant(4)))
    assert simulate(Workload("rows", (fixed,), {"tile": 4.0}), machine()).transactions == 132


def test_the_breakdown_of_the_last_core_is_its_whole_time() -> None:
    found = simulate(kernel(dma=[(8192, 10)], gloads=100, cycles=50_000), machine())
    assert found.compute_s + found.dma_wait_s + found.gload_wait_s == pytest.approx(found.time_s)
    assert 0 < found.utilisation <= 1
    assert simulate(kernel(cycles=0), machine()).utilisation == 0


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(InputError, match="65 cores asked for"):
        simulate(kernel(cores=65, cycles=1), machine())
    with pytest.raises(InputError, match="too many transactions to simulate"):
        simulate(kernel(dma=[(1e12, 1)]), machine())
    negative = Offload(Decomposition(cores=constant(1)), blocks=(Block(constant(1)),),
                       dma=(Request("r", (Chunk(constant(1)),), constant(-1)),))  # fmt: skip
    with pytest.raises(InputError, match="negative"):
        simulate(Workload("w", (negative,)), machine())
    none = Offload(Decomposition(extent=constant(0)), blocks=(Block(constant(1)),))
    with pytest.raises(InputError, match="at least 1"):
        simulate(Workload("w", (none,)), machine())
    model = foretell.models.get("cpu")
    with pytest.raises(UnsupportedError, match="no simulator"):
        model.simulate(kernel(cycles=1), load("zen4"), model.settings())
    with pytest.raises(UnsupportedError, match="no variants"):
        model.search_space(kernel(cycles=1), load("zen4"))


def streaming(cores: int, rounds: int, inwards: int, outwards: int, intensity: float, double: bool) -> Workload:
    """So many transactions in and out of every core in every round; computation as a share of the memory's time."""
    cycles = intensity * cores * (inwards + outwards) * SERVICE * rounds
    offload = Offload(
        Decomposition(cores=constant(cores)),
        dma=(
            Request("in", (Chunk(constant(256 * inwards)),), constant(rounds)),
            Request("out", (Chunk(constant(256 * outwards)),), constant(rounds), out=True),
        ),
        blocks=(Block(constant(cycles)),),
        scratchpad_bytes=constant(0),
        double_buffer=double,
    )
    return Workload("w", (offload,))


def test_the_closed_form_follows_the_simulator() -> None:
    """Regular kernels whose results are no larger than their data. Furthest off where 16 cores with short requests take
    about as long by themselves as the memory does."""
    random = Random(1)
    errors = []
    for _ in range(400):
        inwards = random.randint(4, 64)
        outwards = max(1, inwards * random.randint(1, 64) // 64)
        intensity = random.choice([random.uniform(0.1, 8), random.uniform(0.3, 1.5)])
        cores, rounds = random.choice([8, 16, 32, 64]), random.randint(4, 40)
        workload = streaming(cores, rounds, inwards, outwards, intensity, random.random() < 0.5)
        errors.append(abs(closed_form(workload) / simulate(workload, machine()).time_s - 1))
    errors.sort()
    assert mean(errors) < 0.004
    assert errors[int(0.99 * len(errors))] < 0.04
    assert errors[-1] < 0.12


def closed_form(workload: Workload, on: Machine | None = None) -> float:
    return foretell.predict(workload, on or machine(), options={"overlap": "queue"}).time_s


def test_direct_loads_alone_overlap_with_the_computation_of_others() -> None:
    """Kernels without transfers: while a load of one core is served, the others compute."""
    random = Random(5)
    errors = []
    for _ in range(200):
        on = machine(
            memory__bandwidth=10 ** random.uniform(9, 11.5),
            memory__latency=random.uniform(5, 500),
            memory__delta_delay=random.uniform(0, 30),
        )
        cycles = int(10 ** random.uniform(1, 6.5))
        workload = kernel(cores=random.randint(1, 64), dma=[], gloads=random.randint(1, 600), cycles=cycles)
        errors.append(abs(closed_form(workload, on) / simulate(workload, on).time_s - 1))
    assert mean(errors) < 0.003
    assert max(errors) < 0.08


def test_a_million_rounds_are_no_more_work_than_a_hundred() -> None:
    """A kernel that takes memory half of its time; further rounds all take as long, beyond all counting."""
    times = [
        foretell.predict(streaming(64, rounds, 12, 8, 2.0, True), machine()).time_s for rounds in (10**6, 10**7, 10**12)
    ]
    assert times[1] == pytest.approx(10 * times[0], rel=1e-4)
    assert times[2] == pytest.approx((10**12 - 10**6) * (times[1] - times[0]) / 9e6 + times[0], rel=1e-9)
    odd = replace(
        streaming(64, 10**5, 12, 8, 0.9, False).facet(Offload),
        gload=(Request("g", (Chunk(constant(32)),), constant(7e4)),),
    )
    odd = replace(odd, dma=(*odd.dma, Request("some", (Chunk(constant(256)),), constant(0.7e5))))
    assert 0 < foretell.predict(Workload("odd", (odd,)), machine()).time_s < 60


def test_a_short_last_chunk_is_only_its_own_work() -> None:
    """Two whole chunks for every core and five points for one of them: not a third chunk."""
    sizes = {"k": 8.0, "d": 32.0, "tile_i": 64.0}
    times = []
    for points in (64 * 64 * 2, 64 * 64 * 2 + 5, 64 * 64 * 3):
        case = foretell.prepare("example:k-means.c", "sw26010", parameters={"n": float(points), **sizes})
        times.append(case.predict().time_s)
    assert times[0] <= times[1] < 1.1 * times[0] < times[2]


def chunked(random: Random, loads: int) -> Offload:
    """Rows dealt in tiles, the last of them shorter; a table that is brought once, rows in and out, direct loads."""
    cores, tile = random.choice([7, 16, 61, 64]), random.randint(2, 9)
    rows = tile * random.randint(1, 3 * cores) + random.randint(1, tile - 1)
    cycles = random.uniform(0.3, 3) * cores * 8 * SERVICE
    return Offload(
        Decomposition(extent=constant(rows), tile=Expression("tile"), cores=constant(cores)),
        dma=(
            Request("table", (Chunk(constant(256 * random.randint(1, 30))),), constant(1)),
            Request("in", (Chunk(constant(1500), Expression("tile")),), Expression("chunks_per_core")),
            Request("out", (Chunk(Expression("600*tile")),), Expression("chunks_per_core"), out=True),
        ),
        gload=(Request("load", (Chunk(constant(8)),), Expression(f"chunks_per_core*tile*{loads}")),) if loads else (),
        blocks=(Block(Expression(f"chunks_per_core*tile*{cycles}")),),
        scratchpad_bytes=constant(0),
    )


def test_sweeps_over_tiles_know_which_last_chunks_are_shorter() -> None:
    """Tiles that divide the rows, that leave a shorter chunk to a core, and one that only this core has."""
    offload = replace(
        chunked(Random(3), 0), decomposition=Decomposition(constant(16), constant(97), Expression("tile"))
    )
    tiles = np.array([1.0, 2.0, 3.0, 5.0, 6.0, 97.0])
    case = foretell.prepare(Workload("w", (offload,), {"tile": 1.0}), machine())
    swept = case.model.sweep(case.workload, case.machine, case.settings, {"tile": tiles})
    for tile, seconds in zip(tiles, swept, strict=True):
        one = Workload("w", (offload,), {"tile": float(tile)})
        assert seconds == foretell.predict(one, machine()).time_s


def test_thousands_of_direct_loads_between_transfers_are_passed_over() -> None:
    """64 cores load so often that memory never rests: transfers starve until some cores are done. A thousand times
    as many loads take a thousand times as long, and no longer to predict."""
    times = []
    for loads in (2_000, 20_000, 20_000_000):
        offload = replace(
            streaming(64, 4, 2, 1, 0.1, False).facet(Offload),
            gload=(Request("load", (Chunk(constant(8)),), constant(loads)),),
        )
        workload = Workload("w", (offload,))
        times.append(foretell.predict(workload, machine()).time_s)
    assert times[2] == pytest.approx(1000 * times[1], rel=0.02)


def test_the_simulator_does_not_decide_by_rounding() -> None:
    """A computation that is longer by a 10^13th of itself: the same requests are first. With sums of rounded times this
    kernel took 0.4 % longer."""
    intensity = 111104.72901655306 / (16 * 11 * SERVICE * 96)
    alike = [streaming(16, 96, 8, 3, intensity * (1 + tiny), False) for tiny in (0.0, 1e-13, -1e-13)]
    times = [simulate(workload, machine()).time_s for workload in alike]
    assert times == pytest.approx([times[0]] * 3, rel=1e-9)
