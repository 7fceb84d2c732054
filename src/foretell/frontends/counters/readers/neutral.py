"""Reads foretell's own formats: a CSV for people and scripts, and the JSON that `foretell import` writes.

    # machine: blue-gene-q
    # cores: 16
    # threads_per_core: 1
    region,event,value
    dp,time,1.2e9
    dp,instInt,8e9

docs/reference/profile-formats.md describes both.
"""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING, Any, get_args

from foretell import units
from foretell.core.facets.counts import EVENTS, NumberSource, Row, event_unit
from foretell.core.machine.machine import Machine, MachineKind, Quantity, Source
from foretell.core.machine.parameters import current, known, parameter
from foretell.errors import InputError, nearest
from foretell.frontends.counters.readers import numbers
from foretell.frontends.counters.readers.json_documents import document
from foretell.frontends.counters.readers.rows import About, Gap, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.facets.counts import CodeBlock, Count, Counts
    from foretell.frontends.counters.readers.lines import Lines

FORMAT, VERSION = "foretell-profile", 1
_COLUMNS = ("region", "event", "value", "unit", "rank", "thread", "running_pct", "source", "origin")
_KEYS = ("name", "machine", "machine_hash", "cores", "threads_per_core", "tool", "tool_version")
_COUNTS = ("cores", "threads_per_core")
_TOP = ("format", "version", *_KEYS, "notes", "regions")
_META = re.compile(r"#\s*([A-Za-z_]+)\s*:\s*(.*)")
_NOTHING = ("", "-", "n/a", "<not supported>", "<not counted>")
_SOURCES = get_args(NumberSource)


def is_csv(head: str) -> bool:
    """Whether a text has the header row region,event,value below comment lines."""
    first = next((line for line in head.split("\n") if line.strip() and not line.startswith("#")), "")
    names = [name.strip().strip('"') for name in re.split("[,;\t]", first)]
    return {"region", "event", "value"} <= set(names)


def is_json(head: str) -> bool:
    """Whether a text is an object that names the format."""
    return head.lstrip().startswith("{") and f'"{FORMAT}"' in head


# -------------------------------------------------------------------------------------------------- CSV


def read_csv(lines: Lines, about: About) -> Iterator[Item]:
    """Reads one number per row, in the C locale where commas separate the columns."""
    delimiter = _delimiter(lines, about)
    style = about.style or (numbers.C_LOCALE if delimiter == "," else _style(lines, delimiter))
    header: list[str] | None = None
    for row in lines.rows(delimiter, skip=("#",)):
        if header is None:
            _check_header(row)
            header = row
            continue
        if len(row) != len(header):
            raise lines.error(f"{len(row)} columns instead of {len(header)}; is the file cut off?")
        yield _cell(dict(zip(header, row, strict=True)), style, about)


def _cell(cells: dict[str, str], style: numbers.Style, about: About) -> Item:
    region, event, text = cells["region"], cells["event"], cells["value"]
    if not region:
        raise InputError("the row has no region")
    event_unit(event)
    if text in _NOTHING:
        return Gap(region, event, f"the profile has {text!r}")
    value = numbers.count(text, style, event) * _scale(event, cells.get("unit", ""))
    running = numbers.parse(cells.get("running_pct") or "100", style) / 100
    if not 0 < running <= 1:
        raise InputError(f"running_pct is {cells['running_pct']}, expected more than 0 and at most 100")
    source = cells.get("source", "")
    if source and source not in _SOURCES:
        raise InputError(f"source {source!r} is not one of {', '.join(_SOURCES)}{nearest(source, _SOURCES)}")
    if source or cells.get("origin"):
        about.sources[region, event] = (source or about.source, cells.get("origin") or event)  # type: ignore[assignment]
    return Row(region, event, value, event_unit(event), cells.get("rank", ""), cells.get("thread", ""), running)


def _scale(event: str, unit: str) -> float:
    """The factor from the unit of a row to the event's own."""
    if not unit:
        return 1.0
    found = units.parse_unit(unit)
    if found.si != event_unit(event):
        wanted = event_unit(event) or "no unit"
        other = " (time_s is elapsed seconds)" if event == "time" else ""
        raise InputError(f"{event} is in {unit}, expected {wanted}{other}")
    return found.scale


