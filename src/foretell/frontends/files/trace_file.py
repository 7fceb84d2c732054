"""Reads the `[trace]` table of a workload file: the trace of a program that need not exist.

[trace]
vectorised = 8000                  # operations in loops that can use vector units (default: none)
sync = 14                          # global synchronisation points (default: none)
footprint = "6 MB"                 # bytes touched (default: the sum of first touches)
levels = [                         # the schedule: number of levels and operations of each
    { levels = 10, operations = 1000 },
    { levels = 5, operations = 10 },
]

[trace.operations]                 # by kind; together they are what the levels hold
add = 6700
multiply = 3350

[[trace.distances]]                # one for each line size: references by stack distance
line = 64
bytes = 80000                      # of all references (default: 8 for each)
cold = 1000                        # first touches
reuses = [[0, 7000], [100, 2000]]  # [distance in lines, references]

[trace.instructions]               # integer, load, store, branch, call, convert (default: none)
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.core.facets.trace import Instructions, Operations, Reuse, Schedule, StackDistances, Trace, Width
from foretell.errors import UnitError
from foretell.frontends.files.toml_keys import known, table

if TYPE_CHECKING:
    from foretell.frontends.files.toml_keys import KeyedFile

_TRACE = ("vectorised", "sync", "footprint", "levels", "operations", "instructions", "distances")
_DISTANCES = ("line", "bytes", "cold", "reuses")
_LARGEST = 1 << 62
_WORD = 8


def read_trace(file: KeyedFile, given: dict[str, Any], name: str) -> Trace:
    """Reads the trace that a table describes."""
    known(file, "trace", given, _TRACE)
    schedule = _schedule(file, given)
    operations = Operations(**_counts(file, given, "operations", Operations))
    if abs(schedule.operations - operations.total) > 0.5:
        raise file.error(
            "trace.levels", f"hold {schedule.operations:g} operations, trace.operations {operations.total}"
        )
    vectorised = _count(file, given, "trace", "vectorised", 0)
    if vectorised > operations.total:
        raise file.error("trace.vectorised", "is more than all operations")
    distances = _all_distances(file, given)
    return Trace(
        kernel=name,
        operations=operations,
        vectorised=vectorised,
        schedule=schedule,
        sync_points=_count(file, given, "trace", "sync", 0),
        instructions=Instructions(**_counts(file, given, "instructions", Instructions)),
        distances=distances,
        footprint=_footprint(file, given, distances),
        sync_given=True,
    )


def _schedule(file: KeyedFile, given: dict[str, Any]) -> Schedule:
    entries = _list(file, given, "trace", "levels")
    widths = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise file.error("trace.levels", "must be a list of { levels = …, operations = … }")
        known(file, "trace.levels", entry, ("levels", "operations"))
        levels = _count(file, entry, "trace.levels", "levels", 1)
        operations = _count(file, entry, "trace.levels", "operations", None)
        if not levels or not operations:
            raise file.error("trace.levels", "a level without operations is no level")
        widths.append(Width(float(operations), levels))
    widths.sort(key=lambda one: one.operations)
    return Schedule(sum(one.levels for one in widths), tuple(widths))


def _counts(file: KeyedFile, given: dict[str, Any], key: str, kind: type[Operations | Instructions]) -> dict[str, int]:
    entries = table(file, given, key)
    known(file, f"trace.{key}", entries, tuple(entry.name for entry in fields(kind)))
    return {name: _count(file, entries, f"trace.{key}", name, None) for name in entries}


def _all_distances(file: KeyedFile, given: dict[str, Any]) -> tuple[StackDistances, ...]:
    found = [_distances(file, entry) for entry in _list(file, given, "trace", "distances")]
    lines = [one.line for one in found]
    if len(set(lines)) != len(lines):
        raise file.error("trace.distances.line", "two tables have the same line size")
    return tuple(sorted(found, key=lambda one: one.line))


def _distances(file: KeyedFile, entry: object) -> StackDistances:
    if not isinstance(entry, dict):
        raise file.error("trace.distances", "must be [[trace.distances]] tables")
    known(file, "trace.distances", entry, _DISTANCES)
    line = _count(file, entry, "trace.distances", "line", None)
    if line < 1 or line & (line - 1):
        raise file.error("trace.distances.line", "must be a power of two, in bytes")
    cold = _count(file, entry, "trace.distances", "cold", 0)
    reuses = sorted(
        (_reuse(file, pair) for pair in _list(file, entry, "trace.distances", "reuses")), key=lambda one: one.distance
    )
    references = cold + sum(one.references for one in reuses)
    return StackDistances(
        line=line,
        cold=cold,
        bytes=_count(file, entry, "trace.distances", "bytes", int(_WORD * references)),
        reuses=tuple(reuses),
    )


def _reuse(file: KeyedFile, pair: object) -> Reuse:
    if not (isinstance(pair, list) and len(pair) == 2 and all(_is_count(number) for number in pair)):
        raise file.error("trace.distances.reuses", "must be a list of [distance in lines, references]")
    return Reuse(pair[0], pair[1], pair[0])


def _footprint(file: KeyedFile, given: dict[str, Any], distances: tuple[StackDistances, ...]) -> int:
    touched = int(distances[0].cold * distances[0].line) if distances else 0
    value = given.get("footprint", touched)
    if isinstance(value, str):
        try:
            measure = units.parse(value)
        except UnitError as error:
            raise file.error("trace.footprint", error.message) from None
        if measure.unit != "B" or not 0 <= measure.value < _LARGEST:
            raise file.error("trace.footprint", "must be a number of bytes")
        return int(measure.value)
    return _count(file, {"footprint": value}, "trace", "footprint", None)


def _list(file: KeyedFile, given: dict[str, Any], prefix: str, key: str) -> list[Any]:
    value = given.get(key, [])
    if not isinstance(value, list):
        raise file.error(f"{prefix}.{key}", "must be a list")
    return value


def _count(file: KeyedFile, given: dict[str, Any], prefix: str, key: str, default: int | None) -> int:
    value = given.get(key, default)
    if value is None:
        raise file.error(f"{prefix}.{key}", "is missing")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not _is_count(value):
        raise file.error(f"{prefix}.{key}", "must be a whole number, not negative")
    return int(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST
