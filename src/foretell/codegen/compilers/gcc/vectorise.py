"""gcc vectoriser heuristics that LLVM lacks.

Each condition below is one that gcc 12 and 13 report with -fopt-info-vec-missed.

Elements at large strides are accessed one by one, each at an address that grows by the stride. LLVM gathers them, or
extracts addresses from vectors. Adjacent elements written by one iteration stay together in a vector; with mixed
element sizes, the smallest determines the lanes; and each reference to a row has its own pointer.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING, Literal

from foretell.codegen.ir.scalars import expressions, float_sums, live_out, scalar_types
from foretell.core.nest.statements import Branch, Inner, Op, Ref, Set, Store, Var, parts
from foretell.core.symbolic.poly import ZERO, Poly, symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.nest.loopnest import ArrayUse, Loop, LoopNest
    from foretell.core.nest.statements import Expression, Statement


#: maximum stride at which an ordered sum is vectorised
_NEAR = 2
#: maximum stride for contiguous loads and shuffles (gcc treats such accesses as one group)
_FAR = 8
#: floating-point operations that may raise an exception
_TRAPPING = frozenset({"+", "-", "*", "/"})
#: minimum element size for gathers, in bytes
_PICKED = 4
#: strides of groups that gcc can permute: powers of two, and one odd number
_ODD = 3
_GROUPS = (2, _ODD, 4, _FAR)


def has_unknown_steps(nest: LoopNest) -> bool:
    """Whether the innermost loop accesses an array with a stride unknown at compile time."""
    regular = [one for one in references(nest) if not one.loads and flat_subscript(nest, one) is not None]
    return any(inner_step(nest, one) is None for one in regular)


def picks(nest: LoopNest) -> bool:
    """Whether elements are accessed through an index array: only these are gathered."""
    return any(reference.loads for reference in references(nest))


def can_pick(nest: LoopNest, scatters: bool) -> bool:
    """Whether gcc vectorises a gather or scatter loop: elements of four bytes or more (it also assembles vectors of
    bytes, at scalar speed); index vectors must hold no fewer elements than data vectors ("unsupported vector types for
    emulated gather"), stores need a scatter instruction ("unsupported emulated scatter"), and scattered arrays are not
    read ("possible alias involving gather/scatter")."""
    picked = [reference for reference in references(nest) if reference.loads]
    written = [reference for reference in targets(nest) if reference.loads]
    if any(
        load.type.size > reference.type.size or reference.type.size < _PICKED
        for reference in picked
        for load in reference.loads
    ):
        return False
    read = {reference.array for reference in references(nest) if reference not in written}
    stores = [reference for level in nest.levels for reference in level if isinstance(reference, Store)]
    reads_back = any(reference.target in set(parts(reference.value)) for reference in stores)
    return not written or (scatters and not read & {reference.array for reference in written} and not reads_back)


def takes_roots(nest: LoopNest) -> bool:
    """Whether the nest computes square roots: where errno is needed, gcc 12 tests each argument for negative values and
    does not vectorise the loop, even where gcc 13 and LLVM prove that there are none (a sum of squares)."""
    return any(isinstance(part, Op) and part.op == "sqrt" for part in expressions(nest))


def only_sometimes(nest: LoopNest) -> set[str]:
    """Conditional work of the innermost loop: accesses that need masks, and arithmetic that may raise an exception,
    which gcc masks, too (-ftrapping-math)."""
    always, sometimes = _by_condition(nest.levels[-1])
    found = {"access" for one in sometimes if isinstance(one, Ref) and one not in always}
    return found | {"arithmetic" for one in sometimes if _may_raise(one) and one not in always}


def _by_condition(statements: tuple[Statement, ...]) -> tuple[set[Expression], set[Expression]]:
    """Subexpressions that are evaluated unconditionally, and those under a condition."""
    always: set[Expression] = set()
    sometimes: set[Expression] = set()
    for statement in statements:
        if isinstance(statement, Store):
            always.add(statement.target)
        if isinstance(statement, Store | Set | Branch):
            value = statement.condition if isinstance(statement, Branch) else statement.value
            always |= set(_unconditional(value))
            sometimes |= set(parts(value))
        if isinstance(statement, Branch):
            sometimes |= set().union(*_by_condition(statement.then), *_by_condition(statement.other))
    return always, sometimes - always


def _unconditional(expression: Expression) -> Iterator[Expression]:
    """Subexpressions that are evaluated regardless of conditions in the expression."""
    if not isinstance(expression, Op):
        yield from parts(expression)
        return
    yield expression
    chosen = expression.op in ("select", "&&", "||")
    for argument in expression.args[:1] if chosen else expression.args:
        yield from _unconditional(argument)


def _may_raise(expression: Expression) -> bool:
    return isinstance(expression, Op) and expression.op in _TRAPPING and expression.type.kind == "float"


def compares_again(nest: LoopNest) -> int:
    """Comparisons that gcc repeats with the opposite condition: loads or arithmetic in the else branch need the inverse
    mask."""
    _, sometimes = _by_condition(nest.levels[-1])
    every = [one for one in expressions(nest) if isinstance(one, Op) and one.op == "select"]
    masked = {one for one in sometimes if isinstance(one, Ref) or _may_raise(one)}
    return sum(bool(masked & set(parts(one.args[2]))) for one in every)


def stores_in_place(nest: LoopNest) -> bool:
    """Whether every iteration of the innermost loop writes the same element: where arrays may alias, gcc keeps it in
    memory and does not vectorise the loop."""
    stores = [one.target for one in nest.levels[-1] if isinstance(one, Store)] if nest.levels else []
    return any(inner_step(nest, target) == 0 for target in stores)


def sums_in_place(nest: LoopNest) -> bool:
    """Whether the innermost loop accumulates into one floating-point array element, which may stay in a register."""
    updates = [one.target for one in nest.levels[-1] if isinstance(one, Store) and one.target in parts(one.value)]
    return any(one.type.kind == "float" and inner_step(nest, one) == 0 for one in updates)


def as_sums(nest: LoopNest) -> LoopNest:
    """Nest with repeated subtractions from a number in its innermost loop replaced by additions: gcc vectorises both
    alike (except for the dependency chain), LLVM only recognises sums. The number of instructions is the same."""
    if not nest.levels:
        return nest
    return replace(nest, levels=(*nest.levels[:-1], tuple(_as_sum(nest, one) for one in nest.levels[-1])))


def _as_sum(nest: LoopNest, statement: Statement) -> Statement:
    """Rewrites `s = s - x` as `s = s + x`, where s is invariant in the innermost loop."""
    stays = isinstance(statement, Set) or (isinstance(statement, Store) and inner_step(nest, statement.target) == 0)
    if (
        not stays
        or not isinstance(statement, Set | Store)
        or not isinstance(statement.value, Op)
        or statement.value.op != "-"
    ):
        return statement
    first, own = statement.value.args[0], statement.target
    same = isinstance(first, Var) and first.name == own if isinstance(statement, Set) else first == own
    taken = len(statement.value.args) == 2 and same and statement.value.type.kind == "float"
    return replace(statement, value=replace(statement.value, op="+")) if taken else statement


Sum = Literal["vectors", "products", "scalar"]


def sum_in_order(nest: LoopNest) -> Sum:
    """How an ordered (strict) sum is computed: "vectors" for contiguous elements; "products" in vectors of two where
    rows are multiplied by columns; "scalar" for indexed elements, where all strides are large (gcc 12, -fopt-info-vec),
    or where element and sum differ in size ("multiple types in ordered reduction")."""
    steps = set()
    sums = {kind.size for kind in float_sums(nest)}
    if sums and {reference.type.size for reference in references(nest)} - sums:
        return "scalar"
    for reference in references(nest):
        step = inner_step(nest, reference)
        if reference.loads or (step is not None and abs(step) > _NEAR):
            return "scalar"
        steps.add(step)
    if None not in steps:
        return "vectors"
    return "products" if steps & {1, -1} else "scalar"


def group_lanes(nest: LoopNest, vector_bits: int) -> int:
    """Iterations of the innermost loop that fill vectors, where each writes only groups of adjacent elements without
    gaps to those of the next, as parts of complex numbers: gcc keeps a group together, while LLVM builds one vector of
    the first members, one of the second … 0 otherwise."""
    inner, size = nest.loops[-1], common_size(nest)
    groups: dict[str, set[Poly]] = {}
    for statement in nest.levels[-1] if nest.levels else ():
        if isinstance(statement, Store) and (flat := flat_subscript(nest, statement.target)) is not None:
            groups.setdefault(statement.target.array, set()).add(flat)
    sizes = {_group_size(flats, inner) for flats in groups.values()}
    members = sizes.pop() if len(sizes) == 1 else 0
    if members < 2 or not size or live_out(nest) or not all(map(is_straight, nest.levels[-1])):
        return 0
    elements = vector_bits // 8 // size
    return elements // gcd(elements, members)


def _group_size(flats: set[Poly], inner: Loop) -> int:
    """Members of a group of adjacent elements as wide as the loop's stride; 0 if it is none."""
    first = next(iter(flats))
    known = {one for flat in flats if (one := (flat - first).integer) is not None}
    dense = len(known) == len(flats) == max(known) - min(known) + 1
    return len(flats) if dense and abs(moved(first, inner.variable, inner.step) or 0) == len(flats) else 0


def inner_lanes(nest: LoopNest, vector_bits: int) -> int:
    """Iterations per pass where element and sum sizes differ: the lanes of the smallest type. LLVM uses the lanes of
    the largest. 0 where all have one size."""
    kinds = [use.type for use in nest.arrays] + [scalar_types(nest)[name] for name in live_out(nest)]
    sizes = {kind.size for kind in kinds if kind.kind in ("float", "int", "uint")}
    return vector_bits // 8 // min(sizes) if len(sizes) > 1 else 0


def smallest_size(nest: LoopNest) -> int:
    """Bytes of the smallest element."""
    return min(use.type.size for use in nest.arrays)


def permuted(nest: LoopNest, width: int) -> tuple[int, int]:
    """Loads and permutes per pass for strided elements: one vector per element of the stride; two-source permutes in a
    tree (strides of two, four or eight), or in sequence (three, or the elements of a vector of `width` bytes). (0, 0)
    where a group is written: gcc then keeps it together."""
    inner = nest.loops[-1]
    members: dict[tuple[str, int], set[int]] = {}
    for reference in references(nest):
        flat, step = flat_subscript(nest, reference), inner_step(nest, reference)
        if flat is None or step not in _GROUPS:
            continue
        if reference in targets(nest):
            return 0, 0
        first = flat.substitute({inner.variable: ZERO}).integer
        members.setdefault((reference.array, step), set()).add((first or 0) % step)
    if not members:  # no strided access
        return 0, 0
    loads = sum(step for _, step in members)
    lanes = width // smallest_size(nest)
    return loads, sum(_permutes(step, places, lanes) for (_, step), places in members.items())


def _permutes(step: int, offsets: set[int], lanes: int) -> int:
    if step == _ODD:
        return (min(step, lanes) - 1) * len(offsets)
    halvings = range(1, step.bit_length())
    return sum((step >> times) * len({offset % (1 << times) for offset in offsets}) for times in halvings)


def pointers(nest: LoopNest) -> int:
    """Address registers of the innermost vector loop: one per reference where the distance of rows is unknown at
    compile time, else one per array."""
    rows = {
        use.name
        for use in nest.arrays
        if not use.component and any(dim.stride is None or dim.stride.integer is None for dim in use.dims)
    }
    return len({(one.array, one.subscripts if one.array in rows else ()) for one in references(nest)})


def common_size(nest: LoopNest) -> int:
    """Bytes of every element and scalar; 0 where they differ, or are not all floating-point."""
    kinds = {use.type for use in nest.arrays} | set(scalar_types(nest).values())
    sizes = {kind.size for kind in kinds}
    return sizes.pop() if len(sizes) == 1 and all(kind.kind == "float" for kind in kinds) else 0


def is_plain(nest: LoopNest) -> bool:
    """Whether the nest is straight-line code around one innermost loop."""
    around, inside = nest.levels[-2], nest.levels[-1]
    loops = [statement for statement in around if isinstance(statement, Inner)]
    return len(loops) == 1 and not loops[0].elsewhere and all(map(is_straight, (*around, *inside)))


def is_straight(statement: Statement) -> bool:
    """Whether a statement is unconditional."""
    return isinstance(statement, Store | Set | Inner)


def references(nest: LoopNest) -> list[Ref]:
    """All array references of the nest, read and written."""
    return [part for part in expressions(nest) if isinstance(part, Ref)]


def targets(nest: LoopNest) -> list[Ref]:
    """Array references that the nest writes."""
    return [one.target for level in nest.levels for one in level if isinstance(one, Store)]


def flat_subscript(nest: LoopNest, reference: Ref) -> Poly | None:
    """Flat element index of a reference; None where the distance of rows is unknown, or for members of records."""
    use = _use(nest, reference.array)
    if use is None:
        return None
    total = ZERO
    for subscript, dim in zip(reference.subscripts, use.dims, strict=True):
        if dim.stride is None:
            return None
        total = total + (subscript - dim.lower) * dim.stride
    return total


def _use(nest: LoopNest, name: str) -> ArrayUse | None:
    return next((use for use in nest.arrays if use.name == name and not use.component), None)


def inner_step(nest: LoopNest, reference: Ref) -> int | None:
    """Stride of a reference in elements per iteration of the innermost loop; None where it is not constant."""
    inner, flat = nest.loops[-1], flat_subscript(nest, reference)
    return None if flat is None else moved(flat, inner.variable, inner.step)


def moved(flat: Poly, variable: str, step: Poly) -> int | None:
    """Change of the flat index per iteration, where it is constant."""
    return (flat.substitute({variable: symbol(variable) + step}) - flat).integer
