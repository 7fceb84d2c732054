"""Parameters that describe one resource: whoever changes the first moves the others in proportion, unless they are
changed too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from foretell.core.machine.machine import Machine

_SUFFIX = "bandwidth"


def siblings(machine: Machine, path: str) -> tuple[str, ...]:
    """The parameters of a machine that move with one of its parameters.

    The bandwidth of a level, or of memory, moves those of every kind of loop, of one core and of the data sheet; the
    bandwidth of one core those of every kind of one core; a latency that of the far partition; the cost of a parallel
    region that of two threads and of the other runtime.
    """
    if path not in machine:
        return ()
    head, _, name = path.rpartition(".")
    if name in (_SUFFIX, f"core_{_SUFFIX}"):
        start = f"{head}.{name.removesuffix(_SUFFIX)}"
        found = [other for other in machine.quantities if other.startswith(start) and other.endswith(_SUFFIX)]
        return tuple(other for other in found if other != path and other.rpartition(".")[0] == head)
    moved = {"latency": ("far_latency",), "launch": ("pair_launch", "launch_llvm", "pair_launch_llvm")}
    return tuple(other for end in moved.get(name, ()) if (other := f"{head}.{end}") in machine)


def leading(machine: Machine, given: Collection[str], path: str) -> str | None:
    """The given parameter that moves another one: the nearest, if several do."""
    if path in given:
        return None
    head = path.rpartition(".")[0]
    return next(
        (
            leader
            for leader in (f"{head}.core_{_SUFFIX}", f"{head}.{_SUFFIX}", f"{head}.latency", f"{head}.launch")
            if leader in given and path in siblings(machine, leader)
        ),
        None,
    )


def with_siblings(machine: Machine, values: Mapping[str, float]) -> dict[str, float]:
    """The values, and those of the siblings that they move."""
    moved = dict(values)
    for path in values:
        for sibling in siblings(machine, path):
            leader = leading(machine, values, sibling)
            if leader == path:
                moved[sibling] = machine.value(sibling) * values[path] / machine.value(path)
    return moved
