"""Configurations of a kernel in predicted order: what all adapters share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import api
from foretell.uses.tuning.kernels import KernelBench, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.api import On
    from foretell.core.answers.tuning import Variant
    from foretell.uses.tuning.space import Configuration, KernelSpace


def predicted_order(
    space: KernelSpace, on: On, configurations: Sequence[Configuration] | None = None, workers: int = 1
) -> list[Variant]:
    """The configurations of a space, all by default, from the one predicted fastest; those that cannot run last."""
    chosen = list(space.configurations() if configurations is None else configurations)
    bench = KernelBench(space, chosen, Target(api.loaded(on)), workers)
    found = dict(bench.predict(range(len(chosen))))
    return sorted((found[number] for number in range(len(chosen))), key=lambda variant: variant.time_s)


def plain(variant: Variant) -> dict[str, int | float | str]:
    """The values of a configuration, whole numbers as integers."""
    return {
        name: int(value) if not isinstance(value, str) and value == int(value) else value
        for name, value in variant.parameters.items()
    }
