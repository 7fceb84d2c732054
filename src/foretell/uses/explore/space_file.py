"""Parses space files: the design space, its applications and objectives, in TOML.

machine = "sw26010"                  # the baseline; --on overrides it

[[application]]                      # one or several
code = "example:n-body"              # a file beside this one, or an example
weight = 2                           # of its time in the mean (default 1)
parameters = { buffer_KiB = 32 }
# function = "multiply"              # of a source: one function with what it calls, or "multiply:17", its loop there
# a GPU kernel comes with its launch, as in a launch file:
# launch = { kernel = "copy", grid = 4096, block = 256, args = ["f32[1048576]", "f32[1048576]", 1048576] }

[names]                              # short names with a unit, for axes and expressions
cores = "cores.count"
bw = { path = "memory.bandwidth", unit = "GB/s" }

[axes]                               # a name from above, a machine parameter, or a parameter of the code
cores = [16, 32, 64]
bw = { from = 16, to = 64, step = 16 }
"clock.frequency" = ["1.2 GHz", "1.45 GHz"]
"memory.latency" = { times = [0.5, 1, 2] }      # factors of the baseline's own number
buffer_KiB = "8:64:8"

[follow]                             # parameters that follow from the axes
"cores.per_group" = "cores"

[sample]                             # without it: every point of the grid
method = "sobol"                     # or "random"
points = 100000
grid = ["cores"]                     # these stay a grid; each of its points gets all the samples

[search]                             # or instead: evolutionary search, for spaces too large to enumerate
evaluations = 20000
population = 64
seed = 0

[objectives]
minimise = ["time", "area"]          # one to four of time, time_APPLICATION, area, power, energy, cost, figures
constraints = ["cores*bw <= 2048", "power <= 100"]
seed = "small-core"                  # default numbers for area and power
top = 10

[coefficients]                       # other numbers for area, power, cost
core_mm2 = 4

[figures]                            # or other expressions, or figures of your own
area = "cores*core_mm2"

[scaling]                            # one parameter at a time, around the baseline
factors = [0.25, 0.5, 2, 4]

[tradeoff]                           # two axes against each other at a constant sum of something
between = ["cores", "bw"]
keep = "cores + bw"
total = 64
set = { "clock.frequency" = "1.6 GHz" }
"""

from __future__ import annotations

import math
import re
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files, units
from foretell.core.columns.expression import Expression
from foretell.core.columns.sampling import SOBOL_POINTS
from foretell.core.columns.space import steps
from foretell.core.machine import parameters
from foretell.errors import InputError, nearest
from foretell.frontends.files.toml_keys import KeyedFile, known, table
from foretell.uses.explore.specification import Application, AxisSpec, Name, SampleSpec, SearchSpec, SpaceFile, Tradeoff

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOP = (
    "name", "machine", "budget", "mode", "model", "options", "application", "names", "axes", "follow", "sample",
    "search", "objectives", "coefficients", "figures", "scaling", "tradeoff",
)  # fmt: skip
_AXIS = ("values", "from", "to", "step", "count", "scale", "times")
_RANGE = re.compile(r"([^:]+):([^:]+?)(?::([^:]+?))?")
_MAX_COUNT = 1_000_000
_MAX_DEPTH = 4
_EXAMPLE = "example:"
_FOLDER = Path(str(resources.files("foretell") / "examples" / "spaces"))
_FACTORS = (0.25, 0.5, 2.0, 4.0)


def examples() -> tuple[str, ...]:
    """The shipped space files; `read_space('example:NAME')` reads one. The codes that they use are beside them."""
    return tuple(sorted(path.stem for path in _FOLDER.iterdir() if "[axes]" in path.read_text()))


def read_space(source: Path | str) -> SpaceFile:
    """Reads a space file, or a shipped one as `example:NAME`; wrong input is an InputError with file and line."""
    path, stem = Path(source), str(source).removeprefix(_EXAMPLE)
    if stem != str(source):
        if stem not in examples():
            raise InputError(f"no example space {stem!r}{nearest(stem, examples())}", hint=", ".join(examples()))
        path = _FOLDER / f"{stem}.toml"
    text = files.read_text(path)
    return _Reader(path, text).read(files.parse_toml(text, path))


