"""Writes the arrays that the launches of gpu-uneven/cases.toml read:  python contents.py FOLDER

Everything follows from fixed seeds; the folder has about 260 MB and is not kept in the repository.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

VERTICES = 1 << 18


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str, array: np.ndarray, kind: type) -> None:
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array, dtype=kind))

    rng = np.random.default_rng(20261117)
    for name, degrees in (("power", power_law(rng)), ("even", rng.integers(4, 13, VERTICES))):
        rows, columns = graph(rng, degrees)
        save(f"{name}_rows", rows, np.int32)
        save(f"{name}_columns", columns, np.int32)
        for depth, level in enumerate(levels(rows, columns, start=int(np.argmax(degrees)))):
            if depth in (1, 2, 3, 5):
                save(f"{name}_level{depth}", level, np.int32)
                save(f"{name}_queue{depth}", np.flatnonzero(level == depth), np.int32)
                print(name, depth, np.count_nonzero(level == depth), np.count_nonzero(level < 0), len(columns))
    small_rows, small_columns = graph(rng, np.minimum(power_law(rng)[: 1 << 15], 400), 1 << 15)
    save("small_rows", small_rows, np.int32)
    save("small_columns", small_columns, np.int32)
    weights = rng.gamma(0.3, 1.0, 20000)
    save("cdf", np.cumsum(weights) / weights.sum(), np.float32)
    save("u_sorted", (np.arange(20000) + 0.37) / 20000, np.float32)
    save("u_random", rng.random(20000), np.float32)
    big = rng.gamma(0.5, 1.0, 1 << 20)
    save("big_cdf", np.cumsum(big) / big.sum(), np.float32)
    save("big_u", rng.random(1 << 20), np.float32)
    lengths = np.sort(rng.geometric(1 / 40, 1 << 14))[::-1]
    save("lists", np.concatenate([[0], np.cumsum(lengths)]), np.int32)
    total = int(lengths.sum())
    save("list_a", rng.integers(0, 1 << 20, total), np.int32)
    save("list_b", rng.integers(0, 1 << 20, total), np.int32)
    print("lists", total)
    keys, table = hash_table(rng, 1 << 20, 1 << 21)
    save("hash_table", table, np.uint32)
    save("hash_keys", rng.permutation(keys), np.uint32)
    save("bins_even", rng.integers(0, 1024, 1 << 24), np.int32)
    save("bins_hot", np.minimum(rng.zipf(1.4, 1 << 24) - 1, 1023), np.int32)
    save("bins_one", np.zeros(1 << 22), np.int32)
    text = rng.choice(np.frombuffer(b"eeeeettttaaaoooiiinnnssshhrrddlcumwfgypbvkjxqz       ,.\n", np.uint8), 1 << 24)
    save("text", text, np.uint8)
    save("signs", rng.integers(-9, 10, 1 << 23), np.int32)
    save("starts", rng.integers(1, 1 << 20, 1 << 20), np.uint32)
    save("targets", rng.lognormal(0.0, 3.0, 1 << 20), np.float32)


def power_law(rng: np.random.Generator) -> np.ndarray:
    return np.minimum(rng.zipf(1.9, VERTICES) + 1, 20000)


def graph(rng: np.random.Generator, degrees: np.ndarray, vertices: int = VERTICES) -> tuple[np.ndarray, np.ndarray]:
    """Compressed rows with sorted neighbours, hubs preferred."""
    rows = np.concatenate([[0], np.cumsum(degrees)])
    columns = (rng.random(rows[-1]) ** 1.5 * vertices).astype(np.int64)
    owner = np.repeat(np.arange(len(degrees)), degrees)
    columns = columns[np.lexsort((columns, owner))]
    return rows, columns


def levels(rows: np.ndarray, columns: np.ndarray, start: int) -> list[np.ndarray]:
    """Levels known when each step of a breadth-first search begins."""
    level = np.full(len(rows) - 1, -1)
    level[start] = 0
    result = [level.copy()]
    for depth in range(1, 7):
        frontier = np.flatnonzero(level == depth - 1)
        reached = np.concatenate([columns[rows[v] : rows[v + 1]] for v in frontier]) if len(frontier) else columns[:0]
        level[reached[level[reached] < 0]] = depth
        result.append(level.copy())
    return result


def hash_table(rng: np.random.Generator, count: int, slots: int) -> tuple[np.ndarray, np.ndarray]:
    """Keys and an open-addressing table with linear probing that holds them."""
    keys = np.unique(rng.integers(0, 1 << 32, count + count // 8, dtype=np.uint32))[:count]
    table = np.full(slots, 0xFFFFFFFF, np.uint32)
    at = keys.astype(np.uint64) * 2654435761 % (1 << 32) & (slots - 1)
    waiting = keys
    while len(waiting):
        free = table[at] == 0xFFFFFFFF
        first = np.unique(at[free], return_index=True)[1]
        placed = np.flatnonzero(free)[first]
        table[at[placed]] = waiting[placed]
        left = np.ones(len(waiting), bool)
        left[placed] = False
        waiting, at = waiting[left], (at[left] + 1) & (slots - 1)
    return keys, table


if __name__ == "__main__":
    main(Path(sys.argv[1]))
