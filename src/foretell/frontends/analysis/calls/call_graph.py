"""The call graph: name resolution, side effects of functions, and the decision to inline."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from foretell.frontends.analysis.calls import library
from foretell.frontends.analysis.walk.scan import Scanner, root_of
from foretell.frontends.analysis.walk.state import element_type, is_discrete
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import children, expressions, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Loop-free functions up to this many statements are inlined at every call.
MAX_INLINED_STATEMENTS = 400
#: intrinsic functions that change nothing
_WITHOUT_EFFECT = frozenset({"size", "allocate", "malloc", "calloc"})


class Index:
    """Resolves names across files and languages."""

    def __init__(self, program: ir.Program) -> None:
        self.scanner = Scanner(self._may_assign)
        self._functions = [function for unit in program.units for function in unit.functions]
        self._by_name: dict[str, ir.Function] = {}
        self._static: dict[tuple[str, str], ir.Function] = {}
        self._units: dict[int, ir.Unit] = {}
        self._assigns: dict[str, frozenset[int]] = {}
        self._has_loops: dict[str, bool] = {}
        self._recursive: dict[str, bool] = {}
        self._inputs: dict[int, frozenset[str]] = {}
        self._scanned = frozenset[str]()
        for unit in program.units:
            for function in unit.functions:
                self._units[id(function)] = unit
                self._static[unit.file, function.name] = function
                # a header's static functions are stored once, with the first file that includes it
                if not function.static or function.file != unit.file:
                    for name in (function.name, *function.link_names):
                        self._by_name.setdefault(name, function)
        for function in self._functions:
            known = (*self.unit_of(function).globals, *function.parameters, *function.locals)
            self.scanner.by_reference = function.language == "fortran"
            self.scanner.constants = frozenset(variable.id for variable in known if variable.storage == "constant")
            self._scanned = self._inputs[id(function)] = _inputs(function)
            self.scanner.sequence(function.body)

    def resolve(self, name: str, unit: ir.Unit) -> ir.Function | None:
        """The function that a call in `unit` resolves to."""
        function = self._static.get((unit.file, name)) or self._by_name.get(name)
        if function is None and unit.language == "c" and name.endswith("_"):
            return self._fortran(name[:-1])
        return self._by_name.get(name + "_") if function is None and unit.language == "fortran" else function

    def _fortran(self, name: str) -> ir.Function | None:
        function = self._by_name.get(name)
        return function if function is not None and function.language == "fortran" else None

    def unit_of(self, function: ir.Function) -> ir.Unit:
        return self._units[id(function)]

    def variables(self, function: ir.Function) -> dict[str, ir.Variable]:
        """Parameters and locals of a function, by identifier."""
        return {variable.id: variable for variable in (*function.parameters, *function.locals)}

    # ---- effects

    def inputs(self, function: ir.Function) -> frozenset[str]:
        """Integers that a Fortran procedure is given and never assigns: a procedure that is not among the given files
        is taken to leave them unchanged."""
        return self._inputs.get(id(function), frozenset())

    def _may_assign(self, name: str, position: int, argument: str) -> bool:
        """Whether a call may modify the argument at `position`, according to declarations."""
        if library.math_name(name) is not None or name in library.IGNORED:
            return False
        function = self._by_name.get(name) or self._fortran(name.removesuffix("_"))
        if function is None or position >= len(function.parameters):
            return argument not in self._scanned
        return function.parameters[position].intent != "in"

    def assigns(self, function: ir.Function) -> frozenset[int]:
        """Positions of the parameters that a call may modify."""
        known = self._assigns.get(function.name)
        if known is None:
            self._assigns[function.name] = frozenset(range(len(function.parameters)))  # during recursion
            known = self._assigns[function.name] = frozenset(self._assigned_positions(function))
        return known

    def _assigned_positions(self, function: ir.Function) -> Iterator[int]:
        touched = self._written(function)
        for call in _calls_in(function.body):
            callee = self.resolve(call.function, self.unit_of(function))
            positions = range(len(call.args)) if callee is None else self.assigns(callee)
            touched |= {root for p in positions if p < len(call.args) and (root := root_of(call.args[p]))}
        for position, parameter in enumerate(function.parameters):
            if parameter.intent != "in" and parameter.id in touched:
                yield position

    def assigned_globals(self, function: ir.Function) -> frozenset[str]:
        """Global variables that the function itself modifies."""
        return self.scanner.sequence(function.body).assigned - self.variables(function).keys()

    def changed_members(self, body: ir.Body, unit: ir.Unit) -> frozenset[str] | None:
        """The members of structs that statements, and the functions that they call, may change; None: any."""
        bodies, seen = [(body, unit)], set[str]()
        found: set[str] = set()
        while bodies:
            inside, where = bodies.pop()
            own = _assigned_members(inside)
            if own is None:
                return None
            found |= own
            for name in self.scanner.sequence(inside).calls - seen:
                seen.add(name)
                function = self.resolve(name, where)
                if function is not None:
                    bodies.append((function.body, self.unit_of(function)))
                elif not _leaves_members(name):
                    return None
        return frozenset(found)

    def _written(self, function: ir.Function) -> set[str | None]:
        """The base variables of everything that a function itself modifies."""
        assignments = (s for s in statements(function.body) if isinstance(s, ir.Assign))
        return {*self.scanner.sequence(function.body).assigned, *(root_of(s.target) for s in assignments)}

    @cached_property
    def _all_written(self) -> set[str | None]:
        return set[str | None]({None}).union(*map(self._written, self._functions))

    def constant_initial(self, unit: ir.Unit) -> tuple[ir.Stmt, ...]:
        """Initial values of globals that no function modifies: constants in effect."""
        return tuple(value for value in unit.initial if root_of(value.target) not in self._all_written)

    # ---- inlining

    def _callees(self, function: ir.Function) -> Iterator[ir.Function]:
        for name in self.scanner.sequence(function.body).calls:
            callee = self.resolve(name, self.unit_of(function))
            if callee is not None:
                yield callee

    def has_loops(self, function: ir.Function) -> bool:
        """Whether a call executes any loop, callees included."""
        known = self._has_loops.get(function.name)
        if known is None:
            self._has_loops[function.name] = True  # during recursion
            known = self.scanner.sequence(function.body).loops > 0 or any(map(self.has_loops, self._callees(function)))
            self._has_loops[function.name] = known
        return known

    def inlines(self, function: ir.Function) -> bool:
        """Whether a function can be inlined at all."""
        sound = all(error.severity != "error" for error in function.errors)
        excess = islice(statements(function.body), MAX_INLINED_STATEMENTS, None)
        return sound and next(excess, None) is None and not self.is_recursive(function)

    def is_recursive(self, function: ir.Function) -> bool:
        """Whether a function is recursive, directly or indirectly."""
        known = self._recursive.get(function.name)
        if known is None:
            reached: set[str] = set()
            todo = [function]
            while todo:
                new = [callee for callee in self._callees(todo.pop()) if callee.name not in reached]
                reached.update(callee.name for callee in new)
                todo += new
            known = self._recursive[function.name] = function.name in reached
        return known


def _inputs(function: ir.Function) -> frozenset[str]:
    """The integer parameters that no statement of a Fortran procedure assigns."""
    if function.language != "fortran":
        return frozenset()
    assigned = {
        statement.variable if isinstance(statement, ir.Loop) else root_of(statement.target)
        for statement in statements(function.body)
        if isinstance(statement, ir.Loop | ir.Assign)
    }
    scalars = (item for item in function.parameters if isinstance(item.type, ir.Scalar))
    return frozenset(item.id for item in scalars if is_discrete(element_type(item.type))) - assigned


def _assigned_members(body: ir.Body) -> set[str] | None:
    """The members that statements assign or allocate; None where a whole struct is assigned."""
    targets = [statement.target for statement in statements(body) if isinstance(statement, ir.Assign)]
    if any(isinstance(ir.type_of(target), ir.Record) for target in targets):
        return None
    return {target.name for target in targets if isinstance(target, ir.Member)}


def _leaves_members(name: str) -> bool:
    plain = name.lower().rstrip("_")
    return plain in _WITHOUT_EFFECT or library.math_name(name) is not None or plain in library.IGNORED


def _calls_in(body: ir.Body) -> Iterator[ir.Call]:
    for statement in statements(body):
        stack = expressions(statement)
        while stack:
            expr = stack.pop()
            if isinstance(expr, ir.Call):
                yield expr
            stack.extend(children(expr))
