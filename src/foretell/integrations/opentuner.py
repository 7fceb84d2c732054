"""OpenTuner: configurations predicted fastest as seeds, as the SAAKE paper couples its search with OpenTuner.

class Tuner(MeasurementInterface):
    def seed_configurations(self):
        return seeds(space, "h200", count=8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import api
from foretell.integrations.order import plain, predicted_order
from foretell.uses.tuning.kernels import Target
from foretell.uses.tuning.tuner import KernelJob, tune_kernel

if TYPE_CHECKING:
    from foretell.api import On
    from foretell.uses.tuning.space import KernelSpace

Seeds = list[dict[str, int | float | str]]


def seeds(space: KernelSpace, on: On, count: int = 8, workers: int = 1) -> Seeds:
    """The `count` configurations predicted fastest."""
    able = [variant for variant in predicted_order(space, on, workers=workers) if not variant.reason]
    return [plain(variant) for variant in able[:count]]


def walk_seed(space: KernelSpace, on: On) -> Seeds:
    """The one configuration where the walk by what binds ends (SAAKE, Algorithms 2 and 3), in paper mode."""
    target = Target(api.loaded(on), mode="paper")
    return [plain(tune_kernel(space, target, KernelJob("bottleneck")).best)]
