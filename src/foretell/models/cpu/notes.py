"""Notes on predictions at many points: sentences that apply to some of them only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from foretell.core.columns.expression import Value

    #: all points or none, or a mask of points
    Where = bool | np.bool_ | NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence, and the points where it applies. `numbers` replace {} in it, with a value per point."""

    text: str
    holds: Where = True
    numbers: tuple[Value, ...] = ()

    def only(self, where: Where) -> Note:
        """The same note, restricted to points where `where` holds too."""
        return self if where is True else replace(self, holds=np.logical_and(self.holds, where))


def said(notes: Iterable[Note], points: int) -> list[tuple[str, ...]]:
    """The sentences of each point, in order and without duplicates."""
    collected: list[dict[str, None]] = [{} for _ in range(points)]
    for note in notes:
        places = np.flatnonzero(np.broadcast_to(note.holds, (points,))).tolist()
        numbers = [column(number, points) for number in note.numbers]
        for place in places:
            text = note.text.format(*(number[place] for number in numbers)) if numbers else note.text
            collected[place][text] = None
    return [tuple(sentences) for sentences in collected]


def column(value: Value | Where, points: int) -> Sequence[float]:
    """A plain Python number for every point."""
    found: list[float] = np.broadcast_to(np.asarray(value), (points,)).tolist()
    return found
