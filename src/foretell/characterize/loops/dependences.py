"""Loop-carried dependences: distance vectors where subscripts are affine, and a verdict for each loop.

Two references to an array with equal coefficients (uniform) depend on each other at a fixed distance; a loop variable
that neither uses may have any distance. Where coefficients differ (a[i][j] and a[i][k] of an LU factorisation), bounds
and subscripts together determine which loop can carry a dependence, and in which direction; indirect subscripts give an
unknown distance. A loop is parallel if it carries nothing, a reduction if all it carries are sums (products, minima,
maxima) of one target, otherwise sequential. Only the nest itself is analysed: a loop that it shares with other nests
may carry a dependence between them.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Literal

from foretell.characterize.loops.feasible import feasible, inside
from foretell.core.nest.statements import Branch, Expression, Op, Ref, Set, Statement, Store, Var
from foretell.core.symbolic.poly import Poly, symbol
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.nest.loopnest import Access, Loop, LoopNest, Subscript

#: iterations, '+' for one or more, '*' for any, '?' for unknown
Distance = int | Literal["+", "*", "?"]
Verdict = Literal["parallel", "reduction", "sequential", "unknown"]

#: Maximum pairs of references with different coefficients that are examined in a nest; the others stay unknown.
MAX_EXAMINED = 64

_REDUCTIONS = {"+", "-", "*", "min", "max", "fmin", "fmax", "&&", "||"}


@record
class Dependence:
    """Dependence of a later reference on an earlier one: `distance` in iterations of every loop, outer to inner."""

    array: str
    kind: Literal["flow", "anti", "output"]
    distance: tuple[Distance, ...]
    source_line: int
    sink_line: int
    reduction: bool = False
    #: False where the existence of the dependence depends on parameters
    certain: bool = True

    def carrier(self) -> int | None:
        """Loop (0: outermost) that carries it: the first with a distance; None within one iteration."""
        return next((depth for depth, value in enumerate(self.distance) if value != 0), None)


@record
class LoopVerdict:
    variable: str
    verdict: Verdict
    reason: str = ""


def dependences(nest: LoopNest) -> tuple[Dependence, ...]:
    """All dependences between references to the same array, and loop-carried dependences of scalars."""
    result: list[Dependence] = []
    sums = _summed(nest)
    examined = 0
    for label, pair in _pairs(nest):
        same = pair.first.subscripts == pair.second.subscripts
        reduction = same and (label, pair.first.subscripts) in sums
        if "?" in pair.distance and examined < MAX_EXAMINED and pair.is_linear():
            examined += 1
            result.extend(_examined(label, pair, reduction))
        else:
            result.extend(_between(label, pair, reduction))
    result.extend(_scalars(nest))
    return tuple(dict.fromkeys(result))


def verdicts(nest: LoopNest, known: tuple[Dependence, ...] | None = None) -> tuple[LoopVerdict, ...]:
    """Verdict on each loop of the nest, outer to inner; `known`: its dependences, if already computed."""
    every = dependences(nest) if known is None else known
    return tuple(_verdict(loop.variable, depth, every) for depth, loop in enumerate(nest.loops))


def _verdict(variable: str, depth: int, every: tuple[Dependence, ...]) -> LoopVerdict:
    carried = [dependence for dependence in every if _may_carry(dependence, depth)]
    blocking = [dependence for dependence in carried if not dependence.reduction]
    if not carried:
        return LoopVerdict(variable, "parallel")
    if not blocking:
        return LoopVerdict(
            variable, "reduction", f"accumulates {', '.join(sorted({dependence.array for dependence in carried}))}"
        )
    certain = [
        dependence
        for dependence in blocking
        if dependence.certain and (dependence.distance[depth] == "+" or "?" not in dependence.distance)
    ]
    first = (certain or blocking)[0]
    shown = ", ".join(map(str, first.distance))
    verdict: Verdict = "sequential" if certain else "unknown"
    return LoopVerdict(variable, verdict, f"{first.kind} dependence on {first.array} at distance ({shown})")


def _may_carry(one: Dependence, depth: int) -> bool:
    """Whether a loop can be the first with a nonzero distance; False for loops that contain only one of the two
    references."""
    if depth >= len(one.distance):
        return False
    return all(value in (0, "*", "?") for value in one.distance[:depth]) and one.distance[depth] != 0


# ---------------------------------------------------------------------------------------------- arrays


def _pairs(nest: LoopNest) -> Iterator[tuple[str, _Pair]]:
    """Pairs of references that may touch the same element, at least one of them a write, with the name of their
    array."""
    for array in nest.arrays:
        label = array.label
        for position, first in enumerate(array.accesses):
            for second in array.accesses[position:]:
                if first.writes or second.writes:
                    depth = min(nest.blocks[first.block].depth, nest.blocks[second.block].depth)
                    distance = _distance(nest, first, second, depth)
                    if distance is not None:
                        yield label, _Pair(nest, first, second, distance)


def _between(label: str, pair: _Pair, reduction: bool) -> Iterator[Dependence]:
    distance = pair.distance
    flipped = _negative(distance)
    source, sink = (pair.second, pair.first) if flipped else (pair.first, pair.second)
    distance = tuple(-value if flipped and isinstance(value, int) else value for value in distance)
    yield from _kinds(label, source, sink, distance, reduction)


def _kinds(
    label: str, source: Access, sink: Access, distance: tuple[Distance, ...], reduction: bool, certain: bool = True
) -> Iterator[Dependence]:
    zero = all(value == 0 for value in distance)
    if source.writes and sink.reads and not (zero and source is sink):
        yield Dependence(label, "flow", distance, source.line, sink.line, reduction, certain)
    if source.reads and sink.writes and not zero:
        yield Dependence(label, "anti", distance, source.line, sink.line, reduction, certain)
    if source.writes and sink.writes and not zero:
        yield Dependence(label, "output", distance, source.line, sink.line, reduction, certain)


def _negative(distance: tuple[Distance, ...]) -> bool:
    first = next((value for value in distance if value != 0), 0)
    return isinstance(first, int) and first < 0


def _distance(nest: LoopNest, first: Access, second: Access, depth: int) -> tuple[Distance, ...] | None:
    """Iterations from an element's use by `first` to its use by `second`; None if they never touch the same element."""
    names = nest.variables[:depth]
    known: dict[str, int] = {}
    unclear = False
    for a, b in zip(first.subscripts, second.subscripts, strict=False):
        outcome = _one_subscript(a, b)
        if outcome == "apart":
            return None
        if outcome == "unclear":
            unclear = True
        elif isinstance(outcome, tuple):
            name, value = outcome
            if known.setdefault(name, value) != value:
                return None
    mixed = unclear or len(first.subscripts) != len(second.subscripts)
    used = {name for access in (first, second) for subscript in access.subscripts for name, _ in subscript.coefficients}
    distance: list[Distance] = []
    for loop, name in zip(nest.loops[:depth], names, strict=True):
        step = loop.step.integer
        if name in known:
            value = known[name]
            if step is None:
                distance.append("?" if value else 0)
            elif value % step:
                return None
            else:
                distance.append(value // step)
        else:
            distance.append(0 if _is_tile(nest, loop, known) else "?" if mixed and (name in used or unclear) else "*")
    return tuple(distance)


def _is_tile(nest: LoopNest, outer: Loop, known: dict[str, int]) -> bool:
    """Whether a loop only tiles another, so that the same point is always in the same tile."""
    if outer.step.integer in (1, -1, None):
        return False
    inner = (loop for loop in nest.loops if known.get(loop.variable) == 0)
    return any((loop.lower - symbol(outer.variable)).constant is not None for loop in inner)


def _one_subscript(a: Subscript, b: Subscript) -> tuple[str, int] | Literal["apart", "unclear", "same"]:
    """Constraint from one subscript: a distance of one variable, never equal, always equal, or nothing."""
    if a.index or b.index or a.opaque or b.opaque:
        return "unclear"
    if a.coefficients != b.coefficients:
        return "apart" if _divisor_test(a, b) else "unclear"
    gap = (a.offset - b.offset).integer
    if gap is None:
        return "unclear"
    if not a.coefficients:
        return "same" if gap == 0 else "apart"
    if len(a.coefficients) > 1:
        numbers = [c.integer for _, c in a.coefficients]
        if all(numbers) and gap % gcd(*(n or 0 for n in numbers)):
            return "apart"
        return "unclear"
    name, coefficient = a.coefficients[0]
    by = coefficient.integer
    if by is None:
        return (name, 0) if gap == 0 else "unclear"
    return "apart" if gap % by else (name, gap // by)


def _divisor_test(a: Subscript, b: Subscript) -> bool:
    """GCD test: whether the two can never be equal because a common divisor of all coefficients does not divide the
    distance."""
    numbers = [c.integer for _, c in (*a.coefficients, *b.coefficients)]
    gap = (a.offset - b.offset).integer
    if gap is None or any(n is None for n in numbers):
        return False
    divisor = gcd(*(n or 0 for n in numbers))
    return bool(divisor) and gap % divisor != 0


# ---------------------------------------------------------------------------------------------- by bounds


@record
class _Pair:
    """Two references to an array, and the constraints on the iterations between them, loop by loop."""

    nest: LoopNest
    first: Access
    second: Access
    distance: tuple[Distance, ...]

    def is_linear(self) -> bool:
        return not any(one.index or one.opaque for one in (*self.first.subscripts, *self.second.subscripts))

    def meets(self, same: int, order: int) -> bool:
        """Whether both can touch one element in iterations that share the first `same` loops.

        In the next loop, `second` is after (1) or before (-1) `first`, or unconstrained (0).
        """
        loops, blocks = self.nest.loops, self.nest.blocks
        around = loops[: blocks[self.second.block].depth]
        other = {loop.variable: symbol(f"{loop.variable}'") for loop in around[same:]}
        system = [one for loop in loops[: blocks[self.first.block].depth] for one in inside(loop)]
        system += [one.substitute(other) for loop in around for one in inside(loop)]
        for a, b in zip(self.first.subscripts, self.second.subscripts, strict=False):
            system += _equal(_value(a), _value(b).substitute(other))
        for at, known in enumerate(self.distance):
            if isinstance(known, int):
                here, step = symbol(loops[at].variable), loops[at].step.integer or 1
                system += _equal(here.substitute(other), here + known * step)
        if order:
            here, up = symbol(loops[same].variable), (loops[same].step.integer or 1) > 0
            system.append((here.substitute(other) - here) * (order if up else -order) - 1)
        return feasible(system)

    def is_certain(self) -> bool:
        """Whether the elements that both touch do not depend on parameters."""
        pairs = zip(self.first.subscripts, self.second.subscripts, strict=False)
        return all((_value(a) - _value(b)).symbols() <= set(self.nest.variables) for a, b in pairs)

    def carried_by(self, carrier: int, order: int) -> tuple[Distance, ...]:
        """Distance vector if that loop carries the dependence."""
        later = (value * order if isinstance(value, int) else value for value in self.distance[carrier + 1 :])
        return (*(0 for _ in range(carrier)), "+", *later)


def _examined(label: str, pair: _Pair, reduction: bool) -> Iterator[Dependence]:
    """Dependences that the bounds and subscripts allow: for each carrying loop, in both directions."""
    depth, certain = len(pair.distance), pair.is_certain()
    if pair.meets(depth, 0):
        yield from _kinds(label, pair.first, pair.second, (0,) * depth, reduction, certain)
    for carrier in range(depth):
        if pair.meets(carrier, 1):
            distance = pair.carried_by(carrier, 1)
            yield from _kinds(label, pair.first, pair.second, distance, reduction, certain)
        if pair.first is not pair.second and pair.meets(carrier, -1):
            distance = pair.carried_by(carrier, -1)
            yield from _kinds(label, pair.second, pair.first, distance, reduction, certain)


def _equal(left: Poly, right: Poly) -> tuple[Poly, Poly]:
    return left - right, right - left


def _value(subscript: Subscript) -> Poly:
    total = subscript.offset
    for name, coefficient in subscript.coefficients:
        total = total + coefficient * symbol(name)
    return total


# ---------------------------------------------------------------------------------------------- reductions, scalars


def _walk(body: tuple[Statement, ...]) -> Iterator[Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, Branch):
            yield from _walk(statement.then)
            yield from _walk(statement.other)


def _summed(nest: LoopNest) -> set[tuple[str, tuple[Subscript, ...]]]:
    """Array elements that are only accumulated: every write is `a[…] = a[…] + …`."""
    lines: dict[tuple[str, int], bool] = {}
    for level in nest.levels:
        for statement in _walk(level):
            if isinstance(statement, Store):
                lines[statement.target.array, statement.line] = lines.get(
                    (statement.target.array, statement.line), True
                ) and _accumulates(statement.value, statement.target)
    sums: set[tuple[str, tuple[Subscript, ...]]] = set()
    for array in nest.arrays:
        label = array.label
        writes = [access for access in array.accesses if access.writes]
        alone = all(access.reads == access.writes for access in writes)
        if writes and alone and all(ok for (name, _), ok in lines.items() if name == label):
            sums.update((label, access.subscripts) for access in writes)
    return sums


def _accumulates(value: Expression, target: Expression) -> bool:
    """Whether a value is `target op something`, where the rest does not read the target."""
    if not isinstance(value, Op) or value.op not in _REDUCTIONS or len(value.args) != 2:
        return False
    left, right = value.args
    if _same(left, target):
        return not _reads(right, target)
    if value.op != "-" and _same(right, target):
        return not _reads(left, target)
    if value.op in ("+", "-"):  # (s + a) + b
        return _accumulates(left, target) and not _reads(right, target)
    return False


def _same(expression: Expression, target: Expression) -> bool:
    if isinstance(expression, Ref) and isinstance(target, Ref):
        return expression.array == target.array and expression.subscripts == target.subscripts
    return isinstance(expression, Var) and isinstance(target, Var) and expression.name == target.name


def _reads(tree: Expression, target: Expression) -> bool:
    if isinstance(tree, Op):
        return any(_reads(argument, target) for argument in tree.args)
    return _same(tree, target) or (isinstance(target, Var) and _indexes(tree, target.name))


def _indexes(tree: Expression, name: str) -> bool:
    """Whether an element is chosen by a scalar, whose value at a line is the symbol `name@line`."""
    symbols = (symbol for one in tree.subscripts for symbol in one.symbols()) if isinstance(tree, Ref) else ()
    return any(symbol.partition("@")[0] == name for symbol in symbols)


def _chases(assignment: Set) -> bool:
    """Whether a scalar becomes what it points to, as in `p = next[p]`."""
    return _indexes(assignment.value, assignment.target)


def _scalars(nest: LoopNest) -> Iterator[Dependence]:
    """Loop-carried dependences of scalars."""
    for depth, level in enumerate(nest.levels, start=nest.shared):
        written = {
            assignment.target: assignment
            for assignment in _walk(level)
            if isinstance(assignment, Set) and assignment.target
        }
        for name, assignment in written.items():
            target = Var(name, assignment.type)
            counts = assignment.type.kind in ("int", "uint", "bool", "other") and not _chases(assignment)
            if counts or not _read_first(level, target):
                continue
            sums = all(_accumulates(s.value, target) for s in _walk(level) if isinstance(s, Set) and s.target == name)
            others = any(_uses(s, target) for s in _walk(level) if not (isinstance(s, Set) and s.target == name))
            distance: list[Distance] = [0] * len(nest.loops)
            distance[depth] = 1
            yield Dependence(name, "flow", tuple(distance), assignment.line, assignment.line, sums and not others)


def _uses(statement: Statement, target: Var) -> bool:
    if isinstance(statement, Store | Set):
        return _reads(statement.value, target)
    return isinstance(statement, Branch) and _reads(statement.condition, target)


def _read_first(body: tuple[Statement, ...], target: Var) -> bool:
    """Whether the body reads a scalar before it is certain to have set it."""
    for statement in body:
        if isinstance(statement, Branch):
            if (
                _reads(statement.condition, target)
                or _read_first(statement.then, target)
                or _read_first(statement.other, target)
            ):
                return True
            if _sets(statement.then, target) and _sets(statement.other, target):
                return False
        elif _uses(statement, target):
            return True
        elif isinstance(statement, Set) and statement.target == target.name:
            return False
    return False


def _sets(body: tuple[Statement, ...], target: Var) -> bool:
    return any(isinstance(statement, Set) and statement.target == target.name for statement in body)
