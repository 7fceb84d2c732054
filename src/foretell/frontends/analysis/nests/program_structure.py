"""The program around the nests: functions, call sites and messages with their counts, globals, scalars."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from foretell.core.nest.functions import Argument, FunctionInfo
from foretell.core.nest.loopnest import CallSite, Loop, LoopNest, MessageCall, Note
from foretell.core.symbolic.poly import ONE, ZERO, Poly, TooLargeError, number
from foretell.frontends.analysis.loops import ranges
from foretell.frontends.analysis.nests.build import source_loop
from foretell.frontends.analysis.walk.state import BranchItem, CallMark, Item, LoopItem, State, element_type
from foretell.frontends.source import ir
from foretell.frontends.source.traversal import statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.nest.statements import ElementType
    from foretell.frontends.analysis.calls.call_graph import Index

#: bytes of a struct that is passed in registers
_IN_VECTORS = 16
_POINTER = 8
#: members of a struct that are looked at, with those of structs within it
_MOST_MEMBERS = 4096


def _by_reason(troubles: Sequence[tuple[int, str]]) -> list[str]:
    """Each reason once, with its lines in their order."""
    lines: dict[str, list[int]] = {}
    for line, reason in troubles:
        if line not in lines.setdefault(reason, []):
            lines[reason].append(line)
    return [f"line{'s' * (len(own) > 1)} {', '.join(map(str, own))}: {reason}" for reason, own in lines.items()]


def describe(function: ir.Function, unit: ir.Unit, index: Index) -> FunctionInfo:
    facts = index.scanner.sequence(function.body)
    troubles = _by_reason(
        [
            *((d.line, d.message) for d in function.errors if d.severity == "error"),
            *((o.line, o.reason) for o in facts.opaque),
        ]
    )
    return FunctionInfo(
        function.display,
        function.file,
        function.line,
        function.language,
        tuple(parameter.display for parameter in function.parameters),
        facts.loops,
        not troubles,
        "; ".join(troubles),
        tuple((p.display, _element(p.type)) for p in function.parameters if isinstance(p.type, ir.Array | ir.Pointer)),
        _arguments(function),
        starts=function.name == "main" or "main" in function.link_names,
        unit=unit.file,
        included=function.included,
        symbol=_symbol(function),
    )


def _symbol(function: ir.Function) -> str:
    """The name of a Fortran procedure in code of gfortran."""
    name = next(iter(function.link_names), "") if function.language == "fortran" else ""
    return "MAIN__" if name == "main" else name


def _arguments(function: ir.Function) -> tuple[Argument, ...]:
    """The parameters as the calling convention sees them. A Fortran function with a result that is no number takes
    more than its parameters."""
    if function.language == "c":
        return tuple(_argument(p.display, p.type) for p in function.parameters)
    hidden = () if isinstance(function.result, ir.Scalar | ir.Void) else (Argument("", "other"),)
    return (*hidden, *map(_dummy, function.parameters))


def _dummy(variable: ir.Variable) -> Argument:
    """A dummy argument: an address, but for VALUE."""
    name, kind = variable.display, variable.type
    if variable.descriptor:
        kind = kind.target if isinstance(kind, ir.Pointer) else kind
        if isinstance(kind, ir.Array) and isinstance(kind.element, ir.Scalar):
            return Argument(name, "described", kind.element.size, rank=len(kind.dims))
        return Argument(name, "other")
    if isinstance(kind, ir.Pointer):
        return Argument(name, "other")
    if not variable.by_reference:
        return _argument(name, kind)
    element = kind.element if isinstance(kind, ir.Array) else kind
    if isinstance(element, ir.Record) and not all(isinstance(one, ir.Scalar) for _, one in element.fields):
        return Argument(name, "other")
    if isinstance(element, ir.Record) and not isinstance(kind, ir.Array):
        return Argument(name, "record", element.size, _fields(element))
    return Argument(name, "pointer", 1 if isinstance(element, ir.Unknown) else _size(element))


def _argument(name: str, kind: ir.Type) -> Argument:
    """A parameter or field as C's calling convention and layout see it."""
    if isinstance(kind, ir.Scalar):
        return Argument(name, "float" if kind.kind in ("float", "complex") else "integer", kind.size)
    if isinstance(kind, ir.Pointer | ir.Array):
        target = kind.target if isinstance(kind, ir.Pointer) else kind.element
        if isinstance(target, ir.Pointer):
            inner = _argument(name, target)
            return Argument(name, "rows", inner.size, ((0, inner),) if inner.kind == "rows" else ())
        if isinstance(target, ir.Array):
            return Argument(name, "pointer", _size(target.element))
        if isinstance(target, ir.Record) and isinstance(kind, ir.Pointer):
            return Argument(name, "record", target.size, _fields(target))
        return Argument(name, "pointer", _size(target))
    return Argument(name, "float" if _is_in_vectors(kind) else "other", _size(kind))


