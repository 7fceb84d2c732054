"""The content of a space file: applications, axes, samples, searches and trade-offs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.frontends.files.toml_keys import KeyedFile
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Expression
    from foretell.core.gpu.launch import Launch


@dataclass(frozen=True, slots=True)
class Application:
    """A code to run, and the weight of its time."""

    name: str
    code: str
    weight: float = 1.0
    parameters: Mapping[str, float] = field(default_factory=dict)
    model: str | None = None
    launch: Launch | None = None
    #: the function of a source, as FILE:FUNCTION
    function: str | None = None


@record
class Name:
    """A short name for a machine parameter in a unit of the user's choice."""

    path: str
    unit: str
    scale: float


@record
class AxisSpec:
    """An axis as written: values, a range, or factors of the baseline; numbers in SI units."""

    key: str
    parameter: str
    unit: str
    values: tuple[float, ...] = ()
    ends: tuple[float, float] | None = None
    log: bool = False
    times: tuple[float, ...] = ()


@record
class SampleSpec:
    """A sample as written."""

    method: str
    points: int
    seed: int = 0
    grid: tuple[str, ...] = ()


@record
class SearchSpec:
    """A search as written."""

    evaluations: int
    population: int
    seed: int


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """Two axes against each other while an expression keeps its value."""

    between: tuple[str, str]
    keep: Expression
    total: float
    fixed: Mapping[str, tuple[float, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpaceFile(KeyedFile):
    """The content of a space file, checked as far as possible without the machine and the codes."""

    name: str
    machine: str | None
    budget: int | None
    mode: str
    model: str | None
    options: Mapping[str, str]
    applications: tuple[Application, ...]
    names: Mapping[str, Name]
    axes: tuple[AxisSpec, ...]
    follow: Mapping[str, Expression]
    sample: SampleSpec | None
    search: SearchSpec | None
    minimise: tuple[str, ...]
    constraints: tuple[Expression, ...]
    seed: str | None
    top: int
    coefficients: Mapping[str, float]
    figures: Mapping[str, Expression]
    factors: tuple[float, ...]
    scaled: tuple[str, ...]
    tradeoff: Tradeoff | None
