"""Symbols → `ir.Variable`: types, kinds, extents, storage and the values of constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeGuard

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.array_values import ArrayValue, Value
from foretell.frontends.fortran.lower.state import DECLARATIONS, CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import child, declare_all, text
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from foretell.frontends.fortran.scope.symbols import Scope, Symbol
    from foretell.frontends.fortran.text.parse import Node

Storage = Literal["local", "parameter", "global", "static", "constant"]

#: for kinds of unknown value: double precision is the most common
_ASSUMED_KIND = 8


def type_of_node(low: Lowering, node: Node) -> ir.Type:
    """real(dp), integer*8, double precision, type(grid), class(*), procedure(f)."""
    if node.type == "derived_type":
        return _derived(low, node)
    if node.type == "procedure":
        return ir.Procedure(ir.Unknown("procedure"))
    words = text(node).split("(")[0].split("*")[0].split()
    if words[0].startswith("double"):
        return ir.Scalar("complex", 16) if "complex" in words[-1] else ir.DOUBLE
    kind = node.child_by_field_name("kind")
    size = _kind_size(low, kind, words[0]) if kind is not None and words[0] != "character" else None
    return kinds.scalar(words[0], size)


def _kind_size(low: Lowering, node: Node, word: str) -> int | None:
    value = next((part for part in node.named_children if part.type != "comment"), None)
    if value is None:
        return None
    if value.type == "keyword_argument":
        value = value.child_by_field_name("value")
    size = constant_of(low, value)
    if size is None:
        low.scope.say(_line(low, node), f"the kind {text(value)!r} is not known; {_ASSUMED_KIND} bytes are assumed")
        return _ASSUMED_KIND
    if text(node).lstrip().startswith("*") and word == "complex":
        return size // 2  # complex*16 counts both parts
    return size if size in (1, 2, 4, 8, 10, 16) else _ASSUMED_KIND


def _line(low: Lowering, node: Node) -> int:
    tree = low.scope.tree
    return tree.line(node) if tree is not None else low.line


def constant_of(low: Lowering, node: Node) -> int | None:
    """The integer value of a constant expression, or None."""
    try:
        value = low.value(node)
    except CannotLowerError:
        return None
    return integer_value(low, value) if is_scalar(value) else None


def is_scalar(value: Value) -> TypeGuard[ir.Expr]:
    """Whether a value is an expression of the IR, rather than an array value."""
    return not isinstance(value, ArrayValue)


def integer_value(low: Lowering, expr: ir.Expr, depth: int = 0) -> int | None:
    """The value of an integer expression of constants and PARAMETERs."""
    if depth > 50:
        return None
    match expr:
        case ir.Const(value):
            return value if isinstance(value, int) else None
        case ir.Name(identifier):
            known = low.constants.get(identifier)
            return None if known is None else integer_value(low, known, depth + 1)
        case ir.Cast(_, operand):
            return integer_value(low, operand, depth + 1)
        case ir.Unary("-", operand):
            inner = integer_value(low, operand, depth + 1)
            return None if inner is None else -inner
        case ir.Binary(op, left, right) if op in ("+", "-", "*", "/"):
            a, b = integer_value(low, left, depth + 1), integer_value(low, right, depth + 1)
            if a is None or b is None or (op == "/" and b == 0):
                return None
            combine = {"+": arith.add, "-": arith.sub, "*": arith.mul, "/": arith.div}[op]
            return arith.constant(combine(arith.integer(a), arith.integer(b)))
    return None


# ------------------------------------------------------------------------------------------ derived types


def _derived(low: Lowering, node: Node) -> ir.Type:
    name = node.child_by_field_name("name")
    if name is None:
        return ir.Unknown(text(node))
    if name.type == "intrinsic_type":
        return type_of_node(low, name)
    return record(low, text(name).split("(")[0].strip())


def record(low: Lowering, name: str) -> ir.Type:
    """The record type of a derived type; incomplete inside itself and where unknown."""
    symbol = low.scope.find(f"type {name}")
    if symbol is None or symbol.definition is None:
        return ir.Record(name)
    owner: Lowering = symbol.scope.lowering
    scope = component_scope(owner, symbol)
    if symbol.resolving:
        return ir.Record(name)
    if symbol.variable is None:
        symbol.resolving = True
        try:
            fields = _base_fields(owner, symbol) + tuple(
                (part.name, owner.variable(part).type) for part in list(scope.names.values()) if part.kind == "variable"
            )
        finally:
            symbol.resolving = False
        symbol.variable = ir.Variable(name, name, ir.Record(name, fields), "constant", symbol.line)
    return symbol.variable.type


def component_scope(owner: Lowering, symbol: Symbol) -> Scope:
    """The components of a derived type as a separate scope."""
    if symbol.substitute is None:
        symbol.substitute = scope = owner.inner("type", symbol.name).scope
        if scope.tree is not None:
            declare_all(scope, scope.tree, symbol.definition)
    result: Scope = symbol.substitute
    return result


def _base_fields(owner: Lowering, symbol: Symbol) -> tuple[tuple[str, ir.Type], ...]:
    """Components inherited by EXTENDS."""
    statement = child(symbol.definition, "derived_type_statement")
    base = statement.child_by_field_name("base") if statement is not None else None
    inner = child(base, "identifier", "name", "type_name") if base is not None else None
    if inner is None:
        return ()
    parent = record(owner, text(inner))
    fields = parent.fields if isinstance(parent, ir.Record) else ()
    return ((text(inner), parent), *fields)


# ---------------------------------------------------------------------------------------------- variables


def resolve(low: Lowering, symbol: Symbol) -> ir.Variable:
    """Creates the variable of a symbol of this lowering's scope."""
    if symbol.resolving:
        raise CannotLowerError(f"{symbol.name} is declared in terms of itself")
    symbol.resolving = True
    try:
        kind = _type(low, symbol)
        value = _value(low, symbol)
    finally:
        symbol.resolving = False
    storage = _storage(symbol)
    variable = ir.Variable(
        _identifier(low, symbol),
        symbol.name,
        kind,
        storage,
        symbol.line,
        value if storage == "constant" else None,
        by_reference=symbol.dummy and "value" not in symbol.attributes and not is_procedure(kind),
        descriptor=symbol.dummy and _by_descriptor(symbol),
        intent=symbol.intent,
    )
    symbol.variable = variable
    if value is not None and storage == "constant":
        low.constants[variable.id] = value
    if symbol.scope.kind not in ("type", "interface"):
        symbol.scope.procedure_scope().variables.append(variable)
    return variable


