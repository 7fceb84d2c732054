"""Emits polynomials of sizes and loop variables as 64-bit integer IR."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from foretell.codegen.load_llvmlite import load_ir
from foretell.core.symbolic.poly import Atom, Poly
from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

_NSW = ("nsw",)
#: binary operators that are one instruction
_PLAIN = {"div": "sdiv", "rem": "srem", "xor": "xor", "and": "and_", "or": "or_", "shr": "ashr"}
_KNOWN = {*_PLAIN, "min", "max", "floor", "mod", "ge", "eq", "abs"}


class Integers:
    """Emits integer values; `symbol` returns the value of a name, `element` that of an array element like `col[j]`."""

    def __init__(
        self, builder: Any, symbol: Callable[[str], Any], element: Callable[[str, tuple[Poly, ...]], Any]
    ) -> None:
        self._ir = load_ir()
        self._builder, self._symbol, self._element = builder, symbol, element
        self._i64 = self._ir.IntType(64)

    def number(self, value: int) -> Any:
        return self._ir.Constant(self._i64, value)

    def value(self, poly: Poly) -> Any:
        """Value of a polynomial, its constant added last: C computes an index in this order, and LLVM's interleave
        count depends on it."""
        scale = lcm(*(Fraction(c).denominator for c in poly.terms.values())) if poly.terms else 1
        total = None
        for mono in sorted(poly.terms, key=lambda mono: (mono == (), -len(mono), mono)):
            term = self._term(mono, int(poly.terms[mono] * scale))
            total = term if total is None else self._builder.add(total, term, flags=_NSW)
        if total is None:
            return self.number(0)
        return total if scale == 1 else self._builder.sdiv(total, self.number(scale))

    def _term(self, mono: tuple[str, ...], coefficient: int) -> Any:
        product = None
        for atom in mono:
            factor = self._atom(atom)
            product = factor if product is None else self._builder.mul(product, factor, flags=_NSW)
        if product is None:
            return self.number(coefficient)
        return product if coefficient == 1 else self._builder.mul(product, self.number(coefficient), flags=_NSW)

    def _atom(self, atom: str) -> Any:
        if not isinstance(atom, Atom):
            return self._symbol(atom)
        if atom.op.endswith(":="):
            return self.value(atom.args[0])
        if atom.op.endswith("[]"):
            return self._element(atom.op[:-2], atom.args)
        return self._operator(atom)

    def _operator(self, atom: Atom) -> Any:
        b = self._builder
        if atom.op == "pow" and atom.args[0].integer == 2:
            return b.shl(self.number(1), self.value(atom.args[1]))
        if atom.op == "ilog" and atom.args[1].integer == 2:
            zeros = b.ctlz(self.value(atom.args[0]), self._ir.Constant(self._ir.IntType(1), 0))
            return b.sub(self.number(63), zeros)
        if atom.op == "rounds":  # where its mean ends it: the body's code is that of any count
            most, mean = self.value(atom.args[0]), self.number(max(1, round(1 / float(atom.args[1].constant or 1))))
            return b.select(b.icmp_signed("<", most, mean), most, mean)
        if atom.op == "isqrt":
            double = self._ir.DoubleType()
            root = b.module.declare_intrinsic("llvm.sqrt", [double])
            return b.fptosi(b.call(root, [b.sitofp(self.value(atom.args[0]), double)]), self._i64)
        if atom.op not in _KNOWN:
            raise UnsupportedError(f"no code can be generated for {atom} in a size or subscript")
        args = [self.value(argument) for argument in atom.args]
        match atom.op:
            case "min" | "max":
                comparison = "<" if atom.op == "min" else ">"
                chosen = args[0]
                for other in args[1:]:
                    chosen = b.select(b.icmp_signed(comparison, chosen, other), chosen, other)
                return chosen
            case "floor":
                return self._floor(*args)
            case "mod":
                return b.sub(args[0], b.mul(self._floor(*args), args[1]))
            case "ge" | "eq":
                test = b.icmp_signed(">=" if atom.op == "ge" else "==", args[0], self.number(0))
                return b.zext(test, self._i64)
            case "abs":
                return b.select(b.icmp_signed("<", args[0], self.number(0)), b.neg(args[0]), args[0])
        return getattr(b, _PLAIN[atom.op])(*args)

    def _floor(self, value: Any, divisor: Any) -> Any:
        """Division rounded down; by an exact power of two, a shift."""
        b = self._builder
        by = divisor.constant if isinstance(divisor, self._ir.Constant) else None
        if by is not None and by > 0 and by & (by - 1) == 0:
            return b.ashr(value, self.number(by.bit_length() - 1))
        quotient, rest = b.sdiv(value, divisor), b.srem(value, divisor)
        wrong = b.icmp_signed("<", b.xor(rest, divisor), self.number(0))
        inexact = b.icmp_signed("!=", rest, self.number(0))
        return b.sub(quotient, b.zext(b.and_(wrong, inexact), self._i64))
