"""The statement IR as text that people can read and tests can compare: one line per statement, two blanks per level.

    void f(int n, double *restrict a)
      i: int
      for i = 0 .. n - 1 by 1  {local}
        a[i] = a[i] * 2.0

Text is stable: equal programs give equal text. Line numbers are printed only on request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCALARS = {
    ("int", 1): "int8",
    ("int", 2): "int16",
    ("int", 4): "int",
    ("int", 8): "long",
    ("uint", 1): "uint8",
    ("uint", 2): "uint16",
    ("uint", 4): "uint",
    ("uint", 8): "ulong",
    ("float", 4): "float",
    ("float", 8): "double",
    ("complex", 8): "cfloat",
    ("complex", 16): "cdouble",
    ("bool", 1): "bool",
}

_PRECEDENCE = {
    "**": 12,
    "*": 11,
    "/": 11,
    "%": 11,
    "+": 10,
    "-": 10,
    "<<": 9,
    ">>": 9,
    "<": 8,
    "<=": 8,
    ">": 8,
    ">=": 8,
    "==": 7,
    "!=": 7,
    "&": 6,
    "^": 5,
    "|": 4,
    "&&": 3,
    "||": 2,
}
_UNARY, _POSTFIX = 13, 14


def type_text(kind: ir.Type) -> str:
    """'double', 'int*', 'double[n][1:m]'; a record by its name."""
    match kind:
        case ir.Scalar(name, size):
            return _SCALARS.get((name, size), f"{name}{8 * size}")
        case ir.Array(element, dims):
            return type_text(element) + "".join(f"[{_extent(extent)}]" for extent in dims)
        case ir.Pointer(target, restrict):
            inner = type_text(target)
            return (f"({inner})" if isinstance(target, ir.Array) else inner) + ("*restrict" if restrict else "*")
        case ir.Record(name):
            return f"struct {name}"
        case ir.Procedure(result):
            return f"{type_text(result)}()"
        case ir.Void():
            return "void"
        case ir.Unknown(spelling):
            return f"unknown {spelling}".rstrip()


def _extent(extent: ir.Extent) -> str:
    size = "" if extent.size is None else expr_text(extent.size)
    return size if extent.lower is None else f"{expr_text(extent.lower)}:+{size}"


def expr_text(expr: ir.Expr) -> str:
    """An expression in C's notation with the fewest parentheses; casts and max/min are spelled as calls."""
    return _expr(expr, 0)


def _expr(expr: ir.Expr, level: int) -> str:
    match expr:
        case ir.Const(value, kind):
            return _constant(value, kind)
        case ir.Name(name):
            return name
        case ir.Index(base, subscripts):
            return _expr(base, _POSTFIX) + "".join(f"[{_expr(s, 0)}]" for s in subscripts)
        case ir.Member(ir.Deref(pointer), name):
            return f"{_expr(pointer, _POSTFIX)}->{name}"
        case ir.Member(base, name):
            return f"{_expr(base, _POSTFIX)}.{name}"
        case ir.Deref(pointer):
            return _wrap("*" + _expr(pointer, _UNARY), _UNARY, level)
        case ir.AddressOf(target):
            return _wrap("&" + _expr(target, _UNARY), _UNARY, level)
        case ir.Unary(op, operand):
            return _wrap(op + _expr(operand, _UNARY + 1), _UNARY, level)
        case ir.Binary(op, left, right):
            own = _PRECEDENCE[op]
            return _wrap(f"{_expr(left, own)} {op} {_expr(right, own + 1)}", own, level)
        case ir.Select(condition, then, other):
            return _wrap(f"{_expr(condition, 2)} ? {_expr(then, 0)} : {_expr(other, 0)}", 1, level)
        case ir.Cast(kind, operand):
            return f"{type_text(kind)}({_expr(operand, 0)})"
        case ir.Call(function, args, _, target):
            name = function if target is None else f"(*{_expr(target, _UNARY)})"
            return f"{name}({', '.join(_expr(a, 0) for a in args)})"


def _constant(value: complex | bool | str, kind: ir.Type) -> str:
    if isinstance(value, str):
        return '"' + value.encode("unicode_escape").decode().replace('"', '\\"') + '"'
    suffix = "f" if kind == ir.FLOAT else "u" if isinstance(kind, ir.Scalar) and kind.kind == "uint" else ""
    return f"{value!r}{suffix}"


def _wrap(text: str, own: int, level: int) -> str:
    return f"({text})" if own < level else text


# ---------------------------------------------------------------------------------------------- statements


def statement_text(body: tuple[ir.Stmt, ...], *, lines: bool = False) -> str:
    """Statements, one per line."""
    return "\n".join(_Printer(lines).block(body, 0))


def function_text(function: ir.Function, *, lines: bool = False) -> str:
    """A function: head, errors, local variables, body."""
    return "\n".join(_Printer(lines).function(function))


def unit_text(unit: ir.Unit, *, lines: bool = False) -> str:
    """A whole source file."""
    return "\n".join(_Printer(lines).unit(unit))


