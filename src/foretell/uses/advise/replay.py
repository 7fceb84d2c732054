"""Measured pairs of versions, before and after a change, predicted: the sign and the size of the gain."""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Literal, get_args

from foretell import api, files
from foretell.core.answers.advising import PairPoint, PairReplay, PairSummary
from foretell.core.answers.answers import CaseSet, Refusal
from foretell.errors import InputError
from foretell.frontends import read, read_options
from foretell.frontends.gpu.launch import read_launches
from foretell.uses.advise.gain import gain, gain_interval
from foretell.uses.error_statistics import set_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.gpu.launch import Launch

Kind = Literal["loops", "kernels"]
_FOLDER = Path(str(resources.files("foretell.uses"))) / "recorded" / "advice"
_GPU = "h200"


class PairRecording:
    """The recorded pairs in a folder: sources with their assembly, kernels with their launches, measured times."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        path = folder / "pairs.toml"
        self._document: dict[str, Any] = files.parse_toml(files.read_text(path), path)
        self._predicted: dict[tuple[str, str], Prediction] = {}

    @property
    def pairs(self) -> list[dict[str, str]]:
        return list(self._document["pair"])

    def measured(self, kind: str, name: str) -> float:
        return float(self._document[kind][name]["time_s"])

    def predicted(self, kind: str, name: str) -> Prediction:
        """The prediction of a version, made once."""
        key = kind, name
        if key not in self._predicted:
            self._predicted[key] = self._loops(name) if kind == "loops" else self._kernel(name)
        return self._predicted[key]

    def _loops(self, name: str) -> Prediction:
        """By the measured compiler's own code; regions of threads are functions of their own there, so by generated
        code."""
        entry, file = self._document["loops"][name], self._folder / "loops" / self._stem(name)
        threads = entry["threads"]
        options = {"asm": f"{file}.s.xz"} if threads == 1 else {"cc": "none"}
        parameters = {"n": entry["n"], "threads": threads}
        machine = self._folder / self._document["machine"]
        return api.predict(f"{file}.c", machine, parameters=parameters, options=options)

    @staticmethod
    def _stem(name: str) -> str:
        nest, _, version = name.partition("/")
        return f"{nest}/{nest}__{version}"

    def _kernel(self, name: str) -> Prediction:
        launch = self._launches[name]
        code = self._folder / "kernels" / f"{launch.kernel}.sass.xz"
        return api.predict(read(code, read_options(launch=launch)), _GPU)

    @cached_property
    def _launches(self) -> dict[str, Launch]:
        return {launch.name: launch for launch in read_launches(self._folder / "kernels" / "cases.toml")}


def replay(
    recording: PairRecording, kinds: Sequence[str] = (), say: Callable[[str], None] = lambda _: None
) -> PairReplay:
    """Predicts every pair of these kinds (all) and compares its gain with the measured one."""
    for kind in kinds:
        if kind not in get_args(Kind):
            raise InputError(f"no pairs are called {kind!r}", hint=", ".join(get_args(Kind)))
    points, refused = [], []
    for pair in recording.pairs:
        if kinds and pair["kind"] not in kinds:
            continue
        say(pair["after"])
        try:
            points.append(_point(recording, pair))
        except InputError as error:
            refused.append(Refusal(f"{pair['before']} {pair['after']}", error.message))
    return PairReplay(tuple(points), _summaries(points), tuple(refused))


def _point(recording: PairRecording, pair: dict[str, str]) -> PairPoint:
    kind: Kind = "loops" if pair["kind"] == "loops" else "kernels"
    before, after = (recording.predicted(kind, pair[side]) for side in ("before", "after"))
    measured = recording.measured(kind, pair["before"]) / recording.measured(kind, pair["after"])
    name = pair["after"] if kind == "loops" else f"{pair['before']} → {pair['after']}"
    return PairPoint(name, kind, set_of(pair["group"]), gain(before, after), measured, gain_interval(before, after))


def _summaries(points: Sequence[PairPoint]) -> dict[str, PairSummary]:
    result = {}
    for kind in get_args(Kind):
        for which in get_args(CaseSet):
            if own := [point for point in points if point.kind == kind and point.set == which]:
                result[f"{kind}, {which}"] = summarised(own)
    return result


def summarised(points: Sequence[PairPoint]) -> PairSummary:
    """Computes the statistics of some pairs."""
    errors = [abs(point.error) for point in points]
    differing = [point for point in points if point.differs]
    inside = [point.interval[0] <= point.measured <= point.interval[1] for point in points]
    right = sum(point.sign_right for point in differing)
    return PairSummary(len(points), fmean(errors), median(errors), len(differing), right, fmean(inside))
