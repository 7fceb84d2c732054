"""A machine on one screen: cores and clock, caches, memory, and how many numbers are known from where."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.machine.machine import Machine

_CORES = (
    ("cores.count", "cores"),
    ("clock.frequency", "clock"),
    ("cores.simd_width", "vector registers"),
    ("cores.flops_per_cycle", "flop per cycle of a core"),
    ("peak.double", "peak, double precision"),
    ("peak.single", "peak, single precision"),
    ("cores.issue_width", "issue width"),
    ("cores.reorder_buffer", "reorder buffer"),
    ("occupancy.warps", "warps of a multiprocessor"),
    ("occupancy.registers", "registers of a multiprocessor"),
    ("scratchpad.size", "shared memory or scratchpad"),
    ("link.bandwidth", "link to the host"),
)
_MEMORY = ("size", "bandwidth", "core_bandwidth", "latency")


def summary(item: Machine) -> RenderableType:
    """What is known of a machine at a glance; --full lists every number."""
    known = new_table("", "", title=f"{item.title} ({item.name}, {item.kind})")
    known.show_header = False
    for path, meaning in _CORES:
        if path in item:
            known.add_row(meaning, _shown(item, path))
    for path in ("target.isa", "target.cpu"):
        if path in item.traits:
            known.add_row("code for", f"{item.traits[path]}")
    levels = new_table("level", "size", "bandwidth", "of a core", "latency", "line")
    for name in (*item.levels, "memory"):
        prefix = name if name == "memory" else f"level.{name}"
        cells = [_shown(item, f"{prefix}.{part}") for part in (*_MEMORY, "line")]
        levels.add_row(name, *cells)
    return Group(known, levels, *_notes(item))


def _shown(item: Machine, path: str) -> str:
    return units.show(item[path].value, item[path].unit) if path in item else ""


def _notes(item: Machine) -> list[Text]:
    kinds = Counter(quantity.source.kind for quantity in item.quantities.values())
    sources = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    notes = [Text(f"{len(item.quantities)} numbers ({sources}); --full shows each with its source")]
    if item.missing:
        notes.append(Text(f"missing: {', '.join(item.missing)}"))
    return [*notes, *(Text(f"warning: {warning}") for warning in item.warnings)]
