"""Lowers statements to `ir.Stmt`. Failures become `Opaque` with the reason and the number of loops lost inside."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith, expressions  # noqa: F401  # fills the table of expressions
from foretell.frontends.fortran.lower.array_values import ArrayValue, Value, element_type
from foretell.frontends.fortran.lower.arrays import literal_items, loop_control, loop_nest
from foretell.frontends.fortran.lower.assignments import assign, store_items
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.symbols import ProcedureInfo
from foretell.frontends.fortran.scope.types import assume_array, extents, split_extent
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.fortran.lower.body import Body
    from foretell.frontends.fortran.text.parse import Node

#: node type → the function that lowers such a statement; filled by the lower_… modules
STATEMENTS: dict[str, Callable[[Body, Node], None]] = {}

#: test (None: the default), statements and line of one branch of a SELECT
Branch = tuple[ir.Expr | None, tuple[ir.Stmt, ...], int]


# ------------------------------------------------------------------------------------------- assignments


def _assignment(body: Body, node: Node) -> None:
    low = body.low
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        raise CannotLowerError("an assignment without one of its sides")
    if left.type == "call_expression" and _define_statement_function(body, left, right):
        return
    body.started = True
    target = low.value(left)
    if isinstance(target, ir.Call) and target.function == "substring":
        target = target.args[0]
    if isinstance(target, ir.Call):
        raise CannotLowerError(f"{text(left)[:40]!r} is assigned to but is not a declared array")
    items = literal_items(low, right) if isinstance(target, ArrayValue) and target.rank == 1 else None
    if items is None or not isinstance(target, ArrayValue) or not store_items(low, target, items):
        assign(low, target, low.value(right))


def _define_statement_function(body: Body, left: Node, right: Node) -> bool:
    """f(x) = …, where f is no array: a statement function, if all its arguments are plain names."""
    low = body.low
    callee = left.named_children[0]
    if callee.type != "identifier":
        return False
    name = text(callee)
    symbol = low.scope.find(name)
    if symbol is not None and (symbol.is_array or symbol.substitute is not None or symbol.dummy):
        return False
    if symbol is not None and symbol.type_node is not None and text(symbol.type_node).startswith("character"):
        return False
    arguments = left.named_children[1].named_children if len(left.named_children) > 1 else []
    names = [text(argument) for argument in arguments if argument.type == "identifier"]
    undeclared = symbol is None and (low.scope.implicit_none or bool(low.scope.missing_modules()))
    if len(names) != len(arguments) or body.started or undeclared:
        if arguments and (symbol is None or symbol.kind in ("variable", "unknown")):
            low.say(
                f"{name} is assigned to with subscripts but not declared: assumed to be an array of unknown extents"
            )
            assume_array(low, name, len(arguments))
        return False
    symbol = low.scope.declare(name, low.line, "procedure")
    symbol.procedure = ProcedureInfo(name, "function", tuple(names), None, link=name, expression=right)
    for argument in names:
        low.scalar_name(argument)
    return True


def _pointer_assignment(body: Body, node: Node) -> None:
    """p => target: the address; the value's type gives the bounds of p from here on."""
    low = body.low
    left, right = node.named_children[:2]
    pointer = _pointer(low, left)
    null = right.type == "null_literal" or text(right).replace(" ", "") == "null()"
    address = ir.Const(0, ir.type_of(pointer)) if null else _address(low.value(right))
    low.emit(ir.Assign(pointer, address, low.line))


def _pointer(low: Lowering, node: Node) -> ir.Expr:
    """The pointer itself, not its target."""
    if node.type == "call_expression":  # p(0:) => …: the bounds are in the value's type
        low.say("the bounds in a pointer assignment are not used", note=True)
        node = node.named_children[0]
    value = low.value(node)
    expr = value.whole if isinstance(value, ArrayValue) else value
    if isinstance(expr, ir.Deref):
        return expr.pointer
    if expr is None:
        raise CannotLowerError("the left side of => is not a pointer")
    return expr