def assume_array(low: Lowering, name: str, rank: int) -> ir.Variable:
    """Declares an undeclared name that is, certainly or most likely, an array: of unknown extents."""
    scope = low.scope.procedure_scope()
    around = scope.find(name)
    typed = around.type_node if around is not None else None
    element = low.type_of_node(typed) if typed is not None else scope.implicit_type(name)
    extents = tuple(ir.Extent(None, arith.ONE) for _ in range(rank))
    own = scope.declare(name, low.line, "variable")
    if own.variable in scope.variables:
        scope.variables.remove(own.variable)
    own.variable = ir.Variable(scope.unique(name), name, ir.Array(element, extents), "local", low.line)
    scope.variables.append(own.variable)
    low.plain.pop(name, None)
    return own.variable


def is_procedure(kind: ir.Type) -> bool:
    return isinstance(kind, ir.Pointer) and isinstance(kind.target, ir.Procedure)


def _identifier(low: Lowering, symbol: Symbol) -> str:
    scope = symbol.scope
    if symbol.common:
        return symbol.common + symbol.name
    if scope.kind in ("module", "submodule"):
        return f"{scope.name}::{symbol.name}"
    if scope.kind in ("type", "interface"):
        return symbol.name
    if symbol.table:  # DATA is executed once, not at every call
        host = f"{scope.parent.name}::" if scope.parent is not None else ""
        return f"{host}{scope.name}::{symbol.name}"
    return scope.procedure_scope().unique(symbol.name)


def _storage(symbol: Symbol) -> Storage:
    if "parameter" in symbol.attributes:
        return "constant"
    if symbol.dummy:
        return "parameter"
    if symbol.common or symbol.table or symbol.scope.kind in ("module", "submodule"):
        return "global"
    return "static" if "save" in symbol.attributes or symbol.init is not None else "local"


def _value(low: Lowering, symbol: Symbol) -> ir.Expr | None:
    """The value of a PARAMETER; none for arrays."""
    if "enumerator" in symbol.attributes and symbol.init is None:
        before = low.variable(symbol.scope.names[symbol.members[0]]).value if symbol.members else None
        return arith.add(before, arith.ONE) if before is not None else arith.ZERO
    if "parameter" not in symbol.attributes or symbol.init is None or symbol.dims is not None:
        return None
    try:
        value = low.value(symbol.init)
    except CannotLowerError:
        return None
    if not is_scalar(value):
        return None
    number = integer_value(low, value)
    return ir.Const(number, ir.type_of(value)) if number is not None and not isinstance(value, ir.Const) else value


