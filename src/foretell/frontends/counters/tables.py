"""CSV profiles: LIKWID's, VTune's and rocprofv3's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters import numbers
from foretell.frontends.counters.documents import likwid_value
from foretell.frontends.counters.rows import WHOLE, About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.lines import Lines

_THREAD = re.compile(r"(?:HWThread|Core) (\d+)")
#: what a function counted itself; «:Total» columns hold what it called, too
_VTUNE_EVENT = re.compile(r"Hardware Event Count:([\w.]+)(?::Self)?(?: ?\((K|M|G)\))?")
_PREFIX = {None: 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
_VTUNE_NAMES = (
    "Function",
    "Function Stack",
    "Source Function",
    "Function / Call Stack",
    "Loop",
    "Module",
    "Task Type",
)
_DELIMITERS = (",", ";", "\t", "|", "^")


# ----------------------------------------------------------------------------------------------- LIKWID


def is_likwid(head: str) -> bool:
    """STRUCT and TABLE lines."""
    return bool(re.search(r"^TABLE,(?:Region [^\n,]*,)?Group \d+ ", head, re.MULTILINE))


def read_likwid(lines: Lines, about: About) -> Iterator[Item]:
    """Tables of raw counts; derived metrics and statistics are left out."""
    region, header, left = WHOLE, None, 0
    for row in lines.rows():
        row = row[: next((i + 1 for i in range(len(row) - 1, -1, -1) if row[i]), 0)]
        if not row:
            continue
        if row[0] in ("TABLE", "STRUCT"):
            if left > 0:
                raise lines.error(f"the table before this line lacks {left} of its rows")
            region, left = _likwid_table(row, lines)
            header = None
        elif left == 0 or region == "":
            continue
        elif row[0] in ("Region Info", "RDTSC Runtime [s]", "call count"):
            yield from _likwid_info(region, row, header, lines)
            header = [f"{name}" for name in row] if row[0] == "Region Info" else header
        elif row[0] == "Event":
            header = row
        elif header is None:
            raise lines.error("a table without a header")
        else:
            left -= 1
            yield from _likwid_cells(region, row, header, lines)
    if left > 0:
        raise lines.error(f"the file is cut off: {left} rows of the last table are missing")


def _likwid_table(row: list[str], lines: Lines) -> tuple[str, int]:
    """Region and number of rows of a table of raw counts; other tables have an empty region."""
    if row[0] == "STRUCT":
        return "", 0
    name = row[1].removeprefix("Region ") if len(row) > 1 and row[1].startswith("Region ") else WHOLE
    title = row[2 if name != WHOLE else 1] if len(row) > 2 else ""
    if not re.fullmatch(r"Group \d+ Raw", title):
        return "", 0
    count = numbers.plain(row[-1])
    if count is None or count != int(count) or count < 0:
        raise lines.error("the table does not say how many rows it has")
    return name, int(count)


def _likwid_info(region: str, row: list[str], header: list[str] | None, lines: Lines) -> Iterator[Item]:
    if row[0] != "RDTSC Runtime [s]" or header is None:
        return
    yield from _likwid_cells(region, row, header, lines)


def _likwid_cells(region: str, row: list[str], header: list[str], lines: Lines) -> Iterator[Item]:
    if len(row) > len(header):
        raise lines.error(f"{len(row)} cells in a table of {len(header)} columns")
    cells = row + [""] * (len(header) - len(row))
    for name, text in zip(header, cells, strict=False):
        thread = _THREAD.fullmatch(name)
        if thread is None:
            continue
        item = likwid_value(region, row[0], row[1] if len(row) > 1 else "", thread[1], text)
        if item is None:
            raise lines.error(f"{row[0]}, {name}: {text[:40]!r} is not a number")
        if isinstance(item, Row) and row[0].endswith("[s]"):
            item = Row(region, row[0], item.value, "s", thread=thread[1])
        yield item


# ------------------------------------------------------------------------------------------------ VTune


def is_vtune(head: str) -> bool:
    """A header with «Hardware Event Count:» columns."""
    return "Hardware Event Count:" in head.split("\n\n")[0][:20000] and "TABLE," not in head[:2000]


def read_vtune(lines: Lines, about: About) -> Iterator[Item]:
    """The hw-events report: a function a row, an event a column; counts are estimated from samples."""
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
                raise lines.error(
                    "no column names the functions", hint="expected " + ", ".join(_VTUNE_NAMES[:3])
                )
            continue
        if len(row) != width or names is None:
            raise lines.error(f"{len(row)} columns instead of {width}; is the file cut off?")
        for index, (event, factor) in columns.items():
            yield _vtune_cell(row[names] or WHOLE, event, row[index], factor, style, lines)
    if not columns:
        raise InputError("no header with «Hardware Event Count:» columns", file=lines.path)


def _vtune_cell(
    region: str, event: str, text: str, factor: float, style: numbers.Style, lines: Lines
) -> Item:
    if not text or text in ("n/a", "N/A"):
        return Gap(region, event, "VTune has no value")
    try:
        value = numbers.parse(text, style)
    except InputError as error:
        raise lines.error(f"{event}: {error.message}", hint=error.hint) from None
    if value < 0:
        raise lines.error(f"{event}: {text} is no count")
    return Row(region, event, value * factor)


def _vtune_delimiter(lines: Lines) -> str:
    for line in lines:
        if "Hardware Event Count:" in line:
            return max(_DELIMITERS, key=line.count)
    raise InputError("no header with «Hardware Event Count:» columns", file=lines.path)


# ---------------------------------------------------------------------------------------------- rocprofv3


def is_rocprof(head: str) -> bool:
    """The header of a counter collection."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    return "Counter_Name" in first and "Counter_Value" in first


