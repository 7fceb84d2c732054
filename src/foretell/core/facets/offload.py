"""The `Offload` facet: work sent to cores that have a scratchpad instead of a cache."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant
from foretell.core.workload import Facet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest

ZERO = constant(0)
ONE = constant(1)

#: names that expressions may use beside the parameters: they follow from the decomposition
DERIVED = frozenset({"active_cores", "chunks", "chunks_per_core"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """`count` contiguous pieces of `bytes` each. `offset`: first byte from a transaction boundary."""

    bytes: Expression
    count: Expression = ONE
    offset: Expression = ZERO
    #: so many arrays have such pieces
    arrays: int = 1


@dataclass(frozen=True, slots=True)
class Request:
    """`count` transfers of one shape by one core; it waits for the last piece of each (all arrays of one copy)."""

    name: str
    chunks: tuple[Chunk, ...]
    count: Expression = ONE
    #: from the scratchpad to memory, after the computation
    out: bool = False


@dataclass(frozen=True, slots=True)
class Decomposition:
    """How many cores work: a number, or an extent dealt round-robin in tiles."""

    cores: Expression | None = None
    extent: Expression | None = None
    tile: Expression = ONE


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block whose scheduled cycles are known, executed so often by the busiest core."""

    cycles: Expression
    executions: Expression = ONE


@dataclass(frozen=True, slots=True)
class Body:
    """A loop nest whose cycles follow from its code. `executions` are the iterations of each loop of the nest,
    outermost first, that the busiest core runs; `unroll` is how often the innermost body is repeated."""

    nest: LoopNest
    executions: tuple[Expression, ...]
    unroll: Expression = ONE


@dataclass(frozen=True, slots=True)
class Instructions:
    """Compute instructions of the busiest core by kind, and how many are in flight on average (avg_ILP)."""

    floating: Expression = ZERO
    fixed: Expression = ZERO
    scratchpad: Expression = ZERO
    divsqrt: Expression = ZERO
    ilp: Expression = ONE


@dataclass(frozen=True)
class Offload(Facet):
    """What one core does: transfers, direct loads, instructions; all counts are of the busiest core."""

    decomposition: Decomposition
    dma: tuple[Request, ...] = ()
    gload: tuple[Request, ...] = ()
    instructions: Instructions = Instructions()
    blocks: tuple[Block, ...] = ()
    bodies: tuple[Body, ...] = ()
    scratchpad_bytes: Expression | None = None
    double_buffer: bool = False
    #: names that the other expressions use, each defined by parameters, `DERIVED` and those before it
    definitions: tuple[tuple[str, Expression], ...] = ()

    @cached_property
    def symbols(self) -> frozenset[str]:
        defined = DERIVED | {name for name, _ in self.definitions}
        return frozenset().union(*(item.names for item in _expressions(self))) - defined

    def defined(self, names: Mapping[str, Value]) -> dict[str, Value]:
        """The names with those added that the definitions give."""
        found = dict(names)
        for name, expression in self.definitions:
            found[name] = expression.evaluate(found)
        return found

    def uses(self, names: frozenset[str]) -> bool:
        """Whether any expression depends on one of these names."""
        return any(item.names & names for item in _expressions(self))


def _expressions(item: object) -> Iterator[Expression]:
    """Every expression inside nested frozen values."""
    if isinstance(item, Expression):
        yield item
    elif isinstance(item, Body):  # the nest has expressions of its own kind
        yield from (*item.executions, item.unroll)
    elif isinstance(item, tuple):
        for part in item:
            yield from _expressions(part)
    elif hasattr(item, "__dataclass_fields__"):
        for entry in fields(item):  # type: ignore[arg-type]
            yield from _expressions(getattr(item, entry.name))
