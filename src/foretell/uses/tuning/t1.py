"""Reads T1 files: tuning spaces in the format that Kernel Tuner and KTT share.

Values, sizes and conditions are expressions of Python in these files; they are parsed as arithmetic, never evaluated as
Python. `Values` may be a list, `range(…)`, `list(range(…))` or `[2**i for i in range(…)]`.
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn, cast

from foretell import files
from foretell.core.columns.expression import Expression
from foretell.errors import InputError, UnsupportedError, nearest
from foretell.uses.tuning.json_lines import line_of
from foretell.uses.tuning.space import Axis, KernelSpace

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.uses.tuning.space import Value

_TYPES = {
    "bool": "i8", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32",
    "int64": "i64", "uint64": "u64", "half": "f16", "float": "f32", "double": "f64",
}  # fmt: skip
#: the most values of an axis
_MOST_VALUES = 10_000


class T1File:
    """A T1 document; errors name the file, the line and the key."""

    def __init__(self, path: Path) -> None:
        self._path, self._text = path, files.read_text(path)
        self.document: Any = files.parse_json(self._text, path)

    def error(self, key: tuple[str | int, ...], message: str) -> NoReturn:
        """Raises the error of a key."""
        named = ".".join(map(str, key))
        raise InputError(f"{named}: {message}", file=self._path, line=line_of(self._text, key))

    def get(self, key: tuple[str | int, ...], kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """The value of a key, of this type; missing ones have a default or are an error."""
        value = self.document
        for depth, part in enumerate(key):
            inside = isinstance(value, list) if isinstance(part, int) else isinstance(value, dict)
            present = inside and (part in value if isinstance(part, str) else part < len(value))
            if not present:
                if default is ... or not inside:
                    self.error(key[: depth + 1] if inside else key[:depth], "is missing" if inside else "is no object")
                return default
            value = value[part]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.error(key, "is of the wrong type")
        return value

    def tried(self, key: tuple[str | int, ...], text: str, names: dict[str, float]) -> float:
        """An expression evaluated with these names."""
        try:
            return cast("float", Expression(text).evaluate(names))
        except InputError as error:
            self.error(key, error.message)


def is_t1(path: Path) -> bool:
    """Whether a file is a T1 file: JSON with a configuration space."""
    return path.suffix == ".json" and path.is_file() and "ConfigurationSpace" in files.read_text(path)


def read_space(path: Path) -> KernelSpace:
    """Reads a T1 file; the kernel's file is relative to it."""
    file = T1File(path)
    kernel = ("KernelSpecification",)
    if file.get((*kernel, "Language"), str) != "CUDA":
        raise UnsupportedError("KernelSpecification.Language: only CUDA is read", file=path)
    axes = _axes(file)
    fixed = _constants(file, axes)
    known = {axis.name for axis in axes} | set(fixed)
    grid, block = _grid(file, fixed, known), _sizes(file, "LocalSize", known)
    in_threads = file.get((*kernel, "GlobalSizeType"), str, "CUDA") == "OpenCL"
    if in_threads and "problem_size_x" not in "".join(grid):
        grid = tuple(f"ceil(({total})/({own}))" for total, own in zip(grid, block, strict=False))
    options = file.get((*kernel, "CompilerOptions"), list, [])
    try:
        return KernelSpace(
            _source(file, path),
            axes,
            grid,
            block,
            _arguments(file, fixed, axes),
            _conditions(file, axes),
            file.get((*kernel, "KernelName"), str),
            str(file.get((*kernel, "SharedMemory"), int, 0)),
            fixed,
            " ".join(("-Dkernel_tuner=1", *map(str, options))),  # the macro that Kernel Tuner sets
            file.get(("General", "BenchmarkName"), str, "") if "General" in file.document else "",
        )
    except InputError as error:
        raise error.at(path) from None


