"""The tuning space of a GPU kernel: axes of macros and compiler options, constraints, and the launch as expressions.

    space = KernelSpace(
        Path("k.cu"),
        axes=(Axis("block", (64, 128, 256)), Axis("items", (1, 2, 4))),
        constraints=("block*items <= 512",),
        grid=("ceil(n/(block*items))",),
        block=("block",),
        arguments=("f32[n]", "f32[n]", "n"),
        constants={"n": 1 << 24},
    )

An axis named `nvcc` holds compiler flags; every other one is a macro and a name in expressions. Text values are macros
only. Constants are names in expressions only. Constraints, the grid and the bytes of shared memory may also be
functions of a configuration, as Kernel Tuner takes them.

Of a Triton kernel (`k.py`), axes are its constants (`tl.constexpr`), `num_warps`, `num_stages` and `num_ctas`; Triton
chooses the block.
"""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from foretell import files
from foretell.core.columns.expression import Expression
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.frontends.options import Reading

Value = float | str
Configuration = dict[str, Value]
#: an expression over axes and constants, or a function of a configuration
Formula = str | Callable[[Configuration], float]

#: the axis whose values are flags of the compiler
FLAGS = "nvcc"
#: suffix of files with Triton kernels
TRITON = ".py"
#: points of the product of all axes, before constraints
_MOST_POINTS = 20_000_000
_CHUNK = 1 << 16
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_UNROLLED = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+unroll[ \t(]+([A-Za-z_]\w*)", re.MULTILINE)
_TESTED = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(.*)$", re.MULTILINE)
_CONSTANTS_HEADER = Path(str(resources.files("foretell") / "include")) / "foretell_constants.h"
_ELEMENTS = re.compile(r"(?P<before>[^\[\]]+)\[(?P<count>[^\[\]]+)\](?P<after>.*)", re.DOTALL)
_TYPED = re.compile(r"(?P<type>[a-z]+\d+:)?(?P<value>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Axis:
    """A macro, or the compiler's flags, and the values to try; `default` is the value to compare with."""

    name: str
    values: tuple[Value, ...]
    default: Value | None = None

    def __post_init__(self) -> None:
        if not _IDENTIFIER.fullmatch(self.name):
            raise InputError(f"axis {self.name!r}: a macro is a name such as block_size_x")
        if not self.values:
            raise InputError(f"axis {self.name}: no values")
        if len(set(self.values)) < len(self.values):
            raise InputError(f"axis {self.name}: a value is given twice")

    @classmethod
    def parse(cls, name: str, text: str) -> Axis:
        """Parses 16,32,64, 1:8:1 (first:last:step), or text values: float,double; flags are separated by |."""
        if name == FLAGS:
            return cls(name, tuple(part.strip() for part in text.split("|")))
        if re.fullmatch(r"[-+.\deE]+(:[-+.\deE]+){1,2}", text):
            from foretell.core.columns.space import steps

            try:
                return cls(name, tuple(steps([float(part) for part in text.split(":")], text)))
            except ValueError:
                raise InputError(f"axis {name}={text}: not a range", hint="write first:last:step") from None
        return cls(name, tuple(_value(part.strip()) for part in text.split(",")))


def _value(text: str) -> Value:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


@dataclass(frozen=True)
class KernelSpace:
    """A kernel in CUDA source or Triton, and the configurations to choose from; `constants` are equal in all."""

    source: Path
    axes: tuple[Axis, ...]
    grid: tuple[Formula, ...]
    block: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    constraints: tuple[Formula, ...] = ()
    kernel: str | None = None
    shared: Formula = "0"
    constants: Mapping[str, float] = field(default_factory=dict)
    flags: str = ""
    name: str = ""
    #: a capture with the arguments and the memory of the kernel, instead of `arguments`
    capture: Path | None = None

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes] + list(self.constants)
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise InputError(f"{twice} is given twice: as an axis, or as a constant")
        if not self.axes:
            raise InputError("nothing to tune: no axis", hint="--axis block_size_x=32,64,128, or a T1 file")
        if self.size > _MOST_POINTS:
            raise InputError(f"{self.size} configurations are more than {_MOST_POINTS}", hint="fewer values an axis")
        known = {name for name in names if name != FLAGS}
        texts = (*self.constraints, *self.grid, *self.block, self.shared)
        for expression in (Expression(text) for text in texts if isinstance(text, str)):
            if unknown := sorted(expression.names - known):
                raise InputError(
                    f"{expression.text!r}: {unknown[0]} is neither an axis nor a constant",
                    hint=f"give it with --axis or -D; known: {', '.join(sorted(known))}",
                )
            self._check_numbers(expression)

    def _check_numbers(self, expression: Expression) -> None:
        """Texts are macros, and no numbers of an expression."""
        for axis in self.axes:
            text = next((value for value in axis.values if isinstance(value, str)), None)
            if text is not None and axis.name in expression.names:
                raise InputError(
                    f"{expression.text!r}: {axis.name} has the value {text!r}, which is no number",
                    hint=f"write numbers alone as the values of {axis.name}, or leave it out of expressions",
                )

    @property
    def is_triton(self) -> bool:
        """Whether the source is Python: a Triton kernel."""
        return self.source.suffix == TRITON

    @property
    def size(self) -> int:
        """Points of the product of all axes, before constraints."""
        return math.prod(len(axis.values) for axis in self.axes)

    def configurations(self) -> list[Configuration]:
        """All configurations that the constraints allow, the last axis changing fastest."""
        allowed = [self._at(int(number)) for part in self._numbers() for number in part]
        if not allowed:
            listed = "; ".join(map(described, self.constraints))
            raise InputError(f"no configuration of {self.size} satisfies the constraints: {listed}")
        return allowed

    def allows(self, configuration: Configuration) -> bool:
        """Whether it satisfies all constraints."""
        numbers = self._values(configuration)
        return all(formula_value(formula, configuration, numbers) for formula in self.constraints)

    @property
    def default(self) -> Configuration | None:
        """The configuration of all defaults, if every axis has one and the constraints allow it."""
        chosen = {axis.name: axis.default for axis in self.axes if axis.default is not None}
        complete = len(chosen) == len(self.axes) and self.allows(chosen)
        return chosen if complete else None

    def reading(self, configuration: Configuration) -> Reading:
        """The launch and the compilation of a configuration, as `foretell.predict` takes them."""
        values = self._values(configuration)
        grid = [_whole(formula, configuration, values) for formula in self.grid]
        if self.is_triton:
            arguments = [_argument(text, values) for text in self.arguments]
            meta = {name: _shown(value) for name, value in configuration.items()}
            return {"kernel": self.kernel, "grid": grid, "args": arguments, "meta": meta}
        recorded: Reading = {"launch": self.capture} if self.capture else {}
        return recorded | {
            "kernel": self._kernel(configuration),
            "grid": grid,
            "block": [_whole(text, configuration, values) for text in self.block],
            "args": [_argument(text, values) for text in self.arguments],
            "dynamic_shared": _whole(self.shared, configuration, values),
            "nvcc": self.compiler_flags(configuration),
        }

    def _kernel(self, configuration: Configuration) -> str | None:
        """The name of the kernel with the values of axes in its template arguments, as Kernel Tuner writes them:
        scale<float, VECTOR>."""
        name, bracket, arguments = (self.kernel or "").partition("<")
        if not bracket:
            return self.kernel
        values = {axis: _shown(value) for axis, value in configuration.items()}
        return name + bracket + _IDENTIFIER.sub(lambda found: values.get(found[0], found[0]), arguments)

    def compiler_flags(self, configuration: Configuration) -> str:
        """Flags of nvcc: the user's, those of an axis, and the macros that occur in the source. Configurations with
        equal flags have equal code."""
        if self.source.suffix != ".cu":
            return ""  # compiled: only the launch is tuned
        given = dict(configuration)
        own = str(given.pop(FLAGS, ""))
        known = self._identifiers
        unrolled = [name for name in given if name in self._unrolled]
        macros = [
            shlex.quote(f"-D{name}={_shown(value)}")
            for name, value in given.items()
            if name not in unrolled and (known is None or name in known)
        ]
        return " ".join(part for part in (self.flags, own, *macros, _constants(given, unrolled)) if part)

    @cached_property
    def _identifiers(self) -> frozenset[str] | None:
        """Identifiers of the source and of the files that it includes; None if one of these is not there."""
        return identifiers(self.source)

    @cached_property
    def _unrolled(self) -> frozenset[str]:
        """Names in `#pragma unroll NAME`, where macros are not replaced; what the preprocessor tests stays a macro."""
        text = files.read_text(self.source)
        tested = {name for line in _TESTED.findall(text) for name in _IDENTIFIER.findall(line)}
        return frozenset(_UNROLLED.findall(text)) - tested

    def _values(self, configuration: Configuration) -> dict[str, float]:
        """The numbers that expressions may use."""
        every = {**self.constants, **configuration}
        return {name: value for name, value in every.items() if not isinstance(value, str)}

    def _at(self, number: int) -> Configuration:
        chosen: list[Value] = []
        for axis in reversed(self.axes):
            number, place = divmod(number, len(axis.values))
            chosen.append(axis.values[place])
        return dict(zip((axis.name for axis in self.axes), reversed(chosen), strict=True))

    def _numbers(self) -> Iterator[np.ndarray]:
        """Numbers of the allowed points, a chunk at a time."""
        constraints = [Expression(text) for text in self.constraints if isinstance(text, str)]
        tests = [formula for formula in self.constraints if not isinstance(formula, str)]
        fixed = self._values({})
        lengths = [len(axis.values) for axis in self.axes]
        for start in range(0, self.size, _CHUNK):
            numbers = np.arange(start, min(start + _CHUNK, self.size))
            columns: dict[str, float | np.ndarray] = dict(fixed)
            for axis, place in zip(self.axes, np.unravel_index(numbers, lengths), strict=True):
                if not any(isinstance(value, str) for value in axis.values):
                    columns[axis.name] = np.asarray(axis.values, dtype=np.float64)[place]
            keep = np.ones(len(numbers), dtype=bool)
            for constraint in constraints:
                keep &= np.broadcast_to(np.asarray(constraint.evaluate(columns)) != 0, keep.shape)
            yield np.array([n for n in numbers[keep] if self._passes(int(n), tests)], int) if tests else numbers[keep]

    def _passes(self, number: int, tests: list[Callable[[Configuration], float]]) -> bool:
        configuration = self._at(number)
        return all(formula_value(test, configuration) for test in tests)


def identifiers(source: Path, depth: int = 0) -> frozenset[str] | None:
    """Identifiers of a source and of the files that it includes by "…"; None if one of these is not there."""
    text = files.read_text(source)
    result = set(_IDENTIFIER.findall(text))
    for name in _INCLUDE.findall(text):
        path = source.parent / name
        inner = identifiers(path, depth + 1) if path.is_file() and depth < 16 else None
        if inner is None:
            return None
        result |= inner
    return frozenset(result)


def described(formula: Formula) -> str:
    """An expression, or the name of a function."""
    return formula if isinstance(formula, str) else str(getattr(formula, "__name__", type(formula).__name__))


def formula_value(formula: Formula, configuration: Configuration, values: Mapping[str, float] | None = None) -> float:
    """The value of an expression, of the numbers of the configuration if no others are given; or of a function of the
    configuration, whose whole numbers are integers, as where they are macros."""
    if isinstance(formula, str):
        numbers = {name: value for name, value in configuration.items() if not isinstance(value, str)}
        return cast("float", Expression(formula).evaluate(numbers if values is None else values))
    given = {name: _plain(value) for name, value in configuration.items()}
    try:
        return float(formula(given))
    except Exception as error:  # the user's function may raise anything
        raise InputError(f"{described(formula)} fails for {shown(configuration)}: {error!r}") from None


def _whole(formula: Formula, configuration: Configuration, values: Mapping[str, float]) -> int:
    number = formula_value(formula, configuration, values)
    if not math.isfinite(number) or number != int(number) or number < 0:
        raise InputError(f"{described(formula)!r} is {number:g} here: not a whole number", hint="ceil(…) rounds up")
    return int(number)


def _plain(value: Value) -> Value:
    return int(value) if not isinstance(value, str) and value == int(value) else value


def _argument(text: str, values: Mapping[str, float]) -> str:
    """An argument with expressions in the number of elements, or as the value of a scalar, evaluated."""
    if found := _ELEMENTS.fullmatch(text):
        count = found["count"]
        if _uses(count, values):
            count = str(_whole(count, {}, values))
        return f"{found['before']}[{count}]{found['after']}"
    scalar = _TYPED.fullmatch(text.strip())
    if scalar is None or not (_uses(scalar["value"], values) or "//" in text):
        return text
    number = cast("float", Expression(scalar["value"]).evaluate(values))
    return (scalar["type"] or "") + _shown(number)


def _constants(given: Configuration, names: list[str]) -> str:
    """Flags that define constants of the language: a header with one macro, which is the definitions."""
    if not names:
        return ""
    definitions = " ".join(f"constexpr int {name} = {_shown(given[name])};" for name in names)
    return shlex.join([f"-DFORETELL_CONSTANTS={definitions}", "-include", str(_CONSTANTS_HEADER)])


def _uses(text: str, values: Mapping[str, float]) -> bool:
    return any(name in values for name in _IDENTIFIER.findall(text))


def _shown(value: Value) -> str:
    """A number as a macro: whole ones without a point."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def shown(configuration: Mapping[str, Value]) -> str:
    """A configuration in one line: block_size_x=64 tile=2."""
    return " ".join(f"{name}={_shown(value)}" for name, value in configuration.items())


def neighbours(space: KernelSpace, configuration: Configuration) -> Iterator[tuple[str, Configuration]]:
    """Configurations one value further along each axis, with the name of the axis, if the constraints allow them."""
    for axis, step in itertools.product(space.axes, (1, -1)):
        place = axis.values.index(configuration[axis.name]) + step
        if 0 <= place < len(axis.values):
            other = {**configuration, axis.name: axis.values[place]}
            if space.allows(other):
                yield axis.name, other
