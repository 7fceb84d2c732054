"""The statement IR: the semantics of a C or Fortran program without its syntax.

A front end lowers source to this; one analyser (`frontends/analysis`) turns it into loop nests. The rules:

* Names are resolved. A `Name` carries the unique identifier of its `Variable`; a shadowing declaration gets
  another identifier («i», «i#2»), and `display` keeps what the user wrote.
* Types are explicit where they cannot be derived (names, constants, calls, casts, members); `type_of` derives the rest.
* Array dimensions and subscripts are listed from the slowest varying to the fastest (C's order); a Fortran front end
  reverses both and keeps lower bounds in `Extent.lower`.
* Loops have inclusive bounds in the direction of iteration. Code that cannot be lowered becomes `Opaque`, with line and
  reason: nothing is dropped.
* Fortran sections, whole-array expressions, WHERE and DO CONCURRENT arrive here as ordinary loops with `implied=True`.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal, TypeVar

from foretell.core.nest import directive
from foretell.core.nest.statements import ElementType
from foretell.records import record

Directive = directive.Directive

# ---------------------------------------------------------------------------------------------- types


@record
class Scalar:
    """A number: kind 'int', 'uint', 'float', 'complex' or 'bool', and its size in bytes (complex: both parts)."""

    kind: Literal["int", "uint", "float", "complex", "bool"]
    size: int


@record
class Extent:
    """One dimension: elements `lower … lower + size - 1`. `size` is None where unknown (`a[]`, `a(*)`, `a(:)`)."""

    size: Expr | None
    lower: Expr | None = None  # None: 0 in C; a Fortran front end always gives it


@record
class Array:
    """A dense array, dimensions from slowest to fastest varying."""

    element: Type
    dims: tuple[Extent, ...]


@record
class Pointer:
    target: Type
    restrict: bool = False


@record
class Record:
    """A struct or derived type; `fields` is empty for an incomplete one. Recursive types refer by name only. `size` in
    bytes is that of the compiler, 0 where unknown."""

    name: str
    fields: tuple[tuple[str, Type], ...] = ()
    size: int = field(default=0, compare=False)

    def __hash__(self) -> int:  # not of the members: with records in records these are 2^depth
        return hash((self.name, len(self.fields)))


@record
class Procedure:
    """A function (pointer) type."""

    result: Type


@record
class Void:
    pass


@record
class Unknown:
    """A type that the front end could not determine; the analyser notes an assumption where it matters."""

    spelling: str = ""


Type = Scalar | Array | Pointer | Record | Procedure | Void | Unknown

INT = Scalar("int", 4)
LONG = Scalar("int", 8)
FLOAT = Scalar("float", 4)
DOUBLE = Scalar("float", 8)
BOOL = Scalar("bool", 1)

# ---------------------------------------------------------------------------------------------- expressions


@record
class Const:
    value: int | float | complex | bool | str
    type: Type


@record
class Name:
    id: str
    type: Type


@record
class Index:
    """base[s0][s1]…: one node for all subscripts of an array, or one subscript of a pointer."""

    base: Expr
    subscripts: tuple[Expr, ...]


@record
class Member:
    """record.name; `p->name` is Member(Deref(p), name)."""

    base: Expr
    name: str
    type: Type


@record
class Deref:
    pointer: Expr


@record
class AddressOf:
    target: Expr


#: + - * / % ** << >> & | ^ && || == != < <= > >=, with C's meaning for the operand types (`/` on integers truncates)
BinaryOp = Literal[
    "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<", "<=", ">", ">="
]


@record
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr


@record
class Unary:
    op: Literal["-", "+", "!", "~"]
    operand: Expr


@record
class Select:
    """condition ? then : other; Fortran's merge, which evaluates both (`lazy` is false)."""

    condition: Expr
    then: Expr
    other: Expr
    lazy: bool = True


@record
class Cast:
    type: Type
    operand: Expr


