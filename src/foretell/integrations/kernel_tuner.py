"""Kernel Tuner: a strategy that measures configurations in predicted order, and caches of predicted times.

    from kernel_tuner import tune_kernel
    tune_kernel("k", "k.cu", …, strategy=strategy(space, "h200"), strategy_options={"max_fevals": 16})

`space` is a `KernelSpace`, such as `read_space("t1.json")`, or `kernel_space(…)` of the arguments of `tune_kernel`; its
axes have the names of Kernel Tuner's parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import api, files
from foretell.errors import MissingExtraError
from foretell.integrations.kernel_tuner_space import kernel_space
from foretell.integrations.order import predicted_order
from foretell.uses.tuning import results
from foretell.uses.tuning.kernels import Target
from foretell.uses.tuning.tuner import KernelJob, tune_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.api import On
    from foretell.uses.tuning.space import Configuration, KernelSpace

__all__ = ("PredictedOrder", "kernel_space", "predicted_cache", "strategy")


class PredictedOrder:
    """Evaluates the configurations of a search space from the one predicted fastest, until the budget is spent."""

    def __init__(self, space: KernelSpace, on: On, most: int | None = None) -> None:
        self._space, self._on, self._most = space, on, most

    def __call__(self, func: Any, searchspace: Any) -> tuple[tuple[Any, ...] | None, float | None]:
        """Returns the best configuration and its time; `func` raises at the end of the budget."""
        names = list(searchspace.tune_params)
        listed = [tuple(values) for values in searchspace.list]
        best: tuple[tuple[Any, ...] | None, float | None] = None, None
        for values in _ordered(self._space, self._on, names, listed)[: self._most]:
            if getattr(func, "budget_spent_fraction", 0.0) >= 1.0:
                break
            time = func(values)
            if best[1] is None or time < best[1]:
                best = values, time
        return best


def strategy(space: KernelSpace, on: On, most: int | None = None) -> Any:
    """A strategy for `tune_kernel(strategy=…)`."""
    try:
        from kernel_tuner.strategies.wrapper import OptAlgWrapper
    except ImportError:
        raise MissingExtraError("kernel_tuner", "kernel-tuner") from None
    return OptAlgWrapper(PredictedOrder(space, on, most))


def predicted_cache(space: KernelSpace, on: On, path: Path, workers: int = 1) -> Path:
    """Writes a cache file of predicted times, for `tune_kernel(cache=…, simulation_mode=True)`."""
    found = tune_kernel(space, Target(api.loaded(on)), KernelJob(workers=workers))
    files.write_text(path, results.kernel_tuner_cache(found, space))
    return path


def _ordered(
    space: KernelSpace, on: On, names: Sequence[str], listed: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Kernel Tuner's tuples in predicted order; parameters that the space does not have are of no effect."""
    axes = {axis.name for axis in space.axes}

    def configuration(values: tuple[Any, ...]) -> Configuration:
        pairs = zip(names, values, strict=True)
        return {name: value if isinstance(value, str) else float(value) for name, value in pairs if name in axes}

    wanted = [configuration(values) for values in listed]
    distinct = list({tuple(values.items()): values for values in wanted}.values())
    rank = {tuple(v.parameters.items()): place for place, v in enumerate(predicted_order(space, on, distinct))}
    return [listed[n] for n in sorted(range(len(listed)), key=lambda n: rank[tuple(wanted[n].items())])]
