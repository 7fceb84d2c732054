"""Writes the arrays that the launches of gpu-further/cases.toml read:  python contents.py FOLDER

Sorted lists and keys, sparse rows of several kinds, trees of parents, a filled table, particles in cells.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(52281)

    def save(name: str, values: np.ndarray, kind: type = np.int32) -> None:
        np.save(folder / f"further_{name}.npy", np.ascontiguousarray(values, dtype=kind).ravel())
        print(name, values.size)

    keys = rng.integers(0, 1 << 32, 1 << 20, dtype=np.uint32)
    save("keys", keys, np.uint32)
    zeros = ((keys.reshape(-1, 256) >> 7 & 1) == 0).sum(axis=1)
    save("zeros", np.concatenate(([0], np.cumsum(zeros)[:-1])), np.uint32)
    for name in "ab":
        save(f"list_{name}", np.sort(rng.integers(0, 1 << 30, 1 << 20)))
    sparse(save, rng)
    parents = np.arange(1 << 20)
    low = parents & ~1023
    up = low + ((parents - low) * rng.random(1 << 20) ** 0.3).astype(int)  # a parent before it, in its own component
    save("parents", np.where(parents == low, parents, np.minimum(up, parents - 1)))
    ends = rng.integers(0, 1024, (2, 1 << 20)) + (rng.integers(0, 1024, 1 << 20) << 10)
    save("from", ends[0])
    save("to", ends[1])
    save("table_keys", some := rng.permutation(1 << 24)[: 1 << 18], np.uint32)
    save("table", filled(some, 1 << 19), np.uint32)
    save("points", rng.random((1 << 14, 4)), np.float32)
    cells, side = 1 << 15, 32
    corners = np.stack(np.unravel_index(np.arange(cells), (side,) * 3)[::-1], axis=1)
    places = np.repeat(corners, 8, axis=0) + rng.random((8 * cells, 3))
    save("particles", np.column_stack((places, np.ones(8 * cells))), np.float32)
    save("cells", np.arange(cells + 1) * 8)
    near = np.sort(rng.integers(0, 1000 * 1024, 1 << 20)) + rng.integers(-3, 4, 1 << 20)
    save("charges", np.clip(near, 0, 1022 * 1024))


def sparse(save: object, rng: np.random.Generator) -> None:
    """Rows in slices, blocks of a mesh, rows of elements; columns near the diagonal and some far from it."""
    assert callable(save)
    rows = 1 << 17
    longest = np.maximum(1, rng.gamma(2.0, 6.0, rows // 32).astype(int))
    save("slice_start", np.concatenate(([0], np.cumsum(longest * 32))))
    row = np.repeat(np.arange(rows // 32), longest * 32) * 32
    save("slice_columns", columns(rng, row, rows))
    print("slices end at", longest.sum() * 32)
    blocks = rng.integers(5, 13, 1 << 15)
    save("block_start", np.concatenate(([0], np.cumsum(blocks))))
    save("block_columns", columns(rng, np.repeat(np.arange(1 << 15), blocks), 1 << 15))
    lengths = np.minimum(200, np.maximum(2, rng.lognormal(2.3, 0.7, 1 << 17).astype(int)))
    row = np.repeat(np.arange(1 << 17), lengths)
    save("csr_start", np.concatenate(([0], np.cumsum(lengths))))
    save("csr_rows", row)
    save("csr_columns", columns(rng, row, 1 << 17))
    print("blocks", blocks.sum(), "entries", lengths.sum())


def columns(rng: np.random.Generator, row: np.ndarray, size: int) -> np.ndarray:
    near = row + np.rint(rng.normal(0, 200, len(row))).astype(int)
    return np.where(rng.random(len(row)) < 0.1, rng.integers(0, size, len(row)), np.clip(near, 0, size - 1))


def filled(keys: np.ndarray, size: int) -> np.ndarray:
    """A table of keys + 1, as threads in turn would fill it."""
    table = np.zeros(size, dtype=np.uint32)
    first = ((keys.astype(np.uint32) + np.uint32(1)) * np.uint32(2654435761) >> np.uint32(7)) & np.uint32(size - 1)
    for key, at in zip((keys + 1).tolist(), first.tolist(), strict=True):
        while table[at]:
            at = at + 1 & size - 1
        table[at] = key
    return table


if __name__ == "__main__":
    main(Path(sys.argv[1]))
