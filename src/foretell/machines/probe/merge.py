"""Merges numbers of earlier probes into those of a new one: interference only ever makes a machine look slower."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.machine import capacity

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine, Quantity, Source
    from foretell.machines.probe.write import Draft

#: a bandwidth that differs by a larger factor belongs to another machine
_CREDIBLE = 3.0
#: suffixes of paths whose numbers are better when higher, or lower
_HIGHER = ("bandwidth", "clock.frequency", "clock.all_cores", "peak.double")
_LOWER = (".latency", ".gap", "tlb.walk")
#: detected capacities of levels
_ENDS = (".detected_size", *(f".{part}" for part in capacity.SHARES))


def keep_better(draft: Draft, earlier: Machine) -> None:
    """Copies, with their sources, numbers of an earlier probe of this machine that was disturbed less: bandwidths of
    one core that were higher; numbers that this probe lacks; and, of the numbers that did not converge this time, those
    that were better.

    A number that differs by more than a factor of three comes from another machine and is ignored. Converged numbers
    are not replaced: those of all cores, because threads that do not quite run concurrently appear faster than they
    are; those of instructions, because a clock that was measured too slow makes them too short. Sizes, counts and
    overlaps have no better value; but where this probe detected no capacity of a level, that of the earlier one is
    used.
    """
    ends = {path: end for path, end in earlier.quantities.items() if path.endswith(_ENDS)}
    for path in [path for path in draft.missing if path in ends]:
        _take(draft, path, ends[path])
        if f"{path}_all" in ends:
            _take(draft, f"{path}_all", ends[f"{path}_all"])
    for path, quantity in earlier.quantities.items():
        unit = draft.units.get(path, quantity.unit)
        if unit == quantity.unit and _is_better(draft, path, quantity.value):
            _take(draft, path, quantity)
            _raise_total(draft, path, quantity)


def _take(draft: Draft, path: str, quantity: Quantity) -> None:
    draft.put(path, quantity.value, _source(draft, quantity.source), quantity.unit)
    draft.doubts.discard(path)
    draft.notes[path] = "from an earlier probe, which was disturbed less"


def _raise_total(draft: Draft, path: str, quantity: Quantity) -> None:
    """All cores together are at least as fast as one of them was."""
    total = path.replace(".core_", ".")
    if total != path and total in draft.values and draft.values[total][0] < quantity.value:
        _take(draft, total, quantity)


def _is_better(draft: Draft, path: str, before: float) -> bool:
    """Whether the earlier value of a number is the one to keep."""
    higher, lower = path.endswith(_HIGHER), path.endswith(_LOWER) or path.startswith("sync.")
    if path not in draft.values:
        return (higher or lower) and path in draft.missing
    gain = before / draft.values[path][0]
    gain = 1 / gain if lower else gain
    open_ = path in draft.doubts or (path.endswith("bandwidth") and ".core_" in path)
    return (higher or lower) and open_ and 1.0 < gain <= _CREDIBLE


def _source(draft: Draft, source: Source) -> str:
    """The name in this file of an earlier probe's source."""
    for key, known in draft.sources.items():
        if known == source:
            return key
    key = f"earlier_{sum(name.startswith('earlier') for name in draft.sources) + 1}"
    draft.sources[key] = source
    return key
