"""Evaluates equations (1)-(5) of the AutoMatch paper, with numbers or arrays over the points of a sweep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.core.facets.trace import Schedule, StackDistances, Trace
    from foretell.models.base import Settings
    from foretell.models.cost.fields import Fields


@dataclass(frozen=True, slots=True)
class Terms:
    """Every term of the cost in seconds, and their transfers (lines)."""

    depth: Value  #: D / pi0
    operations: Value  #: the sum over levels of (3)
    latency: Value  #: (alpha_f + alpha_s) D
    fast: Value  #: Q_f L / beta_f
    slow: Value  #: Q_s L / beta_s
    sync: Value  #: (5)
    fast_lines: Value  #: Q_f
    slow_lines: Value  #: Q_s
    sync_points: Value  #: S
    sync_range: tuple[Value, Value] | None = None  #: (5) with the least and the most that a barrier may cost
    hidden: Value = 0.0  #: transfer time hidden by computation
    waits_for: str = "memory"  #: origin of the latency
    alone: tuple[Value, ...] = ()  #: computation, fast and slow memory and latency if each alone limited the time,
    #: where that is more than its part of it

    @property
    def limits(self) -> tuple[Value, ...]:
        """Seconds of computation, fast memory, slow memory and latency if only one of them limited the time."""
        return self.alone or (self.compute, self.fast, self.slow, self.latency)

    @property
    def compute(self) -> Value:
        """T_comp of (3)."""
        return self.depth + self.operations

    @property
    def memory(self) -> Value:
        """T_mem of (4)."""
        return self.latency + self.fast + self.slow

    @property
    def total(self) -> Value:
        """EC: the sum."""
        return self.compute + self.memory + self.sync

    @property
    def fastest(self) -> Value:
        """The longest of computation, transfers and waiting, if it hides the others; without barriers."""
        longest: Value = np.max(np.broadcast_arrays(*self.limits), axis=0)
        return np.minimum(longest, self.total - self.sync)

    @property
    def slowest(self) -> Value:
        """Their sum, without overlap; without barriers."""
        return sum(self.limits)

    @property
    def overlapped(self) -> Value:
        """The variant of AM-6 in which computation hides transfers, or the other way round."""
        return np.maximum(self.compute, self.memory) + self.sync


def terms(trace: Trace, fields: Fields, settings: Settings) -> Terms:
    """Computes all terms of one trace on one machine."""
    schedule = schedule_of(trace, settings)
    fast_lines, slow_lines = transfers(trace, fields, settings)
    touched = bool(trace.distances)
    return Terms(
        depth=schedule.depth / fields.peak,
        operations=level_time(schedule, fields) / (vector_share(trace, fields, settings) * trace.operations.mix),
        latency=(fields.fast_latency + fields.slow_latency) * schedule.depth if touched else 0.0,  # AM-10
        fast=fast_lines * fields.line / fields.fast_bandwidth,
        slow=slow_lines * fields.line / fields.slow_bandwidth,
        sync=sync_points(trace, settings) * fields.sync,
        fast_lines=fast_lines,
        slow_lines=slow_lines,
        sync_points=sync_points(trace, settings),
    )


def hard_bound(trace: Trace, fields: Fields, settings: Settings) -> Value:
    """max(D/pi0, W/Pi, Q_s L/beta_s): a lower bound for anything that runs on the machine. A parallel version may
    reassociate its reductions, so the depth is the one with trees where that is known; the whole fast memory may be
    available, and may hold data from before."""
    schedule = trace.reassociated or trace.schedule
    slow_lines = transfers(trace, replace(fields, capacity=fields.most_capacity), settings)[1]
    if trace.distances:  # compulsory misses that fit may be cached before the code begins
        held = np.floor(np.asarray(fields.capacity, dtype=float) / fields.line)
        slow_lines = slow_lines - np.minimum(held, trace.distances_at(int(fields.line)).cold)
    chain = schedule.depth / fields.peak
    work = trace.operations.total / fields.throughput
    return np.maximum(np.maximum(chain, work), slow_lines * fields.line / fields.most_bandwidth)


def schedule_of(trace: Trace, settings: Settings) -> Schedule:
    """The schedule with reductions as written, or as trees where requested and traced (AM-11)."""
    trees = settings["reductions"] == "trees" and trace.reassociated is not None
    return trace.reassociated if trees and trace.reassociated else trace.schedule


def level_time(schedule: Schedule, fields: Fields) -> Value:
    """The sum over levels of w_i / (min(w_i, np) pi0). Levels narrower than the machine take one operation's time each;
    of the others only the sum counts, so two running totals over the widths suffice."""
    widths = sorted(schedule.widths, key=lambda width: width.operations)
    narrow = np.concatenate(([0.0], np.cumsum([width.levels for width in widths])))
    work = np.concatenate(([0.0], np.cumsum([width.operations * width.levels for width in widths])))
    below = np.searchsorted([width.operations for width in widths], fields.processors, side="right")
    result: Value = (narrow[below] + (work[-1] - work[below]) / fields.processors) / fields.peak
    return result


def vector_share(trace: Trace, fields: Fields, settings: Settings) -> Value:
    """f_v of (2). Default (AM-4): at least one lane of a vector works, and lanes of a GPU are processors already."""
    share = trace.vector_share
    if settings["vectors"] == "as_printed":
        if trace.operations.total and not share:
            raise InputError(
                f"{trace.kernel}: no operation runs in a vector, and equation (3) as printed divides by that share",
                hint="--option vectors=at_least_one_lane",
            )
        return share if trace.operations.total else 1.0
    return np.maximum(share, 1 / np.asarray(fields.vector, dtype=float))


def sync_points(trace: Trace, settings: Settings) -> float:
    """S: as given by the user, else by the rule (AM-7)."""
    if trace.sync_given or settings["sync"] == "phases":
        return trace.sync_points
    by_rule = {"regions": trace.regions, "trip": trace.sync_by_trips, "trip_minus_1": trace.sync_by_steps}
    return by_rule[settings["sync"]]


def missed_warm(distances: StackDistances, lines: Value, of_one: Value) -> Value:
    """Misses of a memory of so many lines when the program has just produced its data: they are cached if all fit the
    share of the one thread that produced them."""
    missed = distances.misses(lines)
    return np.where(distances.cold <= np.asarray(of_one), missed - distances.cold, missed)


def transfers(trace: Trace, fields: Fields, settings: Settings) -> tuple[Value, Value]:
    """Q_f and Q_s in lines: hits and misses of the fast memory (AM-1, AM-2, AM-3)."""
    if not trace.distances:
        return 0.0, 0.0
    distances = trace.distances_at(int(fields.line))
    lines = np.floor(np.asarray(fields.capacity, dtype=float) / fields.line)
    if settings["hits"] == "at_most":
        lines = lines + 1  # a hit when distance <= C
    missed = distances.misses(lines)
    if settings["fast_traffic"] == "per_reference":
        return distances.references - missed, missed
    return distances.hit_bytes(lines) / fields.line, missed
