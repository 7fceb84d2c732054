"""Numbers of earlier probes beside those of a new one: other work only ever makes a machine look slower."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.machine import Machine
    from foretell.machines.probe.write import Draft

#: a bandwidth that is further away is not one of the same machine
_CREDIBLE = 3.0


def keep_better(draft: Draft, earlier: Machine) -> None:
    """Takes over bandwidths of one core that were higher, and bandwidths that this probe lacks.

    What is further than a factor of three away comes from another machine and is left alone. Numbers of all cores
    together stay: threads that do not quite run at the same time seem faster than they are. So do latencies, overlaps,
    sizes, clocks and the cost of parallel regions.
    """
    for path, quantity in earlier.quantities.items():
        unit = draft.units.get(path, quantity.unit)
        if not path.endswith("bandwidth") or unit != quantity.unit:
            continue
        value, source = draft.values.get(path, (None, "streams"))
        if value is not None and (".core_" not in path or not 1.0 < quantity.value / value <= _CREDIBLE):
            continue
        draft.put(path, quantity.value, source, unit)
        draft.missing.pop(path, None)
        draft.notes[path] = "from an earlier probe, which was disturbed less"
