"""Loops: induction variables, swapped pointers, counted while-loops, values after the loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.core.summation import sum_over, trip_count
from foretell.core.symbolic import ONE, ZERO, Poly, TooLargeError, floor_div, symbol
from foretell.frontends import ir
from foretell.frontends.analysis.expressions import as_integer, evaluate, loads_in
from foretell.frontends.analysis.state import Address, Head, LoopItem, State, Sub, Value
from foretell.frontends.analysis.statements import directive

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.loopnest import Directive
    from foretell.frontends.analysis.scan import Scanner

Body = tuple[ir.Stmt, ...]


@dataclass(slots=True)
class Carried:
    """Integers and pointers whose value at the head of an iteration depends on the iteration before."""

    start: dict[str, Value]
    #: change per iteration, as a polynomial of the loop variable
    steps: dict[str, Poly]
    swapped: dict[str, str]
    unknown: set[str]


class LoopWalker:
    """Runs loops symbolically: once to see what they carry, once for real."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.sequence: Callable[[State, Body], None] = _not_wired

    # ---- counted loops

    def counted(self, state: State, loop: ir.Loop) -> None:
        """Runs a loop with inclusive bounds."""
        bounds = [_bound(state, bound, loop.line) for bound in (loop.lower, loop.upper, loop.step)]
        lower, upper, step = bounds
        key = state.key(loop.variable)
        name = _loop_symbol(state, key, bounds)
        carried = self._carried(state, loop.body, key, symbol(name), ())
        if any(_uneven(change, step) for change in carried.steps.values()):
            self._normalised(state, loop, (lower, upper, step), carried)
            return
        item = _item(state, name, loop)
        item.lower, item.upper, item.step, item.trips = lower, upper, step, trip_count(lower, upper, step)
        item.implied = loop.implied
        if loop.exact_end and step.constant not in (1, -1):
            state.note("assumed", loop.line, f"the step {step} divides the distance of the != loop exactly")
        _apply_carried(state, carried, _before(symbol(name), lower, step), loop.line)
        state.env[key] = symbol(name)
        self._run(state, item, loop.body)
        self._leave(state, loop.body, carried, item, loop.line)
        _after_variable(state, key, lower + step * item.trips, loop.local)

    def _normalised(
        self, state: State, loop: ir.Loop, bounds: tuple[Poly, Poly, Poly], carried: Carried
    ) -> None:
        """A strided loop that bumps something by less than its stride counts 0, 1, 2, …"""
        lower, upper, step = bounds
        key = state.key(loop.variable)
        name = _loop_symbol(state, key, list(bounds))
        item = _item(state, name, loop)
        item.trips = trip_count(lower, upper, step)
        item.lower, item.upper, item.step = ZERO, item.trips - 1, ONE
        item.implied = loop.implied
        counter = symbol(name)
        recounted = {k: c.substitute({name: lower + step * counter}) for k, c in carried.steps.items()}
        carried = Carried(carried.start, recounted, carried.swapped, carried.unknown)
        _apply_carried(state, carried, _before(counter, ZERO, ONE), loop.line)
        state.env[key] = lower + step * counter
        self._run(state, item, loop.body)
        self._leave(state, loop.body, carried, item, loop.line)
        _after_variable(state, key, lower + step * item.trips, loop.local)

    def _run(self, state: State, item: LoopItem, body: Body) -> None:
        held = state.items
        held.append(item)
        state.items = item.items
        state.loops.append(item)
        region, state.region = state.region, ()
        self.sequence(state, body)
        state.region = region
        state.loops.pop()
        state.items = held

    # ---- while loops

    def uncounted(self, state: State, loop: ir.While) -> None:
        """Runs a while loop, as a counted one if its condition and its steps allow that."""
        body = (*loop.body, *loop.step)
        counter = _while_symbol(state, loop)
        carried = self._carried(state, body, "", symbol(counter), (loop.condition,))
        iteration = symbol(counter)
        item = LoopItem(
            counter,
            ZERO,
            ZERO,
            ONE,
            loop.line,
            state.frame.function.file,
            _directives(state, loop),
            origin=id(loop),
        )
        _own(state, item)
        _apply_carried(state, carried, _before(iteration, ZERO, ONE), loop.line)
        trips = _while_trips(state, loop, counter)
        if trips is None:
            trips = symbol(state.fresh(f"trips_L{loop.line}", f"trips@{loop.line}"))
            item.counted = False
            state.note("assumed", loop.line, f"the loop runs {trips} times: its end depends on data")
        item.trips, item.upper = trips, trips - 1
        _rename_counter(state, item, loop, carried)
        self._run(state, item, body)
        self._leave(state, body, carried, item, loop.line)

    # ---- what a loop carries

    def _carried(
        self, state: State, body: Body, key: str, counter: Poly, heads: tuple[ir.Expr, ...]
    ) -> Carried:
        facts = self.scanner.sequence(body)
        exposed = facts.exposed | self.scanner.uses(heads).exposed
        start: dict[str, Value] = {}
        for identifier in facts.assigned & exposed:
            own = state.key(identifier)
            value = state.env.get(own)
            if value is None and (kind := _tracked(state, identifier)) is not None:
                value = evaluate(state, ir.Name(identifier, kind), 0)[1]
            if own != key and isinstance(value, Poly | Address):
                start[own] = value
        for identifier in facts.assigned - exposed:  # temporaries: no value at the head
            state.env.pop(state.key(identifier), None)
        self._forget_members(state, facts.assigned)
        if not start:
            return Carried({}, {}, {}, set())
        ends = self._dry_run(state, body, start, key, counter)
        return _classified(start, ends)

    def _forget_members(self, state: State, assigned: frozenset[str]) -> None:
        """Members of a struct that the body assigns somewhere are not known at its head."""
        roots = {state.display.get(state.key(name), name) for name in assigned if _is_record(state, name)}
        if roots:
            for known in [
                k for k in state.env if isinstance(k, str) and k.split(".")[0] in roots and "." in k
            ]:
                del state.env[known]

    def _dry_run(
        self, state: State, body: Body, start: dict[str, Value], key: str, counter: Poly
    ) -> dict[str, Value]:
        """Values at the end of one iteration, in terms of the values at its head."""
        held = (state.env, state.items, state.names, state.region)
        state.env = dict(state.env)
        state.items, state.names, state.region = [], dict(state.names), ()
        for own, value in start.items():
            state.env[own] = symbol(f"{own}'") if isinstance(value, Poly) else _phi(own, value)
        if key:
            state.env[key] = counter
        mark = LoopItem("", ZERO, ZERO, ONE, 0, "", ())
        state.loops.append(mark)
        self.sequence(state, body)
        state.loops.pop()
        ends = {own: state.env.get(own) for own in start}
        state.env, state.items, state.names, state.region = held
        return ends

    def _leave(self, state: State, body: Body, carried: Carried, item: LoopItem, line: int) -> None:
        """Values after the loop: inductions have moved, everything else that was assigned is not known."""
        trips = item.trips
        facts = self.scanner.sequence(body)
        moved: dict[str, Value] = {}
        for own, change in carried.steps.items():
            total = _total(change, item)
            start = carried.start[own]
            moved[own] = start.moved(total) if isinstance(start, Address) else _plus(start, total)
        for own in carried.swapped:
            moved[own] = carried.start[own]
        for identifier in facts.assigned:
            own = state.key(identifier)
            if own in moved:
                state.env[own] = moved[own]
            elif own in state.env and not isinstance(state.env[own], Address):
                if isinstance(state.env[own], Poly) and trips != ZERO:
                    unknown = state.unknown(own, line)
                    state.data |= unknown.atoms()
                    state.env[own] = unknown
            elif isinstance(state.env.get(own), Address):
                state.env[own] = _outside(state, own, item)


