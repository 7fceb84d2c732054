"""Lowers a loop nest to an LLVM IR function: all loops, with sizes and strides as arguments.

Every loop counts from 0 to its trip count in steps of one, and the source's variable is computed from the counter: so
the step of a counter in optimised code is the number of source iterations in a pass. Arrays are `noalias` pointers,
unless aliasing is to be assumed: then the compiler checks for overlap before the loop, or does not vectorise it.
Unsupported constructs are refused by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from foretell.codegen.ir.expressions import Expressions
from foretell.codegen.ir.polynomials import Integers
from foretell.codegen.ir.scalars import alone_in_type, base_name, expressions, live_out, only_inside, scalar_types
from foretell.codegen.ir.values import DISCRETE, FloatRules, Pair, memory_type, real_part, value_type
from foretell.codegen.load_llvmlite import load_ir
from foretell.core.nest.statements import Branch, ElementType, Inner, Invoke, Op, Ref, Set, Store, Var
from foretell.core.symbolic.poly import ONE, ZERO, Poly
from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Collection

    from foretell.core.nest.loopnest import ArrayUse, Loop, LoopNest
    from foretell.core.nest.statements import Statement

FUNCTION = "nest"
#: names of the loop header blocks, by depth: `for2.head` is the innermost loop of three
HEAD = "for{}.head"


@record
class LoopHints:
    """Loop metadata of the innermost loop; 0 leaves the choice to LLVM. `lanes`: iterations unrolled explicitly for
    LLVM to vectorise (SLP), of the loop `outside` levels outside the innermost one. `apart`: no two arrays alias."""

    vectorise: bool = True
    vector_width: int = 0
    interleave: int = 0
    unroll: bool = True
    lanes: int = 1
    outside: int = 1
    apart: bool = True
    #: sums are not fused with products, which are multiplied in vectors
    separate: bool = False
    #: references that are accessed elementwise, with their strides in elements: each has its own growing offset, where
    #: LLVM would put addresses into vectors
    single: tuple[tuple[Ref, Poly], ...] = ()


@dataclass
class NestIR:
    """Text of a module with one function. `arguments`: its parameters, in order; `whole`: those that are pointers or
    integers; `results`: the scalars whose final values it returns."""

    arguments: tuple[str, ...]
    whole: tuple[str, ...]
    results: tuple[str, ...]
    text: str

    @property
    def starts(self) -> tuple[int, ...]:
        """Positions, among the floating-point parameters, of those that are live-out as well."""
        floats = [name.split()[1] for name in self.arguments if name not in self.whole]
        return tuple(position for position, name in enumerate(floats) if name in self.results)


def nest_ir(nest: LoopNest, rules: FloatRules, hints: LoopHints) -> NestIR:
    """Target-independent IR of a nest."""
    if nest.status == "refused":
        raise UnsupportedError(f"no code can be generated: {nest.reason}", file=nest.file, line=nest.line)
    try:
        return _Function(nest, rules, hints).build()
    except UnsupportedError as error:
        raise error.at(nest.file) from None


@dataclass
class _Array:
    """Pointer of an array, and its strides in elements in each dimension."""

    use: ArrayUse
    pointer: Any
    #: None where rows are reached by pointers
    strides: tuple[Poly | None, ...]


@dataclass
class _Function:
    nest: LoopNest
    rules: FloatRules
    hints: LoopHints
    symbols: dict[str, Any] = field(default_factory=dict)
    #: stack slot of each scalar, for each lane
    slots: list[dict[str, tuple[Any, ...]]] = field(default_factory=list)
    #: current lane, and the loop variable's value in each
    lane: int = 0
    side_by_side: list[Any] = field(default_factory=list)
    arrays: dict[str, _Array] = field(default_factory=dict)
    #: elementwise accesses: base, and running offset
    moving: dict[Ref, tuple[Any, Any]] = field(default_factory=dict)

    def build(self) -> NestIR:
        ir = load_ir()
        self.ir, self.i64 = ir, ir.IntType(64)
        self.module = ir.Module(name=FUNCTION)
        arguments = self._arguments()
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [kind for _, kind in arguments]), FUNCTION)
        for argument, (name, _) in zip(function.args, arguments, strict=True):
            argument.name = name
            if isinstance(argument.type, ir.PointerType) and self._apart(name):
                argument.add_attribute("noalias")
        self.given = dict(zip([name for name, _ in arguments], function.args, strict=True))
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.integers = Integers(self.builder, self._symbol, self._index)
        self.expressions = Expressions(self.builder, self.module, self.rules, self._scalar_value, self._element_value)
        self._prepare()
        self._loop(0)
        for name in self.results:
            self._give_back(name)
        self.builder.ret_void()
        whole = tuple(name for name, kind in arguments if isinstance(kind, ir.PointerType | ir.IntType))
        return NestIR(tuple(self.given), whole, self.results, _as_llvm_wants(str(self.module)))

    # ---- parameters

    def _arguments(self) -> list[tuple[str, Any]]:
        """Parameters: pointers first, then sizes, then initial values of scalars, then pointers for results."""
        self.types = scalar_types(self.nest)
        self.results = live_out(self.nest)
        arguments: list[tuple[str, Any]] = []
        for number, use in enumerate(self.nest.arrays):
            pointer = memory_type(use.type).as_pointer()
            for _ in range(sum(dim.stride is None for dim in use.dims)):  # pointers to rows
                pointer = pointer.as_pointer()
            arguments.append((f"array {number}", pointer))
        arguments += [(f"size {name}", self.i64) for name in self._sizes()]
        for name, kind in self.types.items():
            arguments += [(f"scalar {name}{part}", of) for part, of in _parts(kind)]
        for name in self.results:
            arguments += [(f"result {name}{part}", of.as_pointer()) for part, of in _parts(self.types[name])]
        return arguments

    def _apart(self, argument: str) -> bool:
        """Whether an argument is not aliased; result pointers never are."""
        kind, _, number = argument.partition(" ")
        return self.hints.apart or kind != "array" or alone_in_type(self.nest, self.nest.arrays[int(number)])

    def _sizes(self) -> list[str]:
        """Symbols of bounds, strides and subscripts that are not loop variables."""
        polys: list[Poly] = []
        for loop in self.nest.loops:
            polys += [loop.lower, loop.upper, loop.step, *(() if loop.counted else (loop.trips,))]
        for use in self.nest.arrays:
            polys += [p for dim in use.dims for p in (dim.stride, dim.lower) if p is not None]
        for part in expressions(self.nest):
            if isinstance(part, Ref):
                polys += part.subscripts
            elif isinstance(part, Var) and part.value is not None:
                polys.append(part.value)
        found: set[str] = set().union(*(poly.symbols() for poly in polys)) if polys else set()
        return sorted(name for name in found - set(self.nest.variables) if base_name(name) not in self.types)

    def _prepare(self) -> None:
        for use in self.nest.arrays:
            strides = tuple(dim.stride for dim in use.dims)
            if self.nest.language != "c" and None in strides:
                message = f"no code can be generated: rows of {use.name} have no known distance"
                raise UnsupportedError(message, line=self.nest.line)
            self.arrays[use.label] = _Array(use, self._pointer(use), strides)
        self.slots = [
            {name: self._given_scalar(name, kind) for name, kind in self.types.items()} for _ in range(self.hints.lanes)
        ]

    def _given_scalar(self, name: str, kind: ElementType) -> tuple[Any, ...]:
        slots = []
        for part, of in _parts(kind):
            slots.append(self.builder.alloca(of))
            self.builder.store(self.given[f"scalar {name}{part}"], slots[-1])
        return tuple(slots)

    def _give_back(self, name: str) -> list[Any]:
        """Stores the value of a scalar to its result pointer."""
        slots = zip(self.slots[0][name], _parts(self.types[name]), strict=True)
        return [
            self.builder.store(self.builder.load(slot), self.given[f"result {name}{part}"]) for slot, (part, _) in slots
        ]

    def _hand_over(self, names: Collection[str]) -> None:
        """Stores scalars that code outside the nest reads in every iteration, with stores that must not be removed: for
        a loop that another nest describes, or the exit condition of one that runs until they have a value."""
        for name in self.results:
            for store in self._give_back(name) if name in names else ():
                store.set_metadata(_KEPT, self.module.add_metadata([]))

    # ---- loops

    def _loop(self, depth: int) -> None:
        """Emits one loop and all inside it."""
        b, loop = self.builder, self.nest.loops[depth]
        function = b.function
        head, body, end = (
            function.append_basic_block(name) for name in (HEAD.format(depth), f"for{depth}", f"for{depth}.end")
        )
        lanes = self.hints.lanes if depth == len(self.nest.loops) - 1 - self.hints.outside else 1
        first, end_ = self._range(loop, lanes)
        innermost = depth == len(self.nest.loops) - 1
        starts = self._starts(loop) if innermost else {}
        before = b.block
        b.branch(head)
        b.position_at_end(head)
        counter = b.phi(self.i64)
        counter.add_incoming(first, before)
        for reference, start in starts.items():
            self.moving[reference] = start, b.phi(self.i64)
            self.moving[reference][1].add_incoming(self.integers.number(0), before)
        b.cbranch(b.icmp_signed("<", counter, end_), body, end)
        b.position_at_end(body)
        self._enter(loop, counter, lanes)
        self._statements(self._level(depth), depth)
        self._move_on()
        counter.add_incoming(b.add(counter, self.integers.number(1), flags=("nuw", "nsw")), b.block)
        branch = b.branch(head)
        if innermost:
            branch.set_metadata("llvm.loop", self._marks())
        del self.symbols[loop.variable]
        self.side_by_side = [] if lanes > 1 else self.side_by_side
        b.position_at_end(end)

    def _starts(self, loop: Loop) -> dict[Ref, Any]:
        """Initial offsets of elementwise accesses."""
        self.symbols[loop.variable] = self.integers.value(loop.lower)
        found = {reference: self._address(reference) for reference, _ in self.hints.single}
        del self.symbols[loop.variable]
        return found

    def _move_on(self) -> None:
        """Advances the offsets of elementwise accesses to the next iteration."""
        for reference, step in self.hints.single:
            if reference in self.moving:
                _, offset = self.moving.pop(reference)
                moved = self.builder.add(offset, self.integers.value(step), flags=("nsw",))
                offset.add_incoming(moved, self.builder.block)

    def _enter(self, loop: Loop, counter: Any, lanes: int) -> None:
        """Sets the loop's variable, or one for each lane."""
        if lanes > 1:
            first = self.builder.mul(counter, self.integers.number(lanes), flags=("nsw",))
            self.side_by_side = [
                self._variable(loop, self.builder.add(first, self.integers.number(lane), flags=("nsw",)), lanes)
                for lane in range(lanes)
            ]
        self.symbols[loop.variable] = self.side_by_side[0] if lanes > 1 else self._variable(loop, counter, lanes)

    def _range(self, loop: Loop, lanes: int) -> tuple[Any, Any]:
        """Initial value of the counter, and its exclusive upper bound."""
        if lanes == 1 and _is_plain(loop):
            return self.integers.value(loop.lower), self.integers.value(loop.upper + 1)
        trips = self._trips(loop)
        trips = trips if lanes == 1 else self.builder.sdiv(trips, self.integers.number(lanes))
        return self.integers.number(0), trips

    def _trips(self, loop: Loop) -> Any:
        if not loop.counted:
            return self.integers.value(loop.trips)
        step = loop.step.integer
        if step in (1, -1):
            distance = loop.upper - loop.lower if step == 1 else loop.lower - loop.upper
            return self.integers.value(distance + 1)
        last, by = self.integers.value(loop.upper - loop.lower), self.integers.value(loop.step)
        return self.builder.add(self.builder.sdiv(last, by), self.integers.number(1))

    def _variable(self, loop: Loop, counter: Any, lanes: int) -> Any:
        if lanes == 1 and _is_plain(loop):
            return counter
        step = self.integers.value(loop.step)
        moved = counter if loop.step == 1 else self.builder.mul(counter, step, flags=("nsw",))
        if loop.lower == ZERO:
            return moved
        return self.builder.add(moved, self.integers.value(loop.lower), flags=("nsw",))

    def _level(self, depth: int) -> tuple[Statement, ...]:
        """Statements of a loop; loops that another nest owns contain only the next one."""
        if depth < self.nest.shared:
            return (Inner(self.nest.line),)
        return self.nest.levels[depth - self.nest.shared]

    def _marks(self) -> Any:
        hints, marks = self.hints, []

        def mark(name: str, *value: Any) -> None:
            marks.append(self.module.add_metadata([f"llvm.loop.{name}", *value]))

        i32 = self.ir.IntType(32)
        if hints.vector_width or not hints.vectorise:
            mark("vectorize.width", self.ir.Constant(i32, hints.vector_width if hints.vectorise else 1))
        if hints.interleave or not hints.vectorise:
            mark("interleave.count", self.ir.Constant(i32, hints.interleave or 1))
        if not hints.unroll:
            mark("unroll.disable")
        return self.module.add_metadata([_LOOP_MARK, *marks])

    # ---- statements

    def _statements(self, statements: tuple[Statement, ...], depth: int) -> None:
        for statement in statements:
            match statement:
                case Store() | Set() if self.side_by_side:
                    self._in_lanes(statement)
                case Store():
                    self._store(statement)
                case Set(target, value, kind):
                    common = self.expressions.as_type(value, kind)
                    for lane in range(self.hints.lanes):
                        self._set_lane(lane, target, common)
                case Branch():
                    self._branch(statement, depth)
                case Inner(_, True, reads):
                    self._hand_over(reads)
                case Inner():
                    self._loop(depth + 1)
                    self._hand_over(only_inside(self.nest, depth))
                case Invoke(function, _, line):
                    raise UnsupportedError(f"no code can be generated for the call of {function}", line=line)

    def _in_lanes(self, statement: Store | Set) -> None:
        """Emits a statement of the vectorised loops once for each lane, with its own variable and scalars."""
        variable = self.nest.loops[-1 - self.hints.outside].variable
        for lane, value in enumerate(self.side_by_side):
            self.lane, self.symbols[variable] = lane, value
            if isinstance(statement, Store):
                self._store(statement)
            else:
                self._set_lane(lane, statement.target, self.expressions.as_type(statement.value, statement.type))
        self.lane, self.symbols[variable] = 0, self.side_by_side[0]

    def _branch(self, statement: Branch, depth: int) -> None:
        test = self.expressions.truth(statement.condition)
        if not statement.other:
            with self.builder.if_then(test):
                self._statements(statement.then, depth)
            return
        with self.builder.if_else(test) as arms:
            for arm, statements in zip(arms, (statement.then, statement.other), strict=True):
                with arm:
                    self._statements(statements, depth)

    def _store(self, statement: Store) -> None:
        kind, source = statement.target.type, statement.value
        if self.rules.within and isinstance(source, Op) and source.args[:1] == (statement.target,):
            for term in source.args[1:]:  # of `a += b`, clang reads b first; what is read twice becomes one
                self.expressions.value(term)
        value = self.expressions.as_type(source, kind)
        address = self._address(statement.target)
        if kind.kind == "complex":
            for number, part in enumerate((value.re, value.im)):
                self.builder.store(part, self._part(address, number))
            return
        value = self.builder.zext(value, memory_type(kind)) if kind.kind == "bool" else value
        self.builder.store(value, address)

    def _set_lane(self, lane: int, target: str, value: Any) -> None:
        parts = (value.re, value.im) if isinstance(value, Pair) else (value,)
        for part, slot in zip(parts, self.slots[lane][target], strict=True):
            self.builder.store(part, slot)

    # ---- values

    def _scalar_value(self, variable: Var) -> Any:
        if variable.name in self.types:
            slots = self.slots[self.lane][variable.name]
            parts = [self.builder.load(slot) for slot in slots]
            return Pair(*parts) if len(parts) == 2 else parts[0]
        if variable.value is None:  # pragma: no cover - scalar_types names every such one
            raise UnsupportedError(f"no code can be generated for {variable.name}")
        whole = self.integers.value(variable.value)
        return self.expressions.arithmetic.convert(whole, ElementType("int", 8), variable.type)

    def _element_value(self, reference: Ref) -> Any:
        address, kind = self._address(reference), reference.type
        if kind.kind == "complex":
            return Pair(*(self.builder.load(self._part(address, number)) for number in (0, 1)))
        value = self.builder.load(address)
        return self.builder.trunc(value, self.ir.IntType(1)) if kind.kind == "bool" else value

    def _part(self, address: Any, number: int) -> Any:
        i32 = self.ir.IntType(32)
        return self.builder.gep(address, [self.ir.Constant(i32, 0), self.ir.Constant(i32, number)], inbounds=True)

    def _address(self, reference: Ref) -> Any:
        """Address computed row by row, as in the source: so LLVM recognises adjacent elements."""
        if reference in self.moving:
            start, offset = self.moving[reference]
            return self.builder.gep(start, [offset], inbounds=True)
        array = self._array(reference.array)
        if len(reference.subscripts) != len(array.use.dims):  # of two views of one array, one has its extents
            used, known = len(reference.subscripts), len(array.use.dims)
            message = f"no code can be generated: {reference.array} has {known} dimensions, and {used} subscripts"
            raise UnsupportedError(message, line=self.nest.line)
        address = array.pointer
        for subscript, stride, dim in zip(reference.subscripts, array.strides, array.use.dims, strict=True):
            moved = (subscript - dim.lower) * (ONE if stride is None else stride)
            address = self.builder.gep(address, [self.integers.value(moved)], inbounds=True)
            address = address if stride is not None else self._row(address)
        if array.use.member is not None and array.use.member.offset:
            elements = array.use.member.offset // array.use.type.size
            address = self.builder.gep(address, [self.integers.number(elements)], inbounds=True)
        return address

    def _row(self, address: Any) -> Any:
        """Loads the pointer to a row. Stores of numbers do not change it: type-based alias analysis."""
        pointer = self.builder.load(address)
        pointer.set_metadata("invariant.load", self.module.add_metadata([]))
        return pointer

    def _array(self, name: str) -> _Array:
        if name not in self.arrays:
            raise UnsupportedError(f"no code can be generated: {name} is not among the arrays of the nest")
        return self.arrays[name]

    def _pointer(self, use: ArrayUse) -> Any:
        """Pointer of an array; members of one array of records with the same type share it."""
        together = [
            other
            for other in self.nest.arrays
            if use.member and other.member and other.member.records == use.member.records
            if other.type == use.type
        ]
        return self.given[f"array {self.nest.arrays.index(together[0] if together else use)}"]

    def _symbol(self, name: str) -> Any:
        if name in self.symbols:
            return self.symbols[name]
        if base_name(name) in self.types:
            variable = Var(base_name(name), self.types[base_name(name)])
            value = self._scalar_value(variable)
            return self.expressions.arithmetic.convert(value, variable.type, ElementType("int", 8))
        return self.given[f"size {name}"]

    def _index(self, name: str, subscripts: tuple[Poly, ...]) -> Any:
        """Element of an index array, as a 64-bit integer. Subscripts are those of the source: where rows were found in
        a flat array, the single subscript counts from the first element of the first row."""
        array = self._array(name)
        kind, rows = array.use.type, array.use.dims[: -len(subscripts)]
        subscripts = (*(dim.lower for dim in rows), *subscripts)
        if kind.kind not in DISCRETE:
            raise UnsupportedError(f"no code can be generated: a subscript depends on {name}, which holds {kind.name}")
        value = self._element_value(Ref(name, subscripts, kind))
        return self.expressions.arithmetic.convert(value, kind, ElementType("int", 8))


