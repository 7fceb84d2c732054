"""Compiles CUDA source to machine code, with nvcc if available."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends.gpu.binary import tool_cache
from foretell.frontends.gpu.binary.cubin import ARCHITECTURES

_TIMEOUT_S = 600
#: default target of CUDA source where no machine gives one (sm_90: the measured GPU of the library, the H200)
DEFAULT_ARCHITECTURE = 90


def architecture_for(cpu: str) -> int:
    """The target architecture of CUDA source for a machine with this `target.cpu`: its own, or the nearest lower one
    that both nvcc and foretell support. The default for a machine that is no NVIDIA GPU."""
    own = re.fullmatch(r"sm_(\d+)[a-z]?", cpu)
    if own is None:
        return DEFAULT_ARCHITECTURE
    possible = _architectures(shutil.which("nvcc")) & set(ARCHITECTURES)
    lower = [arch for arch in possible if arch <= int(own[1])]
    if not lower:
        oldest = min(possible, default=DEFAULT_ARCHITECTURE)
        raise UnsupportedError(
            f"CUDA source cannot be compiled for {cpu}: the oldest that nvcc and foretell know here is sm_{oldest}",
            hint=f"--arch {oldest} compiles for that one; its instructions are then assumed for the machine",
        )
    return max(lower)


@lru_cache(maxsize=4)
def _architectures(nvcc: str | None) -> set[int]:
    """The architectures that nvcc supports; all that foretell reads if nvcc is missing or does not tell."""
    if nvcc is None:
        return set(ARCHITECTURES)  # the compilation will be refused with the right architecture named
    done = _run([nvcc, "--list-gpu-code"])
    return set(map(int, re.findall(r"^sm_(\d+)$", done.stdout, re.MULTILINE))) or set(ARCHITECTURES)


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"nvcc did not run: {error}") from None


def compile_source(path: Path, arch: int, flags: tuple[str, ...] = ()) -> bytes:
    """Compiles a .cu file with nvcc; the cubin is cached until the file, a user's header or nvcc changes."""
    found = shutil.which("nvcc")
    if found is None:
        raise ToolError(
            f"{path}: CUDA source needs nvcc, which is not here; compile it where it is (nvcc -cubin -lineinfo "
            f"-arch=sm_{arch}) and give the cubin"
        )
    nvcc = Path(found)
    options = ("-cubin", "-O3", "-lineinfo", f"-arch=sm_{arch}", *flags)
    place = tool_cache.place(nvcc, path.resolve(), *options)
    cubin = _kept(place)
    if cubin is None:
        cubin, read = _compile(nvcc, path, options)
        state = {str(file): _digest(file) for file in read}
        tool_cache.keep(place.with_suffix(".cubin"), cubin)
        tool_cache.keep(place.with_suffix(".json"), json.dumps([hashlib.sha256(cubin).hexdigest(), state]).encode())
    return cubin


def _kept(place: Path) -> bytes | None:
    """A cached cubin, if none of its source files changed."""
    cubin, state = tool_cache.kept(place.with_suffix(".cubin")), tool_cache.kept(place.with_suffix(".json"))
    if cubin is None or state is None:
        return None
    try:
        digest, read = json.loads(state)
        same = digest == hashlib.sha256(cubin).hexdigest()
        return cubin if same and all(_digest(Path(file)) == known for file, known in read.items()) else None
    except (ValueError, AttributeError, OSError):
        return None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _compile(nvcc: Path, path: Path, options: tuple[str, ...]) -> tuple[bytes, tuple[Path, ...]]:
    """The cubin, and its source files outside of the system's."""
    with tempfile.TemporaryDirectory() as folder:
        output, rule = Path(folder) / "kernel.cubin", Path(folder) / "kernel.d"
        command = [nvcc, *options, "-MMD", "-MF", rule, "-o", output, path.resolve()]
        done = _run([str(word) for word in command])
        if done.returncode:
            raise InputError(f"nvcc cannot compile this: {done.stderr.strip()[:2000]}", file=path)
        return output.read_bytes(), _dependences(rule.read_text(encoding="utf-8"))


def _dependences(rule: str) -> tuple[Path, ...]:
    r"""The files of a make rule, `target : first second \ third`; a space in a name has a backslash."""
    _, _, names = rule.replace("\\\n", " ").partition(":")
    return tuple(Path(name.replace("\\ ", " ")) for name in re.findall(r"(?:\\.|\S)+", names))
