"""Compares predictions with measurements. A validation is a TOML file of cases with recorded times.

title = "…"
beside = ["paper"]              # modes to show beside the default one
set = "report"                  # of all cases; else a hash of each kernel's name decides
defaults = { machine = "h200" } # keys of every case that does not have them itself
tie = 0.005                     # measured times that differ by a smaller fraction are ties (0.03)

[case."copy/large"]
workload = "copy.sass"
launch = "launches.toml"        # of a GPU kernel: a launch file with a launch of the case's name
kernel = "copy"                 # decides the set
machine = "h200"
measured = "185 us"
counts = { instructions = 40 }  # compared with the prediction's counts of the same name
label = "optimised"             # cases with a label also get separate statistics
macros = { N = 512 }            # of C: compiled in (-DN=512)
arguments = ["n", "f64[n]"]     # of C++, objects and assembly: those of the call, as --arg gives them
disturbed = true                # there was interference: statistics are also computed without such cases

[order.sizes]                   # versions to be ordered by time: the cases that make up each
small = ["copy/small"]
large = ["copy/large", "copy/large"]

Where all orders have the same versions (machines, numbers of threads), statistics over them follow; the versions that
`split = ["cpu", "gpu"]` at the top names share the work of each code.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from foretell import files, units
from foretell.api import predict
from foretell.core.answers.answers import CaseSet, CountPoint, OrderTest, Refusal, Validation, ValidationPoint
from foretell.core.answers.prediction import Mode
from foretell.errors import InputError, nearest
from foretell.frontends import SourceOptions, read, read_options, read_sources
from foretell.frontends.files.toml_keys import KeyedFile, known
from foretell.frontends.gpu.launch import read_launches
from foretell.machines import load
from foretell.uses.error_statistics import Code, count_summaries, set_of, summaries, summarise, summarise_versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.answers.answers import ValidationSummary, VersionSummary
    from foretell.core.answers.prediction import Prediction
    from foretell.core.gpu.launch import Launch
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload

#: the shipped kernels; a recording names them `kernel:triad.c`, functions of the other suite `styles:rows.c:gemm_rows`
KERNELS = Path(str(resources.files("foretell.uses"))) / "measure" / "kernels"
#: the validation that measures on this machine
CPU = "cpu"
#: validations that replay measured tuning spaces, measured changes of code, and pairs of versions
TUNING, ADVICE, DIFFERENCES, SPLIT = REPLAYS = ("tuning", "advice", "differences", "split")
_RECORDED = KERNELS.parents[1] / "recorded"
_FOLDERS = {"kernel": KERNELS, "styles": KERNELS.with_name("styles")}
_CASE_KEYS = (
    "workload", "launch", "machine", "measured", "parameters", "mode", "options", "kernel", "group", "counts",
    "label", "disturbed", "macros", "arguments",
)  # fmt: skip
#: measured times of two versions that differ by a smaller fraction count as equal, unless a recording states its own
#: repeatability
_TIE = 0.03
_THREADS = "threads"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One case: a code on a machine, and its measured time there.

    `kernel` is the name that decides the case's set (its own if empty) unless `set` does; cases of a `group` have
    separate statistics; `beside` are further modes to predict in, `variants` further options to predict with, by name,
    `counts` the measured counters of the run; `disturbed`: there was interference; `macros` are compiled in;
    `arguments` are those of a call of compiled code.
    """

    name: str
    workload: Workload | str | Path
    machine: Machine | str
    measured_s: float
    parameters: Mapping[str, float] = field(default_factory=dict)
    mode: Mode = "default"
    options: Mapping[str, str] = field(default_factory=dict)
    kernel: str = ""
    group: str = ""
    beside: tuple[Mode, ...] = ()
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    counts: Mapping[str, float] = field(default_factory=dict)
    set: CaseSet | None = None
    label: str = ""
    disturbed: bool = False
    macros: Mapping[str, float] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Recording(KeyedFile):
    """A file of recorded measurements."""

    document: dict[str, Any]

    @property
    def beside(self) -> tuple[Mode, ...]:
        given = self.document.get("beside", [])
        if not isinstance(given, list) or not all(mode in get_args(Mode) for mode in given):
            raise self.error("beside", "must be a list of modes")
        return tuple(cast("list[Mode]", given))

    @property
    def defaults(self) -> dict[str, Any]:
        given = self.document.get("defaults", {})
        if not isinstance(given, dict):
            raise self.error("defaults", "must be a table")
        known(self, "defaults", given, _CASE_KEYS)
        return given

    @property
    def set(self) -> CaseSet | None:
        given = self.document.get("set")
        if given is not None and given not in get_args(CaseSet):
            raise self.error("set", f"must be one of {', '.join(get_args(CaseSet))}")
        return cast("CaseSet | None", given)

    @property
    def tie(self) -> float:
        given = self.document.get("tie", _TIE)
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < 1:
            raise self.error("tie", "must be a number from 0 to 1")
        return float(given)


