# ruff: noqa: E501  (a case is a line)
"""Launches of the kernels here with their inputs, for the GPU (device.py) and for complete execution (tests).

Inputs are made from a hash of the index, so that they are the same everywhere; they need only numpy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Array:
    """An argument in memory: `kind` names the generator."""

    dtype: str
    count: int
    kind: str = "zero"
    seed: int = 1
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Map:
    """A tensor map of array number `array`, with the arguments of cuTensorMapEncodeTiled."""

    array: int
    dtype: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    steps: tuple[int, ...] = ()
    interleave: int = 0
    swizzle: int = 0
    fill: int = 0


@dataclass(frozen=True)
class Texture:
    """A texture object of array number `array`, as rows `pitch` bytes apart or, without a height, as one row: numbers of
    cuTexObjectCreate."""

    array: int
    format: int
    channels: int
    width: int
    height: int = 0
    pitch: int = 0
    modes: tuple[int, int] = (1, 1)
    filter: int = 0
    flags: int = 0


@dataclass(frozen=True)
class Case:
    """A launch. Arguments are the numbers of arrays, tensor maps, textures, or (dtype, value)."""

    name: str
    module: str
    kernel: str
    arrays: tuple[Array, ...]
    arguments: tuple[int | Map | Texture | tuple[str, int], ...]
    grid: tuple[int, int, int] = (1, 1, 1)
    block: tuple[int, int, int] = (128, 1, 1)
    shared: int = 0
    cluster: tuple[int, int, int] = (1, 1, 1)

    def made(self) -> list[np.ndarray]:
        return [made(item) for item in self.arrays]


def _hash(count: int, seed: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        z = np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed * 0x1234567 + 1)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return z ^ z >> np.uint64(31)


def made(item: Array) -> np.ndarray:
    """The numbers of an array."""
    dtype = np.dtype(item.dtype)
    if item.values:
        return np.array(item.values, dtype)
    if item.kind == "zero":
        return np.zeros(item.count, dtype)
    if item.kind == "bits":
        words = -(-item.count * dtype.itemsize // 8)
        return np.frombuffer(_hash(words, item.seed).tobytes()[: item.count * dtype.itemsize], dtype).copy()
    bits = _hash(item.count, item.seed)
    unit = (bits >> np.uint64(11)).astype(np.float64) / 2.0**53 * 2 - 1
    if item.kind == "wide":  # of very different sizes
        unit = unit * 2.0 ** ((bits & np.uint64(15)).astype(np.float64) - 8)
    if item.kind == "places":  # coordinates in and around an image of 32 x 16, some between elements
        grid = np.floor(unit * 256 * 24) / 256 + 14
        return grid.astype(dtype)
    if item.kind == "shares":  # the same of the image
        return (np.floor(unit * 4096) / 2048 + 0.25).astype(dtype)
    if item.kind in ("pairs", "halves"):  # sparse metadata: two of four, ascending, or one of two
        choices = np.array([0x4, 0x8, 0xC, 0x9, 0xD, 0xE] if item.kind == "pairs" else [0x4, 0xE], np.uint64)
        parts = choices[(_hash(8 * item.count, item.seed) % np.uint64(len(choices))).astype(np.int64)].reshape(-1, 8)
        return (parts << np.arange(0, 32, 4, dtype=np.uint64)).sum(axis=1).astype(dtype)
    if item.kind == "fp8":  # no infinities and NaN of either format
        code = (bits & np.uint64(0xFF)).astype(np.uint8)
        return np.where(code & 0x7F >= 0x7C, code & 0x8B, code).astype(np.uint8)
    if item.kind == "brain":
        return (unit.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    if item.kind == "brain wide":
        unit = unit * 2.0 ** ((bits & np.uint64(15)).astype(np.float64) - 8)
        return (unit.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    return unit.astype(dtype)


def _tile(name: str, which: str, map_: Map, where: tuple[int, ...], count: int, bytes_: int) -> Case:
    arrays = (Array("u1", count, "bits"), Array("i4", len(where), values=where), Array("u4", 1024, "bits", 3))
    return Case(name, "async", which, arrays, (map_, 1, 2, ("i4", bytes_)), shared=2 * bytes_ + 1024)


# u1 arrays; CU_TENSOR_MAP_DATA_TYPE: 0 u8, 1 u16, 2 u32, 3 s32, 4 u64, 5 s64, 6 f16, 7 f32, 8 f64, 9 bf16, 10 f32.ftz,
# 11 tf32, 12 tf32.ftz.
def _rows() -> list[Case]:
    """Tiles of one dimension."""
    return [
        _tile("load_1", "tile_load_1", Map(0, 2, (100,), (), (64,)), (20,), 400, 256),
        _tile("load_1_beyond", "tile_load_1", Map(0, 2, (100,), (), (64,)), (80,), 400, 256),
        _tile("load_1_before", "tile_load_1", Map(0, 2, (100,), (), (64,)), (-8,), 400, 256),
        _tile("load_1_unaligned", "tile_load_1", Map(0, 2, (100,), (), (64,)), (-7,), 400, 256),
        _tile("load_1_nan", "tile_load_1", Map(0, 7, (100,), (), (64,), fill=1), (80,), 400, 256),
        _tile("load_1_half_nan", "tile_load_1", Map(0, 6, (96,), (), (64,), fill=1), (80,), 400, 128),
        _tile("load_1_brain_nan", "tile_load_1", Map(0, 9, (96,), (), (64,), fill=1), (80,), 400, 128),
        _tile("load_1_double_nan", "tile_load_1", Map(0, 8, (40,), (), (32,), fill=1), (-4,), 400, 256),
        _tile("load_1_ftz", "tile_load_1", Map(0, 10, (100,), (), (64,)), (20,), 400, 256),
        _tile("load_1_tf32", "tile_load_1", Map(0, 11, (100,), (), (64,)), (20,), 400, 256),
        _tile("load_1_tf32_ftz", "tile_load_1", Map(0, 12, (100,), (), (64,)), (20,), 400, 256),
        _tile("load_1_steps", "tile_load_1", Map(0, 2, (100,), (), (60,), (3,)), (8,), 400, 80),
    ]


def _loaded_tiles() -> list[Case]:
    return [
        _tile("load_2", "tile_load_2", Map(0, 1, (48, 40), (112,), (32, 8)), (8, 30), 4480, 512),
        _tile("load_2_beyond", "tile_load_2", Map(0, 1, (48, 40), (112,), (32, 8)), (-8, 36), 4480, 512),
        _tile("load_2_steps", "tile_load_2", Map(0, 2, (64, 40), (256,), (32, 16), (2, 3)), (4, 2), 10240, 16 * 6 * 4),
        _tile("load_2_rows", "tile_load_2", Map(0, 2, (64, 40), (256,), (32, 16), (1, 3)), (4, 28), 10240, 32 * 6 * 4),
        _tile("load_3", "tile_load_3", Map(0, 0, (64, 10, 6), (80, 800), (16, 3, 4)), (16, 8, 3), 4800, 192),
        _tile(
            "load_4", "tile_load_4", Map(0, 4, (8, 5, 4, 3), (64, 320, 1280), (4, 2, 3, 2)), (2, 1, -1, 2), 3840, 384
        ),
        _tile(
            "load_5",
            "tile_load_5",
            Map(0, 3, (8, 5, 4, 3, 2), (32, 160, 640, 1920), (4, 2, 3, 2, 2)),
            (4, 1, 2, 2, -1),
            3840,
            384,
        ),
    ]


def _written_tiles() -> list[Case]:
    return [
        _tile("store_1", "tile_store_1", Map(0, 2, (100,), (), (64,)), (80,), 400, 256),
        _tile("store_2", "tile_store_2", Map(0, 1, (48, 40), (112,), (32, 8)), (-8, 36), 4480, 512),
        _tile(
            "store_2_steps", "tile_store_2", Map(0, 2, (64, 40), (256,), (32, 16), (2, 3)), (4, 2), 10240, 16 * 6 * 4
        ),
        _tile("store_3", "tile_store_3", Map(0, 0, (64, 10, 6), (80, 800), (16, 3, 4)), (16, 8, 3), 4800, 192),
        _tile("add_2", "tile_add_2", Map(0, 3, (32, 40), (144,), (16, 8)), (20, 36), 5760, 512),
        _tile("add_2_u64", "tile_add_2", Map(0, 4, (16, 40), (144,), (8, 8)), (4, 36), 5760, 512),
        _tile("max_2", "tile_max_2", Map(0, 3, (32, 40), (144,), (16, 8)), (20, 36), 5760, 512),
        _tile("max_2_unsigned", "tile_max_2", Map(0, 2, (32, 40), (144,), (16, 8)), (4, 6), 5760, 512),
        _tile("xor_2", "tile_xor_2", Map(0, 2, (32, 40), (144,), (16, 8)), (4, 6), 5760, 512),
    ]


def _swizzled_tiles() -> list[Case]:
    result = []
    for swizzle, width in ((1, 32), (2, 64), (3, 128)):
        own = Map(0, 1, (256, 40), (512,), (width // 2, 24), swizzle=swizzle)
        result.append(_tile(f"load_swizzle_{width}", "tile_load_2", own, (16, 10), 20480, 24 * width))
        result.append(_tile(f"store_swizzle_{width}", "tile_store_2", own, (16, 30), 20480, 24 * width))
        narrow = Map(0, 2, (256, 20), (1024,), (width // 8, 24), swizzle=swizzle)
        result.append(_tile(f"load_swizzle_{width}_narrow", "tile_load_2", narrow, (16, 2), 20480, 24 * width // 2))
    return result


def _interleaved_tiles() -> list[Case]:
    result = []
    for interleave in (1, 2):
        unit = 16 * interleave
        sizes, strides, box = (unit // 2, 24, 5), (unit, 24 * unit), (unit // 2, 8, 2)
        own = Map(0, 1, sizes, strides, box, interleave=interleave, swizzle=1 if interleave == 2 else 0)
        result.append(_tile(f"load_interleave_{unit}", "tile_load_3", own, (0, 20, 1), 24 * unit * 5, unit * 16))
    return result


def descriptor(offset: int, leading: int, stride: int, mode: int, base: int = 0) -> int:
    """A matrix descriptor (PTX ISA, "Matrix descriptor"); modes: 0 none, 1 128 B, 2 64 B, 3 32 B."""
    return offset >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | mode << 62


_B_PLACE, _TILE_BYTES = 8192, 40960

_SIMPLE = (128 * 8, 128, 0), (16, 256, 3), (16, 512, 2), (16, 1024, 1)


def _product(name: str, kernel: str, kind: str, c_kind: str, count: int, a: int, b: int, scale: int = 1) -> Case:
    dtype = {
        "real": "f2",
        "wide": "f2",
        "brain": "u2",
        "brain wide": "u2",
        "fp8": "u1",
        "bits": "u1",
        "tensor": "f4",
        "tensor wide": "f4",
    }[kind]
    size = np.dtype(dtype).itemsize
    inputs = Array(dtype, _TILE_BYTES // size, kind.removeprefix("tensor ").replace("tensor", "real"), 5)
    c_type = "u4" if c_kind == "bits" else "f2" if c_kind == "half" else "f4"
    c = Array(c_type, 128 * count * (2 if c_kind == "half" else 1), c_kind.replace("half", "real"), 6)
    out = Array(c_type, c.count, "zero")
    arguments = (0, 1, 2, ("u8", a), ("u8", b), ("i4", _TILE_BYTES), ("i4", scale))
    return Case(name, "warpgroup", kernel, (inputs, c, out), arguments, shared=_TILE_BYTES)


_NAMES = ("none", "32", "64", "128")  # bytes of the swizzle


def _products_along() -> list[Case]:
    """Operands whose rows follow each other along k."""
    result = []
    for label, (leading, stride, mode) in zip(_NAMES, _SIMPLE, strict=True):
        a, b = descriptor(0, leading, stride, mode), descriptor(_B_PLACE, leading, stride, mode)
        result.append(_product(f"half_kk_{label}", "half_kk", "real", "real", 32, a, b))
        shifted = 32 if mode in (1, 2) else 0
        result.append(
            _product(f"half_kk_{label}_wide", "half_kk", "wide", "wide", 32, a + (shifted >> 4), b + (shifted >> 4))
        )
        result.append(_product(f"e4_e4_{label}", "e4_e4", "fp8", "real", 32, a, b))
        result.append(_product(f"s8_s8_{label}", "s8_s8", "bits", "bits", 32, a, b))
        result.append(_product(f"tensor_kk_{label}", "tensor_kk", "tensor", "real", 32, a, b))
    return result


def _products_across() -> list[Case]:
    """Groups of 16, 32, 64, 128 bytes of rows, 8 of k."""
    result = []
    across = ((512, 128, 0), (1024, 256, 3), (2048, 512, 2), (4096, 1024, 1))
    for label, (leading, stride, mode) in zip(_NAMES, across, strict=True):
        if label == "none":
            leading, stride = 1024, 128
        a, b = descriptor(0, leading, stride, mode), descriptor(_B_PLACE, leading, stride, mode)
        result.append(_product(f"half_tt_{label}", "half_tt", "real", "real", 32, a, b))
        result.append(_product(f"brain_tt_{label}", "brain_tt", "brain", "real", 48, a, b))
        k = descriptor(0, 16, 1024, 1)
        result.append(_product(f"half_kt_{label}", "half_kt", "real", "real", 32, k, b))
        result.append(_product(f"half_regs_{label}", "half_regs", "real", "real", 32, 0, b))
    return result


def _single_products() -> list[Case]:
    a, b = descriptor(0, 16, 1024, 1), descriptor(_B_PLACE, 16, 1024, 1)
    return [
        _product("half_kk_none_swapped", "half_kk", "real", "real", 32, descriptor(0, 128, 256, 0), descriptor(_B_PLACE, 128, 256, 0)),
        _product("half_kk_offset", "half_kk", "real", "real", 32, descriptor(0x100, 16, 1024, 1, 2), descriptor(_B_PLACE + 0x100, 16, 1024, 1, 2)),
        _product("half_kk_offset_0", "half_kk", "real", "real", 32, descriptor(0x100, 16, 1024, 1), descriptor(_B_PLACE + 0x100, 16, 1024, 1)),
        _product("half_kk_zero", "half_kk", "real", "real", 32, a, b, 0),
        _product("half_n8", "half_n8", "real", "real", 4, a, b),
        _product("half_n256", "half_n256", "wide", "wide", 128, a, b),
        _product("half_minus", "half_minus", "real", "real", 12, a, b),
        _product("half_half", "half_half", "real", "half", 8, a, b),
        _product("half_twice", "half_twice", "wide", "real", 32, a, b),
        _product("brain_kk", "brain_kk", "brain", "real", 32, a, b),
        _product("brain_kk_wide", "brain_kk", "brain wide", "real", 32, a, b),
        _product("tensor_wide", "tensor_kk", "tensor wide", "wide", 32, a, b),
        _product("tensor_regs", "tensor_regs", "tensor", "real", 16, 0, b),
        _product("e5_e4", "e5_e4", "fp8", "wide", 16, a, b),
        _product("e4_e5_half", "e4_e5_half", "fp8", "half", 8, a, b),
        _product("e5_regs", "e5_regs", "fp8", "real", 8, 0, b),
        _product("u8_s8", "u8_s8", "bits", "bits", 16, a, b),
        _product("s8_u8_regs", "s8_u8_regs", "bits", "bits", 16, 0, b),
        _product("u8_satfinite", "u8_satfinite", "bits", "bits", 16, a, b),
    ]  # fmt: skip


def _async() -> list[Case]:
    a, pair = Array, (64, 1, 1)
    pipeline = (a("u4", 3 * 256 * 11, "bits"), a("u4", 768), a("u4", 3))
    return [
        Case("bulk_pipeline", "async", "bulk_pipeline", pipeline, (0, 1, 2, ("i4", 11)), (3, 1, 1), (96, 1, 1)),
        Case("barrier_states", "async", "barrier_states", (a("u4", 8 + 64),), (0,), block=pair),
        Case("copies_arrive", "async", "copies_arrive", (a("u4", 256, "bits"), a("u4", 256)), (0, 1), block=pair),
        *(_reduction(name, "u4", 64, "bits") for name in ("add_u32", "min_s32", "max_u64", "and_b32", "inc_u32")),
        _reduction("add_f32", "f4", 64, "real"),
        _reduction("add_f64", "f8", 32, "real"),
        _reduction("add_f16", "f2", 128, "real"),
        _reduction("min_bf16", "u2", 128, "brain"),
    ]


def _reduction(name: str, dtype: str, count: int, kind: str) -> Case:
    arrays = (Array(dtype, count, kind), Array(dtype, count, kind, 2))
    return Case(f"reduce_{name}", "async", f"reduce_{name}", arrays, (0, 1), block=(64, 1, 1))


def _clusters() -> list[Case]:
    a, four, result = Array, (4, 1, 1), []
    result += [
        Case("cluster_names", "cluster", "cluster_names", (a("u4", 14 * 48),), (0,), (8, 6, 1), (32, 1, 1), cluster=(4, 2, 1)),
        Case("cluster_names_none", "cluster", "cluster_names", (a("u4", 14 * 48),), (0,), (8, 6, 1), (32, 1, 1)),
        Case("cluster_exchange", "cluster", "cluster_exchange", (a("u4", 1024, "bits"), a("u4", 1024)), (0, 1), (8, 1, 1), cluster=four),
        Case("cluster_generic", "cluster", "cluster_generic", (a("u4", 512, "bits"), a("u4", 512)), (0, 1), (8, 1, 1), (64, 1, 1), cluster=four),
        Case("cluster_multicast", "cluster", "cluster_multicast", (a("u4", 2048, "bits"), a("u4", 8192)), (0, 1), (8, 1, 1), cluster=four),
        Case("cluster_tiles", "cluster", "cluster_tiles", (a("u1", 64 * 20 * 4, "bits"), a("u4", 2048)), (Map(0, 2, (64, 20), (256,), (32, 8)), 1, ("i4", 13)), (8, 1, 1), cluster=four),
        Case("cluster_pushes", "cluster", "cluster_pushes", (a("u4", 2048, "bits"), a("u4", 2048)), (0, 1), (8, 1, 1), (256, 1, 1), cluster=four),
    ]  # fmt: skip
    return result


def _warp_products() -> list[Case]:
    a, result = Array, []
    kinds = {
        "warp_half": ("f2", "wide", 4, 2, 4), "warp_half_8": ("f2", "wide", 2, 1, 4), "warp_brain": ("u2", "brain wide", 4, 2, 4),
        "warp_tensor": ("f4", "wide", 4, 2, 4), "warp_tensor_4": ("f4", "wide", 2, 1, 4), "warp_half_half": ("f2", "real", 4, 2, 2),
        "warp_e4_e5": ("u1", "fp8", 4, 2, 4), "sparse_half_32": ("f2", "wide", 4, 4, 4), "sparse_half_32_1": ("f2", "wide", 4, 4, 4),
        "sparse_half_16": ("f2", "wide", 2, 2, 4), "sparse_brain_32": ("u2", "brain wide", 4, 4, 4), "sparse_tensor_16": ("f4", "wide", 4, 4, 4),
        "sparse_tensor_8": ("f4", "wide", 2, 2, 4), "sparse_s8_64": ("u1", "bits", 4, 4, 4), "sparse_u8_32": ("u1", "bits", 2, 2, 4),
        "sparse_e4_64": ("u1", "fp8", 4, 4, 4),
    }  # fmt: skip
    for name, (dtype, kind, a_words, b_words, words) in kinds.items():
        each = 4 // np.dtype(dtype).itemsize
        c_type = (
            ("u4", "bits")
            if ("8_" in name and "s8" in name) or "u8" in name
            else ("f2", "real")
            if name == "warp_half_half"
            else ("f4", "wide")
        )
        count = 32 * words * (2 if c_type[0] == "f2" else 1)
        inputs = (
            a(dtype, 32 * a_words * each, kind, 5),
            a(dtype, 32 * b_words * each, kind, 6),
            a(c_type[0], count, c_type[1], 7),
        )
        metadata = a("u4", 32, "halves" if "tensor" in name else "pairs", 8)
        result.append(
            Case(name, "products", name, (*inputs, metadata, a(c_type[0], count)), (0, 1, 2, 3, 4), block=(32, 1, 1))
        )
    return result


def _textures() -> list[Case]:
    a, result = Array, []
    image, count = a("f4", 64 * 16, "real", 2), 512
    plain = Texture(0, 0x20, 1, 32, 16, 256)
    for name, modes, own_filter, flags in (
        ("clamp", (1, 1), 0, 0), ("border", (3, 3), 0, 0), ("clamp_linear", (1, 1), 1, 0), ("border_linear", (3, 3), 1, 0),
        ("wrap", (0, 0), 0, 2), ("mirror", (2, 2), 0, 2), ("wrap_linear", (0, 0), 1, 2), ("mirror_linear", (2, 2), 1, 2),
        ("clamp_shares", (1, 1), 1, 2), ("mixed", (0, 3), 1, 2),
    ):  # fmt: skip
        places = a("f4", 2 * count, "shares" if flags else "places", 3)
        texture = replace(plain, modes=modes, filter=own_filter, flags=flags)
        arrays, arguments = (image, places, a("f4", count)), (texture, 1, 2, ("i4", count))
        result.append(Case(f"sample_2_{name}", "textures", "sample_2", arrays, arguments, (2, 1, 1)))
    places = a("f4", 2 * count, "places", 3)
    bytes_, halves, words = a("u1", 4096, "bits", 4), a("f2", 2048, "real", 4), a("i4", 1024, "bits", 4)
    result += [
        Case("sample_bytes", "textures", "sample_2_four", (bytes_, places, a("f4", 4 * count)), (Texture(0, 1, 4, 32, 16, 256), 1, 2, ("i4", count)), (2, 1, 1)),
        Case("sample_bytes_linear", "textures", "sample_2_four", (bytes_, places, a("f4", 4 * count)), (Texture(0, 1, 4, 32, 16, 256, filter=1), 1, 2, ("i4", count)), (2, 1, 1)),
        Case("sample_halves_linear", "textures", "sample_2_four", (halves, places, a("f4", 4 * count)), (Texture(0, 0x10, 4, 32, 16, 256, filter=1), 1, 2, ("i4", count)), (2, 1, 1)),
        Case("sample_words", "textures", "sample_2_pair", (words, places, a("i4", 2 * count)), (Texture(0, 0x0A, 2, 32, 16, 256), 1, 2, ("i4", count)), (2, 1, 1)),
        Case("sample_level", "textures", "sample_2_level", (image, places, a("f4", count)), (replace(plain, filter=1), 1, 2, ("i4", count)), (2, 1, 1)),
        Case("gather", "textures", "gather_2", (image, places, a("f4", 4 * count)), (plain, 1, 2, ("i4", count)), (2, 1, 1)),
        Case("fetch", "textures", "fetch_1", (image, a("i4", 64, values=tuple(range(-8, 56))), a("f4", 64)), (Texture(0, 0x20, 1, 48), 1, 2, ("i4", 64))),
        Case("fetch_bytes", "textures", "fetch_bytes", (bytes_, a("i4", 64, values=tuple(range(-8, 56))), a("u1", 256)), (Texture(0, 1, 4, 48, flags=1), 1, 2, ("i4", 64))),
    ]  # fmt: skip
    return result


CASES = (
    *_async(),
    *_rows(),
    *_loaded_tiles(),
    *_written_tiles(),
    *_swizzled_tiles(),
    *_interleaved_tiles(),
    *_products_along(),
    *_products_across(),
    *_single_products(),
    *_clusters(),
    *_warp_products(),
    *_textures(),
)
