"""Fits the sizes of uncertainties (foretell.models.gpu.uncertainty) to the errors of the tuning halves.

python validation/h200/fit_uncertainty.py CONTENTS [QUANTILE]    # CONTENTS: folder written by the sets' contents.py

Quantile regression: the sizes that minimise the pinball loss of |log(predicted / measured)| against the hypotenuse of
sizes times shares. Every set counts the same, however many cases it has; none of the sizes is below `LEAST`. Sizes that
were fitted to some sets hold less often for others: the quantile is that for which nine in ten cases of sets that are
left out lie inside, which is printed set by set.
"""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell.api import predict
from foretell.models.gpu.uncertainty import SIZES
from foretell.uses import validate
from foretell.uses.error_statistics import set_of

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
_SETS = "everyday uneven steered tensor pipelines layers styles suites loops further kinds"
RECORDINGS = {"gpu": "gpu", **{name: str(HERE / f"gpu-{name}.toml") for name in _SETS.split()}}
STEPS, STEP = 20_000, 0.05
#: none is certain, however few cases have it
LEAST = {"updates of few lines": 0.2, "model": 0.05, "one wave": 0.075}
_LEAST = 0.1


@dataclass(frozen=True)
class Case:
    """Shares of the causes, the uncertainty that does not depend on sizes, and the error."""

    of: str
    shares: list[float]
    own: float
    error: float


def cases() -> Iterator[Case]:
    """Every case that may be looked at."""
    for of, file in RECORDINGS.items():
        recording = validate._open(file)
        for name, entry in recording.document["case"].items():
            case = validate._recorded(recording, name, entry)
            if (case.set or set_of(case.kernel or case.name)) != "tuning" or case.disturbed:
                continue
            prediction = predict(case.workload, str(case.machine), options=case.options)
            found = prediction.details["uncertainty"]
            assert isinstance(found, dict)
            shares = [float(found.get(cause, 0.0)) / size for cause, size in SIZES.items()]
            own = math.hypot(*(float(value) for cause, value in found.items() if cause not in SIZES))
            yield Case(of, shares, own, abs(math.log(prediction.time_s / case.measured_s)))


class Fit:
    """Sizes fitted to the cases of some sets."""

    def __init__(self, some: list[Case], quantile: float) -> None:
        self._shares = np.array([case.shares for case in some])
        self._own = np.array([case.own for case in some])
        self._errors = np.array([case.error for case in some])
        names = [case.of for case in some]
        self._weights = np.array([1 / names.count(name) for name in names])
        self._least = np.array([LEAST.get(cause, _LEAST) for cause in SIZES])
        self._quantile = quantile
        self.sizes = self._fitted()

    def _loss(self, sizes: np.ndarray) -> float:
        short = self._errors - np.sqrt(self._shares**2 @ np.maximum(sizes, self._least) ** 2 + self._own**2)
        return float((self._weights * np.where(short > 0, self._quantile * short, (self._quantile - 1) * short)).sum())

    def _fitted(self) -> np.ndarray:
        random = np.random.default_rng(0)
        sizes = np.full(len(SIZES), 0.12)
        best = self._loss(sizes)
        for step in range(STEPS):
            tried = sizes.copy()
            tried[random.integers(len(sizes))] += random.normal() * STEP * 0.9995 ** (step / 7)
            if (now := self._loss(np.abs(tried))) < best:
                best, sizes = now, np.abs(tried)
        return np.maximum(sizes, self._least)


def inside(sizes: np.ndarray, some: list[Case]) -> tuple[float, float]:
    """The fraction of cases inside their intervals, and the median ratio of the ends of these."""
    widths = [math.sqrt(float(np.array(case.shares) ** 2 @ sizes**2) + case.own**2) for case in some]
    held = [case.error <= width for case, width in zip(some, widths, strict=True)]
    return sum(held) / len(held), math.exp(2 * float(np.median(widths)))


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    found, quantile = list(cases()), float(sys.argv[2]) if len(sys.argv) > 2 else 0.92
    for name in RECORDINGS:
        apart = [case for case in found if case.of == name]
        held, ratio = inside(Fit([case for case in found if case.of != name], quantile).sizes, apart)
        print(f"{name} left out: {held:.0%} of {len(apart)} inside, ends {ratio:.2f} apart")
    sizes = Fit(found, quantile).sizes
    print(dict(zip(SIZES, map(float, sizes.round(3)), strict=True)), inside(sizes, found))
