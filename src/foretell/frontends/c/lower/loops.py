"""Recognises counted C loops: variable, first and last value, step.

`for (i = a; i < b; i += s)` and its variants (`<=`, `!=`, `>`, `>=`, swapped comparison, `i + 1 < n`, two upper limits
joined by &&, the counter declared outside, further assignments joined by commas), and the loops that step in the test
(`while (n--)`, `for (i = n; i-- > 0;)`).
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from foretell.frontends.c.lower import fold
from foretell.frontends.c.lower.lvalues import is_integer, only_math
from foretell.frontends.c.lower.types import integer, is_whole
from foretell.frontends.c.lower.writes import Region, is_invariant, owns_jump
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from foretell.frontends.c.lower.expressions import Expressions
    from foretell.frontends.c.lower.writes import Writes

_RELATIONS = {11: "<", 12: ">", 13: "<=", 14: ">=", 15: "==", 16: "!="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "==": "=="}
#: relations that can end a loop with a step of that sign
_FITTING: dict[int, tuple[str, ...]] = {1: ("<", "<=", "!="), -1: (">", ">=", "!="), 0: ()}
_ADD, _SUBTRACT, _AND, _ASSIGN, _PLUS_ASSIGN, _MINUS_ASSIGN, _COMMA = 6, 7, 20, 22, 26, 27, 33
_POST_INCREMENT, _POST_DECREMENT, _PRE_INCREMENT, _PRE_DECREMENT = 1, 2, 3, 4


@record
class Head:
    """The parts of a loop statement; an omitted part is None."""

    init: int | None
    condition: int | None
    increment: int | None
    body: int


@record
class Counted:
    """A counted loop without its lower bound, which depends on the initialisation."""

    variable: int  # declaration index
    upper: ir.Expr
    step: ir.Expr
    exact_end: bool
    #: statements to execute at the end of each iteration
    extra: tuple[int, ...] = ()
    #: offset of the body's value from that of the initialisation
    offset: int = 0


@record
class _Step:
    variable: int
    amount: ir.Expr
    #: 1, -1, or 0 where the step alone does not give the sign
    sign: int


@record
class _Limit:
    variable: int
    relation: str
    bound: int | None  # None: zero
    shift: tuple[int, int] | None  # (sign, node) of the term added to the variable before the comparison


class Counting:
    """Recognises the counted loops of one function."""

    def __init__(self, expressions: Expressions, writes: Writes) -> None:
        self._tree = expressions.tree
        self._expressions = expressions
        self._writes = writes

    def counted(self, head: Head) -> Counted | None:
        """Recognises a counted loop; None if it is not one."""
        if head.condition is None:
            return None
        if head.increment is None:
            return self._stepping_test(head)
        parts = self._flattened(head.increment, _COMMA)
        for position, part in enumerate(parts):
            extra = parts[:position] + parts[position + 1 :]
            region = self._writes.within(head.body, *extra)
            step = self._step(part, region)
            if step is None or not self._may_count(step.variable, region):
                continue
            ends = self._limits(head.condition, step, region)
            if ends is None:
                continue
            # further increments move to the end of the body: no `continue` may skip them, nor they read the counter
            if extra and owns_jump(self._tree, head.body, Kind.CONTINUE):
                return None
            if any(self._mentions(later, step.variable) for later in parts[position + 1 :]):
                return None
            upper, exact = ends
            return Counted(step.variable, upper, step.amount, exact, tuple(extra))
        return None

    # ------------------------------------------------------------------------------------------ the ordinary head

    def _may_count(self, variable: int, region: Region) -> bool:
        if variable in region.variables or variable in self._writes.exposed:
            return False
        return is_whole(self._expressions.declared_type(variable))

    def _mentions(self, node: int, variable: int) -> bool:
        tree = self._tree
        return any(tree.kind[part] == Kind.NAME and tree.ref[part] == variable for part in range(node, tree.end[node]))

    def _step(self, node: int, region: Region) -> _Step | None:
        """The step of i++, --i, i += s, i -= s, i = i + s, i = s + i, i = i - s."""
        tree = self._tree
        node = self._stripped(node)
        kind, operation = tree.kind[node], tree.op[node]
        if kind == Kind.UNARY and operation <= _PRE_DECREMENT:
            variable = self._variable(node + 1)
            sign = 1 if operation in (_POST_INCREMENT, _PRE_INCREMENT) else -1
            return None if variable is None else _Step(variable, ir.Const(sign, ir.INT), sign)
        parts = tree.expressions(node)
        variable = self._variable(parts[0]) if len(parts) == 2 else None
        if variable is None:
            return None
        if kind == Kind.COMPOUND_ASSIGN and operation in (_PLUS_ASSIGN, _MINUS_ASSIGN):
            return self._amount(variable, parts[1], 1 if operation == _PLUS_ASSIGN else -1, region)
        if kind == Kind.BINARY and operation == _ASSIGN:
            shift = self._shifted(parts[1], variable)
            return None if shift is None else self._amount(variable, shift[1], shift[0], region)
        return None

    def _amount(self, variable: int, node: int, sign: int, region: Region) -> _Step | None:
        amount = self._invariant(node, variable, region)
        value = integer(amount)
        if value is not None:
            return _Step(variable, ir.Const(sign * value, ir.INT), sign if value > 0 else -sign) if value else None
        if amount is None or not is_whole(ir.type_of(amount)):
            return None
        return _Step(variable, amount if sign > 0 else ir.Unary("-", amount), 0)

    # ------------------------------------------------------------------------------------------ the test

    def _limits(self, node: int, step: _Step, region: Region) -> tuple[ir.Expr, bool] | None:
        """The last value, and whether the test is `!=`; of several tests joined by && the tightest limit."""
        uppers: list[ir.Expr] = []
        exact = False
        rises = False
        for part in self._flattened(node, _AND):
            limit = self._limit(part, step.variable)
            upper = None if limit is None else self._inclusive(limit, step, region)
            if upper is None or limit is None:
                return None
            rises = rises if uppers else step.sign > 0 or limit.relation in ("<", "<=")
            uppers.append(upper)
            exact = exact or limit.relation == "!="
        if len(uppers) > 1 and exact:
            return None
        name = "min" if rises else "max"
        return reduce(lambda left, right: ir.Call(name, (left, right), ir.type_of(left)), uppers), exact

    def _inclusive(self, limit: _Limit, step: _Step, region: Region) -> ir.Expr | None:
        sign = step.sign or {"<": 1, "<=": 1, ">": -1, ">=": -1}.get(limit.relation, 0)
        if limit.relation not in _FITTING[sign]:
            return None
        bound = self._bound(limit.bound, limit.variable, region)
        if bound is None:
            return None
        if limit.shift is not None:
            added = self._invariant(limit.shift[1], limit.variable, region)
            if added is None:
                return None
            amount = integer(added)
            if amount is not None:
                bound = fold.plus(bound, -limit.shift[0] * amount)
            else:
                bound = fold.binary("-" if limit.shift[0] > 0 else "+", bound, added)
        return bound if limit.relation in ("<=", ">=") else fold.plus(bound, -sign)

    def _bound(self, node: int | None, variable: int, region: Region) -> ir.Expr | None:
        """The loop-invariant integer that the counter is compared with: zero where none is written."""
        bound = ir.Const(0, ir.INT) if node is None else self._invariant(node, variable, region)
        return bound if bound is not None and is_integer(bound) else None

    def _limit(self, node: int, variable: int) -> _Limit | None:
        tree = self._tree
        node = self._stripped(node)
        if self._variable(node) == variable:  # for (i = n; i; i--)
            return _Limit(variable, "!=", None, None)
        parts = tree.expressions(node)
        if tree.kind[node] != Kind.BINARY or tree.op[node] not in _RELATIONS or len(parts) != 2:
            return None
        given = _RELATIONS[tree.op[node]]
        for side, other, relation in ((parts[0], parts[1], given), (parts[1], parts[0], _TURNED[given])):
            if self._variable(side) == variable:
                return _Limit(variable, relation, other, None)
            shift = self._shifted(side, variable)
            if shift is not None and not self._mentions(other, variable):
                return _Limit(variable, relation, other, shift)
        return None

    def _shifted(self, node: int, variable: int) -> tuple[int, int] | None:
        """The offset c of i + c or i - c."""
        tree = self._tree
        node = self._stripped(node)
        parts = tree.expressions(node)
        if tree.kind[node] != Kind.BINARY or tree.op[node] not in (_ADD, _SUBTRACT) or len(parts) != 2:
            return None
        if self._variable(parts[0]) == variable and not self._mentions(parts[1], variable):
            return (1 if tree.op[node] == _ADD else -1), parts[1]
        if tree.op[node] == _ADD and self._variable(parts[1]) == variable and not self._mentions(parts[0], variable):
            return 1, parts[0]
        return None

    # ------------------------------------------------------------------------------------------ tests that step

    def _stepping_test(self, head: Head) -> Counted | None:
        """Recognises while (n--), while (--n > 0), while (i++ < n), for (i = n; i-- > 0;)."""
        tree = self._tree
        assert head.condition is not None
        node = self._stripped(head.condition)
        relation, bound_node = "!=", None
        parts = tree.expressions(node)
        if tree.kind[node] == Kind.BINARY and tree.op[node] in _RELATIONS and len(parts) == 2:
            relation, bound_node = _RELATIONS[tree.op[node]], parts[1]
            node = self._stripped(parts[0])
        if tree.kind[node] != Kind.UNARY or tree.op[node] > _PRE_DECREMENT or tree.op[node] < 1:
            return None
        variable = self._variable(node + 1)
        region = self._writes.within(head.body)
        if variable is None or not self._may_count(variable, region):
            return None
        bound = self._bound(bound_node, variable, region)
        operation = tree.op[node]
        sign = 1 if operation in (_POST_INCREMENT, _PRE_INCREMENT) else -1
        if bound is None or relation not in _FITTING[sign]:
            return None
        # the test sees the value before (post) or after (pre) the step; the body always sees it after
        ahead = sign if operation in (_POST_INCREMENT, _POST_DECREMENT) else 0
        last = bound if relation in ("<=", ">=") else fold.plus(bound, -sign)
        return Counted(variable, fold.plus(last, ahead), ir.Const(sign, ir.INT), relation == "!=", (), sign)

    # ------------------------------------------------------------------------------------------ queries

    def _stripped(self, node: int) -> int:
        tree = self._tree
        while tree.kind[node] in (Kind.PAREN, Kind.UNEXPOSED):
            inner = tree.expressions(node)
            if not inner:
                return node
            node = inner[-1]
        return node

    def _variable(self, node: int) -> int | None:
        """The variable that an expression names, ignoring parentheses and conversions."""
        node = self._stripped(node)
        if self._tree.kind[node] == Kind.CAST:
            inner = self._tree.expressions(node)
            return self._variable(inner[0]) if len(inner) == 1 else None
        if self._tree.kind[node] != Kind.NAME or self._tree.ref[node] < 0:
            return None
        declaration = self._tree.declarations[self._tree.ref[node]]
        return self._tree.ref[node] if declaration.kind in (Kind.VARIABLE, Kind.PARAMETER) else None

    def _flattened(self, node: int, operation: int) -> list[int]:
        """The operands of a chain of one operator: a, b, c of `a && b && c`."""
        stripped = self._stripped(node)
        if self._tree.kind[stripped] == Kind.BINARY and self._tree.op[stripped] == operation:
            return [part for side in self._tree.expressions(stripped) for part in self._flattened(side, operation)]
        return [node]

    def _invariant(self, node: int, variable: int, region: Region) -> ir.Expr | None:
        """A loop-invariant expression without the counter, lowered; None if it is not invariant."""
        if self._mentions(node, variable) or not is_invariant(self._tree, node, region):
            return None
        full = self._expressions.full(node)
        return _plain(full.value) if full.pure and only_math(full.value) else None


def _plain(expr: ir.Expr) -> ir.Expr:
    """A bound without widening conversions: bounds are mathematical integers."""
    while isinstance(expr, ir.Cast) and isinstance(expr.type, ir.Scalar) and is_whole(expr.type):
        inner = ir.type_of(expr.operand)
        if not isinstance(inner, ir.Scalar) or not is_whole(inner) or inner.size > expr.type.size:
            break
        expr = expr.operand
    return expr
