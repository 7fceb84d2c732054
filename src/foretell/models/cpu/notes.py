"""What is said about predictions at many points: sentences that hold at some of them only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value

    #: everywhere or nowhere, or at the points where an array is true
    Where = bool | np.bool_ | NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence, and where it holds. `numbers` stand in it in place of {}, at each point its own."""

    text: str
    holds: Where = True
    numbers: tuple[Value, ...] = ()

    def only(self, where: Where) -> Note:
        """The same, held to where something else is true as well."""
        return self if where is True else replace(self, holds=np.logical_and(self.holds, where))


def said(notes: Iterable[Note], points: int) -> list[tuple[str, ...]]:
    """The sentences of each point, in their order and each once."""
    found: list[dict[str, None]] = [{} for _ in range(points)]
    for note in notes:
        places = np.flatnonzero(np.broadcast_to(note.holds, (points,))).tolist()
        numbers = [column(number, points) for number in note.numbers]
        for place in places:
            text = note.text.format(*(number[place] for number in numbers)) if numbers else note.text
            found[place][text] = None
    return [tuple(sentences) for sentences in found]


def column(value: Value | Where, points: int) -> Sequence[float]:
    """A number for every point, as plain Python has them."""
    found: list[float] = np.broadcast_to(np.asarray(value), (points,)).tolist()
    return found
