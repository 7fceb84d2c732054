"""Writes the arrays that the launches of gpu-steered/cases.toml read:  python contents.py FOLDER

Graphs, distribution functions, lists and bins are those of uneven/contents.py, which must have been run before.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    def save(name: str, array: np.ndarray, kind: type) -> None:
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array, dtype=kind))

    rng = np.random.default_rng(20261118)
    rows = np.load(folder / "small_rows.npy")
    save("small_owner", np.repeat(np.arange(len(rows) - 1), np.diff(rows)), np.int32)
    even = np.load(folder / "even_rows.npy")
    save("even_owner", rng.permutation(np.repeat(np.arange(len(even) - 1), np.diff(even))), np.int32)
    side = 256
    z, y, x = np.mgrid[0:side, 0:side, 0:side].astype(np.float32) / side - 0.5
    ball = np.clip(1.2 - 4 * np.sqrt(x * x + y * y + z * z), 0, 1) * (0.6 + 0.4 * np.sin(40 * x) * np.cos(35 * y))
    save("volume", ball * 60, np.uint8)
    walls = rng.random((1024, 1024)) < 0.002
    walls[[0, -1], :] = walls[:, [0, -1]] = True
    save("walls", walls, np.uint8)
    lengths = rng.integers(4, 33, 1 << 16)
    save("words_begin", np.concatenate([[0], np.cumsum(lengths)]), np.int32)
    save("words_text", rng.integers(97, 101, int(lengths.sum())), np.uint8)
    save("split", rng.integers(0, 1 << 20, (1 << 20) - 1), np.int32)
    save("tree_keys", rng.integers(0, 1 << 20, 1 << 20), np.int32)
    near = np.minimum(rng.geometric(1 / 50, 1 << 16), 400)
    save("near_begin", np.concatenate([[0], np.cumsum(near)]), np.int32)
    owner = np.repeat(np.arange(1 << 16), near)
    save("near_list", (owner + rng.integers(-2000, 2000, len(owner))) & 0xFFFF, np.int32)
    save("series_x", rng.random(1 << 19) ** 2 * 24, np.float64)
    save("divisors", rng.integers(1, 1 << 32, 1 << 20), np.uint32)
    print("small", rows[-1], "even", even[-1], "words", lengths.sum(), "near", near.sum())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
