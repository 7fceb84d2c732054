"""Replays measured splits (recorded/split): what the share that prediction chooses takes, against the best one."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell import files
from foretell.core.answers.dividing import MeasuredSplit, SplitReplay
from foretell.uses.dividing.description import SUFFIX, read
from foretell.uses.dividing.shares import divided

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.answers.answers import Split

_FOLDER = Path(str(resources.files("foretell.uses"))) / "recorded" / "split"
_SHARES = "shares.csv"


@dataclass
class _Series:
    """Measured times of a code, in seconds, by the items of the second device."""

    items: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def at(self, items: float) -> float:
        return float(np.interp(items, self.items, self.seconds))

    @property
    def best(self) -> int:
        return min(range(len(self.items)), key=lambda place: self.seconds[place])


def replay(told: Callable[[str], None] = lambda _: None, folder: Path = _FOLDER) -> SplitReplay:
    """Predicts the shares of all codes, and looks up what they took."""
    codes, names = [], ("", "")
    for name, series in _measured(folder / _SHARES).items():
        told(name)
        work = read(folder / f"{name}{SUFFIX}")
        answer = divided(work)
        names = (answer.shares[0].machine, answer.shares[1].machine)
        codes.append(_code(name, work.title, answer, series))
    return SplitReplay(names, tuple(codes))


def _code(name: str, title: str, answer: Split, series: _Series) -> MeasuredSplit:
    first, second = answer.shares
    best = series.best
    return MeasuredSplit(
        code=name,
        title=title,
        share=second.share,
        best_share=series.items[best] / series.items[-1],
        predicted_s=answer.split_s,
        time_s=series.at(float(second.items or 0)),
        best_s=series.seconds[best],
        alone_s=(first.predicted_s + first.transfer_s, second.predicted_s + second.transfer_s),
        measured_alone_s=(series.seconds[0], series.seconds[-1]),
    )


def _measured(path: Path) -> dict[str, _Series]:
    result: dict[str, _Series] = {}
    for row in csv.DictReader(files.read_text(path).splitlines()):
        series = result.setdefault(row["code"], _Series())
        series.items.append(float(row["items"]))
        series.seconds.append(float(row["both_ms"]) * 1e-3)
    return result
