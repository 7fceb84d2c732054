"""The machine code that tests read: compiled from tests/data/sass with nvcc, once for each state of the sources."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.sass import kernels

if TYPE_CHECKING:
    from foretell.core.gpu.sass import SassKernel

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "tests" / "data" / "sass"
ARCHITECTURES = (75, 80, 90, 120)
NAMES = sorted(
    [
        *(f"{name}_sm{a}.cubin" for name in ("simple", "traced", "wide", "unusual") for a in ARCHITECTURES),
        "lines_sm90.cubin",
        "memory_sm90.cubin",
        "teams_sm90.cubin",
    ]
)


@cache
def built(name: str) -> Path:
    """The file of a name (see the README beside the sources); the test is skipped where there is no nvcc."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    path = _folder(nvcc) / name
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}{path.suffix}")  # two processes may be at it
        subprocess.run([nvcc, *_arguments(name), "-o", str(part)], cwd=SOURCES, check=True, capture_output=True)
        part.rename(path)
    return path


@cache
def decoded(file: str) -> tuple[SassKernel, ...]:
    """Every kernel of a file; the disassembler starts once for all of them."""
    return kernels.decode_all(built(file).read_bytes())


def kernel_of(file: str, name: str) -> SassKernel:
    """The kernel with this name, or with this name in the source."""
    (found,) = (one for one in decoded(file) if name in (one.name, plain_name(one.name)))
    return found


def _folder(nvcc: str) -> Path:
    digest = hashlib.sha256(subprocess.run([nvcc, "--version"], check=True, capture_output=True).stdout)
    for source in sorted(SOURCES.glob("*.cu")):
        digest.update(source.read_bytes())
    folder = ROOT / "build" / f"sass-{digest.hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _arguments(name: str) -> list[str]:
    if name == "fat.so":
        codes = [f"arch=compute_{a},code=sm_{a}" for a in (90, 80)]
        both = [word for code in codes for word in ("-gencode", code)]
        return ["-shared", "-Xcompiler", "-fPIC", "-cudart=none", *both, "simple.cu"]
    if name == "lines_sm90.cubin":
        return ["-cubin", "-O3", "-lineinfo", "-arch=sm_90", "simple.cu"]
    stem, architecture = name.removesuffix(".cubin").split("_sm")
    return ["-cubin", "-O3", f"-arch=sm_{architecture}", f"{stem}.cu"]
