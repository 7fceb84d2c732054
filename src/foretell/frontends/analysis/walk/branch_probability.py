"""Probability of data-dependent conditions, estimated from the source and noted with every nest it affects.

Heuristics for correct code on ordinary data: two computed numbers are hardly ever equal, nothing is smaller than 1e-10
unless it is zero, a running maximum is rarely exceeded, pointers are not null, integers seldom equal a constant.
Everything else has probability 0.5.
"""

from __future__ import annotations

from fractions import Fraction

from foretell.core.nest.loopnest import CONDITION_HOLDS
from foretell.core.nest.statements import ElementType, Expression, Num, Op, Ref, Var
from foretell.core.symbolic.poly import ONE, Poly, number
from foretell.frontends.analysis.walk import conditions, given_reals
from foretell.frontends.analysis.walk.state import BranchItem, State, Value, path_text
from foretell.frontends.source import ir

HALF = Fraction(1, 2)
_CHARACTER = ElementType("int", 1)
NEVER, ALWAYS = Fraction(0), Fraction(1)
#: How often an integer equals a constant that it is compared with: as often the opcode heuristic of Ball and Larus
#: fails (Wu and Larus, Static Branch Frequency and Program Profile Analysis, MICRO-27, 1994).
SELDOM = Fraction(16, 100)
#: A literal below this represents zero, not a quantity.
TINY = 1e-7
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def unweighted(state: State, condition: Expression, line: int, share: Poly | None = None) -> BranchItem:
    """A condition with empty branches: its probability and its text."""
    given = _given(state, condition, line)
    probability = _likely(condition) if given is None else given
    return BranchItem(condition, share, probability, describe(state, condition), line, given=given is not None)


def branch(state: State, condition: Expression, test: Value, line: int) -> BranchItem:
    """An if or a lazy operand, with empty branches; its share is exact where it depends on integers."""
    item = unweighted(state, condition, line)
    if item.given:
        return item
    item.share = conditions.indicator(state, test)
    if item.share is None and isinstance(condition, Op) and condition.op in ("&&", "||"):
        first, rest = condition.share, number(_likely(condition.args[1]))
        if first is not None:  # i > 0 && x[i] > y: exact for the integer part, estimated for the rest
            item.share = first * rest if condition.op == "&&" else ONE - (ONE - first) * (ONE - rest)
            item.guessed = True
    return item


def _given(state: State, condition: Expression, line: int) -> Fraction | None:
    """What the user says of a condition: its share, or the numbers that it compares."""
    share = state.given_share(line)
    if share is None and state.reals:
        known = given_reals.decided(condition, state.reals)
        share = None if known is None else Fraction(known)
    return share


def _likely(tree: Expression) -> Fraction:
    if _is_pointer(tree):
        return ALWAYS
    if not isinstance(tree, Op):
        return HALF
    if tree.op == "!":
        return 1 - _likely(tree.args[0])
    if tree.op == "&&":
        return _likely(tree.args[0]) * _likely(tree.args[1])
    if tree.op == "||":
        return 1 - (1 - _likely(tree.args[0])) * (1 - _likely(tree.args[1]))
    null = any(isinstance(arg, Num) and arg.value == 0 for arg in tree.args)
    pointers = sum(map(_is_pointer, tree.args))
    if tree.op in ("==", "!=") and (pointers == 2 or (null and pointers)):  # different pointers to different objects
        return NEVER if tree.op == "==" else ALWAYS
    if tree.op in ("isnan", "isinf", "isfinite"):
        return ALWAYS if tree.op == "isfinite" else NEVER
    if tree.op in _OPPOSITE and tree.operand is not None and tree.operand.kind in ("float", "complex"):
        return _compared(tree.op, *tree.args)
    if tree.op in ("==", "!=") and any(isinstance(arg, Num) for arg in tree.args):
        return SELDOM if tree.op == "==" else 1 - SELDOM
    return HALF


def _is_pointer(tree: Expression) -> bool:
    if isinstance(tree, Var):
        return tree.type.kind == "other" and not tree.name.endswith("()")
    return isinstance(tree, Num) and tree.value == "&"


def _compared(op: str, left: Expression, right: Expression) -> Fraction:
    """The probability of a floating-point comparison."""
    if op in ("==", "!="):
        return NEVER if op == "==" else ALWAYS
    if isinstance(left, Num):
        left, right, op = right, left, _OPPOSITE[op]
    size = abs(right.value) if isinstance(right, Num) and isinstance(right.value, int | float) else 1.0
    magnitude = isinstance(left, Op) and left.op in ("abs", "fabs", "sqrt", "cabs")
    if 0 < size < TINY or (magnitude and size < TINY):
        return NEVER if op[0] == "<" else ALWAYS
    return HALF


def running_extreme(statement: ir.If) -> ir.Expr | None:
    """The running extreme that an if updates (if (x > m) m = x, with its position), ever rarer during the loop; an
    array element is one if the loop leaves it the same."""
    condition = statement.condition
    if statement.other or not isinstance(condition, ir.Binary) or condition.op not in ("<", "<=", ">", ">="):
        return None
    assigned = [one for one in statement.then if isinstance(one, ir.Assign)]
    plain = all(isinstance(one.target, ir.Name | ir.Deref | ir.Index) for one in assigned)
    if not plain or len(assigned) < len(statement.then):
        return None
    pairs = ((condition.left, condition.right), (condition.right, condition.left))
    kept = (one.target for one in assigned for old, new in pairs if one.target == old and one.value == new)
    return next(kept, None)


def wording(share: Fraction, extreme: bool = False) -> str:
    """How often a condition holds in words, for a note behind its text."""
    words = {HALF: "half of the time", NEVER: "never", ALWAYS: "always"}
    often = words.get(share, f"{float(100 * share):.3g} % of the time")
    if extreme and share == NEVER:
        often = "for about ln n + 0.58 of n values (a running extreme; values in random order)"
    return f"{CONDITION_HOLDS}{often} (0 to 1 possible)"


def _letter(tree: Expression, beside: tuple[Expression, ...]) -> str:
    """A number that is compared with a character."""
    letters = any(getattr(part, "operand", part.type) == _CHARACTER or part.type == _CHARACTER for part in beside)
    code = tree.value if letters and isinstance(tree, Num) else None
    return repr(chr(code)) if isinstance(code, int) and 32 <= code < 127 else ""


def describe(state: State, tree: Expression) -> str:
    """The text of a condition for a note."""
    match tree:
        case Num(value):
            return "pointer" if value == "&" else str(value)
        case Var(name):
            return name
        case Ref(array):
            return path_text(state.path_list[int(array[1:])], state.display)
        case Op("cast", (operand,)):
            return describe(state, operand)
        case Op(op, args):
            texts = [_letter(argument, args) or describe(state, argument) for argument in args]
            return f" {op} ".join(texts) if len(args) == 2 and not op.isalpha() else f"{op}({', '.join(texts)})"
