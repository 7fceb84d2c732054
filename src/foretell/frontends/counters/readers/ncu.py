"""Reads Nsight Compute's `ncu --csv --page details` and `--page raw`. The GPU front end uses `launches`, too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.rows import About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines

_FIXED = frozenset(
    {
        "ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
        "Device", "CC",
    }
)  # fmt: skip
_SECONDS = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_TIMES = {prefix + unit: scale for unit in ("s", "second") for prefix, scale in _SECONDS.items()}
_PREFIXES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


@dataclass
class Launch:
    """One launch of a kernel. Metrics are in base units (s, byte, hz); non-numeric ones are in `texts`."""

    identity: str
    kernel: str
    process: str
    block: str
    grid: str
    metrics: dict[str, tuple[float, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def is_ncu(head: str) -> bool:
    """Whether a text has the header of a page, perhaps after messages of the profiler and output of the program."""
    return any(
        '"ID"' in line and '"Kernel Name"' in line and ('"Metric Name"' in line or "__" in line)
        for line in head.split("\n")
    )


def read(lines: Lines, about: About) -> Iterator[Item]:
    """All metrics of all launches as rows of their kernels."""
    for launch in launches(lines, about.style):
        for metric, (value, unit) in launch.metrics.items():
            yield Row(launch.kernel, metric, value, unit, launch.process)
        for metric, text in launch.texts.items():
            yield Gap(launch.kernel, metric, f"{text[:40]!r} in launch {launch.identity}")


def launches(lines: Lines, style: numbers.Style | None = None) -> Iterator[Launch]:
    """The launches of either page in order; numbers in the locale of the file."""
    header = _header(lines)
    long = "Metric Name" in header
    style = style or numbers.style_of(_values(lines, header, long))
    yield from (_long if long else _wide)(lines, header, style)


def _long(lines: Lines, header: list[str], style: numbers.Style) -> Iterator[Launch]:
    launch: Launch | None = None
    for row in _rows(lines, header):
        cells = dict(zip(header, row, strict=True))
        if launch is None or (launch.identity, launch.process) != (cells["ID"], cells.get("Process ID", "")):
            if launch is not None:
                yield launch
            launch = _launch(cells, lines)
        if cells["Metric Name"]:  # empty for rules and their texts
            _put(launch, cells["Metric Name"], cells["Metric Unit"], cells["Metric Value"], style, lines)
    if launch is not None:
        yield launch


def _wide(lines: Lines, header: list[str], style: numbers.Style) -> Iterator[Launch]:
    units = [""] * len(header)
    for number, row in enumerate(_rows(lines, header)):
        cells = dict(zip(header, row, strict=True))
        if number == 0 and not cells["ID"]:  # the line of units below the header
            units = row
            continue
        launch = _launch(cells, lines)
        for name, unit, text in zip(header, units, row, strict=True):
            if name not in _FIXED:
                _put(launch, name, unit, text, style, lines)
        yield launch


def _put(launch: Launch, name: str, unit: str, text: str, style: numbers.Style, lines: Lines) -> None:
    if not numbers.is_number(text) or text.startswith("-"):
        launch.texts.setdefault(name, text)
        return
    value, base = _based(numbers.parse(text, style, name), unit)
    known = launch.metrics.setdefault(name, (value, base))
    if known != (value, base) and known[1] == base:  # values of one metric in two sections must agree
        raise lines.error(f"{name} of this launch was {known[0]:g} {base} before and is {value:g} here")


def _based(value: float, unit: str) -> tuple[float, str]:
    """Converts a value to its base unit, undoing automatic scaling."""
    if unit in _TIMES:
        return value * _TIMES[unit], "s"
    for base in ("byte/second", "byte/block", "byte", "hz", "inst", "cycle/second"):
        prefix = unit.removesuffix(base)
        if unit.endswith(base) and prefix in _PREFIXES:
            return value * _PREFIXES[prefix], base
    return value, unit


def _launch(cells: dict[str, str], lines: Lines) -> Launch:
    identities = (cells["ID"], cells.get("Process ID", "0"))
    if not all(item.isdecimal() and item.isascii() for item in identities) or not cells["Kernel Name"]:
        raise lines.error("a line without an ID, a process or a kernel")
    return Launch(
        cells["ID"], cells["Kernel Name"], cells.get("Process ID", ""),
        cells.get("Block Size", ""), cells.get("Grid Size", ""),
    )  # fmt: skip


def _header(lines: Lines) -> list[str]:
    for text in lines:
        if '"ID"' in text and '"Kernel Name"' in text:
            header = [name.strip().strip('"') for name in text.split('","')]
            if len(set(header)) != len(header):
                raise lines.error("the header names a column twice")
            if "Metric Name" in header and not {"Metric Unit", "Metric Value"} <= set(header):
                raise lines.error("the header has no column Metric Unit or Metric Value")
            return header
    raise InputError("no header of an Nsight Compute page", file=lines.path)


def _rows(lines: Lines, header: list[str]) -> Iterator[list[str]]:
    """The rows below the header, without messages of the profiler (==PROF==)."""
    below = False
    for row in lines.rows(skip=("==",)):
        if not below:
            below = row == header
        elif len(row) != len(header):
            hint = "program output in between? run ncu with --log-file"
            raise lines.error(f"{len(row)} columns instead of {len(header)}; is the file cut off?", hint=hint)
        else:
            yield row


def _values(lines: Lines, header: list[str], long: bool) -> Iterator[str]:
    chosen = [i for i, name in enumerate(header) if (name == "Metric Value" if long else name not in _FIXED)]
    for row in _rows(lines, header):
        for index in chosen:
            if numbers.is_number(row[index]):
                yield row[index]