def recordings() -> tuple[str, ...]:
    """The names of the recorded sets of cases."""
    return tuple(sorted(path.name.partition(".")[0] for path in _RECORDED.glob("*.toml*")))


def shipped() -> tuple[str, ...]:
    """The names of all validations: loops measured here, recordings, and replays of spaces and pairs."""
    return (CPU, *recordings(), *REPLAYS)


def validate(name_or_file: str | Path) -> Validation:
    """Predicts every recorded case of a shipped validation, or of a user's file, and compares."""
    recording = _open(name_or_file)
    cases = recording.document.get("case", {})
    if not isinstance(cases, dict) or not cases:
        raise recording.error("case", "the file holds no [case.NAME] table")
    recorded = [_recorded(recording, name, entry) for name, entry in cases.items()]
    answer = compare(str(name_or_file), str(recording.document.get("title", name_or_file)), recorded)
    orders = _orders(recording, {point.case: point for point in answer.points})
    return replace(answer, orders=orders, versions=_versions(recording, orders, answer.points))


def compare(name: str, title: str, cases: Sequence[Recorded], refused: tuple[Refusal, ...] = ()) -> Validation:
    """Predicts every case and compares it with the measurement; one that cannot be predicted is refused."""
    grouped, left = [], list(refused)
    loaded = cache(load)  # each machine is read once
    for case in cases:
        try:
            machine = loaded(case.machine) if isinstance(case.machine, str) else case.machine
            grouped.append((case.group, _point(case, machine)))
        except InputError as error:
            left.append(Refusal(case.name, error.message))
    if not grouped:
        raise InputError(f"no case can be predicted; {left[0].name}: {left[0].reason}" if left else "no case")
    points = [point for _, point in grouped]
    reported = [point for point in points if point.set == "report"]
    counted = [count for point in points for count in point.counts]
    return Validation(
        name,
        title,
        tuple(points),
        summaries(grouped),
        tuple(left),
        beside={
            which: _beside_summary(grouped, which) for which in dict.fromkeys(chain(*(p.beside_s for p in points)))
        },
        bottlenecks={
            which: summarise([point for point in reported if point.bottleneck == which])
            for which in sorted({point.bottleneck for point in reported})
        },
        counts=count_summaries(counted),
        undisturbed=summaries([pair for pair in grouped if not pair[1].disturbed])
        if any(point.disturbed for point in points)
        else {},
    )


def _beside_summary(grouped: Sequence[tuple[str, ValidationPoint]], which: str) -> dict[str, ValidationSummary]:
    """The statistics of a mode or a variant, over the points that were also predicted with it."""
    return summaries(
        [
            (group, replace(point, predicted_s=point.beside_s[which], interval_s=None))
            for group, point in grouped
            if which in point.beside_s
        ]
    )


