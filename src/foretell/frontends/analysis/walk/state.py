"""State of the symbolic execution of a function: values of integers and pointers, and the recorded items.

An address is a *path*: the object's name, then subscripts and members, `("grid", Sub(b), ".phi", "*", Sub(ijk))`,
where "*" marks a pointer loaded from memory. Pointer arithmetic changes the last subscript; this suffices to
resolve row pointers, incremented pointers and struct members to the array they traverse.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Literal

from foretell.core.nest.loopnest import Note
from foretell.core.nest.statements import ElementType, Expression, Invoke, Ref, Set, Store
from foretell.core.symbolic.poly import ONE, ZERO, Poly, symbol
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from foretell.core.nest.directive import Directive
    from foretell.frontends.analysis.walk.program_arguments import Default


@record
class Sub:
    """One subscript of a path; `extent` and `lower` where the type gives them."""

    value: Poly
    extent: Poly | None = None
    lower: Poly = ZERO
    #: changed by pointer arithmetic, so that it may leave the row
    moved: bool = field(default=False, compare=False)


Path = tuple[str | Sub, ...]


@record
class Address:
    """A pointer value. The path ends in the subscript that pointer arithmetic changes."""

    path: Path
    target: ir.Type

    def moved(self, by: Poly) -> Address:
        last = self.path[-1]
        if not isinstance(last, Sub):
            return Address((*self.path, Sub(by)), self.target)
        return Address((*self.path[:-1], Sub(last.value + by, last.extent, last.lower, True)), self.target)


@record
class Code:
    """A function as a value."""

    function: str


@record
class Lvalue:
    """A memory location that an expression denotes; `loads` are the elements read to compute its address."""

    path: Path
    type: ir.Type
    loads: tuple[Ref, ...] = ()


#: None: unknown, or irrelevant (floating-point values)
Value = Poly | Address | Code | None
Environment = dict[str | Path, Value]


class Shares(dict[tuple[str, int], Fraction]):
    """(file name or "", line) → probability of the condition there; and the lines at which there are conditions."""

    def __init__(self, given: Mapping[tuple[str, int], Fraction] | None = None) -> None:
        super().__init__(given or {})
        self.lines: set[tuple[str, int]] = set()
        #: the share on a line (file, line) in a run of the program, and those that were used
        self.measured: Callable[[str, int], Fraction | None] | None = None
        self.used: dict[tuple[str, int], Fraction] = {}

    @property
    def unused(self) -> list[tuple[str, int]]:
        """The given lines without a condition."""
        known = self.lines | {("", line) for _, line in self.lines}
        return [key for key in self if key not in known]


Shape = tuple[tuple[Poly | None, Poly], ...]  # (extent, lower bound) of every dimension, slowest first


@record
class View:
    """A dummy array mapped to its actual argument."""

    base: Address | Lvalue
    shape: Shape
    #: shape of the actual argument, where the dummy covers all of it
    actual: Shape = ()


# ---------------------------------------------------------------------------------------------- records


@dataclass(slots=True)
class LoopItem:
    """A symbolically executed loop."""

    variable: str
    lower: Poly
    upper: Poly
    step: Poly
    line: int
    file: str
    directives: tuple[Directive, ...]
    items: list[Item] = field(default_factory=list)
    implied: bool = False
    counted: bool = True
    trips: Poly = ONE
    #: iterations after which the code behind the loop goes on, where data may end it before its count
    passed: Poly | None = None
    #: the loop in the source, to recognise it in another inlined instance
    origin: int = 0
    source: ir.Loop | ir.While | None = None
    #: early exits of the loop, which affect every nest in it
    ends: list[Mark] = field(default_factory=list)
    #: the share of the tests of its condition on data that end it, where that is given
    leaves: Fraction | None = None
    #: shares of iterations in which an exit leaves the loop, where they are given or measured
    leaving: list[Fraction] = field(default_factory=list)
    language: Literal["c", "fortran"] = "c"


@dataclass(slots=True)
class BranchItem:
    """A condition inside the analysed code; `share` is its indicator as a polynomial, if known."""

    condition: Expression
    share: Poly | None
    probability: Fraction
    text: str
    line: int
    then: list[Item] = field(default_factory=list)
    other: list[Item] = field(default_factory=list)
    #: whether it is invariant in the loops around
    fixed: bool = False
    #: whether only some terms of the share are exact
    guessed: bool = False
    #: whether the user gives the probability
    given: bool = False
    #: of a running extreme, the innermost loops since it was reset
    extreme_over: int = 0
    #: the side that leaves the innermost loop around
    leaves: bool | None = None


#: «exit» is an early exit of a loop: a bound or an assumption, see `exits.ending`
MarkKind = Literal["assumed", "bound", "exit", "refused", "remark"]


@record
class Mark:
    """A note about the nest that contains it: an assumption, a bound, or the reason for refusing it."""

    kind: MarkKind
    note: Note
    #: number of loops lost there, and the source statement that lost them
    loops: int = 0
    origin: int = 0


@record
class CallMark:
    """A call, to be counted."""

    callee: str
    line: int
    arguments: tuple[tuple[str, str], ...]
    treatment: str
    bytes: Poly | None = None


@record
class Head:
    """Reads of loop bounds, once before the loop starts."""

    tree: Expression
    line: int


Item = LoopItem | BranchItem | Head | Mark | CallMark | Store | Set | Invoke


@dataclass(slots=True)
class Frame:
    """One activation record of a function during symbolic execution."""

    function: ir.Function
    unit: ir.Unit
    prefix: str  # "" for the function under analysis, "~n" for inlined ones
    variables: dict[str, ir.Variable]
    result: str = ""
    result_tree: Expression | None = None
    #: loops and branches open at function entry
    loops: int = 0
    branches: int = 0

    @property
    def inlined(self) -> bool:
        return bool(self.prefix)


@dataclass(slots=True)
class State:
    """The complete state of one function under analysis."""

    frame: Frame
    env: Environment = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    loops: list[LoopItem] = field(default_factory=list)
    #: symbol → the variable it represents, so that two variables never share one
    owners: dict[str, str] = field(default_factory=dict)
    display: dict[str, str] = field(default_factory=dict)
    #: names of scalars in statements
    labels: dict[str, str] = field(default_factory=dict)
    storage: dict[str, str] = field(default_factory=dict)
    restrict: set[str] = field(default_factory=set)
    scalars: dict[str, ElementType] = field(default_factory=dict)
    paths: dict[Path, int] = field(default_factory=dict)
    path_list: list[Path] = field(default_factory=list)
    names: dict[Path, str] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    instances: int = 0
    steps: int = 0
    branches: int = 0
    #: enclosing conditions, each with the number of loops open there, and the side that is walked
    conditions: list[tuple[int, BranchItem, bool]] = field(default_factory=list)
    #: number of enclosing branches that end in an error
    failing: int = 0
    #: probabilities of conditions, given by the user
    shares: Shares = field(default_factory=Shares)
    #: nesting depth of dry runs, which only detect loop-carried values
    dry: int = 0
    region: tuple[Directive, ...] = ()
    #: named floating-point constants and their expressions
    literals: dict[str, Expression] = field(default_factory=dict)
    #: pointer parameters that point to a single number
    pointed: set[str] = field(default_factory=set)
    #: pointers with unknown increments
    irregular: set[str] = field(default_factory=set)
    #: number of loops open at a variable's declaration
    born: dict[str, int] = field(default_factory=dict)
    #: values given by the user, for deciding conditions
    given: dict[str, Poly] = field(default_factory=dict)
    #: strings given by the user, by variable
    texts: dict[str, str] = field(default_factory=dict)
    #: floating-point parameters given by the user that the function does not change, by name
    reals: dict[str, float] = field(default_factory=dict)
    #: alternatives with loops that were chosen by values of the user
    decisions: list[Note] = field(default_factory=list)
    #: the number of the program's arguments, and its value in a run without any
    arguments: dict[str, Poly] = field(default_factory=dict)
    #: parameters that have a value in such a run
    defaults: dict[str, Default] = field(default_factory=dict)
    #: unknown values: symbols that represent data
    data: set[str] = field(default_factory=set)
    #: of those, the loop in whose iterations they differ
    decided_in: dict[str, LoopItem] = field(default_factory=dict)
    #: and those that are not loaded anew in each iteration, or change by a step that data decide
    kept: set[str] = field(default_factory=set)
    running: set[str] = field(default_factory=set)
    call: Callable[[State, ir.Call, int], tuple[Expression, Value]] | None = None

    def opened(self, frame: Frame) -> State:
        """A new state for a function, with the knowledge of this one."""
        copied = ("env", "shapes", "owners", "display", "storage", "restrict", "scalars", "literals")
        known = {name: copy(getattr(self, name)) for name in copied}
        return State(frame, given=self.given, shares=self.shares, call=self.call, **known)

    # ---- names

    def key(self, identifier: str) -> str:
        """The variable's unique key: locals of inlined calls include the instance."""
        frame = self.frame
        return identifier + frame.prefix if frame.prefix and identifier in frame.variables else identifier

    def fresh(self, name: str, owner: str) -> str:
        """A symbol for `owner`, named `name` unless that belongs to another variable."""
        candidate, number = name, 1
        while self.owners.setdefault(candidate, owner) != owner:
            number += 1
            candidate = f"{name}~{number}"
        return candidate

    def unknown(self, key: str, line: int = 0, mark: str = "") -> Poly:
        """A symbol for an unknown integer: the variable's own name, then name@line."""
        name = self.display.get(key, key)
        return symbol(self.fresh(f"{name}@{line}{mark}" if line else name, f"{key}@{line}{mark}"))

    def unknown_data(self, key: str, line: int, loop: LoopItem | None = None) -> Poly:
        """A symbol for an unknown integer that represents data; another one in each iteration of `loop`."""
        value = self.unknown(key, line)
        self.data |= value.atoms()
        if loop is not None:
            self.decided_in.update(dict.fromkeys(value.atoms(), loop))
        return value

    def unknown_inside(self, key: str, line: int, loop: LoopItem, kind: set[str]) -> Poly:
        """A symbol for an unknown integer inside `loop`, of one of the kinds above; after the loop it has another."""
        value = self.unknown(key, line, "~1")
        self.data |= value.atoms()
        kind |= value.atoms()
        self.decided_in.update(dict.fromkeys(value.atoms(), loop))
        return value

    def label(self, key: str) -> str:
        """The name of a scalar in statements: that of the source, with the instance of an inlined call."""
        label = self.labels.get(key)
        if label is None:
            name, mark, instance = key.partition("~")
            label = self.labels[key] = self.display.get(key, name) + mark + instance
        return label

    def stated_share(self, line: int) -> Fraction | None:
        """The probability of the condition on a line, if the user gives it."""
        file = self._own_file()
        self.shares.lines.add((file, line))
        here = self.shares.get((file, line))
        return here if here is not None else self.shares.get(("", line))

    def given_share(self, line: int) -> Fraction | None:
        """The same, or how often it held in a run."""
        if not self.shares and self.shares.measured is None:
            return None
        file, here = self._own_file(), self.stated_share(line)
        if here is None and self.shares.measured is not None:
            here = self.shares.measured(file, line)
            if here is not None:
                self.shares.used[file, line] = here
        return here

    def _own_file(self) -> str:
        return self.frame.function.file.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def innermost(self) -> LoopItem | None:
        """The innermost open loop."""
        return self.loops[-1] if self.loops else None

    def frame_loops(self) -> int:
        """The number of open loops of the current function itself."""
        return len(self.loops) - self.frame.loops

    # ---- recording

    def note(self, kind: MarkKind, line: int, text: str) -> None:
        self.items.append(Mark(kind, Note(line, text)))

    def reference(self, path: Path, kind: ElementType, loads: tuple[Ref, ...]) -> Ref:
        """A reference to the element at `path`, stored by number until the nest is assembled."""
        position = self.paths.get(path)
        if position is None:
            position = self.paths[path] = len(self.path_list)
            self.path_list.append(path)
        return Ref(f"#{position}", (), kind, loads)


