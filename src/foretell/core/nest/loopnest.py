"""Loop nests: the representation of code for all static models.

A nest is the chain of loops around one innermost loop, outer to inner. Loops that several innermost loops share belong
to the first of these nests (`shared` of the others is the number of outer loops counted elsewhere), so sums over nests
never count anything twice.

The body is kept twice: as `blocks` (counts: executions, operations, condition) and as `levels` (the statements
themselves, one tuple per loop, from which code can be generated). Subscripts, bounds and counts are exact polynomials
of the parameters (`core.symbolic`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from foretell.core.nest.averages import all_averaged
from foretell.core.symbolic.poly import ONE, ZERO, Poly, number, same_powers
from foretell.core.symbolic.sums import sum_over
from foretell.core.workload import Facet
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from foretell.core.nest.directive import Directive
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.statements import ElementType, Statement

Status = Literal["exact", "assumed", "bound", "refused"]
Storage = Literal["parameter", "local", "global", "member", "heap"]
#: how the assumption about a loop begins that ends when something has converged
TO_MAXIMUM = "the loop runs to its maximum"
#: how one ends about a loop that may end sooner
UPPER_BOUNDS = "counts are upper bounds"
#: how a number of rounds begins that the source does not say; the line of the loop follows
TRIPS = "trips_L"
#: what stands between a condition and how often it is taken to hold
CONDITION_HOLDS = "» holds "


@record
class Loop:
    """variable = lower, lower + step, … up to and including upper; `trips` is the trip count per execution."""

    variable: str
    lower: Poly
    upper: Poly
    step: Poly
    line: int
    trips: Poly
    directives: tuple[Directive, ...] = ()
    #: from an array section or WHERE: not written as a loop in the source
    implied: bool = False
    #: false for `while` loops, whose trip count is a separate parameter
    counted: bool = True
    #: the share of the tests of its condition on data that end it, where that is given
    leaves: float | None = None

    def mapped(self, change: Callable[[Poly], Poly]) -> Loop:
        """Applies a function to the bounds, the step and the trip count."""
        lower, upper, step, trips = map(change, (self.lower, self.upper, self.step, self.trips))
        return replace(self, lower=lower, upper=upper, step=step, trips=trips)


@record
class Dim:
    """One dimension of an array in this nest; `stride` in elements, `extent` where known."""

    stride: Poly | None
    extent: Poly | None = None
    lower: Poly = ZERO


@record
class Subscript:
    """One subscript: sum of coefficient * loop variable + offset; `index` names the index array of a gather."""

    coefficients: tuple[tuple[str, Poly], ...]
    offset: Poly
    index: str = ""
    #: not a linear function of the loop variables (and not an index array either): `a[i*i]`
    opaque: bool = False


@record
class Access:
    """All references of one block to the same element, slowest subscript first."""

    subscripts: tuple[Subscript, ...]
    reads: int
    writes: int
    block: int
    line: int


@record
class Member:
    """Layout of an array that is a struct member: the array of structs, struct size and member offset in bytes."""

    records: str
    size: int
    offset: int


@record
class ArrayUse:
    """An array in a nest. `component` is the member of a struct element or the position in an interleaved one."""

    name: str
    component: str
    type: ElementType
    dims: tuple[Dim, ...]
    accesses: tuple[Access, ...]
    storage: Storage = "parameter"
    restrict: bool = False
    #: None where it is not a struct member, or the layout is unknown
    member: Member | None = None

    @property
    def label(self) -> str:
        """Name under which accesses to the array are counted."""
        return f"{self.name}.{self.component}" if self.component else self.name

    @property
    def reads(self) -> int:
        return sum(access.reads for access in self.accesses)

    @property
    def writes(self) -> int:
        return sum(access.writes for access in self.accesses)


@record
class Block:
    """Statements executed together: `depth` enclosing loops, under `conditions`, `executions` times in total.

    `probability` is assumed for data-dependent conditions (1: there is none).
    """

    depth: int
    conditions: tuple[str, ...]
    probability: Fraction
    executions: Poly
    operations: tuple[tuple[str, int], ...]
    line: int


@record
class Choice:
    """A condition that no loop changes, and the side of it on which a nest runs. `share` is 1 where that side is taken,
    else 0, if it depends on parameters; `probability` that of the side, `given` if by the user."""

    text: str
    line: int
    holds: bool
    share: Poly | None
    probability: Fraction
    given: bool = False


@dataclass(frozen=True)
class LoopNest:
    """One innermost loop with its enclosing loops."""

    file: str
    line: int
    function: str
    language: Literal["c", "fortran"]
    loops: tuple[Loop, ...]
    arrays: tuple[ArrayUse, ...] = ()
    blocks: tuple[Block, ...] = ()
    levels: tuple[tuple[Statement, ...], ...] = ()
    status: Status = "exact"
    assumptions: tuple[Note, ...] = ()
    #: assumptions that hold in every sensible program: arrays do not overlap, subscripts stay in their row
    remarks: tuple[Note, ...] = ()
    reason: str = ""
    #: source loops that this nest represents (its own; for a refused one also those lost inside)
    owned: int = 0
    shared: int = 0
    #: condition outside all loops under which the nest is reached
    condition: str = ""
    #: that condition in its parts, with the invariant ones between the loops
    choices: tuple[Choice, ...] = ()
    #: total iterations of the innermost loop, where conditions between the loops matter
    total: Poly | None = None

    def __hash__(self) -> int:
        return self._hash  # cached: a nest is large, and the key of every cache

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.__getstate__().values()))

    def __getstate__(self) -> dict[str, object]:
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}  # cached values are not pickled

    @cached_property
    def trips(self) -> Poly:
        """Total iterations of the innermost loop, exact where no loop has crossed bounds."""
        return iterations(self.loops, len(self.loops)) if self.total is None else self.total

    @property
    def unreached(self) -> bool:
        """Whether no path of the function leads to the nest."""
        return not self.blocks and not self.arrays and self.loops[-1:] != () and self.loops[-1].trips == ZERO

    @cached_property
    def variables(self) -> tuple[str, ...]:
        return tuple(loop.variable for loop in self.loops)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Symbols that need a value before the nest can be evaluated."""
        names = set[str]().union(*(poly.symbols() for poly in self._bounds))
        return tuple(sorted(names - set(self.variables)))

    @property
    def _bounds(self) -> list[Poly]:
        bounds = [poly for loop in self.loops for poly in (loop.lower, loop.upper, loop.step)]
        return bounds + [block.executions for block in self.blocks]

    @cached_property
    def address_parameters(self) -> tuple[str, ...]:
        """Further symbols on which the distance between two accesses depends: `m` in a[k] and a[k + m]."""
        polys: list[Poly] = []
        for array in self.arrays:
            polys += [dim.stride for dim in array.dims[-1:] if dim.stride is not None]
            regular = [a for a in array.accesses if not any(s.index or s.opaque for s in a.subscripts)]
            for access in regular:
                for subscript, first in zip(access.subscripts, regular[0].subscripts, strict=False):
                    polys += [subscript.offset - first.offset, *(factor for _, factor in subscript.coefficients)]
        names = set[str]().union(*(poly.symbols() for poly in polys))
        return tuple(sorted(names - set(self.variables) - set(self.parameters)))

    @cached_property
    def shape_parameters(self) -> tuple[str, ...]:
        """Further symbols in array declarations, which need no value: `m` in a[n][m]."""
        sizes = (size for use in self.arrays for dim in use.dims for size in (dim.stride, dim.extent))
        names = {name for size in sizes if size is not None for name in size.symbols()}
        return tuple(sorted(names - {*self.variables, *self.parameters, *self.address_parameters}))

    @cached_property
    def products(self) -> tuple[tuple[str, ...], ...]:
        """Groups of parameters that occur only as their product: `n` and `m` of a loop over n*m elements."""
        polys = self._bounds
        for array in self.arrays:
            polys += [size for dim in array.dims for size in (dim.stride, dim.extent) if size is not None]
            for subscript in (subscript for access in array.accesses for subscript in access.subscripts):
                polys += [subscript.offset, *(factor for _, factor in subscript.coefficients)]
        return same_powers(self.parameters, polys)

    @property
    def guards(self) -> tuple[Poly, ...]:
        """Trip counts of all loops, which the totals assume to be non-negative."""
        return tuple(loop.trips for loop in self.loops)

    def operations(self, depth: int | None = None) -> dict[str, Fraction]:
        """Counts operations by kind per iteration of the loop at `depth` (default: the innermost).

        Data-dependent conditions are weighted by their assumed probability; statements executed only for some values of
        the loop variables count in full here, and exactly in `total_operations`.
        """
        wanted = len(self.loops) if depth is None else depth
        total: dict[str, Fraction] = {}
        for block in self.blocks:
            if block.depth == wanted:
                for kind, count in block.operations:
                    total[kind] = total.get(kind, Fraction(0)) + count * block.probability
        return total

    def total_operations(self) -> dict[str, Poly]:
        """Counts operations by kind over the whole nest (its own loops)."""
        total: dict[str, Poly] = {}
        for block in self.blocks:
            for kind, count in block.operations:
                total[kind] = total.get(kind, ZERO) + block.executions * count
        return total

    def total_accesses(self) -> dict[str, tuple[Poly, Poly]]:
        """Counts reads and writes of each array over the whole nest."""
        total: dict[str, tuple[Poly, Poly]] = {}
        for array in self.arrays:
            reads, writes = total.get(array.name, (ZERO, ZERO))
            for access in array.accesses:
                times = self.blocks[access.block].executions
                reads, writes = reads + times * access.reads, writes + times * access.writes
            total[array.name] = (reads, writes)
        return total

    def assuming(self, texts: Iterable[str]) -> LoopNest:
        """Returns the nest with further assumptions."""
        notes = (Note(self.line, text) for text in texts)
        return replace(self, assumptions=(*self.assumptions, *notes))

    def at(self, values: Mapping[str, Poly]) -> LoopNest:
        """Substitutes parameters."""
        if not values:
            return self
        loops = tuple(_loop_at(loop, values) for loop in self.loops)
        runs = next((depth for depth, loop in enumerate(loops) if loop.trips == ZERO), len(loops))  # loops that run
        total = None if self.total is None else self.total.substitute(values)
        return replace(
            self,
            loops=loops,
            arrays=tuple(_array_at(array, values) for array in self.arrays),
            blocks=tuple(
                replace(b, executions=b.executions.substitute(values) if b.depth <= runs else ZERO) for b in self.blocks
            ),
            total=total if runs == len(loops) or total is None else ZERO,
            choices=tuple(
                one if one.share is None else replace(one, share=one.share.substitute(values)) for one in self.choices
            ),
        )


