"""An interpreter for the statement IR: what a lowered program does, to compare with what the compiled one does.

    machine = Interpreter(ir.Program(parse_c([path])))
    machine.call("main")          # machine.output holds what it printed

It is slow, general and strict: addresses are checked, steps are limited, and what it does not know is an error.
Expressions are compiled to closures once. `observe` is told of every operation and access.
"""

from __future__ import annotations

import cmath
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell.frontends.source import ir
from tests.support.frontends.ir_memory import InterpreterError, Layout, Memory, Value, convert, wrap
from tests.support.frontends.ir_values import Frame, Values, is_fixed

if TYPE_CHECKING:
    from collections.abc import Callable

Closure = "Callable[[Frame], Any]"
#: what happened ('read', 'write', an operator, or a function), its type, the address or 0
Observer = "Callable[[str, ir.Type, int], None]"


@dataclass(frozen=True, slots=True)
class _Signal:
    """Control leaves a block: kind of jump, its label, the value of a return."""

    kind: str
    label: str | None = None
    value: Any = None


class Interpreter(Values):
    """Runs the functions of a program."""

    def __init__(
        self,
        program: ir.Program,
        *,
        externals: dict[str, Callable[..., Any]] | None = None,
        observe: Callable[[str, ir.Type, int], None] | None = None,
        max_steps: int = 3_000_000,
    ) -> None:
        self.memory = Memory()
        self.layout = Layout()
        self.output = ""
        self._observe = observe
        self._steps = max_steps
        self._externals = externals or {}
        self._functions: dict[str, list[tuple[int, ir.Function]]] = {}
        self._variables: dict[int, dict[str, ir.Variable]] = {}
        self._globals: list[Frame] = []
        self._outer = {variable.id: variable for unit in program.units for variable in unit.globals}
        #: the calls under way, outermost first
        self._stack: list[Frame] = []
        self._statics: dict[tuple[int, str], int] = {}
        self._named: dict[str, int] = {}
        self._function_addresses: dict[str, int] = {}
        self._closures: dict[int, tuple[ir.Expr, Callable[[Frame], Any]]] = {}
        self._unit_of: dict[int, int] = {}
        for number, unit in enumerate(program.units):
            self._load(number, unit)
        for frame in self._globals:  # a module's variables are known by name in every unit
            frame.addresses = {**self._named, **frame.addresses}
        for number, unit in enumerate(program.units):
            for statement in unit.initial:
                self._execute(statement, self._globals[number])

    # ------------------------------------------------------------------------------------------ loading

    def _load(self, number: int, unit: ir.Unit) -> None:
        frame = Frame(None)
        self._globals.append(frame)
        for function in unit.functions:
            self._unit_of[id(function)] = number
            for name in dict.fromkeys((function.name, *function.link_names)):
                self._functions.setdefault(name, []).append((number, function))
            for variable in (*function.parameters, *function.locals):
                self.layout.learn(variable.type)
        for variable in unit.globals:
            self.layout.learn(variable.type)
            shared = variable.storage == "global" and variable.id in self._named
            try:
                address = self._named[variable.id] if shared else self._place(variable, frame)
                self._fix_extents(variable, frame, None)
            except InterpreterError:  # its extents are variables: it comes to life where it is allocated
                continue
            if variable.storage == "global":
                self._named[variable.id] = address
            frame.addresses[variable.id] = address
            if variable.value is not None:
                self._store(address, variable.type, self._value(variable.value, frame))

    def _place(self, variable: ir.Variable, frame: Frame) -> int:
        size = self.layout.size(variable.type, lambda expr: int(self._value(expr, frame)))
        return self.memory.allocate(size)

    def _fix_extents(
        self, variable: ir.Variable, frame: Frame, given: tuple[tuple[int, int | None], ...] | None
    ) -> None:
        if not isinstance(variable.type, ir.Array):
            return
        found = []
        for position, extent in enumerate(variable.type.dims):
            lower = int(self._value(extent.lower, frame)) if extent.lower is not None else 0
            size = int(self._value(extent.size, frame)) if extent.size is not None else None
            if size is None and given is not None and len(given) == len(variable.type.dims):
                size = given[position][1]
            found.append((lower, size))
        frame.extents[variable.id] = tuple(found)

    # ------------------------------------------------------------------------------------------ calling

    def call(self, name: str, *arguments: Value) -> Any:
        """Call a function by name with values (addresses for pointers and for by-reference arguments)."""
        function = self._find(name, None)
        if function is None:
            raise InterpreterError(f"no function {name}")
        return self._enter(function, list(arguments), [None] * len(arguments))

    def _find(self, name: str, caller: ir.Function | None) -> ir.Function | None:
        found = self._functions.get(name, [])
        own = self._unit_of[id(caller)] if caller is not None else -1
        for unit, function in found:
            if unit == own:
                return function
        return found[0][1] if found else None

    def _enter(self, function: ir.Function, values: list[Any], extents: list[Any]) -> Any:
        if function.errors:
            raise InterpreterError(f"{function.name} has errors: {function.errors[0].message}")
        unit = self._unit_of[id(function)]
        frame = Frame(function, dict(self._globals[unit].addresses), dict(self._globals[unit].extents))
        frame.caller = self._stack[-1] if self._stack else None
        values = values + [0] * (len(function.parameters) - len(values))  # main(argc, argv) called without any
        for variable in function.locals:
            if variable.storage == "constant":  # extents of the parameters may name it
                self._place_local(function, variable, frame)
        for parameter, value in zip(function.parameters, values, strict=False):
            if parameter.by_reference or isinstance(parameter.type, ir.Array):
                frame.addresses[parameter.id] = value
            else:
                address = self.memory.allocate(self._size(parameter.type, frame))
                frame.addresses[parameter.id] = address
                self._store(address, parameter.type, value)
        for parameter, given in zip(function.parameters, extents, strict=False):
            self._fix_extents(parameter, frame, given)
        self._place_locals(function, frame)
        self._stack.append(frame)
        signal = self._block(function.body, frame)
        self._stack.pop()
        if signal is not None and signal.kind == "return" and signal.value is not None:
            return convert(signal.value, function.result)
        if signal is not None and signal.kind not in ("return",):
            raise InterpreterError(f"{signal.kind} {signal.label} leaves {function.name}")
        if function.result_variable is not None:
            variable = self._variable(frame, function.result_variable)
            return self._load_value(frame.addresses[variable.id], variable.type)
        return None

    def _place_locals(self, function: ir.Function, frame: Frame) -> None:
        """Locals of fixed size live from the start; the others from their declaration on."""
        for variable in function.locals:
            if variable.storage != "constant":
                self._place_local(function, variable, frame)

    def _place_local(self, function: ir.Function, variable: ir.Variable, frame: Frame) -> None:
        key = (id(function), variable.id)
        if variable.storage == "static" and key in self._statics:
            frame.addresses[variable.id] = self._statics[key]
            return
        if isinstance(variable.type, ir.Array) and not is_fixed(variable.type):
            return
        frame.addresses[variable.id] = self._place(variable, frame)
        self._fix_extents(variable, frame, None)
        if variable.storage == "static":
            self._statics[key] = frame.addresses[variable.id]
        if variable.value is not None:
            self._store(frame.addresses[variable.id], variable.type, self._value(variable.value, frame))

    def _variable(self, frame: Frame, name: str) -> ir.Variable:
        assert frame.function is not None
        table = self._variables.get(id(frame.function))
        if table is None:
            table = {v.id: v for v in (*frame.function.parameters, *frame.function.locals)}
            self._variables[id(frame.function)] = table
        return table[name] if name in table else self._outer[name]

    # ------------------------------------------------------------------------------------------ statements

    def _block(self, body: tuple[ir.Stmt, ...], frame: Frame) -> _Signal | None:
        position = 0
        while position < len(body):
            signal = self._execute(body[position], frame)
            if signal is None:
                position += 1
            elif signal.kind == "goto":
                target = [p for p, s in enumerate(body) if isinstance(s, ir.Label) and s.name == signal.label]
                if not target:
                    return signal
                position = target[0]
            else:
                return signal
        return None

    def _execute(self, statement: ir.Stmt, frame: Frame) -> _Signal | None:
        self._steps -= 1
        if self._steps < 0:
            raise InterpreterError("too many steps")
        match statement:
            case ir.Assign(target, value):
                self._assign(target, self._value(value, frame), frame)
            case ir.Loop():
                return self._loop(statement, frame)
            case ir.While():
                return self._while(statement, frame)
            case ir.If(condition, then, other):
                return self._block(then if self._value(condition, frame) else other, frame)
            case ir.Evaluate(expr):
                self._value(expr, frame)
            case ir.Declare(name, init):
                self._declare(name, init, frame)
            case ir.Jump(kind, _, value, label):
                return _Signal(kind, label, None if value is None else self._value(value, frame))
            case ir.Switch(selector, cases):
                return self._switch(self._value(selector, frame), cases, frame)
            case ir.Annotated(_, body):
                return self._block(body, frame)
            case ir.Label():
                pass
            case ir.Opaque(line, reason):
                raise InterpreterError(f"line {line}: {reason}")
        return None

    def _assign(self, target: ir.Expr, value: Any, frame: Frame) -> None:
        kind = ir.type_of(target)
        address = self._address(target)(frame)
        if self._observe is not None:
            self._observe("write", kind, address)
        self._store(address, kind, value)

    def _declare(self, name: str, init: ir.Expr | None, frame: Frame) -> None:
        variable = self._variable(frame, name)
        if name not in frame.addresses or (isinstance(variable.type, ir.Array) and not is_fixed(variable.type)):
            self._fix_extents(variable, frame, None)
            frame.addresses[name] = self._place(variable, frame)
            if variable.storage == "global":  # a module's array is allocated for everybody
                for other in (*self._globals, *self._stack):
                    other.addresses[name], other.extents[name] = frame.addresses[name], frame.extents[name]
        if init is None:
            return
        if variable.storage == "static":
            key = (id(frame.function), f"{name} is set")
            if key in self._statics:
                return
            self._statics[key] = 1
        value = self._value(init, frame)
        if isinstance(variable.type, ir.Array) and isinstance(init, ir.Const) and isinstance(init.value, str):
            size = self.layout.size(variable.type, lambda expr: int(self._value(expr, frame)))
            self.memory.write(frame.addresses[name], init.value.encode("latin-1").ljust(size, b"\0")[:size])
            return
        self._store(frame.addresses[name], variable.type, value)

    def _loop(self, loop: ir.Loop, frame: Frame) -> _Signal | None:
        lower, upper, step = (int(self._exact(part)(frame)) for part in (loop.lower, loop.upper, loop.step))
        if step == 0:
            raise InterpreterError("a loop with step 0")
        if loop.exact_end and (upper - lower) * step >= 0:  # `!=`: the bound is the value before the one that ends it
            sign = 1 if step > 0 else -1
            if (upper + sign - lower) % step:
                raise InterpreterError("a != loop that misses its end")
        value = lower
        kind = self._kind_of(loop.variable, frame)
        address = frame.addresses[loop.variable]
        while (value - upper) * step <= 0:
            self._store(address, kind, value)
            signal = self._block(loop.body, frame)
            if signal is not None:
                if signal.kind == "break" and signal.label is None:
                    return None
                if not (signal.kind == "continue" and signal.label is None):
                    return signal
            value += step
        self._store(address, kind, value)
        return None

    def _kind_of(self, name: str, frame: Frame) -> ir.Type:
        try:
            return self._variable(frame, name).type
        except KeyError:
            return ir.INT

    def _while(self, loop: ir.While, frame: Frame) -> _Signal | None:
        first = loop.test_last
        while first or self._value(loop.condition, frame):
            first = False
            self._steps -= 1
            if self._steps < 0:
                raise InterpreterError("too many steps")
            signal = self._block(loop.body, frame)
            if signal is not None:
                if signal.kind == "break" and signal.label is None:
                    return None
                if not (signal.kind == "continue" and signal.label is None):
                    return signal
            signal = self._block(loop.step, frame)
            if signal is not None:
                return signal
        return None

    def _switch(self, value: Any, cases: Any, frame: Frame) -> _Signal | None:
        default = None
        for labels, body in cases:
            if not labels:
                default = body
            elif any(self._value(label, frame) == value for label in labels):
                return self._block(body, frame)
        return None if default is None else self._block(default, frame)

    # ------------------------------------------------------------------------------------------ calls

    def _pointer_to(self, name: str) -> int:
        if name not in self._function_addresses:
            self._function_addresses[name] = self.memory.allocate(1)
        return self._function_addresses[name]

    def _call(self, call: ir.Call, frame: Frame) -> Any:
        name = call.function
        if call.target is not None:
            address = self._value(call.target, frame)
            found = [known for known, place in self._function_addresses.items() if place == address]
            if not found:
                raise InterpreterError("a call through a pointer to no function")
            name = found[0]
        function = self._find(name, frame.function)
        if function is not None:
            return self._call_own(function, call, frame)
        arguments = [self._value(argument, frame) for argument in call.args]
        if self._observe is not None:
            self._observe(name, call.type, 0)
        if name in self._externals:
            return self._externals[name](self, *arguments)
        return convert(self._library(name, arguments, call), call.type)

    def _call_own(self, function: ir.Function, call: ir.Call, frame: Frame) -> Any:
        """Fortran passes places, C passes values (an address, where Fortran wants a place)."""
        is_fortran = frame.function is not None and frame.function.language == "fortran"
        values: list[Any] = []
        extents: list[Any] = []
        for position, argument in enumerate(call.args):
            parameter = function.parameters[position] if position < len(function.parameters) else None
            by_place = is_fortran and parameter is not None
            if by_place and not parameter.by_reference and isinstance(parameter.type, ir.Scalar | ir.Record):
                by_place = False  # VALUE
            values.append((self._address(argument) if by_place else self._compiled(argument))(frame))
            kind = ir.type_of(argument)
            extents.append(self._extents(argument, kind, frame) if isinstance(kind, ir.Array) else None)
        return self._enter(function, values, extents)

    def _library(self, name: str, arguments: list[Any], call: ir.Call) -> Any:
        if name in _MATH:
            return _MATH[name](*arguments)
        memory = self.memory
        match name:
            case "malloc" | "alloca" | "aligned_alloc":
                return memory.allocate(int(arguments[-1]))
            case "calloc":
                return memory.allocate(int(arguments[0]) * int(arguments[1]))
            case "free" | "fflush" | "srand":
                return 0
            case "memcpy" | "memmove":
                memory.write(arguments[0], memory.read(arguments[1], int(arguments[2])))
                return arguments[0]
            case "memset":
                memory.write(arguments[0], bytes([int(arguments[1]) & 255]) * int(arguments[2]))
                return arguments[0]
            case "strlen":
                return len(memory.text(arguments[0]))
            case "printf":
                text = self._format(memory.text(arguments[0]), arguments[1:])
                self.output += text
                return len(text)
            case "puts":
                self.output += memory.text(arguments[0]) + "\n"
                return 0
            case "putchar":
                self.output += chr(int(arguments[0]))
                return arguments[0]
        raise InterpreterError(f"a call of {name}")

    def _format(self, form: str, arguments: list[Any]) -> str:
        rest = iter(arguments)

        def one(match: re.Match[str]) -> str:
            if match[3] == "%":
                return "%"
            value = next(rest)
            if match[3] == "s":
                value = self.memory.text(value)
            elif match[3] == "u" or match[3] in "xX":
                value = wrap(int(value), ir.Scalar("uint", 8 if match[2] else 4))
            return f"%{match[1]}{match[3].replace('u', 'd')}" % value

        return re.sub(r"%([-+ 0#]*\d*(?:\.\d+)?)(hh|h|ll|l|z|j|t)?([a-zA-Z%])", one, form)


