"""Emits IR types, conversions and arithmetic of integers, floating-point and complex values."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from foretell.codegen.load_llvmlite import load_ir
from foretell.core.nest.statements import ElementType
from foretell.errors import UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

BOOL = ElementType("bool", 1)
DISCRETE = frozenset({"int", "uint", "bool"})


@record
class Pair:
    """Complex value: two floating-point ones."""

    re: Any
    im: Any


@record
class FloatRules:
    """Permitted transformations of floating-point arithmetic. `contract`: products and sums are fused everywhere (gcc),
    or only within an expression of the source (`within`, clang). `checked`: products of complex numbers are checked for
    NaN and math functions set errno, the default in C. `library`: functions that the compiler calls although they could
    be inlined. `number_wins`: minimum and maximum are C's fmin and fmax, which ignore a NaN operand. `masked`:
    conditional loads are vectorised with masks; so a load may be hoisted above the condition. `signed_zeros`: x < 0 ?
    -x : x stays a comparison, because of its result for -0; LLVM checks whether that is observable."""

    fast: bool = False
    contract: bool = True
    within: bool = False
    checked: bool = True
    library: frozenset[str] = frozenset()
    number_wins: bool = False
    masked: bool = False
    signed_zeros: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """Corresponding LLVM fast-math flags."""
        return ("fast",) if self.fast else ("contract",) if self.contract and not self.within else ()


def real_part(kind: ElementType) -> ElementType:
    """Type of each part of a complex number."""
    return ElementType("float", kind.size // 2)


def memory_type(kind: ElementType) -> Any:
    """IR type of an element in memory; a complex one is an array of two."""
    ir = load_ir()
    match kind.kind, kind.size:
        case "float", 4:
            return ir.FloatType()
        case "float", 8:
            return ir.DoubleType()
        case "complex", 8 | 16:
            return ir.ArrayType(memory_type(real_part(kind)), 2)
        case (("int" | "uint" | "bool"), (1 | 2 | 4 | 8)):
            return ir.IntType(8 * kind.size)
    raise UnsupportedError(f"no code can be generated for elements of type {kind.name}")


def value_type(kind: ElementType) -> Any:
    """IR type of a value in a register."""
    return load_ir().IntType(1) if kind.kind == "bool" else memory_type(kind)


class Arithmetic:
    """Emits one instruction, or a few, for each operation of the source."""

    def __init__(self, builder: Any, rules: FloatRules, call: Callable[[str, Any, list[Any]], Any]) -> None:
        self._ir, self.b, self.rules, self._call = load_ir(), builder, rules, call

    # ---- constants and conversions

    def constant(self, value: complex | bool | str, kind: ElementType) -> Any:
        if kind.kind == "complex":
            both = complex(value)
            part = memory_type(real_part(kind))
            return Pair(self._ir.Constant(part, both.real), self._ir.Constant(part, both.imag))
        if isinstance(value, str | complex):
            raise UnsupportedError(f"no code can be generated for the constant {value!r}")
        number = float(value) if kind.kind == "float" else int(value)
        return self._ir.Constant(value_type(kind), number)

    def convert(self, value: Any, source: ElementType, target: ElementType) -> Any:
        """Converts a value to another type, as C does."""
        if source == target:
            return value
        if target.kind == "complex":
            return self._to_complex(value, source, target)
        if source.kind == "complex":
            return self.convert(value.re, real_part(source), target)
        if target.kind == "bool":
            return self.truth(value, source)
        goal = value_type(target)
        if source.kind == "float":
            if target.kind == "float":
                return self.b.fpext(value, goal) if target.size > source.size else self.b.fptrunc(value, goal)
            return self.b.fptosi(value, goal) if target.kind == "int" else self.b.fptoui(value, goal)
        signed = source.kind == "int"
        if target.kind == "float":
            return self.b.sitofp(value, goal) if signed else self.b.uitofp(value, goal)
        wide = 1 if source.kind == "bool" else 8 * source.size
        if 8 * target.size == wide:
            return value
        if 8 * target.size < wide:
            return self.b.trunc(value, goal)
        return self.b.sext(value, goal) if signed else self.b.zext(value, goal)

    def _to_complex(self, value: Any, source: ElementType, target: ElementType) -> Pair:
        part = real_part(target)
        if source.kind == "complex":
            return Pair(*(self.convert(one, real_part(source), part) for one in (value.re, value.im)))
        return Pair(self.convert(value, source, part), self.constant(0.0, part))

    def truth(self, value: Any, kind: ElementType) -> Any:
        """value != 0."""
        if kind.kind == "bool":
            return value
        if kind.kind == "complex":
            part = real_part(kind)
            return self.b.or_(self.truth(value.re, part), self.truth(value.im, part))
        differs = self.b.fcmp_unordered if kind.kind == "float" else self.b.icmp_signed
        return differs("!=", value, self.constant(0, kind))

    # ---- operations on two values of one type

    def binary(self, op: str, left: Any, right: Any, kind: ElementType) -> Any:
        """left op right, both of `kind`."""
        if kind.kind == "complex":
            return self._complex(op, left, right, kind)
        names = _FLOAT if kind.kind == "float" else _UNSIGNED if kind.kind in ("uint", "bool") else _SIGNED
        if op not in names:
            raise UnsupportedError(f"no code can be generated for {op!r} of {kind.name} values")
        if kind.kind == "float":
            return getattr(self.b, names[op])(left, right, flags=self.rules.flags)
        flags = {"flags": ("nsw",)} if names[op] in ("add", "sub", "mul") and kind.kind == "int" else {}
        return getattr(self.b, names[op])(left, right, **flags)

    def mixed(self, op: str, left: Any, right: Any, kind: ElementType) -> Pair:
        """left op right, one of them complex and the other real: a product or quotient applies to both parts, a sum or
        difference to the real one."""
        part = real_part(kind)
        whole, real = (left, right) if isinstance(left, Pair) else (right, left)
        if op in "*/":
            return Pair(*(self.binary(op, one, real, part) for one in (whole.re, whole.im)))
        if whole is left:
            return Pair(self.binary(op, whole.re, real, part), whole.im)
        im = whole.im if op == "+" else self.negate(whole.im, part)
        return Pair(self.binary(op, real, whole.re, part), im)

    def _complex(self, op: str, left: Pair, right: Pair, kind: ElementType) -> Pair:
        do = partial(self.binary, kind=real_part(kind))
        if op in "+-":
            return Pair(do(op, left.re, right.re), do(op, left.im, right.im))
        if op == "*":
            product = Pair(
                do("-", do("*", left.re, right.re), do("*", left.im, right.im)),
                do("+", do("*", left.re, right.im), do("*", left.im, right.re)),
            )
            return self._checked_product(product, left, right, kind) if self.rules.checked else product
        if op == "/":
            return self._quotient(left, right, kind)
        raise UnsupportedError(f"no code can be generated for {op!r} of {kind.name} values")

    def _checked_product(self, product: Pair, left: Pair, right: Pair, kind: ElementType) -> Pair:
        """Complex product by C99, annex G: if both parts are NaN, the library computes it again."""
        b = self.b
        bad = b.and_(b.fcmp_unordered("uno", product.re, product.re), b.fcmp_unordered("uno", product.im, product.im))
        before = b.block
        with b.if_then(bad, likely=False):
            again = self._library_complex("mul", left, right, kind)
            inside = b.block
        parts = []
        for first, second in ((product.re, again.re), (product.im, again.im)):
            phi = b.phi(first.type)
            phi.add_incoming(first, before)
            phi.add_incoming(second, inside)
            parts.append(phi)
        return Pair(*parts)

    def _library_complex(self, op: str, left: Pair, right: Pair, kind: ElementType) -> Pair:
        part = value_type(real_part(kind))
        result = self._ir.LiteralStructType([part, part])
        name = f"__{op}{'sc' if kind.size == 8 else 'dc'}3"
        both = self._call(name, result, [left.re, left.im, right.re, right.im])
        return Pair(self.b.extract_value(both, 0), self.b.extract_value(both, 1))

    def _quotient(self, left: Pair, right: Pair, kind: ElementType) -> Pair:
        """Complex quotient: by the library where C's rules hold, else (a b*) / |b|²."""
        if self.rules.checked:
            return self._library_complex("div", left, right, kind)
        do = partial(self.binary, kind=real_part(kind))
        size = do("+", do("*", right.re, right.re), do("*", right.im, right.im))
        re = do("+", do("*", left.re, right.re), do("*", left.im, right.im))
        im = do("-", do("*", left.im, right.re), do("*", left.re, right.im))
        return Pair(do("/", re, size), do("/", im, size))

    def compare(self, op: str, left: Any, right: Any, kind: ElementType) -> Any:
        """Comparison; NaN is unequal to everything."""
        if kind.kind == "complex":
            part = real_part(kind)
            both = [self.compare(op, a, b, part) for a, b in ((left.re, right.re), (left.im, right.im))]
            return self.b.and_(*both) if op == "==" else self.b.or_(*both)
        if kind.kind == "float":
            compared = self.b.fcmp_unordered if op == "!=" else self.b.fcmp_ordered
            return compared(op, left, right, flags=self.rules.flags)
        return (self.b.icmp_signed if kind.kind == "int" else self.b.icmp_unsigned)(op, left, right)

    def negate(self, value: Any, kind: ElementType) -> Any:
        if kind.kind == "complex":
            return Pair(self.b.fneg(value.re), self.b.fneg(value.im))
        return self.b.fneg(value, flags=self.rules.flags) if kind.kind == "float" else self.b.neg(value)

    def choose(self, test: Any, then: Any, other: Any) -> Any:
        if isinstance(then, Pair):
            return Pair(self.b.select(test, then.re, other.re), self.b.select(test, then.im, other.im))
        return self.b.select(test, then, other)


_SIGNED = {
    "+": "add", "-": "sub", "*": "mul", "/": "sdiv", "%": "srem",
    "&": "and_", "|": "or_", "^": "xor", "<<": "shl", ">>": "ashr",
}  # fmt: skip
_UNSIGNED = {**_SIGNED, "/": "udiv", "%": "urem", ">>": "lshr"}
_FLOAT = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
