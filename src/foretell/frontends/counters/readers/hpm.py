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
    region, found = WHOLE, False
    for text in lines:
        title, section = _TITLE.fullmatch(text), _SECTION.fullmatch(text)
        event, time = _EVENT.fullmatch(text), _TIME.fullmatch(text)
        if title:
            about.version = title[1]
        elif section:
            region = section[1]
        elif event:
            found = True
            yield Row(region, event[1], _number(event[2], event[1], lines))
        elif time:
            yield Row(region, "wall_clock", _number(time[1], "wall-clock time", lines), "s")
        elif "PM_" in text:
            raise lines.error("a line with an event that has no value")
    if not found:
        raise InputError("no event (PM_…) in this file", file=lines.path)


def _number(text: str, what: str, lines: Lines) -> float:
    try:
        value = numbers.parse(text, numbers.C_LOCALE)
    except InputError as error:
        raise lines.error(f"{what}: {error.message}") from None
    if value < 0:
        raise lines.error(f"{what}: {text} is no count")
    return value
