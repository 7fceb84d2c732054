"""Scalar (elemental) intrinsic functions, under their C names; array intrinsics are in `reductions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.intrinsics.inquiry import INQUIRIES
from foretell.frontends.fortran.intrinsics.reductions import REDUCTIONS
from foretell.frontends.fortran.lower.array_values import ArrayValue, Value, elementwise
from foretell.frontends.fortran.lower.calls import keyword, value_node
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope import kinds
from foretell.frontends.fortran.scope.types import integer_value
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from foretell.frontends.fortran.text.parse import Node

#: FORTRAN 77 functions, which have separate names in double precision (dsqrt); and later ones
_DOUBLE_NAMES = ("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
_LATER = ("asinh", "acosh", "atanh", "erf", "erfc", "hypot", "atan2", "spacing", "fraction", "rrspacing")
_OTHER_NAMES = (
    "gamma:tgamma log_gamma:lgamma erfc_scaled:erfcx bessel_j0:j0 bessel_j1:j1 bessel_y0:y0 bessel_y1:y1 aint:trunc "
    "dint:trunc anint:round dnint:round dim:fdim ddim:fdim datan2:atan2 alog:log alog10:log10 conjg:conj dconjg:conj "
    "nearest:nextafter"
)
#: Fortran name → C name of functions whose result has the type of their argument
_SAME = {name: name for name in (*_DOUBLE_NAMES, *_LATER)}
_SAME |= dict(pair.split(":") for pair in _OTHER_NAMES.split())
_SAME |= {f"d{name}": name for name in _DOUBLE_NAMES}
_SAME |= {f"c{name}": name for name in ("sqrt", "exp", "log", "sin", "cos")}

_MINIMA = {name: name.strip("ad01") for name in ("min", "amin0", "amin1", "dmin1", "min0", "min1")}
_MINIMA |= {name.replace("min", "max"): "max" for name in _MINIMA}
_BITS: dict[str, ir.BinaryOp] = {
    "iand": "&", "and": "&", "ior": "|", "or": "|", "ieor": "^", "xor": "^",
    "shiftl": "<<", "lshift": "<<", "shiftr": ">>", "rshift": ">>",
}  # fmt: skip

Arguments = tuple[ir.Expr, ...]


def _scalar(expr: ir.Expr) -> ir.Scalar:
    kind = ir.type_of(expr)
    return kind if isinstance(kind, ir.Scalar) else ir.Scalar("float", 8)


def _part(kind: ir.Scalar) -> ir.Scalar:
    return ir.Scalar("float", kind.size // 2 if kind.kind == "complex" else kind.size)


def _abs(args: Arguments) -> ir.Expr:
    kind = _scalar(args[0])
    if kind.kind == "complex":
        return ir.Call("cabs", args[:1], _part(kind))
    return ir.Call("fabs" if kind.kind == "float" else "abs", args[:1], kind)


def _sign(args: Arguments) -> ir.Expr:
    kind = _scalar(args[0])
    if kind.kind == "float":
        return ir.Call("copysign", args[:2], kind)
    magnitude = ir.Call("abs", args[:1], kind)
    return ir.Select(ir.Binary(">=", args[1], ir.Const(0, kind)), magnitude, ir.Unary("-", magnitude), lazy=False)


def _mod(args: Arguments) -> ir.Expr:
    if _scalar(args[0]).kind == "float":
        return ir.Call("fmod", args[:2], _scalar(args[0]))
    return ir.Binary("%", args[0], args[1])


def _modulo(args: Arguments) -> ir.Expr:
    """Fortran's MODULO, whose result has the sign of the divisor, unlike C's %."""
    left, right = args[:2]
    if _scalar(left).kind == "float":
        quotient = ir.Call("floor", (ir.Binary("/", left, right),), _scalar(left))
        return ir.Binary("-", left, ir.Binary("*", quotient, right))
    return ir.Binary("%", ir.Binary("+", ir.Binary("%", left, right), right), right)


def _aimag(args: Arguments) -> ir.Expr:
    return ir.Call("cimag", args[:1], _part(_scalar(args[0])))


def _ishft(args: Arguments) -> ir.Expr:
    value, shift = args[:2]
    if isinstance(shift, ir.Const) and isinstance(shift.value, int):
        op: ir.BinaryOp = "<<" if shift.value >= 0 else ">>"
        return ir.Binary(op, value, ir.Const(abs(shift.value), ir.INT))
    left = ir.Binary("<<", value, shift)
    right = ir.Binary(">>", value, ir.Unary("-", shift))
    return ir.Select(ir.Binary(">=", shift, ir.Const(0, ir.INT)), left, right, lazy=False)


def _bit(args: Arguments) -> ir.Expr:
    return ir.Binary("<<", ir.Const(1, ir.INT), args[1])


#: names → number of arguments, and the expression
_FIXED: dict[str, tuple[int, Callable[[Arguments], ir.Expr]]] = {
    name: (count, function)
    for names, count, function in (
        ("abs iabs dabs cabs cdabs zabs", 1, _abs),
        ("sign isign dsign", 2, _sign),
        ("mod amod dmod", 2, _mod),
        ("modulo", 2, _modulo),
        ("merge", 3, lambda args: ir.Select(args[2], args[0], args[1], lazy=False)),
        ("aimag dimag imag", 1, _aimag),
        ("not", 1, lambda args: ir.Unary("~", args[0])),
        ("ishft", 2, _ishft),
        ("btest", 2, lambda args: ir.Binary("!=", ir.Binary("&", args[0], _bit(args)), ir.Const(0, ir.INT))),
        ("ibset", 2, lambda args: ir.Binary("|", args[0], _bit(args))),
        ("ibclr", 2, lambda args: ir.Binary("&", args[0], ir.Unary("~", _bit(args)))),
        ("dprod", 2, lambda args: ir.Binary("*", ir.Cast(ir.DOUBLE, args[0]), ir.Cast(ir.DOUBLE, args[1]))),
        ("ichar iachar", 1, lambda args: ir.Call("ichar", args, ir.INT)),
    )
    for name in names.split()
}

#: conversions: name → (kind of scalar, size where it is fixed, C function applied first)
_CONVERSIONS: dict[str, tuple[str, int | None, str]] = {
    name: (kind, size, function)
    for names, kind, size, function in (
        ("real", "float", None, ""),
        ("float sngl", "float", 4, ""),
        ("dble dfloat dreal", "float", 8, ""),
        ("int", "int", None, ""),
        ("ifix idint", "int", 4, ""),
        ("int2", "int", 2, ""),
        ("int8 long", "int", 8, ""),
        ("nint", "int", None, "round"),
        ("idnint", "int", 4, "round"),
        ("floor", "int", None, "floor"),
        ("ceiling", "int", None, "ceil"),
        ("logical", "bool", None, ""),
    )
    for name in names.split()
}
_INTEGERS = (
    "len len_trim index scan verify command_argument_count omp_get_thread_num omp_get_num_threads omp_get_max_threads "
    "popcnt leadz trailz ibits exponent iargc this_image num_images"
)
_TESTS = "associated allocated present isnan ieee_is_nan ieee_is_finite lge lgt lle llt"
#: functions kept as opaque calls, with the type of the result; None: that of the first argument
_OPAQUE: dict[str, ir.Type | None] = {
    name: kind
    for names, kind in (
        ("char achar trim adjustl adjustr repeat", kinds.CHARACTER),
        (_INTEGERS, ir.INT),
        (_TESTS, kinds.LOGICAL),
        ("omp_get_wtime mpi_wtime", ir.DOUBLE),
        ("etime secnds", ir.FLOAT),
        ("loc sizeof c_sizeof", ir.LONG),
        ("c_loc null scale set_exponent", None),
    )
    for name in names.split()
}
_TABLES: tuple[Collection[str], ...] = (
    _SAME, _FIXED, _MINIMA, _BITS, _CONVERSIONS, REDUCTIONS, INQUIRIES, _OPAQUE, ("cmplx", "dcmplx")
)  # fmt: skip


def is_intrinsic(name: str) -> bool:
    """Whether a name is an intrinsic function that can be lowered."""
    return any(name in table for table in _TABLES)


def lower_intrinsic(low: Lowering, name: str, arguments: Sequence[Node]) -> Value:
    """The value of an intrinsic function."""
    if name in INQUIRIES:
        return INQUIRIES[name](low, arguments)
    if name in REDUCTIONS:
        return REDUCTIONS[name](low, arguments)
    if name in _OPAQUE:
        return _opaque(low, name, arguments)
    if name in _CONVERSIONS:
        return _convert(low, name, arguments)
    values = [low.value(value_node(argument)) for argument in arguments if keyword(argument) != "kind"]
    if not values:
        raise CannotLowerError(f"the intrinsic {name} has no argument")
    if name in ("cmplx", "dcmplx"):
        return _complex(low, name, values, arguments)
    return elementwise(lambda *args: _apply(name, args), *_merge_order(name, values, arguments))


def _merge_order(name: str, values: list[Value], arguments: Sequence[Node]) -> list[Value]:
    """merge(tsource=…, fsource=…, mask=…) in any order of keywords."""
    names = [keyword(argument) for argument in arguments]
    if name == "merge" and any(names):
        order = {"tsource": 0, "fsource": 1, "mask": 2}
        placed = sorted(range(len(values)), key=lambda k: order.get(names[k], k))
        return [values[k] for k in placed]
    return values


def _apply(name: str, args: Arguments) -> ir.Expr:
    if name in _FIXED:
        count, function = _FIXED[name]
        if len(args) < count:
            raise CannotLowerError(f"the intrinsic {name} takes {count} arguments")
        return function(args)
    if name in _MINIMA:
        kind = _scalar(args[0])
        for arg in args[1:]:
            joint = ir.type_of(ir.Binary("+", ir.Name("", kind), arg))
            kind = joint if isinstance(joint, ir.Scalar) else kind
        call = ir.Call(_MINIMA[name], args, kind)
        if name in ("min1", "max1"):
            return ir.Cast(ir.INT, call)
        return ir.Cast(ir.FLOAT, call) if name in ("amin0", "amax0") else call
    if name in _BITS:
        if len(args) < 2:
            raise CannotLowerError(f"the intrinsic {name} takes 2 arguments")
        return ir.Binary(_BITS[name], args[0], args[1])
    return ir.Call(_SAME[name], args, _scalar(args[0]))


def _kind_argument(low: Lowering, arguments: Sequence[Node], position: int) -> int | None:
    for number, argument in enumerate(arguments):
        if keyword(argument) == "kind" or (number == position and not keyword(argument)):
            value = low.scalar(value_node(argument))
            size = integer_value(low, value)
            if size is None:
                low.say("the kind of a conversion is not known; 8 bytes are assumed")
            return size or 8
    return None


def _convert(low: Lowering, name: str, arguments: Sequence[Node]) -> Value:
    if not arguments:
        raise CannotLowerError(f"the intrinsic {name} has no argument")
    kind, fixed, first = _CONVERSIONS[name]
    wanted = _kind_argument(low, arguments, 1)

    def convert(arg: ir.Expr) -> ir.Expr:
        source = _scalar(arg)
        size = fixed or wanted or 4
        if name == "real" and wanted is None and source.kind == "complex":
            size = source.size // 2
        if source.kind == "complex":
            arg = ir.Call("creal", (arg,), _part(source))
        if first and source.kind == "float":
            arg = ir.Call(first, (arg,), source)
        target = ir.Scalar(kind, size)  # type: ignore[arg-type]  # the table holds only kinds of Scalar
        if isinstance(arg, ir.Const) and kind == "float" and isinstance(arg.value, int):
            return ir.Const(float(arg.value), target)
        return arg if ir.type_of(arg) == target else ir.Cast(target, arg)

    return elementwise(convert, low.value(value_node(arguments[0])))


def _complex(low: Lowering, name: str, values: list[Value], arguments: Sequence[Node]) -> Value:
    size = 8 if name == "dcmplx" else _kind_argument(low, arguments, 2) or 4
    kind = ir.Scalar("complex", 2 * size)

    def join(*args: ir.Expr) -> ir.Expr:
        if len(args) == 1:
            return ir.Cast(kind, args[0])
        return ir.Call("cmplx", args, kind)

    return elementwise(join, *values[:2])


def _opaque(low: Lowering, name: str, arguments: Sequence[Node]) -> Value:
    """Non-numeric functions: kept as calls."""
    if name == "null":
        return ir.Const(0, ir.Pointer(ir.Void()))
    values = [_plain(low.value(value_node(argument))) for argument in arguments]
    if name == "c_loc":
        return ir.AddressOf(values[0])
    kind = _OPAQUE.get(name) or (ir.type_of(values[0]) if values else ir.Unknown(name))
    return ir.Call(name, tuple(values), kind)


def _plain(value: Value) -> ir.Expr:
    if isinstance(value, ArrayValue):
        if value.whole is None:
            raise CannotLowerError("an array expression stands where a variable is needed")
        return value.whole
    return value
