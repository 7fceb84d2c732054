"""foretell tells how fast code will run, and why, before it runs.

>>> import foretell
>>> foretell.predict("example:vector-add", "sw26010")
<Prediction vector-add on sw26010: 792.3 us, bound by memory>
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell import errors, machines
    from foretell.api import Case
    from foretell.core.answers.advising import Advising
    from foretell.core.answers.answers import Explanation, Predictions, Split, Validation
    from foretell.core.answers.check import Check
    from foretell.core.answers.description import Description, KernelDescription, KernelList
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.program_run import ProgramRun
    from foretell.core.answers.tuning import Tuning
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.interface import (
        advise,
        check,
        describe,
        explore,
        machine,
        predict,
        predict_many,
        predict_program,
        prepare,
        rank,
        run,
        split,
        sweep,
        tune,
        validate,
        why,
    )

    __version__: str

#: where each public name lives; imported when first used, so that `import foretell` costs nothing
_HOMES = {
    "foretell.api": ("Case",),
    "foretell.core.answers.advising": ("Advising",),
    "foretell.core.answers.answers": ("Explanation", "Predictions", "Split", "Validation"),
    "foretell.core.answers.check": ("Check",),
    "foretell.core.answers.description": ("Description", "KernelDescription", "KernelList"),
    "foretell.core.answers.exploration": ("Exploration",),
    "foretell.core.answers.prediction": ("Prediction",),
    "foretell.core.answers.program_run": ("ProgramRun",),
    "foretell.core.answers.tuning": ("Tuning",),
    "foretell.core.machine.machine": ("Machine",),
    "foretell.core.workload": ("Workload",),
    "foretell.interface": (
        "advise", "check", "describe", "explore", "machine", "predict", "predict_many", "predict_program", "prepare",
        "rank", "run", "split", "sweep", "tune", "validate", "why",
    ),
}  # fmt: skip
_MODULES = ("errors", "machines")

__all__ = [
    "Advising",
    "Case",
    "Check",
    "Description",
    "Explanation",
    "Exploration",
    "KernelDescription",
    "KernelList",
    "Machine",
    "Prediction",
    "Predictions",
    "ProgramRun",
    "Split",
    "Tuning",
    "Validation",
    "Workload",
    "__version__",
    "advise",
    "check",
    "describe",
    "errors",
    "explore",
    "machine",
    "machines",
    "predict",
    "predict_many",
    "predict_program",
    "prepare",
    "rank",
    "run",
    "split",
    "sweep",
    "tune",
    "validate",
    "why",
]


if not TYPE_CHECKING:  # a type checker knows the names above, and no others

    def __getattr__(name):
        if name == "__version__":
            return _import_module("importlib.metadata").version("foretell")
        if name in _MODULES:
            return _import_module(f"foretell.{name}")
        for home, names in _HOMES.items():
            if name in names:
                return getattr(_import_module(home), name)
        raise AttributeError(f"module 'foretell' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
