"""Copies between memory and scratchpad: the section of an array, its contiguous chunks, and their count."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression
from foretell.core.facets.offload import Chunk, Request
from foretell.errors import UnsupportedError
from foretell.frontends.swacc.algebra import UnknownSizeError, anywhere, plus, text, times, when

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import ArrayUse, LoopNest, Subscript
    from foretell.frontends.swacc.kernel import Kernel


@dataclass(frozen=True, slots=True)
class Copy:
    """One array in the scratchpad: the lengths of its section, the lengths of the array (slowest first), element bytes,
    and the levels that the section moves along, by number."""

    array: str
    lengths: tuple[str, ...]
    extents: tuple[str | None, ...]
    element: int
    levels: tuple[int, ...]

    @property
    def bytes(self) -> str:
        return times(str(self.element), *self.lengths)

    def chunk(self, share: str) -> Chunk:
        """The contiguous chunks, `share` times: dimensions copied completely merge their rows to one chunk."""
        piece = [str(self.element), self.lengths[-1]]
        pieces: list[str] = []
        whole: list[str] = []
        for dimension in range(len(self.lengths) - 1, 0, -1):
            covered = _covers(self.lengths[dimension], self.extents[dimension])
            if not covered:
                pieces += self.lengths[:dimension]
                break
            whole += [covered] if covered != "1" else []
            rows = self.lengths[dimension - 1]
            piece.append(when(" and ".join(whole), rows) if whole else rows)
            pieces.append(when(f"not ({' and '.join(whole)})", rows) if whole else "1")
        return Chunk(Expression(times(*piece)), Expression(times(share, *pieces)))


def find_copies(kernel: Kernel) -> list[Copy]:
    """Every array that a clause puts into the scratchpad, with its section for one tile."""
    uses: dict[str, list[tuple[LoopNest, ArrayUse]]] = {}
    for nest in kernel.nests:
        for array in nest.arrays:
            if array.name in kernel.clauses.staged:
                uses.setdefault(array.name, []).append((nest, array))
    return [_copy(kernel, name, nests_and_uses) for name, nests_and_uses in uses.items()]


def requests(kernel: Kernel, copies: list[Copy]) -> tuple[Request, ...]:
    """Merges all arrays copied at one place in one direction into one request: a core waits for the last.

    An array is copied in the innermost loop that it depends on and that has several tiles; the tile sizes decide which
    loop, so every array is listed at each possible place with its chunks there, possibly none."""
    merged = []
    for out, clause in ((False, kernel.clauses.copied_in), (True, kernel.clauses.copied_out)):
        here = [copy for copy in copies if copy.array in clause]
        for depth in range(-1, len(kernel.levels)):
            placed = [(copy, share) for copy in here if (share := _stands(kernel, copy.levels, depth)) != "0"]
            if placed:
                where = f"at {kernel.levels[depth].variable}" if depth >= 0 else "once"
                alike = Counter(copy.chunk(share) for copy, share in placed)
                chunks = tuple(replace(chunk, arrays=arrays) for chunk, arrays in alike.items())
                times_made = times(*(kernel.levels[at].tiles for at in range(depth + 1)))
                name = f"{'copyout' if out else 'copyin'} {' '.join(copy.array for copy, _ in placed)} {where}"
                merged.append(Request(name, chunks, Expression(times_made), out))
    return tuple(merged)


def _stands(kernel: Kernel, depends: tuple[int, ...], depth: int) -> str:
    """1 where an array that depends on these levels is copied at a place (-1: once, before all), otherwise 0. The
    parallel loop counts as a loop of several tiles."""
    if (depth not in depends) if depth >= 0 else (0 in depends):
        return "0"
    later = [f"({kernel.levels[level].tiles} <= 1)" for level in depends if level > depth]
    own = [f"({kernel.levels[depth].tiles} > 1)"] if depth > 0 else []
    return times(*own, *later)


def _copy(kernel: Kernel, array: str, uses: list[tuple[LoopNest, ArrayUse]]) -> Copy:
    dimensions = max(len(use.dims) for _, use in uses)
    if any(len(use.dims) != dimensions for _, use in uses):
        nest = uses[0][0]
        raise UnsupportedError(f"{array} is used with unlike dimensions", file=nest.file, line=nest.line)
    extents = _extents(kernel, array, uses[0][1])
    lengths, variables = [], set()
    for dimension in range(dimensions):
        here = [(nest, access.subscripts[dimension]) for nest, use in uses for access in use.accesses]
        length, moving = _length(kernel, array, here, extents[dimension])
        lengths.append(length)
        variables |= moving
    levels = tuple(n for n, level in enumerate(kernel.levels) if level.variable in variables)
    sizes = {use.component: use.type.size for _, use in uses}  # members of records are copied together
    return Copy(array, tuple(lengths), extents, sum(sizes.values()), levels)


def _extents(kernel: Kernel, array: str, use: ArrayUse) -> tuple[str | None, ...]:
    given = kernel.clauses.lengths(array)
    extents: list[str | None] = []
    for place, dim in enumerate(use.dims):
        try:
            known = text(dim.extent) if dim.extent is not None else None
        except UnknownSizeError:
            known = None
        stated = given[place] if len(given) == len(use.dims) else ""
        extents.append(known or stated or None)
    return tuple(extents)


def _length(
    kernel: Kernel, array: str, subscripts: list[tuple[LoopNest, Subscript]], extent: str | None
) -> tuple[str, set[str]]:
    """The span of a dimension in one copy, and the loop variables that move it. An indirect or non-linear subscript
    covers the whole dimension. References that move along different loops (x[i] and x[j]) are copied
    side by side."""
    groups: dict[tuple[tuple[str, int], ...], list[tuple[LoopNest, Subscript]]] = {}
    for nest, subscript in subscripts:
        steps = [(variable, coefficient.integer) for variable, coefficient in subscript.coefficients]
        if anywhere(subscript) or any(step is None for _, step in steps):
            return _whole(array, extent, nest), set()
        groups.setdefault(tuple((variable, step or 0) for variable, step in steps), []).append((nest, subscript))
    lengths = []
    for known, together in groups.items():
        nest, first = together[0]
        halo = [(subscript.offset - first.offset).integer for _, subscript in together]
        apart = [offset for offset in halo if offset is not None]
        if len(apart) < len(halo):
            return _whole(array, extent, nest), set()
        spans = [_span(kernel, nest, variable, step) for variable, step in known]
        lengths.append(_joined(spans, max(apart) - min(apart)))
    if extent in lengths:
        return str(extent), set()
    moving = {variable for known in groups for variable, _ in known}
    if len(lengths) == 1:
        return lengths[0], moving
    return (f"min({extent}, {plus(*lengths)})" if extent else plus(*lengths)), moving


def _span(kernel: Kernel, nest: LoopNest, variable: str, step: int) -> tuple[str, int]:
    """The window of a loop variable, and the subscript's change per value."""
    stride = abs(step) * abs(nest.loops[nest.variables.index(variable)].step.integer or 1)
    return kernel.window(nest, variable), stride


def _joined(spans: list[tuple[str, int]], halo: int) -> str:
    """The length that windows and a halo cover together."""
    moved = [times(str(stride), window) for window, stride in spans]
    rest = halo + 1 - sum(stride for _, stride in spans)
    return plus(*moved, str(rest)) if rest >= 0 else f"{plus(*moved)} - {-rest}"


def _whole(array: str, extent: str | None, nest: LoopNest) -> str:
    if extent is None:
        raise UnsupportedError(
            f"how much of {array} is copied is not known",
            file=nest.file,
            line=nest.line,
            hint=f"say it in the clause: {array}[0:length]",
        )
    return extent


def _covers(length: str, extent: str | None) -> str:
    """Whether a length is the whole dimension: "1" if certainly, "" if never, else a comparison."""
    if extent is None:
        return ""
    return "1" if length == extent else f"({length}) >= ({extent})"
