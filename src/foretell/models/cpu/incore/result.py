"""The result of the in-core model for one nest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value


@dataclass(frozen=True)
class InCore:
    """Cycles of the emitted code with all data in the innermost cache.

    `bounds` are of the main loop at the first of the sizes, in cycles for each iteration of the innermost source loop,
    the largest first; their maximum is what a long loop takes. `cycles_per_iteration` also has the share of what each
    entry of the loop costs (outer loops, remainders) at the sizes asked for: an array where a size is one."""

    cycles_per_iteration: Value
    #: those of them in which the innermost cache is busy with loads or stores
    accesses_per_iteration: Value
    #: where they are put together from those of other sizes
    between: bool | NDArray[np.bool_]
    bounds: tuple[tuple[str, float], ...]
    #: the name of the largest bound at each size; worked out when asked for, for sweeps have no use of it
    bottlenecks: Callable[[], NDArray[np.str_]]
    #: iterations of the source loop in one pass of the main loop
    elements: int
    #: widest vector register of the main loop; 0 where the loop is scalar
    vector_bytes: int
    #: widest vectors of floating-point numbers that it computes with; 0 where it computes with none
    arithmetic_bytes: int
    #: instructions that do so, for each iteration of the innermost source loop
    arithmetic_per_iteration: float
    #: of one pass of the main loop
    instructions: int
    loads: int
    stores: int
    #: cycles for each entry of the innermost loop, beside its iterations
    entry_cycles: float
    #: instructions whose cost was taken from a relative, as sentences
    unknown: tuple[str, ...]
    #: further assumptions, as sentences
    assumptions: tuple[str, ...]
    #: the main loop
    assembly: str
    #: what made the code: 'LLVM 22.1, as gcc -O3 -march=sapphirerapids', or the file it came from
    compiler: str

    @property
    def bottleneck(self) -> str:
        """The name of the largest bound, at the first of the sizes."""
        return self.bounds[0][0]