# ---------------------------------------------------------------------------------------------- helpers


def _round_half_away(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value)


_MATH: dict[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in ("exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan")},
    **{name: getattr(math, name) for name in ("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "hypot")},
    **{name: getattr(math, name) for name in ("erf", "erfc", "fmod", "copysign", "ldexp", "asinh", "acosh", "atanh")},
    "tgamma": math.gamma,
    "lgamma": math.lgamma,
    "sqrt": lambda v: math.sqrt(v) if v >= 0 else math.nan,
    "fabs": abs,
    "abs": abs,
    "cabs": abs,
    "pow": lambda a, b: a**b,
    "fma": lambda a, b, c: a * b + c,
    "cbrt": lambda v: math.copysign(abs(v) ** (1 / 3), v),
    "exp2": lambda v: 2.0**v,
    "floor": lambda v: float(math.floor(v)),
    "ceil": lambda v: float(math.ceil(v)),
    "trunc": lambda v: float(math.trunc(v)),
    "round": _round_half_away,
    "lround": lambda v: int(_round_half_away(v)),
    "llround": lambda v: int(_round_half_away(v)),
    "rint": lambda v: float(round(v)),
    "nearbyint": lambda v: float(round(v)),
    "fdim": lambda a, b: max(a - b, 0.0),
    "min": min,
    "max": max,
    "creal": lambda v: complex(v).real,
    "cimag": lambda v: complex(v).imag,
    "conj": lambda v: complex(v).conjugate(),
    "isnan": math.isnan,
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    "cexp": cmath.exp,
    "csqrt": cmath.sqrt,
    "carg": cmath.phase,
}
