"""Symbolic execution of statements."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING

from foretell import limits
from foretell.core.nest.loopnest import Note
from foretell.core.nest.statements import Op, Ref, Set, Store
from foretell.core.symbolic.poly import ZERO, Poly, TooLargeError, named, symbol
from foretell.frontends.analysis.loops import exits
from foretell.frontends.analysis.walk import branch_probability, conditions
from foretell.frontends.analysis.walk.expressions import evaluate, extent_key, loads_in, locate, scalar_key, shape_of
from foretell.frontends.analysis.walk.program_arguments import keep_defaults, without_arguments
from foretell.frontends.analysis.walk.program_arguments import named as program_arguments_named
from foretell.frontends.analysis.walk.scan import root_of
from foretell.frontends.analysis.walk.state import (
    Address,
    BranchItem,
    Code,
    Environment,
    Lvalue,
    Mark,
    MarkKind,
    State,
    Sub,
    Value,
    element_type,
    is_discrete,
)
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.nest.statements import Expression
    from foretell.frontends.analysis.walk.scan import Scanner

#: Maximum statements executed per function at the default time limit; beyond it the rest is refused.
MAX_STEPS = 400_000
#: most terms of a value that is one on one side of an if and another on the other; beyond, it is data
_MOST_MERGED = 128


class Executor:
    """Executes statements; loops are delegated to `loops`, which executes their bodies with this executor."""

    def __init__(
        self,
        scanner: Scanner,
        run_loop: Callable[[State, ir.Loop], None],
        run_while: Callable[[State, ir.While], None],
        known_exits: exits.Exits,
    ) -> None:
        self.scanner = scanner
        self._exits = known_exits
        self._run_loop = run_loop
        self._run_while = run_while
        self._most_steps = limits.share(MAX_STEPS)

    def sequence(self, state: State, body: tuple[ir.Stmt, ...]) -> None:
        """Executes statements in order; those after `if (c) continue;` only where c is false."""
        for position, statement in enumerate(body):
            if isinstance(statement, ir.Jump):
                self._jump(state, statement, body[position + 1 :])
                return
            rest = body[position + 1 :]
            if isinstance(statement, ir.Label):
                self._meet(state, statement, rest)
            if rest and isinstance(statement, ir.If) and self._may_skip(state, statement):
                self.statement(state, _folded(state, statement, rest))
                return
            self.statement(state, statement)

    def _meet(self, state: State, label: ir.Label, rest: tuple[ir.Stmt, ...]) -> None:
        """A label that a later goto jumps back to: values that are assigned behind it are unknown from here on."""
        jumps = (inside for inside in statements(rest) if isinstance(inside, ir.Jump))
        if not any(jump.kind == "goto" and jump.label == label.name for jump in jumps):
            return
        for identifier in frozenset[str]().union(*(self.scanner.statement(later).assigned for later in rest)):
            own = state.key(identifier)
            if isinstance(state.env.get(own), Poly):
                state.env[own] = state.unknown_data(own, label.line)

    def _may_skip(self, state: State, conditional: ir.If) -> bool:
        """Whether some path through an if does not reach the next statement."""
        jumps = self.scanner.statement(conditional).jumps
        if "continue" in jumps:
            return True
        # outside of loops and inlined calls, the continuation is never duplicated: the return is a condition
        return "return" in jumps and _return_skips(state) and (state.frame.inlined or _ends_in_return(conditional))

    def statement(self, state: State, statement: ir.Stmt) -> None:
        state.steps += 1
        if state.steps > self._most_steps:
            if state.steps == self._most_steps + 1:
                why = "the function is too large to analyse after inlining (--limit-time raises this limit)"
                state.note("refused", statement.line, why)
            return
        match statement:
            case ir.Assign():
                if not state.dry or not self._inert(statement):
                    _assign(state, statement)
            case ir.Loop():
                self._run_loop(state, statement)
            case ir.While():
                self._run_while(state, statement)
            case ir.If():
                self._if(state, statement)
            case ir.Switch():
                self._switch(state, statement)
            case ir.Evaluate(expr, line):
                tree, _ = evaluate(state, expr, line)
                if isinstance(tree, Ref | Op):
                    state.items.append(Set("", tree, tree.type, line))
            case ir.Declare():
                _declare(state, statement)
            case ir.Annotated(directives, body):
                held = state.region
                state.region = (*held, *directives)
                self.sequence(state, body)
                state.region = held
            case ir.Opaque(line, reason, loops):
                kind: MarkKind = "refused" if state.loops or loops else "assumed"
                state.items.append(Mark(kind, Note(line, reason), loops, id(statement)))
            case ir.Jump():
                self._jump(state, statement, ())
            case ir.Label():
                pass

    def _inert(self, assignment: ir.Assign) -> bool:
        """Whether an assignment changes no integer and no pointer."""
        kind = ir.type_of(assignment.target)
        inexact = isinstance(kind, ir.Scalar) and kind.kind in ("float", "complex")
        return inexact and not self.scanner.statement(assignment).calls

    def _if(self, state: State, conditional: ir.If) -> None:
        tree, test = evaluate(state, conditional.condition, conditional.line)
        known = conditions.decided(state, test)
        if known is not None:
            if (state.given or state.texts) and _chooses_loops(conditional):
                text = branch_probability.describe(state, tree)
                state.decisions.append(Note(conditional.line, f"«{text}» {'holds' if known else 'does not hold'}"))
            self.sequence(state, conditional.then if known else conditional.other)
            return
        taken = without_arguments(state, test)
        if taken is not None and self._chooses_values(state, conditional):
            self.sequence(state, conditional.then if taken else conditional.other)
            facts = self.scanner.sequence(conditional.other if taken else conditional.then)
            keep_defaults(state, facts.assigned, conditional.line)
            return
        branch = branch_probability.branch(state, tree, test, conditional.line)
        branch.fixed = self._is_fixed(state, conditional.condition)
        fails = self._exits.failing(state, conditional)
        free = state.given_share(conditional.line) is None
        if fails is not None and free:
            self._failing(state, conditional, branch, *fails)
            return
        extreme = branch_probability.running_extreme(conditional) if branch.share is None and free else None
        if extreme is not None and self._is_kept(state, extreme):
            branch.probability, branch.extreme_over = branch_probability.NEVER, self._loops_since_reset(state, extreme)
        state.items.append(branch)
        before = dict(state.env)
        after_then = self._side(state, branch, True, conditional.then)
        state.env = dict(before)
        after_other = self._side(state, branch, False, conditional.other)
        state.env = _merged(state, after_then, after_other, branch, conditional.line)

    def _is_kept(self, state: State, extreme: ir.Expr) -> bool:
        """Whether some loop around leaves an extreme the same: no subscript of an array element moves with it."""
        if not isinstance(extreme, ir.Index):
            return True
        moving = self.scanner.uses(extreme.subscripts).exposed
        loops = [loop.source for loop in state.loops if isinstance(loop.source, ir.Loop)]
        return any(loop.variable not in moving for loop in loops)

    def _loops_since_reset(self, state: State, variable: ir.Expr) -> int:
        """The innermost loops around that keep a variable from one iteration to the next; 0 of an array element."""
        if isinstance(variable, ir.Index):
            return 0
        name = root_of(variable)
        bodies = [loop.source.body for loop in reversed(state.loops) if loop.source is not None]
        keeps = (name in self.scanner.sequence(body).exposed for body in bodies)
        return next((count for count, kept in enumerate(keeps) if not kept), len(bodies))

    def _chooses_values(self, state: State, conditional: ir.If) -> bool:
        """Whether an if only assigns: it has no loop, and no way out."""
        facts = self.scanner.statement(conditional)
        return not (facts.loops or facts.jumps or facts.opaque) and self._exits.failing(state, conditional) is None

    def _is_fixed(self, state: State, condition: ir.Expr) -> bool:
        """Whether a condition is invariant in the loops around, and so selects among them."""
        used = self.scanner.uses((condition,))
        if used.calls or exits.reads_memory(condition):
            return False
        loops = [loop.source for loop in state.loops if loop.source is not None]
        assigned = {loop.variable for loop in loops if isinstance(loop, ir.Loop)}
        return used.exposed.isdisjoint(assigned.union(*(self.scanner.sequence(loop.body).assigned for loop in loops)))

    def _failing(self, state: State, conditional: ir.If, branch: BranchItem, side: bool, line: int) -> None:
        """An if with a branch that ends in an error: assumed not taken, execution continues with the other."""
        branch.share, branch.probability = (None, branch_probability.NEVER if side else branch_probability.ALWAYS)
        state.items.append(branch)
        if state.loops:
            state.note("assumed", line, "the error exit is not taken")
        failing, other = (conditional.then, conditional.other) if side else (conditional.other, conditional.then)
        before = dict(state.env)
        state.failing += 1
        self._side(state, branch, side, failing)
        state.failing -= 1
        state.env = before
        self._side(state, branch, not side, other)

    def _switch(self, state: State, switch: ir.Switch) -> None:
        """A switch as a chain of ifs; the selector is read once."""
        tree, value = evaluate(state, switch.selector, switch.line)
        selector = switch.selector
        if loads_in(tree):
            selector = ir.Name(f"selector@{switch.line}", ir.type_of(switch.selector))
            set_scalar(state, selector.id, selector.type, tree, value, switch.line)
        self.sequence(state, _as_ifs(switch, selector))

    def _side(self, state: State, branch: BranchItem, holds: bool, body: ir.Body) -> Environment:
        held, state.items = state.items, branch.then if holds else branch.other
        state.branches += 1
        state.conditions.append((len(state.loops), branch, holds))
        self.sequence(state, body)
        state.conditions.pop()
        state.branches -= 1
        state.items = held
        return state.env

    def _jump(self, state: State, jump: ir.Jump, rest: tuple[ir.Stmt, ...]) -> None:
        if jump.kind == "return":
            _return(state, jump)
        if jump.kind != "continue" or jump.label is not None:
            exits.leave(state, jump)
        label = next((at for at, other in enumerate(rest) if isinstance(other, ir.Label)), None)
        if label is not None:  # statements after a label are reachable by another path
            self.sequence(state, rest[label:])


def _chooses_loops(conditional: ir.If) -> bool:
    """Whether loops stand under a condition."""
    sides = (*conditional.then, *conditional.other)
    return any(isinstance(inside, ir.Loop | ir.While) for inside in statements(sides))


def _folded(state: State, conditional: ir.If, rest: tuple[ir.Stmt, ...]) -> ir.If:
    """if (c) continue; rest  →  if (c) {} else { rest }: moves the rest into the branches that reach it."""
    then, other = (
        side if any(_skips_rest(state, last) for last in side[-1:]) else (*side, *rest)
        for side in (conditional.then, conditional.other)
    )
    return replace(conditional, then=then, other=other)


def _ends_in_return(conditional: ir.If) -> bool:
    return any(
        isinstance(last, ir.Jump) and last.kind == "return"
        for last in (*conditional.then[-1:], *conditional.other[-1:])
    )


def _skips_rest(state: State, last: ir.Stmt) -> bool:
    if not isinstance(last, ir.Jump):
        return False
    return last.label is None if last.kind == "continue" else last.kind == "return" and _return_skips(state)


def _return_skips(state: State) -> bool:
    """Whether a return ends only a path of the current function, and no loop."""
    return not state.frame_loops() and (state.frame.inlined or not state.loops)


def _return(state: State, jump: ir.Jump) -> None:
    frame = state.frame
    if jump.value is None:
        return
    tree, value = evaluate(state, jump.value, jump.line)
    if not frame.inlined:
        return
    state.env[frame.result] = value
    if state.branches == frame.branches and not state.frame_loops():
        frame.result_tree = tree
    elif not isinstance(value, Address | Code):
        state.items.append(Set(frame.result, tree, element_type(frame.function.result), jump.line))


def _merged(state: State, then: Environment, other: Environment, branch: BranchItem, line: int) -> Environment:
    """Merges the states after both branches of an if."""
    if then == other:
        return then
    merged: Environment = {}
    for key in then.keys() | other.keys():
        a, b = (then[key] if key in then else other[key]), (other[key] if key in other else then[key])
        merged[key] = a if a == b else _either(state, key, a, b, branch, line)
    return merged


def _either(state: State, key: object, a: Value, b: Value, branch: BranchItem, line: int) -> Value:
    name = key if isinstance(key, str) else "value"
    if isinstance(a, Poly) and isinstance(b, Poly):
        if branch.share is not None:
            with suppress(TooLargeError):
                merged = b + branch.share * (a - b)
                if len(merged.terms) <= _MOST_MERGED:
                    return merged
        data = sum(_is_data(state, value) for value in (a, b))
        if data == 1 and state.innermost is not None:  # a place within limits: the table has that size, and is small
            return state.unknown_inside(name, line, state.innermost, state.kept)
        return state.unknown_data(name, line, state.innermost if data else None)  # without data one of two places
    if isinstance(a, Address) and isinstance(b, Address):
        shown = state.display.get(name, name)
        state.note("assumed", line, f"{shown} points to different arrays on the two sides of an if")
        return Address((name, Sub(ZERO)), a.target)
    return None


def _is_data(state: State, value: Poly) -> bool:
    """Whether a value is loaded, or found by a loop."""
    return conditions.has_element(value) or not value.symbols().isdisjoint(state.decided_in)


def _as_ifs(switch: ir.Switch, selector: ir.Expr) -> ir.Body:
    chain = next((body for labels, body in reversed(switch.cases) if not labels), ())
    for labels, body in reversed(switch.cases):
        if labels:
            tests: list[ir.Expr] = [ir.Binary("==", selector, label) for label in labels]
            chain = (ir.If(reduce(partial(ir.Binary, "||"), tests), body, chain, switch.line),)
    return chain


# ---------------------------------------------------------------------------------------------- assignments


def _assign(state: State, assignment: ir.Assign) -> None:
    tree, value = evaluate(state, assignment.value, assignment.line)
    if isinstance(assignment.target, ir.Name) and not isinstance(assignment.target.type, ir.Array):
        set_scalar(state, state.key(assignment.target.id), assignment.target.type, tree, value, assignment.line)
        return
    lvalue = locate(state, assignment.target, assignment.line)
    _allocated(state, lvalue, assignment)
    store(state, lvalue, tree, value, assignment.line, assignment.compound)


def _allocated(state: State, lvalue: Lvalue, assignment: ir.Assign) -> None:
    """Keeps the extents of an ALLOCATE of a component; the first dimension is the fastest."""
    match assignment.value:
        case ir.Call("allocate", (), ir.Pointer(ir.Array() as array)):
            for number, (extent, _) in enumerate(reversed(shape_of(state, array, assignment.line)), 1):
                if extent is not None:
                    state.env[extent_key(state, lvalue.path, number)] = extent


def set_scalar(state: State, key: str, kind: ir.Type, tree: Expression, value: Value, line: int) -> None:
    """Assigns to a scalar or pointer variable."""
    if isinstance(kind, ir.Procedure) or isinstance(value, Code):
        state.env[key] = value
        return
    if isinstance(kind, ir.Pointer):
        if loads_in(tree):
            state.items.append(Set("", tree, tree.type, line))
        if isinstance(value, Address) and len(value.path) > 2:  # the target is named after the pointer
            state.names.setdefault(value.path[:-1], state.display.get(key, key))
        state.env[key] = value if isinstance(value, Address) else Address((key, Sub(ZERO)), kind.target)
        return
    number_type = element_type(kind)
    if is_discrete(number_type):
        value = program_arguments_named(state, value, key, line)
        whole = value if isinstance(value, Poly) else state.unknown_data(key, line, state.innermost)
        state.env[key] = _held(state, key, whole) if loads_in(tree) else whole
    if isinstance(tree, Ref) or not is_discrete(tree.type) or state.loops:
        state.items.append(Set(state.label(key), tree, number_type, line))


def _held(state: State, key: str, value: Poly) -> Poly:
    """Names a value loaded from memory after the variable that holds it."""
    variables = {loop.variable for loop in state.loops}
    if not variables.isdisjoint(value.atoms()):  # i + offset[0]: the loop variable must remain visible
        return value
    name = state.fresh(state.display.get(key, key), f"{key} = {value}")
    if value.depends_on(variables):
        return named(name, value)
    if not value.symbols().isdisjoint(state.data):  # loaded with a subscript that is itself data
        state.data.add(name)
        for loop in [state.decided_in[one] for one in value.symbols() if one in state.decided_in]:
            state.decided_in[name] = loop
    return symbol(name)


def store(state: State, lvalue: Lvalue, tree: Expression, value: Value, line: int, compound: bool = False) -> None:
    """Assigns to a memory location."""
    key = scalar_key(state, lvalue.path)
    if isinstance(lvalue.type, ir.Pointer) or isinstance(value, Code):
        state.env[key if len(lvalue.path) == 1 and key is not None else lvalue.path] = value
        return
    kind = element_type(lvalue.type)
    if key is not None:
        set_scalar(state, key, lvalue.type, tree, value, line)
        return
    target = state.reference(lvalue.path, kind, lvalue.loads)
    state.items.append(Store(target, tree, line, compound))
    if is_discrete(kind):
        same = [known for known in state.env if isinstance(known, tuple) and known[0] == lvalue.path[0]]
        for known in same:  # elements of the array that was written
            if isinstance(state.env[known], Poly):
                del state.env[known]
        if isinstance(value, Poly) and all(not isinstance(p, Sub) or p.value.constant is not None for p in lvalue.path):
            state.env[lvalue.path] = value


def _declare(state: State, declaration: ir.Declare) -> None:
    variable = state.frame.variables.get(declaration.variable)
    if variable is None:
        return
    key = state.key(declaration.variable)
    declare(state, key, variable)
    state.born[key] = len(state.loops)
    if declaration.init is not None:
        tree, value = evaluate(state, declaration.init, declaration.line)
        set_scalar(state, key, variable.type, tree, value, declaration.line)
    else:
        state.env.pop(key, None)


def note_assumptions(state: State, function: ir.Function) -> None:
    """Notes the assumptions of lowering about a function with its nests."""
    for line, text in function.assumptions:
        state.note("assumed", line, text)


def declare(state: State, key: str, variable: ir.Variable) -> None:
    """Declares a variable: its names, its storage, its shape."""
    state.display[key] = variable.display
    state.storage[key] = variable.storage
    kind = variable.type
    if isinstance(kind, ir.Array):
        state.shapes[key] = shape_of(state, kind, variable.line)
    elif isinstance(kind, ir.Scalar):
        state.scalars[key] = element_type(kind)
    if isinstance(kind, ir.Pointer) and kind.restrict:
        state.restrict.add(key)
    if variable.value is not None and variable.storage == "constant":
        tree, value = evaluate(state, variable.value, variable.line)
        if value is not None:
            state.env[key] = value
        if state.frame.function.language == "fortran" and isinstance(kind, ir.Scalar):
            state.literals[key] = tree
