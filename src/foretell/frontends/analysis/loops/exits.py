"""Loop exits: recognises error branches, finds the loops that a jump leaves, and corrects their trip counts.

Error exits are assumed never taken. An exit on convergence is assumed in the last iteration, so that the loop runs to
its maximum. Any other early exit (a search) makes the trip counts of the loop that it leaves upper bounds; loops inside
that one are characterised as if it ran to completion. All these assumptions are noted with the nest.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from itertools import takewhile
from math import prod
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import TO_MAXIMUM, Note
from foretell.core.nest.statements import Expression, Op, Var
from foretell.core.symbolic.poly import apply, number
from foretell.frontends.analysis.calls import library
from foretell.frontends.analysis.walk.expressions import loads_in
from foretell.frontends.analysis.walk.state import LoopItem, Mark, State, element_type, is_discrete, varies
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import children, statements

if TYPE_CHECKING:
    from foretell.frontends.analysis.calls.call_graph import Index

#: An exit that is taken less often ends no loop: none goes round so many times.
_NEVER = Fraction(1, 2**62)
#: Names of abort functions of libraries, and of the variables and labels of error handling.
_FATAL = re.compile(r"abort|fatal|xerbla|panic|^die$|errore?$|^error|_error|err_?(exit|quit|stop)|terminate")
_STATUS = re.compile(r"^(info|iflag|ier[a-z0-9]*|err(or)?|errno|[a-z_]*(error|_err|status|stat|fail(ed)?)|rc|ios)$")
_TROUBLE = re.compile(r"fail|err|bail|abort|cleanup|invalid|singular")
_CONVERGED = re.compile(r"conv|finished|satisf")


class Exits:
    """Recognises error exits in the statement IR."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._final: dict[int, bool] = {}

    def failing(self, state: State, conditional: ir.If) -> tuple[bool, int] | None:
        """The branch of an if that ends in an error (True: then), and the line of the error."""
        for side, body in ((True, conditional.then), (False, conditional.other)):
            if body and self._fails(state, body, conditional.condition):
                return side, body[-1].line
        return None

    def _fails(self, state: State, body: ir.Body, condition: ir.Expr) -> bool:
        """Whether a branch ends in an error."""
        last = body[-1]
        if not isinstance(last, ir.Jump) or last.kind == "continue":
            return self._is_final(state, last)
        if _tests_status(condition):
            return True
        if any(isinstance(inside, ir.Loop | ir.While) for inside in statements(body)):
            return False  # a branch that works is no error exit, also where it ends with a status
        if any(self._reports(state, statement) for statement in body[:-1]):
            return True
        if last.kind == "goto":
            return self._leads_to_error(state, last.label or "")
        leaves = last.kind == "return" and (state.frame_loops() > 0 or not state.frame.inlined)
        return leaves and _is_error_code(last.value, condition)

    def _leads_to_error(self, state: State, label: str) -> bool:
        """Whether a label is an error handler, by its name or by the statements that follow it."""
        if _TROUBLE.search(label.lower()):
            return True
        body = iter(state.frame.function.body)
        if not any(map(partial(_is_label, label), body)):  # leaves the statements after the label
            return False
        handler = takewhile(lambda one: not isinstance(one, ir.Jump | ir.Loop | ir.While | ir.Label), body)
        return any(self._reports(state, one) for one in handler)

    def _is_final(self, state: State, statement: ir.Stmt) -> bool:
        """Whether a statement never returns control."""
        if isinstance(statement, ir.If):
            return all(side and self._is_final(state, side[-1]) for side in (statement.then, statement.other))
        if not isinstance(statement, ir.Evaluate) or not isinstance(statement.expr, ir.Call):
            return False
        name = statement.expr.function
        function = self._index.resolve(name, state.frame.unit)
        if function is None:
            plain = name.lower().strip("_")
            return plain in library.NEVER_RETURNS or bool(_FATAL.search(plain))
        known = self._final.get(id(function))
        if known is None:
            self._final[id(function)] = False  # during recursion
            known = self._final[id(function)] = bool(function.body) and self._is_final(state, function.body[-1])
        return known

    def _reports(self, state: State, statement: ir.Stmt) -> bool:
        """Whether a statement reports an error: prints to stderr or sets a status variable."""
        if self._is_final(state, statement):
            return True
        if isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name):
            succeeds = isinstance(statement.value, ir.Const) and not statement.value.value
            return _is_status(statement.target) and not succeeds
        if not isinstance(statement, ir.Evaluate) or not isinstance(statement.expr, ir.Call):
            return False
        texts = [arg.value for arg in statement.expr.args if isinstance(arg, ir.Const) and isinstance(arg.value, str)]
        streams = {arg.id for arg in statement.expr.args if isinstance(arg, ir.Name)}
        return (
            statement.expr.function == "perror" or "stderr" in streams or any(_TROUBLE.search(t.lower()) for t in texts)
        )


