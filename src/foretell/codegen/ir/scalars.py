"""Scalars and references of a nest, and which scalars are live-out."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Branch, ElementType, Inner, Invoke, Ref, Set, Store, Var, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.core.nest.statements import Expression, Statement


def expressions(nest: LoopNest) -> Iterator[Expression]:
    """Every expression of every statement, with all subexpressions; loads in subscripts too."""
    for level in nest.levels:
        yield from _read_by(_flat(level))


def _read_by(statements: Iterable[Statement]) -> Iterator[Expression]:
    for statement in statements:
        match statement:
            case Store(target, value):
                yield from parts(target)
                yield from parts(value)
            case Set(_, value):
                yield from parts(value)
            case Branch(condition):
                yield from parts(condition)
            case Invoke(_, args):
                for argument in args:
                    yield from parts(argument)


def _flat(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    for statement in statements:
        yield statement
        if isinstance(statement, Branch):
            yield from _flat(statement.then)
            yield from _flat(statement.other)


def may_overlap(nest: LoopNest) -> bool:
    """Whether C permits an array that is written to alias another one: both are passed by pointers that are not
    `restrict`, to elements of one type. Arrays declared with their length are assumed not to alias: the front end does
    not see a `restrict` in the brackets."""
    passed = [use for use in nest.arrays if use.storage in ("parameter", "member") and not use.restrict]
    free = [use for use in passed if nest.language == "c" and use.dims and use.dims[0].extent is None]
    return any(one.writes and one.name != other.name and one.type == other.type for one in free for other in free)


def pairs_to_check(nest: LoopNest) -> int:
    """Pairs of arrays that must not alias for iterations to be reordered: at least one of them is written."""
    arrays = {use.name: use.type for use in nest.arrays}
    written = {use.name for use in nest.arrays if use.writes}
    return sum(
        arrays[one] == arrays[other] and bool({one, other} & written) for one, other in combinations(sorted(arrays), 2)
    )


def alone_in_type(nest: LoopNest, use: ArrayUse) -> bool:
    """Whether no other array has elements of this type: then none can alias it, unless it holds bytes."""
    same = {other.name for other in nest.arrays if other.type == use.type or other.type.size == 1}
    return same <= {use.name} and use.type.size > 1


def scalar_types(nest: LoopNest) -> dict[str, ElementType]:
    """Scalars in registers or parameters: those assigned, and those whose value is not given by a polynomial."""
    statements = [statement for level in nest.levels for statement in _flat(level)]
    types = {statement.target: statement.type for statement in statements if isinstance(statement, Set)}
    for part in expressions(nest):
        if isinstance(part, Var) and part.value is None and part.name not in nest.variables:
            types.setdefault(part.name, part.type)
    return dict(sorted(types.items()))


def live_out(nest: LoopNest) -> tuple[str, ...]:
    """Loop-carried or live-out scalars: read before this iteration assigned them, or assigned conditionally, or read by
    a loop that another nest describes.

    Others are temporaries, whose final value is not used.
    """
    ends = (only_inside(nest, depth) for depth in range(nest.shared, len(nest.loops) - 1))
    return tuple(sorted(_carried(nest, 0).union(*ends)))


def only_inside(nest: LoopNest, depth: int) -> set[str]:
    """Scalars that a loop of this depth sets for an inner loop that stores nothing and has no live-out value: they only
    determine when that loop ends."""
    own = depth - nest.shared + 1
    around, inside = nest.levels[: max(0, own)], nest.levels[max(0, own) :]
    if not around or any(isinstance(one, Store) for level in inside for one in _flat(level)):
        return set()
    carried, statements = _carried(nest, depth + 1), [one for level in around for one in _flat(level)]
    read = {name for part in _read_by(statements) for name in _names(part)}
    handed = {name for one in statements if isinstance(one, Inner) for name in one.reads}
    anew = {one.target for one in _flat(around[-1]) if isinstance(one, Set)}
    return set() if carried & (read | handed) else carried & anew


def float_sums(nest: LoopNest) -> list[ElementType]:
    """Types of the floating-point scalars that the innermost loop carries."""
    types = [scalar_types(nest)[name] for name in sorted(_carried(nest, len(nest.loops) - 1))]
    return [kind for kind in types if kind.kind in ("float", "complex")]


def _carried(nest: LoopNest, depth: int) -> set[str]:
    """Scalars that the loops from this depth on carry, or that are live-out of them."""
    scan = _Scan(nest)
    scan.level(depth, set())
    return scan.exposed & scan.assigned


class _Scan:
    """Traverses the loops in order with the set of scalars that are definitely assigned."""

    def __init__(self, nest: LoopNest) -> None:
        self.nest = nest
        self.exposed: set[str] = set()
        self.assigned: set[str] = set()

    def level(self, depth: int, known: set[str]) -> None:
        if depth < self.nest.shared:
            self.level(depth + 1, known)
        else:
            self._statements(self.nest.levels[depth - self.nest.shared], depth, known)

    def _statements(self, statements: tuple[Statement, ...], depth: int, known: set[str]) -> set[str]:
        for statement in statements:
            match statement:
                case Store(target, value):
                    self._read(target, known)
                    self._read(value, known)
                case Set(target, value):
                    self._read(value, known)
                    self.assigned.add(target)
                    known = known | {target}
                case Branch(condition, then, other):
                    self._read(condition, known)
                    both = [self._statements(part, depth, known) for part in (then, other)]
                    self.exposed |= (both[0] ^ both[1]) - known
                    known = both[0] & both[1]
                case Inner(_, True, reads):
                    self.exposed |= set(reads)
                case Inner():
                    self.level(depth + 1, known)
        return known

    def _read(self, expression: Expression, known: set[str]) -> None:
        for part in parts(expression):
            if isinstance(part, Var):
                self.exposed |= {part.name} - known
            elif isinstance(part, Ref):
                for subscript in part.subscripts:
                    self.exposed |= {base_name(name) for name in subscript.symbols()} - known


def _names(part: Expression) -> set[str]:
    """Scalars that an expression reads directly: not those computed from others."""
    match part:
        case Var(name, _, None):
            return {name}
        case Var(_, _, value) if value is not None:
            return {base_name(symbol) for symbol in value.symbols()}
        case Ref(_, subscripts):
            return {base_name(symbol) for subscript in subscripts for symbol in subscript.symbols()}
    return set()


def base_name(symbol: str) -> str:
    """Variable of a symbol: `c@11` is the value of `c` at line 11."""
    return symbol.partition("@")[0]
