"""Reads cachegrind.out and callgrind.out: counts of a simulated cache, per function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.facets.counts import Row
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines
    from foretell.frontends.counters.readers.rows import About, Item

_HEADER = re.compile(r"([a-zA-Z][\w ]*):(.*)")
_NAME = re.compile(r"(fn|fl|fi|fe|ob|cob|cfi|cfl|cfn)=(.*)")
_COMPRESSED = re.compile(r"\((\d+)\)(?: (.*))?")
_POSITION = re.compile(r"[+-]?(?:\d+|0x[0-9a-fA-F]+)|\*")
_UNKNOWN = "(unknown)"
#: triggers that the header foretell.h makes callgrind write at the ends of a region, and the rest of the program
_MARK = "Trigger: Client Request: foretell:"
OUTSIDE = "outside"
#: first characters of a line of costs, and lines without relevance to them
_COSTS = tuple("0123456789+-*")
#: functions that start a team of OpenMP threads: the runtimes of gcc, and of clang and Intel
_STARTS = ("GOMP_parallel", "__kmpc_fork_call")
_IGNORED = ("#", "jfi=", "jfn=", "rec=", "frfn=")


def is_callgrind(head: str) -> bool:
    """Whether a text has callgrind's first line or creator."""
    return head.startswith("# callgrind format") or bool(re.search(r"^creator: callgrind", head, re.MULTILINE))


def is_cachegrind(head: str) -> bool:
    """Whether a text has desc, cmd and events lines, in this order, without callgrind's signature."""
    return bool(re.search(r"\A(?:desc:.*\n)*cmd:.*\nevents:", head)) and not is_callgrind(head)


def read_cachegrind(lines: Lines, about: About) -> Iterator[Item]:
    """Reads counts of source lines and adds them per function; the sum must equal the file's own summary."""
    sums = _Sums(lines)
    for text in lines:
        if text[:1].isdigit():
            sums.add(text.split()[1:])
            continue
        name = _NAME.fullmatch(text)
        header = None if name else _HEADER.fullmatch(text)
        if name and name[1] == "fn":
            sums.enter(name[2])
        elif header:
            _describe(header, about, sums)
        elif text.strip() and not name:
            raise lines.error("not a line of cachegrind's format")
    sums.check()
    yield from sums.rows()


def read_callgrind(lines: Lines, about: About) -> Iterator[Item]:
    """Reads self costs; the line after `calls=` has the call's inclusive cost, that after a jump its position."""
    sums = _Sums(lines)
    names: dict[str, str] = {}
    inclusive, positions, callee = False, 1, ""
    for text in lines:
        if text.startswith(_COSTS):
            if not inclusive:
                fields = text.split()
                _check_positions(fields[:positions], lines)
                sums.add(fields[positions:])
            inclusive = False
            continue
        if not text.strip() or text.startswith(_IGNORED):
            continue
        if text.startswith(("jump=", "jcnd=")):
            inclusive = True
            continue
        name = _NAME.fullmatch(text)
        header = None if name else _HEADER.fullmatch(text)
        if name:
            resolved = _resolve(name[2], names, lines) if name[1] in ("fn", "cfn") else ""
            if name[1] == "fn":
                sums.enter(resolved)
            elif name[1] == "cfn":
                callee = resolved
        elif text.startswith("calls="):
            inclusive = True
            if callee.split("@")[0] in _STARTS:
                sums.start_threads(text)
        elif header:
            positions = len(header[2].split()) if header[1] == "positions" else positions
            _describe(header, about, sums)
        else:
            raise lines.error("not a line of callgrind's format")
    sums.check()
    yield from sums.rows()
    for function, counts in sums.functions.items():
        if any(counts):
            yield Row(function, "parallelRegions", float(sums.starts.get(function, 0)))


def _check_positions(fields: list[str], lines: Lines) -> None:
    if not all(_POSITION.fullmatch(field) for field in fields):
        raise lines.error("not a line of callgrind's format")


class _Sums:
    """The counts of each function, and the summary that they must match."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.events: list[str] = []
        self.functions: dict[str, list[int]] = {}
        self.current: list[int] = []
        self.stated: list[int] | None = None
        self.region = ""  # of a part that ends at a marker
        self.function = _UNKNOWN
        self.starts: dict[str, int] = {}

    def begin(self, names: list[str]) -> None:
        if self.events and names != self.events:
            raise self.lines.error("the parts of this file count different events")
        if len(set(names)) != len(names) or not names:
            raise self.lines.error("the events line is empty or names an event twice")
        self.events = names
        self.enter(_UNKNOWN)

    def enter(self, function: str) -> None:
        """Attributes the following lines to this function, or to the marked region of this part of the file."""
        if not self.events:
            raise self.lines.error("a function before the events line")
        self.function = self.region or function
        self.current = self.functions.setdefault(self.function, [0] * len(self.events))

    def start_threads(self, text: str) -> None:
        """Counts a `calls=COUNT POSITIONS` line of a call that starts a team of threads."""
        count = text.removeprefix("calls=").split(maxsplit=1)[:1]
        if not count or not count[0].isdecimal():
            raise self.lines.error("expected the number of calls")
        self.starts[self.function] = self.starts.get(self.function, 0) + int(count[0])

    def add(self, fields: list[str]) -> None:
        """Adds one line's counts; trailing zeros may be omitted, and older files write a dot for one."""
        try:
            counts = [int(field) if field != "." else 0 for field in fields]
        except ValueError:
            counts = []
        if not counts or len(counts) > len(self.events) or min(counts) < 0:
            raise self.lines.error(f"expected {len(self.events)} counts")
        current = self.current
        for index, count in enumerate(counts):
            current[index] += count

    def rows(self) -> Iterator[Item]:
        """The counts of all functions that ran."""
        for function, counts in self.functions.items():
            if any(counts):
                for event, count in zip(self.events, counts, strict=True):
                    yield Row(function, event, float(count))

    def state(self, fields: list[str]) -> None:
        """Adds a summary; those of the parts of one file are summed."""
        if not all(field.isdecimal() for field in fields) or len(fields) > len(self.events):
            raise self.lines.error("the summary is not a list of counts")
        values = [int(field) for field in fields] + [0] * (len(self.events) - len(fields))
        self.stated = [a + b for a, b in zip(self.stated or [0] * len(values), values, strict=True)]

    def check(self) -> None:
        if self.stated is None:
            raise InputError("the file is cut off: it has no summary", file=self.lines.path)
        totals = [sum(column) for column in zip(*self.functions.values(), strict=True)]
        for event, total, stated in zip(self.events, totals, self.stated, strict=True):
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
    elif key == "desc" and text.startswith("Trigger:"):
        sums.region = region_of(text) or (OUTSIDE if sums.region else "")
        about.marked = about.marked or bool(sums.region)
    elif key == "desc" and "cache" in text:
        about.note(f"simulated {' '.join(text.split())}")


def region_of(trigger: str) -> str:
    """The region whose end triggered a part of callgrind's file; the rest of the program; '' without markers."""
    return (trigger.removeprefix(_MARK).strip() or OUTSIDE) if trigger.startswith(_MARK) else ""


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
