"""Lowers calls of the user's procedures: arguments, generic names, statement functions, type-bound names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower.array_values import ArrayValue, Value, element_type, elementwise
from foretell.frontends.fortran.lower.arrays import index, materialize, whole_array
from foretell.frontends.fortran.lower.expression_walk import names, parts, replace_name
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.types import assume_array
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.frontends.fortran.scope.symbols import ProcedureInfo, Symbol
    from foretell.frontends.fortran.text.parse import Node


def find_procedure(low: Lowering, name: str, symbol: Symbol | None) -> ProcedureInfo | None:
    """The procedure that a name refers to, if it is in the given files."""
    if symbol is not None and symbol.procedure is not None:
        info = symbol.procedure
        given = low.shared.procedures.get(name)
        if given is not None and info.scope is not None and info.scope.kind == "interface":
            info.link = given.link  # the interface gives the arguments, the given file the callee
        return info
    if symbol is not None and _is_procedure_variable(symbol):
        return None
    return low.shared.procedures.get(name)


def call_function(low: Lowering, name: str, symbol: Symbol | None, arguments: Sequence[Node]) -> Value:
    """name(arguments) as a value."""
    if symbol is not None and symbol.kind == "generic":
        values = [low.value(value_node(argument)) for argument in arguments]
        return _known_function(low, resolve_generic(low, symbol, values), arguments)
    if symbol is not None and symbol.kind == "unknown" and symbol.procedure is None and symbol.type_node is None:
        symbol = None
    if symbol is None and low.scope.find(f"type {name}") is not None:
        raise CannotLowerError(f"the structure constructor {name}(…) is not supported")
    info = find_procedure(low, name, symbol)
    _is_function_after_all(symbol)
    if info is not None and info.expression is not None:
        return _statement_function(low, info, arguments)
    if info is None:
        return _unknown_function(low, name, symbol, arguments)
    return _known_function(low, info, arguments)


def _is_function_after_all(symbol: Symbol | None) -> None:
    """Whether a declared variable is an external function: `real f` declares only its type."""
    if symbol is None or symbol.kind != "variable" or _is_procedure_variable(symbol):
        return
    variables = symbol.scope.procedure_scope().variables
    if symbol.variable in variables and not symbol.is_result:
        variables.remove(symbol.variable)


def _known_function(low: Lowering, info: ProcedureInfo, arguments: Sequence[Node]) -> Value:
    values = ordered(info, named_values(low, arguments))
    kind = result_type(low, info, values)
    if info.elemental and any(isinstance(value, ArrayValue) for value in values):
        return elementwise(lambda *args: ir.Call(info.link, args, kind), *values)
    call = ir.Call(info.link, passed(low, values), kind)
    if isinstance(kind, ir.Array):
        temporary = low.temporary(info.name, kind)
        low.emit(ir.Assign(temporary, call, low.line))
        return whole_array(temporary)
    return call


def result_type(low: Lowering, info: ProcedureInfo, values: Sequence[Value] = ()) -> ir.Type:
    """The type of a function's result; extents in terms of its dummies are substituted by the actual arguments."""
    if info.kind == "subroutine" or info.scope is None:
        return ir.Void()
    symbol = info.scope.names.get(info.result)
    kind = low.variable(symbol).type if symbol is not None else ir.Unknown(info.name)
    if isinstance(kind, ir.Array):
        pairs = [(info.scope.names.get(n), v) for n, v in zip(info.parameters, values, strict=False)]
        given = {low.variable(s).id: v for s, v in pairs if s is not None and not isinstance(v, ArrayValue)}
        return ir.Array(kind.element, tuple(_extent(extent, given) for extent in kind.dims))
    return kind


def _extent(extent: ir.Extent, given: Mapping[str, ir.Expr]) -> ir.Extent:
    size = extent.size
    if size is None:
        return extent
    dummies = names(size)
    if any(isinstance(part, ir.Call) for part in parts(size)) or not dummies <= given.keys():
        return ir.Extent(None, extent.lower)
    for number, name in enumerate(dummies):
        size = replace_name(size, name, ir.Name(f"\0{number}", ir.INT))
    for number, name in enumerate(dummies):
        size = replace_name(size, f"\0{number}", given[name])
    return ir.Extent(size, extent.lower)


