"""Loops: induction variables, swapped pointers, counted while loops, values after the loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import TRIPS, Note
from foretell.core.symbolic.poly import ONE, ZERO, Poly, TooLargeError, floor_div, indicators, symbol
from foretell.core.symbolic.sums import sum_over, trip_count
from foretell.frontends.analysis.loops import early_ends, exits, geometric, ranges, while_loops
from foretell.frontends.analysis.loops.chunks import Chunk, chunks
from foretell.frontends.analysis.walk.expressions import as_integer, evaluate, loads_in
from foretell.frontends.analysis.walk.program_arguments import PARSERS, keep_defaults, without_arguments
from foretell.frontends.analysis.walk.state import Address, Head, LoopItem, Mark, State, Sub, Value, varies
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Set

    from foretell.frontends.analysis.calls.call_graph import Index


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
    #: not loaded anew in each iteration: the index of the largest element so far, a counter that wraps around
    kept: frozenset[str] = frozenset()
    #: changed by additions only, of what data decide: `m` of `if (a[i] > 0) b[m++] = i`
    running: frozenset[str] = frozenset()
    #: pointers that are loaded through themselves: `node = node->next`
    walking: frozenset[str] = frozenset()
    #: changes per iteration, also those that are not the same in each
    changes: dict[str, Poly] = field(default_factory=dict)
    #: numbers that are taken in blocks, and changes per iteration that may hold what one takes
    chunks: tuple[Chunk, ...] = ()
    by_chunk: dict[str, Poly] = field(default_factory=dict)


#: loops around a loop whose carried values are still looked for: each level executes its body twice, which without a
#: bound takes 2^depth
_DEEPEST = 10


class LoopWalker:
    """Executes loops symbolically: a first pass finds loop-carried values, a second one records."""

    sequence: Callable[[State, ir.Body], None]

    def __init__(self, index: Index) -> None:
        self._index, self.scanner = index, index.scanner
        self._wholes: dict[int, ir.Body] = {}
        self._assignments: dict[int, tuple[ir.Body, frozenset[str], frozenset[str]]] = {}

    # ---- counted loops

    def counted(self, state: State, loop: ir.Loop) -> None:
        """Executes a loop with inclusive bounds."""
        bounds = [_bound(state, bound, loop.line) for bound in (loop.lower, loop.upper, loop.step)]
        lower, upper, step = bounds
        if without_arguments(state, trip_count(lower, upper, step)) is False:
            self._skip(state, loop.body, loop.line)
            return
        key = state.key(loop.variable)
        name = _loop_symbol(state, key, bounds)
        carried = self._carried(state, loop.body, key, symbol(name), ())
        item = _new_item(state, name, loop)
        count = trip_count(lower, upper, step)
        item.trips = ranges.trips(count, state.loops)
        item.lower, item.upper, item.step, value = lower, upper, step, symbol(name)
        item.implied = loop.implied
        if any(_uneven(change, step) for change in carried.steps.values()):
            # an induction variable changes by less than the stride: the iterations are renumbered to 0, 1, 2, …
            item.lower, item.upper, item.step, value = ZERO, count - 1, ONE, lower + step * symbol(name)
            carried.steps = {own: change.substitute({name: value}) for own, change in carried.steps.items()}
        elif loop.exact_end and step.constant not in (1, -1):
            note = Note(loop.line, f"the step {step} divides the distance of the != loop exactly")
            item.items.append(Mark("assumed", note))
        _apply_carried(state, carried, item)
        state.env[key] = value
        self._run(state, item, loop.body)
        self._leave(state, loop.body, carried, item, loop.line)
        state.env[key] = lower + step * item.trips
        if loop.local:
            del state.env[key]

    def _run(self, state: State, item: LoopItem, *parts: ir.Body) -> None:
        state.items.append(item)
        state.loops.append(item)
        held, state.items, state.region = (state.items, state.region), item.items, ()
        for part in parts:  # `continue` leaves a part, but not the step after it
            self.sequence(state, part)
        state.items, state.region = held
        state.loops.pop()
        if item.leaving:
            exits.shortened(item)

    # ---- while loops

    def uncounted(self, state: State, loop: ir.While) -> None:
        """Executes a while loop, as a counted one if its condition and its steps permit."""
        whole = self._whole(loop)
        calls = self.scanner.uses((loop.condition,)).calls | self.scanner.sequence(whole).calls
        if state.arguments and calls & PARSERS:
            self._skip(state, whole, loop.line)
            return
        if array := early_ends.aligned(state, loop.condition, loop.line):
            text = f"{array} begins at a multiple of the alignment that is asked for: the loop is not entered"
            state.note("assumed", loop.line, text)
            return
        counter = _while_symbol(state, loop, self.scanner.sequence(whole).assigned)
        carried = self._carried(state, whole, "", symbol(counter), (loop.condition,), loop.body, loop.step)
        item = _new_item(state, counter, loop)
        _apply_carried(state, carried, item)
        count = while_loops.count(state, loop, counter)
        item.counted = count is not None
        if count is None:
            item.trips = symbol(state.fresh(f"{TRIPS}{loop.line}", f"trips@{loop.line}"))
        else:
            item.trips = ranges.trips(count.trips, state.loops)
        item.upper = (item.trips if count is None else count.trips) - 1
        condition, _ = evaluate(state, loop.condition, loop.line)
        if count is not None and count.is_bound:
            exits.may_end(state, item, condition, loop.line)
            early_ends.passed(state, item)
        if loads_in(condition):  # a condition on data is evaluated in every iteration, a bound once
            is_bound = count is not None and not count.is_bound
            (state.items if is_bound else item.items).append(Head(condition, loop.line))
        if count is not None:
            _rename_counter(state, item, count.test, carried)
        self._run(state, item, loop.body, loop.step)
        self._leave(state, whole, carried, item, loop.line)

    def _skip(self, state: State, body: ir.Body, line: int) -> None:
        """Passes over a loop that reads the arguments of the program: a run without any does not enter it."""
        keep_defaults(state, self.scanner.sequence(body).assigned, line)

    def _whole(self, loop: ir.While) -> ir.Body:
        """ir.Body and step as one sequence; always the same object, since facts are cached by identity."""
        known = self._wholes.get(id(loop))
        if known is None:
            known = self._wholes[id(loop)] = (*loop.body, *loop.step)
        return known

    # ---- loop-carried values

    def _carried(
        self, state: State, body: ir.Body, key: str, counter: Poly, heads: tuple[ir.Expr, ...], *parts: ir.Body
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
        self._forget_members(state, body, facts.assigned)
        if not start or len(state.loops) >= _DEEPEST:
            return _classified(start, dict.fromkeys(start))
        carried = _in_chunks(state, start, self._dry_run(state, parts or (body,), start, key, counter), heads)
        set_inside = {name for one in facts.assigned for name in (one, state.display.get(state.key(one), one))}
        for own in [own for own, change in carried.steps.items() if _on_data(change, set_inside)]:
            del carried.steps[own]
            carried.unknown.add(own)
        _, loaded, otherwise = self._assigned_how(body)
        carried.kept = frozenset(state.key(name) for name in facts.assigned - loaded)
        carried.running = frozenset(state.key(name) for name in facts.assigned - otherwise)
        return carried

    def _assigned_how(self, body: ir.Body) -> tuple[ir.Body, frozenset[str], frozenset[str]]:
        """A body, what it loads anyway and what it sets otherwise: once a body, which is executed 2^depth times. The
        body is kept, so that no other one gets its identity."""
        known = self._assignments.get(id(body))
        if known is None:
            known = self._assignments[id(body)] = (body, _loaded_anyway(body), _set_otherwise(body))
        return known

    def _forget_members(self, state: State, body: ir.Body, assigned: frozenset[str]) -> None:
        """Invalidates struct members that the body modifies, and extents of components that it allocates."""
        roots = {state.display.get(state.key(name), name) for name in assigned if _is_record(state, name)}
        known = [key for key in state.env if isinstance(key, str) and "." in key and key.split(".")[0] in roots]
        changed = self._index.changed_members(body, state.frame.unit) if known else frozenset[str]()
        for key in known:
            if changed is None or key.rsplit(".", 1)[1].partition("_size")[0] in changed:
                del state.env[key]

    def _dry_run(
        self, state: State, parts: tuple[ir.Body, ...], start: dict[str, Value], key: str, counter: Poly
    ) -> dict[str, Value]:
        """Values at the end of one iteration, in terms of those at its head."""
        held = (state.env, state.items, state.names, state.region)
        state.env, state.items, state.names, state.region = dict(state.env), [], dict(state.names), ()
        for own, value in start.items():
            state.env[own] = symbol(f"{own}'")
            if isinstance(value, Address):
                subs = (Sub(ZERO),) if isinstance(value.path[-1], Sub) else ()
                state.env[own] = Address((f"{own}'", *subs), value.target)
        if key:
            state.env[key] = counter
        state.loops.append(LoopItem("", ZERO, ZERO, ONE, 0, "", ()))
        state.dry += 1
        for part in parts:
            self.sequence(state, part)
        state.dry -= 1
        state.loops.pop()
        ends = {own: state.env.get(own) for own in start}
        state.env, state.items, state.names, state.region = held
        return ends

    def _leave(self, state: State, body: ir.Body, carried: Carried, item: LoopItem, line: int) -> None:
        """Values after the loop: final values of induction variables; other modified variables become unknown."""
        moved = {own: carried.start[own] for own in carried.swapped}
        moved |= {own: _moved(carried.start[own], _total(change, item)) for own, change in carried.steps.items()}
        moved |= {own: _moved(moved[own], -_less(carried, own, item)) for own in carried.by_chunk if own in moved}
        moved |= {own: _scaled(carried.start[own], by, _passed(item)) for own, by in carried.factors.items()}
        for identifier in self.scanner.sequence(body).assigned:
            own = state.key(identifier)
            value = state.env.get(own)
            if own in moved:
                state.env[own] = moved[own]
            elif isinstance(value, Poly) and item.trips != ZERO:
                state.env[own] = state.unknown_data(own, line, state.innermost)
            elif isinstance(value, Address) and varies(
                value.path, (item.variable,)
            ):  # the object, at an unknown offset
                state.env[own] = Address((own, Sub(ZERO)), value.target)


def _loaded_anyway(body: ir.Body) -> frozenset[str]:
    """The variables that are set to something in memory, outside conditions without an alternative."""
    return frozenset(
        one.target.id
        for one in statements([each for each in body if not isinstance(each, ir.If) or each.other])
        if isinstance(one, ir.Assign) and isinstance(one.target, ir.Name) and exits.reads_memory(one.value)
    )


def _set_otherwise(body: ir.Body) -> frozenset[str]:
    """The variables with an assignment that is no addition to them or subtraction from them."""
    return frozenset(
        one.target.id
        for one in statements(body)
        if isinstance(one, ir.Assign) and isinstance(one.target, ir.Name)
        if not (isinstance(one.value, ir.Binary) and one.value.op in ("+", "-") and one.value.left == one.target)
    )


def _moved(start: Value, by: Poly) -> Value:
    return start.moved(by) if isinstance(start, Address) else start + by if isinstance(start, Poly) else start


def _scaled(start: Value, by: int, iterations: Poly) -> Value:
    assert isinstance(start, Poly)  # pointers are not multiplied
    return geometric.value(start, by, iterations)


def _is_record(state: State, name: str) -> bool:
    variable = state.frame.variables.get(name)
    kind = variable.type if variable is not None else None
    return isinstance(kind, ir.Record) or (isinstance(kind, ir.Pointer) and isinstance(kind.target, ir.Record))


def _tracked(state: State, identifier: str) -> ir.Type | None:
    """The type of a variable whose value is tracked."""
    variable = state.frame.variables.get(identifier)
    kind = variable.type if variable is not None else None
    return kind if kind is not None and (isinstance(kind, ir.Pointer) or ir.is_integer(kind)) else None


# ---------------------------------------------------------------------------------------------- classification


def _in_chunks(state: State, start: dict[str, Value], ends: dict[str, Value], heads: tuple[ir.Expr, ...]) -> Carried:
    """The values that a loop carries; those that change by what it takes of a number in blocks change by whole ones."""
    found = chunks(state, start, ends, heads)
    if not found:
        return _classified(start, ends)
    parts = _classified(start, ends).changes
    for one in found:
        ends = {own: one.whole(value) for own, value in ends.items()}
    carried = _classified(start, ends)
    carried.chunks, carried.by_chunk = found, {own: parts[own] for own in carried.steps if own in parts}
    return carried


def _less(carried: Carried, own: str, item: LoopItem) -> Poly:
    """By how much less than whole blocks something has changed behind a loop."""
    total = ZERO
    for one in carried.chunks:
        left = carried.start[one.name]
        total = total + (one.less(carried.by_chunk[own], left, _passed(item)) if isinstance(left, Poly) else ZERO)
    return total


def _classified(start: dict[str, Value], ends: dict[str, Value]) -> Carried:
    heads = {f"{own}'": own for own in start}
    changes: dict[str, Poly] = {}
    swapped: dict[str, str] = {}
    unknown: set[str] = set()
    walking: set[str] = set()
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
                walking |= {own} if root == f"{own}'" else set()
        else:
            unknown.add(own)
    factors = {
        own: by
        for own, change in changes.items()
        if (by := geometric.factor(change + symbol(f"{own}'"), f"{own}'")) is not None and isinstance(start[own], Poly)
    }
    others = {own: change for own, change in changes.items() if own not in factors}
    # a change that depends on another loop-carried value is unknown
    steps = {own: change for own, change in others.items() if change.symbols().isdisjoint(heads)}
    unknown |= others.keys() - steps.keys()
    return Carried(start, steps, swapped, unknown, factors, walking=frozenset(walking), changes=changes)


def _on_data(change: Poly, set_inside: Set[str]) -> bool:
    """Whether a change per iteration is under a condition on values that the loop itself sets, as those that it loads.
    Symbols of such values begin with the variable's name."""
    symbols = {name for atom in indicators(change) for name in atom.symbols}
    return any(name.partition("@")[0].partition("~")[0] in set_inside for name in symbols)