@record
class Note:
    """An assumption or a remark, with its source line."""

    line: int
    text: str


def iterations(loops: tuple[Loop, ...], depth: int, weight: Poly = ONE) -> Poly:
    """Sums `weight` over the iterations of the outer `depth` loops."""
    for loop in reversed(loops[:depth]):
        over = (loop.variable, loop.lower, loop.upper, loop.step)
        weight = sum_over(weight, *over) if loop.counted else weight * loop.trips
    return weight


def _loop_at(loop: Loop, values: Mapping[str, Poly]) -> Loop:
    loop = loop.mapped(lambda poly: poly.substitute(values))
    crossed = loop.trips.constant is not None and loop.trips.constant < 0  # the loop does not run
    return replace(loop, trips=ZERO) if crossed else loop


def _array_at(array: ArrayUse, values: Mapping[str, Poly]) -> ArrayUse:
    def put(poly: Poly | None) -> Poly | None:
        return None if poly is None else poly.substitute(values)

    def subscript(old: Subscript) -> Subscript:
        coefficients = tuple((name, factor.substitute(values)) for name, factor in old.coefficients)
        return replace(old, coefficients=coefficients, offset=old.offset.substitute(values))

    dims = tuple(Dim(put(dim.stride), put(dim.extent), dim.lower.substitute(values)) for dim in array.dims)
    accesses = tuple(replace(access, subscripts=tuple(map(subscript, access.subscripts))) for access in array.accesses)
    return replace(array, dims=dims, accesses=accesses)