@record
class Call:
    """A call. `function` is the callee's name as the linker sees it in its own language, lower-cased for Fortran;
    intrinsics and libm are called by their C names ('sqrt', 'fabs', 'exp', 'fma', 'min', 'max', …) whatever the
    precision, which is in `type`. An indirect call has `target` instead."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    target: Expr | None = None


Expr = Const | Name | Index | Member | Deref | AddressOf | Binary | Unary | Select | Cast | Call

# ---------------------------------------------------------------------------------------------- statements


@record
class Assign:
    """target = value. `a += b` arrives as Assign(a, a + b, compound=True): the address is evaluated once."""

    target: Expr
    value: Expr
    line: int
    compound: bool = False


@record
class Loop:
    """A counted loop: `variable` runs from `lower` to `upper` inclusive by `step` (which may be negative).

    All three are evaluated once, as mathematical integers (`n - 1` of an unsigned 0 is -1). After the loop the
    variable holds the first value beyond `upper`.

    C loops whose head has this form arrive here ('<', '<=', '!=', '>', '>=' and any constant or loop-invariant
    step); every other C loop is a `While`. `local`: the variable does not outlive the loop."""

    variable: str
    lower: Expr
    upper: Expr
    step: Expr
    body: tuple[Stmt, ...]
    line: int
    directives: tuple[Directive, ...] = ()
    implied: bool = False
    local: bool = False
    #: '!=' in the head: the trip count is exact only if step divides the distance (an assumption)
    exact_end: bool = False
    #: last line of the loop in the source; 0 where unknown
    end_line: int = 0


@record
class While:
    """while (condition) { body; step }: `continue` executes `step`. `test_last` is do … while."""

    condition: Expr
    body: tuple[Stmt, ...]
    line: int
    step: tuple[Stmt, ...] = ()
    test_last: bool = False
    directives: tuple[Directive, ...] = ()
    end_line: int = 0


@record
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    line: int


@record
class Switch:
    """Cases without fall-through after lowering (a case that falls through holds a copy of what follows).

    No `break` inside belongs to it: C's are lowered to If/else, or to a goto behind the switch."""

    selector: Expr
    cases: tuple[tuple[tuple[Expr, ...], tuple[Stmt, ...]], ...]  # () of labels: default
    line: int


@record
class Evaluate:
    """An expression evaluated for its side effect: a call."""

    expr: Expr
    line: int


@record
class Declare:
    """Declares a local variable (VLA extents are evaluated here)."""

    variable: str
    init: Expr | None
    line: int


@record
class Jump:
    """break, continue, return, goto; `value` for return, `label` for goto and Fortran's EXIT/CYCLE of an outer loop."""

    kind: Literal["break", "continue", "return", "goto"]
    line: int
    value: Expr | None = None
    label: str | None = None


@record
class Annotated:
    """Directives on a statement other than a loop (`#pragma omp parallel { … }`, `#pragma acc data`)."""

    directives: tuple[Directive, ...]
    body: tuple[Stmt, ...]
    line: int


@record
class Opaque:
    """A statement that the front end could not lower. Its function is marked, never silently shortened."""

    line: int
    reason: str
    #: whether it is known to contain loops
    loops: int = 0


@record
class Label:
    """The target of a goto."""

    name: str
    line: int


Stmt = Assign | Loop | While | If | Switch | Evaluate | Declare | Jump | Label | Annotated | Opaque

# ---------------------------------------------------------------------------------------------- programs


@record
class Variable:
    id: str
    display: str
    type: Type
    storage: Literal["local", "parameter", "global", "static", "constant"]
    line: int
    #: value of a compile-time constant (PARAMETER, enum, const int with a constant initialiser)
    value: Expr | None = None
    #: Fortran dummies, and C pointers to scalars when called from Fortran, are by reference
    by_reference: bool = False
    intent: Literal["", "in", "out", "inout"] = ""
    #: Fortran: passed by a description of the compiler's own, with bounds and strides beside the address
    descriptor: bool = False


@record
class Diagnostic:
    file: str
    line: int
    message: str
    severity: Literal["note", "warning", "error"]


