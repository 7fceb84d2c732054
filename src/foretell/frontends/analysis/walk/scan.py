"""Syntactic facts about statements, computed once: variables assigned, upward-exposed reads, functions called.

A scalar that a loop body assigns before reading is a temporary: it is not live at the loop head. Only the others
(`ijk++`, `p += n`, `sum += …`) can be induction variables or recurrences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@record
class Facts:
    """Facts about a statement or a sequence of statements. Names are variable identifiers."""

    assigned: frozenset[str]  # may be assigned
    definite: frozenset[str]  # is assigned on every path
    exposed: frozenset[str]  # may be read before it is assigned
    calls: frozenset[str]
    loops: int
    opaque: tuple[ir.Opaque, ...] = ()
    jumps: frozenset[str] = frozenset()


_NONE: frozenset[str] = frozenset()
EMPTY = Facts(_NONE, _NONE, _NONE, _NONE, 0)


class Scanner:
    """Computes facts about statements, cached by identity (the IR is immutable and outlives the scanner)."""

    def __init__(self, may_assign: Callable[[str, int], bool] = lambda function, position: True) -> None:
        #: whether a call may modify a variable passed by reference
        self.may_assign = may_assign
        #: whether plain arguments are passed by reference (Fortran); facts are cached, so each body is scanned once
        self.by_reference = False
        #: named constants of the scanned function: no call modifies them
        self.constants: frozenset[str] = _NONE
        self._statements: dict[int, Facts] = {}
        self._sequences: dict[int, Facts] = {}
        self._kept: list[object] = []

    def sequence(self, body: tuple[ir.Stmt, ...]) -> Facts:
        found = self._sequences.get(id(body))
        if found is None:
            found = self._sequences[id(body)] = _join([self.statement(one) for one in body])
            self._kept.append(body)
        return found

    def statement(self, one: ir.Stmt) -> Facts:
        found = self._statements.get(id(one))
        if found is None:
            found = self._statements[id(one)] = self._scan(one)
            self._kept.append(one)
        return found

    def _scan(self, one: ir.Stmt) -> Facts:
        match one:
            case ir.Assign(target, value):
                return self._assignment(target, value)
            case ir.Declare(variable, init):
                read = self.uses((init,) if init is not None else ())
                names = frozenset((variable,))
                return Facts(names | read.assigned, names, read.exposed, read.calls, 0)
            case ir.Evaluate(expr):
                return self.uses((expr,))
            case ir.Jump(kind, _, value):
                read = self.uses((value,) if value is not None else ())
                return Facts(read.assigned, _NONE, read.exposed, read.calls, 0, (), frozenset((kind,)))
            case ir.Loop():
                return self._loop(one)
            case ir.While(condition, body, _, step):
                inner = _join([self.uses((condition,)), self.sequence(body), self.sequence(step)])
                jumps = inner.jumps - {"break", "continue"}
                return Facts(inner.assigned, _NONE, inner.exposed, inner.calls, inner.loops + 1, inner.opaque, jumps)
            case ir.If(condition, then, other):
                return _join([self.uses((condition,)), _either([self.sequence(then), self.sequence(other)])])
            case ir.Switch(selector, cases):
                parts = [self.sequence(body) for _, body in cases]
                complete = any(not labels for labels, _ in cases)
                return _join([self.uses((selector,)), _either(parts if complete else [*parts, EMPTY])])
            case ir.Annotated(_, body):
                return self.sequence(body)
            case ir.Label():
                return EMPTY
            case ir.Opaque():
                return Facts(_NONE, _NONE, _NONE, _NONE, one.loops, (one,))

    def _loop(self, loop: ir.Loop) -> Facts:
        head = self.uses((loop.lower, loop.upper, loop.step))
        body = self.sequence(loop.body)
        own = frozenset((loop.variable,))
        return Facts(
            head.assigned | body.assigned | own,
            own,
            head.exposed | (body.exposed - own),
            head.calls | body.calls,
            body.loops + (0 if loop.implied else 1),
            body.opaque,
            body.jumps - {"break", "continue"},
        )

    def uses(self, exprs: tuple[ir.Expr, ...]) -> Facts:
        """Names read, names that a callee may modify, functions called."""
        exposed: set[str] = set()
        assigned: set[str] = set()
        calls: set[str] = set()
        stack: list[ir.Expr] = list(exprs)
        while stack:
            expr = stack.pop()
            if type(expr) is ir.Name:  # `is`, because a negative isinstance() is slow
                exposed.add(expr.id)
            elif type(expr) is ir.Binary:
                stack.append(expr.left)
                stack.append(expr.right)
            elif type(expr) is ir.Index:
                stack.append(expr.base)
                stack.extend(expr.subscripts)
            elif type(expr) is ir.Call:
                calls.add(expr.function)
                assigned.update(self._given_away(expr))
                stack.extend(children(expr))
            elif type(expr) is not ir.Const:
                stack.extend(children(expr))
        return Facts(frozenset(assigned), _NONE, frozenset(exposed), frozenset(calls), 0)

    def _given_away(self, call: ir.Call) -> Iterator[str]:
        for position, argument in enumerate(call.args):
            handed = isinstance(argument, ir.AddressOf) or (self.by_reference and isinstance(argument, ir.Name))
            root = root_of(argument) if handed else None
            if root is not None and root not in self.constants and self.may_assign(call.function, position):
                yield root

    def _assignment(self, target: ir.Expr, value: ir.Expr) -> Facts:
        read = self.uses((value,))
        if isinstance(target, ir.Name):
            own = frozenset((target.id,))
            return Facts(own | read.assigned, own, read.exposed, read.calls, 0)
        base = root_of(target)
        address = self.uses((target,))
        own = frozenset((base,)) if base is not None and isinstance(target, ir.Member) else _NONE
        return Facts(
            own | read.assigned | address.assigned, _NONE, read.exposed | address.exposed, read.calls | address.calls, 0
        )


def _join(parts: list[Facts]) -> Facts:
    """Facts of a sequence."""
    if len(parts) == 1:
        return parts[0]
    assigned: set[str] = set()
    definite: set[str] = set()
    exposed: set[str] = set()
    calls: set[str] = set()
    jumps: set[str] = set()
    opaque: list[ir.Opaque] = []
    loops = 0
    for part in parts:
        exposed |= part.exposed - definite
        assigned |= part.assigned
        if not jumps:  # after a conditional jump nothing is definite
            definite |= part.definite
        calls |= part.calls
        jumps |= part.jumps
        opaque.extend(part.opaque)
        loops += part.loops
    return Facts(
        frozenset(assigned),
        frozenset(definite),
        frozenset(exposed),
        frozenset(calls),
        loops,
        tuple(opaque),
        frozenset(jumps),
    )


def _either(parts: list[Facts]) -> Facts:
    """Facts of alternatives."""
    joined = _join([Facts(p.assigned, _NONE, p.exposed, p.calls, p.loops, p.opaque, p.jumps) for p in parts])
    definite = frozenset.intersection(*(part.definite for part in parts)) if parts else _NONE
    return Facts(joined.assigned, definite, joined.exposed, joined.calls, joined.loops, joined.opaque, joined.jumps)


def root_of(expr: ir.Expr) -> str | None:
    """The base variable of an lvalue: u of u[i][j], g of g->a[3]."""
    while True:
        match expr:
            case ir.Name(name):
                return name
            case ir.Index(base, _) | ir.Member(base, _, _) | ir.Deref(base) | ir.AddressOf(base) | ir.Cast(_, base):
                expr = base
            case ir.Binary(_, left, _):
                expr = left
            case _:
                return None


def children(expr: ir.Expr) -> list[ir.Expr]:
    """The sub-expressions of an expression."""
    found: list[ir.Expr] = []
    for name in expr.__match_args__:
        value = getattr(expr, name)
        if isinstance(value, tuple):
            found.extend(value)
        elif isinstance(value, EXPRESSIONS):
            found.append(value)
    return found


EXPRESSIONS = (
    ir.Const,
    ir.Name,
    ir.Index,
    ir.Member,
    ir.Deref,
    ir.AddressOf,
    ir.Binary,
    ir.Unary,
    ir.Select,
    ir.Cast,
    ir.Call,
)
