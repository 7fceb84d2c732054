"""Lowers expressions: literals, names, operators, references, components and calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.fortran.intrinsics.scalar import is_intrinsic, lower_intrinsic
from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Value, elementwise
from foretell.frontends.fortran.lower.arrays import construct, index, index_value, whole_array
from foretell.frontends.fortran.lower.calls import call_function, type_bound
from foretell.frontends.fortran.lower.state import EXPRESSIONS, CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.types import constant_of, record
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from foretell.frontends.fortran.scope.symbols import Symbol
    from foretell.frontends.fortran.text.parse import Node

# -------------------------------------------------------------------------------------------- literals

_NUMBER = re.compile(r"(\d*\.?\d*)(?:([ed])([+-]?\d+))?(?:_(\w+))?$")
_BOZ = re.compile(r"""(?:([bozx])['"]([0-9a-f]+)['"]|['"]([0-9a-f]+)['"]([bozx]))(?:_\w+)?$""", re.IGNORECASE)
_BASES = {"b": 2, "o": 8, "z": 16, "x": 16}


def _number(low: Lowering, node: Node) -> Value:
    spelling = text(node)
    known = low.literals.get(spelling)
    if known is None:
        known = low.literals[spelling] = _parse_number(low, node, spelling)
    return known


def _parse_number(low: Lowering, node: Node, spelling: str) -> ir.Expr:
    if found := _BOZ.match(spelling):
        return ir.Const(int(found[2] or found[3], _BASES[(found[1] or found[4]).lower()]), ir.INT)
    found = _NUMBER.match(spelling.replace(" ", "").lower())
    if found is None or found[1] in ("", "."):
        raise CannotLowerError(f"the number {spelling!r} is not understood")
    size = _literal_kind(low, node, found[4])
    if "." not in found[1] and found[2] is None:
        return ir.Const(int(found[1]), ir.Scalar("int", size or 4))
    value = float(f"{found[1]}e{found[3] or 0}")
    return ir.Const(value, ir.Scalar("float", size or (8 if found[2] == "d" else 4)))


def _literal_kind(low: Lowering, node: Node, spelling: str | None) -> int | None:
    if spelling is None or spelling.isdigit():
        return int(spelling) if spelling else None
    kind = node.child_by_field_name("kind")
    size = constant_of(low, kind) if kind is not None else None
    if size is None:
        low.say(f"the kind {spelling!r} is not known; 8 bytes are assumed")
        return 8
    return size


def _string(low: Lowering, node: Node) -> Value:
    spelling = text(node)
    quote = spelling[-1:]
    start = spelling.find(quote)
    return ir.Const(spelling[start + 1 : -1].replace(quote * 2, quote), kinds.CHARACTER)


def _complex(low: Lowering, node: Node) -> Value:
    real, imaginary = (low.scalar(part) for part in node.named_children)
    size = max(_float_size(real), _float_size(imaginary))
    if isinstance(real, ir.Const) and isinstance(imaginary, ir.Const):
        first, second = real.value, imaginary.value
        if isinstance(first, int | float) and isinstance(second, int | float):
            return ir.Const(complex(first, second), ir.Scalar("complex", 2 * size))
    return ir.Call("cmplx", (real, imaginary), ir.Scalar("complex", 2 * size))


def _float_size(expr: ir.Expr) -> int:
    kind = ir.type_of(expr)
    return kind.size if isinstance(kind, ir.Scalar) and kind.kind == "float" else 4


# ------------------------------------------------------------------------------------------- operators

_OPERATORS: dict[str, ir.BinaryOp] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "**": "**", ".and.": "&&", ".or.": "||", ".eqv.": "==", ".neqv.": "!=",
    "==": "==", "/=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    ".eq.": "==", ".ne.": "!=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">=",
}  # fmt: skip
_BINARY_NODES = ("math_expression", "relational_expression", "logical_expression")


def _binary(low: Lowering, node: Node) -> Value:
    """Lowers a chain `a + b - c …`, which is left-deep and may be long: iteratively."""
    chain: list[Node] = []
    while node.type in _BINARY_NODES:
        left = node.child_by_field_name("left")
        if left is None:
            break
        chain.append(node)
        node = left
    if not chain:
        return _unary(low, node)
    if len(chain) > 400:
        raise CannotLowerError("the expression has more than 400 operators in a row")
    value = low.value(node) if node.type not in _BINARY_NODES else _unary(low, node)
    for part in reversed(chain):
        right = low.value(part.child_by_field_name("right"))
        value = _apply(low, part.child_by_field_name("operator"), value, right)
    return value


def _apply(low: Lowering, operator: Node, left: Value, right: Value) -> Value:
    op = _OPERATORS.get(operator.type) or _OPERATORS.get(text(operator).replace(" ", ""))
    if op is None:
        return _user_operator(low, text(operator), (left, right))
    return elementwise(lambda a, b: ir.Binary(op, a, b), left, right)


def _unary(low: Lowering, node: Node) -> Value:
    operator = node.child_by_field_name("operator")
    argument = node.child_by_field_name("argument")
    if operator is None or argument is None:
        raise CannotLowerError(f"{text(node)[:40]!r} is not an expression that is understood")
    value = low.value(argument)
    spelling = text(operator)
    if spelling == "-":
        if isinstance(value, ir.Const) and isinstance(value.value, int | float) and not isinstance(value.value, bool):
            return ir.Const(-value.value, value.type)
        return elementwise(lambda a: ir.Unary("-", a), value)
    if spelling == "+":
        return value
    if spelling == ".not.":
        return elementwise(lambda a: ir.Unary("!", a), value)
    return _user_operator(low, spelling, (value,))


def _user_operator(low: Lowering, spelling: str, operands: tuple[Value, ...]) -> Value:
    low.say(f"the operator {spelling} is defined by the user; an unknown function is assumed")
    return elementwise(lambda *args: ir.Call(f"operator{spelling}", args, ir.type_of(args[0])), *operands)


def _parenthesized(low: Lowering, node: Node) -> Value:
    inner = node.named_children
    if len(inner) != 1:
        raise CannotLowerError(f"{text(node)[:40]!r} is not an expression that is understood")
    return low.value(inner[0])


def _concatenation(low: Lowering, node: Node) -> Value:
    parts = [low.value(part) for part in node.named_children]
    return elementwise(lambda *args: ir.Call("concat", args, kinds.CHARACTER), *parts)


# ------------------------------------------------------------------------------------------- references


def _identifier(low: Lowering, node: Node) -> Value:
    name = text(node)
    if (known := low.plain.get(name)) is not None:
        return known
    symbol = low.scope.find(name) or _implicit_symbol(low, name)
    value = _symbol_value(low, symbol)
    if not isinstance(value, ArrayValue) and symbol.substitute is None:
        low.plain[name] = value
    return value


def _implicit_symbol(low: Lowering, name: str) -> Symbol:
    """Declares an undeclared name by implicit typing, in the procedure that uses it."""
    scope = low.scope.procedure_scope()
    symbol = scope.declare(name, low.line, "variable")
    if scope.implicit_none:
        missing = low.scope.missing_modules()
        where = f"; it may come from module {missing[0]!r}" if missing else ""
        low.say(f"{name} is not declared{where}: typed by its first letter")
        symbol.attributes.add("undeclared")
    return symbol


def _symbol_value(low: Lowering, symbol: Symbol) -> Value:
    """The value of a plain name: a variable, a whole array, or its ASSOCIATE selector."""
    if symbol.substitute is not None and symbol.kind == "variable":
        value: Value = symbol.substitute
        return value
    if symbol.kind in ("procedure", "generic", "type"):
        info = symbol.procedure
        return ir.Name(info.link if info is not None else symbol.name, ir.Procedure(ir.Unknown()))
    variable = low.variable(symbol)
    if variable.value is not None:
        low.constants[variable.id] = variable.value
    return _reference(ir.Name(variable.id, variable.type))


def _reference(expr: ir.Expr) -> Value:
    """An lvalue as a value: pointers are dereferenced, arrays are whole arrays."""
    kind = ir.type_of(expr)
    if isinstance(kind, ir.Pointer) and not isinstance(kind.target, ir.Procedure):
        expr, kind = ir.Deref(expr), kind.target
    return whole_array(expr) if isinstance(kind, ir.Array) else expr


def _call(low: Lowering, node: Node) -> Value:
    """name(…): an array reference, a substring, a statement function, an intrinsic or a function call."""
    parts = node.named_children
    callee = parts[0]
    arguments = [part for part in parts[1].named_children if part.type != "comment"] if len(parts) > 1 else []
    if callee.type == "identifier":
        return _named_call(low, text(callee), arguments)
    if callee.type == "derived_type_member_expression":
        return _member_call(low, callee, arguments)
    return _indexed(low, low.value(callee), arguments)


def _indexed(low: Lowering, base: Value, arguments: list[Node]) -> Value:
    if isinstance(base, ArrayValue):
        return index_value(low, base, arguments)
    return _substring(low, base, arguments)


def _named_call(low: Lowering, name: str, arguments: list[Node]) -> Value:
    symbol = low.scope.find(name)
    if symbol is not None and symbol.kind in ("variable", "unknown"):
        if symbol.substitute is not None:
            return _indexed(low, symbol.substitute, arguments)
        if symbol.is_array:
            variable = low.variable(symbol)
            name_of = ir.Name(variable.id, variable.type)
            return index(low, ir.Deref(name_of) if isinstance(variable.type, ir.Pointer) else name_of, arguments)
        if _is_character(symbol) and any(a.type == "extent_specifier" for a in arguments):
            return _substring(low, low.scalar_name(name), arguments)
    if (symbol is None or _declares_intrinsic(symbol)) and is_intrinsic(name):
        return lower_intrinsic(low, name, arguments)
    return call_function(low, name, symbol, arguments)


def _declares_intrinsic(symbol: Symbol) -> bool:
    """Whether a declaration only names an intrinsic: `double precision dsqrt`, `intrinsic sqrt`."""
    return "intrinsic" in symbol.attributes or (
        symbol.kind == "variable"
        and not symbol.dummy
        and "external" not in symbol.attributes
        and symbol.procedure is None
    )


def _is_character(symbol: Symbol) -> bool:
    if symbol.variable is not None:
        return symbol.variable.type == kinds.CHARACTER
    return symbol.type_node is not None and text(symbol.type_node).startswith("character")


def _substring(low: Lowering, base: ir.Expr, arguments: list[Node]) -> Value:
    kind = ir.type_of(base)
    if isinstance(kind, ir.Unknown) and kind != kinds.CHARACTER:
        # undeclared in the given files: it must be an array, of unknown extents
        array = ir.Array(ir.Unknown(), tuple(ir.Extent(None, arith.ONE) for _ in arguments))
        return index(low, ir.Deref(ir.Cast(ir.Pointer(array), ir.AddressOf(base))), arguments)
    if kind != kinds.CHARACTER:
        raise CannotLowerError("a subscript follows something that is neither an array nor a character string")
    return ir.Call("substring", (base,), kinds.CHARACTER)


# ------------------------------------------------------------------------------------------- components


def _member(low: Lowering, node: Node) -> Value:
    base, name = _member_parts(low, node)
    if isinstance(base, ArrayValue):
        kind = _component(low, base.element, name)
        if isinstance(kind, ir.Array):
            raise CannotLowerError(f"component {name} is an array of an array of records")
        follow = ir.Deref if isinstance(kind, ir.Pointer) else lambda expr: expr
        return ArrayValue(base.dims, lambda indices: follow(ir.Member(base.at(indices), name, kind)), kind)
    return _reference(_component_of(low, base, name))


def _member_parts(low: Lowering, node: Node) -> tuple[Value, str]:
    member = child(node, "type_member")
    base = node.named_children[0]
    return low.value(base), text(member) if member is not None else ""


def _component_of(low: Lowering, base: ir.Expr, name: str) -> ir.Expr:
    kind = ir.type_of(base)
    if isinstance(kind, ir.Scalar) and kind.kind == "complex" and name in ("re", "im"):
        return ir.Call("creal" if name == "re" else "cimag", (base,), ir.Scalar("float", kind.size // 2))
    return ir.Member(base, name, _component(low, kind, name))


def _component(low: Lowering, kind: ir.Type, name: str) -> ir.Type:
    if isinstance(kind, ir.Record):
        for attempt in (kind, record(low, kind.name)):
            if isinstance(attempt, ir.Record) and name in (fields := dict(reversed(attempt.fields))):
                return fields[name]
        low.say(f"component {name} of type {kind.name} is not declared in the given files")
    return ir.Unknown(name)


def _member_call(low: Lowering, callee: Node, arguments: list[Node]) -> Value:
    """a%b(i, j): an array component, or a type-bound function."""
    base, name = _member_parts(low, callee)
    if isinstance(base, ArrayValue):
        kind = _component(low, base.element, name)
        if not isinstance(kind, ir.Array):
            raise CannotLowerError(f"component {name} of an array of records is not an array")
        # g(:)%v(2): one element of an array component, for all records
        subscripts = tuple(low.scalar(argument) for argument in reversed(arguments))
        return ArrayValue(
            base.dims, lambda indices: ir.Index(ir.Member(base.at(indices), name, kind), subscripts), kind.element
        )
    if (bound := type_bound(low, base, name, arguments)) is not None:
        return bound
    expr = _component_of(low, base, name)
    kind = ir.type_of(expr)
    if isinstance(kind, ir.Pointer):
        expr, kind = ir.Deref(expr), kind.target
    if isinstance(kind, ir.Array):
        return index(low, expr, arguments)
    if isinstance(kind, ir.Unknown) and kind != kinds.CHARACTER:
        unknown = ir.Array(ir.Unknown(name), tuple(ir.Extent(None, arith.ONE) for _ in arguments))
        return index(low, ir.Member(base, name, unknown), arguments)
    return _substring(low, expr, arguments)


EXPRESSIONS |= {
    **dict.fromkeys(_BINARY_NODES, _binary),
    "number_literal": _number,
    "boolean_literal": lambda low, node: ir.Const("true" in text(node), kinds.LOGICAL),
    "string_literal": _string,
    "complex_literal": _complex,
    "unary_expression": _unary,
    "parenthesized_expression": _parenthesized,
    "concatenation_expression": _concatenation,
    "identifier": _identifier,
    "name": _identifier,
    "call_expression": _call,
    "derived_type_member_expression": _member,
    "array_literal": construct,
}
