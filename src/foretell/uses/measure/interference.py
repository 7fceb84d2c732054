"""Detects interference: SMT co-runners and clock changes during a measurement.

An interference check (`include/foretell_interference.h`) times a dependency chain, which only the clock affects, and a
wide spin, which an SMT co-runner slows. Wide over chain, relative to that of one thread alone, is the number of threads
on the core. Of several threads the longest chain and the longest wide spin are used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine.parameters import VECTOR_CLOCKS
from foretell.models.base import growing_share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from foretell.core.machine.machine import Machine

#: the quantile of spins that is used as their minimum: single ones may be too short by noise
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Alone:
    """The spins of one thread alone on its core: the chain, in the unit of the checks, and wide over chain."""

    chain: float
    quotient: float


@dataclass(frozen=True, slots=True)
class Beside:
    """Interference checks relative to the machine file's values for this many threads: chains as multiples of the chain
    at their clock, and threads on the core as multiples of `cores.hidden_smt`."""

    clock: NDArray[np.float64]
    crowd: NDArray[np.float64]


def alone(chains: ArrayLike, wides: ArrayLike) -> Alone:
    """Computes the undisturbed spins from checks of one thread. Each separately: the least quotient of all is that of a
    check whose chain was interrupted."""
    chain = least(chains)
    return Alone(chain, least(wides) / chain)


def least(times: ArrayLike) -> float:
    """The undisturbed time of the checks: a low quantile."""
    return float(np.quantile(np.asarray(times, dtype=np.float64), _LEAST))


def clock_share(chains: ArrayLike, best: Alone, machine: Machine) -> float:
    """Computes the clock of a program as a fraction of the usual one, which wide vectors lower and checks right after
    them show: of those in the machine file, the one nearest to the program's best checks relative to the best of
    all."""
    usual, seen = machine.value("clock.frequency"), best.chain / least(chains)
    lowered = [min(1.0, machine.value(path) / usual) for path in VECTOR_CLOCKS.values() if path in machine]
    return min((1.0, *lowered), key=lambda share: abs(math.log(share / seen)))


def beside(
    chains: ArrayLike,
    wides: ArrayLike,
    best: Alone,
    machine: Machine,
    threads: int,
    passes: int = 0,
    share: float = 1.0,
    least_crowd: float = math.inf,
) -> Beside:
    """Compares checks of this many threads with the machine file: 1 where clock and sharing of cores were those of the
    file, more where the clock was slower or a co-runner was present. Chains of this many `passes`, in nanoseconds, give
    the clock: the file's is a mean, and the shortest chains belong to a faster one. Without `passes`, the shortest
    chains are the reference. `share`: the fraction of the usual clock that the program has. `least_crowd`: threads on a
    core at the least interference; the file's number is a typical one, and may include co-runners."""
    count, clock = machine.value("cores.count"), machine.value("clock.frequency")
    slower = growing_share(clock / _value(machine, "clock.all_cores", clock), threads, count)
    usual_crowd = growing_share(_value(machine, "cores.hidden_smt", 1.0), threads, count)
    sharing = np.minimum(usual_crowd, max(1.0, least_crowd))
    chain = np.asarray(chains, dtype=np.float64)
    quotient = np.asarray(wides, dtype=np.float64) / chain
    usual = (_chain_of(machine, passes) or best.chain) / share
    return Beside(chain / (usual * slower), quotient / (best.quotient * sharing))


def _chain_of(machine: Machine, passes: int) -> float:
    """Nanoseconds of this many multiplications at the clock of the machine file; 0 where it has none."""
    path = "pipeline.multiply_i64.latency"
    cycles = machine.value(path) if path in machine and machine[path].unit == "cycle" else 0.0
    return 1e9 * passes * cycles / machine.value("clock.frequency")


def _value(machine: Machine, path: str, otherwise: float) -> float:
    return machine.value(path) if path in machine else otherwise