def _address(value: Value) -> ir.Expr:
    whole = value.whole if isinstance(value, ArrayValue) else value
    if isinstance(whole, ir.Deref):
        return whole.pointer
    if not isinstance(value, ArrayValue):
        return ir.AddressOf(value)
    section = isinstance(whole, ir.Index) and any(dim.lower != arith.ONE for dim in value.dims)
    if whole is not None and not section:
        return ir.AddressOf(whole)
    start = whole if whole is not None else value.first
    if start is None:
        raise CannotLowerError("a pointer to a section with gaps is not supported")
    # a section has lower bound 1, whatever the underlying array has
    return ir.Cast(ir.Pointer(value.kind), ir.AddressOf(start))


# ------------------------------------------------------------------------------------------------ branches


def _if(body: Body, node: Node) -> None:
    condition = child(node, "parenthesized_expression")
    if condition is None:
        raise CannotLowerError("an IF without a condition")
    rest = [part for part in node.named_children if part.type in ("elseif_clause", "else_clause")]
    ends = ("end_if_statement", "block_label_start_expression")
    then = [part for part in node.named_children if part.type not in ends and part not in (condition, *rest)]
    _branch(body, condition, then, rest)


def _branch(body: Body, condition: Node, then: Sequence[Node], rest: Sequence[Node]) -> None:
    low = body.low
    line = low.line
    test = low.scalar(condition)
    inside = body.block(then)
    with low.collecting() as other:
        if rest:
            clause = rest[0]
            parts = clause.named_children
            low.line = body.tree.line(clause)
            if clause.type == "elseif_clause":
                _branch(body, parts[0], parts[1:], rest[1:])
            else:
                other.extend(body.block(parts))
    low.line = line
    low.emit(ir.If(test, inside, tuple(other), line))


def _select_case(body: Body, node: Node) -> None:
    low = body.low
    line = low.line
    selector_node = child(node, "selector")
    if selector_node is None:
        raise CannotLowerError("SELECT CASE without a selector")
    selector = low.scalar(selector_node.named_children[0])
    statements = [part for part in node.named_children if part.type == "case_statement"]
    if any(label.type == "extent_specifier" for statement in statements for label in _labels(statement)):
        chosen = low.stored(selector, "selector")
        emit_chain(low, [_case_branch(body, chosen, statement) for statement in statements])
        return
    cases = tuple((tuple(low.scalar(p) for p in _labels(s)), body.block(_case_body(s))) for s in statements)
    low.emit(ir.Switch(selector, cases, line))


def _labels(statement: Node) -> list[Node]:
    values = child(statement, "case_value_range_list")
    return list(values.named_children) if values is not None else []


def _case_body(statement: Node) -> list[Node]:
    return [p for p in statement.named_children if p.type not in ("case_value_range_list", "default", "name")]


def _case_branch(body: Body, chosen: ir.Expr, statement: Node) -> Branch:
    inside = body.block(_case_body(statement))
    tests = [_case_test(body.low, chosen, label) for label in _labels(statement)]
    test = reduce(lambda left, right: ir.Binary("||", left, right), tests) if tests else None
    return test, inside, body.tree.line(statement)


def emit_chain(low: Lowering, branches: Sequence[Branch]) -> None:
    """Emits branches as a chain of IFs; the default is last wherever it is written."""
    other: tuple[ir.Stmt, ...] = next((inside for test, inside, _ in reversed(branches) if test is None), ())
    for test, inside, line in reversed(branches):
        if test is not None:
            other = (ir.If(test, inside, other, line),)
    low.sink += other


def _case_test(low: Lowering, chosen: ir.Expr, label: Node) -> ir.Expr:
    if label.type != "extent_specifier":
        return ir.Binary("==", chosen, low.scalar(label))
    lower, upper, _ = split_extent(label)
    tests = [ir.Binary(">=", chosen, low.scalar(lower))] if lower is not None else []
    tests += [ir.Binary("<=", chosen, low.scalar(upper))] if upper is not None else []
    return tests[0] if len(tests) == 1 else ir.Binary("&&", tests[0], tests[1])


# --------------------------------------------------------------------------------------- memory, calls, I/O


