"""The kernels of a CUDA source as it declares them: their bodies, and arguments of a usual launch."""

from __future__ import annotations

import re

from foretell.core.gpu.launch import ELEMENT_BYTES
from foretell.errors import InputError
from foretell.frontends.gpu.arguments import own_type
from foretell.frontends.native.arguments import split_list
from foretell.frontends.native.cxx_functions import closing

#: words around a type that do not change its size, default values, attributes and extents
_AROUND = re.compile(r"\b(?:__grid_constant__|struct|typename|std)\b|::|\*|=.*$|\[\[.*?\]\]|\[.*?\]", re.DOTALL)
_ALIASES = (
    re.compile(r"\btypedef\s+(?P<type>\w[\w ]*?)\s+(?P<name>\w+)\s*;"),
    re.compile(r"\busing\s+(?P<name>\w+)\s*=\s*(?P<type>\w[\w ]*?)\s*;"),
)
_MOST_ALIASES = 4
#: of integers of so few bytes: a length does not fit
_NARROW = 2


def parameters_and_body(text: str, kernel: str) -> tuple[list[str], str]:
    """The parameters of the first definition of a kernel and what it does. `text` has no comments."""
    for found in re.finditer(rf"\b{re.escape(kernel)}\s*\(", text):
        end = closing(text, found.end() - 1, "()")
        if opened := re.match(r"\)\s*\{", text[end:]):
            start = end + opened.end()
            return [" ".join(one.split()) for one in split_list(text[found.end() : end]) if one], text[
                start : closing(text, start - 1)
            ]
    return [], ""


def usual_arguments(text: str, parameters: list[str], edge: int, elements: int) -> list[str | int]:
    """Arguments by the types of parameters: arrays of so many elements, and integers, the length of an axis. A
    parameter whose type says too little is an error."""
    aliases = {found["name"]: found["type"] for pattern in _ALIASES for found in pattern.finditer(text)}
    return [_argument(one, aliases, edge, elements) for one in parameters if one != "void"]


def _argument(parameter: str, aliases: dict[str, str], edge: int, elements: int) -> str | int:
    stars, kind = parameter.count("*") + parameter.count("["), _kind(parameter, aliases)
    own, _, lanes = kind.partition("x")
    if not kind or "&" in parameter or stars > 1 or (lanes and not stars):
        raise InputError(f"the type of «{parameter}» says too little")
    if stars:
        return f"{kind}[{elements}]"
    if own[0] in "fb":
        return f"{own}:1.0"
    return 1 if ELEMENT_BYTES[own] <= _NARROW else edge


def _kind(parameter: str, aliases: dict[str, str]) -> str:
    """The type of a parameter with or without a name, as an argument has it; '' if it is another one."""
    words = _AROUND.sub(" ", parameter).split()
    for _ in range(_MOST_ALIASES):
        words = " ".join(aliases.get(word, word) for word in words).split()
    for count in range(len(words), 0, -1):
        kind = own_type(" ".join(words[:count]))
        if kind.partition("x")[0] in ELEMENT_BYTES:
            return kind
    return ""
