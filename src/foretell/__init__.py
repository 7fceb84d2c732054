"""foretell tells how fast code will run, and why, before it runs.

>>> import foretell
>>> foretell.predict("example:vector-add", "sw26010").time_s
0.000786432
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foretell.api import predict, predict_many, prepare, sweep
    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.uses.explore import explore
    from foretell.uses.rank import rank
    from foretell.uses.split import split
    from foretell.uses.why import why

__all__ = [
    "Machine",
    "Prediction",
    "Workload",
    "explore",
    "predict",
    "predict_many",
    "prepare",
    "rank",
    "split",
    "sweep",
    "why",
]

#: where each public name lives; imported when first used, so that `import foretell` costs nothing
_HOMES = {
    "Machine": "foretell.core.machine.machine",
    "Prediction": "foretell.core.answers.prediction",
    "Workload": "foretell.core.workload",
    "explore": "foretell.uses.explore",
    "predict": "foretell.api",
    "predict_many": "foretell.api",
    "prepare": "foretell.api",
    "rank": "foretell.uses.rank",
    "split": "foretell.uses.split",
    "sweep": "foretell.api",
    "why": "foretell.uses.why",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'foretell' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
