"""Fits the sizes of uncertainties (foretell.models.gpu.uncertainty) to the errors of the tuning halves.

python validation/h200/fit_uncertainty.py CONTENTS [PRICE]    # CONTENTS: folder written by the sets' contents.py

The sizes that minimise the mean width of the intervals, |log| of their ends, plus a price for each case that is
outside, however far. Every set counts the same, however many cases it has. None of the sizes is below `LEAST`: those of
the quantile regression on the sets before `further`. Sizes that were fitted to some sets hold less often for others,
which is printed set by set, each left out in turn.
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
STEPS, STEP = 6_000, 0.1
PRICE = 2.5
#: cases that are so far outside count as half, and widths beyond which a case costs no more
_SOFT, _WIDEST = 0.02, 1.0
LEAST = {
    "model": 0.128, "unequal blocks": 0.155, "L2": 0.144, "memory": 0.136, "irregular requests": 0.242,
    "updates of few lines": 0.2, "one wave": 0.075,
}  # fmt: skip
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

    def __init__(self, some: list[Case], price: float) -> None:
        self._shares = np.array([case.shares for case in some])
        self._own = np.array([case.own for case in some])
        self._errors = np.array([case.error for case in some])
        names = [case.of for case in some]
        self._weights = np.array([1 / names.count(name) for name in names])
        self._least = np.array([LEAST.get(cause, _LEAST) for cause in SIZES])
        self._price = price
        self.sizes = self._fitted()

    def _loss(self, sizes: np.ndarray) -> float:
        widths = np.sqrt(self._shares**2 @ np.maximum(sizes, self._least) ** 2 + self._own**2)
        outside = 1 / (1 + np.exp((widths - self._errors) / _SOFT))
        costs = np.minimum(widths, _WIDEST) + self._price * outside
        return float((self._weights * costs).sum() / self._weights.sum())

    def _fitted(self) -> np.ndarray:
        random = np.random.default_rng(0)
        sizes = np.full(len(SIZES), 0.2)
        best = self._loss(sizes)
        for step in range(STEPS):
            tried = sizes.copy()
            tried[random.integers(len(sizes))] += random.normal() * STEP * 0.9995 ** (step / 2)
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
    found, price = list(cases()), float(sys.argv[2]) if len(sys.argv) > 2 else PRICE
    for name in RECORDINGS:
        apart = [case for case in found if case.of == name]
        held, ratio = inside(Fit([case for case in found if case.of != name], price).sizes, apart)
        print(f"{name} left out: {held:.0%} of {len(apart)} inside, ends {ratio:.2f} apart")
    sizes = Fit(found, price).sizes
    print(dict(zip(SIZES, map(float, sizes.round(3)), strict=True)), inside(sizes, found))
