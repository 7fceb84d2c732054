# ruff: noqa: E501  (a case is a line)
"""Launches of the kernels here with their inputs, for the GPU (device.py) and for complete execution (compare.py).

Inputs are made from a hash of the index, so that they are the same everywhere; they need only numpy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 1e-45, -1e-40, 1.1754944e-38, 3.4028235e38, -3.4028235e38, np.inf, -np.inf,
    np.nan, 1e-20, 1e20, 16777216.0, 16777217.0, 2147483648.0, -2147483649.0, 4294967296.0, 0.1, 1.5, 2.5, -3.5, 1e10,
    65504.0, 65520.0, 6.1e-5, 5.96e-8, 255.5,
]  # fmt: skip


@dataclass(frozen=True)
class Array:
    """An argument in memory: `kind` names the generator."""

    dtype: str
    count: int
    kind: str = "zero"
    scale: float = 1.0
    seed: int = 1


@dataclass(frozen=True)
class Case:
    """Launches of kernels of one module, one after the other, with common arrays; numbers are (dtype, value).

    `exact` says which arrays are compared bit for bit; of others, `ulps` is the largest distance allowed.
    """

    name: str
    module: str
    arguments: tuple[Array | tuple[str, float], ...]
    grid: tuple[int, int, int] = (1, 1, 1)
    block: tuple[int, int, int] = (32, 1, 1)
    shared: int = 0
    cooperative: bool = False
    ulps: float = 0
    launches: tuple[tuple[str, tuple[int | tuple[str, float], ...]], ...] = field(default=())

    def all_launches(self) -> tuple[tuple[str, tuple[int | tuple[str, float], ...]], ...]:
        """Kernel and arguments of each launch: the number of an array, or a number."""
        if self.launches:
            return self.launches
        places = iter(range(len(self.arguments)))
        own = tuple(next(places) if isinstance(item, Array) else item for item in self.arguments)
        return ((self.name, own),)

    def arrays(self) -> list[np.ndarray]:
        return [made(item) for item in self.arguments if isinstance(item, Array)]


def _hash(count: int, seed: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        z = np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed * 0x1234567 + 1)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return z ^ z >> np.uint64(31)


def made(item: Array) -> np.ndarray:
    bits, dtype = _hash(item.count, item.seed), np.dtype(item.dtype)
    if item.kind == "zero":
        return np.zeros(item.count, dtype)
    if item.kind == "source":  # depths of a search: none, but of the first
        return np.concatenate([[0], np.full(item.count - 1, -1)]).astype(dtype)
    if item.kind == "constant":
        return np.full(item.count, item.scale, dtype)
    if item.kind == "bits":
        return (bits & np.uint64((1 << 8 * dtype.itemsize) - 1)).astype(f"u{dtype.itemsize}").view(dtype)
    if item.kind == "below":
        return (bits % np.uint64(int(item.scale))).astype(dtype)
    if item.kind == "rows":  # of a sparse matrix or graph: `scale` entries on average
        return np.concatenate([[0], np.cumsum(1 + bits[:-1] % np.uint64(2 * int(item.scale) - 1))]).astype(dtype)
    real = ((bits >> np.uint64(11)).astype(np.float64) / 2.0**53 * 2 - 1) * item.scale
    if item.kind == "positive":
        real = np.abs(real) + 0.01
    if item.kind == "any":  # special numbers, random bits, and ordinary numbers
        which = bits % np.uint64(4)
        special = np.array(SPECIAL)[(bits >> np.uint64(8)).astype(np.int64) % len(SPECIAL)]
        with np.errstate(all="ignore"):
            wide = real * 2.0 ** ((bits >> np.uint64(16)) % np.uint64(160)).astype(np.float64) / 2.0**80
            return np.where(which == 0, special, np.where(which == 1, wide, real)).astype(dtype)
    return real.astype(dtype)


def _a(dtype: str, count: int, kind: str = "zero", scale: float = 1.0, seed: int = 1) -> Array:
    return Array(dtype, count, kind, scale, seed)


N = 2048
_i = "integer"
_f = "floating"

CASES = (
    Case("reduce_sum", _i, (_a("u4", 10000, "bits"), _a("u4", 1), ("i4", 10000)), (8, 1, 1), (256, 1, 1)),
    Case("scan_blocks", _i, (_a("u4", 2048, "bits"), _a("u4", 2048)), (2, 1, 1), (1024, 1, 1)),
    Case("bitonic_sort", _i, (_a("u4", 2048, "bits"),), (4, 1, 1), (512, 1, 1), shared=2048),
    Case("histogram", _i, (_a("u1", 20000, "bits"), _a("u4", 256), ("i4", 20000)), (4, 1, 1), (256, 1, 1)),
    Case(
        "bfs_level", _i,
        (_a("i4", 1025, "rows", 4), _a("i4", 8192, "below", 1024, 3), _a("i4", 1024, "source"), _a("i4", 1)),
        (4, 1, 1), (256, 1, 1),
        launches=tuple(("bfs_level", (0, 1, 2, 3, ("i4", level), ("i4", 1024))) for level in range(6)),
    ),
    Case("queue_bfs", _i, (_a("i4", 513, "rows", 3), _a("i4", 4096, "below", 512, 3), _a("i4", 512), ("i4", 512)), block=(128, 1, 1)),
    Case("divide", _i, (_a("i8", N, "bits"), _a("i8", N, "below", 1e13, 2), _a("i8", 8 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("bits", _i, (_a("u4", N, "bits"), _a("u4", N, "bits", 1, 2), _a("u4", N, "bits", 1, 3), _a("u4", 32 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("wide", _i, (_a("u8", N, "bits"), _a("u8", N, "bits", 1, 2), _a("u8", 16 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("warp_votes", _i, (_a("u4", 256, "bits"), _a("u4", 12 * 256)), (2, 1, 1), (128, 1, 1)),
    Case("groups", _i, (_a("u4", 256, "bits"), _a("u4", 256)), (2, 1, 1), (128, 1, 1)),
    Case("grid_sync", _i, (_a("u4", 1000, "bits"), ("i4", 1000), ("i4", 5)), (8, 1, 1), (128, 1, 1), cooperative=True),
    Case("recursion", _i, (_a("u4", 64),), (1, 1, 1), (64, 1, 1)),
    Case("local_arrays", _i, (_a("u4", 256, "bits"), _a("u4", 256), ("i4", 100)), (2, 1, 1), (128, 1, 1)),
    Case("switches", _i, (_a("u4", 512, "bits"), _a("u4", 512)), (2, 1, 1), (256, 1, 1)),
    Case("pointers_to_functions", _i, (_a("u4", 256, "bits"), _a("u4", 256)), (2, 1, 1), (128, 1, 1)),
    Case(
        "module_variables", _i, (_a("u4", 512, "bits"), _a("u4", 512), _a("u4", 64)), (2, 1, 1), (256, 1, 1),
        launches=(("module_variables", (0, 1)), ("read_module_variables", (2,))),
    ),
    Case("atomics", _i, (_a("u4", 1024, "bits"), _a("u4", 16, "constant", 500), _a("u8", 8, "constant", 1 << 40)), (4, 1, 1), (256, 1, 1)),
    Case("spin_lock", _i, (_a("u4", 1), _a("u4", 1)), (4, 1, 1), (64, 1, 1)),
    Case("named_barriers", _i, (_a("u4", 512, "bits"), _a("u4", 513)), (1, 1, 1), (128, 1, 1)),
    Case("async_copy", _i, (_a("u4", 256 * 6, "bits"), _a("u4", 64), ("i4", 6)), (1, 1, 1), (64, 1, 1)),
    Case("bytes_and_vectors", _i, (_a("u4", 256, "bits"), _a("u4", 256, "bits", 1, 2), _a("u4", 1024, "bits", 1, 3), _a("u4", 1024)), (2, 1, 1), (128, 1, 1)),
    Case("generic_pointers", _i, (_a("u4", 256, "bits"), _a("u4", 256)), (4, 1, 1), (64, 1, 1)),
    Case("prints", _i, (_a("u4", 4, "bits"),), (4, 1, 1), (64, 1, 1)),
    Case("early_exits", _i, (_a("u4", 1000, "below", 100000), _a("u4", 1024), ("i4", 1000)), (8, 1, 1), (128, 1, 1)),
    Case("cluster_info", _i, (_a("u4", 2 * 3 * 2 * 5 * 3 * 7),), (2, 3, 2), (5, 3, 7)),
    Case("mma_int8", _i, (_a("u4", 128, "bits"), _a("u4", 64, "bits", 1, 2), _a("i4", 128))),
    Case("matrix_loads", _i, (_a("u4", 256, "bits"), _a("u4", 256))),
    Case("saxpy", _f, (_a("f4", 5000, "any"), _a("f4", 5000, "any", 1, 2), ("f4", 1.7), ("i4", 5000)), (20, 1, 1), (256, 1, 1)),
    Case("ieee32", _f, (_a("f4", N, "any"), _a("f4", N, "any", 1, 2), _a("f4", N, "any", 1, 3), _a("f4", 24 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("ieee64", _f, (_a("f8", N, "any"), _a("f8", N, "any", 1, 2), _a("f8", N, "any", 1, 3), _a("f8", 16 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("conversions", _f, (_a("f4", N, "any"), _a("f8", N, "any", 1, 2), _a("i8", N, "bits", 1, 3), _a("i8", 24 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("half2s", _f, (_a("f2", 2 * N, "any"), _a("f2", 2 * N, "any", 1, 2), _a("f2", 2 * N, "any", 1, 3), _a("u2", 24 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("bfloats", _f, (_a("u4", N, "bits"), _a("u4", N, "bits", 1, 2), _a("u2", 8 * N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("library32", _f, (_a("f4", N, "real", 9), _a("f4", 16 * N), ("i4", N)), (8, 1, 1), (256, 1, 1), ulps=64),
    Case("library64", _f, (_a("f8", N, "real", 9), _a("f8", 8 * N), ("i4", N)), (8, 1, 1), (256, 1, 1), ulps=4),
    Case("large_angles", _f, (_a("f4", N, "real", 9), _a("f4", N), ("i4", N)), (8, 1, 1), (256, 1, 1)),
    Case("gemm_shared", _f, (_a("f4", 4096, "real"), _a("f4", 4096, "real", 1, 2), _a("f4", 4096), ("i4", 64)), (4, 4, 1), (16, 16, 1)),
    Case("stencil", _f, (_a("f4", 6000, "real"), _a("f4", 6000), ("i4", 100), ("i4", 60)), (4, 8, 1), (32, 8, 1)),
    Case("nbody", _f, (_a("f4", 1024, "real"), _a("f4", 1024), ("i4", 256)), (4, 1, 1), (64, 1, 1), ulps=64),
    Case(
        "spmv", _f,
        (_a("i4", 101, "rows", 20), _a("i4", 4000, "below", 100), _a("f8", 4000, "real"), _a("f8", 100, "real", 1, 2), _a("f8", 100), ("i4", 100)),
        (13, 1, 1), (256, 1, 1),
    ),
    Case("float_atomics", _f, (_a("f4", 1024, "real"), _a("f4", 1), _a("f8", 1)), (4, 1, 1), (256, 1, 1), ulps=4096),
    Case("mma_half", _f, (_a("f2", 256, "real"), _a("f2", 128, "real", 1, 2), _a("f4", 128), _a("u4", 64))),
    Case("mma_others", _f, (_a("f4", 128, "real"), _a("f4", 64, "real", 1, 2), _a("f8", 32, "real"), _a("f8", 32, "real", 1, 2), _a("f4", 256), _a("f8", 64))),
    Case("monte_carlo", _f, (_a("u4", 1), ("i4", 200)), (8, 1, 1), (128, 1, 1)),
    Case("black_scholes", _f, (_a("f4", N, "positive", 50), _a("f4", N, "positive", 50, 2), _a("f4", N, "positive", 3, 3), _a("f4", N), _a("f4", N), ("i4", N)), (8, 1, 1), (128, 1, 1), ulps=256),
)  # fmt: skip
