"""Elements that lie a few apart, as gcc takes them into vectors: all that lies between is loaded too, and each member of
the group is taken out of these vectors by permutes of two at a time. LLVM loads halves and single elements, and mixes
them by blends and shuffles, which more units can do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly import x86

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Block

#: what brings elements of several vectors together
_JOINS = frozenset({"blend", "permute", "shuffle", "shuffle_two"})
#: registers that today's compilers use for nothing else: what is loaded, and what was permuted once
_LOADED, _PERMUTED = 30, 29


def with_permutes(block: Block, loads: int, permutes: int) -> Block:
    """A loop of vectors with so many loads and permutes in place of those that collect elements."""
    made = list(block.instructions)
    network, results = _network(made)
    if not results:
        return block
    start = min(network)
    register = "zmm" if any("%zmm" in one.text for one in made) else "ymm"
    address = _address(next(made[place] for place in sorted(network) if made[place].loads))
    lines = [f"vmovups {address}, %{register}{_LOADED}"] * loads
    lines += [f"vpermpd $0, %{register}{_LOADED}, %{register}{_PERMUTED}"] * max(0, permutes - len(results))
    kept: list[Instruction] = []
    for place, one in enumerate(made):
        if place == start:
            kept += [x86.parse(line, one.line, "att", one.source_line) for line in lines]
        if place in results:
            target = one.text.rpartition("%")[2]
            text = f"vpermpd $0, %{register}{_PERMUTED}, %{register}{target.lstrip('xyzm')}"
            kept.append(x86.parse(text, one.line, "att", one.source_line))
        elif place not in network:
            kept.append(one)
    return replace(block, instructions=tuple(kept))


def _network(made: list[Instruction]) -> tuple[set[int], set[int]]:
    """Places of the instructions that collect elements from memory, and of those whose result others work with."""
    source: dict[str, int] = {}  # register: where its value was made, by loads and joins alone
    network: set[int] = set()
    results: set[int] = set()
    for place, one in enumerate(made):
        vectors = {name for name in one.reads if name.startswith("zmm")}
        joins = one.kind in _JOINS and vectors <= set(source)
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
    """The operand of a load, as it is written."""
    start = one.text.index("(")
    first = max(one.text.rfind(" ", 0, start), one.text.rfind(",", 0, start))
    return one.text[first + 1 : one.text.index(")") + 1]