def _unknown_function(low: Lowering, name: str, symbol: Symbol | None, arguments: Sequence[Node]) -> Value:
    """Neither array, intrinsic nor function of the given files: noted, and assumed to be a function of scalars."""
    if symbol is None or not ("external" in symbol.attributes or symbol.dummy):
        missing = low.scope.missing_modules()
        hint = f" (module {missing[0]!r} is not given)" if missing else ""
        array = symbol is None and missing and _looks_like_array(low, arguments)
        unknown = f"{name} is not a declared array, an intrinsic or a function in the given files{hint}"
        low.say(f"{unknown}: assumed to be {'an array' if array else 'a function'}")
        if array:
            variable = assume_array(low, name, len(arguments))
            return index(low, ir.Name(variable.id, variable.type), arguments)
    if any(argument.type == "extent_specifier" for argument in arguments):
        raise CannotLowerError(f"{name} has a section as subscript but no declaration in the given files")
    kind = low.scope.implicit_type(name) if symbol is None else _declared_type(low, symbol)
    values = tuple(as_argument(low, low.value(value_node(argument))) for argument in arguments)
    return indirect_call(low, name, symbol, values, kind)


def indirect_call(
    low: Lowering, name: str, symbol: Symbol | None, values: tuple[ir.Expr, ...], kind: ir.Type
) -> ir.Call:
    """A call of a procedure outside the given files: by its name, or through a dummy or procedure pointer."""
    if symbol is None or not _is_procedure_variable(symbol):
        return ir.Call(name, values, kind)
    variable = low.variable(symbol)
    return ir.Call("", values, kind, ir.Name(variable.id, variable.type))


def _is_procedure_variable(symbol: Symbol) -> bool:
    return symbol.dummy or "procedure pointer" in symbol.attributes


def _looks_like_array(low: Lowering, arguments: Sequence[Node]) -> bool:
    """Whether the arguments (a section, or only integers) suggest an array of a missing module."""
    if any(argument.type == "extent_specifier" for argument in arguments):
        return True
    if not arguments or any(argument.type == "keyword_argument" for argument in arguments):
        return False
    kinds = [element_type(low.value(argument)) for argument in arguments]
    return all(isinstance(kind, ir.Scalar) and kind.kind == "int" for kind in kinds)


def _declared_type(low: Lowering, symbol: Symbol) -> ir.Type:
    if symbol.type_node is not None and symbol.type_node.type != "procedure":
        return low.type_of_node(symbol.type_node)
    if symbol.members:
        interface = low.scope.find(symbol.members[0])
        if interface is not None and interface.procedure is not None:
            return result_type(low, interface.procedure)
    return symbol.scope.implicit_type(symbol.name)


# ------------------------------------------------------------------------------------------- arguments


def keyword(node: Node) -> str:
    if node.type != "keyword_argument":
        return ""
    name = node.child_by_field_name("name")
    return text(name) if name is not None else ""


def value_node(node: Node) -> Node:
    return node.child_by_field_name("value") if node.type == "keyword_argument" else node


def named_values(low: Lowering, arguments: Sequence[Node]) -> list[tuple[str, Value]]:
    """Keyword (or nothing) and value of each argument."""
    return [(keyword(argument), low.value(value_node(argument))) for argument in arguments]


def passed(low: Lowering, values: Sequence[Value]) -> tuple[ir.Expr, ...]:
    return tuple(as_argument(low, value) for value in values)


def ordered(info: ProcedureInfo, values: Sequence[tuple[str, Value]]) -> list[Value]:
    """Arguments in the order of the dummies; an absent optional one before a given one is a null pointer."""
    out: list[Value | None] = []
    for name, value in values:
        if not name:
            out.append(value)
        elif name in info.parameters:
            position = info.parameters.index(name)
            out += [None] * (position + 1 - len(out))
            out[position] = value
        else:
            raise CannotLowerError(f"{info.name} has no argument {name!r}")
    absent = ir.Const(0, ir.Pointer(ir.Void()))
    return [absent if value is None else value for value in out]