def _not_wired(state: State, body: Body) -> None:
    raise AssertionError("the loop walker has no executor")


def _is_record(state: State, name: str) -> bool:
    variable = state.frame.variables.get(name)
    kind = variable.type if variable is not None else None
    return isinstance(kind, ir.Record) or (
        isinstance(kind, ir.Pointer) and isinstance(kind.target, ir.Record)
    )


def _tracked(state: State, identifier: str) -> ir.Type | None:
    """The type of a variable whose value is followed."""
    variable = state.frame.variables.get(identifier)
    if variable is None:
        return None
    kind = variable.type
    if isinstance(kind, ir.Pointer) or (isinstance(kind, ir.Scalar) and kind.kind in ("int", "uint")):
        return kind
    return None


def _phi(own: str, value: Value) -> Address:
    assert isinstance(value, Address)
    return Address((f"{own}'", Sub(ZERO)), value.target)


def _plus(start: Value, total: Poly) -> Value:
    return start + total if isinstance(start, Poly) else start


# ---------------------------------------------------------------------------------------------- classification


def _classified(start: dict[str, Value], ends: dict[str, Value]) -> Carried:
    heads = {f"{own}'": own for own in start}
    changes: dict[str, Poly] = {}
    swapped: dict[str, str] = {}
    unknown: set[str] = set()
    for own, value in start.items():
        end = ends[own]
        if isinstance(value, Poly) and isinstance(end, Poly):
            changes[own] = end - symbol(f"{own}'")
        elif isinstance(value, Address) and isinstance(end, Address):
            root, last = end.path[0], end.path[-1]
            if root == f"{own}'" and len(end.path) == 2 and isinstance(last, Sub):
                changes[own] = last.value
            elif isinstance(root, str) and root in heads and len(end.path) == 2:
                swapped[own] = heads[root]
            else:
                unknown.add(own)
        else:
            unknown.add(own)
    steps = _solved(changes, heads, unknown)
    return Carried(start, steps, swapped, unknown)