def _delimiter(lines: Lines, about: About) -> str:
    """The separator of the header row, after processing the comment lines."""
    for text in lines:
        meta = _META.fullmatch(text.strip())
        if meta and (key := meta[1].lower()) in _KEYS:
            value = meta[2].strip()
            _describe(about, key, int(value) if key in _COUNTS and value.isdecimal() else value)
        elif text.strip() and not text.startswith("#"):
            return max((",", ";", "\t"), key=text.count)
    raise InputError("the file has no header row", file=lines.path)


def _describe(about: About, key: str, value: object) -> None:
    """Sets one fact about the run."""
    if key in _COUNTS:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 10**9:
            raise InputError(f"{key} must be a positive whole number, not {str(value)[:40]!r}")
    elif not isinstance(value, str):
        raise InputError(f"{key} must be a {'name or an object' if key == 'machine' else 'text'}")
    setattr(about, {"machine": "machine_name", "tool_version": "version"}.get(key, key), value)


def _check_header(row: list[str]) -> None:
    for name in row:
        if name not in _COLUMNS:
            hint = "columns: " + ", ".join(_COLUMNS)
            raise InputError(f"unknown column {name!r}{nearest(name, _COLUMNS)}", hint=hint)
    if len(set(row)) != len(row):
        raise InputError("a column is named twice")


def _style(lines: Lines, delimiter: str) -> numbers.Style:
    rows = lines.rows(delimiter, skip=("#",))
    header = next(rows, [])
    index = header.index("value") if "value" in header else 0
    return numbers.style_of(row[index] for row in rows if len(row) == len(header))


# ------------------------------------------------------------------------------------------------- JSON


def read_json(lines: Lines, about: About) -> Iterator[Item]:
    """Reads the document that `write` makes; events may also be plain numbers."""
    loaded = document(lines.path)
    _only(loaded, _TOP, "")
    if loaded.get("version") != VERSION:
        raise InputError(f"version {loaded.get('version')!r} of the format is not known")
    _describe_run(loaded, about, lines.path.name)
    regions = loaded.get("regions")
    if not isinstance(regions, list) or not regions:
        raise InputError("regions must be a list of at least one region")
    for entry in regions:
        yield from _region(entry, about)


def _describe_run(loaded: dict[str, Any], about: About, file: str) -> None:
    for key in _KEYS:
        value = loaded.get(key, None if key in _COUNTS else "")
        if key == "machine" and isinstance(value, dict):
            about.machine = _machine(value, file)
        elif value is not None or key not in _COUNTS:
            _describe(about, key, value)
    notes = loaded.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise InputError("notes must be a list of texts")
    about.notes += notes


def _region(entry: object, about: About) -> Iterator[Item]:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
        raise InputError("a region must be an object with a name")
    name = entry["name"]
    _only(entry, ("name", "events", "missing", "miss_curve"), f"region {name!r}")
    if "miss_curve" in entry:
        about.curves[name] = _curve(entry["miss_curve"], name)
    events, missing = entry.get("events", {}), entry.get("missing", {})
    if not isinstance(events, dict) or not isinstance(missing, dict):
        raise InputError(f"region {name!r}: events and missing must be objects")
    for event, raw in events.items():
        yield _entry(name, event, raw, about)
    for event, why in missing.items():
        if event not in EVENTS or not isinstance(why, str):
            raise InputError(f"region {name!r}: missing must give a reason for known events")
        yield Gap(name, event, why)


def _entry(region: str, event: str, raw: object, about: About) -> Row:
    where = f"region {region!r}: {event}"
    if event not in EVENTS:
        raise InputError(f"{where} is not an event{nearest(event, EVENTS)}")
    given: dict[str, Any] = raw if isinstance(raw, dict) else {"value": raw}
    _only(given, ("value", "source", "origin", "running"), where)
    value = _number(given.get("value"), where)
    running = _number(given.get("running", 1.0), where)
    source, origin = given.get("source", about.source), given.get("origin", event)
    if source not in _SOURCES or not isinstance(origin, str) or not 0 < running <= 1:
        raise InputError(f"{where}: source, origin or running is not as documented")
    about.sources[region, event] = (source, origin)
    return Row(region, event, value, event_unit(event), running=running)


