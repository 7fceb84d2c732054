"""Keywords that the questions share, with the names of the command line's options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from foretell import frontends, machines, units
from foretell.api import Case, On, loaded
from foretell.api import prepare as prepare_case
from foretell.core.columns.space import Axis, Space
from foretell.core.machine.machine import Machine
from foretell.errors import InputError, UnitError
from foretell.frontends import Reader, Reading, read_options
from foretell.records import record

if TYPE_CHECKING:
    from foretell.api import Code
    from foretell.core.answers.prediction import Mode

#: sizes: a number, text as on the command line ("512", "64:1024:32", "1,2,4", "8KiB"), or a list of numbers
Sizes = float | str | Iterable[float]


class Machined(TypedDict, total=False):
    """Keywords of machine and model."""

    #: other numbers for the machine: {"memory.bandwidth": "64GB/s"}
    set: Mapping[str, str | float]
    mode: Mode
    model: str | None
    options: Mapping[str, str]


class Asked(Machined, Reading, total=False):
    """Keywords of a question about a code."""

    #: sizes of the code; several values only where many points are predicted
    parameters: Mapping[str, Sizes]
    #: threads of a CPU, or "all" of the machine
    threads: int | str | None
    #: the same as `kernel`: the function of a source
    function: str | None
    #: the compiler's own assembly, and the compiler
    asm: str | Path | None
    cc: str | None


_FIRST = ("parameters", "threads", "set", "function", "mode", "model", "options", "asm", "cc", "cflags")
#: the most frequent ones first, as `help` lists them
KEYWORDS = tuple(dict.fromkeys((*_FIRST, *(name for name in Reading.__annotations__ if name != "kernel"))))
#: numbers that a source may use as macros; letters, strings and NULL
_WHOLE, _WORD = re.compile(r"[-+]?\d+"), re.compile(r"[^\W\d]\w*|'.*'|\".*\"")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMPILED = {"asm": "asm", "cc": "cc", "cflags": "flags"}


@record
class Question:
    """The keywords of a question, sorted by who reads them."""

    parameters: Mapping[str, Sizes]
    threads: int | str | None
    overrides: Mapping[str, str | float]
    mode: Mode
    model: str | None
    options: Mapping[str, str]
    reading: frontends.ReadOptions

    def reader(self, code: Code) -> Reader:
        return Reader(code, self.reading)

    def machine(self, on: On) -> Machine:
        return machines.overridden(loaded(on), self.overrides)

    def how(self) -> dict[str, Any]:
        """Mode, model and options, as the uses take them."""
        return {"mode": self.mode, "model": self.model, "options": self.options}

    def space(self, machine: Machine, *readers: Reader) -> Space:
        """All points that the parameters ask for, without those that chose what of the codes runs."""
        used = frozenset.intersection(*(reader.chosen for reader in readers))
        axes = [axis_of(name, value) for name, value in self.parameters.items() if name not in used]
        if self.threads is not None:
            every = machine.value("cores.count") if self.threads == "all" else self.threads
            axes.append(axis_of("threads", every))
        return Space(tuple(axes))

    def point(self, machine: Machine, *readers: Reader) -> dict[str, float]:
        """The values of the parameters, where one is permitted."""
        space = self.space(machine, *readers)
        if space.size != 1:
            many = next(axis.name for axis in space.axes if isinstance(axis, Axis) and len(axis.values) > 1)
            raise InputError(f"parameter {many!r} has several values here", hint="foretell.predict_many takes ranges")
        return next(space.points())

    def case(self, code: Code, on: On) -> Case:
        """Prepares the prediction of one code on one machine."""
        machine = self.machine(on)
        reader = self.reader(code)
        return prepare_case(reader.workload(machine), machine, parameters=self.point(machine, reader), **self.how())


def question(asked: Asked) -> Question:
    """Checks and sorts the keywords."""
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    unknown = [name for name in given if name not in KEYWORDS and name != "kernel"]
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
    function, kernel = given.pop("function", None), given.pop("kernel", None)
    if function and kernel and function != kernel:
        raise InputError(f"function={function!r} and kernel={kernel!r} are the same option: give one of them")
    read = {name: given[name] for name in Reading.__annotations__ if name in given}
    values = {name: str(value) for name, value in given.get("parameters", {}).items() if _is_choice(value)}
    macros = {name: text for name, text in values.items() if _WHOLE.fullmatch(text)}
    reading = cast("Reading", {"choices": values, "macros": macros, **read, "kernel": function or kernel})
    compiled = {option: str(given[name]) for name, option in _COMPILED.items() if name in given}
    return Question(
        given.get("parameters", {}),
        given.get("threads"),
        given.get("set", {}),
        given.get("mode", "default"),
        given.get("model"),
        {**given.get("options", {}), **compiled},
        read_options(**reading),
    )


def _is_choice(value: object) -> bool:
    """Whether a value can choose what of a code runs: a number, a letter, a string, NULL."""
    text = str(value)
    return isinstance(value, int | float | str) and bool(_NUMBER.fullmatch(text) or _WORD.fullmatch(text))


def axis_of(name: str, given: Sizes) -> Axis:
    """A parameter with the values that a number, a list or text says."""
    if isinstance(given, str):
        return _axis_of_text(name, given)
    try:
        values = tuple(map(float, given)) if isinstance(given, Iterable) else (float(given),)
    except (TypeError, ValueError):
        values = ()
    if not values:
        raise InputError(f"parameter {name!r}: {given!r} is not a number", hint=_SIZES)
    return Axis(name, values)


_SIZES = "write 512, [64, 128], '64:1024:32' (first:last:step), '1,2,4' or '8GiB'"


def _axis_of_text(name: str, text: str) -> Axis:
    try:
        return Axis.parse(name, text)
    except InputError:
        try:
            return Axis(name, (units.parse(text).value,))  # a size with a unit: "64KiB", "1.5 ms"
        except UnitError:
            raise InputError(f"parameter {name!r}: {text!r} is not a number", hint=_SIZES) from None


def machine_list(on: On | Sequence[On]) -> list[On]:
    """One machine, or several."""
    return [on] if isinstance(on, Machine | str | Path) else list(on)
