"""Fits the sizes of uncertainties (foretell.models.gpu.uncertainty) to the errors of launches that may be looked at.

python validation/h200/fit_uncertainty.py predict CONTENTS DUMP     # CONTENTS: folder written by the sets' contents.py
python validation/h200/fit_uncertainty.py fit DUMP [FRACTION]

`predict` writes a line for each launch: predicted and measured time, the shares of the causes, and the uncertainty that
no size determines. `fit` needs only these lines. The width of an interval, |log| of its ends, is the root of the sum of
squares of sizes times shares. Its sizes are a quantile regression: the narrowest intervals that hold the FRACTION
(0.96) of the launches: more than nine in ten, since launches of report halves are inside less often, by about five in a
hundred. Kernels with several launches count less for each. The size of `model`, which all launches have, is given:
fitted, it takes over what belongs to the other causes, and easy launches get wide intervals. No size is below `LEAST`,
those of an earlier fit: errors in the tuning halves are smaller than elsewhere, since mechanisms were found there.

How often sizes hold for launches that they were not fitted to is printed set by set: each quarter of the kernels is
left out in turn.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from foretell.api import predict
from foretell.models.gpu.uncertainty import SIZES
from foretell.uses import validate
from foretell.uses.error_statistics import set_of

HERE = Path(__file__).resolve().parent
_SETS = "kinds everyday uneven steered tensor pipelines layers styles suites further collected"
RECORDINGS = {"gpu": "gpu", **{name: str(HERE / f"gpu-{name}.toml") for name in _SETS.split()}}
#: sets of which both halves were looked at
_OPENED = ("kinds",)
FRACTION, MODEL = 0.96, 0.13
LEAST = {
    "unequal blocks": 0.187, "L2": 0.196, "memory": 0.133, "L1": 0.198, "irregular requests": 0.242,
    "updates of few lines": 0.614, "unknown data": 0.409, "local memory": 0.542, "barriers": 0.82,
    "last instructions": 0.21, "one wave": 0.075, "branches": 1.82,
}  # fmt: skip
#: steps of the descent (Adam), the first one's length, and the least size of other causes
_STEPS, _LENGTH, _LEAST = 1200, 0.02, 0.001
_PARTS = 4


@dataclass(frozen=True)
class Case:
    """Shares of the causes, the uncertainty that does not depend on sizes, and the error, log(predicted/measured)."""

    of: str
    kernel: str
    name: str
    shares: dict[str, float]
    own: float
    error: float


def predict_all(dump: Path) -> None:
    """Writes every case that may be looked at."""
    with dump.open("w") as lines:
        for of, file in RECORDINGS.items():
            recording = validate._open(file)
            for name, entry in recording.document["case"].items():
                case = validate._recorded(recording, name, entry)
                half = case.set or set_of(case.kernel or case.name)
                if case.disturbed or (half != "tuning" and of not in _OPENED):
                    continue
                prediction = predict(case.workload, str(case.machine), options=case.options)
                details = prediction.details["uncertainty"]
                assert isinstance(details, dict)
                found = {cause: value for cause, value in details.items() if isinstance(value, float)}
                shares = {cause: found.get(cause, 0.0) / size for cause, size in SIZES.items()}
                own = math.hypot(*(value for cause, value in found.items() if cause not in SIZES))
                error = math.log(prediction.time_s / case.measured_s)
                lines.write(json.dumps(asdict(Case(of, case.kernel, name, shares, own, error))) + "\n")


class Fit:
    """Sizes fitted to some cases."""

    def __init__(self, some: list[Case], fraction: float) -> None:
        self._squares = np.array([[case.shares[cause] ** 2 for cause in SIZES if cause != "model"] for case in some])
        self._own = np.array([case.own**2 + (MODEL * case.shares["model"]) ** 2 for case in some])
        self._errors = np.array([abs(case.error) for case in some])
        launches = Counter(case.kernel for case in some)
        weights = np.array([launches[case.kernel] ** -0.5 for case in some])
        self._weights, self._fraction = weights / weights.sum(), fraction
        self._least = np.array([LEAST.get(cause, _LEAST) for cause in SIZES if cause != "model"])
        fitted = iter(self._fitted())
        self.sizes = {cause: MODEL if cause == "model" else float(next(fitted)) for cause in SIZES}

    def _slopes(self, sizes: np.ndarray) -> tuple[float, np.ndarray]:
        """The loss of the quantile regression, and its derivatives."""
        widths = np.sqrt(self._squares @ sizes**2 + self._own)
        outside = self._errors > widths
        steepness = np.where(outside, -self._fraction, 1 - self._fraction)
        loss = float((self._weights * steepness * (widths - self._errors)).sum())
        return loss, (self._squares * (self._weights * steepness / widths)[:, None]).sum(axis=0) * sizes

    def _fitted(self) -> np.ndarray:
        sizes = best = np.full(self._squares.shape[1], 0.15)
        mean, square, least = np.zeros_like(sizes), np.zeros_like(sizes), math.inf
        for step in range(1, _STEPS + 1):
            loss, slopes = self._slopes(sizes)
            if loss < least:
                least, best = loss, sizes
            mean, square = 0.9 * mean + 0.1 * slopes, 0.999 * square + 0.001 * slopes**2
            ahead = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
            sizes = np.maximum(sizes - _LENGTH * (1 - step / _STEPS) * ahead, self._least)
        return best


def width(sizes: dict[str, float], case: Case) -> float:
    """How far the ends of an interval are from the time, as |log|."""
    return math.hypot(case.own, *(size * case.shares[cause] for cause, size in sizes.items()))


def told(some: list[tuple[Case, float]]) -> str:
    """The fraction of cases inside their intervals, and the median ratio of the ends of these."""
    held = sum(abs(case.error) <= wide for case, wide in some) / len(some)
    ratio = math.exp(2 * float(np.median([wide for _, wide in some])))
    return f"{held:.0%} of {len(some)} inside, ends {ratio:.2f} apart"


def fit(found: list[Case], fraction: float) -> None:
    """Prints how well sizes hold for launches that they were not fitted to, set by set, and the sizes of all."""
    left_out: list[tuple[Case, float]] = []
    for part in range(_PARTS):
        sizes = Fit([case for case in found if _part(case) != part], fraction).sizes
        left_out += [(case, width(sizes, case)) for case in found if _part(case) == part]
    for name in RECORDINGS:
        if some := [item for item in left_out if item[0].of == name]:
            print(f"{name} left out: {told(some)}")
    print(f"all left out: {told(left_out)}")
    sizes = Fit(found, fraction).sizes
    print({cause: round(size, 3) for cause, size in sizes.items()})
    print(f"all: {told([(case, width(sizes, case)) for case in found])}")


def _part(case: Case) -> int:
    return hashlib.md5(case.kernel.encode()).digest()[0] % _PARTS


if __name__ == "__main__":
    if sys.argv[1] == "predict":
        dump = Path(sys.argv[3]).resolve()
        os.chdir(sys.argv[2])
        predict_all(dump)
    else:
        cases = [Case(**json.loads(line)) for line in Path(sys.argv[2]).read_text().splitlines()]
        fit(cases, float(sys.argv[3]) if len(sys.argv) > 3 else FRACTION)
