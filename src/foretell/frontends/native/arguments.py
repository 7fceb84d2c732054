"""Arguments of a call of compiled code as text: 1000, n*n, f64[n], vector<f64>[n], f64:1.5, NULL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.machine_code import CodeArgument
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZES = {"f64": 8, "f32": 4, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "u64": 8, "u32": 4, "u16": 2, "u8": 1}
_ARRAY = re.compile(r"(?:(vector)<)?([a-z]\d+)(?(1)>)\[(.+)\]")
_FLOAT = re.compile(r"f(?:64|32):.+|[-+]?(?:\d+\.\d*|\.\d+|\d+(?:\.\d*)?[eE][-+]?\d+)")
_HINT = "in the order of the parameters: 1000, n*n, f64[n] (a pointer), vector<f64>[n], f64:1.5, NULL"


def parse_arguments(texts: Sequence[str]) -> tuple[CodeArgument, ...]:
    """Parses the arguments of a call, in the order of its parameters."""
    return tuple(_parsed(text.strip()) for text in texts)


def _parsed(text: str) -> CodeArgument:
    if text in ("NULL", "null", "nullptr"):
        return CodeArgument("integer", constant(0))
    if match := _ARRAY.fullmatch(text):
        if match[2] not in _SIZES:
            raise InputError(f"--arg {text}: no type {match[2]}", hint=f"types: {', '.join(_SIZES)}")
        return CodeArgument("vector" if match[1] else "array", Expression(match[3]), _SIZES[match[2]])
    if _FLOAT.fullmatch(text):
        return CodeArgument("float", constant(0))
    try:
        return CodeArgument("integer", Expression(text))
    except InputError as error:
        raise InputError(f"--arg {text}: {error.message}", hint=_HINT) from None
