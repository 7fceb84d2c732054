"""Formats a `Trace` facet as data and as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from foretell import units

if TYPE_CHECKING:
    from foretell.core.facets.trace import Trace, TracedLoop


def document(item: Trace) -> dict[str, Any]:
    """Returns all fields and derived quantities."""
    return {
        **asdict(item),
        "work": item.operations.total,
        "instruction_mix": item.operations.mix,
        "vector_share": item.vector_share,
        "bytes": item.bytes,
        "intensity_flop_per_B": item.intensity,
    }


def summary(item: Trace) -> list[tuple[str, str]]:
    """Summarises the kernel in a few lines."""
    work = item.operations
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in asdict(work).items() if count)
    rows = [
        ("operations W", f"{work.total:,}" + (f" ({kinds})" if kinds else "")),
        ("instruction mix f_im", f"{work.mix:.3g}"),
        ("vectorised W_vec", f"{item.vectorised:,} (f_v {item.vector_share:.3g})"),
        ("levels D", f"{item.schedule.depth:,}"),
        ("operations per level", _parallelism(item)),
        ("synchronisation points S", f"{item.sync_points:,}" + (" (given)" if item.sync_given else "")),
        ("loads and stores", f"{item.accesses:,} ({item.bytes:,.0f} B)"),
        ("footprint", f"{item.footprint:,} B"),
        ("operations per byte", "-" if item.intensity is None else f"{item.intensity:.3g}"),
    ]
    if item.reassociated is not None:
        rows.insert(4, ("levels with reductions as trees", f"{item.reassociated.depth:,}"))
    return rows


def _parallelism(item: Trace) -> str:
    widths = item.schedule.widths
    if not widths:
        return "-"
    mean = item.schedule.operations / item.schedule.depth
    return f"{widths[0].operations:,.4g} to {widths[-1].operations:,.4g}, mean {mean:,.4g}"


def loop_rows(item: Trace) -> list[dict[str, object]]:
    """Returns one row per loop; the name is indented by nesting depth."""
    return [
        {
            "loop": "  " * len(list(item.around(index))) + _place(loop),
            "executions": loop.entries,
            "iterations": loop.iterations,
            "verdict": loop.verdict,
            "why": loop.reason,
            "operations": loop.operations.total,
            "levels": loop.schedule.depth,
            "vectorised": loop.vectorised,
            "bytes": loop.bytes,
            "half within": _within(loop, 0.5),
            "90 % within": _within(loop, 0.9),
            "carried": " ".join(loop.carried),
        }
        for index, loop in enumerate(item.loops)
    ]


def _within(loop: TracedLoop, share: float) -> str:
    """Returns the capacity that serves a given fraction of the loop's references."""
    if not loop.distances or not loop.distances[0].references:
        return "-"
    one = loop.distances[0]
    served, wanted = 0.0, share * one.references
    for reuse in one.reuses:
        served += reuse.references
        if served >= wanted:
            return units.show((reuse.last + 1) * one.line, "B")
    return "-"


def _place(loop: TracedLoop) -> str:
    return f"{loop.function} {loop.file.rsplit('/', 1)[-1]}:{loop.line}"


def distance_rows(item: Trace) -> list[dict[str, object]]:
    """Computes miss ratios at capacities that grow by factors of 8, for each line size."""
    rows: list[dict[str, object]] = []
    for one in item.distances:
        lines = 1
        while one.references and one.misses(lines) > one.cold:
            lines *= 8
            ratio = float(one.misses(lines)) / one.references
            rows.append({"line_B": one.line, "capacity_B": lines * one.line, "miss_ratio": ratio})
    return rows
