"""Writes the arrays that the launches of gpu-layers/cases.toml read:  python contents.py FOLDER

Rows, segments, sequences and experts whose lengths fall with their rank, edges, words and keys likewise.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(20261118)

    def save(name: str, values: np.ndarray, kind: type = np.int32) -> None:
        np.save(folder / f"layers_{name}.npy", values.astype(kind))

    def starts(lengths: np.ndarray) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(lengths)])

    for name, rows, mean in (("small", 8192, 12), ("large", 262144, 16)):
        lengths = np.minimum(rng.zipf(1.9, rows) + rng.poisson(mean - 6, rows), 2048)
        lengths[-1] += 8 * mean * rows - lengths.sum() if lengths.sum() < 8 * mean * rows else 0
        lengths[-1] = min(int(lengths[-1]), 2048)
        begin = starts(lengths)
        save(f"start_{name}", begin)
        near = np.repeat(np.arange(rows), lengths) + rng.normal(0, rows / 64, int(begin[-1])).astype(int)
        far = rng.integers(0, rows, int(begin[-1]))
        column = np.where(rng.random(int(begin[-1])) < 0.5, near % rows, far)
        padded = np.zeros(1 << (int(begin[-1]) - 1).bit_length(), int)
        padded[: len(column)] = column
        save(f"column_{name}", padded)
    save("segments", starts(np.minimum((rng.pareto(1.3, 4096) * 400).astype(int) + 1, 60000))[:4097])
    lengths = np.clip(rng.lognormal(5.3, 0.8, 64).astype(int), 8, 1024)
    save("sequences", starts(lengths))
    tokens = rng.multinomial(4096, rng.dirichlet(np.full(16, 0.7)))
    save("experts", starts(tokens))
    save("frontier", rng.permutation(262144)[:32768])
    level = np.full(262144, -1)
    level[rng.permutation(262144)[:90000]] = 2
    save("level", level)
    save("words", rng.permutation(1 << 16)[np.minimum(rng.zipf(1.15, 1 << 22) - 1, (1 << 16) - 1)])
    save("keys", np.minimum(rng.zipf(1.5, 1 << 21) - 1, 4095))
    save("sorted_a", np.sort(rng.integers(0, 1 << 30, 1 << 21)))
    save("sorted_b", np.sort(rng.integers(0, 1 << 30, 1 << 21)))
    table = np.zeros(1 << 20, np.uint32)
    known = rng.integers(1, 1 << 31, 600000).astype(np.uint32)
    for key in known:  # linear probing, as the kernel looks up
        at = (int(key) * 2654435769 & 0xFFFFFFFF) >> 7 & (1 << 20) - 1
        while table[at] and table[at] != key:
            at = at + 1 & (1 << 20) - 1
        table[at] = key
    save("table", table, np.uint32)
    wanted = np.where(
        rng.random(1 << 20) < 0.7, known[rng.integers(0, len(known), 1 << 20)], rng.integers(1, 1 << 31, 1 << 20)
    )
    save("wanted", wanted, np.uint32)
    save("cells", rng.random((128, 128, 128)) < 0.01, np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
