"""Lowers DO in all forms: counted, WHILE, endless, CONCURRENT (and FORALL, which is parsed as CONCURRENT)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.expression_walk import parts
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.declarations import child, text
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.lower.body import Body
    from foretell.frontends.fortran.scope.symbols import Scope
    from foretell.frontends.fortran.text.parse import Node

_TRUE = ir.Const(True, kinds.LOGICAL)


@dataclass(slots=True)
class LoopContext:
    """A loop (or another named construct) that EXIT, CYCLE and GOTO may refer to."""

    name: str
    #: the statements inside
    nodes: Sequence[Node]
    line: int
    is_loop: bool = True
    #: label of the last statement of the body, if any: a GOTO there is a CYCLE
    last_label: str = ""
    exit_used: bool = False
    cycle_used: bool = False
    #: inside a DO CONCURRENT with several indices the innermost loop is not the construct
    depth: int = 1

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
    nodes = [part for part in node.named_children if part.type not in ("do_statement", "end_do_loop_statement")]
    context = LoopContext(construct_name(node), nodes, line, last_label=_last_label(body, node))
    control = child(statement, "loop_control_expression", "while_statement", "concurrent_statement")
    loop: ir.Loop | ir.While
    if control is None:
        loop = ir.While(_TRUE, inside(body, context), line)
    elif control.type == "loop_control_expression":
        loop = _counted(body, control, context)
    elif control.type == "while_statement":
        loop = _while(body, control, context)
    else:
        loop = _concurrent(body, node, control, context)
    low.line = line
    low.emit(replace(loop, directives=directives))
    if context.exit_used:
        low.emit(ir.Label(context.exit_label, line))


def construct_name(node: Node) -> str:
    label = child(node, "block_label_start_expression")
    return text(label).rstrip(": ").strip() if label is not None else ""


def _last_label(body: Body, node: Node) -> str:
    """The label of the last statement in the loop."""
    rows = body.tree.rows
    end = child(node, "end_do_loop_statement")
    row: int = end.start_point[0] if end is not None else node.end_point[0]
    return rows[min(row, len(rows) - 1)].label or (rows[row - 1].label if row else "")


def inside(body: Body, context: LoopContext, scope: Scope | None = None) -> tuple[ir.Stmt, ...]:
    """Lowers the statements of a construct, in a scope of its own if one is given."""
    body.loops.append(context)
    try:
        statements = body.block(context.nodes) if scope is None else body.inside(scope, context.nodes)
    finally:
        body.loops.pop()
    return (*statements, ir.Label(context.cycle_label, context.line)) if context.cycle_used else statements


def _counted(body: Body, control: Node, context: LoopContext) -> ir.Loop:
    low = body.low
    if len(control.named_children) < 3:
        raise CannotLowerError("a DO without both bounds")
    variable, lower, upper, *steps = (low.scalar(part) for part in control.named_children)
    if not isinstance(variable, ir.Name):
        raise CannotLowerError("the variable of a DO is not a plain variable")
    step = steps[0] if steps else arith.ONE
    if arith.constant(step) == 0:
        raise CannotLowerError("the step of this DO is zero")
    if not isinstance(variable.type, ir.Scalar) or variable.type.kind != "float":
        return ir.Loop(variable.id, lower, upper, step, inside(body, context), context.line)
    # DO with a real variable (F77): the trip count is fixed at the start, the variable is incremented separately
    counter = low.fresh("round", ir.INT)
    span = ir.Binary("+", ir.Binary("-", upper, lower), step)
    rounds = ir.Cast(ir.INT, ir.Binary("/", span, ir.Cast(variable.type, step)))
    low.emit(ir.Assign(variable, lower, context.line))
    advance = ir.Assign(variable, ir.Binary("+", variable, step), context.line, compound=True)
    last = ir.Binary("-", rounds, arith.ONE)
    statements = (*inside(body, context), advance)
    return ir.Loop(counter.id, arith.ZERO, last, arith.ONE, statements, context.line, local=True)


def _while(body: Body, control: Node, context: LoopContext) -> ir.While:
    line = context.line
    with body.low.collecting() as before:
        condition = body.low.scalar(control.named_children[0])
    statements = inside(body, context)
    if not before:
        return ir.While(condition, statements, line)
    # a reduction in the condition is recomputed in every iteration
    stop = ir.If(ir.Unary("!", condition), (ir.Jump("break", line),), (), line)
    return ir.While(_TRUE, (*before, stop, *statements), line)


# ------------------------------------------------------------------------------------------ DO CONCURRENT


def _concurrent(body: Body, node: Node, control: Node, context: LoopContext) -> ir.Loop:
    """Loops over the indices, the first one innermost: the order is free, and the first is the fastest in memory."""
    header = child(control, "concurrent_header")
    if header is None:
        raise CannotLowerError("a DO CONCURRENT without its header")
    scope = body.inner_scope(control)
    inner: Lowering = scope.lowering
    _declare_locals(body, control, header, inner)
    loops = [_index(inner, part) for part in header.named_children if part.type == "concurrent_control"]
    if not loops:
        raise CannotLowerError("a DO CONCURRENT without an index")
    mask = child(header, "concurrent_mask")
    context.depth = len(loops)
    with inner.collecting() as statements:
        condition = inner.scalar(mask.named_children[0]) if mask is not None else None
        lowered = inside(body, context, scope)
        statements += lowered if condition is None else [ir.If(condition, lowered, (), context.line)]
    if node.start_point[0] in body.tree.foralls:
        _warn_forall(body.low, statements)
    nest = replace(loops[0], body=tuple(statements))
    for loop in loops[1:]:
        nest = replace(loop, body=(nest,))
    return nest


def _declare_locals(body: Body, control: Node, header: Node, inner: Lowering) -> None:
    """Declares the indices and the names of LOCAL(…) as variables of the construct."""
    outer = body.low
    for part in (*header.named_children, *control.named_children):
        names: list[Node] = []
        index = part.type == "concurrent_control"
        if index:
            names = part.named_children[:1]
        elif part.type == "concurrent_locality" and text(part).startswith("local"):
            names = [p for p in part.named_children if p.type == "identifier"]
        for name in map(text, names):
            around = outer.scope.find(name)
            symbol = inner.scope.declare(name, outer.line, "variable")
            symbol.type_node = header.child_by_field_name("type") if index else None
            if around is not None and symbol.type_node is None:
                symbol.type_node, symbol.dims = around.type_node, around.dims


def _index(low: Lowering, node: Node) -> ir.Loop:
    """The loop over one index, without its body."""
    name = low.scalar(node.named_children[0])
    lower, upper = node.child_by_field_name("initial"), node.child_by_field_name("final")
    if not isinstance(name, ir.Name) or lower is None or upper is None:
        raise CannotLowerError("an index of DO CONCURRENT is not understood")
    step = low.optional(node.child_by_field_name("step"), arith.ONE)
    return ir.Loop(name.id, low.scalar(lower), low.scalar(upper), step, (), low.line, implied=True, local=True)


def _warn_forall(low: Lowering, statements: Sequence[ir.Stmt]) -> None:
    """Warns where FORALL, which reads everything before it writes, differs from loops: an array is read and written."""
    for statement in statements:
        if isinstance(statement, ir.If):
            _warn_forall(low, statement.then)
        if not isinstance(statement, ir.Assign) or not isinstance(statement.target, ir.Index):
            continue
        target = statement.target
        reads = (part for part in parts(statement.value) if isinstance(part, ir.Index) and part != target)
        if any(read.base == target.base for read in reads):
            low.say("FORALL reads and writes different elements of one array: the loop overwrites as it goes")