def _solved(changes: dict[str, Poly], heads: dict[str, str], unknown: set[str]) -> dict[str, Poly]:
    """Changes that depend on no other carried value; the rest is unknown."""
    steps: dict[str, Poly] = {}
    for own, change in changes.items():
        if change.symbols().isdisjoint(heads):
            steps[own] = change
        else:
            unknown.add(own)
    return steps


def _uneven(change: Poly, step: Poly) -> bool:
    """Whether a change per iteration is not a whole multiple of the loop's step."""
    by = step.integer
    if by is None or by in (1, -1):
        return False
    return any(not isinstance(value, int) or value % by for value in change.terms.values())


@dataclass(frozen=True, slots=True)
class _Before:
    """How to sum a change over the iterations before the current one."""

    counter: Poly
    lower: Poly
    step: Poly

    def sum(self, change: Poly) -> Poly:
        name = str(self.counter)
        by = self.step.integer
        if not change.depends_on((name,)):
            if by in (1, -1):
                return change * (self.counter - self.lower) * (by or 1)
            if by:
                return (change / by) * (self.counter - self.lower)
            return change * floor_div(self.counter - self.lower, self.step)
        if by == -1:  # downwards: count the iterations upwards
            up = change.substitute({name: self.lower - symbol("t'")})
            return sum_over(up, "t'", ZERO, self.lower - self.counter - 1)
        earlier = change.substitute({name: symbol("t'")})
        return sum_over(earlier, "t'", self.lower, self.counter - self.step, self.step)


def _before(counter: Poly, lower: Poly, step: Poly) -> _Before:
    return _Before(counter, lower, step)


def _total(change: Poly, item: LoopItem) -> Poly:
    if not change.depends_on((item.variable,)):
        return change * item.trips
    return sum_over(change, item.variable, item.lower, item.upper, item.step)


def _apply_carried(state: State, carried: Carried, before: _Before, line: int) -> None:
    """Values at the head of the current iteration."""
    for own, change in carried.steps.items():
        start = carried.start[own]
        try:
            travelled = before.sum(change)
        except TooLargeError:
            carried.unknown.add(own)
            continue
        state.env[own] = start.moved(travelled) if isinstance(start, Address) else _plus(start, travelled)
    if carried.swapped:
        names = sorted({state.display.get(own, own) for own in carried.swapped})
        state.note(
            "remark", line, f"the loop exchanges {', '.join(names)}: the nest shows its first iteration"
        )
    for own in carried.unknown:
        start = carried.start[own]
        if isinstance(start, Address):
            state.env[own] = Address((own, Sub(ZERO)), start.target)
            state.note("assumed", line, f"{state.display.get(own, own)} is followed as an array of its own")
        else:
            unknown = state.unknown(own, line)
            state.data |= unknown.atoms()
            state.env[own] = unknown


def _outside(state: State, own: str, item: LoopItem) -> Value:
    """A pointer assigned in the loop keeps its object after it, at an unknown place."""
    value = state.env[own]
    assert isinstance(value, Address)
    inside = {item.variable}
    if any(isinstance(part, Sub) and part.value.depends_on(inside) for part in value.path):
        return Address((own, Sub(ZERO)), value.target)
    return value


# ---------------------------------------------------------------------------------------------- heads


def _bound(state: State, expr: ir.Expr, line: int) -> Poly:
    """A bound, evaluated once before the loop; the array elements it reads are counted there."""
    tree, value = evaluate(state, expr, line)
    if loads_in(tree):
        state.items.append(Head(tree, line))
    return as_integer(state, value, line)