def _axes(file: T1File) -> tuple[Axis, ...]:
    listed = file.get(("ConfigurationSpace", "TuningParameters"), list)
    if not listed:
        file.error(("ConfigurationSpace", "TuningParameters"), "is empty")
    axes = []
    for number in range(len(listed)):
        key = ("ConfigurationSpace", "TuningParameters", number)
        name, given = file.get((*key, "Name"), str), file.get((*key, "Values"), (str, list))
        values = _values(file, (*key, "Values"), given)
        default = file.get((*key, "Default"), (int, float, str), None)
        try:
            axes.append(Axis(name, values, float(default) if isinstance(default, int) else default))
        except InputError as error:
            file.error(key, error.message)
    return tuple(axes)


def _values(file: T1File, key: tuple[str | int, ...], given: str | list[Any]) -> tuple[Value, ...]:
    """The values of an axis: a JSON list, or Python text of a list or range."""
    try:
        tree = ast.parse(str(given) if isinstance(given, list) else given.strip(), mode="eval").body
        return tuple(_listed(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError, InputError) as error:
        reason = error.message if isinstance(error, InputError) else "is neither a list nor a range"
        file.error(key, f"{str(given)[:60]!r} {reason}")


def _listed(node: ast.expr) -> list[Value]:
    match node:
        case ast.Call(func=ast.Name(id="list" | "sorted"), args=[inner], keywords=[]):
            return _listed(inner)
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if 1 <= len(args) <= 3:
            numbers = range(*(int(_number(arg, {})) for arg in args))
            if len(numbers) > _MOST_VALUES:
                raise InputError(f"has more than {_MOST_VALUES} values")
            return [float(number) for number in numbers]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_item(item) for item in items]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_listed(left), *_listed(right)]
        case ast.ListComp(
            elt=element, generators=[ast.comprehension(target=ast.Name(id=name), iter=source, ifs=tests)]
        ):
            named = [{name: float(cast("float", value))} for value in _listed(source)]
            return [_number(element, item) for item in named if all(_number(test, item) for test in tests)]
    raise InputError("is neither a list nor a range")


def _item(node: ast.expr) -> Value:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return float(node.value)
    return _number(node, {})


def _number(node: ast.expr, names: dict[str, float]) -> float:
    return cast("float", Expression(ast.unparse(node)).evaluate(names))


def _constants(file: T1File, axes: tuple[Axis, ...]) -> dict[str, float]:
    """The problem size as names, problem_size_x and so on, unless axes have these names."""
    key = ("KernelSpecification", "ProblemSize")
    given = file.get(key, (list, int, float), [])
    sizes = given if isinstance(given, list) else [given]
    names = {}
    for number, (axis, size) in enumerate(zip("xyz", sizes, strict=False)):
        if isinstance(size, bool) or not isinstance(size, int | float):
            file.error((*key, number) if isinstance(given, list) else key, "is not a number")
        names[f"problem_size_{axis}"] = float(size)
    return {name: size for name, size in names.items() if name not in {axis.name for axis in axes}}


def _grid(file: T1File, fixed: dict[str, float], known: set[str]) -> tuple[str, ...]:
    """Blocks of the grid: problem size over divisors where these are given, else the global size. Empty lists of
    divisors beside a global size are not given."""
    sizes = [name for name in fixed if name.startswith("problem_size_")]
    divisors = [file.get(("KernelSpecification", f"GridDiv{axis}"), list, None) for axis in "XYZ"]
    sized = "GlobalSize" in file.get(("KernelSpecification",), dict)
    if not sizes or all(divisor is None or (sized and not divisor) for divisor in divisors):
        return _sizes(file, "GlobalSize", known)
    return tuple(
        f"ceil({name}/({'*'.join(f'({part})' for part in divisor or ['1'])}))"
        for name, divisor in zip(sizes, divisors, strict=False)
    )


def _sizes(file: T1File, name: str, known: set[str]) -> tuple[str, ...]:
    key = ("KernelSpecification", name)
    first = file.get((*key, "X"), (str, int))
    rest = [file.get((*key, axis), (str, int), "1") for axis in "YZ"]
    sizes = tuple(str(text) for text in (first, *rest))
    for axis, text in zip("XYZ", sizes, strict=True):
        if unknown := sorted(Expression(_checked(file, (*key, axis), text)).names - known):
            hint = nearest(unknown[0], known)
            file.error((*key, axis), f"{unknown[0]} is neither a tuning parameter nor the problem size{hint}")
    return sizes