def _type(low: Lowering, symbol: Symbol) -> ir.Type:
    element = _element_type(low, symbol)
    called = symbol.dummy and (symbol.kind == "procedure" or "external" in symbol.attributes)
    if "procedure pointer" in symbol.attributes or called:
        return ir.Pointer(ir.Procedure(element))
    kind: ir.Type = element
    if symbol.dims is not None:
        dims = symbol.dims if symbol.allocated is None else symbol.allocated
        shape = extents(low, dims, symbol)
        if symbol.allocated_elsewhere is not None:
            shape = _lower_bounds(low, symbol.allocated_elsewhere, shape)
        kind = ir.Array(element, tuple(_folded(low, e) for e in shape) if symbol.common else shape)
    return ir.Pointer(kind) if "pointer" in symbol.attributes else kind


def _by_descriptor(symbol: Symbol) -> bool:
    """Whether a dummy argument is passed with its bounds: allocatable, a pointer, or of assumed shape or rank."""
    if {"allocatable", "pointer"} & {*symbol.attributes}:
        return True
    return symbol.dims is not None and any(map(_is_assumed_shape, symbol.dims.named_children))


def _is_assumed_shape(part: Node) -> bool:
    if part.type == "assumed_rank":
        return True
    return part.type == "extent_specifier" and split_extent(part)[1] is None


def _lower_bounds(low: Lowering, node: Node, shape: tuple[ir.Extent, ...]) -> tuple[ir.Extent, ...]:
    """Unknown extents with the lower bounds of an ALLOCATE in another procedure, where they are numbers."""
    bounds: list[ir.Expr] = []
    for part in node.named_children:
        lower = split_extent(part)[0] if part.type == "extent_specifier" else None
        value = constant_of(low, lower) if lower is not None else 1
        bounds.append(arith.ONE if value is None else arith.integer(value))
    if len(bounds) != len(shape):
        return shape
    return tuple(ir.Extent(extent.size, lower) for extent, lower in zip(shape, reversed(bounds), strict=True))


def _folded(low: Lowering, extent: ir.Extent) -> ir.Extent:
    """A numeric extent: a COMMON block outlives the PARAMETERs of the unit that declares it."""

    def folded(expr: ir.Expr | None) -> ir.Expr | None:
        number = None if expr is None else integer_value(low, expr)
        return expr if number is None else arith.integer(number)

    return ir.Extent(folded(extent.size), folded(extent.lower))


def _element_type(low: Lowering, symbol: Symbol) -> ir.Type:
    if "enumerator" in symbol.attributes:
        return ir.INT
    if symbol.type_node is None:
        if symbol.scope.implicit_none and not symbol.attributes and not symbol.dummy:
            low.scope.say(symbol.line, f"{symbol.name} has no declaration although IMPLICIT NONE is in force")
        return symbol.scope.implicit_type(symbol.name)
    kind = low.type_of_node(symbol.type_node)
    if symbol.size_after is not None and isinstance(kind, ir.Scalar):
        digits = text(symbol.size_after).lstrip("* ").strip("() ")
        if digits.isdigit():
            return ir.Scalar(kind.kind, int(digits))
    return kind


def extents(low: Lowering, node: Node, symbol: Symbol | None = None) -> tuple[ir.Extent, ...]:
    """Dimensions from slowest to fastest, of a `size` or `argument_list` node."""
    out: list[ir.Extent] = []
    for part in node.named_children:
        try:
            out.append(_extent(low, part))
        except CannotLowerError as error:
            line = symbol.line if symbol is not None else low.line
            low.scope.say(line, f"the extent {text(part)!r} is not understood: {error}")
            out.append(ir.Extent(None, arith.ONE))
    return tuple(reversed(out))


def _extent(low: Lowering, node: Node) -> ir.Extent:
    if node.type in ("assumed_size", "assumed_rank"):
        return ir.Extent(None, arith.ONE)
    if node.type != "extent_specifier":
        return ir.Extent(low.scalar(node), arith.ONE)
    lower_node, upper_node, _ = split_extent(node)
    lower = low.optional(lower_node, arith.ONE)
    if upper_node is None or upper_node.type == "assumed_size":
        return ir.Extent(None, lower)
    return ir.Extent(arith.add(arith.sub(low.scalar(upper_node), lower), arith.ONE), lower)


def split_extent(node: Node) -> tuple[Node | None, Node | None, Node | None]:
    """lower : upper : step, each optional."""
    parts: list[Node | None] = [None, None, None]
    position = 0
    for part in node.children:
        if part.type == ":":
            position = min(position + 1, 2)
        elif part.type == "::":
            position = 2
        elif part.is_named or part.type == "*":
            parts[position] = part
    return parts[0], parts[1], parts[2]


DECLARATIONS.type_of_node, DECLARATIONS.resolve = type_of_node, resolve
