"""Jumps, calls, WHERE, BLOCK, ASSOCIATE and the other constructs around statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower.array_values import (
    ArrayValue,
    Indices,
    LoopIndex,
    Value,
    element_at,
    element_type,
    elementwise,
)
from foretell.frontends.fortran.lower.arrays import loop_nest, materialize
from foretell.frontends.fortran.lower.assignments import assign
from foretell.frontends.fortran.lower.calls import (
    bound_procedure,
    find_procedure,
    indirect_call,
    named_values,
    ordered,
    passed,
    resolve_generic,
)
from foretell.frontends.fortran.lower.loops import LoopContext, construct_name, inside
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.lower.statements import STATEMENTS, Branch, as_item, emit_chain
from foretell.frontends.fortran.scope import entries
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.types import record
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.lower.body import Body
    from foretell.frontends.fortran.scope.symbols import ProcedureInfo
    from foretell.frontends.fortran.text.parse import Node

# ---------------------------------------------------------------------------------------------------- jumps


def _keyword(body: Body, node: Node) -> None:
    """CYCLE, EXIT, GOTO, RETURN, CONTINUE."""
    low = body.low
    word = node.children[0].type
    if word in ("goto", "go"):
        _goto(body, node)
    elif word in ("exit", "cycle"):
        name = child(node, "identifier")
        low.emit(_leave(body, word, text(name) if name is not None else ""))
    elif word == "return":
        low.emit(ir.Jump("return", low.line))
    elif word != "continue":
        raise CannotLowerError(f"{text(node)[:40]!r} is not supported")


def _leave(body: Body, word: str, name: str) -> ir.Jump:
    line = body.low.line
    loops = [context for context in reversed(body.loops) if context.is_loop]
    context = next((c for c in reversed(body.loops) if c.name == name) if name else iter(loops), None)
    if context is None:
        raise CannotLowerError(f"{word.upper()} {name} is not inside such a construct")
    if loops and context is loops[0] and (word == "cycle" or context.depth == 1):
        return ir.Jump("break" if word == "exit" else "continue", line)
    if word == "exit":
        context.exit_used = True
        return ir.Jump("goto", line, label=context.exit_label)
    context.cycle_used = True
    return ir.Jump("goto", line, label=context.cycle_label)


def _labels(node: Node) -> list[str]:
    return [text(part).strip() for part in node.named_children if part.type == "statement_label_reference"]


def _goto(body: Body, node: Node) -> None:
    low = body.low
    labels = _labels(node)
    if len(labels) == 1 and not any(part.type == "identifier" for part in node.named_children):
        low.emit(_jump_to(body, labels[0]))
        return
    selector = next((part for part in node.named_children if part.type != "statement_label_reference"), None)
    if selector is None or not labels:
        raise CannotLowerError("an assigned GOTO is not supported")
    value = low.scalar(selector)
    cases = (((ir.Const(number, ir.INT),), (_jump_to(body, label),)) for number, label in enumerate(labels, 1))
    low.emit(ir.Switch(value, tuple(cases), low.line))


def _jump_to(body: Body, label: str) -> ir.Jump:
    """GOTO label; a jump to the end of an enclosing loop's body is a CYCLE."""
    line = body.low.line
    label = label.lstrip("0") or "0"
    loops = [context for context in reversed(body.loops) if context.is_loop]
    context = next((context for context in loops if context.last_label == label), None)
    if context is None:
        return ir.Jump("goto", line, label=label)
    if context is loops[0]:
        return ir.Jump("continue", line)
    context.cycle_used = True
    return ir.Jump("goto", line, label=context.cycle_label)


def _arithmetic_if(body: Body, node: Node) -> None:
    """IF (e) 10, 20, 30: to the first label if negative, the second if zero, the third if positive."""
    low = body.low
    condition = child(node, "parenthesized_expression")
    labels = _labels(node)
    if condition is None or len(labels) != 3:
        raise CannotLowerError("an arithmetic IF needs three labels")
    value = low.scalar(condition)
    zero = ir.Const(0, ir.type_of(value))
    below, at, above = ((_jump_to(body, label),) for label in labels)
    if labels[0] == labels[1]:
        test, then, other = ir.Binary("<=", value, zero), below, above
    elif labels[1] == labels[2]:
        test, then, other = ir.Binary("<", value, zero), below, above
    else:
        test, then, other = ir.Binary("==", value, zero), at, above
    if len(set(labels)) == 3:
        low.emit(ir.If(ir.Binary("<", value, zero), below, (ir.If(test, then, other, low.line),), low.line))
    else:
        low.emit(ir.If(test, then, other, low.line))


