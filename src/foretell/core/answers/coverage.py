"""The table of models and machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Answer = Literal["yes", "estimates", "no"]


@dataclass(frozen=True, slots=True)
class Row:
    """One machine: whether each model can answer for it."""

    machine: str
    kind: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All machines, and the models in the order of preference."""

    models: tuple[str, ...]
    rows: tuple[Row, ...]
