"""Random kernels as C and as Fortran."""

from __future__ import annotations

from tests.support.models.kernel_tree import (
    EXTENT,
    SHIFT,
    Assign,
    Binary,
    Call,
    Choice,
    Element,
    Expr,
    Helper,
    If,
    Index,
    Kernel,
    Loop,
    Number,
    Scalar,
    Stmt,
    array_name,
)

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
    c_block(kernel.body, kernel, "  ", lines)
    return "\n".join([*lines, "}", ""])


def _outside(body: tuple[Stmt, ...]) -> set[str]:
    found: set[str] = set()
    for s in body:
        if isinstance(s, Loop):
            found |= ({s.variable} if s.head in ("outside", "while") else set()) | _outside(s.body)
        elif isinstance(s, If):
            found |= _outside(s.then) | _outside(s.other)
    return found


def c_block(body: tuple[Stmt, ...], kernel: Kernel, pad: str, lines: list[str]) -> None:
    for s in body:
        match s:
            case Loop():
                _c_loop(s, kernel, pad, lines)
            case If() if s.skips:
                lines += [f"{pad}if ({_c_condition(s)})", f"{pad}  continue;"]
                c_block(s.other, kernel, pad, lines)
            case If():
                lines.append(f"{pad}if ({_c_condition(s)}) {{")
                c_block(s.then, kernel, pad + "  ", lines)
                if s.other:
                    lines.append(f"{pad}}} else {{")
                    c_block(s.other, kernel, pad + "  ", lines)
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
        c_block(s.body, kernel, pad + "  ", lines)
        lines += [f"{pad}  {step};", f"{pad}}}"]
        return
    kind = "" if s.head == "outside" else "int "
    lines.append(f"{pad}for ({kind}{v} = {s.first.text()}; {test}; {step}) {{")
    c_block(s.body, kernel, pad + "  ", lines)
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
