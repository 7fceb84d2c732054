"""Reads `perf stat -j`, `perf stat -x SEPARATOR`, and the text output of `perf stat`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell.core.facets.counts import Row
from foretell.errors import InputError
from foretell.files import parse_json
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.rows import WHOLE, About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines

_SEPARATORS = (",", ";", "\t", "|", "@")
#: in an interval, together with zero run time of zero: the program did not run, so the count is zero
_IDLE = "<not counted>"
_UNAVAILABLE = ("<not supported>", _IDLE)
#: keys of the aggregation unit of a number (-A, --per-core, --per-thread and so on)
_WHO = ("thread", "cpu", "core", "cluster", "cache", "die", "socket", "node", "cgroup")
_MAX_OBJECT_LINES = 64
_EVENT = re.compile(r"[A-Za-z_][\w.:/=,~+*@\\()-]*")
#: the units of perf and of the kernel's event descriptions
_UNIT = re.compile(r"|msec|usec|nsec|sec|ns|seconds|Joules|[KMG]iB|Bytes|%|C|W|[A-Z]Hz")
#: a counter of one core type, on a hybrid processor
_PMU = re.compile(r"(cpu|cpu_core|cpu_atom|armv8_\w+)/([^/]+)/(\w*)")
#: on hybrid processors; a program that stays on one core type does not run the counters of the other
_KINDS_OF_CORES = ("cpu_core", "cpu_atom")
#: a trailing comma, which some versions write where they omit the metric
_COMMA = re.compile(r",\s*\}")
#: non-finite metrics, which perf writes as C does
_NO_NUMBER = re.compile(r"(:\s*)-?(?:nan|inf)(?=\s*[,}])")
#: fields before the value: a time stamp (-I), then the aggregation unit, perhaps with a number of processors
_PREFIX = re.compile(r"(?:\d+[.,]\d{9}(?:\t|$))?(?:[A-Za-z][^\t]*(?:\t\d+)?)?")
#: perf's units of time in seconds
_SECONDS = {"msec": 1e-3, "ns": 1e-9, "usec": 1e-6, "sec": 1.0}


def is_json(head: str) -> bool:
    """Whether a text has JSON objects with perf's keys: one per line, over several lines, or in another tool's list."""
    text = "\n".join(_content(head)).lstrip("[ \n")
    return text.startswith("{") and '"counter-value"' in text.partition("}")[0]


def is_csv(head: str) -> bool:
    """Whether a text has lines with consecutive value, unit, event and two more numbers."""
    lines = _content(head)[:5]
    return bool(lines) and any(_fields(lines[0], mark) is not None for mark in _SEPARATORS)


def read_json(lines: Lines, about: About) -> Iterator[Item]:
    """Reads one object per number; numbers are strings, without thousands separators and locale."""
    for entry in _objects(lines):
        if "counter-value" not in entry:
            continue  # an object of metrics only
        event, value = entry.get("event"), entry["counter-value"]
        if not isinstance(event, str) or not event or not isinstance(value, str | int | float):
            raise lines.error("an object without an event or a value")
        if not isinstance(entry.get("unit"), str):
            raise lines.error(f"{event} has no unit, not even an empty one; is the file cut off?")
        idle = False
        if "interval" in entry:
            about.additive = True
            idle = value == _IDLE and entry.get("event-runtime") == 0 and entry.get("pcnt-running") == 100
        who = next((str(entry[key]) for key in _WHO if key in entry), "")
        share = entry.get("pcnt-running", 100.0)
        if isinstance(share, bool) or not isinstance(share, int | float):
            raise lines.error("pcnt-running is not a number")
        counters = entry.get("aggregate-number", entry.get("counters", 1))
        text, part = "0" if idle else str(value), _Part(who, counters != 0)
        yield _item(event, text, entry["unit"], float(share), part, lines, about)


def read_csv(lines: Lines, about: About) -> Iterator[Item]:
    """Reads «not-quite-CSV»: the fields before the value depend on the options, those after it on the version."""
    mark: str | None = None
    interval: set[tuple[str, str, str]] = set()  # the counts of the current interval so far
    for text in lines:
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        mark = mark or next((item for item in _SEPARATORS if _fields(text, item) is not None), None)
        found = _fields(text, mark) if mark else None
        if found is None:
            hint = "a decimal comma in comma-separated output? run perf with LC_ALL=C or -x ';'"
            raise lines.error("not a line of perf stat -x", hint=hint if mark == "," else None)
        before, value, unit, event, after = found
        who = next((part for part in before if part and not numbers.is_number(part)), "")
        if before and numbers.is_number(before[0]):
            about.additive = True
            if (before[0], who, event) in interval:
                raise lines.error(f"{event} comes twice in one interval")
            interval = {key for key in interval if key[0] == before[0]} | {(before[0], who, event)}
        run_time, share = _run(after, lines)
        if before and numbers.is_number(before[0]) and (value, run_time, share) == (_IDLE, 0, 100):
            value = "0"
        part = _Part(who, before[-1:] != ["0"])
        yield _item(event, value, unit, share, part, lines, about)


# --------------------------------------------------------------------------------------------- text

_TITLE = "Performance counter stats for "
_GROUPS = r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})++"
#: a count, which is whole, or a number with a unit, which has two decimals; then the event, a comment, the variance,
#: and the percentage of time that it was counted. Possessive repetitions give nothing back: a line is read once
_TEXT = re.compile(
    rf"\s*+(?:(?P<gap><not \w++>)|(?P<count>{_GROUPS}|\d++)(?=\s)|"
    rf"(?P<whole>{_GROUPS}|\d++)[.,](?P<part>\d\d)\s++(?P<unit>\w++))"
    r"\s++(?P<event>[A-Za-z_]\S*+)\s*+(?:#[^(]*+(?:\((?!\s*+(?:\+-|\d++[.,]\d++%))[^(]*+)*+)?+"
    r"(?:\(\s*+\+-[^()%]*+%\s*+\))?+\s*+(?:\(\s*+(?P<share>\d++[.,]\d++)%\))?+\s*+"
)
_ELAPSED = re.compile(r"\s*(\d+)[.,](\d+)(?: \+- \S+)? seconds time elapsed\b.*")
_NOT_EVENTS = re.compile(r"\s*(?:#.*|\d+[.,]\d+(?: \+- \S+)? seconds (?:user|sys)\b.*)?")


def is_text(head: str) -> bool:
    """Whether a text has perf's title."""
    return any(line.strip().startswith(_TITLE) for line in _content(head)[:20])


