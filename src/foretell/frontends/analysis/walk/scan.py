"""Syntactic facts about statements, computed once: variables assigned, upward-exposed reads, functions called.

A scalar that a loop body assigns before reading is a temporary: it is not live at the loop head. Only the others
(`ijk++`, `p += n`, `sum += …`) can be induction variables or recurrences.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from foretell.frontends.source import ir
from foretell.frontends.source.traversal import children
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@record
class Facts:
    """Facts about a statement or a sequence of statements. Names are variable identifiers."""

    assigned: frozenset[str] = frozenset()  # may be assigned
    definite: frozenset[str] = frozenset()  # is assigned on every path
    exposed: frozenset[str] = frozenset()  # may be read before it is assigned
    calls: frozenset[str] = frozenset()
    loops: int = 0
    opaque: tuple[ir.Opaque, ...] = ()
    jumps: frozenset[str] = frozenset()


_NONE: frozenset[str] = frozenset()


class Scanner:
    """Computes facts about statements, cached by identity (the IR is immutable and outlives the scanner)."""

    def __init__(self, may_assign: Callable[[str, int, str], bool] = lambda function, position, root: True) -> None:
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
        facts = self._sequences.get(id(body))
        if facts is None:
            facts = self._sequences[id(body)] = _join(list(map(self.statement, body)))
            self._kept.append(body)
        return facts

    def statement(self, statement: ir.Stmt) -> Facts:
        facts = self._statements.get(id(statement))
        if facts is None:
            facts = self._statements[id(statement)] = self._scan(statement)
            self._kept.append(statement)
        return facts

    def _scan(self, statement: ir.Stmt) -> Facts:
        match statement:
            case ir.Assign(ir.Name(variable), value):
                return _assigning(variable, self.uses((value,)))
            case ir.Assign(target, value):
                read = self.uses((value, target))
                base = root_of(target) if isinstance(target, ir.Member) else None
                return read if base is None else replace(read, assigned=read.assigned | {base})
            case ir.Declare(variable, init):
                return _assigning(variable, self.uses((init,) if init is not None else ()))
            case ir.Evaluate(expr):
                return self.uses((expr,))
            case ir.Jump(kind, _, value):
                return replace(self.uses((value,) if value is not None else ()), jumps=frozenset((kind,)))
            case ir.Loop(variable, lower, upper, step, body):
                own = frozenset((variable,))
                parts = [self.uses((lower, upper, step)), Facts(own, own), self.sequence(body)]
                return _repeated(parts, own, 0 if statement.implied else 1)
            case ir.While(condition, body, _, step):
                return _repeated([self.uses((condition,)), self.sequence(body), self.sequence(step)], _NONE, 1)
            case ir.If(condition, then, other):
                return _join([self.uses((condition,)), _either([self.sequence(then), self.sequence(other)])])
            case ir.Switch(selector, cases):
                parts = [self.sequence(body) for _, body in cases]
                complete = any(not labels for labels, _ in cases)
                return _join([self.uses((selector,)), _either(parts if complete else [*parts, Facts()])])
            case ir.Annotated(_, body):
                return self.sequence(body)
            case ir.Label():
                return Facts()
            case ir.Opaque():
                return Facts(loops=statement.loops, opaque=(statement,))

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
                stack += (expr.left, expr.right)
            elif type(expr) is ir.Index:
                stack.append(expr.base)
                stack.extend(expr.subscripts)
            elif type(expr) is ir.Call:
                calls.add(expr.function)
                assigned.update(self._passed_by_reference(expr))
                stack.extend(children(expr))
            elif type(expr) is not ir.Const:
                stack.extend(children(expr))
        return Facts(frozenset(assigned), _NONE, frozenset(exposed), frozenset(calls))

    def _passed_by_reference(self, call: ir.Call) -> Iterator[str]:
        for position, argument in enumerate(call.args):
            passed = isinstance(argument, ir.AddressOf) or (self.by_reference and isinstance(argument, ir.Name))
            root = root_of(argument) if passed else None
            if root is not None and root not in self.constants and self.may_assign(call.function, position, root):
                yield root


def _assigning(variable: str, read: Facts) -> Facts:
    """Facts of an assignment to a variable."""
    own = frozenset((variable,))
    return Facts(own | read.assigned, own, read.exposed, read.calls)


def _repeated(parts: list[Facts], definite: frozenset[str], loops: int) -> Facts:
    """Facts of a loop with these parts."""
    inner = _join(parts)
    jumps = inner.jumps - {"break", "continue"}
    return replace(inner, definite=definite, loops=inner.loops + loops, jumps=jumps)


def _join(parts: list[Facts]) -> Facts:
    """Facts of a sequence."""
    if len(parts) == 1:
        return parts[0]
    definite, exposed, jumps = set[str](), set[str](), set[str]()
    for part in parts:
        exposed |= part.exposed - definite
        if not jumps:  # after a conditional jump nothing is definite
            definite |= part.definite
        jumps |= part.jumps
    assigned, calls = (_NONE.union(*map(attrgetter(name), parts)) for name in ("assigned", "calls"))
    opaque = tuple(statement for part in parts for statement in part.opaque)
    loops = sum(part.loops for part in parts)
    return Facts(assigned, frozenset(definite), frozenset(exposed), calls, loops, opaque, frozenset(jumps))


def _either(parts: list[Facts]) -> Facts:
    """Facts of alternatives."""
    joined = _join([replace(part, definite=_NONE) for part in parts])
    return replace(joined, definite=frozenset.intersection(*(part.definite for part in parts)))


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
