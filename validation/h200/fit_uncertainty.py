"""Fits the sizes of uncertainties (foretell.models.gpu.uncertainty) to the errors of the tuning halves.

python validation/h200/fit_uncertainty.py CONTENTS [QUANTILE]    # CONTENTS: folder written by uneven/contents.py

Quantile regression: the sizes that minimise the pinball loss of |log(predicted / measured)| against the hypotenuse of
sizes times shares. The quantile is a little above 0.9, as sizes fitted to some cases hold less often for others; none
is below `LEAST`. Leaving out a fifth of the kernels in turn, 0.92 holds for 92 % of those left out.
"""

from __future__ import annotations

import math
import os
import sys
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
_SETS = "everyday uneven steered tensor pipelines layers styles suites loops further"
RECORDINGS = ("gpu", *(HERE / f"gpu-{name}.toml" for name in _SETS.split()))
STEPS, STEP = 60_000, 0.05
#: none is certain, however few cases have it
LEAST = {"updates of few lines": 0.2, "model": 0.05, "one wave": 0.075}
_LEAST = 0.1


def rows() -> Iterator[tuple[list[float], float, float]]:
    """Shares of the causes, the uncertainty of sampling, and the error, of every case that may be looked at."""
    for recording in map(validate._open, RECORDINGS):
        for name, entry in recording.document["case"].items():
            case = validate._recorded(recording, name, entry)
            if (case.set or set_of(case.kernel or case.name)) != "tuning" or case.disturbed:
                continue
            prediction = predict(case.workload, str(case.machine), options=case.options)
            found = prediction.details["uncertainty"]
            assert isinstance(found, dict)
            shares = [float(found.get(cause, 0.0)) / size for cause, size in SIZES.items()]
            error = abs(math.log(prediction.time_s / case.measured_s))
            own = math.hypot(*(float(found.get(cause, 0.0)) for cause in ("sampled blocks", "power limit")))
            yield shares, own, error


def fitted(quantile: float) -> dict[str, float]:
    shares, sampling, errors = (np.array(column) for column in zip(*rows(), strict=True))

    least = np.array([LEAST.get(cause, _LEAST) for cause in SIZES])

    def loss(sizes: np.ndarray) -> float:
        sizes = np.maximum(sizes, least)
        short = errors - np.sqrt(shares**2 @ sizes**2 + sampling**2)
        return float(np.where(short > 0, quantile * short, (quantile - 1) * short).sum())

    random = np.random.default_rng(0)
    sizes = np.full(len(SIZES), 0.12)
    best = loss(sizes)
    for step in range(STEPS):
        tried = sizes.copy()
        tried[random.integers(len(sizes))] += random.normal() * STEP * 0.9995 ** (step / 20)
        if (now := loss(np.abs(tried))) < best:
            best, sizes = now, np.abs(tried)
    return dict(zip(SIZES, map(float, np.maximum(sizes, least).round(3)), strict=True))


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    print(fitted(float(sys.argv[2]) if len(sys.argv) > 2 else 0.92))
