"""A CUDA program that ran without a GPU: tables by kernel and by copy, and its timeline for trace viewers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.core.answers.program_run import assumptions_of
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.answers.program_run import DeviceRun, Operation, ProgramRun

KERNEL_COLUMNS = ("kernel", "launches", "time", "share", "mean", "between", "bound by", "predicted")
#: one more, of a capture that was recorded beside a GPU
MEASURED = "measured there"
PATH_COLUMNS = ("critical path", "time", "share")
CHANGE_COLUMNS = ("change", "time", "at most faster by")
COPY_COLUMNS = ("copies", "count", "bytes", "time")
_MICRO = 1e6


def text(item: ProgramRun) -> RenderableType:
    """A table of kernels and one of copies for each GPU, and the totals."""
    parts: list[RenderableType] = []
    for device in item.devices:
        parts += [_kernels(device), _copies(device)]
        parts += _tables(device)
        parts += [Text(totals(device)), Text()]
    if len(item.devices) > 1:
        parts.append(Text(ranking(item)))
    parts += [Text(f"fault: {fault}") for fault in item.faults]
    parts += [Text(f"not predicted: {entry.name}: {entry.reason}") for entry in item.refused]
    notes = list(assumptions_of(item))
    if notes:
        parts.append(Text("assumed: " + "; ".join(notes)))
    return Group(*parts)


def totals(device: DeviceRun) -> str:
    """The times of a program in a line."""
    return (
        f"GPU busy {_time(device.busy_s)} (kernels {_time(device.kernels_s)}, copies {_time(device.copies_s)}), idle "
        f"{_time(device.idle_s)}; host {_time(device.host_s)}, waits {_time(device.waiting_s)}; from the first use of "
        f"CUDA to the end {_time(device.total_s)}"
    )


def kernel_rows(device: DeviceRun) -> list[tuple[str, ...]]:
    """A row for each kernel, in the order of KERNEL_COLUMNS."""
    return [
        (
            row.kernel,
            str(row.launches),
            _time(row.time_s),
            f"{row.share:.1%}",
            _time(row.mean_s),
            f"{_time(row.interval_s[0])} … {_time(row.interval_s[1])}",
            row.bound_by,
            str(row.predicted),
            *((_measured(row.measured_s),) if has_times(device) else ()),
        )
        for row in device.kernels
    ]


def has_times(device: DeviceRun) -> bool:
    """Whether some kernels were measured on another GPU."""
    return any(row.measured_s is not None for row in device.kernels)


def copy_rows(device: DeviceRun) -> list[tuple[str, ...]]:
    """A row for each direction, in the order of COPY_COLUMNS."""
    return [(row.direction, str(row.count), units.show(row.bytes, "B"), _time(row.time_s)) for row in device.copies]


def _kernels(device: DeviceRun) -> RenderableType:
    if not device.kernels:
        return Text(f"{device.machine}: no kernel was launched")
    columns = (*KERNEL_COLUMNS, MEASURED) if has_times(device) else KERNEL_COLUMNS
    table = new_table(*columns, title=device.machine)
    for row in kernel_rows(device):
        table.add_row(*row)
    return table


def _copies(device: DeviceRun) -> RenderableType:
    if not device.copies:
        return Text()
    table = new_table(*COPY_COLUMNS)
    for row in copy_rows(device):
        table.add_row(*row)
    return table


def path_rows(device: DeviceRun) -> list[tuple[str, ...]]:
    """A row for each part of the critical path, in the order of PATH_COLUMNS."""
    return [(part.name, _time(part.time_s), f"{part.share:.1%}") for part in device.critical_path]


def change_rows(device: DeviceRun) -> list[tuple[str, ...]]:
    """A row for each change, in the order of CHANGE_COLUMNS."""
    return [(item.change, _time(item.time_s), f"{item.gain:.2f} x") for item in device.changes]


def ranking(item: ProgramRun) -> str:
    """The GPUs by the time of the whole program, the fastest first."""
    ordered = sorted(item.devices, key=lambda device: device.total_s)
    first = ordered[0].total_s
    rest = [f"{each.machine} {_time(each.total_s)} ({each.total_s / first:.2f} x)" for each in ordered[1:]]
    return f"fastest: {ordered[0].machine} {_time(first)}; " + ", ".join(rest)


def _tables(device: DeviceRun) -> list[RenderableType]:
    """The critical path, and what changes would bring."""
    shown: list[RenderableType] = []
    for columns, rows in ((PATH_COLUMNS, path_rows(device)), (CHANGE_COLUMNS, change_rows(device))):
        if rows:
            table = new_table(*columns)
            for row in rows:
                table.add_row(*row)
            shown.append(table)
    return shown


def trace(item: ProgramRun) -> str:
    """The timelines in the JSON format that Chrome and Perfetto open: a process for each GPU, a row for each stream.
    Times are microseconds."""
    events: list[dict[str, Any]] = []
    for number, device in enumerate(item.devices, 1):
        events.append({"ph": "M", "name": "process_name", "pid": number, "tid": 0, "args": {"name": device.machine}})
        for stream in sorted({span.stream for span in device.timeline}):
            name = "default stream" if stream == 0 else f"stream {stream}"
            events.append({"ph": "M", "name": "thread_name", "pid": number, "tid": stream, "args": {"name": name}})
        for span in device.timeline:
            operation = item.operations[span.operation]
            events.append(
                {
                    "ph": "X",
                    "name": operation.name,
                    "cat": operation.kind,
                    "pid": number,
                    "tid": span.stream,
                    "ts": span.start_s * _MICRO,
                    "dur": (span.end_s - span.start_s) * _MICRO,
                    "args": _arguments(operation),
                }
            )
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, allow_nan=False)


def _arguments(operation: Operation) -> dict[str, Any]:
    if operation.kind == "kernel":
        return {
            "grid": "x".join(map(str, operation.grid)),
            "block": "x".join(map(str, operation.block)),
            "warp_instructions": operation.instructions,
        }
    return {} if operation.kind == "library" else {"bytes": operation.bytes}


def _measured(seconds: float | None) -> str:
    return "" if seconds is None else _time(seconds)


def _time(seconds: float) -> str:
    return units.show(seconds, "s")