def as_argument(low: Lowering, value: Value) -> ir.Expr:
    """The argument passed: the array or section itself where contiguous, otherwise a copy.

    Everything is passed by reference; a contiguous section is an array of its shape at its first element."""
    if not isinstance(value, ArrayValue):
        return value
    if value.whole is not None:
        return value.whole
    if value.first is not None:
        return ir.Deref(ir.Cast(ir.Pointer(value.kind), ir.AddressOf(value.first)))
    low.say("an array expression or a section with gaps is passed as a copy (filled before the call)", note=True)
    return as_argument(low, materialize(low, value))


# ------------------------------------------------------------------------------ names with several meanings


def resolve_generic(low: Lowering, symbol: Symbol, values: Sequence[Value]) -> ProcedureInfo:
    """The specific procedure of a generic interface whose dummies match the arguments in number, rank and type."""
    members = [find_procedure(low, name, symbol.scope.find(name)) for name in symbol.members]
    candidates = [info for info in members if info is not None]
    fitting = [info for info in candidates if _fits(low, info, values)] or candidates
    if not fitting or (len(candidates) > 1 and fitting is candidates):
        raise CannotLowerError(f"no procedure of the generic name {symbol.name} fits these arguments")
    return fitting[0]


def _fits(low: Lowering, info: ProcedureInfo, values: Sequence[Value]) -> bool:
    if len(values) > len(info.parameters) or info.scope is None:
        return False
    for name, value in zip(info.parameters, values, strict=False):
        symbol = info.scope.names.get(name)
        if symbol is None:
            continue
        kind = low.variable(symbol).type
        kind = kind.target if isinstance(kind, ir.Pointer) else kind
        rank = len(kind.dims) if isinstance(kind, ir.Array) else 0
        element = kind.element if isinstance(kind, ir.Array) else kind
        given_rank = value.rank if isinstance(value, ArrayValue) else 0
        if (rank != given_rank and not info.elemental) or not _same(element, element_type(value)):
            return False
    return True


def _same(left: ir.Type, right: ir.Type) -> bool:
    if isinstance(left, ir.Record) and isinstance(right, ir.Record):
        return left.name == right.name
    return left == right


def _statement_function(low: Lowering, info: ProcedureInfo, arguments: Sequence[Node]) -> Value:
    """The expression of a statement function, with the actual arguments substituted for its dummies."""
    values = [low.scalar(argument) for argument in arguments]
    if len(values) != len(info.parameters):
        raise CannotLowerError(f"statement function {info.name} takes {len(info.parameters)} arguments")
    body = low.scalar(info.expression)
    marks = [low.scalar_name(name) for name in info.parameters]
    # first to names that cannot occur in the arguments, then to the arguments: f(y, x) of f(x, y) stays correct
    for number, mark in enumerate(marks):
        body = replace_name(body, mark.id, ir.Name(f"\0{number}", mark.type))
    for number, value in enumerate(values):
        uses = sum(part == ir.Name(f"\0{number}", marks[number].type) for part in parts(body))
        if uses > 1 and not isinstance(value, ir.Name | ir.Const):  # an argument is evaluated once
            value = low.stored(value, info.parameters[number])
        body = replace_name(body, f"\0{number}", value)
    return body


def type_bound(low: Lowering, base: ir.Expr, name: str, arguments: Sequence[Node]) -> Value | None:
    """base%name(arguments) where `name` is a type-bound function; None if it is not."""
    info = bound_procedure(low, ir.type_of(base), name)
    if info is None:
        return None
    values = ordered(info, [("", base), *named_values(low, arguments)])
    kind = result_type(low, info)
    return ir.Call(info.link, passed(low, values), kind)


def bound_procedure(low: Lowering, kind: ir.Type, name: str) -> ProcedureInfo | None:
    """The procedure of a type-bound name, by the declared type."""
    if not isinstance(kind, ir.Record):
        return None
    symbol = low.scope.find(f"type {kind.name}")
    if symbol is None or not symbol.definition:
        return None
    procedures = child(symbol.definition, "derived_type_procedures")
    for statement in procedures.named_children if procedures is not None else ():
        for binding in statement.named_children:
            target = _binding_target(binding, name)
            if target:
                return find_procedure(low, target, symbol.scope.find(target))
    return None


def _binding_target(node: Node, name: str) -> str:
    if node.type == "binding":
        left, right = child(node, "binding_name"), child(node, "method_name")
        return text(right) if left is not None and right is not None and text(left) == name else ""
    return name if node.type in ("method_name", "identifier") and text(node) == name else ""
