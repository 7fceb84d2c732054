"""Describes a program: its nests, and what is derived from each of them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from foretell import api, frontends, machines
from foretell.characterize.loops.dependences import dependences, verdicts
from foretell.core.answers.description import (
    DependenceFacts,
    Description,
    KernelDescription,
    KernelList,
    LoopFacts,
    NestFacts,
)
from foretell.core.gpu.branches import branch_points
from foretell.core.nest.loopnest import Loops
from foretell.errors import ForetellError
from foretell.frontends.source.gc_pause import uncollected

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from foretell.core.answers.description import KernelSummary
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Workload

#: a nest with more iterations than this is not counted element by element
_LARGEST_COUNTED = 10**10
#: threads of a block whose occupancy is shown
_BLOCKS = (32, 64, 128, 256, 512, 1024)


def describe(read: Callable[[], Workload]) -> Description:
    """Reads a program and derives its properties; the time of both is part of the answer."""
    started = time.perf_counter()
    with uncollected():
        workload = read()
        facts = tuple(_facts(nest) for nest in workload.facet(Loops).nests)
    return Description(workload, facts, time.perf_counter() - started)


def describe_kernels(
    path: Path, name: str | None = None, arch: int | None = None, nvcc: str = "", on: Machine | None = None
) -> KernelList | KernelDescription:
    """The kernels of a file of GPU code with their resources; of the only one, or of kernel `name`, also the branches
    that a launch can refer to. Occupancy is that of machine `on`, or of the library's first GPU of the architecture."""
    if name is None:
        listed = frontends.read_kernel_summaries(path, arch, nvcc)
        if len(listed) != 1:
            return KernelList(str(path), tuple(_with_occupancy(entry, on) for entry in listed))
    kernel = frontends.read_kernel(path, name, arch, nvcc)
    summary = frontends.kernel_summary(kernel, len(kernel.instructions), path)
    return KernelDescription(kernel, branch_points(kernel), _with_occupancy(summary, on))


def _with_occupancy(kernel: KernelSummary, on: Machine | None) -> KernelSummary:
    machine = on or _gpu_of(kernel.arch)
    if machine is None:
        return kernel
    most = min(kernel.max_threads or _BLOCKS[-1], _BLOCKS[-1])
    rows = tuple(
        api.block_occupancy(machine, threads, kernel.registers, kernel.shared_bytes)
        for threads in _BLOCKS
        if threads <= most
    )
    return replace(kernel, occupancy=rows, machine=machine.name)


@cache
def _gpu_of(arch: int) -> Machine | None:
    """The library's GPU of an architecture; of several, the first by name."""
    gpus = (machine for machine in map(machines.load, machines.library()) if machine.kind == "gpu")
    return next((gpu for gpu in gpus if gpu.traits.get("target.cpu", "").rstrip("af") == f"sm_{arch}"), None)


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
