"""Objectives: time, area, power, energy, cost, and the user's own figures, as expressions over names.

A name in an expression is, in this order: an axis or a short name of the space file, `time` or `time_APPLICATION`, a
figure, a coefficient, or one of the totals below, which every machine has if it has the numbers for it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from foretell.core.columns.expression import Expression
from foretell.errors import InputError, nearest
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.uses.explore.specification import Name

_MiB = 2.0**20
#: the default seed of each kind of machine; a GPU has none
DEFAULT_SEED = {"cpu": "big-core", "manycore": "small-core"}


@record
class Numbers:
    """The machine's numbers at a set of points: scalars, or columns where an axis gives them."""

    machine: Machine
    columns: Mapping[str, Value]

    def __call__(self, path: str) -> Value:
        return self.columns[path] if path in self.columns else self.machine.value(path)


@record
class Figures:
    """All names that an expression may use, and how they are computed."""

    machine: Machine
    names: Mapping[str, Name]
    expressions: Mapping[str, Expression]
    coefficients: Mapping[str, float]
    units: Mapping[str, str]
    applications: tuple[str, ...]
    #: parameters of the codes that are axes
    parameters: frozenset[str]
    assumptions: tuple[str, ...] = ()

    def check(self, expression: Expression, seen: tuple[str, ...] = ()) -> frozenset[str]:
        """Collects every name an expression needs, also through figures; an unknown name or a cycle is an
        InputError."""
        needed: set[str] = set()
        for name in sorted(expression.names):
            if name in seen:
                raise InputError(f"figure {name!r} is defined by itself: {' → '.join((*seen, name))}")
            needed.add(name)
            if name in self.names or name in self.parameters or self._is_time(name):
                continue
            if name in self.expressions:
                needed |= self.check(self.expressions[name], (*seen, name))
            elif name not in self.coefficients:
                self._total(name, expression)
        return frozenset(needed)

    def needs_time(self, expression: Expression) -> bool:
        """Whether an expression needs the times."""
        return any(self._is_time(name) for name in self.check(expression))

    def known(self) -> tuple[str, ...]:
        """The names an expression may use."""
        times = ("time", *(f"time_{name}" for name in self.applications))
        return (*self.names, *sorted(self.parameters), *times, *self.expressions, *self.coefficients, *_TOTALS)

    def paths(self, name: str) -> tuple[str, ...]:
        """The machine parameters that a name depends on."""
        if name in self.names:
            return (self.names[name].path,)
        if name not in self.expressions and name not in self.coefficients and name in _TOTALS:
            return _TOTALS[name][1](self.machine)
        return ()

    def _is_time(self, name: str) -> bool:
        return name == "time" or (name.startswith("time_") and name.removeprefix("time_") in self.applications)

    def _total(self, name: str, expression: Expression) -> None:
        if name in _coefficients_of_seeds():
            raise InputError(
                f"{name!r} in {expression.text!r} has no first number for a machine of kind {self.machine.kind}",
                hint=f"give one: [coefficients] {name} = …, or [objectives] seed = one of {', '.join(seed_names())}",
            )
        if name not in _TOTALS:
            raise InputError(
                f"{name!r} in {expression.text!r} is not known{nearest(name, self.known())}",
                hint="known: " + ", ".join(self.known()),
            )
        for path in _TOTALS[name][1](self.machine):
            if path not in self.machine:
                raise InputError(f"{name!r} in {expression.text!r}: machine {self.machine.name!r} has no {path}")

    def unit(self, name: str) -> str:
        """The unit in which an objective is shown."""
        return "s" if self._is_time(name) else self.units.get(name, "")


