"""Loops: induction variables, swapped pointers, counted while loops, values after the loop."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Note
from foretell.core.symbolic.poly import ONE, ZERO, Poly, TooLargeError, floor_div, symbol
from foretell.core.symbolic.sums import sum_over, trip_count
from foretell.frontends.analysis.loops import exits, geometric, ranges, while_loops
from foretell.frontends.analysis.walk.expressions import as_integer, evaluate, loads_in
from foretell.frontends.analysis.walk.state import Address, Head, LoopItem, Mark, State, Sub, Value
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.frontends.analysis.walk.scan import Scanner

Body = tuple[ir.Stmt, ...]


@dataclass(slots=True)
class Carried:
    """Loop-carried integers and pointers: their value at the loop head depends on the previous iteration."""

    start: dict[str, Value]
    #: change per iteration, as a polynomial of the loop variable
    steps: dict[str, Poly]
    swapped: dict[str, str]
    unknown: set[str]
    #: factor per iteration (negative: divisor)
    factors: dict[str, int] = field(default_factory=dict)


class LoopWalker:
    """Executes loops symbolically: a first pass finds loop-carried values, a second one records."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self._wholes: dict[int, Body] = {}
        self.sequence: Callable[[State, Body], None] = _not_wired

    # ---- counted loops

    def counted(self, state: State, loop: ir.Loop) -> None:
        """Executes a loop with inclusive bounds."""
        bounds = [_bound(state, bound, loop.line) for bound in (loop.lower, loop.upper, loop.step)]
        lower, upper, step = bounds
        key = state.key(loop.variable)
        name = _loop_symbol(state, key, bounds)
        carried = self._carried(state, loop.body, key, symbol(name), ())
        if any(_uneven(change, step) for change in carried.steps.values()):
            self._normalised(state, loop, (lower, upper, step), carried)
            return
        item = _new_item(state, name, loop)
        item.lower, item.upper, item.step = lower, upper, step
        item.trips = ranges.trips(trip_count(lower, upper, step), state.loops)
        item.implied = loop.implied
        if loop.exact_end and step.constant not in (1, -1):
            note = Note(loop.line, f"the step {step} divides the distance of the != loop exactly")
            item.items.append(Mark("assumed", note))
        _apply_carried(state, carried, _before(symbol(name), lower, step), item)
        state.env[key] = symbol(name)
        self._run(state, item, loop.body)
        self._leave(state, loop.body, carried, item, loop.line)
        _after_variable(state, key, lower + step * item.trips, loop.local)

    def _normalised(self, state: State, loop: ir.Loop, bounds: tuple[Poly, Poly, Poly], carried: Carried) -> None:
        """A strided loop, renumbered to 0, 1, 2, … if an induction variable changes by less than the stride."""
        lower, upper, step = bounds
        key = state.key(loop.variable)
        name = _loop_symbol(state, key, list(bounds))
        item = _new_item(state, name, loop)
        count = trip_count(lower, upper, step)
        item.trips = ranges.trips(count, state.loops)
        item.lower, item.upper, item.step = ZERO, count - 1, ONE
        item.implied = loop.implied
        counter = symbol(name)
        recounted = {k: c.substitute({name: lower + step * counter}) for k, c in carried.steps.items()}
        carried = replace(carried, steps=recounted)
        _apply_carried(state, carried, _before(counter, ZERO, ONE), item)
        state.env[key] = lower + step * counter
        self._run(state, item, loop.body)
        self._leave(state, loop.body, carried, item, loop.line)
        _after_variable(state, key, lower + step * item.trips, loop.local)

    def _run(self, state: State, item: LoopItem, *parts: Body) -> None:
        held = state.items
        held.append(item)
        state.items = item.items
        state.loops.append(item)
        region, state.region = state.region, ()
        for part in parts:  # `continue` leaves a part, but not the step after it
            self.sequence(state, part)
        state.region = region
        state.loops.pop()
        state.items = held

    # ---- while loops

    def uncounted(self, state: State, loop: ir.While) -> None:
        """Executes a while loop, as a counted one if its condition and its steps permit."""
        whole = self._whole(loop)
        counter = _while_symbol(state, loop, self.scanner.sequence(whole).assigned)
        carried = self._carried(state, whole, "", symbol(counter), (loop.condition,), (loop.body, loop.step))
        item = _new_item(state, counter, loop)
        _apply_carried(state, carried, _before(symbol(counter), ZERO, ONE), item)
        found = while_loops.count(state, loop, counter)
        if found is None:
            item.trips = symbol(state.fresh(f"trips_L{loop.line}", f"trips@{loop.line}"))
            item.counted = False
        else:
            item.trips = ranges.trips(found.trips, state.loops)
        item.upper = (item.trips if found is None else found.trips) - 1
        condition, _ = evaluate(state, loop.condition, loop.line)
        if found is not None and found.is_bound:
            exits.may_end(state, item, condition, loop.line)
        if loads_in(condition):  # a condition on data is evaluated in every iteration
            (state.items if item.counted else item.items).append(Head(condition, loop.line))
        if found is not None:
            _rename_counter(state, item, found.test, carried)
        self._run(state, item, loop.body, loop.step)
        self._leave(state, whole, carried, item, loop.line)

    def _whole(self, loop: ir.While) -> Body:
        """Body and step as one sequence; always the same object, since facts are cached by identity."""
        known = self._wholes.get(id(loop))
        if known is None:
            known = self._wholes[id(loop)] = (*loop.body, *loop.step)
        return known

    # ---- loop-carried values

    def _carried(
        self,
        state: State,
        body: Body,
        key: str,
        counter: Poly,
        heads: tuple[ir.Expr, ...],
        parts: tuple[Body, ...] = (),
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
        for identifier in facts.assigned - exposed:  # temporaries: not live at the head
            state.env.pop(state.key(identifier), None)
        self._forget_members(state, facts.assigned)
        if not start:
            return Carried({}, {}, {}, set())
        ends = self._dry_run(state, parts or (body,), start, key, counter)
        return _classified(start, ends)

    def _forget_members(self, state: State, assigned: frozenset[str]) -> None:
        """Invalidates struct members that the body modifies."""
        roots = {state.display.get(state.key(name), name) for name in assigned if _is_record(state, name)}
        if roots:
            for known in [k for k in state.env if isinstance(k, str) and k.split(".")[0] in roots and "." in k]:
                del state.env[known]

    def _dry_run(
        self, state: State, parts: tuple[Body, ...], start: dict[str, Value], key: str, counter: Poly
    ) -> dict[str, Value]:
        """Values at the end of one iteration, in terms of those at its head."""
        held = (state.env, state.items, state.names, state.region)
        state.env = dict(state.env)
        state.items, state.names, state.region = [], dict(state.names), ()
        for own, value in start.items():
            state.env[own] = symbol(f"{own}'") if isinstance(value, Poly) else _phi(own, value)
        if key:
            state.env[key] = counter
        mark = LoopItem("", ZERO, ZERO, ONE, 0, "", ())
        state.loops.append(mark)
        state.dry += 1
        for part in parts:
            self.sequence(state, part)
        state.dry -= 1
        state.loops.pop()
        ends = {own: state.env.get(own) for own in start}
        state.env, state.items, state.names, state.region = held
        return ends

    def _leave(self, state: State, body: Body, carried: Carried, item: LoopItem, line: int) -> None:
        """Values after the loop: final values of induction variables; other modified variables become unknown."""
        trips = item.trips
        facts = self.scanner.sequence(body)
        moved: dict[str, Value] = {}
        for own, change in carried.steps.items():
            total = _total(change, item)
            start = carried.start[own]
            moved[own] = start.moved(total) if isinstance(start, Address) else _plus(start, total)
        for own in carried.swapped:
            moved[own] = carried.start[own]
        for own, by in carried.factors.items():
            start = carried.start[own]
            if isinstance(start, Poly):
                moved[own] = geometric.value(start, by, trips)
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
    return isinstance(kind, ir.Record) or (isinstance(kind, ir.Pointer) and isinstance(kind.target, ir.Record))


def _tracked(state: State, identifier: str) -> ir.Type | None:
    """The type of a variable whose value is tracked."""
    variable = state.frame.variables.get(identifier)
    if variable is None:
        return None
    kind = variable.type
    if isinstance(kind, ir.Pointer) or (isinstance(kind, ir.Scalar) and kind.kind in ("int", "uint")):
        return kind
    return None


def _phi(own: str, value: Value) -> Address:
    assert isinstance(value, Address)
    whole = not isinstance(value.path[-1], Sub)
    return Address((f"{own}'",) if whole else (f"{own}'", Sub(ZERO)), value.target)


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
            elif isinstance(root, str) and root in heads and len(end.path) <= 2:
                swapped[own] = heads[root]
            else:
                unknown.add(own)
        else:
            unknown.add(own)
    factors = {
        own: by
        for own, change in changes.items()
        if (by := geometric.factor(change + symbol(f"{own}'"), f"{own}'")) is not None and isinstance(start[own], Poly)
    }
    steps = _solved({own: c for own, c in changes.items() if own not in factors}, heads, unknown)
    return Carried(start, steps, swapped, unknown, factors)


def _solved(changes: dict[str, Poly], heads: dict[str, str], unknown: set[str]) -> dict[str, Poly]:
    """Changes per iteration that depend on no other loop-carried value; the others are unknown."""
    steps: dict[str, Poly] = {}
    for own, change in changes.items():
        if change.symbols().isdisjoint(heads):
            steps[own] = change
        else:
            unknown.add(own)
    return steps


def _uneven(change: Poly, step: Poly) -> bool:
    """Whether a change per iteration is not a multiple of the loop's step."""
    by = step.integer
    if by is None or by in (1, -1):
        return False
    return any(not isinstance(value, int) or value % by for value in change.terms.values())


@record
class _Before:
    """Sums a change over the iterations before the current one."""

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
        if by == -1:  # downwards: number the iterations upwards
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


def _apply_carried(state: State, carried: Carried, before: _Before, item: LoopItem) -> None:
    """Sets the values at the head of the current iteration; notes about them belong to the loop."""
    line = item.line
    for own, change in carried.steps.items():
        start = carried.start[own]
        try:
            travelled = before.sum(change)
        except TooLargeError:
            carried.unknown.add(own)
            continue
        state.env[own] = start.moved(travelled) if isinstance(start, Address) else _plus(start, travelled)
    for own, by in carried.factors.items():
        start = carried.start[own]
        assert isinstance(start, Poly)
        state.env[own] = geometric.value(start, by, before.sum(ONE))
    if carried.swapped:
        names = sorted({state.display.get(own, own) for own in carried.swapped})
        text = f"the loop exchanges {', '.join(names)}: the nest shows its first iteration"
        item.items.append(Mark("remark", Note(line, text)))
    for own in carried.unknown:
        start = carried.start[own]
        if isinstance(start, Address):
            state.env[own] = Address((own, Sub(ZERO)), start.target)
            state.irregular.add(own)
            text = f"{state.display.get(own, own)} is followed as an array of its own"
            item.items.append(Mark("assumed", Note(line, text)))
        else:
            unknown = state.unknown(own, line)
            state.data |= unknown.atoms()
            state.env[own] = unknown


def _outside(state: State, own: str, item: LoopItem) -> Value:
    """Keeps the object of a pointer modified in the loop, at an unknown offset."""
    value = state.env[own]
    assert isinstance(value, Address)
    inside = {item.variable}
    if any(isinstance(part, Sub) and part.value.depends_on(inside) for part in value.path):
        return Address((own, Sub(ZERO)), value.target)
    return value


# ---------------------------------------------------------------------------------------------- heads


def _bound(state: State, expr: ir.Expr, line: int) -> Poly:
    """Evaluates a bound once, before the loop; its array reads are counted there."""
    tree, value = evaluate(state, expr, line)
    if loads_in(tree):
        state.items.append(Head(tree, line))
    return as_integer(state, value, line)


def _loop_symbol(state: State, key: str, bounds: list[Poly]) -> str:
    """The symbol of a loop variable: its name, unless that is in use."""
    name = state.display.get(key, key)
    used = {loop.variable for loop in state.loops}.union(*(bound.symbols() for bound in bounds))
    owner = key
    candidate = state.fresh(name, owner)
    tries = 1
    while candidate in used:
        tries += 1
        candidate = state.fresh(f"{name}~{tries}", f"{owner}~{tries}")
    return candidate


def _new_item(state: State, name: str, loop: ir.Loop | ir.While) -> LoopItem:
    function = state.frame.function
    return LoopItem(
        name,
        ZERO,
        ZERO,
        ONE,
        loop.line,
        function.file,
        (*state.region, *loop.directives),
        origin=id(loop),
        source=loop,
        function=function.display,
        language=function.language,
    )


def _after_variable(state: State, key: str, value: Poly, local: bool) -> None:
    if local:
        state.env.pop(key, None)
    else:
        state.env[key] = value


# ---------------------------------------------------------------------------------------------- while heads


def _while_symbol(state: State, loop: ir.While, assigned: frozenset[str]) -> str:
    """The variable compared in the condition, otherwise `iteration`."""
    sides = [side for one in while_loops.comparisons(loop.condition) for side in (one.left, one.right)]
    taken = [value for side in sides if isinstance(value := evaluate(state, side, loop.line)[1], Poly)]
    for side in sides:
        if isinstance(side, ir.Name) and side.id in assigned and _tracked(state, side.id) is not None:
            return _loop_symbol(state, state.key(side.id), taken)
    return _loop_symbol(state, f"iteration_L{loop.line}", taken)


def _rename_counter(state: State, item: LoopItem, test: ir.Binary, carried: Carried) -> None:
    """Rewrites a while loop in terms of its own variable: `while (i < n) … i++` is the loop i = …, n-1."""
    for side in (test.left, test.right):
        own = state.key(side.id) if isinstance(side, ir.Name) else ""
        change, start = carried.steps.get(own), carried.start.get(own)
        by = change.integer if change is not None else None
        if not by or change is None or not isinstance(start, Poly):
            continue
        if start.depends_on((item.variable,)) or item.trips.depends_on((item.variable,)):
            continue
        if carried.factors or any(_uneven(c, change) or c.depends_on((item.variable,)) for c in carried.steps.values()):
            return
        item.lower, item.step = start, change
        item.upper = start + change * (item.trips - 1)
        recount = while_loops.counted_by(item.variable, start, by)
        for key, value in list(state.env.items()):
            state.env[key] = while_loops.substituted(value, recount)
        return
