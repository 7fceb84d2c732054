"""Facets of GPU kernels: `Warps`, machine code with its launch, and `AbstractProgram`, instructions on resources.

In an abstract program all warps execute the same instructions. An instruction waits for the latest execution of each
instruction listed in `after` (no wait if there is none yet), so loop-carried dependences need no special case. Counts
are expressions in the workload's parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from foretell.core.columns.expression import Expression, constant, expressions_in
from foretell.core.workload import Facet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel

ONE = constant(1)


@dataclass(frozen=True, slots=True)
class Resource:
    """A pipe: its latency (entry to result) and reciprocal throughput (between two entries), in cycles."""

    name: str
    latency: Expression
    gap: Expression


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `transactions` requests enter the pipe one after another (32 where uncoalesced).

    With `cached`, the fraction 1 − `miss_rate` of its executions uses that resource instead.
    """

    label: str
    resource: str
    after: tuple[str, ...] = ()
    transactions: Expression = ONE
    cached: str = ""
    miss_rate: Expression = ONE
    region: str = ""


@dataclass(frozen=True, slots=True)
class Barrier:
    """Every warp of the block waits until all earlier instructions of the block have finished."""

    region: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """A body that is executed `count` times."""

    count: Expression
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Alternative paths. Without a condition, or where it depends on data (None), all are executed in order."""

    paths: tuple[tuple[Node, ...], ...]
    condition: Expression | None = None


Node: TypeAlias = Instruction | Barrier | Loop | Branch


@dataclass(frozen=True, slots=True)
class Footprint:
    """Occupancy limits: warps per block, registers per thread, shared memory per block.

    `resident` overrides the computed blocks; `blocks` is the grid, by default one wave: as many as fit at once.
    """

    warps: Expression = ONE
    registers: Expression | None = None
    shared_bytes: Expression | None = None
    resident: Expression | None = None
    blocks: Expression | None = None


@dataclass(frozen=True)
class AbstractProgram(Facet):
    """A kernel of which only dependences, resources and counts are known.

    Resources not given here are the machine's pipelines. `schedulers` and `issue_width` (per scheduler) override the
    machine's.
    """

    body: tuple[Node, ...]
    resources: tuple[Resource, ...] = ()
    footprint: Footprint = Footprint()
    schedulers: Expression | None = None
    issue_width: Expression | None = None

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(item.names for item in expressions_in(self)))


@dataclass(frozen=True, slots=True)
class Written:
    """So many bytes of an array that something else than a kernel wrote: a copy, or a set."""

    array: str
    bytes: int


@dataclass(frozen=True)
class Warps(Facet):
    """A kernel in machine code, with its launch, and the launches `before` it, the latest last, where they matter, and
    what was written between them."""

    kernel: SassKernel
    launch: Launch
    before: tuple[Warps | Written, ...] = ()

    @property
    def by_itself(self) -> Warps:
        """The same wherever it comes in a program: what its blocks do with the memory that they met does not follow
        from what L2 holds. A launch without that memory is itself: how it starts also says what its arrays hold."""
        if self.launch.passed is None or not (self.before or self.launch.start or self.launch.before):
            return self
        return Warps(self.kernel, replace(self.launch, start="", before=()))


def walk(body: tuple[Node, ...]) -> Iterator[Instruction | Barrier]:
    """Iterates over all instructions and barriers, once each, in program order."""
    for node in body:
        if isinstance(node, Loop):
            yield from walk(node.body)
        elif isinstance(node, Branch):
            for path in node.paths:
                yield from walk(path)
        else:
            yield node