def read_text(lines: Lines, about: About) -> Iterator[Item]:
    """Reads one line per event. Counts are whole, so every separator in one is for thousands, whatever the locale."""
    begun = ended = False
    for text in lines:
        if text.strip().startswith(_TITLE):
            if begun:
                raise lines.error("a second run in one file", hint="a file for each run")
            begun = True
        elif begun and (elapsed := _ELAPSED.fullmatch(text)):
            yield Row(WHOLE, "duration_time", float(f"{elapsed[1]}.{elapsed[2]}"), "s")
            ended = True
        elif begun and not _NOT_EVENTS.fullmatch(text):
            yield _text_item(text, lines, about)
    if not ended:
        raise lines.error("no elapsed time below the events: the file is cut off")


def _text_item(text: str, lines: Lines, about: About) -> Item:
    match = _TEXT.fullmatch(text)
    if match is None or (match["unit"] and not _UNIT.fullmatch(match["unit"])):
        hint = "perf stat -j writes every kind of output in a form that can be read"
        raise lines.error("not a line of perf stat for a whole run", hint=hint)
    digits = re.sub(r"\D", "", match["count"] or match["whole"] or "")
    value = match["gap"] or (f"{digits}.{match['part']}" if match["unit"] else digits)
    share = float((match["share"] or "100").replace(",", "."))
    return _item(match["event"], value, match["unit"] or "", share, _Part("", True), lines, about)


@dataclass(frozen=True, slots=True)
class _Part:
    """The aggregation unit of a number, and whether it has such a counter: only one core counts elapsed time."""

    who: str
    has_counter: bool


