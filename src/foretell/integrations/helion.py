"""Helion: rejects configurations before they are compiled and run, by predicted time.

    @helion.kernel(autotune_config_filter=config_filter(predict, slowest=1.5))

`predict` maps a configuration to seconds: for example the time of the Triton code that `bound_kernel.to_triton_code`
gives, predicted with `foretell.frontends.gpu.triton.workload_of`. What cannot be predicted is kept: `unpredicted`
counts it, `problem` is the last reason.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


class ConfigFilter:
    """Keeps a configuration unless it is predicted `slowest` times as slow as the best seen so far, or slower."""

    def __init__(self, predict: Callable[[Any], float], slowest: float = 1.5) -> None:
        if slowest < 1:
            raise InputError(f"slowest={slowest}: a factor of at least 1")
        self._predict, self._slowest = predict, slowest
        self.best_s: float | None = None
        self.unpredicted = 0
        self.problem = ""

    def __call__(self, config: Any) -> Any | None:
        """The configuration, or None to reject it."""
        try:
            seconds = self._predict(config)
        except Exception as error:  # Helion's own, Triton's: the search of hours goes on without it
            return self._kept(config, str(error))
        if not (math.isfinite(seconds) and seconds > 0):
            return self._kept(config, f"a predicted time of {seconds} s")
        self.best_s = seconds if self.best_s is None else min(self.best_s, seconds)
        return config if seconds <= self._slowest * self.best_s else None

    def _kept(self, config: Any, problem: str) -> Any:
        self.unpredicted += 1
        self.problem = problem
        return config


def config_filter(predict: Callable[[Any], float], slowest: float = 1.5) -> ConfigFilter:
    """An `autotune_config_filter`."""
    return ConfigFilter(predict, slowest)
