"""The result of the in-core model for one nest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value
    from foretell.models.cpu.incore.loop_body import Body


@dataclass(frozen=True)
class InCore:
    """Cycles of the emitted code with all data in the innermost cache.

    `bounds` are of the main loop at the first of the sizes, in cycles per iteration of the innermost source loop, the
    largest first; their maximum is the time of a long loop. `cycles_per_iteration` includes the amortised cost of loop
    entries (outer loops, remainders) at the requested sizes: an array if a size is one.
    """

    cycles_per_iteration: Value
    #: the part of them in which the innermost cache is busy with loads or stores
    accesses_per_iteration: Value
    #: points at which they are interpolated between other sizes
    between: bool | NDArray[np.bool_]
    bounds: tuple[tuple[str, float], ...]
    #: the name of the largest bound at each size; lazy, since sweeps do not need it
    bottlenecks: Callable[[], NDArray[np.str_]]
    #: iterations of the source loop in one pass of the main loop
    elements: int
    #: width of the widest vector register of the main loop; 0 if the loop is scalar
    vector_bytes: int
    #: width of the widest vectors of floating-point arithmetic; 0 without any
    arithmetic_bytes: int
    #: number of such instructions, per iteration of the innermost source loop
    arithmetic_per_iteration: float
    #: instructions of one pass of the main loop
    instructions: int
    loads: int
    stores: int
    #: overhead in cycles of each entry of the innermost loop
    entry_cycles: float
    #: instructions whose cost was substituted by a related one, as sentences
    unknown: tuple[str, ...]
    #: further assumptions, as sentences
    assumptions: tuple[str, ...]
    #: the main loop, and its instructions
    assembly: str
    body: Body
    #: origin of the code: 'LLVM 22.1, as gcc -O3 -march=sapphirerapids', or the file it came from
    compiler: str

    @property
    def bottleneck(self) -> str:
        """The name of the largest bound, at the first of the sizes."""
        return self.bounds[0][0]
