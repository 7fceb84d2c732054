"""Describes a program: its nests, and what is derived from each of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from foretell.characterize.loops.dependences import dependences, verdicts
from foretell.core.answers.description import DependenceFacts, Description, KernelDescription, LoopFacts, NestFacts
from foretell.core.gpu.branches import branch_points
from foretell.core.nest.loopnest import Loops
from foretell.errors import ForetellError
from foretell.frontends.source.gc_pause import uncollected

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.gpu.sass import SassKernel
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Workload

#: a nest with more iterations than this is not counted element by element
_LARGEST_COUNTED = 10**10


def describe(read: Callable[[], Workload]) -> Description:
    """Reads a program and derives its properties; the time of both is part of the answer."""
    started = time.perf_counter()
    with uncollected():
        workload = read()
        facts = tuple(_facts(nest) for nest in workload.facet(Loops).nests)
    return Description(workload, facts, time.perf_counter() - started)


def describe_kernel(kernel: SassKernel) -> KernelDescription:
    """What a launch, and overrides of branches, can refer to."""
    return KernelDescription(kernel, branch_points(kernel))


def _facts(nest: LoopNest) -> NestFacts:
    if nest.status == "refused" or not nest.loops:
        return NestFacts()
    elements, lines, note = _touched(nest)
    every = dependences(nest)
    return NestFacts(
        loops=tuple(LoopFacts(one.variable, one.verdict, one.reason) for one in verdicts(nest, every)),
        dependences=tuple(
            DependenceFacts(one.array, one.kind, tuple(map(str, one.distance)), one.source_line, one.sink_line)
            for one in every
        ),
        elements=elements,
        lines=lines,
        note=note,
    )


def _touched(nest: LoopNest) -> tuple[dict[str, int] | None, dict[str, int] | None, str]:
    """Distinct elements and 64-byte lines, where every size is a number."""
    trips = nest.trips.constant
    if trips is None or nest.parameters or nest.address_parameters:
        return None, None, ""
    if trips > _LARGEST_COUNTED:
        return None, None, "too many iterations to count what they touch"
    from foretell.characterize.loops.counts import distinct_elements, distinct_lines

    try:
        return distinct_elements(nest, {}), distinct_lines(nest, {}), ""
    except ForetellError as error:
        return None, None, str(error)