def _is_plain(loop: Loop) -> bool:
    """Whether the source's variable equals the counter."""
    return loop.counted and loop.step == 1


def _parts(kind: ElementType) -> tuple[tuple[str, Any], ...]:
    """Components of a scalar: one, or the two of a complex number."""
    if kind.kind != "complex":
        return (("", value_type(kind)),)
    part = value_type(real_part(kind))
    return ((" re", part), (" im", part))


_LOOP_MARK, _KEPT = "foretell.loop", "foretell.kept"


def _as_llvm_wants(text: str) -> str:
    """Adds metadata that llvmlite cannot write: loop metadata is distinct and self-referential; stores that must stay
    are volatile; and copy or fill loops stay loops, because a call of memcpy has no known cost. Vectors wider than
    preferred are not made legal merely because a function might use them."""
    for number in re.findall(rf'^!(\d+) = !{{ !"{_LOOP_MARK}"', text, re.MULTILINE):
        old = rf'^!{number} = !{{ !"{_LOOP_MARK}"'
        text = re.sub(old, f"!{number} = distinct !{{ !{number}", text, flags=re.MULTILINE)
    text = re.sub(rf"^( *store )(.*), !{_KEPT} !\d+$", r"\1volatile \2", text, flags=re.MULTILINE)
    kept = '"no-builtin-memset" "no-builtin-memcpy" "no-builtin-memmove" "min-legal-vector-width"="0"'
    return re.sub(rf'^(define [^\n]*@"{FUNCTION}"\([^\n]*\))', rf"\1 {kept}", text, flags=re.MULTILINE)
