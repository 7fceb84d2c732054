"""Writes the arrays that the launches of gpu-styles/cases.toml read:  python contents.py FOLDER

A graph by recursive quadrants (hubs at low numbers), a mesh of a plane with some missing edges, ragged rows, text,
lists of cells, sequences in pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(23118)

    def save(name: str, values: np.ndarray, kind: type = np.int32) -> None:
        np.save(folder / f"styles_{name}.npy", np.ascontiguousarray(values, dtype=kind))
        print(name, len(np.ravel(values)))

    def starts(lengths: np.ndarray) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(lengths)])

    for name, (source, target), vertices in (
        ("quad", quadrants(rng, 17, 1 << 21), 1 << 17),
        ("mesh", mesh(rng, 512), 512 * 512),
    ):
        order = np.lexsort((target, source))
        save(f"{name}_ptr", starts(np.bincount(source, minlength=vertices)))
        save(f"{name}_adj", target[order])
        save(f"{name}_prio", rng.permutation(vertices))
        save(f"{name}_state", rng.random(vertices) < 0.3)
    degree = np.diff(np.load(folder / "styles_quad_ptr.npy"))
    save("quad_degree", np.minimum(degree, 40))
    bag = np.minimum(rng.zipf(1.6, 16384), 300)
    save("bag_ptr", starts(bag))
    save("bag_index", (rng.random(int(bag.sum())) ** 3 * 100000).astype(int))
    save("work", np.minimum((rng.pareto(1.4, 1 << 16) * 12).astype(int) + 1, 4000))
    save("work_even", rng.integers(20, 60, 1 << 16))
    save("lines", starts(np.minimum(rng.geometric(1 / 30, 1 << 16), 500)))
    count = int(np.load(folder / "styles_lines.npy")[-1])
    save("digits", rng.choice(np.frombuffer(b"0123456789,,; ", np.uint8), count), np.uint8)
    save("letters", rng.choice(np.frombuffer(b"aaaabbbc", np.uint8), 1 << 20), np.uint8)
    save("bits", rng.integers(0, 1 << 32, 1 << 20), np.uint32)
    lengths = np.minimum(rng.geometric(0.35, 4096), 12)
    save("codes", lengths << 8 | rng.integers(0, 256, 4096))
    cells = rng.poisson(6 * (1 + 3 * (rng.random(32**3) < 0.05)), 32**3)
    save("cell_ptr", starts(cells))
    save("seeds", rng.integers(1, 1 << 31, 1 << 20), np.uint32)
    low, high = boxes(rng, 1 << 15)
    save("box_low", low, np.float32)
    save("box_high", high, np.float32)
    save("points", rng.random(1 << 18), np.float32)
    sequence = np.clip(rng.lognormal(5.5, 1.0, 128).astype(int), 16, 2048)
    save("seq_len", sequence)
    save("pages", rng.permutation(128 * 128))
    save("keys", rng.integers(0, 1 << 32, 1 << 22), np.uint32)
    save("ell", ell(rng, 65536, 48))
    save("flags", rng.random(1 << 22) < 0.01)
    save("solid", rng.random(1024 * 1024) < 0.2, np.uint8)
    pairs = rng.integers(0, 50000, (8, 16384))
    save("rule_in", pairs)
    save("rule_out", np.sort((rng.random((8, 16384)) ** 2 * 50000).astype(int), axis=1))


def quadrants(rng: np.random.Generator, scale: int, edges: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges whose ends are chosen bit by bit, with probabilities 0.57, 0.19, 0.19, 0.05."""
    source = np.zeros(edges, np.int64)
    target = np.zeros(edges, np.int64)
    for _ in range(scale):
        quadrant = rng.choice(4, edges, p=[0.57, 0.19, 0.19, 0.05])
        source = source * 2 + quadrant // 2
        target = target * 2 + quadrant % 2
    return source, target


def mesh(rng: np.random.Generator, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Both directions of the edges of a square grid, a fifth of them missing."""
    at = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], 1), np.stack([at[:-1].ravel(), at[1:].ravel()], 1)]
    )
    pairs = pairs[rng.random(len(pairs)) < 0.8]
    return np.concatenate([pairs[:, 0], pairs[:, 1]]), np.concatenate([pairs[:, 1], pairs[:, 0]])


def boxes(rng: np.random.Generator, leaves: int) -> tuple[np.ndarray, np.ndarray]:
    """Intervals of a binary tree in an array, root at 1: those of leaves overlap their neighbours', some by far."""
    low, high = np.zeros(2 * leaves), np.zeros(2 * leaves)
    low[leaves:] = np.arange(leaves) / leaves - rng.random(leaves) ** 8 * 0.02
    high[leaves:] = np.arange(1, leaves + 1) / leaves + rng.random(leaves) ** 8 * 0.02
    for node in range(leaves - 1, 0, -1):
        low[node] = min(low[2 * node], low[2 * node + 1])
        high[node] = max(high[2 * node], high[2 * node + 1])
    return low, high


def ell(rng: np.random.Generator, rows: int, width: int) -> np.ndarray:
    """Columns of padded rows, slot by slot; −1 where a row has ended."""
    lengths = np.minimum(rng.geometric(1 / 14, rows), width)
    column = (np.arange(rows)[None, :] + rng.normal(0, 300, (width, rows)).astype(int)) % rows
    return np.where(np.arange(width)[:, None] < lengths[None, :], column, -1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
