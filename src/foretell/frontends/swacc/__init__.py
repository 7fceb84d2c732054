"""Annotated C and Fortran for cores with scratchpads: `acc` directives on loop nests → the facet `Offload`.

A parallel loop is distributed to the cores in tiles, round-robin. The data clauses name the arrays copied to the
scratchpad; each tile is copied separately, and arrays in no clause are loaded element by element. Tile sizes and unroll
factors become parameters (`tile_i`, `unroll_j`; a tile of 0 is no tile), so that they can be swept and tuned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Body, Chunk, Decomposition, Offload, Request
from foretell.errors import UnsupportedError
from foretell.frontends.swacc.algebra import anywhere, name, plus, times
from foretell.frontends.swacc.copies import find_copies, requests
from foretell.frontends.swacc.kernel import Kernel, find_kernels

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import Access, LoopNest, Loops
    from foretell.frontends.swacc.copies import Copy

#: bytes of the largest direct load (Section II-A of the paper); longer elements need several
_LARGEST_LOAD = 32

__all__ = ["Offloaded", "offloaded"]


class Offloaded:
    """The result of a program's directives: the facet of one parallel loop, parameters, and assumptions."""

    def __init__(self, kernel: Kernel, others: list[Kernel]) -> None:
        copies = find_copies(kernel)
        self.facet = _facet(kernel, copies)
        self.parameters = kernel.parameters
        notes = [f"{kernel.label}: {note}" for note in (*kernel.assumptions, *_unused(kernel))]
        if others:
            listed = ", ".join(other.label for other in others)
            notes.append(f"the parallel loop {kernel.label}; the program also has {listed} (--kernel)")
        self.assumptions = tuple(notes)


def offloaded(loops: Loops, chosen: str | None = None) -> Offloaded | None:
    """The parallel loop of a program: the one named `chosen` (a function, or function:line), otherwise the first; None
    if there is none."""
    kernels = find_kernels(loops)
    named = [kernel for kernel in kernels if chosen in (kernel.label, kernel.nests[0].function)]
    if named:
        return Offloaded(named[0], [])
    return Offloaded(kernels[0], kernels[1:]) if kernels else None


def _unused(kernel: Kernel) -> list[str]:
    """Names in copy clauses that are no array of the loop: a scalar, another loop's array, or a misspelling."""
    arrays = {array.name for nest in kernel.nests for array in nest.arrays}
    others = sorted({*kernel.clauses.copied_in, *kernel.clauses.copied_out} - arrays)
    return [f"no array of this loop, not copied: {', '.join(others)}"] if others else []


def _facet(kernel: Kernel, copies: list[Copy]) -> Offload:
    tile = Expression(f"tile_{name(kernel.loop.variable)}")
    threads = kernel.clauses.threads
    locals_ = [bytes_ for nest in kernel.nests for bytes_ in _local_bytes(kernel, nest)]
    return Offload(
        decomposition=Decomposition(
            cores=Expression(times(*threads)) if threads else None,
            extent=Expression(kernel.trips(kernel.loop)),
            tile=tile,
        ),
        dma=requests(kernel, copies),
        gload=_direct_loads(kernel),
        bodies=tuple(_body(kernel, nest) for nest in kernel.nests),
        scratchpad_bytes=Expression(plus(*(copy.bytes for copy in copies), *locals_)),
        double_buffer=kernel.clauses.double_buffer,
        definitions=tuple((known, Expression(value)) for known, value in kernel.definitions.items()),
    )


def _body(kernel: Kernel, nest: LoopNest) -> Body:
    counts = [
        Expression(kernel.executions(nest, place)) if place >= nest.shared else constant(0)
        for place in range(len(nest.loops))
    ]
    return Body(nest, tuple(counts), Expression(f"unroll_{name(nest.loops[-1].variable)}"))


def _direct_loads(kernel: Kernel) -> tuple[Request, ...]:
    """Elements of arrays that no clause puts into the scratchpad, one load or store per access. Loop-invariant elements
    are loaded outside of inner loops; all branches count (the paper takes the most expensive one)."""
    loads: dict[str, Request] = {}
    for nest in kernel.nests:
        for array in nest.arrays:
            if array.name in kernel.clauses.staged or array.storage == "local":
                continue
            elements: dict[object, Access] = {}
            for access in array.accesses:  # an element used in several blocks is loaded once
                elements.setdefault((access.subscripts, access.writes > 0), access)
            count = plus(*(_loads(kernel, nest, access) for access in elements.values()))
            size = min(array.type.size, _LARGEST_LOAD)
            known = loads.get(array.name)
            total = count if known is None else plus(known.count.text, count)
            loads[array.name] = Request(array.name, (Chunk(constant(size)),), Expression(total))
    if loads and any(nest.blocks and any(b.probability != 1 for b in nest.blocks) for nest in kernel.nests):
        kernel.assumptions.append("direct loads under a condition that depends on data are all made")
    return tuple(request for request in loads.values() if request.count.text != "0")


def _loads(kernel: Kernel, nest: LoopNest, access: Access) -> str:
    depth = nest.blocks[access.block].depth - 1
    if not any(map(anywhere, access.subscripts)):
        depends = {of for one in access.subscripts for of, _ in one.coefficients}
        depends |= {symbol for one in access.subscripts for symbol in one.offset.symbols()}
        places = [at for at, loop in enumerate(nest.loops[: depth + 1]) if loop.variable in depends]
        depth = max([kernel.depth, *places])
    if depth < kernel.depth or depth < nest.shared:
        return "0"
    return times(str(min(1, access.reads) + min(1, access.writes)), kernel.executions(nest, depth))


def _local_bytes(kernel: Kernel, nest: LoopNest) -> list[str]:
    """Bytes of arrays declared in the function, which are entirely in the scratchpad."""
    sizes = []
    for array in nest.arrays:
        if array.storage == "local" and array.name not in kernel.clauses.staged:
            lengths = [dim.extent for dim in array.dims]
            if any(length is None or length.integer is None for length in lengths):
                raise UnsupportedError(
                    f"the size of the local array {array.name} is not known", file=nest.file, line=nest.line
                )
            sizes.append(times(str(array.type.size), *(str(length) for length in lengths)))
    return sizes
