"""Random kernels whose counts are known by construction: made as a tree, written as C or Fortran, run in Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator

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


# ---------------------------------------------------------------------------------------------- what it does


@dataclass
class Totals:
    operations: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    #: iterations of the innermost loops, in source order
    trips: list[int] = field(default_factory=list)
    #: some loop would start beyond its end by more than one step: closed forms need a clamp there
    overshoots: bool = False
    #: an equality is tested in a loop that is empty at times
    empty_equality: bool = False


def run(kernel: Kernel) -> Totals:
    totals = Totals()
    order = {id(loop): k for k, loop in enumerate(innermost(kernel.body))}
    totals.trips = [0] * len(order)
    _block(kernel.body, {"n": kernel.n}, totals, order, kernel)
    return totals


def innermost(body: tuple[Stmt, ...]) -> Iterator[Loop]:
    for s in body:
        if isinstance(s, Loop):
            inner = list(innermost(s.body))
            yield from inner or [s]
        elif isinstance(s, If):
            yield from innermost(s.then)
            yield from innermost(s.other)


def loops(body: tuple[Stmt, ...]) -> int:
    total = 0
    for s in body:
        if isinstance(s, Loop):
            total += 1 + loops(s.body)
        elif isinstance(s, If):
            total += loops(s.then) + loops(s.other)
    return total


def _block(body: tuple[Stmt, ...], at: dict[str, int], totals: Totals, order: dict[int, int], kernel: Kernel) -> None:
    for s in body:
        match s:
            case Loop():
                first, last = s.first.value(at), s.last.value(at)
                trips = (last - first) // s.step + 1
                totals.overshoots |= trips < 0
                totals.empty_equality |= trips == 0 and _tests_equality(s.body)
                for i in range(first, last + (1 if s.step > 0 else -1), s.step):
                    if id(s) in order:
                        totals.trips[order[id(s)]] += 1
                    _block(s.body, {**at, s.variable: i}, totals, order, kernel)
            case If():
                _block(s.then if _holds(s, at) else s.other, at, totals, order, kernel)
            case Assign():
                _assign(s, totals, at)


def _tests_equality(body: tuple[Stmt, ...]) -> bool:
    """Whether `==` occurs anywhere inside, in a statement or in a choice."""
    return any("==" in line for line in _rendered(body))


def _rendered(body: tuple[Stmt, ...]) -> list[str]:
    lines: list[str] = []
    _c_block(body, Kernel((3,) * 4, ("native",) * 4, body, 1), "", lines)
    return [line.replace("% 2 == 0", "") for line in lines]


def _holds(s: If, at: dict[str, int]) -> bool:
    left, right = at[s.left], s.right.value(at)
    match s.relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case "==":
            return left == right
    return (left + 100) % 2 == 0


def _assign(s: Assign, totals: Totals, at: dict[str, int]) -> None:
    _evaluate(s.value, totals, at)
    name = array_name(s.target.array)
    if s.compound:
        totals.reads[name] += 1
        constant = s.compound == "/" and isinstance(s.value, Number)
        totals.operations["div_const" if constant else OPERATIONS[s.compound]] += 1
    totals.writes[name] += 1


def _evaluate(e: Expr, totals: Totals, at: dict[str, int]) -> None:
    match e:
        case Element():
            totals.reads[array_name(e.array)] += 1
        case Binary():
            _evaluate(e.left, totals, at)
            _evaluate(e.right, totals, at)
            constant = e.op == "/" and isinstance(e.right, Number)
            totals.operations["div_const" if constant else OPERATIONS[e.op]] += 1
        case Call():
            _evaluate(e.argument, totals, at)
            totals.operations[FUNCTIONS[e.function][1]] += 1
        case Choice():
            _evaluate(e.then if _holds(e.test, at) else e.other, totals, at)
        case Helper():
            _evaluate(e.first, totals, at)
            _evaluate(e.second, totals, at)
            totals.operations.update({"mul": 1, "add": 1})


def array_name(k: int) -> str:
    return "abcd"[k]


# ---------------------------------------------------------------------------------------------- making one


@st.composite
def kernels(draw: st.DrawFn, language: str) -> Kernel:
    ranks = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    choices = ["native", "flat", "strided", *(["rows"] if language == "c" else [])]
    styles = tuple(draw(st.sampled_from(choices)) if rank > 1 else "native" for rank in ranks)
    maker = _Maker(draw, ranks, language)
    body = tuple(maker.loop((), 0) for _ in range(draw(st.integers(1, 2))))
    return Kernel(ranks, styles, body, draw(st.integers(5, 9)))


class _Maker:
    def __init__(self, draw: st.DrawFn, ranks: tuple[int, ...], language: str) -> None:
        self.draw, self.ranks, self.language = draw, ranks, language
        self.in_choice = 0

    def loop(self, outer: tuple[str, ...], depth: int) -> Loop:
        draw = self.draw
        variable = "ijkl"[depth]
        step = draw(st.sampled_from([1, 1, 1, 2, 3, -1, -2]))
        low = Bound(draw(st.integers(-1, 2)), draw(st.sampled_from(["", "", *outer])))
        high = draw(st.one_of(self.fixed_end(), self.moving_end(outer)))
        first, last = (low, high) if step > 0 else (high, low)
        head = draw(st.sampled_from(["less", "equal", "while", "outside"]))
        inside = (*outer, variable)
        body = self.body(inside, depth)
        if (head != "while" or self.language != "c") and draw(st.integers(0, 5)) == 0:
            test = self.conditional(inside)
            body = (If(test.left, test.relation, test.right, (), body, skips=True),)
        return Loop(variable, first, last, step, head, body)

    def fixed_end(self) -> st.SearchStrategy[Bound]:
        sized = st.builds(Bound, st.integers(-3, 0), st.just(""), st.just(1))
        return st.one_of(st.builds(Bound, st.integers(3, 8)), sized)

    def moving_end(self, outer: tuple[str, ...]) -> st.SearchStrategy[Bound]:
        if not outer:
            return self.fixed_end()
        return st.builds(Bound, st.integers(0, 2), st.sampled_from(outer))

    def body(self, inside: tuple[str, ...], depth: int) -> tuple[Stmt, ...]:
        draw = self.draw
        statements: list[Stmt] = []
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.sampled_from(["assign", "assign", "loop", "if"]))
            if kind == "loop" and depth < 2:
                statements.append(self.loop(inside, depth + 1))
            elif kind == "if":
                statements.append(self.conditional(inside))
            else:
                statements.append(self.assign(inside))
        return tuple(statements)

    def conditional(self, inside: tuple[str, ...]) -> If:
        draw = self.draw
        right = draw(st.one_of(self.fixed_end(), st.builds(Bound, st.integers(-1, 1), st.sampled_from(inside))))
        relation = draw(st.sampled_from(["<", "<=", "==", ">", "even"]))
        then = tuple(self.assign(inside) for _ in range(draw(st.integers(1, 2))))
        other = tuple(self.assign(inside) for _ in range(draw(st.integers(0, 1))))
        return If(draw(st.sampled_from(inside)), relation, right, then, other)

    def assign(self, inside: tuple[str, ...]) -> Assign:
        draw = self.draw
        compound = draw(st.sampled_from(["", "", "+", "-", "*", "/"])) if self.language == "c" else ""
        return Assign(self.element(inside), self.expression(inside, 3), compound)

    def element(self, inside: tuple[str, ...]) -> Element:
        draw = self.draw
        k = draw(st.integers(0, len(self.ranks) - 1))
        one = st.tuples(st.sampled_from(inside), st.integers(-2, 2))
        return Element(k, tuple(draw(one) for _ in range(self.ranks[k])))

    def expression(self, inside: tuple[str, ...], depth: int) -> Expr:
        draw = self.draw
        kinds = ["element", "element", "scalar", "counter", "binary", "binary", "call", "helper"]
        kind = draw(st.sampled_from([*kinds, "choice"] if self.language == "c" else kinds))
        if depth == 0 or kind == "element":
            return self.element(inside)
        if kind == "scalar":
            return Scalar()
        if kind == "counter":
            return Index(draw(st.sampled_from(inside)))
        if kind == "call":
            return Call(draw(st.sampled_from(sorted(FUNCTIONS))), self.expression(inside, depth - 1))
        if kind == "helper" and not self.in_choice:
            return Helper(self.expression(inside, depth - 1), self.expression(inside, depth - 1))
        if kind == "choice":
            # a helper in an arm is a known failure with a test of its own
            self.in_choice += 1
            first, second = self.expression(inside, depth - 1), self.expression(inside, depth - 1)
            self.in_choice -= 1
            test = self.conditional(inside)
            return Choice(If(test.left, test.relation, test.right), first, second)
        left = self.expression(inside, depth - 1)
        right = draw(st.one_of(st.just(None), st.builds(Number, st.sampled_from([0.5, 2.0, 3.0, 6.0]))))
        return Binary(draw(st.sampled_from("+-*/")), left, right or self.expression(inside, depth - 1))


# ---------------------------------------------------------------------------------------------- as C


def as_c(kernel: Kernel) -> str:
    parameters = ["int n", "int m", "double s"]
    for k, (rank, style) in enumerate(zip(kernel.ranks, kernel.styles, strict=True)):
        name = array_name(k)
        if style == "native":
            parameters.append(f"double {name}" + f"[{EXTENT}]" * rank)
        else:
            parameters.append(f"double *{name}" + ("_flat" if style == "rows" else ""))
    helper = "static inline double mix(double x, double y) { return x * y + x; }"
    lines = ["#include <math.h>", helper, f"void kernel({', '.join(parameters)})", "{"]
    for k, (rank, style) in enumerate(zip(kernel.ranks, kernel.styles, strict=True)):
        if style == "rows":
            row = f"[{EXTENT}]" * (rank - 1)
            name = array_name(k)
            lines.append(f"  double (*{name}){row} = (double (*){row}){name}_flat;")
    lines += [f"  int {v};" for v in sorted(_outside(kernel.body))]
    _c_block(kernel.body, kernel, "  ", lines)
    return "\n".join([*lines, "}", ""])


def _outside(body: tuple[Stmt, ...]) -> set[str]:
    found: set[str] = set()
    for s in body:
        if isinstance(s, Loop):
            found |= ({s.variable} if s.head in ("outside", "while") else set()) | _outside(s.body)
        elif isinstance(s, If):
            found |= _outside(s.then) | _outside(s.other)
    return found


def _c_block(body: tuple[Stmt, ...], kernel: Kernel, pad: str, lines: list[str]) -> None:
    for s in body:
        match s:
            case Loop():
                _c_loop(s, kernel, pad, lines)
            case If() if s.skips:
                lines += [f"{pad}if ({_c_condition(s)})", f"{pad}  continue;"]
                _c_block(s.other, kernel, pad, lines)
            case If():
                lines.append(f"{pad}if ({_c_condition(s)}) {{")
                _c_block(s.then, kernel, pad + "  ", lines)
                if s.other:
                    lines.append(f"{pad}}} else {{")
                    _c_block(s.other, kernel, pad + "  ", lines)
                lines.append(f"{pad}}}")
            case Assign():
                target = _c_expression(s.target, kernel)
                lines.append(f"{pad}{target} {s.compound}= {_c_expression(s.value, kernel)};")


def _c_condition(s: If) -> str:
    return f"({s.left} + 100) % 2 == 0" if s.relation == "even" else f"{s.left} {s.relation} {s.right.text()}"


def _c_loop(s: Loop, kernel: Kernel, pad: str, lines: list[str]) -> None:
    v, last = s.variable, s.last.text()
    up = s.step > 0
    test = f"{v} {'<=' if up else '>='} {last}"
    if s.head == "less":
        test = f"{v} < {last} + 1" if up else f"{v} > {last} - 1"
    step = f"{v}++" if s.step == 1 else f"{v}--" if s.step == -1 else f"{v} += {s.step}"
    if s.head == "while":
        lines += [f"{pad}{v} = {s.first.text()};", f"{pad}while ({test}) {{"]
        _c_block(s.body, kernel, pad + "  ", lines)
        lines += [f"{pad}  {step};", f"{pad}}}"]
        return
    kind = "" if s.head == "outside" else "int "
    lines.append(f"{pad}for ({kind}{v} = {s.first.text()}; {test}; {step}) {{")
    _c_block(s.body, kernel, pad + "  ", lines)
    lines.append(f"{pad}}}")


def _c_expression(e: Expr, kernel: Kernel) -> str:
    match e:
        case Number():
            return repr(e.value)
        case Scalar():
            return "s"
        case Index():
            return f"(double){e.name}"
        case Element():
            return _c_element(e, kernel)
        case Binary():
            return f"({_c_expression(e.left, kernel)} {e.op} {_c_expression(e.right, kernel)})"
        case Call():
            return f"{e.function}({_c_expression(e.argument, kernel)})"
        case Choice():
            then, other = _c_expression(e.then, kernel), _c_expression(e.other, kernel)
            return f"({_c_condition(e.test)} ? {then} : {other})"
        case Helper():
            return f"mix({_c_expression(e.first, kernel)}, {_c_expression(e.second, kernel)})"


def _c_element(e: Element, kernel: Kernel) -> str:
    subscripts = [f"{v} + {SHIFT + o}" for v, o in e.subscripts]
    if kernel.styles[e.array] in ("flat", "strided"):
        extent = "m" if kernel.styles[e.array] == "strided" else str(EXTENT)
        flat = subscripts[0]
        for sub in subscripts[1:]:
            flat = f"({flat}) * {extent} + {sub}"
        return f"{array_name(e.array)}[{flat}]"
    return array_name(e.array) + "".join(f"[{sub}]" for sub in subscripts)


# ---------------------------------------------------------------------------------------------- as Fortran


def as_fortran(kernel: Kernel) -> str:
    names = [array_name(k) for k in range(len(kernel.ranks))]
    lines = [f"subroutine kernel(n, m, s, {', '.join(names)})", "  implicit none", "  integer, intent(in) :: n, m"]
    lines.append("  real(8), intent(in) :: s")
    for name, rank, style in zip(names, kernel.ranks, kernel.styles, strict=True):
        shape = ", ".join([f"0:{EXTENT - 1}"] * rank) if style == "native" else "*"
        lines.append(f"  real(8), intent(inout) :: {name}({shape})")
    lines.append("  integer :: i, j, k")
    _f_block(kernel.body, kernel, "  ", lines)
    helper = ["contains", "  pure real(8) function mix(x, y)", "    real(8), intent(in) :: x, y", "    mix = x*y + x"]
    return "\n".join([*lines, *helper, "  end function mix", "end subroutine kernel", ""])


def _f_block(body: tuple[Stmt, ...], kernel: Kernel, pad: str, lines: list[str]) -> None:
    for s in body:
        match s:
            case Loop():
                step = f", {s.step}" if s.step != 1 else ""
                lines.append(f"{pad}do {s.variable} = {s.first.text()}, {s.last.text()}{step}")
                _f_block(s.body, kernel, pad + "  ", lines)
                lines.append(f"{pad}end do")
            case If() if s.skips:
                lines.append(f"{pad}if ({_f_condition(s)}) cycle")
                _f_block(s.other, kernel, pad, lines)
            case If():
                lines.append(f"{pad}if ({_f_condition(s)}) then")
                _f_block(s.then, kernel, pad + "  ", lines)
                if s.other:
                    lines.append(f"{pad}else")
                    _f_block(s.other, kernel, pad + "  ", lines)
                lines.append(f"{pad}end if")
            case Assign():
                lines.append(f"{pad}{_f_expression(s.target, kernel)} = {_f_expression(s.value, kernel)}")


def _f_condition(s: If) -> str:
    return f"mod({s.left} + 100, 2) == 0" if s.relation == "even" else f"{s.left} {s.relation} {s.right.text()}"


def _f_expression(e: Expr, kernel: Kernel) -> str:
    match e:
        case Number():
            return f"{e.value!r}d0"
        case Scalar():
            return "s"
        case Index():
            return f"dble({e.name})"
        case Element():
            return _f_element(e, kernel)
        case Binary():
            return f"({_f_expression(e.left, kernel)} {e.op} {_f_expression(e.right, kernel)})"
        case Call():
            name = {"fabs": "abs"}.get(e.function, e.function)
            return f"{name}({_f_expression(e.argument, kernel)})"
        case Helper():
            return f"mix({_f_expression(e.first, kernel)}, {_f_expression(e.second, kernel)})"
        case Choice():
            raise AssertionError("Fortran has no conditional expression")


def _f_element(e: Element, kernel: Kernel) -> str:
    subscripts = [f"{v} + {SHIFT + o}" for v, o in e.subscripts]
    if kernel.styles[e.array] in ("flat", "strided"):
        extent = "m" if kernel.styles[e.array] == "strided" else str(EXTENT)
        flat = subscripts[0]
        for sub in subscripts[1:]:
            flat = f"({flat})*{extent} + {sub}"
        return f"{array_name(e.array)}({flat} + 1)"
    return f"{array_name(e.array)}({', '.join(reversed(subscripts))})"
