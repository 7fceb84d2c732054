"""First values: what a procedure's variables are when it starts, and a module's when the program does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends import ir
from foretell.frontends.fortran import arith
from foretell.frontends.fortran.lower_array import literal_items
from foretell.frontends.fortran.lower_types import is_scalar
from foretell.frontends.fortran.lowering import CannotLowerError, Lowering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.fortran.symbols import Symbol

#: longer tables of constants are data, not program: nobody unrolls them
_MOST_ITEMS = 256


def beginnings(low: Lowering, *, runs_once: bool) -> Iterator[ir.Stmt]:
    """Automatic arrays come to life; saved scalars and constant vectors get their first values.

    Saved vectors only where the procedure runs once: this is done at every call."""
    for symbol in list(low.scope.names.values()):
        variable = symbol.variable
        if variable is None or symbol.kind != "variable" or variable.storage in ("parameter", "global"):
            continue
        if isinstance(variable.type, ir.Array):
            if "allocatable" not in symbol.attributes and not _is_fixed(variable.type):
                yield ir.Declare(variable.id, None, symbol.line)
            if variable.storage == "constant" or runs_once:
                yield from _items(low, symbol, variable)
        elif variable.storage != "constant" and isinstance(variable.type, ir.Scalar):
            value = _value(low, symbol)
            if value is not None:
                yield ir.Declare(variable.id, value, symbol.line)


def initial(low: Lowering) -> Iterator[ir.Assign]:
    """First values of the scalars and vectors of a module or COMMON block."""
    for symbol in list(low.scope.names.values()):
        variable = symbol.variable
        if variable is None or symbol.kind != "variable":
            continue
        outlives = variable.storage == "global" or low.scope.kind == "module"
        if outlives and isinstance(variable.type, ir.Array):
            yield from _items(low, symbol, variable)
        elif variable.storage == "global" and isinstance(variable.type, ir.Scalar):
            value = _value(low, symbol)
            if value is not None:
                yield ir.Assign(ir.Name(variable.id, variable.type), value, symbol.line)


def _is_fixed(kind: ir.Array) -> bool:
    return all(
        isinstance(extent.size, ir.Const) and isinstance(extent.lower, ir.Const) for extent in kind.dims
    )


def _items(low: Lowering, symbol: Symbol, variable: ir.Variable) -> Iterator[ir.Assign]:
    """`= [a, b, …]` of a vector, one assignment per element."""
    kind = variable.type
    if symbol.init is None or not isinstance(kind, ir.Array) or len(kind.dims) != 1:
        return
    try:
        items = literal_items(low, symbol.init) or []
    except CannotLowerError:
        return
    first = kind.dims[0].lower or arith.ZERO
    for number, item in enumerate(items[:_MOST_ITEMS]):
        place = arith.add(first, arith.integer(number))
        yield ir.Assign(ir.Index(ir.Name(variable.id, kind), (place,)), item, symbol.line)


def _value(low: Lowering, symbol: Symbol) -> ir.Expr | None:
    """What a scalar is set to before the program starts: `= 1.0` in its declaration, or DATA."""
    kind = symbol.variable.type if symbol.variable is not None else ir.INT
    if symbol.data and isinstance(kind, ir.Scalar):
        mantissa, _, exponent = symbol.data.split("_")[0].replace("d", "e").partition("e")
        number = float(f"{mantissa}e{exponent or 0}")
        return ir.Const(int(number) if kind.kind == "int" else number, kind)
    if symbol.init is None or symbol.init.type == "data_value":
        return None
    try:
        value = low.value(symbol.init)
    except CannotLowerError:
        return None
    return value if is_scalar(value) else None
