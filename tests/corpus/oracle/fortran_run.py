"""Runs a Fortran program in an interpreter that counts operations, element accesses and loop trips.

The result is checked against the same program compiled by gcc: every printed number must agree.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

from .fortran_intrinsics import ELEMENTAL, Reductions
from .fortran_parse import Unit, parse
from .fortran_values import (
    Again,
    Cell,
    Counters,
    Element,
    Holder,
    Lazy,
    Node,
    Record,
    Table,
    View,
    indices,
    like,
    make,
)

if TYPE_CHECKING:
    from pathlib import Path

OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
TYPE_ZERO: dict[str, Any] = {
    "integer": 0,
    "logical": False,
    "character": "",
    "real": 0.0,
    "double precision": 0.0,
}


class Frame:
    """The names of one activation."""

    def __init__(self, unit: Unit, host: Frame | None) -> None:
        self.unit = unit
        self.host = host
        self.names: dict[str, Any] = {}

    def find(self, name: str) -> Any:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.host
        return None


class StopError(Exception):
    """STOP."""


class Interpreter(Reductions):
    def __init__(self, units: list[Unit]) -> None:
        self.count = Counters()
        self.procedures = {u.name: u for u in units if u.kind in ("subroutine", "function")}
        self.modules: dict[str, Frame] = {}
        self.commons: dict[tuple[str, int], Any] = {}
        self.saved: dict[tuple[int, str], Any] = {}
        self.statement_functions: dict[tuple[int, str], tuple[list[str], Any]] = {}
        self.printed: list[str] = []
        self.line = 0
        self.shapes: dict[int, bool] = {}
        self.frame: Frame
        for unit in units:
            if unit.kind == "module":
                self.frame = self.modules[unit.name] = Frame(unit, None)
                self.enter_scope(self.frame)
                self.procedures |= unit.inner
        self.main = next(u for u in units if u.kind == "program")

    def run(self) -> None:
        self.frame = Frame(self.main, None)
        self.activate(self.main, ())
        self.enter_scope(self.frame)
        self.note_scalars(self.frame)
        try:
            self.block(self.main.body)
        except StopError:
            return

    # ------------------------------------------------------------------ scopes and declarations

    def enter_scope(self, frame: Frame) -> None:
        unit = frame.unit
        for module, names in unit.uses:
            if module not in self.modules:
                continue  # iso_fortran_env and the like: their names are known below
            source = self.modules[module]
            chosen = names if names is not None else {n: n for n in source.names}
            for local, remote in chosen.items():
                if source.find(remote) is not None:
                    frame.names[local] = source.find(remote)
        for declaration in unit.declarations:
            getattr(self, "declare_" + declaration[0])(frame, *declaration[1:])

    def declare_decl(self, frame: Frame, kind: str, attributes: dict[str, Any], entities: list[Any]) -> None:
        for name, dims, init in entities:
            self.entity(frame, kind, attributes, name, dims or attributes.get("dimension"), init)

    def entity(
        self, frame: Frame, kind: str, attributes: dict[str, Any], name: str, dims: Any, init: Any
    ) -> None:
        unit = frame.unit
        if name in unit.parameters:
            self.dummy(frame, name, dims)
            return
        if kind == "" and isinstance(frame.names.get(name), Cell):  # DIMENSION after a type statement
            kind = "integer" if isinstance(frame.names[name].value, int) else "real"
        kind = kind or self.implicit(unit, name)
        static = unit.kind in ("subroutine", "function") and ("save" in attributes or init is not None)
        key = (id(unit), name)
        if static and "parameter" not in attributes and key in self.saved:
            frame.names[name] = self.saved[key]
            return
        frame.names[name] = value = self.new(kind, attributes, name, dims, init)
        if static:
            self.saved[key] = value

    def new(self, kind: str, attributes: dict[str, Any], name: str, dims: Any, init: Any) -> Any:
        if "allocatable" in attributes or "pointer" in attributes:
            return Holder(None, len(dims) if dims else 0, kind)
        if dims:
            bounds = self.bounds(dims, init)
            view = make(name, bounds, lambda: self.zero(kind))
            view.counters = self.count
            if init is not None:
                self.fill(view, self.value(init))
            return view
        cell = Cell(self.zero(kind), "parameter" in attributes)
        if init is not None:
            cell.set(self.value(init))
        return cell

    def zero(self, kind: str) -> Any:
        if not kind.startswith("type:"):
            return TYPE_ZERO[kind]
        record = Record()
        for _, member_kind, attributes, entities in self.type_of(kind[5:]):
            for name, dims, init in entities:
                record[name] = self.new(
                    member_kind, attributes, name, dims or attributes.get("dimension"), init
                )
        return record

    def type_of(self, name: str) -> Any:
        scopes = [u for u in (self.frame.unit, self.frame.unit.host) if u is not None]
        scopes += [f.unit for f in self.modules.values()]
        return next(s.types[name] for s in scopes if name in s.types)

    def fill(self, view: View, value: Any) -> None:
        flat = [value] * len(view.store.data)
        if isinstance(value, Lazy | View):
            flat = [value.get(i) for i in indices(value.shape)]
        for i, v in enumerate(flat):
            view.store.data[i] = type(view.store.data[i])(v)

    def bounds(self, dims: Any, init: Any = None) -> list[tuple[int, int]]:
        out = []
        for d in dims:
            if d == ("star",):
                out.append((1, len(init[1]) if init is not None else 0))
            elif d[0] == "range":
                high = 0 if d[2] in (None, ("star",)) else self.value(d[2])
                out.append((1 if d[1] is None else self.value(d[1]), high))
            else:
                out.append((1, self.value(d)))
        return out

    def implicit(self, unit: Unit, name: str) -> str:
        scope: Unit | None = unit
        while scope is not None:
            if name[0] in scope.implicit:
                return scope.implicit[name[0]]
            scope = scope.host
        return "integer" if name[0] in "ijklmn" else "real"

    def dummy(self, frame: Frame, name: str, dims: Any) -> None:
        """Give an actual array the bounds that the dummy declares."""
        actual = frame.names.get(name)
        if isinstance(actual, Element) and dims:  # sequence association
            old = actual.view
            actual = View(old.store, actual.at, [], name, counters=old.counters)
        elif not isinstance(actual, View) or not dims:
            return
        else:
            actual = View(actual.store, actual.offset, actual.dims, name, counters=actual.counters)
        if all(d[0] == "range" and d[2] is None for d in dims):  # assumed shape: new lower bounds only
            lows = [1 if d[1] is None else self.value(d[1]) for d in dims]
            actual.dims = [(low, e, s) for low, (_, e, s) in zip(lows, actual.dims, strict=True)]
        else:
            new, stride = [], 1
            for d, (low, high) in zip(dims, self.bounds(dims), strict=True):
                open_end = d == ("star",) or (d[0] == "range" and d[2] == ("star",))
                extent = -1 if open_end else max(0, high - low + 1)
                new.append((low, extent, stride))
                stride *= extent
            actual.dims = new
        frame.names[name] = actual

    def declare_parameter(self, frame: Frame, pairs: list[Any]) -> None:
        for name, init in pairs:
            old = frame.names.get(name)
            zero = old.value if isinstance(old, Cell) else TYPE_ZERO[self.implicit(frame.unit, name)]
            cell = Cell(zero, True)
            cell.set(self.value(init))
            frame.names[name] = cell

    def declare_common(self, frame: Frame, block: str, entities: list[Any]) -> None:
        for position, (name, dims, _) in enumerate(entities):
            key = (block, position)
            if key not in self.commons:
                declared = frame.names.get(name)
                if isinstance(declared, View) and not dims:
                    self.commons[key] = declared
                else:
                    kind = self.implicit(frame.unit, name)
                    if isinstance(declared, Cell):
                        kind = "integer" if isinstance(declared.value, int) else "real"
                    self.commons[key] = self.new(kind, {}, name, dims, None)
            shared = self.commons[key]
            if isinstance(shared, View):
                shared = View(shared.store, 0, shared.dims, name, counters=self.count)
            frame.names[name] = shared

    def declare_data(self, frame: Frame, pairs: list[Any]) -> None:
        for name, values in pairs:
            key = (id(frame.unit), name)
            if key in self.saved:
                frame.names[name] = self.saved[key]
                continue
            self.frame, before = frame, getattr(self, "frame", frame)
            target = self.variable(frame, name)
            if isinstance(target, View):
                target.store.data[:] = [
                    type(o)(self.value(v)) for o, v in zip(target.store.data, values, strict=True)
                ]
            else:
                target.set(self.value(values[0]))
            self.frame = before
            self.saved[key] = target

    def variable(self, frame: Frame, name: str) -> Any:
        found = frame.find(name)
        if found is None:
            found = frame.names[name] = Cell(TYPE_ZERO[self.implicit(frame.unit, name)])
        return found

    # ------------------------------------------------------------------ references

    def is_variable(self, name: str, args: Any) -> bool:
        if self.frame.find(name) is not None:
            return True
        return args is None and self.procedure(name) is None

    def locate(self, ref: Any) -> Any:
        """A Cell, Element, View or Holder for a designator."""
        where: Any = None
        path = ""
        for position, (name, args) in enumerate(ref[1]):
            path = f"{path}.{name}" if path else name
            where = self.variable(self.frame, name) if position == 0 else self.member(where, name)
            if args is not None:
                where = self.subscripted(where, args, path)
            elif isinstance(where, Holder) and position < len(ref[1]) - 1:
                where = where.target
            elif isinstance(where, View):
                where = View(where.store, where.offset, where.dims, path, counters=where.counters)
        return where

    def member(self, where: Any, name: str) -> Any:
        if isinstance(where, Holder):
            where = where.target
        inside_array = isinstance(where, Element)
        record = where.view.store.data[where.at] if inside_array else where.value
        part = record[name]
        if inside_array and isinstance(part, Cell):
            return MemberOfElement(where, part, name)
        if isinstance(where, MemberOfElement) and isinstance(part, Cell):
            return MemberOfElement(where.element, part, f"{where.name}.{name}")
        return part

    def subscripted(self, where: Any, args: Any, path: str) -> Any:
        view = where.target if isinstance(where, Holder) else where
        if isinstance(where, Holder) and view is None:
            raise RuntimeError(f"{path} is not allocated")
        view = View(view.store, view.offset, view.dims, path, counters=view.counters)
        if any(a[0] == "range" for a in args):
            return self.section(view, [("range", *a[1:]) if a[0] == "range" else self.value(a) for a in args])
        subscripts = [self.value(a) for a in args]
        if any(isinstance(s, View | Lazy) for s in subscripts):
            return self.section(view, subscripts)
        return view.element(tuple(subscripts))

    def section(self, view: View, subscripts: list[Any]) -> View:
        offset, dims = view.offset, []
        for sub, (low, extent, stride) in zip(subscripts, view.dims, strict=True):
            if isinstance(sub, tuple):
                first = low if sub[1] is None else self.value(sub[1])
                last = low + extent - 1 if sub[2] is None else self.value(sub[2])
                step = 1 if sub[3] is None else self.value(sub[3])
                n = max(0, (last - first + step) // step)
                if n and not (
                    first - low >= 0 and (extent < 0 or 0 <= first + (n - 1) * step - low < extent)
                ):
                    raise IndexError(f"{view.name}: section {first}:{last} outside")
                if isinstance(stride, list):
                    dims.append((1, n, [stride[first - low + k * step] for k in range(n)]))
                else:
                    offset += (first - low) * stride
                    dims.append((1, n, step * stride))
            elif isinstance(sub, View | Lazy):
                dims.append((1, sub.shape[0], self.table(sub, low, stride)))
            else:
                if not 0 <= sub - low < max(extent, sub - low + 1 if extent < 0 else extent):
                    raise IndexError(f"{view.name}: subscript {sub}")
                offset += (sub - low) * stride
        return View(view.store, offset, dims, view.name, counters=view.counters)

    def table(self, sub: View | Lazy, low: int, stride: int) -> Table:
        """The offsets of a vector subscript; its elements are counted when they are used."""
        before, self.count.current = self.count.current, Node(("", "", 0, 0), None)
        table = Table((sub.get(i) - low) * stride for i in indices(sub.shape))
        self.count.current = before
        if isinstance(sub, View):
            table.name, table.stored = sub.name, sub.store.name
        return table

    # ------------------------------------------------------------------ expressions

    def value(self, expr: Any) -> Any:
        """A Python scalar, or a View or Lazy for an array."""
        kind = expr[0]
        if kind in ("num", "str", "bool"):
            return expr[1]
        if kind == "ref":
            return self.reference(expr)
        if kind == "bin":
            return self.binary(expr)
        if kind == "un":
            return self.lift(lambda x: self.unary(expr[1], x, self.constant(expr[2])), self.value(expr[2]))
        if kind == "paren":
            return self.value(expr[1])
        if kind == "array":
            return self.constructor(expr[1])
        raise RuntimeError(f"cannot evaluate {expr}")

    def constructor(self, parts: list[Any]) -> Lazy:
        values: list[Any] = []
        for part in parts:
            if part[0] == "implied":
                cell = self.variable(self.frame, part[2])
                for i in range(self.value(part[3]), self.value(part[4]) + 1):
                    cell.set(i)
                    values.append(self.value(part[1]))
            else:
                value = self.value(part)
                values += (
                    [value.get(i) for i in indices(value.shape)]
                    if isinstance(value, View | Lazy)
                    else [value]
                )
        return Lazy((len(values),), lambda i: values[i[0]])

    def constant(self, expr: Any) -> bool:
        """Literals, named constants and operations on them only."""
        if expr[0] in ("num", "bool", "str"):
            return True
        if expr[0] == "ref":
            (name, args), *rest = expr[1]
            found = self.frame.find(name)
            if args is None:
                return not rest and isinstance(found, Cell) and found.constant
            return name in ("dble", "real", "float", "int") and found is None and self.constant(args[0])
        if expr[0] == "bin":
            return self.constant(expr[2]) and self.constant(expr[3])
        if expr[0] == "un":
            return self.constant(expr[2])
        return expr[0] == "paren" and self.constant(expr[1])

    def lift(self, function: Any, *operands: Any) -> Any:
        """Apply a scalar function, elementwise where an operand is an array."""
        arrays = [o for o in operands if isinstance(o, View | Lazy)]
        if not arrays:
            return function(*(o.get(()) if isinstance(o, Again) else o for o in operands))
        shape = arrays[0].shape
        for a in arrays:
            if a.shape != shape:
                raise RuntimeError(f"shapes {shape} and {a.shape} do not conform")
        many = (View, Lazy, Again)
        return Lazy(shape, lambda i: function(*(o.get(i) if isinstance(o, many) else o for o in operands)))

    def operands(self, *expressions: Any) -> list[Any]:
        """Operands of an elemental operation: scalars with elements in them are kept as what to do again."""
        if not any(self.may_be_array(e) for e in expressions):
            return [self.value(e) for e in expressions]
        values = [None if self.repeats(e) else self.value(e) for e in expressions]
        if not any(isinstance(v, View | Lazy) for v in values):
            return [self.value(e) if self.repeats(e) else v for e, v in zip(expressions, values, strict=True)]
        return [
            Again(lambda _, e=e: self.value(e)) if self.repeats(e) else v
            for e, v in zip(expressions, values, strict=True)
        ]

    def may_be_array(self, expr: Any) -> bool:
        """Whether an expression can have a shape; the same every time, so remembered."""
        known = self.shapes.get(id(expr))
        if known is None:
            known = self.shapes[id(expr)] = self._has_shape(expr)
        return known

    def _has_shape(self, expr: Any) -> bool:
        if expr[0] == "ref":
            found = self.frame.find(expr[1][0][0])
            last = expr[1][-1][1]
            if last is None:
                return len(expr[1]) > 1 or isinstance(found, View | Holder)
            return any(a[0] == "range" or self.may_be_array(a) for a in last)
        if expr[0] in ("bin", "un"):
            return any(self.may_be_array(e) for e in expr[2:])
        if expr[0] in ("paren", "kw"):
            return self.may_be_array(expr[-1])
        return expr[0] in ("array", "range")

    def repeats(self, expr: Any) -> bool:
        """Whether a scalar expression does something that the loop of an array statement would do every time."""
        return (
            not self.may_be_array(expr)
            and not self.constant(expr)
            and self.works(expr)
            and not self.calls(expr)
        )

    def works(self, expr: Any) -> bool:
        """Whether an element is read or an operation done."""
        if expr[0] == "ref":
            return expr[1][-1][1] is not None
        return expr[0] in ("bin", "un") or (expr[0] == "paren" and self.works(expr[1]))

    def calls(self, expr: Any) -> bool:
        if expr[0] == "ref":
            name, args = expr[1][0]
            return not self.is_variable(name, args) or any(
                self.calls(a) for _, more in expr[1] for a in more or ()
            )
        if expr[0] in ("bin", "un"):
            return any(self.calls(e) for e in expr[2:])
        return expr[0] == "paren" and self.calls(expr[1])

    def binary(self, expr: Any) -> Any:
        _, op, left, right = expr
        if op in (".and.", ".or."):
            first = self.value(left)
            if not isinstance(first, View | Lazy):
                if first is (op == ".or."):  # what compilers do: the other side is not looked at
                    return first
                return self.value(right)
            return self.lift(lambda a, b: self.arithmetic(op, a, b, "", 0), first, self.value(right))
        literal = self.constant(right)
        kind = OPERATIONS.get(op, "")
        if literal and self.constant(left):
            kind = "const" if kind else ""
        elif literal and op == "/":
            kind = "div_literal"
        exponent = right[1] if right[0] == "num" and isinstance(right[1], int) else 0
        return self.lift(lambda a, b: self.arithmetic(op, a, b, kind, exponent), *self.operands(left, right))

    def unary(self, op: str, x: Any, literal: bool) -> Any:
        if op == ".not.":
            return not x
        if op == "+":
            return x
        if isinstance(x, float) and not literal:
            self.count.operation("neg")
        return -x

    def arithmetic(self, op: str, a: Any, b: Any, kind: str, exponent: int) -> Any:
        if op == "**":
            return self.power(a, b, exponent)
        floating = isinstance(a, float) or isinstance(b, float)
        if kind and floating:
            self.count.operation(kind)
        match op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b if floating else int(a / b) if abs(a) < 2**50 else a // b
            case "==" | ".eqv.":
                return a == b
            case "/=" | ".neqv.":
                return a != b
            case "<":
                return a < b
            case "<=":
                return a <= b
            case ">":
                return a > b
            case ">=":
                return a >= b
            case ".and.":
                return a and b
            case ".or.":
                return a or b
        raise RuntimeError(op)

    def power(self, a: Any, b: Any, exponent: int) -> Any:
        if isinstance(a, float) or isinstance(b, float):
            whole = isinstance(b, int)
            self.count.call(f"powi{exponent}" if whole and exponent else "powi" if whole else "pow")
            return float(a) ** b
        return a**b

    def reference(self, ref: Any) -> Any:
        name, args = ref[1][0]
        if not self.is_variable(name, args):
            return self.call_function(name, args or ())
        where = self.locate(ref)
        if isinstance(where, Holder):
            where = where.target
            if isinstance(where, View):
                return View(where.store, where.offset, where.dims, self.path(ref), counters=where.counters)
        if isinstance(where, View):
            return where
        value = where.get()
        if len(ref[1]) > 1:
            self.count.scalar(self.path(ref), value)
        return value

    def path(self, ref: Any) -> str:
        return ".".join(name for name, _ in ref[1])

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
                actual.value
                if isinstance(actual.value, int)
                else id(actual.value) * isinstance(actual.value, Record)
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

    # ------------------------------------------------------------------ statements

    def block(self, statements: list[Any]) -> Any:
        at = 0
        while at < len(statements):
            signal = self.statement(statements[at])
            if signal is None:
                at += 1
                continue
            if signal[0] == "goto":
                targets = [k for k, s in enumerate(statements) if s[2] == signal[1]]
                if targets:
                    at = targets[0]
                    continue
            return signal
        return None

    def statement(self, s: Any) -> Any:
        self.line = s[1]
        return getattr(self, "do_" + s[0])(s)

    def do_continue(self, s: Any) -> Any:
        return None

    def do_exit(self, s: Any) -> Any:
        return ("exit", s[3])

    def do_cycle(self, s: Any) -> Any:
        return ("cycle", s[3])

    def do_goto(self, s: Any) -> Any:
        return ("goto", s[3])

    def do_threeway(self, s: Any) -> Any:
        value = self.value(s[3])
        return ("goto", s[4][0 if value < 0 else 1 if value == 0 else 2])

    def do_manyway(self, s: Any) -> Any:
        choice = self.value(s[4])
        return ("goto", s[3][choice - 1]) if 1 <= choice <= len(s[3]) else None

    def do_return(self, s: Any) -> Any:
        return ("return",)

    def do_stop(self, s: Any) -> Any:
        raise StopError

    def do_print(self, s: Any) -> Any:
        for expr in s[3]:
            value = self.value(expr)
            values = (
                [value.get(i) for i in indices(value.shape)] if isinstance(value, View | Lazy) else [value]
            )
            self.printed += [repr(v) for v in values if not isinstance(v, str)]

    def do_call(self, s: Any) -> Any:
        name, args = s[3][1][0]
        bound = self.frame.find(name)
        unit = bound if isinstance(bound, Unit) else self.procedure(name)
        if unit is None:
            if name in ("cpu_time", "random_number", "system_clock", "random_seed"):
                return
            raise RuntimeError(f"no subroutine {name}")
        self.invoke(unit, [self.actual(a) for a in args or ()])

    def do_if(self, s: Any) -> Any:
        for condition, body in s[3]:
            if condition is None or self.value(condition):
                return self.block(body)
        return None

    def do_select(self, s: Any) -> Any:
        selector, default = self.value(s[3]), None
        for values, body in s[4]:
            if values is None:
                default = body
            elif any(self.matches(selector, v) for v in values):
                return self.block(body)
        return self.block(default) if default is not None else None

    def matches(self, selector: Any, value: Any) -> bool:
        if value[0] != "range":
            return bool(selector == self.value(value))
        low, high = value[1], value[2]
        return (low is None or self.value(low) <= selector) and (high is None or selector <= self.value(high))

    def do_do(self, s: Any) -> Any:
        _, line, _, construct, name, low, high, step, body = s
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line)
        try:
            self.count.header += 1
            first, last, stride = self.value(low), self.value(high), self.value(step)
            self.count.header -= 1
            cell = self.variable(self.frame, name)
            trips = max(0, (last - first + stride) // stride)
            for k in range(trips):
                cell.set(first + k * stride)
                signal = self.iteration(body, construct)
                if signal == "leave":
                    return None
                if signal:
                    return signal
            cell.set(first + trips * stride)
        finally:
            self.count.current = before
        return None

    def iteration(self, body: list[Any], construct: str) -> Any:
        """One trip: None to go on, 'leave' to leave this loop, or a signal for someone outside."""
        self.count.current.iterations += 1
        signal = self.block(body)
        if signal is None or (signal[0] == "cycle" and signal[1] in ("", construct)):
            return None
        if signal[0] == "exit" and signal[1] in ("", construct):
            return "leave"
        return signal

    def do_while(self, s: Any) -> Any:
        _, line, _, construct, condition, body = s
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line)
        try:
            while True:
                self.count.header += 1
                go_on = self.value(condition)
                self.count.header -= 1
                if not go_on:
                    return None
                signal = self.iteration(body, construct)
                if signal == "leave":
                    return None
                if signal:
                    return signal
        finally:
            self.count.current = before

    def do_concurrent(self, s: Any) -> Any:
        _, line, _, controls, mask, body = s
        spans = []
        for name, (_, low, high, step) in controls:
            stride = 1 if step is None else self.value(step)
            spans.append((name, range(self.value(low), self.value(high) + (1 if stride > 0 else -1), stride)))
        outer = self.frame.names
        self.frame.names = {**outer, **{name: Cell(0) for name, _ in spans}}
        before = self.count.current
        try:
            self.nest(line, spans, 0, mask, body)
        finally:
            self.frame.names = outer
            self.count.current = before

    def nest(self, line: int, spans: list[Any], depth: int, mask: Any, body: list[Any]) -> None:
        if depth == len(spans):
            if mask is None or self.value(mask):
                self.block(body)
            return
        name, span = spans[depth]
        before = self.count.enter(self.frame.unit.file, self.frame.unit.name, line, depth)
        for i in span:
            self.count.current.iterations += 1
            self.frame.names[name].set(i)
            self.nest(line, spans, depth + 1, mask, body)
        self.count.current = before

    def do_associate(self, s: Any) -> Any:
        outer = self.frame.names
        self.frame.names = {**outer, **{name: self.actual(expr) for name, expr in s[3]}}
        try:
            return self.block(s[4])
        finally:
            self.frame.names = outer

    def do_allocate(self, s: Any) -> Any:
        for target in s[3]:
            *prefix, (name, args) = target[1]
            holder = self.locate(("ref", (*prefix, (name, None))))
            if args is None:
                holder.target = Cell(self.zero(holder.kind))
                continue
            path = self.path(target)
            view = make(path, self.bounds(args), lambda holder=holder: self.zero(holder.kind))
            view.counters = self.count
            holder.target = view

    def do_deallocate(self, s: Any) -> Any:
        for target in s[3]:
            self.locate(target).target = None

    do_nullify = do_deallocate

    def do_point(self, s: Any) -> Any:
        holder = self.locate(s[3])
        if s[4][0] == "ref" and s[4][1][0][0] == "null":
            holder.target = None
            return
        target = self.locate(s[4])
        holder.target = target.target if isinstance(target, Holder) else target

    def do_assign(self, s: Any) -> Any:
        _, line, _, target, value = s
        name, args = target[1][0]
        if args is not None and len(target[1]) == 1 and self.frame.find(name) is None:
            self.statement_functions[id(self.frame.unit), name] = ([a[1][0][0] for a in args], value)
            return
        where = self.locate(target)
        if isinstance(where, Holder):
            where = self.allocated(where, target, value)
        if isinstance(where, View):
            self.assign_array(line, where, value, None)
        elif isinstance(where, Cell) and isinstance(where.value, Record):
            where.value = self.value(value)
        else:
            where.set(self.value(value))
            if isinstance(where, Cell):
                self.count.scalar(self.path(target), where.value)

    def allocated(self, holder: Holder, target: Any, value: Any) -> Any:
        if holder.target is None:  # allocation on assignment
            shape = self.peek(value).shape
            view = make(self.path(target), [(1, n) for n in shape], lambda: self.zero(holder.kind))
            view.counters = self.count
            holder.target = view
        found = holder.target
        if isinstance(found, View):
            return View(found.store, found.offset, found.dims, self.path(target), counters=found.counters)
        return found

    def assign_array(self, line: int, where: View, value: Any, mask: Any) -> None:
        before = self.count.current
        source = self.source(value)  # reductions inside run now, in loops of their own
        self.implied_nest(line, where.shape)
        if isinstance(source, View | Lazy) and source.shape != where.shape:
            raise RuntimeError(f"line {line}: shapes {source.shape} and {where.shape} do not conform")
        values = []
        chosen = [i for i in indices(where.shape) if mask is None or mask(i)]
        for i in chosen:
            values.append(source.get(i) if isinstance(source, View | Lazy | Again) else source)
        for i, v in zip(chosen, values, strict=True):
            where.element(tuple(k + d[0] for k, d in zip(i, where.dims, strict=True))).set(v)
        self.count.current = before

    def source(self, expr: Any) -> Any:
        return Again(lambda _: self.value(expr)) if self.repeats(expr) else self.value(expr)

    def implied_nest(self, line: int, shape: tuple[int, ...]) -> None:
        """Enter the loops that an array statement stands for: slowest dimension outside."""
        product = 1
        for depth, extent in enumerate(reversed(shape)):
            entries = product
            self.count.enter(self.frame.unit.file, self.frame.unit.name, line, (len(shape), depth))
            self.count.current.entries += entries - 1
            product *= extent
            self.count.current.iterations += product

    def do_where(self, s: Any) -> Any:
        """Every mask and every assignment is a nest at its own line; a WHERE with one assignment is one nest."""
        _, line, _, arms = s
        before = self.count.current
        first = next(c for c, _, _ in arms if c is not None)
        shape = self.peek(first).shape
        undecided = dict.fromkeys(indices(shape), True)
        alone = sum(len(body) for _, body, _ in arms) == 1
        for condition, body, at in arms:
            if condition is not None:
                self.implied_nest(at, shape)
            source = self.value(condition) if condition is not None else None
            # a mask is evaluated everywhere, also where an earlier one has decided
            holds = {i: source is None or source.get(i) for i in undecided}
            chosen = {i for i, open_ in undecided.items() if open_ and holds[i]}
            for i in chosen:
                undecided[i] = False
            for statement in body:
                if statement[1] != line and not alone:
                    self.count.current = before
                    self.implied_nest(statement[1], shape)
                self.masked(statement, chosen)
            self.count.current = before

    def masked(self, statement: Any, chosen: set[tuple[int, ...]]) -> None:
        """An assignment under WHERE."""
        where = self.locate(statement[3])
        if isinstance(where, Holder):
            where = where.target
            where = View(
                where.store, where.offset, where.dims, self.path(statement[3]), counters=where.counters
            )
        source = self.source(statement[4])
        order = sorted(chosen)
        values = [source.get(i) if isinstance(source, View | Lazy | Again) else source for i in order]
        for i, v in zip(order, values, strict=True):
            where.element(tuple(k + d[0] for k, d in zip(i, where.dims, strict=True))).set(v)

    def intrinsic(self, name: str, args: Any) -> Any:
        if name in ELEMENTAL:
            counted, function = ELEMENTAL[name]
            operands = [
                self.value(a[2] if a[0] == "kw" else a) for a in args if a[0] != "kw" or a[1] != "kind"
            ]

            def apply(*values: Any) -> Any:
                if counted and any(isinstance(v, float) for v in values):
                    for _ in range(max(1, len(values) - 1) if counted in ("min", "max") else 1):
                        self.count.call(counted)
                return function(*values)

            return self.lift(apply, *operands)
        method = getattr(self, "intrinsic_" + name, None)
        if method is None:
            raise RuntimeError(f"no function or array {name!r} in {self.frame.unit.name}")
        return method(args)


class MemberOfElement:
    """A scalar component of an array element: counted as an access to the array."""

    def __init__(self, element: Element, cell: Cell, name: str) -> None:
        self.element, self.cell, self.name = element, cell, name
        self.value = cell.value

    def _count(self, write: int) -> None:
        view = self.element.view
        if view.counters is not None:
            view.counters.access(f"{view.name}.{self.name}", view.store.name, self.cell.value, write)

    def get(self) -> Any:
        self._count(0)
        return self.cell.get()

    def set(self, value: Any) -> None:
        self.cell.set(value)
        self._count(1)


class Loan:
    """An array element passed to a scalar dummy: read once, when first used; written once, on return."""

    def __init__(self, place: Element | MemberOfElement) -> None:
        self.place = place
        self.known = False
        self.changed = False
        self.value: Any = (
            place.cell.value if isinstance(place, MemberOfElement) else place.view.store.data[place.at]
        )

    def get(self) -> Any:
        if not self.known:
            self.known, self.value = True, self.place.get()
        return self.value

    def set(self, value: Any) -> None:
        self.known = self.changed = True
        self.value = like(self.value, value)

    def give_back(self) -> None:
        if self.changed:
            self.place.set(self.value)


def compiled_output(files: list[Path]) -> str:
    """What the program prints when gcc compiles it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "gcc",
            "-O0",
            "-ffp-contract=off",
            "-fcheck=all",
            "-w",
            f"-J{folder}",
            "-o",
            f"{folder}/program",
        ]
        subprocess.run([*command, *map(str, files), "-lgfortran", "-lm"], check=True)
        return subprocess.run([f"{folder}/program"], check=True, capture_output=True, text=True).stdout


def agree(ours: str, theirs: str) -> bool:
    """The same numbers, as far as single precision may differ."""
    numbers = [[float(n) for n in re.findall(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", t)] for t in (ours, theirs)]
    if len(numbers[0]) != len(numbers[1]):
        return False
    return all(abs(a - b) <= 2e-5 * max(1.0, abs(a)) for a, b in zip(*numbers, strict=True))


def count(files: list[Path], check: bool = True) -> tuple[list[dict[str, Any]], str]:
    units = [unit for file in files for unit in parse(file)]
    interpreter = Interpreter(units)
    interpreter.run()
    printed = " ".join(interpreter.printed)
    if check:
        theirs = compiled_output(files)
        if not agree(printed, theirs):
            raise RuntimeError(
                f"{files[0].name}: the interpreter printed {printed!r}, the compiled program {theirs!r}"
            )
    return interpreter.count.record(), printed