def _allocate(body: Body, node: Node) -> None:
    low = body.low
    source = {keyword(part): value_node(part) for part in node.named_children}.get("source")
    for part in node.children_by_field_name("allocation"):
        if not part.is_named:
            continue
        size = child(part, "size") if part.type == "sized_allocation" else None
        name = part.named_children[0] if size is not None else part
        target = low.value(name)
        expr = target.whole if isinstance(target, ArrayValue) else target
        if expr is None:
            raise CannotLowerError("ALLOCATE of something that is not a variable")
        element = element_type(target)
        kind: ir.Type = ir.Array(element, extents(low, size)) if size is not None else element
        if isinstance(expr, ir.Name) and not _deferred(expr.type):
            low.emit(ir.Declare(expr.id, None, low.line))
        else:
            pointer = expr.pointer if isinstance(expr, ir.Deref) else expr
            low.emit(ir.Assign(pointer, ir.Call("allocate", (), ir.Pointer(kind)), low.line))
        if source is not None:
            assign(low, low.value(name), low.value(source))


def _deferred(kind: ir.Type) -> bool:
    """Whether extents are deferred: the ALLOCATE gives them by the type of its value."""
    return isinstance(kind, ir.Array) and any(extent.size is None for extent in kind.dims)


def _free(body: Body, node: Node) -> None:
    low = body.low
    names = [part for part in node.named_children if part.type != "keyword_argument"]
    _emit_call(low, _word(node), [as_item(low.value(name), name) for name in names])


def _word(node: Node) -> str:
    found = re.match(r"[a-z]+", text(node))
    return found[0] if found is not None else "io"


def _emit_call(low: Lowering, name: str, arguments: Sequence[ir.Expr]) -> None:
    low.emit(ir.Evaluate(ir.Call(name, tuple(arguments), ir.Void()), low.line))


def as_item(value: Value, node: Node) -> ir.Expr:
    """An item of an I/O list or DEALLOCATE, named but not read: the variable itself, arrays whole."""
    if isinstance(value, ArrayValue):
        return value.whole if value.whole is not None else ir.Const(text(node), ir.Unknown("array"))
    return value


def _input_output(body: Body, node: Node) -> None:
    """READ, WRITE, PRINT, OPEN …: a call with the items of its list; implied DO loops are loops."""
    low = body.low
    name = _word(node)
    items = child(node, "output_item_list", "input_item_list")
    plain: list[ir.Expr] = []
    for part in items.named_children if items is not None else ():
        value = None if part.type == "implied_do_loop_expression" else low.value(part)
        if value is not None and not (isinstance(value, ArrayValue) and value.whole is None):
            plain.append(as_item(value, part))
            continue
        if plain:
            _emit_call(low, name, plain)
            plain.clear()
        if isinstance(value, ArrayValue):
            array = value
            loop_nest(low, array.dims, lambda indices, array=array: _emit_call(low, name, [array.at(indices)]))  # type: ignore[misc]
        else:
            _implied_loop(low, name, part)
    if plain or items is None:
        _emit_call(low, name, plain)


def _implied_loop(low: Lowering, name: str, node: Node) -> None:
    variable_node, dim, items = loop_control(low, node)
    variable = low.scalar(variable_node)
    if not isinstance(variable, ir.Name):
        raise CannotLowerError("an implied DO needs a scalar variable")
    with low.collecting() as inside:
        for part in items:
            if part.type == "implied_do_loop_expression":
                _implied_loop(low, name, part)
            else:
                _emit_call(low, name, [as_item(low.value(part), part)])
    low.emit(ir.Loop(variable.id, dim.lower, dim.upper, dim.step, tuple(inside), low.line, implied=True))


STATEMENTS |= {
    "assignment_statement": _assignment,
    "pointer_association_statement": _pointer_assignment,
    "if_statement": _if,
    "select_case_statement": _select_case,
    "allocate_statement": _allocate,
    "deallocate_statement": _free,
    "nullify_statement": _free,
}
for _kind in ("print", "write", "read", "open", "close", "inquire", "file_position"):
    STATEMENTS[f"{_kind}_statement"] = _input_output
