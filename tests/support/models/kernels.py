"""Random kernels whose counts are known by construction: made as a tree, written as C or Fortran, run in Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.support.models.kernel_text import c_block
from tests.support.models.kernel_tree import (
    FUNCTIONS,
    OPERATIONS,
    Assign,
    Binary,
    Bound,
    Call,
    Choice,
    Element,
    Expr,
    Helper,
    If,
    Index,
    Kernel,
    Loop,
    Number,
    Scalar,
    Stmt,
    array_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


# ---------------------------------------------------------------------------------------------- what it does


@dataclass
class Totals:
    operations: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    #: iterations of the innermost loops, in source order
    trips: list[int] = field(default_factory=list)
    #: some loop would start beyond its end by more than one step: closed forms need a clamp there
    overshoots: bool = False
    #: an equality is tested in a loop that is empty at times
    empty_equality: bool = False


def run(kernel: Kernel) -> Totals:
    totals = Totals()
    order = {id(loop): k for k, loop in enumerate(innermost(kernel.body))}
    totals.trips = [0] * len(order)
    _block(kernel.body, {"n": kernel.n}, totals, order, kernel)
    return totals


def innermost(body: tuple[Stmt, ...]) -> Iterator[Loop]:
    for s in body:
        if isinstance(s, Loop):
            inner = list(innermost(s.body))
            yield from inner or [s]
        elif isinstance(s, If):
            yield from innermost(s.then)
            yield from innermost(s.other)


def loops(body: tuple[Stmt, ...]) -> int:
    total = 0
    for s in body:
        if isinstance(s, Loop):
            total += 1 + loops(s.body)
        elif isinstance(s, If):
            total += loops(s.then) + loops(s.other)
    return total


def _block(body: tuple[Stmt, ...], at: dict[str, int], totals: Totals, order: dict[int, int], kernel: Kernel) -> None:
    for s in body:
        match s:
            case Loop():
                first, last = s.first.value(at), s.last.value(at)
                trips = (last - first) // s.step + 1
                totals.overshoots |= trips < 0
                totals.empty_equality |= trips == 0 and _tests_equality(s.body)
                for i in range(first, last + (1 if s.step > 0 else -1), s.step):
                    if id(s) in order:
                        totals.trips[order[id(s)]] += 1
                    _block(s.body, {**at, s.variable: i}, totals, order, kernel)
            case If():
                _block(s.then if _holds(s, at) else s.other, at, totals, order, kernel)
            case Assign():
                _assign(s, totals, at)


def _tests_equality(body: tuple[Stmt, ...]) -> bool:
    """Whether `==` occurs anywhere inside, in a statement or in a choice."""
    return any("==" in line for line in _rendered(body))


def _rendered(body: tuple[Stmt, ...]) -> list[str]:
    lines: list[str] = []
    c_block(body, Kernel((3,) * 4, ("native",) * 4, body, 1), "", lines)
    return [line.replace("% 2 == 0", "") for line in lines]


def _holds(s: If, at: dict[str, int]) -> bool:
    left, right = at[s.left], s.right.value(at)
    match s.relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case "==":
            return left == right
    return (left + 100) % 2 == 0


def _assign(s: Assign, totals: Totals, at: dict[str, int]) -> None:
    _evaluate(s.value, totals, at)
    name = array_name(s.target.array)
    if s.compound:
        totals.reads[name] += 1
        constant = s.compound == "/" and isinstance(s.value, Number)
        totals.operations["div_const" if constant else OPERATIONS[s.compound]] += 1
    totals.writes[name] += 1


def _evaluate(e: Expr, totals: Totals, at: dict[str, int]) -> None:
    match e:
        case Element():
            totals.reads[array_name(e.array)] += 1
        case Binary():
            _evaluate(e.left, totals, at)
            _evaluate(e.right, totals, at)
            constant = e.op == "/" and isinstance(e.right, Number)
            totals.operations["div_const" if constant else OPERATIONS[e.op]] += 1
        case Call():
            _evaluate(e.argument, totals, at)
            totals.operations[FUNCTIONS[e.function][1]] += 1
        case Choice():
            _evaluate(e.then if _holds(e.test, at) else e.other, totals, at)
        case Helper():
            _evaluate(e.first, totals, at)
            _evaluate(e.second, totals, at)
            totals.operations.update({"mul": 1, "add": 1})


# ---------------------------------------------------------------------------------------------- making one


@st.composite
def kernels(draw: st.DrawFn, language: str) -> Kernel:
    ranks = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    choices = ["native", "flat", "strided", *(["rows"] if language == "c" else [])]
    styles = tuple(draw(st.sampled_from(choices)) if rank > 1 else "native" for rank in ranks)
    maker = _Maker(draw, ranks, language)
    body = tuple(maker.loop((), 0) for _ in range(draw(st.integers(1, 2))))
    return Kernel(ranks, styles, body, draw(st.integers(5, 9)))


class _Maker:
    def __init__(self, draw: st.DrawFn, ranks: tuple[int, ...], language: str) -> None:
        self.draw, self.ranks, self.language = draw, ranks, language
        self.in_choice = 0

    def loop(self, outer: tuple[str, ...], depth: int) -> Loop:
        draw = self.draw
        variable = "ijkl"[depth]
        step = draw(st.sampled_from([1, 1, 1, 2, 3, -1, -2]))
        low = Bound(draw(st.integers(-1, 2)), draw(st.sampled_from(["", "", *outer])))
        high = draw(st.one_of(self.fixed_end(), self.moving_end(outer)))
        first, last = (low, high) if step > 0 else (high, low)
        head = draw(st.sampled_from(["less", "equal", "while", "outside"]))
        inside = (*outer, variable)
        body = self.body(inside, depth)
        if (head != "while" or self.language != "c") and draw(st.integers(0, 5)) == 0:
            test = self.conditional(inside)
            body = (If(test.left, test.relation, test.right, (), body, skips=True),)
        return Loop(variable, first, last, step, head, body)

    def fixed_end(self) -> st.SearchStrategy[Bound]:
        sized = st.builds(Bound, st.integers(-3, 0), st.just(""), st.just(1))
        return st.one_of(st.builds(Bound, st.integers(3, 8)), sized)

    def moving_end(self, outer: tuple[str, ...]) -> st.SearchStrategy[Bound]:
        if not outer:
            return self.fixed_end()
        return st.builds(Bound, st.integers(0, 2), st.sampled_from(outer))

    def body(self, inside: tuple[str, ...], depth: int) -> tuple[Stmt, ...]:
        draw = self.draw
        statements: list[Stmt] = []
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.sampled_from(["assign", "assign", "loop", "if"]))
            if kind == "loop" and depth < 2:
                statements.append(self.loop(inside, depth + 1))
            elif kind == "if":
                statements.append(self.conditional(inside))
            else:
                statements.append(self.assign(inside))
        return tuple(statements)

    def conditional(self, inside: tuple[str, ...]) -> If:
        draw = self.draw
        right = draw(st.one_of(self.fixed_end(), st.builds(Bound, st.integers(-1, 1), st.sampled_from(inside))))
        relation = draw(st.sampled_from(["<", "<=", "==", ">", "even"]))
        then = tuple(self.assign(inside) for _ in range(draw(st.integers(1, 2))))
        other = tuple(self.assign(inside) for _ in range(draw(st.integers(0, 1))))
        return If(draw(st.sampled_from(inside)), relation, right, then, other)

    def assign(self, inside: tuple[str, ...]) -> Assign:
        draw = self.draw
        compound = draw(st.sampled_from(["", "", "+", "-", "*", "/"])) if self.language == "c" else ""
        return Assign(self.element(inside), self.expression(inside, 3), compound)

    def element(self, inside: tuple[str, ...]) -> Element:
        draw = self.draw
        k = draw(st.integers(0, len(self.ranks) - 1))
        one = st.tuples(st.sampled_from(inside), st.integers(-2, 2))
        return Element(k, tuple(draw(one) for _ in range(self.ranks[k])))

    def expression(self, inside: tuple[str, ...], depth: int) -> Expr:
        draw = self.draw
        kinds = ["element", "element", "scalar", "counter", "binary", "binary", "call", "helper"]
        kind = draw(st.sampled_from([*kinds, "choice"] if self.language == "c" else kinds))
        if depth == 0 or kind == "element":
            return self.element(inside)
        if kind == "scalar":
            return Scalar()
        if kind == "counter":
            return Index(draw(st.sampled_from(inside)))
        if kind == "call":
            return Call(draw(st.sampled_from(sorted(FUNCTIONS))), self.expression(inside, depth - 1))
        if kind == "helper" and not self.in_choice:
            return Helper(self.expression(inside, depth - 1), self.expression(inside, depth - 1))
        if kind == "choice":
            # a helper in an arm is a known failure with a test of its own
            self.in_choice += 1
            first, second = self.expression(inside, depth - 1), self.expression(inside, depth - 1)
            self.in_choice -= 1
            test = self.conditional(inside)
            return Choice(If(test.left, test.relation, test.right), first, second)
        left = self.expression(inside, depth - 1)
        right = draw(st.one_of(st.just(None), st.builds(Number, st.sampled_from([0.5, 2.0, 3.0, 6.0]))))
        return Binary(draw(st.sampled_from("+-*/")), left, right or self.expression(inside, depth - 1))
