"""Reads the contents of arrays from files: .npy, or raw bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from foretell.core.gpu.launch import ELEMENT_BYTES
from foretell.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.gpu.launch import Contents, Element, Launch, Pointer

    Data: TypeAlias = NDArray[np.void] | NDArray[np.generic]

#: suffixes of files of raw bytes
RAW = (".bin", ".raw")
#: a part of an array is unusual if its largest number is more than so many times as large as that of others
_LARGER = 2


def file_bytes(pointer: Pointer, contents: Contents) -> NDArray[np.uint8]:
    """Maps the bytes of a file into memory: only pages that are read are loaded. A file may be shorter than the array,
    if the kernel does not read the rest."""
    path = Path(contents.file)
    data = _raw(path) if path.suffix in RAW else _array(path, pointer.element)
    if data.nbytes > pointer.bytes:
        has = f"{data.nbytes} bytes" if path.suffix in RAW else f"{data.size} elements ({data.nbytes} bytes)"
        raise InputError(f"has {has}, the argument {pointer} {pointer.bytes} bytes", file=path)
    return np.ascontiguousarray(data).reshape(-1).view(np.uint8)


def unusual_blocks(launch: Launch) -> list[int]:
    """Blocks that may do far more than others because of integers that files give: those that have the largest number
    of an array, or the longest list of ascending starts, if threads take elements in order. Samples would miss
    them."""
    found = []
    for pointer in launch.pointers:
        if pointer.contents and pointer.contents.kind == "file" and _is_integer(pointer.element):
            values = file_bytes(pointer, pointer.contents).view(f"i{pointer.element.bytes}")
            found += _unusual_part(values, launch.blocks)
    return sorted(set(found))


def _is_integer(element: Element) -> bool:
    return element.numbers == 1 and element.scalar in ELEMENT_BYTES and not element.floating and element.bytes <= 8


def _unusual_part(values: NDArray[np.signedinteger], parts: int) -> list[int]:
    """The one of so many equal parts whose largest number, or step between ascending ones, is far above the others'."""
    steps = np.diff(values) if len(values) > parts else values[:0]
    values = steps if len(steps) and steps.min() >= 0 else values
    if len(values) < parts or parts < 2:
        return []
    largest = np.maximum.reduceat(values, np.arange(parts) * len(values) // parts)
    return [int(largest.argmax())] if largest.max() > _LARGER * max(1, float(np.median(largest))) else []


def _raw(path: Path) -> NDArray[np.uint8]:
    try:
        return np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise InputError(f"is not a readable file of bytes: {error}", file=path) from None


def _array(path: Path, element: Element) -> Data:
    try:
        data: Data = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"is not a readable .npy array: {error}", file=path) from None
    if not _same_type(data.dtype, element):
        raise InputError(
            f"has elements of type {data.dtype}, the argument of type {element}",
            file=path,
            hint=f"convert it (numpy: .astype), or describe the argument as it is; raw bytes are FILE{RAW[0]}",
        )
    return data


def _same_type(dtype: np.dtype[np.generic], element: Element) -> bool:
    """Whether the numbers of a file are those of an element: signs of integers do not matter, and a vector or a
    structure of equal numbers may be stored as single numbers. bf16, which numpy lacks, is stored in 16 bits."""
    base = dtype.base
    if base.names is not None or base.kind == "V":
        return base.itemsize == element.bytes
    kind = element.scalar
    if not kind or base.byteorder == ">":
        return False
    if kind == "bf16":
        return base.itemsize == 2 and base.kind in "iu"
    return base.itemsize == ELEMENT_BYTES[kind] and (base.kind == "f" if element.floating else base.kind in "iub")