@record
class CallSite:
    """A call: caller, callee, line, count per execution of the caller; `arguments` with their symbolic values."""

    caller: str
    callee: str
    file: str
    line: int
    count: Poly
    arguments: tuple[tuple[str, str], ...] = ()
    #: 'inlined', 'separate' (its loops are separate nests), 'unknown' (not in the given files), 'library'
    treatment: str = "separate"
    #: loops around the call, in the caller, outermost first
    loops: tuple[Loop, ...] = ()


@record
class MessageCall:
    """An MPI call; `bytes` is None where count or type is unknown."""

    function: str
    caller: str
    file: str
    line: int
    count: Poly
    bytes: Poly | None


@dataclass(frozen=True)
class Loops(Facet):
    """The facet of loop nests and the structure of the program around them."""

    nests: tuple[LoopNest, ...]
    functions: tuple[FunctionInfo, ...] = ()
    calls: tuple[CallSite, ...] = ()
    messages: tuple[MessageCall, ...] = ()
    globals: tuple[tuple[str, str], ...] = ()
    scalars: tuple[tuple[str, str], ...] = ()
    #: parameters with a value in a run without arguments: (name, value, variable in the source, line)
    defaults: tuple[tuple[str, int, str, int], ...] = ()
    #: loops in the source, and loops in nests: equal unless some were lost
    loops_seen: int = 0
    loops_kept: int = 0
    lines: int = 0
    #: alternatives that were chosen by values of the user, by function
    decisions: tuple[tuple[str, Note], ...] = ()
    #: numbers and words that the user gave for names that are no parameter of a nest
    given: tuple[tuple[str, int | str], ...] = ()
    #: macros that the user gave to the preprocessor: compiled code has them as well
    macros: tuple[tuple[str, str], ...] = ()
    #: means of data that nobody gave: their values are those of a rule
    estimated: tuple[str, ...] = ()

    @property
    def symbols(self) -> frozenset[str]:
        """Parameters of the nests."""
        nests = self.averaged.nests
        return self.optional.union(*((*nest.parameters, *nest.address_parameters) for nest in nests))

    @property
    def optional(self) -> frozenset[str]:
        """Array sizes that are no loop bound, and what only decides which nests run."""
        sizes = {name for nest in self.averaged.nests for name in nest.shape_parameters}
        return frozenset((sizes | self.deciding) - self._needed)

    @property
    def deciding(self) -> frozenset[str]:
        """Names that only conditions and numbers of calls depend on."""
        shares = [choice.share for nest in self.nests for choice in nest.choices if choice.share is not None]
        names = {name for poly in (*shares, *(site.count for site in self.calls)) for name in poly.symbols()}
        return frozenset(name for name in names - self._needed if name.isidentifier())

    @property
    def _needed(self) -> frozenset[str]:
        nests = self.averaged.nests
        return frozenset(name for nest in nests for name in (*nest.parameters, *nest.address_parameters))

    @property
    def passed(self) -> frozenset[str]:
        """Integer parameters of the functions: conditions of their compiled code may depend on them."""
        return frozenset(one.name for info in self.functions for one in info.arguments if one.kind == "integer")

    @property
    def counts(self) -> frozenset[str]:
        """Bounds of loops as they are in the source; averages of data need not be whole."""
        return frozenset({"threads"}).union(*(nest.parameters for nest in self.nests))

    @property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """A size of main has the value that is given to its variable, whatever the line of its default; Fortran does
        not tell cases apart."""
        fortran = any(info.language == "fortran" for info in self.functions)
        names = {*self.symbols, *self.passed} if fortran else frozenset[str]()
        upper = ((name.upper(), (name,)) for name in names)
        found: dict[str, tuple[str, ...]] = {name: own for name, own in upper if name not in names}
        for name, _, variable, _ in self.defaults:
            if name != variable:
                found[variable] = (*found.get(variable, ()), name)
        return found

    @property
    def unread(self) -> tuple[str, ...]:
        """Reasons of functions that did not parse as a whole, or else of refused nests."""
        functions = [info.reason for info in self.functions if not info.reliable and info.reason]
        return tuple(functions or [nest.reason for nest in self.nests if nest.status == "refused" and nest.reason])

    def default_notes(self, values: Mapping[str, object]) -> tuple[str, ...]:
        """Says which sizes have the value of a run without arguments."""
        return tuple(
            f"main, line {line}: {variable} = {value}, as in a run without arguments (another: -D {variable}=…)"
            for name, value, variable, line in self.defaults
            if name != variable and values.get(name) == value
        )

    @cached_property
    def averaged(self) -> Loops:
        """The facet with average trip counts for loops with data-dependent bounds."""
        return replace(self, nests=all_averaged(self.nests))

    def summary(self) -> dict[str, int]:
        """Counts nests by status."""
        counts = Counter(nest.status for nest in self.nests)
        return {status: counts[status] for status in get_args(Status)}

    def at(self, values: Mapping[str, int]) -> Loops:
        """Substitutes numbers for parameters."""
        polys = {name: number(value) for name, value in values.items()}
        return replace(self, nests=tuple(nest.at(polys) for nest in self.nests)) if polys else self
