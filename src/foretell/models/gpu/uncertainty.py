"""Estimates how sure a prediction is: independent relative uncertainties, each from one cause, add in quadrature."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.gpu.functional import DRAWN, QUEUED
from foretell.characterize.gpu.unknown_paths import unknown_paths
from foretell.models.gpu.costs.instruction_costs import Ops, matches_lanes
from foretell.models.gpu.multiprocessor import BARRIER, L1, L2, MEMORY
from foretell.models.gpu.timing import INTS, REALS

if TYPE_CHECKING:
    from foretell.models.gpu.launched import Run

#: relative uncertainty of a launch whose time is all due to one cause: that of the model is given, the others are those
#: of the narrowest intervals that hold 96 % of the launches of `gpu-kinds` and of the tuning halves of 11 other sets
#: (quantile regression), and not below those of an earlier fit (validation/h200/fit_uncertainty.py)
SIZES = {
    "model": 0.13,  # what all launches have
    "unequal blocks": 0.187,  # blocks of different length: their times alone and together are interpolated
    "L2": 0.266,  # waiting for L2: which partition has the data is not known
    "memory": 0.133,  # waiting for memory
    "L1": 0.198,  # waiting for the path to L1: which requests of a warp meet there
    "irregular requests": 0.274,  # requests whose cache hits are by chance
    "updates of few lines": 0.614,  # the rate depends on where these are
    "unknown data": 0.409,  # branches, addresses and predicates that depend on unknown data
    "local memory": 0.542,  # which of its lines L1 keeps
    "barriers": 0.82,  # waiting at barriers: when blocks fall out of step is not followed
    "last instructions": 0.21,  # the end of the longest warps, when nothing hides latencies any more
    "one wave": 0.081,  # all blocks begin together, and none follows: what they do at the same time counts
    "branches": 3.064,  # waiting for the target of a branch, in short loops and where lanes diverge
}
#: the same of the clock, of a launch that keeps the tensor cores busy all the time: after products of matrices at the
#: power limit of 700 W an H200 ran at 1455 of 1980 MHz (validation/h200/tensor, y_matmul_128/8192)
_POWER = math.log(1980 / 1455)
#: the same of the clock of a GPU whose file has that of its data sheet: how far a GPU falls under load towards its base
#: clock was not measured. Boost by base clock of data sheets: 1.13 (RTX 4090), 1.14 (RTX 2080 Ti), 1.19 (V100 and
#: RTX 5090), 1.22 (RTX 3090), 1.28 (RTX A6000); of these six, five are at most 1.22
_CLOCK = math.log(1.22)
#: standard errors of a sampled sum on either side: nine in ten lie within
_STANDARD_ERRORS = 1.64
#: a loop that ends by unknown data is taken to have eight rounds, and may have eight times as many
_ROUNDS = 8.0
#: time of rounds that differ, of which only the first are emulated: six launches that may be looked at, cut to 100,000
#: of the 400,000 and more instructions of their resident blocks, are up to 10 % from what they take in full, four 2 %
_UNEVEN = 0.1
#: an update of few lines takes so many times as long as one of many
_SLOWER = 4.0


def uncertainties(run: Run) -> dict[str, float]:
    """Relative uncertainties of a predicted time, by cause."""
    factors = {name: SIZES[name] * share for name, share in _shares(run).items()}
    factors["sampled blocks"] = _STANDARD_ERRORS * run.prepared.work.error
    factors["power limit"] = _POWER * min(1.0, run.timing.busy["tensor"] / 4 / run.timing.emulated)
    factors |= _unknown_paths(run)
    factors["rounds that differ"] = _UNEVEN * max(0.0, 1 - run.timing.emulated / run.timing.cycles) * run.timing.uneven
    factors["constants by an index"] = math.log(max(1.0, _fetched_alone(run) / run.timing.emulated))
    measured = run.prepared.there.machine["clock.frequency"].source.kind == "measured"
    factors["clock under load"] = 0.0 if measured else _CLOCK
    return {name: value for name, value in factors.items() if value > 0}


def _shares(run: Run) -> dict[str, float]:
    """How far each cause matters to a launch, from 0 to 1."""
    timing, prepared = run.timing, run.prepared
    local = prepared.levels.local.to_l2
    execution, work = prepared.execution, prepared.work
    cycles = timing.issued / 4 + timing.tail + math.fsum(timing.idle.values())
    by_data = any(item.unknown_branches or item.unknown_addresses for item in execution.instructions)
    by_data = by_data or any(map(matches_lanes, prepared.text))
    unknown = by_data or prepared.filled or not {DRAWN, QUEUED}.isdisjoint(execution.assumptions)
    return {
        "model": 1.0,
        "unequal blocks": float(not work.alike),
        "L2": _idle(run, L2) / cycles,
        "memory": _idle(run, MEMORY) / cycles,
        "L1": _idle(run, L1) / cycles,
        "irregular requests": prepared.irregular,
        "updates of few lines": _idle(run, L2) / cycles if _waits_for_lines(run) else 0.0,
        "unknown data": float(unknown),
        "local memory": local / (prepared.levels.to_l2 + local) if local else 0.0,
        "barriers": _idle(run, BARRIER) / cycles,
        "last instructions": timing.tail / cycles,
        "one wave": float(prepared.mine <= prepared.resident),
        "branches": 0.0 if _asleep(run) else timing.idle.get(("branch", "latency"), 0.0) / cycles,
    }


def _idle(run: Run, resource: str) -> float:
    """Cycles of a sub-core that waits for a resource."""
    return math.fsum(idle for (which, _), idle in run.timing.idle.items() if which == resource)


def _unknown_paths(run: Run) -> dict[str, float]:
    """How much longer loops whose rounds are not known may take, or shorter without any round, and how much shorter a
    launch is without the code that may be left out."""
    timing = run.timing
    paths = unknown_paths(run.prepared.text, run.prepared.execution.instructions)
    cycles = timing.executions / 4 + timing.waiting.sum(axis=(1, 2))
    share = float(cycles[sorted(paths.loops)].sum()) / (float(cycles.sum()) or 1.0)
    holders = run.prepared.work.blocks if paths.locks else 0.0  # each may wait for all others
    more = math.log1p((max(_ROUNDS, run.prepared.unended, holders) - 1) * share)
    avoided = paths.avoided / max(1.0, math.fsum(item.executions for item in run.prepared.execution.instructions))
    return {
        "paths not taken": math.log1p(avoided),
        "sleeping": math.log(2 - math.exp(-_less_without(run, _asleep(run)))),  # up to twice as long (PTX ISA)
        "unknown rounds": max(more, _less_without(run, paths.loops)),
        "optional code": _less_without(run, paths.optional),
    }


def _asleep(run: Run) -> frozenset[int]:
    """Instructions that sleep, which the same unit executes as branches."""
    return frozenset(place for place, item in enumerate(run.prepared.text) if item.opcode == "NANOSLEEP")


def _less_without(run: Run, places: frozenset[int]) -> float:
    """By what factor, as a logarithm, the launch is shorter if some instructions are not executed: nothing waits for
    their results, nor for units, L2 or memory that they occupy."""
    executions = run.timing.executions
    left_out = np.isin(np.arange(len(executions)), sorted(places))
    if not executions[left_out].any():
        return 0.0
    prepared, ops = run.prepared, run.prepared.ops
    reals = ops.reals.copy()
    selected = left_out[ops.ints[:, INTS.index("instruction")]]
    reals[selected] = np.where(np.isin(REALS, ("stall", "gap", "fetch")), np.minimum(1.0, reals[selected]), 0.0)
    empty = prepared.core.run(Ops(ops.ints, reals, ops.beyond), prepared.there, list(run.order)).emulated
    issue = float(executions[left_out].sum()) / 4, float(executions[~left_out].sum()) / 4
    return max(0.0, math.log(run.timing.emulated / max(1.0, issue[1], empty - issue[0])))


def _fetched_alone(run: Run) -> float:
    """Cycles to fetch lines of constants if each warp fetches its own: which of them are in step, and share lines, is
    hardly known (validation/h200: 1 fetch of a line for 64 warps in l_walk_lines, 6 in l_walk, 61 in u_potentials)."""
    ops, cycles = run.prepared.ops, 0.0
    walked = ops.reals[:, REALS.index("walked")] * ops.reals[:, REALS.index("line_gap")]
    places = ops.ints[:, INTS.index("instruction")]
    for place in np.unique(places[walked > 0]):
        cycles += float(np.median(walked[(places == place) & (walked > 0)])) * float(run.timing.executions[place])
    return cycles


def _waits_for_lines(run: Run) -> bool:
    """Whether atomics or stores wait for others on the same lines."""
    reals = run.prepared.ops.reals
    service = reals[:, REALS.index("sectors")] * run.prepared.there.gap[L2]
    slowest = reals[:, [REALS.index("serial"), REALS.index("busiest")]].max(axis=1)
    return bool((slowest > _SLOWER * service).any())


def factor(found: dict[str, float]) -> float:
    """The ratio of the upper end of the interval to the time, and of the time to the lower end."""
    return math.exp(math.hypot(*found.values()))
