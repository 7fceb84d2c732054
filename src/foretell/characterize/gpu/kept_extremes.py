"""Maxima and minima that compare-and-swap keeps: `while (old < v && (was = atomicCAS(to, old, v)) != old) old = was`.

What is measured mostly follows equal launches, whose numbers are there already: a word is at least as large (or as
small) as all that would be put there, and no lane swaps. Without them each launch would begin with unknown words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.characterize.gpu.unknown_paths import next_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import Register, SassInstruction

#: comparisons of which one is larger; those with an added U are true of what is no number
_ORDER = frozenset({"LT", "LE", "GT", "GE", "LTU", "LEU", "GTU", "GEU"})
_COMPARISONS = ("FSETP", "DSETP", "ISETP", "HSETP2")
NOTE = "maxima and minima kept by compare-and-swap are there already, as an equal launch before leaves them: {}"


def without_swap(text: Sequence[SassInstruction], launch: Launch) -> dict[int, float]:
    """Indices of branches that compare what is in a word with what would be swapped in, and the share of lanes that
    takes them, 0 or 1, so that none comes to the swap. None in launches that follow others, or nothing."""
    if launch.start not in ("", "warm") or launch.passed is not None:
        return {}
    swaps = [place for place, item in enumerate(text) if item.opcode in ("ATOM", "ATOMG") and "CAS" in item.modifiers]
    if not swaps:
        return {}
    places = {item.offset: place for place, item in enumerate(text)}
    following = [next_places(text, place, places) for place in range(len(text))]
    found: dict[int, float] = {}
    for swap in swaps:
        compared = _sources(text[swap], -2)
        for place, item in enumerate(text):
            if compared and item.opcode in ("BRA", "EXIT") and _sources(_condition(text, place), -3) == compared:
                after = () if item.opcode == "EXIT" else tuple(to for to in following[place] if to != place + 1)
                taken, others = _reaches(after, following, swap), _reaches((place + 1,), following, swap)
                if taken != others:
                    found[place] = float(others)
    return found


def _condition(text: Sequence[SassInstruction], place: int) -> SassInstruction | None:
    """The comparison that decides a branch."""
    guard = text[place].guard
    for item in reversed(text[:place]):
        if guard and guard.register in item.defs:
            return item if item.opcode in _COMPARISONS and not _ORDER.isdisjoint(item.modifiers) else None
    return None


def _sources(item: SassInstruction | None, last: int) -> frozenset[Register] | None:
    """The registers of two operands: of a swap, what is expected and what is put there; of a comparison, both sides."""
    if item is None or len(item.operands) < -last:
        return None
    pair = item.operands[last : last + 2] if last + 2 else item.operands[last:]
    first = [next((register for register in operand.registers if register), None) for operand in pair]
    return frozenset(register for register in first if register) if None not in first else None


def _reaches(from_: tuple[int, ...], following: Sequence[tuple[int, ...]], place: int) -> bool:
    seen: set[int] = set()
    ahead = list(from_)
    while ahead:
        here = ahead.pop()
        if here < len(following) and here not in seen:
            seen.add(here)
            ahead += following[here]
    return place in seen
