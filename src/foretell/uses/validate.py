"""Predicted against measured. A validation is a TOML file of cases with recorded times, replayed anywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files, units
from foretell.core.answers import Refusal, Validation, ValidationPoint
from foretell.door import predict
from foretell.errors import InputError, nearest
from foretell.uses.statistics import set_of, summaries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.machine import Machine
    from foretell.core.prediction import Mode

#: the shipped kernels; a recording names them `kernel:triad.c`
KERNELS = Path(str(resources.files("foretell.uses"))) / "cpu" / "kernels"
_CASE_KEYS = ("workload", "machine", "measured", "parameters", "mode", "options", "kernel", "group")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One case: a code on a machine, and how long it took there.

    `kernel` is the name that decides the case's set (its own if empty); a `group` has statistics of its own.
    """

    name: str
    workload: str | Path
    machine: Machine | str
    measured_s: float
    parameters: Mapping[str, float] = field(default_factory=dict)
    mode: Mode = "default"
    options: Mapping[str, str] = field(default_factory=dict)
    kernel: str = ""
    group: str = ""


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
    return compare(
        str(name_or_file),
        str(recording.document.get("title", name_or_file)),
        [_recorded(recording, name, entry) for name, entry in cases.items()],
    )


def compare(
    name: str, title: str, cases: Sequence[Recorded], refused: tuple[Refusal, ...] = ()
) -> Validation:
    """Predicts every case and puts it beside what was measured; one that cannot be predicted is refused."""
    points, groups, left = [], [], list(refused)
    for case in cases:
        try:
            points.append(_point(case))
            groups.append(case.group)
        except InputError as error:
            left.append(Refusal(case.name, error.message))
    if not points:
        raise InputError(f"no case can be predicted; {left[0].name}: {left[0].reason}" if left else "no case")
    return Validation(name, title, tuple(points), summaries(points, groups), tuple(left))


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


def _point(case: Recorded) -> ValidationPoint:
    prediction = predict(
        case.workload, case.machine, parameters=case.parameters, mode=case.mode, options=case.options
    )
    return ValidationPoint(
        case.name,
        set_of(case.kernel or case.name),
        prediction.time_s,
        case.measured_s,
        prediction.assumptions,
        prediction.interval_s,
    )


def _recorded(recording: _Recording, name: str, entry: object) -> Recorded:
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
    return Recorded(
        name,
        _beside(recording, entry["workload"]),
        _machine(recording, entry["machine"]),
        measured,
        parameters=_numbers(recording, name, entry.get("parameters", {})),
        mode=entry.get("mode", "default"),
        options=_words(recording, name, entry.get("options", {})),
        kernel=str(entry.get("kernel", "")),
        group=str(entry.get("group", "")),
    )


def _beside(recording: _Recording, workload: str) -> str | Path:
    """An example, a shipped kernel, or a file beside the recording."""
    if workload.startswith("example:"):
        return workload
    kind, _, name = workload.partition(":")
    return KERNELS / name if kind == "kernel" and name else recording.path.parent / workload


def _machine(recording: _Recording, machine: str) -> str:
    """A machine of the library, or a file beside the recording."""
    return str(recording.path.parent / machine) if machine.endswith(".toml") else machine


def _numbers(recording: _Recording, name: str, table: object) -> dict[str, float]:
    if not isinstance(table, dict) or not all(isinstance(value, int | float) for value in table.values()):
        raise recording.error(f"case.{name}.parameters", "must be a table of numbers")
    return {key: float(value) for key, value in table.items()}


def _words(recording: _Recording, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise recording.error(f"case.{name}.options", "must be a table of texts")
    return table
