"""Builds loop nests from the recorded symbolic execution: chains of loops, blocks, arrays, status."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Access, ArrayUse, Block, Loop, LoopNest, Note, Status, Storage, Subscript
from foretell.core.nest.statements import Branch, ElementType, Expression, Inner, Invoke, Op, Ref, Set, Statement, Store
from foretell.core.symbolic.poly import ONE, Poly, TooLargeError, number, symbol
from foretell.frontends.analysis.loops import exits, ranges
from foretell.frontends.analysis.loops.live_in import live_in_scalars, scalars_read
from foretell.frontends.analysis.nests.decided_indices import DecidedIndices
from foretell.frontends.analysis.nests.guards import Guard, Guards, Link, choice_of, loops_in, sides
from foretell.frontends.analysis.subscripts import arrays
from foretell.frontends.analysis.walk import branch_probability, operation_counts
from foretell.frontends.analysis.walk.state import BranchItem, Head, Item, LoopItem, Mark, Path, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from foretell.frontends.source import ir


_STORAGE: dict[str, Storage] = {
    "parameter": "parameter",
    "local": "local",
    "global": "global",
    "static": "global",
    "constant": "global",
}


@dataclass(slots=True)
class _Draft:
    """A block whose statements are being counted."""

    depth: int
    guards: Guards
    line: int
    operations: Counter[str] = field(default_factory=Counter)
    #: path number → reads, writes, first line
    accesses: dict[int, list[int]] = field(default_factory=dict)
    types: dict[int, ElementType] = field(default_factory=dict)


def build(state: State, function: ir.Function, claimed: set[int]) -> tuple[list[LoopNest], list[int]]:
    """The nests of an analysed function, and the lines where they end (0: unknown); `claimed` holds the loops of the
    source that are already in nests."""
    builder = _Builder(state, function, claimed)
    builder.inherited = list(_outside(state.items))
    builder.visit(state.items, (), ())
    return builder.nests, builder.ends


def _outside(items: list[Item]) -> Iterator[Mark]:
    """Assumptions made outside all loops, which apply to every nest of the function."""
    for item in items:
        if isinstance(item, Mark) and item.kind == "assumed":
            yield item
        elif isinstance(item, BranchItem):
            yield from _outside(item.then)
            yield from _outside(item.other)


class _Builder:
    def __init__(self, state: State, function: ir.Function, claimed: set[int]) -> None:
        self.state = state
        self.function = function
        self.claimed = claimed
        self.inherited: list[Mark] = []
        self.nests: list[LoopNest] = []
        #: the last line of each nest, where known
        self.ends: list[int] = []
        self.owned: set[int] = set()

    def visit(self, items: list[Item], chain: tuple[Link, ...], guards: Guards) -> None:
        for loop, conditions in loops_in(items):
            inner = (*chain, Link(loop, conditions))
            if any(True for _ in loops_in(loop.items)):
                self.visit(loop.items, inner, ())
            else:
                shared = sum(1 for link in inner if id(link.loop) in self.owned)  # already part of an earlier nest
                self.owned.update(id(link.loop) for link in inner)
                assembly = _Assembly(self.state, self.function, inner, shared, self.claimed)
                assembly.marks.extend(self.inherited)
                self.nests.append(assembly.nest())
                outermost = inner[shared].loop.source
                self.ends.append(outermost.end_line if outermost is not None else 0)


class _Assembly:
    """Assembles one nest."""

    def __init__(
        self, state: State, function: ir.Function, chain: tuple[Link, ...], shared: int, claimed: set[int]
    ) -> None:
        self.claimed = claimed
        self.state = state
        self.function = function
        self.chain = chain
        self.shared = shared
        self.variables = tuple(link.loop.variable for link in chain)
        self.varying = frozenset(self.variables)
        self.decided = DecidedIndices(state, [link.loop for link in chain])
        self.drafts: dict[tuple[int, Guards], _Draft] = {}
        self.marks: list[Mark] = []
        self.subscripts: dict[tuple[Poly, tuple[str, ...]], Subscript] = {}
        #: row lengths recovered from flat subscripts, and the arrays that have them
        self.rows: dict[str, set[str]] = {}

    def nest(self) -> LoopNest:
        for depth in range(self.shared + 1, len(self.chain) + 1):
            self._collect(self.chain[depth - 1].loop.items, depth, ())
        drafts = list(self.drafts.values())
        uses, renamed = self._arrays(drafts)
        blocks = tuple(self._block(draft) for draft in drafts)
        levels = tuple(
            self._statements(self.chain[depth].loop.items, renamed, depth)
            for depth in range(self.shared, len(self.chain))
        )
        status, assumptions, remarks, reason = self._status(uses)
        innermost = self.chain[-1].loop
        return LoopNest(
            file=innermost.file,
            line=innermost.line,
            function=self.function.display,
            language=innermost.language,
            loops=tuple(source_loop(link.loop) for link in self.chain),
            arrays=uses,
            blocks=blocks,
            levels=levels,
            status=status,
            assumptions=assumptions,
            remarks=remarks,
            reason=reason,
            owned=self._own(),
            shared=self.shared,
            condition=" and ".join(guard.text for guard in self._conditions()),
            choices=tuple(choice_of(guard) for guard in self._conditions()),
            total=self._executions(_Draft(len(self.chain), (), innermost.line)),
        )

    def _own(self) -> int:
        """Source loops that no earlier nest contains, including those lost inside."""
        new = {link.loop.origin: 1 for link in self.chain[self.shared :] if not link.loop.implied}
        new.update({mark.origin: mark.loops for mark in self.marks if mark.loops})
        count = sum(loops for origin, loops in new.items() if origin not in self.claimed)
        self.claimed.update(new)
        return count

    # ---- counting

    def _collect(self, items: list[Item], depth: int, guards: Guards) -> None:
        for item in items:
            if isinstance(item, Store):
                self._count_store(self._draft(depth, guards, item.line), item)
            elif isinstance(item, Set):
                self._count(self._draft(depth, guards, item.line), item.value, item.line)
            elif isinstance(item, Invoke):
                draft = self._draft(depth, guards, item.line)
                for argument in item.args:
                    self._count(draft, argument, item.line)
            elif isinstance(item, BranchItem):
                self._count(self._draft(depth, guards, item.line), item.condition, item.line)
                taken, missed = sides(item)
                self._collect(item.then, depth, (*guards, taken))
                self._collect(item.other, depth, (*guards, missed))
            elif isinstance(item, Head):
                self._count(self._draft(depth, guards, item.line), item.tree, item.line)
            elif isinstance(item, Mark):
                self.marks.append(item)
        if depth == len(self.chain) and not guards and (depth, guards) not in self.drafts:
            self._draft(depth, guards, self.chain[-1].loop.line)

    def _draft(self, depth: int, guards: Guards, line: int) -> _Draft:
        found = self.drafts.get((depth, guards))
        if found is None:
            found = self.drafts[depth, guards] = _Draft(depth, guards, line)
        return found

    def _count(self, draft: _Draft, tree: Expression, line: int) -> None:
        operation_counts.count_into(tree, draft.operations)
        for reference in operation_counts.references(tree):
            self._touch(draft, reference, line)[0] += 1
        for part in operation_counts.lazy_parts(tree):
            held, failed = sides(branch_probability.unweighted(self.state, part.args[0], line, part.share))
            chosen = (held, failed) if part.op == "select" else (held,) if part.op == "&&" else (failed,)
            for guard, operand in zip(chosen, part.args[1:], strict=True):
                if not operation_counts.is_free(operand):
                    self._count(self._draft(draft.depth, (*draft.guards, guard), line), operand, line)

    def _count_store(self, draft: _Draft, item: Store) -> None:
        self._count(draft, item.value, item.line)
        if not item.compound:  # `a[p[i]] += …` computes its address once, with the reads of the value
            for load in item.target.loads:
                for reference in operation_counts.references(load):
                    self._touch(draft, reference, item.line)[0] += 1
        self._touch(draft, item.target, item.line)[1] += 1

    def _touch(self, draft: _Draft, reference: Ref, line: int) -> list[int]:
        number_of = int(reference.array[1:])
        draft.types[number_of] = reference.type
        return draft.accesses.setdefault(number_of, [0, 0, line])

    # ---- executions

    def _block(self, draft: _Draft) -> Block:
        probability = Fraction(1)
        for guard in draft.guards:
            if self._weight(guard) is None:
                probability *= guard.probability
        return Block(
            draft.depth,
            tuple(guard.text for guard in draft.guards),
            probability,
            self._executions(draft),
            tuple(sorted(draft.operations.items())),
            draft.line,
        )

    def _executions(self, draft: _Draft) -> Poly:
        try:
            total = self._product(draft.guards)
            for depth in range(draft.depth - 1, -1, -1):
                around = [link.loop for link in self.chain[:depth]]
                total = ranges.summed(total, self.chain[depth].loop, around)
                if depth:
                    total = total * self._product(
                        guard for guard in self.chain[depth].guards if not self._is_fixed(guard)
                    )
        except TooLargeError:
            name = f"executions_L{draft.line}"
            self.marks.append(Mark("assumed", Note(draft.line, f"the trip count is too large to write out: {name}")))
            return symbol(name)
        return total

    def _is_fixed(self, guard: Guard) -> bool:
        """Whether a condition depends on parameters alone: it decides whether the nest runs, not how often."""
        if guard.share is not None and not guard.guessed:
            return not guard.share.depends_on(self.varying)
        return guard.fixed

    def _conditions(self) -> Iterator[Guard]:
        """The conditions under which the nest runs at all."""
        yield from self.chain[0].guards
        for link in self.chain[1:]:
            yield from (guard for guard in link.guards if self._is_fixed(guard))

    def _weight(self, guard: Guard) -> Poly | None:
        """The exact share of iterations, where the condition depends on the loop variables."""
        if guard.share is not None and guard.share.depends_on(self.varying):
            return guard.share
        return None

    def _product(self, guards: Iterable[Guard]) -> Poly:
        """The share of iterations in which all conditions hold. Probabilities are multiplied before polynomials: there
        may be hundreds in a large switch."""
        probability, weights = Fraction(1), ONE
        for guard in guards:
            weight = self._weight(guard)
            if weight is None:
                probability *= guard.probability
            else:
                weights = weights * weight
        return weights * number(probability)

    # ---- arrays

    def _arrays(self, drafts: list[_Draft]) -> tuple[tuple[ArrayUse, ...], dict[int, tuple[str, tuple[Poly, ...]]]]:
        state = self.state
        groups: dict[tuple[str, str, int], list[tuple[int, Path, arrays.Located]]] = {}
        types: dict[int, ElementType] = {}
        for draft in drafts:
            types.update(draft.types)
        for position in types:
            path, marks = self.decided.path(state.path_list[position])
            self.marks += marks
            located = arrays.decompose(path, self.varying, state.display, state.names)
            groups.setdefault((located.name, located.component, len(located.outer)), []).append(
                (position, path, located)
            )
        uses: list[ArrayUse] = []
        renamed: dict[int, tuple[str, tuple[Poly, ...]]] = {}
        for key in sorted(groups):
            uses.extend(self._uses(groups[key], drafts, types, renamed))
        return tuple(uses), renamed

    def _uses(
        self,
        group: list[tuple[int, Path, arrays.Located]],
        drafts: list[_Draft],
        types: dict[int, ElementType],
        renamed: dict[int, tuple[str, tuple[Poly, ...]]],
    ) -> Iterator[ArrayUse]:
        layout = arrays.lay_out([(path, located) for _, path, located in group], self.variables, self._bounds)
        if layout.row is not None:
            self.rows.setdefault(str(layout.row), set()).add(group[0][2].name)
        by_component: dict[str, dict[int, tuple[Poly, ...]]] = {}
        for place, (position, _, located) in enumerate(group):
            component = layout.components[place] if layout.components else located.component
            subs = (*located.outer, *layout.subscripts[place])
            by_component.setdefault(component, {})[position] = subs
            written = tuple(self.decided.written(value) for value in subs)
            renamed[position] = (f"{located.name}.{component}" if component else located.name, written)
        path, located = group[0][1:]
        for component in sorted(by_component):
            members = by_component[component]
            kind = types[next(iter(members))]
            dims, member = arrays.in_memory(path, located, layout, component, kind.size, self.state.display)
            yield ArrayUse(
                located.name,
                component,
                kind,
                dims,
                self._accesses(members, drafts, len(located.outer), layout.moving),
                self._storage(located.root, path),
                located.root in self.state.restrict,
                member,
            )

    def _accesses(
        self, members: dict[int, tuple[Poly, ...]], drafts: list[_Draft], outer: int, moving: tuple[str, ...]
    ) -> tuple[Access, ...]:
        accesses: list[Access] = []
        for number_of, draft in enumerate(drafts):
            merged: dict[tuple[Poly, ...], list[int]] = {}
            for position, subs in members.items():
                touched = draft.accesses.get(position)
                if touched is not None:
                    row = merged.setdefault(subs, [0, 0, touched[2]])
                    row[0] += touched[0]
                    row[1] += touched[1]
            for subs, (reads, writes, line) in merged.items():
                subscripts = tuple(
                    [
                        self._subscript(value, moving if dimension >= outer else self.variables)
                        for dimension, value in enumerate(subs)
                    ]
                )
                accesses.append(Access(subscripts, reads, writes, number_of, line))
        if len(accesses) > 1:
            accesses.sort(key=lambda access: (access.block, *map(_subscript_order, reversed(access.subscripts))))
        return tuple(accesses)

    def _subscript(self, value: Poly, moving: tuple[str, ...]) -> Subscript:
        """A subscript, cached: the references of a stencil share most of theirs."""
        found = self.subscripts.get((value, moving))
        if found is None:
            found = self.subscripts[value, moving] = arrays.subscript(value, moving)
        return found

    def _bounds(self, name: str) -> tuple[int, int] | None:
        """The range of a loop variable, where it is numeric."""
        for link in self.chain:
            if link.loop.variable == name:
                lower, upper = link.loop.lower.integer, link.loop.upper.integer
                return None if lower is None or upper is None else (min(lower, upper), max(lower, upper))
        return None

    def _storage(self, root: str, path: Path) -> Storage:
        if len(path) > 1 and isinstance(path[1], str):
            return "member"
        return _STORAGE.get(self.state.storage.get(root, ""), "heap")

    # ---- statements

    def _statements(
        self,
        items: list[Item],
        renamed: dict[int, tuple[str, tuple[Poly, ...]]],
        depth: int,
        under: frozenset[str] = frozenset(),
    ) -> tuple[Statement, ...]:
        """The statements of a loop body, or of the part that is control-dependent (`under`) on these scalars."""
        following = self.chain[depth + 1].loop if depth + 1 < len(self.chain) else None
        statements: list[Statement] = []
        for item in items:
            if isinstance(item, Store):
                target = _renamed(item.target, renamed)
                assert isinstance(target, Ref)
                statements.append(Store(target, _renamed(item.value, renamed), item.line, item.compound))
            elif isinstance(item, Set):
                statements.append(Set(item.target, _renamed(item.value, renamed), item.type, item.line))
            elif isinstance(item, Invoke):
                statements.append(replace(item, args=tuple(_renamed(a, renamed) for a in item.args)))
            elif isinstance(item, LoopItem):
                elsewhere = item is not following
                reads = under | live_in_scalars(item) if elsewhere else ()
                statements.append(Inner(item.line, elsewhere, tuple(sorted(reads))))
            elif isinstance(item, BranchItem):
                inside = under | scalars_read(item.condition)
                then, other = (self._statements(arm, renamed, depth, inside) for arm in (item.then, item.other))
                known = item.share is None and (item.given or item.probability != branch_probability.HALF)
                probability = item.probability if known else None
                condition = _renamed(item.condition, renamed)
                statements.append(
                    Branch(condition, then, other, item.line, probability, item.extreme_over, item.leaves)
                )
        return tuple(statements)

    # ---- status

    def _status(self, uses: tuple[ArrayUse, ...]) -> tuple[Status, tuple[Note, ...], tuple[Note, ...], str]:
        """How exact the nest is, its assumptions, remarks, and the reason where it is refused or a bound."""
        notes = dict.fromkeys(self._guessed_conditions())
        last = self.chain[-1]
        self.marks.extend(
            exits.ending(mark, link.loop, innermost=link is last) for link in self.chain for mark in link.loop.ends
        )
        notes.update(dict.fromkeys(mark.note for mark in self.marks if mark.kind in ("assumed", "bound")))
        for link in self.chain:
            if not link.loop.counted:
                notes[Note(link.loop.line, f"the loop runs {link.loop.trips} times: its end depends on data")] = None
        remarks = dict.fromkeys(mark.note for mark in self.marks if mark.kind == "remark")
        remarks.update(dict.fromkeys(self._implicit_assumptions(uses)))
        notes.update(dict.fromkeys(self._opaque_notes(uses)))
        kinds = {mark.kind for mark in self.marks}
        refusals = [mark.note for mark in self.marks if mark.kind == "refused"]
        if refusals:
            return "refused", tuple(notes), tuple(remarks), f"line {refusals[0].line}: {refusals[0].text}"
        if "bound" in kinds:
            bound = next(mark.note for mark in self.marks if mark.kind == "bound")
            return "bound", tuple(notes), tuple(remarks), bound.text
        return ("assumed" if notes else "exact"), tuple(notes), tuple(remarks), ""

    def _guessed_conditions(self) -> Iterator[Note]:
        """Conditions inside the nest whose probability is guessed, at least in part."""
        between = [guard for link in self.chain[1:] for guard in link.guards if not self._is_fixed(guard)]
        for guard in dict.fromkeys([*between, *(g for draft in self.drafts.values() for g in draft.guards)]):
            exact = self._weight(guard) is not None
            if exact and not guard.guessed:
                continue
            negated = guard.text.startswith("not (")
            text = guard.text.removeprefix("not (").removesuffix(")") if negated else guard.text
            share = 1 - guard.probability if negated else guard.probability
            held = branch_probability.wording(share, guard.extreme)
            yield Note(guard.line, f"«{text}{'» is guessed in part' if exact else held}")

    def _implicit_assumptions(self, uses: tuple[ArrayUse, ...]) -> Iterator[Note]:
        """Assumptions of the nest: no aliasing (EX-14), and recovered rows are not overrun."""
        line = self.chain[-1].loop.line
        loose = sorted({use.name for use in uses if use.storage in ("parameter", "member") and not use.restrict})
        if self.function.language == "c" and len(loose) > 1 and any(use.writes for use in uses if use.name in loose):
            yield Note(line, f"{', '.join(loose)} are assumed not to overlap")
        for row in sorted(self.rows):
            names = ", ".join(sorted(self.rows[row]))
            yield Note(line, f"subscripts of {names} are assumed to stay inside rows of {row}")

    def _opaque_notes(self, uses: tuple[ArrayUse, ...]) -> Iterator[Note]:
        for use in uses:
            for access in use.accesses:
                for one in access.subscripts:
                    if one.opaque:
                        yield Note(access.line, f"{use.name}[{one.offset}] is not linear in the loop variables")


def _subscript_order(one: Subscript) -> tuple[str, str, float, str]:
    """The sort key of subscripts: by coefficients, then numbers before symbols."""
    movers = " ".join(f"{name}*{c}" if c != ONE else name for name, c in one.coefficients)
    offset = one.offset
    symbolic = "" if offset.constant is not None else str(offset)
    return (movers, one.index, float(offset.terms.get((), 0)), symbolic)


def source_loop(item: LoopItem) -> Loop:
    """A loop as stored in nests and call sites."""
    return Loop(
        item.variable,
        item.lower,
        item.upper,
        item.step,
        item.line,
        item.trips,
        item.directives,
        item.implied,
        item.counted,
        None if item.leaves is None else float(item.leaves),
    )


def _renamed(tree: Expression, renamed: dict[int, tuple[str, tuple[Poly, ...]]]) -> Expression:
    """The tree with references rewritten as array name and subscripts."""
    if type(tree) is Op:
        args = tuple([_renamed(argument, renamed) for argument in tree.args])
        return Op(tree.op, args, tree.type, tree.operand, tree.share)
    if type(tree) is Ref and tree.array.startswith("#"):
        found = renamed.get(int(tree.array[1:]))
        if found is None:
            return tree
        loads = tuple(load for load in (_renamed(load, renamed) for load in tree.loads) if isinstance(load, Ref))
        return Ref(found[0], found[1], tree.type, loads)
    return tree
