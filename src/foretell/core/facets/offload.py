"""The `Offload` facet: work sent to cores with a scratchpad instead of a cache."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant, expressions_in
from foretell.core.nest.loopnest import LoopNest
from foretell.core.workload import Facet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.columns.expression import Value

ZERO = constant(0)
ONE = constant(1)

#: names that expressions may use besides the parameters: derived from the decomposition
DERIVED = frozenset({"active_cores", "chunks", "chunks_per_core"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """`count` contiguous pieces of `bytes` each. `offset`: distance of the first byte from a transaction boundary."""

    bytes: Expression
    count: Expression = ONE
    offset: Expression = ZERO
    #: number of arrays with such pieces
    arrays: int = 1


@dataclass(frozen=True, slots=True)
class Request:
    """`count` transfers of one shape by one core, which waits for the last piece of each (all arrays of one copy)."""

    name: str
    chunks: tuple[Chunk, ...]
    count: Expression = ONE
    #: from the scratchpad to memory, after the computation
    out: bool = False


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Number of working cores: a constant, or an extent distributed round-robin in tiles."""

    cores: Expression | None = None
    extent: Expression | None = None
    tile: Expression = ONE


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block with known scheduled cycles, and its execution count on the busiest core."""

    cycles: Expression
    executions: Expression = ONE


@dataclass(frozen=True, slots=True)
class Body:
    """A loop nest whose cycles are derived from its code. `executions` are the iterations of each loop of the nest,
    outermost first, on the busiest core; `unroll` is the unroll factor of the innermost loop."""

    nest: LoopNest
    executions: tuple[Expression, ...]
    unroll: Expression = ONE


@dataclass(frozen=True, slots=True)
class Instructions:
    """Compute instructions of the busiest core by kind, and the average number in flight (avg_ILP)."""

    floating: Expression = ZERO
    fixed: Expression = ZERO
    scratchpad: Expression = ZERO
    divsqrt: Expression = ZERO
    ilp: Expression = ONE


@dataclass(frozen=True)
class Offload(Facet):
    """Work of one core: transfers, direct loads (Gload), instructions; all counts are those of the busiest core."""

    decomposition: Decomposition
    dma: tuple[Request, ...] = ()
    gload: tuple[Request, ...] = ()
    instructions: Instructions = Instructions()
    blocks: tuple[Block, ...] = ()
    bodies: tuple[Body, ...] = ()
    scratchpad_bytes: Expression | None = None
    double_buffer: bool = False
    #: names used by the other expressions, each defined by parameters, `DERIVED` and earlier names
    definitions: tuple[tuple[str, Expression], ...] = ()

    @cached_property
    def symbols(self) -> frozenset[str]:
        defined = DERIVED | {name for name, _ in self.definitions}
        return frozenset[str]().union(*(item.names for item in self._expressions)) - defined

    @cached_property
    def _expressions(self) -> tuple[Expression, ...]:
        return tuple(expressions_in(self, skipped=(LoopNest,)))  # a nest has its own kind of expressions

    def defined(self, names: Mapping[str, Value]) -> dict[str, Value]:
        """Returns the names with the evaluated definitions added."""
        values = dict(names)
        for name, expression in self.definitions:
            values[name] = expression.evaluate(values)
        return values

    def uses(self, names: frozenset[str]) -> bool:
        """Whether any expression depends on one of these names."""
        return any(item.names & names for item in self._expressions)
