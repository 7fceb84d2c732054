"""Kernels of a file as a user must know them before a launch: names, parameters, resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import files
from foretell.core.answers.description import KernelParameter, KernelSummary
from foretell.errors import InputError, OptionError
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.binary.names import declared_parameters, signature
from foretell.frontends.gpu.binary.nvcc import DEFAULT_ARCHITECTURE, SOURCES, compile_source, parse_flags
from foretell.frontends.gpu.sass import kernels
from foretell.frontends.gpu.workload import read_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.gpu.sass import SassKernel


def read_summaries(path: Path, arch: int | None = None, nvcc: str = "") -> tuple[KernelSummary, ...]:
    """The kernels of a file of one architecture, in the order of the file, without disassembling them."""
    suffix = files.kind(path).lower()
    if nvcc and suffix not in SOURCES:
        raise OptionError("--nvcc: flags for the compilation of CUDA source, and this is compiled", file=path)
    try:
        if suffix == ".sass":
            whole = read_kernel(path)
            return (summary(whole, len(whole.instructions), path),)
        if suffix in SOURCES:
            files.read_bytes(path)
            cubin = compile_source(path, arch or DEFAULT_ARCHITECTURE, parse_flags(nvcc))
            heads = tuple(kernels.heads(read_cubin(elf.Source.of(cubin))))
        else:
            heads = kernels.read_heads(path, arch)
    except InputError as error:
        raise error.at(path) from None
    return tuple(summary(kernel, count, path) for kernel, count in heads)


def summary(kernel: SassKernel, instructions: int, path: Path) -> KernelSummary:
    """One kernel, with the names of its parameters if its source can be read."""
    declared = signature(kernel.name)
    in_source = declared_parameters(_source(kernel, path), declared.name)
    names = [name for _, name in in_source]
    types = declared.types if declared.types is not None else [kind for kind, _ in in_source]
    threads = kernel.max_threads
    return KernelSummary(
        name=declared.name,
        mangled=kernel.name,
        arch=kernel.arch,
        instructions=instructions,
        registers=kernel.registers,
        shared_bytes=kernel.own_shared_bytes,
        parameters=tuple(
            KernelParameter(_at(names, number, kernel), _at(types, number, kernel), parameter.size)
            for number, parameter in enumerate(kernel.parameters)
        ),
        max_threads=threads[0] * threads[1] * threads[2] if threads else None,
    )


def _at(words: Sequence[str], number: int, kernel: SassKernel) -> str:
    """The word of a parameter, where there is one for each."""
    return words[number] if len(words) == len(kernel.parameters) else ""


def _source(kernel: SassKernel, path: Path) -> str:
    """The text of the source: the file itself, or the one that its line table names."""
    source = path if files.kind(path).lower() == ".cu" else path.parent / kernel.source_file
    try:
        return files.read_text(source) if source.is_file() else ""
    except InputError:
        return ""