@record
class Function:
    name: str  # as the linker sees it in its own language, lower-cased for Fortran
    display: str
    parameters: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    body: tuple[Stmt, ...]
    result: Type
    file: str
    line: int
    end_line: int
    language: Literal["c", "fortran"]
    #: the names under which other languages can call it: a Fortran `sub` is `sub_` to C, bind(c) names are themselves
    link_names: tuple[str, ...] = ()
    static: bool = False
    #: non-empty when an error inside makes this function unreliable
    errors: tuple[Diagnostic, ...] = ()
    #: Fortran: variable that holds the result
    result_variable: str | None = None
    #: assumptions of lowering about the whole function: line and text
    assumptions: tuple[tuple[int, str], ...] = ()
    #: other files that parts of the body stand in: it includes them
    included: tuple[str, ...] = ()


@record
class Unit:
    """One source file, lowered."""

    file: str
    language: Literal["c", "fortran"]
    functions: tuple[Function, ...]
    globals: tuple[Variable, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    #: initial values of the globals that are not constants
    initial: tuple[Assign, ...] = ()
    #: lines of source, for the summary
    lines: int = 0
    #: loops that the front end found in the text, to prove that none is lost
    loops_seen: int = 0
    #: whether only functions of `file` itself are reported; those of other files are only callees
    part: bool = False
    #: the enumerators that the code uses
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def described(self) -> tuple[Function, ...]:
        """The functions to report."""
        if not self.part:
            return self.functions
        return tuple(one for one in self.functions if one.file == self.file)


@record
class Program:
    """All files of one program."""

    units: tuple[Unit, ...]
    defines: tuple[tuple[str, str], ...] = ()


Body = tuple[Stmt, ...]

# ---------------------------------------------------------------------------------------------- derived types


def is_integer(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.kind in ("int", "uint")


def type_of(expr: Expr) -> Type:
    """The type of an expression; usual arithmetic conversions for operators."""
    match expr:
        case Const() | Name() | Member() | Cast() | Call():
            return expr.type
        case Index(base, subscripts):
            return element_type(type_of(base), len(subscripts))
        case Deref(pointer):
            return element_type(type_of(pointer), 1)
        case AddressOf(target):
            return Pointer(type_of(target))
        case Unary(op, operand):
            return BOOL if op == "!" else type_of(operand)
        case Select(_, then, other, _):
            return _common(type_of(then), type_of(other))
        case Binary(op, left, right):
            if op in ("==", "!=", "<", "<=", ">", ">=", "&&", "||"):
                return BOOL
            if op in ("<<", ">>"):
                return type_of(left)
            return _common(type_of(left), type_of(right))


def element_type(kind: Type, subscripts: int = 1) -> Type:
    """The type of an array or pointer with that many subscripts."""
    while subscripts:
        if isinstance(kind, Array):
            taken = min(subscripts, len(kind.dims))
            rest = kind.dims[taken:]
            kind = Array(kind.element, rest) if rest else kind.element
            subscripts -= taken
        elif isinstance(kind, Pointer):
            kind = kind.target
            subscripts -= 1
        else:
            return Unknown()
    return kind


_RANK = {"bool": 0, "int": 1, "uint": 1, "other": 1, "record": 1, "float": 2, "complex": 3}
_Number = TypeVar("_Number", Scalar, ElementType)


def converted(left: _Number, right: _Number) -> _Number:
    """The result type of the usual arithmetic conversions."""
    if _RANK[left.kind] != _RANK[right.kind]:
        low, high = sorted((left, right), key=lambda t: _RANK[t.kind])
        if high.kind == "complex" and low.kind == "float" and 2 * low.size > high.size:
            return replace(high, size=2 * low.size)
        return high
    if left.size != right.size:
        return left if left.size > right.size else right
    return left if left.kind != "int" else right


def _common(left: Type, right: Type) -> Type:
    if isinstance(left, Pointer | Array):  # pointer arithmetic keeps the pointer type
        return left
    if isinstance(right, Pointer | Array):
        return right
    if not isinstance(left, Scalar) or not isinstance(right, Scalar):
        return left if isinstance(left, Scalar) else right
    return converted(left, right)
