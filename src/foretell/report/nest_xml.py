"""Writes loop nests as ExaSAT-style XML, in one canonical form.

    <nests>
      <nest function="sweep" status="exact">
        <loop line="3" lvar="k" lb="1" ub="nz - 1" bounds="inclusive" stride="1" adds="0" mults="0" divs="0">
          …
            <array name="u" component="" type="double" access="readonly">
              <access offset="(-1, 0, 0)" lvar="(i, j, k)" reads="1" writes="0"/>

Bounds are inclusive (EX-6), offsets are in the order of `lvar`, fastest subscript first (EX-7). A division by a literal
counts among `mults` (EX-5) and separately in `literal_divs`. The common part of an array's subscripts is its `origin`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from foretell.core.symbolic.poly import ZERO, Poly, symbol, unnamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest, Subscript

#: operations with their own attributes; the others share `other`, except integer ones: address arithmetic is a matter
#: of style, and nests are to be compared
_NAMED = ("add", "mul", "div", "div_const", "int")


#: own implementation, because the standard library's escape imports its network modules
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def write_xml(nests: Iterable[LoopNest], *, lines: bool = True) -> str:
    """Returns the XML document; `lines=False` omits source positions."""
    out = ["<nests>"]
    for nest in nests:
        out.extend(_nest(nest, lines))
    out.append("</nests>")
    return "\n".join(out) + "\n"


def _attributes(pairs: Sequence[tuple[str, object]]) -> str:
    return "".join(f' {name}="{str(value).translate(_ESCAPES)}"' for name, value in pairs)


def _nest(nest: LoopNest, lines: bool) -> list[str]:
    head: list[tuple[str, object]] = [("function", nest.function), ("status", nest.status)]
    if lines:
        head[0:0] = [("file", nest.file), ("line", nest.line), ("language", nest.language)]
    head += [(name, value) for name in ("condition", "reason", "shared") if (value := getattr(nest, name))]
    out = [f"  <nest{_attributes(head)}>"]
    for note in nest.assumptions:
        where: list[tuple[str, object]] = [("line", note.line)] if lines else []
        out.append(f"    <assumption{_attributes([*where, ('text', note.text)])}/>")
    for depth, loop in enumerate(nest.loops, start=1):
        out.append("  " * (depth + 1) + _loop(nest, loop, depth, lines))
        for array in nest.arrays:
            out.extend("  " * (depth + 2) + line for line in _array(nest, array, depth))
    out.extend("  " * (depth + 1) + "</loop>" for depth in range(len(nest.loops), 0, -1))
    out.append("  </nest>")
    return out


def _loop(nest: LoopNest, loop: Loop, depth: int, lines: bool) -> str:
    counts = nest.operations(depth)
    literal = counts.get("div_const", Fraction(0))
    pairs: list[tuple[str, object]] = [("line", loop.line)] if lines else []
    pairs += [
        ("lvar", loop.variable),
        ("lb", loop.lower),
        ("ub", loop.upper),
        ("bounds", "inclusive"),
        ("stride", loop.step),
        ("adds", counts.get("add", 0)),
        ("mults", counts.get("mul", Fraction(0)) + literal),
        ("divs", counts.get("div", 0)),
    ]
    if literal:
        pairs.append(("literal_divs", literal))
    other = " ".join(f"{kind}:{counts[kind]}" for kind in sorted(counts) if kind not in _NAMED)
    if other:
        pairs.append(("other", other))
    if not loop.counted:
        pairs.append(("trips", loop.trips))
    return f"<loop{_attributes(pairs)}>"


def _array(nest: LoopNest, array: ArrayUse, depth: int) -> list[str]:
    accesses = [access for access in array.accesses if nest.blocks[access.block].depth == depth]
    if not accesses:
        return []
    origin = _origin(accesses)
    pairs: list[tuple[str, object]] = [
        ("name", array.name),
        ("component", array.component),
        ("type", array.type.name),
        ("access", _direction(accesses)),
    ]
    if any(origin):
        pairs.append(("origin", f"({', '.join(part or '0' for part in reversed(origin))})"))
    out = [f"<array{_attributes(pairs)}>"]
    rows: dict[tuple[str, str], list[int]] = {}
    for access in accesses:
        row = rows.setdefault(_row(access, origin, nest.variables), [0, 0])
        row[0] += access.reads
        row[1] += access.writes
    for (offset, lvar), (reads, writes) in rows.items():
        shown = _attributes([("offset", offset), ("lvar", lvar), ("reads", reads), ("writes", writes)])
        out.append(f"  <access{shown}/>")
    out.append("</array>")
    return out


def _direction(accesses: Sequence[Access]) -> str:
    reads = any(access.reads for access in accesses)
    writes = any(access.writes for access in accesses)
    return "readwrite" if reads and writes else "writeonly" if writes else "readonly"


def _origin(accesses: Sequence[Access]) -> list[str]:
    """Returns, for each subscript, the symbolic part common to all offsets, as text; empty where there is none."""
    if len(ranks := {len(access.subscripts) for access in accesses}) > 1:  # a pointer and its target under one name
        return [""] * max(ranks)
    parts = [{_symbolic(access.subscripts[position]) for access in accesses} for position in range(max(ranks))]
    common = [part.pop() if len(part) == 1 else ZERO for part in parts]
    return [str(part) if part.terms else "" for part in common]


def _symbolic(subscript: Subscript) -> Poly:
    """Returns the part of an offset that is neither a constant nor a lookup in an index array."""
    if subscript.index or subscript.opaque:
        return ZERO
    return subscript.offset - subscript.offset.terms.get((), 0)


def _row(access: Access, origin: Sequence[str], variables: Sequence[str]) -> tuple[str, str]:
    offsets: list[str] = []
    movers: list[str] = []
    for subscript, common in reversed(list(zip(access.subscripts, origin, strict=False))):
        offset, mover = _parts(subscript, variables)
        offsets.append(str(offset - _symbolic(subscript)) if common else str(offset))
        movers.append(str(mover) if mover.terms else "-")
    return f"({', '.join(offsets)})", f"({', '.join(movers)})"


def _parts(subscript: Subscript, variables: Sequence[str]) -> tuple[Poly, Poly]:
    """Splits a subscript into its loop-invariant and loop-variant parts."""
    mover = sum((coefficient * symbol(name) for name, coefficient in subscript.coefficients), ZERO)
    if not subscript.index and not subscript.opaque:
        return subscript.offset, mover
    offset = unnamed(subscript.offset)  # expands named values, so that the index array is visible
    moving = Poly({m: c for m, c in offset.terms.items() if Poly({m: c}).depends_on(variables)})
    return offset - moving, mover + moving
