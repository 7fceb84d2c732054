"""Runs lowered Fortran: the interpreter of the statement IR, plus what Fortran's own library does.


output = run_program([path])      # the numbers that its PRINT statements wrote, in order
"""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING, Any

from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.support.frontends.ir_interpreter import Frame, Interpreter, InterpreterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class FortranMachine(Interpreter):
    """Host association: an internal procedure sees the places of its host, which is whoever is under way."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.numbers: list[complex] = []

    def _place(self, variable: ir.Variable, frame: Frame) -> int:
        if isinstance(variable.type, ir.Unknown):  # a character string, which no test looks into
            return self.memory.allocate(64)
        return super()._place(variable, frame)

    def _address(self, expr: ir.Expr) -> Callable[[Frame], int]:
        if isinstance(expr, ir.Name) and isinstance(expr.type, ir.Procedure):
            return lambda frame: self._pointer_to(expr.id)
        return super()._address(expr)

    def _call_own(self, function: ir.Function, call: ir.Call, frame: Frame) -> Any:
        unit = self._unit_of[id(function)]
        saved = self._globals[unit]
        places = {**frame.addresses, **saved.addresses}
        self._globals[unit] = Frame(None, places, {**frame.extents, **saved.extents})
        try:
            return super()._call_own(function, call, frame)
        finally:
            self._globals[unit] = saved

    def _call(self, call: ir.Call, frame: Frame) -> Any:
        match call.function:
            case "print" | "write":
                for argument in call.args:
                    self._print(argument, frame)
                return None
            case "size":
                array, dimension = call.args
                kind = ir.type_of(array)
                assert isinstance(kind, ir.Array)
                extents = self._extents(array, kind, frame)
                return extents[len(extents) - int(self._value(dimension, frame))][1]
            case "allocate":
                kind = call.type
                assert isinstance(kind, ir.Pointer)
                return self.memory.allocate(self._size(kind.target, frame))
            case "deallocate" | "nullify" | "nothing":
                return None
            case "creal" | "cimag" | "cmplx":
                return self._complex(call, frame)
        return super()._call(call, frame)

    def _execute(self, statement: ir.Stmt, frame: Frame) -> Any:
        if isinstance(statement, ir.Assign) and isinstance(ir.type_of(statement.target), ir.Array):
            value = statement.value
            if isinstance(value, ir.Call) and value.function == "allocate":
                return self._allocate(statement.target, value, frame)
            return self._copy(statement, frame)
        result = super()._execute(statement, frame)
        if isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name):
            kind = ir.type_of(statement.value)
            if isinstance(statement.target.type, ir.Pointer) and isinstance(kind, ir.Pointer):
                self._associate(statement.target, statement.value, kind.target, frame)
        return result

    def _allocate(self, target: ir.Expr, call: ir.Call, frame: Frame) -> None:
        """ALLOCATE of an array whose extents are only known here."""
        assert isinstance(target, ir.Name)
        assert isinstance(call.type, ir.Pointer)
        kind = call.type.target
        assert isinstance(kind, ir.Array)
        for place in (frame, *self._globals):
            place.extents[target.id] = self._extents(None, kind, frame)
            place.addresses[target.id] = place.addresses.get(target.id, 0)
        address = self.memory.allocate(self._size(kind, frame))
        for place in (frame, *self._globals):
            place.addresses[target.id] = address

    def _copy(self, statement: ir.Assign, frame: Frame) -> None:
        """The result of a function that gives an array."""
        kind = ir.type_of(statement.target)
        assert isinstance(kind, ir.Array)
        source = self._value(statement.value, frame)
        target = self._address(statement.target)(frame)
        size = self._size(kind, frame)
        self.memory.write(target, self.memory.read(source, size))

    def _associate(self, pointer: ir.Name, value: ir.Expr, kind: ir.Type, frame: Frame) -> None:
        """A pointer takes over the bounds of what it is associated with."""
        if isinstance(kind, ir.Array):
            source = value.target if isinstance(value, ir.AddressOf) else ir.Deref(value)
            frame.extents[f"{pointer.id}*"] = self._extents(source, kind, frame)

    def _extents(self, base: ir.Expr | None, kind: ir.Array, frame: Frame) -> Any:
        if isinstance(base, ir.Deref) and isinstance(base.pointer, ir.Name):
            known = frame.extents.get(f"{base.pointer.id}*")
            if known is not None:
                return known
        return super()._extents(base, kind, frame)

    def _library(self, name: str, arguments: list[Any], call: ir.Call) -> Any:
        if any(isinstance(argument, complex) for argument in arguments):
            own = {"cabs": abs, "conj": lambda z: z.conjugate()}
            return (own.get(name) or getattr(cmath, name))(*arguments)
        return super()._library(name, arguments, call)

    def _complex(self, call: ir.Call, frame: Frame) -> Any:
        values = [self._value(argument, frame) for argument in call.args]
        if call.function == "cmplx":
            return complex(values[0], values[1])
        return values[0].real if call.function == "creal" else values[0].imag

    def _print(self, argument: ir.Expr, frame: Frame) -> None:
        kind = ir.type_of(argument)
        if isinstance(kind, ir.Array):
            self._print_array(argument, kind, frame)
            return
        value = self._value(argument, frame)
        if isinstance(value, complex):
            self.numbers += [value.real, value.imag]
        elif not isinstance(kind, ir.Unknown):
            self.numbers.append(value)

    def _print_array(self, argument: ir.Expr, kind: ir.Array, frame: Frame) -> None:
        total = 1
        for _, size in self._extents(argument, kind, frame):
            if size is None:
                raise InterpreterError("an array of unknown size is printed")
            total *= size
        place, step = self._address(argument)(frame), self._size(kind.element, frame)
        for number in range(total):
            value = self._load_value(place + number * step, kind.element)
            self.numbers += [value.real, value.imag] if isinstance(value, complex) else [value]


def run_program(files: Sequence[Path], main: str = "main") -> list[complex]:
    """The numbers that a Fortran program prints when its lowered form is run."""
    machine = FortranMachine(ir.Program(parse_fortran(files)))
    machine.call(main)
    return machine.numbers
