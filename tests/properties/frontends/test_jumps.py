"""Random gotos put into structure: the statements that run are the same, for every outcome of the conditions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from foretell.frontends.source import ir
from foretell.frontends.source.jumps import structured

Body = tuple[ir.Stmt, ...]
X = ir.Name("x", ir.INT)
#: so many marks are looked at, and so many statements run at most: ways back may go on for ever
MARKS = 20
LIMIT = 1000


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """Marks and conditions with a label before some statements, and gotos to any of them."""
    labels = [f"{10 * number}" for number in range(1, draw(st.integers(1, 5)) + 1)]
    marks = count(1)

    def goto() -> ir.Jump:
        return ir.Jump("goto", 0, label=draw(st.sampled_from(labels)))

    def block(depth: int) -> Body:
        return tuple(statement(depth) for _ in range(draw(st.integers(0, 2))))

    def statement(depth: int) -> ir.Stmt:
        kind = draw(st.sampled_from(["mark", "mark", "if", "goto"] if depth else ["mark", "mark", "if"]))
        if kind == "goto":
            return goto()
        if kind == "mark" or depth > 2:
            return ir.Assign(X, ir.Const(next(marks), ir.INT), 0)
        sides = [block(depth + 1), block(depth + 1)]
        if draw(st.booleans()):
            sides[draw(st.integers(0, 1))] += (goto(),)
        return ir.If(ir.Name(f"c{next(marks)}", ir.INT), *sides, 0)

    out: list[ir.Stmt] = []
    for label in labels:
        out += [*block(0), ir.Label(label, 0), statement(0)]
        if draw(st.booleans()) and draw(st.booleans()):
            out.append(goto())
    return (*out, statement(0))


class EndlessError(Exception):
    """Enough has been seen."""


@dataclass
class Run:
    """One execution: the marks that were passed; a condition may change its mind with every mark."""

    seed: int
    marks: list[int] = field(default_factory=list)

    def holds(self, condition: ir.Expr) -> bool:
        if isinstance(condition, ir.Unary):
            return not self.holds(condition.operand)
        if isinstance(condition, ir.Const):
            return bool(condition.value)
        if isinstance(condition, ir.Binary):
            held = self.holds(condition.left)
            return held and self.holds(condition.right) if condition.op == "&&" else held or self.holds(condition.right)
        assert isinstance(condition, ir.Name)
        return crc32(f"{self.seed} {condition.id} {len(self.marks)}".encode()) % 3 != 0

    def mark(self, one: ir.Assign) -> None:
        assert isinstance(one.value, ir.Const)
        self.marks.append(int(one.value.value))  # type: ignore[arg-type]
        if len(self.marks) >= MARKS:
            raise EndlessError


def run(body: Body, state: Run) -> tuple[str, str]:
    """Runs a block by its rules alone; the way it is left: the kind of jump, and a label."""
    at, steps = 0, 0
    while at < len(body):
        steps += 1
        if steps > LIMIT:
            raise EndlessError
        one = body[at]
        left = ("", "")
        match one:
            case ir.Assign():
                state.mark(one)
            case ir.If(condition, then, other):
                left = run(then if state.holds(condition) else other, state)
            case ir.While():
                left = run_while(one, state)
            case ir.Jump(kind, label=label):
                left = (kind, label or "")
            case _:
                pass
        at += 1
        if left[0] == "goto":
            place = [i for i, other in enumerate(body) if isinstance(other, ir.Label) and other.name == left[1]]
            if not place:
                return left
            at = place[0]
        elif left[0]:
            return left
    return ("", "")


def run_while(one: ir.While, state: Run) -> tuple[str, str]:
    for turn in range(LIMIT):
        if (turn or not one.test_last) and not state.holds(one.condition):
            return ("", "")
        left = run(one.body, state)
        if left[0] == "break":
            return ("", "")
        if left[0] in ("goto", "return"):
            return left
    raise EndlessError


def marks(body: Body, seed: int) -> list[int]:
    state = Run(seed)
    with suppress(EndlessError):
        run(body, state)
    return state.marks


@given(bodies(), st.integers(0, 50))
def test_the_same_statements_run(body: Body, seed: int) -> None:
    assert marks(structured(body), seed) == marks(body, seed)
