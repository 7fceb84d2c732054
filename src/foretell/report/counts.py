"""Formats a `Counts` facet as data and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.core.facets.counts import BLOCKS, EVENTS
from foretell.report.plain import only, plain

if TYPE_CHECKING:
    from foretell.core.facets.counts import Counts


def document(item: Counts) -> dict[str, Any]:
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


def rows(item: Counts) -> list[dict[str, object]]:
    """Returns one row per event of a block; a missing event has no value."""
    found: list[dict[str, object]] = []
    for block in document(item)["blocks"]:
        for event, count in block["events"].items():
            found.append({"block": block["name"], "event": event, **count, "missing": ""})
        for event, why in block["missing"].items():
            text = f"{why['why']}; it blocks {why['blocks']}" if why["blocks"] else why["why"]
            found.append({"block": block["name"], "event": event, "missing": text})
    return found


def origin(item: Counts) -> str:
    """Describes the origin of the counts in one line."""
    machine = item.machine.name if item.machine else item.machine_name
    where = f"on {machine}" if machine else "on a machine that the profile does not name"
    cores = "an unknown number of cores" if item.cores is None else f"{item.cores} cores"
    threads = "" if item.threads_per_core is None else f", {item.threads_per_core} threads per core"
    return f"{item.tool} {item.tool_version}".strip() + f" {where}, {cores}{threads}"
