"""Sizes that `main` takes from the command line: what they are in a run without arguments.

`int n = argc > 1 ? atoi(argv[1]) : 1024` has the default 1024: `n@LINE` is a parameter with that value. A condition or
a loop on `argc` is decided as with argc = 1 if it only chooses values; one that ends the program (a usage message) is
left to `exits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ONE, Poly, number, symbol
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.frontends.analysis.walk.state import State, Value
    from foretell.frontends.source import ir

#: name of a default before it is assigned to a variable
_UNNAMED = "default"
#: functions that hand out the arguments of a program one by one
PARSERS = frozenset({"getopt", "getopt_long", "getopt_long_only"})


@record
class Default:
    """The value of a parameter in a run without arguments: the variable of the source, and its line."""

    name: str
    value: int
    variable: str
    line: int


def declare_arguments(state: State, function: ir.Function) -> None:
    """Names the number of arguments of `main`: its value in a run without any is 1."""
    if function.name == "main" and function.language == "c" and function.parameters:
        first = function.parameters[0]
        name = state.fresh(first.display, first.id)
        state.env[state.key(first.id)] = symbol(name)
        state.arguments[name] = ONE
        state.defaults[name] = Default(name, 1, first.display, function.line)


def without_arguments(state: State, test: Value) -> bool | None:
    """The truth of a condition on the number of arguments in a run without any; None for other conditions."""
    if not state.arguments or not isinstance(test, Poly) or test.symbols().isdisjoint(state.arguments):
        return None
    known = test.substitute(state.arguments).constant
    return None if known is None else known > 0  # of a trip count: whether the loop is entered


def default(state: State, value: Value, line: int, key: str = "") -> Value:
    """A parameter with a default, for a number that arguments would change; other values as they are."""
    whole = value.integer if isinstance(value, Poly) else None
    if whole is None:
        return value
    shown = state.display.get(key, key) if key else _UNNAMED
    name = state.fresh(f"{shown}@{line}", f"{key} {_UNNAMED} @{line}")
    state.defaults[name] = Default(name, whole, shown, line)
    return symbol(name)


def named(state: State, value: Value, key: str, line: int) -> Value:
    """Names a default after the variable that it is assigned to."""
    if not isinstance(value, Poly) or len(value.symbols()) != 1:
        return value
    known = state.defaults.get(next(iter(value.symbols())))
    if known is None or known.variable != _UNNAMED or value != symbol(known.name):
        return value
    del state.defaults[known.name]
    return default(state, number(known.value), line, key)


def keep_defaults(state: State, assigned: Iterable[str], line: int) -> None:
    """Makes parameters of the numbers that a skipped statement would have changed."""
    for identifier in sorted(assigned):
        key = state.key(identifier)
        if key in state.env:
            state.env[key] = default(state, state.env[key], line, key)
