"""Pages of checks and explorations, and of any other document."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.report.page.elements import Bar, Line, Notes, Page, Picture, Point, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.report.page.elements import Cell, Color, Section

#: rows of a table, and changes whose reasons are listed
_MOST_ROWS, _MOST_EXPLAINED = 200, 30
#: points of a front, and how deep tables inside of tables are shown
_MOST_POINTS = 2000
_COLORS: dict[str, Color] = {"slower": "limit", "faster": "time"}


def check(document: dict[str, Any]) -> Page:
    """Two versions compared: a row and the reasons for each change."""
    changes = document["changes"]
    title = f"{document['base']} → {document['head']}"
    same = [change for change in changes if change["verdict"] == "same code" and not change["broken"]]
    other = [change for change in changes if change not in same]
    longest = max((abs(change["growth"]) for change in other), default=0.0)
    columns = ("code", "machine", "verdict", "change", "before", "after", "", "limit")
    rows = [_change_row(change, longest) for change in other]
    unchanged = [(_named(change), change["machine"], _time(change["head_s"])) for change in same]
    missing = [(e["code"], e["machine"], e["side"], e["reason"]) for e in document["not_compared"]]
    machines = tuple(f"machine {name}: {value}" for name, value in document["machines"].items())
    models = tuple(f"model {name} {version}" for name, version in document["models"].items())
    sections: list[Section] = [
        *_table("what changed", columns, rows),
        *[_reasons(change) for change in other[:_MOST_EXPLAINED] if change["reasons"]],
        *_pictured(changes if other else ()),
        *_table("same code", ("code", "machine", "time"), unchanged, folded=True),
        *_table("not compared", ("code", "machine", "side", "why"), missing),
        Notes("to repeat it", (*models, *machines), folded=True),
    ]
    times = tuple((f"{c['code']}@{c['machine']}", c["head_s"]) for c in changes)
    return Page(title, f"{title}: {document['headline']}", tuple(sections), "check", document, times)


def _change_row(change: Mapping[str, Any], longest: float) -> tuple[Cell, ...]:
    return (
        _named(change),
        change["machine"],
        change["verdict"],
        f"{100 * change['growth']:+.1f} %",
        _time(change["base_s"]),
        _time(change["head_s"]),
        Bar(abs(change["growth"]), longest, "limit" if change["growth"] > 0 else "time"),
        f"broken: {change['broken']}" if change["broken"] else "",
    )


def _pictured(changes: Sequence[Mapping[str, Any]]) -> list[Section]:
    """The growth of each code over its time before: times themselves, of nanoseconds to seconds, would hide it."""
    points = tuple(
        Point(c["base_s"], c["head_s"] / c["base_s"], _said(c), _COLORS.get(c["verdict"], "other"))
        for c in changes[:_MOST_POINTS]
        if c["base_s"] > 0
    )
    if len(points) < 2:  # the table says it
        return []
    ends = tuple((end(point.x for point in points), 1.0) for end in (min, max))
    as_long = (Line("", ends),)
    return [Picture("how much longer", "before", "after / before", points, "s", logarithmic=True, lines=as_long)]


def _named(change: Mapping[str, Any]) -> str:
    former = change.get("former_file", "")  # answers of before have none
    return f"{change['code']} (was in {former})" if former else str(change["code"])


def _reasons(change: Mapping[str, Any]) -> Notes:
    """Why a code is faster or slower, and where."""
    at = f", {change['file']}:{change['line']}" if change["line"] else ""
    title = f"why {change['code']}@{change['machine']} is {change['verdict']}{at}"
    if change["verdict"] == "no difference":
        title = f"what moved in {change['code']}@{change['machine']}{at}"
    return Notes(title, tuple(map(_reason, change["reasons"])), folded=change["verdict"] == "no difference")


def _said(change: Mapping[str, Any]) -> str:
    times = f"{_time(change['base_s'])} → {_time(change['head_s'])}"
    return f"{change['code']}@{change['machine']}: {change['verdict']}, {100 * change['growth']:+.1f} %, {times}"


def _reason(reason: Mapping[str, Any]) -> str:
    from foretell.core.answers.check import Reason

    return Reason(reason["what"], reason["base"], reason["head"], reason["unit"]).text


def exploration(document: dict[str, Any]) -> Page:
    """The front of a space of machines: pictures of each pair of neighbouring objectives, and the designs."""
    names = [entry["name"] for entry in document["objectives"]]
    unit = {entry["name"]: entry["unit"] for entry in document["objectives"]}
    axes = [axis["parameter"] for axis in document["axes"]]
    shown = {axis["parameter"]: axis for axis in document["axes"]}
    pictures: list[Section] = [
        Picture(f"{y} against {x}", x, y, _front_points(document["front"], x, y), unit[x], unit[y])
        for x, y in pairwise(names)
    ]
    rows = [
        (
            *(_show(design["parameters"].get(axis), shown[axis]["unit"]) for axis in axes),
            *(_show(design["objectives"].get(name), unit[name]) for name in names),
        )
        for design in document["front"]
    ]
    best = [(b["application"], _time(b["time_s"]), _time(b["baseline_s"])) for b in document["best"]]
    title = f"{document['name']} on {document['machine']}"
    headline = f"{title}: {document['points']} designs, {len(document['front'])} on the front"
    sections: list[Section] = [
        *pictures,
        *_keyed(_table("designs on the front", (*(shown[axis]["label"] for axis in axes), *names), rows)),
        *_table("shortest time of each application", ("application", "time", "baseline"), best),
        Notes("assumed", tuple(document.get("assumptions", ()))),
        Notes("notes", tuple(document.get("notes", ()))),
    ]
    filled = [part for part in sections if not isinstance(part, Notes) or part.items]
    return Page(title, headline, tuple(filled), "exploration", document)


def _front_points(front: Sequence[Mapping[str, Any]], x: str, y: str) -> tuple[Point, ...]:
    """The designs with both objectives; each names its row of the table."""
    return tuple(
        Point(d["objectives"][x], d["objectives"][y], _design(d), key=f"{row}")
        for row, d in enumerate(front[:_MOST_POINTS])
        if x in d["objectives"] and y in d["objectives"]
    )


def _design(design: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in design["parameters"].items())


def _keyed(sections: Sequence[Section]) -> list[Section]:
    """Tables whose rows are known by their numbers."""
    return [replace(part, keys=tuple(map(str, range(len(part.rows))))) for part in sections if isinstance(part, Table)]


def page(document: dict[str, Any]) -> Page:
    """Any other document: its numbers and texts in one table, its lists in one each."""
    plain = [(name, _text(value)) for name, value in document.items() if not isinstance(value, list | dict)]
    sections = _table("", ("", ""), [row for row in plain if row[0] != "schema_version"])
    for name, value in document.items():
        sections += _inner(name.replace("_", " "), value)
    title = str(document.get("title") or document.get("name") or document.get("workload") or "answer")
    return Page(title, str(document.get("headline") or title), tuple(sections), "answer", document)


def _inner(name: str, value: Any) -> list[Section]:
    if isinstance(value, dict):
        return _table(name, ("", ""), [(str(key), _text(entry)) for key, entry in value.items()])
    if not isinstance(value, list) or not value:
        return []
    if not all(isinstance(entry, dict) for entry in value):
        return _table(name, ("",), [(_text(entry),) for entry in value])
    columns = tuple(dict.fromkeys(key for entry in value for key in entry))
    return _table(name, columns, [tuple(_text(entry.get(key, "")) for key in columns) for entry in value])


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(entry)}" for key, entry in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list) else "" if value is None else str(value)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], folded: bool = False) -> list[Section]:
    kept = tuple(tuple(row) for row in rows[:_MOST_ROWS])
    return [Table(title, tuple(columns), kept, len(rows) - len(kept), folded)] if rows else []


def _show(value: float | None, unit: str) -> str:
    return "" if value is None else units.show(value, unit) if unit else f"{value:.6g}"


def _time(seconds: float | None) -> str:
    return _show(seconds, "s")
