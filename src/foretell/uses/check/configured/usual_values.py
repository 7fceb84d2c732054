"""Values of a usual call for a first `foretell.toml`, by what names of parameters and uses of them tell.

A guess is said with its reason; what nothing is known of is a size. Sizes that loops multiply are as many elements
together as a few MiB hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: elements along one, two, three or more sizes of a nest
_EDGES = (1000, 1000, 100, 32)
#: words of a name, in order: the first that is in it decides. Words of sizes come first: `num_channels` is how many
_NAMES: tuple[tuple[str, int, str], ...] = (
    (r"log2?|lg|shift|exponent|expo", 10, "an exponent of two"),
    (r"inc[xyabc]?|step|skip|stride", 1, "a distance of neighbours"),
    (r"channels?|chans?|comps?|components?|bpp|planes|ncomp|nch|samplesperpixel", 4, "values of a pixel or frame"),
    (r"dims?|ndims?|rank", 3, "dimensions"),
    (r"radius|halo|ghosts?|pad|padding|border|overlap", 2, "a border"),
    (r"taps|ksize|kernelsize|kw|kh|window", 8, "the length of a filter"),
    (r"bits|bitdepth|depthbits|nbits", 8, "bits of a value"),
    (r"threads?|nthreads|workers|procs", 1, "of one thread"),
    (r"iters?|iterations|niter|repeats?|loops|epochs|steps|passes|rounds", 10, "rounds"),
    (r"flags?|mode|type|kind|format|level|quality|option|dir|direction|sign|is|has|use|do|enable|strict|verbose", 1,
     "a choice"),
    (r"offset|start|begin|first|from|base|origin|seed|pos|index|idx|lo", 0, "where it starts"),
)  # fmt: skip
_KNOWN = tuple((re.compile(rf"n?(?:{pattern})\d?"), value, reason) for pattern, value, reason in _NAMES)
#: words that make a name a number of elements, whatever else is in it: nbStripes, filter_size
_COUNTS = re.compile(r"n|nb|num|count|len|length|size|total|max|capacity|width|height|rows|cols|pitch|ld[abc]?")
#: of these, `n` and `nb` in front say how many there are, which are few of some things
_FEW = re.compile(r"channels?|chans?|comps?|components?|planes|dims?|threads?|bits|taps|iters?|iterations|steps|rounds")
#: of these, distances of rows where there are rows
_ROW = ("stride", "pitch")
_TRIPS = re.compile(r"trips_L\d+|iteration_L\d+")
_ROUNDS = 16


@record
class Guess:
    """A value of a usual call, and by what it was guessed; '' of a plain size."""

    value: int
    reason: str = ""


def usual_sizes(names: Iterable[str], together: int, text: str = "") -> dict[str, Guess]:
    """Values of the sizes of a function; `together`: how many of them a nest multiplies at most, `text`: its source."""
    edge = _EDGES[min(max(together, 1), len(_EDGES)) - 1]
    return {name: usual(name, edge, text, edge_of_rows=together > 1) for name in names}


def usual(name: str, edge: int, text: str = "", edge_of_rows: bool = False) -> Guess:
    """The value of one size: by values that the source compares it with, else by its name. `edge_of_rows`: there are
    rows of as many elements."""
    last = name.rpartition(".")[2]
    if _TRIPS.fullmatch(last):
        return Guess(_ROUNDS, "rounds of a loop that data end")
    if _is_exponent(last, text):
        return Guess(10, "an exponent of two")
    words = _words(last)
    if words[-1] in _ROW and edge_of_rows:
        return Guess(edge, "a whole row")
    few = any(_FEW.fullmatch(word) for word in words)
    exponent = any(_KNOWN[0][0].fullmatch(word) for word in words)
    if any(_COUNTS.fullmatch(word) for word in words) and not few and not exponent:
        return Guess(edge)
    if (compared := _compared(last, text)) is not None:
        return Guess(compared, f"{last} is compared with it")
    for word in reversed(words):
        for pattern, value, reason in _KNOWN:
            if pattern.fullmatch(word):
                return Guess(value, reason)
    return Guess(edge)


def said(guesses: Mapping[str, Guess]) -> str:
    """What was guessed of values that are no plain sizes, for a comment."""
    alike: dict[Guess, list[str]] = {}
    for name, guess in guesses.items():
        alike.setdefault(guess, []).append(name)
    listed = [f"{', '.join(names)} = {one.value}: {one.reason}" for one, names in alike.items() if one.reason]
    return f"of a usual call; guessed: {'; '.join(listed)}" if listed else "of a usual call"


def decides(name: str, text: str) -> bool:
    """Whether a value decides which elements a function accesses, or what it does."""
    inside = re.search(rf"\[[^\]\n]*(?<![\w.>]){re.escape(name)}\b", text)
    return inside is not None or _is_exponent(name, text) or _compared(name, text) is not None


def _words(name: str) -> list[str]:
    """The words of a name, as underscores and capitals divide it: nbStripes, KERNEL_SIZE; log2n is log2 and n."""
    parts = re.sub(r"([a-z])(?=[A-Z])|(log2?|lg)(?=n\b)", lambda one: f"{one[0]}_", name).lower().split("_")
    return [part for part in parts if part] or [name.lower()]


def _compared(name: str, text: str) -> int | None:
    """The value that a source asks a name for by `==` or `case`, where its name alone is used so: of a choice, not of a
    size. The most frequent one, the least of these."""
    if not text or _is_bound(name, text):
        return None
    word = rf"(?<![\w.>]){re.escape(name)}(?![\w(\[])"
    values = [int(one) for one in re.findall(rf"{word}\s*==\s*(\d{{1,4}})\b", text)]
    for found in re.finditer(rf"\bswitch\s*\(\s*{word}\s*\)\s*\{{", text):
        values += [int(one) for one in re.findall(r"\bcase\s+(\d{1,4})\s*:", text[found.end() : found.end() + 4000])]
    return min(set(values), key=lambda value: (-values.count(value), value)) if values else None


def _is_bound(name: str, text: str) -> bool:
    """Whether a loop ends at it: then it is a size, whatever special case of it there is."""
    return re.search(rf"[<>]=?\s*{re.escape(name)}\b|\b{re.escape(name)}\s*(?:--|-=)", text) is not None


def _is_exponent(name: str, text: str) -> bool:
    return bool(text) and re.search(rf"\b1[uUlL]*\s*<<\s*\(?\s*{re.escape(name)}\b", text) is not None
