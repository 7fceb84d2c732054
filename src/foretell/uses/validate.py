"""Predicted against measured. A validation is a TOML file of cases with recorded times, replayed anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from foretell import files, units
from foretell.core.answers import Validation, ValidationPoint
from foretell.door import predict
from foretell.errors import InputError, nearest
from foretell.uses.statistics import set_of, summarise

_CASE_KEYS = ("workload", "machine", "measured", "parameters", "mode", "options")


@dataclass(frozen=True, slots=True)
class _Recording:
    """A file of recorded measurements."""

    path: Path
    text: str
    document: dict[str, Any]

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{key}: {message}", file=self.path, line=files.key_line(self.text, key))


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
    sets = sorted({point.set for point in points})
    return Validation(
        name=str(name_or_file),
        title=str(recording.document.get("title", name_or_file)),
        points=points,
        summary={which: summarise([point for point in points if point.set == which]) for which in sets},
    )


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


def _point(recording: _Recording, name: str, entry: object) -> ValidationPoint:
    if not isinstance(entry, dict):
        raise recording.error(f"case.{name}", "must be a table")
    for key in entry:
        if key not in _CASE_KEYS:
            raise recording.error(f"case.{name}.{key}", f"unknown key{nearest(key, _CASE_KEYS)}")
    for key in ("workload", "machine", "measured"):
        if not isinstance(entry.get(key), str):
            raise recording.error(f"case.{name}", f"{key} must be a text")
    measured = units.parse_as(entry["measured"], "s")
    if measured <= 0:
        raise recording.error(f"case.{name}.measured", "must be positive")
    prediction = predict(
        _beside(recording, entry["workload"]),
        entry["machine"],
        parameters=_numbers(recording, name, entry.get("parameters", {})),
        mode=entry.get("mode", "default"),
        options=_words(recording, name, entry.get("options", {})),
    )
    return ValidationPoint(name, set_of(name), prediction.time_s, measured, prediction.assumptions)


def _beside(recording: _Recording, workload: str) -> str | Path:
    return workload if workload.startswith("example:") else recording.path.parent / workload


def _numbers(recording: _Recording, name: str, table: object) -> dict[str, float]:
    if not isinstance(table, dict) or not all(isinstance(value, int | float) for value in table.values()):
        raise recording.error(f"case.{name}.parameters", "must be a table of numbers")
    return {key: float(value) for key, value in table.items()}


def _words(recording: _Recording, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise recording.error(f"case.{name}.options", "must be a table of texts")
    return table
