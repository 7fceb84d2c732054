"""Statements of loop nests: the body of each loop, as trees from which code can be generated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from fractions import Fraction

    from foretell.core.symbolic.poly import Poly


@record
class ElementType:
    """A number in memory: kind 'float', 'complex', 'int', 'uint', 'bool' or 'other', and its bytes."""

    kind: str
    size: int

    @property
    def name(self) -> str:
        """The C name, as written in XML."""
        return _TYPE_NAMES.get((self.kind, self.size), f"{self.kind}{8 * self.size}")


_TYPE_NAMES = {
    ("float", 4): "float",
    ("float", 8): "double",
    ("float", 16): "long double",
    ("complex", 8): "float complex",
    ("complex", 16): "double complex",
    ("int", 1): "char",
    ("int", 2): "short",
    ("int", 4): "int",
    ("int", 8): "long",
    ("uint", 1): "unsigned char",
    ("uint", 2): "unsigned short",
    ("uint", 4): "unsigned int",
    ("uint", 8): "unsigned long",
    ("bool", 1): "bool",
}


@record
class Num:
    """A literal."""

    value: int | float | complex | bool | str
    type: ElementType


@record
class Var:
    """A scalar: a local, a parameter or a member. `value` is its symbolic value where known (integers)."""

    name: str
    type: ElementType
    value: Poly | None = None


@record
class Ref:
    """An array element. `loads` are the index-array elements in its address: `col[j]` in `x[col[j]]`."""

    array: str
    subscripts: tuple[Poly, ...]
    type: ElementType
    loads: tuple[Ref, ...] = ()


@record
class Op:
    """An operation on values: '+', '-', '*', '/', 'neg', 'sqrt', 'select', '<', 'cast', a function's name, …

    `type` is that of the result; for comparisons, `operand` is the type compared. For operators that evaluate operands
    conditionally ('select', '&&', '||'), `share` is the condition's indicator (1 where it holds), if known.
    """

    op: str
    args: tuple[Expression, ...]
    type: ElementType
    operand: ElementType | None = None
    share: Poly | None = None


Expression = Num | Var | Ref | Op


def parts(expression: Expression) -> Iterator[Expression]:
    """Iterates over an expression and all its subexpressions."""
    yield expression
    inner = expression.args if isinstance(expression, Op) else expression.loads if isinstance(expression, Ref) else ()
    for part in inner:
        yield from parts(part)


def assigned_parts(statements: Iterable[Statement]) -> Iterator[Expression]:
    """Iterates over the values that unconditional statements assign, and all their subexpressions."""
    for statement in statements:
        if isinstance(statement, Store | Set):
            yield from parts(statement.value)


def rewritten(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Replaces every subexpression by its value under a function, operands first."""
    match expression:
        case Op():
            expression = replace(expression, args=tuple(rewritten(part, change) for part in expression.args))
        case Ref() if expression.loads:
            expression = replace(
                expression, loads=tuple(cast("Ref", rewritten(load, change)) for load in expression.loads)
            )
    return change(expression)


@record
class Store:
    """target = value; `compound` for `+=` and similar, whose target is among the reads of the value."""

    target: Ref
    value: Expression
    line: int
    compound: bool = False


@record
class Set:
    """Assignment to a scalar."""

    target: str
    value: Expression
    type: ElementType
    line: int


@record
class Invoke:
    """A call that is not inlined into the nest: its loops, if any, are nests of `function`."""

    function: str
    args: tuple[Expression, ...]
    line: int


@record
class Branch:
    """if (condition) then else other."""

    condition: Expression
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]
    line: int
    #: how often a condition on data holds: given, measured, or by a rule; None where nothing is known of it
    probability: Fraction | None = None
    #: of a running extreme (if (x > m) m = x), the innermost loops since it was reset; 0: of another condition
    extreme_over: int = 0
    #: the side that leaves the innermost loop around (a search): where it holds, or where not
    leaves: bool | None = None


@record
class Inner:
    """Position of an inner loop: the next of the chain, or (`elsewhere`) one in another nest, whose live-in scalars
    from the preceding statements are `reads`."""

    line: int
    elsewhere: bool = False
    reads: tuple[str, ...] = ()


Statement = Store | Set | Invoke | Branch | Inner