def _is_in_vectors(kind: ir.Type) -> bool:
    """Whether a struct is passed in vector registers: floating-point numbers alone, of up to 16 bytes (System V ABI for
    x86-64, 3.2.3; homogeneous aggregates of AArch64)."""
    if not isinstance(kind, ir.Record) or not 0 < kind.size <= _IN_VECTORS:
        return False
    return bool(kind.fields) and all(isinstance(one, ir.Scalar) and one.kind == "float" for _, one in kind.fields)


def _size(kind: ir.Type) -> int:
    """Bytes of an element; 8 where unknown."""
    return kind.size if isinstance(kind, ir.Scalar | ir.Record) and kind.size else 8


def _fields(record: ir.Record) -> tuple[tuple[int, Argument], ...]:
    """Numbers and pointers of a struct with their offsets, by C's natural alignment, also those of structs within it;
    none after a field whose size is not known."""
    return tuple(_Layout().fields(record, 0, ""))


class _Layout:
    """Where the members of a struct lie. Structs in structs have 2^depth members: each type is measured once, and only
    so many members are looked at."""

    def __init__(self) -> None:
        self._spaces: dict[int, tuple[int, int] | None] = {}
        self._left = _MOST_MEMBERS

    def fields(self, record: ir.Record, at: int, within: str) -> Iterator[tuple[int, Argument]]:
        """The fields of a struct that begins at an offset; `within`: how names of its members begin."""
        for name, kind in record.fields:
            if (space := self._space(kind)) is None or not self._left:
                break
            self._left -= 1
            size, alignment = space
            at += -at % alignment
            if isinstance(kind, ir.Record):
                yield from self.fields(kind, at, f"{within}{name}.")
            elif not isinstance(kind, ir.Array):
                of_record = isinstance(kind, ir.Pointer) and isinstance(kind.target, ir.Record)
                full = f"{within}{name}"
                yield at, Argument(full, "pointer", _POINTER) if of_record else _argument(full, kind)
            at += size

    def _space(self, kind: ir.Type) -> tuple[int, int] | None:
        """Bytes and alignment of a field; None where they are not known."""
        if isinstance(kind, ir.Scalar):
            return kind.size, max(kind.size // 2 if kind.kind == "complex" else kind.size, 1)
        if isinstance(kind, ir.Pointer):
            return _POINTER, _POINTER
        if isinstance(kind, ir.Array):
            counts = [dim.size.value for dim in kind.dims if isinstance(dim.size, ir.Const)]
            whole = [count for count in counts if isinstance(count, int)]
            inner = self._space(kind.element)
            return (inner[0] * prod(whole), inner[1]) if inner is not None and len(whole) == len(kind.dims) else None
        if not isinstance(kind, ir.Record) or not kind.size:
            return None
        if id(kind) not in self._spaces:
            spaces = [self._space(one) for _, one in kind.fields]
            alignments = [one[1] for one in spaces if one is not None]
            known = alignments and len(alignments) == len(spaces)
            self._spaces[id(kind)] = (kind.size, max(alignments)) if known else None
        return self._spaces[id(kind)]


def _element(kind: ir.Type) -> ElementType:
    """The element type of an array or pointer."""
    return _element(kind.target) if isinstance(kind, ir.Pointer) else element_type(kind)


def refused(function: ir.Function, index: Index, claimed: set[int], reason: str) -> LoopNest:
    """The nest of a function that could not be analysed, with all its loops."""
    facts = index.scanner.sequence(function.body)
    origins = {id(one): 1 for one in statements(function.body) if _is_loop(one)}
    origins |= {id(one): one.loops for one in facts.opaque if one.loops}
    owned = sum(count for origin, count in origins.items() if origin not in claimed)
    claimed.update(origins)
    line = next((one.line for one in statements(function.body) if isinstance(one, ir.Loop | ir.While)), function.line)
    return _refused(function, line, reason, owned)


def _refused(function: ir.Function, line: int, reason: str, owned: int) -> LoopNest:
    loops = (Loop("", ZERO, ZERO, ONE, line, ONE, counted=False),) if owned else ()
    origin = (function.file, line, function.display, function.language)
    return LoopNest(*origin, loops, status="refused", reason=reason, owned=owned)


def _is_loop(one: ir.Stmt) -> bool:
    return isinstance(one, ir.While) or (isinstance(one, ir.Loop) and not one.implied)


def unreached(function: ir.Function, claimed: set[int]) -> Iterator[LoopNest]:
    """Loops that were not executed symbolically: lost by the front end, or dead code (they do not run)."""
    for statement in statements(function.body):
        if isinstance(statement, ir.Opaque) and statement.loops and id(statement) not in claimed:
            claimed.add(id(statement))
            yield _refused(function, statement.line, f"line {statement.line}: {statement.reason}", statement.loops)
        if not _is_loop(statement) or id(statement) in claimed:
            continue
        own = {id(inner) for inner in statements((statement,)) if _is_loop(inner)} - claimed
        claimed |= own
        name = statement.variable if isinstance(statement, ir.Loop) else f"iteration_L{statement.line}"
        loops = (Loop(name, ONE, ZERO, ONE, statement.line, ZERO),)
        origin = (function.file, statement.line, function.display, function.language)
        yield LoopNest(*origin, loops, remarks=(Note(statement.line, "is never reached"),), owned=len(own))


def without_expanded(nests: list[LoopNest], program: ir.Program, calls: list[CallSite], asked: str) -> list[LoopNest]:
    """Drops nests of static functions that are inlined at every call, unless it is such a one that is asked for."""
    expanded = {call.callee for call in calls if call.treatment == "inlined"}
    separate = {call.callee for call in calls if call.treatment == "separate"}
    gone = {
        (function.file, function.display)
        for unit in program.units
        for function in unit.functions
        if function.static and function.name in expanded - separate and function.display != asked
    }
    kept = [nest for nest in nests if (nest.file, nest.function) not in gone or nest.status == "refused"]
    lost = sum(nest.owned for nest in nests) - sum(nest.owned for nest in kept)
    return kept if not lost else _claimed_again(nests, kept, gone)


def _claimed_again(nests: list[LoopNest], kept: list[LoopNest], gone: set[tuple[str, str]]) -> list[LoopNest]:
    """Adds the loops of dropped nests to the nests that inlined them; restores dropped nests without an instance."""
    dropped = [nest for nest in nests if (nest.file, nest.function) in gone]
    missing: Counter[tuple[str, int]] = Counter()
    for nest in dropped:
        missing[nest.file, nest.line] += nest.owned
    claiming = [replace(nest, owned=nest.owned + missing.pop((nest.file, nest.line), 0)) for nest in kept]
    return [*claiming, *(nest for nest in dropped if (nest.file, nest.line) in missing)]


def with_errors(nests: list[LoopNest], ends: list[int], function: ir.Function) -> list[LoopNest]:
    """Marks nests of a function in which the front end found errors."""
    if not function.errors:
        return nests
    marked: list[LoopNest] = []
    # the first lines of the loops that only this nest contains
    starts = [min((loop.line for loop in nest.loops[nest.shared :]), default=nest.line) for nest in nests]
    for nest, first, end in zip(nests, starts, ends, strict=True):
        last = end or min((start - 1 for start in starts if start > first), default=function.end_line)
        inside = [d for d in function.errors if d.severity == "error" and first <= d.line <= last]
        if inside and nest.status != "refused":
            reason = f"line {inside[0].line}: {inside[0].message}"
            marked.append(replace(nest, status="refused", reason=reason))
        else:
            notes = tuple(Note(d.line, d.message) for d in function.errors)
            status = "assumed" if nest.status == "exact" else nest.status
            marked.append(replace(nest, status=status, assumptions=(*nest.assumptions, *notes)))
    return marked


def _marks(
    items: list[Item], count: Poly, around: tuple[LoopItem, ...] = ()
) -> Iterator[tuple[CallMark, Poly, tuple[Loop, ...]]]:
    """Calls with their count per execution of the function, and the loops around them."""
    for item in items:
        if isinstance(item, CallMark):
            yield item, count, tuple(map(source_loop, around))
        elif isinstance(item, LoopItem):
            for mark, inner, loops in _marks(item.items, ONE, (*around, item)):
                yield mark, count * ranges.summed(inner, item, around), loops
        elif isinstance(item, BranchItem):
            share = item.share if item.share is not None else number(item.probability)
            for side, part in ((item.then, share), (item.other, ONE - share)):
                if _calls(side):  # one product per branch, not per call
                    yield from _marks(side, count * part, around)


def _calls(items: list[Item]) -> bool:
    return any(
        isinstance(item, CallMark)
        or (isinstance(item, LoopItem) and _calls(item.items))
        or (isinstance(item, BranchItem) and (_calls(item.then) or _calls(item.other)))
        for item in items
    )


def _all_marks(state: State) -> list[tuple[CallMark, Poly, tuple[Loop, ...]]]:
    try:
        return list(_marks(state.items, ONE))
    except TooLargeError:
        return []


def call_sites(state: State, function: ir.Function) -> list[CallSite]:
    return [
        CallSite(function.display, mark.callee, function.file, mark.line, count, mark.arguments, mark.treatment, loops)
        for mark, count, loops in _all_marks(state)
        if mark.treatment != "message"
    ]


def messages(state: State, function: ir.Function) -> list[MessageCall]:
    return [
        MessageCall(mark.callee, function.display, function.file, mark.line, count, mark.bytes)
        for mark, count, _ in _all_marks(state)
        if mark.treatment == "message"
    ]


def _type_name(kind: ir.Type) -> str:
    if isinstance(kind, ir.Pointer):
        return element_type(kind.target).name + "*"
    return element_type(kind).name + "[]" * (len(kind.dims) if isinstance(kind, ir.Array) else 0)


def global_variables(program: ir.Program) -> tuple[tuple[str, str], ...]:
    return tuple((one.display, _type_name(one.type)) for unit in program.units for one in unit.globals)


def scalars(program: ir.Program) -> tuple[tuple[str, str], ...]:
    """Scalar parameters of functions: function.name and type."""
    return tuple(
        (f"{function.display}.{one.display}", _type_name(one.type))
        for unit in program.units
        for function in unit.functions
        for one in function.parameters
        if isinstance(one.type, ir.Scalar)
    )
