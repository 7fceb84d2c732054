"""Arithmetic written by the user: `8*N*tile`, `ceil(N/64)`, `cores + llc_MiB <= 64`.

An expression is parsed once into nested functions and evaluated with floats or, all points at
once, with numpy arrays. Only arithmetic is understood: no attributes, no subscripts, no calls
but the few functions below, no names but parameters. Numbers are floats throughout, so that
`9**9**9` overflows into an error instead of filling the memory.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: what a parameter may be: one number, or one number for each design point
    Value: TypeAlias = float | NDArray[np.float64]

Values: TypeAlias = Mapping[str, Any]
_Program: TypeAlias = Callable[[Values], Any]

_MAX_LENGTH = 500

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: lambda x: _logical("logical_not", x),
}
#: name -> (fewest arguments, most arguments, the scalar function, the numpy function)
_FUNCTIONS: dict[str, tuple[int, int, Callable[..., float], str]] = {
    "abs": (1, 1, abs, "abs"),
    "ceil": (1, 1, math.ceil, "ceil"),
    "floor": (1, 1, math.floor, "floor"),
    "log2": (1, 1, math.log2, "log2"),
    "max": (2, 2, max, "maximum"),
    "min": (2, 2, min, "minimum"),
    "sqrt": (1, 1, math.sqrt, "sqrt"),
}


@dataclass(frozen=True, slots=True)
class Expression:
    """An arithmetic expression over named parameters; equal when the text is equal."""

    text: str
    names: frozenset[str] = field(init=False, compare=False, repr=False)
    _program: _Program = field(init=False, compare=False, repr=False)
    #: the value, if the whole text is one number
    _number: float | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        try:
            tree = _parse(self.text)
            object.__setattr__(self, "names", _names(tree))
            object.__setattr__(self, "_program", _compile(tree, self.text))
            number = self._program({}) if isinstance(tree, ast.Constant) else None
            object.__setattr__(
                self, "_number", number if number is not None and math.isfinite(number) else None
            )
        except RecursionError:
            raise InputError(f"{self.text[:40]!r}… is nested too deeply") from None

    def __reduce__(self) -> tuple[type[Expression], tuple[str]]:
        return Expression, (self.text,)  # the compiled form cannot travel; the text says everything

    def evaluate(self, values: Mapping[str, Value]) -> Value:
        """The value for given parameters; arrays broadcast. Undefined or not finite is an InputError."""
        if self._number is not None:
            return self._number
        try:
            result = self._run(values)
        except KeyError as missing:
            raise self._undefined(missing.args[0], values) from None
        except (ArithmeticError, ValueError, RecursionError) as error:
            raise InputError(f"{self.text!r} cannot be evaluated: {error}") from None
        if not _is_finite(result):
            raise InputError(f"{self.text!r} is not a finite real number for the given parameters")
        return cast("Value", result)

    def _undefined(self, name: str, values: Values) -> InputError:
        known = ", ".join(sorted(values)) or "none"
        return InputError(
            f"parameter {name!r} in {self.text!r} has no value{nearest(name, values)}",
            hint=f"give it with -D {name}=VALUE; known here: {known}",
        )

    def _run(self, values: Values) -> Any:
        for name in self.names:
            if type(values[name]) is not float and _is_array(values[name]):
                break
        else:
            result = self._program(values)
            return float(result) if isinstance(result, bool | int) else result
        import numpy as np

        with np.errstate(all="ignore"):  # what is not finite is reported by the caller
            return np.asarray(self._program(values), dtype=np.float64)


def constant(value: float) -> Expression:
    """An expression that is one number."""
    return Expression(repr(float(value)))


def _is_array(value: object) -> bool:
    return hasattr(value, "shape")


def _is_finite(value: Any) -> bool:
    if type(value) is float:
        return math.isfinite(value)
    if _is_array(value):
        import numpy as np

        return bool(np.isfinite(value).all())
    return False


def _parse(text: str) -> ast.expr:
    if len(text) > _MAX_LENGTH:
        raise InputError(f"{text[:40]!r}… is longer than {_MAX_LENGTH} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError):
        raise InputError(f"{text!r} is not an arithmetic expression") from None


def _names(tree: ast.expr) -> frozenset[str]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    )


def _compile(node: ast.expr, text: str) -> _Program:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _constant(number, text)
        case ast.Name(id=name):
            return lambda values: values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _apply(_BINARY[type(op)], [_compile(left, text), _compile(right, text)])
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _apply(_UNARY[type(op)], [_compile(operand, text)])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _apply(_COMPARE[type(op)], [_compile(left, text), _compile(right, text)])
        case ast.BoolOp(op=op, values=operands):
            name = "logical_and" if isinstance(op, ast.And) else "logical_or"
            return _apply(lambda *args: _logical(name, *args), [_compile(item, text) for item in operands])
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, args, text)
    raise InputError(f"{text!r} is not arithmetic: {ast.unparse(node)!r} is not understood")


def _constant(number: float, text: str) -> _Program:
    try:
        value = float(number)
    except OverflowError:
        raise InputError(f"{text[:40]!r} holds a number that is too large") from None
    return lambda _: value


def _apply(function: Callable[..., Any], operands: list[_Program]) -> _Program:
    if len(operands) == 2:  # the common case, without building a list each time
        left, right = operands
        return lambda values: function(left(values), right(values))
    return lambda values: function(*[operand(values) for operand in operands])


def _call(name: str, args: list[ast.expr], text: str) -> _Program:
    if name not in _FUNCTIONS:
        raise InputError(
            f"{text!r} calls {name!r}, which is not known{nearest(name, _FUNCTIONS)}",
            hint="known: " + ", ".join(_FUNCTIONS),
        )
    fewest, most, scalar, array = _FUNCTIONS[name]
    if not fewest <= len(args) <= most or any(isinstance(arg, ast.Starred) for arg in args):
        raise InputError(f"{text!r}: {name} takes {fewest} argument{'s' if fewest > 1 else ''}")

    def function(*values: Any) -> Any:
        if not any(_is_array(value) for value in values):
            return float(scalar(*values))
        import numpy as np

        return getattr(np, array)(*values)

    return _apply(function, [_compile(arg, text) for arg in args])


def _logical(name: str, *operands: Any) -> Any:
    if any(_is_array(operand) for operand in operands):
        import numpy as np

        function = getattr(np, name)
        return function(operands[0]) if len(operands) == 1 else function.reduce(operands)
    if name == "logical_not":
        return not operands[0]
    return all(operands) if name == "logical_and" else any(operands)