def _item(event: str, value: str, unit: str, share: float, part: _Part, lines: Lines, about: About) -> Item:
    name, cores = _plain_event(event, about)
    if value == _IDLE and cores in _KINDS_OF_CORES:
        about.note(f"{name} was not counted on {cores}: taken as if the program had not run on such cores")
        return Gap(WHOLE, name, f"{value} on {cores}", whole=False)
    if value in _UNAVAILABLE:
        return Gap(WHOLE, name, value, whole=part.has_counter)
    number = _number(value)
    if number < 0 or not 0 <= share <= 100:
        raise lines.error(f"{event}: {value} counted in {share:g} % of the time is no count")
    if share == 0:
        return Gap(WHOLE, name, "the counter never ran")
    scale = _SECONDS.get(unit, 1.0)
    thread = f"{part.who} {cores}".strip()
    return Row(WHOLE, name, number * scale, "s" if unit in _SECONDS else unit, thread=thread, running=share / 100)


def _plain_event(event: str, about: About) -> tuple[str, str]:
    """'cpu_core/cycles/u' → 'cycles', 'cpu_core'; 'cycles:u' → 'cycles', ''. Dropped modifiers are noted once."""
    match = _PMU.fullmatch(event)
    name, modifier = (match[2], match[3]) if match else event.partition(":")[::2]
    if "u" in modifier and "k" not in modifier:
        about.note("perf counted user code only")
    return name, match[1] if match else ""


def _fields(text: str, mark: str) -> tuple[list[str], str, str, str, list[str]] | None:
    """(fields before, value, unit, event, fields after); None if the line does not match."""
    parts = [part.strip() for part in text.split(mark)]
    for start in range(min(4, len(parts) - 4)):
        if _is_count(*parts[start : start + 5]) and _PREFIX.fullmatch("\t".join(parts[:start])):
            return parts[:start], parts[start], parts[start + 1], parts[start + 2], parts[start + 3 :]
    return None


def _is_count(value: str, unit: str, event: str, *after: str) -> bool:
    """Whether consecutive fields are a value with its unit, its event, and a number in the next two fields."""
    return bool(
        _UNIT.fullmatch(unit)
        and (value in _UNAVAILABLE or numbers.is_number(value))
        and _EVENT.fullmatch(event)
        and any(numbers.is_number(part) for part in after)
    )


def _run(after: list[str], lines: Lines) -> tuple[float, float]:
    """The counter's run time, and the percentage of time that it ran, which may follow a variance."""
    fields = after[1:] if after and after[0].endswith("%") else after
    try:
        return _number(fields[0]), _number(fields[1])
    except (IndexError, InputError):
        raise lines.error("the line is cut off: no percentage of running time") from None


def _number(text: str) -> float:
    """Parses a number without thousands separators, as in machine-readable output: a comma is a decimal comma."""
    return numbers.parse(text, numbers.Style("," if "," in text else "."))


def _objects(lines: Lines) -> Iterator[dict[str, Any]]:
    """The objects of a file, regardless of line breaks."""
    pending: list[str] = []
    for text in lines:
        line = text.strip()
        if not pending and (line.startswith("#") or line in ("", "[", "]", ",")):
            continue
        pending.append(line)
        if sum(part.count("{") - part.count("}") for part in pending) <= 0:
            yield from _parsed(" ".join(pending), lines)
            pending = []
        elif len(pending) > _MAX_OBJECT_LINES:
            break
    if pending:
        raise lines.error("not a JSON object; is the file cut off?")


def _parsed(text: str, lines: Lines) -> list[dict[str, Any]]:
    """The objects of one or more whole lines, which may be part of a list."""
    text = _COMMA.sub("}", text.removeprefix("[").removesuffix("]").strip().strip(","))
    text = _NO_NUMBER.sub(r"\1null", text)
    try:
        entries: list[Any] = parse_json(f"[{text}]")
    except InputError as error:
        raise lines.error(f"not a JSON object ({error.message}); is the file cut off?") from None
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        raise lines.error("not a JSON object")
    return entries


def _content(head: str) -> list[str]:
    return [line for line in head.split("\n") if line.strip() and not line.startswith("#")]
