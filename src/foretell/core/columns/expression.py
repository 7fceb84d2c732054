"""User-written arithmetic: `8*N*tile`, `ceil(N/64)`, `cores + llc_MiB <= 64`.

An expression is checked and compiled once, and evaluated with floats or, for all points at once, with numpy arrays.
Only arithmetic is accepted: no attributes, no subscripts, no calls but the few functions below, no names but
parameters. All numbers are floats, so that `9**9**9` overflows into an error instead of exhausting memory.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache, reduce
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: value of a parameter: one number, or one number per design point
    Value: TypeAlias = float | NDArray[np.float64]

Values: TypeAlias = Mapping[str, Any]

_MAX_LENGTH = 500

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_COMPARE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
#: name -> (number of arguments, scalar function, numpy function)
_FUNCTIONS: dict[str, tuple[int, Callable[..., float], str]] = {
    "abs": (1, abs, "abs"),
    "ceil": (1, lambda x: float(math.ceil(x)), "ceil"),
    "floor": (1, lambda x: float(math.floor(x)), "floor"),
    "log2": (1, math.log2, "log2"),
    "max": (2, max, "maximum"),
    "min": (2, min, "minimum"),
    "sqrt": (1, math.sqrt, "sqrt"),
}
#: functions that take more arguments than two as well
_OF_SEVERAL = ("max", "min")
#: operators that are functions on arrays: (scalar function, numpy function)
_LOGIC: dict[type[ast.AST], tuple[Callable[..., bool], str]] = {
    ast.And: (lambda left, right: bool(left and right), "logical_and"),
    ast.Or: (lambda left, right: bool(left or right), "logical_or"),
    ast.Not: (operator.not_, "logical_not"),
}
#: scalar functions that a compiled expression calls when all parameters are numbers, by the name of the numpy one
_SCALAR: dict[str, Callable[..., float]] = {
    array: scalar for scalar, array in (*((f, g) for _, f, g in _FUNCTIONS.values()), *_LOGIC.values())
}


@dataclass(frozen=True, slots=True)
class Expression:
    """An arithmetic expression over named parameters; equal when the text is equal."""

    text: str
    names: frozenset[str] = field(init=False, compare=False, repr=False)
    _program: FunctionType = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        names, program = _compiled(self.text)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "_program", program)

    def __reduce__(self) -> tuple[type[Expression], tuple[str]]:
        return Expression, (self.text,)  # the compiled form cannot be pickled; the text suffices

    def evaluate(self, values: Mapping[str, Value]) -> Value:
        """Evaluates at given parameters; arrays broadcast. Undefined or non-finite values raise InputError."""
        try:
            result = self._run(values)
        except KeyError as missing:
            raise self._undefined(missing.args[0], values) from None
        except OverflowError:  # says so as a number and a text of C's library
            raise InputError(f"{self.text!r} cannot be evaluated: a number in it is too large") from None
        except (ArithmeticError, ValueError, RecursionError) as error:
            raise InputError(f"{self.text!r} cannot be evaluated: {error}") from None
        if not _is_finite(result):
            raise InputError(f"{self.text!r} is not a finite real number for the given parameters")
        return cast("Value", result)

    def _undefined(self, name: str, values: Values) -> InputError:
        message = f"parameter {name!r} in {self.text!r} has no value{nearest(name, values)}"
        known = ", ".join(sorted(values)) or "none"
        return InputError(message, hint=f"give it with -D {name}=VALUE; known here: {known}")

    def _run(self, values: Values) -> Any:
        if not any(type(values[name]) is not float and _is_array(values[name]) for name in self.names):
            result = self._program(values)
            return float(result) if type(result) is int else result
        import numpy as np

        program = FunctionType(self._program.__code__, {name: getattr(np, name) for name in _SCALAR})
        with np.errstate(all="ignore"):  # non-finite values are reported by the caller
            return np.asarray(program(values), dtype=np.float64)


def expressions_in(item: object, skipped: tuple[type, ...] = ()) -> Iterator[Expression]:
    """Iterates over all expressions inside nested frozen values, but for values of the skipped types."""
    if isinstance(item, Expression):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from expressions_in(part, skipped)
    elif is_dataclass(item) and not isinstance(item, skipped):
        for entry in fields(item):
            yield from expressions_in(getattr(item, entry.name), skipped)


def constant(value: float) -> Expression:
    """Parses an expression that must be a single number."""
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


@lru_cache(maxsize=4096)
def _compiled(text: str) -> tuple[frozenset[str], FunctionType]:
    """Compiles an expression: its names, and the function of their values."""
    try:
        tree = _parse(text)
        function = ast.parse("lambda values: 0", mode="eval")
        cast("ast.Lambda", function.body).body = _translate(tree, text)
        code = compile(ast.fix_missing_locations(function), "<expression>", "eval")
    except RecursionError:
        raise InputError(f"{text[:40]!r}… is nested too deeply") from None
    return _names(tree), eval(code, dict(_SCALAR))  # safe: contains only what `_translate` accepts


def _names(tree: ast.expr) -> frozenset[str]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)


def _translate(node: ast.expr, text: str) -> ast.expr:
    """Translates the syntax tree to float arithmetic on looked-up values."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return ast.Constant(_float(number, text))
        case ast.Name(id=name):
            return ast.Subscript(_name("values"), ast.Constant(name), ast.Load())
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _BINARY):
            return ast.BinOp(_translate(left, text), op, _translate(right, text))
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() as op, operand=operand):
            return ast.UnaryOp(op, _translate(operand, text))
        case ast.UnaryOp(op=ast.Not() as op, operand=operand):
            return _truth(ast.Call(_name(_LOGIC[type(op)][1]), [_translate(operand, text)], []))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARE):
            return _truth(ast.Compare(_translate(left, text), [op], [_translate(right, text)]))
        case ast.Compare(
            left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[ast.List() | ast.Tuple() as among]
        ) if not any(isinstance(part, ast.In | ast.NotIn) for part in ast.walk(left)):  # it is written several times
            return _translate(_is_among(left, among.elts, within=isinstance(op, ast.In)), text)
        case ast.Compare(left=left, ops=ops, comparators=right) if len(ops) > 1:  # a < b < c: a < b and b < c
            sides = [left, *right]
            pairs = [ast.Compare(sides[n], [op], [sides[n + 1]]) for n, op in enumerate(ops)]
            return _translate(ast.BoolOp(ast.And(), list(pairs)), text)
        case ast.BoolOp(op=op, values=operands):
            function = _name(_LOGIC[type(op)][1])
            both = (_translate(operand, text) for operand in operands)
            return _truth(reduce(lambda left, right: ast.Call(function, [left, right], []), both))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, args, text)
    raise InputError(f"{text!r} is not arithmetic: {ast.unparse(node)!r} is not understood")


