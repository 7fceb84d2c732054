"""What random kernels are made of."""

from __future__ import annotations

from dataclasses import dataclass

EXTENT = 24  # of every dimension
SHIFT = 8  # added to every subscript, which keeps it inside
OPERATIONS = {"+": "add", "-": "add", "*": "mul", "/": "div"}
FUNCTIONS = {"sqrt": ("sqrt", "sqrt"), "exp": ("exp", "exp"), "fabs": ("abs", "abs")}

# ---------------------------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class Bound:
    """constant + outer variable (if any) + coefficient * n."""

    constant: int
    variable: str = ""
    size: int = 0

    def value(self, at: dict[str, int]) -> int:
        return self.constant + at.get(self.variable, 0) + self.size * at["n"]

    def text(self) -> str:
        parts = [self.variable] if self.variable else []
        parts += ["n"] if self.size else []
        text = " + ".join(parts)
        if not text:
            return str(self.constant)
        return f"{text} + {self.constant}" if self.constant >= 0 else f"{text} - {-self.constant}"


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class Scalar:
    """The parameter `s`."""


@dataclass(frozen=True)
class Index:
    """A loop variable as a number."""

    name: str


@dataclass(frozen=True)
class Element:
    array: int
    subscripts: tuple[tuple[str, int], ...]  # slowest first


@dataclass(frozen=True)
class Binary:
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Call:
    function: str
    argument: Expr


@dataclass(frozen=True)
class Choice:
    """left relation right ? then : other, on loop variables (C only)."""

    test: If
    then: Expr
    other: Expr


@dataclass(frozen=True)
class Helper:
    """A call of the inline function `mix(x, y)` = x*y + x: its parameters are scalars."""

    first: Expr
    second: Expr


Expr = Number | Scalar | Index | Element | Binary | Call | Choice | Helper


@dataclass(frozen=True)
class Assign:
    target: Element
    value: Expr
    compound: str = ""


@dataclass(frozen=True)
class If:
    left: str
    relation: str  # < <= == > or 'even'
    right: Bound
    then: tuple[Stmt, ...] = ()
    other: tuple[Stmt, ...] = ()
    #: written as `if (…) continue;` before the other statements
    skips: bool = False


@dataclass(frozen=True)
class Loop:
    variable: str
    first: Bound
    last: Bound
    step: int
    head: str  # for C: 'less', 'equal', 'while', 'outside'
    body: tuple[Stmt, ...]


Stmt = Assign | If | Loop


@dataclass(frozen=True)
class Kernel:
    ranks: tuple[int, ...]
    styles: tuple[str, ...]  # per array: native, flat, strided (flat, by a parameter), rows (C only)
    body: tuple[Stmt, ...]
    n: int


def array_name(k: int) -> str:
    return "abcd"[k]
