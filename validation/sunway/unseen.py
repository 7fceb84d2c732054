"""Random kernels that nobody wrote the model for: shapes of requests, chunks and computation drawn at random."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Block, Chunk, Decomposition, Offload, Request
from foretell.core.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Iterator

_SERVICE = 11.6  # cycles of a transaction: computation is drawn as a share of the memory's time


def kernels(seed: int, number: int) -> Iterator[Workload]:
    """So many kernels, with one buffer."""
    random = Random(seed)
    for _ in range(number):
        yield _kernel(random)


def doubled(kernel: Workload) -> Workload:
    facets = tuple(
        replace(facet, double_buffer=True) if isinstance(facet, Offload) else facet for facet in kernel.facets
    )
    return replace(kernel, facets=facets)


def _kernel(random: Random) -> Workload:
    """1 to 3 arrays in and 0 to 2 out, in 1 to 16 rounds of each chunk; perhaps a table that is brought once, a tile
    that comes and goes once for each chunk, and Gloads. Chunks are dealt evenly or not; the last may be shorter."""
    cores, rounds = random.choice([64, 64, 64, 64, 61, 48, 32, 16, 8]), random.choice([1, 1, 1, 2, 4, 7, 16])
    size, tile = random.choice([1, 4, 16]), random.choice([1, 2, 4, 8])
    even, uneven = cores * random.randint(1, 8), cores * random.randint(1, 6) + random.randint(1, cores - 1)
    chunks = random.choice([even, uneven, random.randint(2, cores * 8)])
    arrays = [(random.randint(1, 4) * size, False) for _ in range(random.choice([1, 1, 2, 3]))]
    for _ in range(random.choice([0, 1, 1, 1, 2])):
        arrays.append((max(1, int(random.randint(1, 4) * size * random.choice([1, 0.5, 0.25]))), True))
    moved = sum(transactions for transactions, _ in arrays)
    intensity = random.choice([random.uniform(0.1, 8), random.uniform(0.3, 1.5)])
    cycles = intensity * min(cores, chunks) * moved * _SERVICE * rounds / tile
    return Workload(
        "unseen",
        (
            Offload(
                Decomposition(
                    extent=constant(chunks * tile - random.randint(0, tile - 1)),
                    tile=Expression("tile"),
                    cores=constant(cores),
                ),
                dma=_requests(random, arrays, rounds, tile),
                gload=_loads(random, rounds),
                blocks=(Block(Expression(f"chunks_per_core*tile*{cycles}")),),
                scratchpad_bytes=constant(0),
            ),
        ),
        {"tile": float(tile)},
    )


def _requests(random: Random, arrays: list[tuple[int, bool]], rounds: int, tile: int) -> tuple[Request, ...]:
    table = [_request(f"{256 * random.randint(1, 40)}", "1", False)] if random.random() < 0.3 else []
    each = [_request(f"{256 * moved}*tile/{tile}", f"chunks_per_core*{rounds}", out) for moved, out in arrays]
    if rounds == 1 or random.random() > 0.25:
        return (*table, *each)
    tiles = [_request(f"{256 * random.randint(1, 4)}*tile", "chunks_per_core", out) for out in (False, True)]
    return (*table, tiles[0], *each, tiles[1])


def _request(size: str, count: str, out: bool) -> Request:
    return Request("array", (Chunk(Expression(size)),), Expression(count), out=out)


def _loads(random: Random, rounds: int) -> tuple[Request, ...]:
    if random.random() > 0.08:
        return ()
    return (Request("load", (Chunk(constant(32)),), Expression(f"chunks_per_core*{rounds * random.randint(1, 10)}")),)
