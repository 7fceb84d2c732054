"""Decides whether and at which width gcc vectorises a loop with strided accesses.

At small strides, all elements including the gaps are loaded and permuted: strides that are powers of two, up to the
elements of a vector where one member is used, and three. Others are accessed elementwise, with vectors assembled from
or split into scalars: strides unknown at compile time, single elements at other strides, and stores with gaps. In all
other cases gcc does not vectorise ("not falling back to elementwise accesses", get_load_store_type of its
tree-vect-stmts).

Then costs decide (ix86_vector_costs of its i386 back end, and vect_estimate_min_profitable_iters): a vector must cost
less than as many iterations of the scalar loop, where assembling or splitting costs extra for each element if the
stride is unknown. gcc takes the first width that passes, from the widest on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from foretell.codegen.compilers.flags import widest_vectors
from foretell.codegen.compilers.gcc.vectorise import flat_subscript, moved
from foretell.core.nest.statements import Op, Ref, Store, assigned_parts
from foretell.core.symbolic.poly import ZERO, symbol
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.nest.statements import ElementType
    from foretell.core.symbolic.poly import Poly

#: bytes of gcc's narrowest vectors (V4QImode)
_NARROWEST = 4
_SSE = 16
#: the stride that is no power of two and still permuted
_ODD = 3


@record
class Tuning:
    """gcc's instruction costs (x86-tune-costs.h, times two for accesses as its reports have them): for scalars of each
    kind, and for vectors by their bytes."""

    load: int
    store: int
    whole_load: int
    whole_store: int
    vector_loads: dict[int, int]
    vector_stores: dict[int, int]
    add: int
    multiply: int
    divide: dict[int, int]
    #: cost of an integer operation, an insertion, extraction or permute
    simple: int = 4
    #: arbitrary shuffles of vectors with four and more elements (not in SSE2)
    shuffles: bool = True


#: skylake_cost and icelake_cost; generic_cost
_SKYLAKE = Tuning(
    12, 16, 8, 12, {8: 12, 16: 12, 32: 20, 64: 40}, {8: 16, 16: 16, 32: 16, 64: 32}, 16, 16, {4: 44, 8: 56}
)
_GENERIC = Tuning(
    12, 12, 12, 12, {8: 12, 16: 12, 32: 20, 64: 30}, {8: 12, 16: 12, 32: 20, 64: 30}, 12, 16, {4: 52, 8: 68}
)
_SKYLAKE_WORDS = ("lake", "rapids", "avx512")


class _Group(NamedTuple):
    """Accesses to one array with a common stride; `offsets`: number of distinct offsets within a stride."""

    number: int
    type: ElementType
    step: int | None
    offsets: int
    writes: bool

    @property
    def whole(self) -> bool:
        """Whether the group has no gap."""
        return self.step is not None and abs(self.step) <= self.offsets

    @property
    def kept(self) -> bool:
        """Whether it is stored without gaps: gcc then vectorises within the iteration (SLP)."""
        return self.writes and self.whole and self.offsets > 1


def tuning(cpu: str, untuned: bool = False) -> Tuning:
    """Cost table for a CPU; gcc has more tables than these two."""
    known = any(word in cpu for word in _SKYLAKE_WORDS)
    table = _SKYLAKE if known and not untuned else _GENERIC
    return replace(table, shuffles=widest_vectors(cpu) > 8 * _SSE)


def vector_bytes(nest: LoopNest, widest: int, costs: Tuning) -> int | None:
    """Bytes of gcc's vectors; 0 where it does not vectorise, None where no access is elementwise and nothing prevents
    vectorisation."""
    groups = list(_groups(nest))
    kinds = {_kind(group, widest, costs.shuffles) for group in groups}
    if not kinds & {"single", "none"} or any(group.kept for group in groups):
        return None
    width = widest
    while width >= _NARROWEST:
        possible = all(_kind(group, width, costs.shuffles) != "none" for group in groups)
        if possible and _gains(nest, groups, width, costs):
            return width
        width //= 2
    return 0


def elementwise_accesses(nest: LoopNest, width: int, costs: Tuning) -> tuple[tuple[Ref, Poly], ...]:
    """References that are accessed elementwise, with their strides in elements."""
    inner = nest.loops[-1]
    strides: dict[Ref, Poly] = {}
    for group, members in _groups(nest).items():
        for reference, flat in members.items() if _kind(group, width, costs.shuffles) == "single" else ():
            strides[reference] = flat.substitute({inner.variable: symbol(inner.variable) + inner.step}) - flat
    return tuple(strides.items())


def _groups(nest: LoopNest) -> dict[_Group, dict[Ref, Poly]]:
    """References of each group, with their flat positions."""
    inner = nest.loops[-1]
    accesses: dict[tuple[str, Poly | int | None, bool], dict[Ref, Poly]] = {}
    for reference, writes in _accesses(nest):
        flat = None if reference.loads else flat_subscript(nest, reference)
        step = moved(flat, inner.variable, inner.step) if flat is not None else 0
        if flat is not None and step != 0:  # references with an unknown stride form their own groups
            key = reference.array, flat if step is None else step, writes
            accesses.setdefault(key, {})[reference] = flat
    groups: dict[_Group, dict[Ref, Poly]] = {}
    for number, ((_, by, writes), members) in enumerate(accesses.items()):
        first = {inner.variable: ZERO}
        known = by if isinstance(by, int) else None
        offsets = {(flat.substitute(first).integer or 0) % abs(known or 1) for flat in members.values()}
        groups[_Group(number, next(iter(members)).type, known, len(offsets), writes)] = members
    return groups


def _accesses(nest: LoopNest) -> list[tuple[Ref, bool]]:
    """Reads and writes of the innermost loop; an element that is updated is both."""
    read = [(part, False) for part in assigned_parts(nest.levels[-1]) if isinstance(part, Ref)]
    return read + [(statement.target, True) for statement in nest.levels[-1] if isinstance(statement, Store)]


def _kind(group: _Group, width: int, shuffles: bool) -> str:
    """Access method of gcc for a group with vectors of `width` bytes."""
    if group.step is None:
        return "single"
    step, lanes = abs(group.step), width // group.type.size
    if step == 1:
        return "together"
    if group.writes:
        return "single"
    if step & (step - 1) == 0:
        return "permuted" if group.offsets > 1 or step <= lanes else "none"
    if step == _ODD and (lanes >= _ODD if shuffles else lanes == 2 and group.offsets > 1):
        return "permuted"
    return "single" if group.offsets == 1 else "none"


def _gains(nest: LoopNest, groups: list[_Group], width: int, costs: Tuning) -> bool:
    """Whether a vector costs less than as many scalar iterations."""
    lanes = width // min(group.type.size for group in groups)
    if lanes < 2:
        return False
    scalar = sum(group.offsets * _of_scalar(group, costs) for group in groups)
    vector = sum(_of_group(group, width, lanes, costs) for group in groups)
    for part in assigned_parts(nest.levels[-1]):
        if isinstance(part, Op) and part.type.kind != "bool":
            cost = _of_operation(part, costs)
            scalar += cost
            vector += cost * max(1, lanes * part.type.size // width)
    return vector < scalar * lanes


def _of_scalar(group: _Group, costs: Tuning) -> int:
    if group.type.kind in ("float", "complex"):
        return costs.store if group.writes else costs.load
    return costs.whole_store if group.writes else costs.whole_load


def _of_group(group: _Group, width: int, lanes: int, costs: Tuning) -> int:
    copies = max(1, lanes * group.type.size // width)
    each = min(lanes, width // group.type.size)
    whole = (costs.vector_stores if group.writes else costs.vector_loads).get(width, _of_scalar(group, costs))
    match _kind(group, width, costs.shuffles):
        case "together":
            return copies * whole * group.offsets
        case "permuted":
            step = abs(group.step or 1)
            permutes = step * (step - 1 if step == _ODD else step.bit_length() - 1)
            return copies * (permutes * costs.simple + whole * group.offsets)
    joined = each * costs.simple if group.writes else _put_together(each, width, costs)
    again = each + 1 if group.step is None else 1
    return copies * group.offsets * (each * _of_scalar(group, costs) + joined * again)


def _put_together(elements: int, width: int, costs: Tuning) -> int:
    """Cost of vec_construct: elements into vectors of 16 bytes, and these into wider ones."""
    if width <= _SSE:
        return (elements - 1) * costs.simple
    vectors = width // _SSE
    return (elements - vectors) * costs.simple + (vectors - 1) * costs.add


def _of_operation(operation: Op, costs: Tuning) -> int:
    if operation.type.kind not in ("float", "complex"):
        return 4 * costs.simple if operation.op == "*" else costs.simple
    if operation.op in ("/", "sqrt"):
        return costs.divide.get(operation.type.size, costs.add)
    return costs.multiply if operation.op == "*" else costs.add