def _stop(body: Body, node: Node) -> None:
    body.low.emit(ir.Evaluate(ir.Call("exit", (), ir.Void()), body.low.line))


def _entry(body: Body, node: Node) -> None:
    """A label where the ENTRY of that name begins; control falls through it."""
    name, listed = node.child_by_field_name("name"), node.child_by_field_name("parameters")
    arguments = tuple(text(part) for part in listed.named_children) if listed is not None else ()
    body.entries.append((text(name) if name is not None else "", arguments, body.low.line))
    body.low.emit(ir.Label(entries.label(body.entries[-1][0]), body.low.line))


# ---------------------------------------------------------------------------------------------------- calls


def _subroutine_call(body: Body, node: Node) -> None:
    low = body.low
    callee = node.child_by_field_name("subroutine")
    listed = child(node, "argument_list")
    arguments = [part for part in listed.named_children if part.type != "comment"] if listed is not None else []
    if any(part.type == "assumed_size" for part in arguments):
        raise CannotLowerError("alternate returns are not supported")
    if callee is None:
        raise CannotLowerError("a CALL without a name")
    values = named_values(low, arguments)
    call = _named(low, text(callee), values) if callee.type == "identifier" else _bound(low, callee, values)
    low.emit(ir.Evaluate(call, low.line))


def _named(low: Lowering, name: str, values: Sequence[tuple[str, Value]]) -> ir.Call:
    symbol = low.scope.find(name)
    if symbol is not None and symbol.kind == "generic":
        info: ProcedureInfo | None = resolve_generic(low, symbol, [value for _, value in values])
    else:
        info = find_procedure(low, name, symbol)
    if info is None:
        return indirect_call(low, name, symbol, passed(low, [value for _, value in values]), ir.Void())
    given = ordered(info, values)
    if info.elemental and any(isinstance(value, ArrayValue) for value in given):
        return _elemental(low, info.link, given)
    return ir.Call(info.link, passed(low, given), ir.Void())


def _elemental(low: Lowering, link: str, given: Sequence[Value]) -> ir.Call:
    """An elemental subroutine with array arguments: one call per element; the last call is the statement itself."""
    lead = next(value for value in given if isinstance(value, ArrayValue))

    def element(indices: Indices) -> None:
        args = tuple(element_at(value, indices) for value in given)
        low.emit(ir.Evaluate(ir.Call(link, args, ir.Void()), low.line))

    loop_nest(low, lead.dims, element)
    return ir.Call("nothing", (), ir.Void())


def _bound(low: Lowering, callee: Node, values: Sequence[tuple[str, Value]]) -> ir.Call:
    """call a%b(…): the type-bound procedure of a's declared type, with a as its first argument."""
    member = child(callee, "type_member")
    if callee.type != "derived_type_member_expression" or member is None:
        raise CannotLowerError(f"CALL {text(callee)[:40]} is not supported")
    base = low.value(callee.named_children[0])
    info = bound_procedure(low, element_type(base), text(member))
    if info is None:
        low.say(f"the procedure behind {text(callee)} is not in the given files")
        return ir.Call(text(member), passed(low, [base, *(value for _, value in values)]), ir.Void())
    return ir.Call(info.link, passed(low, ordered(info, [("", base), *values])), ir.Void())


# ---------------------------------------------------------------------------------------------------- WHERE


def _where(body: Body, node: Node, outer: Value | None = None) -> None:
    """Stores the masks first (assignments may change their operands), then emits one loop per assignment."""
    low = body.low
    mask_node = child(node, "parenthesized_expression")
    if mask_node is None:
        raise CannotLowerError("a WHERE without a mask")
    mask = low.value(mask_node)
    clauses = [part for part in node.named_children if part.type == "elsewhere_clause"]
    statements = _where_statements(node)
    simple = [part.type for part in statements] == ["assignment_statement"] and not clauses and outer is None
    if not simple:
        mask = _stored_mask(low, mask)
    _where_body(body, statements, mask if outer is None else _both(outer, mask), keep_line=simple)
    rest = _none_of(mask)
    if outer is not None:
        rest = _both(outer, rest)
    for clause in clauses:
        low.line = body.tree.line(clause)
        condition = child(clause, "parenthesized_expression")
        if condition is None:
            _where_body(body, _where_statements(clause), rest)
            break
        more = _stored_mask(low, low.value(condition))
        _where_body(body, _where_statements(clause), _both(rest, more))
        rest = _both(rest, _none_of(more))


def _where_statements(node: Node) -> list[Node]:
    return [part for part in node.named_children if part.type in ("assignment_statement", "where_statement")]


