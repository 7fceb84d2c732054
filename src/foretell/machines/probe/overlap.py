"""Overlap of transfers and in-core work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def hidden(core: NDArray[np.float64], transfer: NDArray[np.float64], both: NDArray[np.float64]) -> NDArray[np.float64]:
    """Computes the fraction of the shorter time that the longer one hides; clipped to 0 and 1."""
    shown = (both - np.maximum(core, transfer)) / np.minimum(core, transfer)
    result: NDArray[np.float64] = np.clip(1 - shown, 0.0, 1.0)
    return result


def balanced(
    core: NDArray[np.float64], transfer: NDArray[np.float64], both: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Interpolates the overlap of a transfer with work of equal duration, between the two loops (rows of `both`, with
    their work's time `core`, ascending) whose work is shorter and longer."""
    shares = hidden(core[:, None], transfer[None, :], both)
    columns = zip(transfer, shares.T, strict=True)
    return np.array([np.interp(np.log(time), np.log(core), share) for time, share in columns])
