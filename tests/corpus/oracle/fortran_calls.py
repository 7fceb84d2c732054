"""Procedures of the Fortran interpreter: arguments by reference, sections, statement functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fortran_scope import TYPE_ZERO, Frame
from .fortran_values import (
    Cell,
    Counters,
    Element,
    Holder,
    Lazy,
    Loan,
    MemberOfElement,
    Node,
    Record,
    View,
    indices,
    make,
)

if TYPE_CHECKING:
    from .fortran_parse import Unit


class Calls:
    """Calls; mixed into the interpreter."""

    count: Counters
    frame: Frame
    line: int
    modules: dict[str, Frame]
    procedures: dict[str, Unit]
    statement_functions: dict[tuple[int, str], tuple[list[str], Any]]

    # ------------------------------------------------------------------ calls

    def procedure(self, name: str) -> Unit | None:
        unit: Unit | None = self.frame.unit
        while unit is not None:
            if name in unit.inner:
                return unit.inner[name]
            if name in unit.interfaces:
                return self.procedures.get(unit.interfaces[name][0])
            unit = unit.host
        for frame in self.modules.values():
            if name in frame.unit.interfaces:
                return self.procedures.get(frame.unit.interfaces[name][0])
        return self.procedures.get(name)

    def call_function(self, name: str, args: Any) -> Any:
        statement = self.statement_functions.get((id(self.frame.unit), name))
        if statement:
            return self.statement_function(statement, args)
        unit = self.procedure(name)
        if unit is None:
            return self.intrinsic(name, args)
        if unit.elemental and any(isinstance(self.peek(a), View | Lazy) for a in args):
            operands = [self.value(a) for a in args]
            return self.lift(lambda *values: self.invoke(unit, [Cell(v) for v in values]), *operands)
        return self.invoke(unit, [self.actual(a) for a in args])

    def peek(self, expr: Any) -> Any:
        """The kind of value an argument has, without counting."""
        before, self.count.current = self.count.current, Node(("", "", 0, 0), None)
        try:
            return self.value(expr)
        finally:
            self.count.current = before

    def statement_function(self, statement: tuple[list[str], Any], args: Any) -> Any:
        names, body = statement
        values = [self.value(a) for a in args]
        before = {n: self.frame.names.get(n) for n in names}
        self.frame.names |= {n: Cell(v) for n, v in zip(names, values, strict=True)}
        try:
            return self.value(body)
        finally:
            self.frame.names |= {n: c for n, c in before.items() if c is not None}

    def actual(self, expr: Any) -> Any:
        """What an actual argument passes: a reference where there is one."""
        if expr[0] == "kw":
            raise RuntimeError("keyword arguments of user procedures are not supported")
        if expr[0] == "ref" and self.is_variable(*expr[1][0]):
            return self.locate(expr)
        if expr[0] == "ref" and expr[1][0][1] is None and self.procedure(expr[1][0][0]):
            return self.procedure(expr[1][0][0])
        value = self.value(expr)
        if isinstance(value, Lazy):
            temporary = make("temporary", [(1, n) for n in value.shape], float)
            temporary.store.data[:] = [value.get(i) for i in indices(value.shape)]
            temporary.counters = self.count
            return temporary
        return Cell(value)

    def invoke(self, unit: Unit, actuals: list[Any]) -> Any:
        host = self.host_frame(unit)
        frame = Frame(unit, host)
        copies = []
        loans: list[Loan] = []
        for name, actual in zip(unit.parameters, actuals, strict=False):
            wanted = self.wants_holder(unit, name)
            if isinstance(actual, Holder) and not wanted:
                actual = actual.target
            if isinstance(actual, View) and self.explicit(unit, name) and not actual.contiguous():
                actual, copy = self.packed(actual)
                copies.append(copy)
            if isinstance(actual, Element | MemberOfElement) and not self.shaped(unit, name):
                actual = Loan(actual)
                loans.append(actual)
            frame.names[name] = actual
        before, self.frame = self.frame, frame
        node, line = self.count.current, self.line
        self.activate(unit, tuple(self.identity(a) for a in actuals))
        try:
            self.enter_scope(frame)
            self.note_scalars(frame)
            if unit.kind == "function" and unit.result not in frame.names:
                frame.names[unit.result] = Cell(TYPE_ZERO[self.implicit(unit, unit.result)])
            self.block(unit.body)
        finally:
            self.frame, self.line = before, line
            self.count.current = node
        for loan in loans:
            loan.give_back()
        for original, packed in copies:
            for i in indices(original.shape):
                at = original.flat(tuple(k + d[0] for k, d in zip(i, original.dims, strict=True)))
                original.store.data[at] = packed.store.data[packed.flat(tuple(k + 1 for k in i))]
        if unit.kind != "function":
            return None
        result = frame.names[unit.result]
        return result if isinstance(result, View) else result.get()

    def activate(self, unit: Unit, identity: tuple[Any, ...]) -> None:
        self.count.enter(unit.file, unit.name, 0, identity)

    def identity(self, actual: Any) -> Any:
        """What tells one call from another: integers by value, arrays and structures as objects."""
        if isinstance(actual, Holder):
            actual = actual.target
        if isinstance(actual, View):
            return id(actual.store)
        if isinstance(actual, Cell):
            return (
                actual.value if isinstance(actual.value, int) else id(actual.value) * isinstance(actual.value, Record)
            )
        return 0

    def note_scalars(self, frame: Frame) -> None:
        scope: Frame | None = frame
        while scope is not None:
            for name, found in scope.names.items():
                if isinstance(found, Cell):
                    self.count.scalar(name, found.value)
            scope = scope.host

    def packed(self, actual: View) -> tuple[View, tuple[View, View]]:
        """Copy-in of a section for an explicit-shape dummy (not counted: the compiler does it, not the source)."""
        copy = make(actual.store.name, [(1, n) for n in actual.shape], float)
        copy.counters = self.count
        for n, i in enumerate(indices(actual.shape)):
            at = actual.flat(tuple(k + d[0] for k, d in zip(i, actual.dims, strict=True)))
            copy.store.data[n] = actual.store.data[at]
        return copy, (actual, copy)

    def shaped(self, unit: Unit, name: str) -> bool:
        """Whether a dummy is declared as an array."""
        for declaration in unit.declarations:
            if declaration[0] == "decl":
                for entity, dims, _ in declaration[3]:
                    if entity == name and (dims or declaration[2].get("dimension")):
                        return True
        return False

    def explicit(self, unit: Unit, name: str) -> bool:
        for declaration in unit.declarations:
            if declaration[0] == "decl":
                for entity, dims, _ in declaration[3]:
                    shape = dims or declaration[2].get("dimension")
                    if entity == name and shape:
                        return not all(d[0] == "range" and d[2] is None for d in shape)
        return False

    def wants_holder(self, unit: Unit, name: str) -> bool:
        for declaration in unit.declarations:
            if declaration[0] == "decl" and any(e[0] == name for e in declaration[3]):
                return "allocatable" in declaration[2] or "pointer" in declaration[2]
        return False

    def host_frame(self, unit: Unit) -> Frame | None:
        if unit.host is None:
            return None
        if unit.host.kind == "module":
            return self.modules[unit.host.name]
        frame: Frame | None = self.frame
        while frame is not None and frame.unit is not unit.host:
            frame = frame.host
        return frame
