"""Optuna: the first trials of a study are the configurations predicted fastest.

study = optuna.create_study()
seed(study, space, "h200", count=8)
study.optimize(objective, n_trials=50)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.integrations.order import plain, predicted_order

if TYPE_CHECKING:
    from foretell.api import On
    from foretell.uses.tuning.space import KernelSpace


def seed(study: Any, space: KernelSpace, on: On, count: int = 8) -> list[dict[str, int | float | str]]:
    """Enqueues the `count` configurations predicted fastest, with their times as `predicted_s`; returns them."""
    chosen = [variant for variant in predicted_order(space, on) if not variant.reason][:count]
    for variant in chosen:
        attributes = {"predicted_s": variant.predicted_s, "bottleneck": f"{variant.resource} {variant.limit}"}
        study.enqueue_trial(plain(variant), user_attrs=attributes, skip_if_exists=True)
    return [plain(variant) for variant in chosen]
