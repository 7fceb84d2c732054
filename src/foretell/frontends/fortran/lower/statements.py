"""Lowers statements to `ir.Stmt`. Failures become `Opaque` with the reason and the number of loops lost inside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith, expressions  # noqa: F401  # fills the table of expressions
from foretell.frontends.fortran.lower.array_values import ArrayValue, Places, Value
from foretell.frontends.fortran.lower.arrays import literal_items, loop_nest
from foretell.frontends.fortran.lower.assignments import assign, store_items
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
                f"{name} is assigned to with subscripts but not declared as an array: taken as one of unknown extents"
            )
            assume_array(low, name, len(arguments))
        return False
    symbol = low.scope.declare(name, low.line)
    symbol.kind = "procedure"
    symbol.procedure = ProcedureInfo(name, "function", tuple(names), None, link=name, expression=right)
    for argument in names:
        low.scalar_name(argument)
    return True


def _pointer_assignment(body: Body, node: Node) -> None:
    """p => target: the address; the value's type gives the bounds of p from here on."""
    low = body.low
    left, right = node.named_children[:2]
    pointer = _pointer(low, left)
    if right.type == "null_literal" or text(right).replace(" ", "") == "null()":
        low.emit(ir.Assign(pointer, ir.Const(0, ir.type_of(pointer)), low.line))
        return
    low.emit(ir.Assign(pointer, _address(low, low.value(right)), low.line))


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


def _address(low: Lowering, value: ir.Expr | ArrayValue) -> ir.Expr:
    if not isinstance(value, ArrayValue):
        return ir.AddressOf(value) if not isinstance(value, ir.Deref) else value.pointer
    whole = value.whole
    if isinstance(whole, ir.Deref):
        return whole.pointer
    section = isinstance(whole, ir.Index) and any(dim.lower != arith.ONE for dim in value.dims)
    if whole is not None and not section:
        return ir.AddressOf(whole)
    start = whole if whole is not None else value.first
    if start is not None:  # a section has lower bound 1, whatever the underlying array has
        extents = tuple(ir.Extent(dim.size, arith.ONE) for dim in reversed(value.dims))
        return ir.Cast(ir.Pointer(ir.Array(value.element, extents)), ir.AddressOf(start))
    raise CannotLowerError("a pointer to a section with gaps is not supported")


# ------------------------------------------------------------------------------------------------ branches


def _if(body: Body, node: Node) -> None:
    condition: Node | None = None
    then: list[Node] = []
    rest: list[Node] = []
    for part in node.named_children:
        if condition is None and part.type == "parenthesized_expression":
            condition = part
        elif part.type in ("elseif_clause", "else_clause"):
            rest.append(part)
        elif part.type not in ("end_if_statement", "block_label_start_expression"):
            then.append(part)
    if condition is None:
        raise CannotLowerError("an IF without a condition")
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
    ranges = any(p.type == "extent_specifier" for s in statements for p in _labels(s))
    if ranges:
        _case_chain(body, selector, statements)
        return
    cases = tuple((tuple(low.scalar(p) for p in _labels(s)), body.block(_case_body(s))) for s in statements)
    low.emit(ir.Switch(selector, cases, line))


def _labels(statement: Node) -> list[Node]:
    values = child(statement, "case_value_range_list")
    return list(values.named_children) if values is not None else []


def _case_body(statement: Node) -> list[Node]:
    return [p for p in statement.named_children if p.type not in ("case_value_range_list", "default", "name")]


def _case_chain(body: Body, selector: ir.Expr, statements: Sequence[Node]) -> None:
    """Lowers cases with ranges to a chain of IFs; the default is last wherever it is written."""
    low = body.low
    chosen = low.fresh("selector", ir.type_of(selector))
    low.emit(ir.Assign(chosen, selector, low.line))
    other: tuple[ir.Stmt, ...] = ()
    chain: list[tuple[ir.Expr, tuple[ir.Stmt, ...], int]] = []
    for statement in statements:
        labels = _labels(statement)
        inside = body.block(_case_body(statement))
        if not labels:
            other = inside
            continue
        tests = [_case_test(low, chosen, label) for label in labels]
        test = tests[0]
        for more in tests[1:]:
            test = ir.Binary("||", test, more)
        chain.append((test, inside, body.tree.line(statement)))
    for test, inside, line in reversed(chain):
        other = (ir.If(test, inside, other, line),)
    for made in other:
        low.emit(made)


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
    source = None
    for part in node.named_children:
        if part.type == "keyword_argument" and text(part.child_by_field_name("name")) in ("source", "mold"):
            source = part
    for part in node.children_by_field_name("allocation"):
        if not part.is_named:
            continue
        size = child(part, "size") if part.type == "sized_allocation" else None
        target = low.value(part.named_children[0] if size is not None else part)
        expr = target.whole if isinstance(target, ArrayValue) else target
        if expr is None:
            raise CannotLowerError("ALLOCATE of something that is not a variable")
        element = target.element if isinstance(target, ArrayValue) else ir.type_of(target)
        kind: ir.Type = ir.Array(element, extents(low, size)) if size is not None else element
        _allocated(low, expr, kind)
        if source is not None and text(source.child_by_field_name("name")) == "source":
            assign(
                low,
                low.value(part.named_children[0] if size is not None else part),
                low.value(source.child_by_field_name("value")),
            )