def _both(left: Value, right: Value) -> Value:
    return elementwise(lambda a, b: ir.Binary("&&", a, b), left, right)


def _none_of(mask: Value) -> Value:
    return elementwise(lambda a: ir.Unary("!", a), mask)


def _stored_mask(low: Lowering, mask: Value) -> Value:
    if not isinstance(mask, ArrayValue):
        raise CannotLowerError("the mask of a WHERE is not an array")
    return mask if isinstance(mask.whole, ir.Name) else materialize(low, mask, "mask")


def _where_body(body: Body, nodes: Sequence[Node], mask: Value, *, keep_line: bool = False) -> None:
    low = body.low
    for part in nodes:
        low.line = low.line if keep_line else body.tree.line(part)
        if part.type == "where_statement":
            _where(body, part, mask)
        else:
            left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
            assign(low, low.value(left), low.value(right), mask)


# ----------------------------------------------------------------------------------------- other constructs


def _block(body: Body, node: Node) -> None:
    low = body.low
    context = LoopContext(construct_name(node), node.named_children, low.line, is_loop=False)
    low.sink += inside(body, context, body.inner_scope(node))
    if context.exit_used:
        low.emit(ir.Label(context.exit_label, context.line))


def _associate(body: Body, node: Node) -> None:
    """Substitutes ASSOCIATE names by their selectors."""
    low = body.low
    scope = body.inner_scope(node)
    listed = child(node, "association_list")
    for association in listed.named_children if listed is not None else ():
        name, selector = association.child_by_field_name("name"), association.child_by_field_name("selector")
        if name is None or selector is None:
            continue
        value = low.value(selector)
        if not _is_reference(value):  # evaluated once, at the entry of the construct
            if isinstance(value, ArrayValue):
                value = materialize(low, value, text(name))
            else:
                value = low.stored(value, text(name))
        scope.declare(text(name), low.line, "variable").substitute = value
    low.sink += body.inside(scope, [part for part in node.named_children if part.type != "association_list"])


def _is_reference(value: Value) -> bool:
    if not isinstance(value, ArrayValue):
        return isinstance(value, ir.Name | ir.Index | ir.Member | ir.Deref)
    if value.whole is not None or value.first is not None:
        return True
    first = tuple(LoopIndex(dim.lower, dim.lower, dim.step) for dim in value.dims)
    return not value.costly and isinstance(value.at(first), ir.Index)


def _transparent(body: Body, node: Node) -> None:
    """CRITICAL and similar constructs: their statements, in order."""
    body.low.sink += body.block(node.named_children)


def _select_type(body: Body, node: Node) -> None:
    """SELECT TYPE as a chain of IFs on the dynamic type; in each branch the name has that type."""
    low = body.low
    selector = child(node, "selector")
    if selector is None:
        raise CannotLowerError("SELECT TYPE without a selector")
    given = selector.named_children[0]
    name, target = given.named_children[:2] if given.type == "pointer_association_statement" else (given, given)
    base = low.value(target)
    line = low.line
    branches: list[Branch] = []
    for part in node.named_children:
        if part.type != "type_statement":
            continue
        kind = part.child_by_field_name("type")
        statements = _type_branch(body, part, text(name), base, kind)
        test = None
        if kind is not None:
            operands = (as_item(base, target), ir.Const(text(kind), ir.Unknown("type")))
            test = ir.Call("same_type", operands, ir.BOOL)
        branches.append((test, statements, line))
    emit_chain(low, branches)


def _type_branch(body: Body, node: Node, name: str, base: Value, kind_node: Node | None) -> tuple[ir.Stmt, ...]:
    low = body.low
    scope = body.inner_scope(node)
    symbol = scope.declare(name, low.line, "variable")
    symbol.substitute = base
    if kind_node is not None and not isinstance(base, ArrayValue):
        named = kind_node.type == "identifier"
        kind = record(low, text(kind_node)) if named else low.type_of_node(kind_node)
        symbol.substitute = ir.Cast(kind, base)
    skipped = (kind_node, child(node, "default"))
    return body.inside(scope, [part for part in node.named_children if part not in skipped])


STATEMENTS |= {
    "keyword_statement": _keyword,
    "arithmetic_if_statement": _arithmetic_if,
    "stop_statement": _stop,
    "subroutine_call": _subroutine_call,
    "where_statement": _where,
    "block_construct": _block,
    "associate_statement": _associate,
    "coarray_critical_statement": _transparent,
    "select_type_statement": _select_type,
    "entry_statement": _entry,
}
