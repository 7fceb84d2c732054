"""Arguments of a call of compiled code as text: 1000, n*n, f64[n], end, vector<f64>[n], {f64[n], i32:n}, f64:1.5.

Integers in an array are known as `i32[n]@constant(20)`, or `i32[n+1]@step(7)`: 0, 7, 14, …
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.machine_code import CodeArgument
from foretell.errors import InputError
from foretell.units import BINARY_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZES = {"f64": 8, "f32": 4, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "u64": 8, "u32": 4, "u16": 2, "u8": 1}
_ARRAY = re.compile(r"(?:(vector)<)?([a-z]\d+)(?(1)>)\[(.+)\](?:@(\w+)\((.+)\))?")
_FLOAT = re.compile(r"f(?:64|32):.+|[-+]?(?:\d+\.\d*|\.\d+|\d+(?:\.\d*)?[eE][-+]?\d+)")
_SIZED = re.compile(r"([iu]\d+):(.+)")
_PREFIXED = re.compile(r"(?<![\w.])(\d+)([KMG])\b")
_HINT = (
    "in the order of the parameters: 1000, 1M, n*n, f64[n] (a pointer), end (of the array before), vector<f64>[n], "
    "{f64[n], i32:n} (a pointer to a struct), i32[n+1]@step(7), i32[n]@constant(20) (known integers), f64:1.5, NULL"
)


def parse_arguments(texts: Sequence[str]) -> tuple[CodeArgument, ...]:
    """Parses the arguments of a call, in the order of its parameters."""
    return tuple(_parsed(text.strip()) for text in texts)


def split_list(text: str) -> list[str]:
    """The members of a list: separated by commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{(<") - (letter in "]})>")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _member(text: str) -> CodeArgument:
    """A member: as an argument, but an integer has a size (i32:n; n alone is an int), and a number is stored."""
    sized = _SIZED.fullmatch(text)
    if sized is None:
        member = _parsed(text)
        size = {"f32": 4}.get(text.partition(":")[0], 8) if member.kind == "float" else 4
        return CodeArgument(member.kind, member.value, size) if member.kind in ("float", "integer") else member
    if sized[1] not in _SIZES:
        raise InputError(f"--arg {text}: no type {sized[1]}", hint=f"types: {', '.join(_SIZES)}")
    return CodeArgument("integer", _parsed(sized[2]).value, _SIZES[sized[1]])


def _contents(text: str, match: re.Match[str]) -> tuple[Expression, Expression] | None:
    """The first integer of an array and the step to the next one; None where nothing is said of them."""
    _, kind, _, word, value = match.groups()
    if word is None:
        return None
    if word not in ("constant", "step") or kind.startswith("f"):
        hint = "integers may be @constant(20) (all the same) or @step(7) (0, 7, 14, …)"
        raise InputError(f"--arg {text}: no such contents of {kind}", hint=hint)
    number = _number(value, text)
    return (number, constant(0)) if word == "constant" else (constant(0), number)


def _parsed(text: str) -> CodeArgument:
    if text in ("NULL", "null", "nullptr"):
        return CodeArgument("integer", constant(0))
    if text == "end":
        return CodeArgument("end", constant(0))
    if text.startswith("{") and text.endswith("}"):
        return CodeArgument("record", constant(0), members=tuple(map(_member, split_list(text[1:-1]))))
    if match := _ARRAY.fullmatch(text):
        if match[2] not in _SIZES:
            raise InputError(f"--arg {text}: no type {match[2]}", hint=f"types: {', '.join(_SIZES)}")
        contents = _contents(text, match)
        return CodeArgument("vector" if match[1] else "array", _number(match[3], text), _SIZES[match[2]], (), contents)
    if _FLOAT.fullmatch(text):
        return CodeArgument("float", constant(0))
    return CodeArgument("integer", _number(text, text))


def _number(text: str, argument: str) -> Expression:
    """An integer of an argument: an expression, in which 64K and 1M are powers of two as in the launch of a kernel."""
    try:
        return Expression(_PREFIXED.sub(lambda found: str(int(found[1]) * BINARY_PREFIXES[found[2]]), text))
    except InputError as error:
        raise InputError(f"--arg {argument}: {error.message}", hint=_HINT) from None
