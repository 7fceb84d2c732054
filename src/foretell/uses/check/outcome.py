"""What a check keeps of one prediction: plain data that is cached, saved and compared."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping  # noqa: TC003  # outcomes are checked against it
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.cache import Kind, key_of, package_hash
from foretell.core.answers.program_run import assumptions_of
from foretell.core.gpu.warps import Warps
from foretell.errors import InputError, nearest
from foretell.files import read_text
from foretell.uses.annotate import annotated
from foretell.uses.program_run.replay import predict_capture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.api import Case
    from foretell.core.answers.breakdown import LoopCode
    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine

_KEPT = Kind("check-code", version=2)
_LINE = re.compile(r"\bline=(\d+)")
_CACHE = re.compile(r"\bl[12]\b")

#: an outcome: time_s, interval_s, bounds, parts, code, facts, lines, …; or error alone
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Explained:
    """An outcome as it is kept and saved."""

    time_s: float
    interval_s: tuple[float, ...]
    at_least: bool
    bound_by: str
    bounds: tuple[tuple[str, float], ...]
    parts: tuple[tuple[str, float], ...]
    model: str
    model_version: int
    machine_hash: str
    options: Mapping[str, object]
    parameters: Mapping[str, object]
    code: str
    compiler: str
    facts: Mapping[str, tuple[float | str, str]]
    lines: tuple[tuple[str, int, str, float], ...]
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failed:
    """An outcome that is an error."""

    error: str


#: fields of it that may be negative: time that overlaps is a negative part
SIGNED = frozenset({"facts", "parts"})


def read_kept(kind: Kind, key: str) -> Outcome | None:
    """A checked outcome of the cache, as plain data."""
    outcome: Outcome | None = kind.read_json(key, Explained | Failed, SIGNED)
    return outcome


#: registers of vectors and their bytes, widest first; a scalar operation has none
_WIDTHS = (
    (re.compile(r"%?\bzmm\d"), "64 B"), (re.compile(r"%?\bymm\d"), "32 B"),
    (re.compile(r"^v?\w+p[sd]\b.*xmm\d|^v?p\w+\b.*xmm\d"), "16 B"),
    (re.compile(r"\bz\d+\.[bhsd]"), "scalable"), (re.compile(r"\bv\d+\.(?:16b|8h|4s|2d)|\bq\d+"), "16 B"),
)  # fmt: skip
#: instructions executed less often than this share of the most frequent ones are no part of the main loop
_OFTEN = 0.5
#: the lines with most time that are kept
_MOST_LINES = 200
#: version of what makes a timeline of launches and copies
_TIMELINE = 1
#: significant digits of a number: libraries and fused operations of two hosts differ in the last of 16
_DIGITS = 10


def executed(case: Case) -> Outcome:
    """Predicts a case, with no more than a verdict needs."""
    prediction = case.predict()
    code = case.model.executed_code(case.workload, case.machine, case.settings)
    options = {name: value for name, value in prediction.options.items() if name != "asm"}
    return {
        "time_s": prediction.time_s,
        "model": prediction.model,
        "options": options,
        "code": key_of(code) if code else "",
    }


def predicted(case: Case) -> Outcome:
    """The outcome of a case: kept from a version in which everything that the model reads was the same, or new."""
    code = case.model.executed_code(case.workload, case.machine, case.settings)
    key = key_of(package_hash(), case.machine.content_hash, case.settings, code, _read_by_model(case))
    if (kept := read_kept(_KEPT, key)) is not None:
        return {**kept, "lines": _relocated(kept["lines"])}
    outcome: Outcome = rounded(_explained(case, code))
    _KEPT.write(key, json.dumps(outcome).encode())  # in their order, as an answer lists them
    return outcome


def rounded(value: Any) -> Any:
    """Plain data with numbers that are the same on every host."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list | tuple) else value


def _read_by_model(case: Case) -> str:
    """What a model reads of a workload, with lines by their order: comments and blank lines move them all."""
    warps = case.workload.find(Warps)
    facets = () if warps is not None else case.workload.facets  # of a kernel, the code is everything
    text = re.sub(r"\b(?:file='[^']*'|lines=\d+)", "", repr((case.workload.name, facets, case.workload.parameters)))
    order = sorted({int(number) for number in _LINE.findall(text)})
    ranks = {str(line): str(rank) for rank, line in enumerate(order)}
    return _LINE.sub(lambda found: f"line={ranks[found[1]]}", text)


def _relocated(lines: list[list[Any]]) -> list[list[Any]]:
    """Lines of another version with the same code, where they are in this one: the nearest with the same text."""
    texts = {file: _texts(file) for file in {line[0] for line in lines}}
    moved = []
    for file, number, text, seconds in lines:
        places = [at for at, own in enumerate(texts[file], start=1) if own == text]
        moved.append([file, min(places, key=lambda at: abs(at - number), default=number), text, seconds])
    return moved


def _texts(file: str) -> list[str]:
    try:
        return [line.strip() for line in read_text(Path(file)).splitlines()]
    except InputError:
        return []