def _loop_symbol(state: State, key: str, bounds: list[Poly]) -> str:
    """The symbol of a loop variable: its name, unless that already means something else here."""
    name = state.display.get(key, key)
    used = {loop.variable for loop in state.loops}.union(*(bound.symbols() for bound in bounds))
    owner = key
    candidate = state.fresh(name, owner)
    tries = 1
    while candidate in used:
        tries += 1
        candidate = state.fresh(f"{name}~{tries}", f"{owner}~{tries}")
    return candidate


def _directives(state: State, loop: ir.Loop | ir.While) -> tuple[Directive, ...]:
    return (*state.region, *map(directive, loop.directives))


def _item(state: State, name: str, loop: ir.Loop) -> LoopItem:
    item = LoopItem(name, ZERO, ZERO, ONE, loop.line, state.frame.function.file, (), origin=id(loop))
    item.directives = (*state.region, *map(directive, loop.directives))
    _own(state, item)
    return item


def _own(state: State, item: LoopItem) -> None:
    item.function = state.frame.function.display
    item.language = state.frame.function.language


def _after_variable(state: State, key: str, value: Poly, local: bool) -> None:
    if local:
        state.env.pop(key, None)
    else:
        state.env[key] = value


# ---------------------------------------------------------------------------------------------- while heads


def _while_symbol(state: State, loop: ir.While) -> str:
    """The variable that the condition compares, else `iteration`."""
    values = [evaluate(state, side, loop.line)[1] for side in _sides(loop.condition)]
    taken = [value for value in values if isinstance(value, Poly)]
    for side in _sides(loop.condition):
        if isinstance(side, ir.Name) and _tracked(state, side.id) is not None:
            return _loop_symbol(state, state.key(side.id), taken)
    return _loop_symbol(state, f"iteration_L{loop.line}", taken)


def _sides(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    if isinstance(condition, ir.Binary) and condition.op in ("<", "<=", ">", ">=", "!="):
        return condition.left, condition.right
    return ()


def _while_trips(state: State, loop: ir.While, counter: str) -> Poly | None:
    """Iterations until the condition fails, if its distance shrinks by a constant each time."""
    sides = _sides(loop.condition)
    if not sides:
        return None
    left, right = (evaluate(state, side, loop.line)[1] for side in sides)
    distance = _difference(left, right)
    assert isinstance(loop.condition, ir.Binary)
    op = loop.condition.op
    if distance is None:
        return None
    if op in (">", ">="):
        distance = -distance
    linear = distance.coefficients((counter,))
    slope = linear[0].get(counter, ZERO).integer if linear is not None else None
    if linear is None or not slope:
        return None
    start = linear[1]
    if op == "!=":
        op, start, slope = ("<", start, slope) if slope < 0 else ("<", -start, -slope)
    if slope > 0:
        return None
    if op in ("<", ">"):
        start = start - 1
    return floor_div(start, -slope) + 1


def _difference(left: Value, right: Value) -> Poly | None:
    """right - left."""
    if isinstance(left, Poly) and isinstance(right, Poly):
        return right - left
    if isinstance(left, Address) and isinstance(right, Address) and left.path[:-1] == right.path[:-1]:
        low, high = left.path[-1], right.path[-1]
        if isinstance(low, Sub) and isinstance(high, Sub):
            return high.value - low.value
    return None


def _rename_counter(state: State, item: LoopItem, loop: ir.While, carried: Carried) -> None:
    """Counts a while loop by its own variable: `while (i < n) … i++` is the loop i = …, n-1."""
    for side in _sides(loop.condition):
        if not isinstance(side, ir.Name):
            continue
        own = state.key(side.id)
        change = carried.steps.get(own)
        start = carried.start.get(own)
        if change is None or not isinstance(start, Poly) or change.integer is None or not item.counted:
            continue
        if start.depends_on((item.variable,)) or item.trips.depends_on((item.variable,)):
            continue
        by = change.integer
        if not by or any(
            _uneven(c, change) or c.depends_on((item.variable,)) for c in carried.steps.values()
        ):
            return
        recount = {item.variable: (symbol(item.variable) - start) / by}  # iteration = (i - start) / by
        item.lower, item.step = start, change
        item.upper = start + change * (item.trips - 1)
        for key, value in list(state.env.items()):
            state.env[key] = _substituted(value, recount)
        return


def _substituted(value: Value, recount: dict[str, Poly]) -> Value:
    if isinstance(value, Poly):
        return value.substitute(recount)
    if isinstance(value, Address):
        return Address(
            tuple(
                Sub(part.value.substitute(recount), part.extent, part.lower)
                if isinstance(part, Sub)
                else part
                for part in value.path
            ),
            value.target,
        )
    return value
