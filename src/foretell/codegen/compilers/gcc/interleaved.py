"""Strided (interleaved) accesses as gcc vectorises them: whole vectors including the gaps are loaded, and each member
of the group is extracted by two-source permutes. LLVM loads halves and single elements, and merges them by blends and
shuffles, which more ports can execute."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly import x86

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Block

#: instructions that combine elements of several vectors
_JOINS = frozenset({"blend", "permute", "shuffle", "shuffle_two"})
_NEIGHBOURS = re.compile(r"vh(add|sub)p([sd]) (.*), (%ymm\d+)")
#: broadcast from memory: as a load, or as an embedded operand
_SPREAD = re.compile(
    r"(?P<name>vbroadcasts[sd]|v\w+(?=.*\{1to)) (?P<from>[^%{]*\([^)]*\))"
    r"(?:\{1to\d+\}, (?P<other>%ymm\d+))?, (?P<to>%ymm\d+)"
)
#: registers that current compilers use for nothing else: loaded vectors, and intermediate permutes
_LOADED, _PERMUTED = 30, 29


def with_permutes(block: Block, loads: int, permutes: int) -> Block:
    """Vector loop with this many loads and permutes in place of LLVM's shuffle network. Elements that LLVM reorders
    only after computing are in order already."""
    made = [part for one in block.instructions for part in _plain(one)]
    network, results = _network(made)
    if not results or not permutes:
        return block
    width = next(name for name in ("zmm", "ymm", "xmm") if any(f"%{name}" in one.text for one in made))
    loaded, permuted = f"%{width}{_LOADED}", f"%{width}{_PERMUTED}"
    address = _address(next(made[place] for place in sorted(network) if made[place].loads))
    lines = [f"vmovups {address}, {loaded}"] * loads
    permute = "vunpcklpd {0}, {0}, {1}" if width == "xmm" else "vpermpd $0, {0}, {1}"
    lines += [permute.format(loaded, permuted)] * max(0, permutes - len(results))
    kept: list[Instruction] = []
    for place, one in enumerate(made):
        if place == min(network):
            kept += [parsed(line, one) for line in lines]
        source, target = ("", "", *re.findall(r"%[xyz]mm\d+", one.text))[-2:]
        if place in results:
            target = f"%{width}{target[4:]}"
            moves = permute if sorted(results).index(place) < permutes else "vmovaps {0}, {1}"
            kept.append(parsed(moves.format(permuted, target), one))
        elif one.kind in _JOINS and place not in network and source:
            kept.append(parsed(f"vmovaps {source}, {target}", one))
        elif place not in network:
            kept.append(one)
    return replace(block, instructions=tuple(kept))


def without_broadcasts(block: Block) -> Block:
    """Vector loop whose results are kept as groups, with each broadcast from memory replaced by a permute of a vector
    that is loaded once: LLVM loads each such element separately."""
    lanes = max(one.lanes for one in block.instructions)
    kept: list[Instruction] = []
    spread = 0
    for one in block.instructions:
        found = _SPREAD.fullmatch(one.text)
        if not found:
            kept.append(one)
            continue
        if spread % lanes == 0:
            kept.append(parsed(f"vmovups {found['from']}, %ymm{_LOADED}", one))
        spread += 1
        target = f"%ymm{_PERMUTED}" if found["other"] else found["to"]
        kept.append(parsed(f"vpermpd $0, %ymm{_LOADED}, {target}", one))
        if found["other"]:
            kept.append(parsed(f"{found['name']} {target}, {found['other']}, {found['to']}", one))
    return replace(block, instructions=tuple(kept))


def _plain(one: Instruction) -> list[Instruction]:
    """Expands a horizontal sum or difference into its two operands and the operation on them."""
    found = _NEIGHBOURS.fullmatch(one.text)
    if not found:
        return [one]
    kind, which, operands, target = found.groups()
    members = [f"vshufp{which} ${places}, {operands}, %ymm{to}" for places, to in ((136, 28), (221, 27))]
    return [parsed(text, one) for text in (*members, f"v{kind}p{which} %ymm27, %ymm28, {target}")]


def parsed(text: str, beside: Instruction) -> Instruction:
    """Parses an instruction at the source line of another one."""
    return x86.parse(text, beside.line, "att", beside.source_line)


def _network(made: list[Instruction]) -> tuple[set[int], set[int]]:
    """Indices of the instructions that shuffle loaded elements, and of those among them whose results others use."""
    source: dict[str, int] = {}  # register: instruction that defined it, by loads and joins alone
    changing = {name for one in made for name in one.writes}
    network: set[int] = set()
    results: set[int] = set()
    for place, one in enumerate(made):
        vectors = {name for name in one.reads if name.startswith("zmm")} & changing
        joins = one.kind in _JOINS and bool(vectors) and vectors <= set(source)
        if joins:
            network |= {place} | {source[name] for name in vectors}
        else:
            results |= {source[name] for name in vectors & set(source)}
        for name in one.writes:
            source.pop(name, None)
            if joins or (one.kind == "move" and one.loads and not vectors):
                source[name] = place
    return network, {place for place in results & network if made[place].kind in _JOINS}


def _address(one: Instruction) -> str:
    """Memory operand of a load, as written."""
    start = one.text.index("(")
    first = max(one.text.rfind(" ", 0, start), one.text.rfind(",", 0, start))
    return one.text[first + 1 : one.text.index(")") + 1]