def _uneven(change: Poly, step: Poly) -> bool:
    """Whether a change per iteration is not a multiple of the loop's step."""
    by = step.integer or 1
    return by not in (1, -1) and any(not isinstance(value, int) or value % by for value in change.terms.values())


def _sum_before(change: Poly, loop: LoopItem) -> Poly:
    """The sum of a change over the iterations before the current one."""
    name, counter = loop.variable, symbol(loop.variable)
    by = loop.step.integer
    if not change.depends_on((name,)):
        distance = counter - loop.lower
        return (change / by) * distance if by else change * floor_div(distance, loop.step)
    if by == -1:  # downwards: number the iterations upwards
        up = change.substitute({name: loop.lower - symbol("t'")})
        return sum_over(up, "t'", ZERO, loop.lower - counter - 1)
    earlier = change.substitute({name: symbol("t'")})
    return sum_over(earlier, "t'", loop.lower, counter - loop.step, loop.step)


def _total(change: Poly, item: LoopItem) -> Poly:
    if not change.depends_on((item.variable,)):
        return change * _passed(item)
    return sum_over(change, item.variable, item.lower, item.upper, item.step)


def _passed(item: LoopItem) -> Poly:
    """The iterations after which the code behind a loop goes on."""
    return item.trips if item.passed is None else item.passed