def _explained(case: Case, code: str) -> Outcome:
    """Predicts a case, with what explains a later difference."""
    prediction = case.predict()
    settings = case.settings
    listing = case.model.listing(case.workload, case.machine, settings)
    lines = [line for line in annotated(case, listing, prediction.time_s) if line.time_s > 0]
    loops = case.model.loop_code(case.workload, case.machine, settings)
    return {
        "time_s": prediction.time_s,
        "interval_s": list(prediction.interval_s or ()),
        "at_least": prediction.at_least,
        "bound_by": prediction.bottleneck.resource,
        "bounds": [[bound.name, bound.time_s] for bound in prediction.bounds],
        "parts": [[part.name, part.time_s] for part in prediction.parts],
        "model": prediction.model,
        "model_version": prediction.model_version,
        "machine_hash": prediction.machine_hash,
        "options": dict(prediction.options),
        "parameters": dict(prediction.parameters),
        "code": key_of(code) if code else "",
        "compiler": loops[0].made_by if loops else "",
        "facts": {name: list(fact) for name, fact in _facts(case, prediction, loops).items()},
        "lines": [[line.file, line.line, line.text.strip(), line.time_s] for line in _longest(lines)],
        "assumptions": list(prediction.assumptions),
    }


def of_program(path: Path, machine: Machine, kernel: str = "") -> Outcome:
    """The outcome of a capture: its kernels and copies, or one kernel; the host's time, which was measured once,
    is not compared."""
    run = predict_capture(path, [machine])
    device = run.devices[0]
    kernels = [row for row in device.kernels if kernel in ("", row.kernel)]
    if not kernels and kernel:
        raise InputError(f"no launch of {kernel!r}{nearest(kernel, [row.kernel for row in device.kernels])}", file=path)
    copies = () if kernel else device.copies
    copied = sum(row.time_s for row in copies)
    parts = [*((row.kernel, row.time_s) for row in kernels), *((row.direction, row.time_s) for row in copies)]
    low, high = (sum(row.interval_s[end] for row in kernels) + copied for end in (0, 1))
    longest = max(kernels, key=lambda row: row.time_s, default=None)
    return {
        "time_s": sum(time for _, time in parts),
        "interval_s": [low, high],
        "at_least": False,
        "bound_by": f"{longest.kernel}: {longest.bound_by}" if longest else "copies",
        "bounds": [],
        "parts": [list(part) for part in parts],
        "model": "program",
        "model_version": _TIMELINE,
        "machine_hash": machine.content_hash,
        "options": {},
        "parameters": {},
        "code": "",
        "compiler": "",
        "facts": {f"launches of {row.kernel}": [row.launches, ""] for row in kernels},
        "lines": [],
        "assumptions": list(assumptions_of(run)),
    }


def _longest(lines: Sequence[Any]) -> list[Any]:
    kept = sorted(lines, key=lambda line: -line.time_s)[:_MOST_LINES]
    return sorted(kept, key=lambda line: (line.file, line.line))


def _facts(case: Case, prediction: Prediction, loops: Sequence[LoopCode]) -> dict[str, tuple[float | str, str]]:
    """Cheap facts of the code: value and unit by name."""
    facts: dict[str, tuple[float | str, str]] = {}
    if (warps := case.workload.find(Warps)) is not None:
        kernel = warps.kernel
        facts |= {
            "registers": (kernel.registers, ""),
            "local memory of a thread": (kernel.stack_bytes, "B"),
            "shared memory of a block": (kernel.own_shared_bytes + warps.launch.shared_bytes, "B"),
            "instructions in the code": (len(kernel.instructions), ""),
        }
    rates = [rate for rate in prediction.rates if rate.unit in ("%", "")]  # those per second follow from the time
    facts |= {re.sub(r" \(.*\)", "", rate.name): (rate.value, rate.unit) for rate in rates}
    facts |= {
        _CACHE.sub(lambda one: one[0].upper(), name.replace("_", " ")): (value, "")
        for name, value in _counters(prediction).items()
    }
    if loops:
        facts["vector width"] = (_vector_width(loops[0]), "")
        facts["instructions of the longest loop"] = (len(_main(loops[0])), "")
    for nest in prediction.nests[:1]:
        if nest.cycles_per_iteration is not None:
            facts["cycles per iteration of the longest loop"] = (nest.cycles_per_iteration, "")
    return facts


def _counters(prediction: Prediction) -> Mapping[str, float]:
    given = prediction.details.get("counters")
    counters = given if isinstance(given, dict) else {}
    return {name: value for name, value in counters.items() if isinstance(value, int | float)}


def _main(loop: LoopCode) -> list[str]:
    """The instructions that are executed in most passes."""
    most = max((entry.executions for entry in loop.instructions), default=0.0)
    return [entry.text for entry in loop.instructions if entry.executions >= _OFTEN * most]


def _vector_width(loop: LoopCode) -> str:
    texts = _main(loop)
    return next((width for pattern, width in _WIDTHS if any(pattern.search(text) for text in texts)), "scalar")
