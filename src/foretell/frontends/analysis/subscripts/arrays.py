"""Maps paths to arrays and subscripts: grouping, flattening, delinearisation, index arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Dim, Member, Subscript
from foretell.core.symbolic.poly import ONE, Atom, Poly, atom_symbols, exact_quotient
from foretell.frontends.analysis.subscripts.delinearise import Bounds, delinearise, split_by
from foretell.frontends.analysis.subscripts.struct_layout import in_records
from foretell.frontends.analysis.walk.state import Path, Sub, path_text
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@record
class Located:
    """A decomposed path: array name, member of its elements, subscripts."""

    name: str
    component: str
    root: str
    #: subscripts of pointer tables and outer structures that vary in the nest
    outer: tuple[Poly, ...]
    subs: tuple[Sub, ...]


@record
class Layout:
    """The dimensions of an array, and the subscripts of each path in them, in path order."""

    dims: tuple[Dim, ...]
    subscripts: list[tuple[Poly, ...]]
    #: empty where the elements have none
    components: list[str]
    #: components between consecutive elements
    width: int = 1
    #: symbols that subscripts vary with: loop variables and elements of index arrays
    moving: tuple[str, ...] = ()
    #: row length recovered from flat subscripts
    row: Poly | None = None


def decompose(path: Path, variables: frozenset[str], display: Mapping[str, str], names: Mapping[Path, str]) -> Located:
    """Determines the array that a path refers to in a nest with these loop variables."""
    last = max((at for at, part in enumerate(path) if isinstance(part, Sub)), default=-1)
    first = last
    while first > 0 and isinstance(path[first - 1], Sub):
        first -= 1
    subs = tuple(part for part in path[first : last + 1] if isinstance(part, Sub))
    component = "".join(part for part in path[last + 1 :] if isinstance(part, str) and part != "*").lstrip(".")
    outer: list[Poly] = []
    kept: list[str | Sub] = []
    folded = False
    for part in path[:first]:
        if isinstance(part, Sub):
            if not variables.isdisjoint(part.value.atoms()):
                outer.append(part.value)
                continue
            folded = True
        kept.append(part)
    root = path[0] if isinstance(path[0], str) else ""
    alias = names.get(path[:last]) if folded and last == first else None
    name = alias if alias is not None else path_text(tuple(kept), dict(display))
    return Located(name, component, root, tuple(outer), subs)


def lay_out(paths: Sequence[tuple[Path, Located]], variables: Sequence[str], bounds: Bounds) -> Layout:
    """Common dimensions for all accesses of a nest to one array."""
    names = _moving(paths, variables)
    return replace(_laid_out(paths, variables, names, bounds), moving=tuple(names))


def _laid_out(
    paths: Sequence[tuple[Path, Located]], variables: Sequence[str], names: list[str], bounds: Bounds
) -> Layout:
    ranks = {len(located.subs) for _, located in paths}
    if len(ranks) == 1 and max(ranks) > 1 and not any(_leaves_row(located.subs, variables) for _, located in paths):
        return _native(paths)
    flats = [flatten(located.subs) for _, located in paths]
    if any(flat is None for flat in flats):
        return _native(paths)
    known = [flat for flat in flats if flat is not None]
    found = _by_declaration(paths, known, names) if max(ranks) > 1 else delinearise(known, names, bounds)
    if found is None:
        return Layout((Dim(ONE),), [(flat,) for flat in known], [])
    shape, subscripts = found
    if len(shape.strides) == 1 and shape.components == 1:
        return _one_dimension(paths, known)
    row = shape.strides[-2] if len(shape.strides) > 1 and max(ranks) == 1 else None
    if shape.components == 1:
        return Layout(_dims(shape.strides), subscripts, [], row=row)
    components = [str(subs[-1]) for subs in subscripts]
    values = [subs[:-1] for subs in subscripts]
    return Layout(_dims(shape.strides), values, components, shape.components, row=row)


def _one_dimension(paths: Sequence[tuple[Path, Located]], flats: list[Poly]) -> Layout:
    """Subscripts as written, including the lower bound."""
    only = paths[0][1].subs[0]
    return Layout((Dim(ONE, only.extent, only.lower),), [(flat + only.lower,) for flat in flats], [])


def _moving(paths: Sequence[tuple[Path, Located]], variables: Sequence[str]) -> list[str]:
    """Symbols that subscripts vary with: loop variables, and index-array elements that vary inside the outermost loop.

    Opaque values of outer loops (a stride loaded for each block) are treated as parameters."""
    depth = {name: position for position, name in enumerate(variables)}
    atoms = {atom for _, located in paths for sub in located.subs for atom in sub.value.atoms()}
    direct = [name for name in variables if name in atoms]
    outermost = min((depth[name] for name in direct), default=0)
    hidden = [atom for atom in atoms if isinstance(atom, Atom) and _depth(atom, depth) >= outermost]
    return sorted([*direct, *hidden], key=lambda name: (_depth(name, depth), name))


def _depth(atom: str, depth: Mapping[str, int]) -> int:
    """The depth of the innermost loop whose variable occurs in an atom; -1 for none."""
    return max((depth[name] for name in atom_symbols(atom) if name in depth), default=-1)


def flatten(subs: tuple[Sub, ...]) -> Poly | None:
    """The linear offset from the first element; None where an extent is missing."""
    flat = subs[0].value - subs[0].lower
    for sub in subs[1:]:
        if sub.extent is None:
            return None
        flat = flat * sub.extent + (sub.value - sub.lower)
    return flat


def _leaves_row(subs: tuple[Sub, ...], variables: Sequence[str]) -> bool:
    """Whether pointer arithmetic moved a subscript outside its row, as p[-nx] does."""
    wanted = frozenset(variables)
    for sub in subs[1:]:
        if not sub.moved or sub.extent is None:
            continue
        linear = sub.value.coefficients(wanted)
        if linear is None:
            return True
        coefficients, rest = linear
        size = sub.extent.constant
        steps = [c.constant for c in coefficients.values()]
        if any(step is None or (size is not None and not -size < step < size) for step in steps):
            return True
        offset = rest.terms.get((), 0)
        if size is not None and not -size < offset < size:
            return True
        if size is None and any(mono != () and _shares(mono, sub.extent) for mono in rest.terms):
            return True
    return False


def _shares(mono: tuple[str, ...], extent: Poly) -> bool:
    return not extent.atoms().isdisjoint(mono)


def _native(paths: Sequence[tuple[Path, Located]]) -> Layout:
    first = max((located.subs for _, located in paths), key=len)
    dims: list[Dim] = []
    stride: Poly | None = ONE
    for sub in reversed(first):
        dims.append(Dim(stride, sub.extent, sub.lower))
        stride = None if stride is None or sub.extent is None else stride * sub.extent
    subscripts = [tuple([sub.value for sub in located.subs]) for _, located in paths]
    return Layout(tuple(reversed(dims)), subscripts, [])


def _by_declaration(
    paths: Sequence[tuple[Path, Located]], flats: list[Poly], names: list[str]
) -> tuple[_Declared, list[tuple[Poly, ...]]] | None:
    """Subscripts for the strides of the declaration."""
    first = max((located.subs for _, located in paths), key=len)
    strides = [ONE]
    for sub in reversed(first[1:]):
        if sub.extent is None:
            return None
        strides.insert(0, strides[0] * sub.extent)
    found = split_by(flats, names, strides)
    if found is None:
        return None
    lowered = [tuple(value + sub.lower for value, sub in zip(values, first, strict=True)) for values in found]
    return _Declared(tuple(strides)), lowered


@record
class _Declared:
    strides: tuple[Poly, ...]
    components: int = 1


def _dims(strides: tuple[Poly, ...]) -> tuple[Dim, ...]:
    dims: list[Dim] = []
    for position, stride in enumerate(strides):
        larger = strides[position - 1] if position else None
        dims.append(Dim(stride, None if larger is None else exact_quotient(larger, stride)))
    return tuple(dims)


def in_memory(
    path: Path, located: Located, layout: Layout, component: str, size: int, display: Mapping[str, str]
) -> tuple[tuple[Dim, ...], Member | None]:
    """The dimensions of an array with elements of `size` bytes, and its offset among the members of structs or the
    components of its elements."""
    found = in_records(path, size, len(located.outer), display)
    apart, member = found.apart, found.member
    if layout.components:
        apart = layout.width
        member = Member(located.name, layout.width * size, int(component) * size)
    inner = tuple(dim if dim.stride is None else replace(dim, stride=dim.stride * apart) for dim in layout.dims)
    return (*found.outer, *inner), member


def subscript(value: Poly, moving: Sequence[str]) -> Subscript:
    """A subscript as a function of loop variables; an indirect one names the index array."""
    wanted = dict.fromkeys(moving)
    linear = value.coefficients(wanted)
    if linear is not None and not any(isinstance(name, Atom) for name in linear[0]):
        coefficients, offset = linear
        return Subscript(tuple((name, coefficients[name]) for name in moving if name in coefficients), offset)
    looked_up = sorted(atom for atom in value.atoms() if isinstance(atom, Atom) and atom in wanted)
    variables = {name: None for name in moving if not isinstance(name, Atom)}
    for atom in looked_up:
        variables.update(dict.fromkeys(atom_symbols(atom)))
    index = next((found for atom in sorted(value.atoms()) if (found := _index_array(atom, variables))), "")
    return Subscript((), value, index, opaque=not index)


def _index_array(atom: str, variables: Mapping[str, None]) -> str:
    if not isinstance(atom, Atom):
        return ""
    if atom.op.endswith("[]") and Poly({(atom,): 1}).depends_on(variables):
        return atom.op[:-2]
    for argument in atom.args:
        for inner in sorted(argument.atoms()):
            found = _index_array(inner, variables)
            if found:
                return found
    return ""
