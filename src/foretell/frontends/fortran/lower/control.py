"""Jumps, calls, WHERE, BLOCK, ASSOCIATE and the other constructs around statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower.array_values import ArrayValue, Places, Value, elementwise
from foretell.frontends.fortran.lower.arrays import loop_nest, materialize
from foretell.frontends.fortran.lower.assignments import assign
from foretell.frontends.fortran.lower.calls import (
    as_argument,
    bound_procedure,
    find_procedure,
    keyword,
    ordered,
    resolve_generic,
    value_node,
)
from foretell.frontends.fortran.lower.loops import LoopContext, construct_name
from foretell.frontends.fortran.lower.state import CannotLowerError
from foretell.frontends.fortran.lower.statements import STATEMENTS
from foretell.frontends.fortran.scope import entries
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.fortran.scope.types import record
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.lower.body import Body
    from foretell.frontends.fortran.text.parse import Node

# ---------------------------------------------------------------------------------------------------- jumps


def _keyword(body: Body, node: Node) -> None:
    """CYCLE, EXIT, GOTO, RETURN, CONTINUE."""
    low = body.low
    word = node.children[0].type
    if word in ("continue",):
        return
    if word in ("goto", "go"):
        _goto(body, node)
    elif word in ("exit", "cycle"):
        name = child(node, "identifier")
        _leave(body, word, text(name) if name is not None else "")
    elif word == "return":
        low.emit(ir.Jump("return", low.line))
    else:
        raise CannotLowerError(f"{text(node)[:40]!r} is not supported")


def _leave(body: Body, word: str, name: str) -> None:
    low = body.low
    candidates = [c for c in reversed(body.loops) if (c.name == name if name else c.is_loop)]
    if not candidates:
        raise CannotLowerError(f"{word.upper()} {name} is not inside such a construct")
    context = candidates[0]
    innermost = next((c for c in reversed(body.loops) if c.is_loop), None)
    if context is innermost and context.is_loop and context.depth == 1:
        low.emit(ir.Jump("break" if word == "exit" else "continue", low.line))
    elif context is innermost and word == "cycle":
        low.emit(ir.Jump("continue", low.line))
    elif word == "exit":
        context.exit_used = True
        low.emit(ir.Jump("goto", low.line, label=context.exit_label))
    else:
        context.cycle_used = True
        low.emit(ir.Jump("goto", low.line, label=context.cycle_label))


def _goto(body: Body, node: Node) -> None:
    low = body.low
    labels = [text(part).strip() for part in node.named_children if part.type == "statement_label_reference"]
    if len(labels) == 1 and not any(part.type == "identifier" for part in node.named_children):
        jump_to(body, labels[0])
        return
    selector = next((part for part in node.named_children if part.type != "statement_label_reference"), None)
    if selector is None or not labels:
        raise CannotLowerError("an assigned GOTO is not supported")
    value = low.scalar(selector)
    cases = []
    for number, label in enumerate(labels, 1):
        with low.collecting() as inside:
            jump_to(body, label)
        cases.append(((ir.Const(number, ir.INT),), tuple(inside)))
    low.emit(ir.Switch(value, tuple(cases), low.line))


def jump_to(body: Body, label: str) -> None:
    """Emits GOTO label; a jump to the end of an enclosing loop's body is a CYCLE."""
    low = body.low
    label = label.lstrip("0") or "0"
    innermost = next((c for c in reversed(body.loops) if c.is_loop), None)
    if innermost is not None and innermost.last_label == label:
        low.emit(ir.Jump("continue", low.line))
        return
    for context in reversed(body.loops):
        if context.is_loop and context.last_label == label:
            context.cycle_used = True
            low.emit(ir.Jump("goto", low.line, label=context.cycle_label))
            return
    low.emit(ir.Jump("goto", low.line, label=label))


def _arithmetic_if(body: Body, node: Node) -> None:
    """IF (e) 10, 20, 30: to the first label if negative, the second if zero, the third if positive."""
    low = body.low
    condition = child(node, "parenthesized_expression")
    labels = [text(part).strip() for part in node.named_children if part.type == "statement_label_reference"]
    if condition is None or len(labels) != 3:
        raise CannotLowerError("an arithmetic IF needs three labels")
    value = low.scalar(condition)
    zero = ir.Const(0, ir.type_of(value))
    jumps = []
    for label in labels:
        with low.collecting() as inside:
            jump_to(body, label)
        jumps.append(tuple(inside))
    below, at, above = jumps
    if labels[0] == labels[1]:
        low.emit(ir.If(ir.Binary("<=", value, zero), below, above, low.line))
    elif labels[1] == labels[2]:
        low.emit(ir.If(ir.Binary("<", value, zero), below, above, low.line))
    elif labels[0] == labels[2]:
        low.emit(ir.If(ir.Binary("==", value, zero), at, above, low.line))
    else:
        other: ir.Stmt = ir.If(ir.Binary("==", value, zero), at, above, low.line)
        low.emit(ir.If(ir.Binary("<", value, zero), below, (other,), low.line))


