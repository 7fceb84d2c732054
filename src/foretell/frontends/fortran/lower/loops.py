"""Lowers DO in all forms: counted, WHILE, endless, CONCURRENT (and FORALL, which is parsed as CONCURRENT)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.lower.body import Body
    from foretell.frontends.fortran.text.parse import Node


@dataclass(slots=True)
class LoopContext:
    """A loop (or another named construct) that EXIT, CYCLE and GOTO may refer to."""

    name: str
    #: label of the last statement of the body, if any: a GOTO there is a CYCLE
    last_label: str
    is_loop: bool = True
    exit_used: bool = False
    cycle_used: bool = False
    #: inside a DO CONCURRENT with several indices the innermost loop is not the construct
    depth: int = 1
    line: int = 0

    @property
    def exit_label(self) -> str:
        return f"{self.name or 'loop'}@{self.line}.exit"

    @property
    def cycle_label(self) -> str:
        return f"{self.name or 'loop'}@{self.line}.cycle"


def lower_loop(body: Body, node: Node, directives: tuple[ir.Directive, ...]) -> None:
    """Emits the loop of a `do_loop` node."""
    low = body.low
    line = low.line
    statement = child(node, "do_statement")
    if statement is None:
        raise CannotLowerError("a DO without its statement")
    context = LoopContext(construct_name(node), _last_label(body, node), line=line)
    inside = [part for part in node.named_children if part.type not in ("do_statement", "end_do_loop_statement")]
    control = child(statement, "loop_control_expression", "while_statement", "concurrent_statement")
    if control is None:
        _endless(body, inside, context, directives)
    elif control.type == "loop_control_expression":
        _counted(body, control, inside, context, directives)
    elif control.type == "while_statement":
        _while(body, control, inside, context, directives)
    else:
        _concurrent(body, node, control, inside, context, directives)
    low.line = line
    if context.exit_used:
        low.emit(ir.Label(context.exit_label, line))


def construct_name(node: Node) -> str:
    label = child(node, "block_label_start_expression")
    return text(label).rstrip(": ").strip() if label is not None else ""


def _last_label(body: Body, node: Node) -> str:
    """The label of the last statement in the loop."""
    end = child(node, "end_do_loop_statement")
    row: int = end.start_point[0] if end is not None else node.end_point[0]
    own = body.tree.rows[min(row, len(body.tree.rows) - 1)].label
    if own:
        return own
    return body.tree.rows[row - 1].label if row else ""


def _inside(body: Body, nodes: Sequence[Node], context: LoopContext) -> tuple[ir.Stmt, ...]:
    body.loops.append(context)
    try:
        statements = body.block(nodes)
    finally:
        body.loops.pop()
    return (*statements, ir.Label(context.cycle_label, context.line)) if context.cycle_used else statements


def _counted(
    body: Body, control: Node, inside: Sequence[Node], context: LoopContext, directives: tuple[ir.Directive, ...]
) -> None:
    low = body.low
    parts = control.named_children
    if len(parts) < 3:
        raise CannotLowerError("a DO without both bounds")
    variable = low.scalar(parts[0])
    if not isinstance(variable, ir.Name):
        raise CannotLowerError("the variable of a DO is not a plain variable")
    lower, upper = low.scalar(parts[1]), low.scalar(parts[2])
    step = low.scalar(parts[3]) if len(parts) > 3 else arith.ONE
    if arith.constant(step) == 0:
        raise CannotLowerError("the step of this DO is zero")
    line = low.line
    kind = variable.type
    if isinstance(kind, ir.Scalar) and kind.kind == "float":
        _real_loop(body, variable, (lower, upper, step), inside, context, directives)
        return
    statements = _inside(body, inside, context)
    low.emit(ir.Loop(variable.id, lower, upper, step, statements, line, directives))


def _real_loop(
    body: Body,
    variable: ir.Name,
    bounds: tuple[ir.Expr, ir.Expr, ir.Expr],
    inside: Sequence[Node],
    context: LoopContext,
    directives: tuple[ir.Directive, ...],
) -> None:
    """DO with a real variable (F77): the trip count is fixed at the start, the variable is incremented separately."""
    low = body.low
    lower, upper, step = bounds
    line = low.line
    counter = low.fresh("round", ir.INT)
    span = ir.Binary("+", ir.Binary("-", upper, lower), step)
    rounds = ir.Cast(ir.INT, ir.Binary("/", span, ir.Cast(variable.type, step)))
    low.emit(ir.Assign(variable, lower, line))
    statements = _inside(body, inside, context)
    advance = ir.Assign(variable, ir.Binary("+", variable, step), line, compound=True)
    last = ir.Binary("-", rounds, arith.ONE)
    low.emit(ir.Loop(counter.id, arith.ZERO, last, arith.ONE, (*statements, advance), line, directives, local=True))


def _endless(body: Body, inside: Sequence[Node], context: LoopContext, directives: tuple[ir.Directive, ...]) -> None:
    line = body.low.line
    statements = _inside(body, inside, context)
    body.low.emit(ir.While(ir.Const(True, kinds.LOGICAL), statements, line, directives=directives))


def _while(
    body: Body, control: Node, inside: Sequence[Node], context: LoopContext, directives: tuple[ir.Directive, ...]
) -> None:
    low = body.low
    line = low.line
    with low.collecting() as before:
        condition = low.scalar(control.named_children[0])
    statements = _inside(body, inside, context)
    if before:  # a reduction in the condition is recomputed in every iteration
        stop = ir.If(ir.Unary("!", condition), (ir.Jump("break", line),), (), line)
        statements = (*before, stop, *statements)
        condition = ir.Const(True, kinds.LOGICAL)
    low.emit(ir.While(condition, statements, line, directives=directives))


# ------------------------------------------------------------------------------------------ DO CONCURRENT


@record
class _Index:
    variable: str
    lower: ir.Expr
    upper: ir.Expr
    step: ir.Expr


def _concurrent(
    body: Body,
    node: Node,
    control: Node,
    inside: Sequence[Node],
    context: LoopContext,
    directives: tuple[ir.Directive, ...],
) -> None:
    """Loops over the indices, the first one innermost: the order is free, and the first is the fastest in memory."""
    low = body.low
    line = low.line
    header = child(control, "concurrent_header")
    if header is None:
        raise CannotLowerError("a DO CONCURRENT without its header")
    scope = body.inner_scope(control)
    _locals(body, control, header, scope.lowering)
    inner: Lowering = scope.lowering
    indices = [_index(inner, part) for part in header.named_children if part.type == "concurrent_control"]
    if not indices:
        raise CannotLowerError("a DO CONCURRENT without an index")
    mask_node = child(header, "concurrent_mask")
    context.depth = len(indices)
    body.loops.append(context)
    try:
        with inner.collecting() as statements:
            mask = inner.scalar(mask_node.named_children[0]) if mask_node is not None else None
            statements.extend(_masked(mask, body.inside(scope, inside), line))
    finally:
        body.loops.pop()
    if node.start_point[0] in body.tree.foralls:
        _warn_forall(low, tuple(statements))
    made: tuple[ir.Stmt, ...] = tuple(statements)
    if context.cycle_used:
        made = (*made, ir.Label(context.cycle_label, line))
    for number, index in enumerate(indices):
        outermost = number == len(indices) - 1
        loop = ir.Loop(
            index.variable, index.lower, index.upper, index.step, made, line,
            directives if outermost else (), implied=True, local=True,
        )  # fmt: skip
        made = (loop,)
    low.emit(made[0])


def _masked(mask: ir.Expr | None, statements: tuple[ir.Stmt, ...], line: int) -> tuple[ir.Stmt, ...]:
    return statements if mask is None else (ir.If(mask, statements, (), line),)


def _locals(body: Body, control: Node, header: Node, inner: Lowering) -> None:
    """Declares the indices and the names of LOCAL(…) as variables of the construct."""
    outer = body.low
    type_node = header.child_by_field_name("type")
    for part in (*header.named_children, *control.named_children):
        names: list[Node] = []
        if part.type == "concurrent_control":
            names = part.named_children[:1]
        elif part.type == "concurrent_locality" and text(part).startswith("local"):
            names = [p for p in part.named_children if p.type == "identifier"]
        for name_node in names:
            name = text(name_node)
            around = outer.scope.find(name)
            symbol = inner.scope.declare(name, outer.line)
            symbol.kind = "variable"
            symbol.type_node = type_node if part.type == "concurrent_control" and type_node is not None else None
            if around is not None and symbol.type_node is None:
                symbol.type_node, symbol.dims = around.type_node, around.dims


def _index(low: Lowering, node: Node) -> _Index:
    name = low.scalar(node.named_children[0])
    lower, upper = node.child_by_field_name("initial"), node.child_by_field_name("final")
    step = node.child_by_field_name("step")
    if not isinstance(name, ir.Name) or lower is None or upper is None:
        raise CannotLowerError("an index of DO CONCURRENT is not understood")
    return _Index(name.id, low.scalar(lower), low.scalar(upper), low.scalar(step) if step is not None else arith.ONE)


def _warn_forall(low: Lowering, statements: tuple[ir.Stmt, ...]) -> None:
    """Warns where FORALL, which reads everything before it writes, differs from loops: an array is read and written."""
    from foretell.frontends.fortran.lower.expression_walk import parts

    for statement in statements:
        if isinstance(statement, ir.If):
            _warn_forall(low, statement.then)
        if not isinstance(statement, ir.Assign) or not isinstance(statement.target, ir.Index):
            continue
        base = statement.target.base
        others = [
            p for p in parts(statement.value) if isinstance(p, ir.Index) and p.base == base and p != statement.target
        ]
        if others:
            low.say("FORALL reads and writes different elements of one array: the loop overwrites as it goes")
