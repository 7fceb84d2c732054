"""Writes the arrays that the launches of gpu-collected/cases.toml read:  python contents.py FOLDER

Graphs with few long lists and with none, sparse rows and the blocks that they are staged in, splats, cells of a liquid,
patches, tasks, pages and lengths of sequences, bags, runs, a tree of points, a mesh's neighbours.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

NODES = 1 << 18


class Folder:
    """Where arrays go."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.mkdir(parents=True, exist_ok=True)

    def save(self, name: str, values: np.ndarray, kind: type = np.int32) -> None:
        np.save(self._path / f"collected_{name}.npy", np.ascontiguousarray(values, dtype=kind).ravel())
        print(name, values.size)


def main(path: Path) -> None:
    folder, rng = Folder(path), np.random.default_rng(88071)
    graphs(folder, rng)
    rows(folder, rng)
    pictures(folder, rng)
    particles(folder, rng)
    sequences(folder, rng)
    mesh(folder, rng)


def graph(lengths: np.ndarray, ends: np.ndarray, source: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First edges, edges, and the levels of a search from a node."""
    start = np.concatenate(([0], np.cumsum(lengths)))
    level = np.full(len(lengths), -1)
    level[source], frontier = 0, np.array([source])
    for depth in range(1, 2000):
        reached = np.unique(np.concatenate([ends[start[i] : start[i + 1]] for i in frontier]))
        frontier = reached[level[reached] < 0]
        if not len(frontier):
            break
        level[frontier] = depth
    return start, ends, level


def graphs(folder: Folder, rng: np.random.Generator) -> None:
    """A social network (a power law) and a web of streets; the largest level of a search through each."""
    lengths = np.minimum(20000, (2 / (1 - rng.random(NODES)) ** 0.7)).astype(int)
    ends = (NODES * rng.random(lengths.sum()) ** 2).astype(int)
    save_graph(folder, rng, "social", graph(lengths, ends, 5))
    side = 512
    x, y = np.arange(NODES) % side, np.arange(NODES) // side
    four = np.stack(
        ((x + 1) % side + y * side, (x - 1) % side + y * side, x + (y + 1) % side * side, x + (y - 1) % side * side),
        axis=1,
    )
    keep = rng.random((NODES, 4)) < 0.8
    save_graph(folder, rng, "streets", graph(keep.sum(axis=1), four[keep], 130_000))


def save_graph(folder: Folder, rng: np.random.Generator, name: str, found: tuple[np.ndarray, ...]) -> None:
    start, ends, level = found
    lengths = np.diff(start)
    depth = int(np.bincount(level[level >= 0]).argmax())
    frontier = np.flatnonzero(level == depth)
    sums = np.concatenate(([0], np.cumsum(lengths[frontier])))
    print(name, "edges", len(ends), "frontier", len(frontier), "edges of it", sums[-1])
    folder.save(f"{name}_start", start)
    folder.save(f"{name}_nodes", np.stack((start[:-1], lengths), axis=1))
    folder.save(f"{name}_edges", ends)
    folder.save(f"{name}_frontier", level == depth, np.uint8)
    folder.save(f"{name}_seen", (level >= 0) & (level <= depth), np.uint8)
    folder.save(f"{name}_level", np.where(level <= depth, level, -1))
    folder.save(f"{name}_queue", frontier)
    folder.save(f"{name}_sums", sums)
    folder.save(f"{name}_distance", np.where((level >= 0) & (level <= depth), level * 8, 1 << 28))
    folder.save(f"{name}_undecided", rng.random(NODES) < 0.4, np.uint8)


def rows(folder: Folder, rng: np.random.Generator) -> None:
    """Sparse rows of lengths that differ, near the diagonal; blocks of them of at most 1024 elements."""
    n = 1 << 17
    lengths = np.minimum(6000, np.maximum(1, rng.lognormal(2.2, 1.0, n))).astype(int)
    start = np.concatenate(([0], np.cumsum(lengths)))
    near = np.repeat(np.arange(n), lengths) + (rng.standard_cauchy(start[-1]) * 300).clip(-n, n).astype(int)
    first, at = [0], 0
    while at < n:
        to = int(np.searchsorted(start, start[at] + 1024, side="right")) - 1
        at = min(max(to, at + 1), at + 256)
        first.append(at)
    print("rows", start[-1], "blocks", len(first) - 1)
    folder.save("rows_start", start)
    folder.save("rows_columns", near % n)
    folder.save("rows_first", np.array(first))
    values = np.repeat(rng.integers(0, 1 << 20, 1 << 17), rng.geometric(0.15, 1 << 17))[: 1 << 19]
    folder.save("runs", values)
    heads = np.concatenate(([1], np.diff(values) != 0)).reshape(-1, 256).sum(axis=1)
    folder.save("runs_before", np.concatenate(([0], np.cumsum(heads)[:-1])))


def pictures(folder: Folder, rng: np.random.Generator) -> None:
    """Lists of splats for 64 x 64 tiles, patches at four levels, tasks of few sizes and some large ones."""
    lengths = np.minimum(4000, rng.lognormal(4.5, 1.2, 4096)).astype(int)
    start = np.concatenate(([0], np.cumsum(lengths)))
    tile = np.repeat(np.arange(4096), lengths)
    centre = np.stack((tile % 64, tile // 64), axis=1) / 64 + rng.random((len(tile), 2)) / 64
    splats = np.column_stack((centre, 0.05 + 0.9 * rng.random(len(tile)) ** 2, rng.random(len(tile))))
    print("splats", start[-1])
    folder.save("splat_first", start)
    folder.save("splat_list", order := rng.permutation(len(tile)))
    folder.save("splats", splats[np.argsort(order)], np.float32)
    level = rng.choice(5, 4096, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    cells = 4**level
    folder.save("patch_level", level)
    folder.save("patch_first", np.concatenate(([0], np.cumsum(cells))))
    print("patches", cells.sum() * 64)
    folder.save("tasks", np.minimum(4000, rng.lognormal(3.5, 1.3, 16384)))


def particles(folder: Folder, rng: np.random.Generator) -> None:
    """A liquid with dense places in 24 x 24 x 24 cells, boxes with their neighbours, a tree of 2^17 - 1 points."""
    side, n = 24, 1 << 16
    centre = rng.random((40, 3)) * side
    place = np.concatenate(
        (rng.random((n // 2, 3)) * side, centre[rng.integers(0, 40, n // 2)] + rng.normal(0, 1.0, (n // 2, 3)))
    )
    place = place.clip(0, side - 1e-3)
    cell = place[:, 0].astype(int) + side * (place[:, 1].astype(int) + side * place[:, 2].astype(int))
    order = np.argsort(cell, kind="stable")
    folder.save("liquid_cell", cell[order])
    folder.save("liquid_start", np.concatenate(([0], np.cumsum(np.bincount(cell, minlength=side**3)))))
    folder.save("liquid_place", np.column_stack((place[order], np.ones(n))), np.float32)
    size = 10
    box = np.arange(size**3)
    x, y, z = box % size, box // size % size, box // size**2
    found = np.zeros((size**3, 26, 4), int)
    count = np.zeros(size**3, int)
    for dz, dy, dx in np.ndindex(3, 3, 3):
        if (dz, dy, dx) == (1, 1, 1):
            continue
        a, b, c = x + dx - 1, y + dy - 1, z + dz - 1
        inside = (a >= 0) & (a < size) & (b >= 0) & (b < size) & (c >= 0) & (c < size)
        found[box[inside], count[inside], 3] = (a + size * (b + size * c))[inside]
        count += inside
    folder.save("box_count", count)
    folder.save("box_neighbours", found)
    folder.save("spots", 256 + 40 * rng.normal(size=(2, 1 << 16)), np.float32)
    points, tree = rng.random((1, (1 << 17) - 1, 3)).astype(np.float32), []
    for depth in range(17):
        order = np.argsort(points[:, :, depth % 3], axis=1)
        points = np.take_along_axis(points, order[:, :, None], axis=1)
        middle = points.shape[1] // 2
        tree.append(points[:, middle])
        points = np.stack((points[:, :middle], points[:, middle + 1 :]), axis=1).reshape(2 * len(points), middle, 3)
    nodes = np.concatenate(tree)
    folder.save("tree", np.column_stack((nodes, np.zeros(len(nodes)))), np.float32)
    folder.save("tree_queries", rng.random((1 << 16, 4)), np.float32)


def sequences(folder: Folder, rng: np.random.Generator) -> None:
    """Lengths of 64 sequences with their pages of 16, and bags of rows of a table."""
    lengths = np.minimum(4000, rng.lognormal(6.3, 1.0, 64)).astype(int)
    print("sequences", lengths.sum(), lengths.max())
    folder.save("lengths", lengths)
    folder.save("pages", rng.permutation(64 * 256) % 8192)
    bags = np.minimum(300, rng.geometric(0.05, 1 << 14))
    folder.save("bags", np.concatenate(([0], np.cumsum(bags))))
    folder.save("bag_rows", ((1 << 18) * rng.random(bags.sum()) ** 3).astype(int))
    print("bags", bags.sum())


def mesh(folder: Folder, rng: np.random.Generator) -> None:
    """Neighbours of a mesh's cells: most are near, some at the border; nodes of elements; energies in order."""
    n = 1 << 18
    i = np.arange(n)
    four = np.stack((i - 1, i + 1, i - 500, i + 500)) + rng.integers(-20, 21, (4, n))
    four = np.where(rng.random((4, n)) < 0.02, -1, four % n)
    folder.save("mesh", np.where(rng.random((4, n)) < 0.01, -2, four))
    side = 80
    x, y, z = (part.ravel() for part in np.meshgrid(*[np.arange(side)] * 3, indexing="ij"))
    corner = (x * (side + 1) + y) * (side + 1) + z
    step = np.array([0, 1, side + 2, side + 1])
    folder.save("elements", np.column_stack([corner + k for k in (*step, *(step + (side + 1) ** 2))]))
    folder.save("energies", np.sort(rng.random(11_303)), np.float64)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