def reads_memory(expr: ir.Expr) -> bool:
    """Whether an expression reads anything but plain variables."""
    return isinstance(expr, ir.Index | ir.Deref | ir.Member) or any(map(reads_memory, children(expr)))


def _is_error_code(value: ir.Expr | None, condition: ir.Expr) -> bool:
    """Whether a returned value is an error code: -1, NULL, ERR_x; 1 after a comparison with a literal."""
    while isinstance(value, ir.Cast):
        value = value.operand
    if isinstance(value, ir.Name):
        return bool(_TROUBLE.search(value.id.lower()) or _names_status(value))
    if isinstance(value, ir.Unary) and value.op == "-":
        return isinstance(value.operand, ir.Const)
    if not isinstance(value, ir.Const) or isinstance(value.value, str | complex):
        return False
    return value.value < 0 or (_tests_literal(condition) if value.value else _tests_null(condition))


def _tests_null(condition: ir.Expr) -> bool:
    """Whether a condition is a null test: !p, p == NULL."""
    operand = condition.operand if isinstance(condition, ir.Unary) and condition.op == "!" else condition
    if isinstance(condition, ir.Binary) and condition.op == "==" and isinstance(condition.right, ir.Const | ir.Cast):
        operand = condition.left
    return operand is not condition and isinstance(ir.type_of(operand), ir.Pointer)


def _tests_status(condition: ir.Expr) -> bool:
    """Whether a condition tests a variable that holds an error code: ierr /= 0, iflag < 0."""
    if not isinstance(condition, ir.Binary) or condition.op in ("&&", "||", "=="):
        return False
    name = condition.left
    return isinstance(name, ir.Name) and isinstance(condition.right, ir.Const) and _is_status(name)


def _is_status(name: ir.Name) -> bool:
    return is_discrete(element_type(name.type)) and _names_status(name)


def _names_status(name: ir.Name) -> bool:
    return bool(_STATUS.match(name.id.split("#")[0].lower()))


def _tests_literal(condition: ir.Expr) -> bool:
    """Whether a condition compares with a constant: x <= 0.0, !p, status != 0."""
    match condition:
        case ir.Unary("!") | ir.Binary(right=ir.Const()):
            return True
    return False


# ---------------------------------------------------------------------------------------------- jumps


