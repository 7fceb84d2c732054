"""Reads the tables of `likwid-perfctr`, also with `-O`, `-o x.csv` and `-o x.json`, of whole programs and marked
regions, one group or several.

Several groups are multiplexed (`-T`, or the switch of the marker interface): each measured its own part of the run.
Counts of one event are summed over the groups that have it, and if only some have it, the sum is scaled by their
fraction of the run time, as perf does with multiplexed counters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.json_documents import document
from foretell.frontends.counters.readers.rows import WHOLE, About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from foretell.frontends.counters.readers.lines import Lines

_THREAD = re.compile(r"(?:HWThread|Core) (\d+)")
_TITLE = re.compile(r"Group (\d+) (Raw|Metric)")
_JSON_GROUP = re.compile(r"(?:(.*) )?Group (\d+)")
_RUN_TIME = "RDTSC Runtime [s]"
#: the kind of a table, by the first cell of its header
_KINDS = {"Event": "Raw", "Region Info": "Raw", "Metric": "Metric"}
#: names of the run time among the metrics and of regions
_RUN_TIMES = (_RUN_TIME, "Runtime (RDTSC) [s]")


@dataclass
class _Group:
    """The counts of one group in one region: by event and thread, and the run time of each thread."""

    counts: dict[tuple[str, str], Item] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


class _Groups:
    """The groups of every region."""

    def __init__(self) -> None:
        self._regions: dict[str, dict[str, _Group]] = {}

    def put(self, region: str, group: str, event: str, counter: str, cells: Iterable[tuple[str, str]]) -> None:
        """Adds the cells of one row in the columns of threads; InputError if one is neither a number nor a known marker
        of a missing value."""
        for column, text in cells:
            if (match := _THREAD.fullmatch(column)) is None:
                continue
            thread, into = match[1], self._regions.setdefault(region, {}).setdefault(group, _Group())
            item = _cell(region, event, counter, thread, text)
            if event not in _RUN_TIMES:
                if into.counts.setdefault((event, thread), item) != item:
                    raise InputError(f"{region}: {event} of group {group} is given twice on thread {thread}")
            elif isinstance(item, Row):
                into.seconds.setdefault(thread, item.value)

    def items(self) -> Iterator[Item]:
        """Rows and gaps of every region."""
        for region, groups in self._regions.items():
            yield from _run_times(region, list(groups.values()))
            by_event: dict[str, list[Item]] = {}
            for key in dict.fromkeys(key for group in groups.values() for key in group.counts):
                by_event.setdefault(key[0], []).append(_over_groups(region, key, list(groups.values())))
            for items in by_event.values():
                yield from _over_threads(items)


def _run_times(region: str, groups: list[_Group]) -> Iterator[Item]:
    """The run time of each thread, over all groups."""
    for thread in dict.fromkeys(thread for group in groups for thread in group.seconds):
        if all(thread in group.seconds for group in groups):
            yield Row(region, _RUN_TIME, sum(group.seconds[thread] for group in groups), "s", thread=thread)
        else:
            yield Gap(region, _RUN_TIME, f"not known of every group on thread {thread}")


def _over_groups(region: str, key: tuple[str, str], groups: list[_Group]) -> Item:
    """The count of one event on one thread over all groups."""
    event, thread = key
    having = [group for group in groups if key in group.counts]
    total = 0.0
    for item in (group.counts[key] for group in having):
        if isinstance(item, Gap):
            return item
        total += item.value
    if len(having) == len(groups):
        return Row(region, event, total, thread=thread)
    if not all(thread in group.seconds for group in groups):
        reason = f"counted in {len(having)} of {len(groups)} groups, and the file does not say how long each ran"
        return Gap(region, event, reason)
    share = sum(g.seconds[thread] for g in having) / (sum(g.seconds[thread] for g in groups) or 1.0)
    if share == 0:
        return Gap(region, event, "its group never ran")
    return Row(region, event, total / share, thread=thread, running=share)


def _over_threads(items: list[Item]) -> list[Item]:
    """One event on all threads. A socket counter is shown by one of its threads: if that has no number, and the others
    have nothing, the sum is unknown."""
    empty = all(isinstance(item, Gap) or item.value == 0 for item in items)
    return [replace(item, whole=True) if isinstance(item, Gap) and empty else item for item in items]


def _cell(region: str, event: str, counter: str, thread: str, text: str) -> Item:
    """A socket counter has no value on most threads."""
    if text in ("-", "nan", "NaN", "") or text.startswith("nil"):
        shared = not counter.startswith(("FIXC", "PMC", "UPMC"))
        return Gap(region, event, f"{text!r} on thread {thread}", whole=not shared)
    value = numbers.plain(text)
    if value is None or value < 0:
        raise InputError(f"{event}, thread {thread}: {text[:40]!r} is not a number")
    return Row(region, event, value, thread=thread)


# -------------------------------------------------------------------------------------------------- CSV


def is_csv(head: str) -> bool:
    """Whether a text has STRUCT and TABLE lines."""
    return bool(re.search(r"^TABLE,(?:Region [^\n,]*,)?Group \d+ ", head, re.MULTILINE))


@dataclass
class _Table:
    """The current table. `left`: number of rows of counts to come; other tables have no kind."""

    region: str = WHOLE
    group: str = ""
    kind: str = ""
    left: int = 0
    header: list[str] = field(default_factory=list)

    def put(self, row: list[str], groups: _Groups) -> None:
        """Adds a row of counts or of run times to its group; other metrics are ignored."""
        if row[0] not in _RUN_TIMES and (self.kind != "Raw" or row[0] == "call count"):
            return
        if len(row) != len(self.header):
            raise InputError(f"{len(row)} cells in a table of {len(self.header)} columns")
        self.left -= row[0] != _RUN_TIME
        counter = row[1] if len(row) > 1 and self.kind == "Raw" else ""
        groups.put(self.region, self.group, row[0], counter, zip(self.header, row, strict=True))


def read_csv(lines: Lines, about: About) -> Iterator[Item]:
    """Reads tables of raw counts, and the run times; ignores other metrics and statistics."""
    table, groups = _Table(), _Groups()
    for row in lines.rows():
        while row and not row[-1]:
            row.pop()
        if not row:
            continue
        if row[0] in ("TABLE", "STRUCT"):
            if table.left > 0:
                raise lines.error(f"the table before this line lacks {table.left} of its rows")
            table = _table(row, lines)
        elif _KINDS.get(row[0]) == table.kind:
            table.header = row
        elif table.left > 0 or table.kind == "Metric":
            table.put(row + [""] * (len(table.header) - len(row)), groups)
    if table.left > 0:
        raise lines.error(f"the file is cut off: {table.left} rows of the last table are missing")
    yield from groups.items()


def _table(row: list[str], lines: Lines) -> _Table:
    """Region, group and number of rows of a table."""
    name = row[1].removeprefix("Region ") if len(row) > 1 and row[1].startswith("Region ") else WHOLE
    title = row[2 if name != WHOLE else 1] if len(row) > 2 else ""
    match = _TITLE.fullmatch(title)
    if row[0] == "STRUCT" or match is None:
        return _Table()
    if match[2] == "Metric":
        return _Table(name, match[1], "Metric")
    count = numbers.plain(row[-1])
    if count is None or count != int(count) or count < 0:
        raise lines.error("the table does not say how many rows it has")
    return _Table(name, match[1], "Raw", int(count))


# ---------------------------------------------------------------------------------------------- text tables

_HEADING = re.compile(r"(?:Region (.+), )?Group (\d+)(?:: .*)?")
_RULE = re.compile(r"\+(?:-+\+)+")


def is_text(head: str) -> bool:
    """Whether a text has a table of events, drawn with lines."""
    return bool(re.search(r"^\| +Event +\| +Counter +\|", head, re.MULTILINE))


def read_text(lines: Lines, about: About) -> Iterator[Item]:
    """Reads tables under the name of their group; statistics over threads have no thread columns, and are ignored."""
    table, groups, rules = _Table(), _Groups(), 0
    for text in lines:
        line = text.strip()
        if heading := _HEADING.fullmatch(line):
            table = _Table(heading[1] or WHOLE, heading[2])
        elif _RULE.fullmatch(line):
            rules += 1
        elif line.startswith("|") and table.group:
            row = [cell.strip() for cell in line.strip("|").split("|")]
            if rules % 3 == 1:  # between the first two lines of a table
                table.kind, table.header = _KINDS.get(row[0], ""), row
            elif table.kind:
                table.put(row, groups)
    if rules % 3 or rules == 0:
        raise lines.error("the file is cut off: the last table has no end")
    yield from groups.items()


# ------------------------------------------------------------------------------------------------- JSON


def is_json(head: str) -> bool:
    """Whether a text is an object with tables of LIKWID's columns."""
    return head.lstrip().startswith("{") and '"Counter"' in head and '"Event"' in head


def read_json(lines: Lines, about: About) -> Iterator[Item]:
    """Reads the output of LIKWID's JSON filter: tables for each group and region."""
    groups, known = _Groups(), False
    for title, tables in document(lines.path).items():
        match = _JSON_GROUP.fullmatch(title)
        if match is None or not isinstance(tables, dict) or "Raw" not in tables:
            continue
        known = True
        for name, column in (("Raw", "Event"), ("Metric", "Metric")):
            entries = tables.get(name, [])
            if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
                raise InputError(f"{title}: {name} must be a list of objects")
            for entry in entries:
                event = entry.get(column) or entry.get("Region Info")
                if name == "Metric" and event not in _RUN_TIMES:
                    continue
                if not isinstance(event, str) or not event:
                    raise InputError(f"region {match[1] or WHOLE!r}: a row without an event")
                if column in entry or event == _RUN_TIME:  # the table of call counts has another shape
                    cells = ((key, str(value).strip()) for key, value in entry.items())
                    groups.put(match[1] or WHOLE, match[2], event, str(entry.get("Counter", "")), cells)
    if not known:
        raise InputError("no table of raw counts (Group N, Raw) in this file")
    yield from groups.items()
