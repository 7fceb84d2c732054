"""Every AutoMatch number of the specification that the cost model and the split give."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.api import prepare
from foretell.core.facets.trace import Operations, Reuse, Schedule, StackDistances, Trace, Width
from foretell.core.workload import Workload
from foretell.machines import load
from foretell.uses.split import split

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "automatch.json").read_text())["cases"]}
MACHINES = dict(
    zip(
        ("ARC1", "ARC2", "ARC3", "ARC4", "ARC5"),
        ("i5-2400", "i7-4700", "tesla-c2075", "k20c-automatch", "tesla-k20x"),
        strict=True,
    )
)


def matching(prefix: str) -> list[str]:
    return [name for name in CASES if name.startswith(prefix)]


def traced(trace: Trace) -> Workload:
    return Workload(trace.kernel, (trace,))


def of_lines(line: int, near: float, far: float) -> StackDistances:
    """`near` references that every cache holds and `far` that none does, of one line each."""
    return StackDistances(line, far, (near + far) * line, (Reuse(0, near, 0),))


@pytest.mark.parametrize("name", matching("am_fim_"))
def test_instruction_mix(name: str) -> None:
    case = CASES[name]
    operations = Operations(add=case["inputs"]["W_add"], multiply=case["inputs"]["W_mul"])
    assert operations.mix == pytest.approx(case["expected"]["f_im"], rel=case["tolerance"]["rel"])


def test_nothing_to_mix() -> None:
    assert Operations(divide=3).mix == 1.0  # AM-5


def cost(machine: Machine, trace: Trace) -> dict[str, float]:
    found = foretell.predict(traced(trace), machine, mode="paper")
    parts = {part.name: part.time_s for part in found.parts}
    return {
        "T_comp": parts["computation"],
        "T_mem": parts["fast memory"] + parts["slow memory"] + parts["latency"],
        "T_syn": parts["synchronisation"],
        "EC": found.time_s,
        "FLOPS": float(str(found.details["flop_per_s"])),
    }


@pytest.mark.parametrize("name", matching("am_ec_synthetic"))
def test_cost_of_a_synthetic_code(name: str) -> None:
    case = CASES[name]
    machine = load(MACHINES[case["inputs"]["arch"]])
    line = int(machine.value("level.fast.line"))
    # 10 levels of 1000 operations, 5 of 10; f_im = 0.75 = (3 + 6)/(2 * 6); f_v = 0.8
    trace = Trace(
        kernel="synthetic",
        operations=Operations(add=3350, multiply=6700),
        vectorised=8040,
        schedule=Schedule(15, (Width(10, 5), Width(1000, 10))),
        sync_points=14,
        distances=(of_lines(line, case["inputs"]["Q_f"], case["inputs"]["Q_s"]),),
    )
    assert trace.operations.mix == 0.75
    assert trace.vector_share == 0.8
    found = cost(machine, trace)
    for key, value in case["expected"].items():
        assert found[key] == pytest.approx(value, rel=case["tolerance"]["rel"]), key


@pytest.mark.parametrize("name", matching("am_ec_triad"))
def test_cost_of_a_triad(name: str) -> None:
    case = CASES[name]
    machine = load(MACHINES[case["inputs"]["arch"]])
    n = case["inputs"]["n"]
    trace = Trace(
        kernel="triad",
        operations=Operations(add=n, multiply=n),
        vectorised=2 * n,
        schedule=Schedule(2, (Width(n, 2),)),
        sync_points=0,
        distances=(of_lines(int(machine.value("level.fast.line")), 0, case["inputs"]["Q_s"]),),
    )
    found = cost(machine, trace)
    expected = dict(case["expected"])
    assert found["FLOPS"] == pytest.approx(1e9 * expected.pop("GFLOPS"), rel=1e-9)
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=1e-9, abs=1e-18), key


def test_shares_of_a_split() -> None:
    case = CASES["am_split_3_1"]
    cases = [prepare(_costing(seconds), _unit(name)) for name, seconds in case["inputs"]["cost"].items()]
    found = split(cases)
    assert {entry.machine: entry.share for entry in found.shares} == pytest.approx(case["expected"]["share"])
    assert found.even_s / found.split_s == pytest.approx(case["expected"]["speedup_over_even"])


def _costing(seconds: float) -> Workload:
    """A code that takes so many seconds on the machine of `_unit`: sync points of one second."""
    return traced(Trace("work", Operations(), 0, Schedule(), int(seconds), sync_given=True))


def _unit(name: str) -> Machine:
    return replace(load("i5-2400").with_values({"sync.global": 1.0}), name=name)


def test_ratios_of_the_table() -> None:
    expected: dict[str, Any] = CASES["am_bw_latency_ratios"]["expected"]
    for name, path in MACHINES.items():
        machine = load(path)
        bandwidth = machine.value("level.fast.bandwidth") / machine.value("memory.bandwidth")
        latency = machine.value("memory.latency") / machine.value("level.fast.latency")
        assert bandwidth == pytest.approx(expected["beta_f/beta_s"][name], rel=1e-9)
        assert latency == pytest.approx(expected["alpha_s/alpha_f"][name], rel=1e-9)


def test_misses_of_fig_5() -> None:
    """Distances 2, 1, 4, 0 and six first touches, against an LRU memory of 1 to 7 lines."""
    case = CASES["am_fig5_lru_misses"]
    distances = StackDistances(1, 6, 10, tuple(Reuse(d, 1, d) for d in (0, 1, 2, 4)))
    capacities = np.array(case["inputs"]["capacity"], dtype=float)
    assert list(np.asarray(distances.misses(capacities))) == case["expected"]["misses"]
    # the paper's rule, «hit when distance <= C»
    assert list(np.asarray(distances.misses(capacities + 1))) == case["expected"]["paper_rule_d_gt_C"]
