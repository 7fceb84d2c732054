"""Parses the `acc` directives around a loop: OpenACC 2.0 as SWACC uses it, with `tile(i:32)`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.core.nest.directive import Directive
    from foretell.core.nest.loopnest import Loop

_IN = frozenset({"copyin", "pcopyin", "present_or_copyin", "copy", "pcopy", "present_or_copy"})
_OUT = frozenset({"copyout", "pcopyout", "present_or_copyout", "copy", "pcopy", "present_or_copy"})
_LOCAL = frozenset({"create", "pcreate", "present_or_create", "private", "firstprivate"})
#: numbers of threads: their product is the requested number of cores
_THREADS = frozenset({"num_gangs", "num_workers", "vector_length", "gang", "worker", "vector"})
#: clauses without effect on the modelled time
_IGNORED = frozenset(
    {"independent", "seq", "auto", "default", "if", "self", "reduction", "present", "device_type", "async"}
)
_IGNORED |= {"wait", "annotate", "swap", "pack", "local"}
_ITEM = re.compile(r"^\s*([A-Za-z_][\w%]*(?:(?:->|\.)\w+)*)\s*((?:\[[^\]]*\]|\([^)]*\))*)\s*$")


@dataclass
class Clauses:
    """The combined clauses of all directives around a parallel loop."""

    copied_in: dict[str, tuple[str, ...]] = field(default_factory=dict)
    copied_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    local: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tiles: dict[str, str] = field(default_factory=dict)
    unrolls: dict[str, str] = field(default_factory=dict)
    threads: list[str] = field(default_factory=list)
    double_buffer: bool = False

    @property
    def staged(self) -> frozenset[str]:
        """The arrays that are in the scratchpad."""
        return frozenset({*self.copied_in, *self.copied_out, *self.local})

    def lengths(self, array: str) -> tuple[str, ...]:
        """The lengths that a clause gives for an array's dimensions: the m of a[0:m]; empty if none."""
        return self.copied_in.get(array) or self.copied_out.get(array) or self.local.get(array) or ()


def is_parallel(loop: Loop) -> bool:
    """Whether a loop is the one distributed to the cores."""
    return any(d.dialect == "acc" and {"parallel", "kernels"} & set(d.words) for d in loop.directives)


def read_clauses(loops: Iterable[Loop], parallel: Loop, file: str) -> Clauses:
    """The clauses on a chain of loops, outermost first."""
    clauses = Clauses()
    chain = list(loops)
    for depth, loop in enumerate(chain):
        for directive in loop.directives:
            if directive.dialect == "acc":
                for name, argument in directive.clauses:
                    _take(clauses, name, argument, chain[depth:], file, directive)
            elif (factor := _unroll(directive)) is not None:
                clauses.unrolls[loop.variable] = _size(factor, f"unroll({factor})", file, directive.line)
            elif directive.dialect == "foretell" and "double_buffer" in directive.words:
                clauses.double_buffer = True
    if clauses.tiles.get(parallel.variable) == "0":
        del clauses.tiles[parallel.variable]
    return clauses


def _unroll(directive: Directive) -> str | None:
    """The factor of `#pragma unroll(4)` or `!$foretell unroll(4)`."""
    if directive.dialect == "unroll":
        return next((argument for _, argument in directive.clauses if argument.isdigit()), "1")
    return dict(directive.clauses).get("unroll") if directive.dialect == "foretell" else None


def _take(clauses: Clauses, name: str, argument: str, inner: list[Loop], file: str, directive: Directive) -> None:
    """Adds one clause; `inner` are the loops it can refer to, its own first."""
    for names, target in ((_IN, clauses.copied_in), (_OUT, clauses.copied_out), (_LOCAL, clauses.local)):
        if name in names:
            target.update(_arrays(argument, file, directive.line))
    if name == "tile":
        clauses.tiles.update(_tiles(argument, inner, file, directive.line))
    elif name in _THREADS:
        clauses.threads += [argument.partition(":")[2] or argument] if argument else []
    elif name not in _IN | _OUT | _LOCAL | _IGNORED | {*directive.words}:
        raise UnsupportedError(f"the clause {name!r} is not understood", file=file, line=directive.line)


def _arrays(argument: str, file: str, line: int) -> dict[str, tuple[str, ...]]:
    """a, b[0:n][0:m] or b(1:n,1:m) → names with the lengths of their sections."""
    arrays = {}
    for item in _split(argument):
        if (match := _ITEM.match(item.removeprefix("readonly:"))) is None:
            raise UnsupportedError(f"{item!r} is not an array or a section of one", file=file, line=line)
        sections = re.findall(r"\[([^\]]*)\]", match[2])  # lower:length; an index alone is one element
        arrays[match[1]] = tuple(s.partition(":")[2].strip() if ":" in s else "1" for s in sections)
    return arrays


def _tiles(argument: str, inner: list[Loop], file: str, line: int) -> dict[str, str]:
    """tile(i:32, j:8), or the standard's tile(32, 8) for the loops from this one inwards."""
    tiles = {}
    for place, item in enumerate(_split(argument)):
        variable, colon, size = (part.strip() for part in item.partition(":"))
        if not colon:
            variable, size = (inner[place].variable if place < len(inner) else ""), variable
        if variable not in {loop.variable for loop in inner}:
            raise UnsupportedError(f"tile({argument}): no loop over {variable or 'that'!r} here", file=file, line=line)
        tiles[variable] = "0" if size == "*" else _size(size, f"tile({argument})", file, line)
    return tiles


def _size(text: str, clause: str, file: str, line: int) -> str:
    """A size, which must be a number: others are tried by setting its parameter."""
    if not text.isdigit() or int(text) == 0:
        raise UnsupportedError(f"{clause}: {text!r} is not a whole number above 0", file=file, line=line)
    return text


def _split(argument: str) -> list[str]:
    """Splits at commas outside of parentheses and brackets."""
    return [part.strip() for part in re.split(r",(?![^\[(]*[\])])", argument) if part.strip()]
