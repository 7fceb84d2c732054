"""Checks the consistency of a machine's numbers.

A failed check makes the file unusable, unless the file names the check under [[conflict]] with the decision that
explains it: then it is a warning.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from foretell import units
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.machine.machine import Machine

#: relative tolerance between a printed peak and the product of its factors (they are printed with 2-3 digits)
PEAK_TOLERANCE = 0.02

#: names that a [[conflict]] may use
CHECKS = ("counts", "peak", "peak.core", "peak.single", "sizes", "available", "latencies", "bandwidths")


@record
class Finding:
    """A check that did not pass."""

    check: str
    message: str


@record
class Conflict:
    """A check that the file, or the one it is based on, declares to fail, and why that is accepted."""

    check: str
    decision: str
    note: str
    inherited: bool = False


def check(machine: Machine) -> tuple[Finding, ...]:
    """Lists every check that these numbers do not pass."""
    rules = (_counts, _peak, _sizes, _available, _latencies, _bandwidths)
    return tuple(finding for rule in rules for finding in rule(machine))


def apply_conflicts(
    machine: Machine, findings: tuple[Finding, ...], conflicts: list[Conflict]
) -> tuple[Machine, tuple[str, ...]]:
    """The machine with its accepted conflicts as warnings, and the problems that remain."""
    accepted = {conflict.check: conflict for conflict in conflicts}
    warnings, problems = [], []
    for finding in findings:
        conflict = accepted.get(finding.check)
        if conflict:
            warnings.append(f"{finding.message} (accepted, {conflict.decision}: {conflict.note})")
        else:
            problems.append(f"{finding.check}: {finding.message}")
    failed = {finding.check for finding in findings}
    for conflict in conflicts:
        if conflict.check not in failed and not conflict.inherited:
            problems.append(f"conflict: the check {conflict.check!r} passes, so nothing is to be accepted")
    return replace(machine, warnings=tuple(warnings)), tuple(problems)


def _counts(machine: Machine) -> Iterator[Finding]:
    """The node's cores are sockets times cores per socket, and groups times cores per group."""
    for outer, inner in (("cores.sockets", "cores.per_socket"), ("cores.groups", "cores.per_group")):
        if all(path in machine for path in ("cores.count", outer, inner)):
            product, count = machine.value(outer) * machine.value(inner), machine.value("cores.count")
            if product != count:
                yield Finding("counts", f"{outer} x {inner} = {product:g}, cores.count = {count:g}")


def _peak(machine: Machine) -> Iterator[Finding]:
    """A peak is the product of its factors; single precision counts multiply and add of each lane."""
    clock = ("cores.count", "clock.frequency")
    yield from _product(machine, "peak", "peak.double", (*clock, "cores.flops_per_cycle"))
    yield from _product(machine, "peak.core", "peak.core", ("clock.frequency", "cores.flops_per_cycle"))
    yield from _product(machine, "peak.single", "peak.single", (*clock, "cores.lanes"), operations=2.0)


def _product(
    machine: Machine, check: str, path: str, factors: tuple[str, ...], operations: float = 1.0
) -> Iterator[Finding]:
    if path not in machine or not all(factor in machine for factor in factors):
        return
    printed, expected = machine.value(path), math.prod(map(machine.value, factors)) * operations
    if abs(printed - expected) > PEAK_TOLERANCE * expected:
        names = " x ".join([*factors, "2"] if operations == 2.0 else factors)
        yield Finding(check, f"{path} is {units.show(printed, 'flop/s')}, {names} = {units.show(expected, 'flop/s')}")


def _sizes(machine: Machine) -> Iterator[Finding]:
    """A cache holds at least as much as the one inside it; prefetch buffers are exempt."""
    caches = [
        level
        for level in machine.levels
        if f"level.{level}.size" in machine and machine.traits.get(f"level.{level}.role") != "prefetch_buffer"
    ]
    for inner, outer in pairwise(caches):
        small, large = machine.value(f"level.{inner}.size"), machine.value(f"level.{outer}.size")
        if small > large:
            sizes = units.show(small, "B"), units.show(large, "B")
            yield Finding("sizes", f"{inner} ({sizes[0]}) is larger than {outer} ({sizes[1]})")


def _available(machine: Machine) -> Iterator[Finding]:
    """The available share of a level is at most 1, and that of one core at most that of all cores."""
    for level in machine.levels:
        paths = [f"level.{level}.available", f"level.{level}.available_all"]
        known = [(path, machine.value(path)) for path in paths if path in machine]
        for (path, part), (outer, most) in pairwise([*known, ("all of it", 1.0)]):
            if part > most:
                yield Finding("available", f"{path} is {part:g}, more than {outer}")


def _latencies(machine: Machine) -> Iterator[Finding]:
    """The latency of a level is at least that of the one inside it."""
    paths = [*(f"level.{level}.latency" for level in machine.levels), "memory.latency"]
    given = [path for path in paths if path in machine]
    if any(machine[path].unit == "cycle" for path in given) and "clock.frequency" not in machine:
        return
    for inner, outer in pairwise(given):
        if machine.seconds(inner) > machine.seconds(outer):
            yield Finding("latencies", f"{inner} is longer than {outer}")


def _bandwidths(machine: Machine) -> Iterator[Finding]:
    """Achieved bandwidth cannot exceed that of the interface, nor one core's bandwidth that of all cores."""
    reached = ("bandwidth", "core_bandwidth", "copy_bandwidth", "read_bandwidth")
    limits = [(f"memory.{name}", "memory.hardware_bandwidth") for name in reached]
    limits += [(f"level.{level}.core_bandwidth", f"level.{level}.bandwidth") for level in machine.levels]
    for used, limit in limits:
        comparable = used in machine and limit in machine and machine[used].unit == machine[limit].unit
        if comparable and machine.value(used) > machine.value(limit):
            yield Finding("bandwidths", f"{used} exceeds {limit}")