_number_type = cache(ElementType)


def element_type(kind: ir.Type) -> ElementType:
    """The element type of a scalar; pointers and the rest are 'other'."""
    while not isinstance(kind, ir.Scalar) and isinstance(kind, ir.Array):
        kind = kind.element
    if isinstance(kind, ir.Scalar):
        return _number_type(kind.kind, kind.size)
    return ElementType("record", size_of(kind)) if isinstance(kind, ir.Record) else ElementType("other", 8)


def is_discrete(kind: ElementType) -> bool:
    return kind.kind in ("int", "uint", "bool")


def size_of(kind: ir.Type) -> int:
    """The size of a type in bytes, with natural alignment; 0 where unknown."""
    return extent(kind)[0]


def extent(kind: ir.Type) -> tuple[int, int]:
    """Size and natural alignment of a type in bytes; size 0 where unknown."""
    match kind:
        case ir.Scalar(number, size):
            return size, max(1, size // 2 if number == "complex" else size)
        case ir.Pointer() | ir.Procedure():
            return 8, 8
        case ir.Array(element, dims):
            size, alignment = extent(element)
            return size * prod(constant_size(dim) or 0 for dim in dims), alignment
        case ir.Record():
            return _record_extent(kind)
    return 0, 8


@lru_cache(maxsize=4096)
def _record_extent(kind: ir.Record) -> tuple[int, int]:
    end, widest = 0, 1
    for _, member in kind.fields:
        size, alignment = extent(member)
        end, widest = -(-end // alignment) * alignment + size, max(widest, alignment)
    return -(-end // widest) * widest, widest


def constant_size(dim: ir.Extent) -> int | None:
    return dim.size.value if isinstance(dim.size, ir.Const) and isinstance(dim.size.value, int) else None


def varies(path: Path, variables: Iterable[str]) -> bool:
    """Whether a subscript of a path depends on one of these variables."""
    return any(isinstance(part, Sub) and part.value.depends_on(variables) for part in path)


def path_text(path: Path, display: Mapping[str, str]) -> str:
    """The source notation of a path: level.box[b].phi[ijk]."""
    text = ""
    for before, part in pairwise(("", *path)):
        if isinstance(part, Sub):
            text = f"{text[:-1]}, {part.value}]" if isinstance(before, Sub) else f"{text}[{part.value}]"
        elif part != "*":
            text += part if text else display.get(part, part)
    return text