def _open(name_or_file: str | Path) -> _Recording:
    text = str(name_or_file)
    if text in recordings():
        path = _RECORDED / f"{text}.toml"
    elif text.endswith(".toml") or "/" in text:
        path = Path(text)
    else:
        raise InputError(
            f"no validation {text!r}{nearest(text, shipped())}", hint="validations: " + ", ".join(shipped())
        )
    content = files.read_text(path)
    return _Recording(path, content, files.parse_toml(content, path))


def _code(case: Recorded) -> Workload | str | Path:
    """The code of a case; where macros are compiled in or a call has arguments, it is read with them."""
    if not case.macros and not case.arguments:
        return case.workload
    file, _, function = str(case.workload).partition(":")
    if case.arguments:
        return read(file, read_options(kernel=function or None, args=case.arguments))
    values = tuple((name, f"{value:g}") for name, value in case.macros.items())
    return read_sources([file], SourceOptions(values=values, kernel=function or None))


def _point(case: Recorded, machine: Machine) -> ValidationPoint:
    code = _code(case)
    parameters = dict(case.parameters)
    if case.arguments:  # a call of compiled code is one of a single thread
        parameters.pop(_THREADS, None)

    def predicted(mode: Mode, **more: str) -> Prediction:
        options = {**case.options, **more}
        return predict(code, machine, parameters=parameters, mode=mode, options=options)

    prediction = predicted(case.mode)
    bound = prediction.details.get("hard_bound_s")
    beside = {str(mode): predicted(mode).time_s for mode in case.beside}
    for name, options in case.variants.items():
        with contextlib.suppress(InputError):  # a variant that cannot be predicted is left out of its statistics
            variant = predicted(case.mode, **options)
            beside |= {} if variant.at_least else {name: variant.time_s}
    return ValidationPoint(
        case.name,
        case.set or set_of(case.kernel or case.name),
        prediction.time_s,
        case.measured_s,
        prediction.assumptions,
        prediction.interval_s,
        prediction.bottleneck.resource,
        beside,
        _compared(prediction, case.counts),
        bound if isinstance(bound, float) and bound > 0 else None,
        case.label,
        case.disturbed,
    )


def _compared(prediction: Prediction, counts: Mapping[str, float]) -> tuple[CountPoint, ...]:
    """Pairs measured counts with those of the same name in the prediction's details.counters."""
    given = prediction.details.get("counters", {})
    counters: Mapping[str, Any] = given if isinstance(given, dict) else {}
    steered = prediction.details.get("steered_by_data")
    return tuple(
        CountPoint(name, float(counters[name]), measured, steered if isinstance(steered, bool) else None)
        for name, measured in counts.items()
        if name in counters
    )


def _recorded(recording: _Recording, name: str, entry: object) -> Recorded:
    if not isinstance(entry, dict):
        raise recording.error(f"case.{name}", "must be a table")
    known(recording, f"case.{name}", entry, _CASE_KEYS)
    entry = {**recording.defaults, **entry}
    for key in ("workload", "machine", "measured"):
        if not isinstance(entry.get(key), str):
            raise recording.error(f"case.{name}", f"{key} must be a text")
    machine = entry["machine"]  # of the library, or a file beside the recording
    measured, disturbed = units.parse_as(entry["measured"], "s"), entry.get("disturbed", False)
    if measured <= 0:
        raise recording.error(f"case.{name}.measured", "must be positive")
    if not isinstance(disturbed, bool):
        raise recording.error(f"case.{name}.disturbed", "must be true or false")
    return Recorded(
        name,
        _workload(recording, name, entry),
        str(recording.path.parent / machine) if machine.endswith(".toml") else machine,
        measured,
        parameters=_numbers(recording, f"case.{name}.parameters", entry.get("parameters", {})),
        mode=entry.get("mode", "default"),
        options=_words(recording, name, entry.get("options", {})),
        kernel=str(entry.get("kernel", "")),
        group=str(entry.get("group", "")),
        beside=recording.beside,
        counts=_numbers(recording, f"case.{name}.counts", entry.get("counts", {})),
        set=recording.set,
        label=str(entry.get("label", "")),
        disturbed=disturbed,
        macros=_numbers(recording, f"case.{name}.macros", entry.get("macros", {})),
        arguments=_texts(recording, f"case.{name}.arguments", entry.get("arguments", [])),
    )


