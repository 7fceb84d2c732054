"""Computes the in-core cycles of a nest: its code, the bounds of a pass, and the cost of each entry of the loop."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.core.nest.loopnest import iterations
from foretell.errors import InputError, MachineError
from foretell.models.cpu.incore.alignment import crossing_shares
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.loop_body import Body
from foretell.models.cpu.incore.ooo_core import Walk
from foretell.models.cpu.incore.result import InCore
from foretell.models.cpu.incore.size_interpolation import Steps, costs_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.loops import AsmLoop
    from foretell.codegen.compilers.flags import CodeOptions
    from foretell.codegen.generate import Code, UserAssembly
    from foretell.core.columns.expression import Value
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.symbolic.poly import Poly
    from foretell.models.cpu.incore.ooo_core import Pace

    Whole = NDArray[np.int64]

#: machine parameters that affect in-core time, among those that the CPU model sweeps
CODE_PARAMETERS = ("level.L1.latency", "level.L1.line")
_LINE = 64
#: longest loop, in passes, whose exit a branch predictor foresees if its trip count is constant (assumed: the history
#: of recent predictors is some hundred branches long)
_FORESEEN = 24
#: in large sweeps: passes of the main loop, and their instructions, up to which a call is simulated at each size
_FEW_PASSES, _FEW_INSTRUCTIONS = 256, 2000
#: in large sweeps: row lengths, and other sizes, up to which every value is an interpolation point
_DENSE_ROWS, _DENSE = 64, 8
#: sizes from which calls with equally aligned rows, and growing ones, do not end within the simulation
_ALIKE = 1024
#: eight-byte elements in a line: possible alignments of a row
_PLACES = 8


def in_core(
    nest: LoopNest,
    machine: Machine,
    options: CodeOptions,
    sizes: Mapping[str, Value],
    assembly: UserAssembly | None = None,
    grid: bool = False,
    beside: tuple[LoopNest, ...] = (),
) -> InCore:
    """Computes cycles of a nest's code at the given sizes, with data in the innermost cache. Pass the nest with its
    symbols: code is generated once for all sizes. `grid`: interpolate between sizes even if there are few. `beside`:
    nests that share outer loops with this one, and alternate with it there."""
    analysed = _analysed(nest, _Key(machine), options, assembly, beside if assembly is None else ())
    sizes = analysed.joined(sizes)
    points = {name: np.atleast_1d(np.asarray(value)).astype(np.int64) for name, value in sizes.items()}
    swept = tuple(name for name, value in sizes.items() if np.ndim(value)) if grid else None
    costs = costs_at(analysed, points, swept)
    cycles, accesses = costs.columns
    many = any(np.ndim(value) for value in sizes.values())
    first = {name: int(column.flat[0]) for name, column in points.items()}
    bounds = analysed.bounds(first)
    main = analysed.bodies[0]
    elements = analysed.code.elements[0] * analysed.code.jam
    return InCore(
        cycles_per_iteration=cycles if many else float(cycles[0]),
        accesses_per_iteration=accesses if many else float(accesses[0]),
        between=costs.between if many else False,
        bounds=tuple((name, cycles_ / elements) for name, cycles_ in bounds),
        bottlenecks=lambda: analysed.bottlenecks(sizes),
        elements=elements,
        vector_bytes=main.vector_bytes if main.vector_bytes > 8 else 0,
        arithmetic_bytes=main.arithmetic[0],
        arithmetic_per_iteration=main.arithmetic[1] / elements,
        instructions=len(main.instructions),
        loads=round(main.loads),
        stores=round(main.stores),
        entry_cycles=analysed.entry_cycles(first),
        unknown=tuple(analysed.costs.assumed),
        assumptions=analysed.code.assumptions,
        assembly="\n".join(one.text for one, _ in main.instructions),
        body=main,
        compiler=analysed.code.made_by,
    )


@dataclass(frozen=True)
class _Key:
    """A machine as a cache key: equal if no model can tell two apart."""

    machine: Machine

    def __hash__(self) -> int:
        return hash(self.machine.content_hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.machine.content_hash == self.machine.content_hash


@lru_cache(maxsize=256)
def _analysed(
    nest: LoopNest, key: _Key, options: CodeOptions, assembly: UserAssembly | None, beside: tuple[LoopNest, ...] = ()
) -> _Analysed:
    machine = key.machine
    for path in ("target.isa", "target.cpu"):
        if path not in machine.traits:
            raise MachineError(f"machine {machine.name!r} has no {path}: no code can be generated for it")
    isa, cpu = machine.traits["target.isa"], machine.traits["target.cpu"]
    from foretell.codegen.generate import generated, given  # lazy: compiled code needs no LLVM

    code = given(nest, isa, assembly) if assembly else generated(nest, isa, cpu, options)
    others = []
    for other in beside:
        with suppress(InputError):  # no code can be generated
            others.append(_analysed(other, key, options, None))
    return _Analysed(nest, machine, options, code, tuple(others))


@dataclass(frozen=True)
class _Analysed:
    """Code with the costs of a machine; sizes are bound last."""

    nest: LoopNest
    machine: Machine
    options: CodeOptions
    code: Code
    #: nests that alternate with this one in the outer loops that they share
    beside: tuple[_Analysed, ...] = ()

    @cached_property
    def costs(self) -> Costs:
        """Costs of the machine; with the widest vectors in use, some units do no vector work."""
        words = self.machine.traits.get("cores.ports_closed_by_wide_vectors", "").split()
        widest = self.machine.value("cores.simd_width") if "cores.simd_width" in self.machine else 0
        used = max(one.bytes for one, _ in self.code.loops[0].instructions())
        return Costs(self.machine, frozenset(words) if words and used == widest else frozenset())

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        return tuple(self._body(loop) for loop in self.code.loops)

    def _body(self, loop: AsmLoop) -> Body:
        return Body(tuple(loop.instructions()), self.machine, self.costs)

    def bounds(self, sizes: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
        """Bounds of a pass of the main loop."""
        return self._bounds(0, self._crossing(sizes, 0))

    def bottlenecks(self, sizes: Mapping[str, Value]) -> NDArray[np.str_]:
        """The largest bound of the main loop at each of many sizes."""
        shares = np.broadcast_arrays(*self._crossing(sizes, 0))
        pairs = np.stack([np.ravel(share) for share in shares], axis=1)
        different, places = np.unique(pairs, axis=0, return_inverse=True)
        names = [self._bounds(0, (reads, writes))[0][0] for reads, writes in different.tolist()]
        return np.array(names)[places].reshape(shares[0].shape)

    def _bounds(self, number: int, crossing: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        return _body_bounds(self.bodies[number], crossing)

    def _crossing(self, sizes: Mapping[str, Value], number: int) -> tuple[Any, Any]:
        width = self.bodies[number].vector_bytes
        if width <= 8:
            return 0.0, 0.0
        line = int(self.machine.value("level.L1.line")) if "level.L1.line" in self.machine else _LINE
        return crossing_shares(self.nest, sizes, width, line, self.options.alignment)

    @cached_property
    def walk(self) -> Walk:
        return Walk(self.code, self.machine, self.costs)

    def iterations(self, sizes: Mapping[str, int]) -> float:
        """Total iterations of the innermost loop."""
        return self._runs(sizes, 0)

    def cost(self, sizes: Mapping[str, int], of_many: bool = False) -> tuple[float, float]:
        """Cycles of the whole nest per iteration of its innermost loop, and the part in which the innermost cache is
        busy: simulated if possible (if one `of_many`, as short as will do), else from the bounds."""
        followed = self.walk.possible and not self.bodies[0].spilled and self.iterations(sizes) > 0
        pace = self._pace(sizes, of_many) if followed else None
        if pace is None or not self._does_it_all(pace, sizes):
            bounds = dict(self.bounds(sizes))
            busy = max(bounds.get("loads", 0.0), bounds.get("stores", 0.0))
            return self.estimate(sizes), busy / (self.code.elements[0] * self.code.jam)
        cycles = self._of_iteration(pace, sizes)
        return cycles, cycles * pace.accesses

    def _pace(self, sizes: Mapping[str, int], of_many: bool) -> Pace | None:
        """The pace of a simulated call; or of an earlier one that looked the same, since its outer loops did not end.
        One of very many with rows of one length is simulated only until they repeat."""
        lengths, short = self._lengths(sizes), of_many and self._even
        for place, length in enumerate(lengths):
            least, pace = self._open.get(self._seen(sizes, of_many, place, lengths), (math.inf, None))
            if least <= length:
                return pace
        pace = self.walk.pace(sizes, self._even, short, self._passing_by(sizes))
        if pace is not None and pace.open is not None:
            each = self.code.jam * (self.code.elements[0] if pace.open == 0 else 1)
            least = min(lengths[pace.open], (pace.seen + 1) * each)
            self._open[self._seen(sizes, of_many, pace.open, lengths)] = least, pace
        return pace

    @cached_property
    def _open(self) -> dict[tuple[float, ...], tuple[float, Pace | None]]:
        """Calls in which a loop did not end, by their observed features: minimum length of that loop, and the pace."""
        return {}

    def _seen(
        self, sizes: Mapping[str, int], of_many: bool, position: int, lengths: Sequence[float]
    ) -> tuple[float, ...]:
        """Observed features of a call in which the loop at `position` did not end: lengths of the loops inside it, row
        stride, alignments of rows, and interleaved work. Rows as long as outer loops determine have equal alignments at
        all sizes of one remainder; for very many sizes that suffices."""
        known = [stride for stride in self._strides if stride.symbols() <= sizes.keys()]
        apart = [float(stride.evaluate(sizes)) for stride in known]
        rests = [sizes[name] % self._period for name in self._placing(position) if name in sizes]
        if of_many and self._begins_alike and position == len(self.code.around):
            return (of_many, position, *rests, *self._passing_by(sizes))
        return (of_many, position, *lengths[:position], *apart, *rests, *self._passing_by(sizes))

    @cached_property
    def _begins_alike(self) -> bool:
        """Whether only the outermost loop changes its length or start with the size."""
        inner = [poly for loop in self.nest.loops[1:] for poly in (loop.lower, loop.trips)]
        return not self._even and all(poly.symbols() <= {*self.nest.variables} for poly in inner)

    def _lengths(self, sizes: Mapping[str, int]) -> list[float]:
        """Trip counts, per entry, of the main loop and of those around it."""
        runs = [self._runs(sizes, outside) for outside in range(len(self.code.around) + 2)]
        return [inner / max(1.0, outer) for inner, outer in itertools.pairwise(runs)]

    @cached_property
    def _strides(self) -> tuple[Poly, ...]:
        strides = {dim.stride for array in self.nest.arrays for dim in array.dims if dim.stride is not None}
        return tuple(sorted(strides, key=str))

    def _placing(self, place: int) -> tuple[str, ...]:
        """Parameters that determine the alignment of rows and, unless the main loop itself did not end, their
        length."""
        return self._beginning if place == 0 else tuple(sorted(self._row_parameters.union(self._beginning)))

    @cached_property
    def _beginning(self) -> tuple[str, ...]:
        offsets = [loop.lower for loop in self.nest.loops]
        offsets += [one.offset for array in self.nest.arrays for a in array.accesses for one in a.subscripts]
        return tuple(sorted(frozenset().union(*(poly.symbols() for poly in offsets))))

    def _passing_by(self, sizes: Mapping[str, int]) -> tuple[int, float]:
        """The loop in which other nests alternate with this one, by its depth around the main one, and the issue slots
        of their work there; it reduces the overlap of rows that wait for chains."""
        position, slots = 0, 0.0
        for other in self.beside:
            common = _common(self.nest, other.nest)
            at = len(self.code.around) + 1 - common
            if not common or not 0 < at <= len(self.code.around) or not {*other.nest.parameters} <= set(sizes):
                continue
            rounds = float(iterations(self.nest.loops, common).evaluate(sizes))
            passes = other.iterations(sizes) / (other.code.elements[0] * other.code.jam)
            position, slots = at, slots + passes / max(1.0, rounds) * other.bodies[0].slots
        return position, slots

    def cost_in_short(self, sizes: Mapping[str, int]) -> tuple[float, float]:
        """The same for one of very many sizes; memoised."""
        key = tuple(sizes.values())
        if key not in self._known:
            self._known[key] = self.cost(sizes, of_many=True)
        return self._known[key]

    def are_short(self, points: Mapping[str, Whole]) -> NDArray[np.bool_]:
        """Which calls are short enough to be simulated at each size."""
        passes = np.asarray(self.nest.trips.evaluate(points), dtype=np.float64) / self.code.elements[0]
        few = min(_FEW_PASSES, _FEW_INSTRUCTIONS // len(self.bodies[0].instructions))
        return np.broadcast_to(passes <= few, np.broadcast_shapes(*(c.shape for c in points.values())))

    @cached_property
    def _known(self) -> dict[tuple[int, ...], tuple[float, float]]:
        return {}

    def steps(self, names: Sequence[str]) -> dict[str, Steps]:
        """The interpolation points of some parameters. Row sizes a period apart have equal remainders and alignments;
        rows that are all of another length have every remainder anyway. Other parameters only determine how often rows
        run."""
        rows = [name for name in names if name in self._row_parameters]
        ratio = 2.0 if self._period > _PLACES or len(rows) > 1 or not self._even else 2.0**0.5
        row, other = Steps(self._period, _DENSE_ROWS, ratio), Steps(self.code.jam, _DENSE, 2.0)
        if self._begins_alike:
            row = Steps(self._period, _DENSE_ROWS, ratio, _ALIKE, self.code.elements[0])
        return {name: row if name in rows else other for name in names}

    @cached_property
    def _period(self) -> int:
        """Row lengths that differ by this have the same remainder, and the same alignments."""
        if self._even:
            return math.lcm(_PLACES, self.code.elements[0])
        return _PLACES if any(stride.symbols() for stride in self._strides) else 1

    def joined(self, sizes: Mapping[str, Value]) -> Mapping[str, Value]:
        """The same sizes, with those that occur only in their product merged into one: `n` and `m` of a loop over n*m
        elements. User-supplied code may use them in other ways."""
        groups = self.nest.products if self.code.arguments is not None and not self.beside else ()
        result = dict(sizes)
        for first, *others in groups:
            for name in others:
                result[first] = result[first] * result[name]
                result[name] = 1
        return result

    @cached_property
    def _row_parameters(self) -> frozenset[str]:
        """Parameters that determine the length and the stride of rows."""
        return frozenset(self.nest.loops[-1].trips.symbols()).union(*(one.symbols() for one in self._strides))

    def _does_it_all(self, pace: Pace, sizes: Mapping[str, int]) -> bool:
        """Whether a call iterated the main loop about as often as the source does. User-supplied assembly may be a part
        of the function, or take other arguments; and if there are fewer rows than are jammed, the jammed loop does not
        run at all."""
        if pace.call is None:
            return True
        if not self._joined(sizes):
            return False
        whole = self.code.elements[0] * self.code.jam
        wanted = self.iterations(sizes) - self._runs(sizes, 1) * whole  # some rows may not fill a pass
        return pace.times * whole >= 0.5 * wanted

    def _of_iteration(self, pace: Pace, sizes: Mapping[str, int]) -> float:
        """Cycles of a call, or of an iteration of a loop, per iteration of the innermost one."""
        total = self._simulated(pace, sizes)
        skipped = self._skipped(sizes, total)
        if pace.call is not None:
            return pace.call / (total * self._joined(sizes)) + skipped
        if pace.loop == 0:
            return pace.round / (self.code.elements[0] * self.code.jam) + skipped
        beside = self._rows_beside(sizes) if pace.loop == 1 else 1.0
        rounds = pace.round * self._runs(sizes, pace.loop) / total
        return (rounds + pace.passing / self.code.elements[0]) / beside + skipped

    def _simulated(self, pace: Pace, sizes: Mapping[str, int]) -> float:
        """Iterations of the innermost loop that the simulated call would make. A condition between the loops may skip
        some of them in the source: where it depends on data, or where the call was not simulated to its end, each
        simulated iteration of the outer loop entered the inner one."""
        total, every = self.iterations(sizes), self._every(sizes)
        if pace.call is None or every <= total:
            return max(total, every)
        executed = pace.times * self.code.elements[0] * self.code.jam
        return every if abs(executed - every) < abs(executed - total) else total

    def _every(self, sizes: Mapping[str, int]) -> float:
        """Iterations of the innermost loop if no condition between the loops skipped any."""
        return float(iterations(self.nest.loops, len(self.nest.loops)).evaluate(sizes))

    def _skipped(self, sizes: Mapping[str, int], simulated: float) -> float:
        """Cycles, per iteration of the innermost loop, of outer iterations that do not enter it."""
        total = self.iterations(sizes)
        if simulated <= total:
            return 0.0
        return (1 - total / simulated) * self._runs(sizes, 1) * self.entry_cycles(sizes) / total

    @cached_property
    def _even(self) -> bool:
        """Whether every loop has the same trip count at each entry."""
        return not any(loop.trips.depends_on(self.nest.variables) for loop in self.nest.loops)

    def estimate(self, sizes: Mapping[str, int]) -> float:
        """The same from the bounds of the loops, remainders, and the instructions around them."""
        total, entries = self._runs(sizes, 0), self._runs(sizes, 1)
        if total <= 0 or entries <= 0:
            return self.bounds(sizes)[0][1] / self.code.elements[0] / self._rows_beside(sizes)
        trips = total / entries
        passes = trips // self.code.elements[0]
        bounds = dict(self._bounds(0, self._crossing(sizes, 0)))
        latency = bounds.pop("latency", 0.0) * passes
        busy = max(bounds.values()) * passes + self._rest_cycles(trips % self.code.elements[0])
        entry = self.entry_cycles(sizes)
        rows = self._rows_beside(sizes)
        return (max(busy, latency / self._entries_in_flight(passes)) + entry) / (trips * rows)

    def _joined(self, sizes: Mapping[str, int]) -> float:
        """The fraction of the outer loop's iterations that the code jams (unroll and jam); none in the remainder."""
        jam = self.code.jam
        outer = self._runs(sizes, 2) if jam > 1 else 0.0
        rows = self._runs(sizes, 1) / outer if outer > 0 else 0.0
        return rows // jam * jam / rows if rows > 0 else 1.0

    def _rows_beside(self, sizes: Mapping[str, int]) -> float:
        """Mean number of outer iterations per entry of the innermost loop: remainder iterations run one by one."""
        jam = self.code.jam
        outer = self._runs(sizes, 2) if jam > 1 else 0.0
        if outer <= 0:
            return float(jam)
        rows = self._runs(sizes, 1) / outer
        return rows / max(1.0, rows // jam + rows % jam)

    def _runs(self, sizes: Mapping[str, int], outside: int) -> float:
        """Iterations of the innermost source loop (0), or of the loop so many levels outside the main emitted one."""
        depth = max(0, len(self.nest.loops) - self._written_out - outside)
        poly = self.nest.trips if outside == 0 else iterations(self.nest.loops, depth)
        return float(poly.evaluate(sizes))

    @cached_property
    def _written_out(self) -> int:
        """Number of innermost source loops, of constant length, that are fully unrolled in the main loop."""
        followed = self.code.arguments is not None  # for generated code, no other loop can be missing
        return max(0, len(self.nest.loops) - 1 - len(self.code.around)) if followed else 0

    def _rest_cycles(self, left: float) -> float:
        """Cycles of remainder iterations: in the remainder loops, if there are any. gcc unrolls them: a step of half
        the width, then one by one."""
        whole = self.code.elements[0]
        if left <= 0 or whole == 1:
            return 0.0
        if len(self.bodies) == 1 or self.options.compiler == "gcc":
            half = whole // 2
            steps = left // half + left % half if half > 1 else left
            bounds = self._bounds(0, (0.0, 0.0))
            return float(steps) * max((cycles for name, cycles in bounds if name != "latency"), default=0.0)
        cycles = 0.0
        for number, elements in list(enumerate(self.code.elements))[1:]:
            passes = left // elements if elements > 1 else left
            cycles += passes * self._bounds(number, (0.0, 0.0))[0][1]
            left -= passes * elements
        return cycles

    def _entries_in_flight(self, passes: float) -> float:
        """Number of loop entries that the core overlaps if their chains are independent: limited by the reorder
        buffer."""
        known = self._slots_around and "cores.reorder_buffer" in self.machine and passes >= 1
        if not known or not self._restarts:
            return 1.0
        slots = self.bodies[0].slots * passes + self._slots_around[0]
        return max(1.0, self.machine.value("cores.reorder_buffer") / slots)

    @cached_property
    def _restarts(self) -> bool:
        """Whether the chain of the main loop restarts with every entry."""
        return self.bodies[0].restarted_by(self._body(self.code.around[0]))

    def entry_cycles(self, sizes: Mapping[str, int]) -> float:
        """Overhead of each entry of the innermost loop: instructions of the loops around, and the mispredicted exit of
        a long loop."""
        width = self.machine.value("cores.issue_width")
        entries = self._runs(sizes, 1)
        if entries <= 0:
            return 0.0
        passes = self._runs(sizes, 0) / entries / self.code.elements[0]
        miss = "pipeline.branch_miss.latency"
        cycles = self.machine.value(miss) if passes > _FORESEEN and miss in self.machine else 0.0
        for number, slots in enumerate(self._slots_around, start=1):
            cycles += slots / width * self._runs(sizes, number) / entries
        return cycles

    @cached_property
    def _slots_around(self) -> tuple[float, ...]:
        """Issue slots of each outer loop, without the remainder blocks of the innermost one."""
        found = []
        for loop in self.code.around[: len(self.nest.loops) - 1]:
            kept = tuple(pair for pair in loop.instructions() if not _is_rest(pair[0]))
            found.append(Body(kept, self.machine, self.costs).slots)
        return tuple(found)


def _is_rest(one: Instruction) -> bool:
    """Whether an instruction beside the innermost loop computes remainder iterations."""
    return one.bytes > 8 or (one.element[0] == "f" and one.kind != "move")


@lru_cache(maxsize=1024)
def _body_bounds(body: Body, crossing: tuple[float, float]) -> tuple[tuple[str, float], ...]:
    return body.bounds(*crossing)


def _common(one: LoopNest, other: LoopNest) -> int:
    """Number of outer loops that two nests share."""
    pairs = zip(one.loops, other.loops, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
