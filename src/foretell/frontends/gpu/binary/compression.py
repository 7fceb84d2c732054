"""Decompresses cubins of a fatbin: nvcc writes LZ4 blocks (-compress-mode=speed, old versions) or Zstandard frames."""

from __future__ import annotations

from typing import Literal

from foretell.errors import InputError, MissingExtraError

Method = Literal["lz4", "zstd"]


def expand(data: bytes, method: Method, size: int) -> bytes:
    """Decompresses `data`; `size` is the expected length, which is never exceeded."""
    expanded = _zstd(data, size) if method == "zstd" else _lz4(data, size)
    if len(expanded) != size:
        raise InputError(f"the compressed machine code has {len(expanded)} bytes instead of {size}")
    return expanded


def _zstd(data: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("zstandard", "gpu") from None
    try:
        return zstandard.ZstdDecompressor().stream_reader(data).read(size + 1)
    except zstandard.ZstdError as error:
        raise InputError(f"the compressed machine code is damaged: {error}") from None


def _lz4(data: bytes, size: int) -> bytes:
    try:
        from lz4 import block
    except ImportError:
        raise MissingExtraError("lz4", "gpu") from None
    try:
        return bytes(block.decompress(data, uncompressed_size=size))
    except (block.LZ4BlockError, ValueError, OverflowError, MemoryError) as error:
        raise InputError(f"the compressed machine code is damaged: {error}") from None
