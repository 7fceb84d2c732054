"""Initial values of a procedure's variables at its start, and of a module's at program start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower import arith
from foretell.frontends.fortran.lower.arrays import literal_items
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.scope.data import MOST_VALUES
from foretell.frontends.fortran.scope.types import is_scalar
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.fortran.scope.symbols import Symbol


def beginnings(low: Lowering, *, runs_once: bool) -> Iterator[ir.Stmt]:
    """Declares automatic arrays; saved scalars and constant vectors get their initial values.

    Saved vectors only where the procedure runs once: this is executed at every call."""
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
    """Initial values of variables that outlive procedures: of modules and COMMON blocks, tables of DATA."""
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
    return all(isinstance(extent.size, ir.Const) and isinstance(extent.lower, ir.Const) for extent in kind.dims)


def _items(low: Lowering, symbol: Symbol, variable: ir.Variable) -> Iterator[ir.Assign]:
    """`= [a, b, …]` of a vector, or DATA of an array: one assignment per element."""
    kind = variable.type
    if not isinstance(kind, ir.Array):
        return
    if symbol.table:
        items: list[ir.Expr] = [_number(text, kind.element) for text in symbol.table]
    elif symbol.init is not None and len(kind.dims) == 1:
        try:
            items = literal_items(low, symbol.init) or []
        except CannotLowerError:
            return
    else:
        return
    for number, item in enumerate(items[:MOST_VALUES]):
        subscripts = _subscripts(kind, number)
        if subscripts is None:
            return
        yield ir.Assign(ir.Index(ir.Name(variable.id, kind), subscripts), item, symbol.line)


def _subscripts(kind: ir.Array, number: int) -> tuple[ir.Expr, ...] | None:
    """The subscripts of an array's element with a linear index; None where an inner extent is not a number."""
    inner: list[ir.Expr] = []
    for extent in reversed(kind.dims[1:]):
        size = None if extent.size is None else arith.constant(extent.size)
        if not size:
            return None
        number, inside = divmod(number, size)
        inner.insert(0, arith.add(extent.lower or arith.ZERO, arith.integer(inside)))
    return (arith.add(kind.dims[0].lower or arith.ZERO, arith.integer(number)), *inner)


def _number(text: str, kind: ir.Type) -> ir.Const:
    """Parses a number of a DATA statement: 1, 2.5d0, 3_8."""
    mantissa, _, exponent = text.split("_")[0].replace("d", "e").partition("e")
    value = float(f"{mantissa}e{exponent or 0}")
    return ir.Const(int(value) if isinstance(kind, ir.Scalar) and kind.kind == "int" else value, kind)


def _value(low: Lowering, symbol: Symbol) -> ir.Expr | None:
    """The initial value of a scalar: `= 1.0` in its declaration, or DATA."""
    kind = symbol.variable.type if symbol.variable is not None else ir.INT
    if symbol.data and isinstance(kind, ir.Scalar):
        return _number(symbol.data, kind)
    if symbol.init is None or symbol.init.type == "data_value":
        return None
    try:
        value = low.value(symbol.init)
    except CannotLowerError:
        return None
    return value if is_scalar(value) else None
