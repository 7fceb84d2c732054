"""JSON profiles that are one document: PAPI's and LIKWID's."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters import numbers
from foretell.frontends.counters.rows import WHOLE, About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from foretell.frontends.counters.lines import Lines

#: one document holds one rank; these stay far below
_LIMIT = 256 << 20
_LIKWID_GROUP = re.compile(r"(?:(.*) )?Group (\d+)")
_THREAD = re.compile(r"(?:HWThread|Core) (\d+)")
_NOT_EVENTS = frozenset({"name", "parent_region_id", "region_count", "id"})


def is_papi(head: str) -> bool:
    """An object with PAPI's own keys."""
    return head.lstrip().startswith("{") and ('"papi_version"' in head or '"event_definitions"' in head)


def is_likwid(head: str) -> bool:
    """An object whose tables have LIKWID's columns."""
    return head.lstrip().startswith("{") and '"Counter"' in head and '"Event"' in head


def document(path: Path) -> dict[str, Any]:
    """The one object of a JSON file; a key given twice is a contradiction."""
    text = files.read_text(path, _LIMIT)
    try:
        loaded = json.loads(text, object_pairs_hook=lambda pairs: _unique(pairs, path))
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=path, line=error.lineno) from None
    except (RecursionError, ValueError):
        raise InputError("not valid JSON", file=path) from None
    if not isinstance(loaded, dict):
        raise InputError("must be a JSON object", file=path)
    return loaded


def read_papi(lines: Lines, about: About) -> Iterator[Item]:
    """PAPI's high-level output, one file a rank: threads, regions, events; numbers are texts."""
    path = lines.path
    loaded = document(path)
    about.version = str(loaded.get("papi_version", ""))
    rank = re.fullmatch(r"rank_0*(\d+)", path.stem)
    threads = loaded.get("threads")
    for thread, content in _named(threads, "threads", path):
        regions = _get(content, "regions", f"thread {thread}", path)
        for number, region in _named(regions, "regions", path):
            if not isinstance(region, dict):
                raise InputError(f"region {number!r} of thread {thread} must be an object", file=path)
            name = region.get("name", number)
            if not isinstance(name, str) or not name:
                raise InputError(f"region {number!r} of thread {thread} has no name", file=path)
            if str(region.get("parent_region_id", "-1")) != "-1":
                about.note(f"region {name!r} is part of another one and counted there")
                continue
            for event, value in region.items():
                if event not in _NOT_EVENTS:
                    yield from _papi_value(name, event, value, rank[1] if rank else "", thread, path)


def read_likwid(lines: Lines, about: About) -> Iterator[Item]:
    """What LIKWID's JSON filter makes of its CSV: a table of raw counts for each group and region."""
    path = lines.path
    found = False
    for key, group in document(path).items():
        match = _LIKWID_GROUP.fullmatch(key)
        if match is None or not isinstance(group, dict) or "Raw" not in group:
            continue
        found = True
        table = group["Raw"]
        if not isinstance(table, list) or not all(isinstance(entry, dict) for entry in table):
            raise InputError(f"{key}: Raw must be a list of objects", file=path)
        for entry in table:
            yield from _likwid_entry(match[1] or WHOLE, entry, path)
    if not found:
        raise InputError("no table of raw counts (Group N, Raw) in this file", file=path)


def likwid_value(region: str, event: str, counter: str, thread: str, text: str) -> Item | None:
    """One cell of a LIKWID table; None if it is not a number. A counter of the socket has no value on most threads."""
    if text in ("-", "nan", "NaN", "") or text.startswith("nil"):
        shared = not counter.startswith(("FIXC", "PMC", "UPMC"))
        return Gap(region, event, f"{text!r} on thread {thread}", whole=not shared)
    value = numbers.plain(text)
    return None if value is None or value < 0 else Row(region, event, value, thread=thread)


def _likwid_entry(region: str, entry: Mapping[str, Any], path: Path) -> Iterator[Item]:
    event = entry.get("Event")
    if not isinstance(event, str) or not event:
        if "Region Info" in entry:  # call counts and run times have a table of another shape
            return
        raise InputError(f"region {region!r}: a row without an event", file=path)
    for key, value in entry.items():
        thread = _THREAD.fullmatch(key)
        if thread is None:
            continue
        item = likwid_value(region, event, str(entry.get("Counter", "")), thread[1], str(value).strip())
        if item is None:
            raise InputError(f"{event}, {key}: {str(value)[:40]!r} is not a number", file=path)
        yield item


def _papi_value(region: str, event: str, value: object, rank: str, thread: str, path: Path) -> Iterator[Item]:
    if isinstance(value, dict):  # statistics of several calls: {"total": …, "min": …}
        value = value.get("total")
        if value is None:
            raise InputError(f"{region}: {event} has no total", file=path)
    text = str(value).strip()
    number = None if isinstance(value, bool | list) else numbers.plain(text)
    if text in ("", "-", "n/a", "nan"):
        yield Gap(region, event, f"PAPI wrote {text!r}")
    elif number is None or number < 0:
        raise InputError(f"{region}: {event} is {text[:40]!r}, not a count", file=path)
    elif event.endswith("_nsec"):
        yield Row(region, event, number * 1e-9, "s", rank, thread)
    else:
        yield Row(region, event, number, "", rank, thread)


def _named(value: object, what: str, path: Path) -> Iterator[tuple[str, Any]]:
    """The entries of an object, or of a list as older versions write it."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            identity = entry.get("id", index) if isinstance(entry, dict) else index
            yield str(identity), entry
    else:
        raise InputError(f"{what} must be an object or a list", file=path)


def _get(content: object, key: str, where: str, path: Path) -> object:
    if not isinstance(content, dict) or key not in content:
        raise InputError(f"{where} has no {key}", file=path)
    return content[key]


def _unique(pairs: list[tuple[str, Any]], path: Path) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {key[:60]!r} is given twice", file=path)
        result[key] = value
    return result
