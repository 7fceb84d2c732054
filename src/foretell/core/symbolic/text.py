"""Parses polynomials: the inverse of `str(poly)`."""

from __future__ import annotations

import re
from fractions import Fraction

from foretell.core.symbolic.poly import Poly, apply, modulo, number, parity, symbol
from foretell.core.symbolic.sums import sum_over
from foretell.errors import InputError

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_%][\w.'~@#%]*)|(\*\*|->|.))", re.DOTALL)
#: Nesting limit, beyond any subscript in practice; prevents hostile text from exhausting the stack.
MAX_NESTING = 60
#: arguments of operators that are simplified; a long list is printed as a hash, which looks like one argument
_TAKES = {"floor": 2, "mod": 2, "div": 2, "rem": 2, "pow": 2, "xor": 2, "and": 2, "or": 2, "ge": 1, "eq": 1}


def parse(text: str) -> Poly:
    """Parses the polynomial that prints as `text`; also accepts `a->b`, powers, and division by numbers."""
    reader = _Reader(text)
    result = reader.bits(0)
    reader.expect("")
    return result


class _Reader:
    """A recursive-descent parser for + - * / ** ( ) [ ] and calls."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = ["".join(groups) for groups in _TOKEN.findall(text.strip())]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise InputError(f"«{self.text}» is not an expression that foretell can read")

    def bits(self, depth: int) -> Poly:
        """Parses a ^ b, a & b with C's precedence; only their last bit is ever used."""
        total = self.conjunction(depth)
        while self.peek() == "^":
            self.take()
            total = apply("xor", (total, self.conjunction(depth)))
        return total

    def conjunction(self, depth: int) -> Poly:
        total = self.sum(depth)
        while self.peek() == "&":
            self.take()
            other = self.sum(depth)
            total = modulo(parity(total), 2) if other == 1 else apply("and", (total, other))
        return total

    def sum(self, depth: int) -> Poly:
        if depth > MAX_NESTING:
            raise InputError("an expression is nested too deeply")
        total = self.product(depth)
        while self.peek() in ("+", "-"):
            sign = self.take()
            term = self.product(depth)
            total = total + term if sign == "+" else total - term
        return total

    def product(self, depth: int) -> Poly:
        total = self.factor(depth)
        while self.peek() in ("*", "/", "%"):
            sign = self.take()
            other = self.factor(depth)
            total = total * other if sign == "*" else self._divided(sign, total, other)
        return total

    def _divided(self, sign: str, left: Poly, right: Poly) -> Poly:
        if sign == "%":
            return apply("rem", (left, right))
        by = right.constant
        if not by:
            raise InputError(f"«{self.text}» divides by something that is not a number")
        return left / Fraction(by)

    def factor(self, depth: int) -> Poly:
        if self.peek() == "-":
            self.take()
            return -self.factor(depth + 1) if depth < MAX_NESTING else self.sum(depth + 1)
        base = self.atom(depth)
        if self.peek() == "**":
            self.take()
            exponent = self.atom(depth).integer
            if exponent is None or not 0 <= exponent <= 64:
                raise InputError(f"«{self.text}» has a power that is not a small number")
            return base**exponent
        return base

    def atom(self, depth: int) -> Poly:
        token = self.take()
        if token.isdigit():
            return number(int(token))
        if token == "(":
            inner = self.bits(depth + 1)
            self.expect(")")
            return inner
        if not token or not (token[0].isalpha() or token[0] in "_%"):
            raise InputError(f"«{self.text}» is not an expression that foretell can read")
        while self.peek() == "->":
            self.take()
            token = f"{token}.{self.take()}"
        if self.peek() == "(":
            args = self.arguments(")", depth)
            if token == "sum" and len(args) == 5:
                return sum_over(args[0], str(args[1]), *args[2:])
            if len(args) != _TAKES.get(token, len(args)) or (token in ("min", "max") and not args):
                raise InputError(f"«{self.text}» gives {token} {len(args)} arguments")
            return apply(token, args)
        if self.peek() == "[":
            return apply(f"{token}[]", self.arguments("]", depth))
        return symbol(token)

    def arguments(self, close: str, depth: int) -> tuple[Poly, ...]:
        self.take()
        arguments: list[Poly] = []
        while self.peek() != close:
            arguments.append(self.bits(depth + 1))
            if self.peek() == ",":
                self.take()
            elif self.peek() != close:
                self.expect(close)
        self.take()
        return tuple(arguments)
