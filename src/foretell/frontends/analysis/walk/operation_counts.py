"""Counts operations by kind from expression trees.

Kinds: add, mul, div, div_const (by a literal: a multiplication to most compilers, EX-5), sqrt, neg, abs, minmax,
compare, convert, int, the name of every other function (exp, sin, pow, …); `fma` counts the additions that could be
fused with a product of the same expression, and is not a separate operation. Complex arithmetic counts its real
operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Expression, Num, Op, Ref, Var

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

# Trees are distinguished by `type(tree) is …`: a negative isinstance() is slow, and this runs a million times.
_INTEGER = ("int", "uint", "bool", "other")
_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_SIMPLE = {"fabs": "abs", "fmin": "minmax", "fmax": "minmax"}
#: rearrangement, not arithmetic
_FREE_WORDS = "select merge real creal aimag cimag cmplx conj sign copysign isnan isinf isfinite signbit && || ! &"
_FREE = frozenset(_FREE_WORDS.split())
#: multiplications of x**n by repeated squaring, for literal n up to this
MAX_POWER = 64


def is_constant(tree: Expression) -> bool:
    """Whether a compiler folds the expression: literals only."""
    if type(tree) is not Op:
        return type(tree) is Num
    # long sums are left-deep: their last operand answers soonest
    return bool(tree.args) and all(map(is_constant, reversed(tree.args)))


def references(tree: Expression) -> list[Ref]:
    """Every element read, index arrays included."""
    if type(tree) is Ref:
        return [tree, *(inner for load in tree.loads for inner in references(load))]
    if type(tree) is Op:
        certain = tree.args[:1] if lazy(tree) else tree.args
        return [found for argument in certain for found in references(argument)]
    return []


def lazy_parts(tree: Expression) -> Iterator[Op]:
    """The conditionally evaluated parts of a tree, outermost first."""
    if type(tree) is not Op:
        return
    if lazy(tree):
        yield tree
        yield from lazy_parts(tree.args[0])
    else:
        for argument in tree.args:
            yield from lazy_parts(argument)


def is_free(tree: Expression) -> bool:
    """Whether evaluating a tree costs nothing: no operation, no element read."""
    return isinstance(tree, Num | Var) or is_constant(tree)


def lazy(tree: Expression) -> tuple[Expression, ...]:
    """The operands whose evaluation depends on the first one, if skipping them saves anything."""
    if type(tree) is Op and tree.op in ("select", "&&", "||") and not all(map(is_free, tree.args[1:])):
        return tree.args[1:]
    return ()


def count_into(tree: Expression, counts: Counter[str]) -> None:
    """Adds the unconditional operations; operands of `lazy` are left to the caller."""
    if type(tree) is not Op or is_constant(tree):
        return
    for argument in tree.args[:1] if lazy(tree) else tree.args:
        count_into(argument, counts)
    op, kind = tree.op, tree.type.kind
    if op in _COMPARE:
        compared = tree.operand.kind if tree.operand is not None else "int"
        counts["int" if compared in _INTEGER else "compare"] += 1
    elif op == "cast":
        if tree.operand is not None and kind != "complex":
            counts["convert"] += 1
    elif op in _FREE:
        pass
    elif kind in _INTEGER:
        counts["convert" if tree.operand is not None and tree.operand.kind == "float" else "int"] += 1
    elif op == "**":
        _power(tree, counts)
    elif kind == "complex":
        _complex(tree, counts)
    else:
        _real(tree, counts)


def _real(tree: Op, counts: Counter[str]) -> None:
    op, args = tree.op, tree.args
    if op in ("+", "-"):
        counts["add"] += 1
        if any(type(a) is Op and a.op == "*" and a.type.kind == "float" and not is_constant(a) for a in args):
            counts["fma"] += 1
    elif op == "*":
        counts["mul"] += 1
    elif op == "/":
        counts["div_const" if is_constant(args[1]) else "div"] += 1
    elif op == "fma":
        counts.update({"add": 1, "mul": 1, "fma": 1})
    elif op in ("min", "max"):
        counts["minmax"] += max(1, len(args) - 1)
    elif op == "cabs":
        counts.update({"mul": 2, "add": 1, "sqrt": 1})
    else:
        counts[_SIMPLE.get(op, op)] += 1


def _power(tree: Op, counts: Counter[str]) -> None:
    exponent = tree.args[1]
    value = exponent.value if type(exponent) is Num else None
    if isinstance(value, float) and value == int(value):
        value = int(value)
    if isinstance(value, int) and 0 < abs(value) <= MAX_POWER:
        size = abs(value)
        factor = 1 if tree.type.kind == "float" else 4
        counts["mul"] += factor * (size.bit_length() - 1 + bin(size).count("1") - 1)
        if value < 0:
            counts["div"] += 1
    elif value != 0:
        counts["pow"] += 1


def _complex(tree: Op, counts: Counter[str]) -> None:
    op, args = tree.op, tree.args
    mixed = any(a.type.kind != "complex" for a in args)
    if op in ("+", "-"):
        counts["add"] += 1 if mixed else 2
    elif op == "*":
        counts.update({"mul": 2} if mixed else {"mul": 4, "add": 2})
    elif op == "/":
        counts.update({"div": 2} if args[1].type.kind != "complex" else {"mul": 6, "add": 3, "div": 2})
    elif op == "neg":
        counts["neg"] += 2
    else:
        counts[op] += 1
