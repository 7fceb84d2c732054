"""Letters, strings and null pointers that the user gives for parameters: `-D uplo=L`, `-D trans=no`, `-D work=NULL`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ONE, ZERO, number
from foretell.errors import InputError
from foretell.frontends.analysis.walk.state import Sub, element_type, is_discrete
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from foretell.core.symbolic.poly import Poly
    from foretell.frontends.analysis.walk.state import State

NULLS = frozenset({"NULL", "null", "nullptr"})
_TRUTH = {"true": 1, ".true.": 1, "false": 0, ".false.": 0}
_NUMBERS = "a range is FIRST:LAST:STEP, a list A,B,C"
#: comparisons of two strings: 0 where they are equal
_COMPARE = frozenset({"strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp"})
#: LAPACK's comparison of two letters, in any case
_SAME_LETTER = frozenset({"lsame"})


def give_words(
    state: State, variables: Iterable[ir.Variable], words: Mapping[str, str]
) -> dict[str, InputError | None]:
    """Gives parameters of a function the values that words stand for; says of each name why that is impossible."""
    tried: dict[str, InputError | None] = {}
    for variable in variables:
        fortran = state.frame.function.language == "fortran"
        name = variable.display.lower() if fortran and variable.display not in words else variable.display
        if name in words:
            try:
                _give(state, variable, words[name])
                tried[name] = None
            except InputError as error:
                tried[name] = error
    return tried


def _give(state: State, variable: ir.Variable, text: str) -> None:
    key, kind = variable.id, variable.type
    if isinstance(kind, ir.Pointer) and text in NULLS:
        state.env[key] = ZERO
    elif _is_text(kind):
        state.texts[key] = text
        state.env |= {(key, Sub(number(place))): number(ord(letter)) for place, letter in enumerate(f"{text}\0")}
        state.env[f"*{key}"] = number(ord(f"{text}\0"[0]))
    elif isinstance(kind, ir.Scalar) and is_discrete(element_type(kind)):
        state.given = {**state.given, variable.display: number(_code(variable, text))}
    else:
        raise InputError(f"-D {variable.display}={text}: {variable.display} is no letter, string or pointer")


def _is_text(kind: ir.Type) -> bool:
    while isinstance(kind, ir.Pointer | ir.Array):
        kind = kind.target if isinstance(kind, ir.Pointer) else kind.element
        if isinstance(kind, ir.Scalar) and kind.size == 1:
            return True
    return isinstance(kind, ir.Unknown) and kind.spelling == "character"


def _code(variable: ir.Variable, text: str) -> int:
    """A letter's code, or a truth value."""
    if text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if isinstance(variable.type, ir.Scalar) and variable.type.size > 1:
        raise InputError(f"-D {variable.display}={text}: {variable.display} is a number", hint=_NUMBERS)
    if len(text) != 1:
        raise InputError(f"-D {variable.display}={text}: give a number or one letter")
    return ord(text)


def same_text(state: State, left: ir.Expr, right: ir.Expr) -> bool | None:
    """Whether two strings are equal but for blanks at their ends, where both are known."""
    texts = [_text(state, side) for side in (left, right)]
    return None if None in texts else str(texts[0]).rstrip() == str(texts[1]).rstrip()


def compared_texts(state: State, name: str, arguments: tuple[ir.Expr, ...]) -> Poly | None:
    """The value of a call that compares two strings, where both are known."""
    if name not in _COMPARE | _SAME_LETTER or len(arguments) < 2:
        return None
    texts = [_text(state, side) for side in arguments[:2]]
    if texts[0] is None or texts[1] is None:
        return None
    a, b = (text.lower() if "case" in name or name in _SAME_LETTER else text for text in texts if text is not None)
    if name in _SAME_LETTER:
        return ONE if a[:1] == b[:1] else ZERO
    if name not in ("strcmp", "strcasecmp") and isinstance(arguments[-1], ir.Const):
        length = int(arguments[-1].value) if isinstance(arguments[-1].value, int) else None
        a, b = a[:length], b[:length]
    return number((a > b) - (a < b))


def _text(state: State, expr: ir.Expr) -> str | None:
    match expr:
        case ir.Const(str(value), _):
            return value
        case ir.Name(identifier, _):
            return state.texts.get(state.key(identifier))
        case ir.Cast(_, operand) | ir.AddressOf(operand) | ir.Deref(operand):
            return _text(state, operand)
        case ir.Call("trim" | "substring", (operand, *_), _):
            return _text(state, operand)
    return None