def _source(file: T1File, path: Path) -> Path:
    key = ("KernelSpecification", "KernelFile")
    source: Path = path.parent / file.get(key, str)
    if not source.is_file():
        file.error(key, f"there is no file {source}")
    return source


def _checked(file: T1File, key: tuple[str | int, ...], text: str) -> str:
    try:
        return Expression(text).text
    except InputError as error:
        file.error(key, error.message)


def _conditions(file: T1File, axes: tuple[Axis, ...]) -> tuple[str, ...]:
    listed = file.get(("ConfigurationSpace", "Conditions"), list, [])
    known = {axis.name for axis in axes}
    result = []
    for number in range(len(listed)):
        key = ("ConfigurationSpace", "Conditions", number, "Expression")
        text = _checked(file, key, file.get(key, str))
        if unknown := sorted(Expression(text).names - known):
            file.error(key, f"{unknown[0]} is not a tuning parameter")
        result.append(text)
    return tuple(result)


def _arguments(file: T1File, fixed: dict[str, float], axes: tuple[Axis, ...]) -> tuple[str, ...]:
    """Arguments as a launch takes them; symbols and constant memory are no parameters of a kernel."""
    listed = file.get(("KernelSpecification", "Arguments"), list, [])
    result = []
    for number in range(len(listed)):
        key = ("KernelSpecification", "Arguments", number)
        memory = file.get((*key, "MemoryType"), str)
        if memory == "Symbol" or file.get((*key, "MemType"), str, "") == "Constant":
            continue
        if memory not in ("Scalar", "Vector"):
            file.error((*key, "MemoryType"), f"{memory!r} is not supported")
        result.append(_argument(file, key, memory, fixed, axes))
    return tuple(result)


def _argument(
    file: T1File, key: tuple[str | int, ...], memory: str, fixed: dict[str, float], axes: tuple[Axis, ...]
) -> str:
    given = file.get((*key, "Type"), str)
    found = re.fullmatch(r"([a-z]+\d*?)(2|4|8)?", given)
    kind, lanes = (given, "") if given in _TYPES else (found[1], found[2] or "") if found else ("", "")
    if kind not in _TYPES:
        file.error((*key, "Type"), f"{given!r} is not supported")
    value = file.get((*key, "FillValue"), (int, float), 0)
    if memory == "Scalar":
        whole = not _TYPES[kind].startswith("f")
        return f"{_TYPES[kind]}:{int(value) if whole else float(value)}"
    size = file.get((*key, "Size"), (int, str))
    names = dict(fixed)
    names |= {f"_most_{axis.name}": max(map(float, axis.values)) for axis in axes if not _is_text(axis)}
    count = file.tried((*key, "Size"), _size_text(str(size)), names)
    if not (count >= 1 and count == int(count)):
        file.error((*key, "Size"), f"{count:g} is not a number of elements")
    element = _TYPES[kind] + (f"x{lanes}" if lanes else "")
    return f"{element}[{int(count)}]{_contents(file, key, _TYPES[kind], value)}"


def _is_text(axis: Axis) -> bool:
    return any(isinstance(value, str) for value in axis.values)


def _size_text(text: str) -> str:
    """ProblemSize[0] and max(axis) as names."""
    numbered = re.sub(r"ProblemSize\[(\d)\]", lambda found: f"problem_size_{'xyz'[int(found[1]) % 3]}", text)
    return re.sub(r"max\(\s*([A-Za-z_]\w*)\s*\)", r"_most_\1", numbered)


def _contents(file: T1File, key: tuple[str | int, ...], kind: str, value: float) -> str:
    """Contents of whole numbers matter, since they may be addresses; those of others do not."""
    fill = file.get((*key, "FillType"), str, "Constant")
    if fill == "BinaryRaw":
        return f"@{file.get((*key, 'DataSource'), str)}"
    if kind.startswith("f") or not math.isfinite(value):
        return ""
    if fill == "Constant":
        return f"@constant({int(value)})"
    return f"@random(0,{int(value)})" if fill == "Random" and value >= 1 else ""
