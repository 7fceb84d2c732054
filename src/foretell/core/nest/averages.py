"""Loop nests with data-dependent bounds: average trip counts and array lengths as parameters.

The trip count of such a loop depends on data, so it is exact only in symbolic form: `rp[n] - rp[0]`. A time needs
numbers, which are given by additional parameters:

    for (k = rp[i]; k < rp[i + 1]; k++)     rp[e] is e * rp_step: contiguous rows
    for (k = 0; k < len[i]; k++)            len[e] is len_mean

An irregularly accessed array of unknown length may be given its length: `x_length` for `x[col[k]]`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import Atom, Poly, apply, symbol
from foretell.core.symbolic.sums import sum_over

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from foretell.core.nest.loopnest import ArrayUse, Loop, LoopNest, Subscript

_STEP, _MEAN = "step", "mean"


def all_averaged(nests: Sequence[LoopNest]) -> tuple[LoopNest, ...]:
    """The nests of a program with averages. Rows that a nest of a function goes through one by one are rows in all of
    its nests: `k < start[n]` is the end of the last one."""
    rows = {(nest.function, array) for nest in nests for loop in nest.loops for array in _neighbours(loop)}
    return tuple(averaged(nest, frozenset(array for name, array in rows if name == nest.function)) for nest in nests)


def averaged(nest: LoopNest, rows: Set[str] = frozenset()) -> LoopNest:
    """Replaces every array element in the bounds by a function of a parameter, and adds a parameter for the length of
    every irregularly accessed array; returns the nest itself where there is neither. `rows`: arrays whose elements are
    known to be the starts of rows."""
    if any(map(_of_unknown_length, nest.arrays)):
        nest = replace(nest, arrays=tuple(map(_with_length, nest.arrays)))
    kinds = _kinds(nest)
    kinds |= dict.fromkeys(kinds.keys() & rows, _STEP)
    if not kinds:
        return nest
    loops = tuple(loop.mapped(lambda poly: _rewritten(poly, kinds)) for loop in nest.loops)
    blocks = tuple(replace(block, executions=_rewritten(block.executions, kinds)) for block in nest.blocks)
    total = None if nest.total is None else _rewritten(nest.total, kinds)
    arrays = tuple(_with_averages(use, kinds) for use in nest.arrays)
    averages = replace(nest, loops=loops, blocks=blocks, total=total, arrays=arrays, status="assumed")
    return averages.assuming(_wording(array, kind) for array, kind in kinds.items())


def _with_averages(use: ArrayUse, kinds: Mapping[str, str]) -> ArrayUse:
    """The array with subscripts that begin at an average: `a[j - length[i]]` in a loop that ends at length[i]."""

    def begins(subscript: Subscript) -> Subscript:
        return replace(subscript, offset=_rewritten(subscript.offset, kinds))

    offsets = (subscript.offset for access in use.accesses for subscript in access.subscripts)
    if not any(atom.op in kinds for offset in offsets for atom in elements_in(offset)):
        return use
    accesses = (replace(access, subscripts=tuple(map(begins, access.subscripts))) for access in use.accesses)
    return replace(use, accesses=tuple(accesses))


def _of_unknown_length(use: ArrayUse) -> bool:
    irregular = any(subscript.index or subscript.opaque for access in use.accesses for subscript in access.subscripts)
    return irregular and bool(use.dims) and use.dims[0].extent is None


def _with_length(use: ArrayUse) -> ArrayUse:
    if not _of_unknown_length(use):
        return use
    slowest = replace(use.dims[0], extent=symbol(f"{use.name}_length"))
    return replace(use, dims=(slowest, *use.dims[1:]))


def _wording(array: str, kind: str) -> str:
    name, plain = _parameter(array, kind), array.removesuffix("[]")
    if kind == _STEP:
        return f"neighbouring elements of {plain} are {name} apart"
    return f"the elements of {plain} are {name} on average"


def _kinds(nest: LoopNest) -> dict[str, str]:
    """Classifies the arrays in the bounds: loops from one element to the next (step), or up to one element (mean).
    Between references of an array are means, too."""
    kinds: dict[str, str] = {}
    for loop in nest.loops:
        for bound in (loop.lower, loop.upper, loop.step):
            kinds.update((atom.op, _MEAN) for atom in elements_in(bound) if atom.op not in kinds)
        kinds.update(dict.fromkeys(_neighbours(loop), _STEP))
    apart = (name for use in nest.arrays for name in _apart(use))
    return dict.fromkeys(apart, _MEAN) | kinds


def _apart(use: ArrayUse) -> Iterator[str]:
    """Yields arrays whose elements decide how far references of an array are apart: `a[j]` and `a[j - off[i]]`."""
    by_form: dict[object, Poly] = {}
    for access in use.accesses:
        for place, subscript in enumerate(access.subscripts):
            first = by_form.setdefault((len(access.subscripts), place, subscript.coefficients), subscript.offset)
            if first != subscript.offset and not subscript.index and not subscript.opaque:
                yield from (atom.op for atom in elements_in(subscript.offset - first))


def _neighbours(loop: Loop) -> Iterator[str]:
    """Yields arrays whose elements at a fixed distance are lower and upper bound of a loop."""
    for first in elements_in(loop.lower):
        for last in elements_in(loop.upper):
            distance = (last.args[-1] - first.args[-1]).constant if first.op == last.op else None
            if distance:
                yield first.op


def elements_in(poly: Poly) -> Iterator[Atom]:
    """Yields the array elements in a polynomial, outermost ones only, also those inside sums and minima."""
    for atom in sorted(poly.atoms()):
        if isinstance(atom, Atom):
            if atom.op.endswith("[]"):
                yield atom
            else:
                for argument in atom.args:
                    yield from elements_in(argument)


def _rewritten(poly: Poly, kinds: Mapping[str, str]) -> Poly:
    return poly.mapped(lambda atom: _value(atom, kinds))


def _value(atom: str, kinds: Mapping[str, str]) -> Poly:
    if not isinstance(atom, Atom):
        return Poly({(atom,): 1})
    if atom.op in kinds:
        parameter = symbol(_parameter(atom.op, kinds[atom.op]))
        return parameter if kinds[atom.op] == _MEAN else _rewritten(atom.args[-1], kinds) * parameter
    arguments = tuple(_rewritten(argument, kinds) for argument in atom.args)
    if atom.op == "sum":
        inner, variable, low, high, step = arguments
        return sum_over(inner, str(variable), low, high, step)
    return apply(atom.op, arguments)


def step_of(array: str) -> str:
    """The parameter that is the mean difference of neighbouring elements of an array."""
    return f"{array}_{_STEP}"


def mean_of(array: str) -> str:
    """The parameter that is the mean of the elements of an array."""
    return f"{array}_{_MEAN}"


def is_average(name: str) -> bool:
    """Whether a parameter is the mean of what data say."""
    return name.endswith((f"_{_STEP}", f"_{_MEAN}"))


def _parameter(array: str, kind: str) -> str:
    name = array.removesuffix("[]")
    return step_of(name) if kind == _STEP else mean_of(name)
