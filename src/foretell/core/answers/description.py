"""Analysis results of a program, for the reports. A separate module, so that `describe` starts fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.answers.forms import Answer
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.gpu.branches import BranchPoint
    from foretell.core.gpu.sass import SassKernel
    from foretell.core.workload import Workload


@record
class LoopFacts:
    """Parallelism of a loop: 'parallel', 'reduction', 'sequential' or 'unknown', and the reason."""

    variable: str
    verdict: str
    reason: str


@record
class DependenceFacts:
    """A dependence with its distance in iterations of every loop, outer to inner."""

    array: str
    kind: str
    distance: tuple[str, ...]
    source_line: int
    sink_line: int


@record
class NestFacts:
    """Facts derived from one nest: parallelism of its loops, dependences and, at known sizes, the footprint.

    `elements` and `lines` are the distinct ones of each array; None where a size is unknown or exact counting is too
    expensive (the reason is in `note`).
    """

    loops: tuple[LoopFacts, ...] = ()
    dependences: tuple[DependenceFacts, ...] = ()
    elements: Mapping[str, int] | None = None
    lines: Mapping[str, int] | None = None
    note: str = ""


@record
class Description(Answer):
    """Analysis results of a program, facts of each nest (in their order), and the analysis time."""

    workload: Workload
    facts: tuple[NestFacts, ...]
    seconds: float

    report_name = "loops"

    def __repr__(self) -> str:
        return f"<Description of {self.workload.name}: {len(self.facts)} nests>"


@record
class KernelParameter:
    """A parameter of a GPU kernel; `type` and `name` are empty where neither the code nor the source says them."""

    name: str
    type: str
    bytes: int

    def __str__(self) -> str:
        return f"{self.type} {self.name}".strip() or f"{self.bytes} B"


@record
class BlockOccupancy:
    """Resident blocks of one multiprocessor with this many threads each, the share of its warps, and what limits them.
    Where a block does not fit, `blocks` is 0."""

    threads: int
    blocks: int
    share: float
    limiter: str


@record
class KernelSummary:
    """What a launch must know about a GPU kernel. `name` is as C++ writes it, `mangled` as the file has it."""

    name: str
    mangled: str
    arch: int
    instructions: int
    registers: int
    shared_bytes: int
    parameters: tuple[KernelParameter, ...]
    max_threads: int | None = None
    #: by threads of a block, on `machine`
    occupancy: tuple[BlockOccupancy, ...] = ()
    machine: str = ""

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"


@record
class KernelList(Answer):
    """The kernels of a file of GPU code."""

    file: str
    kernels: tuple[KernelSummary, ...]

    report_name = "kernels"

    def __repr__(self) -> str:
        return f"<KernelList {self.file}: {', '.join(kernel.name for kernel in self.kernels)}>"


@record
class KernelDescription(Answer):
    """A GPU kernel without a launch: its resources, and its conditional branches by source line."""

    kernel: SassKernel
    branches: tuple[BranchPoint, ...]
    summary: KernelSummary

    report_name = "kernel"

    def __repr__(self) -> str:
        return f"<KernelDescription {self.summary}: {len(self.branches)} branches>"