def _allocated(low: Lowering, expr: ir.Expr, kind: ir.Type) -> None:
    if isinstance(expr, ir.Name) and not _deferred(expr.type):
        low.emit(ir.Declare(expr.id, None, low.line))
        return
    pointer = expr.pointer if isinstance(expr, ir.Deref) else expr
    low.emit(ir.Assign(pointer, ir.Call("allocate", (), ir.Pointer(kind)), low.line))


def _deferred(kind: ir.Type) -> bool:
    """Whether extents are deferred: the ALLOCATE gives them by the type of its value."""
    return isinstance(kind, ir.Array) and any(extent.size is None for extent in kind.dims)


def _free(body: Body, node: Node) -> None:
    names = [part for part in node.named_children if part.type != "keyword_argument"]
    body.low.emit(
        ir.Evaluate(ir.Call(_word(node), tuple(_item(body.low, part) for part in names), ir.Void()), body.low.line)
    )


def _word(node: Node) -> str:
    found = re.match(r"[a-z]+", text(node))
    return found[0] if found is not None else "io"


def _item(low: Lowering, node: Node) -> ir.Expr:
    """An item of an I/O list or DEALLOCATE: the variable itself, arrays whole."""
    return _named(low.value(node), node)


def _named(value: Value, node: Node) -> ir.Expr:
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
            plain.append(_named(value, part))
            continue
        if plain:
            low.emit(ir.Evaluate(ir.Call(name, tuple(plain), ir.Void()), low.line))
            plain.clear()
        if isinstance(value, ArrayValue):
            _all_elements(low, name, value)
        else:
            _implied_loop(low, name, part)
    if plain or items is None:
        low.emit(ir.Evaluate(ir.Call(name, tuple(plain), ir.Void()), low.line))


def _all_elements(low: Lowering, name: str, value: ArrayValue) -> None:
    """All elements of an array expression or section in an I/O list."""

    def element(places: Places) -> None:
        low.emit(ir.Evaluate(ir.Call(name, (value.at(places),), ir.Void()), low.line))

    loop_nest(low, value.dims, element)


def _implied_loop(low: Lowering, name: str, node: Node) -> None:
    control = child(node, "loop_control_expression")
    if control is None:
        raise CannotLowerError("an implied DO without its control")
    parts = control.named_children
    variable = low.scalar(parts[0])
    if not isinstance(variable, ir.Name):
        raise CannotLowerError("an implied DO needs a scalar variable")
    lower, upper = low.scalar(parts[1]), low.scalar(parts[2])
    step = low.scalar(parts[3]) if len(parts) > 3 else arith.ONE
    with low.collecting() as inside:
        for part in node.named_children:
            if part.type == "implied_do_loop_expression":
                _implied_loop(low, name, part)
            elif part.type != "loop_control_expression":
                inside.append(ir.Evaluate(ir.Call(name, (_item(low, part),), ir.Void()), low.line))
    low.emit(ir.Loop(variable.id, lower, upper, step, tuple(inside), low.line, implied=True))


STATEMENTS.update(
    {
        "assignment_statement": _assignment,
        "pointer_association_statement": _pointer_assignment,
        "if_statement": _if,
        "select_case_statement": _select_case,
        "allocate_statement": _allocate,
        "deallocate_statement": _free,
        "nullify_statement": _free,
        "print_statement": _input_output,
        "write_statement": _input_output,
        "read_statement": _input_output,
        "open_statement": _input_output,
        "close_statement": _input_output,
        "inquire_statement": _input_output,
        "file_position_statement": _input_output,
    }
)