def leave(state: State, jump: ir.Jump) -> None:
    """Notes the effect of a jump out of loops on the trip counts of every nest inside them."""
    if state.failing:
        return
    left = _left(state, jump)
    if not left and jump.kind == "goto" and state.loops:
        text = "a goto inside the loop is not followed: counts are upper bounds"
        state.loops[-1].ends.append(Mark("bound", Note(jump.line, text)))
    elif not left and jump.kind == "goto":
        state.note("assumed", jump.line, "a goto outside loops is not followed: counts are for one pass")
    if not left:
        return
    what = "an exit to an outer loop" if jump.label and jump.kind != "goto" else f"a {jump.kind}"
    mark = Mark("exit", Note(jump.line, f"{what} can leave the loop early"))
    around = [(branch, holds) for depth, branch, holds in state.conditions if depth == len(state.loops)]
    if around:
        around[-1][0].leaves = around[-1][1]
    if len(left) == 1 and any(branch.given for branch, _ in around):
        shares = (branch.probability if holds else 1 - branch.probability for branch, holds in around)
        left[0].leaving.append(prod(shares, start=Fraction(1)))
        return
    if around and _converges(state, around[-1][0].condition, left[0]):
        text = f"{TO_MAXIMUM}: the {jump.kind} at convergence comes last"
        mark = Mark("assumed", Note(jump.line, text))
        around[-1][0].probability = Fraction(int(not around[-1][1]))  # compiled code is held in the loop by it
    left[0].ends.append(mark)
    if left[0] is not left[-1]:
        left[-1].ends.append(mark)


def shortened(loop: LoopItem) -> None:
    """Gives a loop the mean iterations of one that data end, where it is known how often: at most its own count, and a
    geometric distribution."""
    leaves = 1 - prod((1 - share for share in loop.leaving), start=Fraction(1))
    if leaves < _NEVER:
        return
    loop.trips = apply("rounds", (loop.trips, number(leaves))) if loop.counted else number(1 / leaves)
    loop.upper = loop.lower + loop.step * (loop.trips - 1)
    text = f"an exit leaves the loop in {float(100 * leaves):.3g} % of its iterations: after {float(1 / leaves):.3g}"
    loop.ends.append(Mark("assumed", Note(loop.line, f"{text} in the mean, if it has as many")))


def may_end(state: State, loop: LoopItem, condition: Expression, line: int) -> None:
    """Notes that a while loop may end by another condition than the one that determines its trip count."""
    mark = Mark("exit", Note(line, "the loop can end before its count is reached"))
    if _converges(state, condition, loop):
        mark = Mark("assumed", Note(line, f"{TO_MAXIMUM}: convergence comes last"))
    loop.ends.append(mark)


def ending(mark: Mark, loop: LoopItem, *, innermost: bool) -> Mark:
    """The effect of an early exit on a nest: a search if it leaves the innermost loop itself; otherwise the figures of
    one entry of the nest hold, and the loop around it is assumed to run to completion."""
    if mark.kind != "exit":
        return mark
    line, text = mark.note.line, mark.note.text
    if innermost:
        return Mark("bound", Note(line, f"{text}: counts are upper bounds"))
    return Mark("assumed", Note(line, f"{text}: the loop of line {loop.line} is assumed to run to its end"))


def _left(state: State, jump: ir.Jump) -> list[LoopItem]:
    """The loops of the current function that a jump leaves, outermost first."""
    own = state.loops[state.frame.loops :]
    if jump.kind == "break" and jump.label is None:
        return own[-1:]
    if jump.kind == "goto" and jump.label is not None:
        bodies = [loop.source.body for loop in own if loop.source is not None]
        stays = [body for body in bodies if any(map(partial(_is_label, jump.label), statements(body)))]
        return own[len(stays) :]
    return own


def _is_label(name: str, statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.Label) and statement.name == name


def _converges(state: State, condition: Expression, loop: LoopItem) -> bool:
    """Whether a condition is a convergence test: compares floating-point numbers not indexed by the loop variable."""
    if isinstance(condition, Var):
        return bool(_CONVERGED.search(condition.name.lower()))
    if isinstance(condition, Op) and condition.op in ("&&", "||", "!"):
        return any(_converges(state, argument, loop) for argument in condition.args)
    if not isinstance(condition, Op) or condition.op not in ("<", "<=", ">", ">="):
        return False
    floats = condition.operand is not None and condition.operand.kind == "float"
    paths = (state.path_list[int(load.array[1:])] for load in loads_in(condition))
    return floats and not any(varies(path, (loop.variable,)) for path in paths)
