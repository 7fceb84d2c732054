"""Says which multiprocessor gets which block of a grid whose blocks all start at once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: multiprocessors of small clusters are fewer than the others: a GPU that has not so many has none
_SMALL = 4


@lru_cache(maxsize=16)
def placed(blocks: int, multiprocessors: int, few: int, every: int) -> NDArray[np.intp]:
    """The multiprocessor of each block. Blocks go to the multiprocessors in turn, but to the `few` of small clusters of
    processors (GPC) ahead of every `every` others, until they have as many as the others will
    (validation/h200/micro, placement.jsonl: on an H200, 8 of 132 get blocks 0, 80, 180, 280, 386, …, the others one of
    132 to 140)."""
    result = np.empty(blocks, np.intp)
    few = few if _SMALL * few < multiprocessors else 0
    others, most = multiprocessors - few, -(-blocks // multiprocessors)
    ahead = 0
    for number in range(blocks):
        turn, position = divmod(number - ahead, every) if few and every else (1 << 30, 0)
        if few and position == 0 and turn * few <= ahead < min(turn + 1, most) * few:
            result[number] = others + ahead % few
            ahead += 1
        else:
            result[number] = (number - ahead) % others
    return result