def program_text(program: ir.Program, *, lines: bool = False) -> str:
    """A whole program."""
    return "\n\n".join(unit_text(unit, lines=lines) for unit in program.units)


def directive_text(directive: ir.Directive) -> str:
    """'omp parallel for reduction(+: s)'."""
    clauses = [f"{name}({text})" if text else name for name, text in directive.clauses]
    return " ".join([directive.dialect, *directive.words, *clauses])


class _Printer:
    def __init__(self, lines: bool) -> None:
        self._lines = lines

    def unit(self, unit: ir.Unit) -> Iterator[str]:
        yield f"unit {unit.language}, {unit.loops_seen} loops"
        for message in unit.diagnostics:
            yield f"{message.severity}: {message.message}"
        for variable in unit.globals:
            yield self._variable(variable)
        for function in unit.functions:
            yield ""
            yield from self.function(function)

    def function(self, function: ir.Function) -> Iterator[str]:
        parameters = ", ".join(f"{p.id}: {type_text(p.type)}{self._flags(p)}" for p in function.parameters)
        static = "static " if function.static else ""
        yield f"{static}{type_text(function.result)} {function.name}({parameters})"
        if function.result_variable is not None:
            yield f"  result {function.result_variable}"
        for message in function.errors:
            yield f"  {message.severity}: {message.message}"
        for variable in function.locals:
            yield "  " + self._variable(variable)
        yield from self.block(function.body, 1)

    @staticmethod
    def _flags(variable: ir.Variable) -> str:
        return (" by reference" if variable.by_reference else "") + (
            f" intent({variable.intent})" if variable.intent else ""
        )

    def _variable(self, variable: ir.Variable) -> str:
        storage = "" if variable.storage == "local" else f"{variable.storage} "
        value = "" if variable.value is None else f" = {expr_text(variable.value)}"
        return f"{storage}{variable.id}: {type_text(variable.type)}{self._flags(variable)}{value}"

    def block(self, body: tuple[ir.Stmt, ...], depth: int) -> Iterator[str]:
        for statement in body:
            yield from self._statement(statement, depth)

    def _statement(self, statement: ir.Stmt, depth: int) -> Iterator[str]:
        match statement:
            case ir.Loop() | ir.While():
                yield from self._loop(statement, depth)
            case ir.If(condition, then, other):
                yield self._line(f"if {expr_text(condition)}", depth, statement)
                yield from self.block(then, depth + 1)
                if other:
                    yield self._line("else", depth, None)
                    yield from self.block(other, depth + 1)
            case ir.Switch(selector, cases):
                yield self._line(f"switch {expr_text(selector)}", depth, statement)
                for labels, body in cases:
                    named = ", ".join(map(expr_text, labels))
                    yield self._line(f"case {named}" if labels else "default", depth + 1, None)
                    yield from self.block(body, depth + 2)
            case ir.Annotated(directives, body):
                yield self._line(" | ".join(f"#{directive_text(d)}" for d in directives), depth, statement)
                yield from self.block(body, depth + 1)
            case _:
                yield self._line(_simple(statement), depth, statement)

    def _loop(self, loop: ir.Loop | ir.While, depth: int) -> Iterator[str]:
        for directive in loop.directives:
            yield self._line(f"#{directive_text(directive)}", depth, None)
        if isinstance(loop, ir.Loop):
            head = f"for {loop.variable} = {expr_text(loop.lower)} .. {expr_text(loop.upper)}"
            head += f" by {expr_text(loop.step)}"
            flags = [name for name in ("implied", "local", "exact_end") if getattr(loop, name)]
            yield self._line(head + (f"  {{{', '.join(flags)}}}" if flags else ""), depth, loop)
            yield from self.block(loop.body, depth + 1)
            return
        yield self._line("do" if loop.test_last else f"while {expr_text(loop.condition)}", depth, loop)
        yield from self.block(loop.body, depth + 1)
        if loop.step:
            yield self._line("step", depth, None)
            yield from self.block(loop.step, depth + 1)
        if loop.test_last:
            yield self._line(f"while {expr_text(loop.condition)}", depth, None)

    def _line(self, text: str, depth: int, statement: ir.Stmt | None) -> str:
        number = f"{statement.line:4d} " if self._lines and statement is not None else "     " * self._lines
        return f"{number}{'  ' * depth}{text}"


def _simple(statement: ir.Stmt) -> str:
    match statement:
        case ir.Assign(target, value, _, compound):
            return f"{expr_text(target)} = {expr_text(value)}" + ("  {compound}" if compound else "")
        case ir.Evaluate(expr):
            return expr_text(expr)
        case ir.Declare(variable, init):
            return f"declare {variable}" + ("" if init is None else f" = {expr_text(init)}")
        case ir.Jump(kind, _, value, label):
            return " ".join([kind, *([label] if label else []), *([expr_text(value)] if value is not None else [])])
        case ir.Label(name):
            return f"{name}:"
        case ir.Opaque(_, reason, loops):
            return f"opaque ({loops} loops): {reason}"
        case _:
            raise AssertionError(f"{type(statement).__name__} is not a simple statement")
