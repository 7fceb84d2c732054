"""Reads IBM HPM text (hpmcount, libhpm). UNVERIFIED: written from descriptions of the format, no file was available."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.rows import WHOLE, About, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines

_TITLE = re.compile(r"\s*(?:hpmcount|libhpm)\s*\(V ?([\d.]+)\)\s*summary.*", re.IGNORECASE)
_SECTION = re.compile(r"\s*Instrumented section:\s*\d+\s*-\s*Label:\s*(.+?)(?:\s*-\s*process:.*)?\s*", re.IGNORECASE)
_EVENT = re.compile(r"\s*(PM_\w+)\s*\(.*\)\s*[:=]?\s*(\S+)\s*")
_TIME = re.compile(r"\s*.*wall ?clock time\)?\s*:\s*(\S+)\s*s(?:ec|econds)?\s*", re.IGNORECASE)


def is_hpm(head: str) -> bool:
    """Whether a text has the title line of HPM."""
    return any(_TITLE.fullmatch(line) for line in head.split("\n")[:50])


def read(lines: Lines, about: About) -> Iterator[Item]:
    """Reads events named PM_… and the wall-clock time; ignores everything else."""
    about.note("the reader of IBM HPM text is unverified: compare what it found with the file")
    region, counted = WHOLE, False
    for text in lines:
        title, section = _TITLE.fullmatch(text), _SECTION.fullmatch(text)
        event, time = _EVENT.fullmatch(text), _TIME.fullmatch(text)
        if title:
            about.version = title[1]
        elif section:
            region = section[1]
        elif event:
            counted = True
            yield Row(region, event[1], numbers.count(event[2], numbers.C_LOCALE, event[1]))
        elif time:
            seconds = numbers.count(time[1], numbers.C_LOCALE, "wall-clock time")
            yield Row(region, "wall_clock", seconds, "s")
        elif "PM_" in text:
            raise lines.error("a line with an event that has no value")
    if not counted:
        raise InputError("no event (PM_…) in this file", file=lines.path)
