"""Writes the arrays that the launches of gpu-suites/cases.toml read:  python contents.py FOLDER

Neighbours of an image's rows, of a mesh and of atoms, a tree of 128 keys a node, directions on a sphere, sorted pieces,
a graph whose hubs have many neighbours.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(41923)

    def save(name: str, values: np.ndarray, kind: type = np.int32) -> None:
        np.save(folder / f"suites_{name}.npy", np.ascontiguousarray(values, dtype=kind).ravel())
        print(name, values.size)

    side = np.arange(1024)
    save("before", np.maximum(side - 1, 0))
    save("after", np.minimum(side + 1, 1023))
    cells = 1 << 17
    near = np.arange(cells) + np.rint(rng.normal(0, 300, (4, cells))).astype(int)
    save("faces", np.where(rng.random((4, cells)) < 0.03, -1, np.clip(near, 0, cells - 1)))
    atoms = 1 << 15
    save("list", np.clip(np.arange(atoms) + np.rint(rng.normal(0, 400, (96, atoms))).astype(int), 0, atoms - 1))
    save("nodes", tree())
    save("questions", rng.integers(0, 1 << 21, 10000))
    direction = rng.normal(size=(3, 4096))
    direction /= np.linalg.norm(direction, axis=0)
    for axis, values in zip("xyz", direction, strict=True):
        save(f"direction_{axis}", values, np.float32)
    save("edges", np.cos(np.linspace(0, np.pi, 65)), np.float32)
    save("energies", np.arange(1 << 16) + rng.random(1 << 16), np.float64)
    save("pieces", np.sort(rng.integers(0, 1 << 32, (64, 1 << 16)), axis=1), np.uint32)
    begin, source, target = graph(rng, 1 << 16, 1 << 19)
    save("begin", begin)
    save("source", source)
    save("target", target)
    save("pixels", rng.integers(0, 256, (1024, 1024, 4)) // 8 * 4, np.uint8)
    save("bytes", rng.integers(0, 256, 1 << 20), np.uint8)
    save("words", rng.integers(0, 1 << 32, 3 << 16), np.uint32)


def tree() -> np.ndarray:
    """Nodes of 128 keys and 128 children in three levels; a key is the least number below its child."""
    width, levels = 128, 3
    nodes = []
    for level in range(levels):
        first = sum(width**deeper for deeper in range(level + 1))
        for number in range(width**level):
            places = number * width + np.arange(width)
            nodes.append(np.stack([places * width ** (levels - 1 - level), first + places]))
    return np.concatenate(nodes)


def graph(rng: np.random.Generator, vertices: int, edges: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sorted lists of neighbours; low numbers are chosen more often."""
    ends = (rng.random((2, edges)) ** 2 * vertices).astype(int)
    both = np.unique(np.concatenate([ends, ends[::-1]], axis=1), axis=1)
    source, target = both[:, : edges - edges % 256]
    return np.concatenate([[0], np.cumsum(np.bincount(source, minlength=vertices))]), source, target


if __name__ == "__main__":
    main(Path(sys.argv[1]))
