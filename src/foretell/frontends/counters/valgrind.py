"""cachegrind.out and callgrind.out: counts of a simulated cache, function by function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.counts import Row
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.lines import Lines
    from foretell.frontends.counters.rows import About, Item

_HEADER = re.compile(r"([a-zA-Z][\w ]*):(.*)")
_NAME = re.compile(r"(fn|fl|fi|fe|ob|cob|cfi|cfl|cfn)=(.*)")
_COMPRESSED = re.compile(r"\((\d+)\)(?: (.*))?")
_POSITION = re.compile(r"[+-]?(?:\d+|0x[0-9a-fA-F]+)|\*")
_UNKNOWN = "(unknown)"


def is_callgrind(head: str) -> bool:
    """Its first line, or its creator."""
    return head.startswith("# callgrind format") or bool(
        re.search(r"^creator: callgrind", head, re.MULTILINE)
    )


def is_cachegrind(head: str) -> bool:
    """desc, cmd and events lines, in this order, without callgrind's marks."""
    return bool(re.search(r"\A(?:desc:.*\n)*cmd:.*\nevents:", head)) and not is_callgrind(head)


def read_cachegrind(lines: Lines, about: About) -> Iterator[Item]:
    """Counts of each source line, given to its function; the sum must be the file's own summary."""
    sums = _Sums(lines)
    function = _UNKNOWN
    for text in lines:
        name, header = _NAME.fullmatch(text), None
        if name:
            function = name[2] if name[1] == "fn" else function
            continue
        if not text[:1].isdigit():
            header = _HEADER.fullmatch(text)
        if header:
            _describe(header, about, sums)
        elif text.strip():
            counts = sums.cost(text.split()[1:])
            yield from _rows(function, sums.events, counts)
    sums.check()


def read_callgrind(lines: Lines, about: About) -> Iterator[Item]:
    """Self costs; what a call costs inclusively is on the line after `calls=` and left out."""
    sums = _Sums(lines)
    names: dict[str, str] = {}
    function, inclusive, positions = _UNKNOWN, False, 1
    for text in lines:
        if not text.strip() or text.startswith("#"):
            continue
        name, header = _NAME.fullmatch(text), _HEADER.fullmatch(text)
        if name:
            resolved = _resolve(name[2], names, lines) if name[1] in ("fn", "cfn") else ""
            function = resolved if name[1] == "fn" else function
        elif text.startswith("calls="):
            inclusive = True
        elif text.startswith(("jump=", "jcnd=", "rec", "frfn=")):
            continue
        elif header:
            positions = len(header[2].split()) if header[1] == "positions" else positions
            _describe(header, about, sums)
        elif inclusive:
            inclusive = False
        else:
            fields = text.split()
            if not all(_POSITION.fullmatch(field) for field in fields[:positions]):
                raise lines.error("not a line of callgrind's format")
            yield from _rows(function, sums.events, sums.cost(fields[positions:]))
    sums.check()


class _Sums:
    """The event names of a file, and the running sums that its summary must match."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.events: list[str] = []
        self.totals: list[int] = []
        self.stated: list[int] | None = None

    def begin(self, names: list[str]) -> None:
        if self.events and names != self.events:
            raise self.lines.error("the parts of this file count different events")
        if len(set(names)) != len(names) or not names:
            raise self.lines.error("the events line is empty or names an event twice")
        self.events = names
        self.totals = self.totals or [0] * len(names)

    def cost(self, fields: list[str]) -> list[int]:
        """One line's counts; zeros at its end may be left out."""
        if not self.events:
            raise self.lines.error("counts before the events line")
        counts = [0 if field == "." else int(field) if field.isdecimal() else -1 for field in fields]
        if len(counts) > len(self.events) or not counts or min(counts) < 0:
            raise self.lines.error(f"expected {len(self.events)} counts")
        for index, count in enumerate(counts):
            self.totals[index] += count
        return counts

    def state(self, fields: list[str]) -> None:
        """A summary; parts of one file add up."""
        if not all(field.isdecimal() for field in fields) or len(fields) > len(self.events):
            raise self.lines.error("the summary is not a list of counts")
        values = [int(field) for field in fields] + [0] * (len(self.events) - len(fields))
        self.stated = [a + b for a, b in zip(self.stated or [0] * len(values), values, strict=True)]

    def check(self) -> None:
        if self.stated is None:
            raise InputError("the file is cut off: it has no summary", file=self.lines.path)
        for event, total, stated in zip(self.events, self.totals, self.stated, strict=True):
            if total != stated:
                raise InputError(
                    f"the lines sum to {total} {event}, the summary says {stated}; the file is damaged",
                    file=self.lines.path,
                )


def _describe(header: re.Match[str], about: About, sums: _Sums) -> None:
    key, text = header[1], header[2].strip()
    if key == "events":
        sums.begin(text.split())
    elif key == "totals" or (key == "summary" and about.tool == "cachegrind"):
        sums.state(text.split())
    elif key == "creator":
        about.version = text.removeprefix("callgrind-")
    elif key == "cmd":
        about.name = about.name or (text.split() or [""])[0].rsplit("/", 1)[-1]
    elif key == "desc" and "cache" in text:
        about.note(f"simulated {' '.join(text.split())}")


def _rows(function: str, events: list[str], counts: list[int]) -> Iterator[Item]:
    for event, count in zip(events, counts, strict=False):
        yield Row(function, event, float(count))


def _resolve(text: str, names: dict[str, str], lines: Lines) -> str:
    """'(12) main' defines a short name, '(12)' uses it."""
    match = _COMPRESSED.fullmatch(text)
    if match is None:
        return text or _UNKNOWN
    if match[2]:
        names[match[1]] = match[2]
    elif match[1] not in names:
        raise lines.error(f"the name ({match[1]}) is used before it is given")
    return names[match[1]]
