"""The facets of GPU kernels: `Warps`, machine code with its launch, and `AbstractProgram`, instructions on resources.

In an abstract program every warp executes the same.
An instruction waits for the latest execution of each instruction it names in `after` (none so far: no wait), which
makes loop-carried dependences as natural as others. Counts are expressions in the workload's parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias

from foretell.core.columns.expression import Expression, constant
from foretell.core.workload import Facet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel

ONE = constant(1)


@dataclass(frozen=True, slots=True)
class Resource:
    """A pipe: cycles from entry to result, and cycles between two entries."""

    name: str
    latency: Expression
    gap: Expression


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `transactions` requests enter the pipe one after another (32 where uncoalesced).

    With `cached`, the share 1 − `miss_rate` of its executions goes to that resource instead.
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
    """What decides how many blocks fit: warps of a block, registers of a thread, shared memory of a block.

    `resident` overrides the answer; `blocks` is the grid, by default as many as fit on the machine at once.
    """

    warps: Expression = ONE
    registers: Expression | None = None
    shared_bytes: Expression | None = None
    resident: Expression | None = None
    blocks: Expression | None = None


@dataclass(frozen=True)
class AbstractProgram(Facet):
    """A kernel of which only dependences, resources and counts are known.

    Resources that are not given here are the machine's pipelines. `schedulers` and `issue_width` (of one
    scheduler) override the machine's.
    """

    body: tuple[Node, ...]
    resources: tuple[Resource, ...] = ()
    footprint: Footprint = Footprint()
    schedulers: Expression | None = None
    issue_width: Expression | None = None

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(item.names for item in _expressions(self)))


@dataclass(frozen=True)
class Warps(Facet):
    """A kernel in machine code, and how it is launched."""

    kernel: SassKernel
    launch: Launch


def walk(body: tuple[Node, ...]) -> Iterator[Instruction | Barrier]:
    """Every instruction and barrier of the text, once, in order."""
    for node in body:
        if isinstance(node, Loop):
            yield from walk(node.body)
        elif isinstance(node, Branch):
            for path in node.paths:
                yield from walk(path)
        else:
            yield node


def _expressions(item: object) -> Iterator[Expression]:
    """Every expression inside nested frozen values."""
    if isinstance(item, Expression):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _expressions(part)
    elif hasattr(item, "__dataclass_fields__"):
        for entry in fields(item):  # type: ignore[arg-type]
            yield from _expressions(getattr(item, entry.name))
