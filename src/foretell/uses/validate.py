"""Predicted against measured. A validation is a TOML file of cases with recorded times, replayed anywhere.

    title = "…"
    beside = ["paper"]              # modes to show beside the default one

    [case."copy/large"]             # cases of one code, named code/…, are in one set
    workload = "copy.sass"
    launch = "launches.toml"        # of a GPU kernel: a launch file with a launch of the case's name
    machine = "h200"
    measured = "185 us"
    counts = { instructions = 40 }  # compared with what the prediction counts under the same name

    [order.sizes]                   # versions to be ordered by time: the cases that make up each
    small = ["copy/small"]
    large = ["copy/large", "copy/large"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from foretell import files, units
from foretell.core.answers import CountPoint, OrderTest, Validation, ValidationPoint, ValidationSummary
from foretell.core.prediction import Mode
from foretell.door import predict
from foretell.errors import InputError, nearest
from foretell.frontends.launch import read_launches
from foretell.frontends.sass.workload import read_workload
from foretell.uses.statistics import set_of, summarise, summarise_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.launch import Launch
    from foretell.core.prediction import Prediction
    from foretell.core.workload import Workload

_CASE_KEYS = ("workload", "launch", "machine", "measured", "parameters", "mode", "options", "counts")
#: measured times of two versions that differ by less say nothing about their order
_TIE = 0.03


@dataclass(frozen=True, slots=True)
class _Recording:
    """A file of recorded measurements."""

    path: Path
    text: str
    document: dict[str, Any]

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{key}: {message}", file=self.path, line=files.key_line(self.text, key))

    @property
    def beside(self) -> tuple[Mode, ...]:
        given = self.document.get("beside", [])
        if not isinstance(given, list) or not all(mode in get_args(Mode) for mode in given):
            raise self.error("beside", "must be a list of modes")
        return tuple(cast("list[Mode]", given))


def recordings() -> tuple[str, ...]:
    """The names of the shipped validations."""
    return tuple(
        sorted(Path(entry.name).stem for entry in _folder().iterdir() if entry.name.endswith(".toml"))
    )


def validate(name_or_file: str | Path) -> Validation:
    """Predicts every recorded case of a shipped validation, or of a file of the user's, and compares."""
    recording = _open(name_or_file)
    cases = recording.document.get("case", {})
    if not isinstance(cases, dict) or not cases:
        raise recording.error("case", "the file holds no [case.NAME] table")
    points = tuple(_point(recording, name, entry) for name, entry in cases.items())
    reported = [point for point in points if point.set == "report"]
    counted = [count for point in points for count in point.counts]
    return Validation(
        name=str(name_or_file),
        title=str(recording.document.get("title", name_or_file)),
        points=points,
        summary=_by_set(points),
        beside={mode: _by_set(points, mode) for mode in recording.beside},
        bottlenecks={
            name: summarise([point for point in reported if point.bottleneck == name])
            for name in sorted({point.bottleneck for point in reported})
        },
        counts={
            name: summarise_counts([count for count in counted if count.name == name])
            for name in dict.fromkeys(count.name for count in counted)
        },
        orders=_orders(recording, {point.case: point for point in points}),
    )


def _by_set(points: Sequence[ValidationPoint], mode: str | None = None) -> dict[str, ValidationSummary]:
    sets = sorted({point.set for point in points})
    return {which: summarise([p for p in points if p.set == which], mode) for which in sets}


def _folder() -> Any:
    return resources.files("foretell.uses") / "recorded"


def _open(name_or_file: str | Path) -> _Recording:
    text = str(name_or_file)
    if text in recordings():
        path = Path(str(_folder() / f"{text}.toml"))
    elif text.endswith(".toml") or "/" in text:
        path = Path(text)
    else:
        raise InputError(
            f"no validation {text!r}{nearest(text, recordings())}",
            hint="validations: " + ", ".join(recordings()),
        )
    content = files.read_text(path)
    return _Recording(path, content, files.parse_toml(content, path))


# ------------------------------------------------------------------------------------------ one case