class Values:
    """The values of names at one set of points, each computed once on first use."""

    def __init__(self, figures: Figures, columns: Mapping[str, Value], known: Mapping[str, Value]) -> None:
        self._figures = figures
        self._numbers = Numbers(figures.machine, columns)
        self._known: dict[str, Value] = dict(known)

    def at(self, take: Callable[[Value], Value], columns: Mapping[str, Value]) -> Values:
        """The values at some of the points, with these columns; known values are not recomputed."""
        return Values(self._figures, columns, {name: take(value) for name, value in self._known.items()})

    def know(self, values: Mapping[str, Value]) -> None:
        """Adds values that are computed elsewhere: times."""
        self._known.update(values)

    def __getitem__(self, name: str) -> Value:
        if name not in self._known:
            self._known[name] = self._compute(name)
        return self._known[name]

    def evaluate(self, expression: Expression) -> Value:
        """Evaluates an expression at these points."""
        return expression.evaluate({name: self[name] for name in expression.names})

    def _compute(self, name: str) -> Value:
        figures = self._figures
        if name in figures.names:
            alias = figures.names[name]
            return self._numbers(alias.path) / alias.scale
        if name in figures.parameters:
            if name not in self._numbers.columns:
                raise InputError(f"{name!r} is a parameter of a code: it has no value around the baseline")
            return self._numbers.columns[name]
        if name in figures.expressions:
            return self.evaluate(figures.expressions[name])
        if name in figures.coefficients:
            return figures.coefficients[name]
        return _TOTALS[name][0](self._numbers)


# -------------------------------------------------------------------------------------- totals of a machine


def _cache(numbers: Numbers, *, shared_only: bool) -> Value:
    total: Value = 0.0
    for level in _sized_levels(numbers.machine):
        path = f"level.{level}.shared_by"
        private = path in numbers.machine and numbers.machine.value(path) < numbers.machine.value("cores.count")
        if not (shared_only and private):  # a cache that all cores share remains one when cores are added
            instances = numbers("cores.count") / numbers(path) if private else 1.0
            total = total + numbers(f"level.{level}.size") * instances
    return total / _MiB


def _scratchpad(numbers: Numbers) -> Value:
    if "scratchpad.size" not in numbers.machine:
        return 0.0
    return numbers("scratchpad.size") * numbers("cores.count") / _MiB


def _sized_levels(machine: Machine) -> tuple[str, ...]:
    return tuple(level for level in machine.levels if f"level.{level}.size" in machine)


def _cache_paths(machine: Machine) -> tuple[str, ...]:
    return ("cores.count", *(f"level.{level}.size" for level in _sized_levels(machine)))


def _scratchpad_paths(machine: Machine) -> tuple[str, ...]:
    return ("cores.count", "scratchpad.size") if "scratchpad.size" in machine else ("cores.count",)


#: name -> (its value, the machine parameters it reads)
_TOTALS: dict[str, tuple[Callable[[Numbers], Value], Callable[[Machine], tuple[str, ...]]]] = {
    "cores": (lambda n: n("cores.count"), lambda _: ("cores.count",)),
    "frequency_GHz": (lambda n: n("clock.frequency") / 1e9, lambda _: ("clock.frequency",)),
    "base_frequency_GHz": (lambda n: n.machine.value("clock.frequency") / 1e9, lambda _: ("clock.frequency",)),
    "bandwidth_GBs": (lambda n: n("memory.bandwidth") / 1e9, lambda _: ("memory.bandwidth",)),
    "cache_MiB": (lambda n: _cache(n, shared_only=False), _cache_paths),
    "shared_MiB": (lambda n: _cache(n, shared_only=True), _cache_paths),
    "scratchpad_MiB": (_scratchpad, _scratchpad_paths),
}


# -------------------------------------------------------------------------------------- seeds


@record
class Seed:
    """Default coefficients and expressions for area, power, energy and cost, with their sources."""

    coefficients: Mapping[str, tuple[float, str]]
    figures: Mapping[str, Expression]
    units: Mapping[str, str]


def seed_names() -> tuple[str, ...]:
    """The names of the shipped seeds."""
    return tuple(_document()["seed"])


def _coefficients_of_seeds() -> frozenset[str]:
    """Coefficients that belong to a kind of core."""
    return frozenset(key for entry in _document()["seed"].values() for key in entry.get("coefficients", {}))


def seed(name: str | None) -> Seed:
    """Reads a shipped seed; None has no numbers for cores."""
    document = _document()
    if name is not None and name not in document["seed"]:
        raise InputError(f"no seed {name!r}{nearest(name, seed_names())}", hint="seeds: " + ", ".join(seed_names()))
    entry = document["seed"].get(name, {})
    coefficients = {**document["coefficients"], **entry.get("coefficients", {})}
    figures = {**document["figures"], **entry.get("figures", {})}
    return Seed(
        {key: (float(item["value"]), item["source"]) for key, item in coefficients.items()},
        {key: Expression(text) for key, text in figures.items()},
        {**document["units"], **entry.get("units", {})},
    )


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads((resources.files("foretell.uses.explore") / "seeds.toml").read_text())
