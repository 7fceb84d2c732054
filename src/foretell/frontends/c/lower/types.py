"""Lowers C types to IR types."""

from __future__ import annotations

import math
import re
import struct
from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.c.parse.clang import CType, Tree

# CXTypeKind
_VOID, _BOOL, _ENUM, _COMPLEX, _POINTER, _BLOCK, _RECORD = 2, 3, 106, 100, 101, 102, 105
_FUNCTIONS = (110, 111)
_CONSTANT_ARRAY, _VECTOR, _INCOMPLETE_ARRAY, _VARIABLE_ARRAY, _EXTENDED_VECTOR = 112, 113, 114, 115, 176
_ARRAYS = (_CONSTANT_ARRAY, _INCOMPLETE_ARRAY, _VARIABLE_ARRAY)

#: Limit of nested pointers and structures; no hand-written program exceeds it.
_MAX_DEPTH = 100

INDEX = ir.LONG
VOID = ir.Void()
_NUMBERS = (
    dict.fromkeys(range(4, 13), "uint")
    | dict.fromkeys(range(13, 21), "int")
    | dict.fromkeys((21, 22, 23, 30, 31, 32, 39, 40), "float")
    | {_BOOL: "bool", _ENUM: "int", _COMPLEX: "complex"}
)


class Types:
    """Lowers the types of one translation unit, each once.

    A record that a pointer inside a record points to is referred to by name only: that is where types are recursive."""

    def __init__(self, tree: Tree) -> None:
        self._types = tree.types
        #: by index, outside and inside of records
        self._lowered: tuple[dict[int, ir.Type], dict[int, ir.Type]] = ({}, {})
        self._depth = 0

    def __call__(self, index: int, in_record: bool = False) -> ir.Type:
        """The IR type of a type index."""
        lowered = self._lowered[in_record]
        if index not in lowered:
            lowered[index] = self._lower(index, in_record)
        return lowered[index]

    def _target(self, index: int, in_record: bool) -> ir.Type:
        """The target of a pointer, or the result of a function."""
        if in_record and index >= 0 and self._types[index].kind == _RECORD:
            return ir.Record(record_name(self._types[index].name))
        return self(index, in_record)

    def _lower(self, index: int, in_record: bool) -> ir.Type:
        if index < 0 or self._depth > _MAX_DEPTH:
            return ir.Unknown()
        self._depth += 1
        try:
            return self._lower_kind(self._types[index], in_record)
        finally:
            self._depth -= 1

    def _lower_kind(self, kind: CType, in_record: bool) -> ir.Type:
        if kind.kind in _NUMBERS:
            scalar = ir.Scalar(_NUMBERS[kind.kind], kind.size if kind.size > 0 else 4)  # type: ignore[arg-type]
            return _SCALARS.setdefault(scalar, scalar)
        if kind.kind == _VOID:
            return VOID
        if kind.kind in (_POINTER, _BLOCK):
            return ir.Pointer(self._target(kind.element, in_record), kind.is_restrict)
        if kind.kind in _ARRAYS:
            return self._array(kind, in_record)
        if kind.kind == _RECORD:
            return self._record(kind)
        if kind.kind in _FUNCTIONS:
            return ir.Procedure(self._target(kind.element, in_record))
        if kind.kind in (_VECTOR, _EXTENDED_VECTOR):
            return ir.Array(self(kind.element), (ir.Extent(ir.Const(max(kind.extent, 1), INDEX)),))
        return ir.Unknown(kind.name)

    def _array(self, kind: CType, in_record: bool) -> ir.Array:
        extents = [_extent(kind)]
        while self._types[kind.element].kind in _ARRAYS:
            kind = self._types[kind.element]
            extents.append(_extent(kind))
        return ir.Array(self(kind.element, in_record), tuple(extents))

    def _record(self, kind: CType) -> ir.Record:
        fields: list[tuple[str, ir.Type]] = []
        for field, type_index in kind.fields:
            lowered = self(type_index, in_record=True)
            if is_anonymous(field):
                if isinstance(lowered, ir.Record):  # its members belong to the outer one
                    fields += lowered.fields
            else:
                fields.append((field, lowered))
        lowered = ir.Record(record_name(kind.name), tuple(fields), max(kind.size, 0))
        # equal types are one object, also those of several files: comparing them stops at each member
        return _RECORDS.setdefault((lowered, lowered.size), lowered)

    def is_const(self, index: int) -> bool:
        return index >= 0 and self._types[index].is_const

    def is_variable(self, index: int) -> bool:
        """Whether some extent in the type is known only at run time."""
        while index >= 0 and self._types[index].kind in (*_ARRAYS, _POINTER):
            if self._types[index].kind == _VARIABLE_ARRAY:
                return True
            index = self._types[index].element
        return False

    def adopt(self, index: int, kind: ir.Type) -> None:
        """Makes a type with variable extents the one that a typedef names."""
        if isinstance(kind, ir.Array) and isinstance(self(index), ir.Array):
            self._lowered[False][index] = kind

    def give_extents(self, index: int, sizes: Sequence[ir.Expr]) -> None:
        """Sets the written sizes (outermost first) of a type with variable extents, and of its parts.

        Clang makes a new variable-length type at each occurrence, so this type is not shared."""
        if index < 0:
            return
        kind = self._types[index]
        if kind.kind == _POINTER:
            self.give_extents(kind.element, sizes)
            self._lowered[False][index] = ir.Pointer(self(kind.element), kind.is_restrict)
        elif kind.kind in _ARRAYS:
            written = sizes[1:] if kind.kind != _INCOMPLETE_ARRAY else sizes
            self.give_extents(kind.element, written)
            own = ir.Extent(sizes[0]) if kind.kind == _VARIABLE_ARRAY and sizes else _extent(kind)
            inner = self(kind.element)
            rest = inner.dims if isinstance(inner, ir.Array) else ()
            element = inner.element if isinstance(inner, ir.Array) else inner
            self._lowered[False][index] = ir.Array(element, (own, *rest))


