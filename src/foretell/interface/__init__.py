"""The Python interface: the questions of the command line as functions, with the same keywords."""

from __future__ import annotations

from foretell.interface.questions import (
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

__all__ = [
    "advise",
    "check",
    "describe",
    "explore",
    "machine",
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
