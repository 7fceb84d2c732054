"""Evaluates the integer expressions of #if, without Python's own evaluator."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(r"\s*(?:(\d+)[uUlL]*|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|<<|>>|[-+*/%<>!()]))")
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_MAX_DEPTH = 60
#: the operators without `/` and `%`, which truncate unlike Python's
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "||": lambda left, right: bool(left or right), "&&": lambda left, right: bool(left and right),
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "<<": operator.lshift, ">>": operator.rshift, "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip


class _BadConditionError(Exception):
    """The text is not a preprocessor expression."""


def evaluate(text: str) -> int | None:
    """The value of a condition; an unknown name is 0. None if the text is not an expression."""
    try:
        tokens = _tokens(text)
        value, position = _binary(tokens, 0, 0, 0)
    except _BadConditionError:
        return None
    return int(value) if position == len(tokens) else None


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise _BadConditionError
        tokens.append("0" if found[2] else found[1] or found[3])
        position = found.end()
    return tokens


def _binary(tokens: list[str], position: int, level: int, depth: int) -> tuple[int, int]:
    if level == len(_LEVELS):
        return _unary(tokens, position, depth)
    left, position = _binary(tokens, position, level + 1, depth)
    while position < len(tokens) and tokens[position] in _LEVELS[level]:
        symbol = tokens[position]
        right, position = _binary(tokens, position + 1, level + 1, depth)
        left = _apply(symbol, left, right)
    return left, position


def _unary(tokens: list[str], position: int, depth: int) -> tuple[int, int]:
    if position >= len(tokens) or depth > _MAX_DEPTH:
        raise _BadConditionError
    token = tokens[position]
    if token == "(":
        value, position = _binary(tokens, position + 1, 0, depth + 1)
        if position >= len(tokens) or tokens[position] != ")":
            raise _BadConditionError
        return value, position + 1
    if token in "!-+":
        value, position = _unary(tokens, position + 1, depth + 1)
        return (int(not value) if token == "!" else -value if token == "-" else value), position
    if not token.isdigit():
        raise _BadConditionError
    return int(token), position + 1


def _apply(symbol: str, left: int, right: int) -> int:
    if (symbol in "/%" and right == 0) or (symbol in ("<<", ">>") and not 0 <= right < 64):
        raise _BadConditionError
    if symbol in "/%":
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if symbol == "/" else left - quotient * right
    return _OPERATORS[symbol](left, right)