def _apply_carried(state: State, carried: Carried, item: LoopItem) -> None:
    """Sets the values at the head of the current iteration; notes about them belong to the loop."""
    line = item.line
    for own, change in carried.steps.items():
        try:
            state.env[own] = _moved(carried.start[own], _sum_before(change, item))
        except TooLargeError:
            carried.unknown.add(own)
    for own, by in carried.factors.items():
        state.env[own] = _scaled(carried.start[own], by, _sum_before(ONE, item))
    if carried.swapped:
        names = sorted({state.display.get(own, own) for own in carried.swapped})
        text = f"the loop exchanges {', '.join(names)}: the nest shows its first iteration"
        item.items.append(Mark("remark", Note(line, text)))
    for own in carried.unknown:
        start = carried.start[own]
        if isinstance(start, Address):
            place = state.unknown_data(own, line, item) if own in carried.walking else ZERO
            state.env[own] = Address((own, Sub(place)), start.target)
            state.irregular.add(own)
            text = f"{state.display.get(own, own)} is followed as an array of its own"
            item.items.append(Mark("assumed", Note(line, text)))
        else:
            kinds = [(carried.running, state.running), (carried.kept, state.kept)]
            kind = next((known for names, known in kinds if own in names), None)
            state.env[own] = (
                state.unknown_data(own, line, item) if kind is None else state.unknown_inside(own, line, item, kind)
            )


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
    candidate = state.fresh(name, key)
    tries = 1
    while candidate in used:
        tries += 1
        candidate = state.fresh(f"{name}~{tries}", f"{key}~{tries}")
    return candidate


def _new_item(state: State, name: str, loop: ir.Loop | ir.While) -> LoopItem:
    function = state.frame.function
    item = LoopItem(name, ZERO, ZERO, ONE, loop.line, function.file, (*state.region, *loop.directives))
    item.origin, item.source, item.language = id(loop), loop, function.language
    return item


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
        iteration = {item.variable: (symbol(item.variable) - start) / by}
        state.env.update({key: while_loops.substituted(value, iteration) for key, value in state.env.items()})
        return
