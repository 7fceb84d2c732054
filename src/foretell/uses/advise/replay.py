"""Measured pairs of versions, before and after a change, predicted: the sign and the size of the gain."""

from __future__ import annotations

import tarfile
import weakref
from collections import defaultdict
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Literal, get_args

from foretell import files
from foretell.codegen.assembly.identity import function_identity
from foretell.codegen.assembly.listing import function_names
from foretell.core.answers.advising import PairPoint, PairReplay, PairSummary
from foretell.core.answers.answers import CaseSet
from foretell.errors import InputError
from foretell.files import held_folder, read_text
from foretell.frontends.gpu.launch import read_launches
from foretell.uses.advise.gain import KERNELS, LOOPS, gain, gain_interval
from foretell.uses.measured_pairs import GPU, MeasuredPair, Version, replayed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.gpu.launch import Launch

Kind = Literal["loops", "emitted", "picked", "kernels"]
#: changes that foretell wrote: chosen by a hash, and those that it called the best and the worst
_WRITTEN: tuple[Kind, ...] = ("emitted", "picked")
_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
_FOLDER = Path(str(resources.files("foretell.uses"))) / "recorded" / "advice"


class PairRecording:
    """The recorded pairs in a folder: sources with their assembly, kernels with their launches, measured times. Loops
    were written by hand, before and after; others were written by foretell, chosen by a hash (emitted) or by what it
    predicted of them (picked)."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        path = folder / "pairs.toml"
        self._document: dict[str, Any] = files.parse_toml(files.read_text(path), path)
        self._predicted: dict[Version, Prediction] = {}

    @property
    def pairs(self) -> list[MeasuredPair]:
        """All pairs, in the order of the files."""
        written = (pair for kind in _WRITTEN for pair in self._written(kind))
        return [*(self._pair(**entry) for entry in self._document["pair"]), *written]

    def _written(self, kind: Kind) -> Iterator[MeasuredPair]:
        """Changes that foretell wrote: sources and assembly in an archive, which is unpacked."""
        path = self._folder / f"{kind}.toml"
        document: dict[str, Any] = files.parse_toml(files.read_text(path), path)
        machine = self._folder / document.get("machine", self._document["machine"])
        for nest in document["nest"]:
            before = self._unpacked(kind, machine, nest, "before", nest["time_s"])
            for change in nest["change"]:
                after = self._unpacked(kind, machine, nest, change["kind"], change["time_s"])
                yield MeasuredPair(f"{nest['name']}: {change['title']}", kind, nest["name"], before, after)

    def _unpacked(
        self, kind: Kind, machine: Path, nest: Mapping[str, Any], version: str, visits_s: Sequence[float]
    ) -> Version:
        return Version(
            self._archives[kind] / f"{nest['name']}__{version}.c",
            machine,
            min(visits_s),
            (("n", nest["n"]), ("threads", 1)),
            visits_s=tuple(visits_s),
        )

    @cached_property
    def _archives(self) -> Mapping[str, Path]:
        """A folder with what is in each archive, for as long as this recording lives."""
        return {kind: self._opened(self._folder / f"{kind}.tar.xz") for kind in _WRITTEN}

    def _opened(self, archive: Path) -> Path:
        folder, remove = held_folder()
        weakref.finalize(self, remove)
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        return folder

    def _pair(self, kind: Kind, group: str, before: str, after: str) -> MeasuredPair:
        name = after if kind == "loops" else f"{before} → {after}"
        make = self._loops if kind == "loops" else self._kernel
        return MeasuredPair(name, kind, group, make(before), make(after))

    def predicted(self, version: Version) -> Prediction:
        """The prediction of a version, made once."""
        if version not in self._predicted:
            self._predicted[version] = version.case().predict()
        return self._predicted[version]

    def measured_s(self, version: Version) -> float:
        """The measured time of a version: the shortest of those of its nest that have the same compiled code at the
        same sizes, which are further measurements of one program."""
        return min(one.measured_s for one in self._alike(version))

    def _alike(self, version: Version) -> list[Version]:
        """The version, and others with its compiled code."""
        if version.launch is not None:
            return [version]
        own = _compiled(version.file)
        return [version, *(one for one in self._of_nest[_nest(version)] if _compiled(one.file) == own)]

    def visits(self, pair: MeasuredPair) -> tuple[float, ...]:
        """The gain of each visit to the machine."""
        times = map(self._visits_s, (pair.before, pair.after))
        return tuple(before / after for before, after in zip(*times, strict=True))

    def _visits_s(self, version: Version) -> list[float]:
        """The shortest time of each visit."""
        return [min(times) for times in zip(*(one.visits_s for one in self._alike(version)), strict=True)]

    @cached_property
    def _of_nest(self) -> Mapping[tuple[object, ...], set[Version]]:
        """The versions of each nest of C at its sizes."""
        versions = defaultdict(set)
        for pair in self.pairs:
            for version in (pair.before, pair.after):
                versions[_nest(version)].add(version)
        return versions

    def _loops(self, name: str) -> Version:
        entry, (nest, _, version) = self._document["loops"][name], name.partition("/")
        file = self._folder / "loops" / nest / f"{nest}__{version}.c"
        sizes = (("n", entry["n"]), ("threads", entry["threads"]))
        return Version(file, self._folder / self._document["machine"], float(entry["time_s"]), sizes)

    def _kernel(self, name: str) -> Version:
        launch = self._launches[name]
        file = self._folder / "kernels" / f"{launch.kernel}.sass.xz"
        return Version(file, GPU, float(self._document["kernels"][name]["time_s"]), launch=launch)

    @cached_property
    def _launches(self) -> dict[str, Launch]:
        return {launch.name: launch for launch in read_launches(self._folder / "kernels" / "cases.toml")}


def _nest(version: Version) -> tuple[object, ...]:
    return version.file.parent, version.file.name.partition("__")[0], version.sizes


@lru_cache(maxsize=4096)
def _compiled(source: Path) -> tuple[str, ...]:
    """What the measured compiler made of all functions of a source."""
    text = read_text(source.with_suffix(".s"))
    return tuple(function_identity(text, name) for name in function_names(text))


def replay(
    recording: PairRecording, kinds: Sequence[str] = (), say: Callable[[str], None] = lambda _: None
) -> PairReplay:
    """Predicts every pair of these kinds (all) and compares its gain with the measured one."""
    for kind in kinds:
        if kind not in get_args(Kind):
            raise InputError(f"no pairs are called {kind!r}", hint=", ".join(get_args(Kind)))
    chosen = [pair for pair in recording.pairs if not kinds or pair.kind in kinds]
    points, refused = replayed(chosen, lambda pair: _point(recording, pair), say)
    return PairReplay(tuple(points), _summaries(points), tuple(refused))


def _point(recording: PairRecording, pair: MeasuredPair) -> PairPoint:
    before, after = (recording.predicted(version) for version in (pair.before, pair.after))
    measured = recording.measured_s(pair.before) / recording.measured_s(pair.after)
    interval = gain_interval(before, after, KERNELS if pair.kind == "kernels" else LOOPS)
    visits = recording.visits(pair)
    return PairPoint(pair.name, _KINDS[pair.kind], pair.set, gain(before, after), measured, interval, visits)


def _summaries(points: Sequence[PairPoint]) -> dict[str, PairSummary]:
    result = {}
    for kind in get_args(Kind):
        for which in get_args(CaseSet):
            own = [point for point in points if point.kind == kind and point.set == which]
            if not all(point.disturbed for point in own):
                result[f"{kind}, {which}"] = summarised(own)
    return result


def summarised(points: Sequence[PairPoint]) -> PairSummary:
    """Computes the statistics of some pairs; disturbed ones are counted only."""
    usable = [point for point in points if not point.disturbed]
    errors = [abs(point.error) for point in usable]
    differing = [point for point in usable if point.differs]
    inside = [point.interval[0] <= point.measured <= point.interval[1] for point in usable]
    right = sum(point.sign_right for point in differing)
    left_out = len(points) - len(usable)
    return PairSummary(len(usable), fmean(errors), median(errors), len(differing), right, fmean(inside), left_out)
