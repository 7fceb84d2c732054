"""What looks at cores tell: whether the threads that looked had the machine for themselves.

A look (`include/foretell_look.h`) is the time of a chain, which only the clock moves, and of a wide spin, from which a
neighbour on the core takes. Wide over chain, beside what one thread alone has, is the number of threads on the core.
Of several threads the longest chain and the longest wide spin count.
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

#: the share of spins below the least that counts: one may be too short by chance
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Alone:
    """The spins of one thread that has a core for itself: the chain, in the unit of the looks, and wide over chain."""

    chain: float
    quotient: float


@dataclass(frozen=True, slots=True)
class Beside:
    """Looks beside what the machine file says of so many threads: chains as multiples of the chain at their clock, and
    threads on the core as multiples of those that share one."""

    clock: NDArray[np.float64]
    crowd: NDArray[np.float64]


def alone(chains: ArrayLike, wides: ArrayLike) -> Alone:
    """The spins at their best, of looks of one thread. Each by itself: the least quotient of all is that of a look
    whose chain was interrupted."""
    chain = least(chains)
    return Alone(chain, least(wides) / chain)


def least(times: ArrayLike) -> float:
    """What looks take at their best."""
    return float(np.quantile(np.asarray(times, dtype=np.float64), _LEAST))


def clock_share(chains: ArrayLike, best: Alone, machine: Machine) -> float:
    """The clock of a program as a share of the usual one, which wide vectors lower and looks right behind them see: of
    those in the machine file, the one that is nearest to the program's best looks beside the best of all."""
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
    """Looks of so many threads: 1 where clock and sharing of cores were those of the machine file, more where the clock
    was slower or somebody else was there. Chains of so many `passes`, in nanoseconds, tell the clock: the file's is a
    mean, and chains at their best are of a faster one. Without, these stand for it. `share`: the
    part of the usual clock that the program has. `least_crowd`: threads on a core when so many had the least company;
    the file's number is a usual one, and others may be in it."""
    count, clock = machine.value("cores.count"), machine.value("clock.frequency")
    slower = growing_share(clock / _value(machine, "clock.all_cores", clock), threads, count)
    usual_crowd = growing_share(_value(machine, "cores.hidden_smt", 1.0), threads, count)
    sharing = np.minimum(usual_crowd, max(1.0, least_crowd))
    chain = np.asarray(chains, dtype=np.float64)
    quotient = np.asarray(wides, dtype=np.float64) / chain
    usual = (_chain_of(machine, passes) or best.chain) / share
    return Beside(chain / (usual * slower), quotient / (best.quotient * sharing))


def _chain_of(machine: Machine, passes: int) -> float:
    """Nanoseconds of so many multiplications at the clock of the machine file; 0 where it does not tell."""
    path = "pipeline.multiply_i64.latency"
    cycles = machine.value(path) if path in machine and machine[path].unit == "cycle" else 0.0
    return 1e9 * passes * cycles / machine.value("clock.frequency")


def _value(machine: Machine, path: str, otherwise: float) -> float:
    return machine.value(path) if path in machine else otherwise
