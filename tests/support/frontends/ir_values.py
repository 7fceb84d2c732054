"""Values and addresses of the statement IR's expressions, for its interpreter."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from foretell.frontends.source import ir
from tests.support.frontends.ir_memory import InterpreterError, convert, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Callable


_TRUTHS = {"==", "!=", "<", "<=", ">", ">=", "&&", "||"}


@dataclass(slots=True)
class Frame:
    """One call: where its variables are, and the extents of its arrays as they were when they came to life."""

    function: ir.Function | None
    addresses: dict[str, int] = field(default_factory=dict)
    extents: dict[str, tuple[tuple[int, int | None], ...]] = field(default_factory=dict)
    #: the call it was entered from: a contained procedure sees the variables of its host, which calls it
    caller: Frame | None = None


def _address_of(name: str, frame: Frame) -> int:
    at: Frame | None = frame
    while at is not None:
        if name in at.addresses:
            return at.addresses[name]
        at = at.caller
    raise InterpreterError(f"the variable {name} does not exist here")


def is_fixed(kind: ir.Array) -> bool:
    return all(extent.size is None or isinstance(extent.size, ir.Const) for extent in kind.dims) and not any(
        extent.size is None for extent in kind.dims
    )


def _target(kind: ir.Type) -> ir.Type:
    if isinstance(kind, ir.Pointer):
        return kind.target
    assert isinstance(kind, ir.Array)
    return ir.Array(kind.element, kind.dims[1:]) if kind.dims[1:] else kind.element


def _operation(op: str, integers: bool) -> Callable[[Any, Any], Any]:
    table: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": _integer_divide if integers else _real_divide,
        "%": lambda a, b: a - b * _integer_divide(a, b),
        "**": lambda a, b: _integer_power(a, b) if integers else a**b,
        "<<": lambda a, b: int(a) << int(b),
        ">>": lambda a, b: int(a) >> int(b),
        "&": lambda a, b: int(a) & int(b),
        "|": lambda a, b: int(a) | int(b),
        "^": lambda a, b: int(a) ^ int(b),
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
    }
    return table[op]


def _integer_divide(a: int, b: int) -> int:
    if b == 0:
        raise InterpreterError("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _real_divide(a: complex, b: complex) -> complex:
    if b == 0 and not isinstance(a, complex) and not isinstance(b, complex):
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _integer_power(a: int, b: int) -> int:
    if b >= 0:
        return int(a**b)
    return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)


class Values:
    """Evaluates expressions; what memory and calls are, the interpreter says."""

    # ------------------------------------------------------------------------------------------ values

    def _store(self, address: int, kind: ir.Type, value: Any) -> None:
        self.memory.write(address, pack(value, kind))

    def _load_value(self, address: int, kind: ir.Type) -> Any:
        if isinstance(kind, ir.Array):
            return address
        if self._observe is not None:
            self._observe("read", kind, address)
        size = kind.size if isinstance(kind, ir.Scalar) else self._size(kind, self._globals[0])
        return unpack(self.memory.read(address, size), kind)

    def _value(self, expr: ir.Expr, frame: Frame) -> Any:
        return self._compiled(expr)(frame)

    def _compiled(self, expr: ir.Expr) -> Callable[[Frame], Any]:
        known = self._closures.get(id(expr))
        if known is None:
            known = (expr, self._compile(expr))
            self._closures[id(expr)] = known
        return known[1]

    def _compile(self, expr: ir.Expr) -> Callable[[Frame], Any]:
        self.layout.learn(ir.type_of(expr))
        match expr:
            case ir.Const(value, kind):
                return self._constant(value, kind)
            case ir.Name(name, ir.Procedure()):
                return lambda frame: self._pointer_to(name)
            case ir.Name() | ir.Index() | ir.Deref() | ir.Member():
                address, kind = self._address(expr), ir.type_of(expr)
                return lambda frame: self._load_value(address(frame), kind)
            case ir.AddressOf(target):
                return self._address(target)
            case ir.Binary():
                return self._binary(expr)
            case ir.Unary(op, operand):
                return self._unary(op, self._compiled(operand), ir.type_of(expr))
            case ir.Select(condition, then, other):
                kind = ir.type_of(expr)
                test, yes, no = self._compiled(condition), self._compiled(then), self._compiled(other)
                return lambda frame: convert(yes(frame) if test(frame) else no(frame), kind)
            case ir.Cast(kind, operand):
                inner = self._compiled(operand)
                return lambda frame: convert(inner(frame), kind)
            case ir.Call():
                return lambda frame: self._call(expr, frame)

    def _constant(self, value: Any, kind: ir.Type) -> Callable[[Frame], Any]:
        if isinstance(value, str):
            data = value.encode("latin-1", "replace") + b"\0"
            address = self.memory.allocate(len(data))
            self.memory.write(address, data)
            return lambda frame: address
        converted = convert(value, kind)
        return lambda frame: converted

    def _unary(self, op: str, operand: Callable[[Frame], Any], kind: ir.Type) -> Callable[[Frame], Any]:
        apply: dict[str, Callable[[Any], Any]] = {
            "-": lambda v: -v,
            "+": lambda v: v,
            "~": lambda v: ~int(v),
            "!": lambda v: not v,
        }
        observe = self._observe

        def run(frame: Frame) -> Any:
            if observe is not None:
                observe(f"unary {op}", kind, 0)
            return convert(apply[op](operand(frame)), kind)

        return run

    def _binary(self, expr: ir.Binary) -> Callable[[Frame], Any]:
        op, kind = expr.op, ir.type_of(expr)
        left, right = self._compiled(expr.left), self._compiled(expr.right)
        if op == "&&":
            return lambda frame: bool(left(frame)) and bool(right(frame))
        if op == "||":
            return lambda frame: bool(left(frame)) or bool(right(frame))
        kinds = ir.type_of(expr.left), ir.type_of(expr.right)
        if op in ("+", "-") and any(isinstance(k, ir.Pointer | ir.Array) for k in kinds):
            return self._pointer_arithmetic(op, left, right, kinds)
        compute = _operation(op, all(isinstance(k, ir.Scalar) and k.kind in ("int", "uint", "bool") for k in kinds))
        observe = self._observe
        result = ir.BOOL if op in _TRUTHS else kind

        def run(frame: Frame) -> Any:
            if observe is not None:
                observe(op, kinds[0] if op in _TRUTHS else kind, 0)
            return convert(compute(left(frame), right(frame)), result)

        return run

    def _pointer_arithmetic(
        self, op: str, left: Callable[[Frame], Any], right: Callable[[Frame], Any], kinds: tuple[ir.Type, ir.Type]
    ) -> Callable[[Frame], Any]:
        is_pointer = [isinstance(k, ir.Pointer | ir.Array) for k in kinds]
        target = _target(kinds[0] if is_pointer[0] else kinds[1])

        def run(frame: Frame) -> Any:
            size = self._size(target, frame)
            a, b = left(frame), right(frame)
            if all(is_pointer):
                return (a - b) // size
            a, b = (a * size, b) if is_pointer[1] else (a, b * size)
            return a + b if op == "+" else a - b

        return run

    def _size(self, kind: ir.Type, frame: Frame) -> int:
        return self.layout.size(kind, lambda expr: int(self._value(expr, frame)))

    def _exact(self, expr: ir.Expr) -> Callable[[Frame], Any]:
        """A loop bound: sums of integers do not wrap."""
        if isinstance(expr, ir.Binary) and expr.op in ("+", "-") and isinstance(ir.type_of(expr), ir.Scalar):
            left, right = self._exact(expr.left), self._exact(expr.right)
            return lambda frame: left(frame) + (right(frame) if expr.op == "+" else -right(frame))
        if isinstance(expr, ir.Call) and expr.function in ("min", "max") and expr.target is None:
            parts = [self._exact(argument) for argument in expr.args]
            choose = min if expr.function == "min" else max
            return lambda frame: choose(part(frame) for part in parts)
        if isinstance(expr, ir.Unary) and expr.op == "-":
            inner = self._exact(expr.operand)
            return lambda frame: -inner(frame)
        return self._compiled(expr)

    # ------------------------------------------------------------------------------------------ addresses

    def _address(self, expr: ir.Expr) -> Callable[[Frame], int]:
        match expr:
            case ir.Name(name):
                return lambda frame: _address_of(name, frame)
            case ir.Deref(pointer):
                return self._compiled(pointer)
            case ir.Member(base, name):
                self.layout.learn(ir.type_of(base))
                kind, inner = ir.type_of(base), self._address(base)
                if not isinstance(kind, ir.Record):
                    raise InterpreterError(f"a member {name} of {kind}")
                return lambda frame: inner(frame) + self._offset(kind, name, frame)
            case ir.Index():
                return self._indexed(expr)
            case ir.Cast(_, operand):
                return self._address(operand)
            case ir.Const(str()):
                return self._compiled(expr)
            case _:  # a value without a place, as an argument by reference
                inner, kind = self._compiled(expr), ir.type_of(expr)
                return lambda frame: self._kept(inner(frame), kind, frame)

    def _kept(self, value: Any, kind: ir.Type, frame: Frame) -> int:
        address = self.memory.allocate(self._size(kind, frame))
        self._store(address, kind, value)
        return address

    def _offset(self, kind: ir.Record, name: str, frame: Frame) -> int:
        return self.layout.fields(kind, lambda expr: int(self._value(expr, frame)))[name][0]

    def _indexed(self, expr: ir.Index) -> Callable[[Frame], int]:
        kind = ir.type_of(expr.base)
        subscripts = [self._compiled(s) for s in expr.subscripts]
        if isinstance(kind, ir.Array):
            base = self._address(expr.base)
            return lambda frame: self._array_place(
                base(frame), kind, self._extents(expr.base, kind, frame), subscripts, frame
            )
        if not isinstance(kind, ir.Pointer):
            raise InterpreterError(f"a subscript of {kind}")
        pointer, target = self._compiled(expr.base), kind.target

        def run(frame: Frame) -> int:
            place = pointer(frame) + int(subscripts[0](frame)) * self._size(target, frame)
            if len(subscripts) == 1:
                return int(place)
            assert isinstance(target, ir.Array)
            return self._array_place(place, target, self._extents(None, target, frame), subscripts[1:], frame)

        return run

    def _extents(self, base: ir.Expr | None, kind: ir.Array, frame: Frame) -> tuple[tuple[int, int | None], ...]:
        if isinstance(base, ir.Name) and base.id in frame.extents:
            return frame.extents[base.id]
        return tuple(
            (
                int(self._value(extent.lower, frame)) if extent.lower is not None else 0,
                int(self._value(extent.size, frame)) if extent.size is not None else None,
            )
            for extent in kind.dims
        )

    def _array_place(
        self,
        place: int,
        kind: ir.Array,
        extents: tuple[tuple[int, int | None], ...],
        subscripts: list[Callable[[Frame], Any]],
        frame: Frame,
    ) -> int:
        offset = 0
        for position, (lower, size) in enumerate(extents):
            index = int(subscripts[position](frame)) - lower if position < len(subscripts) else 0
            if position:
                if size is None:
                    raise InterpreterError("an inner extent that is not known")
                offset *= size
            offset += index
        return place + offset * self._size(kind.element, frame)
