"""A tuning space from the arguments of Kernel Tuner's `tune_kernel`, as a Python script has them.

    space = kernel_space("k", "k.cu", (4096, 4096), arguments, tune_params, grid_div_x=["block_size_x*tile"],
                         restrictions=[lambda block_size_x, tile: block_size_x * tile <= 512])

Texts are parsed as arithmetic, never evaluated as Python; functions are called with a configuration.
"""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from foretell.errors import InputError
from foretell.uses.tuning.space import Axis, Configuration, Formula, KernelSpace, formula_value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

#: a number, a text, a function of a configuration, or several of these
Given = Any
_NAMES = ("block_size_x", "block_size_y", "block_size_z")
#: threads where no parameter has the name of the first dimension
_THREADS = 256


def kernel_space(
    kernel_name: str,
    kernel_source: str | Path,
    problem_size: Given,
    arguments: Sequence[Any],
    tune_params: Mapping[str, Sequence[Any]],
    grid_div_x: Given = None,
    grid_div_y: Given = None,
    grid_div_z: Given = None,
    restrictions: Given = None,
    smem_args: Mapping[str, Any] | None = None,
    compiler_options: Sequence[str] | None = None,
    defines: Mapping[str, Any] | None = None,
    block_size_names: Sequence[str] | None = None,
    folder: Path | None = None,
    **_measuring: Any,
) -> KernelSpace:
    """The space that `tune_kernel` would search with the same arguments; those that concern measuring are of no effect.
    Whole numbers in arrays may be addresses: in `folder` they are written, unless they are equal or count up."""
    source = Path(kernel_source)
    if not isinstance(kernel_source, Path) and "\n" in kernel_source:
        raise InputError("the source is given as text", hint="write it to a file, and give its name")
    if not source.is_file():
        raise InputError("there is no such file", file=source)
    names = (*(block_size_names or _NAMES), *_NAMES)[:3]
    axes = tuple(Axis(name, tuple(_value(value) for value in values)) for name, values in tune_params.items())
    sizes = _sizes(problem_size)
    fixed = {f"problem_size_{axis}": float(size) for axis, size in zip("xyz", sizes, strict=False) if _is_number(size)}
    divisors = (grid_div_x, grid_div_y, grid_div_z)
    return KernelSpace(
        source,
        axes,
        tuple(
            _blocks(size, name if divisor is None and name in tune_params else divisor)
            for size, divisor, name in zip((*sizes, 1, 1)[:3], divisors, names, strict=True)
        ),
        tuple(name if name in tune_params else str(usual) for name, usual in zip(names, (_THREADS, 1, 1), strict=True)),
        tuple(_argument(number, value, folder) for number, value in enumerate(arguments)),
        _constraints(restrictions),
        kernel_name,
        _formula((smem_args or {}).get("size", 0)),
        {name: size for name, size in fixed.items() if name not in tune_params},
        _flags(compiler_options, defines),
        kernel_name,
    )


def _value(value: Any) -> float | str:
    return value if isinstance(value, str) else float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _sizes(given: Given) -> tuple[Any, ...]:
    """The problem size in each dimension: numbers, texts, or functions that take one of what a function returns."""
    if not callable(given):
        return tuple(given) if isinstance(given, list | tuple) else (given,)
    every = cast("Callable[[Configuration], Any]", given)

    def of(dimension: int) -> Callable[[Configuration], float]:
        def size(configuration: Configuration) -> float:
            found = every(configuration)
            listed = found if isinstance(found, list | tuple) else (found,)
            return float(listed[dimension]) if dimension < len(listed) else 1.0

        return size

    return of(0), of(1), of(2)


def _formula(given: Given) -> Formula:
    """A number or text as an expression; functions as they are."""
    if callable(given):
        return cast("Formula", given)
    if isinstance(given, str) or _is_number(given):
        return str(given)
    raise InputError(f"{given!r} is neither a number, nor an expression, nor a function")


def _blocks(size: Given, divisor: Given) -> Formula:
    """Blocks in one dimension: the size over the product of all divisors, rounded up."""
    listed = [] if divisor is None else [divisor] if isinstance(divisor, str) or callable(divisor) else divisor
    parts = [_formula(part) for part in (listed if isinstance(listed, list | tuple) else [listed])]
    total = _formula(size)
    texts = [part for part in parts if isinstance(part, str)]
    if isinstance(total, str) and len(texts) == len(parts):
        return f"ceil(({total})/({'*'.join(f'({text})' for text in texts) or '1'}))"

    def blocks(configuration: Configuration) -> float:
        over = math.prod(formula_value(part, configuration) for part in parts)
        return float(math.ceil(formula_value(total, configuration) / over))

    return blocks


def _constraints(given: Given) -> tuple[Formula, ...]:
    """A function of a configuration, or a list of texts, functions of named values, and pairs of a function and the
    names of its arguments."""
    if given is None:
        return ()
    if callable(given):
        return (cast("Formula", given),)
    return tuple(_constraint(item) for item in given)


def _constraint(item: Given) -> Formula:
    if isinstance(item, str):
        return item
    if callable(item) and not hasattr(item, "preProcess"):
        return _named(item, None)
    if isinstance(item, tuple) and len(item) >= 2 and callable(item[0]) and not hasattr(item[0], "preProcess"):
        return _named(item[0], tuple(item[1]))
    raise InputError(
        f"a restriction is a {type(item).__name__}, which is not read",
        hint="write it as a text such as 'block_size_x*tile <= 512', or as a function of the values",
    )


def _named(function: Callable[..., Any], names: tuple[str, ...] | None) -> Formula:
    def test(configuration: Configuration) -> float:
        return bool(function(**(configuration if names is None else {name: configuration[name] for name in names})))

    test.__name__ = getattr(function, "__name__", "restriction")
    return test


def _flags(options: Sequence[str] | None, defines: Mapping[str, Any] | None) -> str:
    macros = {"kernel_tuner": 1, **(defines or {})}
    for name, value in macros.items():
        if callable(value):
            raise InputError(f"the macro {name} is a function of the configuration", hint="make it a parameter")
    return " ".join((*(shlex.quote(f"-D{name}={value}") for name, value in macros.items()), *(options or ())))


def _argument(number: int, value: Any, folder: Path | None) -> str:
    """An argument as a launch takes it."""
    kind = getattr(value, "dtype", None)
    if kind is None or np.dtype(kind).kind not in "iufb":
        raise InputError(
            f"argument {number} is a {type(value).__name__}" + (f" of {kind}" if kind is not None else ""),
            hint="give arrays and scalars of numpy: numpy.int32(64), numpy.zeros(64, numpy.float32)",
        )
    letter = {"b": "u"}.get(np.dtype(kind).kind, np.dtype(kind).kind)
    name = f"{letter}{np.dtype(kind).itemsize * 8}"
    if isinstance(value, np.generic):
        return f"{name}:{float(value) if letter == 'f' else int(value)}"
    return f"{name}[{value.size}]{_contents(number, np.asarray(value).ravel(), folder)}"


def _contents(number: int, values: NDArray[Any], folder: Path | None) -> str:
    if values.dtype.kind == "f" or not values.size:
        return ""
    if (values == values[0]).all():
        return f"@constant({int(values[0])})"
    if (values == np.arange(values.size)).all():
        return "@iota"
    if folder is None:
        raise InputError(
            f"argument {number} is an array of whole numbers, which may be addresses", hint="folder=: where it is kept"
        )
    path = folder / f"argument-{number}.npy"
    np.save(path, values)
    return f"@{path}"