def _float(number: float, text: str) -> float:
    try:
        return float(number)
    except OverflowError:
        raise InputError(f"{text[:40]!r} holds a number that is too large") from None


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _is_among(left: ast.expr, items: list[ast.expr], *, within: bool) -> ast.expr:
    """Writes `a in [1, 2]` as a == 1 or a == 2, and `a not in …` as a != 1 and a != 2."""
    equal: list[ast.expr] = [ast.Compare(left, [ast.Eq() if within else ast.NotEq()], [item]) for item in items]
    if not equal:
        return ast.Compare(ast.Constant(0), [ast.NotEq() if within else ast.Eq()], [ast.Constant(0)])
    return equal[0] if len(equal) == 1 else ast.BoolOp(ast.Or() if within else ast.And(), equal)


def _truth(condition: ast.expr) -> ast.expr:
    """Converts a truth value to 1 or 0: numpy's arithmetic on booleans differs from Python's."""
    return ast.BinOp(condition, ast.Add(), ast.Constant(0.0))


def _call(name: str, args: list[ast.expr], text: str) -> ast.expr:
    if name not in _FUNCTIONS:
        raise InputError(
            f"{text!r} calls {name!r}, which is not known{nearest(name, _FUNCTIONS)}",
            hint="known: " + ", ".join(_FUNCTIONS),
        )
    number, _, function = _FUNCTIONS[name]
    if name in _OF_SEVERAL and len(args) > number:
        return _call(name, [args[0], ast.Call(_name(name), args[1:], [])], text)
    if len(args) != number or any(isinstance(arg, ast.Starred) for arg in args):
        raise InputError(f"{text!r}: {name} takes {number} argument{'s' if number > 1 else ''}")
    return ast.Call(_name(function), [_translate(arg, text) for arg in args], [])
