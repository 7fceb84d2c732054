"""Memory of the IR interpreter: one address space of bytes, C's layout of types."""

from __future__ import annotations

import struct
from bisect import bisect_right
from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable

Value = int | float | complex | bytes

_FORMATS = {
    ("int", 1): "<b",
    ("int", 2): "<h",
    ("int", 4): "<i",
    ("int", 8): "<q",
    ("uint", 1): "<B",
    ("uint", 2): "<H",
    ("uint", 4): "<I",
    ("uint", 8): "<Q",
    ("bool", 1): "<?",
    ("bool", 4): "<i",
    ("float", 4): "<f",
    ("float", 8): "<d",
    ("complex", 8): "<ff",
    ("complex", 16): "<dd",
}


class InterpreterError(Exception):
    """The program did something that the interpreter cannot do, or that no program may do."""


class Memory:
    """Blocks of bytes, far apart: a stray address is an error, not somebody else's data."""

    _GAP = 1 << 32

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._blocks: list[bytearray] = []

    def allocate(self, size: int) -> int:
        if not 0 <= size <= 1 << 28:
            raise InterpreterError(f"a block of {size} bytes")
        base = (len(self._bases) + 1) * self._GAP
        self._bases.append(base)
        self._blocks.append(bytearray(size))
        return base

    def block(self, address: int) -> tuple[bytearray, int]:
        """The block that holds an address, and the offset in it."""
        number = bisect_right(self._bases, address) - 1
        if number < 0:
            raise InterpreterError(f"access through the address {address}")
        return self._blocks[number], address - self._bases[number]

    def read(self, address: int, size: int) -> bytes:
        block, offset = self.block(address)
        if offset + size > len(block):
            raise InterpreterError(f"read of {size} bytes at {offset} in a block of {len(block)}")
        return bytes(block[offset : offset + size])

    def write(self, address: int, data: bytes) -> None:
        block, offset = self.block(address)
        if offset + len(data) > len(block):
            raise InterpreterError(f"write of {len(data)} bytes at {offset} in a block of {len(block)}")
        block[offset : offset + len(data)] = data

    def text(self, address: int) -> str:
        """The string that ends with a NUL."""
        block, offset = self.block(address)
        return block[offset : block.index(0, offset)].decode("latin-1")


class Layout:
    """Sizes and offsets; `evaluate` gives the value of an extent."""

    def __init__(self) -> None:
        self._records: dict[str, ir.Record] = {}

    def learn(self, kind: ir.Type) -> None:
        """Remember complete records, which others name only."""
        if isinstance(kind, ir.Record):
            if kind.fields and kind.name not in self._records:
                self._records[kind.name] = kind
                for _, inner in kind.fields:
                    self.learn(inner)
        elif isinstance(kind, ir.Pointer):
            self.learn(kind.target)
        elif isinstance(kind, ir.Array):
            self.learn(kind.element)

    def size(self, kind: ir.Type, evaluate: Callable[[ir.Expr], int]) -> int:
        match kind:
            case ir.Scalar(_, size):
                return size
            case ir.Pointer() | ir.Procedure():
                return 8
            case ir.Array(element, dims):
                result = self.size(element, evaluate)
                for extent in dims:
                    result *= evaluate(extent.size) if extent.size is not None else 1
                return result
            case ir.Record():
                end = 0
                for offset, inner in self.fields(kind, evaluate).values():
                    end = max(end, offset + self.size(inner, evaluate))
                align = self.alignment(kind)
                return -(-end // align) * align
            case ir.Void():
                return 1
        raise InterpreterError(f"the size of {kind}")

    def alignment(self, kind: ir.Type) -> int:
        match kind:
            case ir.Scalar(name, size):
                return size // 2 if name == "complex" else size
            case ir.Array(element):
                return self.alignment(element)
            case ir.Record(name):
                return max((self.alignment(inner) for _, inner in self.record(kind).fields), default=1)
        return 8

    def record(self, kind: ir.Record) -> ir.Record:
        return kind if kind.fields else self._records.get(kind.name, kind)

    def fields(self, kind: ir.Record, evaluate: Callable[[ir.Expr], int]) -> dict[str, tuple[int, ir.Type]]:
        """Offset and type of each member."""
        result = {}
        end = 0
        for name, inner in self.record(kind).fields:
            align = self.alignment(inner)
            offset = 0 if kind.name.startswith("union ") else -(-end // align) * align
            result[name] = (offset, inner)
            end = offset + self.size(inner, evaluate)
        return result


def pack(value: Value, kind: ir.Type) -> bytes:
    """A value as the bytes of a type, converted as an assignment does."""
    if isinstance(value, bytes):
        return value
    if isinstance(kind, ir.Scalar):
        return _pack_scalar(convert(value, kind), kind)
    if isinstance(kind, ir.Pointer | ir.Procedure | ir.Array):
        return struct.pack("<Q", int(value.real))
    raise InterpreterError(f"a value of type {kind}")


def _pack_scalar(value: Value, kind: ir.Scalar) -> bytes:
    form = _FORMATS[kind.kind, kind.size]
    if kind.kind == "complex":
        assert isinstance(value, complex)
        return struct.pack(form, value.real, value.imag)
    return struct.pack(form, value)


def unpack(data: bytes, kind: ir.Type) -> Value:
    """The value that the bytes hold."""
    if isinstance(kind, ir.Scalar):
        parts = struct.unpack(_FORMATS[kind.kind, kind.size], data)
        return complex(*parts) if kind.kind == "complex" else parts[0]
    if isinstance(kind, ir.Pointer | ir.Procedure):
        return int(struct.unpack("<Q", data)[0])
    return data


def convert(value: Value, kind: ir.Type) -> Value:
    """A number in another type: truncated, wrapped or rounded as C does."""
    if not isinstance(kind, ir.Scalar) or isinstance(value, bytes):
        return value
    if kind.kind == "complex":
        return complex(value)
    if isinstance(value, complex):
        value = value.real
    if kind.kind == "bool":
        return bool(value)
    if kind.kind == "float":
        return _single(float(value)) if kind.size == 4 else float(value)
    return wrap(int(value), kind)


def _single(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def wrap(value: int, kind: ir.Scalar) -> int:
    bits = 8 * kind.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind.kind == "int" and value >> (bits - 1) else value