def _curve(raw: object, region: str) -> tuple[tuple[float, float], ...]:
    """Parses [[bytes, misses], …]: increasing sizes, non-increasing misses that are not zero."""
    where = f"region {region!r}: miss_curve"
    if not isinstance(raw, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in raw):
        raise InputError(f"{where} must be a list of [bytes, misses]")
    curve = tuple((_number(size, where), _number(misses, where)) for size, misses in raw)
    growing = all(a[0] < b[0] and a[1] >= b[1] for a, b in itertools.pairwise(curve))
    if not curve or not growing or curve[0][0] <= 0 or curve[-1][1] <= 0:
        raise InputError(f"{where}: sizes must grow, misses must not grow, and none may be zero")
    return curve


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise InputError(f"{where} must be a number that is not negative")
    return float(value)


def _machine(table: dict[str, Any], file: str) -> Machine:
    """A machine defined by its numbers alone, for a profile without the machine's file."""
    _only(table, ("name", "kind", "levels", "traits", "parameters"), "machine")
    name, kind, levels = table.get("name"), table.get("kind", "cpu"), table.get("levels", [])
    parameters, traits = table.get("parameters"), table.get("traits", {})
    words = isinstance(levels, list) and all(isinstance(level, str) for level in levels)
    if not isinstance(name, str) or not name or kind not in get_args(MachineKind) or not words:
        raise InputError("machine: name, kind or levels are not as documented")
    if not isinstance(parameters, dict) or not isinstance(traits, dict):
        raise InputError("machine: parameters and traits must be objects")
    if not all(isinstance(key, str) and isinstance(value, str) for key, value in traits.items()):
        raise InputError("machine: traits must be texts")
    quantities = {current(key): _quantity(current(key), raw, file) for key, raw in parameters.items()}
    return Machine(name, name, kind, quantities, tuple(levels), {current(key): word for key, word in traits.items()})


def _quantity(key: str, raw: object, file: str) -> Quantity:
    if not known(key):
        raise InputError(f"machine: {key!r} is not a machine parameter")
    given = raw if isinstance(raw, dict) else {}
    _only(given, ("value", "unit"), f"machine parameter {key}")
    value, unit = given.get("value"), given.get("unit", "")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise InputError(f"machine parameter {key}: value must be a positive number")
    if unit not in parameter(key).units:
        raise InputError(f"machine parameter {key}: unit {unit!r} is not one of {parameter(key).units}")
    return Quantity(float(value), unit, Source("assumed", f"embedded in the profile {file}"))


def _only(table: dict[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            prefix = f"{where}: " if where else ""
            raise InputError(f"{prefix}unknown key {key[:60]!r}{nearest(key, keys)}")


# ------------------------------------------------------------------------------------------------ writing


def write(name: str, counts: Counts, notes: tuple[str, ...] = ()) -> str:
    """Writes the profile as JSON; reading it gives the same blocks."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "machine": _machine_table(counts.machine) if counts.machine else counts.machine_name,
        "machine_hash": counts.machine_hash,
        "cores": counts.cores,
        "threads_per_core": counts.threads_per_core,
        "tool": counts.tool,
        "tool_version": counts.tool_version,
        "notes": list(notes),
        "regions": [_block(block) for block in counts.blocks],
    }
    kept = {key: value for key, value in document.items() if value not in (None, "", [])}
    return json.dumps(kept, indent=1, allow_nan=False)


def _block(block: CodeBlock) -> dict[str, Any]:
    return {
        "name": block.name,
        "events": {event: _count(count) for event, count in block.events.items()},
        **({"missing": dict(block.missing)} if block.missing else {}),
        **({"miss_curve": [list(pair) for pair in block.curve]} if block.curve else {}),
    }


def _count(count: Count) -> dict[str, Any]:
    running = {"running": count.running} if count.running < 1 else {}
    return {"value": count.value, "source": count.source, "origin": count.origin, **running}


def _machine_table(machine: Machine) -> dict[str, Any]:
    return {
        "name": machine.name,
        "kind": machine.kind,
        "levels": list(machine.levels),
        "traits": dict(machine.traits),
        "parameters": {path: {"value": q.value, "unit": q.unit} for path, q in machine.quantities.items()},
    }
