"""Reads JSON profiles that are one document, such as PAPI's."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.rows import About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from foretell.frontends.counters.readers.lines import Lines

#: size limit: one document has one rank, which is far smaller
_LIMIT = 256 << 20
_NOT_EVENTS = frozenset({"name", "parent_region_id", "region_count", "id"})


def is_papi(head: str) -> bool:
    """Whether a text is an object with PAPI's own keys."""
    return head.lstrip().startswith("{") and ('"papi_version"' in head or '"event_definitions"' in head)


def document(path: Path) -> dict[str, Any]:
    """Parses the single object of a JSON file; a duplicate key is a contradiction."""
    text = files.read_text(path, _LIMIT)
    loaded = files.parse_json(text, path, unique=True)
    if not isinstance(loaded, dict):
        raise InputError("must be a JSON object")
    return loaded


def read_papi(lines: Lines, about: About) -> Iterator[Item]:
    """Reads PAPI's high-level output, one file per rank: threads, regions, events; numbers are strings."""
    loaded = document(lines.path)
    about.version = str(loaded.get("papi_version", ""))
    match = re.fullmatch(r"rank_0*(\d+)", lines.path.stem)
    for thread, content in _named(loaded.get("threads"), "threads"):
        if not isinstance(content, dict) or "regions" not in content:
            raise InputError(f"thread {thread} has no regions")
        regions = dict(_named(content["regions"], "regions"))
        own = {number: _papi_region(number, region, thread) for number, region in regions.items()}
        all_counts = {number: dict(region.counts) for number, region in own.items()}
        for number, region in own.items():
            if (outer := _outer(regions, number, thread)) is not None:
                _take_out(own[outer], region, all_counts[number], about)
        yield from _papi_items(list(own.values()), match[1] if match else "", thread)


@dataclass
class _Region:
    """The counts of a thread in one region; an event without a number has the tool's message instead."""

    name: str
    counts: dict[str, float]
    gaps: dict[str, str]


def _papi_region(number: str, region: object, thread: str) -> _Region:
    if not isinstance(region, dict):
        raise InputError(f"region {number!r} of thread {thread} must be an object")
    name = region.get("name", number)
    if not isinstance(name, str) or not name:
        raise InputError(f"region {number!r} of thread {thread} has no name")
    counted = _Region(name, {}, {})
    for event, value in region.items():
        if event not in _NOT_EVENTS:
            _papi_value(counted, event, value)
    return counted


def _outer(regions: Mapping[str, Any], number: str, thread: str) -> str | None:
    """The region that encloses this one, if any."""
    parent = around = str(regions[number].get("parent_region_id", "-1"))
    for _ in regions:  # up to the outermost
        if around == "-1":
            return None if parent == "-1" else parent
        if around not in regions:
            break
        around = str(regions[around].get("parent_region_id", "-1"))
    raise InputError(f"region {number!r} of thread {thread} is in region {parent!r}, which is not there or in it")


def _take_out(outer: _Region, inner: _Region, counts: Mapping[str, float], about: About) -> None:
    """Subtracts the counts of an inner region from the outer one: regions are disjoint parts of the program."""
    about.note(f"what region {inner.name!r} counted is left out of {outer.name!r}, around it")
    for event in inner.gaps:
        outer.gaps.setdefault(event, f"not known of {inner.name!r}, which is part of it")
    for event in outer.counts.keys() & counts.keys():
        outer.counts[event] -= counts[event]
        if outer.counts[event] < 0:
            raise InputError(f"{inner.name}: {event} is more than that of {outer.name!r}, around it")


def _papi_items(regions: list[_Region], rank: str, thread: str) -> Iterator[Item]:
    """Merges regions of one name: all their executions."""
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    for region in regions:
        for event, reason in region.gaps.items():
            yield Gap(region.name, event, reason)
        for event, value in region.counts.items():
            totals[region.name, event] += value
    for (name, event), value in totals.items():
        seconds = event.endswith("_nsec")
        yield Row(name, event, value * 1e-9 if seconds else value, "s" if seconds else "", rank, thread)


def _papi_value(region: _Region, event: str, value: object) -> None:
    if isinstance(value, dict):  # statistics of several calls: {"total": …, "min": …}
        value = value.get("total")
        if value is None:
            raise InputError(f"{region.name}: {event} has no total")
    text = str(value).strip()
    number = None if isinstance(value, bool | list) else numbers.plain(text)
    if text in ("", "-", "n/a", "nan"):
        region.gaps[event] = f"PAPI wrote {text!r}"
    elif number is None or number < 0:
        raise InputError(f"{region.name}: {event} is {text[:40]!r}, not a count")
    else:
        region.counts[event] = number


def _named(value: object, description: str) -> Iterator[tuple[str, Any]]:
    """The entries of an object, or of a list as older versions write it."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield str(entry.get("id", index) if isinstance(entry, dict) else index), entry
    else:
        raise InputError(f"{description} must be an object or a list")
