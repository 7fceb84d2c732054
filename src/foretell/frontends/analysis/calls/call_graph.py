"""The call graph: name resolution, side effects of functions, and the decision to inline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.analysis.calls import library
from foretell.frontends.analysis.walk.scan import Scanner, children, root_of
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Loop-free functions up to this many statements are inlined at every call.
MAX_INLINED_STATEMENTS = 400


class Index:
    """Resolves names across files and languages."""

    def __init__(self, program: ir.Program) -> None:
        self.scanner = Scanner(self._may_assign)
        self._functions = [function for unit in program.units for function in unit.functions]
        self._by_name: dict[str, ir.Function] = {}
        self._static: dict[tuple[str, str], ir.Function] = {}
        self._units: dict[int, ir.Unit] = {}
        self._variables: dict[int, dict[str, ir.Variable]] = {}
        self._assigns: dict[str, frozenset[int]] = {}
        self._has_loops: dict[str, bool] = {}
        self._sizes: dict[str, int] = {}
        self._recursive: dict[str, bool] = {}
        self._touched: set[str] | None = None
        for unit in program.units:
            for function in unit.functions:
                self._units[id(function)] = unit
                self._static[unit.file, function.name] = function
                # a header's static functions are stored once, with the first file that includes it
                if not function.static or function.file != unit.file:
                    for name in (function.name, *function.link_names):
                        self._by_name.setdefault(name, function)
        for function in self._functions:
            self.scanner.by_reference = function.language == "fortran"
            self.scanner.constants = _constants(function, self.unit_of(function))
            self.scanner.sequence(function.body)

    def resolve(self, name: str, unit: ir.Unit) -> ir.Function | None:
        """The function that a call in `unit` resolves to."""
        own = self._static.get((unit.file, name))
        if own is not None:
            return own
        found = self._by_name.get(name)
        if found is None and unit.language == "c" and name.endswith("_"):
            found = self._fortran(name[:-1])
        if found is None and unit.language == "fortran":
            found = self._by_name.get(name + "_")
        return found

    def _fortran(self, name: str) -> ir.Function | None:
        found = self._by_name.get(name)
        return found if found is not None and found.language == "fortran" else None

    def unit_of(self, function: ir.Function) -> ir.Unit:
        return self._units[id(function)]

    def variables(self, function: ir.Function) -> dict[str, ir.Variable]:
        """Parameters and locals of a function, by identifier."""
        found = self._variables.get(id(function))
        if found is None:
            found = {one.id: one for one in (*function.parameters, *function.locals)}
            self._variables[id(function)] = found
        return found

    # ---- effects

    def _may_assign(self, name: str, position: int) -> bool:
        """Whether a call may modify the argument at `position`, according to declarations."""
        if library.math_name(name) is not None or name in library.IGNORED:
            return False
        function = self._by_name.get(name) or self._fortran(name.removesuffix("_"))
        if function is None or position >= len(function.parameters):
            return True
        return function.parameters[position].intent != "in"

    def assigns(self, function: ir.Function) -> frozenset[int]:
        """Positions of the parameters that a call may modify."""
        known = self._assigns.get(function.name)
        if known is None:
            self._assigns[function.name] = frozenset(range(len(function.parameters)))  # during recursion
            known = self._assigns[function.name] = frozenset(self._assigned_positions(function))
        return known

    def _assigned_positions(self, function: ir.Function) -> Iterator[int]:
        touched = set(self.scanner.sequence(function.body).assigned) | set(_written_roots(function.body))
        for call in calls_in(function.body):
            callee = self.resolve(call.function, self.unit_of(function))
            positions = range(len(call.args)) if callee is None else self.assigns(callee)
            touched |= {root for p in positions if p < len(call.args) and (root := root_of(call.args[p]))}
        for position, parameter in enumerate(function.parameters):
            if parameter.intent != "in" and parameter.id in touched:
                yield position

    def assigned_globals(self, function: ir.Function) -> frozenset[str]:
        """Global variables that the function itself modifies."""
        return self.scanner.sequence(function.body).assigned - self.variables(function).keys()

    def settled_initial(self, unit: ir.Unit) -> tuple[ir.Stmt, ...]:
        """Initial values of globals that no function modifies: constants in effect."""
        if self._touched is None:
            self._touched = set()
            for function in self._functions:
                self._touched |= self.scanner.sequence(function.body).assigned
                self._touched.update(_written_roots(function.body))
        touched = self._touched
        return tuple(one for one in unit.initial if (root := root_of(one.target)) is not None and root not in touched)

    # ---- inlining

    def has_loops(self, function: ir.Function) -> bool:
        """Whether a call executes any loop, callees included."""
        known = self._has_loops.get(function.name)
        if known is None:
            self._has_loops[function.name] = True  # during recursion
            facts = self.scanner.sequence(function.body)
            known = facts.loops > 0 or any(
                callee is not None and self.has_loops(callee)
                for callee in (self.resolve(name, self.unit_of(function)) for name in facts.calls)
            )
            self._has_loops[function.name] = known
        return known

    def inlines(self, function: ir.Function) -> bool:
        """Whether a function can be inlined at all."""
        small = self.size(function) <= MAX_INLINED_STATEMENTS
        sound = all(error.severity != "error" for error in function.errors)
        return small and sound and not self.is_recursive(function)

    def is_recursive(self, function: ir.Function) -> bool:
        """Whether a function is recursive, directly or indirectly."""
        known = self._recursive.get(function.name)
        if known is None:
            reached: set[str] = set()
            todo = [function]
            while todo:
                one = todo.pop()
                for name in self.scanner.sequence(one.body).calls:
                    callee = self.resolve(name, self.unit_of(one))
                    if callee is not None and callee.name not in reached:
                        reached.add(callee.name)
                        todo.append(callee)
            known = self._recursive[function.name] = function.name in reached
        return known

    def size(self, function: ir.Function) -> int:
        known = self._sizes.get(function.name)
        if known is None:
            known = self._sizes[function.name] = sum(1 for _ in statements(function.body))
        return known


def _constants(function: ir.Function, unit: ir.Unit) -> frozenset[str]:
    known = (*unit.globals, *function.parameters, *function.locals)
    return frozenset(one.id for one in known if one.storage == "constant")


def statements(body: tuple[ir.Stmt, ...]) -> Iterator[ir.Stmt]:
    """All statements of a body, nested ones included."""
    for one in body:
        yield one
        match one:
            case ir.Loop() | ir.Annotated():
                yield from statements(one.body)
            case ir.While():
                yield from statements(one.body)
                yield from statements(one.step)
            case ir.If():
                yield from statements(one.then)
                yield from statements(one.other)
            case ir.Switch():
                for _, case in one.cases:
                    yield from statements(case)


def _written_roots(body: tuple[ir.Stmt, ...]) -> Iterator[str]:
    for one in statements(body):
        if isinstance(one, ir.Assign) and (root := root_of(one.target)) is not None:
            yield root


def calls_in(body: tuple[ir.Stmt, ...]) -> Iterator[ir.Call]:
    """All calls in a body."""
    for one in statements(body):
        stack: list[ir.Expr] = []
        match one:
            case ir.Assign(target, value):
                stack = [target, value]
            case ir.Evaluate(expr):
                stack = [expr]
            case ir.If(condition) | ir.While(condition):
                stack = [condition]
            case ir.Loop():
                stack = [one.lower, one.upper, one.step]
            case ir.Declare(_, init) if init is not None:
                stack = [init]
            case ir.Jump(_, _, value) if value is not None:
                stack = [value]
        while stack:
            expr = stack.pop()
            if isinstance(expr, ir.Call):
                yield expr
            stack.extend(children(expr))