def _extent(kind: CType) -> ir.Extent:
    return ir.Extent(ir.Const(kind.extent, INDEX) if kind.kind == _CONSTANT_ARRAY else None)


#: One object per scalar type, so that most comparisons are by identity.
#: structures and unions, by value and size
_RECORDS: dict[tuple[ir.Record, int], ir.Record] = {}
_SCALARS = {scalar: scalar for scalar in (ir.INT, ir.LONG, ir.FLOAT, ir.DOUBLE, ir.BOOL)}


def integer(expr: ir.Expr | None) -> int | None:
    """The value of an integer constant."""
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, int) else None


def is_whole(kind: ir.Type) -> bool:
    """Whether a type is an integer."""
    return isinstance(kind, ir.Scalar) and kind.kind in ("int", "uint")


def is_anonymous(field: str) -> bool:
    """Whether clang generated the name of a member (an anonymous struct, an unnamed bit-field)."""
    return not field or "(" in field


def record_name(spelling: str) -> str:
    """'grid' for 'const struct grid'; an unnamed record is named by its line."""
    name = re.sub(r"^(?:(?:const|volatile|struct|_Atomic)\s+)*", "", spelling)
    unnamed = re.search(r"\((?:unnamed|anonymous).* at .*?:(\d+):(\d+)\)", spelling)
    return f"unnamed:{unnamed[1]}:{unnamed[2]}" if unnamed else name


def conversion(expr: ir.Expr, have: ir.Type, kind: ir.Type) -> ir.Expr:
    """Converts `expr` from `have` to `kind`: a Cast only if a number's kind or size, or a pointer's target, changes."""
    if have is kind or have == kind or isinstance(have, ir.Unknown):
        return expr
    if isinstance(kind, ir.Void | ir.Unknown | ir.Procedure):
        return expr
    if isinstance(expr, ir.Const) and not isinstance(expr.value, str):
        return _converted_constant(expr, kind)
    if isinstance(kind, ir.Array) and isinstance(have, ir.Pointer):  # the type of a parameter that is declared `a[]`
        kind = ir.Pointer(ir.Array(kind.element, kind.dims[1:]) if kind.dims[1:] else kind.element)
    if isinstance(have, ir.Scalar) and isinstance(kind, ir.Scalar):
        return ir.Cast(kind, expr)
    if isinstance(kind, ir.Pointer):
        return _converted_pointer(expr, have, kind)
    return expr if isinstance(have, ir.Record) else ir.Cast(kind, expr)


_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||", "!"})


def as_number(expr: ir.Expr) -> ir.Expr:
    """An operand of arithmetic: a comparison is an int in C, but a truth value in the IR."""
    if isinstance(expr, ir.Binary | ir.Unary) and expr.op in _TRUTHS:
        return ir.Cast(ir.INT, expr)
    return expr


def _converted_pointer(expr: ir.Expr, have: ir.Type, kind: ir.Pointer) -> ir.Expr:
    if isinstance(have, ir.Pointer | ir.Array) and _same(ir.element_type(have), kind.target):
        return expr
    if isinstance(have, ir.Procedure) or isinstance(kind.target, ir.Void):
        return expr
    return ir.Cast(kind, expr)


def _same(left: ir.Type, right: ir.Type) -> bool:
    if isinstance(left, ir.Record) and isinstance(right, ir.Record):
        return left.name == right.name
    if isinstance(left, ir.Pointer) and isinstance(right, ir.Pointer):
        return _same(left.target, right.target)
    if isinstance(left, ir.Array) and isinstance(right, ir.Array):
        return len(left.dims) == len(right.dims) and _same(left.element, right.element)
    return left == right


def _converted_constant(expr: ir.Const, kind: ir.Type) -> ir.Expr:
    value = expr.value
    if not isinstance(kind, ir.Scalar) or isinstance(value, str):
        return ir.Const(value, kind)
    if kind.kind == "complex":
        return ir.Const(complex(value), kind)
    if isinstance(value, complex):
        return ir.Cast(kind, expr)
    if kind.kind == "bool":
        return ir.Const(bool(value), kind)
    if kind.kind == "float":
        return ir.Const(rounded(float(value), kind.size), kind)
    if not math.isfinite(value):
        return ir.Cast(kind, expr)
    return ir.Const(wrapped(int(value), kind), kind)


def rounded(value: float, size: int) -> float:
    """`value` rounded to a floating type of that size."""
    if size != 4:
        return value
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def wrapped(value: int, kind: ir.Scalar) -> int:
    """`value` wrapped to an integer type, as two's complement."""
    value &= (1 << 8 * kind.size) - 1
    if kind.kind == "int" and value >> (8 * kind.size - 1):
        value -= 1 << 8 * kind.size
    return value
