"""Integer arithmetic of LLVM IR."""

from __future__ import annotations


class Arithmetic:
    """Computes on integers of any width."""

    def _icmp(self, predicate: str, type_: str, v: list[int]) -> int:
        a, b = v
        if predicate.startswith("s"):
            a, b = self._signed(type_, a), self._signed(type_, b)
        return int({"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}[predicate[-2:]])

    def _integer(self, opcode: str, type_: str, v: list[int]) -> int:
        a, b = v
        if opcode in ("sdiv", "srem", "ashr"):
            a = self._signed(type_, a)
        if opcode in ("sdiv", "srem"):
            b = self._signed(type_, b)
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if opcode == "sdiv" else a - quotient * b
        return {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "udiv": lambda: a // b,
            "urem": lambda: a % b,
            "shl": lambda: a << b,
            "lshr": lambda: a >> b,
            "ashr": lambda: a >> b,
            "and": lambda: a & b,
            "or": lambda: a | b,
            "xor": lambda: a ^ b,
        }[opcode]()