def _stop(body: Body, node: Node) -> None:
    body.low.emit(ir.Evaluate(ir.Call("exit", (), ir.Void()), body.low.line))


def _entry(body: Body, node: Node) -> None:
    """A label where the ENTRY of that name begins; control falls through it."""
    name, listed = node.child_by_field_name("name"), node.child_by_field_name("parameters")
    arguments = [text(one) for one in listed.named_children] if listed is not None else []
    body.entries.append((text(name) if name is not None else "", tuple(arguments), body.low.line))
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
    values = [(keyword(argument), low.value(value_node(argument))) for argument in arguments]
    if callee.type == "identifier":
        low.emit(ir.Evaluate(_named(body, text(callee), values), low.line))
    else:
        low.emit(ir.Evaluate(_bound(body, callee, values), low.line))


def _named(body: Body, name: str, values: Sequence[tuple[str, Value]]) -> ir.Call:
    low = body.low
    symbol = low.scope.find(name)
    if symbol is not None and symbol.kind == "generic":
        info = resolve_generic(low, symbol, [value for _, value in values])
        if info is None:
            raise CannotLowerError(f"no procedure of the generic name {name} fits these arguments")
    else:
        info = find_procedure(low, name, symbol)
    if info is None:
        return _unknown(body, name, values)
    given = ordered(info, values)
    if info.elemental and any(isinstance(value, ArrayValue) for value in given):
        return _elemental(body, info.link, given)
    return ir.Call(info.link, tuple(as_argument(low, value) for value in given), ir.Void())


def _unknown(body: Body, name: str, values: Sequence[tuple[str, Value]]) -> ir.Call:
    low = body.low
    symbol = low.scope.find(name)
    arguments = tuple(as_argument(low, value) for _, value in values)
    if symbol is not None and (symbol.dummy or "procedure pointer" in symbol.attributes):
        variable = low.variable(symbol)
        return ir.Call("", arguments, ir.Void(), ir.Name(variable.id, variable.type))
    return ir.Call(name, arguments, ir.Void())


def _elemental(body: Body, link: str, given: Sequence[Value]) -> ir.Call:
    """An elemental subroutine with array arguments: one call per element; the last call is the statement itself."""
    low = body.low
    lead = next(value for value in given if isinstance(value, ArrayValue))

    def element(places: Places) -> None:
        args = tuple(v.at(places) if isinstance(v, ArrayValue) else v for v in given)
        low.emit(ir.Evaluate(ir.Call(link, args, ir.Void()), low.line))

    loop_nest(low, lead.dims, element)
    return ir.Call("nothing", (), ir.Void())


def _bound(body: Body, callee: Node, values: Sequence[tuple[str, Value]]) -> ir.Call:
    """call a%b(…): the type-bound procedure of a's declared type, with a as its first argument."""
    low = body.low
    member = child(callee, "type_member")
    if callee.type != "derived_type_member_expression" or member is None:
        raise CannotLowerError(f"CALL {text(callee)[:40]} is not supported")
    base = low.value(callee.named_children[0])
    kind = base.element if isinstance(base, ArrayValue) else ir.type_of(base)
    info = bound_procedure(low, kind, text(member))
    given: list[tuple[str, Value]] = [("", base), *values]
    if info is None:
        low.say(f"the procedure behind {text(callee)} is not in the given files")
        return ir.Call(text(member), tuple(as_argument(low, value) for _, value in given), ir.Void())
    return ir.Call(info.link, tuple(as_argument(low, value) for value in ordered(info, given)), ir.Void())


# ---------------------------------------------------------------------------------------------------- WHERE


def _where(body: Body, node: Node) -> None:
    """Stores the masks first (assignments may change their operands), then emits one loop per assignment."""
    low = body.low
    mask_node = child(node, "parenthesized_expression")
    if mask_node is None:
        raise CannotLowerError("a WHERE without a mask")
    _where_parts(body, node, low.value(mask_node), None)


def _where_parts(body: Body, node: Node, mask: Value, outer: Value | None) -> None:
    low = body.low
    clauses = [part for part in node.named_children if part.type == "elsewhere_clause"]
    inside = [part for part in node.named_children if part.type in ("assignment_statement", "where_statement")]
    simple = len(inside) == 1 and not clauses and inside[0].type == "assignment_statement" and outer is None
    if not simple:
        mask = _kept(body, mask)
    chosen = mask if outer is None else elementwise(lambda a, b: ir.Binary("&&", a, b), outer, mask)
    _where_body(body, inside, chosen, keep_line=simple)
    rest: Value = elementwise(lambda a: ir.Unary("!", a), mask)
    if outer is not None:
        rest = elementwise(lambda a, b: ir.Binary("&&", a, b), outer, rest)
    for clause in clauses:
        low.line = body.tree.line(clause)
        condition = child(clause, "parenthesized_expression")
        parts = [p for p in clause.named_children if p.type in ("assignment_statement", "where_statement")]
        if condition is None:
            _where_body(body, parts, rest)
            break
        more = _kept(body, low.value(condition))
        _where_body(body, parts, elementwise(lambda a, b: ir.Binary("&&", a, b), rest, more))
        rest = elementwise(lambda a, b: ir.Binary("&&", a, ir.Unary("!", b)), rest, more)


