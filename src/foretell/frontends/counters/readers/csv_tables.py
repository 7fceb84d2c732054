"""Reads CSV profiles of VTune and rocprofv3."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.rows import WHOLE, About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines

#: exclusive counts of a function; «:Total» columns are inclusive
_VTUNE_EVENT = re.compile(r"Hardware Event Count:([\w.]+?)(?:_PS)?(?::Self)?(?: ?\((K|M|G)\))?")
_PREFIX = {None: 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
_VTUNE_NAMES = ("Function", "Function Stack", "Source Function", "Function / Call Stack", "Loop", "Module", "Task Type")
_DELIMITERS = (",", ";", "\t", "|", "^")


# ------------------------------------------------------------------------------------------------ VTune


def is_vtune(head: str) -> bool:
    """Whether the header has «Hardware Event Count:» columns."""
    return "Hardware Event Count:" in head.split("\n\n")[0][:20000] and "TABLE," not in head[:2000]


def read_vtune(lines: Lines, about: About) -> Iterator[Item]:
    """Reads the hw-events report: a function per row, an event per column; counts are estimated from samples."""
    delimiter = _vtune_delimiter(lines)
    style = about.style or numbers.style_of(
        cell for row in lines.rows(delimiter) for cell in row if numbers.is_number(cell)
    )
    columns: dict[int, tuple[str, float]] = {}
    names: int | None = None
    width = 0
    for row in lines.rows(delimiter):
        if not columns:
            matches = {index: _VTUNE_EVENT.fullmatch(name) for index, name in enumerate(row)}
            columns = {index: (m[1], _PREFIX[m[2]]) for index, m in matches.items() if m}
            names = next((row.index(name) for name in _VTUNE_NAMES if name in row), None)
            width = len(row)
            if columns and names is None:
                raise lines.error("no column names the functions", hint="expected " + ", ".join(_VTUNE_NAMES[:3]))
            continue
        if len(row) != width or names is None:
            raise lines.error(f"{len(row)} columns instead of {width}; is the file cut off?")
        for index, (event, factor) in columns.items():
            yield _vtune_cell(row[names] or WHOLE, event, row[index], factor, style)
    if not columns:
        raise InputError("no header with «Hardware Event Count:» columns", file=lines.path)


def _vtune_cell(region: str, event: str, text: str, factor: float, style: numbers.Style) -> Item:
    if text in ("", "n/a", "N/A"):
        return Gap(region, event, "VTune has no value")
    return Row(region, event, numbers.count(text, style, event) * factor)


def _vtune_delimiter(lines: Lines) -> str:
    header = next((line for line in lines if "Hardware Event Count:" in line), "")
    return max(_DELIMITERS, key=header.count)


# ---------------------------------------------------------------------------------------------- rocprofv3


def is_rocprof(head: str) -> bool:
    """Whether the header is that of a counter collection."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    return "Counter_Name" in first and "Counter_Value" in first


def read_rocprof(lines: Lines, about: About) -> Iterator[Item]:
    """Reads a counter of a dispatch per row. A dispatch's duration counts once, whatever the number of counters."""
    header: list[str] | None = None
    seen: dict[str, float] = {}
    dispatch: tuple[str, ...] = ()
    timed: dict[tuple[str, ...], tuple[str, str]] = {}  # rows of a dispatch need not be adjacent
    for row in lines.rows():
        if header is None:
            for name in ("Kernel_Name", "Counter_Name", "Counter_Value", "Dispatch_Id"):
                if name not in row:
                    raise lines.error(f"the header has no column {name}")
            header = row
            continue
        if len(row) != len(header):
            raise lines.error(f"{len(row)} columns instead of {len(header)}; is the file cut off?")
        cells = dict(zip(header, row, strict=True))
        key = tuple(cells.get(name, "") for name in ("Process_Id", "Agent_Id", "Dispatch_Id", "Correlation_Id"))
        if key != dispatch:
            dispatch, seen = key, {}
        stamps = (cells.get("Start_Timestamp", ""), cells.get("End_Timestamp", ""))
        if key not in timed:
            timed[key] = stamps
            yield from _rocprof_time(cells, lines)
        elif timed[key] != stamps:
            raise lines.error("the time stamps of this dispatch were others before")
        event = cells["Counter_Name"]
        value = numbers.plain(cells["Counter_Value"])
        if value is None or value < 0 or not event or not cells["Kernel_Name"]:
            raise lines.error(f"{event or 'a counter'}: {cells['Counter_Value'][:40]!r} is no count")
        if seen.setdefault(event, value) != value:
            raise lines.error(f"{event} of this dispatch was {seen[event]:g} before and is {value:g} here")
        yield Row(cells["Kernel_Name"], event, value, "", cells.get("Process_Id", ""), cells.get("Agent_Id", ""))
    if header is None:
        raise InputError("the file is empty", file=lines.path)


def _rocprof_time(cells: dict[str, str], lines: Lines) -> Iterator[Item]:
    if "Start_Timestamp" not in cells or "End_Timestamp" not in cells:
        return
    start, end = numbers.plain(cells["Start_Timestamp"]), numbers.plain(cells["End_Timestamp"])
    if start is None or end is None or end < start:
        raise lines.error("the time stamps of this dispatch are not in order")
    who = (cells.get("Process_Id", ""), cells.get("Agent_Id", ""))  # GPUs run concurrently
    yield Row(cells["Kernel_Name"], "duration", (end - start) * 1e-9, "s", *who)