class _Reader(KeyedFile):
    def read(self, document: dict[str, Any]) -> SpaceFile:
        known(self, "", document, _TOP)
        names = {key: self.name(key, value) for key, value in table(self, document, "names").items()}
        objectives = table(self, document, "objectives")
        known(self, "objectives", objectives, ("minimise", "constraints", "seed", "top"))
        scaling = table(self, document, "scaling")
        known(self, "scaling", scaling, ("factors", "parameters"))
        mode = self.word(document, "mode", "default")
        if mode not in ("default", "paper"):
            raise self.error("mode", f"{mode!r} is not default or paper{nearest(mode, ('default', 'paper'))}")
        return SpaceFile(
            path=self.path,
            text=self.text,
            name=self.word(document, "name", self.path.stem),
            machine=self.word(document, "machine", None),
            budget=self.whole("budget", document["budget"], 1, 2**50) if "budget" in document else None,
            mode=mode,
            model=self.word(document, "model", None),
            options={key: self.word(table(self, document, "options"), key, "") for key in document.get("options", {})},
            applications=self.applications(document),
            names=names,
            axes=self.axes(table(self, document, "axes"), names),
            follow=self.follow(table(self, document, "follow"), names),
            sample=self.sample(table(self, document, "sample")) if "sample" in document else None,
            search=self.search(document) if "search" in document else None,
            minimise=self.minimise(objectives),
            constraints=tuple(
                self.expression("objectives.constraints", entry) for entry in self.items(objectives, "constraints", ())
            ),
            seed=self.word(objectives, "seed", None),
            top=self.whole("objectives.top", objectives.get("top", 10), 1, 10_000),
            coefficients=self.coefficients(table(self, document, "coefficients")),
            figures=self.figures(table(self, document, "figures")),
            factors=self.factors(scaling),
            scaled=self.words(scaling, "parameters"),
            tradeoff=self.tradeoff(document, names) if "tradeoff" in document else None,
        )

    # ---------------------------------------------------------------------------------- applications

    def applications(self, document: dict[str, Any]) -> tuple[Application, ...]:
        entries = document.get("application", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self.error("application", "must be [[application]] tables")
        if not entries:
            raise self.error("application", "there is no code to run: give an [[application]]")
        applications = tuple(self.application(entry) for entry in entries)
        if twice := _repeated([entry.name for entry in applications]):
            raise self.error("application", f"two are called {twice!r}", hint="give one another name")
        return applications

    def application(self, entry: dict[str, Any]) -> Application:
        known(self, "application", entry, ("name", "code", "weight", "parameters", "model", "launch", "function"))
        self.require("application", entry, "code")
        code = self.word(entry, "code", "")
        weight = self.number("application.weight", entry.get("weight", 1.0))
        if weight <= 0:
            raise self.error("application.weight", "must be positive")
        name = self.word(entry, "name", re.sub(r"\W", "_", Path(code.removeprefix(_EXAMPLE)).stem))
        if not name.isidentifier():
            raise self.error("application.name", f"{name!r} is not a name: letters, digits and _")
        given = table(self, entry, "parameters")
        values = {key: self.number(f"parameters.{key}", value) for key, value in given.items()}
        located = code if code.startswith(_EXAMPLE) else str(self.path.parent / code)
        launch = None
        if "launch" in entry:
            from foretell.frontends.gpu.launch import parse_entry

            with self.at("application"):
                launch = parse_entry(entry["launch"])
        function = self.word(entry, "function", None)
        return Application(name, located, weight, values, self.word(entry, "model", None), launch, function)

    # ---------------------------------------------------------------------------------- names and axes

    def name(self, key: str, raw: object) -> Name:
        if not key.isidentifier():
            raise self.error(f"names.{key}", "is not a name: letters, digits and _")
        entry = {"path": raw} if isinstance(raw, str) else raw
        if not isinstance(entry, dict):
            raise self.error(f"names.{key}", 'must be a path, or { path = "…", unit = "…" }')
        known(self, f"names.{key}", entry, ("path", "unit"))
        path = self.word(entry, "path", None)
        if path is None:
            raise self.error(f"names.{key}", "has no path")
        path = parameters.current(path)
        self.machine_parameter(f"names.{key}", path)
        allowed = parameters.parameter(path).units
        given = self.word(entry, "unit", "")
        with self.at(f"names.{key}"):
            unit = units.parse_unit(given or "")
        if unit.si not in allowed:
            wanted = " or ".join(entry or "a pure number" for entry in allowed)
            raise self.error(f"names.{key}", f"{path} is in {wanted}, not in {given or 'a pure number'}")
        return Name(path, unit.si, unit.scale)

    def machine_parameter(self, key: str, path: str) -> None:
        if not parameters.known(path):
            raise self.error(key, f"unknown machine parameter {path!r}{parameters.nearest_path(path)}")

    def axes(self, given: dict[str, Any], names: Mapping[str, Name]) -> tuple[AxisSpec, ...]:
        axes = [self.axis(key, raw, names) for key, raw in _flat(given)]
        if not axes:
            raise self.error("axes", "the space is empty: it has no axis")
        if twice := _repeated([axis.parameter for axis in axes]):
            key = [axis.key for axis in axes if axis.parameter == twice][1]
            raise self.error(f"axes.{key}", f"{twice} is on two axes")
        return tuple(axes)

    def axis(self, key: str, raw: object, names: Mapping[str, Name]) -> AxisSpec:
        parameter = names[key].path if key in names else key
        entry = raw if isinstance(raw, dict) else {"values": raw}
        known(self, f"axes.{key}", entry, _AXIS)
        forms = [form for form in ("values", "from", "times") if form in entry]
        if len(forms) != 1:
            raise self.error(f"axes.{key}", "give one of values, from and to, or times")
        if forms == ["times"]:
            factors = tuple(self.number(f"axes.{key}", value) for value in self.items(entry, "times", ()))
            return AxisSpec(key, parameter, "", times=self.positive(f"axes.{key}", factors))
        if forms == ["from"]:
            return self.range_axis(key, parameter, entry, names)
        values, unit = self.values(key, entry["values"], names)
        if len(set(values)) != len(values):
            raise self.error(f"axes.{key}", "a value appears twice")
        if parameters.known(parameter):
            self.positive(f"axes.{key}", values)
        return AxisSpec(key, parameter, unit, values=values)

    def values(self, key: str, raw: object, names: Mapping[str, Name]) -> tuple[tuple[float, ...], str]:
        """Parses a list, a single number, or 'first:last:step unit', in SI units."""
        if isinstance(raw, str) and ":" in raw:
            return self.colon_range(key, raw, names)
        listed = raw if isinstance(raw, list) else [raw]
        if not listed:
            raise self.error(f"axes.{key}", "the space is empty: the axis has no value")
        measures = [self.measure(key, value, names) for value in listed]
        if len({measure.unit for measure in measures}) > 1:
            raise self.error(f"axes.{key}", "the values are not all in units of the same kind")
        values = tuple(measure.value for measure in measures)
        if len({_unit_text(value) for value in listed}) > 1 and not _monotone(values):
            raise self.error(
                f"axes.{key}",
                "the values neither rise nor fall, and have different units",
                hint="check the prefixes, or write them all in one unit",
            )
        return values, measures[0].unit

    def colon_range(self, key: str, raw: str, names: Mapping[str, Name]) -> tuple[tuple[float, ...], str]:
        number, _, unit = raw.strip().partition(" ")
        match = _RANGE.fullmatch(number)
        if match is None:
            raise self.error(f"axes.{key}", f"{raw!r} is not first:last:step")
        parts = [self.measure(key, f"{part} {unit}".strip(), names) for part in match.groups() if part is not None]
        with self.at(f"axes.{key}"):
            return steps([part.value for part in parts], raw), parts[0].unit

    def range_axis(self, key: str, parameter: str, entry: dict[str, Any], names: Mapping[str, Name]) -> AxisSpec:
        where = f"axes.{key}"
        if "to" not in entry:
            raise self.error(where, "from needs to")
        low, high = (self.measure(key, entry[end], names) for end in ("from", "to"))
        if low.unit != high.unit:
            raise self.error(where, "from and to are not in units of the same kind")
        if not low.value < high.value:
            raise self.error(where, "from is not below to", hint="check the units")
        log = self.word(entry, "scale", "linear")
        if log not in ("linear", "log"):
            raise self.error(where, f"scale {log!r} is not linear or log")
        if log == "log" and low.value <= 0:
            raise self.error(where, "a logarithmic scale needs a positive from")
        if "step" in entry and ("count" in entry or log == "log"):
            raise self.error(where, "a step goes with neither count nor a logarithmic scale")
        ends = (low.value, high.value)
        if "step" in entry:
            step = self.measure(key, entry["step"], names).value
            with self.at(where):
                values = steps([*ends, step], f"{ends[0]:g}:{ends[1]:g}:{step:g}")
            return AxisSpec(key, parameter, low.unit, values=values)
        if "count" in entry:
            count = self.whole(where, entry["count"], 2, _MAX_COUNT)
            return AxisSpec(key, parameter, low.unit, values=_spaced(ends, count, log == "log"))
        return AxisSpec(key, parameter, low.unit, ends=ends, log=log == "log")

    def measure(self, key: str, raw: object, names: Mapping[str, Name]) -> units.Measure:
        """Parses a value of an axis in SI units; a bare number is in the unit of its name."""
        where = f"axes.{key}"
        if isinstance(raw, str):
            with self.at(where):
                measure = units.parse(raw)
            if measure.unit or key not in names:
                return self.checked(where, key, measure, names)
            raw = measure.value
        number = self.number(where, raw)
        if key in names:
            return units.Measure(number * names[key].scale, names[key].unit)
        return self.checked(where, key, units.Measure(number, ""), names)

    def checked(self, where: str, key: str, measure: units.Measure, names: Mapping[str, Name]) -> units.Measure:
        path = names[key].path if key in names else key
        allowed = parameters.parameter(path).units if parameters.known(path) else ("",)
        if measure.unit not in allowed:
            if not parameters.known(path) and "." in path:
                self.machine_parameter(where, path)
            wanted = " or ".join(unit or "a pure number" for unit in allowed)
            raise self.error(
                where,
                f"a value is in {measure.unit or 'no unit'}, expected {wanted}",
                hint=None
                if parameters.known(path)
                else f'{key} is taken as a parameter of the code; if it is one of the machine: [names] {key} = "…"',
            )
        return measure

    def positive(self, where: str, values: tuple[float, ...]) -> tuple[float, ...]:
        if not values:
            raise self.error(where, "the space is empty: the axis has no value")
        if min(values) <= 0:
            raise self.error(where, "a value is not positive")
        return values

    def follow(self, given: dict[str, Any], names: Mapping[str, Name]) -> dict[str, Expression]:
        expressions = {}
        for key, raw in _flat(given):
            if key not in names:
                self.machine_parameter(f"follow.{key}", key)
            expressions[key] = self.expression(f"follow.{key}", raw)
        return expressions

    # ---------------------------------------------------------------------------------- the rest

    def sample(self, given: dict[str, Any]) -> SampleSpec:
        known(self, "sample", given, ("method", "points", "seed", "grid"))
        method = self.word(given, "method", "sobol")
        if method not in ("sobol", "random"):
            raise self.error("sample.method", f"{method!r} is not sobol or random")
        self.require("sample", given, "points")
        return SampleSpec(
            method,
            self.whole("sample.points", given["points"], 1, 2**40 if method == "random" else SOBOL_POINTS),
            self.whole("sample.seed", given.get("seed", 0), 0, 2**63 - 1),
            self.words(given, "grid"),
        )

    def search(self, document: dict[str, Any]) -> SearchSpec:
        given = table(self, document, "search")
        known(self, "search", given, ("evaluations", "population", "seed"))
        if "sample" in document:
            raise self.error("search", "a search chooses its points itself: leave [sample] out")
        self.require("search", given, "evaluations")
        return SearchSpec(
            self.whole("search.evaluations", given["evaluations"], 2, 10_000_000),
            self.whole("search.population", given.get("population", 64), 4, 4096),
            self.whole("search.seed", given.get("seed", 0), 0, 2**63 - 1),
        )

    def minimise(self, objectives: dict[str, Any]) -> tuple[str, ...]:
        chosen = self.words(objectives, "minimise") or ("time",)
        if len(chosen) > 4 or len(set(chosen)) != len(chosen):
            raise self.error("objectives.minimise", "must be one to four different objectives")
        return chosen

    def coefficients(self, given: dict[str, Any]) -> dict[str, float]:
        for key in given:
            if not key.isidentifier():
                raise self.error(f"coefficients.{key}", "is not a name")
        return {key: self.number(f"coefficients.{key}", value) for key, value in given.items()}

    def figures(self, given: dict[str, Any]) -> dict[str, Expression]:
        for key in given:
            if not key.isidentifier() or key == "time" or key.startswith("time_"):
                raise self.error(f"figures.{key}", "is not a name that a figure can have")
        return {key: self.expression(f"figures.{key}", value) for key, value in given.items()}

    def factors(self, scaling: dict[str, Any]) -> tuple[float, ...]:
        given = tuple(self.number("scaling.factors", value) for value in self.items(scaling, "factors", _FACTORS))
        return tuple(sorted(set(self.positive("scaling.factors", given)) | {0.5, 1.0, 2.0}))

    def tradeoff(self, document: dict[str, Any], names: Mapping[str, Name]) -> Tradeoff:
        given = table(self, document, "tradeoff")
        known(self, "tradeoff", given, ("between", "keep", "total", "set"))
        between = tuple(map(parameters.current, self.words(given, "between")))
        if len(between) != 2:
            raise self.error("tradeoff.between", "must name two axes")
        self.require("tradeoff", given, "keep", "total")
        fixed = {}
        for key, raw in _flat(table(self, given, "set")):
            measure = self.measure(key, raw, names)
            fixed[names[key].path if key in names else key] = (measure.value, measure.unit)
        keep = self.expression("tradeoff.keep", given["keep"])
        return Tradeoff(between, keep, self.number("tradeoff.total", given["total"]), fixed)

    # ---------------------------------------------------------------------------------- values

    def require(self, prefix: str, given: dict[str, Any], *keys: str) -> None:
        for key in keys:
            if key not in given:
                raise self.error(f"{prefix}.{key}", "is missing")

    def items(self, given: dict[str, Any], key: str, default: tuple[Any, ...]) -> tuple[Any, ...]:
        value = given.get(key, default)
        if not isinstance(value, list | tuple):
            raise self.error(key, "must be a list")
        return tuple(value)

    def words(self, given: dict[str, Any], key: str) -> tuple[str, ...]:
        words = self.items(given, key, ())
        if not all(isinstance(word, str) for word in words):
            raise self.error(key, "must be a list of names")
        return words

    def word(self, given: dict[str, Any], key: str, default: Any) -> Any:
        value = given.get(key, default)
        if key in given and (not isinstance(value, str) or not value.strip()):
            raise self.error(key, "must be a text")
        return value

    def number(self, key: str, raw: object) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise self.error(key, "must be a number")
        try:
            value = float(raw)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.error(key, "must be a finite number")
        return value

    def whole(self, key: str, raw: object, least: int, most: int) -> int:
        value = self.number(key, raw)
        if value != int(value) or not least <= value <= most:
            raise self.error(key, f"must be a whole number from {least} to {most}")
        return int(value)

    def expression(self, key: str, raw: object) -> Expression:
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise self.error(key, "must be an expression")
        with self.at(key):
            return Expression(raw if isinstance(raw, str) else repr(raw))


def _repeated(names: Sequence[str]) -> str | None:
    return next((name for position, name in enumerate(names) if name in names[:position]), None)


def _flat(given: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Flattens tables to dotted keys: TOML reads an unquoted memory.bandwidth as a table."""
    flat: list[tuple[str, Any]] = []
    for key, value in given.items():
        path = f"{prefix}{key}"
        # a table named like a group of machine parameters, which have no deeper levels
        deeper = path.split(".")[0] in parameters.GROUPS and path.count(".") < _MAX_DEPTH
        if isinstance(value, dict) and value and deeper and not set(value) & set(_AXIS):
            flat += _flat(value, f"{path}.")
        else:
            flat.append((parameters.current(path), value))
    return flat


def _spaced(ends: tuple[float, float], count: int, log: bool) -> tuple[float, ...]:
    low, high = ends
    shares = [index / (count - 1) for index in range(count)]
    inner = [low * (high / low) ** share if log else low + (high - low) * share for share in shares]
    return (low, *inner[1:-1], high)


def _unit_text(value: object) -> str:
    """The text after the number, as written."""
    return re.sub(r"^[\s\d.eE+_-]*", "", value) if isinstance(value, str) else ""


def _monotone(values: tuple[float, ...]) -> bool:
    pairs = list(pairwise(values))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)
