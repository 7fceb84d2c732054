"""Who is beside the slowest thread of a run, and what that does to it: twins of the same run, and corunners."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.core.facets.counts import Counts
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.counters import CountersModel, inputs
from tests.support.models.counters import block, profile

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

BGQ = load("blue-gene-q")
SETTINGS = CountersModel().settings()
SLOTS = {"cores.issue_width": 2.0}
#: instructions and nothing else; lines from memory and hardly anything else
BUSY = {"time": 1e9, "instInt": 1e9, "instFP": 0, "numAccess": 0, "hitsL1": 0, "hitsLLC": 0, "LD": 0, "ST": 0}
LINES = {**BUSY, "instInt": 1e6, "numAccess": 1e7, "LD": 1e7}


def neighbours(threads: float, **shares: float) -> tuple[float, float, float]:
    """Threads on the slowest one's core, those on its path, and corunners, on a machine with 16 cores."""
    machine = BGQ.with_values({f"cores.{name}": value for name, value in shares.items()})
    chosen = inputs.Launch(threads, math.nan, 1.0, math.nan, 1.0, 1.0)
    own, path, corunners = (float(np.asarray(x)) for x in inputs.neighbours(Inputs(machine, {}), chosen, SETTINGS))
    return own, path, corunners


@pytest.mark.parametrize(("chance", "expected"), [(0.5, 0.75), (0.2, 0.36), (1.0, 1.0), (0.0, 0.0)])
def test_corunners_come_to_each_thread_by_themselves(chance: float, expected: float) -> None:
    """Somebody is beside one of two threads in three of four cases if each has company in every other."""
    own, path, corunners = neighbours(2, hidden_smt=2.0, corunners=chance)
    assert own - 1 == pytest.approx(1 / 15)
    assert path - 1 == pytest.approx((1 - chance) / 15)
    assert corunners == pytest.approx(expected * (2 - own))
    assert neighbours(1, hidden_smt=2.0, corunners=chance) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("sharing", [1.0, 1.1, 1.5, 1.95, 2.0, 3.0])
@pytest.mark.parametrize("chance", [0.0, 0.1, 0.5, 1.0])
def test_company_grows_with_the_threads_up_to_what_the_machine_file_says(sharing: float, chance: float) -> None:
    found = [neighbours(n, hidden_smt=sharing, corunners=chance) for n in range(1, 17)]
    company = [own + corunners for own, _, corunners in found]
    assert company[0] == 1
    assert all(one <= other + 1e-12 for one, other in pairwise(company))
    assert found[-1] == pytest.approx((sharing, max(1.0, sharing - chance), 0.0))


def seconds(events: dict[str, float], machine: Machine, threads: float = 2.0) -> float:
    """Of a profile of one thread; a sweep says the same."""
    code = profile(block("block", **events), machine=machine, cores=1)
    found = foretell.predict(code, machine, parameters={"threads": threads}).time_s
    swept = foretell.sweep(foretell.prepare(code, machine), {"threads": [1.0, threads]})
    assert swept[1] == pytest.approx(found, rel=1e-12)
    return found


@pytest.mark.parametrize("core", [SLOTS, {}], ids=["two slots", "nobody knows the slots"])
@pytest.mark.parametrize("part", [1.0, 0.5, 0.125])
def test_a_stranger_takes_every_other_slot(part: float, core: dict[str, float]) -> None:
    """What a thread issues takes twice as long, what it does besides as long as before. A core whose slots nobody knows
    is as wide as its busiest pipeline, which takes an instruction a cycle."""
    events = {**BUSY, "instInt": part * core.get("cores.issue_width", 1.0) * BUSY["time"]}
    alone = BGQ.with_values(core)
    beside = alone.with_values({"cores.hidden_smt": 2.0, "cores.corunners": 1.0})
    own, _, corunners = neighbours(2, hidden_smt=2.0, corunners=1.0)
    lost = seconds(events, beside) / seconds(events, alone) - 1
    assert corunners * part <= lost <= corunners * part + (own - 1)
    assert corunners > 0.9


def test_corunners_leave_the_path_to_memory_alone() -> None:
    """Two threads that draw lines all the time, each beside a stranger, take as long as alone."""
    drawn = LINES["LD"] * 128 / (LINES["time"] / 1.6e9)
    path = {"memory.core_bandwidth": drawn, "memory.bandwidth": 1e4 * drawn}
    alone = BGQ.with_values({**path, **SLOTS})
    beside = alone.with_values({"cores.hidden_smt": 2.0, "cores.corunners": 1.0})
    assert seconds(LINES, beside) == pytest.approx(seconds(LINES, alone), rel=0.01)


@pytest.mark.parametrize("cores", [1, 2, 8, 16])
@pytest.mark.parametrize("chance", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("events", [BUSY, LINES, {**LINES, "instInt": 5e8}, {**BUSY, "instInt": 3e9}])
def test_a_baseline_among_corunners_is_what_was_measured(cores: int, chance: float, events: dict[str, Any]) -> None:
    """Also where it issued more than the machine can."""
    machine = BGQ.with_values({"cores.hidden_smt": 1.8, "cores.corunners": chance, **SLOTS})
    whole = {name: value if name == "time" else cores * value for name, value in events.items()}
    code = profile(block("block", **whole), machine=machine, cores=cores)
    found = foretell.predict(code, machine, parameters={"threads": float(cores)}).time_s
    assert found == pytest.approx(events["time"] / 1.6e9, rel=1e-9)
    alone = foretell.predict(code, machine, parameters={"threads": 1.0}).time_s
    assert alone / cores <= found * (1 + 1e-9)


def test_an_instruction_accesses_memory_once() -> None:
    """Simulators count each element of a vector that a multiply-add loads: more than there are instructions."""
    once = {**BUSY, "instInt": 6e8, "numAccess": 6e8, "hitsL1": 5e8, "hitsLLC": 1e8}
    four = {**once, "numAccess": 15e8, "hitsL1": 14e8}
    machine = BGQ.with_values({"cores.hidden_smt": 2.0})

    def time_of(events: dict[str, float], source: Any) -> float:
        code = profile(block("block", **events), machine=machine, cores=1)
        counts = code.facet(Counts)
        known = {name: replace(count, source=source) for name, count in counts.blocks[0].events.items()}
        told = replace(counts, blocks=(replace(counts.blocks[0], events=known),))
        return foretell.predict(replace(code, facets=(told,)), machine, parameters={"threads": 16.0}).time_s

    assert time_of(four, "simulated") == time_of(once, "simulated") == time_of(once, "counter")
    assert time_of(four, "counter") > time_of(once, "counter")
