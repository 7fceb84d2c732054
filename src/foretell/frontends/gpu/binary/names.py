"""Names of kernels: mangled, as C++ writes them, and as users do."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell import _core
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TRUTH = re.compile(r"\b(?:true|false)\b")
_OPEN, _CLOSE = "(<[{", ")>]}"


@record
class Signature:
    """A kernel as C++ declares it: `ns::scale<float>`, and the types of its parameters (None: extern "C")."""

    name: str
    types: tuple[str, ...] | None

    @property
    def forms(self) -> tuple[str, ...]:
        """All ways to name the kernel, from the whole signature to the last name alone."""
        unqualified = _after_last(self.name, "::")
        plain = tuple(name.partition("<")[0] for name in (self.name, unqualified))
        whole = (f"{self.name}({', '.join(self.types)})",) if self.types is not None else ()
        return (*whole, self.name, unqualified, *plain)


@lru_cache(maxsize=4096)
def signature(mangled: str) -> Signature:
    """The signature behind a mangled name; of any other name, the name."""
    text: str = _core.demangle(mangled) if mangled.startswith("_Z") else ""
    if not text.endswith(")"):
        return Signature(text or mangled, None)
    opening = _matching(text)
    listed = text[opening + 1 : -1].strip()
    types = tuple(_parts(listed)) if listed not in ("", "void") else ()
    return Signature(_after_last(text[:opening], " "), types)


def matching(names: Sequence[str], wanted: str) -> list[str]:
    """The mangled names that a user's name can mean: those that it names most exactly."""
    text = re.sub(r"\s+", "", wanted)
    known = {name: [re.sub(r"\s+", "", form) for form in signature(name).forms] for name in names}
    exact = [name for name in names if text in known[name][:-1]]
    found = exact or [name for name in names if text in known[name]]
    if found or "<" not in text:
        return found
    plain = _without_truth(text)  # k<0> of a program that computes arguments is k<false>
    return [name for name in names if plain in map(_without_truth, known[name])]


def _without_truth(text: str) -> str:
    """Template arguments with numbers in the place of truth values."""
    return _TRUTH.sub(lambda found: "1" if found[0] == "true" else "0", text)


def declared_parameters(source: str, kernel: str) -> tuple[tuple[str, str], ...]:
    """Type and name of each parameter of a `__global__` function in CUDA source; none if it is not there."""
    text = _COMMENT.sub(" ", source)
    last = _after_last(kernel.partition("<")[0], "::")
    for declared in re.finditer(rf"__global__[^;{{}}]*?\b{re.escape(last)}\s*\(", text):
        end = _closing(text, declared.end())
        if end is not None:
            return tuple(_declared(part) for part in _parts(text[declared.end() : end]))
    return ()


def _declared(declaration: str) -> tuple[str, str]:
    """Type and name of a declaration, without a default value: `float *__restrict__ x`, `float const in[]`."""
    text, bracket, _ = declaration.partition("=")[0].partition("[")
    words = [word for word in re.findall(r"\w+|[^\w\s]+", text) if word not in ("__restrict__", "__restrict")]
    named = len(words) > 1 and bool(_IDENTIFIER.fullmatch(words[-1]))
    kind = " ".join(words[:-1] if named else words) + ("*" if bracket else "")
    return re.sub(r" (?=[*&<>,:])|(?<=[<:]) ", "", kind), words[-1] if named else ""


def _after_last(text: str, mark: str) -> str:
    """The text behind the last mark that is outside of brackets; all of it without one."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] in _CLOSE) - (text[position] in _OPEN)
        if not depth and text.startswith(mark, position):
            return text[position + len(mark) :]
    return text


def _matching(text: str) -> int:
    """The position of the opening bracket that belongs to the one at the end of the text."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] in _CLOSE) - (text[position] in _OPEN)
        if not depth:
            return position
    return 0


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if not depth:
            return position
    return None


def _parts(text: str) -> Iterator[str]:
    """Splits at commas outside of brackets."""
    depth = begin = 0
    for position, letter in enumerate(text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and not depth:
            yield text[begin:position].strip()
            begin = position + 1
    if text[begin:].strip():
        yield text[begin:].strip()
