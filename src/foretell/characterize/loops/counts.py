"""Exact counts at given sizes: iterations, distinct elements, distinct cache lines.

Iterations come from the polynomials of a nest. Distinct elements and lines are cardinalities of integer sets, counted
by isl (the extra `loops`); stencils on rectangular loops have a closed form that needs no package.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from foretell.characterize.loops.feasible import alternatives
from foretell.core.symbolic.poly import Atom, Poly, number
from foretell.errors import InputError, MissingExtraError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest

#: isl gives up after this many steps instead of running for minutes.
MAX_OPERATIONS = 20_000_000
#: Loops whose bounds depend on each other are enumerated up to this many outer iterations.
MAX_ENUMERATED = 50_000_000


def iterations(nest: LoopNest, parameters: Mapping[str, int]) -> int:
    """Iterations of the innermost loop; unlike the polynomial alone, also correct where a trip count is negative."""
    loops = nest.at({name: number(value) for name, value in parameters.items()}).loops
    return _enumerate(loops, {}, 0)


def _enumerate(loops: Sequence[Loop], values: dict[str, int], depth: int) -> int:
    loop = loops[depth]
    if not loop.counted:
        inner = 1 if depth + 1 == len(loops) else _enumerate(loops, values, depth + 1)
        return max(0, int(loop.trips.evaluate(values))) * inner
    lower, upper, step = (int(p.evaluate(values)) for p in (loop.lower, loop.upper, loop.step))
    if step == 0:
        raise InputError(f"the loop over {loop.variable} has step 0 at these parameters", line=loop.line)
    trips = max(0, (upper - lower) // step + 1)
    if depth + 1 == len(loops):
        return trips
    rest = loops[depth + 1 :]
    if not any(
        p.depends_on((loop.variable,)) for inner in rest for p in (inner.lower, inner.upper, inner.step, inner.trips)
    ):
        return trips * _enumerate(loops, values, depth + 1) if trips else 0
    if trips > MAX_ENUMERATED:
        raise InputError("too many iterations to count one by one", line=loop.line)
    return sum(
        _enumerate(loops, {**values, loop.variable: value}, depth + 1)
        for value in range(lower, lower + trips * step, step)
    )


def distinct_elements(nest: LoopNest, parameters: Mapping[str, int]) -> dict[str, int]:
    """Distinct elements of each array that the nest touches."""
    fixed = nest.at({name: number(value) for name, value in parameters.items()})
    boxes = {array: _boxes(fixed, array) for array in fixed.arrays}
    return {
        array.label: _count(_elements_set(fixed, array)) if found is None else union_of_boxes(found)
        for array, found in boxes.items()
    }


def distinct_lines(nest: LoopNest, parameters: Mapping[str, int], line: int = 64) -> dict[str, int]:
    """Distinct cache lines of each array, assuming that it starts at a line boundary."""
    fixed = nest.at({name: number(value) for name, value in parameters.items()})
    return {array.label: _count(_lines_set(fixed, array, line)) for array in fixed.arrays}


# ---------------------------------------------------------------------------------------------- boxes


def _boxes(nest: LoopNest, array: ArrayUse) -> list[list[tuple[int, int]]] | None:
    """Element ranges of every access, if each is a box of consecutive subscripts."""
    ranges: dict[str, tuple[int, int]] = {}
    for loop in nest.loops:
        lower, upper = loop.lower.integer, loop.upper.integer
        if lower is None or upper is None or loop.step != 1 or upper < lower:
            return None
        ranges[loop.variable] = (lower, upper)
    boxes = []
    for access in array.accesses:
        box = _box(access, ranges, nest.variables[: nest.blocks[access.block].depth])
        if box is None or nest.blocks[access.block].conditions:
            return None
        boxes.append(box)
    return boxes


def _box(access: Access, ranges: Mapping[str, tuple[int, int]], around: Sequence[str]) -> list[tuple[int, int]] | None:
    used: set[str] = set()
    box: list[tuple[int, int]] = []
    for subscript in access.subscripts:
        offset = subscript.offset.integer
        if offset is None or subscript.index or subscript.opaque or len(subscript.coefficients) > 1:
            return None
        if not subscript.coefficients:
            box.append((offset, offset))
            continue
        name, coefficient = subscript.coefficients[0]
        if coefficient not in (1, -1) or name in used or name not in around:
            return None
        used.add(name)
        low, high = ranges[name]
        box.append((low + offset, high + offset) if coefficient == 1 else (offset - high, offset - low))
    return box


def union_of_boxes(boxes: Sequence[Sequence[tuple[int, int]]]) -> int:
    """Points in a union of boxes with inclusive ranges, by cutting space at every face."""
    import numpy as np

    if not boxes:
        return 0
    rank = len(boxes[0])
    cuts = [sorted({edge for box in boxes for edge in (box[d][0], box[d][1] + 1)}) for d in range(rank)]
    covered = np.zeros([len(cut) - 1 for cut in cuts], dtype=bool)
    for box in boxes:
        slices = tuple(slice(cuts[d].index(box[d][0]), cuts[d].index(box[d][1] + 1)) for d in range(rank))
        covered[slices] = True
    sizes = [np.diff(np.array(cut, dtype=object)) for cut in cuts]
    volume = sizes[0]
    for more in sizes[1:]:
        volume = np.multiply.outer(volume, more)
    return int((volume * covered).sum())


# ---------------------------------------------------------------------------------------------- integer sets


def _count(text: str) -> int:
    """Cardinality of a bounded set without parameters."""
    try:
        import islpy
    except ImportError:
        raise MissingExtraError("islpy", "loops") from None
    context: Any = islpy.Context()
    context.set_max_operations(MAX_OPERATIONS)
    try:
        points = islpy.Set.read_from_str(context, text)
        if not points.is_bounded():  # count_val would say 0
            raise UnsupportedError("the accesses of the nest are not bounded at these parameters")
        return int(points.count_val().to_python())
    except islpy.Error as error:
        raise UnsupportedError(f"the accesses are too involved to be counted exactly ({error})") from None


def _elements_set(nest: LoopNest, array: ArrayUse) -> str:
    parts = []
    for access in array.accesses:
        names = [f"s{position}" for position in range(len(access.subscripts))]
        values = [_subscript(nest, access, position) for position in range(len(names))]
        parts.append(_image(nest, access, names, values))
    return "{ " + "; ".join(parts) + " }"


def _lines_set(nest: LoopNest, array: ArrayUse, line: int) -> str:
    parts = []
    for access in array.accesses:
        terms = []
        for position, dim in enumerate(array.dims):
            stride = None if dim.stride is None else dim.stride.integer
            lower = dim.lower.integer
            if stride is None or lower is None:
                raise UnsupportedError(f"the strides of {array.name} are not numbers at these parameters")
            terms.append(f"{stride}*({_subscript(nest, access, position)} - {lower})")
        address = f"floor(({array.type.size}*({' + '.join(terms)}))/{line})"
        parts.append(_image(nest, access, ["l"], [address]))
    return "{ " + "; ".join(parts) + " }"


def _image(nest: LoopNest, access: Access, names: Sequence[str], values: Sequence[str]) -> str:
    """Set of elements that an access touches over the iterations around it."""
    loops = nest.loops[: nest.blocks[access.block].depth]
    local = {loop.variable: f"v{position}" for position, loop in enumerate(loops)}
    conditions = [condition for loop in loops for condition in _range(loop, local)]
    conditions += [f"{name} = {value}" for name, value in zip(names, values, strict=True)]
    return f"[{', '.join(names)}] : exists {', '.join(local.values())} : {' and '.join(conditions)}"


def _range(loop: Loop, local: Mapping[str, str]) -> list[str]:
    step = loop.step.integer
    if not step or not loop.counted:
        raise UnsupportedError(f"the loop over {loop.variable} has no numeric step", line=loop.line)
    name = local[loop.variable]
    low, high = (loop.lower, loop.upper) if step > 0 else (loop.upper, loop.lower)
    constraints = [f"{_affine(part, local)} <= {name}" for part in alternatives(low, "max")]
    constraints += [f"{name} <= {_affine(part, local)}" for part in alternatives(high, "min")]
    if abs(step) != 1:
        constraints.append(f"({name} - ({_affine(loop.lower, local)})) mod {abs(step)} = 0")
    return constraints


def _subscript(nest: LoopNest, access: Access, position: int) -> str:
    one = access.subscripts[position]
    local = {name: f"v{depth}" for depth, name in enumerate(nest.variables)}
    if one.index or one.opaque:
        raise UnsupportedError("an indirect or nonlinear subscript has no exact count", line=access.line)
    value = one.offset
    for name, coefficient in one.coefficients:
        value = value + coefficient * Poly({(name,): 1})
    return f"({_affine(value, local)})"


def _affine(poly: Poly, local: Mapping[str, str]) -> str:
    """Polynomial in isl's syntax."""
    parts = []
    for mono, value in poly.terms.items():
        if isinstance(value, Fraction) or len(mono) > 1:
            raise UnsupportedError(f"{poly} is not linear at these parameters")
        parts.append(f"{value}*{_term(mono[0], local)}" if mono else str(value))
    return " + ".join(parts) or "0"


def _term(atom: str, local: Mapping[str, str]) -> str:
    if atom in local:
        return local[atom]
    if isinstance(atom, Atom) and atom.op in ("mod", "floor") and atom.args[1].integer:
        inner = _affine(atom.args[0], local)
        by = atom.args[1].integer
        return f"(({inner}) mod {by})" if atom.op == "mod" else f"floor(({inner})/{by})"
    raise UnsupportedError(f"{atom} has no value at these parameters", hint=f"give it with -D {atom}=…")