def _kept(body: Body, mask: Value) -> Value:
    if not isinstance(mask, ArrayValue):
        raise CannotLowerError("the mask of a WHERE is not an array")
    return mask if mask.whole is not None and isinstance(mask.whole, ir.Name) else materialize(body.low, mask, "mask")


def _where_body(body: Body, nodes: Sequence[Node], mask: Value, *, keep_line: bool = False) -> None:
    low = body.low
    for part in nodes:
        low.line = low.line if keep_line else body.tree.line(part)
        if part.type == "where_statement":
            condition = child(part, "parenthesized_expression")
            if condition is None:
                raise CannotLowerError("a WHERE without a mask")
            _where_parts(body, part, low.value(condition), mask)
            continue
        left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
        assign(low, low.value(left), low.value(right), mask)


# ----------------------------------------------------------------------------------------- other constructs


def _block(body: Body, node: Node) -> None:
    low = body.low
    context = LoopContext(construct_name(node), "", is_loop=False, line=low.line)
    scope = body.inner_scope(node)
    body.loops.append(context)
    try:
        for statement in body.inside(scope, node.named_children):
            low.emit(statement)
    finally:
        body.loops.pop()
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
        symbol = scope.declare(text(name), low.line)
        symbol.kind = "variable"
        symbol.substitute = value if _is_reference(value) else _evaluated(body, value, text(name))
    for statement in body.inside(scope, [p for p in node.named_children if p.type != "association_list"]):
        low.emit(statement)


def _is_reference(value: Value) -> bool:
    if isinstance(value, ArrayValue):
        return value.whole is not None or value.first is not None or isinstance(_sample(value), ir.Index)
    return isinstance(value, ir.Name | ir.Index | ir.Member | ir.Deref)


def _sample(value: ArrayValue) -> ir.Expr | None:
    from foretell.frontends.fortran.lower.array_values import Place

    return None if value.costly else value.at(tuple(Place(dim.lower, dim.lower, dim.step) for dim in value.dims))


def _evaluated(body: Body, value: Value, name: str) -> Value:
    """Evaluates an expression once, at the entry of the construct."""
    low = body.low
    if isinstance(value, ArrayValue):
        return materialize(low, value, name)
    kept = low.fresh(name, ir.type_of(value))
    low.emit(ir.Assign(kept, value, low.line))
    return kept


def _transparent(body: Body, node: Node) -> None:
    """CRITICAL and similar constructs: their statements, in order."""
    for statement in body.block(node.named_children):
        body.low.emit(statement)


def _select_type(body: Body, node: Node) -> None:
    """SELECT TYPE as a chain of IFs on the dynamic type; in each branch the name has that type."""
    low = body.low
    selector = child(node, "selector")
    if selector is None:
        raise CannotLowerError("SELECT TYPE without a selector")
    given = selector.named_children[0]
    renamed = given.type == "pointer_association_statement"
    name = text(given.named_children[0]) if renamed else text(given)
    base = low.value(given.named_children[1] if renamed else given)
    line = low.line
    other: tuple[ir.Stmt, ...] = ()
    chain: list[tuple[ir.Expr, tuple[ir.Stmt, ...]]] = []
    for part in node.named_children:
        if part.type != "type_statement":
            continue
        kind_node = part.child_by_field_name("type")
        inside = _type_branch(body, part, name, base, kind_node)
        if kind_node is None:
            other = inside
        else:
            kind = ir.Const(text(kind_node), ir.Unknown("type"))
            chain.append((ir.Call("same_type", (_named_only(base), kind), ir.BOOL), inside))
    for test, inside in reversed(chain):
        other = (ir.If(test, inside, other, line),)
    for statement in other:
        low.emit(statement)


def _named_only(value: Value) -> ir.Expr:
    """A value as an operand that is named but not read."""
    if isinstance(value, ArrayValue):
        return value.whole if value.whole is not None else ir.Const("array", ir.Unknown("array"))
    return value


def _type_branch(body: Body, node: Node, name: str, base: Value, kind_node: Node | None) -> tuple[ir.Stmt, ...]:
    low = body.low
    scope = body.inner_scope(node)
    symbol = scope.declare(name, low.line)
    symbol.kind = "variable"
    symbol.substitute = base
    if kind_node is not None and not isinstance(base, ArrayValue):
        named = kind_node.type == "identifier"
        kind = record(low, text(kind_node)) if named else low.type_of_node(kind_node)
        symbol.substitute = ir.Cast(kind, base)
    skipped = (kind_node, child(node, "default"))
    return body.inside(scope, [part for part in node.named_children if part not in skipped])


STATEMENTS.update(
    {
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
)