def _workload(recording: _Recording, name: str, entry: dict[str, Any]) -> Workload | str | Path:
    path = _beside(recording, entry["workload"])
    if "launch" not in entry:
        return _traced(path) if isinstance(path, Path) and files.kind(path) == ".trace" else path
    named = [item for item in _launches(recording.path.parent / str(entry["launch"])) if item.name == name]
    if len(named) != 1:
        raise recording.error(f"case.{name}", f"{entry['launch']} has {len(named)} launches of this name")
    return read(path, read_options(launch=named[0]))


@lru_cache(maxsize=2)
def _traced(path: Path) -> Workload:
    """Reads a trace once for all machines that it is predicted for."""
    return read(path)


@lru_cache(maxsize=4)
def _launches(path: Path) -> tuple[Launch, ...]:
    return read_launches(path)


def _beside(recording: _Recording, workload: str) -> str | Path:
    """Resolves an example, a shipped kernel, or a file beside the recording."""
    if workload.startswith("example:"):
        return workload
    kind, _, name = workload.partition(":")
    return _FOLDERS[kind] / name if kind in _FOLDERS and name else recording.path.parent / workload


def _orders(recording: _Recording, points: dict[str, ValidationPoint]) -> tuple[OrderTest, ...]:
    tables, tie = recording.document.get("order", {}), recording.tie
    if not isinstance(tables, dict):
        raise recording.error("order", "must be [order.NAME] tables")
    return tuple(_order(recording, name, table, points, tie) for name, table in tables.items())


def _versions(
    recording: _Recording, orders: tuple[OrderTest, ...], points: tuple[ValidationPoint, ...]
) -> dict[str, VersionSummary]:
    """Computes statistics over the orders, where they have the same versions: of each set, of all, and of each
    label."""
    sharing = recording.document.get("split", [])
    if len(orders) < 2 or len({order.versions for order in orders}) != 1:
        return {}
    if not isinstance(sharing, list) or not set(sharing) <= set(orders[0].versions):
        raise recording.error("split", "must be a list of versions of the orders")
    tables = recording.document["order"]
    by_case = {point.case: point for point in points}
    codes = [
        Code(order, tuple(by_case[case] for cases in tables[order.name].values() for case in cases)) for order in orders
    ]
    chosen = {name: [code for code in codes if code.points[0].set == name] for name in ("tuning", "report")}
    chosen["all"] = codes
    for label in sorted({code.points[0].label for code in codes} - {""}):
        for name, own in tuple(chosen.items())[:3]:
            chosen[f"{label}, {name}"] = [code for code in own if code.points[0].label == label]
    return {name: summarise_versions(own, sharing) for name, own in chosen.items() if own}


def _order(
    recording: _Recording, name: str, table: object, points: dict[str, ValidationPoint], tie: float
) -> OrderTest:
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
        tie,
    )


def _numbers(recording: _Recording, key: str, table: object) -> dict[str, float]:
    if not isinstance(table, dict) or not all(isinstance(value, int | float) for value in table.values()):
        raise recording.error(key, "must be a table of numbers")
    return {name: float(value) for name, value in table.items()}


def _texts(recording: _Recording, key: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise recording.error(key, "must be a list of texts")
    return tuple(given)


def _words(recording: _Recording, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise recording.error(f"case.{name}.options", "must be a table of texts")
    listing = {"asm": str(recording.path.parent / table["asm"])} if table.get("asm") else {}
    return {**table, **listing}
