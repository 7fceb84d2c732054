"""Numbers of earlier probes beside those of a new one: other work only ever makes a machine look slower."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.machine import Machine
    from foretell.machines.probe.write import Draft

#: a latency, gap or rate that an earlier probe found this much better was not found by chance alone
_CREDIBLE = 3.0


def keep_better(draft: Draft, earlier: Machine) -> None:
    """Takes over bandwidths of one core that were higher and latencies that were shorter, and what this probe lacks.

    What is further than a factor of three away comes from another machine and is left alone. Numbers of all cores
    together stay: threads that do not quite run at the same time seem faster than they are. So do overlaps, sizes,
    clocks and the cost of parallel regions, which are not better when they are larger or smaller.
    """
    for path, quantity in earlier.quantities.items():
        if not _bandwidth(path) and not _time(path):
            continue
        unit = draft.units.get(path, quantity.unit)
        if unit != quantity.unit:
            continue
        if path in draft.values:
            value, source = draft.values[path]
            if _bandwidth(path) and ".core_" not in path:
                continue
            ratio = quantity.value / value if _bandwidth(path) else value / quantity.value
            if not 1.0 < ratio <= _CREDIBLE:
                continue
        else:
            source = "streams" if _bandwidth(path) else "walks"
        draft.put(path, quantity.value, source, unit)
        draft.missing.pop(path, None)
        draft.notes[path] = "from an earlier probe, which was disturbed less"


def _bandwidth(path: str) -> bool:
    return path.split(".")[-1].endswith("bandwidth")


def _time(path: str) -> bool:
    return path.startswith(("level.", "memory.")) and path.endswith(".latency")
