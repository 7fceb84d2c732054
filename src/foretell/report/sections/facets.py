"""Formats the facets `Counts` and `Trace` as data and as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.core.facets.counts import BLOCKS, EVENTS
from foretell.report.plain import only, plain

if TYPE_CHECKING:
    from foretell.core.facets.counts import Counts
    from foretell.core.facets.trace import Trace, TracedLoop


def counts_document(item: Counts) -> dict[str, Any]:
    """Returns everything but the raw rows."""
    return {
        **only(item, "tool", "tool_version"),
        "machine": item.machine.name if item.machine else item.machine_name,
        **only(item, "cores", "threads_per_core"),
        "blocks": [
            {
                "name": block.name,
                "events": {
                    event: {"value": count.value, "unit": EVENTS[event][0], **plain(count)}
                    for event, count in block.events.items()
                },
                "missing": {
                    event: {"why": why, "blocks": BLOCKS.get(event, "")} for event, why in block.missing.items()
                },
            }
            for block in item.blocks
        ],
    }


def counts_rows(item: Counts) -> list[dict[str, object]]:
    """Returns one row per event of a block; a missing event has no value."""
    rows: list[dict[str, object]] = []
    for block in counts_document(item)["blocks"]:
        for event, count in block["events"].items():
            rows.append({"block": block["name"], "event": event, **count, "missing": ""})
        for event, why in block["missing"].items():
            text = f"{why['why']}; it blocks {why['blocks']}" if why["blocks"] else why["why"]
            rows.append({"block": block["name"], "event": event, "missing": text})
    return rows


def counts_origin(item: Counts) -> str:
    """Describes the origin of the counts in one line."""
    machine = item.machine.name if item.machine else item.machine_name
    where = f"on {machine}" if machine else "on a machine that the profile does not name"
    cores = "an unknown number of cores" if item.cores is None else f"{item.cores} cores"
    threads = "" if item.threads_per_core is None else f", {item.threads_per_core} threads per core"
    return f"{item.tool} {item.tool_version}".strip() + f" {where}, {cores}{threads}"


def trace_document(item: Trace) -> dict[str, Any]:
    """Returns all fields and derived quantities."""
    return {
        **asdict(item),
        "work": item.operations.total,
        "instruction_mix": item.operations.mix,
        "vector_share": item.vector_share,
        "bytes": item.bytes,
        "intensity_flop_per_B": item.intensity,
    }


def trace_summary(item: Trace) -> list[tuple[str, str]]:
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
            "loop": "  " * len(list(item.around(index))) + _located(loop),
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
    distances = loop.distances[0]
    served, wanted = 0.0, share * distances.references
    for reuse in distances.reuses:
        served += reuse.references
        if served >= wanted:
            return units.show((reuse.last + 1) * distances.line, "B")
    return "-"


def _located(loop: TracedLoop) -> str:
    return f"{loop.function} {loop.file.rsplit('/', 1)[-1]}:{loop.line}"


def distance_rows(item: Trace) -> list[dict[str, object]]:
    """Computes miss ratios at capacities that grow by factors of 8, for each line size."""
    rows: list[dict[str, object]] = []
    for distances in item.distances:
        lines = 1
        while distances.references and distances.misses(lines) > distances.cold:
            lines *= 8
            ratio = float(distances.misses(lines)) / distances.references
            rows.append({"line_B": distances.line, "capacity_B": lines * distances.line, "miss_ratio": ratio})
    return rows
