"""Writes the arrays that the launches of gpu-kinds/cases.toml read:  python contents.py FOLDER

Filled tables, columns of strings, graphs of two kinds, sparse rows, boxes of a tree, triangles, lists of neighbours,
skewed indices.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

FOLDER = Path()
RNG = np.random.default_rng(90731)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    tables()
    strings()
    graphs()
    rows()
    geometry()
    skewed()


def save(name: str, values: np.ndarray, kind: type = np.int32) -> None:
    np.save(FOLDER / f"kinds_{name}.npy", np.ascontiguousarray(values, dtype=kind).ravel())
    print(name, values.size)


def tables() -> None:
    """Chains of a join, a table two thirds full, one of few and one of many groups, sorted numbers."""
    built = RNG.integers(0, 1 << 18, 1 << 17, dtype=np.uint32)
    bucket = built * np.uint32(2654435761) >> np.uint32(8) & np.uint32((1 << 16) - 1)
    order = np.argsort(bucket, kind="stable")
    following = np.full(1 << 17, -1)
    same = bucket[order][1:] == bucket[order][:-1]
    following[order[:-1][same]] = order[1:][same]
    head = np.full(1 << 16, -1)
    first = np.concatenate(([True], ~same))
    head[bucket[order][first]] = order[first]
    save("join_built", built, np.uint32)
    save("join_head", head)
    save("join_next", following)
    save("join_keys", RNG.integers(0, 1 << 18, 1 << 20, dtype=np.uint32), np.uint32)
    some = RNG.permutation(1 << 22)[:700_000].astype(np.uint32) + np.uint32(1)
    save("probe_table", filled(some, 1 << 20, 7), np.uint32)
    save(
        "probe_keys",
        np.where(RNG.random(1 << 20) < 0.7, RNG.choice(some, 1 << 20), RNG.integers(1, 1 << 22, 1 << 20)),
        np.uint32,
    )
    for name, groups in (("few", 500), ("many", 400_000)):
        keys = RNG.integers(0, groups, 1 << 20).astype(np.uint32)
        save(f"group_keys_{name}", keys, np.uint32)
        save(f"group_table_{name}", filled(np.unique(keys) + np.uint32(1), 1 << 20, 9), np.uint32)
    save("sorted", np.sort(RNG.integers(0, 1 << 30, 1 << 22)))
    save("sorted_other", np.sort(RNG.integers(0, 1 << 30, 1 << 22)))
    save("search_keys", RNG.integers(0, 1 << 30, 1 << 20))
    save("search_sorted_keys", np.sort(RNG.integers(0, 1 << 30, 1 << 20)))
    filter_bits = RNG.random(1 << 23) < 0.4
    save("bloom", np.packbits(filter_bits, bitorder="little").view(np.uint32), np.uint32)


def filled(keys: np.ndarray, size: int, shift: int) -> np.ndarray:
    """An open table that all keys were put into, each at the first free place after its own."""
    table = np.zeros(size, dtype=np.uint32)
    at = (keys * np.uint32(2654435761) >> np.uint32(shift)) & np.uint32(size - 1)
    while len(keys):
        places, winners = np.unique(at, return_index=True)
        winners = winners[table[places] == 0]
        table[at[winners]] = keys[winners]
        left = np.ones(len(keys), dtype=bool)
        left[winners] = False
        keys, at = keys[left], at[left] + np.uint32(1) & np.uint32(size - 1)
    return table


def strings() -> None:
    """200,000 strings of few to some hundred letters, rows gathered from them, numbers of 1 to 5 bytes."""
    lengths = np.minimum(400, RNG.lognormal(2.8, 0.8, 200_000).astype(int))
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    save("string_offsets", offsets)
    save("text", RNG.integers(ord("a"), ord("a") + 26, offsets[-1]), np.uint8)
    save("needle", np.frombuffer(b"abc", np.uint8), np.uint8)
    chosen = RNG.integers(0, 200_000, 100_000)
    save("chosen", chosen)
    save("chosen_offsets", np.concatenate(([0], np.cumsum(lengths[chosen]))))
    print("letters chosen", lengths[chosen].sum())
    values = (2.0 ** (RNG.random((1 << 14, 64)) * 28)).astype(np.int64)
    size = 1 + (values >= 1 << 7) + (values >= 1 << 14) + (values >= 1 << 21)
    ends = np.cumsum(size.ravel())
    save("varint_offsets", np.concatenate(([0], ends.reshape(size.shape)[:, -1])))
    out = np.empty(ends[-1], dtype=np.uint8)
    begin = ends - size.ravel()
    for k in range(4):
        here = size.ravel() > k
        out[begin[here] + k] = (values.ravel()[here] >> 7 * k & 127) | np.where(size.ravel()[here] > k + 1, 128, 0)
    save("varints", out, np.uint8)
    save("varint_first", np.arange(1 << 14) * 64)
    code = np.column_stack((RNG.integers(0, 7, 96), RNG.integers(0, 10, 96)))
    save("bytecode", code)


def graphs() -> None:
    """A graph whose degrees follow a power law, and a grid of streets; sorted neighbours, edges by their ends."""
    n = 1 << 17
    popular = np.minimum(n - 1, (n * RNG.random(1 << 21) ** 3).astype(int))
    name = RNG.permutation(n)
    one_graph("social", n, name[popular], RNG.integers(0, n, 1 << 21))
    side = 512
    v = np.arange(side * side)
    right, down = v[v % side < side - 1], v[v < side * (side - 1)]
    one_graph(
        "streets",
        side * side,
        np.concatenate((right, right + 1, down, down + side)),
        np.concatenate((right + 1, right, down + side, down)),
    )
    save("priority", RNG.permutation(1 << 18), np.uint32)
    save("taken", RNG.random(1 << 18) < 0.5)
    save("labels", RNG.permutation(1 << 18))
    depth = np.where(RNG.random(n) < 0.3, 2, -1)
    save("depth", np.where(RNG.random(n) < 0.2, 3, depth))
    save("reached", np.where(RNG.random(n) < 0.4, RNG.integers(0, 1000, n), 1 << 30))


def one_graph(name: str, n: int, tail: np.ndarray, head: np.ndarray) -> None:
    order = np.lexsort((head, tail))
    tail, head = tail[order], head[order]
    save(f"{name}_start", np.searchsorted(tail, np.arange(n + 1)))
    save(f"{name}_edges", head)
    some = np.sort(RNG.permutation(len(tail))[: min(len(tail), 1 << 18)])
    save(f"{name}_from", tail[some])
    save(f"{name}_to", head[some])
    print(name, len(tail), "edges; chosen", len(some), "longest", np.bincount(tail).max())


def rows() -> None:
    """Sparse rows: slots of a fixed width with holes, rows of a triangle, rows of skewed length."""
    n, width = 1 << 16, 24
    columns = np.clip(np.arange(n) + RNG.integers(-500, 500, (width, n)), 0, n - 1)
    save("ell", np.where(RNG.random((width, n)) < 0.25, -1, columns))
    lengths = np.minimum(np.arange(1 << 15), RNG.integers(4, 20, 1 << 15))
    save("lower_start", np.concatenate(([0], np.cumsum(lengths))))
    row = np.repeat(np.arange(1 << 15), lengths)
    save("lower_columns", np.maximum(0, row - 1 - (RNG.random(len(row)) ** 2 * 2000).astype(int)))
    print("triangle", len(row))
    lengths = np.minimum(3000, np.maximum(1, RNG.pareto(1.3, 1 << 13) * 6)).astype(int)
    save("skewed_start", np.concatenate(([0], np.cumsum(lengths))))
    save("skewed_columns", RNG.integers(0, 1 << 13, lengths.sum()))
    print("skewed", lengths.sum())
    save("sample_row", np.sort(RNG.integers(0, 1 << 13, 1 << 17)))
    save("sample_column", RNG.integers(0, 1 << 13, 1 << 17))


def geometry() -> None:
    """Boxes of an implicit tree over sorted points, rays, triangles of several sizes, neighbours, sets."""
    leaves = 1 << 12
    centre = RNG.random((leaves, 3))
    cell = (centre * 16).astype(int)
    centre = centre[np.lexsort((cell[:, 0], cell[:, 1], cell[:, 2]))]
    low, high = np.zeros((2 * leaves, 4)), np.zeros((2 * leaves, 4))
    low[leaves:, :3], high[leaves:, :3] = centre - 0.01, centre + 0.01
    for node in range(leaves - 1, 0, -1):
        low[node], high[node] = (
            np.minimum(low[2 * node], low[2 * node + 1]),
            np.maximum(high[2 * node], high[2 * node + 1]),
        )
    save("boxes_low", low, np.float32)
    save("boxes_high", high, np.float32)
    rays = np.zeros((1 << 16, 8))
    rays[:, :2] = RNG.random((1 << 16, 2))
    rays[:, 2], rays[:, 4:7] = -1, np.add(RNG.normal(0, 0.05, (1 << 16, 3)), (0, 0, 1))
    save("rays", rays, np.float32)
    corner = RNG.random((1 << 15, 1, 2)) * 1000
    size = np.minimum(120, RNG.pareto(1.5, (1 << 15, 1, 1)) * 6 + 2)
    save("triangles", corner + RNG.random((1 << 15, 3, 2)) * size, np.float32)
    count = RNG.integers(20, 60, 1 << 15)
    save("neighbour_count", count)
    save("neighbours", np.clip(np.arange(1 << 15) + RNG.integers(-400, 400, (64, 1 << 15)), 0, (1 << 15) - 1))
    save("places", np.column_stack((RNG.random((1 << 15, 3)) * 10, np.ones(1 << 15))), np.float32)
    parent = np.arange(1 << 20)
    save("sets", np.maximum(parent & ~255, parent - 1 - (RNG.random(1 << 20) * 40).astype(int)))


def skewed() -> None:
    """Trip counts and indices, a few of them very common or very large; one number to be found in each part."""
    save("trips", np.minimum(5000, RNG.pareto(1.1, 1 << 17) * 12 + 1))
    save("trips_one", np.where(np.arange(1 << 17) == 77_777, 60_000, 20))
    zipf = np.minimum((1 << 18) - 1, RNG.zipf(1.2, 1 << 20))
    save("popular", RNG.permutation(1 << 18)[zipf])
    save("uniform", RNG.integers(0, 1 << 18, 1 << 20))
    save("tokens", RNG.permutation(1 << 14)[np.minimum((1 << 14) - 1, RNG.zipf(1.3, 4096))])
    parts = RNG.integers(2, 1 << 30, (528, 1 << 14))
    parts[np.arange(528), RNG.integers(0, 1 << 14, 528)] = 1
    save("hidden", parts)


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    main()
