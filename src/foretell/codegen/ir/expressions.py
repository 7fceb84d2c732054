"""Lowers expressions of a nest to IR values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.codegen.ir.functions import Functions
from foretell.codegen.ir.values import BOOL, Arithmetic, FloatRules, Pair, real_part, value_type
from foretell.core.nest.statements import ElementType, Expression, Num, Op, Ref, Var
from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_BINARY = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
_PLAIN = frozenset({"cast", "neg", "~", "!", "select", "merge", "&&", "||", "min", "max", "abs"})
_RANK = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
#: maximum integer power that compilers expand to products
_MOST_POWER = 16


class Expressions:
    """Emits the IR of an expression, in its own type; the caller reads scalars and elements."""

    def __init__(
        self, builder: Any, module: Any, rules: FloatRules, scalar: Callable[[Var], Any], element: Callable[[Ref], Any]
    ) -> None:
        self._b, self._rules, self._scalar, self._element = builder, rules, scalar, element
        self.arithmetic = Arithmetic(builder, rules, lambda *call: self._functions.call(*call))
        self._functions = Functions(self.arithmetic, module)

    def value(self, expression: Expression) -> Any:
        """Value of type `expression.type`."""
        match expression:
            case Num(number, kind):
                return self.arithmetic.constant(number, kind)
            case Var():
                return self._scalar(expression)
            case Ref():
                return self._element(expression)
            case Op():
                return self._operation(expression)

    def as_type(self, expression: Expression, kind: ElementType) -> Any:
        """Value converted to a type."""
        return self.arithmetic.convert(self.value(expression), expression.type, kind)

    def truth(self, expression: Expression) -> Any:
        """Whether the value is not zero."""
        return self.arithmetic.truth(self.value(expression), expression.type)

    def _operation(self, node: Op) -> Any:
        op, args = node.op, node.args
        if op == "cast":
            return self.as_type(args[0], node.type)
        if op in _COMPARISONS:
            kind = node.operand or common(args[0].type, args[1].type)
            return self.arithmetic.compare(op, self.as_type(args[0], kind), self.as_type(args[1], kind), kind)
        if op in ("&&", "||"):
            return self._logical(node)
        if op in ("select", "merge"):
            return self._select(node)
        if op == "!":
            return self._b.not_(self.truth(args[0]))
        if op == "~":
            return self._b.not_(self.as_type(args[0], node.type))
        if op == "neg":
            return self.arithmetic.negate(self.as_type(args[0], node.type), node.type)
        if op == "**":
            return self._power(node)
        if op in "+-" and self._rules.within and node.type.kind == "float" and len(args) == 2:
            return self._sum(node)
        if _is_mixed(node):
            left, right = (self._part(argument, node.type) for argument in args)
            return self.arithmetic.mixed(op, left, right, node.type)
        if op in _BINARY and len(args) == 2:
            left, right = (self.as_type(argument, node.type) for argument in args)
            return self.arithmetic.binary(op, left, right, node.type)
        return self._function(node)

    def _part(self, expression: Expression, kind: ElementType) -> Any:
        """Operand of a complex operation: complex, or still real."""
        return self.as_type(expression, kind if expression.type.kind == "complex" else real_part(kind))

    def _sum(self, node: Op) -> Any:
        """Sum or difference; a product among its terms is fused, the left one where both are (as clang chooses)."""
        kind = node.type
        place = next((place for place, term in enumerate(node.args) if _is_product(term, kind)), None)
        found = []
        for number, term in enumerate(node.args):
            parts = term.args if number == place and isinstance(term, Op) else (term,)
            found.append([self.as_type(part, kind) for part in parts])
        if place is None:
            return self.arithmetic.binary(node.op, found[0][0], found[1][0], kind)
        if node.op == "-":
            found[1][0] = self.arithmetic.negate(found[1][0], kind)
        return self._functions.intrinsic("fmuladd", [*found[place], *found[1 - place]])

    def _function(self, node: Op) -> Any:
        if not node.args or node.type.kind == "other":
            raise UnsupportedError(f"no code can be generated for {node.op}")
        kind = node.args[0].type
        for argument in node.args[1:]:
            kind = common(kind, argument.type)
        if kind.kind in ("int", "uint", "bool") and node.type.kind in ("float", "complex"):
            kind = node.type  # sqrt(2) in C: the argument is converted
        args = [self.as_type(argument, kind) for argument in node.args]
        if node.op == "cmplx" and kind.kind == "float":
            return Pair(args[0], args[1] if len(args) > 1 else self.arithmetic.constant(0.0, kind))
        return self._functions.of(node.op, args, kind, node.type)

    def _power(self, node: Op) -> Any:
        """Expands a small integer power to a product of squares, as compilers do."""
        base, exponent = node.args
        power = exponent.value if isinstance(exponent, Num) and isinstance(exponent.value, int) else None
        value = self.as_type(base, node.type)
        if power is None or not 0 < power <= _MOST_POWER:
            if node.type.kind != "float":
                raise UnsupportedError("no code can be generated for a power that is not a small constant")
            return self._functions.of("pow", [value, self.as_type(exponent, node.type)], node.type, node.type)
        result = None
        while power:
            if power & 1:
                result = value if result is None else self.arithmetic.binary("*", result, value, node.type)
            power >>= 1
            value = self.arithmetic.binary("*", value, value, node.type) if power else value
        return result

    # ---- conditional evaluation

    def _logical(self, node: Op) -> Any:
        left, right = node.args
        if not has_effects(right, loads=not self._rules.masked):
            join = self._b.and_ if node.op == "&&" else self._b.or_
            return join(self.truth(left), self.truth(right))
        first = self.truth(left)
        short = self.arithmetic.constant(node.op == "||", BOOL)
        test = first if node.op == "&&" else self._b.not_(first)
        return self._either(test, lambda: self.truth(right), lambda: short)

    def _select(self, node: Op) -> Any:
        condition, then, other = node.args
        if isinstance(condition, Op) and self._rules.signed_zeros and _is_size(node, condition):
            test = self._against_zero(condition)
        else:
            test = self.truth(condition)
        effects = any(has_effects(arm, loads=not self._rules.masked) for arm in (then, other))
        if node.op == "merge" or not effects:
            return self.arithmetic.choose(test, self.as_type(then, node.type), self.as_type(other, node.type))
        return self._either(test, lambda: self.as_type(then, node.type), lambda: self.as_type(other, node.type))

    def _against_zero(self, condition: Op) -> Any:
        """Comparison with a zero that is opaque to LLVM."""
        kind = condition.args[0].type
        zero = self._functions.unknown_zero(value_type(kind))
        left, right = (zero if isinstance(one, Num) else self.as_type(one, kind) for one in condition.args)
        return self.arithmetic.compare(condition.op, left, right, kind)

    def _either(self, test: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """Value computed in one of two blocks: loads must not be executed speculatively."""
        found: list[tuple[Any, Any]] = []
        with self._b.if_else(test) as (first, second):
            for branch, make in ((first, then), (second, other)):
                with branch:
                    found.append((make(), self._b.block))
        if not isinstance(found[0][0], Pair):
            return self._joined(found)
        return Pair(*(self._joined([(getattr(value, part), block) for value, block in found]) for part in ("re", "im")))

    def _joined(self, incoming: list[tuple[Any, Any]]) -> Any:
        phi = self._b.phi(incoming[0][0].type)
        for value, block in incoming:
            phi.add_incoming(value, block)
        return phi


def _is_mixed(node: Op) -> bool:
    """Whether one operand is complex and the other real: neither C nor Fortran converts the latter to complex first."""
    kinds = [argument.type.kind == "complex" for argument in node.args]
    mixes = node.op in ("+", "-", "*") and sorted(kinds) == [False, True]
    return node.type.kind == "complex" and (mixes or (node.op == "/" and kinds == [True, False]))


def _is_size(node: Op, condition: Op) -> bool:
    """Whether it is a floating-point absolute value, by a comparison with 0: x < 0 ? -x : x."""
    _, then, other = node.args
    compared = condition.op in ("<", "<=", ">", ">=") and node.type.kind == "float"
    zeros = [one for one in condition.args if isinstance(one, Num) and one.value == 0]
    negated = [one.args[0] for one in (then, other) if isinstance(one, Op) and one.op == "neg"]
    return compared and len(zeros) == len(negated) == 1 and negated[0] in (then, other)


def _is_product(expression: Expression, kind: ElementType) -> bool:
    return isinstance(expression, Op) and expression.op == "*" and expression.type == kind


def has_effects(expression: Expression, loads: bool = True) -> bool:
    """Whether evaluation may trap or call, so that it must not be speculated. Loads count, unless `loads` is False."""
    if isinstance(expression, Ref):
        return loads
    if not isinstance(expression, Op):
        return False
    simple = expression.op in _BINARY - {"%"} or expression.op in _COMPARISONS or expression.op in _PLAIN
    integer_division = expression.op == "/" and expression.type.kind != "float"
    return not simple or integer_division or any(has_effects(part, loads) for part in expression.args)


def common(left: ElementType, right: ElementType) -> ElementType:
    """Common type of a binary operation."""
    if left == right:
        return left
    if left.kind not in _RANK or right.kind not in _RANK:
        raise UnsupportedError(f"no code can be generated for values of type {left.name} with {right.name}")
    return max(left, right, key=lambda kind: (_RANK[kind.kind], kind.size))
