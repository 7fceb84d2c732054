"""The page of a CUDA program that ran without a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.report.page.elements import Bar, Notes, Page, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.report.page.elements import Section


#: operations of a timeline that a page shows
_MOST_SPANS = 60
#: GPUs whose kernels, copies and timelines a page shows; of all others, the totals
_MOST_DEVICES = 3


def program_run(document: dict[str, Any]) -> Page:
    """Kernels, copies and totals of each GPU."""
    title = " ".join(document["command"])
    devices = document["devices"]
    sections: list[Section] = _ranking(devices)
    for device in devices[:_MOST_DEVICES]:
        sections += [_totals(device), *_kernels(device), *_copies(device), *_path(device), *_changes(device)]
        sections += _timeline(device, document["operations"])
    notes = dict.fromkeys(
        text
        for device in document["devices"]
        for text in (*device["assumptions"], *(note for row in device["kernels"] for note in row["assumptions"]))
    )
    sections += [Notes("faults", tuple(document["faults"]))] if document["faults"] else []
    refused = tuple(f"{entry['name']}: {entry['reason']}" for entry in document.get("refused", ()))
    sections += [Notes("not predicted", refused)] if refused else []
    sections += [Notes("assumed", tuple(notes), folded=True)] if notes else []
    said = "; ".join(
        f"on {device['machine']} {_time(device['total_s'])}, its GPU busy for {_time(device['busy_s'])}"
        for device in devices[:_MOST_DEVICES]
    )
    said += f"; {len(devices) - _MOST_DEVICES} more GPUs" if len(devices) > _MOST_DEVICES else ""
    times = tuple((device["machine"], device["busy_s"]) for device in document["devices"])
    headline = f"{title}: {document['launches']} launches; {said}"
    return Page(title, headline, tuple(sections), "program_run", document, times)


def _ranking(devices: list[Any]) -> list[Section]:
    """All GPUs, if there are several."""
    if len(devices) == 1:
        return []
    longest = max(device["total_s"] for device in devices) or 1.0
    rows = tuple(
        (device["machine"], _time(device["total_s"]), Bar(device["total_s"], longest), _time(device["busy_s"]))
        for device in devices
    )
    return [Table("GPUs", ("", "from the first use of CUDA to the end", "", "GPU busy"), rows)]


def _totals(device: Mapping[str, Any]) -> Table:
    named = (
        ("GPU busy", "busy_s"), ("of it kernels", "kernels_s"), ("of it copies and sets", "copies_s"),
        ("GPU idle", "idle_s"), ("host outside of CUDA (measured here)", "host_s"),
        ("host waits for the GPU", "waiting_s"), ("from the first use of CUDA to the end", "total_s"),
    )  # fmt: skip
    longest = max(device[key] for _, key in named) or 1.0
    rows = tuple((name, _time(device[key]), Bar(device[key], longest)) for name, key in named)
    return Table(f"the program on {device['machine']}", ("", "time", ""), rows)


def _kernels(device: Mapping[str, Any]) -> list[Section]:
    measured = any(row.get("measured_s") is not None for row in device["kernels"])
    rows = tuple(
        (
            row["kernel"],
            str(row["launches"]),
            _time(row["time_s"]),
            Bar(row["share"], 1.0),
            row["bound_by"],
            *((_measured(row),) if measured else ()),
        )
        for row in device["kernels"]
    )
    columns = ("kernel", "launches", "time", "share", "bound by", *(("measured there",) if measured else ()))
    return [Table("kernels", columns, rows)] if rows else []


def _measured(row: Mapping[str, Any]) -> str:
    """The time on the GPU beside which the program was recorded."""
    return "" if row.get("measured_s") is None else _time(row["measured_s"])


def _path(device: Mapping[str, Any]) -> list[Section]:
    rows = tuple(
        (part["name"], _time(part["time_s"]), Bar(part["share"], 1.0)) for part in device.get("critical_path", ())
    )
    return [Table("critical path", ("", "time", "share"), rows)] if rows else []


def _changes(device: Mapping[str, Any]) -> list[Section]:
    rows = tuple((row["change"], _time(row["time_s"]), f"{row['gain']:.2f} x") for row in device.get("changes", ()))
    return [Table("what changes would bring, at most", ("change", "time", "faster by"), rows)] if rows else []


def _timeline(device: Mapping[str, Any], operations: list[Any]) -> list[Section]:
    """The longest operations in the order of their start: a line shows from when to when each runs."""
    spans = sorted(device["timeline"], key=lambda span: span["start_s"] - span["end_s"])[:_MOST_SPANS]
    rows = tuple(
        (
            str(operations[span["operation"]]["name"]),
            str(span["stream"]),
            _time(span["start_s"]),
            _time(span["end_s"] - span["start_s"]),
            Bar(0.0, device["total_s"], interval=(span["start_s"], span["end_s"])),
        )
        for span in sorted(spans, key=lambda span: float(span["start_s"]))
    )
    columns = ("operation", "stream", "start", "time", "from the first use of CUDA to the end")
    more = len(device["timeline"]) - len(rows)
    return [Table("timeline", columns, rows, more=more, folded=True)] if rows else []


def _copies(device: Mapping[str, Any]) -> list[Section]:
    rows = tuple(
        (row["direction"], str(row["count"]), units.show(row["bytes"], "B"), _time(row["time_s"]))
        for row in device["copies"]
    )
    return [Table("copies and sets", ("direction", "count", "bytes", "time"), rows)] if rows else []


def _time(seconds: float) -> str:
    return units.show(float(seconds), "s")
