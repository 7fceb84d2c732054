"""ExaSAT-style XML back to loop nests.

Reads what `report.nest_xml` writes, and the older files with all their differences (EX-6, EX-7): type or datatype,
access or accesstype, lvar, loopvar or dependentloopvar, offsets with commas or blanks and with three to five parts,
bounds with a bare `&`, upper bounds that are exclusive (say so with `exclusive=True`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree

from foretell.core.nest.loopnest import Access, ArrayUse, Block, Dim, Loop, LoopNest, Note, Subscript, iterations
from foretell.core.nest.statements import ElementType
from foretell.core.symbolic.poly import ZERO, Atom, Poly, number
from foretell.core.symbolic.sums import trip_count
from foretell.core.symbolic.text import parse
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TYPES = {
    "double": ElementType("float", 8),
    "float": ElementType("float", 4),
    "long double": ElementType("float", 16),
    "float complex": ElementType("complex", 8),
    "double complex": ElementType("complex", 16),
    "char": ElementType("int", 1),
    "short": ElementType("int", 2),
    "int": ElementType("int", 4),
    "long": ElementType("int", 8),
    "unsigned char": ElementType("uint", 1),
    "unsigned short": ElementType("uint", 2),
    "unsigned int": ElementType("uint", 4),
    "unsigned long": ElementType("uint", 8),
    "bool": ElementType("bool", 1),
}
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_WORD = re.compile(r"-?[\w.]+")
#: Offsets of the report carry up to two more components; they must be 0.
_EXTRA = 2


def read_xml(text: str, *, file: Path | str = "<xml>", exclusive: bool = False) -> tuple[LoopNest, ...]:
    """The nests of a document; `exclusive` for old files whose upper bounds are not part of the loop."""
    if not text.strip():
        raise InputError("is empty", file=file)
    root = _root(text, file)
    reader = _Reader(file, exclusive)
    if root.tag == "nest" or root.tag == "loop":
        return (reader.nest(root),)
    return tuple(reader.nest(child) for child in root)


def _root(text: str, file: Path | str) -> ElementTree.Element:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("declares entities, which nest files do not need", file=file)
    body = _BARE_AMPERSAND.sub("&amp;", text)
    try:
        return ElementTree.fromstring(body)
    except ElementTree.ParseError:
        try:  # the report shows loops without a document around them
            return ElementTree.fromstring(f"<nests>{body}</nests>")
        except ElementTree.ParseError as error:
            raise InputError(f"not valid XML: {error}", file=file, line=error.position[0]) from None


@dataclass(slots=True)
class _Parts:
    """A nest while it is read."""

    loops: list[Loop] = field(default_factory=list)
    operations: list[dict[str, Fraction]] = field(default_factory=list)
    arrays: list[tuple[int, ElementTree.Element]] = field(default_factory=list)


class _Reader:
    def __init__(self, file: Path | str, exclusive: bool) -> None:
        self.file = str(file)
        self.exclusive = exclusive

    def error(self, message: str, element: ElementTree.Element) -> InputError:
        return InputError(f"<{element.tag}>: {message}", file=self.file)

    def nest(self, element: ElementTree.Element) -> LoopNest:
        """A <nest>, or the outermost <loop> of an old file."""
        parts = _Parts()
        top = element if element.tag == "loop" else element.find("loop")
        while top is not None:
            self._loop(top, parts)
            inner = top.findall("loop")
            if len(inner) > 1:
                raise self.error("more than one loop inside a loop; write one nest for each", top)
            top = inner[0] if inner else None
        loops = tuple(parts.loops)
        blocks = self._blocks(parts, loops)
        return LoopNest(
            file=element.get("file", self.file),
            line=self._integer(element, "line", loops[-1].line if loops else 0),
            function=element.get("function", ""),
            language="fortran" if element.get("language") == "fortran" else "c",
            loops=loops,
            arrays=tuple(self._arrays(parts, loops, blocks)),
            blocks=blocks,
            status=self._status(element),
            assumptions=tuple(
                Note(self._integer(one, "line", 0), one.get("text", "")) for one in element.findall("assumption")
            ),
            reason=element.get("reason", ""),
            shared=self._integer(element, "shared", 0),
            condition=element.get("condition", ""),
            owned=len(loops) - self._integer(element, "shared", 0),
        )

    def _status(self, element: ElementTree.Element) -> Literal["exact", "assumed", "bound", "refused"]:
        text = element.get("status", "exact")
        if text not in ("exact", "assumed", "bound", "refused"):
            raise self.error(f"status {text!r} is not exact, assumed, bound or refused", element)
        return text  # type: ignore[return-value]

    # ---- loops

    def _loop(self, element: ElementTree.Element, parts: _Parts) -> None:
        variable = _first(element, "lvar", "loopvar")
        if variable is None:
            raise self.error("has no lvar", element)
        step = self._poly(element, "stride", "1")
        lower = self._poly(element, "lb", None)
        upper = self._poly(element, "ub", None)
        if element.get("bounds") != "inclusive" and self.exclusive:
            upper = upper - (1 if (step.integer or 1) > 0 else -1)
        trips = self._poly(element, "trips", "1") if element.get("trips") else trip_count(lower, upper, step)
        counted = element.get("trips") is None
        parts.loops.append(
            Loop(variable.strip(), lower, upper, step, self._integer(element, "line", 0), trips, counted=counted)
        )
        parts.operations.append(self._operations(element))
        parts.arrays.extend((len(parts.loops), array) for array in element.findall("array"))

    def _operations(self, element: ElementTree.Element) -> dict[str, Fraction]:
        literal = self._fraction(element, "literal_divs")
        counts = {
            "add": self._fraction(element, "adds"),
            "mul": self._fraction(element, "mults") - literal,
            "div": self._fraction(element, "divs"),
            "div_const": literal,
        }
        for pair in element.get("other", "").split():
            kind, _, count = pair.rpartition(":")
            counts[kind] = self._number(count, element)
        return {kind: count for kind, count in counts.items() if count}

    def _blocks(self, parts: _Parts, loops: tuple[Loop, ...]) -> tuple[Block, ...]:
        """One block for each loop; counts that conditions made fractional become whole ones of a rarer block."""
        blocks: list[Block] = []
        for depth, counts in enumerate(parts.operations, start=1):
            scale = lcm(*(count.denominator for count in counts.values()))
            whole = tuple(sorted((kind, int(count * scale)) for kind, count in counts.items()))
            share = Fraction(1, scale)
            executions = iterations(loops, depth, number(share))
            blocks.append(Block(depth, (), share, executions, whole, loops[depth - 1].line))
        return tuple(blocks)

    # ---- arrays

    def _arrays(self, parts: _Parts, loops: tuple[Loop, ...], blocks: tuple[Block, ...]) -> list[ArrayUse]:
        found: dict[tuple[str, str], ArrayUse] = {}
        for depth, element in parts.arrays:
            name, component = element.get("name", ""), element.get("component", "")
            kind = _type(_first(element, "type", "datatype") or "double")
            if not name or kind is None:
                raise self.error("needs a name and a known type", element)
            origin = [self._parse(part, element) for part in _split(element.get("origin", "()"))]
            accesses = tuple(self._access(one, origin, loops, depth - 1) for one in element.findall("access"))
            known = found.get((name, component))
            rank = max((len(access.subscripts) for access in accesses), default=0)
            merged = accesses if known is None else (*known.accesses, *accesses)
            found[name, component] = ArrayUse(name, component, kind, (Dim(None),) * rank, merged)
        return [found[key] for key in sorted(found)]

    def _access(
        self, element: ElementTree.Element, origin: Sequence[Poly], loops: tuple[Loop, ...], block: int
    ) -> Access:
        movers = _split(_first(element, "lvar", "loopvar", "dependentloopvar") or "()")
        offsets = _split(element.get("offset", "()"))
        extra = offsets[len(movers) :]
        if len(offsets) < len(movers) or len(extra) > _EXTRA or any(part != "0" for part in extra):
            raise self.error(f"offset {element.get('offset')!r} does not fit its loop variables", element)
        subscripts = []
        for position, (offset, mover) in enumerate(zip(offsets, movers, strict=False)):
            value = self._parse(offset, element)
            if position < len(origin):
                value = value + origin[position]
            moving = ZERO if mover == "-" else self._parse(mover, element)
            subscripts.append(_subscript(moving, value, [loop.variable for loop in loops]))
        reads, writes = self._integer(element, "reads", 0), self._integer(element, "writes", 0)
        return Access(tuple(reversed(subscripts)), reads, writes, block, 0)

    # ---- values

    def _poly(self, element: ElementTree.Element, name: str, default: str | None) -> Poly:
        text = element.get(name, default)
        if text is None:
            raise self.error(f"has no {name}", element)
        return self._parse(text, element)

    def _parse(self, text: str, element: ElementTree.Element) -> Poly:
        try:
            return parse(text)
        except InputError as error:
            raise self.error(error.message, element) from None

    def _integer(self, element: ElementTree.Element, name: str, default: int) -> int:
        text = element.get(name)
        if text is None:
            return default
        value = self._number(text, element)
        if value.denominator != 1:
            raise self.error(f"{name} is not a whole number", element)
        return int(value)

    def _fraction(self, element: ElementTree.Element, name: str) -> Fraction:
        return self._number(element.get(name, "0"), element)

    def _number(self, text: str, element: ElementTree.Element) -> Fraction:
        try:
            return Fraction(text.strip())
        except (ValueError, ZeroDivisionError):
            raise self.error(f"{text!r} is not a number", element) from None


def _type(name: str) -> ElementType | None:
    """double, float, …; or a kind with its bits: float128, record384."""
    if name in _TYPES:
        return _TYPES[name]
    other = re.fullmatch(r"(float|complex|int|uint|bool|record|other)(\d{1,6})", name)
    return ElementType(other[1], int(other[2]) // 8) if other else None


def _first(element: ElementTree.Element, *names: str) -> str | None:
    return next((element.get(name) for name in names if element.get(name) is not None), None)


def _split(text: str) -> list[str]:
    """The parts of "(-1, 0, 0)" or "( i j k)"; commas inside brackets belong to a part."""
    inner = text.strip().removeprefix("(").removesuffix(")").strip()
    if not inner:
        return []
    if "," not in inner:
        words = inner.split()
        return words if all(_WORD.fullmatch(word) for word in words) else [inner]
    parts, depth, current = [], 0, ""
    for sign in inner:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += sign
    return [*parts, current.strip()]


def _subscript(moving: Poly, offset: Poly, variables: list[str]) -> Subscript:
    direct = moving.atoms().intersection(variables)  # opaque values of outer loops are as good as parameters
    linear = moving.coefficients(direct)
    if linear is None or linear[1].terms:
        atoms = sorted(atom for atom in moving.atoms() if isinstance(atom, Atom) and atom.op.endswith("[]"))
        index = atoms[0].op[:-2] if atoms and isinstance(atoms[0], Atom) else ""
        return Subscript((), moving + offset, index, opaque=not index)
    ordered = tuple((name, linear[0][name]) for name in variables if name in linear[0])
    return Subscript(ordered, offset)
