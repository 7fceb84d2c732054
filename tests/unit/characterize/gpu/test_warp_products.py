"""Products of a warp (mma.sync) in complete execution, against numpy on the same registers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import hopper
from tests.unit.characterize.gpu.hopper.test_warpgroup import numbers

#: types of A and B, and words of A and B of a lane
SHAPES = {
    "warp_half": ("f2", "f2", 4, 2), "warp_half_8": ("f2", "f2", 2, 1), "warp_brain": ("bf", "bf", 4, 2),
    "warp_tensor": ("tf", "tf", 4, 2), "warp_tensor_4": ("tf", "tf", 2, 1), "warp_half_half": ("f2", "f2", 4, 2),
    "warp_e4_e5": ("e4", "e5", 4, 2),
}  # fmt: skip


def columns(words: np.ndarray, count: int, kind: str) -> np.ndarray:
    """Words of lanes 4 g + t: row g, neighbours in k; with two rows of a lane, those of g + 8 follow."""
    data = words.view(np.uint8).reshape(count, 8, 4, 4).transpose(1, 0, 2, 3)  # g, word, t, byte
    return numbers(np.ascontiguousarray(data).reshape(8, -1), kind)


@pytest.mark.parametrize("name", SHAPES)
def test_products_are_those_of_numpy(name: str) -> None:
    a_kind, b_kind, a_words, b_words = SHAPES[name]
    a, b, c, _, _ = hopper.CASES[name].made()
    arrays, record = hopper.execute(name)
    assert record.error is None
    words = a.view(np.uint32).reshape(a_words, 32)
    factor = np.concatenate([columns(np.ascontiguousarray(words[half::2]), a_words // 2, a_kind) for half in range(2)])
    other = columns(b.view(np.uint32), b_words, b_kind)
    if c.dtype == np.float16:
        start, result = (item.reshape(2, 8, 4, 2).reshape(16, 8).astype(float) for item in (c, arrays[4]))
    else:
        start, result = (
            item.reshape(2, 2, 8, 4).transpose(0, 2, 3, 1).reshape(16, 8).astype(float) for item in (c, arrays[4])
        )
    wanted = start + factor @ other.T
    largest = np.maximum((np.abs(factor)[:, None] * np.abs(other)[None]).max(axis=2), np.abs(start))
    tolerance = 2.0**-10 if c.dtype == np.float16 else 2.0**-20
    assert (np.abs(result - wanted) <= tolerance * np.maximum(largest, np.abs(wanted))).all()
