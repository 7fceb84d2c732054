"""A kernel and its launch as a workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import files
from foretell.core.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.frontends.sass import elf, kernels, listing
from foretell.frontends.sass.compiler import compile_source
from foretell.frontends.sass.cubin import plain_name

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.launch import Launch
    from foretell.core.sass import SassKernel

_SUFFIXES = (".cubin", ".fatbin", ".cu")
_BINARY_SUFFIXES = ("", ".so", ".o", ".out", ".elf", ".bin", ".exe")
_MAGIC = (elf.MAGIC, (0xBA55ED50).to_bytes(4, "little"))
_LISTING_BYTES = 256 << 20
_USUAL_ARCHITECTURE = 90


def is_machine_code(path: Path) -> bool:
    """Whether this is a cubin, a fatbin, an executable, a listing, or CUDA source."""
    if path.suffix.lower() in _SUFFIXES or _is_listing(path):
        return True
    if path.suffix.lower() not in _BINARY_SUFFIXES or not path.is_file():  # a pipe would be waited for
        return False
    try:
        with path.open("rb") as handle:
            return handle.read(4) in _MAGIC
    except (OSError, ValueError):
        return False


def read_workload(path: Path, launch: Launch, arch: int | None = None) -> Workload:
    """One kernel of a file, launched in a given way; `arch` chooses among several architectures (90 for sm_90)."""
    kernel = _read(path, launch.kernel, arch)
    return Workload(
        name=launch.name or plain_name(kernel.name),
        facets=(Warps(kernel, launch),),
        origin=str(path),
        input_hash=files.content_hash(listing.write(kernel).encode() + repr(launch).encode()),
    )


def _is_listing(path: Path) -> bool:
    return files.kind(path).lower() == ".sass"


def _read(path: Path, name: str | None, arch: int | None) -> SassKernel:
    suffix = path.suffix.lower()
    if _is_listing(path):
        text = files.read_text(path, _LISTING_BYTES)
        try:
            kernel = listing.read(text)
        except InputError as error:
            raise error.at(path) from None
        if name is not None and name != kernel.name:
            raise InputError(f"no kernel {name!r} in this listing, it is of {kernel.name!r}", file=path)
        return kernel
    if suffix == ".cu":
        files.read_bytes(path)
        cubin = compile_source(path, arch or _USUAL_ARCHITECTURE)
        try:
            return kernels.decode_kernel(cubin, name)
        except InputError as error:
            raise error.at(path) from None
    return kernels.read_kernel(path, name, arch)