def _point(recording: _Recording, name: str, entry: object) -> ValidationPoint:
    given = _checked(recording, name, entry)
    measured = units.parse_as(given["measured"], "s")
    if measured <= 0:
        raise recording.error(f"case.{name}.measured", "must be positive")
    workload = _workload(recording, name, given)
    counts = _numbers(recording, f"case.{name}.counts", given.get("counts", {}))

    def predicted(mode: Mode) -> Prediction:
        return predict(
            workload,
            given["machine"],
            parameters=_numbers(recording, f"case.{name}.parameters", given.get("parameters", {})),
            mode=mode,
            options=_words(recording, name, given.get("options", {})),
        )

    prediction = predicted(given.get("mode", "default"))
    return ValidationPoint(
        name,
        set_of(name),
        prediction.time_s,
        measured,
        prediction.assumptions,
        prediction.bottleneck.resource,
        {mode: predicted(mode).time_s for mode in recording.beside},
        _compared(prediction, counts),
    )


def _checked(recording: _Recording, name: str, entry: object) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise recording.error(f"case.{name}", "must be a table")
    for key in entry:
        if key not in _CASE_KEYS:
            raise recording.error(f"case.{name}.{key}", f"unknown key{nearest(key, _CASE_KEYS)}")
    for key in ("workload", "machine", "measured"):
        if not isinstance(entry.get(key), str):
            raise recording.error(f"case.{name}", f"{key} must be a text")
    return entry


def _workload(recording: _Recording, name: str, entry: dict[str, Any]) -> Workload | str | Path:
    if entry["workload"].startswith("example:"):
        return str(entry["workload"])
    path = recording.path.parent / entry["workload"]
    if "launch" not in entry:
        return path
    named = [item for item in _launches(recording.path.parent / str(entry["launch"])) if item.name == name]
    if len(named) != 1:
        raise recording.error(f"case.{name}", f"{entry['launch']} has {len(named)} launches of this name")
    return read_workload(path, named[0])


@lru_cache(maxsize=4)
def _launches(path: Path) -> tuple[Launch, ...]:
    return read_launches(path)


def _compared(prediction: Prediction, counts: dict[str, float]) -> tuple[CountPoint, ...]:
    """What was counted on the machine, with what the prediction has under the same name in details.counters."""
    found = prediction.details.get("counters", {})
    known: Mapping[str, Any] = found if isinstance(found, dict) else {}
    return tuple(
        CountPoint(name, float(known[name]), measured) for name, measured in counts.items() if name in known
    )


# ------------------------------------------------------------------------------------------ orders


def _orders(recording: _Recording, points: dict[str, ValidationPoint]) -> tuple[OrderTest, ...]:
    tables = recording.document.get("order", {})
    if not isinstance(tables, dict):
        raise recording.error("order", "must be [order.NAME] tables")
    return tuple(_order(recording, name, table, points) for name, table in tables.items())


def _order(recording: _Recording, name: str, table: object, points: dict[str, ValidationPoint]) -> OrderTest:
    if not isinstance(table, dict) or len(table) < 2:
        raise recording.error(f"order.{name}", "must be a table of at least two versions")
    versions = []
    for version, cases in table.items():
        if not isinstance(cases, list) or not cases or not all(case in points for case in cases):
            raise recording.error(f"order.{name}", f"{version} must be a list of cases of this file")
        versions.append([points[case] for case in cases])
    return OrderTest(
        name,
        tuple(table),
        tuple(sum(point.predicted_s for point in version) for version in versions),
        tuple(sum(point.measured_s for point in version) for version in versions),
        _TIE,
    )


def _numbers(recording: _Recording, key: str, table: object) -> dict[str, float]:
    if not isinstance(table, dict) or not all(isinstance(value, int | float) for value in table.values()):
        raise recording.error(key, "must be a table of numbers")
    return {name: float(value) for name, value in table.items()}


def _words(recording: _Recording, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise recording.error(f"case.{name}.options", "must be a table of texts")
    return table