def read_rocprof(lines: Lines, about: About) -> Iterator[Item]:
    """A counter of a dispatch a row. The duration of a dispatch is counted once, whatever the number of counters."""
    header: list[str] | None = None
    seen: dict[str, float] = {}
    dispatch: tuple[str, ...] = ()
    for row in lines.rows():
        if header is None:
            header = _rocprof_header(row, lines)
            continue
        if len(row) != len(header):
            raise lines.error(f"{len(row)} columns instead of {len(header)}; is the file cut off?")
        cells = dict(zip(header, row, strict=True))
        key = tuple(
            cells.get(name, "") for name in ("Process_Id", "Agent_Id", "Dispatch_Id", "Correlation_Id")
        )
        if key != dispatch:
            dispatch, seen = key, {}
            yield from _rocprof_time(cells, lines)
        event = cells["Counter_Name"]
        value = numbers.plain(cells["Counter_Value"])
        if value is None or value < 0 or not event or not cells["Kernel_Name"]:
            raise lines.error(f"{event or 'a counter'}: {cells['Counter_Value'][:40]!r} is no count")
        if seen.setdefault(event, value) != value:
            raise lines.error(f"{event} of this dispatch was {seen[event]:g} before and is {value:g} here")
        yield Row(cells["Kernel_Name"], event, value, "", cells.get("Process_Id", ""))
    if header is None:
        raise InputError("the file is empty", file=lines.path)


def _rocprof_header(row: list[str], lines: Lines) -> list[str]:
    for name in ("Kernel_Name", "Counter_Name", "Counter_Value", "Dispatch_Id"):
        if name not in row:
            raise lines.error(f"the header has no column {name}")
    return row


def _rocprof_time(cells: dict[str, str], lines: Lines) -> Iterator[Item]:
    if "Start_Timestamp" not in cells or "End_Timestamp" not in cells:
        return
    start, end = numbers.plain(cells["Start_Timestamp"]), numbers.plain(cells["End_Timestamp"])
    if start is None or end is None or end < start:
        raise lines.error("the time stamps of this dispatch are not in order")
    yield Row(cells["Kernel_Name"], "duration", (end - start) * 1e-9, "s", cells.get("Process_Id", ""))
